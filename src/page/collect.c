/* SPDX-License-Identifier: MIT
 *
 * From ledgers to pairs and cells.
 *
 *   ledger 1, ledger 2, ...  --> one list of pairs: the same id with the same texts
 *                                (revision) is the same pair in all of them
 *   each judge of each       --> a column of cells, one a pair; empty where the judge
 *                                never saw it
 *
 * One row a pair is held in memory (about 300 bytes, and 100 for each judge), without
 * its texts. Cells are filled in the order of a ledger's rows; sums over them are taken
 * question by question in sections.c.
 */
#include <math.h>
#include <stdlib.h>

#include "page/page.h"
#include "tally/estimate.h"
#include "base/utf8.h"
#include "run/leak.h"
#include "run/price.h"

#define ESTIMATE_HALF_WIDTH .05 /* as `show --estimate` plans for */

/* ---- pairs ---- */

/* A pair's place in the report, sorted by what identifies it. */
typedef struct pair_key {
    eh_str id;
    const uint8_t *revision;
    size_t index;
} pair_key;

static int compare_keys(const void *a, const void *b) {
    const pair_key *x = a, *y = b;
    int by_id = eh_str_cmp(x->id, y->id);
    return by_id ? by_id : memcmp(x->revision, y->revision, 16);
}

/* A row of one ledger and its pair. */
typedef struct row_ref {
    int64_t row;
    size_t index;
} row_ref;

static int compare_rows(const void *a, const void *b) {
    const row_ref *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

typedef struct collector {
    page_report *r;
    const page_options *options;
    eh_arena *arena;
    pair_key *keys; /* [n_keys] of the ledgers before, sorted */
    row_ref **rows; /* [n_sources][n_rows[source]] sorted by row */
    size_t *n_rows;
    size_t n_keys;
} collector;

static eh_status fill_pair(collector *c, size_t source, const ledger_pair *from,
                           page_pair *p, eh_error *err) {
    ledger *l = c->r->sources[source].l;
    ledger_glance glance;
    EH_TRY(ledger_pair_look(l, from->row, PAGE_HEAD_CP, c->arena, &glance, err));
    *p = (page_pair){.question = from->question_hash,
                     .cp_1 = from->answer_1_cp,
                     .cp_2 = from->answer_2_cp,
                     .has_texts = glance.has_texts,
                     .head = c->options->texts ? glance.head : (eh_str){NULL, 0},
                     .head_is_all = glance.head_is_all,
                     .source = source,
                     .row = from->row,
                     .place = PAGE_NO_PLACE};
    memcpy(p->revision, glance.revision, sizeof p->revision);
    if (!arena_copy(c->arena, from->pair_id, &p->id) ||
        !arena_copy(c->arena, from->category, &p->category) ||
        !arena_copy(c->arena, from->model_1, &p->model_1) ||
        !arena_copy(c->arena, from->model_2, &p->model_2))
        return EH_NOMEM(err);
    return EH_STATUS_OK;
}

/* Where labels of a pair came from several ledgers, the first that has any is taken. */
static eh_status take_labels(collector *c, size_t source, int64_t row, page_pair *p,
                             eh_error *err) {
    if (p->label != EH_VERDICT_NONE) return EH_STATUS_OK;
    EH_TRY(ledger_label_counts(c->r->sources[source].l, row, p->votes, err));
    p->label = tally_label_majority(p->votes, &p->flagged);
    c->r->n_labelled += p->label != EH_VERDICT_NONE;
    return EH_STATUS_OK;
}

static eh_status add_pair(collector *c, size_t source, const ledger_pair *from,
                          eh_error *err) {
    page_report *r = c->r;
    page_pair *p = &r->pairs[r->n_pairs];
    EH_TRY(fill_pair(c, source, from, p, err));
    pair_key wanted = {.id = p->id, .revision = p->revision};
    const pair_key *known =
        bsearch(&wanted, c->keys, c->n_keys, sizeof *c->keys, compare_keys);
    size_t index = known ? known->index : r->n_pairs++;
    c->rows[source][c->n_rows[source]++] = (row_ref){from->row, index};
    return take_labels(c, source, from->row, &r->pairs[index], err);
}

static eh_status add_pairs_of(collector *c, size_t source, eh_error *err) {
    ledger_cursor *cursor;
    EH_TRY(ledger_cursor_open(c->r->sources[source].l, LEDGER_BY_DATA, &cursor, err));
    eh_status status = EH_STATUS_OK;
    for (bool got = true; status == EH_STATUS_OK;) {
        ledger_pair pair;
        status = ledger_cursor_next(cursor, &pair, &got, err);
        if (status != EH_STATUS_OK || !got) break;
        status = add_pair(c, source, &pair, err);
    }
    ledger_cursor_close(cursor);
    qsort(c->rows[source], c->n_rows[source], sizeof(row_ref), compare_rows);
    for (; c->n_keys < c->r->n_pairs; c->n_keys++)
        c->keys[c->n_keys] = (pair_key){.id = c->r->pairs[c->n_keys].id,
                                        .revision = c->r->pairs[c->n_keys].revision,
                                        .index = c->n_keys};
    qsort(c->keys, c->n_keys, sizeof *c->keys, compare_keys);
    return status;
}

typedef struct question_ref {
    uint64_t question;
    size_t index;
} question_ref;

static int compare_questions(const void *a, const void *b) {
    const question_ref *x = a, *y = b;
    if (x->question != y->question) return x->question < y->question ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static eh_status sort_by_question(collector *c, eh_error *err) {
    page_report *r = c->r;
    question_ref *refs = arena_zalloc(c->arena, r->n_pairs + 1, sizeof *refs);
    r->by_question = arena_zalloc(c->arena, r->n_pairs + 1, sizeof *r->by_question);
    if (!refs || !r->by_question) return EH_NOMEM(err);
    for (size_t i = 0; i < r->n_pairs; i++)
        refs[i] = (question_ref){r->pairs[i].question, i};
    qsort(refs, r->n_pairs, sizeof *refs, compare_questions);
    for (size_t i = 0; i < r->n_pairs; i++)
        r->by_question[i] = refs[i].index;
    return EH_STATUS_OK;
}

static eh_status collect_pairs(collector *c, eh_error *err) {
    page_report *r = c->r;
    int64_t n_most = 0, n;
    c->rows = arena_zalloc(c->arena, r->n_sources, sizeof *c->rows);
    c->n_rows = arena_zalloc(c->arena, r->n_sources, sizeof *c->n_rows);
    if (!c->rows || !c->n_rows) return EH_NOMEM(err);
    for (size_t s = 0; s < r->n_sources; s++) {
        EH_TRY(ledger_count_pairs(r->sources[s].l, &n, err));
        c->rows[s] = arena_zalloc(c->arena, (size_t)n + 1, sizeof(row_ref));
        if (!c->rows[s]) return EH_NOMEM(err);
        n_most += n;
    }
    /* one more: a pair is filled before it is known to be new */
    r->pairs = arena_zalloc(c->arena, (size_t)n_most + 1, sizeof *r->pairs);
    c->keys = arena_zalloc(c->arena, (size_t)n_most + 1, sizeof *c->keys);
    if (!r->pairs || !c->keys) return EH_NOMEM(err);
    for (size_t s = 0; s < r->n_sources; s++)
        EH_TRY(add_pairs_of(c, s, err));
    return sort_by_question(c, err);
}

/* ---- what pairs say, and what is shown of them ---- */

static eh_status add_names(const page_report *r, run_leak *names, eh_arena *arena,
                           eh_error *err) {
    for (size_t i = 0; i < r->n_pairs; i++)
        if (!run_leak_add(names, r->pairs[i].model_1, arena) ||
            !run_leak_add(names, r->pairs[i].model_2, arena))
            return EH_NOMEM(err);
    return EH_STATUS_OK;
}

/* The beginning of what is left of the question, so that no match is cut in two. */
static eh_status redact_head(collector *c, page_pair *p, eh_str question,
                             eh_arena *scratch, eh_error *err) {
    page_redact *redact = c->options->redact;
    int64_t n = page_redact_count(redact);
    size_t end = 0;
    EH_TRY(page_redact_text(redact, &question, scratch, err));
    for (int cp = 0; cp < PAGE_HEAD_CP && end < question.len; cp++)
        (void)utf8_next(question, &end);
    p->head_is_all = end == question.len;
    p->n_head_redacted = page_redact_count(redact) - n;
    page_redact_recount(redact, n); /* it is counted in the question */
    return arena_copy(c->arena, eh_str_slice(question, 0, end), &p->head)
               ? EH_STATUS_OK
               : EH_NOMEM(err);
}

static eh_status look_at_pair(collector *c, page_pair *p, const run_leak *names,
                              eh_arena *scratch, eh_error *err) {
    page_redact *redact = c->options->redact;
    p->shown_id = p->id;
    p->leaks = -1;
    if (p->has_texts) {
        ledger_texts t;
        EH_TRY(ledger_pair_texts(c->r->sources[p->source].l, p->row, &t, scratch, err));
        p->leaks = run_leak_in_pair(names, &t);
        if (redact && c->options->texts)
            EH_TRY(redact_head(c, p, t.question, scratch, err));
    }
    EH_TRY(page_redact_text(redact, &p->shown_id, c->arena, err));
    EH_TRY(page_redact_text(redact, &p->category, c->arena, err));
    EH_TRY(page_redact_text(redact, &p->model_1, c->arena, err));
    return page_redact_text(redact, &p->model_2, c->arena, err);
}

/* In one pass over the texts: who is named in them, and what is redacted of their
 * heads. The names of models are taken from the data, before they are redacted. */
static eh_status look_at_pairs(collector *c, eh_error *err) {
    page_report *r = c->r;
    run_leak *names = arena_zalloc(c->arena, 1, sizeof *names);
    eh_arena scratch;
    if (!names) return EH_NOMEM(err);
    EH_TRY(add_names(r, names, c->arena, err));
    arena_init(&scratch, BUF_MAX_REPORT);
    eh_status status = EH_STATUS_OK;
    for (size_t i = 0; status == EH_STATUS_OK && i < r->n_pairs; i++) {
        arena_reset(&scratch);
        status = look_at_pair(c, &r->pairs[i], names, &scratch, err);
    }
    arena_deinit(&scratch);
    return status;
}

/* ---- cells ---- */

/* Is the sample one of those that the plan's plain pair is ruled by? */
static bool is_plain(const plan_spec *plan, const plan_sample *s) {
    return s->stage_code == 0 && plan->orders & PLAN_ORDER_BIT(s->order) &&
           s->sample < plan->k;
}

static double gap_of(const tally_view *view, const plan_ruling *r) {
    double sum = 0;
    int n = 0;
    for (int o = 0; o < EH_ORDER_N; o++)
        if (r->by_order[o].n_valid) {
            sum += fabs(r->by_order[o].score_1 - r->by_order[o].score_2);
            n++;
        }
    return n && view->scale != PLAN_SCALE_VOTES ? sum / n : (double)NAN;
}

static void fill_cell(const tally_view *view, const tally_ruled *ruled,
                      page_cell *cell) {
    const plan_ruling *r = &ruled->ruling;
    bool ruled_by_scores = r->has_scores && ruled->judge_verdict != EH_VERDICT_NONE;
    *cell = (page_cell){
        .in_scope = true,
        .verdict = r->verdict,
        .judge = ruled->judge_verdict,
        .by_people = ruled->by_people,
        .by_order = {r->by_order[0].verdict, r->by_order[1].verdict},
        .none = r->none,
        .tie_agreed = r->tie_agreed,
        .stage = r->stage,
        .n_valid = r->n_win + r->n_tie + r->n_lose,
        .n_asked = r->n_samples,
        .score_1 = ruled_by_scores ? r->score_1 : (double)NAN,
        .score_2 = ruled_by_scores ? r->score_2 : (double)NAN,
        .gap = gap_of(view, r),
        .margin = fabs(r->score_1 - r->score_2),
        .vote = r->vote,
        .bpde = r->bpde,
    };
    for (size_t i = 0; i < ruled->n_samples; i++) {
        const plan_sample *s = &ruled->samples[i];
        if (s->verdict == EH_VERDICT_NONE) {
            if (s->sample < view->plan.k &&
                plan_stage_of(&view->plan, s->stage_code) >= 0)
                cell->reasons |= 1u << s->reason;
            continue;
        }
        if (!is_plain(&view->plan, s)) continue;
        eh_verdict shown = eh_verdict_unswap(s->verdict, s->order);
        cell->n_first += shown == EH_VERDICT_1;
        cell->n_second += shown == EH_VERDICT_2;
    }
}

static eh_status collect_cells(collector *c, page_judge *j, eh_error *err) {
    ledger *l = c->r->sources[j->source].l;
    const price_row *price =
        c->options->prices ? price_find(c->options->prices, j->summary.judge_id) : NULL;
    j->cells = arena_zalloc(c->arena, c->r->n_pairs + 1, sizeof *j->cells);
    if (!j->cells) return EH_NOMEM(err);
    for (size_t i = 0; i < c->n_rows[j->source]; i++) {
        const row_ref *ref = &c->rows[j->source][i];
        page_cell *cell = &j->cells[ref->index];
        tally_ruled ruled;
        int64_t votes[4];
        EH_TRY(tally_rule_pair(l, j->view, ref->row, &ruled, err));
        if (!ruled.in_scope) continue;
        fill_cell(j->view, &ruled, cell);
        EH_TRY(ledger_label_counts(l, ref->row, votes, err));
        cell->label = tally_label_majority(votes, &cell->flagged);
        EH_TRY(price_pair(price, l, j->view->run.judge_row, ref->row, &j->view->plan,
                          &cell->cost_nusd, err));
    }
    return EH_STATUS_OK;
}

/* ---- judges ---- */

/* The names of all views over all ledgers; equal ones get their ledger's name. */
static eh_status name_judges(collector *c, const tally_view *views, eh_error *err) {
    page_report *r = c->r;
    eh_str *names;
    EH_TRY(tally_view_names(views, r->n_judges, c->arena, &names, err));
    for (size_t i = 0; i < r->n_judges; i++) {
        bool twice = false;
        for (size_t k = 0; k < r->n_judges; k++)
            twice = twice || (k != i && eh_str_eq(names[k], names[i]));
        r->judges[i].summary.name = names[i];
        if (!twice) continue;
        char *longer = arena_printf(c->arena, "%.*s (%.*s)", EH_STR_ARG(names[i]),
                                    EH_STR_ARG(r->sources[r->judges[i].source].name));
        if (!longer) return EH_NOMEM(err);
        r->judges[i].summary.name = eh_str_of(longer);
    }
    return EH_STATUS_OK;
}

/* What `evenhand show LEDGER --json` prints has this hash: the report's numbers can be
 * told to be those. */
static eh_status hash_summary(collector *c, size_t source,
                              const report_summary *summary, eh_error *err) {
    eh_buf json;
    uint8_t digest[HASH_BYTES];
    buf_init(&json, BUF_MAX_REPORT);
    report_summary_json(summary, &json);
    eh_status status = buf_check(&json, "the summary", err);
    (void)crypto_generichash(digest, sizeof digest, (const uint8_t *)json.ptr, json.len,
                             NULL, 0);
    hash_hex(digest, sizeof digest, c->r->hashes[source]);
    buf_deinit(&json);
    return status;
}

/* What a summary has of the data's own names. */
static eh_status redact_names(collector *c, report_summary *summary, eh_error *err) {
    page_redact *redact = c->options->redact;
    int64_t n = page_redact_count(redact);
    for (size_t i = 0; i < summary->n_judges; i++) {
        report_judge *j = &summary->judges[i];
        EH_TRY(page_redact_text(redact, &j->model_1, c->arena, err));
        EH_TRY(page_redact_text(redact, &j->model_2, c->arena, err));
        for (size_t k = 0; k < j->portia.n_categories; k++)
            EH_TRY(
                page_redact_text(redact, &j->portia.category[k].name, c->arena, err));
    }
    page_redact_recount(redact, n); /* they are counted with their pairs */
    return EH_STATUS_OK;
}

static eh_status collect_source(collector *c, size_t source, report_summary *summary,
                                tally_view **views, eh_error *err) {
    page_report *r = c->r;
    ledger *l = r->sources[source].l;
    size_t n;
    EH_TRY(ledger_dataset_look(l, c->arena, &r->datasets[source], err));
    EH_TRY(tally_summarize(l, c->options->method, c->arena, summary, err));
    if (c->options->prices) price_summary(c->options->prices, summary);
    EH_TRY(tally_views(l, c->options->method, c->arena, views, &n, err));
    EH_TRY(hash_summary(c, source, summary, err));
    return redact_names(c, summary, err);
}

static eh_status collect_judges(collector *c, eh_error *err) {
    page_report *r = c->r;
    report_summary *summaries = arena_zalloc(c->arena, r->n_sources, sizeof *summaries);
    tally_view **views = arena_zalloc(c->arena, r->n_sources, sizeof *views);
    if (!summaries || !views) return EH_NOMEM(err);
    for (size_t s = 0; s < r->n_sources; s++) {
        EH_TRY(collect_source(c, s, &summaries[s], &views[s], err));
        r->n_judges += summaries[s].n_judges;
    }
    tally_view *all = arena_zalloc(c->arena, r->n_judges + 1, sizeof *all);
    r->judges = arena_zalloc(c->arena, r->n_judges + 1, sizeof *r->judges);
    if (!all || !r->judges) return EH_NOMEM(err);
    size_t at = 0;
    for (size_t s = 0; s < r->n_sources; s++)
        for (size_t i = 0; i < summaries[s].n_judges; i++, at++) {
            all[at] = views[s][i];
            r->judges[at].summary = summaries[s].judges[i];
            r->judges[at].view = &all[at];
            r->judges[at].source = s;
        }
    return name_judges(c, all, err);
}

/* All numbers of one judge. */
static eh_status fill_judge(collector *c, page_judge *j, eh_error *err) {
    page_report *r = c->r;
    ledger *l = r->sources[j->source].l;
    EH_TRY(ledger_timing_sum(l, j->view->run.judge_row, &j->timing, err));
    j->template_text = j->view->run.judge.template_text;
    if (c->options->texts)
        EH_TRY(page_redact_text(c->options->redact, &j->template_text, c->arena, err));
    EH_TRY(collect_cells(c, j, err));
    EH_TRY(page_settings(l, j, err));
    EH_TRY(page_sections(r, j, c->arena, err));
    page_people_fill(r, j);
    const tally_estimate_options estimate = {.judge_name = j->summary.name,
                                             .half_width = ESTIMATE_HALF_WIDTH,
                                             .label_nusd = c->options->label_nusd,
                                             .judge_nusd = j->summary.cost_nusd};
    return tally_estimate(l, j->view, &estimate, c->arena, &j->estimates, err);
}

static eh_status collect_all(collector *c, eh_error *err) {
    page_report *r = c->r;
    EH_TRY(collect_pairs(c, err));
    EH_TRY(look_at_pairs(c, err));
    EH_TRY(collect_judges(c, err));
    for (size_t i = 0; i < r->n_judges; i++)
        EH_TRY(fill_judge(c, &r->judges[i], err));
    EH_TRY(page_twos_fill(r, c->arena, err));
    EH_TRY(page_order_texts(r, c->arena, err));
    return page_words(r, c->arena, err);
}

eh_status page_collect(const page_source *sources, size_t n_sources,
                       const page_options *options, eh_arena *arena,
                       page_report *report, eh_error *err) {
    *report = (page_report){.sources = sources, .n_sources = n_sources};
    report->datasets = arena_zalloc(arena, n_sources, sizeof *report->datasets);
    report->hashes = arena_zalloc(arena, n_sources, sizeof *report->hashes);
    if (!report->datasets || !report->hashes) return EH_NOMEM(err);
    collector c = {.r = report, .options = options, .arena = arena};
    return collect_all(&c, err);
}
