/* SPDX-License-Identifier: MIT
 *
 * Joining judgments with texts of other files.
 *
 *   question.jsonl     81 -> "81 1", "81 2"            table 0
 *   model_answer/m     81, m -> "m 81 1", "m 81 2"     table 1
 *   judgment           81, turn 2, m1, m2 -> three look-ups
 *
 * A second turn is judged with the first one before it, and the two models' first
 * answers differ; so its texts are whole dialogues, with a heading for each turn.
 *
 * Left out: reference answers.
 */
#include "import/texts.h"

#include <string.h>

#include "dataset/tree.h"

enum { QUESTIONS = DATASET_QUESTIONS, ANSWERS = DATASET_ANSWERS_1 };

static eh_status put(import_reader *r, const dataset_row *row, int table,
                     const dataset_text *text, eh_error *err) {
    const dataset_stage *stage = r->sink->texts;
    int64_t first_line;
    if (!stage) return EH_STATUS_OK;
    EH_TRY(stage->put_text(stage->self, table, text, &first_line, err));
    if (!first_line) return EH_STATUS_OK;
    dataset_text before;
    bool found;
    EH_TRY(stage->get_text(stage->self, table, text->id, &before, &found, err));
    if (found && eh_str_eq(before.text, text->text)) return EH_STATUS_OK;
    dataset_fault fault = fault_at(DATASET_FAULT_DUPLICATE_ID, row->line);
    fault.id = text->id;
    fault.detail = EH_STR("another text stands under this id already");
    fault_report(&r->log, fault);
    return EH_STATUS_OK;
}

eh_status texts_put_question(import_reader *r, const dataset_row *row, eh_str id,
                             int turn, eh_str text, eh_str category, eh_error *err) {
    char *key = arena_printf(r->arena, "%.*s %d", EH_STR_ARG(id), turn);
    if (!key) return row_nomem(&r->log, row, err);
    const dataset_text kept = {.id = eh_str_of(key),
                               .id_kind = DATASET_ID_UNTYPED,
                               .text = text,
                               .model = category,
                               .line = row->line};
    return put(r, row, QUESTIONS, &kept, err);
}

eh_status texts_put_answer(import_reader *r, const dataset_row *row, eh_str model,
                           eh_str id, int turn, eh_str text, eh_error *err) {
    char *key =
        arena_printf(r->arena, "%.*s %.*s %d", EH_STR_ARG(model), EH_STR_ARG(id), turn);
    if (!key) return row_nomem(&r->log, row, err);
    const dataset_text kept = {.id = eh_str_of(key),
                               .id_kind = DATASET_ID_UNTYPED,
                               .text = text,
                               .model = model,
                               .line = row->line};
    return put(r, row, ANSWERS, &kept, err);
}

static eh_status get(import_reader *r, int table, const char *key, eh_str *text,
                     eh_str *model, bool *found, eh_error *err) {
    const dataset_stage *stage = r->sink->texts;
    dataset_text kept;
    if (!key) return EH_NOMEM(err);
    EH_TRY(stage->get_text(stage->self, table, eh_str_of(key), &kept, found, err));
    if (!*found) return EH_STATUS_OK;
    if (!arena_copy(r->arena, kept.text, text) ||
        (model && !arena_copy(r->arena, kept.model, model)))
        return EH_NOMEM(err);
    return EH_STATUS_OK;
}

eh_status texts_fill_pair(import_reader *r, eh_str question_id, int turn,
                          dataset_pair *pair, eh_error *err) {
    eh_str question = {NULL, 0}, category = {NULL, 0}, answers[2] = {{NULL, 0}};
    const eh_str models[] = {pair->model_1, pair->model_2};
    bool found = r->sink->texts != NULL;
    if (!found) return EH_STATUS_OK;
    EH_TRY(get(r, QUESTIONS,
               arena_printf(r->arena, "%.*s %d", EH_STR_ARG(question_id), turn),
               &question, &category, &found, err));
    for (int i = 0; i < 2 && found; i++)
        EH_TRY(get(r, ANSWERS,
                   arena_printf(r->arena, "%.*s %.*s %d", EH_STR_ARG(models[i]),
                                EH_STR_ARG(question_id), turn),
                   &answers[i], NULL, &found, err));
    if (!found) return EH_STATUS_OK;
    pair->question = question;
    pair->answer_1 = answers[0];
    pair->answer_2 = answers[1];
    if (!eh_str_is_absent(category)) pair->category = category;
    return EH_STATUS_OK;
}

/* A turn is a text, or an object with one. */
static bool turn_text(const json_value *turn, eh_str *text) {
    const json_value *v = turn->kind == JSON_OBJECT ? json_get(turn, "content") : turn;
    if (v && v->kind == JSON_OBJECT) v = json_get(v, "answer");
    bool ok = v && v->kind == JSON_STRING;
    if (ok) *text = v->text;
    return ok;
}

bool texts_join_turns(const json_value *turns, int turn, eh_arena *arena, eh_str *text,
                      bool *nomem) {
    eh_buf out;
    if (!turns || turns->kind != JSON_ARRAY || turns->n < (size_t)turn) return false;
    if (turn == 1) return turn_text(turns->child, text);
    buf_init(&out, BUF_MAX_LINE);
    const json_value *v = turns->child;
    bool ok = true;
    for (int i = 1; i <= turn && ok; i++, v = v->next) {
        eh_str one;
        ok = turn_text(v, &one);
        if (ok)
            buf_printf(&out, "%s[Turn %d]\n%.*s", i > 1 ? "\n\n" : "", i,
                       EH_STR_ARG(one));
    }
    *nomem = ok && (out.failed || !arena_copy(arena, buf_view(&out), text));
    buf_deinit(&out);
    return ok && !*nomem;
}
