/* SPDX-License-Identifier: MIT
 *
 * Private to serve/: how far the people agree, live.
 */
#ifndef EH_SERVE_PEOPLE_H
#define EH_SERVE_PEOPLE_H

#include "ledger/ledger.h"

/* Fewer pairs or people say nothing. */
enum { PEOPLE_MIN_SHARED = 20 };

typedef struct people_agreement {
    const char *measure; /* "cohen", "fleiss", "alpha" */
    int64_t n_pairs;     /* with labels of two people or more */
    int64_t n_people;
    double value, low, high; /* NaN with `why` */
    const char *why;         /* NULL: defined */
} people_agreement;

/* Cohen's kappa for two people, Fleiss' where every shared pair has as many labels,
 * Krippendorff's alpha else. Adjudicated labels and those on unfamiliar topics are left
 * out. The interval is Cohen's own, else by a jackknife over pairs in 20 groups. */
EH_MUST_USE eh_status people_agree(ledger *l, people_agreement *a, eh_error *err);

#endif
