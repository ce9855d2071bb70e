/* SPDX-License-Identifier: MIT
 *
 * PandaLM: a test set and what judges said of it, lists of objects in files of their
 * own.
 *
 *   {"idx", "instruction", "input", "response1", "response2", "cmp_key": "m1_m2",
 *    "motivation_app", "annotator1": 1, ..}                          the test set
 *   {"idx", "JUDGE_result": 1, "JUDGE_reason", ..}                   judgments
 *
 * 0 and "Tie" are ties. Answers were shown in the data's order only. A test set gives
 * texts and the annotators' labels; judgments alone know pairs by their idx. The
 * judge's name is what its file's name begins with, before
 * "-testset", else what stands before _result.
 */
#include <string.h>

#include "import/format.h"

typedef struct item {
    eh_str idx, instruction, input, response_1, response_2, cmp_key, app;
} item;

#define AT(member) offsetof(item, member)
static const field_spec specs[] = {
    {"idx", FIELD_ID, FIELD_REQUIRED, AT(idx), NULL},
    {"instruction", FIELD_SCALAR, FIELD_OPTIONAL, AT(instruction), NULL},
    {"input", FIELD_SCALAR, FIELD_OPTIONAL, AT(input), NULL},
    {"response1", FIELD_SCALAR, FIELD_OPTIONAL, AT(response_1), NULL},
    {"response2", FIELD_SCALAR, FIELD_OPTIONAL, AT(response_2), NULL},
    {"cmp_key", FIELD_SCALAR, FIELD_OPTIONAL, AT(cmp_key), NULL},
    {"motivation_app", FIELD_SCALAR, FIELD_OPTIONAL, AT(app), NULL},
};
static const field_table table = {specs, sizeof specs / sizeof specs[0], NULL};

static const import_word words[] = {{"1", EH_VERDICT_1},
                                    {"2", EH_VERDICT_2},
                                    {"0", EH_VERDICT_TIE},
                                    {"tie", EH_VERDICT_TIE},
                                    {"Tie", EH_VERDICT_TIE}};
enum { N_WORDS = sizeof words / sizeof words[0] };

static eh_str or_empty(eh_str s) {
    return eh_str_is_absent(s) ? EH_STR("") : s;
}

/* "m1_m2" where there is one underscore only. */
static void read_models(eh_str key, dataset_pair *pair) {
    eh_str rest = key, first;
    if (!eh_str_split(&rest, '_', &first) || eh_str_is_absent(rest) ||
        memchr(rest.ptr, '_', rest.len))
        return;
    pair->model_1 = first;
    pair->model_2 = rest;
}

static eh_status take_pair(import_reader *r, dataset_row *row, const item *it,
                           eh_error *err) {
    dataset_pair pair = {.id = it->idx,
                         .question = or_empty(it->instruction),
                         .answer_1 = or_empty(it->response_1),
                         .answer_2 = or_empty(it->response_2),
                         .category = it->app};
    if (it->input.len) {
        char *question =
            arena_printf(r->arena, "%.*s\n\n%.*s", EH_STR_ARG(it->instruction),
                         EH_STR_ARG(it->input));
        if (!question) return row_nomem(&r->log, row, err);
        pair.question = eh_str_of(question);
    }
    read_models(it->cmp_key, &pair);
    EH_TRY(import_put_pair(r, &pair, row, (eh_str){NULL, 0}, err));
    for (const json_value *m = row->object->child; m; m = m->next) {
        dataset_judgment label = import_judgment_at(r, row);
        if (!eh_str_begins(m->key, EH_STR("annotator"))) continue;
        char *annotator = arena_dup(r->arena, m->key);
        if (!annotator) return row_nomem(&r->log, row, err);
        label.pair_id = pair.id;
        import_read_word(r, row, words, N_WORDS, import_text(row->object, annotator),
                         &label);
        EH_TRY(import_put_label(r, row, pair.id, annotator, label.verdict, err));
    }
    return EH_STATUS_OK;
}

static eh_str judge_of(const import_reader *r, eh_str prefix) {
    const char *slash = strrchr(r->path, '/'), *base = slash ? slash + 1 : r->path;
    const char *end = strstr(base, "-testset");
    return end && end > base ? (eh_str){base, (size_t)(end - base)} : prefix;
}

static eh_status take_result(import_reader *r, dataset_row *row, const item *it,
                             const json_value *result, eh_error *err) {
    eh_str prefix = {result->key.ptr, result->key.len - strlen("_result")};
    dataset_pair pair = {.id = it->idx};
    dataset_judgment j = import_judgment_at(r, row);
    j.pair_id = it->idx;
    j.judge = import_judge_name(r, judge_of(r, prefix), "pandalm");
    char *reason_name = arena_printf(r->arena, "%.*s_reason", EH_STR_ARG(prefix));
    if (!reason_name) return row_nomem(&r->log, row, err);
    eh_str word = result->kind == JSON_STRING || result->kind == JSON_NUMBER
                      ? eh_str_trim(result->text)
                      : (eh_str){NULL, 0};
    import_read_word(r, row, words, N_WORDS, word, &j);
    eh_str reason = import_text(row->object, reason_name);
    char *reply =
        arena_printf(r->arena, "%.*s\n%.*s", EH_STR_ARG(word), EH_STR_ARG(reason));
    if (!reply) return row_nomem(&r->log, row, err);
    j.reply = eh_str_of(reply);
    EH_TRY(import_put_pair(r, &pair, row, (eh_str){NULL, 0}, err));
    return import_put_judgment(r, &j, err);
}

static eh_status take_texts(import_reader *r, dataset_row *row, eh_error *err) {
    item it = {0};
    bool good;
    EH_TRY(import_read_fields(r, &table, row, &it, &good, err));
    return good ? take_pair(r, row, &it, err) : EH_STATUS_OK;
}

static eh_status take(import_reader *r, dataset_row *row, eh_error *err) {
    item it = {0};
    bool good;
    EH_TRY(import_read_fields(r, &table, row, &it, &good, err));
    if (!good) return EH_STATUS_OK;
    for (const json_value *m = row->object->child; m; m = m->next)
        if (eh_str_ends(m->key, EH_STR("_result")))
            return take_result(r, row, &it, m, err);
    fields_refuse(row, &r->log, DATASET_FAULT_MISSING_FIELD, it.idx, "JUDGE_result",
                  NULL);
    return EH_STATUS_OK;
}

static const char *const names[] = {"idx", "*_result", NULL};
static const char *const texts_names[] = {"idx", "response1", "response2", NULL};

const import_format import_pandalm = {.name = "pandalm",
                                      .title = "PandaLM results",
                                      .orders = IMPORT_ORDERS_ONE,
                                      .names = names,
                                      .take = take};

const import_format import_pandalm_texts = {.name = "pandalm",
                                            .title = "a PandaLM test set",
                                            .orders = IMPORT_ORDERS_ONE,
                                            .is_texts = true,
                                            .names = texts_names,
                                            .take = take_texts};
