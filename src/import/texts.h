/* SPDX-License-Identifier: MIT
 *
 * Questions and answers that stand in files of their own, for judgments that know them
 * by name. Private to import.
 *
 * They are kept by the sink's stage (on disk, where the ledger is) until a judgment
 * asks: a question under its id and turn, an answer under model, id and turn.
 */
#ifndef EH_IMPORT_TEXTS_H
#define EH_IMPORT_TEXTS_H

#include "import/format.h"

/* Keeps what is there already; an id that comes twice with another text is a fault. */
EH_MUST_USE eh_status texts_put_question(import_reader *r, const dataset_row *row,
                                         eh_str id, int turn, eh_str text,
                                         eh_str category, eh_error *err);
EH_MUST_USE eh_status texts_put_answer(import_reader *r, const dataset_row *row,
                                       eh_str model, eh_str id, int turn, eh_str text,
                                       eh_error *err);

/* Fills question, answers and category of a pair where all three texts are known, in
 * the arena; else leaves them absent. */
EH_MUST_USE eh_status texts_fill_pair(import_reader *r, eh_str question_id, int turn,
                                      dataset_pair *pair, eh_error *err);

/* Turns 1 to `turn` of a list of texts ("...", or {"content": "..."}) as one: the first
 * alone, or each under a heading. False when there are not so many, or *nomem. */
bool texts_join_turns(const json_value *turns, int turn, eh_arena *arena, eh_str *text,
                      bool *nomem);

#endif
