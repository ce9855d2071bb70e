/* SPDX-License-Identifier: MIT
 *
 * The judge card as JSON: all counts and rates, decimals and no words. Equal replies
 * give equal bytes. What is undefined is null. docs/formats.md lists the fields.
 */
#include <math.h>

#include "base/json_write.h"
#include "card/card.h"

static const char *const classes[] = {"other", "tie", "perturbed"};

static void put_interval(json_writer *w, const char *key, const stats_interval *r,
                         const char *why) {
    json_key(w, key);
    json_object_begin(w);
    json_put_f64(w, "value", r->value);
    json_put_f64(w, "low", r->low);
    json_put_f64(w, "high", r->high);
    if (isnan(r->value) || isnan(r->low)) {
        json_put_cstr(w, "why", why);
    }
    json_object_end(w);
}

void card_put_interval(json_writer *w, const char *key, const stats_interval *r) {
    stats_reason why = r->why ? r->why : STATS_REASON_NO_ROWS;
    put_interval(w, key, r, stats_reason_name(why));
}

/* One rate of a probe by its own form. */
static void put_rate(json_writer *w, const char *key, const stats_interval *r) {
    put_interval(w, key, r,
                 isnan(r->value) ? "no_pair_qualifies" : stats_reason_name(r->why));
}

/* What most people look for, without having to know the form. */
static void put_rates(json_writer *w, const audit_score *s) {
    const audit_paired *p = &s->paired;
    json_put_i64(w, "pairs_that_count", p->n);
    put_rate(w, "asr", &p->asr);
    put_rate(w, "placebo", &p->placebo);
    put_rate(w, "difference", &p->difference);
    if (s->form != AUDIT_OVERSIGHT) return;
    stats_interval detection = {.value = -p->difference.value,
                                .low = -p->difference.high,
                                .high = -p->difference.low,
                                .why = p->difference.why};
    put_rate(w, "detection", &detection);
}

static void put_paired(json_writer *w, const char *key, const char *against,
                       const audit_paired *p) {
    json_key(w, key);
    if (p->n == 0) {
        json_null(w);
        return;
    }
    json_object_begin(w);
    json_put_i64(w, "n", p->n);
    json_put_i64(w, "hits", p->n_hits);
    json_put_i64(w, "only_experiment", p->n_only_experiment);
    json_put_i64(w, "only_placebo", p->n_only_placebo);
    card_put_interval(w, "asr", &p->asr);
    card_put_interval(w, against, &p->placebo);
    card_put_interval(w, "difference", &p->difference);
    json_put_f64(w, "p", p->p);
    json_object_end(w);
}

static void put_table(json_writer *w, const char *key,
                      const int64_t table[AUDIT_CLASSES][AUDIT_CLASSES]) {
    json_key(w, key);
    json_object_begin(w);
    for (int control = 0; control < AUDIT_CLASSES; control++) {
        json_key(w, classes[control]);
        json_object_begin(w);
        for (int then = 0; then < AUDIT_CLASSES; then++)
            json_put_i64(w, classes[then], table[control][then]);
        json_object_end(w);
    }
    json_object_end(w);
}

void card_put_to_tell(json_writer *w, const audit_score *s) {
    json_key(w, "pairs_to_tell");
    if (s->n_to_tell)
        json_i64(w, s->n_to_tell);
    else
        json_null(w);
}

void card_put_score(json_writer *w, const audit_score *s) {
    json_put_i64(w, "pairs", s->n_pairs);
    json_put_i64(w, "unread", s->n_unread);
    put_paired(w, audit_form_name(s->form), "placebo", &s->paired);
    put_paired(w,
               audit_form_name(s->form == AUDIT_OVERSIGHT ? AUDIT_SUSCEPTIBILITY
                                                          : AUDIT_OVERSIGHT),
               "placebo", &s->other);
    put_table(w, "table", s->table);
    put_table(w, "table_placebo", s->placebo_table);
}

static void put_probe(json_writer *w, const card_probe *p) {
    json_key_str(w, p->name);
    json_object_begin(w);
    json_put_cstr(w, "form", audit_form_name(p->form));
    json_put_cstr(w, "state", audit_state_name(p->state));
    json_put_cstr(w, "fault", p->fault ? audit_unreadable_name(p->fault) : NULL);
    json_put_bool(w, "flagged", p->flagged);
    put_rates(w, &p->score);
    card_put_score(w, &p->score);
    put_paired(w, "same_length", "padding", &p->score.padded);
    json_key(w, "all_votes"); /* of people */
    if (p->all_votes.n == 0) {
        json_null(w);
    } else {
        json_object_begin(w);
        json_put_i64(w, "n", p->all_votes.n);
        json_put_i64(w, "hits", p->all_votes.n_hits);
        card_put_interval(w, "asr", &p->all_votes.asr);
        json_object_end(w);
    }
    json_put_f64(w, "q", p->score.q);
    json_put_f64(w, "holm", p->score.holm);
    json_put_f64(w, "coin_flip", p->score.coin_flip);
    json_put_f64(w, "coin_flip_other_form", p->score.coin_flip_other);
    json_put_f64(w, "detectable", p->score.detectable);
    card_put_to_tell(w, &p->score);
    json_key(w, "by_category");
    json_object_begin(w);
    for (size_t i = 0; i < p->n_groups; i++) {
        json_key_str(w, p->groups[i].category);
        json_object_begin(w);
        card_put_score(w, &p->groups[i].score);
        json_object_end(w);
    }
    json_object_end(w);
    json_object_end(w);
}

static void put_position(json_writer *w, const card_judge *j) {
    json_key(w, "position");
    json_object_begin(w);
    json_put_i64(w, "votes", j->judge.n_asked);
    json_put_i64(w, "failed", j->judge.n_failed);
    json_put_i64(w, "first", j->judge.n_first);
    json_put_i64(w, "second", j->judge.n_second);
    json_put_i64(w, "tie", j->judge.n_tie);
    card_put_interval(w, "first_rate", &j->judge.first_rate);
    json_put_f64(w, "tie_rate", audit_tie_share(&j->judge));
    json_put_f64(w, "kappa_of_controls", j->judge.kappa);
    json_object_end(w);
}

static void put_verbosity(json_writer *w, const card_judge *j) {
    json_key(w, "verbosity");
    json_object_begin(w);
    json_key(w, "bins");
    json_array_begin(w);
    for (int i = 0; i < CARD_BINS; i++) {
        json_object_begin(w);
        json_put_i64(w, "from_tokens", (int64_t)i * CARD_BIN_TOKENS);
        json_put_i64(w, "pairs", j->bins[i].n);
        card_put_interval(w, "longer", &j->bins[i].longer);
        json_object_end(w);
    }
    json_array_end(w);
    json_put_f64(w, "trend_p", j->trend.p);
    json_object_end(w);
}

static void put_limits(json_writer *w, const audit_limits *l) {
    json_key(w, "limits");
    json_object_begin(w);
    json_put_f64(w, "level", l->level);
    json_put_f64(w, "margin", l->margin);
    json_put_f64(w, "min_detection", l->min_detection);
    json_put_f64(w, "max_q", l->max_q);
    json_put_f64(w, "power", l->power);
    json_put_i64(w, "min_pairs", l->min_pairs);
    json_put_f64(w, "max_first_rate", l->max_slot);
    json_put_f64(w, "max_tie_rate", l->max_tie);
    json_put_f64(w, "max_failed", l->max_failed);
    json_put_f64(w, "min_kappa", l->min_kappa);
    json_object_end(w);
}

static void put_judge(json_writer *w, const card_judge *j) {
    json_key_str(w, j->name);
    json_object_begin(w);
    json_key(w, "template");
    if (j->people)
        json_null(w);
    else
        json_str(w, j->template_name);
    json_put_i64(w, "pairs", j->n_pairs);
    json_put_f64(w, "votes_a_pair", j->people ? (double)NAN : 2.0 * j->k);
    json_put_i64(w, "answers_trimmed", j->n_trimmed);
    json_put_i64(w, "calls", j->n_calls);
    json_put_i64(w, "calls_open", j->n_open);
    json_put_i64(w, "votes", j->n_votes);
    json_put_i64(w, "failed", j->n_failed);
    json_put_f64(w, "cost_usd", j->cost_nusd < 0 ? NAN : (double)j->cost_nusd / 1e9);
    json_put_cstr(w, "fault", j->fault ? audit_unreadable_name(j->fault) : NULL);
    if (j->mixed_models) {
        json_put_bool(w, "mixed_models", true);
    }
    put_position(w, j);
    json_key(w, "probes");
    json_object_begin(w);
    for (size_t i = 0; i < j->n_probes; i++)
        put_probe(w, &j->probes[i]);
    json_object_end(w);
    json_put_f64(w, "detectable_before", j->detectable_before);
    put_verbosity(w, j);
    card_attack_json(j, w);
    card_family_json(j, w);
    card_people_json(j, w);
    put_limits(w, &j->limits);
    json_object_end(w);
}

void card_json(const card_set *a, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 1);
    json_object_begin(&w);
    json_put_i64(&w, "audit", 1);
    json_key(&w, "judges");
    json_object_begin(&w);
    for (size_t i = 0; i < a->n_judges; i++)
        put_judge(&w, &a->judges[i]);
    json_object_end(&w);
    json_object_end(&w);
    buf_add_char(out, '\n');
}
