/* SPDX-License-Identifier: MIT
 *
 * evenhand drift: ask a sample of a run again and say whether the judge has changed.
 *
 * The judge, its template and its parameters are taken from the ledger; only keys and a
 * new address have to be given. The new replies are kept beside the run's own, which
 * they do not touch.
 */
#include <stdio.h>

#include "common.h"
#include "progress.h"
#include "run/drift.h"

typedef struct drift_cmd {
    const cli_args *args;
    eh_clock clock;
    eh_arena arena;
    tally_view *view;
    eh_str name; /* of the judge */
    run_again again;
    run_drift_options options;
    report_drift found;
    run_result result;
    eh_buf out;
    int exit_status;
} drift_cmd;

static eh_status pick_view(drift_cmd *c, ledger *l, eh_error *err) {
    tally_view *views;
    eh_str *names;
    size_t n, index;
    EH_TRY(tally_views(l, EH_STR(""), &c->arena, &views, &n, err));
    EH_TRY(tally_view_names(views, n, &c->arena, &names, err));
    EH_TRY(common_pick(names, n, args_str(c->args, OPT_judge), c->args->operands[0],
                       &index, err));
    c->view = &views[index];
    c->name = names[index];
    return EH_STATUS_OK;
}

/* What to do where the pass did not come to its end. */
static void say_end(drift_cmd *c) {
    const run_result *r = &c->result;
    const char *again = "the same command goes on from here";
    if (r->progress.n_no_result)
        cmd_say(c->args, "%lld call%s gave no result; the same command asks again",
                (long long)r->progress.n_no_result,
                r->progress.n_no_result == 1 ? "" : "s");
    if (r->end == RUN_END_INTERRUPTED) {
        cmd_say(c->args, "interrupted; %s", again);
        c->exit_status = eh_status_exit(EH_STATUS_INTERRUPTED);
    } else if (r->end == RUN_END_STOPPED) {
        cmd_say(c->args, "%s", r->stop_message);
        c->exit_status = eh_status_exit(EH_STATUS_ENDPOINT);
    }
    if (args_flag(c->args, OPT_quiet)) return;
    cmd_say(c->args, "%lld new call%s%s", (long long)r->progress.n_new,
            r->progress.n_new == 1 ? "" : "s",
            r->refresh.resumed ? ", the rest of a pass that was cut short" : "");
}

static eh_status ask(drift_cmd *c, ledger *l, eh_error *err) {
    progress_view view;
    judge_http_options http = common_endpoint(c->args);
    run_again_options again = {
        .judge = eh_str_of(args_str(c->args, OPT_ask)),
        .http = &http,
        .concurrency = (int)args_i64(c->args, OPT_concurrency, 16),
        .clock = c->clock,
    };
    EH_TRY(run_again_open(l, c->view, &again, &c->again, err));
    progress_init(&view, c->args, c->clock);
    run_options run = {
        .setup = c->again.setup,
        .concurrency = again.concurrency,
        .limit = -1,
        .interrupted = common_interrupts(),
        .clock = c->clock,
        .on_progress = progress_show,
        .self = &view,
    };
    eh_status status = run_drift_ask(l, c->view, &c->options, &run, &c->result, err);
    progress_end(&view);
    if (status == EH_STATUS_OK) say_end(c);
    return status;
}

static eh_status look(drift_cmd *c, ledger *l, eh_error *err) {
    report_drift *d = &c->found;
    EH_TRY(run_drift_look(l, c->view, &c->options, &c->arena, d, err));
    d->ledger = eh_str_of(c->args->operands[0]);
    d->judge = c->name;
    if (args_flag(c->args, OPT_json))
        report_drift_json(d, &c->out);
    else
        report_drift_text(d, &c->out);
    if (d->is_shown || d->is_unknown) c->exit_status = eh_status_exit(EH_STATUS_GATE);
    return buf_check(&c->out, "the result", err);
}

static eh_status drift(drift_cmd *c, ledger *l, eh_error *err) {
    EH_TRY(pick_view(c, l, err));
    EH_TRY(ask(c, l, err));
    return c->result.end == RUN_END_DONE ? look(c, l, err) : EH_STATUS_OK;
}

int cmd_drift(const cli_args *args) {
    drift_cmd c = {.args = args,
                   .clock = clock_system(),
                   .options = {.n_pairs = args_i64(args, OPT_sample, 200),
                               .seed = (uint64_t)args_i64(args, OPT_seed, 0),
                               .margin = args_f64(args, OPT_margin, 0)}};
    ledger *l = NULL;
    eh_error err;
    arena_init(&c.arena, 256 << 20);
    buf_init(&c.out, BUF_MAX_REPORT);
    eh_status status = ledger_open(args->operands[0], LEDGER_WRITE, &l, &err);
    if (status == EH_STATUS_OK) status = drift(&c, l, &err);
    run_again_close(&c.again);
    eh_status closed = ledger_close(l, status == EH_STATUS_OK ? &err : NULL);
    if (status == EH_STATUS_OK) status = closed;
    if (status == EH_STATUS_OK)
        status = common_print_result(args, buf_view(&c.out), &err);
    buf_deinit(&c.out);
    arena_deinit(&c.arena);
    return status == EH_STATUS_OK ? c.exit_status : cmd_fail(args, &err);
}
