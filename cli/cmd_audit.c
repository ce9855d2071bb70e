/* SPDX-License-Identifier: MIT
 *
 * evenhand audit: what a judge can be fooled by.
 *
 *   stage pairs and perturbed pairs -> open the judge -> engine, twice -> card
 *
 * The ledger is the state, as with run: the same command resumes, and one more probe
 * asks for its own calls only. `evenhand show AUDIT.db` reads the card again.
 */
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "audit_trial.h"
#include "common.h"
#include "judging.h"
#include "progress.h"
#include "exam/exam.h"

enum { REJECTS_SHOWN = 20 };

typedef struct audit_cmd {
    judging j;
    eh_arena arena; /* of the probes and the card */
    exam_probe *probes;
    size_t n_probes;
    exam_attack *attacks;
    size_t n_attacks;
    int64_t n_rejects;
} audit_cmd;

/* ---- setting up ---- */

static eh_status check_who(const cli_args *a, eh_error *err) {
    bool nobody = args_flag(a, OPT_no_judge);
    if (args_given(a, OPT_judge) == nobody)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       nobody ? "--no-judge asks nobody, and -j names a judge: give one"
                              : "missing -j JUDGE (or --no-judge, to make the pairs "
                                "for people alone)");
    if (nobody && args_flag(a, OPT_dry_run))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--no-judge asks nobody: leave out --dry-run");
    return EH_STATUS_OK;
}

static eh_status make_setup(audit_cmd *c, eh_error *err) {
    const cli_args *a = c->j.args;
    if (args_flag(a, OPT_refresh) && args_given(a, OPT_max_age))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--refresh and --max-age cannot be given together");
    EH_TRY(check_who(a, err));
    plan_wish wish = {
        .method = EH_STR("mec+bpc"),
        .k = (int)args_i64(a, OPT_samples, 3),
        .temperature_given = true,
        .temperature = args_f64(a, OPT_temperature, 1),
    };
    EH_TRY(exam_probes_parse(eh_str_of(args_str(a, OPT_probes)), &c->arena, &c->probes,
                             &c->n_probes, err));
    EH_TRY(exam_attacks_parse(eh_str_of(args_str(a, OPT_attack)), &c->arena,
                              &c->attacks, &c->n_attacks, err));
    if (c->n_attacks && !args_given(a, OPT_probes)) c->n_probes = 0;
    if (args_given(a, OPT_anchor) && !c->n_attacks)
        return EH_FAIL(err, EH_STATUS_USAGE, "--anchor needs --attack");
    if (args_flag(a, OPT_no_judge)) return EH_STATUS_OK;
    EH_TRY(plan_make(&wish, &c->j.setup.plan, err));
    EH_TRY(judging_open(&c->j, err));
    if (c->j.setup.j->by_pair_id)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "judge '%s' answers by the pair's id and knows no perturbed "
                       "pair: an audit has to ask anew",
                       c->j.setup.j->backend->name);
    return EH_STATUS_OK;
}

static void on_reject(void *self, const exam_probe *probe, eh_str pair_id, int64_t line,
                      audit_reject why) {
    audit_cmd *c = self;
    if (c->n_rejects++ >= REJECTS_SHOWN) return;
    if (line)
        (void)fprintf(stderr, "warning: %s: line %lld: pair %.*s is left out: %s\n",
                      probe->file, (long long)line, EH_STR_ARG(pair_id),
                      audit_reject_text(why));
    else
        cmd_warn(c->j.args, "probe %.*s: pair %.*s is left out: %s",
                 EH_STR_ARG(probe->name), EH_STR_ARG(pair_id), audit_reject_text(why));
}

/* How many rows each probe has, where some were left out. */
static void say_rejects(const audit_cmd *c, const exam_staged *staged) {
    int64_t hidden = c->n_rejects - REJECTS_SHOWN;
    if (hidden > 0) cmd_warn(c->j.args, "%lld more left out", (long long)hidden);
    for (size_t i = 0; i < c->n_probes; i++)
        if (staged->n_rejected[i])
            cmd_warn(c->j.args, "probe %.*s: %lld of %lld left out",
                     EH_STR_ARG(c->probes[i].name), (long long)staged->n_rejected[i],
                     (long long)(staged->n_made[i] + staged->n_rejected[i]));
    if (staged->n_not_dressed)
        cmd_warn(c->j.args, "%lld attack%s could not be made by the rule",
                 (long long)staged->n_not_dressed,
                 staged->n_not_dressed == 1 ? "" : "s");
}

/* What is staged: all, or (for the placebo's forecast) only what is asked twice. */
typedef struct stage_part {
    const exam_probe *probes;
    size_t n_probes, n_attacks;
} stage_part;

static stage_part whole(const audit_cmd *c) {
    return (stage_part){c->probes, c->n_probes, c->n_attacks};
}

/* Plain pairs, and those made worse where they are attacked. */
static eh_status asked_twice(audit_cmd *c, stage_part *part, eh_error *err) {
    exam_probe *probes = arena_zalloc(&c->arena, c->n_probes + 1, sizeof *probes);
    *part = (stage_part){probes, 0, 0};
    if (!probes) return EH_NOMEM(err);
    for (size_t i = 0; i < c->n_probes && c->n_attacks; i++)
        if (c->probes[i].form == AUDIT_OVERSIGHT)
            probes[part->n_probes++] = c->probes[i];
    return EH_STATUS_OK;
}

/* `loud`: says what is wrong with the data. */
static eh_status stage(audit_cmd *c, ledger *l, const stage_part *part, bool loud,
                       exam_staged *staged, eh_error *err) {
    common_faults faults = {.args = c->j.args};
    dataset_faults sink = common_faults_sink(&faults);
    exam_stage_options options = {
        .probes = part->probes,
        .n_probes = part->n_probes,
        .attacks = c->attacks,
        .n_attacks = part->n_attacks,
        .anchor = eh_str_of(args_str(c->j.args, OPT_anchor)),
        .skip_bad = args_flag(c->j.args, OPT_skip_bad),
        .seed = (uint64_t)args_i64(c->j.args, OPT_seed, 0),
        .faults = loud ? &sink : NULL,
        .on_reject = loud ? on_reject : NULL,
        .self = c,
        .clock = c->j.clock,
    };
    EH_TRY(common_dataset(c->j.args, &c->arena, &options.data, err));
    eh_status status = exam_stage(l, &options, staged, err);
    if (loud) common_faults_end(&faults);
    if (loud) say_rejects(c, staged);
    return status;
}

/* ---- dry run ---- */

static void add_forecast(run_forecast *sum, const run_forecast *part) {
    sum->n_pairs += part->n_pairs;
    sum->n_calls += part->n_calls;
    sum->n_reused += part->n_reused;
    sum->n_same += part->n_same;
    sum->n_text_changed += part->n_text_changed;
    sum->n_judge_changed += part->n_judge_changed;
    sum->n_more_samples += part->n_more_samples;
    sum->n_new += part->n_new;
    sum->tokens_low += part->tokens_low;
    sum->tokens_high += part->tokens_high;
}

/* One stream's forecast: the placebo is asked about controls alone. */
static eh_status forecast_stream(audit_cmd *c, int stream, ledger *l,
                                 exam_staged *staged, run_forecast *forecast,
                                 eh_error *err) {
    bool is_main = stream == LEDGER_STREAM_MAIN;
    run_forecast_options options = {.refresh = judging_refresh(c->j.args),
                                    .clock = c->j.clock};
    run_setup setup = c->j.setup;
    stage_part part = whole(c);
    ledger *scope;
    setup.stream = stream;
    if (!is_main) EH_TRY(asked_twice(c, &part, err));
    EH_TRY(ledger_open_temporary(&scope, err));
    eh_status status = stage(c, scope, &part, is_main, staged, err);
    if (status == EH_STATUS_OK)
        status = run_forecast_make(scope, l, &setup, &options, forecast, err);
    (void)ledger_close(scope, NULL);
    return status;
}

static eh_status dry_run(audit_cmd *c, eh_error *err) {
    const char *path = args_str(c->j.args, OPT_output);
    audit_limits limits = audit_limits_default();
    exam_staged staged, plain;
    run_forecast forecast = {0}, placebo = {0};
    ledger *l = NULL;
    if (path && access(path, F_OK) == 0)
        EH_TRY(ledger_open(path, LEDGER_READ, &l, err));
    eh_status status =
        forecast_stream(c, LEDGER_STREAM_MAIN, l, &staged, &forecast, err);
    if (status == EH_STATUS_OK)
        status = forecast_stream(c, LEDGER_STREAM_PLACEBO, l, &plain, &placebo, err);
    (void)ledger_close(l, NULL);
    EH_TRY(status);
    add_forecast(&forecast, &placebo);
    EH_TRY(judging_print_forecast(&c->j, &forecast, err));
    if (c->n_probes == 0) return EH_STATUS_OK; /* each attacked set has its own pairs */
    double detectable = audit_detectable_before(staged.n_pairs, &limits);
    eh_buf line;
    buf_init(&line, BUF_MAX_SMALL);
    if (isnan(detectable) || detectable > 1)
        buf_printf(&line, "%lld plain pairs are too few to show any difference\n",
                   (long long)staged.n_pairs);
    else
        buf_printf(
            &line,
            "%lld plain pairs may show a difference of about %.0f in 100 and more\n",
            (long long)staged.n_pairs, 100 * detectable);
    status = buf_check(&line, "the forecast", err);
    if (status == EH_STATUS_OK) status = common_print_text(buf_view(&line), err);
    buf_deinit(&line);
    return status;
}

/* ---- the audit ---- */

static void check_failed(audit_cmd *c, const card_set *cards) {
    double allowed = args_f64(c->j.args, OPT_max_failed, .02);
    int64_t n = 0, n_unread = 0;
    for (size_t i = 0; cards->n_judges && i < cards->judges[0].n_probes; i++) {
        n += cards->judges[0].probes[i].score.n_pairs;
        n_unread += cards->judges[0].probes[i].score.n_unread;
    }
    const card_attack *attack = cards->n_judges ? cards->judges[0].attack : NULL;
    for (size_t i = 0; attack && i < attack->n_weak * attack->n_attacks; i++) {
        const audit_score *s =
            &attack->weak[i / attack->n_attacks].scores[i % attack->n_attacks];
        n += s->n_pairs;
        n_unread += s->n_unread;
    }
    if (!((double)n_unread > allowed * (double)n)) return;
    cmd_say(c->j.args,
            "%lld of %lld pairs of probes and attacks have no preference, "
            "more than --max-failed allows (%g %%)",
            (long long)n_unread, (long long)n, 100 * allowed);
    c->j.exit_status = eh_status_exit(EH_STATUS_FAILED_PAIRS);
}

static eh_status write_card(audit_cmd *c, ledger *l, const run_result *result,
                            eh_error *err) {
    audit_limits limits = audit_limits_default();
    card_set cards;
    limits.margin = args_f64(c->j.args, OPT_margin, .1);
    const exam_card_options options = {.run_row = result->run_row,
                                       .prices = c->j.prices,
                                       .limits = &limits,
                                       .family =
                                           eh_str_of(args_str(c->j.args, OPT_family))};
    EH_TRY(exam_cards_make(l, &options, &c->arena, &cards, err));
    cards.both_forms = args_flag(c->j.args, OPT_both_forms);
    if (args_flag(c->j.args, OPT_json))
        card_json(&cards, &c->j.out);
    else
        card_text(&cards, &c->j.out);
    check_failed(c, &cards);
    return buf_check(&c->j.out, "the card", err);
}

static eh_status ask_and_write(audit_cmd *c, ledger *l, eh_error *err) {
    progress_view view;
    run_result result;
    progress_init(&view, c->j.args, c->j.clock);
    run_options options = judging_options(&c->j);
    options.refresh = judging_refresh(c->j.args);
    options.on_progress = progress_show;
    options.self = &view;
    eh_status status = exam_run(l, &options, &result, err);
    progress_end(&view);
    EH_TRY(status);
    judging_say_end(&c->j, &result);
    return result.end == RUN_END_DONE ? write_card(c, l, &result, err) : EH_STATUS_OK;
}

/* Without a judge: what was made, and what people do with it. */
static void say_made(audit_cmd *c, const exam_staged *staged) {
    int64_t n_made = 0;
    for (size_t i = 0; i < c->n_probes; i++)
        n_made += staged->n_made[i];
    const char *path = args_str(c->j.args, OPT_output);
    buf_printf(
        &c->j.out,
        "%lld plain pairs and %lld with a perturbed answer are in %s; nobody was "
        "asked.\nPeople label them by:\n  evenhand annotate %s "
        "--labels-per-pair 6 --apart\n",
        (long long)staged->n_pairs, (long long)n_made, path, path);
}

static eh_status audit_into_ledger(audit_cmd *c, eh_error *err) {
    exam_staged staged;
    ledger *l;
    stage_part part = whole(c);
    EH_TRY(ledger_open(args_str(c->j.args, OPT_output), LEDGER_CREATE, &l, err));
    eh_status status = stage(c, l, &part, true, &staged, err);
    if (status == EH_STATUS_OK && args_flag(c->j.args, OPT_no_judge))
        say_made(c, &staged);
    else if (status == EH_STATUS_OK)
        status = ask_and_write(c, l, err);
    eh_status closed = ledger_close(l, status == EH_STATUS_OK ? err : NULL);
    if (status == EH_STATUS_OK) status = closed;
    return status == EH_STATUS_OK
               ? common_print_result(c->j.args, buf_view(&c->j.out), err)
               : status;
}

int cmd_audit(const cli_args *args) {
    if (args_flag(args, OPT_self_test)) return audit_trial(args);
    audit_cmd c = {.j = {.args = args, .clock = clock_system()}};
    eh_error err;
    buf_init(&c.j.out, BUF_MAX_REPORT);
    arena_init(&c.arena, BUF_MAX_REPORT);
    eh_status status = make_setup(&c, &err);
    if (status == EH_STATUS_OK)
        status = args_flag(args, OPT_dry_run) ? dry_run(&c, &err)
                                              : audit_into_ledger(&c, &err);
    judging_close(&c.j);
    arena_deinit(&c.arena);
    return status == EH_STATUS_OK ? c.j.exit_status : cmd_fail(args, &err);
}
