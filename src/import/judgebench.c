/* SPDX-License-Identifier: MIT
 *
 * JudgeBench outputs: one object a line.
 *
 *   {"pair_id", "question", "response_A", "response_B", "response_model", "source",
 *    "label": "A>B", "judge_name",
 *    "judgments": [{"judgment": {"judge_model", "response", "scores"}, "decision"},
 * ..]}
 *
 * The first judgment shows A first, the second, where there is one, B; a decision
 * speaks of the slots. A judgment may be null, where the call failed. The label is the
 * objective one and becomes that of an annotator named gold.
 */
#include <string.h>

#include "import/format.h"

typedef struct output {
    eh_str pair_id, question, response_a, response_b, response_model, source, label;
    eh_str judge_name;
    const json_value *judgments;
} output;

#define AT(member) offsetof(output, member)
static const field_spec specs[] = {
    {"pair_id", FIELD_ID, FIELD_REQUIRED, AT(pair_id), NULL},
    {"question", FIELD_TEXT, FIELD_REQUIRED, AT(question), NULL},
    {"response_A", FIELD_TEXT, FIELD_REQUIRED, AT(response_a), NULL},
    {"response_B", FIELD_TEXT, FIELD_REQUIRED, AT(response_b), NULL},
    {"response_model", FIELD_SCALAR, FIELD_OPTIONAL, AT(response_model), NULL},
    {"source", FIELD_SCALAR, FIELD_OPTIONAL, AT(source), NULL},
    {"label", FIELD_SCALAR, FIELD_OPTIONAL, AT(label), NULL},
    {"judge_name", FIELD_SCALAR, FIELD_OPTIONAL, AT(judge_name), NULL},
    {"judgments", FIELD_ANY, FIELD_REQUIRED, AT(judgments), NULL},
};
static const field_table table = {specs, sizeof specs / sizeof specs[0], NULL};

/* The judge's model, which stands in each judgment that is there, and in the file's
 * name (judge_model=NAME.jsonl). It is remembered for judgments that are null. */
static eh_status judge_of(import_reader *r, const output *o, eh_str *judge,
                          eh_error *err) {
    static const char key[] = "judge_model=";
    eh_str model = {NULL, 0};
    for (const json_value *v = o->judgments->child; v && !model.len; v = v->next)
        model = import_text(json_get(v, "judgment"), "judge_model");
    eh_str *known = r->state;
    if (!known) r->state = known = arena_zalloc(&r->kept, 1, sizeof *known);
    if (!known) return EH_NOMEM(err);
    if (model.len && !eh_str_eq(model, *known) && !arena_copy(&r->kept, model, known))
        return EH_NOMEM(err);
    if (!model.len) model = *known;
    const char *in_name = strstr(r->path, key);
    if (!model.len && in_name) {
        model = eh_str_of(in_name + sizeof key - 1);
        if (eh_str_ends(model, EH_STR(".jsonl"))) model.len -= 6;
    }
    char *name = o->judge_name.len && model.len
                     ? arena_printf(r->arena, "%.*s/%.*s", EH_STR_ARG(o->judge_name),
                                    EH_STR_ARG(model))
                     : arena_dup(r->arena, model.len ? model : o->judge_name);
    if (!name) return EH_NOMEM(err);
    *judge = import_judge_name(r, eh_str_of(name), "judgebench");
    return EH_STATUS_OK;
}

static void read_scores(const json_value *judgment, eh_order order,
                        dataset_judgment *j) {
    const json_value *list = json_get(judgment, "scores");
    double shown[2];
    if (!list || list->kind != JSON_ARRAY || list->n != 2) return;
    const json_value *first = list->child, *second = first->next;
    if (first->kind != JSON_NUMBER || second->kind != JSON_NUMBER ||
        !eh_str_to_f64(first->text, &shown[0]) ||
        !eh_str_to_f64(second->text, &shown[1]))
        return;
    j->has_scores = true;
    j->score_1 = shown[order == EH_ORDER_21];
    j->score_2 = shown[order == EH_ORDER_12];
}

static eh_status take_one(import_reader *r, const dataset_row *row, dataset_judgment *j,
                          const json_value *v, eh_error *err) {
    const json_value *judgment = json_get(v, "judgment");
    if (v->kind == JSON_OBJECT)
        import_read_word(r, row, import_slot_words, import_n_slot_words,
                         import_text(v, "decision"), j);
    else
        j->reason = EH_STR("unspecified");
    j->verdict = eh_verdict_unswap(j->verdict, j->order);
    j->reply = json_get_str(judgment, "response");
    if (judgment && judgment->kind == JSON_STRING) j->reply = judgment->text;
    read_scores(judgment, j->order, j);
    if (j->has_scores && j->reply.len == 0) j->reply = (eh_str){NULL, 0};
    return import_put_judgment(r, j, err);
}

static eh_status take(import_reader *r, dataset_row *row, eh_error *err) {
    output o = {0};
    bool good;
    EH_TRY(import_read_fields(r, &table, row, &o, &good, err));
    if (good && (o.judgments->kind != JSON_ARRAY || o.judgments->n > 2)) {
        fields_refuse(row, &r->log, DATASET_FAULT_WRONG_TYPE, o.pair_id, "judgments",
                      "a list of one or two is needed");
        good = false;
    }
    if (!good) return EH_STATUS_OK;
    dataset_pair pair = {.id = o.pair_id,
                         .question = o.question,
                         .answer_1 = o.response_a,
                         .answer_2 = o.response_b,
                         .model_1 = o.response_model,
                         .model_2 = o.response_model,
                         .category = o.source};
    EH_TRY(import_put_pair(r, &pair, row, (eh_str){NULL, 0}, err));
    dataset_judgment gold = import_judgment_at(r, row);
    gold.pair_id = pair.id;
    if (o.label.len)
        import_read_word(r, row, import_slot_words, import_n_slot_words, o.label,
                         &gold);
    EH_TRY(import_put_label(r, row, pair.id, "gold", gold.verdict, err));
    eh_str judge;
    EH_TRY(judge_of(r, &o, &judge, err));
    int order = EH_ORDER_12;
    for (const json_value *v = o.judgments->child; v; v = v->next, order++) {
        dataset_judgment j = import_judgment_at(r, row);
        j.pair_id = pair.id;
        j.judge = judge;
        j.order = (eh_order)order;
        EH_TRY(take_one(r, row, &j, v, err));
    }
    return EH_STATUS_OK;
}

static const char *const names[] = {"pair_id", "response_A", "response_B", "[judgments",
                                    NULL};

const import_format import_judgebench = {.name = "judgebench",
                                         .title = "JudgeBench outputs",
                                         .orders = IMPORT_ORDERS_RECORDED,
                                         .names = names,
                                         .take = take};
