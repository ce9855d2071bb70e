/* SPDX-License-Identifier: MIT
 *
 * What tokens cost. Money is int64 nano-dollars; prices are for a million tokens.
 */
#ifndef EH_RUN_PRICE_H
#define EH_RUN_PRICE_H

#include "judge/judge.h"
#include "ledger/ledger.h"
#include "report/summary.h"

/* One model's prices; -1 = unknown. Strings are the table's. */
typedef struct price_row {
    eh_str model, host, date; /* host and date may be absent */
    int64_t input_nusd, cached_nusd, output_nusd;
} price_row;

/* The cost of a usage, rounded up to a nano-dollar; -1 where a count or a price that it
 * needs is unknown. An unknown cached part counts as not cached. */
int64_t price_cost_nusd(const price_row *row, const judge_usage *usage);

/* ---- the table (price_table.c) ---- */

typedef struct price_table price_table;

/* The built-in rows, behind those of the file at `path` (NULL: only built-in). CONFIG
 * errors name file and line. */
EH_MUST_USE eh_status price_table_load(const char *path, price_table **t,
                                       eh_error *err);
void price_table_free(price_table *t); /* accepts NULL */

/* The row for a judge by its id, or NULL. */
const price_row *price_find(const price_table *t, eh_str judge_id);

/* Fills the cost of a judge by its tokens, if it has a price. */
void price_judge(const price_table *t, report_judge *j);

/* Fills the costs of a summary; they point into the table. */
void price_summary(const price_table *t, report_summary *summary);

/* What the calls behind one judge's asks about a pair cost under a plan; -1 where the
 * price (row NULL) or a usage is unknown. Rows with equal texts share their calls, and
 * each of them has the whole cost. */
EH_MUST_USE eh_status price_pair(const price_row *row, ledger *l, int64_t judge_row,
                                 int64_t pair_row, const plan_spec *plan, int64_t *nusd,
                                 eh_error *err);

/* ---- a budget (price.c) ---- */

/* A bound on what is spent: nothing is asked whose worst case would pass it. */
typedef struct price_budget {
    const price_row *row;
    int64_t max_nusd;
    int64_t spent_nusd, reserved_nusd;
} price_budget;

/* The most that a call can cost: a prompt of so many bytes has at most half as many
 * tokens, a reply at most max_tokens. */
int64_t price_worst_nusd(const price_row *row, int64_t prompt_bytes,
                         int64_t max_tokens);

/* Whether the worst case is still in the budget; reserving takes it out. */
bool price_fits(const price_budget *b, int64_t worst_nusd);
void price_reserve(price_budget *b, int64_t worst_nusd);

/* Puts what a call really cost in place of what was reserved for it. A usage of unknown
 * numbers, and each attempt whose reply was lost, counts as the worst case; no usage
 * (NULL) is a call that was refused and cost nothing. */
void price_settle(price_budget *b, int64_t worst_nusd, const judge_usage *usage,
                  int n_lost);
/* The same for calls of another model than the budget's, at the prices of `row`. */
void price_settle_at(price_budget *b, const price_row *row, int64_t worst_nusd,
                     const judge_usage *usage, int n_lost);

#endif
