/* SPDX-License-Identifier: MIT
 *
 * Comparing two runs.
 *
 *   pairs of base, question by question --match--> the pair in fresh
 *        |                                              |
 *      ruling, label                                 ruling, label
 *        `------------------ differences ---------------'
 *                                |
 *              clustered mean, t interval, finding
 *
 * Everything is paired: a question that is easy for one run is easy for the other, and
 * the difference of a pair does not know how easy it is. So small differences show that
 * two separate intervals would hide. The soft win rate is compared and not the win
 * rate, since it does not depend on the number of samples.
 *
 * Labels belong to texts: each side is measured by its own. Where the texts are the
 * same in both and only one ledger holds labels of the pair, they count for both.
 *
 * Left out: pairs that only one run has. They are counted.
 */
#include "tally/compare.h"

#include <math.h>

#include "ledger/match.h"
#include "stats/test.h"

#define LEVEL .95
#define POWER .8

/* Both runs' values of one rate and their difference. */
typedef struct paired {
    stats_cluster base, fresh, difference;
} paired;

typedef struct comparing {
    const tally_compare_side *base, *fresh;
    report_compare *out;
    paired soft, conflict, accuracy;
    bool models_differ[2]; /* of base, of fresh: not all pairs have one model 1 */
    int64_t n_seen;
    eh_arena *arena;
} comparing;

static void paired_init(paired *p) {
    stats_cluster_init(&p->base);
    stats_cluster_init(&p->fresh);
    stats_cluster_init(&p->difference);
}

static void paired_add(paired *p, uint64_t question, double base, double fresh) {
    stats_cluster_add(&p->base, question, base);
    stats_cluster_add(&p->fresh, question, fresh);
    stats_cluster_add(&p->difference, question, fresh - base);
}

static report_compare_rate paired_rate(const paired *p, double margin,
                                       const char *why) {
    stats_mean m = stats_cluster_mean(&p->difference);
    report_compare_rate r = {
        .base = stats_cluster_mean(&p->base).mean,
        .fresh = stats_cluster_mean(&p->fresh).mean,
        .n = m.n,
        .n_questions = m.n_clusters,
        .difference = stats_difference_of(&m, margin, LEVEL),
        .n_needed = stats_questions_to_detect(stats_question_variance(&m), margin,
                                              LEVEL, POWER),
    };
    if (r.difference.interval.why != STATS_REASON_NONE)
        r.why = why && m.n == 0 ? why : stats_reason_name(r.difference.interval.why);
    return r;
}

/* ---- one pair ---- */

static eh_status labels_of(ledger *l, int64_t row, eh_verdict *majority,
                           eh_error *err) {
    int64_t counts[4];
    bool flagged;
    EH_TRY(ledger_label_counts(l, row, counts, err));
    *majority = tally_label_majority(counts, &flagged);
    return EH_STATUS_OK;
}

static eh_status add_accuracy(comparing *c, uint64_t question, const ledger_pair *base,
                              const ledger_pair *fresh, bool same_texts,
                              const eh_verdict rulings[2], eh_error *err) {
    eh_verdict one, two;
    EH_TRY(labels_of(c->base->l, base->row, &one, err));
    EH_TRY(labels_of(c->fresh->l, fresh->row, &two, err));
    if (same_texts && one == EH_VERDICT_NONE) one = two;
    if (same_texts && two == EH_VERDICT_NONE) two = one;
    if (one == EH_VERDICT_NONE || two == EH_VERDICT_NONE) return EH_STATUS_OK;
    bool right_before = rulings[0] == one, right_now = rulings[1] == two;
    paired_add(&c->accuracy, question, right_before, right_now);
    c->out->n_gained += right_now && !right_before;
    c->out->n_lost += right_before && !right_now;
    return EH_STATUS_OK;
}

/* Keeps the first model's name as long as all pairs have the same. */
static eh_status note_model(comparing *c, int side, eh_str *name, eh_str model,
                            eh_error *err) {
    if (c->n_seen == 1) {
        if (!arena_copy(c->arena, model, name)) return EH_NOMEM(err);
    } else if (!eh_str_eq(*name, model)) {
        c->models_differ[side] = true;
    }
    return EH_STATUS_OK;
}

/* Whether the other run calls answer_2 what this one calls answer_1: then differences
 * would compare the one model with the other. */
static bool is_exchanged(const ledger_pair *base, const ledger_pair *fresh) {
    return base->model_1.len && base->model_2.len &&
           !eh_str_eq(base->model_1, base->model_2) &&
           eh_str_eq(base->model_1, fresh->model_2) &&
           eh_str_eq(base->model_2, fresh->model_1);
}

static eh_status add_pair(comparing *c, const ledger_pair *base,
                          const tally_ruled *ruled, const ledger_pair *fresh,
                          ledger_match match, eh_error *err) {
    tally_ruled other;
    report_compare *out = c->out;
    EH_TRY(tally_rule_pair(c->fresh->l, c->fresh->view, fresh->row, &other, err));
    if (!other.in_scope) return EH_STATUS_OK;
    if (match == LEDGER_MATCH_OTHER_TEXTS && is_exchanged(base, fresh)) {
        out->n_exchanged++;
        return EH_STATUS_OK;
    }
    c->n_seen = ++out->n_common;
    out->n_other_id += match == LEDGER_MATCH_OTHER_ID;
    out->n_other_texts += match == LEDGER_MATCH_OTHER_TEXTS;
    EH_TRY(note_model(c, 0, &out->base.model_1, base->model_1, err));
    EH_TRY(note_model(c, 1, &out->fresh.model_1, fresh->model_1, err));
    uint64_t question = base->question_hash;
    const plan_ruling *a = &ruled->ruling, *b = &other.ruling;
    if (!isnan(a->vote) && !isnan(b->vote))
        paired_add(&c->soft, question, (a->vote + 1) / 2, (b->vote + 1) / 2);
    if (a->both_orders && b->both_orders)
        paired_add(&c->conflict, question, a->conflict, b->conflict);
    const eh_verdict rulings[2] = {a->verdict, b->verdict};
    return add_accuracy(c, question, base, fresh, match != LEDGER_MATCH_OTHER_TEXTS,
                        rulings, err);
}

static eh_status add_all(comparing *c, ledger_cursor *cursor, eh_error *err) {
    for (;;) {
        ledger_pair base, fresh;
        tally_ruled ruled;
        ledger_match match;
        uint8_t revision[16];
        bool got;
        EH_TRY(ledger_cursor_next(cursor, &base, &got, err));
        if (!got) return EH_STATUS_OK;
        EH_TRY(tally_rule_pair(c->base->l, c->base->view, base.row, &ruled, err));
        if (!ruled.in_scope) continue;
        c->out->base.n_pairs++;
        EH_TRY(ledger_pair_revision(c->base->l, base.row, revision, err));
        EH_TRY(ledger_pair_match(c->fresh->l, base.pair_id, revision, &fresh, &match,
                                 err));
        if (match != LEDGER_MATCH_NONE)
            EH_TRY(add_pair(c, &base, &ruled, &fresh, match, err));
    }
}

/* ---- the whole ---- */

static report_compare_side describe(const tally_compare_side *side) {
    return (report_compare_side){
        .ledger = side->ledger_name,
        .name = side->judge_name,
        .method = eh_str_of(plan_method_name(side->view->plan.method)),
        .template_name = side->view->run.judge.template_name,
        .k = side->view->plan.k,
        .orders = side->view->plan.orders,
    };
}

/* Pairs in the scope of a run: of an imported one those that it saw. */
static eh_status count_scope(const tally_compare_side *side, int64_t *n,
                             eh_error *err) {
    ledger_cursor *c;
    if (!side->view->run.imported) return ledger_count_pairs(side->l, n, err);
    *n = 0;
    EH_TRY(ledger_cursor_open(side->l, LEDGER_BY_DATA, &c, err));
    eh_status status = EH_STATUS_OK;
    while (status == EH_STATUS_OK) {
        ledger_pair pair;
        tally_ruled ruled;
        bool got;
        status = ledger_cursor_next(c, &pair, &got, err);
        if (status != EH_STATUS_OK || !got) break;
        status = tally_rule_pair(side->l, side->view, pair.row, &ruled, err);
        *n += status == EH_STATUS_OK && ruled.in_scope;
    }
    ledger_cursor_close(c);
    return status;
}

static void finish(comparing *c) {
    report_compare *out = c->out;
    bool alone =
        plan_is_alone(&c->base->view->plan) || plan_is_alone(&c->fresh->view->plan);
    out->soft = paired_rate(&c->soft, out->margin, NULL);
    out->conflict =
        paired_rate(&c->conflict, out->margin, alone ? "standalone" : "one_order");
    out->accuracy = paired_rate(&c->accuracy, out->margin, "no_labels");
    out->p_mcnemar =
        out->accuracy.n ? stats_mcnemar(out->n_lost, out->n_gained) : (double)NAN;
    if (c->models_differ[0]) out->base.model_1 = (eh_str){NULL, 0};
    if (c->models_differ[1]) out->fresh.model_1 = (eh_str){NULL, 0};
}

eh_status tally_compare(const tally_compare_side *base, const tally_compare_side *fresh,
                        double margin, eh_arena *arena, report_compare *out,
                        eh_error *err) {
    comparing c = {.base = base, .fresh = fresh, .out = out, .arena = arena};
    ledger_cursor *cursor;
    *out = (report_compare){
        .base = describe(base), .fresh = describe(fresh), .margin = margin};
    paired_init(&c.soft);
    paired_init(&c.conflict);
    paired_init(&c.accuracy);
    EH_TRY(count_scope(fresh, &out->fresh.n_pairs, err));
    EH_TRY(ledger_cursor_open(base->l, LEDGER_BY_QUESTION, &cursor, err));
    eh_status status = add_all(&c, cursor, err);
    ledger_cursor_close(cursor);
    EH_TRY(status);
    if (out->n_common == 0)
        return EH_FAIL(err, EH_STATUS_DATA,
                       "%.*s and %.*s have no pair in common, by texts or by id%s",
                       EH_STR_ARG(base->ledger_name), EH_STR_ARG(fresh->ledger_name),
                       out->n_exchanged ? ", but those with the models exchanged" : "");
    finish(&c);
    return EH_STATUS_OK;
}
