/* SPDX-License-Identifier: MIT
 *
 * Input bytes from a file or standard input, made UTF-8 on the way.
 *
 *   read(2) -> digest -> [inflate] -> [UTF-16 to UTF-8] -> the caller
 *
 * Both steps are taken where the first bytes ask for them: gzip's magic number, and
 * the byte order mark that Excel and PowerShell put before UTF-16. What is no UTF-16
 * (half a surrogate pair, an odd last byte) becomes bytes that are no UTF-8 either, so
 * that the line they stand in is reported like any other with bad bytes.
 *
 * Left out: UTF-16 without a mark (a guess), other compressions. Plain read(2) and no
 * stdio: one copy less, and errors keep their errno.
 */
#include "dataset/source.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/hash.h"
#include "base/mem.h"

enum {
    PIECE_BYTES = 256 << 10,
    UTF16_BYTES = 2 * PIECE_BYTES, /* 2 bytes become up to 3; with something to spare */
    GZIP_WINDOW_BITS = 15 + 16     /* zlib: the largest window, gzip's header */
};

struct source {
    const char *path;
    int fd;
    bool is_stdin;
    bool unhashed; /* no digest is wanted */
    bool is_peeked;
    eh_str peeked;
    eh_hash hash;

    char raw[PIECE_BYTES]; /* as it stands in the file */
    size_t raw_at, raw_end;

    bool started;
    bool is_gzip;
    bool between_members; /* of a gzip file: ended one, perhaps another follows */
    z_stream inflater;
    char *inflated; /* [PIECE_BYTES] */

    bool is_utf16, is_big_endian;
    char *utf8;       /* [UTF16_BYTES] */
    int carried_byte; /* first half of a unit, or -1 */
    uint32_t high;    /* first half of a surrogate pair, or 0 */
};

eh_status source_open(const char *path, source **out, eh_error *err) {
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return EH_FAIL(err, EH_STATUS_DATA, "%s: %s", path, strerror(errno));
    struct stat info;
    bool is_folder = fstat(fd, &info) == 0 && S_ISDIR(info.st_mode);
    source *s = is_folder ? NULL : mem_zalloc(1, sizeof *s);
    if (!s) {
        if (!is_stdin) (void)close(fd);
        if (!is_folder) return EH_NOMEM(err);
        return EH_FAIL(err, EH_STATUS_DATA, "%s: %s", path, strerror(EISDIR));
    }
    s->path = path;
    s->fd = fd;
    s->is_stdin = is_stdin;
    s->carried_byte = -1;
    hash_init(&s->hash, "eh-file-1");
    *out = s;
    return EH_STATUS_OK;
}

void source_close(source *s) {
    if (!s) return;
    if (s->inflated) (void)inflateEnd(&s->inflater);
    if (!s->is_stdin) (void)close(s->fd);
    mem_free(s->inflated);
    mem_free(s->utf8);
    mem_free(s);
}

/* Appends what one read gives to what is left in `raw`. */
static eh_status read_more(source *s, eh_error *err) {
    memmove(s->raw, s->raw + s->raw_at, s->raw_end - s->raw_at);
    s->raw_end -= s->raw_at;
    s->raw_at = 0;
    ssize_t got;
    do {
        got = read(s->fd, s->raw + s->raw_end, sizeof s->raw - s->raw_end);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return EH_FAIL(err, EH_STATUS_IO, "%s: %s",
                       s->is_stdin ? "standard input" : s->path, strerror(errno));
    if (!s->unhashed) hash_raw(&s->hash, s->raw + s->raw_end, (size_t)got);
    s->raw_end += (size_t)got;
    return EH_STATUS_OK;
}

/* At least `n_wanted` bytes in `raw`, or all there are. A pipe may give them singly. */
static eh_status peek(source *s, size_t n_wanted, eh_error *err) {
    size_t have = s->raw_end - s->raw_at;
    bool grew = true;
    while (have < n_wanted && grew) {
        EH_TRY(read_more(s, err));
        grew = s->raw_end > have;
        have = s->raw_end;
    }
    return EH_STATUS_OK;
}

static voidpf zlib_alloc(voidpf self, uInt n, uInt size) {
    (void)self;
    return mem_zalloc(n, size);
}

static void zlib_free(voidpf self, voidpf ptr) {
    (void)self;
    mem_free(ptr);
}

static eh_status gzip_begin(source *s, eh_error *err) {
    s->inflater = (z_stream){.zalloc = zlib_alloc, .zfree = zlib_free};
    if (inflateInit2(&s->inflater, GZIP_WINDOW_BITS) != Z_OK) return EH_NOMEM(err);
    s->inflated = mem_alloc(PIECE_BYTES, 1);
    if (!s->inflated) {
        (void)inflateEnd(&s->inflater);
        return EH_NOMEM(err);
    }
    s->is_gzip = true;
    return EH_STATUS_OK;
}

static bool has_gzip_magic(const source *s) {
    return s->raw_end - s->raw_at >= 2 &&
           memcmp(s->raw + s->raw_at, "\x1F\x8B", 2) == 0;
}

/* Behind a member: another one, zeros (tapes pad with them), or the end. */
static eh_status next_member(source *s, bool *at_end, eh_error *err) {
    EH_TRY(peek(s, 2, err));
    while (s->raw_at < s->raw_end && s->raw[s->raw_at] == '\0') {
        s->raw_at++;
        EH_TRY(peek(s, 2, err));
    }
    *at_end = s->raw_at == s->raw_end;
    if (*at_end) return EH_STATUS_OK;
    if (!has_gzip_magic(s))
        return EH_FAIL(err, EH_STATUS_DATA,
                       "%s: there is something else after the gzip data", s->path);
    (void)inflateReset(&s->inflater);
    s->between_members = false;
    return EH_STATUS_OK;
}

/* One call of inflate; may give nothing although there is more. */
static eh_status inflate_some(source *s, eh_str *piece, eh_error *err) {
    z_stream *z = &s->inflater;
    EH_TRY(peek(s, 1, err));
    if (s->raw_at == s->raw_end)
        return EH_FAIL(err, EH_STATUS_DATA, "%s: the gzip data is cut off", s->path);
    z->next_in = (Bytef *)(s->raw + s->raw_at);
    z->avail_in = (uInt)(s->raw_end - s->raw_at);
    z->next_out = (Bytef *)s->inflated;
    z->avail_out = PIECE_BYTES;
    int result = inflate(z, Z_NO_FLUSH);
    s->raw_at = s->raw_end - z->avail_in;
    if (result == Z_MEM_ERROR) return EH_NOMEM(err);
    if (result != Z_OK && result != Z_STREAM_END)
        return EH_FAIL(err, EH_STATUS_DATA, "%s: damaged gzip data: %s", s->path,
                       z->msg ? z->msg : "unknown cause");
    s->between_members = result == Z_STREAM_END;
    *piece = (eh_str){s->inflated, PIECE_BYTES - z->avail_out};
    return EH_STATUS_OK;
}

/* The next stored bytes, inflated where they are gzip. */
static eh_status next_plain(source *s, eh_str *piece, eh_error *err) {
    *piece = EH_STR("");
    if (!s->is_gzip) {
        EH_TRY(peek(s, 1, err));
        *piece = (eh_str){s->raw + s->raw_at, s->raw_end - s->raw_at};
        s->raw_at = s->raw_end;
        return EH_STATUS_OK;
    }
    bool at_end = false;
    while (piece->len == 0 && !at_end) {
        if (s->between_members) EH_TRY(next_member(s, &at_end, err));
        if (!at_end) EH_TRY(inflate_some(s, piece, err));
    }
    return EH_STATUS_OK;
}

static eh_status utf16_begin(source *s, eh_str *piece, eh_error *err) {
    s->is_big_endian = eh_str_begins(*piece, EH_STR("\xFE\xFF"));
    if (!s->is_big_endian && !eh_str_begins(*piece, EH_STR("\xFF\xFE")))
        return EH_STATUS_OK;
    *piece = eh_str_slice(*piece, 2, piece->len);
    s->utf8 = mem_alloc(UTF16_BYTES, 1);
    s->is_utf16 = s->utf8 != NULL;
    return s->is_utf16 ? EH_STATUS_OK : EH_NOMEM(err);
}

/* Surrogates are written like other values, which gives invalid UTF-8. */
static char *put_cp(char *out, uint32_t cp) {
    if (cp < 0x80) {
        *out++ = (char)cp;
        return out;
    }
    if (cp < 0x800) {
        *out++ = (char)(0xC0 | cp >> 6);
    } else if (cp < 0x10000) {
        *out++ = (char)(0xE0 | cp >> 12);
        *out++ = (char)(0x80 | (cp >> 6 & 0x3F));
    } else {
        *out++ = (char)(0xF0 | cp >> 18);
        *out++ = (char)(0x80 | (cp >> 12 & 0x3F));
        *out++ = (char)(0x80 | (cp >> 6 & 0x3F));
    }
    *out++ = (char)(0x80 | (cp & 0x3F));
    return out;
}

static char *put_unit(source *s, char *out, uint32_t unit) {
    uint32_t high = s->high;
    s->high = 0;
    if (high && unit >= 0xDC00 && unit <= 0xDFFF)
        return put_cp(out, 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00));
    if (high) out = put_cp(out, high);
    if (unit < 0xD800 || unit > 0xDBFF) return put_cp(out, unit);
    s->high = unit;
    return out;
}

/* Converts a piece; an empty one is the end, where what is left over comes out. */
static eh_str to_utf8(source *s, eh_str units) {
    char *out = s->utf8;
    for (size_t i = 0; i < units.len; i++) {
        uint32_t byte = (unsigned char)units.ptr[i];
        if (s->carried_byte < 0) {
            s->carried_byte = (int)byte;
            continue;
        }
        uint32_t first = (uint32_t)s->carried_byte;
        s->carried_byte = -1;
        out =
            put_unit(s, out, s->is_big_endian ? first << 8 | byte : byte << 8 | first);
    }
    if (units.len == 0 && s->high) out = put_cp(out, s->high);
    if (units.len == 0 && s->carried_byte >= 0) *out++ = (char)0xFF;
    if (units.len == 0) {
        s->high = 0;
        s->carried_byte = -1;
    }
    return (eh_str){s->utf8, (size_t)(out - s->utf8)};
}

static eh_status start(source *s, eh_str *piece, eh_error *err) {
    s->started = true;
    EH_TRY(peek(s, sizeof s->raw, err)); /* so that the mark is in the first piece */
    if (has_gzip_magic(s)) EH_TRY(gzip_begin(s, err));
    EH_TRY(next_plain(s, piece, err));
    EH_TRY(utf16_begin(s, piece, err));
    return piece->len || !s->is_utf16 ? EH_STATUS_OK : next_plain(s, piece, err);
}

eh_status source_peek(source *s, eh_str *piece, eh_error *err) {
    EH_TRY(source_next(s, piece, err));
    s->peeked = *piece;
    s->is_peeked = true;
    return EH_STATUS_OK;
}

eh_status source_next(source *s, eh_str *piece, eh_error *err) {
    bool at_end = false;
    if (s->is_peeked) {
        s->is_peeked = false;
        *piece = s->peeked;
        return EH_STATUS_OK;
    }
    do {
        EH_TRY(s->started ? next_plain(s, piece, err) : start(s, piece, err));
        if (!s->is_utf16) return EH_STATUS_OK;
        at_end = piece->len == 0;
        *piece = to_utf8(s, *piece);
    } while (piece->len == 0 && !at_end);
    return EH_STATUS_OK;
}

void source_no_digest(source *s) {
    s->unhashed = true;
}

void source_digest(source *s, uint8_t digest[32]) {
    hash_done(&s->hash, digest);
}
