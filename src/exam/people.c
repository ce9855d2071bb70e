/* SPDX-License-Identifier: MIT
 *
 * People as one more judge of an audit: the labels of its pairs are the votes (Chen et
 * al. 2024, section 4: six votes a pair, sides even, unknown topics left out).
 *
 *   labels of a plain pair      --halves-->  control | placebo
 *   labels of a perturbed pair  --halves-->  experiment | (not used)
 *
 * Nobody asks sixty people everything twice, so a plain pair's labels serve as both:
 * they are halved by chance, sides as even as they go, one half chooses which pairs
 * count and the other is the placebo, and a perturbed pair is looked at with as many.
 * The share over all votes, the paper's, stands beside it; it has no placebo.
 *
 * Votes weigh alike. A label on a topic that its author did not know is left out, and
 * so is the owner's word on a disagreement, which is no vote. Halves do not depend on
 * which answer is called 1.
 */
#include <math.h>
#include <stdlib.h>

#include "base/hash.h"
#include "exam/card.h"
#include "exam/people.h"

enum {
    VOTES_MAX = sizeof((tally_ruled *)0)->samples / sizeof((tally_ruled *)0)->samples[0]
};

typedef struct vote {
    const ledger_label *label;
    uint64_t draw;
    int half; /* 0, 1 */
} vote;

typedef struct people_reader {
    ledger *l;
    eh_arena *arena; /* of the names */
    card_people *out;
    eh_str *names; /* [n_names] */
    size_t n_names, names_cap;
    exam_card *card;
    eh_arena row; /* of one row */
} people_reader;

static int by_draw(const void *a, const void *b) {
    const vote *x = a, *y = b;
    if (x->draw != y->draw) return x->draw < y->draw ? -1 : 1;
    return eh_str_cmp(x->label->annotator, y->label->annotator);
}

static uint64_t draw_of(eh_str annotator, eh_str pair_id) {
    uint8_t digest[HASH_BYTES];
    eh_hash h;
    hash_init(&h, "eh-people-half-1");
    hash_str(&h, annotator);
    hash_str(&h, pair_id);
    hash_done(&h, digest);
    return hash_u64(digest);
}

/* In the order of the draw each goes to the half that has fewer of its side, else to
 * the one that has fewer, else to the first. */
static void halve(vote *votes, size_t n) {
    int of_side[2][3] = {{0}}, all[2] = {0};
    if (n) qsort(votes, n, sizeof *votes, by_draw);
    for (size_t i = 0; i < n; i++) {
        int side = votes[i].label->side + 1;
        int more = of_side[0][side] != of_side[1][side]
                       ? of_side[0][side] > of_side[1][side]
                       : all[0] > all[1];
        votes[i].half = more;
        of_side[more][side]++;
        all[more]++;
    }
}

/* ---- counting, once a row ---- */

static eh_status know_name(people_reader *r, eh_str name, eh_error *err) {
    for (size_t i = 0; i < r->n_names; i++)
        if (eh_str_eq(r->names[i], name)) return EH_STATUS_OK;
    eh_str *more =
        arena_grow(r->arena, r->names, r->n_names, &r->names_cap, sizeof *more);
    if (!more) return EH_NOMEM(err);
    r->names = more;
    if (!arena_copy(r->arena, name, &r->names[r->n_names++])) return EH_NOMEM(err);
    r->out->n_people++;
    return EH_STATUS_OK;
}

static eh_status count_row(people_reader *r, const ledger_label *labels, size_t n,
                           eh_error *err) {
    card_people *out = r->out;
    int n_counting = 0;
    for (size_t i = 0; i < n; i++) {
        bool unfamiliar = labels[i].familiar == 0;
        out->n_adjudicated += labels[i].adjudicated;
        out->n_unfamiliar += unfamiliar && !labels[i].adjudicated;
        if (unfamiliar || labels[i].adjudicated) continue;
        n_counting++;
        out->n_unplaced += labels[i].side < 0;
        EH_TRY(know_name(r, labels[i].annotator, err));
    }
    out->n_rows++;
    out->n_labels += n_counting;
    if (n_counting == 0) return EH_STATUS_OK;
    if (out->n_labelled++ == 0 || n_counting < out->votes_low)
        out->votes_low = n_counting;
    if (n_counting > out->votes_high) out->votes_high = n_counting;
    return EH_STATUS_OK;
}

/* ---- votes ---- */

static void add_vote(tally_ruled *votes, const ledger_label *label) {
    votes->samples[votes->n_samples++] =
        (plan_sample){.order = label->side < 0 ? EH_ORDER_N : (eh_order)label->side,
                      .verdict = label->label};
}

static double mean_vote(const tally_ruled *votes) {
    int64_t sum = 0;
    for (size_t i = 0; i < votes->n_samples; i++) {
        eh_verdict v = votes->samples[i].verdict;
        sum += (v == EH_VERDICT_1) - (v == EH_VERDICT_2);
    }
    return (double)sum / (double)votes->n_samples; /* NaN without one */
}

/* Of a half (0, 1), or of both (-1). */
static void collect(const vote *votes, size_t n, int half, tally_ruled *out) {
    *out = (tally_ruled){.in_scope = true};
    for (size_t i = 0; i < n && out->n_samples < VOTES_MAX; i++)
        if (half < 0 || votes[i].half == half) add_vote(out, votes[i].label);
    out->ruling.vote = mean_vote(out);
}

static eh_status take_row(void *self, const ledger_pair *pair, eh_error *err) {
    people_reader *r = self;
    ledger_label *labels;
    eh_str json;
    exam_meta meta;
    size_t n, n_votes = 0;
    tally_ruled main, placebo, all;
    const exam_votes row = {
        .pair = pair, .meta = &meta, .main = &main, .placebo = &placebo, .all = &all};
    arena_reset(&r->row);
    EH_TRY(ledger_pair_meta(r->l, pair->row, &r->row, &json, err));
    EH_TRY(exam_meta_read(json, &r->row, &meta, err));
    if (meta.role != EXAM_CONTROL && meta.role != EXAM_EXPERIMENT) return EH_STATUS_OK;
    EH_TRY(ledger_pair_labels(r->l, pair->row, &r->row, &labels, &n, err));
    EH_TRY(count_row(r, labels, n, err));
    vote *votes = arena_zalloc(&r->row, n + 1, sizeof *votes);
    if (!votes) return EH_NOMEM(err);
    for (size_t i = 0; i < n; i++)
        if (labels[i].familiar != 0 && !labels[i].adjudicated)
            votes[n_votes++] =
                (vote){&labels[i], draw_of(labels[i].annotator, pair->pair_id), 0};
    halve(votes, n_votes);
    collect(votes, n_votes, 0, &main);
    collect(votes, n_votes, 1, &placebo);
    collect(votes, n_votes, -1, &all);
    return exam_card_add(r->card, &row, err);
}

static eh_status see_label(void *self, eh_str pair_id, const ledger_label *label,
                           eh_error *err) {
    (void)pair_id;
    (void)label;
    (void)err;
    *(bool *)self = true;
    return EH_STATUS_OK;
}

eh_status exam_people_card(ledger *l, const audit_limits *limits, eh_arena *arena,
                           card_judge *out, bool *found, eh_error *err) {
    int64_t n;
    *found = false;
    EH_TRY(ledger_labels_each(l, see_label, found, err));
    if (!*found) return EH_STATUS_OK;
    card_people *people = arena_zalloc(arena, 1, sizeof *people);
    if (!people) return EH_NOMEM(err);
    people_reader r = {.l = l, .arena = arena, .out = people};
    *out = (card_judge){.name = EH_STR("people"),
                        .limits = *limits,
                        .cost_nusd = -1,
                        .first_ms = -1,
                        .last_ms = -1,
                        .people = people};
    EH_TRY(ledger_count_pairs(l, &n, err));
    EH_TRY(exam_card_new(n, NULL, arena, out, &r.card, err));
    arena_init(&r.row, BUF_MAX_REPORT);
    eh_status status = ledger_pairs_each(r.l, LEDGER_BY_QUESTION, take_row, &r, err);
    arena_deinit(&r.row);
    EH_TRY(status);
    return exam_card_end(r.card, err);
}
