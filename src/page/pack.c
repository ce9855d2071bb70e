/* SPDX-License-Identifier: MIT
 *
 * Bytes as a page can carry them: gzip in base64.
 *
 * Base64 cannot end a script element or open a comment, whatever the texts hold, and
 * browsers undo both without a library (atob, DecompressionStream). The file's own time
 * is not in the gzip head, so equal bytes give equal pages.
 */
#include <sodium.h>
#define ZLIB_CONST /* input is not written to */
#include <zlib.h>

#include "base/mem.h"
#include "page/file.h"

enum { LEVEL = 6, GZIP_WINDOW = 15 + 16, MEMORY = 8 };

static eh_status deflate_all(eh_str bytes, uint8_t *out, size_t cap, size_t *n,
                             eh_error *err) {
    z_stream z = {.next_in = (const Bytef *)bytes.ptr, .next_out = out};
    if (deflateInit2(&z, LEVEL, Z_DEFLATED, GZIP_WINDOW, MEMORY, Z_DEFAULT_STRATEGY) !=
        Z_OK)
        return EH_NOMEM(err);
    z.avail_in = (uInt)bytes.len;
    z.avail_out = (uInt)cap;
    int code = deflate(&z, Z_FINISH);
    *n = z.total_out;
    (void)deflateEnd(&z);
    return code == Z_STREAM_END
               ? EH_STATUS_OK
               : EH_FAIL(err, EH_STATUS_IO, "compressing the report failed (%d)", code);
}

eh_status page_pack(eh_str bytes, eh_buf *out, eh_error *err) {
    if (bytes.len > BUF_MAX_REPORT)
        return EH_FAIL(err, EH_STATUS_TOO_BIG, "%zu bytes are too much for a report",
                       bytes.len);
    size_t n = 0, cap = compressBound((uLong)bytes.len) + 64; /* gzip's head and end */
    uint8_t *packed = mem_alloc(1, cap);
    if (!packed) return EH_NOMEM(err);
    eh_status status = deflate_all(bytes, packed, cap, &n, err);
    if (status == EH_STATUS_OK) {
        size_t room = sodium_base64_ENCODED_LEN(n, sodium_base64_VARIANT_ORIGINAL);
        if (buf_reserve(out, room)) {
            (void)sodium_bin2base64(out->ptr + out->len, room, packed, n,
                                    sodium_base64_VARIANT_ORIGINAL);
            out->len += room - 1; /* its final NUL is the buffer's */
        }
        status = buf_check(out, "the report", err);
    }
    mem_free(packed);
    return status;
}
