/* SPDX-License-Identifier: MIT
 *
 * Reading the blocks of a reply: one walk over the marks that carry the tag.
 *
 *   outside --<name_tag>--> inside --</name_tag>--> outside
 *
 * A mark that does not fit into this (one that opens inside, one that closes what is
 * not open, an end inside) refuses the reply, and so does a block that nobody asked
 * for, as when a model gives the original back as well. What a model thought aloud is
 * taken off first, since it may talk of blocks.
 *
 * Without any block a reply may be a refusal; then that is the reason.
 *
 * Left out: mending. "<answer>" without the tag is no block.
 */
#include "alter/blocks.h"

#include "base/utf8.h"
#include "verdict/text.h"

enum { NAME_MAX_BYTES = 24, REFUSAL_BYTES = 400 };

typedef struct mark {
    size_t begin, end; /* bytes; begin SIZE_MAX: there is none */
    bool closes;
    eh_str name;
} mark;

/* The mark at a '<', if it is one with the tag. */
static bool read_mark(eh_str s, size_t at, eh_str tag, mark *m) {
    size_t i = at + 1;
    *m = (mark){.begin = at, .closes = i < s.len && s.ptr[i] == '/'};
    i += m->closes;
    size_t name = i;
    while (i < s.len && i - name < NAME_MAX_BYTES && s.ptr[i] >= 'a' && s.ptr[i] <= 'z')
        i++;
    m->name = eh_str_slice(s, name, i);
    if (i == name || i + tag.len + 2 > s.len || s.ptr[i] != '_' ||
        !eh_str_begins(eh_str_slice(s, i + 1, s.len), tag) ||
        s.ptr[i + 1 + tag.len] != '>')
        return false;
    m->end = i + tag.len + 2;
    return true;
}

static bool next_mark(eh_str s, size_t from, eh_str tag, mark *m) {
    for (size_t at = from; (at = eh_str_find(s, EH_STR("<"), at)) != SIZE_MAX; at++)
        if (read_mark(s, at, tag, m)) return true;
    return false;
}

/* One line end on each side belongs to the form; what else goes is counted. */
static eh_str trim_counted(eh_str text, int64_t *n_bytes) {
    if (text.len && text.ptr[0] == '\n') text = eh_str_slice(text, 1, text.len);
    if (text.len && text.ptr[text.len - 1] == '\n') text.len--;
    return audit_normalise(text, n_bytes);
}

static audit_reject put_block(eh_str name, eh_str text, const alter_want *wants,
                              size_t n_wants, alter_reply *r) {
    for (size_t i = 0; i < n_wants; i++) {
        if (!eh_str_eq_cstr(name, wants[i].name)) continue;
        if (r->n[i] == wants[i].max) return AUDIT_REJECT_TWO_BLOCKS;
        if (eh_str_is_blank(text)) return AUDIT_REJECT_EMPTY;
        r->blocks[i][r->n[i]++] = trim_counted(text, &r->n_trimmed_bytes);
        return AUDIT_REJECT_NONE;
    }
    return AUDIT_REJECT_TWO_BLOCKS;
}

static audit_reject read_blocks(eh_str s, eh_str tag, const alter_want *wants,
                                size_t n_wants, alter_reply *r) {
    mark open, close;
    for (size_t at = 0; next_mark(s, at, tag, &open); at = close.end) {
        if (open.closes || !next_mark(s, open.end, tag, &close) || !close.closes ||
            !eh_str_eq(open.name, close.name))
            return AUDIT_REJECT_OPEN_BLOCK;
        audit_reject why = put_block(open.name, eh_str_slice(s, open.end, close.begin),
                                     wants, n_wants, r);
        if (why) return why;
    }
    for (size_t i = 0; i < n_wants; i++)
        if (r->n[i] < wants[i].min) return AUDIT_REJECT_NO_BLOCK;
    return AUDIT_REJECT_NONE;
}

static bool contains_any(eh_str s, const char *const *words) {
    for (; *words; words++)
        if (eh_str_find(s, eh_str_of(*words), 0) != SIZE_MAX) return true;
    return false;
}

eh_status alter_is_refusal(eh_str text, eh_arena *arena, bool *is_refusal,
                           eh_error *err) {
    static const char *const cannot[] = {
        "i can't",       "i cannot",       "i can not",         "i won't",
        "i will not",    "i'm unable to",  "i am unable",       "i'm not able",
        "i am not able", "i must decline", "i have to decline", "i decline",
        "we cannot",     "we can't",       "not comfortable",   NULL};
    static const char *const what[] = {
        "write",   "create",    "generate",  "produce", "make",   "add",
        "insert",  "introduce", "alter",     "change",  "modify", "rewrite",
        "falsif",  "help",      "assist",    "do that", "comply", "fulfil",
        "provide", "with that", "with this", NULL};
    eh_str folded;
    EH_TRY(verdict_fold(utf8_cut(text, REFUSAL_BYTES), arena, &folded, err));
    /* what declines stands in the first words */
    eh_str head = utf8_cut(folded, REFUSAL_BYTES / 4);
    *is_refusal = verdict_is_refusal(folded) ||
                  (contains_any(head, cannot) && contains_any(folded, what));
    return EH_STATUS_OK;
}

eh_status alter_reply_read(eh_str content, eh_str tag, const alter_want *wants,
                           size_t n_wants, eh_arena *arena, alter_reply *r,
                           eh_error *err) {
    eh_str text;
    bool is_refusal = false;
    *r = (alter_reply){.reject = AUDIT_REJECT_NO_TEXT};
    if (eh_str_is_blank(content) || utf8_first_invalid(content) != SIZE_MAX)
        return EH_STATUS_OK;
    EH_TRY(verdict_strip_reasoning(content, arena, &text, err));
    r->reject = read_blocks(text, tag, wants, n_wants, r);
    mark any;
    if (r->reject == AUDIT_REJECT_NO_BLOCK && !next_mark(text, 0, tag, &any)) {
        EH_TRY(alter_is_refusal(text, arena, &is_refusal, err));
        if (is_refusal) r->reject = AUDIT_REJECT_REFUSED;
    }
    return EH_STATUS_OK;
}
