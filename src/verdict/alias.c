/* SPDX-License-Identifier: MIT
 *
 * Rules 8 and 9: tokens such as [[A>>B]], and the closed list of other names of a
 * verdict.
 *
 *   alias = wrapped | core                  wrapped = ( alias )  [ ]  " "  \boxed{ }
 * ... core  = slot [wins | is ... better | is the winner] | tie phrase | conflict
 * phrase slot  = a | b | [the] noun a|b|1|2|(a)|(b) | [the] first|second [noun | one]
 *         | 第一个|第二个 [noun] | noun a|b|1|2
 *
 * Phrases are tried before slots and longer ones before shorter ones, so "both are
 * equal" is a tie and "both" alone a conflict. The list is closed on purpose: what is
 * not on it is prose, and prose gives no verdict.
 *
 * A bare digit is no alias: it may number a list. "Neither" may mean equally good or
 * equally bad, which are not told apart, so it is a conflict and not a tie.
 */
#include "verdict/alias.h"

#include "verdict/match.h"

/* -- tokens ----------------------------------------------------------------------- */

size_t verdict_token_end(eh_str folded, size_t at_byte, verdict_span *inside) {
    size_t i = at_byte;
    if (!match_bytes(folded, &i, "[[")) return 0;
    inside->begin = i;
    while (i < folded.len && folded.ptr[i] != '[' && folded.ptr[i] != ']' &&
           folded.ptr[i] != '\n')
        i++;
    inside->end = i;
    return match_bytes(folded, &i, "]]") ? i : 0;
}

typedef struct letter_form {
    const char *text;
    verdict_choice choice;
} letter_form;

static const letter_form letter_forms[] = {
    {"a", VERDICT_CHOICE_1},     {"a>b", VERDICT_CHOICE_1},
    {"a>>b", VERDICT_CHOICE_1},  {"b<a", VERDICT_CHOICE_1},
    {"b<<a", VERDICT_CHOICE_1},  {"b", VERDICT_CHOICE_2},
    {"b>a", VERDICT_CHOICE_2},   {"b>>a", VERDICT_CHOICE_2},
    {"a<b", VERDICT_CHOICE_2},   {"a<<b", VERDICT_CHOICE_2},
    {"c", VERDICT_CHOICE_TIE},   {"tie", VERDICT_CHOICE_TIE},
    {"a=b", VERDICT_CHOICE_TIE}, {"b=a", VERDICT_CHOICE_TIE},
};

verdict_choice verdict_letter_choice(eh_str inside) {
    char packed[8];
    size_t len = 0;
    for (size_t i = 0; i < inside.len; i++) {
        if (inside.ptr[i] == ' ' || inside.ptr[i] == '\t') continue;
        if (len == sizeof packed) return VERDICT_CHOICE_NONE;
        packed[len++] = inside.ptr[i];
    }
    for (size_t f = 0; f < sizeof letter_forms / sizeof *letter_forms; f++) {
        if (eh_str_eq_cstr((eh_str){packed, len}, letter_forms[f].text))
            return letter_forms[f].choice;
    }
    return VERDICT_CHOICE_NONE;
}

verdict_choice verdict_token_choice(eh_str inside) {
    verdict_choice choice = verdict_letter_choice(inside);
    return choice != VERDICT_CHOICE_NONE ? choice : verdict_alias_choice(inside);
}

/* -- aliases ---------------------------------------------------------------------- */

static const char *const nouns[] = {"assistant", "answer", "response",
                                    "output",    "model",  NULL};
static const char *const nouns_zh[] = {"回答", "助手", NULL};
static const char *const names[] = {"a", "(a)", "1", "b", "(b)", "2", NULL};
static const char *const names_zh[] = {"a", "1", "b", "2", NULL};
static const char *const ordinals[] = {"first", "second", NULL};
static const char *const ordinals_zh[] = {"第一个", "第二个", NULL};
static const char *const letters[] = {"a", "b", NULL};
static const char *const adverbs[] = {
    "slightly", "significantly", "much",       "clearly",
    "far",      "somewhat",      "marginally", NULL};

typedef struct phrase {
    const char *words;
    verdict_choice choice;
} phrase;

/* Longer ones first where one begins another. */
static const phrase phrases[] = {
    {"both are equally good", VERDICT_CHOICE_TIE},
    {"both answers are equally good", VERDICT_CHOICE_TIE},
    {"both responses are equally good", VERDICT_CHOICE_TIE},
    {"both assistants are equally good", VERDICT_CHOICE_TIE},
    {"both are equal", VERDICT_CHOICE_TIE},
    {"both answers are equal", VERDICT_CHOICE_TIE},
    {"both responses are equal", VERDICT_CHOICE_TIE},
    {"both assistants are equal", VERDICT_CHOICE_TIE},
    {"they are equal", VERDICT_CHOICE_TIE},
    {"equally good", VERDICT_CHOICE_TIE},
    {"equal", VERDICT_CHOICE_TIE},
    {"tie, relatively the same", VERDICT_CHOICE_TIE},
    {"relatively the same", VERDICT_CHOICE_TIE},
    {"it is a tie", VERDICT_CHOICE_TIE},
    {"it is a draw", VERDICT_CHOICE_TIE},
    {"it is tie", VERDICT_CHOICE_TIE},
    {"it is draw", VERDICT_CHOICE_TIE},
    {"a tie", VERDICT_CHOICE_TIE},
    {"a draw", VERDICT_CHOICE_TIE},
    {"tie", VERDICT_CHOICE_TIE},
    {"draw", VERDICT_CHOICE_TIE},
    {"平局", VERDICT_CHOICE_TIE},
    {"平手", VERDICT_CHOICE_TIE},
    {"both are good", VERDICT_CHOICE_CONFLICT},
    {"both are bad", VERDICT_CHOICE_CONFLICT},
    {"both", VERDICT_CHOICE_CONFLICT},
    {"neither is better", VERDICT_CHOICE_CONFLICT},
    {"neither", VERDICT_CHOICE_CONFLICT},
    {"either", VERDICT_CHOICE_CONFLICT},
    {"c", VERDICT_CHOICE_TIE},
};

static verdict_choice choice_of(int index, int n_each) {
    if (index < 0) return VERDICT_CHOICE_NONE;
    return index < n_each ? VERDICT_CHOICE_1 : VERDICT_CHOICE_2;
}

static verdict_choice match_slot_zh(eh_str s, size_t *i) {
    size_t at = *i;
    verdict_choice choice = choice_of(match_any(s, &at, ordinals_zh), 1);
    if (choice != VERDICT_CHOICE_NONE) {
        (void)match_any(s, &at, nouns_zh);
    } else if (match_any(s, &at, nouns_zh) >= 0) {
        choice = choice_of(match_any(s, &at, names_zh), 2);
    }
    if (choice != VERDICT_CHOICE_NONE) *i = at;
    return choice;
}

static verdict_choice match_slot(eh_str s, size_t *i) {
    size_t at = *i;
    bool has_the = match_words(s, &at, "the");
    verdict_choice choice = choice_of(match_any(s, &at, ordinals), 1);
    if (choice != VERDICT_CHOICE_NONE) {
        if (match_any(s, &at, nouns) < 0) (void)match_words(s, &at, "one");
    } else if (match_any(s, &at, nouns) >= 0) {
        choice = choice_of(match_any(s, &at, names), 3);
    } else if (!has_the) {
        choice = choice_of(match_any(s, &at, letters), 1);
    }
    if (choice == VERDICT_CHOICE_NONE) return match_slot_zh(s, i);
    *i = at;
    return choice;
}

/* wins, is [slightly ...] better, is the winner */
static void match_victory(eh_str s, size_t *i) {
    if (match_words(s, i, "wins") || match_words(s, i, "is the winner")) return;
    size_t at = *i;
    if (!match_words(s, &at, "is")) return;
    (void)match_any(s, &at, adverbs);
    if (match_words(s, &at, "better")) *i = at;
}

static verdict_choice match_core(eh_str s, size_t *i) {
    for (size_t p = 0; p < sizeof phrases / sizeof *phrases; p++) {
        if (match_words(s, i, phrases[p].words)) return phrases[p].choice;
    }
    verdict_choice choice = match_slot(s, i);
    if (choice != VERDICT_CHOICE_NONE) match_victory(s, i);
    return choice;
}

typedef struct wrapper {
    const char *open, *close;
} wrapper;

static const wrapper wrappers[] = {
    {"\\boxed{", "}"}, {"\\text{", "}"}, {"[", "]"},   {"(", ")"},   {"\"", "\""},
    {"'", "'"},        {"“", "”"},       {"„", "“"},   {"„", "”"},   {"‘", "’"},
    {"«", "»"},        {"»", "«"},       {"「", "」"}, {"『", "』"},
};

enum { MAX_WRAPPERS = 6 };

static bool match_stop(eh_str s, size_t *i) {
    return match_bytes(s, i, ".") || match_bytes(s, i, "。");
}

static verdict_choice match_wrapped(eh_str s, size_t *i, int depth) {
    size_t begin = match_skip_blanks(s, *i);
    for (size_t w = 0; depth < MAX_WRAPPERS && w < sizeof wrappers / sizeof *wrappers;
         w++) {
        size_t at = begin;
        if (!match_bytes(s, &at, wrappers[w].open)) continue;
        verdict_choice choice = match_wrapped(s, &at, depth + 1);
        if (choice == VERDICT_CHOICE_NONE) continue;
        (void)match_stop(s, &at);
        at = match_skip_blanks(s, at);
        if (!match_bytes(s, &at, wrappers[w].close)) continue;
        *i = at;
        return choice;
    }
    return match_core(s, i);
}

verdict_choice verdict_match_alias(eh_str folded, size_t *at_byte) {
    return match_wrapped(folded, at_byte, 0);
}

verdict_choice verdict_alias_choice(eh_str folded) {
    eh_str s = eh_str_trim(folded);
    size_t i = 0;
    verdict_choice choice = verdict_match_alias(s, &i);
    (void)match_stop(s, &i);
    return i == s.len ? choice : VERDICT_CHOICE_NONE;
}
