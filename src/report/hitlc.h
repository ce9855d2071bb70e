/* SPDX-License-Identifier: MIT
 *
 * What people and judge decide together costs, beside labels for all pairs.
 */
#ifndef EH_REPORT_HITLC_H
#define EH_REPORT_HITLC_H

#include "base/json_write.h"

typedef struct report_hitlc {
    int64_t n_pairs;                /* ruled by people or judge, or by nobody */
    int64_t n_people;               /* of them, those that people decide */
    int64_t n_labels;               /* their labels */
    int64_t judge_nusd, label_nusd; /* of all calls, of one label; -1: unknown */
} report_hitlc;

/* In nano-dollars; -1 where a price is unknown. Labels of all pairs are as many a pair
 * as people gave to theirs; saved may be below 0, which the flag tells from unknown. */
typedef struct report_hitlc_cost {
    int64_t labels, both, all_labels, saved;
    bool has_saved;
} report_hitlc_cost;
report_hitlc_cost report_hitlc_cost_of(const report_hitlc *h);

/* Members labels_usd, all_labels_usd and saved_usd of the object that is open. */
void report_hitlc_cost_json(const report_hitlc_cost *c, json_writer *w);

/* The value of a key "people". */
void report_hitlc_json(const report_hitlc *h, json_writer *w);

/* Lines of a block; without a price for labels no cost. */
void report_hitlc_text(const report_hitlc *h, eh_buf *out);

#endif
