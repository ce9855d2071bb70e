/* SPDX-License-Identifier: MIT
 *
 * From --refresh and --max-age to one instant: answers done before it count as absent.
 *
 *   --max-age D    now - D, whenever the command is given
 *   --refresh      the start of this session; but where the run's last refresh was cut
 *                  short, the start of that one, so that what it has renewed already is
 *                  not asked a third time
 *
 * A refresh has come to its end when a session went through all pairs and every call
 * gave a result; the ledger knows it by the session's status.
 */
#include "run/refresh.h"

eh_status run_refresh_find(ledger *l, int64_t run_row, const run_refresh *refresh,
                           int64_t now_ms, run_refresh_from *from, eh_error *err) {
    *from = (run_refresh_from){0};
    if (refresh->max_age_ms > 0 && refresh->max_age_ms < now_ms)
        from->since_ms = now_ms - refresh->max_age_ms;
    if (!refresh->all) return EH_STATUS_OK;
    int64_t open_ms = -1;
    if (run_row) EH_TRY(ledger_refresh_open(l, run_row, &open_ms, err));
    from->resumed = open_ms >= 0;
    from->since_ms = from->resumed ? open_ms : now_ms;
    return EH_STATUS_OK;
}
