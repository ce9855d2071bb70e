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
 *   users' own     of words so many go and come as the user allows; or only marks or
 * the case of letters differ
 *
 * Words are compared whatever their case. Markdown and emoji may come with rich content
 * and users' own alone. The record of edits is made of all tokens, so that it gives the
 * new text byte for byte.
 *
 * Left out: whether an error is one, and whether content is biased. A person has to
 * look (the review).
 */
#include "alter/parts.h"
#include "alter/tongue.h"

enum { FEW_WORDS = 8 }; /* may always change, however short an answer is */

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
    if (h->diff.too_far) { /* at most: which words are left is not known */
        made->n_removed = (int64_t)h->words_a.n;
        made->n_inserted = (int64_t)h->words_b.n;
        made->n_places = 1;
        return;
    }
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

/* ---- users' own ---- */

static bool same_token(const alter_tokens *a, size_t i, const alter_tokens *b,
                       size_t k) {
    return eh_str_eq(eh_str_slice(a->text, a->list[i].begin, a->list[i].end),
                     eh_str_slice(b->text, b->list[k].begin, b->list[k].end));
}

/* The next token that is no white space; NULL behind the last. */
static const alter_token *next_seen(const alter_tokens *t, size_t *i) {
    while (*i < t->n && t->list[*i].kind == ALTER_TOKEN_SPACE)
        ++*i;
    return *i < t->n ? &t->list[(*i)++] : NULL;
}

static eh_status differs_in_space_alone(const alter_held *h, eh_arena *arena,
                                        bool *alone, eh_error *err) {
    alter_tokens a, b;
    size_t i = 0, k = 0;
    EH_TRY(alter_tokens_read(h->a, arena, &a, err));
    EH_TRY(alter_tokens_read(h->b, arena, &b, err));
    for (;;) {
        const alter_token *x = next_seen(&a, &i), *y = next_seen(&b, &k);
        *alone = !x && !y;
        if (!x || !y || !same_token(&a, (size_t)(x - a.list), &b, (size_t)(y - b.list)))
            return EH_STATUS_OK;
    }
}

static eh_status check_own(const alter_held *h, const alter_made *made,
                           double max_share, eh_arena *arena, audit_reject *why,
                           eh_error *err) {
    bool alone;
    EH_TRY(differs_in_space_alone(h, arena, &alone, err));
    int64_t most = share(made, max_share);
    *why = alone                                               ? AUDIT_REJECT_UNCHANGED
           : made->n_removed > most || made->n_inserted > most ? AUDIT_REJECT_TOO_MUCH
                                                               : AUDIT_REJECT_NONE;
    return EH_STATUS_OK;
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

static size_t byte_of(const alter_tokens *t, size_t i) {
    return i < t->n ? t->list[i].begin : t->text.len;
}

/* All from the first to the last token that differs, as one edit. */
static void record_as_one(const alter_tokens *a, const alter_tokens *b,
                          audit_change *change) {
    size_t n = 0, back = 0, most = a->n < b->n ? a->n : b->n;
    while (n < most && same_token(a, n, b, n))
        n++;
    while (back < most - n && same_token(a, a->n - 1 - back, b, b->n - 1 - back))
        back++;
    size_t at = byte_of(a, n), come = byte_of(b, n);
    change->n_edits = 1;
    change->edits[0] =
        (audit_edit){.at_byte = at,
                     .n_removed_bytes = byte_of(a, a->n - back) - at,
                     .inserted = eh_str_slice(b->text, come, byte_of(b, b->n - back))};
}

/* *fits: there is room for the record of each place. */
static eh_status record_places(const alter_tokens *a, const alter_tokens *b,
                               eh_arena *arena, audit_change *change, bool *fits,
                               eh_error *err) {
    alter_diff d;
    EH_TRY(alter_diff_make(a, b, false, arena, &d, err));
    *fits = !d.too_far;
    for (size_t i = 0, next; i < d.n && *fits; i = next) {
        next = one_edit(&d, i, a);
        const alter_place *first = &d.places[i], *last = &d.places[next - 1];
        *fits = change->n_edits < AUDIT_EDITS_MAX;
        if (!*fits) break;
        size_t at = byte_of(a, first->a_begin), come = byte_of(b, first->b_begin);
        change->edits[change->n_edits++] = (audit_edit){
            .at_byte = at,
            .n_removed_bytes = byte_of(a, last->a_end) - at,
            .inserted = eh_str_slice(b->text, come, byte_of(b, last->b_end))};
    }
    return EH_STATUS_OK;
}

/* Only users' own may change so much that the record has no room for each place. */
static eh_status record(const alter_probe *probe, const alter_held *h, eh_arena *arena,
                        audit_change *change, eh_error *err) {
    alter_tokens a, b;
    bool fits;
    EH_TRY(alter_tokens_read(h->a, arena, &a, err));
    EH_TRY(alter_tokens_read(h->b, arena, &b, err));
    EH_TRY(record_places(&a, &b, arena, change, &fits, err));
    if (!fits && probe->kind == ALTER_KIND_OWN)
        record_as_one(&a, &b, change);
    else if (!fits)
        change->reject = AUDIT_REJECT_TOO_MUCH;
    return EH_STATUS_OK;
}

static eh_status check_kind(const alter_probe *probe, const alter_held *h,
                            eh_arena *arena, alter_made *made, eh_error *err) {
    audit_reject *why = &made->change.reject;
    if (h->diff.too_far && probe->kind != ALTER_KIND_OWN) {
        *why = AUDIT_REJECT_TOO_MUCH;
        return EH_STATUS_OK;
    }
    switch (probe->kind) {
    case ALTER_KIND_FACTUAL_ERROR: *why = check_errors(h, made); break;
    case ALTER_KIND_GENDER: *why = check_gender(h, made); break;
    case ALTER_KIND_REFERENCES:
        return alter_check_references(h->a, h->b, arena, why, err);
    case ALTER_KIND_RICH_CONTENT: return alter_check_rich(h->a, h->b, arena, why, err);
    case ALTER_KIND_OWN: return check_own(h, made, probe->max_share, arena, why, err);
    }
    return EH_STATUS_OK;
}

eh_status alter_check(const alter_probe *probe, eh_str original, eh_str text,
                      eh_arena *arena, alter_made *made, eh_error *err) {
    alter_held h = {.a = original, .b = text};
    bool is_own = probe->kind == ALTER_KIND_OWN;
    *made = (alter_made){.change = {.text = text}};
    audit_reject *why = &made->change.reject;
    if (eh_str_is_blank(text)) *why = AUDIT_REJECT_EMPTY;
    if (!*why && eh_str_eq(original, text)) *why = AUDIT_REJECT_UNCHANGED;
    if (!*why && alter_tongue_differs(alter_tongue_of(original), alter_tongue_of(text)))
        *why = AUDIT_REJECT_OTHER_LANGUAGE;
    if (!*why && alter_tells(text, original, is_own ? probe->prompt : EH_STR("")))
        *why = AUDIT_REJECT_TELLS;
    if (*why) return EH_STATUS_OK;
    EH_TRY(alter_hold(&h, arena, err));
    count(&h, made);
    EH_TRY(check_kind(probe, &h, arena, made, err));
    return *why ? EH_STATUS_OK : record(probe, &h, arena, &made->change, err);
}
