/* SPDX-License-Identifier: MIT
 *
 * Inside of merging: what its files share. The source is attached as src; the temporary
 * tables are described in merge.c.
 */
#ifndef EH_LEDGER_MERGE_PARTS_H
#define EH_LEDGER_MERGE_PARTS_H

#include "ledger/merge.h"
#include "ledger/schema.h"

typedef struct merging {
    ledger *l;
    const ledger_merge_options *o;
    ledger_merge_counts *counts;
    int64_t n_scope_before;
    /* of the source: older ledgers have no table for them */
    bool has_logprobs, has_requests, has_embeddings;
} merging;

EH_MUST_USE eh_status merge_exec(merging *m, const char *sql, eh_error *err);
/* `sql` ends with NULL. */
EH_MUST_USE eh_status merge_exec_all(merging *m, const char *const sql[],
                                     eh_error *err);
EH_MUST_USE eh_status merge_prepare(merging *m, const char *sql, sqlite3_stmt **s,
                                    eh_error *err);
/* The one number of a statement. */
EH_MUST_USE eh_status merge_number(merging *m, const char *sql, int64_t *n,
                                   eh_error *err);
EH_MUST_USE eh_status merge_has_table(merging *m, const char *name, bool *has,
                                      eh_error *err);

/* Labels, and the queue they come from. Pairs are there already. */
EH_MUST_USE eh_status merge_people(merging *m, eh_error *err);

#endif
