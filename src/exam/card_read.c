/* SPDX-License-Identifier: MIT
 *
 * From a ledger to judge cards: no one is called.
 *
 *   rows, question by question --> what each says of its answers --> card.c
 *                                                     (one pass a judge)
 *
 * Cost, dates and models are those of both streams.
 */
#include <math.h>

#include "exam/card.h"
#include "exam/card_family.h"
#include "exam/exam.h"
#include "exam/people.h"

typedef struct reading {
    ledger *l;
    const tally_view *view;
    exam_card *card;
    eh_arena texts; /* of one row */
} reading;

static eh_status read_row(void *self, const ledger_pair *pair, eh_error *err) {
    reading *r = self;
    ledger_texts texts;
    exam_meta meta;
    tally_ruled ruled, placebo;
    exam_votes votes = {
        .pair = pair, .meta = &meta, .main = &ruled, .placebo = &placebo};
    arena_reset(&r->texts);
    EH_TRY(ledger_pair_texts(r->l, pair->row, &texts, &r->texts, err));
    EH_TRY(exam_meta_read(texts.meta_json, &r->texts, &meta, err));
    if (meta.role == EXAM_NONE) return EH_STATUS_OK;
    EH_TRY(
        tally_rule_stream(r->l, r->view, pair->row, LEDGER_STREAM_MAIN, &ruled, err));
    if (meta.role == EXAM_CONTROL)
        EH_TRY(tally_rule_stream(r->l, r->view, pair->row, LEDGER_STREAM_PLACEBO,
                                 &placebo, err));
    return exam_card_add(r->card, &votes, err);
}

/* The cost of both streams; unknown where that of either is. */
static eh_status take_cost(const reading *r, const price_table *prices, card_judge *out,
                           eh_error *err) {
    const price_row *price = price_find(prices, r->view->run.judge.judge);
    out->cost_nusd = price ? 0 : -1;
    for (int stream = LEDGER_STREAM_MAIN; stream <= LEDGER_STREAM_PLACEBO; stream++) {
        ledger_usage u;
        EH_TRY(ledger_stream_usage_sum(r->l, r->view->run.judge_row, &r->view->plan,
                                       stream, &u, err));
        judge_usage usage = {u.prompt_tokens, u.cached_tokens, u.completion_tokens,
                             u.reasoning_tokens};
        out->n_calls += u.n_calls;
        if (!u.n_calls || out->cost_nusd < 0) continue;
        int64_t cost = price_cost_nusd(price, &usage);
        out->cost_nusd = cost < 0 ? -1 : out->cost_nusd + cost;
    }
    return EH_STATUS_OK;
}

static eh_status take_dates(const reading *r, eh_arena *arena, card_judge *out,
                            eh_error *err) {
    report_judge usage = {0};
    out->first_ms = out->last_ms = -1;
    for (int stream = LEDGER_STREAM_MAIN; stream <= LEDGER_STREAM_PLACEBO; stream++) {
        int64_t first_ms, last_ms;
        EH_TRY(ledger_stream_dates(r->l, r->view->run.judge_row, &r->view->plan, stream,
                                   &first_ms, &last_ms, err));
        if (first_ms >= 0 && (out->first_ms < 0 || first_ms < out->first_ms))
            out->first_ms = first_ms;
        if (last_ms > out->last_ms) out->last_ms = last_ms;
    }
    EH_TRY(tally_take_usage(r->l, r->view, arena, &usage, err));
    out->mixed_models = usage.mixed_models;
    return EH_STATUS_OK;
}

static eh_status read_attacks(const reading *r, eh_arena *arena, card_judge *out,
                              eh_error *err) {
    double p_tie = audit_tie_share(&out->judge);
    exam_attack_card how = {
        .limits = &out->limits, .p_tie = isnan(p_tie) ? 0 : p_tie, .fault = out->fault};
    EH_TRY(exam_attack_read(r->l, r->view, &how, arena, &out->attack, err));
    out->n_open += how.n_expected - how.n_samples;
    out->n_votes += how.n_samples;
    out->n_failed += how.n_failed;
    return EH_STATUS_OK;
}

static eh_status card_of(ledger *l, const tally_view *view,
                         const exam_card_options *options, eh_arena *arena,
                         card_judge *out, eh_error *err) {
    reading r = {.l = l, .view = view};
    int64_t n;
    out->template_name = view->run.judge.template_name;
    out->params_json = view->run.judge.params;
    EH_TRY(ledger_count_pairs(l, &n, err));
    EH_TRY(exam_card_new(n, &view->plan, arena, out, &r.card, err));
    arena_init(&r.texts, BUF_MAX_PROMPT);
    eh_status status = ledger_pairs_each(r.l, LEDGER_BY_QUESTION, read_row, &r, err);
    arena_deinit(&r.texts);
    EH_TRY(status);
    EH_TRY(exam_card_end(r.card, err));
    EH_TRY(read_attacks(&r, arena, out, err));
    EH_TRY(exam_family_read(l, view, out, options->family, arena, &out->family, err));
    EH_TRY(take_dates(&r, arena, out, err));
    return take_cost(&r, options->prices, out, err);
}

/* Behind the judges: people, where there are labels. */
static eh_status add_people(ledger *l, const exam_card_options *options,
                            eh_arena *arena, card_set *cards, eh_error *err) {
    bool found;
    card_judge *made = &cards->judges[cards->n_judges];
    EH_TRY(exam_people_card(l, options->limits, arena, made, &found, err));
    cards->n_judges += found;
    return EH_STATUS_OK;
}

eh_status exam_cards_make(ledger *l, const exam_card_options *options, eh_arena *arena,
                          card_set *cards, eh_error *err) {
    tally_view *views;
    eh_str *names;
    size_t n;
    *cards = (card_set){0};
    EH_TRY(tally_views(l, EH_STR(""), arena, &views, &n, err));
    EH_TRY(tally_view_names(views, n, arena, &names, err));
    cards->judges = arena_zalloc(arena, n + 2, sizeof *cards->judges);
    if (!cards->judges) return EH_NOMEM(err);
    for (size_t i = 0; i < n; i++) {
        card_judge *made = &cards->judges[cards->n_judges];
        if (options->run_row && views[i].run.row != options->run_row) continue;
        made->limits = *options->limits;
        EH_TRY(card_of(l, &views[i], options, arena, made, err));
        made->name = names[i];
        cards->n_judges++;
    }
    return options->run_row ? EH_STATUS_OK : add_people(l, options, arena, cards, err);
}

eh_status exam_cards(ledger *l, int64_t run_row, const price_table *prices,
                     const audit_limits *limits, eh_arena *arena, card_set *cards,
                     eh_error *err) {
    const exam_card_options options = {
        .run_row = run_row, .prices = prices, .limits = limits};
    return exam_cards_make(l, &options, arena, cards, err);
}
