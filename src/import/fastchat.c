/* SPDX-License-Identifier: MIT
 *
 * FastChat (MT-bench): judgments of pairs, one object a line, and the questions and
 * answers that they are about.
 *
 *   {"question_id", "model_1", "model_2", "g1_winner", "g2_winner",
 *    "judge": [model, prompt], "g1_judgment", "g2_judgment", "turn": 1}
 *   {"question_id", "category", "turns": [..]} question.jsonl
 *   {"question_id", "model_id", "choices": [{"turns": [..]}]} model_answer/MODEL
 *
 * Game 1 shows model_1 first, game 2 model_2; winners are named by model ("model_1",
 * "model_2", "tie", "error" where no verdict was read). A row with "m1_score" and
 * "m2_score" comes from grading each answer alone: then the games repeat one verdict
 * and only the scores count, which have no order.
 *
 * Left out: grades of single answers (gpt-4_single.jsonl), which are no verdicts on
 * pairs.
 */
#include <math.h>

#include "import/texts.h"

typedef struct match {
    eh_str question_id, model_1, model_2, winner, winners[2], judgments[2];
    const json_value *judge;
    int64_t turn;
    double scores[2];
} match;

#define AT(member) offsetof(match, member)
static const field_spec match_specs[] = {
    {"question_id", FIELD_ID, FIELD_REQUIRED, AT(question_id), NULL},
    {"model_1", FIELD_SCALAR, FIELD_REQUIRED, AT(model_1), NULL},
    {"model_2", FIELD_SCALAR, FIELD_REQUIRED, AT(model_2), NULL},
    {"winner", FIELD_SCALAR, FIELD_OPTIONAL, AT(winner), NULL},
    {"g1_winner", FIELD_SCALAR, FIELD_OPTIONAL, AT(winners[0]), NULL},
    {"g2_winner", FIELD_SCALAR, FIELD_OPTIONAL, AT(winners[1]), NULL},
    {"g1_judgment", FIELD_TEXT, FIELD_OPTIONAL, AT(judgments[0]), NULL},
    {"g2_judgment", FIELD_TEXT, FIELD_OPTIONAL, AT(judgments[1]), NULL},
    {"judge", FIELD_ANY, FIELD_OPTIONAL, AT(judge), NULL},
    {"turn", FIELD_COUNT, FIELD_OPTIONAL, AT(turn), NULL},
    {"m1_score", FIELD_NUMBER, FIELD_OPTIONAL, AT(scores[0]), NULL},
    {"m2_score", FIELD_NUMBER, FIELD_OPTIONAL, AT(scores[1]), NULL},
};
static const field_table match_table = {
    match_specs, sizeof match_specs / sizeof match_specs[0], NULL};

static const import_word words[] = {
    {"model_1", EH_VERDICT_1}, {"model_2", EH_VERDICT_2}, {"tie", EH_VERDICT_TIE}};
enum { N_WORDS = sizeof words / sizeof words[0] };

/* [model, prompt] as "model/prompt". */
static eh_status read_judge(import_reader *r, const dataset_row *row,
                            const json_value *judge, eh_str *name, eh_error *err) {
    eh_str recorded = {NULL, 0};
    if (judge && judge->kind == JSON_STRING) recorded = judge->text;
    if (judge && judge->kind == JSON_ARRAY && judge->n == 2 &&
        judge->child->kind == JSON_STRING && judge->child->next->kind == JSON_STRING) {
        char *both = arena_printf(r->arena, "%.*s/%.*s", EH_STR_ARG(judge->child->text),
                                  EH_STR_ARG(judge->child->next->text));
        if (!both) return row_nomem(&r->log, row, err);
        recorded = eh_str_of(both);
    }
    *name = import_judge_name(r, recorded, "fastchat");
    return EH_STATUS_OK;
}

/* "error" is how the tool writes that it found no verdict. */
static void read_winner(import_reader *r, const dataset_row *row, eh_str winner,
                        dataset_judgment *j) {
    bool failed = eh_str_eq_cstr(winner, "error");
    import_read_word(r, row, words, N_WORDS, failed ? EH_STR("") : winner, j);
}

static eh_status put_games(import_reader *r, const dataset_row *row, const match *m,
                           const dataset_judgment *about, eh_error *err) {
    bool alone = !isnan(m->scores[0]) && !isnan(m->scores[1]);
    bool one = alone || eh_str_is_absent(m->winners[1]);
    for (int game = 0; game < (one ? 1 : 2); game++) {
        dataset_judgment j = *about;
        bool has_own = !eh_str_is_absent(m->winners[game]);
        j.order = game ? EH_ORDER_21 : EH_ORDER_12;
        read_winner(r, row, has_own ? m->winners[game] : m->winner, &j);
        j.reply = m->judgments[game];
        j.has_scores = alone;
        j.score_1 = m->scores[0];
        j.score_2 = m->scores[1];
        EH_TRY(import_put_judgment(r, &j, err));
    }
    return EH_STATUS_OK;
}

static eh_status take_match(import_reader *r, dataset_row *row, eh_error *err) {
    match m = {.turn = 1, .scores = {NAN, NAN}};
    bool good;
    EH_TRY(import_read_fields(r, &match_table, row, &m, &good, err));
    if (!good) return EH_STATUS_OK;
    if (eh_str_is_absent(m.winner) && eh_str_is_absent(m.winners[0])) {
        fields_refuse(row, &r->log, DATASET_FAULT_MISSING_FIELD, m.question_id,
                      "g1_winner", NULL);
        return EH_STATUS_OK;
    }
    char *id =
        arena_printf(r->arena, "%.*s/%lld/%.*s/%.*s", EH_STR_ARG(m.question_id),
                     (long long)m.turn, EH_STR_ARG(m.model_1), EH_STR_ARG(m.model_2));
    char *key = arena_printf(r->arena, "%.*s/%lld", EH_STR_ARG(m.question_id),
                             (long long)m.turn);
    if (!id || !key) return row_nomem(&r->log, row, err);
    dataset_pair pair = {
        .id = eh_str_of(id), .model_1 = m.model_1, .model_2 = m.model_2};
    dataset_judgment about = import_judgment_at(r, row);
    about.pair_id = pair.id;
    EH_TRY(read_judge(r, row, m.judge, &about.judge, err));
    EH_TRY(
        texts_fill_pair(r, m.question_id, (int)(m.turn > 2 ? 2 : m.turn), &pair, err));
    EH_TRY(import_put_pair(r, &pair, row, eh_str_of(key), err));
    return put_games(r, row, &m, &about, err);
}

/* ---- questions and answers ---- */

enum { TURNS_MAX = 2 };

static eh_status put_turns(import_reader *r, dataset_row *row, eh_str id,
                           const json_value *turns, eh_error *err) {
    eh_str model = import_text(row->object, "model_id");
    bool is_answer = json_get(row->object, "choices") != NULL, nomem = false;
    int turn = 1;
    for (; turn <= TURNS_MAX; turn++) {
        eh_str text;
        if (!texts_join_turns(turns, turn, r->arena, &text, &nomem)) break;
        EH_TRY(is_answer
                   ? texts_put_answer(r, row, model, id, turn, text, err)
                   : texts_put_question(r, row, id, turn, text,
                                        import_text(row->object, "category"), err));
    }
    if (nomem) return row_nomem(&r->log, row, err);
    if (turn == 1)
        fields_refuse(row, &r->log, DATASET_FAULT_WRONG_TYPE, id, "turns",
                      "a list of texts is needed");
    return EH_STATUS_OK;
}

static eh_status take_texts(import_reader *r, dataset_row *row, eh_error *err) {
    eh_str id = import_text(row->object, "question_id");
    const json_value *turns = json_get(row->object, "turns");
    const json_value *choices = json_get(row->object, "choices");
    if (choices && choices->kind == JSON_ARRAY)
        turns = json_get(choices->child, "turns");
    if (id.len == 0 || !turns) {
        fields_refuse(row, &r->log, DATASET_FAULT_MISSING_FIELD, id,
                      id.len ? "turns" : "question_id", NULL);
        return EH_STATUS_OK;
    }
    return put_turns(r, row, id, turns, err);
}

static const char *const names[] = {"question_id", "model_1", "model_2", "g1_winner",
                                    NULL};
static const char *const old_names[] = {"question_id", "model_1", "model_2", "winner",
                                        NULL};
static const char *const question_names[] = {"question_id", "[turns", NULL};
static const char *const answer_names[] = {"question_id", "model_id", "[choices", NULL};

const import_format import_fastchat = {.name = "fastchat",
                                       .title = "FastChat judgments of pairs",
                                       .orders = IMPORT_ORDERS_RECORDED,
                                       .names = names,
                                       .other_names = old_names,
                                       .take = take_match};

const import_format import_fastchat_texts = {.name = "fastchat",
                                             .title = "FastChat questions or answers",
                                             .is_texts = true,
                                             .names = question_names,
                                             .other_names = answer_names,
                                             .take = take_texts};
