/* SPDX-License-Identifier: MIT
 *
 * Private to verdict/: what the reading of the forms shares. Rule numbers are those of
 * docs/verdict-rules.md.
 */
#ifndef EH_VERDICT_READ_H
#define EH_VERDICT_READ_H

#include "base/buf.h"
#include "verdict/text.h"
#include "verdict/verdict.h"

/* Half-open, in bytes of a folded text. */
typedef struct verdict_span {
    size_t begin, end;
} verdict_span;

/* Rule 4: nothing but white space and invisible characters. */
bool verdict_is_empty(eh_str text);

/* The two steps of rule 5, for those who look at the text between them: characters are
 * appended to `out`, marks are dropped in place. With `keep_wide_stops` the full-width
 * ! ? ; stay as they are: they end a sentence without a space behind them. */
EH_MUST_USE eh_status verdict_fold_characters(eh_str text, bool keep_wide_stops,
                                              eh_buf *out, eh_error *err);
void verdict_fold_marks(eh_buf *text);

/* A maximum for that buffer: no three bytes fold to more than 33 (U+FDFA). */
static inline size_t verdict_fold_max_bytes(eh_str text) {
    return 11 * text.len + 64;
}

/* Rule 6: a folded text in which mentions are out of the way. Whole mentioned lines
 * (fences, block quotes) are replaced by one VERDICT_MENTION byte a line or fence;
 * quotations in a line stay, with their marks flagged. */
typedef struct verdict_view {
    eh_str text;
    const uint8_t *quoted; /* [text.len], 1 inside a quotation and on its marks */
} verdict_view;

enum { VERDICT_MENTION = 0x1A };

EH_MUST_USE eh_status verdict_view_make(eh_str text, eh_arena *arena,
                                        verdict_view *view, eh_error *err);

typedef enum verdict_choice {
    VERDICT_CHOICE_NONE, /* no alias and no known token */
    VERDICT_CHOICE_1,
    VERDICT_CHOICE_2,
    VERDICT_CHOICE_TIE,
    VERDICT_CHOICE_CONFLICT /* neither, both, ... (rule 9) */
} verdict_choice;

/* The end of the token `[[X]]` that begins at `at_byte` and its X, or 0 where none
 * does. */
size_t verdict_token_end(eh_str folded, size_t at_byte, verdict_span *inside);

/* Rules 8 and 9 on a whole folded text: what stands inside [[ ]], and an alias. */
verdict_choice verdict_token_choice(eh_str inside);
verdict_choice verdict_alias_choice(eh_str folded);

typedef enum verdict_number_kind {
    VERDICT_NUMBER_NONE,
    VERDICT_NUMBER_VALUE,
    VERDICT_NUMBER_RANGE,    /* a second number behind it: ambiguous */
    VERDICT_NUMBER_OFF_SCALE /* out of another maximum, or per cent */
} verdict_number_kind;

typedef struct verdict_number {
    verdict_number_kind kind;
    double value;
    size_t end_byte; /* behind what was read */
} verdict_number;

/* Rule 16: the number at `at_byte` of a folded text, for a scale that ends at `top`. */
verdict_number verdict_number_read(eh_str folded, size_t at_byte, double top);

/* One form each: `text` is the reply without reasoning, not yet folded. They set
 * verdict, scores, likert, warnings, and of the reasons AMBIGUOUS, NO_VERDICT,
 * OUT_OF_RANGE; refusals (rule 7) are the entry's. */
EH_MUST_USE eh_status verdict_read_score(eh_str text, eh_arena *arena,
                                         verdict_result *result, eh_error *err);
EH_MUST_USE eh_status verdict_read_compare(eh_str text, eh_arena *arena,
                                           verdict_result *result, eh_error *err);
EH_MUST_USE eh_status verdict_read_likert(eh_str text, eh_arena *arena,
                                          verdict_result *result, eh_error *err);
EH_MUST_USE eh_status verdict_read_single(eh_str text, eh_arena *arena,
                                          verdict_result *result, eh_error *err);
EH_MUST_USE eh_status verdict_read_json(eh_str text, eh_arena *arena,
                                        verdict_result *result, eh_error *err);
EH_MUST_USE eh_status verdict_read_marks(const verdict_marks *marks, eh_str text,
                                         eh_arena *arena, verdict_result *result,
                                         eh_error *err);

#endif
