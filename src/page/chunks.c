/* SPDX-License-Identifier: MIT
 *
 * What a page opens piece by piece: so that one of 10,000 pairs is read like one of
 * ten.
 *
 *   place      0 1 2 3 ...            255 | 256 ...
 *   kind 0     chunk 0, kind 0            | chunk 1, kind 0
 *   kind 1     chunk 0, kind 1            | chunk 1, kind 1
 *   ...
 *
 * A chunk ends after 256 items or a megabyte of any kind. The first chunk that would
 * pass max_bytes ends it all: its items and those behind have no place. Finished pieces
 * wait in a temporary file until the page is written, since only then is known what the
 * index has to say of them.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "page/file.h"

enum { CHUNK_ITEMS = 256, CHUNK_BYTES = 1 << 20 };

#define ITEM_ARENA_BYTES ((size_t)1 << 30)

/* Where a finished piece stands in the temporary file. */
typedef struct piece {
    size_t chunk, kind;
    int64_t offset, len;
} piece;

struct page_chunks {
    FILE *file;
    size_t n_kinds;
    size_t *starts; /* [n_chunks] the places at which chunks begin */
    size_t n_chunks, starts_cap;
    piece *pieces;
    size_t n_pieces, pieces_cap;
    int64_t n_bytes;
    eh_arena arena; /* of starts and pieces */
};

typedef struct maker {
    const page_chunk_source *source;
    page_chunks *out;
    eh_buf *kinds; /* [n_kinds] JSON of the open chunk */
    eh_buf packed;
    eh_arena arena; /* of one item */
} maker;

static eh_status add_item(maker *m, size_t place, bool is_first, eh_error *err) {
    const page_chunk_source *s = m->source;
    arena_reset(&m->arena);
    for (size_t k = 0; k < s->n_kinds; k++) {
        json_writer w;
        buf_add_char(&m->kinds[k], is_first ? '[' : ',');
        json_writer_init(&w, &m->kinds[k], 0);
        EH_TRY(s->put(s->self, place, k, &m->arena, &w, err));
    }
    return EH_STATUS_OK;
}

static bool is_full(const maker *m, size_t n_open) {
    bool full = n_open >= CHUNK_ITEMS;
    for (size_t k = 0; k < m->out->n_kinds; k++)
        full = full || m->kinds[k].len >= CHUNK_BYTES;
    return full;
}

static eh_status write_piece(maker *m, size_t kind, eh_error *err) {
    page_chunks *out = m->out;
    buf_add_char(&m->kinds[kind], ']');
    EH_TRY(buf_check(&m->kinds[kind], "a chunk of the page", err));
    buf_reset(&m->packed);
    EH_TRY(page_pack(buf_view(&m->kinds[kind]), &m->packed, err));
    out->pieces = arena_grow(&out->arena, out->pieces, out->n_pieces, &out->pieces_cap,
                             sizeof *out->pieces);
    if (!out->pieces) return EH_NOMEM(err);
    out->pieces[out->n_pieces++] = (piece){.chunk = out->n_chunks,
                                           .kind = kind,
                                           .offset = out->n_bytes,
                                           .len = (int64_t)m->packed.len};
    if (fwrite(m->packed.ptr, 1, m->packed.len, out->file) != m->packed.len)
        return EH_FAIL(err, EH_STATUS_IO, "a temporary file cannot be written: %s",
                       strerror(errno));
    out->n_bytes += (int64_t)m->packed.len;
    return EH_STATUS_OK;
}

/* Closes the open chunk of the items from `begin` on; *fits is false when it would pass
 * the maximum, and then it is dropped. */
static eh_status close_chunk(maker *m, size_t begin, bool *fits, eh_error *err) {
    page_chunks *out = m->out;
    size_t n_pieces = out->n_pieces;
    int64_t n_bytes = out->n_bytes;
    for (size_t k = 0; k < out->n_kinds; k++) {
        EH_TRY(write_piece(m, k, err));
        buf_reset(&m->kinds[k]);
    }
    *fits = out->n_bytes <= m->source->max_bytes;
    if (!*fits) {
        out->n_pieces = n_pieces;
        out->n_bytes = n_bytes;
        return EH_STATUS_OK;
    }
    out->starts = arena_grow(&out->arena, out->starts, out->n_chunks, &out->starts_cap,
                             sizeof *out->starts);
    if (!out->starts) return EH_NOMEM(err);
    out->starts[out->n_chunks++] = begin;
    return EH_STATUS_OK;
}

static eh_status make_chunks(maker *m, size_t *n_placed, eh_error *err) {
    size_t begin = 0, n = m->source->n_items;
    bool fits = true;
    for (size_t i = 0; i < n && fits; i++) {
        EH_TRY(add_item(m, i, i == begin, err));
        if (i + 1 < n && !is_full(m, i + 1 - begin)) continue;
        EH_TRY(close_chunk(m, begin, &fits, err));
        if (fits) begin = i + 1;
    }
    *n_placed = begin;
    return EH_STATUS_OK;
}

eh_status page_chunks_make(const page_chunk_source *source, page_chunks **chunks,
                           size_t *n_placed, eh_error *err) {
    page_chunks *out = *chunks = mem_zalloc(1, sizeof *out);
    if (!out) return EH_NOMEM(err);
    arena_init(&out->arena, BUF_MAX_REPORT);
    out->n_kinds = source->n_kinds;
    out->file = tmpfile();
    if (!out->file)
        return EH_FAIL(err, EH_STATUS_IO, "a temporary file cannot be made: %s",
                       strerror(errno));
    maker m = {.source = source, .out = out};
    arena_init(&m.arena, ITEM_ARENA_BYTES);
    buf_init(&m.packed, BUF_MAX_REPORT);
    m.kinds = mem_zalloc(out->n_kinds, sizeof *m.kinds);
    for (size_t k = 0; m.kinds && k < out->n_kinds; k++)
        buf_init(&m.kinds[k], BUF_MAX_REPORT);
    eh_status status = m.kinds ? make_chunks(&m, n_placed, err) : EH_NOMEM(err);
    for (size_t k = 0; m.kinds && k < out->n_kinds; k++)
        buf_deinit(&m.kinds[k]);
    mem_free(m.kinds);
    buf_deinit(&m.packed);
    arena_deinit(&m.arena);
    return status;
}

void page_chunks_json(const page_chunks *c, json_writer *w) {
    json_key(w, "chunks");
    json_array_begin(w);
    for (size_t i = 0; i < c->n_chunks; i++)
        json_i64(w, (int64_t)c->starts[i]);
    json_array_end(w);
}

static eh_status copy_piece(page_chunks *c, const piece *p, eh_buf *buf,
                            const page_sink *sink, eh_error *err) {
    buf_reset(buf);
    buf_printf(buf, "<script type=\"application/octet-stream\" id=\"c%zu-%zu\">",
               p->chunk, p->kind);
    size_t head = buf->len;
    if (!buf_reserve(buf, (size_t)p->len + 16)) return buf_check(buf, "a chunk", err);
    if (fseeko(c->file, p->offset, SEEK_SET) != 0 ||
        fread(buf->ptr + head, 1, (size_t)p->len, c->file) != (size_t)p->len)
        return EH_FAIL(err, EH_STATUS_IO, "a temporary file cannot be read back");
    buf->len += (size_t)p->len;
    buf_add_cstr(buf, "</script>\n");
    EH_TRY(buf_check(buf, "a chunk", err));
    return sink->write(sink->self, buf_view(buf), err);
}

eh_status page_chunks_write(page_chunks *c, const page_sink *sink, eh_error *err) {
    eh_buf buf;
    eh_status status = EH_STATUS_OK;
    buf_init(&buf, BUF_MAX_REPORT);
    for (size_t i = 0; status == EH_STATUS_OK && i < c->n_pieces; i++)
        status = copy_piece(c, &c->pieces[i], &buf, sink, err);
    buf_deinit(&buf);
    return status;
}

void page_chunks_free(page_chunks *c) {
    if (!c) return;
    if (c->file) (void)fclose(c->file);
    arena_deinit(&c->arena);
    mem_free(c);
}
