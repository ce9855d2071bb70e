/* SPDX-License-Identifier: MIT
 *
 * The report on an endpoint.
 *
 * Which calls are made and what they cost at most is printed before the first of them:
 * on standard output as the head of the report, or on standard error where the report
 * is JSON. Then one line for each thing that runs depend on, in words that say what
 * Evenhand will do about it.
 *
 * Left out: asking for a yes. Whoever types -j here wants the calls, and they are few.
 */
#include "doctor_judge.h"

#include <stdio.h>
#include <unistd.h>

#include "base/json_write.h"
#include "base/log.h"
#include "common.h"
#include "report/layout.h"
#include "run/probe.h"
#include "text_file.h"

enum { RETRIES = 1, LABEL_COLUMNS = 18 };

typedef struct doctor {
    const cli_args *args;
    run_probe *probe;
    price_table *prices;
    bool shows_steps;
} doctor;

/* ---- before the calls ---- */

static void add_money(eh_buf *out, int64_t nusd) {
    buf_printf(out, "$%.4f", (double)nusd / 1e9);
}

static void add_plan(const run_probe *p, eh_buf *out) {
    buf_printf(out, "%.*s\n\n", EH_STR_ARG(p->j->id));
    for (size_t i = 0; i < p->profile.n_addresses && p->profile.n_addresses > 1; i++)
        buf_printf(out, "  %.*s\n", EH_STR_ARG(p->profile.addresses[i]));
    buf_printf(out, "%d replies are asked for now, of at most %lld tokens each:\n",
               p->n_replies, (long long)p->o->max_tokens);
    for (int i = 0; i < RUN_PROBE_N_STEPS; i++)
        buf_printf(out, "  %s\n", run_probe_what((run_probe_id)i));
    if (!p->row) {
        buf_add_cstr(out,
                     "The cost is not known: there is no price for this judge.\n\n");
        return;
    }
    buf_add_cstr(out, "At most ");
    add_money(out, p->worst_nusd);
    buf_add_cstr(out, " in all");
    if (p->row->date.len) buf_printf(out, " (price of %.*s)", EH_STR_ARG(p->row->date));
    buf_add_cstr(out, "; refusals cost nothing.\n\n");
}

/* ---- the report as text ---- */

static void label(eh_buf *out, const char *name) {
    buf_printf(out, "  %-*s " LAYOUT_HANG, LABEL_COLUMNS, name);
}

static void add_contact(const run_probe *p, eh_buf *out) {
    label(out, "reachable");
    if (p->n_requests == 0)
        buf_add_cstr(out, "not asked\n");
    else if (!p->is_reachable)
        buf_add_cstr(out, "no\n");
    else if (p->first_ms < 0)
        buf_add_cstr(out, "yes\n");
    else
        buf_printf(out, "yes, first answer after %.2f s", (double)p->first_ms / 1000);
    if (p->first_ms < 0) return;
    if (p->mean_ms >= 0)
        buf_printf(out, ", later ones %.2f s", (double)p->mean_ms / 1000);
    buf_add_char(out, '\n');
}

static void add_key(const run_probe *p, eh_buf *out) {
    static const char *const texts[] = {
        [RUN_PROBE_KEY_UNKNOWN] = "sent, and nothing is known of it",
        [RUN_PROBE_KEY_NONE] = "none was sent, and none was missed",
        [RUN_PROBE_KEY_ACCEPTED] = "accepted",
        [RUN_PROBE_KEY_MISSING] = "there is none, and one is wanted",
        [RUN_PROBE_KEY_REFUSED] = "refused"};
    bool has = !eh_str_is_absent(p->profile.key_place);
    label(out, "key");
    buf_add_cstr(out, p->key == RUN_PROBE_KEY_UNKNOWN && !has ? "none is sent"
                                                              : texts[p->key]);
    if (has) buf_printf(out, " (from %.*s)", EH_STR_ARG(p->profile.key_place));
    buf_add_char(out, '\n');
}

static void add_model(const run_probe *p, eh_buf *out) {
    label(out, "model");
    if (!p->works && p->status == 404)
        buf_add_cstr(out, "not known there, or the address is wrong\n");
    else if (!p->works)
        buf_add_cstr(out, "nothing is known of it\n");
    else if (!p->model.len)
        buf_add_cstr(out, "answers; the endpoint does not name it\n");
    else if (eh_str_eq(p->model, p->j->model))
        buf_add_cstr(out, "answers, under the name that was asked for\n");
    else
        buf_printf(out, "answers, as %.*s\n", EH_STR_ARG(p->model));
    if (!p->works) return;
    label(out, "fingerprint");
    if (p->fingerprint.len)
        buf_printf(out, "%.*s\n", EH_STR_ARG(p->fingerprint));
    else
        buf_add_cstr(out, "none is given: a change of the model may go unseen\n");
}

static void add_counts(const run_probe *p, eh_buf *out) {
    const struct {
        const char *name;
        int64_t n;
    } counts[] = {{"prompt", p->reported.prompt_tokens},
                  {"output", p->reported.completion_tokens},
                  {"cached", p->reported.cached_tokens},
                  {"reasoning", p->reported.reasoning_tokens}};
    const char *gap = "";
    label(out, "token counts");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        if (counts[i].n < 0) continue;
        buf_printf(out, "%s%s", gap, counts[i].name);
        gap = ", ";
    }
    buf_add_cstr(out, *gap ? "\n" : "none are given: costs stay unknown\n");
}

/* The end of a line where nothing came of the call; false where something did. */
static bool add_no_reply(const run_probe_step *s, eh_buf *out) {
    switch (s->state) {
    case RUN_PROBE_NOT_TRIED: buf_add_cstr(out, "not tried\n"); return true;
    case RUN_PROBE_FAILED:
        buf_printf(out, "no reply: %.*s\n", EH_STR_ARG(s->message));
        return true;
    case RUN_PROBE_ABSENT:
        buf_add_cstr(out, "not sent: known not to be there\n");
        return true;
    case RUN_PROBE_REFUSED:
        buf_add_cstr(out, "refused, and left out of requests\n");
        return true;
    case RUN_PROBE_TAKEN: break;
    }
    return false;
}

static void add_as(const run_probe_step *s, const char *usual, eh_buf *out) {
    buf_add_cstr(out, "taken");
    if (s->sent_as.len && !eh_str_eq_cstr(s->sent_as, usual))
        buf_printf(out, " as %.*s", EH_STR_ARG(s->sent_as));
}

static void add_limit(const run_probe_step *s, eh_buf *out) {
    static const char *const kept[] = {[RUN_PROBE_UNKNOWN] =
                                           "; kept to or not is not seen\n",
                                       [RUN_PROBE_KEPT] = ", and kept to\n",
                                       [RUN_PROBE_IGNORED] = ", and NOT kept to\n"};
    label(out, "output limit");
    if (add_no_reply(s, out)) return;
    add_as(s, "max_tokens", out);
    buf_add_cstr(out, kept[s->kept]);
    if (s->kept != RUN_PROBE_IGNORED) return;
    label(out, "");
    buf_add_cstr(out, "so --max-cost is no bound here\n");
}

static void add_param(const char *name, const char *usual, const run_probe_step *s,
                      eh_buf *out) {
    label(out, name);
    if (add_no_reply(s, out)) return;
    add_as(s, usual, out);
    buf_add_char(out, '\n');
}

static void add_n(const run_probe *p, eh_buf *out) {
    const run_probe_step *s = &p->steps[RUN_PROBE_N];
    label(out, "several samples");
    if (s->state == RUN_PROBE_REFUSED)
        buf_add_cstr(out, "n is refused: samples are asked one by one\n");
    else if (s->state == RUN_PROBE_ABSENT)
        buf_add_cstr(out, "known to be one a request: asked one by one\n");
    else if (add_no_reply(s, out))
        return;
    else if (s->kept == RUN_PROBE_IGNORED)
        buf_add_cstr(out, "n is ignored: samples are asked one by one\n");
    else if (p->same_samples)
        buf_add_cstr(out, "n is honoured, but both had the same text\n");
    else
        buf_add_cstr(out, "n is honoured: one request, and its prompt paid once\n");
}

static const char *schema_text(eh_str kind) {
    if (eh_str_eq_cstr(kind, "tgi")) return "a schema, in TGI's layout";
    if (eh_str_eq_cstr(kind, "json_object")) return "any JSON object, no schema";
    return "a schema";
}

static void add_schema(const run_probe *p, eh_buf *out) {
    const run_probe_step *s = &p->steps[RUN_PROBE_SCHEMA];
    const verdict_result *v = &p->verdict;
    label(out, "structured output");
    if (s->state == RUN_PROBE_REFUSED || s->state == RUN_PROBE_ABSENT)
        buf_add_cstr(out, "none: JSON is asked for in words");
    else if (add_no_reply(s, out))
        return;
    else
        buf_add_cstr(out, schema_text(s->sent_as));
    if (v->verdict != EH_VERDICT_NONE && v->has_scores)
        buf_printf(out, "; a verdict was read, %g to %g\n", v->score_1, v->score_2);
    else if (v->verdict != EH_VERDICT_NONE)
        buf_add_cstr(out, "; a verdict was read\n");
    else
        buf_printf(out, "; no verdict in the reply (%s)\n",
                   verdict_reason_name(v->reason));
}

static void add_logprobs(const run_probe *p, eh_buf *out) {
    const run_probe_step *s = &p->steps[RUN_PROBE_LOGPROBS];
    label(out, "log probabilities");
    if (add_no_reply(s, out)) return;
    if (s->kept == RUN_PROBE_IGNORED)
        buf_add_cstr(out, "taken, but none came\n");
    else
        buf_printf(out, "given, with %d alternatives to a token\n", p->n_logprobs);
}

static void add_used(const run_probe *p, eh_buf *out) {
    int64_t cost = p->row ? price_cost_nusd(p->row, &p->used) : -1;
    buf_printf(out, "\n%lld request%s", (long long)p->n_requests,
               p->n_requests == 1 ? "" : "s");
    if (p->works && p->used.prompt_tokens >= 0 && p->used.completion_tokens >= 0)
        buf_printf(out, ", %lld tokens asked and %lld answered",
                   (long long)p->used.prompt_tokens,
                   (long long)p->used.completion_tokens);
    if (p->works && cost >= 0) {
        buf_add_cstr(out, ", ");
        add_money(out, cost);
    }
    buf_add_char(out, '\n');
}

static void add_report(const run_probe *p, eh_buf *out) {
    add_contact(p, out);
    add_key(p, out);
    add_model(p, out);
    if (p->works) {
        add_counts(p, out);
        add_limit(&p->steps[RUN_PROBE_LIMIT], out);
        add_param("temperature", "temperature", &p->steps[RUN_PROBE_TEMPERATURE], out);
        add_param("seed", "seed", &p->steps[RUN_PROBE_SEED], out);
        add_n(p, out);
        add_schema(p, out);
        add_logprobs(p, out);
    }
    add_used(p, out);
}

/* ---- the report as JSON ---- */

static void put_money(json_writer *w, const char *key, int64_t nusd) {
    json_key(w, key);
    if (nusd < 0)
        json_null(w);
    else
        json_f64(w, (double)nusd / 1e9);
}

static void put_step(json_writer *w, const run_probe_step *s) {
    static const char *const states[] = {[RUN_PROBE_NOT_TRIED] = "not_tried",
                                         [RUN_PROBE_TAKEN] = "taken",
                                         [RUN_PROBE_REFUSED] = "refused",
                                         [RUN_PROBE_ABSENT] = "absent",
                                         [RUN_PROBE_FAILED] = "failed"};
    json_object_begin(w);
    json_put_cstr(w, "state", states[s->state]);
    json_put_str(w, "sent_as", s->sent_as);
    json_key(w, "kept");
    if (s->kept == RUN_PROBE_UNKNOWN)
        json_null(w);
    else
        json_bool(w, s->kept == RUN_PROBE_KEPT);
    if (s->message.len) json_put_str(w, "message", s->message);
    json_object_end(w);
}

static void put_counts(json_writer *w, const char *key, const judge_usage *u) {
    json_key(w, key);
    json_object_begin(w);
    json_put_known(w, "prompt", u->prompt_tokens);
    json_put_known(w, "cached", u->cached_tokens);
    json_put_known(w, "completion", u->completion_tokens);
    json_put_known(w, "reasoning", u->reasoning_tokens);
    json_object_end(w);
}

static void put_contact(json_writer *w, const run_probe *p) {
    static const char *const keys[] = {[RUN_PROBE_KEY_UNKNOWN] = "unknown",
                                       [RUN_PROBE_KEY_NONE] = "none",
                                       [RUN_PROBE_KEY_ACCEPTED] = "accepted",
                                       [RUN_PROBE_KEY_MISSING] = "missing",
                                       [RUN_PROBE_KEY_REFUSED] = "refused"};
    json_put_str(w, "judge", p->j->id);
    json_key(w, "addresses");
    json_array_begin(w);
    for (size_t i = 0; i < p->profile.n_addresses; i++)
        json_str(w, p->profile.addresses[i]);
    json_array_end(w);
    json_put_bool(w, "works", p->works);
    json_put_str(w, "message", p->message);
    json_put_bool(w, "reachable", p->is_reachable);
    json_put_known(w, "http_status", p->status ? p->status : -1);
    json_put_cstr(w, "key", keys[p->key]);
    json_put_str(w, "key_place", p->profile.key_place);
    json_put_str(w, "model", p->model);
    json_put_str(w, "fingerprint", p->fingerprint);
    json_put_known(w, "first_ms", p->first_ms);
    json_put_known(w, "later_ms", p->mean_ms);
}

static void write_json(const run_probe *p, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 2);
    json_object_begin(&w);
    json_put_i64(&w, "doctor", 1);
    put_contact(&w, p);
    put_counts(&w, "token_counts", &p->reported);
    for (int i = RUN_PROBE_PLAIN + 1; i < RUN_PROBE_N_STEPS; i++) {
        json_key(&w, run_probe_name((run_probe_id)i));
        put_step(&w, &p->steps[i]);
    }
    json_put_known(&w, "logprobs_alternatives",
                   p->steps[RUN_PROBE_LOGPROBS].kept == RUN_PROBE_KEPT ? p->n_logprobs
                                                                       : -1);
    json_put_known(&w, "requests", p->n_requests);
    put_counts(&w, "tokens", &p->used);
    put_money(&w, "cost_usd", p->row ? price_cost_nusd(p->row, &p->used) : -1);
    put_money(&w, "cost_usd_max", p->worst_nusd);
    json_put_str(&w, "price_date", p->row ? p->row->date : (eh_str){NULL, 0});
    json_object_end(&w);
    buf_add_char(out, '\n');
}

/* ---- the command ---- */

/* A line that each step overwrites, on a terminal only. */
static void show_step(void *self, run_probe_id step) {
    const doctor *d = self;
    if (d->shows_steps)
        (void)fprintf(stderr, "\r\033[Kasking: %.*s",
                      text_terminal_columns(STDERR_FILENO) - 12, run_probe_what(step));
}

/* The head of the report; seen before the first call. */
static eh_status say_plan(const doctor *d, eh_error *err) {
    eh_buf plan;
    buf_init(&plan, BUF_MAX_SMALL);
    add_plan(d->probe, &plan);
    eh_status status = buf_check(&plan, "the report", err);
    if (status == EH_STATUS_OK && !args_flag(d->args, OPT_json)) {
        status = common_print_text(buf_view(&plan), err);
        (void)fflush(stdout);
    } else if (status == EH_STATUS_OK && !args_flag(d->args, OPT_quiet)) {
        (void)fprintf(stderr, "%.*s", EH_STR_ARG(buf_view(&plan)));
    }
    buf_deinit(&plan);
    return status;
}

static eh_status look(doctor *d, eh_error *err) {
    const run_probe *p = d->probe;
    eh_buf report;
    EH_TRY(say_plan(d, err));
    log_set_sink(NULL, NULL); /* what is learned stands in the report */
    eh_status status = run_probe_ask(d->probe, err);
    if (d->shows_steps) (void)fprintf(stderr, "\r\033[K");
    EH_TRY(status);
    buf_init(&report, BUF_MAX_SMALL);
    if (args_flag(d->args, OPT_json))
        write_json(p, &report);
    else
        add_report(p, &report);
    status = buf_check(&report, "the report", err);
    if (status == EH_STATUS_OK)
        status = common_print_result(d->args, buf_view(&report), err);
    buf_deinit(&report);
    (void)fflush(stdout); /* before the line on standard error */
    if (status != EH_STATUS_OK || p->works) return status;
    return EH_FAIL(err, EH_STATUS_ENDPOINT, "%.*s", EH_STR_ARG(p->message));
}

int doctor_judge(const cli_args *args) {
    judge_http_options http = common_endpoint(args);
    http.retries = RETRIES;
    judge_open_args open = {.concurrency = 1, .http = &http, .clock = clock_system()};
    doctor d = {.args = args,
                .shows_steps = !args_flag(args, OPT_quiet) && isatty(STDERR_FILENO)};
    run_probe_options options = {.judge = eh_str_of(args_str(args, OPT_judge)),
                                 .open = &open,
                                 .max_tokens = args_i64(args, OPT_max_tokens, 0),
                                 .on_step = show_step,
                                 .self = &d};
    eh_error err;
    eh_status status = price_table_load(args_str(args, OPT_prices), &d.prices, &err);
    options.prices = d.prices;
    if (status == EH_STATUS_OK) status = run_probe_open(&options, &d.probe, &err);
    if (status == EH_STATUS_OK) status = look(&d, &err);
    run_probe_close(d.probe);
    price_table_free(d.prices);
    return status == EH_STATUS_OK ? 0 : cmd_fail(args, &err);
}
