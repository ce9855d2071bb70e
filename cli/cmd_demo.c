/* SPDX-License-Identifier: MIT
 *
 * evenhand demo: the whole idea in half a minute, without a key and without a server.
 *
 * The built-in pairs (examples/) are judged by a simulated judge that likes whatever is
 * shown first. It is asked the usual way (one order), then in both orders, then in both
 * orders with three samples; what people said stands beside it. Everything runs through
 * the same engine, reader and ledger as a real run, in a folder of its own that is
 * removed at the end.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/embedded.h"
#include "common.h"
#include "report/summary.h"
#include "report/write.h"
#include "run/engine.h"
#include "run/stage.h"
#include "tally/summarize.h"

#define DEMO_JUDGE "sim:first=1.5,noise=.7,seed=3"

typedef struct demo {
    char folder[64];
    char pairs[96], labels[96], ledger_path[96];
    ledger *l;
    prompt_template *t;
} demo;

static eh_status write_file(const embedded_file *f, const char *path, eh_error *err) {
    FILE *out = fopen(path, "wb");
    bool ok = out && fwrite(f->text, 1, f->len, out) == f->len;
    if (out && fclose(out) != 0) ok = false;
    return ok ? EH_STATUS_OK
              : EH_FAIL(err, EH_STATUS_IO, "%s: %s", path, strerror(errno));
}

static eh_status unpack(demo *d, eh_error *err) {
    const char *base = getenv("TMPDIR");
    if (!base || !*base || strlen(base) > 30) base = "/tmp";
    (void)snprintf(d->folder, sizeof d->folder, "%s/evenhand-demo-XXXXXX", base);
    if (!mkdtemp(d->folder)) {
        eh_status status =
            EH_FAIL(err, EH_STATUS_IO, "%s: %s", d->folder, strerror(errno));
        d->folder[0] = '\0';
        return status;
    }
    (void)snprintf(d->pairs, sizeof d->pairs, "%s/pairs.jsonl", d->folder);
    (void)snprintf(d->labels, sizeof d->labels, "%s/labels.jsonl", d->folder);
    (void)snprintf(d->ledger_path, sizeof d->ledger_path, "%s/demo.db", d->folder);
    EH_TRY(write_file(&embedded_demo[0], d->pairs, err));
    return write_file(&embedded_demo[1], d->labels, err);
}

static void clean_up(demo *d) {
    (void)ledger_close(d->l, NULL);
    prompt_template_free(d->t);
    if (!d->folder[0]) return;
    (void)unlink(d->pairs);
    (void)unlink(d->labels);
    (void)unlink(d->ledger_path);
    (void)rmdir(d->folder);
}

static eh_status judge_once(demo *d, const char *spec, const char *method,
                            const char *order, eh_error *err) {
    judge_open_args open = {.concurrency = 16, .clock = clock_system()};
    plan_wish wish = {.method = eh_str_of(method), .order = eh_str_of(order)};
    run_options o = {
        .setup = {.t = d->t}, .concurrency = 16, .limit = -1, .clock = clock_system()};
    run_result result;
    EH_TRY(plan_make(&wish, &o.setup.plan, err));
    EH_TRY(judge_open(eh_str_of(spec), &open, &o.setup.j, err));
    run_setup_params(&o.setup, -1);
    eh_status status = run_engine(d->l, &o, &result, err);
    judge_close(o.setup.j);
    return status;
}

static eh_status judge_all(demo *d, eh_error *err) {
    dataset_counts counts;
    bool unchanged;
    run_import_counts labels;
    run_stage_options stage = {.data.path = d->pairs, .clock = clock_system()};
    EH_TRY(ledger_open(d->ledger_path, LEDGER_CREATE, &d->l, err));
    EH_TRY(run_stage(d->l, &stage, &counts, &unchanged, err));
    EH_TRY(run_import_labels(d->l, d->labels, false, NULL, &labels, err));
    EH_TRY(prompt_template_builtin(EH_STR("score"), &d->t, err));
    EH_TRY(judge_once(d, DEMO_JUDGE, "vanilla", "both", err));
    EH_TRY(judge_once(d, DEMO_JUDGE, "bpc", "", err));
    EH_TRY(judge_once(d, DEMO_JUDGE, "mec+bpc", "", err));
    return judge_once(d, "longest", "bpc", "", err);
}

/* ---- the story ---- */

typedef struct human {
    double win_rate;
    int64_t n;
} human;

static eh_status human_win_rate(ledger *l, human *h, eh_error *err) {
    ledger_cursor *c;
    double sum = 0;
    *h = (human){0};
    EH_TRY(ledger_cursor_open(l, LEDGER_BY_DATA, &c, err));
    eh_status status = EH_STATUS_OK;
    for (bool got = true; status == EH_STATUS_OK;) {
        ledger_pair pair;
        int64_t counts[4];
        bool flagged;
        status = ledger_cursor_next(c, &pair, &got, err);
        if (status != EH_STATUS_OK || !got) break;
        status = ledger_label_counts(l, pair.row, counts, err);
        eh_verdict v = tally_label_majority(counts, &flagged);
        if (v == EH_VERDICT_NONE) continue;
        h->n++;
        sum += v == EH_VERDICT_1 ? 1 : v == EH_VERDICT_TIE ? .5 : 0;
    }
    ledger_cursor_close(c);
    h->win_rate = h->n ? sum / (double)h->n : NAN;
    return status;
}

static void row(eh_buf *out, const char *how, const report_rate *r, double accuracy,
                int64_t n_calls) {
    buf_printf(out, "  %s" LAYOUT_CELL "%.0f %%" LAYOUT_LEFT "%.0f to %.0f", how,
               100 * r->value, 100 * r->low, 100 * r->high);
    buf_printf(out, LAYOUT_CELL "%.0f %%", 100 * accuracy);
    report_cell_count(out, n_calls);
    buf_add_char(out, '\n');
}

static void tell(eh_buf *out, const report_summary *s, const human *h) {
    const report_judge *vanilla = &s->judges[0], *bpc = &s->judges[1];
    const report_judge *calibrated = &s->judges[2], *longest = &s->judges[3];
    buf_printf(
        out,
        "\n%lld questions, two answers each: one by model-a, one by model-b. Three "
        "people labelled them all; by their majority model-a wins %.0f %% (a tie "
        "counts half).\n\nNow a judge, simulated here, that adds 1.5 points to "
        "whatever it is shown first. How often model-a wins with it, and how "
        "often it is right:\n\n",
        (long long)s->n_pairs, 100 * h->win_rate);
    buf_add_cstr(out, LAYOUT_HEAD "  how it is asked" LAYOUT_CELL "wins" LAYOUT_LEFT
                                  "95 %" LAYOUT_CELL "right" LAYOUT_CELL "calls\n");
    row(out, "once, model-a shown first", &vanilla->win_rate_by_order[0],
        vanilla->labels.by_order[0].accuracy, vanilla->n_calls / 2);
    row(out, "once, model-b shown first", &vanilla->win_rate_by_order[1],
        vanilla->labels.by_order[1].accuracy, vanilla->n_calls / 2);
    row(out, "both orders (bpc)", &bpc->win_rate, bpc->labels.all.accuracy,
        bpc->n_calls);
    row(out, "both, 3 samples (mec+bpc)", &calibrated->win_rate,
        calibrated->labels.all.accuracy, calibrated->n_calls);
    buf_printf(out, "\n  baseline: always the longer answer is right for %.0f %%\n\n",
               100 * longest->labels.all.accuracy);
    double swing =
        fabs(vanilla->win_rate_by_order[0].value - vanilla->win_rate_by_order[1].value);
    buf_printf(
        out,
        "Asked once, the same judge on the same answers says what you like: the "
        "order alone moves model-a by %.0f points. Asked in both orders, %.0f %% "
        "of the pairs get two different verdicts, for the first slot %lld times "
        "and for the second %lld times. The average over both orders takes the "
        "bias out, and the interval says how sure that is:\n\n  ",
        100 * swing, 100 * calibrated->conflict.rate.value,
        (long long)calibrated->conflict.first_both,
        (long long)calibrated->conflict.second_both);
    report_sentence(calibrated, out);
    buf_add_char(out, '\n');
}

/* ---- where people are needed ---- */

typedef struct doubtful {
    char id[40];
    double bpde;
} doubtful;

enum { N_DOUBTFUL = 4 };

static void keep_doubtful(doubtful top[N_DOUBTFUL], eh_str id, double bpde) {
    size_t at = N_DOUBTFUL;
    while (at > 0 && bpde > top[at - 1].bpde)
        at--;
    if (at == N_DOUBTFUL) return;
    memmove(&top[at + 1], &top[at], (N_DOUBTFUL - 1 - at) * sizeof *top);
    (void)snprintf(top[at].id, sizeof top[at].id, "%.*s", EH_STR_ARG(id));
    top[at].bpde = bpde;
}

static eh_status most_doubtful(ledger *l, const tally_view *view, doubtful *top,
                               eh_error *err) {
    ledger_cursor *c;
    for (int i = 0; i < N_DOUBTFUL; i++)
        top[i] = (doubtful){.bpde = -1};
    EH_TRY(ledger_cursor_open(l, LEDGER_BY_DATA, &c, err));
    eh_status status = EH_STATUS_OK;
    for (bool got = true; status == EH_STATUS_OK;) {
        ledger_pair pair;
        tally_ruled ruled;
        status = ledger_cursor_next(c, &pair, &got, err);
        if (status != EH_STATUS_OK || !got) break;
        status = tally_rule_pair(l, view, pair.row, &ruled, err);
        keep_doubtful(top, pair.pair_id, ruled.ruling.bpde);
    }
    ledger_cursor_close(c);
    return status;
}

static void tell_doubtful(const doubtful *top, eh_buf *out) {
    buf_add_cstr(out,
                 "\nWhere its replies disagree most (BPDE, 0 to 1.10), a person should "
                 "look first:\n\n  ");
    for (int i = 0; i < N_DOUBTFUL && top[i].bpde >= 0; i++)
        buf_printf(out, "%s%s (%.2f)", i ? ", " : "", top[i].id, top[i].bpde);
    buf_add_char(out, '\n');
}

/* Commands that work when they are copied: the demo is mostly called where it was
 * built, before anything is installed. */
static void tell_next(const char *program, eh_buf *out) {
    buf_printf(out,
               "\nTry it on your own pairs, JSON lines with id, question, answer_1 and "
               "answer_2:\n\n"
               "  %s check pairs.jsonl\n"
               "  %s run pairs.jsonl -j sim:first=1 -o run.db\n"
               "  %s show run.db\n",
               program, program, program);
}

static eh_status tell_all(demo *d, eh_buf *out, eh_error *err) {
    eh_arena arena;
    report_summary summary;
    tally_view *views;
    size_t n;
    human h;
    doubtful top[N_DOUBTFUL];
    arena_init(&arena, 256 << 20);
    eh_status status = human_win_rate(d->l, &h, err);
    if (status == EH_STATUS_OK)
        status = tally_summarize(d->l, EH_STR(""), &arena, &summary, err);
    if (status == EH_STATUS_OK)
        status = tally_views(d->l, EH_STR(""), &arena, &views, &n, err);
    if (status == EH_STATUS_OK) status = most_doubtful(d->l, &views[2], top, err);
    if (status == EH_STATUS_OK) {
        tell(out, &summary, &h);
        tell_doubtful(top, out);
    }
    arena_deinit(&arena);
    return status;
}

int cmd_demo(const cli_args *args) {
    demo d = {.l = NULL};
    eh_error err;
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    eh_status status = unpack(&d, &err);
    if (status == EH_STATUS_OK) status = judge_all(&d, &err);
    if (status == EH_STATUS_OK) status = tell_all(&d, &out, &err);
    tell_next(args->program, &out);
    clean_up(&d);
    if (status == EH_STATUS_OK) return common_print(args, &out, "the demo's text");
    buf_deinit(&out);
    return cmd_fail(args, &err);
}
