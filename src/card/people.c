/* SPDX-License-Identifier: MIT
 *
 * The head of people's card: who voted, and what was left out.
 */
#include "card/card.h"
#include "report/layout.h"

void card_people_text(const card_judge *j, eh_buf *out) {
    const card_people *p = j->people;
    if (!p) return;
    buf_printf(out, "  %-14s" LAYOUT_HANG "%lld people, %lld votes that count", "votes",
               (long long)p->n_people, (long long)p->n_labels);
    if (p->votes_low == p->votes_high)
        buf_printf(out, ", %d on a pair\n", p->votes_low);
    else
        buf_printf(out, ", %d to %d on a pair\n", p->votes_low, p->votes_high);
    buf_printf(out, "  %-14s" LAYOUT_HANG "%lld of %lld of the audit have a vote\n",
               "pairs", (long long)p->n_labelled, (long long)p->n_rows);
    if (p->n_unfamiliar || p->n_adjudicated)
        buf_printf(
            out, "  %-14s" LAYOUT_HANG "%lld on topics not known, %lld by the owner\n",
            "left out", (long long)p->n_unfamiliar, (long long)p->n_adjudicated);
    if (p->n_unplaced)
        buf_printf(out,
                   "  %-14s" LAYOUT_HANG
                   "%lld votes do not say which answer stood first\n",
                   "", (long long)p->n_unplaced);
    buf_printf(out,
               "  %-14s" LAYOUT_HANG
               "half of a plain pair's votes; perturbed pairs count with as "
               "many\n",
               "placebo");
}

void card_people_json(const card_judge *j, json_writer *w) {
    const card_people *p = j->people;
    json_key(w, "people");
    if (!p) {
        json_null(w);
        return;
    }
    json_object_begin(w);
    json_put_i64(w, "people", p->n_people);
    json_put_i64(w, "votes", p->n_labels);
    json_put_i64(w, "votes_a_pair_low", p->votes_low);
    json_put_i64(w, "votes_a_pair_high", p->votes_high);
    json_put_i64(w, "unfamiliar", p->n_unfamiliar);
    json_put_i64(w, "adjudicated", p->n_adjudicated);
    json_put_i64(w, "without_side", p->n_unplaced);
    json_put_i64(w, "rows", p->n_rows);
    json_put_i64(w, "rows_labelled", p->n_labelled);
    json_object_end(w);
}
