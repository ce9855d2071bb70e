/* SPDX-License-Identifier: MIT
 *
 * The line reader.
 *
 *   piece: [ ...line 7 LF | line 8 LF | line 9, begin ]    next piece: [ its rest LF
 * ... ^ a view into the piece            copied into `part`
 *
 * So most lines cost no copy, and memory is one piece plus the longest line. A line
 * past the maximum is skipped and flagged, not an end of reading: the caller reports
 * it with the other faults.
 */
#include "dataset/lines.h"

void lines_init(line_reader *r, source *src, size_t max_line_bytes) {
    *r = (line_reader){.src = src};
    buf_init(&r->part, max_line_bytes);
}

void lines_deinit(line_reader *r) {
    buf_deinit(&r->part);
}

static eh_status refill(line_reader *r, eh_error *err) {
    EH_TRY(source_next(r->src, &r->piece, err));
    r->at_eof = r->piece.len == 0;
    return EH_STATUS_OK;
}

/* Collects the line's pieces until its LF or the end of the input. `whole` is set to
 * the line without LF. */
static eh_status collect(line_reader *r, eh_str *whole, bool *has_lf, eh_error *err) {
    buf_reset(&r->part);
    *has_lf = false;
    while (!*has_lf) {
        if (r->piece.len == 0) EH_TRY(refill(r, err));
        if (r->at_eof) break;
        const char *begin = r->piece.ptr;
        const char *lf = memchr(begin, '\n', r->piece.len);
        size_t len = lf ? (size_t)(lf - begin) : r->piece.len;
        *has_lf = lf != NULL;
        r->piece = eh_str_slice(r->piece, len + *has_lf, r->piece.len);
        if (lf && r->part.len == 0 && !r->part.failed && len <= r->part.max_bytes) {
            *whole = (eh_str){begin, len};
            return EH_STATUS_OK;
        }
        buf_add(&r->part, begin, len);
        if (r->part.failed && !r->part.too_big) return EH_NOMEM(err);
    }
    *whole = buf_view(&r->part);
    return EH_STATUS_OK;
}

eh_status lines_next(line_reader *r, text_line *line, bool *more, eh_error *err) {
    if (r->is_peeked) {
        r->is_peeked = false;
        *line = r->peeked;
        *more = true;
        return EH_STATUS_OK;
    }
    if (r->piece.len == 0 && !r->at_eof) EH_TRY(refill(r, err));
    *more = !r->at_eof;
    if (!*more) return EH_STATUS_OK;
    eh_str text = EH_STR("");
    bool has_lf = false;
    EH_TRY(collect(r, &text, &has_lf, err));
    if (r->n_lines == 0 && eh_str_begins(text, EH_STR("\xEF\xBB\xBF")))
        text = eh_str_slice(text, 3, text.len);
    bool has_cr = has_lf && eh_str_ends(text, EH_STR("\r"));
    if (has_cr) text.len--;
    *line = (text_line){.text = text,
                        .number = ++r->n_lines,
                        .end = has_cr   ? EH_STR("\r\n")
                               : has_lf ? EH_STR("\n")
                                        : EH_STR(""),
                        .too_long = r->part.too_big};
    if (line->too_long) line->text = EH_STR("");
    return EH_STATUS_OK;
}

eh_status lines_peek(line_reader *r, text_line *line, bool *more, eh_error *err) {
    do {
        EH_TRY(lines_next(r, line, more, err));
    } while (*more && !line->too_long && eh_str_is_blank(line->text));
    r->is_peeked = *more;
    r->peeked = *line;
    return EH_STATUS_OK;
}
