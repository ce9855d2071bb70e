/* SPDX-License-Identifier: MIT
 *
 * Trends over bins: the bins are written out as rows for the permutation test, whose
 * seed is fixed, since a summary depends on the replies alone.
 */
#include "tally/trend.h"

#include <math.h>

#include "base/mem.h"
#include "stats/test.h"

enum { TREND_RESAMPLES = 9999, TREND_SEED = 1 };

static eh_status exact_trend(const int64_t *hits, const int64_t *totals, int n_bins,
                             int64_t n, stats_trend *t, eh_error *err) {
    double *values = mem_alloc((size_t)n, sizeof *values);
    double *bins = mem_alloc((size_t)n, sizeof *bins);
    eh_status status = EH_STATUS_OK;
    int64_t at = 0;
    if (!values || !bins) {
        (void)EH_NOMEM(err);
        status = EH_STATUS_NOMEM;
    }
    for (int b = 0; status == EH_STATUS_OK && b < n_bins; b++)
        for (int64_t i = 0; i < totals[b]; i++, at++) {
            values[at] = i < hits[b];
            bins[at] = b;
        }
    if (status == EH_STATUS_OK)
        status = stats_trend_permutation(values, bins, n, TREND_RESAMPLES, TREND_SEED,
                                         t, err);
    mem_free(values);
    mem_free(bins);
    return status;
}

eh_status tally_trend(const int64_t *hits, const int64_t *totals, int n_bins,
                      int64_t exact_max, report_trend *trend, eh_error *err) {
    stats_trend t = {.statistic = NAN, .p = NAN, .why = STATS_REASON_NO_ROWS};
    int64_t n = 0;
    for (int b = 0; b < n_bins; b++)
        n += totals[b];
    trend->exact = n <= exact_max;
    if (n && trend->exact)
        EH_TRY(exact_trend(hits, totals, n_bins, n, &t, err));
    else if (n)
        t = stats_trend_shares(hits, totals, n_bins);
    trend->z = t.statistic;
    trend->p = t.p;
    trend->why = t.why == STATS_REASON_NONE ? NULL : stats_reason_name(t.why);
    return EH_STATUS_OK;
}
