/* SPDX-License-Identifier: MIT
 *
 * A trend of shares over ordered bins, tested exactly where there are few rows.
 */
#ifndef EH_TALLY_TREND_H
#define EH_TALLY_TREND_H

#include "base/status.h"
#include "report/rate.h"

/* By permutation up to `exact_max` rows, by the normal approximation above.
 *
 *   hits, totals   [n_bins] */
EH_MUST_USE eh_status tally_trend(const int64_t *hits, const int64_t *totals,
                                  int n_bins, int64_t exact_max, report_trend *trend,
                                  eh_error *err);

#endif
