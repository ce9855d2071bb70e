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
#include <time.h>
#include <unistd.h>

#include "common.h"
#include "embedder.h"
#include "progress.h"
#include "report/summary.h"
#include "run/dryrun.h"
#include "run/pilot.h"
#include "run/stage.h"
#include "run/summarize.h"
#include "run/template_file.h"

typedef struct run_cmd {
    const cli_args *args;
    eh_clock clock;
    run_setup setup;
    prompt_template *t;
    price_table *prices;
    const price_row *price; /* of the judge; NULL: unknown */
    const price_row *embed_price;
    price_budget budget;
    eh_buf out; /* printed when the ledger is closed and all of it is safe */
    int exit_status;
} run_cmd;

/* ---- setting up ---- */

static run_refresh wanted_refresh(const cli_args *a) {
    return (run_refresh){.all = args_flag(a, OPT_refresh),
                         .max_age_ms = args_i64(a, OPT_max_age, 0)};
}

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
            return EH_FAIL(err, EH_STATUS_USAGE, "%s and %s exclude each other", first,
                           apart[i].name);
        first = apart[i].name;
    }
    if (args_given(a, OPT_pilot) && args_flag(a, OPT_dry_run))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--pilot and --dry-run exclude each other");
    return EH_STATUS_OK;
}

/* The judge's price, and the budget that needs it. */
static eh_status find_price(run_cmd *c, eh_error *err) {
    EH_TRY(price_table_load(args_str(c->args, OPT_prices), &c->prices, err));
    c->price = price_find(c->prices, c->setup.j->id);
    if (c->setup.embedder)
        c->embed_price = price_find(c->prices, run_embedder_id(c->setup.embedder));
    if (!args_given(c->args, OPT_max_cost)) return EH_STATUS_OK;
    if (!c->price)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--max-cost: the price of %.*s is unknown; give it by --prices",
                       EH_STR_ARG(c->setup.j->id));
    if (!args_given(c->args, OPT_max_tokens))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--max-cost needs --max-tokens: without it a reply has no "
                       "highest price");
    if (c->setup.embedder && !c->embed_price)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--max-cost: the price of %.*s is unknown; give it by --prices",
                       EH_STR_ARG(run_embedder_id(c->setup.embedder)));
    c->budget =
        (price_budget){.row = c->price, .max_nusd = args_i64(c->args, OPT_max_cost, 0)};
    if (c->setup.embedder)
        run_embedder_budget(c->setup.embedder, &c->budget, c->embed_price);
    return EH_STATUS_OK;
}

static eh_status want_logprobs(run_cmd *c, eh_error *err) {
    judge_params *params = &c->setup.params;
    params->wants_logprobs = args_given(c->args, OPT_logprobs);
    params->top_logprobs = (int)args_i64(c->args, OPT_logprobs, 0);
    if (!params->wants_logprobs || c->setup.j->backend->is_endpoint)
        return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_USAGE,
                   "--logprobs is for endpoints; judge '%s' is none",
                   c->setup.j->backend->name);
}

static eh_status make_setup(run_cmd *c, eh_error *err) {
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
    judge_http_options http = common_endpoint(a);
    judge_open_args open = {
        .seed = args_i64(a, OPT_seed, 0),
        .concurrency = (int)args_i64(a, OPT_concurrency, 16),
        .http = &http,
        .clock = c->clock,
    };
    EH_TRY(plan_make(&wish, &c->setup.plan, err));
    const char *reread = args_str(a, OPT_reread);
    const char *name = args_str(a, OPT_template);
    if (!name) name = run_template_default(args_str(a, OPT_method));
    EH_TRY(reread ? run_template_load(reread, &c->t, err)
                  : run_template_load_asking(name, &c->t, err));
    c->setup.t = c->t;
    open.reread = reread ? c->t : NULL;
    if (reread && !eh_str_begins(eh_str_of(args_str(a, OPT_judge)), EH_STR("replay:")))
        return EH_FAIL(
            err, EH_STATUS_USAGE,
            "--reread reads recorded replies: it needs -j replay:FILE#JUDGE");
    EH_TRY(judge_open(eh_str_of(args_str(a, OPT_judge)), &open, &c->setup.j, err));
    EH_TRY(run_setup_check(&c->setup, err));
    if (plan_is_alone(&c->setup.plan) && args_given(a, OPT_pilot))
        return EH_FAIL(
            err, EH_STATUS_USAGE,
            "--pilot looks for position bias, which method standalone cannot "
            "have");
    run_setup_params(&c->setup, args_i64(a, OPT_request_seed, -1));
    c->setup.params.max_tokens = args_i64(a, OPT_max_tokens, -1);
    EH_TRY(want_logprobs(c, err));
    return find_price(c, err);
}

static eh_status stage(run_cmd *c, ledger *l, eh_error *err) {
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

static void forecast_line(eh_buf *out, int64_t n, const char *what) {
    if (n) buf_printf(out, "  %10lld %s\n", (long long)n, what);
}

/* What the prompts may come to, and the replies where they are limited. */
static void forecast_cost(eh_buf *out, const run_forecast *f, const run_cmd *c) {
    int64_t n_ask = f->n_calls - f->n_reused - f->n_same;
    int64_t limit = c->setup.params.max_tokens;
    if (!c->setup.j->backend->is_endpoint || n_ask == 0) return;
    buf_printf(out, "prompts of %lld to %lld tokens", (long long)f->tokens_low,
               (long long)f->tokens_high);
    if (limit >= 0)
        buf_printf(out, ", replies of at most %lld", (long long)(limit * n_ask));
    if (!c->price) {
        buf_add_cstr(out, "; the price is unknown\n");
        return;
    }
    judge_usage low = {f->tokens_low, 0, 0, 0};
    judge_usage high = {f->tokens_high, 0, limit >= 0 ? limit * n_ask : 0, 0};
    buf_printf(out, "; $%.2f to $%.2f%s", (double)price_cost_nusd(c->price, &low) / 1e9,
               (double)price_cost_nusd(c->price, &high) / 1e9,
               limit >= 0 ? "" : ", and the replies");
    if (c->price->date.len)
        buf_printf(out, " (price of %.*s)", EH_STR_ARG(c->price->date));
    buf_add_char(out, '\n');
}

/* What embeddings come to. Of a run that stops early it is not known which pairs will
 * need theirs. */
static void forecast_texts(eh_buf *out, const run_forecast *f, const run_cmd *c) {
    if (f->n_texts == 0) return;
    buf_printf(out, "%s%lld texts to embed, of %lld to %lld tokens",
               c->setup.plan.always ? "" : "at most ", (long long)f->n_texts,
               (long long)f->text_tokens_low, (long long)f->text_tokens_high);
    if (!c->embed_price) {
        buf_add_cstr(out, "; the price is unknown\n");
        return;
    }
    judge_usage low = {f->text_tokens_low, 0, 0, 0};
    judge_usage high = {f->text_tokens_high, 0, 0, 0};
    buf_printf(out, "; $%.4f to $%.4f\n",
               (double)price_cost_nusd(c->embed_price, &low) / 1e9,
               (double)price_cost_nusd(c->embed_price, &high) / 1e9);
}

static eh_status print_forecast(const run_cmd *c, const run_forecast *f,
                                eh_error *err) {
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    int64_t n_ask = f->n_calls - f->n_reused - f->n_same;
    buf_printf(&out, "%lld pairs, %lld calls wanted, %lld to be made\n",
               (long long)f->n_pairs, (long long)f->n_calls, (long long)n_ask);
    forecast_line(&out, f->n_reused, "reused: answered in the ledger");
    forecast_line(&out, f->n_refreshed,
                  "refreshed: answered in the ledger, and asked again");
    forecast_line(&out, f->n_same, "shared: the same prompt as another row's");
    forecast_line(&out, f->n_text_changed,
                  "changed: the pair's texts are not the "
                  "ones that were judged");
    forecast_line(&out, f->n_judge_changed,
                  "changed: this judge was asked with another "
                  "template or sampling");
    forecast_line(&out, f->n_more_samples,
                  "new: more orders or samples of pairs this "
                  "judge has seen");
    forecast_line(&out, f->n_unknown,
                  "open: the prompts depend on embeddings that "
                  "are not there yet");
    forecast_line(&out, f->n_new, "new");
    forecast_cost(&out, f, c);
    forecast_texts(&out, f, c);
    eh_status status = buf_check(&out, "the forecast", err);
    if (status == EH_STATUS_OK) status = cmd_print(buf_view(&out), err);
    buf_deinit(&out);
    return status;
}

static eh_status dry_run(run_cmd *c, eh_error *err) {
    const char *path = args_str(c->args, OPT_output);
    ledger *scope = NULL, *l = NULL;
    run_forecast forecast;
    run_forecast_options options = {.refresh = wanted_refresh(c->args),
                                    .clock = c->clock};
    EH_TRY(ledger_open_temporary(&scope, err));
    eh_status status = stage(c, scope, err);
    if (status == EH_STATUS_OK && path && access(path, F_OK) == 0)
        status = ledger_open(path, LEDGER_READ, &l, err);
    if (status == EH_STATUS_OK)
        status = run_forecast_make(scope, l, &c->setup, &options, &forecast, err);
    if (status == EH_STATUS_OK) status = print_forecast(c, &forecast, err);
    (void)ledger_close(l, NULL);
    (void)ledger_close(scope, NULL);
    return status;
}

/* ---- the run ---- */

static eh_status take_labels(run_cmd *c, ledger *l, eh_error *err) {
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
static const report_judge *own_judge(const report_summary *s, const run_view *views,
                                     int64_t run_row) {
    for (size_t i = 0; i < s->n_judges; i++)
        if (views[i].run.row == run_row) return &s->judges[i];
    return NULL;
}

/* A run over a change of the model behind its name is a run of two judges. */
static void warn_mixed(const report_judge *j) {
    eh_buf text;
    if (!j->mixed_models) return;
    buf_init(&text, BUF_MAX_SMALL);
    report_models(j, &text);
    (void)fprintf(stderr,
                  "evenhand run: warning: the replies come from different models: "
                  "%.*s\n",
                  EH_STR_ARG(buf_view(&text)));
    buf_deinit(&text);
}

static eh_status write_summary(run_cmd *c, ledger *l, const run_result *result,
                               eh_error *err) {
    eh_arena arena;
    run_view *views;
    size_t n;
    report_summary summary;
    arena_init(&arena, 256 << 20);
    eh_status status = run_views(l, EH_STR(""), &arena, &views, &n, err);
    if (status == EH_STATUS_OK)
        status = run_summarize(l, EH_STR(""), &arena, &summary, err);
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
        if (own) warn_mixed(own);
        double allowed = args_f64(c->args, OPT_max_failed, .02);
        int64_t n_failed =
            own ? own->none[PLAN_NONE_ORDER_FAILED] +
                      own->none[PLAN_NONE_ORDERS_FAILED] +
                      own->none[PLAN_NONE_ALL_FAILED] +
                      own->none[PLAN_NONE_UNASKED] /* calls that gave no result */
                : 0;
        if (own && (double)n_failed > allowed * (double)own->n_pairs) {
            (void)fprintf(stderr,
                          "evenhand run: %lld of %lld pairs failed, more than "
                          "--max-failed allows (%g %%)\n",
                          (long long)n_failed, (long long)own->n_pairs, 100 * allowed);
            c->exit_status = eh_status_exit(EH_STATUS_FAILED_PAIRS);
        }
        status = buf_check(&c->out, "the summary", err);
    }
    arena_deinit(&arena);
    return status;
}

static void say_refresh(const run_result *r) {
    time_t since = (time_t)(r->refresh.since_ms / 1000);
    struct tm tm;
    char text[32] = "";
    if (gmtime_r(&since, &tm))
        (void)strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm);
    (void)fprintf(stderr,
                  "evenhand run: %lld of the new calls took the place of answers from "
                  "before %s UTC%s\n",
                  (long long)r->progress.n_refreshed, text,
                  r->refresh.resumed ? ", where the last refresh began" : "");
}

/* What was embedded, and what did not fit. */
static void say_texts(const run_cmd *c, const run_result *r) {
    const run_progress *p = &r->progress;
    if (p->n_embedded && !args_flag(c->args, OPT_quiet))
        (void)fprintf(stderr, "evenhand run: %lld texts embedded by %.*s\n",
                      (long long)p->n_embedded,
                      EH_STR_ARG(run_embedder_id(c->setup.embedder)));
    if (p->n_no_vector && r->end == RUN_END_DONE)
        (void)fprintf(
            stderr,
            "evenhand run: %lld pairs got no embeddings; the same command asks "
            "for them again\n",
            (long long)p->n_no_vector);
    if (r->n_too_long)
        (void)fprintf(
            stderr,
            "evenhand run: %lld prompts did not fit into the judge's context%s%s\n",
            (long long)r->n_too_long, r->too_long_message[0] ? ": " : "",
            r->too_long_message);
    if (r->n_too_long && plan_n_stages(&c->setup.plan) > 1 &&
        c->setup.plan.context_tokens == 0)
        (void)fprintf(
            stderr, "evenhand run: with --context TOKENS pairs that fit whole, but not "
                    "in all of their parts, are shown in fewer\n");
}

/* "; 3 calls gave no result, 12 were not sent": asked in vain, and not any more. */
static void add_open_calls(const run_progress *p, eh_buf *line) {
    if (p->n_no_result)
        buf_printf(line, "; %lld call%s gave no result", (long long)p->n_no_result,
                   p->n_no_result == 1 ? "" : "s");
    if (p->n_not_sent)
        buf_printf(line, "%s %lld %s not sent", p->n_no_result ? "," : ";",
                   (long long)p->n_not_sent, p->n_not_sent == 1 ? "was" : "were");
}

/* How far the run came; under --quiet only what is missing. */
static void say_counts(const run_cmd *c, const run_result *r) {
    const run_progress *p = &r->progress;
    bool is_open = p->n_no_result || p->n_not_sent;
    eh_buf line;
    if (args_flag(c->args, OPT_quiet) && !is_open) return;
    buf_init(&line, BUF_MAX_SMALL);
    buf_printf(&line,
               "%lld of %lld pairs finished, %lld new calls, %lld reused, %lld "
               "there before",
               (long long)p->n_pairs_done, (long long)p->n_pairs, (long long)p->n_new,
               (long long)p->n_reused, (long long)p->n_present);
    add_open_calls(p, &line);
    if (is_open && r->end == RUN_END_DONE)
        buf_add_cstr(&line, "; the same command asks them again");
    (void)fprintf(stderr, "evenhand run: %.*s\n", EH_STR_ARG(buf_view(&line)));
    buf_deinit(&line);
}

/* Why a run ended before its time, and with which exit status. */
static void say_why(run_cmd *c, const run_result *r) {
    static const char goes_on[] = "the same command goes on from here";
    eh_status status = EH_STATUS_OK;
    switch (r->end) {
    case RUN_END_DONE: return;
    case RUN_END_LIMIT:
        (void)fprintf(stderr, "evenhand run: stopped at --limit; %s\n", goes_on);
        status = EH_STATUS_LIMIT;
        break;
    case RUN_END_BUDGET:
        (void)fprintf(stderr,
                      "evenhand run: stopped at --max-cost, with at most $%.4f spent; "
                      "%s\n",
                      (double)c->budget.spent_nusd / 1e9, goes_on);
        status = EH_STATUS_LIMIT;
        break;
    case RUN_END_INTERRUPTED:
        (void)fprintf(stderr, "evenhand run: interrupted; %s\n", goes_on);
        status = EH_STATUS_INTERRUPTED;
        break;
    case RUN_END_STOPPED:
        (void)fprintf(stderr, "evenhand run: %s\n", r->stop_message);
        if (!args_flag(c->args, OPT_quiet))
            (void)fprintf(stderr, "evenhand run: when that is mended %s\n", goes_on);
        status = EH_STATUS_ENDPOINT;
        break;
    }
    c->exit_status = eh_status_exit(status);
}

static void say_end(run_cmd *c, const run_result *r) {
    if (r->refresh.since_ms && !args_flag(c->args, OPT_quiet)) say_refresh(r);
    say_counts(c, r);
    say_texts(c, r);
    say_why(c, r);
}

static eh_status pilot(run_cmd *c, ledger *l, const run_options *options,
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
        warn_mixed(found.judge);
        status = buf_check(&c->out, "the pilot's report", err);
    }
    arena_deinit(&arena);
    return status;
}

static eh_status real_run(run_cmd *c, ledger *l, eh_error *err) {
    progress_view view;
    run_result result;
    progress_init(&view, c->args, c->clock);
    run_options options = {
        .setup = c->setup,
        .concurrency = (int)args_i64(c->args, OPT_concurrency, 16),
        .limit = args_i64(c->args, OPT_limit, -1),
        .budget = c->budget.row ? &c->budget : NULL,
        .refresh = wanted_refresh(c->args),
        .interrupted = common_interrupts(),
        .clock = c->clock,
        .on_progress = progress_show,
        .self = &view,
    };
    EH_TRY(take_labels(c, l, err));
    bool is_pilot = args_given(c->args, OPT_pilot);
    eh_status status = is_pilot ? pilot(c, l, &options, &result, err)
                                : run_engine(l, &options, &result, err);
    progress_end(&view);
    EH_TRY(status);
    say_end(c, &result);
    if (is_pilot || result.end != RUN_END_DONE) return EH_STATUS_OK;
    return write_summary(c, l, &result, err);
}

static eh_status run_into_ledger(run_cmd *c, eh_error *err) {
    ledger *l;
    EH_TRY(ledger_open(args_str(c->args, OPT_output), LEDGER_CREATE, &l, err));
    eh_status status = stage(c, l, err);
    if (status == EH_STATUS_OK) status = real_run(c, l, err);
    eh_status closed = ledger_close(l, status == EH_STATUS_OK ? err : NULL);
    if (status == EH_STATUS_OK) status = closed;
    return status == EH_STATUS_OK ? cmd_print(buf_view(&c->out), err) : status;
}

int cmd_run(const cli_args *args) {
    run_cmd c = {.args = args, .clock = clock_system()};
    eh_error err;
    buf_init(&c.out, BUF_MAX_REPORT);
    eh_status status = make_setup(&c, &err);
    if (status == EH_STATUS_OK)
        status = args_flag(args, OPT_dry_run) ? dry_run(&c, &err)
                                              : run_into_ledger(&c, &err);
    judge_close(c.setup.j);
    run_embedder_close(c.setup.embedder);
    prompt_template_free(c.t);
    price_table_free(c.prices);
    buf_deinit(&c.out);
    return status == EH_STATUS_OK ? c.exit_status : cmd_fail(args, &err);
}
