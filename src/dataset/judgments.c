/* SPDX-License-Identifier: MIT
 *
 * Judgment rows: the table of their fields, and the two forms of a reply.
 *
 *   "reply": "Score of the Assistant 1: 8 ..."                  the text
 *   "reply": {"content": "...", "finish_reason": "length"}      the text and its fate
 *   "reply": null, or no such field                             no reply was recorded
 *
 * What an object says beside its content may also stand beside a text, so that rows are
 * flat; in CSV that is the only form, since there a reply is the text of its cell,
 * whatever that looks like. Of an object only four texts are read; tool calls and
 * whatever else an endpoint adds are not. Nothing is concluded here: a row whose scores
 * contradict its verdict is handed on as it stands.
 */
#include "dataset/judgments.h"

#include <math.h>

#include "dataset/judgments_plain.h"
#include "dataset/rows.h"
#include "dataset/tree.h"

typedef struct judgment_record {
    dataset_judgment row;
    const json_value *reply;
} judgment_record;

#define AT(member) offsetof(judgment_record, row.member)

static const field_spec judgment_specs[] = {
    {"pair_id", FIELD_ID, FIELD_REQUIRED, AT(pair_id), NULL},
    {"judge", FIELD_SCALAR, FIELD_OPTIONAL, AT(judge), NULL},
    {"order", FIELD_ORDER, FIELD_REQUIRED, AT(order), NULL},
    {"sample", FIELD_COUNT, FIELD_REQUIRED, AT(sample), NULL},
    {"reply", FIELD_REPLY, FIELD_OPTIONAL, offsetof(judgment_record, reply), NULL},
    {"verdict", FIELD_VERDICT, FIELD_OPTIONAL, AT(verdict), NULL},
    {"score_1", FIELD_NUMBER, FIELD_OPTIONAL, AT(score_1), NULL},
    {"score_2", FIELD_NUMBER, FIELD_OPTIONAL, AT(score_2), NULL},
    {"rating", FIELD_COUNT, FIELD_OPTIONAL, AT(rating), NULL},
    {"reason", FIELD_TEXT, FIELD_OPTIONAL, AT(reason), NULL},
    {"finish_reason", FIELD_TEXT, FIELD_OPTIONAL, AT(finish_reason), NULL},
    {"reasoning_content", FIELD_TEXT, FIELD_OPTIONAL, AT(reasoning_content), NULL},
    {"refusal", FIELD_TEXT, FIELD_OPTIONAL, AT(refusal), NULL},
};

static const field_table judgment_table = {
    .specs = judgment_specs,
    .n_specs = sizeof judgment_specs / sizeof judgment_specs[0],
};

static const struct {
    const char *key;
    size_t offset;
} reply_texts[] = {
    {"content", offsetof(dataset_judgment, reply)},
    {"finish_reason", offsetof(dataset_judgment, finish_reason)},
    {"reasoning_content", offsetof(dataset_judgment, reasoning_content)},
    {"refusal", offsetof(dataset_judgment, refusal)},
};

typedef struct judgment_reader {
    fault_log log;
    const dataset_judgment_sink *sink;
} judgment_reader;

static void refuse_reply(judgment_reader *r, dataset_row *from,
                         const dataset_judgment *j, const char *detail) {
    fields_refuse(from, &r->log, DATASET_FAULT_WRONG_TYPE, j->pair_id, "reply", detail);
}

static void read_reply_object(judgment_reader *r, dataset_row *from,
                              const json_value *reply, dataset_judgment *j,
                              eh_arena *arena) {
    j->reply = EH_STR(""); /* what null content means */
    for (size_t i = 0; i < sizeof reply_texts / sizeof reply_texts[0]; i++) {
        const json_value *v = json_get(reply, reply_texts[i].key);
        if (!v || v->kind == JSON_NULL) continue;
        if (v->kind == JSON_STRING)
            *(eh_str *)((char *)j + reply_texts[i].offset) = v->text;
        else
            refuse_reply(r, from, j,
                         arena_printf(arena, "its %s must be a string, not %s",
                                      reply_texts[i].key, tree_kind_name(v)));
    }
}

static void read_reply(judgment_reader *r, dataset_row *from, const json_value *reply,
                       dataset_judgment *j, eh_arena *arena) {
    j->has_reply = true;
    if (reply->kind == JSON_STRING)
        j->reply = reply->text;
    else if (reply->kind == JSON_OBJECT)
        read_reply_object(r, from, reply, j, arena);
    else
        refuse_reply(r, from, j,
                     arena_printf(arena, "a string or an object is needed, not %s",
                                  tree_kind_name(reply)));
}

static eh_status take_judgment(void *self, dataset_row *from, eh_arena *arena,
                               eh_error *err) {
    judgment_reader *r = self;
    judgment_record record = {
        .row = {
            .file = r->log.file, .line = from->line, .score_1 = NAN, .score_2 = NAN}};
    dataset_judgment *j = &record.row;
    field_set set;
    if (!fields_find(&judgment_table, from, arena, &set) ||
        !fields_read(&judgment_table, &set, from, &record, &r->log, arena))
        return row_nomem(&r->log, from, err);
    if (!json_get(from->object, "verdict") && !json_get(from->object, "reply"))
        fields_refuse(from, &r->log, DATASET_FAULT_MISSING_FIELD, j->pair_id, "verdict",
                      "neither a verdict nor a reply");
    if (record.reply) read_reply(r, from, record.reply, j, arena);
    if (j->rating > 5)
        fields_refuse(from, &r->log, DATASET_FAULT_WRONG_TYPE, j->pair_id, "rating",
                      "a number from 1 to 5 is needed");
    if (from->is_bad) return EH_STATUS_OK;
    j->has_scores = !isnan(j->score_1) && !isnan(j->score_2);
    if (!j->has_scores) j->score_1 = j->score_2 = 0;
    r->log.counts->n_rows++;
    fields_warn(from, &r->log, j->pair_id);
    if (r->sink->no_replies)
        j->reply = j->finish_reason = j->reasoning_content = j->refusal =
            (eh_str){NULL, 0};
    return r->sink->take(r->sink->self, j, err);
}

/* The reply of a plain row: its text as it stands, or what its escapes stand for. */
static eh_status plain_reply(const plain_judgment *plain, eh_arena *arena,
                             eh_str *reply, eh_error *err) {
    *reply = eh_str_slice(plain->reply, 1, plain->reply.len - 1);
    if (!plain->reply_has_escape) return EH_STATUS_OK;
    bool ok = json_decode_string(plain->reply, arena, reply);
    return ok ? EH_STATUS_OK : EH_NOMEM(err);
}

static eh_status take_plain(void *self, const text_line *line, eh_arena *arena,
                            bool *taken, eh_error *err) {
    judgment_reader *r = self;
    plain_judgment plain;
    *taken = judgment_read_plain(line->text, &plain);
    if (!*taken) return EH_STATUS_OK;
    dataset_judgment *j = &plain.row;
    j->file = r->log.file;
    j->line = line->number;
    if (j->has_reply && !r->sink->no_replies)
        EH_TRY(plain_reply(&plain, arena, &j->reply, err));
    r->log.counts->n_rows++;
    return r->sink->take(r->sink->self, j, err);
}

eh_status dataset_read_judgments_from(source *src, const char *path,
                                      const dataset_judgment_sink *sink,
                                      const dataset_faults *faults,
                                      dataset_counts *counts, eh_error *err) {
    *counts = (dataset_counts){0};
    judgment_reader r = {.log = {.sink = faults, .counts = counts}, .sink = sink};
    return rows_each(&(rows_options){.path = path,
                                     .src = src,
                                     .table = &judgment_table,
                                     .tail_may_be_cut = true,
                                     .take_line = take_plain},
                     &r.log, take_judgment, &r, NULL, err);
}

eh_status dataset_read_judgments(const char *path, const dataset_judgment_sink *sink,
                                 const dataset_faults *faults, dataset_counts *counts,
                                 eh_error *err) {
    return dataset_read_judgments_from(NULL, path, sink, faults, counts, err);
}
