/* SPDX-License-Identifier: MIT
 *
 * The numbers of split and merge as JSON and for people.
 *
 * Consistency alone is no success, since always answering "tie" has all of it; so the
 * accuracy before and after stands beside it wherever there are labels. Costs are
 * relative to `vanilla`, which asks one call a pair; its tokens are taken from the
 * plain pair, half of which is what one order costs.
 *
 * Empty bins are left out. Left out too: money, which the judge's own summary has.
 */
#include "report/portia.h"

#include <math.h>

#include "report/write.h"

static const char *const stage_names[PLAN_MAX_STAGES] = {"plain", "length", "semantic"};

/* Of the JSON's ablations, in their order there. */
typedef struct ablation_row {
    const char *key, *text;
    const report_portia_ablation *a;
} ablation_row;

enum { N_ABLATIONS = 4 };

static void list_ablations(const report_portia *p, ablation_row rows[N_ABLATIONS]) {
    rows[0] = (ablation_row){"whole", "all stages", &p->whole};
    rows[1] = (ablation_row){"without_length", "without length", &p->without_length};
    rows[2] =
        (ablation_row){"without_semantic", "without semantic", &p->without_semantic};
    rows[3] = (ablation_row){"without_plain", "without plain", &p->without_plain};
}

/* Of pairs that went on because they were inconsistent nothing follows for the others:
 * ablations need every stage of every pair. */
static bool has_ablations(const report_portia *p) {
    return p->n_always > 0 && p->n_always == p->n_pairs;
}

/* Tokens of all stages against those of one order of the plain pair; NaN if unknown. */
static double relative_tokens(const report_portia *p, bool completion) {
    int64_t sum = 0, plain = 0;
    for (int s = 0; s < PLAN_MAX_STAGES; s++) {
        const report_portia_stage *st = &p->stage[s];
        int64_t n = completion ? st->completion_tokens : st->prompt_tokens;
        if (st->n_calls && n < 0) return NAN;
        if (st->n_calls) sum += n;
        if (s == 0) plain = n;
    }
    return plain > 0 ? EH_ORDER_N * (double)sum / (double)plain : NAN;
}

/* ---- JSON ---- */

static void put_failed(json_writer *w, const int64_t failed[VERDICT_REASON_N]) {
    json_key(w, "failed");
    json_object_begin(w);
    for (int r = VERDICT_REASON_NONE + 1; r < VERDICT_REASON_N; r++)
        if (failed[r])
            json_put_i64(w, verdict_reason_name((verdict_reason)r), failed[r]);
    json_object_end(w);
}

static void put_stages(json_writer *w, const report_portia *p, const plan_spec *plan) {
    json_key(w, "by_stage");
    json_object_begin(w);
    for (int s = 0; s < PLAN_MAX_STAGES; s++) {
        const report_portia_stage *st = &p->stage[s];
        if (!plan_has_stage(plan, s)) continue;
        json_key(w, stage_names[s]);
        json_object_begin(w);
        json_put_i64(w, "asked", st->asked);
        json_put_i64(w, "agree", st->agree);
        json_put_i64(w, "mended", st->mended);
        json_put_i64(w, "broken", st->broken);
        json_put_i64(w, "changed", st->changed);
        json_put_i64(w, "ruled", st->ruled);
        put_failed(w, st->failed);
        json_put_i64(w, "calls", st->n_calls);
        json_put_known(w, "prompt_tokens", st->prompt_tokens);
        json_put_known(w, "completion_tokens", st->completion_tokens);
        json_object_end(w);
    }
    json_object_end(w);
}

static void put_ablations(json_writer *w, const report_portia *p) {
    ablation_row rows[N_ABLATIONS];
    json_key(w, "ablations");
    if (!has_ablations(p)) {
        json_null(w);
        return;
    }
    list_ablations(p, rows);
    json_object_begin(w);
    json_put_i64(w, "pairs", p->n_always);
    json_put_i64(w, "n_labelled", p->n_always_labelled);
    for (int i = 0; i < N_ABLATIONS; i++) {
        json_key(w, rows[i].key);
        json_object_begin(w);
        json_put_i64(w, "agree", rows[i].a->agree);
        json_put_f64(w, "consistency", report_share(rows[i].a->agree, p->n_always));
        json_put_f64(w, "accuracy",
                     report_share(rows[i].a->n_right, p->n_always_labelled));
        json_object_end(w);
    }
    json_object_end(w);
}

static void put_lengths(json_writer *w, const report_portia *p) {
    const report_cp_bins total = {p->total_pairs,    p->total_differ,
                                  REPORT_TOTAL_BINS, REPORT_TOTAL_BIN_CP,
                                  "inconsistent",    "rate"};
    const report_cp_bins gap = {p->gap_pairs,      p->gap_fixed, REPORT_GAP_BINS,
                                REPORT_GAP_BIN_CP, "fixed",      "coverage"};
    json_key(w, "inconsistency_by_length");
    json_object_begin(w);
    report_put_cp_bins(w, &total);
    report_put_trend(w, &p->trend);
    json_object_end(w);
    json_key(w, "coverage_by_gap");
    json_object_begin(w);
    report_put_cp_bins(w, &gap);
    json_object_end(w);
}

static void put_embedder(json_writer *w, const report_portia *p) {
    if (p->embedder.id.len == 0) return;
    json_key(w, "embeddings");
    json_object_begin(w);
    json_put_str(w, "embedder", p->embedder.id);
    json_put_i64(w, "texts", p->embedder.n_texts);
    json_put_i64(w, "refused", p->embedder.n_refused);
    json_put_known(w, "prompt_tokens", p->embedder.prompt_tokens);
    json_put_f64(w, "cost_usd",
                 p->embedder.cost_nusd < 0 ? (double)NAN
                                           : (double)p->embedder.cost_nusd / 1e9);
    if (p->embedder.cost_nusd < 0)
        report_put_why(w, p->embedder.prompt_tokens < 0 ? "unknown_usage"
                                                        : "unknown_price");
    json_object_end(w);
}

static void put_category(json_writer *w, const report_portia_category *c) {
    int64_t n_split = c->n_pairs - c->agree_plain;
    json_object_begin(w);
    json_put_i64(w, "pairs", c->n_pairs);
    json_put_f64(w, "consistency_plain", report_share(c->agree_plain, c->n_pairs));
    json_put_f64(w, "consistency", report_share(c->agree_final, c->n_pairs));
    json_put_f64(w, "fixed_coverage",
                 report_share(c->agree_final - c->agree_plain, n_split));
    json_put_i64(w, "failed_replies", c->n_failed);
    json_object_end(w);
}

static void put_categories(json_writer *w, const report_portia *p) {
    json_key(w, "by_category");
    json_object_begin(w);
    for (size_t i = 0; i < p->n_categories; i++) {
        json_key_str(w, p->category[i].name);
        put_category(w, &p->category[i]);
    }
    json_object_end(w);
    if (p->other.n_pairs == 0) return;
    json_key(w, "other_categories");
    put_category(w, &p->other);
}

static void put_cost(json_writer *w, const report_portia *p) {
    double prompt = relative_tokens(p, false);
    json_key(w, "relative_to_vanilla");
    json_object_begin(w);
    json_put_f64(w, "calls", report_share(p->n_needed, p->n_pairs));
    json_put_f64(w, "prompt_tokens", prompt);
    json_put_f64(w, "completion_tokens", relative_tokens(p, true));
    if (isnan(prompt)) report_put_why(w, "unknown_usage");
    json_object_end(w);
}

void report_portia_json(const report_portia *p, const plan_spec *plan, json_writer *w) {
    int64_t n_split = p->n_pairs - p->agree_plain;
    char options[PLAN_OPTIONS_CHARS];
    plan_options_text(plan, options);
    json_object_begin(w);
    json_put_cstr(w, "options", options);
    json_put_i64(w, "pairs", p->n_pairs);
    json_put_f64(w, "consistency_plain", report_share(p->agree_plain, p->n_pairs));
    json_put_f64(w, "consistency", report_share(p->agree_final, p->n_pairs));
    json_put_f64(w, "relative_gain",
                 report_share(p->agree_final - p->agree_plain, p->agree_plain));
    json_put_f64(w, "fixed_coverage",
                 report_share(p->agree_final - p->agree_plain, n_split));
    json_put_i64(w, "n_labelled", p->n_labelled);
    json_put_f64(w, "accuracy_plain", report_share(p->n_plain_right, p->n_labelled));
    json_put_f64(w, "accuracy", report_share(p->n_final_right, p->n_labelled));
    put_stages(w, p, plan);
    put_ablations(w, p);
    put_lengths(w, p);
    put_categories(w, p);
    put_cost(w, p);
    put_embedder(w, p);
    json_object_end(w);
}

/* ---- text ---- */

static void add_outcome(const report_portia *p, eh_buf *out) {
    char before[REPORT_PERCENT_MAX], after[REPORT_PERCENT_MAX],
        fixed[REPORT_PERCENT_MAX], gain[REPORT_PERCENT_MAX];
    int64_t n_fixed = p->agree_final - p->agree_plain;
    int64_t n_split = p->n_pairs - p->agree_plain;
    report_label(out, "split and merge");
    buf_printf(out, "orders agree on %s of pairs, and on %s in the end\n",
               report_percent(report_share(p->agree_plain, p->n_pairs), before),
               report_percent(report_share(p->agree_final, p->n_pairs), after));
    report_label(out, "");
    buf_printf(out, "mended %lld of %lld (%s); relative gain %s\n", (long long)n_fixed,
               (long long)n_split,
               report_percent(report_share(n_fixed, n_split), fixed),
               report_percent(report_share(n_fixed, p->agree_plain), gain));
    if (p->n_labelled) {
        report_label(out, "");
        buf_printf(
            out, "accuracy %s before and %s after (no ruling is wrong)\n",
            report_percent(report_share(p->n_plain_right, p->n_labelled), before),
            report_percent(report_share(p->n_final_right, p->n_labelled), after));
    }
    double prompt = relative_tokens(p, false);
    report_label(out, "");
    buf_printf(out, "%.2f calls a pair where vanilla has 1",
               (double)p->n_needed / (double)p->n_pairs);
    if (!isnan(prompt)) buf_printf(out, "; %.2f times its prompt tokens", prompt);
    buf_add_char(out, '\n');
}

/* "openai:m: 512 texts, 9120 tokens; $0.0002". */
static void add_embedder(const report_portia *p, eh_buf *out) {
    if (p->embedder.id.len == 0) return;
    report_label(out, "embeddings");
    buf_printf(out, "%.*s\n", EH_STR_ARG(p->embedder.id));
    report_label(out, "");
    buf_printf(out, "%lld texts", (long long)p->embedder.n_texts);
    if (p->embedder.prompt_tokens >= 0)
        buf_printf(out, ", %lld tokens", (long long)p->embedder.prompt_tokens);
    if (p->embedder.cost_nusd >= 0)
        buf_printf(out, ", $%.4f", (double)p->embedder.cost_nusd / 1e9);
    if (p->embedder.n_refused)
        buf_printf(out, "; %lld refused: their pairs are cut by length",
                   (long long)p->embedder.n_refused);
    buf_add_char(out, '\n');
}

/* "length    failed: refusal 1, truncated 2"; nothing where nothing failed. */
static void add_reasons(const report_portia *p, int stage, eh_buf *out) {
    const int64_t *failed = p->stage[stage].failed;
    const char *sep = "";
    for (int r = VERDICT_REASON_NONE + 1; r < VERDICT_REASON_N; r++) {
        if (!failed[r]) continue;
        if (!sep[0]) {
            report_label(out, "");
            buf_printf(out, "%-8s failed replies: ", stage_names[stage]);
        }
        buf_printf(out, "%s%s %lld", sep, verdict_reason_name((verdict_reason)r),
                   (long long)failed[r]);
        sep = ", ";
    }
    if (sep[0]) buf_add_char(out, '\n');
}

/* A row of a table under its label. */
static void add_row_name(eh_buf *out, const char *name) {
    buf_printf(out, "    %s", name);
}

static void add_stages(const report_portia *p, const plan_spec *plan, eh_buf *out) {
    static const char *const heads[] = {"asked", "agree", "mended", "broken",
                                        "changed"};
    report_head(out, "  by stage", heads, 5);
    for (int s = 0; s < PLAN_MAX_STAGES; s++) {
        const report_portia_stage *st = &p->stage[s];
        if (!plan_has_stage(plan, s)) continue;
        add_row_name(out, stage_names[s]);
        report_cell_count(out, st->asked);
        report_cell_count(out, st->agree);
        if (s > 0) {
            report_cell_count(out, st->mended);
            report_cell_count(out, st->broken);
            report_cell_count(out, st->changed);
        }
        buf_add_char(out, '\n');
    }
    for (int s = 0; s < PLAN_MAX_STAGES; s++)
        add_reasons(p, s, out);
}

static void add_ablations(const report_portia *p, eh_buf *out) {
    static const char *const heads[] = {"consistent", "accuracy"};
    ablation_row rows[N_ABLATIONS];
    char text[REPORT_PERCENT_MAX];
    if (!has_ablations(p)) return;
    list_ablations(p, rows);
    report_head(out, "  ablations", heads, p->n_always_labelled ? 2 : 1);
    for (int i = 0; i < N_ABLATIONS; i++) {
        add_row_name(out, rows[i].text);
        buf_printf(out, LAYOUT_CELL "%s",
                   report_percent(report_share(rows[i].a->agree, p->n_always), text));
        if (p->n_always_labelled)
            buf_printf(
                out, LAYOUT_CELL "%s",
                report_percent(report_share(rows[i].a->n_right, p->n_always_labelled),
                               text));
        buf_add_char(out, '\n');
    }
}

/* "from 1000 characters    45.8 %  of 12 pairs" */
static void add_bins(const int64_t *pairs, const int64_t *hits, int n, int bin_cp,
                     eh_buf *out) {
    char text[REPORT_PERCENT_MAX];
    report_head(out, "", NULL, 0);
    for (int b = 0; b < n; b++) {
        if (pairs[b] == 0) continue;
        buf_printf(out, "    from %5d characters" LAYOUT_CELL "%s", b * bin_cp,
                   report_percent(report_share(hits[b], pairs[b]), text));
        buf_printf(out, LAYOUT_LEFT "of %lld pair%s\n", (long long)pairs[b],
                   pairs[b] == 1 ? "" : "s");
    }
}

static void add_lengths(const report_portia *p, eh_buf *out) {
    int64_t n_total = 0, n_gap = 0;
    for (int b = 0; b < REPORT_TOTAL_BINS; b++)
        n_total += p->total_pairs[b];
    for (int b = 0; b < REPORT_GAP_BINS; b++)
        n_gap += p->gap_pairs[b];
    if (n_total) {
        report_label(out, "inconsistent");
        buf_add_cstr(out, "by length of both answers; ");
        report_trend_text(&p->trend, out);
        buf_add_char(out, '\n');
        add_bins(p->total_pairs, p->total_differ, REPORT_TOTAL_BINS,
                 REPORT_TOTAL_BIN_CP, out);
    }
    if (n_gap == 0) return;
    report_label(out, "mended");
    buf_add_cstr(out, "of inconsistent pairs, by difference of their lengths\n");
    add_bins(p->gap_pairs, p->gap_fixed, REPORT_GAP_BINS, REPORT_GAP_BIN_CP, out);
}

static void add_category(const report_portia_category *c, eh_str name, eh_buf *out) {
    char before[REPORT_PERCENT_MAX], after[REPORT_PERCENT_MAX];
    add_row_name(out, "");
    report_name(out, name);
    report_cell_count(out, c->n_pairs);
    buf_printf(out, LAYOUT_CELL "%s" LAYOUT_CELL "%s",
               report_percent(report_share(c->agree_plain, c->n_pairs), before),
               report_percent(report_share(c->agree_final, c->n_pairs), after));
    report_cell_count(out, c->n_failed);
    buf_add_char(out, '\n');
}

static void add_categories(const report_portia *p, eh_buf *out) {
    static const char *const heads[] = {"pairs", "before", "after", "failed"};
    if (p->n_categories == 0) return;
    report_head(out, "  by category", heads, 4);
    for (size_t i = 0; i < p->n_categories; i++)
        add_category(&p->category[i], p->category[i].name, out);
    if (p->other.n_pairs) add_category(&p->other, EH_STR("all others"), out);
}

void report_portia_text(const report_portia *p, const plan_spec *plan, eh_buf *out) {
    if (p->n_pairs == 0) return;
    add_outcome(p, out);
    add_stages(p, plan, out);
    add_embedder(p, out);
    add_ablations(p, out);
    add_lengths(p, out);
    add_categories(p, out);
}

void report_portia_head(eh_buf *out) {
    static const char *const heads[] = {"before", "after", "mended", "calls", "acc"};
    report_head(out, "split and merge (%)", heads, 5);
}

void report_portia_row(const report_portia *p, eh_buf *out) {
    int64_t n_split = p->n_pairs - p->agree_plain;
    double calls = report_share(p->n_needed, p->n_pairs);
    report_cell_percent(out, report_share(p->agree_plain, p->n_pairs));
    report_cell_percent(out, report_share(p->agree_final, p->n_pairs));
    report_cell_percent(out, report_share(p->agree_final - p->agree_plain, n_split));
    if (isnan(calls))
        buf_add_cstr(out, LAYOUT_CELL "-");
    else
        buf_printf(out, LAYOUT_CELL "%.2f", calls);
    report_cell_percent(out, report_share(p->n_final_right, p->n_labelled));
    buf_add_char(out, '\n');
}
