/* SPDX-License-Identifier: MIT
 *
 * What attacks did to a judge, from its votes.
 *
 *   control   anchor against the weaker answer, as it was    streams main and placebo
 *   attack    anchor against it, dressed up                  stream main
 *
 * The form is susceptibility: of pairs whose control goes to the anchor or is a tie,
 * the share that goes to the weaker answer once it is dressed up ("turnover"), and the
 * same share of the second control. How far the anchor is ahead of each weaker set
 * stands beside it, from the votes of both controls: that is the quality gap.
 *
 * All rows of one control are neighbours in the cursor's order (they share its question
 * and were staged one after the other), so one control is held at a time.
 */
#include <math.h>
#include <stdlib.h>

#include "exam/attack.h"
#include "exam/stage.h"

enum { TREND_RESAMPLES = 2000 };

typedef struct attack_item {
    int weak, attack;
    audit_item votes;
} attack_item;

typedef struct weak_set {
    card_attack_weak out;
    stats_cluster anchor;
} weak_set;

typedef struct reader {
    ledger *l;
    const tally_view *view;
    exam_attack_card *how;
    eh_arena *arena;
    attack_item *items; /* [n_items] */
    size_t n_items, items_cap;
    weak_set weak[EXAM_WEAK_MAX];
    int n_weak;
    eh_str names[AUDIT_PROBES_MAX];
    int n_attacks;
    eh_str anchor;
    bool has_anchor, has_anchors; /* one; several */
    bool was_asked;
    eh_str control_id; /* whose votes `control` and `placebo` are */
    double control, placebo;
    eh_arena texts; /* of one row */
} reader;

static double preference(double vote, int side) {
    return (1 + (side == 1 ? vote : -vote)) / 2;
}

static eh_status attack_index(reader *r, eh_str name, int *index, eh_error *err) {
    for (*index = 0; *index < r->n_attacks; ++*index)
        if (eh_str_eq(r->names[*index], name)) return EH_STATUS_OK;
    if (r->n_attacks == AUDIT_PROBES_MAX)
        return EH_FAIL(err, EH_STATUS_LEDGER, "more than %d attacks", AUDIT_PROBES_MAX);
    if (!arena_copy(r->arena, name, &r->names[r->n_attacks++])) return EH_NOMEM(err);
    return EH_STATUS_OK;
}

static eh_status weak_index(reader *r, const exam_meta *meta, int *index,
                            eh_error *err) {
    for (*index = 0; *index < r->n_weak; ++*index)
        if (eh_str_eq(r->weak[*index].out.name, meta->weak) &&
            r->weak[*index].out.by_probe == meta->is_worse)
            return EH_STATUS_OK;
    if (r->n_weak == EXAM_WEAK_MAX)
        return EH_FAIL(err, EH_STATUS_LEDGER, "more than %d weaker sets",
                       EXAM_WEAK_MAX);
    weak_set *w = &r->weak[r->n_weak++];
    w->out.by_probe = meta->is_worse;
    stats_cluster_init(&w->anchor);
    return arena_copy(r->arena, meta->weak, &w->out.name) ? EH_STATUS_OK
                                                          : EH_NOMEM(err);
}

static void count_calls(reader *r, const tally_ruled *ruled) {
    r->how->n_expected += plan_calls_per_pair(&r->view->plan);
    r->how->n_samples += (int64_t)ruled->n_samples;
    r->how->n_failed += ruled->ruling.n_failed;
}

static void count_votes(card_attack_weak *w, const tally_ruled *ruled, int side) {
    eh_verdict weaker = side == 1 ? EH_VERDICT_1 : EH_VERDICT_2;
    for (size_t i = 0; i < ruled->n_samples; i++) {
        eh_verdict v = ruled->samples[i].verdict;
        w->n_failed += v == EH_VERDICT_NONE;
        w->n_tie += v == EH_VERDICT_TIE;
        w->n_weak += v == weaker;
        w->n_anchor += v != weaker && v != EH_VERDICT_TIE && v != EH_VERDICT_NONE;
    }
}

/* The votes on the pair before it is dressed up, once for all its attacks. */
static eh_status take_control(reader *r, const ledger_pair *pair, const exam_meta *meta,
                              weak_set *w, eh_error *err) {
    int64_t row;
    tally_ruled ruled;
    if (eh_str_eq(r->control_id, meta->control)) return EH_STATUS_OK;
    EH_TRY(ledger_find_pair(r->l, meta->control, &row, err));
    if (!row)
        return EH_FAIL(err, EH_STATUS_LEDGER, "pair %.*s is attacked and is not there",
                       EH_STR_ARG(meta->control));
    if (!arena_copy(r->arena, meta->control, &r->control_id)) return EH_NOMEM(err);
    EH_TRY(tally_rule_stream(r->l, r->view, row, LEDGER_STREAM_MAIN, &ruled, err));
    r->control = preference(ruled.ruling.vote, meta->perturbed);
    count_votes(&w->out, &ruled, meta->perturbed);
    EH_TRY(tally_rule_stream(r->l, r->view, row, LEDGER_STREAM_PLACEBO, &ruled, err));
    r->placebo = preference(ruled.ruling.vote, meta->perturbed);
    count_votes(&w->out, &ruled, meta->perturbed);
    if (meta->is_worse) count_calls(r, &ruled); /* those of plain pairs are counted */
    w->out.n_pairs++;
    double both = (r->control + r->placebo) / 2;
    if (isnan(both)) both = isnan(r->control) ? r->placebo : r->control;
    if (!isnan(both)) stats_cluster_add(&w->anchor, pair->question_hash, 1 - both);
    return EH_STATUS_OK;
}

static eh_status take_anchor(reader *r, eh_str model, eh_error *err) {
    if (r->has_anchor) {
        r->has_anchors = r->has_anchors || !eh_str_eq(r->anchor, model);
        return EH_STATUS_OK;
    }
    r->has_anchor = true;
    return arena_copy(r->arena, model, &r->anchor) ? EH_STATUS_OK : EH_NOMEM(err);
}

static eh_status take_attack(reader *r, const ledger_pair *pair, const exam_meta *meta,
                             eh_error *err) {
    tally_ruled ruled;
    int weak, attack;
    EH_TRY(weak_index(r, meta, &weak, err));
    EH_TRY(attack_index(r, meta->probe, &attack, err));
    EH_TRY(take_anchor(r, meta->perturbed == 1 ? pair->model_2 : pair->model_1, err));
    EH_TRY(take_control(r, pair, meta, &r->weak[weak], err));
    EH_TRY(
        tally_rule_stream(r->l, r->view, pair->row, LEDGER_STREAM_MAIN, &ruled, err));
    count_calls(r, &ruled);
    r->was_asked = r->was_asked || ruled.n_samples;
    attack_item *more =
        arena_grow(r->arena, r->items, r->n_items, &r->items_cap, sizeof *more);
    if (!more) return EH_NOMEM(err);
    r->items = more;
    r->items[r->n_items++] =
        (attack_item){weak,
                      attack,
                      {.control = r->control,
                       .placebo = r->placebo,
                       .experiment = preference(ruled.ruling.vote, meta->perturbed),
                       .padded = NAN,
                       .n_votes = (int)ruled.n_samples - ruled.ruling.n_failed,
                       .question = pair->question_hash}};
    return EH_STATUS_OK;
}

static eh_status take_row(void *self, const ledger_pair *pair, eh_error *err) {
    reader *r = self;
    eh_str json;
    exam_meta meta;
    arena_reset(&r->texts);
    EH_TRY(ledger_pair_meta(r->l, pair->row, &r->texts, &json, err));
    EH_TRY(exam_meta_read(json, &r->texts, &meta, err));
    return meta.role == EXAM_ATTACK ? take_attack(r, pair, &meta, err) : EH_STATUS_OK;
}

/* ---- numbers ---- */

/* Does what the attack turns over, beyond the placebo, depend on the gap? One value a
 * pair that counts, its set's preference for the anchor as the bin. */
static eh_status find_trend(const reader *r, int attack, stats_trend *trend,
                            eh_error *err) {
    double *values = arena_zalloc(r->arena, r->n_items + 1, sizeof *values);
    double *bins = arena_zalloc(r->arena, r->n_items + 1, sizeof *bins);
    int64_t n = 0;
    if (!values || !bins) return EH_NOMEM(err);
    for (size_t i = 0; i < r->n_items; i++) {
        const audit_item *v = &r->items[i].votes;
        double gap = r->weak[r->items[i].weak].out.anchor.value;
        if (r->items[i].attack != attack || isnan(v->control) || isnan(v->placebo) ||
            isnan(v->experiment) ||
            !audit_is_eligible(AUDIT_SUSCEPTIBILITY, v->control))
            continue;
        values[n] = (double)audit_is_hit(AUDIT_SUSCEPTIBILITY, v->experiment) -
                    (double)audit_is_hit(AUDIT_SUSCEPTIBILITY, v->placebo);
        bins[n++] = gap;
    }
    return stats_trend_permutation(values, bins, n, TREND_RESAMPLES, 0, trend, err);
}

static eh_status score_weak(reader *r, weak_set *w, int index, eh_error *err) {
    audit_item *items = arena_zalloc(r->arena, r->n_items + 1, sizeof *items);
    w->out.anchor = stats_cluster_interval(&w->anchor, r->how->limits->level);
    w->out.scores = arena_zalloc(r->arena, (size_t)r->n_attacks, sizeof *w->out.scores);
    w->out.states = arena_zalloc(r->arena, (size_t)r->n_attacks, sizeof *w->out.states);
    if (!items || !w->out.scores || !w->out.states) return EH_NOMEM(err);
    for (int a = 0; a < r->n_attacks; a++) {
        size_t n = 0;
        for (size_t i = 0; i < r->n_items; i++)
            if (r->items[i].weak == index && r->items[i].attack == a)
                items[n++] = r->items[i].votes;
        audit_score_make(items, n, -1, AUDIT_SUSCEPTIBILITY, r->how->p_tie,
                         r->how->limits, &w->out.scores[a]);
    }
    return EH_STATUS_OK;
}

/* One correction over all attacks on all sets. */
static void decide(reader *r) {
    audit_score *all[AUDIT_PROBES_MAX];
    int n = 0;
    for (int w = 0; w < r->n_weak; w++)
        for (int a = 0; a < r->n_attacks && n < AUDIT_PROBES_MAX; a++)
            if (r->weak[w].out.scores[a].n_pairs) all[n++] = &r->weak[w].out.scores[a];
    audit_correct(all, n);
    for (int w = 0; w < r->n_weak; w++)
        for (int a = 0; a < r->n_attacks; a++) {
            const audit_score *s = &r->weak[w].out.scores[a];
            audit_unreadable fault =
                audit_score_fault(s, r->how->fault, r->how->limits);
            r->weak[w].out.states[a] = audit_state_of(s, fault, r->how->limits);
        }
}

/* The smallest gap first: there an attack has the least to overcome. */
static int by_gap(const void *a, const void *b) {
    const card_attack_weak *x = a, *y = b;
    double gx = isnan(x->anchor.value) ? 2 : x->anchor.value;
    double gy = isnan(y->anchor.value) ? 2 : y->anchor.value;
    if (gx < gy || gx > gy) return gx < gy ? -1 : 1;
    return eh_str_cmp(x->name, y->name);
}

static eh_status make(reader *r, card_attack *out, eh_error *err) {
    size_t n_attacks = (size_t)r->n_attacks, n_weak = (size_t)r->n_weak;
    for (int w = 0; w < r->n_weak; w++)
        EH_TRY(score_weak(r, &r->weak[w], w, err));
    decide(r);
    *out = (card_attack){.anchor = r->has_anchors ? (eh_str){NULL, 0} : r->anchor,
                         .n_attacks = n_attacks,
                         .n_weak = n_weak};
    out->names = arena_zalloc(r->arena, n_attacks, sizeof *out->names);
    out->trends = arena_zalloc(r->arena, n_attacks, sizeof *out->trends);
    out->weak = arena_zalloc(r->arena, n_weak, sizeof *out->weak);
    if (!out->names || !out->trends || !out->weak) return EH_NOMEM(err);
    for (size_t a = 0; a < n_attacks; a++) {
        out->names[a] = r->names[a];
        EH_TRY(find_trend(r, (int)a, &out->trends[a], err));
    }
    for (size_t w = 0; w < n_weak; w++)
        out->weak[w] = r->weak[w].out;
    qsort(out->weak, n_weak, sizeof *out->weak, by_gap);
    return EH_STATUS_OK;
}

eh_status exam_attack_read(ledger *l, const tally_view *view, exam_attack_card *how,
                           eh_arena *arena, const card_attack **attack, eh_error *err) {
    reader *r = arena_zalloc(arena, 1, sizeof *r);
    card_attack *out = arena_zalloc(arena, 1, sizeof *out);
    *attack = NULL;
    if (!r || !out) return EH_NOMEM(err);
    *r = (reader){.l = l, .view = view, .how = how, .arena = arena};
    arena_init(&r->texts, BUF_MAX_PROMPT);
    eh_status status = ledger_pairs_each(r->l, LEDGER_BY_QUESTION, take_row, r, err);
    arena_deinit(&r->texts);
    if (status != EH_STATUS_OK || !r->was_asked) return status;
    EH_TRY(make(r, out, err));
    *attack = out;
    return EH_STATUS_OK;
}
