/* SPDX-License-Identifier: MIT
 *
 * evenhand run: judge a data set, or go on with a run that was stopped.
 *
 *   stage the data -> open the judge -> engine -> labels -> summary
 *
 * All faults of the data are found before the first call. The ledger is the state: the
 * same command resumes. --dry-run asks nobody and says what would be asked.
 */
#include <stdio.h>
#include <unistd.h>

#include "common.h"
#include "embedder.h"
#include "judging.h"
#include "progress.h"
#include "report/summary.h"
#include "run/pilot.h"
#include "run/stage.h"
#include "tally/summarize.h"

/* ---- setting up ---- */

/* Options that would say two things at once. */
static eh_status check_options(const cli_args *a, eh_error *err) {
    static const struct {
        cli_option_id id;
        const char *name;
    } apart[] = {
        {OPT_pilot, "--pilot"}, {OPT_refresh, "--refresh"}, {OPT_max_age, "--max-age"}};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof apart / sizeof apart[0]; i++) {
        if (!args_given(a, apart[i].id)) continue;
        if (first)
            return EH_FAIL(err, EH_STATUS_USAGE, "%s and %s cannot be given together",
                           first, apart[i].name);
        first = apart[i].name;
    }
    if (args_given(a, OPT_pilot) && args_flag(a, OPT_dry_run))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--pilot and --dry-run cannot be given together");
    return EH_STATUS_OK;
}

static eh_status make_setup(judging *c, eh_error *err) {
    const cli_args *a = c->args;
    EH_TRY(check_options(a, err));
    EH_TRY(embedder_open(a, args_str(a, OPT_judge), c->clock, &c->setup.embedder, err));
    plan_wish wish = {
        .method = eh_str_of(args_str(a, OPT_method)),
        .k = (int)args_i64(a, OPT_samples, 0),
        .order =
            args_given(a, OPT_order) ? eh_str_of(args_str(a, OPT_order)) : EH_STR(""),
        .temperature_given = args_given(a, OPT_temperature),
        .temperature = args_f64(a, OPT_temperature, 0),
        .parts = eh_str_of(args_str(a, OPT_parts)),
        .stages = eh_str_of(args_str(a, OPT_stages)),
        .always = args_flag(a, OPT_always),
        .embedder = c->setup.embedder ? run_embedder_id(c->setup.embedder) : EH_STR(""),
        .context_tokens = args_i64(a, OPT_context, 0),
    };
    EH_TRY(plan_make(&wish, &c->setup.plan, err));
    if (plan_is_alone(&c->setup.plan) && args_given(a, OPT_pilot))
        return EH_FAIL(
            err, EH_STATUS_USAGE,
            "--pilot looks for position bias, which method standalone cannot "
            "have");
    return judging_open(c, err);
}

static eh_status stage(judging *c, ledger *l, eh_error *err) {
    common_faults faults = {.args = c->args};
    dataset_faults sink = common_faults_sink(&faults);
    run_stage_options options = {.skip_bad = args_flag(c->args, OPT_skip_bad),
                                 .faults = &sink,
                                 .clock = c->clock};
    dataset_counts counts;
    bool unchanged;
    eh_arena arena;
    arena_init(&arena, BUF_MAX_SMALL);
    eh_status status = common_dataset(c->args, &arena, &options.data, err);
    if (status == EH_STATUS_OK)
        status = run_stage(l, &options, &counts, &unchanged, err);
    arena_deinit(&arena);
    common_faults_end(&faults);
    return status;
}

/* ---- dry run ---- */

static eh_status dry_run(judging *c, eh_error *err) {
    const char *path = args_str(c->args, OPT_output);
    ledger *scope = NULL, *l = NULL;
    run_forecast forecast;
    run_forecast_options options = {.refresh = judging_refresh(c->args),
                                    .clock = c->clock};
    EH_TRY(ledger_open_temporary(&scope, err));
    eh_status status = stage(c, scope, err);
    if (status == EH_STATUS_OK && path && access(path, F_OK) == 0)
        status = ledger_open(path, LEDGER_READ, &l, err);
    if (status == EH_STATUS_OK)
        status = run_forecast_make(scope, l, &c->setup, &options, &forecast, err);
    if (status == EH_STATUS_OK) status = judging_print_forecast(c, &forecast, err);
    (void)ledger_close(l, NULL);
    (void)ledger_close(scope, NULL);
    return status;
}

/* ---- the run ---- */

static eh_status take_labels(judging *c, ledger *l, eh_error *err) {
    const char *path = args_str(c->args, OPT_labels);
    if (!path) return EH_STATUS_OK;
    common_faults faults = {.args = c->args};
    dataset_faults sink = common_faults_sink(&faults);
    run_import_counts counts;
    eh_status status = run_import_labels(l, path, false, &sink, &counts, err);
    common_faults_end(&faults);
    if (status == EH_STATUS_OK) common_say_unknown(path, &counts);
    return status;
}

/* The summary of this command's own run; the others of the ledger are for `show`. */
static const report_judge *own_judge(const report_summary *s, const tally_view *views,
                                     int64_t run_row) {
    for (size_t i = 0; i < s->n_judges; i++)
        if (views[i].run.row == run_row) return &s->judges[i];
    return NULL;
}

/* A run over a change of the model behind its name is a run of two judges. */
static void warn_mixed(const cli_args *args, const report_judge *j) {
    eh_buf text;
    if (!j->mixed_models) return;
    buf_init(&text, BUF_MAX_SMALL);
    report_models(j, &text);
    cmd_warn(args, "the replies come from different models: %.*s",
             EH_STR_ARG(buf_view(&text)));
    buf_deinit(&text);
}

static eh_status write_summary(judging *c, ledger *l, const run_result *result,
                               eh_error *err) {
    eh_arena arena;
    tally_view *views;
    size_t n;
    report_summary summary;
    arena_init(&arena, 256 << 20);
    eh_status status = tally_views(l, EH_STR(""), &arena, &views, &n, err);
    if (status == EH_STATUS_OK)
        status = tally_summarize(l, EH_STR(""), &arena, &summary, err);
    if (status == EH_STATUS_OK) {
        price_summary(c->prices, &summary);
        const report_judge *own = own_judge(&summary, views, result->run_row);
        report_summary single = {.n_pairs = summary.n_pairs,
                                 .judges = (report_judge *)own,
                                 .n_judges = own != NULL};
        if (args_flag(c->args, OPT_json))
            report_summary_json(&single, &c->out);
        else
            report_summary_text(&single, &c->out);
        if (own) warn_mixed(c->args, own);
        double allowed = args_f64(c->args, OPT_max_failed, .02);
        int64_t n_failed =
            own ? own->none[PLAN_NONE_ORDER_FAILED] +
                      own->none[PLAN_NONE_ORDERS_FAILED] +
                      own->none[PLAN_NONE_ALL_FAILED] +
                      own->none[PLAN_NONE_UNASKED] /* calls that gave no result */
                : 0;
        if (own && (double)n_failed > allowed * (double)own->n_pairs) {
            cmd_say(c->args,
                    "%lld of %lld pairs failed, more than "
                    "--max-failed allows (%g %%)",
                    (long long)n_failed, (long long)own->n_pairs, 100 * allowed);
            c->exit_status = eh_status_exit(EH_STATUS_FAILED_PAIRS);
        }
        status = buf_check(&c->out, "the summary", err);
    }
    arena_deinit(&arena);
    return status;
}

static eh_status pilot(judging *c, ledger *l, const run_options *options,
                       run_result *result, eh_error *err) {
    run_pilot_options o = {.n_pairs = args_i64(c->args, OPT_pilot, 0),
                           .seed = (uint64_t)args_i64(c->args, OPT_seed, 0),
                           .price = c->price};
    report_pilot found;
    eh_arena arena;
    arena_init(&arena, 256 << 20);
    eh_status status = run_pilot(l, options, &o, &arena, result, &found, err);
    if (status == EH_STATUS_OK && result->end == RUN_END_DONE) {
        if (args_flag(c->args, OPT_json))
            report_pilot_json(&found, &c->out);
        else
            report_pilot_text(&found, &c->out);
        warn_mixed(c->args, found.judge);
        status = buf_check(&c->out, "the pilot's report", err);
    }
    arena_deinit(&arena);
    return status;
}

static eh_status real_run(judging *c, ledger *l, eh_error *err) {
    progress_view view;
    run_result result;
    progress_init(&view, c->args, c->clock);
    run_options options = judging_options(c);
    options.refresh = judging_refresh(c->args);
    options.on_progress = progress_show;
    options.self = &view;
    EH_TRY(take_labels(c, l, err));
    bool is_pilot = args_given(c->args, OPT_pilot);
    eh_status status = is_pilot ? pilot(c, l, &options, &result, err)
                                : run_engine(l, &options, &result, err);
    progress_end(&view);
    EH_TRY(status);
    judging_say_end(c, &result);
    if (is_pilot || result.end != RUN_END_DONE) return EH_STATUS_OK;
    return write_summary(c, l, &result, err);
}

static eh_status run_into_ledger(judging *c, eh_error *err) {
    ledger *l;
    EH_TRY(ledger_open(args_str(c->args, OPT_output), LEDGER_CREATE, &l, err));
    eh_status status = stage(c, l, err);
    if (status == EH_STATUS_OK) status = real_run(c, l, err);
    eh_status closed = ledger_close(l, status == EH_STATUS_OK ? err : NULL);
    if (status == EH_STATUS_OK) status = closed;
    return status == EH_STATUS_OK ? common_print_result(c->args, buf_view(&c->out), err)
                                  : status;
}

int cmd_run(const cli_args *args) {
    judging c = {.args = args, .clock = clock_system()};
    eh_error err;
    buf_init(&c.out, BUF_MAX_REPORT);
    eh_status status = make_setup(&c, &err);
    if (status == EH_STATUS_OK)
        status = args_flag(args, OPT_dry_run) ? dry_run(&c, &err)
                                              : run_into_ledger(&c, &err);
    judging_close(&c);
    return status == EH_STATUS_OK ? c.exit_status : cmd_fail(args, &err);
}
