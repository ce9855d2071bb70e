/* SPDX-License-Identifier: MIT
 *
 * inspect_ai logs in JSON, where a sample is a comparison of two answers.
 *
 *   {"eval": {"model", "task"}, "samples": [
 *     {"id", "epoch": 1, "input", "metadata": {"answer_1", "answer_2", ..},
 *      "output": {"completion"}, "scores": {SCORER: {"answer": "A", "value"}}}]}
 *
 * inspect_ai has no form of its own for verdicts on pairs. What is read is what such
 * tasks commonly write: the answer that a scorer took out of the reply, A or B for the
 * slot, or tie; the two answers in the metadata, under one of a few usual pairs of
 * names; there also the order, as "order" (12 or 21) or "swapped" (true or false). The
 * judge is the model that the task was run with. A score's value is not read: its "C"
 * means correct.
 *
 * Left out: the archive form (.eval), which inspect's own log convert turns into JSON.
 */
#include "import/format.h"

static const import_word words[] = {
    {"A", EH_VERDICT_1},     {"B", EH_VERDICT_2},     {"tie", EH_VERDICT_TIE},
    {"Tie", EH_VERDICT_TIE}, {"[[A]]", EH_VERDICT_1}, {"[[B]]", EH_VERDICT_2},
    {"A>>B", EH_VERDICT_1},  {"A>B", EH_VERDICT_1},   {"A=B", EH_VERDICT_TIE},
    {"B>A", EH_VERDICT_2},   {"B>>A", EH_VERDICT_2},
};
enum { N_WORDS = sizeof words / sizeof words[0] };

/* Names under which tasks keep the two answers. */
static const char *const answer_names[][2] = {
    {"answer_1", "answer_2"},         {"response_A", "response_B"},
    {"response_a", "response_b"},     {"response_1", "response_2"},
    {"output_1", "output_2"},         {"answer_a", "answer_b"},
    {"completion_a", "completion_b"},
};
static const char *const question_names[] = {"question", "instruction", "prompt"};
static const char *const model_names[][2] = {{"model_1", "model_2"},
                                             {"model_a", "model_b"}};

static void read_texts(const json_value *sample, dataset_pair *pair) {
    const json_value *metadata = json_get(sample, "metadata");
    for (size_t i = 0; i < sizeof answer_names / sizeof answer_names[0]; i++) {
        eh_str one = json_get_str(metadata, answer_names[i][0]);
        eh_str two = json_get_str(metadata, answer_names[i][1]);
        if (eh_str_is_absent(one) || eh_str_is_absent(two)) continue;
        pair->answer_1 = one;
        pair->answer_2 = two;
        pair->question = json_get_str(sample, "input");
        for (size_t k = 0; k < sizeof question_names / sizeof question_names[0]; k++) {
            eh_str question = json_get_str(metadata, question_names[k]);
            if (!eh_str_is_absent(question)) {
                pair->question = question;
                break;
            }
        }
        if (eh_str_is_absent(pair->question)) pair->question = EH_STR("");
        break;
    }
    for (size_t i = 0; i < 2 && !pair->model_1.len; i++) {
        pair->model_1 = json_get_str(metadata, model_names[i][0]);
        pair->model_2 = json_get_str(metadata, model_names[i][1]);
    }
    pair->category = json_get_str(metadata, "category");
}

static void read_order(import_reader *r, const json_value *metadata,
                       dataset_judgment *j) {
    eh_str order = import_text(metadata, "order");
    const json_value *swapped = json_get(metadata, "swapped");
    bool known = true;
    if (eh_str_eq_cstr(order, "21"))
        j->order = EH_ORDER_21;
    else if (swapped && swapped->kind == JSON_BOOL)
        j->order = swapped->boolean ? EH_ORDER_21 : EH_ORDER_12;
    else
        known = eh_str_eq_cstr(order, "12");
    if (known) r->file->orders = IMPORT_ORDERS_RECORDED;
}

static eh_status put_score(import_reader *r, const dataset_row *row,
                           const json_value *score, bool one_of_many,
                           dataset_judgment *about, eh_error *err) {
    dataset_judgment j = *about;
    import_read_word(r, row, words, N_WORDS, eh_str_trim(import_text(score, "answer")),
                     &j);
    j.verdict = eh_verdict_unswap(j.verdict, j.order);
    if (one_of_many && !r->options->judge) {
        char *name = arena_printf(r->arena, "%.*s/%.*s", EH_STR_ARG(j.judge),
                                  EH_STR_ARG(score->key));
        if (!name) return row_nomem(&r->log, row, err);
        j.judge = eh_str_of(name);
    }
    return import_put_judgment(r, &j, err);
}

static eh_status take(import_reader *r, dataset_row *row, eh_error *err) {
    const json_value *sample = row->object, *scores = json_get(sample, "scores");
    const json_value *eval = json_get(records_head(r->records), "eval");
    dataset_pair pair = {.id = import_text(sample, "id")};
    if (pair.id.len == 0) {
        fields_refuse(row, &r->log, DATASET_FAULT_MISSING_FIELD, pair.id, "id", NULL);
        return EH_STATUS_OK;
    }
    read_texts(sample, &pair);
    EH_TRY(import_put_pair(r, &pair, row, (eh_str){NULL, 0}, err));
    dataset_judgment j = import_judgment_at(r, row);
    int64_t epoch;
    j.pair_id = pair.id;
    j.judge = import_judge_name(r, json_get_str(eval, "model"), "inspect");
    j.reply = json_get_str(json_get(sample, "output"), "completion");
    if (eh_str_to_i64(import_text(sample, "epoch"), &epoch) && epoch > 0)
        j.sample = epoch - 1;
    read_order(r, json_get(sample, "metadata"), &j);
    if (!scores || scores->kind != JSON_OBJECT || scores->n == 0) {
        j.reason = EH_STR("unspecified");
        return import_put_judgment(r, &j, err);
    }
    for (const json_value *s = scores->child; s; s = s->next)
        EH_TRY(put_score(r, row, s, scores->n > 1, &j, err));
    return EH_STATUS_OK;
}

static eh_status end(import_reader *r, eh_error *err) {
    if (r->file->n_verdicts > 0 || r->log.counts->n_errors > 0) return EH_STATUS_OK;
    return EH_FAIL(
        err, EH_STATUS_DATA,
        "%s: no verdicts on pairs in it: no score has A, B or tie as its answer",
        r->path);
}

static const records_path path = {{"samples", NULL, NULL}};
static const char *const names[] = {"{eval", "version", "status", NULL};
static const char *const other_names[] = {"{eval", "[samples", NULL};

const import_format import_inspect = {.name = "inspect",
                                      .title = "inspect_ai samples",
                                      .path = &path,
                                      .orders = IMPORT_ORDERS_ONE,
                                      .names = names,
                                      .other_names = other_names,
                                      .take = take,
                                      .end = end};
