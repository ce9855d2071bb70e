/* SPDX-License-Identifier: MIT
 *
 * Pairs: the table of their fields, what is warned about, and the entry points.
 *
 *   row -> fields -> lists of messages   (faults: the row is dropped)
 *       -> stage->put                    (an id that is there already: dropped)
 *       -> warnings
 *
 * A row gives either errors or warnings: what is odd about a row that is not used does
 * not matter. Each kind of warning comes once a row. Joins are in join.c.
 */
#include "dataset/pairs.h"

#include "dataset/messages.h"
#include "dataset/rows.h"
#include "dataset/tree.h"

static const struct {
    const char *name;
    bool is_error;
} kind_table[] = {
#define X(id, name, is_error) {name, is_error},
    DATASET_FAULT_LIST(X)
#undef X
};

const char *dataset_fault_name(dataset_fault_kind kind) {
    return (unsigned)kind < DATASET_FAULT_N ? kind_table[kind].name : "unknown";
}

bool dataset_fault_is_error(dataset_fault_kind kind) {
    return (unsigned)kind >= DATASET_FAULT_N || kind_table[kind].is_error;
}

/* What a row is read into. */
typedef struct pair_record {
    dataset_pair pair;
    dialogue said;
    const json_value *meta; /* NULL where there is none */
} pair_record;

#define PAIR(member) offsetof(pair_record, pair.member)
#define SAID(member) offsetof(pair_record, said.member)

enum { SPEC_ID, SPEC_QUESTION, SPEC_ANSWER_1, SPEC_ANSWER_2 };

static const field_spec pair_specs[] = {
    [SPEC_ID] = {"id", FIELD_ID, FIELD_REQUIRED, PAIR(id), NULL},
    [SPEC_QUESTION] = {"question", FIELD_SPEECH, FIELD_DERIVED, SAID(question), NULL},
    [SPEC_ANSWER_1] = {"answer_1", FIELD_SPEECH, FIELD_REQUIRED, SAID(answer_1), NULL},
    [SPEC_ANSWER_2] = {"answer_2", FIELD_SPEECH, FIELD_REQUIRED, SAID(answer_2), NULL},
    {"model_1", FIELD_SCALAR, FIELD_OPTIONAL, PAIR(model_1), NULL},
    {"model_2", FIELD_SCALAR, FIELD_OPTIONAL, PAIR(model_2), NULL},
    {"category", FIELD_SCALAR, FIELD_OPTIONAL, PAIR(category), NULL},
    {"reference", FIELD_SCALAR, FIELD_OPTIONAL, PAIR(reference), NULL},
    {"short_question", FIELD_TEXT, FIELD_OPTIONAL, PAIR(short_question), NULL},
    {"turns", FIELD_TURNS, FIELD_OPTIONAL, PAIR(turns_json), NULL},
    {"meta", FIELD_ANY, FIELD_OPTIONAL, offsetof(pair_record, meta), NULL},
};

enum { N_PAIR_SPECS = sizeof pair_specs / sizeof pair_specs[0] };

typedef struct pair_reader {
    fault_log log;
    const dataset_stage *stage;
    field_map map;
    field_table table;
    eh_buf meta; /* one row's meta_json */
} pair_reader;

/* Texts and turns from what was read; reports what does not fit together. False when
 * the arena is full. */
static bool resolve(pair_reader *r, dataset_row *from, const field_set *set,
                    pair_record *record, eh_arena *arena) {
    dataset_fault_kind kind;
    const char *field;
    dialogue *d = &record->said;
    const char *detail = messages_resolve(d, &kind, &field);
    bool known = detail && kind == DATASET_FAULT_MISSING_FIELD &&
                 set->values[SPEC_QUESTION]; /* it has the wrong type */
    if (detail && !known)
        fields_refuse(from, &r->log, kind, record->pair.id, field, detail);
    record->pair.question = d->question.text;
    record->pair.answer_1 = d->answer_1.text;
    record->pair.answer_2 = d->answer_2.text;
    if (detail || d->n_turns == 0 || !eh_str_is_absent(record->pair.turns_json))
        return true;
    return tree_text(d->turns, d->n_turns, arena, &record->pair.turns_json);
}

static void warn(const fault_log *log, const dataset_pair *pair, pair_place place,
                 dataset_fault_kind kind, const char *field, const char *detail) {
    dataset_fault fault = fault_at(kind, place.line);
    fault.file = place.file;
    fault.id = pair->id;
    fault.field = eh_str_of(field);
    fault.detail = eh_str_of(detail);
    fault_report(log, fault);
}

static void warn_about_answers(const fault_log *log, const dataset_pair *pair,
                               pair_place answer_1, pair_place answer_2) {
    bool blank_1 = eh_str_is_blank(pair->answer_1);
    bool blank_2 = eh_str_is_blank(pair->answer_2);
    bool same_place = answer_1.file == answer_2.file && answer_1.line == answer_2.line;
    if (blank_1)
        warn(log, pair, answer_1, DATASET_FAULT_EMPTY_ANSWER, "answer_1",
             blank_2 ? "both answers are empty" : NULL);
    if (blank_2 && !(blank_1 && same_place))
        warn(log, pair, answer_2, DATASET_FAULT_EMPTY_ANSWER, "answer_2", NULL);
    if (eh_str_eq(pair->answer_1, pair->answer_2))
        warn(log, pair, (pair_place){pair->file, pair->line},
             DATASET_FAULT_IDENTICAL_ANSWERS, NULL, NULL);
}

eh_status pair_keep(const dataset_stage *stage, const fault_log *log,
                    const dataset_pair *pair, pair_place answer_1, pair_place answer_2,
                    bool *kept, eh_error *err) {
    int64_t first_line = 0;
    EH_TRY(stage->put(stage->self, pair, &first_line, err));
    *kept = first_line == 0;
    if (*kept) {
        log->counts->n_rows++;
        warn_about_answers(log, pair, answer_1, answer_2);
        return EH_STATUS_OK;
    }
    dataset_fault fault = fault_at(DATASET_FAULT_DUPLICATE_ID, pair->line);
    fault.other_line = first_line;
    fault.id = pair->id;
    fault.field = EH_STR("id");
    fault_report(log, fault);
    return EH_STATUS_OK;
}

static eh_status take_pair(void *self, dataset_row *from, eh_arena *arena,
                           eh_error *err) {
    pair_reader *r = self;
    pair_record record = {.pair = {.file = r->log.file, .line = from->line}};
    field_set set;
    if (!fields_find(&r->table, from, arena, &set) ||
        !fields_read(&r->table, &set, from, &record, &r->log, arena) ||
        !resolve(r, from, &set, &record, arena))
        return row_nomem(&r->log, from, err);
    if (from->is_bad) return EH_STATUS_OK;
    fields_write_others(&set, record.meta, &r->meta);
    EH_TRY(buf_check(&r->meta, "a row's further fields", err));
    if (r->meta.len) record.pair.meta_json = buf_view(&r->meta);

    pair_place here = {r->log.file, from->line};
    bool kept;
    EH_TRY(pair_keep(r->stage, &r->log, &record.pair, here, here, &kept, err));
    if (kept) fields_warn(from, &r->log, record.pair.id);
    return EH_STATUS_OK;
}

static eh_status parse_map(pair_reader *r, const char *text, eh_error *err) {
    const char *names[N_PAIR_SPECS];
    for (size_t i = 0; i < N_PAIR_SPECS; i++)
        names[i] = pair_specs[i].name;
    EH_TRY(map_parse(text, names, N_PAIR_SPECS, &r->map, err));
    r->table.map = &r->map;
    return EH_STATUS_OK;
}

/* A map whose names say that one answer is the better one in all rows. */
static void warn_one_sided(const pair_reader *r) {
    int side =
        map_preferred_side(r->map.paths[SPEC_ANSWER_1], r->map.paths[SPEC_ANSWER_2]);
    if (side == 0) return;
    dataset_fault fault = fault_at(DATASET_FAULT_ONE_SIDED, 0);
    fault.field = side == 1 ? EH_STR("answer_1") : EH_STR("answer_2");
    fault.detail = EH_STR("always the preferred answer: ask in both orders");
    fault_report(&r->log, fault);
}

static eh_status read_one(const dataset_options *options, pair_reader *r,
                          uint8_t file_digest[32], eh_error *err) {
    r->table = (field_table){.specs = pair_specs, .n_specs = N_PAIR_SPECS};
    if (options->map) EH_TRY(parse_map(r, options->map, err));
    buf_init(&r->meta, 2 * BUF_MAX_LINE);
    eh_status status = rows_each(&(rows_options){.path = options->path,
                                                 .format = options->format,
                                                 .table = &r->table},
                                 &r->log, take_pair, r, file_digest, err);
    buf_deinit(&r->meta);
    if (status == EH_STATUS_OK) warn_one_sided(r);
    return status;
}

eh_status dataset_read(const dataset_options *options, const dataset_stage *stage,
                       const dataset_faults *faults, dataset_counts *counts,
                       uint8_t file_digest[32], eh_error *err) {
    *counts = (dataset_counts){0};
    pair_reader r = {.log = {.sink = faults, .counts = counts}, .stage = stage};
    bool joins = options->questions || options->answers_1 || options->answers_2;
    if (joins == (options->path != NULL))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "give either one file of pairs, or questions and two files of "
                       "answers");
    EH_TRY(joins ? pairs_join(options, stage, &r.log, file_digest, err)
                 : read_one(options, &r, file_digest, err));
    if (counts->n_rows == 0 && counts->n_errors == 0)
        fault_report(&r.log, fault_at(DATASET_FAULT_NO_PAIRS, 0));
    return EH_STATUS_OK;
}

eh_status dataset_read_pairs(const char *path, const dataset_stage *stage,
                             const dataset_faults *faults, dataset_counts *counts,
                             uint8_t file_digest[32], eh_error *err) {
    dataset_options options = {.path = path};
    return dataset_read(&options, stage, faults, counts, file_digest, err);
}
