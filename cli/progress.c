/* SPDX-License-Identifier: MIT
 *
 * The progress line: done of all, rate, failures, time left.
 *
 * Only pairs whose replies are durable are counted. The time left is the mean pace of
 * this session; it says nothing before two seconds have passed.
 */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"

enum { BAR_CELLS = 20 };
#define BAR_NS INT64_C(100000000)
#define LINE_NS INT64_C(10000000000)

void progress_init(progress_view *v, const cli_args *args, eh_clock clock) {
    *v = (progress_view){.off = args_flag(args, OPT_quiet),
                         .bar = isatty(STDERR_FILENO) == 1,
                         .clock = clock};
    v->next_ns = clock_mono_ns(&clock) + (v->bar ? 2 * BAR_NS : LINE_NS);
}

static void add_time_left(eh_buf *out, const run_progress *p, double seconds) {
    int64_t left = p->n_pairs - p->n_pairs_done;
    if (seconds < 2 || p->n_pairs_done == 0 || left == 0) return;
    double s = (double)left * seconds / (double)p->n_pairs_done;
    if (s < 90)
        buf_printf(out, ", %.0f s left", s);
    else if (s < 5400)
        buf_printf(out, ", %.0f min left", s / 60);
    else
        buf_printf(out, ", %.1f h left", s / 3600);
}

void progress_show(void *self, const run_progress *p) {
    progress_view *v = self;
    int64_t now = clock_mono_ns(&v->clock);
    if (v->off || now < v->next_ns) return;
    v->next_ns = now + (v->bar ? BAR_NS : LINE_NS);
    double seconds = (double)(now - p->started_ns) * 1e-9;
    eh_buf line;
    buf_init(&line, BUF_MAX_SMALL);
    if (v->bar) {
        int filled = p->n_pairs ? (int)(BAR_CELLS * p->n_pairs_done / p->n_pairs) : 0;
        buf_add_cstr(&line, "\r[");
        for (int i = 0; i < BAR_CELLS; i++)
            buf_add_char(&line, i < filled ? '#' : '.');
        buf_add_cstr(&line, "] ");
    }
    double rate = seconds > 0 ? (double)p->n_new / seconds : 0;
    buf_printf(&line, "%lld of %lld pairs, %.*f calls/s", (long long)p->n_pairs_done,
               (long long)p->n_pairs, rate < 10 ? 1 : 0, rate);
    if (p->n_failed) buf_printf(&line, ", %lld failed", (long long)p->n_failed);
    if (p->n_no_result)
        buf_printf(&line, ", %lld without result", (long long)p->n_no_result);
    add_time_left(&line, p, seconds);
    (void)fprintf(stderr, "%s%s", buf_view(&line).ptr, v->bar ? "\033[K" : "\n");
    (void)fflush(stderr);
    v->drawn = v->drawn || v->bar;
    buf_deinit(&line);
}

void progress_end(progress_view *v) {
    if (v->drawn) (void)fprintf(stderr, "\r\033[K");
    v->drawn = false;
}
