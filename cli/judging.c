/* SPDX-License-Identifier: MIT
 *
 * Asking a judge from the command line: what run and audit do alike.
 *
 * Left out: what is to be asked and what is made of it, which is the commands' own.
 */
#include "judging.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "common.h"
#include "embedder.h"
#include "options.h"
#include "run/template_file.h"

/* ---- setting up ---- */

/* The judge's price, and the budget that needs it. */
static eh_status find_price(judging *c, eh_error *err) {
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

static eh_status want_logprobs(judging *c, eh_error *err) {
    judge_params *params = &c->setup.params;
    params->wants_logprobs = args_given(c->args, OPT_logprobs);
    params->top_logprobs = (int)args_i64(c->args, OPT_logprobs, 0);
    if (!params->wants_logprobs || c->setup.j->backend->is_endpoint)
        return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_USAGE,
                   "--logprobs is for endpoints; judge '%s' is none",
                   c->setup.j->backend->name);
}

eh_status judging_open(judging *c, eh_error *err) {
    const cli_args *a = c->args;
    judge_http_options http = common_endpoint(a);
    judge_open_args open = {
        .seed = args_i64(a, OPT_seed, 0),
        .concurrency = (int)args_i64(a, OPT_concurrency, 16),
        .http = &http,
        .clock = c->clock,
    };
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
    run_setup_params(&c->setup, args_i64(a, OPT_request_seed, -1));
    c->setup.params.max_tokens = args_i64(a, OPT_max_tokens, -1);
    EH_TRY(want_logprobs(c, err));
    return find_price(c, err);
}

void judging_close(judging *c) {
    judge_close(c->setup.j);
    run_embedder_close(c->setup.embedder);
    prompt_template_free(c->t);
    price_table_free(c->prices);
    buf_deinit(&c->out);
}

run_refresh judging_refresh(const cli_args *args) {
    return (run_refresh){.all = args_flag(args, OPT_refresh),
                         .max_age_ms = args_i64(args, OPT_max_age, 0)};
}

run_options judging_options(judging *c) {
    return (run_options){
        .setup = c->setup,
        .concurrency = (int)args_i64(c->args, OPT_concurrency, 16),
        .limit = args_i64(c->args, OPT_limit, -1),
        .budget = c->budget.row ? &c->budget : NULL,
        .interrupted = common_interrupts(),
        .clock = c->clock,
    };
}

/* ---- dry run ---- */

static void forecast_line(eh_buf *out, int64_t n, const char *what) {
    if (n) buf_printf(out, "  %10lld %s\n", (long long)n, what);
}

/* What the prompts may come to, and the replies where they are limited. */
static void forecast_cost(eh_buf *out, const run_forecast *f, const judging *c) {
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
static void forecast_texts(eh_buf *out, const run_forecast *f, const judging *c) {
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

eh_status judging_print_forecast(const judging *c, const run_forecast *f,
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
    if (status == EH_STATUS_OK) status = common_print_text(buf_view(&out), err);
    buf_deinit(&out);
    return status;
}

/* ---- the end ---- */

static void say_refresh(const judging *c, const run_result *r) {
    time_t since = (time_t)(r->refresh.since_ms / 1000);
    struct tm tm;
    char text[32] = "";
    if (gmtime_r(&since, &tm))
        (void)strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &tm);
    cmd_say(c->args,
            "%lld of the new calls took the place of answers from "
            "before %s UTC%s",
            (long long)r->progress.n_refreshed, text,
            r->refresh.resumed ? ", where the last refresh began" : "");
}

/* What was embedded, and what did not fit. */
static void say_texts(const judging *c, const run_result *r) {
    const run_progress *p = &r->progress;
    if (p->n_embedded && !args_flag(c->args, OPT_quiet))
        cmd_say(c->args, "%lld text%s embedded by %.*s", (long long)p->n_embedded,
                p->n_embedded == 1 ? "" : "s",
                EH_STR_ARG(run_embedder_id(c->setup.embedder)));
    if (p->n_no_vector && r->end == RUN_END_DONE)
        cmd_say(c->args,
                "%lld pair%s got no embeddings; the same command asks "
                "for them again",
                (long long)p->n_no_vector, p->n_no_vector == 1 ? "" : "s");
    if (r->n_too_long)
        cmd_say(c->args, "%lld prompt%s did not fit into the judge's context%s%s",
                (long long)r->n_too_long, r->n_too_long == 1 ? "" : "s",
                r->too_long_message[0] ? ": " : "", r->too_long_message);
    if (r->n_too_long && plan_n_stages(&c->setup.plan) > 1 &&
        c->setup.plan.context_tokens == 0)
        cmd_say(c->args, "with --context TOKENS pairs that fit whole, but not "
                         "in all of their parts, are shown in fewer");
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
static void say_counts(const judging *c, const run_result *r) {
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
    cmd_say(c->args, "%.*s", EH_STR_ARG(buf_view(&line)));
    buf_deinit(&line);
}

void judging_say_why(judging *c, const run_result *r) {
    static const char goes_on[] = "the same command goes on from here";
    eh_status status = EH_STATUS_OK;
    switch (r->end) {
    case RUN_END_DONE: return;
    case RUN_END_LIMIT:
        cmd_say(c->args, "stopped at --limit; %s", goes_on);
        status = EH_STATUS_LIMIT;
        break;
    case RUN_END_BUDGET:
        if (r->progress.n_new == 0)
            cmd_say(c->args, "one call may already cost more than --max-cost allows; "
                             "give more, or a lower --max-tokens");
        else
            cmd_say(c->args, "stopped at --max-cost, with at most $%.4f spent; %s",
                    (double)c->budget.spent_nusd / 1e9, goes_on);
        status = EH_STATUS_LIMIT;
        break;
    case RUN_END_INTERRUPTED:
        cmd_say(c->args, "interrupted; %s", goes_on);
        status = EH_STATUS_INTERRUPTED;
        break;
    case RUN_END_STOPPED:
        cmd_say(c->args, "%s", r->stop_message);
        if (!args_flag(c->args, OPT_quiet))
            cmd_say(c->args, "when that is mended, %s", goes_on);
        status = EH_STATUS_ENDPOINT;
        break;
    }
    c->exit_status = eh_status_exit(status);
}

void judging_say_end(judging *c, const run_result *r) {
    if (r->refresh.since_ms && !args_flag(c->args, OPT_quiet)) say_refresh(c, r);
    say_counts(c, r);
    say_texts(c, r);
    judging_say_why(c, r);
}
