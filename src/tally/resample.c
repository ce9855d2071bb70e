/* SPDX-License-Identifier: MIT
 *
 * Collecting what stats_bootstrap resamples: one sum and one count a question, the only
 * thing about a summary that grows with the data, and only where somebody asks for it.
 *
 * The seed is a constant: another one would say nothing about the data, only about the
 * draws, and a summary has to be the same for the same replies.
 */
#include "tally/resample.h"

#include "tally/counts.h"
#include "stats/bootstrap.h"

enum { SEED = 1 };

void tally_resample_add(tally_resample *r, uint64_t question, double value) {
    if (r->n_questions == 0 || question != r->last) {
        size_t n = r->n_questions;
        r->sums = arena_grow(r->arena, r->sums, n, &r->sums_cap, sizeof *r->sums);
        r->counts =
            arena_grow(r->arena, r->counts, n, &r->counts_cap, sizeof *r->counts);
        r->failed = r->failed || !r->sums || !r->counts;
        if (r->failed) return;
        r->last = question;
        r->sums[n] = 0;
        r->counts[n] = 0;
        r->n_questions++;
    }
    r->sums[r->n_questions - 1] += value;
    r->counts[r->n_questions - 1]++;
}

static report_bootstrap of_interval(const stats_interval *i, int n_resamples) {
    return (report_bootstrap){
        .n_resamples = n_resamples,
        .low = i->low,
        .high = i->high,
        .why = i->why == STATS_REASON_NONE ? NULL : stats_reason_name(i->why)};
}

eh_status tally_resample_end(const tally_resample *const r[2], int n_resamples,
                             report_bootstrap *const out[2], eh_error *err) {
    const stats_resampling how = {n_resamples, SEED, RUN_LEVEL};
    stats_interval i[2];
    stats_question_sums sets[2];
    if (r[0]->failed || r[1]->failed) return EH_NOMEM(err);
    for (int k = 0; k < 2; k++)
        sets[k] = (stats_question_sums){r[k]->sums, r[k]->counts};
    /* mostly of the same questions, and then in one go */
    size_t at_once = r[0]->n_questions == r[1]->n_questions ? 2 : 1;
    for (size_t k = 0; k < 2; k += at_once)
        EH_TRY(stats_bootstrap(&sets[k], at_once, (int64_t)r[k]->n_questions, &how,
                               &i[k], err));
    for (int k = 0; k < 2; k++)
        *out[k] = of_interval(&i[k], n_resamples);
    return EH_STATUS_OK;
}
