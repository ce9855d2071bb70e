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
#include "text_file.h"

enum { SPARE_COLUMNS = 4 }; /* for the ^C that a terminal echoes */
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

/* What the line says, in words. */
static void add_counts(eh_buf *out, const run_progress *p, double seconds, bool rate) {
    buf_printf(out, "%lld of %lld pairs", (long long)p->n_pairs_done,
               (long long)p->n_pairs);
    double pace = seconds > 0 ? (double)p->n_new / seconds : 0;
    if (rate) buf_printf(out, ", %.*f calls/s", pace < 10 ? 1 : 0, pace);
    if (p->n_failed) buf_printf(out, ", %lld failed", (long long)p->n_failed);
    if (p->n_no_result)
        buf_printf(out, ", %lld without result", (long long)p->n_no_result);
    add_time_left(out, p, seconds);
}

static void add_bar(eh_buf *out, const run_progress *p, int n_cells) {
    int filled = p->n_pairs ? (int)(n_cells * p->n_pairs_done / p->n_pairs) : 0;
    buf_add_char(out, '[');
    for (int i = 0; i < n_cells; i++)
        buf_add_char(out, i < filled ? '#' : '.');
    buf_add_cstr(out, "] ");
}

/* A bar that a terminal's line holds, since one that wraps is drawn over and over: with
 * a shorter bar, with none, without the rate, or cut. */
static void add_fitting(eh_buf *out, const run_progress *p, double seconds, int room) {
    static const struct {
        int n_cells;
        bool rate;
    } forms[] = {{20, true}, {10, true}, {10, false}, {0, false}};
    enum { N_FORMS = sizeof forms / sizeof forms[0] };
    for (int i = 0; i < N_FORMS; i++) {
        buf_reset(out);
        if (forms[i].n_cells) add_bar(out, p, forms[i].n_cells);
        add_counts(out, p, seconds, forms[i].rate);
        if ((int)out->len <= room) return;
    }
    if ((int)out->len > room) out->ptr[room] = '\0';
}

void progress_show(void *self, const run_progress *p) {
    progress_view *v = self;
    int64_t now = clock_mono_ns(&v->clock);
    if (v->off || now < v->next_ns) return;
    v->next_ns = now + (v->bar ? BAR_NS : LINE_NS);
    double seconds = (double)(now - p->started_ns) * 1e-9;
    eh_buf line;
    buf_init(&line, BUF_MAX_SMALL);
    if (v->bar)
        add_fitting(&line, p, seconds,
                    text_terminal_columns(STDERR_FILENO) - SPARE_COLUMNS);
    else
        add_counts(&line, p, seconds, true);
    if (!line.failed) (void)fprintf(stderr, v->bar ? "\r%s\033[K" : "%s\n", line.ptr);
    (void)fflush(stderr);
    v->drawn = v->drawn || v->bar;
    buf_deinit(&line);
}

void progress_end(progress_view *v) {
    if (v->drawn) (void)fprintf(stderr, "\r\033[K");
    v->drawn = false;
}
