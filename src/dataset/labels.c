/* SPDX-License-Identifier: MIT
 *
 * Label rows: the table of their fields.
 *
 * One annotator may label a pair more than once (a mind was changed, a pair came
 * again): all rows are handed on, which of them counts is for the ledger to say. Times
 * are kept as text, since other tools write them in many ways.
 */
#include "dataset/labels.h"

#include <stdio.h>

#include "dataset/rows.h"

#define AT(member) offsetof(dataset_label, member)

static const field_spec label_specs[] = {
    {"pair_id", FIELD_ID, FIELD_REQUIRED, AT(pair_id), NULL},
    {"annotator", FIELD_ID, FIELD_REQUIRED, AT(annotator), NULL},
    {"label", FIELD_VERDICT, FIELD_REQUIRED, AT(label), NULL},
    {"side", FIELD_ORDER, FIELD_OPTIONAL, AT(side), NULL},
    {"familiar", FIELD_FLAG, FIELD_OPTIONAL, AT(familiar), NULL},
    {"note", FIELD_TEXT, FIELD_OPTIONAL, AT(note), NULL},
    {"adjudicated", FIELD_FLAG, FIELD_OPTIONAL, AT(adjudicated), NULL},
    {"unblind", FIELD_FLAG, FIELD_OPTIONAL, AT(unblind), NULL},
    {"time", FIELD_SCALAR, FIELD_OPTIONAL, AT(time), NULL},
};

static const field_table label_table = {
    .specs = label_specs,
    .n_specs = sizeof label_specs / sizeof label_specs[0],
};

typedef struct label_reader {
    fault_log log;
    const dataset_label_sink *sink;
} label_reader;

static eh_status take_label(void *self, dataset_row *from, eh_arena *arena,
                            eh_error *err) {
    label_reader *r = self;
    dataset_label label = {
        .file = r->log.file, .line = from->line, .side = EH_ORDER_N, .familiar = -1};
    field_set set;
    if (!fields_find(&label_table, from, arena, &set) ||
        !fields_read(&label_table, &set, from, &label, &r->log, arena))
        return row_nomem(&r->log, from, err);
    if (from->is_bad) return EH_STATUS_OK;
    label.has_side = label.side != EH_ORDER_N;
    r->log.counts->n_rows++;
    fields_warn(from, &r->log, label.pair_id);
    return r->sink->take(r->sink->self, &label, err);
}

eh_status dataset_read_labels(const char *path, const dataset_label_sink *sink,
                              const dataset_faults *faults, dataset_counts *counts,
                              eh_error *err) {
    *counts = (dataset_counts){0};
    label_reader r = {.log = {.sink = faults, .counts = counts}, .sink = sink};
    return rows_each(&(rows_options){.path = path, .table = &label_table}, &r.log,
                     take_label, &r, NULL, err);
}

/* ---- tasks ---- */

#define TASK_AT(member) offsetof(dataset_task, member)

static const field_spec task_specs[] = {
    {"item", FIELD_ID, FIELD_REQUIRED, TASK_AT(item), NULL},
    {"choice", FIELD_TEXT, FIELD_OPTIONAL, TASK_AT(choice), NULL},
    {"familiar", FIELD_FLAG, FIELD_OPTIONAL, TASK_AT(familiar), NULL},
    {"note", FIELD_TEXT, FIELD_OPTIONAL, TASK_AT(note), NULL},
};

static const field_table task_table = {
    .specs = task_specs,
    .n_specs = sizeof task_specs / sizeof task_specs[0],
};

typedef struct task_reader {
    fault_log log;
    const dataset_task_sink *sink;
} task_reader;

static eh_status take_task(void *self, dataset_row *from, eh_arena *arena,
                           eh_error *err) {
    task_reader *r = self;
    dataset_task task = {.file = r->log.file, .line = from->line, .familiar = -1};
    field_set set;
    if (!fields_find(&task_table, from, arena, &set) ||
        !fields_read(&task_table, &set, from, &task, &r->log, arena))
        return row_nomem(&r->log, from, err);
    if (from->is_bad) return EH_STATUS_OK;
    r->log.counts->n_rows++;
    fields_warn(from, &r->log, task.item);
    return r->sink->take(r->sink->self, &task, err);
}

eh_status dataset_read_tasks(const char *path, const dataset_task_sink *sink,
                             const dataset_faults *faults, dataset_counts *counts,
                             eh_error *err) {
    *counts = (dataset_counts){0};
    task_reader r = {.log = {.sink = faults, .counts = counts}, .sink = sink};
    return rows_each(&(rows_options){.path = path, .table = &task_table}, &r.log,
                     take_task, &r, NULL, err);
}

bool dataset_is_tasks(const char *path) {
    char head[512];
    FILE *in = fopen(path, "rb");
    if (!in) return false;
    size_t n = fread(head, 1, sizeof head, in);
    (void)fclose(in);
    /* our own tasks begin with the item, in JSONL and in CSV */
    eh_str text = {head, n};
    if (eh_str_begins(text, EH_STR("\xEF\xBB\xBF"))) text = eh_str_slice(text, 3, n);
    return eh_str_begins(text, EH_STR("{\"item\"")) ||
           eh_str_begins(text, EH_STR("item,")) ||
           eh_str_begins(text, EH_STR("item;")) ||
           eh_str_begins(text, EH_STR("\"item\""));
}
