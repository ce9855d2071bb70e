/* SPDX-License-Identifier: MIT
 *
 * Tallying split and merge.
 *
 *   pair -> ruling (what each stage says) -> stages, ablations, bins, categories
 *
 * All tables are of fixed size: a million pairs need the memory of one. Of categories
 * the first REPORT_MAX_CATEGORIES in the cursor's order, which follows the texts, have
 * rows of their own; the rest share one.
 *
 * Ablations are read off the pairs with all stages asked: a run without a stage rules
 * by the first of the others that is consistent, which needs no new call. Left out: the
 * curve over numbers of parts, since each number is a run of its own.
 */
#include "tally/summarize_portia.h"

#include <stdlib.h>

#include "ledger/embeddings.h"
#include "tally/trend.h"

enum { EXACT_TREND_MAX = 1000 }; /* pairs; above, the normal approximation is as good */

static void add_stage(report_portia *p, const plan_ruling *r, int stage) {
    report_portia_stage *st = &p->stage[stage];
    eh_verdict plain = r->stage_verdict[0], here = r->stage_verdict[stage];
    if (!r->stage_asked[stage]) return;
    st->asked++;
    st->agree += here != EH_VERDICT_NONE;
    st->mended += plain == EH_VERDICT_NONE && here != EH_VERDICT_NONE;
    st->broken += plain != EH_VERDICT_NONE && here == EH_VERDICT_NONE;
    st->changed += plain != EH_VERDICT_NONE && here != EH_VERDICT_NONE && here != plain;
    st->ruled += r->stage == stage;
}

static void add_ablation(report_portia_ablation *a, const plan_ruling *r,
                         unsigned stages, eh_verdict label) {
    eh_verdict v = EH_VERDICT_NONE;
    for (int s = 0; s < PLAN_MAX_STAGES && v == EH_VERDICT_NONE; s++)
        if (stages & PLAN_STAGE_BIT(s)) v = r->stage_verdict[s];
    a->agree += v != EH_VERDICT_NONE;
    a->n_right += v != EH_VERDICT_NONE && v == label;
}

static void add_ablations(report_portia *p, const plan_ruling *r, eh_verdict label) {
    if (!r->stage_asked[1] || !r->stage_asked[2]) return;
    p->n_always++;
    p->n_always_labelled += label != EH_VERDICT_NONE;
    add_ablation(&p->whole, r, PLAN_STAGES_ALL, label);
    add_ablation(&p->without_length, r, PLAN_STAGE_BIT(0) | PLAN_STAGE_BIT(2), label);
    add_ablation(&p->without_semantic, r, PLAN_STAGE_BIT(0) | PLAN_STAGE_BIT(1), label);
    add_ablation(&p->without_plain, r, PLAN_STAGE_BIT(1) | PLAN_STAGE_BIT(2), label);
}

static int bin_of(int64_t length_cp, int64_t bin_cp, int n_bins) {
    int64_t bin = length_cp / bin_cp;
    return bin < n_bins ? (int)bin : n_bins - 1;
}

static void add_lengths(report_portia *p, const ledger_pair *pair,
                        const plan_ruling *r) {
    int total = bin_of(pair->answer_1_cp + pair->answer_2_cp, REPORT_TOTAL_BIN_CP,
                       REPORT_TOTAL_BINS);
    int gap = bin_of(llabs(pair->answer_1_cp - pair->answer_2_cp), REPORT_GAP_BIN_CP,
                     REPORT_GAP_BINS);
    if (r->stage_read[0]) {
        p->total_pairs[total]++;
        p->total_differ[total] += r->stage_verdict[0] == EH_VERDICT_NONE;
    }
    if (r->stage_verdict[0] != EH_VERDICT_NONE) return;
    p->gap_pairs[gap]++;
    p->gap_fixed[gap] += r->stage >= 0;
}

/* The row of a category, the shared one when the table is full; NULL without memory. */
static report_portia_category *category_row(report_portia *p, eh_str name,
                                            eh_arena *arena) {
    for (size_t i = 0; i < p->n_categories; i++)
        if (eh_str_eq(p->category[i].name, name)) return &p->category[i];
    if (p->n_categories == REPORT_MAX_CATEGORIES) return &p->other;
    report_portia_category *row = &p->category[p->n_categories];
    if (!arena_copy(arena, name, &row->name)) return NULL;
    p->n_categories++;
    return row;
}

/* Failed replies of the plan's stages; the whole number is returned. */
static int64_t add_failed(report_portia *p, const plan_spec *plan,
                          const tally_ruled *ruled) {
    int64_t n_failed = 0;
    for (size_t i = 0; i < ruled->n_samples; i++) {
        const plan_sample *s = &ruled->samples[i];
        int stage = plan_stage_of(plan, s->stage_code);
        if (stage < 0 || s->sample != 0 || s->verdict != EH_VERDICT_NONE) continue;
        p->stage[stage].failed[s->reason]++;
        n_failed++;
    }
    return n_failed;
}

/* Both orders of every stage that was asked. */
static int64_t calls_needed(const plan_ruling *r) {
    int64_t n = 0;
    for (int s = 0; s < PLAN_MAX_STAGES; s++)
        n += r->stage_asked[s] ? EH_ORDER_N : 0;
    return n;
}

eh_status tally_portia_add(report_portia *p, const tally_view *view,
                           const ledger_pair *pair, const tally_ruled *ruled,
                           eh_verdict label, eh_arena *arena, eh_error *err) {
    const plan_ruling *r = &ruled->ruling;
    if (!r->stage_asked[0]) return EH_STATUS_OK;
    bool plain = r->stage_verdict[0] != EH_VERDICT_NONE, final = r->stage >= 0;
    p->n_pairs++;
    p->agree_plain += plain;
    p->agree_final += final;
    p->n_needed += calls_needed(r);
    for (int s = 0; s < PLAN_MAX_STAGES; s++)
        add_stage(p, r, s);
    add_ablations(p, r, label);
    add_lengths(p, pair, r);
    if (label != EH_VERDICT_NONE) {
        p->n_labelled++;
        p->n_plain_right += r->stage_verdict[0] == label;
        p->n_final_right += r->verdict == label;
    }
    int64_t n_failed = add_failed(p, &view->plan, ruled);
    if (eh_str_is_blank(pair->category)) return EH_STATUS_OK;
    report_portia_category *row = category_row(p, pair->category, arena);
    if (!row) return EH_NOMEM(err);
    row->n_pairs++;
    row->agree_plain += plain;
    row->agree_final += final;
    row->n_failed += n_failed;
    return EH_STATUS_OK;
}

static int by_name(const void *a, const void *b) {
    return eh_str_cmp(((const report_portia_category *)a)->name,
                      ((const report_portia_category *)b)->name);
}

eh_status tally_portia_finish(report_portia *p, const tally_view *view, ledger *l,
                              eh_error *err) {
    for (int s = 0; s < PLAN_MAX_STAGES; s++) {
        ledger_usage usage;
        if (!plan_has_stage(&view->plan, s)) continue;
        EH_TRY(ledger_stage_usage_sum(l, view->run.judge_row, &view->plan, s, &usage,
                                      err));
        p->stage[s].n_calls = usage.n_calls;
        p->stage[s].prompt_tokens = usage.prompt_tokens;
        p->stage[s].completion_tokens = usage.completion_tokens;
    }
    p->embedder.id = view->plan.embedder;
    p->embedder.cost_nusd = -1;
    if (p->embedder.id.len) {
        ledger_embedding_sum sum;
        EH_TRY(ledger_embeddings_sum(l, p->embedder.id, &sum, err));
        p->embedder.n_texts = sum.n_texts;
        p->embedder.n_refused = sum.n_refused;
        p->embedder.prompt_tokens = sum.prompt_tokens;
    }
    qsort(p->category, p->n_categories, sizeof *p->category, by_name);
    return tally_trend(p->total_differ, p->total_pairs, REPORT_TOTAL_BINS,
                       EXACT_TREND_MAX, &p->trend, err);
}
