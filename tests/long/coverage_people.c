/* SPDX-License-Identifier: MIT
 *
 * Coverage of what people and judge say together, by simulation, from samples to
 * estimates: 10,000 seeded runs of 300 pairs each.
 *
 *   pair: how much better answer 1 is  -> what people say
 *         + liking that stays with the answer + position bias + noise
 *                                      -> 3 replies in each order -> ruling, BPDE
 *     -> queue by the rules of plan/   -> some pairs are labelled -> estimates
 *
 * The judge likes something about answer 1 that people do not (that it is longer, say).
 * Exchanging the answers does not cancel this, so both orders agree on it and BPDE does
 * not see it: intervals that take the judge's word for the unlabelled pairs must be
 * shown to fail here, and those that correct it by labels must hold.
 *
 *   coverage_people [n_seeds]
 *
 * Left out: ledgers and pages (tests/unit, tests/serve); several labels a pair.
 */
#include "coverage.h"
#include "plan/method.h"
#include "plan/ruling.h"
#include "plan/select.h"
#include "stats/cluster.h"
#include "stats/human.h"
#include "stats/selective.h"
#include "stats/special.h"

enum { PAIRS = 300, SAMPLES = 3, PAIRS_A_QUESTION = 5 };

/* Answer 1 is better by BETTER on average, with a spread of 1; people see it through
 * noise and call a tie what is closer than TIE. */
#define BETTER .3
#define PEOPLE_NOISE .5
#define TIE .25
#define LIKING .5   /* of the judge, for answer 1 */
#define POSITION .6 /* for the first slot: it cancels over the orders */
#define JUDGE_NOISE .7

typedef struct world {
    plan_candidate queue[PAIRS]; /* by rank; entry.index is the pair */
    plan_queue_entry entry[PAIRS];
    double f[PAIRS], y[PAIRS]; /* ruling, label of everybody */
    eh_verdict ruling[PAIRS], says[PAIRS];
    /* columns for the estimates, pair by pair */
    double label[PAIRS], p[PAIRS], doubt[PAIRS];
    uint64_t question[PAIRS];
    bool
        repeats; /* PAIRS_A_QUESTION pairs share a question, and most of what decides */
    int64_t n_selected, n_labelled;
} world;

/* What people would give on all pairs of this kind. */
static double truth(void) {
    double spread = sqrt(1 + PEOPLE_NOISE * PEOPLE_NOISE);
    double p_win = 1 - stats_normal_cdf((TIE - BETTER) / spread);
    double p_lose = stats_normal_cdf((-TIE - BETTER) / spread);
    return p_win + .5 * (1 - p_win - p_lose);
}

static eh_verdict verdict_of(double difference, double tie) {
    return difference > tie    ? EH_VERDICT_1
           : difference < -tie ? EH_VERDICT_2
                               : EH_VERDICT_TIE;
}

static double value_of(eh_verdict v) {
    return v == EH_VERDICT_1 ? 1 : v == EH_VERDICT_2 ? 0 : .5;
}

/* Scores from 1 to 10 in whole steps, as judges give them. */
static double score(double quality) {
    return fmin(fmax(nearbyint(6 + 1.5 * quality), 1), 10);
}

static void judge_pair(eh_rng *rng, double better, plan_ruling *ruling) {
    static plan_spec plan;
    plan_sample samples[2 * SAMPLES];
    if (!plan.k) {
        const plan_wish wish = {.method = EH_STR("mec+bpc"), .k = SAMPLES};
        if (plan_make(&wish, &plan, NULL) != EH_STATUS_OK) exit(2);
    }
    for (int i = 0; i < 2 * SAMPLES; i++) {
        eh_order order = i % 2 ? EH_ORDER_21 : EH_ORDER_12;
        double first = order == EH_ORDER_12 ? POSITION : -POSITION;
        double seen = better + LIKING + first + JUDGE_NOISE * rng_normal(rng);
        double s1 = score(.5 * seen), s2 = score(-.5 * seen);
        samples[i] = (plan_sample){.order = order,
                                   .sample = i / 2,
                                   .verdict = verdict_of(s1 - s2, 0),
                                   .has_scores = true,
                                   .score_1 = s1,
                                   .score_2 = s2};
    }
    plan_rule(&plan, PLAN_SCALE_SCORES, samples, 2 * SAMPLES, ruling);
}

static void draw(eh_rng *rng, world *w) {
    double common = 0;
    for (int i = 0; i < PAIRS; i++) {
        plan_ruling ruling;
        double own = rng_normal(rng);
        w->question[i] = (uint64_t)(w->repeats ? i / PAIRS_A_QUESTION : i);
        if (w->repeats && i % PAIRS_A_QUESTION == 0) common = rng_normal(rng);
        double better = BETTER + (w->repeats ? .9 * common + sqrt(.19) * own : own);
        w->says[i] = verdict_of(better + PEOPLE_NOISE * rng_normal(rng), TIE);
        judge_pair(rng, better, &ruling);
        w->entry[i] = plan_queue_entry_of(i, &ruling);
        w->ruling[i] = ruling.verdict;
        w->f[i] = value_of(ruling.verdict);
        w->y[i] = value_of(w->says[i]);
    }
}

/* Labels the selected pairs, or in a random order `stop_after` of them. */
static void choose(world *w, plan_selection how, uint64_t seed, int64_t budget,
                   int64_t stop_after) {
    static double uncertainty[PAIRS], p_select[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        w->queue[i] = (plan_candidate){.entry = w->entry[i], .content = (uint64_t)i};
        w->label[i] = (double)NAN;
    }
    plan_rank(how, seed, w->queue, PAIRS);
    plan_select(how, seed, budget, w->queue, PAIRS, uncertainty, p_select);
    w->n_selected = w->n_labelled = 0;
    for (int i = 0; i < PAIRS; i++) {
        const plan_candidate *c = &w->queue[i];
        w->p[c->entry.index] = c->p_select;
        w->doubt[c->entry.index] = c->uncertainty;
        w->n_selected += c->selected;
    }
    for (uint64_t i = 0; i < PAIRS && w->n_labelled < stop_after; i++) {
        const plan_candidate *c = &w->queue[plan_permute(seed, 1, PAIRS, i)];
        if (!c->selected) continue;
        w->label[c->entry.index] = w->y[c->entry.index];
        w->n_labelled++;
    }
    for (int i = 0; i < PAIRS; i++)
        w->p[i] *= (double)w->n_labelled / (double)w->n_selected;
}

static int estimate_in(world *w, eh_rng *rng, uint64_t seed, plan_selection how,
                       int64_t budget, int64_t stop_after, bool strata) {
    draw(rng, w);
    choose(w, how, seed, budget, stop_after);
    bool random = how == PLAN_SELECTION_RANDOM;
    const stats_human_data data = {PAIRS, w->f, w->label, w->p, w->doubt, w->question};
    stats_human h = strata   ? stats_human_stratified(&data, random, LEVEL)
                    : random ? stats_human_random(&data, LEVEL)
                             : stats_human_active(&data, LEVEL);
    return holds(h.interval, truth());
}

static int estimate(eh_rng *rng, uint64_t seed, plan_selection how, int64_t budget,
                    int64_t stop_after, bool strata) {
    static world w;
    return estimate_in(&w, rng, seed, how, budget, stop_after, strata);
}

static int estimate_repeated(eh_rng *rng, uint64_t seed, plan_selection how,
                             int64_t budget, bool strata) {
    static world w = {.repeats = true};
    return estimate_in(&w, rng, seed, how, budget, PAIRS, strata);
}

static int active(eh_rng *rng, uint64_t seed, int size) {
    return estimate(rng, seed, PLAN_SELECTION_ACTIVE, size, PAIRS, false);
}

/* A queue of twice as many pairs, left when half of them are labelled. */
static int active_stopped(eh_rng *rng, uint64_t seed, int size) {
    return estimate(rng, seed, PLAN_SELECTION_ACTIVE, 2 * size, size, false);
}

static int random_part(eh_rng *rng, uint64_t seed, int size) {
    return estimate(rng, seed, PLAN_SELECTION_RANDOM, size, PAIRS, false);
}

static int random_stopped(eh_rng *rng, uint64_t seed, int size) {
    return estimate(rng, seed, PLAN_SELECTION_RANDOM, 2 * size, size, false);
}

static int strata_random(eh_rng *rng, uint64_t seed, int size) {
    return estimate(rng, seed, PLAN_SELECTION_RANDOM, size, PAIRS, true);
}

/* ---- several pairs a question ---- */

static int active_repeated(eh_rng *rng, uint64_t seed, int size) {
    return estimate_repeated(rng, seed, PLAN_SELECTION_ACTIVE, size, false);
}

static int random_repeated(eh_rng *rng, uint64_t seed, int size) {
    return estimate_repeated(rng, seed, PLAN_SELECTION_RANDOM, size, false);
}

static int strata_repeated(eh_rng *rng, uint64_t seed, int size) {
    return estimate_repeated(rng, seed, PLAN_SELECTION_RANDOM, size, true);
}

/* ---- what must be shown to fail ---- */

/* As if no two pairs had a question in common. */
static int questions_ignored(eh_rng *rng, uint64_t seed, int size) {
    static world w = {.repeats = true};
    draw(rng, &w);
    choose(&w, PLAN_SELECTION_RANDOM, seed, size, PAIRS);
    const stats_human_data data = {PAIRS, w.f, w.label, w.p, w.doubt, NULL};
    return holds(stats_human_random(&data, LEVEL).interval, truth());
}

/* A plain mean with its interval, over what is given. */
static int plain(const double *values) {
    stats_cluster c;
    stats_cluster_init(&c);
    for (int i = 0; i < PAIRS; i++)
        if (!isnan(values[i])) stats_cluster_add(&c, (uint64_t)i, values[i]);
    return holds(stats_cluster_interval(&c, LEVEL), truth());
}

static int judge_alone(eh_rng *rng, uint64_t seed, int size) {
    (void)seed, (void)size;
    static world w;
    draw(rng, &w);
    return plain(w.f);
}

/* People decide the head of the queue, the judge the rest, and all count as true. */
static int hitlc_as_truth(eh_rng *rng, uint64_t seed, int size) {
    static world w;
    double mixed[PAIRS];
    draw(rng, &w);
    choose(&w, PLAN_SELECTION_ENTROPY, seed, size, PAIRS);
    for (int i = 0; i < PAIRS; i++)
        mixed[i] = isnan(w.label[i]) ? w.f[i] : w.label[i];
    return plain(mixed);
}

/* The labels of the head alone, as if it were a random part. */
static int head_as_sample(eh_rng *rng, uint64_t seed, int size) {
    static world w;
    draw(rng, &w);
    choose(&w, PLAN_SELECTION_ENTROPY, seed, size, PAIRS);
    return plain(w.label);
}

/* ---- which rulings may stand ---- */

/* Is the agreement on the pairs of this very run that may stand what was promised?
 * `size` random labels; confidence is the place in the queue, as in tally/guarantee.c.
 * Equals have one place. */
static int guarantee(eh_rng *rng, uint64_t seed, int size, double target) {
    static world w;
    double place[PAIRS], confidence[PAIRS];
    bool agrees[PAIRS];
    int64_t n = 0, n_stand = 0, n_right = 0;
    stats_selective r;
    draw(rng, &w);
    choose(&w, PLAN_SELECTION_RANDOM, seed, size, PAIRS);
    plan_queue_sort(w.entry, PAIRS);
    for (int i = 0, at = 0; i < PAIRS; i++) {
        at += i > 0 && !plan_queue_is_equal(&w.entry[i - 1], &w.entry[i]);
        place[w.entry[i].index] = at;
    }
    for (int i = 0; i < PAIRS; i++) {
        if (isnan(w.label[i])) continue;
        confidence[n] = place[i];
        agrees[n++] = w.ruling[i] == w.says[i];
    }
    const stats_selective_sample sample = {confidence, agrees, n, place, PAIRS};
    if (stats_selective_find(&sample, target, LEVEL, &r, NULL)) return -1;
    if (!r.is_found) return 1;
    for (int i = 0; i < PAIRS; i++) {
        n_stand += place[i] >= r.threshold;
        n_right += place[i] >= r.threshold && w.ruling[i] == w.says[i];
    }
    return (double)n_right >= target * (double)n_stand;
}

/* Four in five of the surer half agree, so the one is found often and the other by
 * chance. */
static int guarantee_easy(eh_rng *rng, uint64_t seed, int size) {
    return guarantee(rng, seed, size, .65);
}

static int guarantee_hard(eh_rng *rng, uint64_t seed, int size) {
    return guarantee(rng, seed, size, .8);
}

static const experiment experiments[] = {
    {"active, 50 of 300", active, 50, TWO_SIDED},
    {"active, 50 of a queue of 100", active_stopped, 50, TWO_SIDED},
    {"random, 30 of 300", random_part, 30, TWO_SIDED},
    {"random, 50 of a queue of 100", random_stopped, 50, TWO_SIDED},
    {"strata, 50 random labels of 300", strata_random, 50, TWO_SIDED},
    {"active, 100 of 300, 60 questions", active_repeated, 100, TWO_SIDED},
    {"random, 100 of 300, 60 questions", random_repeated, 100, TWO_SIDED},
    {"strata, 100 random of 300, 60 questions", strata_repeated, 100, TWO_SIDED},
    {"naive: 150 of 300, questions ignored", questions_ignored, 150, FAILS},
    {"naive: judge alone", judge_alone, 0, FAILS},
    {"naive: 20 % people, judge for the rest", hitlc_as_truth, 60, FAILS},
    {"naive: the most doubtful 20 % alone", head_as_sample, 60, FAILS},
    {"may stand at 65 %, 100 labels of 300", guarantee_easy, 100, AT_LEAST},
    {"may stand at 80 %, 100 labels of 300", guarantee_hard, 100, AT_LEAST},
};

int main(int argc, char **argv) {
    return coverage_run(experiments, sizeof experiments / sizeof *experiments, argc,
                        argv);
}
