/* SPDX-License-Identifier: MIT
 *
 * Times, attempts and requests of the runs of a summary.
 *
 * They are apart from the summary on purpose: the same replies give the same summary on
 * every machine, and never the same times. Judge time is what the endpoint took for the
 * requests; many run side by side, so it is not the time a user waited.
 */
#include "show_timing.h"

#include <math.h>

#include "report/write.h"

/* One run's numbers. */
typedef struct timed {
    const tally_view *view;
    eh_str name;
    int64_t n_pairs;
    ledger_timing t;
    ledger_requests *requests; /* [n_requests] */
    size_t n_requests;
    double seconds;      /* of judge time; NaN: unknown */
    double seconds_1000; /* for 1,000 pairs */
    double co2e_1000_g;  /* likewise; NaN: unknown or no factor */
} timed;

static void put_json(const timed *x, double co2e_hour_g, json_writer *w) {
    json_key_str(w, x->name);
    json_object_begin(w);
    json_put_i64(w, "run", x->view->run.row);
    json_put_i64(w, "sessions", x->t.n_sessions);
    json_put_i64(w, "calls", x->t.n_calls);
    json_put_i64(w, "attempts", x->t.n_attempts);
    json_put_i64(w, "no_result", x->t.n_no_result);
    json_put_i64(w, "first_ms", x->t.first_ms);
    json_put_i64(w, "last_ms", x->t.last_ms);
    json_put_f64(w, "mean_latency_ms", x->t.mean_latency_ms);
    json_key(w, "requests");
    json_object_begin(w);
    for (size_t i = 0; i < x->n_requests; i++) {
        json_key_str(w, x->requests[i].outcome);
        json_i64(w, x->requests[i].n);
    }
    json_object_end(w);
    json_put_f64(w, "judge_seconds", x->seconds);
    json_key(w, "per_1000");
    json_object_begin(w);
    json_put_f64(w, "judge_seconds", x->seconds_1000);
    if (co2e_hour_g > 0) json_put_f64(w, "co2e_g", x->co2e_1000_g);
    if (isnan(x->seconds_1000)) report_put_why(w, "unknown_times");
    json_object_end(w);
    if (isnan(x->seconds)) report_put_why(w, "unknown_times");
    json_object_end(w);
}

/* "1504 requests: 1200 answered, 52 http_502, ..." */
static void add_requests(const timed *x, eh_buf *out) {
    int64_t n_sent = 0;
    if (x->n_requests == 0) return;
    for (size_t i = 0; i < x->n_requests; i++)
        n_sent += x->requests[i].n;
    buf_printf(out, "    %lld request%s:", (long long)n_sent, n_sent == 1 ? "" : "s");
    for (size_t i = 0; i < x->n_requests; i++)
        buf_printf(out, "%s %lld %.*s", i ? "," : "", (long long)x->requests[i].n,
                   EH_STR_ARG(x->requests[i].outcome));
    buf_add_char(out, '\n');
}

static void add_text(const timed *x, double co2e_hour_g, eh_buf *out) {
    const ledger_timing *t = &x->t;
    buf_add_cstr(out, "  ");
    report_foreign(out, x->name, 200);
    buf_printf(out, "\n    %lld session%s, %lld call%s", (long long)t->n_sessions,
               t->n_sessions == 1 ? "" : "s", (long long)t->n_calls,
               t->n_calls == 1 ? "" : "s");
    if (t->n_no_result)
        buf_printf(out, " and %lld without result", (long long)t->n_no_result);
    if (t->n_calls)
        buf_printf(out, ", over %.1f s", (double)(t->last_ms - t->first_ms) / 1000);
    if (!isnan(t->mean_latency_ms))
        buf_printf(out, ", %.0f ms each", t->mean_latency_ms);
    buf_add_char(out, '\n');
    add_requests(x, out);
    if (isnan(x->seconds_1000)) return;
    buf_printf(out, "    %.1f s of judge time, %.0f s for 1,000 pairs", x->seconds,
               x->seconds_1000);
    if (co2e_hour_g > 0)
        buf_printf(out, ", %.4g g CO2e (at %g g an hour)", x->co2e_1000_g, co2e_hour_g);
    buf_add_char(out, '\n');
}

eh_status show_timing(const tally_books *books, const report_summary *summary,
                      const show_timing_options *options, eh_arena *arena, eh_buf *out,
                      eh_error *err) {
    json_writer w;
    json_writer_init(&w, out, 1);
    if (options->json) {
        json_object_begin(&w);
        json_put_i64(&w, "timing", 1);
        json_key(&w, "judges");
        json_object_begin(&w);
    } else {
        buf_add_cstr(out, "\ntiming\n");
    }
    for (size_t i = 0; i < books->n_views; i++) {
        const tally_view *view = &books->views[i];
        ledger *l = books->ledgers[view->book];
        timed x = {.view = view,
                   .name = summary->judges[i].name,
                   .n_pairs = summary->judges[i].n_pairs};
        EH_TRY(ledger_timing_sum(l, view->run.judge_row, &x.t, err));
        EH_TRY(ledger_requests_sum(l, view->run.judge_row, arena, &x.requests,
                                   &x.n_requests, err));
        EH_TRY(
            ledger_judge_seconds(l, view->run.judge_row, &view->plan, &x.seconds, err));
        x.seconds_1000 = x.n_pairs ? x.seconds / (double)x.n_pairs * 1000 : (double)NAN;
        x.co2e_1000_g = x.seconds_1000 / 3600 * options->co2e_hour_g;
        if (options->json)
            put_json(&x, options->co2e_hour_g, &w);
        else
            add_text(&x, options->co2e_hour_g, out);
    }
    if (options->json) {
        json_object_end(&w);
        json_object_end(&w);
        buf_add_char(out, '\n');
    }
    return EH_STATUS_OK;
}
