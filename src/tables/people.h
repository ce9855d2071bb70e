/* SPDX-License-Identifier: MIT
 *
 * People against people: each annotator against the majority of the others, and how far
 * all of them agree. What a judge's agreement with people has to be read against.
 */
#ifndef EH_TABLES_PEOPLE_H
#define EH_TABLES_PEOPLE_H

#include "report/agreement.h"
#include "tally/summarize.h"
#include "stats/agree.h"

enum { TABLES_PAIRWISE_MAX = 64 }; /* annotators; with more no table of pairs is made */

typedef struct tables_annotator {
    eh_str name;
    int64_t counts[4];          /* labels by verdict */
    report_agreement vs_others; /* leave one out: pairs that somebody else labelled */
} tables_annotator;

typedef struct tables_people {
    tables_annotator *annotators; /* [n] by name */
    size_t n;
    int64_t n_pairs, n_labels; /* labelled pairs; labels */
    int64_t majority[4];       /* pairs by majority label */
    int64_t n_flagged;         /* of those, without a unique majority (ties) */
    int64_t n_unanimous;       /* pairs with two labels or more, all equal */
    int64_t (*pairwise)[9];    /* [n (n-1) / 2] a < b: (0,1) (0,2) (1,2) ...; or NULL */
    stats_kappa fleiss, krippendorff;
} tables_people;

/* Of labels that people gave by themselves: adjudications, and labels of people who did
 * not know the subject, are left out. Of all ledgers; a pair that an earlier ledger has
 * with labels is not counted again. people->n is 0 where nobody labelled anything.
 * Arrays in `arena`. */
EH_MUST_USE eh_status tables_people_make(const tally_books *books, eh_arena *arena,
                                         tables_people *people, eh_error *err);

/* The member "annotators". `label_nusd`: price of a label, or -1. */
void tables_people_json(const tables_people *p, int64_t label_nusd, json_writer *w);

/* Lines for people; nothing where only one person labelled. */
void tables_people_text(const tables_people *p, eh_buf *out);

/* Means over the annotators that somebody else can be compared with; NaN without. */
void tables_people_average(const tables_people *p, double *accuracy, double *kappa);

#endif
