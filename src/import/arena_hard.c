/* SPDX-License-Identifier: MIT
 *
 * Arena-Hard judgments of both versions, one object a line, and what they are about.
 *
 *   {"question_id", "model", "judge", "games": [{"judgment": "..", "score": "A>>B"},
 * ..]}
 *   {"uid", "category", "model", "baseline", "judge",
 *    "games": [{"judgment": {"answer": ".."}, "score": "B>A"}, ..]}             version
 * 2
 *   {"uid", "category", "prompt"}; {"uid", "model", "messages": [..]}         its texts
 *
 * Game 1 shows the baseline first, game 2 the model that is looked at; scores speak of
 * the slots. Here that model's answer is answer 1, so that its win rate is that of
 * answer 1, and game 1 is of order 21. A game may be null, and so may its score. How
 * much better
 * (>> or >) is left in the reply. Version 1 does not say which model is the baseline.
 */
#include "import/texts.h"

typedef struct battle {
    eh_str id, model, baseline, judge, category;
    const json_value *games;
} battle;

#define AT(member) offsetof(battle, member)
static const field_spec specs[] = {
    {"question_id", FIELD_ID, FIELD_REQUIRED, AT(id), "uid"},
    {"model", FIELD_SCALAR, FIELD_REQUIRED, AT(model), NULL},
    {"baseline", FIELD_SCALAR, FIELD_OPTIONAL, AT(baseline), NULL},
    {"judge", FIELD_SCALAR, FIELD_OPTIONAL, AT(judge), NULL},
    {"category", FIELD_SCALAR, FIELD_OPTIONAL, AT(category), NULL},
    {"games", FIELD_ANY, FIELD_REQUIRED, AT(games), NULL},
};
static const field_table table = {specs, sizeof specs / sizeof specs[0], NULL};

static eh_status take_game(import_reader *r, const dataset_row *row,
                           const json_value *game, dataset_judgment *j, eh_error *err) {
    const json_value *judgment = json_get(game, "judgment");
    const json_value *answer = json_get(judgment, "answer");
    if (!import_any_text(answer ? answer : judgment, r->arena, &j->reply))
        return row_nomem(&r->log, row, err);
    if (game->kind == JSON_OBJECT)
        import_read_word(r, row, import_slot_words, import_n_slot_words,
                         import_text(game, "score"), j);
    else
        j->reason = EH_STR("unspecified");
    j->verdict = eh_verdict_unswap(j->verdict, j->order);
    return import_put_judgment(r, j, err);
}

static eh_status take(import_reader *r, dataset_row *row, eh_error *err) {
    battle b = {.baseline = EH_STR("baseline")};
    bool good;
    EH_TRY(import_read_fields(r, &table, row, &b, &good, err));
    if (good && (b.games->kind != JSON_ARRAY || b.games->n > 2)) {
        fields_refuse(row, &r->log, DATASET_FAULT_WRONG_TYPE, b.id, "games",
                      "a list of one or two is needed");
        good = false;
    }
    if (!good) return EH_STATUS_OK;
    char *id = arena_printf(r->arena, "%.*s/%.*s/%.*s", EH_STR_ARG(b.id),
                            EH_STR_ARG(b.model), EH_STR_ARG(b.baseline));
    if (!id) return row_nomem(&r->log, row, err);
    dataset_pair pair = {.id = eh_str_of(id),
                         .model_1 = b.model,
                         .model_2 = b.baseline,
                         .category = b.category};
    EH_TRY(texts_fill_pair(r, b.id, 1, &pair, err));
    EH_TRY(import_put_pair(r, &pair, row, b.id, err));
    int game = 0;
    for (const json_value *v = b.games->child; v; v = v->next, game++) {
        dataset_judgment j = import_judgment_at(r, row);
        j.pair_id = pair.id;
        j.judge = import_judge_name(r, b.judge, "arena_hard");
        j.order = game == 0 ? EH_ORDER_21 : EH_ORDER_12;
        EH_TRY(take_game(r, row, v, &j, err));
    }
    return EH_STATUS_OK;
}

/* ---- questions and answers of version 2; those of version 1 are FastChat's ---- */

static eh_status take_texts(import_reader *r, dataset_row *row, eh_error *err) {
    eh_str id = import_text(row->object, "uid"), text = {NULL, 0};
    eh_str model = import_text(row->object, "model");
    const json_value *messages = json_get(row->object, "messages");
    if (messages && messages->kind == JSON_ARRAY) {
        const json_value *last = messages->child;
        while (last && last->next)
            last = last->next;
        const json_value *content = json_get(last, "content");
        const json_value *answer = json_get(content, "answer");
        if (!import_any_text(answer ? answer : content, r->arena, &text))
            return row_nomem(&r->log, row, err);
    } else {
        text = json_get_str(row->object, "prompt");
    }
    if (id.len == 0 || eh_str_is_absent(text)) {
        fields_refuse(row, &r->log, DATASET_FAULT_MISSING_FIELD, id,
                      id.len == 0 ? "uid"
                      : messages  ? "messages"
                                  : "prompt",
                      NULL);
        return EH_STATUS_OK;
    }
    if (messages) return texts_put_answer(r, row, model, id, 1, text, err);
    return texts_put_question(r, row, id, 1, text, import_text(row->object, "category"),
                              err);
}

static const char *const names[] = {"model", "judge", "[games", NULL};
static const char *const question_names[] = {"uid", "prompt", NULL};
static const char *const answer_names[] = {"uid", "model", "[messages", NULL};

const import_format import_arena_hard = {.name = "arena_hard",
                                         .title = "Arena-Hard judgments",
                                         .orders = IMPORT_ORDERS_RECORDED,
                                         .names = names,
                                         .take = take};

const import_format import_arena_texts = {.name = "arena_hard",
                                          .title = "Arena-Hard questions or answers",
                                          .is_texts = true,
                                          .names = question_names,
                                          .other_names = answer_names,
                                          .take = take_texts};
