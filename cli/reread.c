/* SPDX-License-Identifier: MIT
 *
 * Re-reading a ledger, in words: what changed, from what to what, and how often. With
 * --json there is a line for each reply that changed instead.
 */
#include "reread.h"

#include "base/json_write.h"
#include "common.h"
#include "run/reread.h"

typedef struct change_writer {
    bool json;
    eh_buf out;
} change_writer;

static void put_number(json_writer *w, bool has, double value) {
    if (has)
        json_f64(w, value);
    else
        json_null(w);
}

static void put_reading(json_writer *w, const char *key, const verdict_result *r) {
    json_key(w, key);
    json_object_begin(w);
    json_put_cstr(w, "verdict", eh_verdict_name(r->verdict));
    json_key(w, "score_1");
    put_number(w, r->has_scores, r->score_1);
    json_key(w, "score_2");
    put_number(w, r->has_scores && r->verdict != EH_VERDICT_SCORED, r->score_2);
    json_put_cstr(w, "reason",
                  r->verdict == EH_VERDICT_NONE ? verdict_reason_name(r->reason)
                                                : NULL);
    json_object_end(w);
}

static void on_change(void *self, const run_reread_change *c) {
    change_writer *cw = self;
    if (!cw->json) return;
    json_writer w;
    json_writer_init(&w, &cw->out, 0);
    json_object_begin(&w);
    json_put_i64(&w, "call", c->call_row);
    json_put_str(&w, "judge", c->judge);
    put_reading(&w, "before", c->before);
    put_reading(&w, "after", c->after);
    json_object_end(&w);
    buf_add_char(&cw->out, '\n');
}

static void put_counts(const run_reread_counts *c, bool dry_run, eh_buf *out) {
    static const char *const names[EH_VERDICT_N] = {"none", "1", "2", "tie", "a score"};
    buf_printf(out, "%lld replies, %lld read again, %lld %s\n", (long long)c->n_replies,
               (long long)c->n_read, (long long)c->n_changed,
               dry_run ? "would change" : "changed");
    if (c->n_skipped)
        buf_printf(out, "%lld were recorded elsewhere; -t reads them by a template\n",
                   (long long)c->n_skipped);
    for (int before = 0; before < EH_VERDICT_N; before++)
        for (int after = 0; after < EH_VERDICT_N; after++)
            if (before != after && c->moves[before][after])
                buf_printf(out, "  %6lld from %s to %s\n",
                           (long long)c->moves[before][after], names[before],
                           names[after]);
}

eh_status cmd_reread(const cli_args *args, const prompt_template *t, eh_error *err) {
    change_writer cw = {.json = args_flag(args, OPT_json)};
    run_reread_options options = {.t = t,
                                  .dry_run = args_flag(args, OPT_dry_run),
                                  .on_change = on_change,
                                  .self = &cw};
    run_reread_counts counts;
    ledger *l;
    EH_TRY(ledger_open(args_str(args, OPT_reread),
                       options.dry_run ? LEDGER_READ : LEDGER_WRITE, &l, err));
    buf_init(&cw.out, BUF_MAX_REPORT);
    eh_status status = run_reread(l, &options, &counts, err);
    eh_status closed = ledger_close(l, status == EH_STATUS_OK ? err : NULL);
    if (status == EH_STATUS_OK) status = closed;
    if (status == EH_STATUS_OK && !cw.json)
        put_counts(&counts, options.dry_run, &cw.out);
    if (status == EH_STATUS_OK) status = buf_check(&cw.out, "the changes", err);
    if (status == EH_STATUS_OK)
        status = common_print_result(args, buf_view(&cw.out), err);
    buf_deinit(&cw.out);
    return status;
}
