/* SPDX-License-Identifier: MIT
 *
 * Pairs from a file of questions and files of answers, joined by id.
 *
 *   answers_1 -> table 1 of the stage      questions, in their order:
 *   answers_2 -> table 2 of the stage        id -> look up in 1, 2, ... -> pairs
 *      ...                                         not there: missing_answer
 *   what is left in 1, 2, ...: unknown_id
 *
 * With two files each question is one pair; other designs choose among the answers of
 * many systems (design.c).
 *
 * The stage holds the answers, so memory does not grow with them. Position never
 * matters. Of further fields, those of the question are kept as in other data sets, and
 * those of each answer in an object of their own; where the question has a field of
 * that name, its fields stand in an object "question".
 */
#include "dataset/join.h"

#include "base/hash.h"

typedef struct text_record {
    dataset_text text;
    dataset_pair pair; /* of a question, what goes with it into the pair */
    const json_value *meta;
} text_record;

#define TEXT(member) offsetof(text_record, text.member)
#define PAIR(member) offsetof(text_record, pair.member)
#define META offsetof(text_record, meta)

static const field_spec answer_specs[] = {
    {"question_id", FIELD_ID, FIELD_REQUIRED, TEXT(id), "id"},
    {"text", FIELD_TEXT, FIELD_REQUIRED, TEXT(text), "answer"},
    {"model", FIELD_SCALAR, FIELD_OPTIONAL, TEXT(model), NULL},
    {"meta", FIELD_ANY, FIELD_OPTIONAL, META, NULL},
};

static const field_spec question_specs[] = {
    {"question_id", FIELD_ID, FIELD_REQUIRED, TEXT(id), "id"},
    {"text", FIELD_TEXT, FIELD_REQUIRED, TEXT(text), "question"},
    {"category", FIELD_SCALAR, FIELD_OPTIONAL, PAIR(category), NULL},
    {"reference", FIELD_SCALAR, FIELD_OPTIONAL, PAIR(reference), NULL},
    {"short_question", FIELD_TEXT, FIELD_OPTIONAL, PAIR(short_question), NULL},
    {"turns", FIELD_TURNS, FIELD_OPTIONAL, PAIR(turns_json), NULL},
    {"meta", FIELD_ANY, FIELD_OPTIONAL, META, NULL},
};

static const field_table answer_table = {
    .specs = answer_specs, .n_specs = sizeof answer_specs / sizeof answer_specs[0]};
static const field_table question_table = {.specs = question_specs,
                                           .n_specs = sizeof question_specs /
                                                      sizeof question_specs[0]};

enum { N_SIDES = 2 };

void joiner_init(joiner *j) {
    buf_init(&j->others, 2 * BUF_MAX_LINE);
    buf_init(&j->meta, 8 * BUF_MAX_LINE);
}

void joiner_deinit(joiner *j) {
    buf_deinit(&j->others);
    buf_deinit(&j->meta);
}

static dataset_id_kind id_kind(const dataset_row *from, const json_value *id) {
    if (from->cells) return DATASET_ID_UNTYPED;
    return id->kind == JSON_NUMBER ? DATASET_ID_NUMBER : DATASET_ID_STRING;
}

/* Reads one row of either kind; from->is_bad where it cannot be used. */
static eh_status read_text(joiner *j, const field_table *table, dataset_row *from,
                           eh_arena *arena, text_record *record, field_set *set,
                           eh_error *err) {
    *record = (text_record){.text = {.line = from->line}};
    if (!fields_find(table, from, arena, set) ||
        !fields_read(table, set, from, record, &j->log, arena))
        return row_nomem(&j->log, from, err);
    if (from->is_bad) return EH_STATUS_OK;
    record->text.id_kind = id_kind(from, set->values[0]);
    fields_write_others(set, record->meta, &j->others);
    EH_TRY(buf_check(&j->others, "a row's further fields", err));
    if (j->others.len) record->text.meta_json = buf_view(&j->others);
    return EH_STATUS_OK;
}

/* Puts a row into its table; false when its id came before. */
static eh_status put_text(joiner *j, const dataset_text *text, bool *kept,
                          eh_error *err) {
    int64_t first_line = 0;
    EH_TRY(j->stage->put_text(j->stage->self, j->table, text, &first_line, err));
    *kept = first_line == 0;
    if (*kept) return EH_STATUS_OK;
    dataset_fault fault = fault_at(DATASET_FAULT_DUPLICATE_ID, text->line);
    fault.other_line = first_line;
    fault.id = text->id;
    fault.field = EH_STR("question_id");
    fault_report(&j->log, fault);
    return EH_STATUS_OK;
}

static eh_status take_answer(void *self, dataset_row *from, eh_arena *arena,
                             eh_error *err) {
    joiner *j = self;
    text_record record;
    field_set set;
    bool kept;
    EH_TRY(read_text(j, &answer_table, from, arena, &record, &set, err));
    if (from->is_bad) return EH_STATUS_OK;
    EH_TRY(put_text(j, &record.text, &kept, err));
    if (!kept) return EH_STATUS_OK;
    j->log.counts->n_rows++;
    fields_warn(from, &j->log, record.text.id);
    if (!j->on_answer) return EH_STATUS_OK;
    return j->on_answer(j->self, j->table - DATASET_ANSWERS_1, &record.text, err);
}

/* Looks up the answers to a question; what is not there is reported. */
static eh_status find_answers(joiner *j, const dataset_text *question, eh_error *err) {
    for (int i = 0; i < j->n_answers; i++) {
        dataset_text *found = &j->found[i];
        EH_TRY(j->stage->get_text(j->stage->self, DATASET_ANSWERS_1 + i, question->id,
                                  found, &j->has[i], err));
        dataset_fault fault = fault_at(DATASET_FAULT_MISSING_ANSWER, 0);
        fault.file = j->answers[i];
        fault.id = question->id;
        if (!j->has[i]) {
            fault_report(&j->log, fault);
            continue;
        }
        bool typed = question->id_kind != DATASET_ID_UNTYPED &&
                     found->id_kind != DATASET_ID_UNTYPED;
        if (!typed || question->id_kind == found->id_kind) continue;
        fault.kind = DATASET_FAULT_ID_TYPE_DIFFERS;
        fault.line = found->line;
        fault.detail = question->id_kind == DATASET_ID_NUMBER
                           ? EH_STR("a number in the questions, a string here")
                           : EH_STR("a string in the questions, a number here");
        fault_report(&j->log, fault);
    }
    return EH_STATUS_OK;
}

static void put_part(eh_buf *out, const char *key, eh_str json) {
    if (eh_str_is_absent(json)) return;
    buf_add_char(out, out->len ? ',' : '{');
    buf_printf(out, "\"%s\":", key);
    buf_add_str(out, json);
}

/* {question's fields..., "answer_1": {...}, "answer_2": {...}}; empty without any. */
static void join_meta(joiner *j, const dataset_row *question, eh_str question_json,
                      const dataset_text *one, const dataset_text *two) {
    bool clash = json_get(question->object, "answer_1") ||
                 json_get(question->object, "answer_2") ||
                 json_get(json_get(question->object, "meta"), "answer_1") ||
                 json_get(json_get(question->object, "meta"), "answer_2");
    buf_reset(&j->meta);
    if (clash)
        put_part(&j->meta, "question", question_json);
    else if (question_json.len) /* all of it but the closing brace */
        buf_add(&j->meta, question_json.ptr, question_json.len - 1);
    put_part(&j->meta, "answer_1", one->meta_json);
    put_part(&j->meta, "answer_2", two->meta_json);
    if (j->meta.len) buf_add_char(&j->meta, '}');
}

eh_status joiner_put(joiner *j, const joined_question *q, eh_str id, int a, int b,
                     eh_error *err) {
    const dataset_text *one = &j->found[a], *two = &j->found[b];
    dataset_pair pair = q->pair;
    bool kept;
    pair.id = id;
    pair.answer_1 = one->text;
    pair.answer_2 = two->text;
    pair.model_1 = one->model;
    pair.model_2 = two->model;
    join_meta(j, q->row, q->meta_json, one, two);
    EH_TRY(buf_check(&j->meta, "a pair's further fields", err));
    if (j->meta.len) pair.meta_json = buf_view(&j->meta);
    EH_TRY(pair_keep(j->stage, &j->log, &pair, (pair_place){j->answers[a], one->line},
                     (pair_place){j->answers[b], two->line}, &kept, err));
    if (kept) fields_warn(q->row, &j->log, pair.id);
    return EH_STATUS_OK;
}

static eh_status take_question(void *self, dataset_row *from, eh_arena *arena,
                               eh_error *err) {
    joiner *j = self;
    text_record record;
    field_set set;
    bool kept;
    EH_TRY(read_text(j, &question_table, from, arena, &record, &set, err));
    if (from->is_bad) return EH_STATUS_OK;
    dataset_text only_id = {
        .id = record.text.id, .id_kind = record.text.id_kind, .line = from->line};
    EH_TRY(put_text(j, &only_id, &kept, err));
    if (!kept) return EH_STATUS_OK;
    EH_TRY(find_answers(j, &record.text, err));
    joined_question q = {.row = from,
                         .text = &record.text,
                         .pair = record.pair,
                         .meta_json = record.text.meta_json};
    q.pair.question = record.text.text;
    q.pair.file = j->log.file;
    q.pair.line = from->line;
    return j->emit(j, &q, err);
}

static void report_left(void *to, const dataset_text *text) {
    const joiner *j = to;
    dataset_fault fault = fault_at(DATASET_FAULT_UNKNOWN_ID, text->line);
    fault.file = j->answers[j->table - DATASET_ANSWERS_1];
    fault.id = text->id;
    fault.detail = EH_STR("no question has it");
    fault_report(&j->log, fault);
}

eh_status joiner_report_left(joiner *j, eh_error *err) {
    for (int i = 0; i < j->n_answers; i++) {
        j->table = DATASET_ANSWERS_1 + i;
        EH_TRY(j->stage->each_left(j->stage->self, j->table, report_left, j, err));
    }
    return EH_STATUS_OK;
}

eh_status joiner_read(joiner *j, const char *path, dataset_format format, int table,
                      uint8_t digest[32], eh_error *err) {
    bool is_questions = table == DATASET_QUESTIONS;
    j->table = table;
    if (is_questions) j->log.counts->n_rows = 0; /* answers are no pairs */
    return rows_each(
        &(rows_options){.path = path,
                        .format = format,
                        .table = is_questions ? &question_table : &answer_table},
        &j->log, is_questions ? take_question : take_answer, j, digest, err);
}

/* ---- one pair a question ---- */

static eh_status emit_pair(joiner *j, const joined_question *q, eh_error *err) {
    if (!j->has[0] || !j->has[1]) return EH_STATUS_OK;
    return joiner_put(j, q, q->text->id, 0, 1, err);
}

static eh_status join_files(joiner *j, const dataset_options *o, uint8_t digest[32],
                            eh_error *err) {
    uint8_t digests[1 + N_SIDES][HASH_BYTES];
    for (int i = 0; i < N_SIDES; i++)
        EH_TRY(joiner_read(j, j->answers[i], o->format, DATASET_ANSWERS_1 + i,
                           digests[1 + i], err));
    EH_TRY(joiner_read(j, o->questions, o->format, DATASET_QUESTIONS, digests[0], err));
    EH_TRY(joiner_report_left(j, err));
    eh_hash hash;
    hash_init(&hash, "eh-files-1");
    for (int i = 0; i <= N_SIDES; i++)
        hash_str(&hash, (eh_str){(const char *)digests[i], HASH_BYTES});
    if (digest) hash_done(&hash, digest);
    return EH_STATUS_OK;
}

eh_status pairs_join(const dataset_options *options, const dataset_stage *stage,
                     fault_log *log, uint8_t file_digest[32], eh_error *err) {
    const char *paths[] = {options->questions, options->answers_1, options->answers_2};
    int n_stdin = 0;
    for (int i = 0; i <= N_SIDES; i++) {
        if (!paths[i])
            return EH_FAIL(err, EH_STATUS_USAGE, "questions need two files of answers");
        n_stdin += strcmp(paths[i], "-") == 0;
    }
    if (n_stdin > 1)
        return EH_FAIL(err, EH_STATUS_USAGE, "only one file can be standard input");
    if (options->map)
        return EH_FAIL(
            err, EH_STATUS_USAGE,
            "--map is for one file of pairs; of questions and answers rename the "
            "fields in the files");
    log->file = options->questions;
    dataset_text found[N_SIDES];
    bool has[N_SIDES];
    joiner j = {.log = *log,
                .stage = stage,
                .answers = paths + 1,
                .n_answers = N_SIDES,
                .found = found,
                .has = has,
                .emit = emit_pair};
    joiner_init(&j);
    eh_status status = join_files(&j, options, file_digest, err);
    joiner_deinit(&j);
    return status;
}
