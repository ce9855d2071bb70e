/* SPDX-License-Identifier: MIT
 *
 * Selective judging on a ledger: calibrate on labels, find the threshold.
 *
 *   frame, by the queue's order      rank 0: most doubtful ... surest
 *   labels that the drawing gave     -> (rank, do people agree?)
 *                                    -> stats_selective_find -> rank -> BPDE and gap
 *
 * Confidence is the place in the labelling queue: equal doubt and equal gap are one
 * place, data order plays no part. The places of all pairs are known without labels,
 * so coverages are of all pairs.
 *
 * A pair that people skipped or did not know, and that nobody took over, is missing for
 * what it is. It belongs to the drawn sample and is counted as a disagreement, so that
 * leaving pairs out cannot raise the agreement.
 */
#include "tally/guarantee.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stats/selective.h"
#include "tally/frame.h"

typedef struct calibration {
    tally_frame f;
    double *place;      /* [n] of all pairs; -INFINITY without ruling */
    double *confidence; /* [n_sample] */
    bool *agrees;       /* [n_sample] */
    int64_t n_sample;
    report_guarantee *g;
} calibration;

static int by_doubt(const void *left, const void *right) {
    return plan_queue_compare(&((const tally_row *)left)->entry,
                              &((const tally_row *)right)->entry);
}

static int by_question(const void *left, const void *right) {
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Rows in the queue's order, each with its place; equals have one. */
static void rank_rows(calibration *c) {
    int64_t place = 0;
    if (c->f.n) qsort(c->f.rows, (size_t)c->f.n, sizeof *c->f.rows, by_doubt);
    for (int64_t i = 0; i < c->f.n; i++) {
        const tally_row *r = &c->f.rows[i];
        if (i && !plan_queue_is_equal(&c->f.rows[i - 1].entry, &r->entry)) place++;
        c->place[i] = r->ruled ? (double)place : (double)-INFINITY;
        c->g->n_without_ruling += !r->ruled;
    }
}

/* Is the pair part of the sample: labelled by the drawing, or left by people? */
static bool is_drawn(const calibration *c, const tally_row *r) {
    if (c->g->is_census) return true;
    return tally_frame_counts(&c->f, r) && (!isnan(r->y) || r->missing);
}

static void take_sample(calibration *c) {
    for (int64_t i = 0; i < c->f.n; i++) {
        const tally_row *r = &c->f.rows[i];
        if (!is_drawn(c, r)) continue;
        c->g->n_left += isnan(r->y);
        c->confidence[c->n_sample] = c->place[i];
        c->agrees[c->n_sample++] = r->ruled && !isnan(r->y) && r->ruling == r->label;
    }
    c->g->n_sample = c->n_sample;
}

/* Pairs of the sample whose question another one of it has. */
static eh_status count_shared(calibration *c, eh_error *err) {
    int64_t n = 0;
    uint64_t *questions = mem_alloc((size_t)c->n_sample + 1, sizeof *questions);
    if (!questions) return EH_NOMEM(err);
    for (int64_t i = 0; i < c->f.n; i++)
        if (is_drawn(c, &c->f.rows[i])) questions[n++] = c->f.rows[i].question;
    if (n) qsort(questions, (size_t)n, sizeof *questions, by_question);
    for (int64_t i = 0; i < n; i++)
        c->g->n_shared += (i > 0 && questions[i] == questions[i - 1]) ||
                          (i + 1 < n && questions[i] == questions[i + 1]);
    mem_free(questions);
    return EH_STATUS_OK;
}

static report_refusal refusal_of(const calibration *c) {
    const report_guarantee *g = c->g;
    int64_t n_labelled = 0;
    for (int64_t i = 0; i < c->f.n; i++)
        n_labelled += !isnan(c->f.rows[i].y);
    if (n_labelled == 0) return REPORT_REFUSAL_NO_LABELS;
    if (!g->is_census && c->f.how != PLAN_SELECTION_RANDOM)
        return c->f.has_queue ? REPORT_REFUSAL_NOT_RANDOM
                              : REPORT_REFUSAL_ORIGIN_UNKNOWN;
    if (g->n_shared) return REPORT_REFUSAL_SHARED_QUESTIONS;
    if (g->n_sample < g->least) return REPORT_REFUSAL_TOO_FEW;
    return REPORT_REFUSAL_NOT;
}

static void take_threshold(calibration *c, const stats_selective *found) {
    report_guarantee *g = c->g;
    for (int64_t i = 0; i < c->f.n; i++)
        if (c->place[i] == found->threshold) g->threshold = c->f.rows[i].entry;
    g->threshold.index = -1;
    g->n_stand = found->n_covered;
    g->coverage = found->coverage;
    g->n_above = found->n_kept;
    g->agreement = found->agreement;
    g->low = found->low;
}

static eh_status test(calibration *c, eh_error *err) {
    report_guarantee *g = c->g;
    const double target = 1 - g->alpha, level = 1 - g->delta;
    const stats_selective_sample sample = {c->confidence, c->agrees, c->n_sample,
                                           c->place, c->f.n};
    stats_selective found;
    EH_TRY(stats_selective_find(&sample, target, level, &found, err));
    g->is_found = found.is_found;
    g->n_first = found.n_first;
    if (found.n_first)
        g->first_agreement = (double)found.n_first_agree / (double)found.n_first;
    if (found.is_found)
        take_threshold(c, &found);
    else if (found.n_first)
        g->wanted = stats_selective_wanted(g->first_agreement, target, level);
    return EH_STATUS_OK;
}

static eh_status calibrate(calibration *c, eh_error *err) {
    report_guarantee *g = c->g;
    int64_t n_labelled = 0;
    g->n_pairs = c->f.n;
    for (int64_t i = 0; i < c->f.n; i++)
        n_labelled += !isnan(c->f.rows[i].y);
    g->is_census = c->f.n > 0 && n_labelled == c->f.n;
    g->least = stats_selective_least(1 - g->alpha, 1 - g->delta);
    rank_rows(c);
    take_sample(c);
    EH_TRY(count_shared(c, err));
    g->refusal = refusal_of(c);
    return g->refusal == REPORT_REFUSAL_NOT ? test(c, err) : EH_STATUS_OK;
}

static eh_status hold(calibration *c, eh_error *err) {
    size_t n = (size_t)c->f.n + 1;
    c->place = mem_alloc(n, sizeof *c->place);
    c->confidence = mem_alloc(n, sizeof *c->confidence);
    c->agrees = mem_alloc(n, sizeof *c->agrees);
    if (!c->place || !c->confidence || !c->agrees) return EH_NOMEM(err);
    return calibrate(c, err);
}

eh_status tally_guarantee(ledger *l, const tally_view *view,
                          const tally_guarantee_options *options, eh_arena *arena,
                          report_guarantee *g, eh_error *err) {
    *g = (report_guarantee){.judge = options->judge_name,
                            .alpha = options->alpha,
                            .delta = options->delta,
                            .coverage = (double)NAN,
                            .agreement = (double)NAN,
                            .low = (double)NAN,
                            .first_agreement = (double)NAN};
    calibration c = {.g = g};
    eh_status status =
        tally_frame_read(l, view, options->labels_random, arena, &c.f, err);
    g->selection = c.f.selection;
    if (status == EH_STATUS_OK) status = hold(&c, err);
    mem_free(c.place);
    mem_free(c.confidence);
    mem_free(c.agrees);
    tally_frame_free(&c.f);
    return status;
}
