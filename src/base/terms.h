/* SPDX-License-Identifier: MIT
 *
 * The words every module shares: verdict and order.
 *
 * `1` and `2` always mean the answer in the data; "first" and "second" always mean the
 * slot shown to the judge. Order 12 shows answer_1 first, order 21 answer_2.
 */
#ifndef EH_BASE_TERMS_H
#define EH_BASE_TERMS_H

#include "base/str.h"

/* The numbers stand in ledgers: never renumber. */
typedef enum eh_verdict {
    EH_VERDICT_NONE = 0, /* no verdict; a reason stands beside it */
    EH_VERDICT_1 = 1,
    EH_VERDICT_2 = 2,
    EH_VERDICT_TIE = 3,
    EH_VERDICT_SCORED = 4, /* one answer was scored alone: says nothing of the pair */
    EH_VERDICT_N
} eh_verdict;

typedef enum eh_order { EH_ORDER_12 = 0, EH_ORDER_21 = 1, EH_ORDER_N = 2 } eh_order;

/* "1", "2", "tie"; NULL for none and for a score alone. */
static inline const char *eh_verdict_name(eh_verdict v) {
    return v == EH_VERDICT_1     ? "1"
           : v == EH_VERDICT_2   ? "2"
           : v == EH_VERDICT_TIE ? "tie"
                                 : NULL;
}

/* NONE when the text is none of the three names. */
static inline eh_verdict eh_verdict_parse(eh_str s) {
    if (eh_str_eq_cstr(s, "1")) return EH_VERDICT_1;
    if (eh_str_eq_cstr(s, "2")) return EH_VERDICT_2;
    if (eh_str_eq_cstr(s, "tie")) return EH_VERDICT_TIE;
    return EH_VERDICT_NONE;
}

/* Exchanges 1 and 2. */
static inline eh_verdict eh_verdict_mirror(eh_verdict v) {
    return v == EH_VERDICT_1 ? EH_VERDICT_2 : v == EH_VERDICT_2 ? EH_VERDICT_1 : v;
}

/* From slots to answers and back: under order 21 the first slot holds answer_2. */
static inline eh_verdict eh_verdict_unswap(eh_verdict v, eh_order order) {
    return order == EH_ORDER_21 ? eh_verdict_mirror(v) : v;
}

/* +1 for answer 1, -1 for answer 2, 0 otherwise. */
static inline int eh_verdict_vote(eh_verdict v) {
    return v == EH_VERDICT_1 ? 1 : v == EH_VERDICT_2 ? -1 : 0;
}

static inline const char *eh_order_name(eh_order order) {
    return order == EH_ORDER_12 ? "12" : "21";
}

#endif
