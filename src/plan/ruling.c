/* SPDX-License-Identifier: MIT
 *
 * Rulings.
 *
 *   samples of order 12 --mean--> S(12, a) \
 *                                           mean --> CS_a --compare--> verdict
 *   samples of order 21 --mean--> S(21, a) /
 *
 * The orders weigh equally whatever their numbers of valid samples are, so a reply that
 * failed in one order does not tip the balance (Wang et al. divide by 2k and leave
 * missing replies open). On votes the same code runs with S_1 = vote and S_2 = 0.
 */
#include "plan/ruling.h"

#include <math.h>

#include "stats/vote.h"

const char *plan_none_name(plan_none_kind kind) {
    switch (kind) {
    case PLAN_NONE_UNASKED: return "not_asked";
    case PLAN_NONE_ORDER_FAILED: return "one_order_failed";
    case PLAN_NONE_ORDERS_FAILED: return "both_orders_failed";
    case PLAN_NONE_ANSWER_FAILED: return "one_answer_failed";
    case PLAN_NONE_ANSWERS_FAILED: return "both_answers_failed";
    case PLAN_NONE_ALL_FAILED: return "order_failed";
    case PLAN_NONE_INCONSISTENT: return "inconsistent";
    case PLAN_NONE_SIDE_BY_SIDE: return "orders_side_by_side";
    case PLAN_NONE_NOT: break;
    }
    return NULL;
}

plan_scale plan_scale_of(int64_t n_valid, int64_t n_with_scores,
                         int64_t n_with_ratings) {
    if (n_valid && n_with_scores == n_valid) return PLAN_SCALE_SCORES;
    if (n_valid && n_with_ratings == n_valid) return PLAN_SCALE_RATINGS;
    return PLAN_SCALE_VOTES;
}

/* One sample's value for answer 1; answer 2 has one of its own for scores only. */
static double value_1(const plan_sample *s, plan_scale scale) {
    switch (scale) {
    case PLAN_SCALE_SCORES: return s->score_1;
    case PLAN_SCALE_RATINGS: return s->signed_rating;
    case PLAN_SCALE_VOTES: break;
    }
    return eh_verdict_vote(s->verdict);
}

static eh_verdict compare_means(double score_1, double score_2) {
    double gap = score_1 - score_2;
    if (fabs(gap) <= PLAN_TIE_TOLERANCE) return EH_VERDICT_TIE;
    return gap > 0 ? EH_VERDICT_1 : EH_VERDICT_2;
}

/* The samples of one stage and order by index; NULL where one is missing. */
static void place_samples(const plan_spec *spec, int stage_code, eh_order order,
                          const plan_sample *samples, size_t n_samples,
                          const plan_sample *slots[PLAN_MAX_SAMPLES]) {
    for (int s = 0; s < spec->k; s++)
        slots[s] = NULL;
    for (size_t i = 0; i < n_samples; i++) {
        const plan_sample *s = &samples[i];
        if (s->stage_code == stage_code && s->order == order && s->sample >= 0 &&
            s->sample < spec->k)
            slots[s->sample] = s;
    }
}

static void rule_order(const plan_spec *spec, plan_scale scale, eh_order order,
                       const plan_sample *samples, size_t n_samples,
                       plan_order_ruling *out, plan_ruling *whole) {
    const plan_sample *slots[PLAN_MAX_SAMPLES];
    place_samples(spec, 0, order, samples, n_samples, slots);
    *out = (plan_order_ruling){.all_ties = true};
    eh_verdict only = EH_VERDICT_NONE; /* a lone sample rules by what it says */
    for (int i = 0; i < spec->k; i++) {
        const plan_sample *s = slots[i];
        if (!s) continue;
        if (s->verdict == EH_VERDICT_NONE) {
            out->n_failed++;
            continue;
        }
        int vote = eh_verdict_vote(s->verdict);
        only = s->verdict;
        out->n_valid++;
        out->vote += vote;
        out->score_1 += value_1(s, scale);
        out->score_2 += scale == PLAN_SCALE_SCORES ? s->score_2 : 0;
        out->all_ties = out->all_ties && vote == 0;
        whole->n_win += vote > 0;
        whole->n_tie += vote == 0;
        whole->n_lose += vote < 0;
    }
    if (out->n_valid == 0) return;
    out->vote /= out->n_valid;
    out->score_1 /= out->n_valid;
    out->score_2 /= out->n_valid;
    out->verdict = out->n_valid == 1 ? only : compare_means(out->score_1, out->score_2);
}

/* Why there is no ruling, from how many needed orders have valid samples. */
static plan_none_kind none_kind(const plan_spec *spec, const plan_ruling *r) {
    int n_needed = 0, n_valid = 0, n_asked = 0;
    for (int o = 0; o < EH_ORDER_N; o++) {
        if (!(spec->orders & PLAN_ORDER_BIT(o))) continue;
        n_needed++;
        n_valid += r->by_order[o].n_valid > 0;
        n_asked += r->by_order[o].n_valid + r->by_order[o].n_failed > 0;
    }
    if (n_valid == n_needed)
        return n_needed == 2 && plan_is_single_order(spec) ? PLAN_NONE_SIDE_BY_SIDE
                                                           : PLAN_NONE_NOT;
    if (n_asked < n_needed) return PLAN_NONE_UNASKED;
    if (plan_is_alone(spec))
        return n_valid == 0 ? PLAN_NONE_ANSWERS_FAILED : PLAN_NONE_ANSWER_FAILED;
    if (n_needed == 1) return PLAN_NONE_ALL_FAILED;
    return n_valid == 0 ? PLAN_NONE_ORDERS_FAILED : PLAN_NONE_ORDER_FAILED;
}

static void settle(const plan_spec *spec, plan_ruling *r) {
    const plan_order_ruling *o12 = &r->by_order[EH_ORDER_12];
    const plan_order_ruling *o21 = &r->by_order[EH_ORDER_21];
    if (spec->orders == PLAN_ORDERS_BOTH) {
        r->score_1 = (o12->score_1 + o21->score_1) / 2;
        r->score_2 = (o12->score_2 + o21->score_2) / 2;
        r->vote = (o12->vote + o21->vote) / 2;
        r->tie_agreed = o12->all_ties && o21->all_ties;
    } else {
        const plan_order_ruling *o =
            spec->orders & PLAN_ORDER_BIT(EH_ORDER_12) ? o12 : o21;
        r->score_1 = o->score_1;
        r->score_2 = o->score_2;
        r->vote = o->vote;
        r->tie_agreed = o->all_ties;
    }
    r->verdict = compare_means(r->score_1, r->score_2);
    r->tie_agreed = r->tie_agreed && r->verdict == EH_VERDICT_TIE;
}

/* ---- standalone ---- */

/* The valid scores of one answer. */
static void score_answer(const plan_spec *spec, eh_order which,
                         const plan_sample *samples, size_t n_samples,
                         double scores[PLAN_MAX_SAMPLES], plan_order_ruling *out) {
    const plan_sample *slots[PLAN_MAX_SAMPLES];
    double sum = 0;
    place_samples(spec, PLAN_STAGE_ALONE, which, samples, n_samples, slots);
    *out = (plan_order_ruling){0};
    for (int i = 0; i < spec->k; i++) {
        if (!slots[i]) continue;
        if (slots[i]->verdict == EH_VERDICT_NONE) {
            out->n_failed++;
            continue;
        }
        double score = which == EH_ORDER_12 ? slots[i]->score_1 : slots[i]->score_2;
        scores[out->n_valid++] = score;
        sum += score;
    }
    if (out->n_valid == 0) return;
    *(which == EH_ORDER_12 ? &out->score_1 : &out->score_2) = sum / out->n_valid;
}

/* Each answer has its mean score. How sure that is shows in all pairings of a sample of
 * the one with a sample of the other. */
static void rule_alone(const plan_spec *spec, const plan_sample *samples,
                       size_t n_samples, plan_ruling *r) {
    double scores[EH_ORDER_N][PLAN_MAX_SAMPLES];
    for (int o = 0; o < EH_ORDER_N; o++)
        score_answer(spec, (eh_order)o, samples, n_samples, scores[o], &r->by_order[o]);
    const plan_order_ruling *one = &r->by_order[EH_ORDER_12];
    const plan_order_ruling *two = &r->by_order[EH_ORDER_21];
    r->has_scores = true;
    r->n_samples = one->n_valid + one->n_failed + two->n_valid + two->n_failed;
    r->n_failed = one->n_failed + two->n_failed;
    r->none = none_kind(spec, r);
    for (int i = 0; i < one->n_valid; i++)
        for (int j = 0; j < two->n_valid; j++) {
            eh_verdict v = compare_means(scores[0][i], scores[1][j]);
            r->n_win += v == EH_VERDICT_1;
            r->n_tie += v == EH_VERDICT_TIE;
            r->n_lose += v == EH_VERDICT_2;
        }
    r->bpde = stats_bpde(r->n_win, r->n_tie, r->n_lose);
    if (r->none != PLAN_NONE_NOT) return;
    int n = r->n_win + r->n_tie + r->n_lose;
    r->score_1 = one->score_1;
    r->score_2 = two->score_2;
    r->vote = (double)(r->n_win - r->n_lose) / n;
    r->verdict = compare_means(r->score_1, r->score_2);
    r->tie_agreed = r->verdict == EH_VERDICT_TIE && r->n_tie == n;
}

/* ---- several stages ---- */

/* Fills what both orders of a stage say; the number of orders that have a verdict.
 * *too_long is set where a prompt did not fit. */
static int look_at_stage(const plan_spec *spec, int stage, const plan_sample *samples,
                         size_t n_samples, bool *too_long, plan_ruling *r) {
    eh_verdict v[EH_ORDER_N] = {EH_VERDICT_NONE, EH_VERDICT_NONE};
    bool have[EH_ORDER_N] = {false, false};
    int code = plan_stage_code(spec, stage);
    for (size_t i = 0; i < n_samples; i++) {
        if (samples[i].stage_code != code || samples[i].sample != 0) continue;
        v[samples[i].order] = samples[i].verdict;
        have[samples[i].order] = true;
        *too_long = *too_long || (samples[i].verdict == EH_VERDICT_NONE &&
                                  plan_is_too_long(samples[i].reason));
    }
    int n_read = (v[0] != EH_VERDICT_NONE) + (v[1] != EH_VERDICT_NONE);
    r->stage_asked[stage] = have[0] && have[1];
    r->stage_read[stage] = n_read == EH_ORDER_N;
    r->stage_verdict[stage] = v[0] == v[1] ? v[0] : EH_VERDICT_NONE;
    return n_read;
}

/* Portia: the first stage whose orders agree rules; if none does, nothing does. The
 * scores stay those of the plain pair. */
static void settle_stages(const plan_spec *spec, const plan_sample *samples,
                          size_t n_samples, plan_ruling *r) {
    bool unfinished = false, too_long = false;
    int most_read = 0; /* orders with a verdict, in the stage that has most */
    r->verdict = EH_VERDICT_NONE;
    for (int stage = 0; stage < plan_n_stages(spec); stage++) {
        if (!plan_has_stage(spec, stage)) continue;
        r->stage_wanted[stage] = spec->always || (r->stage < 0 && !too_long);
        if (!r->stage_wanted[stage]) continue;
        int n_read = look_at_stage(spec, stage, samples, n_samples, &too_long, r);
        most_read = n_read > most_read ? n_read : most_read;
        if (r->stage < 0 && r->stage_verdict[stage] != EH_VERDICT_NONE) {
            r->stage = stage;
            r->verdict = r->stage_verdict[stage];
        }
        unfinished = unfinished || (r->stage < 0 && !r->stage_asked[stage]);
    }
    r->tie_agreed = r->verdict == EH_VERDICT_TIE;
    r->none = r->stage >= 0             ? PLAN_NONE_NOT
              : unfinished              ? PLAN_NONE_UNASKED
              : most_read == EH_ORDER_N ? PLAN_NONE_INCONSISTENT
              : most_read > 0           ? PLAN_NONE_ORDER_FAILED
                                        : PLAN_NONE_ORDERS_FAILED;
    r->vote = r->stage >= 0 ? (double)eh_verdict_vote(r->verdict) : (double)NAN;
}

void plan_rule(const plan_spec *spec, plan_scale scale, const plan_sample *samples,
               size_t n_samples, plan_ruling *r) {
    *r = (plan_ruling){.has_scores = scale == PLAN_SCALE_SCORES,
                       .score_1 = NAN,
                       .score_2 = NAN,
                       .vote = NAN,
                       .stage = -1};
    if (plan_is_alone(spec)) {
        rule_alone(spec, samples, n_samples, r);
        return;
    }
    for (int o = 0; o < EH_ORDER_N; o++) {
        if (!(spec->orders & PLAN_ORDER_BIT(o))) continue;
        rule_order(spec, scale, (eh_order)o, samples, n_samples, &r->by_order[o], r);
        r->n_samples += r->by_order[o].n_valid + r->by_order[o].n_failed;
        r->n_failed += r->by_order[o].n_failed;
    }
    eh_verdict v12 = r->by_order[EH_ORDER_12].verdict;
    eh_verdict v21 = r->by_order[EH_ORDER_21].verdict;
    r->both_orders = v12 != EH_VERDICT_NONE && v21 != EH_VERDICT_NONE;
    r->conflict = r->both_orders && v12 != v21;
    r->bpde = stats_bpde(r->n_win, r->n_tie, r->n_lose);
    r->none = none_kind(spec, r);
    if (r->none == PLAN_NONE_NOT) {
        settle(spec, r);
    } else if (r->none == PLAN_NONE_SIDE_BY_SIDE) { /* votes are still comparable */
        r->vote = (r->by_order[0].vote + r->by_order[1].vote) / 2;
    }
    if (plan_n_stages(spec) > 1) settle_stages(spec, samples, n_samples, r);
}
