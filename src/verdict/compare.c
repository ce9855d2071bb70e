/* SPDX-License-Identifier: MIT
 *
 * Rules 10 to 15: [[A]], [[B]] or [[C]], said plainly or somewhere.
 *
 *   1. statements, by rank:  a lone token    "[[A]]", "[B]", "\boxed{C}"
 *                            cue, link, value    "My verdict is: Assistant B."
 *   2. none: the reply is one alias
 *   3. none: all known tokens outside mentions agree
 *
 * Tokens are indexed once. Each knows what it says together with the ones behind it in
 * its sentence, so a statement finds its value by one search, however long the line:
 *
 *   tokens    [[A]] .. [[A]] .. [[B]] . [[B]]
 *   choice      1        1        2       2
 *   together  conflict conflict   2       2
 *
 * Left out: negation and conditions. "[[B]] is better than [[A]]" is two tokens.
 */
#include "verdict/alias.h"
#include "verdict/match.h"
#include "verdict/read.h"
#include "verdict/scan.h"
#include "verdict/statement.h"

#include "base/utf8.h"

typedef struct token {
    size_t begin;
    uint8_t choice;   /* a verdict_choice, never NONE */
    uint8_t together; /* with the tokens behind it in its sentence */
} token;

typedef struct tokens {
    const token *item; /* [n], in the order of the text */
    size_t n;
} tokens;

static uint8_t combine(uint8_t a, uint8_t b) {
    return a == b ? a : (uint8_t)VERDICT_CHOICE_CONFLICT;
}

/* -- the index of tokens ---------------------------------------------------------- */

static bool ends_sentence(const verdict_view *view, size_t begin, size_t end) {
    eh_str s = eh_str_slice(view->text, 0, end);
    size_t behind;
    for (size_t i = begin; (i = scan_to(s, i, verdict_ends)) < end; i++)
        if (s.ptr[i] == '\n' || verdict_is_sentence_end(view, i, &behind)) return true;
    return false;
}

/* Known tokens outside quotations. Writes them when `item` is not NULL; `together`
 * holds then whether a sentence ended before the token. */
static size_t scan_tokens(const verdict_view *view, token *item) {
    size_t n = 0, at = 0, i;
    bool new_sentence = true;
    while ((i = scan_to_byte(view->text, at, '[')) < view->text.len) {
        verdict_span inside;
        size_t end = view->quoted[i] ? 0 : verdict_token_end(view->text, i, &inside);
        new_sentence = new_sentence || ends_sentence(view, at, i);
        at = end ? end : i + 1;
        if (!end) continue;
        verdict_choice choice =
            verdict_token_choice(eh_str_slice(view->text, inside.begin, inside.end));
        if (choice == VERDICT_CHOICE_NONE) continue;
        if (item) item[n] = (token){i, (uint8_t)choice, new_sentence};
        n++;
        new_sentence = false;
    }
    return n;
}

static eh_status index_tokens(const verdict_view *view, eh_arena *arena, tokens *list,
                              eh_error *err) {
    size_t n = scan_tokens(view, NULL);
    token *item = arena_alloc(arena, (n + 1) * sizeof *item);
    if (!item) return EH_NOMEM(err);
    (void)scan_tokens(view, item);
    bool next_is_apart = true;
    for (size_t k = n; k-- > 0;) {
        bool is_apart = item[k].together;
        item[k].together = next_is_apart
                               ? item[k].choice
                               : combine(item[k].choice, item[k + 1].together);
        next_is_apart = is_apart;
    }
    *list = (tokens){item, n};
    return EH_STATUS_OK;
}

/* The first token at or behind `at`, or NULL. */
static const token *first_token(const tokens *list, size_t at) {
    size_t low = 0, high = list->n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (list->item[mid].begin < at)
            low = mid + 1;
        else
            high = mid;
    }
    return low < list->n ? &list->item[low] : NULL;
}

/* -- values ----------------------------------------------------------------------- */

static const verdict_poll_vote no_vote = {VERDICT_POLL_NONE, 0};

static verdict_poll_vote vote_of(verdict_choice choice) {
    if (choice == VERDICT_CHOICE_NONE) return no_vote;
    if (choice == VERDICT_CHOICE_CONFLICT)
        return (verdict_poll_vote){VERDICT_POLL_CONFLICT, 0};
    return (verdict_poll_vote){VERDICT_POLL_KNOWN, choice};
}

/* What may follow an alias that is a value: the end, a stop, a parenthesis or a spaced
 * dash. */
static bool is_alias_over(eh_str s, size_t i) {
    size_t at = match_skip_blanks(s, i);
    if (at == s.len) return true;
    if (match_bytes(s, &at, "(") || match_bytes(s, &at, "。") ||
        match_bytes(s, &at, "！") || match_bytes(s, &at, "；"))
        return true;
    if (!s.ptr[at]) return false;
    bool touched = match_is_alnum_at(s, at + 1);
    if (s.ptr[at] == '-')
        return at > i && (at + 1 == s.len || match_skip_blanks(s, at + 1) > at + 1);
    return strchr(".!;:", s.ptr[at]) && !touched;
}

/* Is there nothing but signs between the words and the token? */
static bool only_signs(eh_str s, size_t begin, size_t end) {
    while (begin < end) {
        if (match_is_alnum_at(s, begin)) return false;
        (void)utf8_next(s, &begin);
    }
    return true;
}

/* Rule 13: do the words before the token name another verdict? A letter behind "final
 * answer" solves the question and contradicts only where nothing else stands. */
static bool words_contradict(eh_str s, const verdict_claim *claim, size_t token_begin,
                             verdict_choice said) {
    size_t i = claim->value.begin;
    if (i == token_begin) return false;
    verdict_choice words = verdict_match_alias(s, &i);
    if (words == VERDICT_CHOICE_NONE || i > token_begin || words == said) return false;
    if (words == VERDICT_CHOICE_CONFLICT && said == VERDICT_CHOICE_TIE) return false;
    return only_signs(s, i, token_begin) ||
           (!claim->needs_token && is_alias_over(s, i));
}

/* All tokens of a value that is a quotation: those to the end of the first one's
 * sentence. */
static verdict_choice quoted_choice(eh_str s, verdict_span value, size_t *token_begin) {
    uint8_t together = VERDICT_CHOICE_NONE;
    for (size_t i = value.begin; i < value.end;) {
        verdict_span inside;
        size_t end = verdict_token_end(s, i, &inside);
        bool is_stop = s.ptr[i] && strchr(".!?;", s.ptr[i]) && i + 1 < value.end &&
                       s.ptr[i + 1] == ' ';
        if (is_stop && together != VERDICT_CHOICE_NONE) break;
        if (!end) {
            i++;
            continue;
        }
        verdict_choice choice =
            verdict_token_choice(eh_str_slice(s, inside.begin, inside.end));
        if (choice != VERDICT_CHOICE_NONE) {
            if (together == VERDICT_CHOICE_NONE) *token_begin = i;
            together = together == VERDICT_CHOICE_NONE
                           ? (uint8_t)choice
                           : combine(together, (uint8_t)choice);
        }
        i = end;
    }
    return (verdict_choice)together;
}

/* The choice of the value's tokens, NONE without any. */
static verdict_choice token_choice(const verdict_view *view, const tokens *list,
                                   const verdict_claim *claim, size_t *token_begin) {
    if (claim->is_quotation)
        return quoted_choice(view->text, claim->value, token_begin);
    const token *t = first_token(list, claim->value.begin);
    if (!t || t->begin >= claim->value.end) return VERDICT_CHOICE_NONE;
    *token_begin = t->begin;
    return (verdict_choice)t->together;
}

static verdict_poll_vote read_value(const verdict_view *view, const tokens *list,
                                    const verdict_claim *claim) {
    eh_str s = eh_str_slice(view->text, 0, claim->value.end);
    size_t begin = claim->value.begin, token_begin = begin;
    verdict_span inside;
    if (verdict_token_end(s, begin, &inside) &&
        verdict_token_choice(eh_str_slice(s, inside.begin, inside.end)) ==
            VERDICT_CHOICE_NONE)
        return (verdict_poll_vote){VERDICT_POLL_UNKNOWN, 0};

    verdict_choice choice = token_choice(view, list, claim, &token_begin);
    if (choice != VERDICT_CHOICE_NONE) {
        if (!claim->has_link && token_begin != begin) return no_vote;
        if (words_contradict(s, claim, token_begin, choice))
            choice = VERDICT_CHOICE_CONFLICT;
        return vote_of(choice);
    }
    if (!claim->has_link || claim->needs_token) return no_vote;
    size_t i = begin;
    choice = verdict_match_alias(s, &i);
    return is_alias_over(s, i) ? vote_of(choice) : no_vote;
}

/* -- lone tokens ------------------------------------------------------------------ */

static verdict_poll_vote bracket_vote(eh_str s, size_t *i) {
    verdict_span inside;
    if (*i >= s.len || (s.ptr[*i] != '[' && s.ptr[*i] != '\\')) return no_vote;
    size_t end = verdict_token_end(s, *i, &inside);
    if (end) {
        *i = end;
        verdict_choice choice =
            verdict_token_choice(eh_str_slice(s, inside.begin, inside.end));
        return choice == VERDICT_CHOICE_NONE
                   ? (verdict_poll_vote){VERDICT_POLL_UNKNOWN, 0}
                   : vote_of(choice);
    }
    size_t at = *i;
    if (match_bytes(s, &at, "\\boxed{")) return vote_of(verdict_match_alias(s, i));
    if (!match_bytes(s, &at, "[")) return no_vote;
    const char *close = memchr(s.ptr + at, ']', s.len - at < 16 ? s.len - at : 16);
    if (!close) return no_vote;
    size_t inside_end = (size_t)(close - s.ptr);
    *i = inside_end + 1;
    return vote_of(verdict_letter_choice(eh_str_slice(s, at, inside_end)));
}

/* Rule 10 (a): a token that is the last sentence of its line. */
static verdict_poll_vote lone_vote(const verdict_view *view,
                                   const verdict_start *start) {
    eh_str s = eh_str_slice(view->text, 0, start->line_end);
    size_t i = start->begin;
    verdict_poll_vote vote = bracket_vote(s, &i);
    if (vote.kind == VERDICT_POLL_NONE) return no_vote;
    for (;;) {
        if (i < start->text_end && s.ptr[i] && strchr(" \t.!$", s.ptr[i]))
            i++;
        else if (!match_bytes(s, &i, "。") && !match_bytes(s, &i, "！"))
            break;
    }
    return i >= start->text_end ? vote : no_vote;
}

/* -- the reply -------------------------------------------------------------------- */

static const char *const cue_words[] = {"verdict",  "winner", "judgment",   "judgement",
                                        "decision", "result", "conclusion", NULL};
static const char *const cue_words_zh[] = {"判决", "裁决", "结论",
                                           "判断", "结果", NULL};
static const verdict_cues cues = {cue_words, cue_words_zh, .has_answer = true};

static verdict_poll_vote poll_statements(const verdict_view *view, const tokens *list) {
    verdict_poll poll = {0};
    verdict_starts it = verdict_starts_of(view);
    verdict_start start;
    while (verdict_next_start(&it, &start)) {
        verdict_claim claim = {0};
        verdict_poll_vote vote = lone_vote(view, &start);
        if (vote.kind == VERDICT_POLL_NONE &&
            verdict_claim_read(view, &start, &cues, &claim))
            vote = read_value(view, list, &claim);
        if (vote.kind != VERDICT_POLL_NONE)
            verdict_poll_add(&poll, claim.is_final, vote);
    }
    return verdict_poll_result(&poll);
}

/* Rule 15. */
static verdict_choice choice_without_statement(const verdict_view *view,
                                               const tokens *list) {
    verdict_choice choice = verdict_alias_choice(view->text);
    if (choice != VERDICT_CHOICE_NONE || list->n == 0) return choice;
    uint8_t all = list->item[0].choice;
    for (size_t k = 1; k < list->n; k++)
        all = combine(all, list->item[k].choice);
    return (verdict_choice)all;
}

static void set_result(verdict_choice choice, verdict_result *result) {
    switch (choice) {
    case VERDICT_CHOICE_1: result->verdict = EH_VERDICT_1; break;
    case VERDICT_CHOICE_2: result->verdict = EH_VERDICT_2; break;
    case VERDICT_CHOICE_TIE: result->verdict = EH_VERDICT_TIE; break;
    case VERDICT_CHOICE_CONFLICT: result->reason = VERDICT_REASON_AMBIGUOUS; break;
    case VERDICT_CHOICE_NONE: result->reason = VERDICT_REASON_NO_VERDICT; break;
    }
}

eh_status verdict_read_compare(eh_str text, eh_arena *arena, verdict_result *result,
                               eh_error *err) {
    verdict_view view;
    tokens list = {NULL, 0};
    EH_TRY(verdict_view_make(text, arena, &view, err));
    EH_TRY(index_tokens(&view, arena, &list, err));
    verdict_poll_vote vote = poll_statements(&view, &list);
    verdict_choice choice = VERDICT_CHOICE_NONE;
    switch (vote.kind) {
    case VERDICT_POLL_KNOWN: choice = (verdict_choice)vote.value; break;
    case VERDICT_POLL_CONFLICT: choice = VERDICT_CHOICE_CONFLICT; break;
    case VERDICT_POLL_UNKNOWN: break;
    case VERDICT_POLL_NONE: choice = choice_without_statement(&view, &list); break;
    }
    set_result(choice, result);
    return EH_STATUS_OK;
}
