/* SPDX-License-Identifier: MIT
 *
 * Counts of requests: an array by outcome, written a row a kind.
 */
#include "run/requests.h"

#include <stdio.h>

void run_requests_add(run_requests *t, const judge_tally *requests) {
    for (int i = 0; i < requests->n_kinds; i++) {
        int outcome = requests->outcomes[i];
        t->counts[outcome < REQUESTS_OUTCOMES ? outcome : REQUESTS_OUTCOMES - 1] +=
            requests->n[i];
        t->has_any = true;
    }
}

eh_status run_requests_put(run_requests *t, ledger *l, int64_t session_row,
                           int64_t judge_row, eh_error *err) {
    char text[JUDGE_OUTCOME_CHARS], name[2 * JUDGE_OUTCOME_CHARS];
    for (int i = 0; t->has_any && i < REQUESTS_OUTCOMES; i++) {
        if (!t->counts[i]) continue;
        (void)snprintf(name, sizeof name, "%s%s", t->prefix,
                       judge_outcome_name(i, text));
        ledger_requests r = {eh_str_of(name), t->counts[i]};
        EH_TRY(ledger_requests_add(l, session_row, judge_row, &r, err));
        t->counts[i] = 0;
    }
    t->has_any = false;
    return EH_STATUS_OK;
}
