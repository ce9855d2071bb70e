/* SPDX-License-Identifier: MIT
 *
 * The numbers of each judge by group: pairs of one category, of two models, or of one
 * value of a field that the data carries.
 */
#ifndef EH_TABLES_GROUPS_H
#define EH_TABLES_GROUPS_H

#include "report/summary.h"
#include "tally/summarize.h"

enum { TABLES_GROUPS_MAX = 1000 };

typedef struct tables_group {
    eh_str name; /* absent: pairs without a value */
    report_judge judge;
} tables_group;

typedef struct tables_judge_groups {
    eh_str judge;         /* the summary's name of it */
    tables_group *groups; /* [n] by name, the absent one last */
    size_t n;
} tables_judge_groups;

typedef struct tables_groups {
    eh_str field;
    tables_judge_groups *judges; /* [n_judges] */
    size_t n_judges;
} tables_groups;

/* Fields: category, models ("a vs b", as answers 1 and 2), model_1, model_2, or the
 * path of a member of the pair's other fields or its `meta` (dots go into objects).
 * USAGE where no pair has the field, or it has more than TABLES_GROUPS_MAX values.
 * Strings and arrays in `arena`. */
EH_MUST_USE eh_status tables_groups_make(const tally_books *books, eh_str field,
                                         eh_arena *arena, tables_groups *groups,
                                         eh_error *err);

/* The member "by": field, and judges.NAME.GROUP; with other tools' rules if wanted. */
void tables_groups_json(const tables_groups *groups, bool with_compat, json_writer *w);

/* A table a judge. */
void tables_groups_text(const tables_groups *groups, eh_buf *out);

#endif
