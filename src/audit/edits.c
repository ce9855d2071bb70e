/* SPDX-License-Identifier: MIT
 *
 * Records that come from outside are proved by what they make. White space at the ends
 * of answers is taken off in an audit, and whoever wrote a record may have counted with
 * it, so a record is brought into the bytes of the bare answer:
 *
 *   pieces of the new text    kept from the original | inserted | kept | ...
 *   cropped                   white space at both ends goes
 *   told anew                 a piece that was kept from the bare answer stays kept;
 *                             one from its edges has come
 *
 * Left out: whether a record is the shortest one.
 */
#include "audit/edits.h"

#include <string.h>

void audit_edits_json(json_writer *w, const char *key, const audit_edit *edits,
                      size_t n) {
    json_key(w, key);
    json_array_begin(w);
    for (size_t i = 0; i < n; i++) {
        json_object_begin(w);
        json_put_i64(w, "at", (int64_t)edits[i].at_byte);
        json_put_i64(w, "removed", (int64_t)edits[i].n_removed_bytes);
        json_put_str(w, "inserted",
                     edits[i].inserted.len ? edits[i].inserted : EH_STR(""));
        json_object_end(w);
    }
    json_array_end(w);
}

/* ---- reading ---- */

static bool read_count(const json_value *entry, const char *key, size_t *count) {
    const json_value *v = json_get(entry, key);
    int64_t n;
    if (!v || v->kind != JSON_NUMBER || !eh_str_to_i64(v->text, &n) || n < 0)
        return false;
    *count = (size_t)n;
    return true;
}

eh_status audit_edits_read(const json_value *list, audit_change *change,
                           eh_error *err) {
    change->n_edits = 0;
    if (list->kind != JSON_ARRAY)
        return EH_FAIL(err, EH_STATUS_DATA,
                       "edits is no list of {\"at\", \"removed\", \"inserted\"}");
    if (list->n > AUDIT_EDITS_MAX)
        return EH_FAIL(err, EH_STATUS_DATA,
                       "edits has %zu entries, and %d are the most", list->n,
                       AUDIT_EDITS_MAX);
    for (const json_value *entry = list->child; entry; entry = entry->next) {
        audit_edit *e = &change->edits[change->n_edits++];
        const json_value *inserted = json_get(entry, "inserted");
        if (!read_count(entry, "at", &e->at_byte) ||
            !read_count(entry, "removed", &e->n_removed_bytes) || !inserted ||
            inserted->kind != JSON_STRING)
            return EH_FAIL(
                err, EH_STATUS_DATA,
                "entry %zu of edits: at and removed have to be whole numbers "
                "from 0 up, inserted a text",
                change->n_edits);
        e->inserted = inserted->text;
    }
    return EH_STATUS_OK;
}

/* ---- bringing it into the bare answer ---- */

/* A piece of the new text; kept ones stand at `at` in the whole original. */
typedef struct piece {
    eh_str text;
    size_t at;
    bool is_kept;
} piece;

static bool splits_character(eh_str s, size_t at) {
    return at < s.len && ((unsigned char)s.ptr[at] & 0xC0) == 0x80;
}

static eh_status make_pieces(const audit_change *change, eh_str whole, piece *pieces,
                             size_t *n, eh_error *err) {
    size_t from = 0;
    *n = 0;
    for (size_t i = 0; i < change->n_edits; i++) {
        const audit_edit *e = &change->edits[i];
        bool fits = e->at_byte >= from && e->at_byte <= whole.len &&
                    e->n_removed_bytes <= whole.len - e->at_byte;
        size_t end = fits ? e->at_byte + e->n_removed_bytes : 0;
        if (!fits || splits_character(whole, e->at_byte) ||
            splits_character(whole, end))
            return EH_FAIL(
                err, EH_STATUS_DATA,
                "entry %zu of edits (at %zu, removed %zu) lies outside of the "
                "answer's %zu bytes, in the entry before or within a "
                "character",
                i + 1, e->at_byte, e->n_removed_bytes, whole.len);
        pieces[(*n)++] = (piece){eh_str_slice(whole, from, e->at_byte), from, true};
        pieces[(*n)++] = (piece){e->inserted, 0, false};
        from = end;
    }
    pieces[(*n)++] = (piece){eh_str_slice(whole, from, whole.len), from, true};
    return EH_STATUS_OK;
}

/* Takes white space off both ends of all pieces together. */
static void crop(piece *pieces, size_t n) {
    for (size_t i = 0; i < n; i++) {
        eh_str s = pieces[i].text, rest = eh_str_trim(s);
        size_t n_gone = rest.len ? (size_t)(rest.ptr - s.ptr) : s.len;
        pieces[i].text = eh_str_slice(s, n_gone, s.len);
        pieces[i].at += n_gone;
        if (rest.len) break;
    }
    for (size_t i = n; i-- > 0;) {
        eh_str s = pieces[i].text, rest = eh_str_trim(s);
        pieces[i].text.len = rest.len ? (size_t)(rest.ptr - s.ptr) + rest.len : 0;
        if (rest.len) break;
    }
}

static bool make_text(const piece *pieces, size_t n, eh_str text) {
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        eh_str s = pieces[i].text;
        if (s.len > text.len - at ||
            (s.len && memcmp(text.ptr + at, s.ptr, s.len) != 0))
            return false;
        at += s.len;
    }
    return at == text.len;
}

/* There never are more than before: the bare answer ends in no white space, so some
 * goes only where an edit touches an end. */
static void put_edit(audit_change *change, size_t at, size_t n_removed,
                     eh_str inserted) {
    if (n_removed || inserted.len)
        change->edits[change->n_edits++] = (audit_edit){at, n_removed, inserted};
}

/* The bare answer is [begin, end) of the whole; `text` is what all pieces make. */
static void tell_anew(const piece *pieces, size_t n, size_t begin, size_t end,
                      eh_str text, audit_change *change) {
    size_t from = begin, come = 0, at = 0; /* told of the whole and text; walked */
    change->n_edits = 0;
    for (size_t i = 0; i < n; i++) {
        const piece *p = &pieces[i];
        size_t text_begin = at, piece_end = p->at + p->text.len;
        size_t kept_begin = p->at > begin ? p->at : begin;
        size_t kept_end = piece_end < end ? piece_end : end;
        at += p->text.len;
        if (!p->is_kept || kept_begin >= kept_end) continue;
        size_t kept_at = text_begin + (kept_begin - p->at);
        put_edit(change, from - begin, kept_begin - from,
                 eh_str_slice(text, come, kept_at));
        from = kept_end;
        come = kept_at + (kept_end - kept_begin);
    }
    put_edit(change, from - begin, end - from, eh_str_slice(text, come, text.len));
}

static bool join(const audit_edges *edges, eh_str bare, eh_arena *arena,
                 eh_str *whole) {
    const eh_str parts[] = {edges->front, bare, edges->back};
    size_t at = 0;
    char *to = arena_alloc(arena, edges->front.len + bare.len + edges->back.len + 1);
    for (int i = 0; i < 3 && to; i++) {
        if (parts[i].len) memcpy(to + at, parts[i].ptr, parts[i].len);
        at += parts[i].len;
    }
    *whole = (eh_str){to, to ? at : 0};
    return to != NULL;
}

eh_status audit_edits_settle(audit_change *change, eh_str bare,
                             const audit_edges *edges, eh_str text, eh_arena *arena,
                             eh_error *err) {
    piece *pieces = arena_zalloc(arena, 2 * change->n_edits + 1, sizeof *pieces);
    size_t n, begin = edges->front.len;
    eh_str whole;
    if (!pieces || !join(edges, bare, arena, &whole)) return EH_NOMEM(err);
    EH_TRY(make_pieces(change, whole, pieces, &n, err));
    crop(pieces, n);
    if (!make_text(pieces, n, text))
        return EH_FAIL(err, EH_STATUS_DATA,
                       "edits, applied to the pair's answer, do not make this one");
    change->text = text;
    tell_anew(pieces, n, begin, begin + bare.len, text, change);
    return EH_STATUS_OK;
}
