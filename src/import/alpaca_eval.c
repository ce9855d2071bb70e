/* SPDX-License-Identifier: MIT
 *
 * AlpacaEval annotations: a list of objects.
 *
 *   {"instruction", "output_1", "generator_1", "output_2", "generator_2", "annotator",
 *    "preference": 1 to 2, "raw_completion", "dataset", ...}
 *
 * A preference of 1 is for output_1, of 2 for output_2, 1.5 (in old files 0) a tie.
 * What lies between comes from the judge's token probabilities; it is kept as two
 * scores that sum to 1. The tool shows the outputs in an order that it draws and does
 * not write down, save in versions that keep is_switched_outputs. There are no ids.
 */
#include <math.h>

#include "dataset/tree.h"
#include "import/format.h"

typedef struct annotation {
    eh_str instruction, output_1, output_2, generator_1, generator_2, annotator,
        dataset;
    double preference;
    int switched; /* -1: not written down */
    const json_value *completion;
} annotation;

#define AT(member) offsetof(annotation, member)
static const field_spec specs[] = {
    {"instruction", FIELD_TEXT, FIELD_REQUIRED, AT(instruction), NULL},
    {"output_1", FIELD_TEXT, FIELD_REQUIRED, AT(output_1), NULL},
    {"output_2", FIELD_TEXT, FIELD_REQUIRED, AT(output_2), NULL},
    {"generator_1", FIELD_SCALAR, FIELD_OPTIONAL, AT(generator_1), NULL},
    {"generator_2", FIELD_SCALAR, FIELD_OPTIONAL, AT(generator_2), NULL},
    {"annotator", FIELD_SCALAR, FIELD_OPTIONAL, AT(annotator), NULL},
    {"dataset", FIELD_SCALAR, FIELD_OPTIONAL, AT(dataset), NULL},
    {"preference", FIELD_NUMBER, FIELD_OPTIONAL, AT(preference), NULL},
    {"is_switched_outputs", FIELD_FLAG, FIELD_OPTIONAL, AT(switched), NULL},
    {"raw_completion", FIELD_ANY, FIELD_OPTIONAL, AT(completion), NULL},
};
static const field_table table = {specs, sizeof specs / sizeof specs[0], NULL};

static void read_preference(const annotation *a, dataset_judgment *j) {
    double p = a->preference;
    if (isnan(p)) {
        j->reason = EH_STR("no_verdict");
    } else if (p == 0 || p == 1.5) {
        j->verdict = EH_VERDICT_TIE;
        p = 1.5;
    } else if (p >= 1 && p <= 2) {
        j->verdict = p < 1.5 ? EH_VERDICT_1 : EH_VERDICT_2;
    } else {
        j->reason = EH_STR("out_of_range");
    }
    j->has_scores = j->verdict != EH_VERDICT_NONE;
    j->score_1 = 2 - p;
    j->score_2 = p - 1;
}

/* What the judge wrote: the text of a completion, or all of it. */
static bool read_completion(const json_value *completion, eh_arena *arena,
                            eh_str *text) {
    const json_value *inner = json_get(completion, "text");
    bool is_text = inner && inner->kind == JSON_STRING;
    return import_any_text(is_text ? inner : completion, arena, text);
}

static eh_status take(import_reader *r, dataset_row *row, eh_error *err) {
    annotation a = {.preference = NAN, .switched = -1};
    bool good;
    EH_TRY(import_read_fields(r, &table, row, &a, &good, err));
    if (!good) return EH_STATUS_OK;
    const eh_str texts[] = {a.instruction, a.output_1, a.output_2};
    dataset_pair pair = {.id = import_id_of(r->arena, texts, 3),
                         .question = a.instruction,
                         .answer_1 = a.output_1,
                         .answer_2 = a.output_2,
                         .model_1 = a.generator_1,
                         .model_2 = a.generator_2,
                         .category = a.dataset};
    dataset_judgment j = import_judgment_at(r, row);
    j.pair_id = pair.id;
    j.judge = import_judge_name(r, a.annotator, "alpaca_eval");
    if (eh_str_is_absent(pair.id) || !read_completion(a.completion, r->arena, &j.reply))
        return row_nomem(&r->log, row, err);
    if (a.switched >= 0) {
        j.order = a.switched ? EH_ORDER_21 : EH_ORDER_12;
        r->file->orders = IMPORT_ORDERS_RECORDED;
    }
    read_preference(&a, &j);
    EH_TRY(import_put_pair(r, &pair, row, (eh_str){NULL, 0}, err));
    return import_put_judgment(r, &j, err);
}

static const char *const names[] = {"instruction", "output_1", "output_2", "preference",
                                    NULL};

const import_format import_alpaca_eval = {.name = "alpaca_eval",
                                          .title = "AlpacaEval annotations",
                                          .orders = IMPORT_ORDERS_UNKNOWN,
                                          .names = names,
                                          .take = take};
