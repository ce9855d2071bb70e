/* SPDX-License-Identifier: MIT
 *
 * From votes to a judge card: no one is called and no ledger is read.
 *
 *   rows with what the judge said of them       one by one, in any order
 *   plain rows sorted by id; perturbed rows find theirs --> items by probe
 *   items --> scores --> correction over all probes --> states, worst first
 *
 * Facts about the judge itself (order, ties, failures, steadiness) come from the plain
 * pairs of both streams.
 */
#include "exam/card.h"

#include <math.h>
#include <stdlib.h>

#include "stats/agree.h"
#include "stats/special.h"

enum { CATEGORIES_MAX = 64, TREND_RESAMPLES = 2000 };

typedef struct card_row {
    eh_str id;      /* plain rows */
    eh_str control; /* others: the id of theirs */
    exam_role role;
    int probe;    /* index */
    int side;     /* 1, 2 */
    int category; /* plain rows */
    int n_valid;
    uint64_t question;
    double vote, placebo_vote; /* for answer 1, -1 to 1; NaN: none */
    double all;                /* of all votes together; NaN: none, or no people */
} card_row;

struct exam_card {
    eh_arena *arena;
    card_judge *out;
    int64_t n_asks; /* of one row in one stream */
    card_row *rows; /* [n_rows] as they came, later plain ones first, by id */
    size_t n_rows, rows_cap, n_plain;
    int64_t n_samples, n_expected;
    eh_str probe_names[AUDIT_PROBES_MAX];
    audit_form probe_forms[AUDIT_PROBES_MAX];
    bool probe_asked[AUDIT_PROBES_MAX];
    int n_probes;
    eh_str categories[CATEGORIES_MAX];
    int n_categories; /* CATEGORIES_MAX + 1: too many to tell apart */
    stats_cluster first, longer[CARD_BINS];
    double *trend_values, *trend_bins; /* [n_trend] */
    int64_t n_trend;
    int64_t steady[9]; /* [control][placebo], classes 1, 2, tie */
};

static double preference(double vote, int side) {
    return (1 + (side == 1 ? vote : -vote)) / 2;
}

/* ---- taking rows ---- */

static eh_status name_index(exam_card *c, eh_str *names, int *n, int cap, eh_str name,
                            int *index, eh_error *err) {
    *index = -1;
    for (int i = 0; i < *n && i < cap; i++)
        if (eh_str_eq(names[i], name)) *index = i;
    if (*index >= 0) return EH_STATUS_OK;
    if (*n >= cap) {
        *n = cap + 1;
        return EH_STATUS_OK;
    }
    if (!arena_copy(c->arena, name, &names[*n])) return EH_NOMEM(err);
    *index = (*n)++;
    return EH_STATUS_OK;
}

static void count_votes(exam_card *c, const ledger_pair *pair,
                        const tally_ruled *ruled) {
    audit_judge *j = &c->out->judge;
    for (size_t i = 0; i < ruled->n_samples; i++) {
        const plan_sample *s = &ruled->samples[i];
        j->n_asked++;
        j->n_failed += s->verdict == EH_VERDICT_NONE;
        j->n_tie += s->verdict == EH_VERDICT_TIE;
        if (s->verdict == EH_VERDICT_NONE || s->verdict == EH_VERDICT_TIE) continue;
        if (s->order == EH_ORDER_N) continue;
        bool first = eh_verdict_unswap(s->verdict, s->order) == EH_VERDICT_1;
        j->n_first += first;
        j->n_second += !first;
        stats_cluster_add(&c->first, pair->question_hash, first);
    }
}

static void count_length(exam_card *c, const ledger_pair *pair, double vote) {
    int64_t excess = pair->answer_1_cp - pair->answer_2_cp;
    int64_t tokens = llabs(excess) / CARD_TOKEN_CP;
    if (excess == 0 || isnan(vote)) return;
    int bin = (int)(tokens / CARD_BIN_TOKENS);
    if (bin >= CARD_BINS) bin = CARD_BINS - 1;
    double longer = preference(vote, excess > 0 ? 1 : 2);
    stats_cluster_add(&c->longer[bin], pair->question_hash, longer);
    c->out->bins[bin].n++;
    c->trend_values[c->n_trend] = longer;
    c->trend_bins[c->n_trend++] = bin;
}

static int verdict_class(double vote) {
    return fabs(vote) <= PLAN_TIE_TOLERANCE ? 2 : vote < 0;
}

static eh_status take_plain(exam_card *c, const exam_votes *votes, card_row *row,
                            eh_error *err) {
    const ledger_pair *pair = votes->pair;
    const tally_ruled *placebo = votes->placebo;
    if (!arena_copy(c->arena, pair->pair_id, &row->id)) return EH_NOMEM(err);
    EH_TRY(name_index(c, c->categories, &c->n_categories, CATEGORIES_MAX,
                      pair->category.ptr ? pair->category : EH_STR(""), &row->category,
                      err));
    row->placebo_vote = placebo->ruling.vote;
    if (c->n_asks) c->n_samples += (int64_t)placebo->n_samples;
    c->n_expected += c->n_asks;
    c->out->n_failed += placebo->ruling.n_failed;
    count_votes(c, pair, votes->main);
    count_votes(c, pair, placebo);
    count_length(c, pair, row->vote);
    c->out->n_pairs++;
    if (!isnan(row->vote) && !isnan(row->placebo_vote))
        c->steady[3 * verdict_class(row->vote) + verdict_class(row->placebo_vote)]++;
    return EH_STATUS_OK;
}

eh_status exam_card_add(exam_card *c, const exam_votes *votes, eh_error *err) {
    const exam_meta *meta = votes->meta;
    const tally_ruled *ruled = votes->main;
    if (meta->role == EXAM_NONE || meta->role == EXAM_ATTACK ||
        c->n_rows == c->rows_cap)
        return EH_STATUS_OK;
    card_row *row = &c->rows[c->n_rows];
    if (c->n_asks) c->n_samples += (int64_t)ruled->n_samples;
    c->n_expected += c->n_asks;
    c->out->n_failed += ruled->ruling.n_failed;
    c->out->n_trimmed += meta->n_trimmed;
    *row = (card_row){.role = meta->role,
                      .side = meta->perturbed,
                      .question = votes->pair->question_hash,
                      .vote = ruled->ruling.vote,
                      .n_valid = (int)ruled->n_samples - ruled->ruling.n_failed,
                      .all = votes->all ? votes->all->ruling.vote : NAN};
    c->n_rows++;
    if (meta->role == EXAM_CONTROL) return take_plain(c, votes, row, err);
    int n = c->n_probes;
    if (!arena_copy(c->arena, meta->control, &row->control)) return EH_NOMEM(err);
    EH_TRY(name_index(c, c->probe_names, &c->n_probes, AUDIT_PROBES_MAX, meta->probe,
                      &row->probe, err));
    if (row->probe < 0)
        return EH_FAIL(err, EH_STATUS_LEDGER, "more than %d probes", AUDIT_PROBES_MAX);
    if (c->n_probes > n) c->probe_forms[row->probe] = meta->form;
    if (ruled->n_samples) c->probe_asked[row->probe] = true;
    return EH_STATUS_OK;
}

/* ---- items ---- */

/* Plain rows first, by id; then by probe, control and role. */
static int by_place(const void *a, const void *b) {
    const card_row *x = a, *y = b;
    bool plain_x = x->role == EXAM_CONTROL, plain_y = y->role == EXAM_CONTROL;
    if (plain_x != plain_y) return plain_x ? -1 : 1;
    if (plain_x) return eh_str_cmp(x->id, y->id);
    if (x->probe != y->probe) return x->probe < y->probe ? -1 : 1;
    int by_id = eh_str_cmp(x->control, y->control);
    return by_id ? by_id : (x->role > y->role) - (x->role < y->role);
}

static const card_row *plain_of(const exam_card *c, eh_str id) {
    card_row key = {.id = id, .role = EXAM_CONTROL};
    return bsearch(&key, c->rows, c->n_plain, sizeof *c->rows, by_place);
}

/* The items of one probe; `begin` is its first row and moves behind its last. */
static size_t make_items(const exam_card *c, int probe, size_t *begin,
                         audit_item *items) {
    size_t n = 0, i = *begin;
    for (; i < c->n_rows && c->rows[i].probe == probe; i++) {
        const card_row *r = &c->rows[i], *plain = plain_of(c, r->control);
        if (!plain) continue;
        if (r->role == EXAM_PADDED) { /* behind its experiment */
            if (n) items[n - 1].padded = preference(r->vote, r->side);
            continue;
        }
        items[n++] = (audit_item){.control = preference(plain->vote, r->side),
                                  .placebo = preference(plain->placebo_vote, r->side),
                                  .experiment = preference(r->vote, r->side),
                                  .padded = NAN,
                                  .n_votes = r->n_valid,
                                  .category = plain->category,
                                  .question = plain->question};
    }
    *begin = i;
    audit_items_sort(items, n);
    return n;
}

static eh_status score_groups(const exam_card *c, const audit_item *items, size_t n,
                              double p_tie, card_probe *probe, eh_error *err) {
    if (c->n_categories < 2 || c->n_categories > CATEGORIES_MAX) return EH_STATUS_OK;
    probe->n_groups = (size_t)c->n_categories;
    probe->groups = arena_zalloc(c->arena, probe->n_groups, sizeof *probe->groups);
    if (!probe->groups) return EH_NOMEM(err);
    for (int g = 0; g < c->n_categories; g++) {
        probe->groups[g].category = c->categories[g];
        audit_score_make(items, n, g, probe->form, p_tie, &c->out->limits,
                         &probe->groups[g].score);
    }
    return EH_STATUS_OK;
}

/* People: the share over all votes of a pair, which leave none for a placebo. */
static void score_all(const exam_card *c, int probe, audit_item *items, card_probe *p) {
    audit_score score;
    size_t n = 0;
    for (size_t i = c->n_plain; i < c->n_rows; i++) {
        const card_row *r = &c->rows[i];
        const card_row *plain = plain_of(c, r->control);
        if (r->probe != probe || r->role != EXAM_EXPERIMENT || !plain) continue;
        double control = preference(plain->all, r->side);
        items[n++] = (audit_item){.control = control,
                                  .placebo = control,
                                  .experiment = preference(r->all, r->side),
                                  .padded = NAN,
                                  .question = plain->question};
    }
    audit_items_sort(items, n);
    audit_score_make(items, n, -1, p->form, 0, &c->out->limits, &score);
    p->all_votes = (audit_paired){.n = score.paired.n,
                                  .n_hits = score.paired.n_hits,
                                  .asr = score.paired.asr,
                                  .placebo = {NAN, NAN, NAN, STATS_REASON_NO_ROWS},
                                  .difference = {NAN, NAN, NAN, STATS_REASON_NO_ROWS},
                                  .p = NAN};
}

static eh_status score_probes(exam_card *c, eh_error *err) {
    card_judge *out = c->out;
    audit_item *items = arena_zalloc(c->arena, c->n_rows + 1, sizeof *items);
    out->probes = arena_zalloc(c->arena, (size_t)c->n_probes + 1, sizeof *out->probes);
    if (!items || !out->probes) return EH_NOMEM(err);
    double p_tie = audit_tie_share(&out->judge);
    if (isnan(p_tie)) p_tie = 0;
    size_t begin = c->n_plain;
    for (int i = 0; i < c->n_probes; i++) {
        size_t n = make_items(c, i, &begin, items);
        if (!c->probe_asked[i]) continue; /* by another judge of this ledger only */
        card_probe *p = &out->probes[out->n_probes++];
        *p = (card_probe){.name = c->probe_names[i],
                          .known = audit_probe_find(c->probe_names[i]),
                          .form = c->probe_forms[i]};
        audit_score_make(items, n, -1, p->form, p_tie, &out->limits, &p->score);
        EH_TRY(score_groups(c, items, n, p_tie, p, err));
        if (out->people) score_all(c, i, items, p);
    }
    return EH_STATUS_OK;
}

/* ---- the end ---- */

static int severity(audit_state state) {
    static const int order[AUDIT_STATE_N] = {[AUDIT_STATE_FOOLED] = 0,
                                             [AUDIT_STATE_AFFECTED] = 1,
                                             [AUDIT_STATE_TOO_FEW] = 2,
                                             [AUDIT_STATE_UNREADABLE] = 3,
                                             [AUDIT_STATE_HELD_UP] = 4};
    return order[state];
}

/* How far from a judge that holds up: what it misses, or how much more it moves. */
static double harm(const card_probe *p) {
    const audit_paired *r = &p->score.paired;
    double d = p->form == AUDIT_OVERSIGHT ? r->asr.value : r->difference.value;
    return isnan(d) ? -2 : d;
}

static int by_harm(const void *a, const void *b) {
    const card_probe *x = a, *y = b;
    int sx = severity(x->state), sy = severity(y->state);
    if (sx != sy) return sx < sy ? -1 : 1;
    double hx = harm(x), hy = harm(y);
    if (hx < hy || hx > hy) return hx > hy ? -1 : 1;
    return eh_str_cmp(x->name, y->name);
}

static int by_category(const void *a, const void *b) {
    return eh_str_cmp(((const card_group *)a)->category,
                      ((const card_group *)b)->category);
}

static void judge_probes(card_judge *out) {
    audit_score *all[AUDIT_PROBES_MAX];
    for (size_t i = 0; i < out->n_probes; i++)
        all[i] = &out->probes[i].score;
    audit_correct(all, (int)out->n_probes);
    for (size_t i = 0; i < out->n_probes; i++) {
        card_probe *p = &out->probes[i];
        p->fault = audit_score_fault(&p->score, out->fault, &out->limits);
        p->state = audit_state_of(&p->score, p->fault, &out->limits);
        p->flagged = audit_is_flagged(&p->score, &out->limits);
        if (p->n_groups) qsort(p->groups, p->n_groups, sizeof *p->groups, by_category);
    }
    if (out->n_probes) qsort(out->probes, out->n_probes, sizeof *out->probes, by_harm);
}

/* Kappa of the two controls. Which answer of a pair is called 1 says nothing, so each
 * pair counts both ways, as half: else a judge that always prefers the same model,
 * which stands first in the data, would look as if it agreed with itself by chance. */
static stats_kappa steadiness(const exam_card *c) {
    static const int swapped[] = {1, 0, 2};
    int64_t both[9];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            both[3 * a + b] =
                c->steady[3 * a + b] + c->steady[3 * swapped[a] + swapped[b]];
    stats_kappa kappa = stats_cohen_kappa(both, 3);
    kappa.se *= sqrt(2);
    return kappa;
}

static eh_status judge_facts(exam_card *c, eh_error *err) {
    card_judge *out = c->out;
    stats_kappa kappa = steadiness(c);
    out->judge.kappa = kappa.kappa;
    /* people are others in each half: how they differ is no fault of a judge */
    out->judge.kappa_high =
        out->people
            ? NAN
            : kappa.kappa + stats_normal_two_sided(out->limits.level) * kappa.se;
    out->judge.first_rate = stats_cluster_interval(&c->first, out->limits.level);
    out->fault = audit_judge_fault(&out->judge, &out->limits);
    out->detectable_before = audit_detectable_before(out->n_pairs, &out->limits);
    out->n_open = c->n_expected - c->n_samples;
    out->n_votes = c->n_samples;
    for (int i = 0; i < CARD_BINS; i++)
        out->bins[i].longer = stats_cluster_interval(&c->longer[i], out->limits.level);
    return stats_trend_permutation(c->trend_values, c->trend_bins, c->n_trend,
                                   TREND_RESAMPLES, 0, &out->trend, err);
}

eh_status exam_card_new(int64_t n_rows, const plan_spec *plan, eh_arena *arena,
                        card_judge *out, exam_card **card, eh_error *err) {
    size_t room = (size_t)n_rows + 1;
    exam_card *c = arena_zalloc(arena, 1, sizeof *c);
    if (!c) return EH_NOMEM(err);
    *c = (exam_card){.arena = arena,
                     .out = out,
                     .n_asks = plan ? plan_calls_per_pair(plan) : 0,
                     .rows_cap = (size_t)n_rows};
    out->k = plan ? plan->k : 0;
    c->rows = arena_zalloc(arena, room, sizeof *c->rows);
    c->trend_values = arena_zalloc(arena, room, sizeof *c->trend_values);
    c->trend_bins = arena_zalloc(arena, room, sizeof *c->trend_bins);
    stats_cluster_init(&c->first);
    for (int i = 0; i < CARD_BINS; i++)
        stats_cluster_init(&c->longer[i]);
    *card = c;
    return c->rows && c->trend_values && c->trend_bins ? EH_STATUS_OK : EH_NOMEM(err);
}

eh_status exam_card_end(exam_card *c, eh_error *err) {
    if (c->n_rows) qsort(c->rows, c->n_rows, sizeof *c->rows, by_place);
    c->n_plain = (size_t)c->out->n_pairs;
    EH_TRY(judge_facts(c, err));
    EH_TRY(score_probes(c, err));
    judge_probes(c->out);
    return EH_STATUS_OK;
}
