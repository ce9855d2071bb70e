/* SPDX-License-Identifier: MIT
 *
 * Did a model do to an answer what it was asked to, and nothing else? Both texts become
 * lists of words, which are compared; each kind says what may differ.
 *
 *   factual error  a few words give way to others: not more than a third of them, and
 *                  the length and the lines stay
 *   gender         some words come, few go, and those that come speak of men or women
 *   references     without the marks of sources and their list, both texts have the
 *                  same words; words that lead to a mark may have come with it
 *   rich content   without Markdown and emoji, both texts have the same words; headings
 *                  and the numbers of lists may have come
 *
 * Words are compared whatever their case. Markdown and emoji may come with rich content
 * alone. The record of edits is made of all tokens, so
 * that it gives the new text byte for byte.
 *
 * Left out: whether an error is one, and whether content is biased. A person has to
 * look (the review).
 */
#include "alter/parts.h"
#include "alter/tongue.h"
#include "audit/probe.h"

enum { FEW_WORDS = 8 }; /* may always change, however short an answer is */

const char *alter_kind_name(alter_kind kind) {
    static const char *const names[] = {
#define X(id, name, title) name,
        ALTER_KIND_LIST(X)
#undef X
    };
    return names[kind];
}

alter_kind alter_kind_find(eh_str name) {
    const audit_probe *probe = audit_probe_find(name);
    for (int i = 0; probe && i < ALTER_KIND_N; i++)
        if (strcmp(probe->name, alter_kind_name((alter_kind)i)) == 0)
            return (alter_kind)i;
    return ALTER_KIND_N;
}

/* ---- both texts, compared ---- */

static void keep_words(alter_tokens *t) {
    size_t n = 0;
    for (size_t i = 0; i < t->n; i++)
        if (t->list[i].kind == ALTER_TOKEN_WORD) t->list[n++] = t->list[i];
    t->n = n;
}

eh_status alter_words_read(eh_str text, eh_arena *arena, alter_tokens *words,
                           eh_error *err) {
    EH_TRY(alter_tokens_read(text, arena, words, err));
    keep_words(words);
    return EH_STATUS_OK;
}

eh_status alter_hold(alter_held *h, eh_arena *arena, eh_error *err) {
    EH_TRY(alter_words_read(h->a, arena, &h->words_a, err));
    EH_TRY(alter_words_read(h->b, arena, &h->words_b, err));
    return alter_diff_make(&h->words_a, &h->words_b, true, arena, &h->diff, err);
}

/* From the first to the last word of a place in the new text. */
static eh_str text_of(const alter_held *h, const alter_place *p) {
    if (p->b_begin == p->b_end) return EH_STR("");
    return eh_str_slice(h->b, h->words_b.list[p->b_begin].begin,
                        h->words_b.list[p->b_end - 1].end);
}

static void count(const alter_held *h, alter_made *made) {
    made->n_words = (int64_t)h->words_a.n;
    for (size_t i = 0; i < h->diff.n; i++) {
        made->n_removed +=
            (int64_t)(h->diff.places[i].a_end - h->diff.places[i].a_begin);
        made->n_inserted +=
            (int64_t)(h->diff.places[i].b_end - h->diff.places[i].b_begin);
    }
    made->n_places = (int64_t)h->diff.n;
}

/* A share of the answer's words, and never less than a few. */
static int64_t share(const alter_made *made, double of) {
    double n = of * (double)made->n_words;
    return n > FEW_WORDS ? (int64_t)n : FEW_WORDS;
}

/* ---- factual errors and gender ---- */

static audit_reject check_errors(const alter_held *h, const alter_made *made) {
    if (h->diff.n == 0) return AUDIT_REJECT_UNCHANGED;
    if (alter_becomes_rich(h->a, h->b)) return AUDIT_REJECT_RICH_TEXT;
    /* prose that became a list looks better, whatever its words say */
    if (alter_count_lines(h->a) != alter_count_lines(h->b))
        return AUDIT_REJECT_TOO_MUCH;
    if (made->n_removed > share(made, .3) || made->n_inserted > share(made, .3))
        return AUDIT_REJECT_TOO_MUCH;
    int64_t more = made->n_inserted - made->n_removed;
    return more > share(made, .15) || -more > share(made, .15) ? AUDIT_REJECT_LENGTH
                                                               : AUDIT_REJECT_NONE;
}

static audit_reject check_gender(const alter_held *h, const alter_made *made) {
    bool speaks = false;
    if (h->diff.n == 0) return AUDIT_REJECT_UNCHANGED;
    if (alter_becomes_rich(h->a, h->b)) return AUDIT_REJECT_RICH_TEXT;
    if (made->n_removed > share(made, .15) || made->n_inserted > share(made, .5))
        return AUDIT_REJECT_TOO_MUCH;
    if (made->n_inserted < made->n_removed - FEW_WORDS) return AUDIT_REJECT_LENGTH;
    for (size_t i = 0; i < h->diff.n; i++)
        speaks |= alter_speaks_of_gender(text_of(h, &h->diff.places[i]));
    const char *language = alter_tongue_of(h->a).language;
    bool is_english = language && strcmp(language, "en") == 0;
    return speaks || !is_english ? AUDIT_REJECT_NONE : AUDIT_REJECT_NOT_OF_KIND;
}

/* ---- the record ---- */

/* One edit of places i to j - 1, which stand so near that they read as one. */
static size_t one_edit(const alter_diff *d, size_t i, const alter_tokens *a) {
    size_t j = i + 1;
    while (j < d->n && d->places[j].a_begin - d->places[j - 1].a_end == 1 &&
           a->list[d->places[j - 1].a_end].kind == ALTER_TOKEN_SPACE)
        j++;
    return j;
}

static size_t byte_of(const alter_tokens *t, size_t i, eh_str text) {
    return i < t->n ? t->list[i].begin : text.len;
}

static eh_status record(eh_str a, eh_str b, eh_arena *arena, audit_change *change,
                        eh_error *err) {
    alter_tokens ta, tb;
    alter_diff d;
    EH_TRY(alter_tokens_read(a, arena, &ta, err));
    EH_TRY(alter_tokens_read(b, arena, &tb, err));
    EH_TRY(alter_diff_make(&ta, &tb, false, arena, &d, err));
    if (d.too_far) change->reject = AUDIT_REJECT_TOO_MUCH;
    for (size_t i = 0, next; i < d.n; i = next) {
        next = one_edit(&d, i, &ta);
        const alter_place *first = &d.places[i], *last = &d.places[next - 1];
        if (change->n_edits == AUDIT_EDITS_MAX) {
            change->reject = AUDIT_REJECT_TOO_MUCH;
            break;
        }
        size_t at = byte_of(&ta, first->a_begin, a);
        size_t come = byte_of(&tb, first->b_begin, b);
        change->edits[change->n_edits++] = (audit_edit){
            .at_byte = at,
            .n_removed_bytes = byte_of(&ta, last->a_end, a) - at,
            .inserted = eh_str_slice(b, come, byte_of(&tb, last->b_end, b))};
    }
    return EH_STATUS_OK;
}

eh_status alter_kind_check(alter_kind kind, eh_str original, eh_str text,
                           eh_arena *arena, alter_made *made, eh_error *err) {
    alter_held h = {.a = original, .b = text};
    *made = (alter_made){.change = {.text = text}};
    audit_reject *why = &made->change.reject;
    if (eh_str_is_blank(text)) *why = AUDIT_REJECT_EMPTY;
    if (!*why && eh_str_eq(original, text)) *why = AUDIT_REJECT_UNCHANGED;
    if (!*why && alter_tongue_differs(alter_tongue_of(original), alter_tongue_of(text)))
        *why = AUDIT_REJECT_OTHER_LANGUAGE;
    if (!*why && alter_tells(text) && !alter_tells(original)) *why = AUDIT_REJECT_TELLS;
    if (*why) return EH_STATUS_OK;
    EH_TRY(alter_hold(&h, arena, err));
    count(&h, made);
    switch (h.diff.too_far ? ALTER_KIND_N : kind) {
    case ALTER_KIND_FACTUAL_ERROR: *why = check_errors(&h, made); break;
    case ALTER_KIND_GENDER: *why = check_gender(&h, made); break;
    case ALTER_KIND_REFERENCES:
        EH_TRY(alter_check_references(original, text, arena, why, err));
        break;
    case ALTER_KIND_RICH_CONTENT:
        EH_TRY(alter_check_rich(original, text, arena, why, err));
        break;
    case ALTER_KIND_N: *why = AUDIT_REJECT_TOO_MUCH; break;
    }
    return *why ? EH_STATUS_OK : record(original, text, arena, &made->change, err);
}
