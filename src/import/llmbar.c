/* SPDX-License-Identifier: MIT
 *
 * LLMBar results (evaluators/JUDGE/PROMPT/result.json): a list of objects.
 *
 *   {"input", "output_1", "output_2", "label": 1,
 *    "results": [.., {"swap = False": {"completion": [text, finish_reason], "winner":
 * "1"}, "swap = True":  {..}}]}
 *
 * The last element of `results` is what counts; those before it are steps on the way. A
 * winner is an output of the data, also where they were swapped. Judges that rate each
 * output alone have "score_1" and "score_2" instead of completions. There are no ids,
 * and the judge stands in the folders' names only. The label is that of an annotator
 * named gold.
 */
#include <string.h>

#include "import/format.h"

typedef struct instance {
    eh_str input, output_1, output_2, label;
    const json_value *results;
} instance;

#define AT(member) offsetof(instance, member)
static const field_spec specs[] = {
    {"input", FIELD_TEXT, FIELD_REQUIRED, AT(input), NULL},
    {"output_1", FIELD_TEXT, FIELD_REQUIRED, AT(output_1), NULL},
    {"output_2", FIELD_TEXT, FIELD_REQUIRED, AT(output_2), NULL},
    {"label", FIELD_SCALAR, FIELD_OPTIONAL, AT(label), NULL},
    {"results", FIELD_ANY, FIELD_REQUIRED, AT(results), NULL},
};
static const field_table table = {specs, sizeof specs / sizeof specs[0], NULL};

static const import_word words[] = {
    {"1", EH_VERDICT_1}, {"2", EH_VERDICT_2}, {"tie", EH_VERDICT_TIE}};
enum { N_WORDS = sizeof words / sizeof words[0] };

/* From .../NAME/evaluators/JUDGE/PROMPT/result.json: "JUDGE/PROMPT" and "NAME". */
static void read_path(const char *path, eh_str *judge, eh_str *category) {
    static const char folder[] = "evaluators/";
    const char *at = strstr(path, folder);
    *judge = *category = (eh_str){NULL, 0};
    if (!at) return;
    const char *begin = at + sizeof folder - 1, *end = strrchr(begin, '/');
    if (end) *judge = (eh_str){begin, (size_t)(end - begin)};
    if (at == path) return;
    const char *name = at - 1;
    while (name > path && name[-1] != '/')
        name--;
    *category = (eh_str){name, (size_t)(at - 1 - name)};
}

/* Text and fate of a completion, which is a list of both. */
static void read_completion(const json_value *completion, dataset_judgment *j) {
    if (!completion || completion->kind != JSON_ARRAY || completion->n < 1) return;
    const json_value *text = completion->child, *finish = text->next;
    if (text->kind == JSON_STRING) j->reply = text->text;
    if (finish && finish->kind == JSON_STRING) j->finish_reason = finish->text;
}

static void read_scores(const json_value *result, dataset_judgment *j) {
    const json_value *lists[] = {json_get(result, "score_1"),
                                 json_get(result, "score_2")};
    double scores[2];
    for (int i = 0; i < 2; i++) {
        const json_value *text = lists[i] ? lists[i]->child : NULL;
        if (!text || (text->kind != JSON_STRING && text->kind != JSON_NUMBER) ||
            !eh_str_to_f64(eh_str_trim(text->text), &scores[i]))
            return;
    }
    j->has_scores = true;
    j->score_1 = scores[0];
    j->score_2 = scores[1];
}

static eh_status take_orders(import_reader *r, dataset_row *row, const instance *in,
                             eh_str pair_id, eh_error *err) {
    static const char *const swaps[] = {"swap = False", "swap = True"};
    eh_str judge, category;
    const json_value *last = in->results->child;
    while (last && last->next)
        last = last->next;
    read_path(r->path, &judge, &category);
    for (int order = 0; order < EH_ORDER_N; order++) {
        const json_value *result = json_get(last, swaps[order]);
        if (!result) {
            fields_refuse(row, &r->log, DATASET_FAULT_MISSING_FIELD, pair_id, "results",
                          swaps[order]);
            return EH_STATUS_OK;
        }
        dataset_judgment j = import_judgment_at(r, row);
        j.pair_id = pair_id;
        j.judge = import_judge_name(r, judge, "llmbar");
        j.order = (eh_order)order;
        read_completion(json_get(result, "completion"), &j);
        import_read_word(r, row, words, N_WORDS, import_text(result, "winner"), &j);
        read_scores(last, &j);
        EH_TRY(import_put_judgment(r, &j, err));
    }
    return EH_STATUS_OK;
}

static eh_status take(import_reader *r, dataset_row *row, eh_error *err) {
    instance in = {0};
    bool good;
    eh_str judge, category;
    EH_TRY(import_read_fields(r, &table, row, &in, &good, err));
    if (!good) return EH_STATUS_OK;
    const eh_str texts[] = {in.input, in.output_1, in.output_2};
    read_path(r->path, &judge, &category);
    dataset_pair pair = {.id = import_id_of(r->arena, texts, 3),
                         .question = in.input,
                         .answer_1 = in.output_1,
                         .answer_2 = in.output_2,
                         .category = category};
    if (eh_str_is_absent(pair.id)) return row_nomem(&r->log, row, err);
    EH_TRY(import_put_pair(r, &pair, row, (eh_str){NULL, 0}, err));
    EH_TRY(import_put_label(r, row, pair.id, "gold", eh_verdict_parse(in.label), err));
    return take_orders(r, row, &in, pair.id, err);
}

static const char *const names[] = {"input", "output_1", "output_2", "[results", NULL};

const import_format import_llmbar = {.name = "llmbar",
                                     .title = "LLMBar results",
                                     .orders = IMPORT_ORDERS_RECORDED,
                                     .names = names,
                                     .take = take};
