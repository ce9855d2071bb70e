/* SPDX-License-Identifier: MIT
 *
 * evenhand merge: one ledger out of several.
 *
 * The work is the ledger's (ledger/merge.h); here is what a person is told: what each
 * file added, and every label that two files disagree on. The new file appears whole or
 * not at all.
 */
#include <stdio.h>
#include <unistd.h>

#include "base/json_write.h"
#include "common.h"
#include "ledger/merge.h"
#include "report/write.h"

enum { CONFLICTS_SHOWN = 20 };

typedef struct merge_cmd {
    const cli_args *args;
    const char *source; /* the file that is being added */
    int64_t n_conflicts, n_calls, n_labels;
    eh_buf out;
    bool json;
    json_writer w;
} merge_cmd;

static void say_conflict(void *self, const ledger_label_conflict *c) {
    merge_cmd *m = self;
    if (m->n_conflicts++ >= CONFLICTS_SHOWN) return;
    cmd_warn(m->args,
             "pair %.*s: %.*s says %s, and %s in %s; the "
             "%s label stays",
             EH_STR_ARG(c->pair_id), EH_STR_ARG(c->annotator),
             eh_verdict_name(c->before), eh_verdict_name(c->source), m->source,
             c->takes_source ? "latter" : "former");
}

static void say_hidden(const merge_cmd *m) {
    if (m->n_conflicts > CONFLICTS_SHOWN)
        cmd_warn(m->args, "%lld more labels that disagree are not shown",
                 (long long)(m->n_conflicts - CONFLICTS_SHOWN));
}

/* What is not simply a union. */
static void say_clashes(const merge_cmd *m, const ledger_merge_counts *c) {
    if (c->n_other_texts)
        cmd_warn(m->args,
                 "%s: %lld pair%s of the same id with other texts (first: %s); "
                 "the former texts stay in the scope",
                 m->source, (long long)c->n_other_texts,
                 c->n_other_texts == 1 ? "" : "s", c->first_other_texts);
    if (c->n_other_asks)
        cmd_warn(m->args,
                 "%s: %lld sample%s with another verdict than before; the "
                 "former stay",
                 m->source, (long long)c->n_other_asks,
                 c->n_other_asks == 1 ? "" : "s");
}

static void say_queue(const merge_cmd *m, const ledger_merge_counts *c) {
    if (c->leaves_queue)
        cmd_warn(m->args,
                 "%s: the labelling queue is not taken along, since a file "
                 "before it has one; its labels are",
                 m->source);
}

static void add_head(eh_buf *out) {
    static const char *const heads[] = {"pairs", "new",    "calls",
                                        "new",   "labels", "new"};
    report_head(out, "", heads, 6);
}

static void add_source(merge_cmd *m, const ledger_merge_counts *c) {
    report_name(&m->out, eh_str_of(m->source));
    report_cell_count(&m->out, c->n_pairs);
    report_cell_count(&m->out, c->n_new_pairs);
    report_cell_count(&m->out, c->n_calls);
    report_cell_count(&m->out, c->n_new_calls);
    report_cell_count(&m->out, c->n_labels);
    report_cell_count(&m->out, c->n_new_labels);
    buf_add_char(&m->out, '\n');
    if (c->n_newer + c->n_older)
        buf_printf(&m->out,
                   "  " LAYOUT_HANG
                   "%s: %lld calls were answered before as well, %lld of them here "
                   "later; the later reply counts, the earlier one is kept\n",
                   m->source, (long long)(c->n_newer + c->n_older),
                   (long long)c->n_newer);
}

/* ---- as JSON ---- */

static void put_count(merge_cmd *m, const char *key, int64_t n) {
    json_put_i64(&m->w, key, n);
}

static void put_head(merge_cmd *m) {
    json_writer_init(&m->w, &m->out, 1);
    json_object_begin(&m->w);
    put_count(m, "merge", 1);
    json_key(&m->w, "sources");
    json_array_begin(&m->w);
}

static void put_source(merge_cmd *m, const ledger_merge_counts *c,
                       int64_t n_conflicts) {
    json_object_begin(&m->w);
    json_put_cstr(&m->w, "file", m->source);
    put_count(m, "pairs", c->n_pairs);
    put_count(m, "new_pairs", c->n_new_pairs);
    put_count(m, "calls", c->n_calls);
    put_count(m, "new_calls", c->n_new_calls);
    put_count(m, "newer_calls", c->n_newer);
    put_count(m, "older_calls", c->n_older);
    put_count(m, "labels", c->n_labels);
    put_count(m, "new_labels", c->n_new_labels);
    put_count(m, "label_conflicts", n_conflicts);
    put_count(m, "other_texts", c->n_other_texts);
    put_count(m, "other_verdicts", c->n_other_asks);
    json_put_bool(&m->w, "queue_left_out", c->leaves_queue);
    json_object_end(&m->w);
}

static void put_total(merge_cmd *m, int64_t n_pairs) {
    json_array_end(&m->w);
    json_put_cstr(&m->w, "file", args_str(m->args, OPT_output));
    put_count(m, "pairs", n_pairs);
    put_count(m, "calls", m->n_calls);
    put_count(m, "labels", m->n_labels);
    json_object_end(&m->w);
    buf_add_char(&m->out, '\n');
}

/* ---- all of them ---- */

static eh_status add_total(merge_cmd *m, ledger *l, eh_error *err) {
    int64_t n_pairs;
    EH_TRY(ledger_count_pairs(l, &n_pairs, err));
    if (m->json) {
        put_total(m, n_pairs);
        return EH_STATUS_OK;
    }
    report_name(&m->out, eh_str_of(args_str(m->args, OPT_output)));
    report_cell_count(&m->out, n_pairs);
    buf_add_cstr(&m->out, LAYOUT_CELL);
    report_cell_count(&m->out, m->n_calls);
    buf_add_cstr(&m->out, LAYOUT_CELL);
    report_cell_count(&m->out, m->n_labels);
    buf_add_char(&m->out, '\n');
    return EH_STATUS_OK;
}

static eh_status merge_all(merge_cmd *m, ledger *l, eh_error *err) {
    ledger_merge_options options = {.on_label_conflict = say_conflict, .self = m};
    if (m->json)
        put_head(m);
    else
        add_head(&m->out);
    for (int i = 0; i < m->args->n_operands; i++) {
        ledger_merge_counts counts;
        int64_t n_conflicts_before = m->n_conflicts;
        m->source = m->args->operands[i];
        EH_TRY(ledger_merge(l, m->source, &options, &counts, err));
        say_clashes(m, &counts);
        say_queue(m, &counts);
        if (m->json)
            put_source(m, &counts, m->n_conflicts - n_conflicts_before);
        else
            add_source(m, &counts);
        m->n_calls += counts.n_new_calls;
        m->n_labels += counts.n_new_labels;
    }
    say_hidden(m);
    return add_total(m, l, err);
}

static eh_status write_ledger(merge_cmd *m, eh_error *err) {
    const char *path = args_str(m->args, OPT_output);
    ledger *l;
    if (m->args->n_operands < 2)
        return EH_FAIL(err, EH_STATUS_USAGE, "two ledgers or more are needed");
    if (access(path, F_OK) == 0)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "%s is there already; merge writes a new ledger", path);
    EH_TRY(ledger_open(path, LEDGER_CREATE, &l, err));
    eh_status status = merge_all(m, l, err);
    eh_status closed = ledger_close(l, status == EH_STATUS_OK ? err : NULL);
    if (status == EH_STATUS_OK) status = closed;
    if (status != EH_STATUS_OK) (void)unlink(path);
    return status;
}

int cmd_merge(const cli_args *args) {
    merge_cmd m = {.args = args, .json = args_flag(args, OPT_json)};
    eh_error err;
    buf_init(&m.out, BUF_MAX_REPORT);
    eh_status status = write_ledger(&m, &err);
    if (status == EH_STATUS_OK) return common_print(args, &m.out, "what was merged");
    buf_deinit(&m.out);
    return cmd_fail(args, &err);
}
