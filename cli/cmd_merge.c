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

#include "common.h"
#include "ledger/merge.h"

enum { CONFLICTS_SHOWN = 20 };

typedef struct merge_cmd {
    const cli_args *args;
    const char *source; /* the file that is being added */
    int64_t n_conflicts, n_calls, n_labels;
    eh_buf out;
} merge_cmd;

static void say_conflict(void *self, const ledger_label_conflict *c) {
    merge_cmd *m = self;
    if (m->n_conflicts++ >= CONFLICTS_SHOWN) return;
    (void)fprintf(stderr,
                  "evenhand merge: warning: pair %.*s: %.*s says %s, and %s in %s; the "
                  "%s label stays\n",
                  EH_STR_ARG(c->pair_id), EH_STR_ARG(c->annotator),
                  eh_verdict_name(c->before), eh_verdict_name(c->source), m->source,
                  c->takes_source ? "latter" : "former");
}

static void say_hidden(const merge_cmd *m) {
    if (m->n_conflicts > CONFLICTS_SHOWN)
        (void)fprintf(stderr,
                      "evenhand merge: warning: and %lld more labels that disagree\n",
                      (long long)(m->n_conflicts - CONFLICTS_SHOWN));
}

/* What is not simply a union. */
static void say_clashes(const merge_cmd *m, const ledger_merge_counts *c) {
    if (c->n_other_texts)
        (void)fprintf(stderr,
                      "evenhand merge: warning: %s: %lld pair%s of the same id with "
                      "other texts (first: %s); the former texts stay in the scope\n",
                      m->source, (long long)c->n_other_texts,
                      c->n_other_texts == 1 ? "" : "s", c->first_other_texts);
    if (c->n_other_asks)
        (void)fprintf(stderr,
                      "evenhand merge: warning: %s: %lld sample%s with another verdict "
                      "than before; the former stay\n",
                      m->source, (long long)c->n_other_asks,
                      c->n_other_asks == 1 ? "" : "s");
}

static void say_queue(const merge_cmd *m, const ledger_merge_counts *c) {
    if (c->leaves_queue)
        (void)fprintf(stderr,
                      "evenhand merge: warning: %s: the labelling queue is not taken "
                      "along, since a file before it has one; its labels are\n",
                      m->source);
}

static void add_head(eh_buf *out) {
    buf_printf(out, "%9s %9s %9s %9s %9s %9s\n", "pairs", "new", "calls", "new",
               "labels", "new");
}

static void add_source(merge_cmd *m, const ledger_merge_counts *c) {
    buf_printf(&m->out, "%9lld %9lld %9lld %9lld %9lld %9lld  %s\n",
               (long long)c->n_pairs, (long long)c->n_new_pairs, (long long)c->n_calls,
               (long long)c->n_new_calls, (long long)c->n_labels,
               (long long)c->n_new_labels, m->source);
    if (c->n_newer + c->n_older)
        buf_printf(&m->out,
                   "%s: %lld calls were answered before as well, %lld of them here "
                   "later;\nthe later reply counts, the earlier one is kept\n",
                   m->source, (long long)(c->n_newer + c->n_older),
                   (long long)c->n_newer);
    m->n_calls += c->n_new_calls;
    m->n_labels += c->n_new_labels;
}

static eh_status add_total(merge_cmd *m, ledger *l, eh_error *err) {
    int64_t n_pairs;
    EH_TRY(ledger_count_pairs(l, &n_pairs, err));
    buf_printf(&m->out, "%9lld %9s %9lld %9s %9lld %9s  %s\n", (long long)n_pairs, "",
               (long long)m->n_calls, "", (long long)m->n_labels, "",
               args_str(m->args, OPT_output));
    return EH_STATUS_OK;
}

static eh_status merge_all(merge_cmd *m, ledger *l, eh_error *err) {
    ledger_merge_options options = {.on_label_conflict = say_conflict, .self = m};
    add_head(&m->out);
    for (int i = 0; i < m->args->n_operands; i++) {
        ledger_merge_counts counts;
        m->source = m->args->operands[i];
        EH_TRY(ledger_merge(l, m->source, &options, &counts, err));
        say_clashes(m, &counts);
        say_queue(m, &counts);
        add_source(m, &counts);
    }
    say_hidden(m);
    return add_total(m, l, err);
}

static eh_status write_ledger(merge_cmd *m, eh_error *err) {
    const char *path = args_str(m->args, OPT_output);
    ledger *l;
    if (m->args->n_operands < 2)
        return EH_FAIL(err, EH_STATUS_USAGE, "two ledgers are needed at least");
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
    merge_cmd m = {.args = args};
    eh_error err;
    buf_init(&m.out, BUF_MAX_REPORT);
    eh_status status = write_ledger(&m, &err);
    if (status == EH_STATUS_OK) return common_print(args, &m.out, "what was merged");
    buf_deinit(&m.out);
    return cmd_fail(args, &err);
}
