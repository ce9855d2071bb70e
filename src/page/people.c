/* SPDX-License-Identifier: MIT
 *
 * People beside the judge: do they agree with it? The judge is what its samples say,
 * also where people rule in its place (hitlc).
 *
 * What labels would buy and which win rate may be quoted are the estimates' business
 * (tally/estimate.h).
 */
#include <math.h>

#include "page/page.h"
#include "tally/counts.h"
#include "stats/agree.h"
#include "stats/special.h"

#define LEVEL .95

void page_people_fill(const page_report *r, page_judge *j) {
    page_people *p = &j->people;
    stats_cluster right;
    stats_cluster_init(&right);
    for (size_t i = 0; i < r->n_pairs; i++) {
        size_t at = r->by_question[i];
        const page_cell *c = &j->cells[at];
        if (!c->in_scope || c->label == EH_VERDICT_NONE) continue;
        stats_cluster_add(&right, r->pairs[at].question, c->judge == c->label);
        if (c->judge == EH_VERDICT_NONE)
            p->unruled[c->label - 1]++;
        else
            p->confusion[(c->judge - 1) * 3 + (c->label - 1)]++;
    }
    p->accuracy = tally_rate_of(&right);
    stats_kappa k = stats_cohen_kappa(p->confusion, 3);
    double half = stats_normal_two_sided(LEVEL) * k.se;
    p->kappa = k.kappa;
    p->kappa_low = k.kappa - half;
    p->kappa_high = fmin(k.kappa + half, 1);
    p->why_kappa = k.why == STATS_REASON_NONE ? NULL : stats_reason_name(k.why);
}
