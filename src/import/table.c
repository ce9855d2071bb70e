/* SPDX-License-Identifier: MIT
 *
 * A row a judgment, in CSV or JSONL:
 *
 *   pair_id judge order sample verdict score_1 score_2 reply reason
 *   question answer_1 answer_2 model_1 model_2 category      the pair, if it is there
 *
 * under these names, or under those that --map gives. A verdict is a word for an
 * answer: 1, 2, tie, model_1, model_a and the like, the row's own model_1 or model_2,
 * or what --verdicts says. A row without pair_id is known by its texts.
 *
 * Words that could mean a slot as well (A, B, first, left) are not guessed about, they
 * need --verdicts.
 */
#include "import/table.h"

#include <math.h>

#include "dataset/rows.h"

typedef struct judged {
    eh_str pair_id, judge, verdict, reply, reason;
    eh_str question, answer_1, answer_2, model_1, model_2, category;
    eh_order order; /* EH_ORDER_N: not said */
    int64_t sample;
    double score_1, score_2;
} judged;

#define AT(member) offsetof(judged, member)

enum { SPEC_PAIR_ID, SPEC_QUESTION, SPEC_VERDICT, SPEC_REPLY };

static const field_spec specs[] = {
    [SPEC_PAIR_ID] = {"pair_id", FIELD_ID, FIELD_OPTIONAL, AT(pair_id), "id"},
    [SPEC_QUESTION] = {"question", FIELD_TEXT, FIELD_OPTIONAL, AT(question), NULL},
    [SPEC_VERDICT] = {"verdict", FIELD_SCALAR, FIELD_OPTIONAL, AT(verdict), "winner"},
    [SPEC_REPLY] = {"reply", FIELD_TEXT, FIELD_OPTIONAL, AT(reply), NULL},
    {"judge", FIELD_SCALAR, FIELD_OPTIONAL, AT(judge), NULL},
    {"order", FIELD_ORDER, FIELD_OPTIONAL, AT(order), NULL},
    {"sample", FIELD_COUNT, FIELD_OPTIONAL, AT(sample), NULL},
    {"score_1", FIELD_NUMBER, FIELD_OPTIONAL, AT(score_1), NULL},
    {"score_2", FIELD_NUMBER, FIELD_OPTIONAL, AT(score_2), NULL},
    {"reason", FIELD_TEXT, FIELD_OPTIONAL, AT(reason), NULL},
    {"answer_1", FIELD_TEXT, FIELD_OPTIONAL, AT(answer_1), NULL},
    {"answer_2", FIELD_TEXT, FIELD_OPTIONAL, AT(answer_2), NULL},
    {"model_1", FIELD_SCALAR, FIELD_OPTIONAL, AT(model_1), "model_a"},
    {"model_2", FIELD_SCALAR, FIELD_OPTIONAL, AT(model_2), "model_b"},
    {"category", FIELD_SCALAR, FIELD_OPTIONAL, AT(category), NULL},
};
enum { N_SPECS = sizeof specs / sizeof specs[0] };
_Static_assert((int)N_SPECS <= (int)FIELD_MAP_MAX, "fields of a table");

static const import_word words[] = {
    {"1", EH_VERDICT_1},        {"2", EH_VERDICT_2},        {"tie", EH_VERDICT_TIE},
    {"answer_1", EH_VERDICT_1}, {"answer_2", EH_VERDICT_2}, {"model_1", EH_VERDICT_1},
    {"model_2", EH_VERDICT_2},  {"model_a", EH_VERDICT_1},  {"model_b", EH_VERDICT_2},
};
enum { N_WORDS = sizeof words / sizeof words[0] };

typedef struct table_reader {
    import_reader *r;
    field_table table;
    bool has_order; /* a row had one */
} table_reader;

static bool has_texts(const judged *v) {
    return !eh_str_is_absent(v->question) && !eh_str_is_absent(v->answer_1) &&
           !eh_str_is_absent(v->answer_2);
}

/* The name of the winning model is as good as a word. */
static void read_verdict(import_reader *r, const dataset_row *row, const judged *v,
                         dataset_judgment *j) {
    bool is_1 = v->verdict.len && eh_str_eq(v->verdict, v->model_1);
    bool is_2 = v->verdict.len && eh_str_eq(v->verdict, v->model_2);
    if (is_1 != is_2)
        j->verdict = is_1 ? EH_VERDICT_1 : EH_VERDICT_2;
    else
        import_read_word(r, row, words, N_WORDS, v->verdict, j);
    if (j->verdict == EH_VERDICT_NONE && v->verdict.len == 0 && v->reason.len)
        j->reason = v->reason;
}

static eh_status take_judged(table_reader *t, const dataset_row *row, judged *v,
                             eh_error *err) {
    import_reader *r = t->r;
    const eh_str texts[] = {v->question, v->answer_1, v->answer_2};
    if (eh_str_is_absent(v->pair_id)) v->pair_id = import_id_of(r->arena, texts, 3);
    if (eh_str_is_absent(v->pair_id)) return row_nomem(&r->log, row, err);
    dataset_pair pair = {.id = v->pair_id,
                         .model_1 = v->model_1,
                         .model_2 = v->model_2,
                         .category = v->category};
    if (has_texts(v)) {
        pair.question = v->question;
        pair.answer_1 = v->answer_1;
        pair.answer_2 = v->answer_2;
    }
    dataset_judgment j = import_judgment_at(r, row);
    j.pair_id = v->pair_id;
    j.judge = import_judge_name(r, v->judge, "");
    j.order = v->order == EH_ORDER_N ? EH_ORDER_12 : v->order;
    t->has_order = t->has_order || v->order != EH_ORDER_N;
    j.sample = v->sample;
    j.reply = v->reply;
    j.has_scores = !isnan(v->score_1) && !isnan(v->score_2);
    j.score_1 = v->score_1;
    j.score_2 = v->score_2;
    read_verdict(r, row, v, &j);
    EH_TRY(import_put_pair(r, &pair, row, (eh_str){NULL, 0}, err));
    return import_put_judgment(r, &j, err);
}

static eh_status take_row(void *self, dataset_row *row, eh_arena *arena,
                          eh_error *err) {
    table_reader *t = self;
    judged v = {.order = EH_ORDER_N, .sample = -1, .score_1 = NAN, .score_2 = NAN};
    field_set set;
    fault_log *log = &t->r->log;
    t->r->arena = arena;
    if (!fields_find(&t->table, row, arena, &set) ||
        !fields_read(&t->table, &set, row, &v, log, arena))
        return row_nomem(log, row, err);
    bool may_have = set.values[SPEC_PAIR_ID] || set.values[SPEC_QUESTION];
    if (!row->is_bad && eh_str_is_absent(v.pair_id) && !has_texts(&v))
        fields_refuse(row, log,
                      may_have ? DATASET_FAULT_WRONG_TYPE : DATASET_FAULT_MISSING_FIELD,
                      v.pair_id, "pair_id", "neither an id nor the texts of a pair");
    if (!set.values[SPEC_VERDICT] && !set.values[SPEC_REPLY])
        fields_refuse(
            row, log, DATASET_FAULT_MISSING_FIELD, v.pair_id, "verdict",
            "no such column, and no reply; --map verdict=NAME says which it is");
    if (row->is_bad) return EH_STATUS_OK;
    return take_judged(t, row, &v, err);
}

static eh_status parse_map(const import_reader *r, field_map *map, eh_error *err) {
    const char *names[N_SPECS];
    for (int i = 0; i < N_SPECS; i++)
        names[i] = specs[i].name;
    return map_parse(r->options->map, names, N_SPECS, map, err);
}

eh_status import_read_table(import_reader *r, source *src, eh_error *err) {
    field_map map;
    table_reader t = {.r = r, .table = {specs, N_SPECS, NULL}};
    if (r->options->map) {
        EH_TRY(parse_map(r, &map, err));
        t.table.map = &map;
    }
    const rows_options options = {.path = r->path, .src = src, .table = &t.table};
    EH_TRY(rows_each(&options, &r->log, take_row, &t, NULL, err));
    r->file->orders = t.has_order ? IMPORT_ORDERS_RECORDED : IMPORT_ORDERS_ONE;
    return EH_STATUS_OK;
}
