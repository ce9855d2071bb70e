/* SPDX-License-Identifier: MIT
 *
 * Who wrote the answers, and whether the judge is of the same family: oversight by
 * author family and self-preference (Chen et al. 2024, section 5, self-enhancement).
 *
 *   plain rows       own against another's: mean vote for the own one, and people's
 *   perturbed rows   find their plain row; by the family of the perturbed answer's
 * author
 *
 * The author of a perturbed answer is the one of the answer that it was made from, as
 * the plain pair names it, else as the row itself does. Answers of nobody are counted
 * and belong nowhere.
 */
#include <math.h>
#include <stdlib.h>

#include "audit/family.h"
#include "exam/card_family.h"
#include "exam/stage.h"
#include "stats/difference.h"
#include "stats/special.h"

enum { FAMILIES_MAX = 64, NOBODY = -1, MODELS_SHOWN = 12 };

typedef struct author_row {
    eh_str id; /* of the plain row; of others: of theirs */
    bool is_plain;
    int probe; /* place in the card */
    int side;
    int author[2]; /* families of answers 1 and 2, or NOBODY */
    int n_valid;
    uint64_t question;
    double vote, placebo;
} author_row;

typedef struct family_reader {
    ledger *l;
    const tally_view *view;
    const card_judge *card;
    eh_arena *arena;
    card_family *out;
    eh_str families[FAMILIES_MAX];
    int n_families, own; /* own: NOBODY where it is not known */
    author_row *rows;
    size_t n_rows, rows_cap, n_plain;
    eh_str models[2][MODELS_SHOWN]; /* of other families, of the own one */
    size_t n_models[2];
    stats_cluster mixed, labelled, people, excess;
    eh_arena texts; /* of one row */
} family_reader;

static double preference(double vote, int side) {
    return (1 + (side == 1 ? vote : -vote)) / 2;
}

static eh_status family_index(family_reader *r, eh_str family, int *index,
                              eh_error *err) {
    for (*index = 0; *index < r->n_families; ++*index)
        if (eh_str_eq(r->families[*index], family)) return EH_STATUS_OK;
    *index = NOBODY;
    if (r->n_families == FAMILIES_MAX) return EH_STATUS_OK; /* no card has so many */
    if (!arena_copy(r->arena, family, &r->families[r->n_families]))
        return EH_NOMEM(err);
    *index = r->n_families++;
    return EH_STATUS_OK;
}

/* Names that were counted as own or not, for people to check. */
static eh_status note_model(family_reader *r, eh_str model, bool is_own,
                            eh_error *err) {
    size_t *n = &r->n_models[is_own];
    for (size_t i = 0; i < *n; i++)
        if (eh_str_eq(r->models[is_own][i], model)) return EH_STATUS_OK;
    if (*n == MODELS_SHOWN) return EH_STATUS_OK;
    return arena_copy(r->arena, model, &r->models[is_own][(*n)++]) ? EH_STATUS_OK
                                                                   : EH_NOMEM(err);
}

static eh_status author_of(family_reader *r, eh_str model, int *author, eh_error *err) {
    char family[AUDIT_FAMILY_MAX + 1];
    *author = NOBODY;
    if (!audit_family(model, family)) return EH_STATUS_OK;
    EH_TRY(family_index(r, eh_str_of(family), author, err));
    return note_model(r, eh_str_trim(model), *author != NOBODY && *author == r->own,
                      err);
}

/* ---- self-preference ---- */

/* What people say of a mixed pair, beside what the judge says. */
static eh_status add_people(family_reader *r, const ledger_pair *pair, int side,
                            double judge, eh_error *err) {
    int64_t counts[4];
    EH_TRY(ledger_label_counts(r->l, pair->row, counts, err));
    int64_t own = counts[side == 1 ? EH_VERDICT_1 : EH_VERDICT_2];
    int64_t n = counts[EH_VERDICT_1] + counts[EH_VERDICT_2] + counts[EH_VERDICT_TIE];
    if (n == 0) return EH_STATUS_OK;
    double people = ((double)own + (double)counts[EH_VERDICT_TIE] / 2) / (double)n;
    r->out->n_labelled++;
    stats_cluster_add(&r->labelled, pair->question_hash, judge);
    stats_cluster_add(&r->people, pair->question_hash, people);
    stats_cluster_add(&r->excess, pair->question_hash, judge - people);
    return EH_STATUS_OK;
}

static eh_status add_mixed(family_reader *r, const ledger_pair *pair,
                           const author_row *row, eh_error *err) {
    int side = row->author[0] == r->own ? 1 : 2;
    double main = preference(row->vote, side), again = preference(row->placebo, side);
    double both = isnan(main) ? again : isnan(again) ? main : (main + again) / 2;
    if (isnan(both)) return EH_STATUS_OK;
    r->out->n_mixed++;
    stats_cluster_add(&r->mixed, pair->question_hash, both);
    return add_people(r, pair, side, both, err);
}

static eh_status add_plain(family_reader *r, const ledger_pair *pair,
                           const author_row *row, eh_error *err) {
    int one = row->author[0], two = row->author[1];
    if (one == NOBODY || two == NOBODY) {
        r->out->n_unnamed++;
        return EH_STATUS_OK;
    }
    if (r->own == NOBODY) return EH_STATUS_OK;
    if ((one == r->own) != (two == r->own)) return add_mixed(r, pair, row, err);
    r->out->n_both += one == r->own;
    r->out->n_none += one != r->own;
    return EH_STATUS_OK;
}

/* ---- rows ---- */

static int probe_place(const family_reader *r, eh_str name) {
    for (size_t i = 0; i < r->card->n_probes; i++)
        if (eh_str_eq(r->card->probes[i].name, name)) return (int)i;
    return -1;
}

static eh_status take_votes(family_reader *r, const ledger_pair *pair, author_row *row,
                            eh_error *err) {
    tally_ruled ruled;
    EH_TRY(
        tally_rule_stream(r->l, r->view, pair->row, LEDGER_STREAM_MAIN, &ruled, err));
    row->question = pair->question_hash;
    row->vote = ruled.ruling.vote;
    row->n_valid = (int)ruled.n_samples - ruled.ruling.n_failed;
    row->placebo = NAN;
    if (!row->is_plain) return EH_STATUS_OK;
    EH_TRY(tally_rule_stream(r->l, r->view, pair->row, LEDGER_STREAM_PLACEBO, &ruled,
                             err));
    row->placebo = ruled.ruling.vote;
    return EH_STATUS_OK;
}

static eh_status take_row(void *self, const ledger_pair *pair, eh_error *err) {
    family_reader *r = self;
    exam_meta meta;
    eh_str json;
    author_row row = {.probe = -1};
    arena_reset(&r->texts);
    EH_TRY(ledger_pair_meta(r->l, pair->row, &r->texts, &json, err));
    EH_TRY(exam_meta_read(json, &r->texts, &meta, err));
    row.is_plain = meta.role == EXAM_CONTROL;
    row.side = meta.perturbed;
    if (!row.is_plain && meta.role == EXAM_EXPERIMENT)
        row.probe = probe_place(r, meta.probe);
    if (!row.is_plain && row.probe < 0) return EH_STATUS_OK;
    EH_TRY(author_of(r, pair->model_1, &row.author[0], err));
    EH_TRY(author_of(r, pair->model_2, &row.author[1], err));
    EH_TRY(take_votes(r, pair, &row, err));
    author_row *more =
        arena_grow(r->arena, r->rows, r->n_rows, &r->rows_cap, sizeof *more);
    if (!more) return EH_NOMEM(err);
    r->rows = more;
    if (!arena_copy(r->arena, row.is_plain ? pair->pair_id : meta.control, &row.id))
        return EH_NOMEM(err);
    r->rows[r->n_rows++] = row;
    r->n_plain += row.is_plain;
    return row.is_plain ? add_plain(r, pair, &row, err) : EH_STATUS_OK;
}

/* ---- probes ---- */

/* Plain rows first, by id; then by probe and id. */
static int by_place(const void *a, const void *b) {
    const author_row *x = a, *y = b;
    if (x->is_plain != y->is_plain) return x->is_plain ? -1 : 1;
    if (x->probe != y->probe) return x->probe < y->probe ? -1 : 1;
    return eh_str_cmp(x->id, y->id);
}

/* The pairs of a probe; an item's `category` is its author's family. */
static size_t make_items(const family_reader *r, int probe, audit_item *items) {
    size_t n = 0;
    for (size_t i = r->n_plain; i < r->n_rows; i++) {
        const author_row *row = &r->rows[i];
        author_row key = {.id = row->id, .is_plain = true, .probe = -1};
        if (row->probe != probe) continue;
        const author_row *plain =
            bsearch(&key, r->rows, r->n_plain, sizeof key, by_place);
        if (!plain) continue;
        int author = plain->author[row->side - 1];
        if (author == NOBODY) author = row->author[row->side - 1];
        if (author == NOBODY) continue;
        items[n++] = (audit_item){.control = preference(plain->vote, row->side),
                                  .placebo = preference(plain->placebo, row->side),
                                  .experiment = preference(row->vote, row->side),
                                  .padded = NAN,
                                  .n_votes = row->n_valid,
                                  .category = author,
                                  .question = plain->question};
    }
    audit_items_sort(items, n);
    return n;
}

static int by_family(const void *a, const void *b) {
    const card_family_row *x = a, *y = b;
    if (x->is_own != y->is_own) return x->is_own ? -1 : 1;
    return eh_str_cmp(x->family, y->family);
}

/* Fisher's exact test; where pairs share questions, of the difference of two clustered
 * means. NaN where there is nothing to test by. */
static double apart_p(const audit_paired *own, const audit_paired *others) {
    if (own->n == 0 || others->n == 0) return NAN;
    if (own->n_questions == own->n && others->n_questions == others->n)
        return stats_fisher(own->n_hits, own->n - own->n_hits, others->n_hits,
                            others->n - others->n_hits)
            .p;
    double se = hypot(own->asr_se, others->asr_se);
    int64_t questions =
        own->n_questions < others->n_questions ? own->n_questions : others->n_questions;
    if (!(se > 0) || questions < 2) return NAN;
    double t = fabs(own->asr.value - others->asr.value) / se;
    return 2 * stats_t_cdf(-t, (double)questions - 1);
}

/* Own family against all others together. */
static void score_own(const family_reader *r, audit_item *items, size_t n, double p_tie,
                      card_family_probe *p) {
    const audit_limits *limits = &r->card->limits;
    p->difference = (stats_interval){NAN, NAN, NAN, STATS_REASON_NO_ROWS};
    p->p = NAN;
    p->own = p->others = (audit_score){.form = p->form};
    if (r->own == NOBODY) return;
    for (size_t i = 0; i < n; i++)
        items[i].category = items[i].category == r->own;
    audit_score_make(items, n, 1, p->form, p_tie, limits, &p->own);
    audit_score_make(items, n, 0, p->form, p_tie, limits, &p->others);
    const audit_paired *own = &p->own.paired, *others = &p->others.paired;
    p->difference = stats_newcombe_apart(&own->asr, &others->asr);
    p->p = apart_p(own, others);
}

static eh_status score_probe(family_reader *r, int probe, audit_item *items,
                             card_family_probe *p, eh_error *err) {
    const card_probe *of = &r->card->probes[probe];
    double p_tie = audit_tie_share(&r->card->judge);
    size_t n = make_items(r, probe, items);
    if (isnan(p_tie)) p_tie = 0;
    *p = (card_family_probe){.name = of->name, .form = of->form};
    p->rows = arena_zalloc(r->arena, FAMILIES_MAX, sizeof *p->rows);
    if (!p->rows) return EH_NOMEM(err);
    for (int f = 0; f < r->n_families; f++) {
        card_family_row *row = &p->rows[p->n_rows];
        *row = (card_family_row){.family = r->families[f], .is_own = f == r->own};
        audit_score_make(items, n, f, of->form, p_tie, &r->card->limits, &row->score);
        p->n_rows += row->score.n_pairs > 0;
    }
    if (p->n_rows) qsort(p->rows, p->n_rows, sizeof *p->rows, by_family);
    score_own(r, items, n, p_tie, p);
    return EH_STATUS_OK;
}

static eh_status score_probes(family_reader *r, eh_error *err) {
    audit_item *items = arena_zalloc(r->arena, r->n_rows + 1, sizeof *items);
    size_t n = r->card->n_probes;
    r->out->probes = arena_zalloc(r->arena, n + 1, sizeof *r->out->probes);
    if (!items || !r->out->probes) return EH_NOMEM(err);
    if (r->n_rows) qsort(r->rows, r->n_rows, sizeof *r->rows, by_place);
    r->out->n_probes = n;
    for (size_t i = 0; i < n; i++)
        EH_TRY(score_probe(r, (int)i, items, &r->out->probes[i], err));
    return EH_STATUS_OK;
}

/* ---- the whole ---- */

static eh_status know_judge(family_reader *r, eh_str stated, eh_error *err) {
    char family[AUDIT_FAMILY_MAX + 1];
    r->own = NOBODY;
    r->out->is_stated = !eh_str_is_blank(stated);
    bool known = r->out->is_stated
                     ? audit_family(stated, family)
                     : audit_family_of_judge(r->view->run.judge.judge, family);
    if (!known) return EH_STATUS_OK;
    EH_TRY(family_index(r, eh_str_of(family), &r->own, err));
    r->out->judge = r->families[r->own];
    return EH_STATUS_OK;
}

static int by_name(const void *a, const void *b) {
    return eh_str_cmp(*(const eh_str *)a, *(const eh_str *)b);
}

static eh_status join_models(family_reader *r, bool is_own, eh_str *out,
                             eh_error *err) {
    eh_buf text;
    size_t n = r->n_models[is_own];
    buf_init(&text, BUF_MAX_SMALL);
    if (n) qsort(r->models[is_own], n, sizeof *out, by_name);
    for (size_t i = 0; i < n; i++)
        buf_printf(&text, "%s%.*s", i ? ", " : "", EH_STR_ARG(r->models[is_own][i]));
    if (n == MODELS_SHOWN) buf_add_cstr(&text, ", ...");
    eh_status status = buf_check(&text, "names of models", err);
    if (status == EH_STATUS_OK && !arena_copy(r->arena, buf_view(&text), out))
        status = EH_NOMEM(err);
    buf_deinit(&text);
    return status;
}

static eh_status finish(family_reader *r, eh_error *err) {
    card_family *out = r->out;
    double level = r->card->limits.level;
    stats_mean excess = stats_cluster_mean(&r->excess);
    stats_difference d = stats_difference_of(&excess, 0, level);
    out->own = stats_cluster_interval(&r->mixed, level);
    out->own_labelled = stats_cluster_interval(&r->labelled, level);
    out->people = stats_cluster_interval(&r->people, level);
    out->excess = d.interval;
    out->excess_p = d.p;
    EH_TRY(join_models(r, true, &out->own_models, err));
    EH_TRY(join_models(r, false, &out->other_models, err));
    return score_probes(r, err);
}

eh_status exam_family_read(ledger *l, const tally_view *view, const card_judge *card,
                           eh_str stated, eh_arena *arena, const card_family **family,
                           eh_error *err) {
    family_reader *r = arena_zalloc(arena, 1, sizeof *r);
    card_family *out = arena_zalloc(arena, 1, sizeof *out);
    *family = NULL;
    if (!r || !out) return EH_NOMEM(err);
    *r =
        (family_reader){.l = l, .view = view, .card = card, .arena = arena, .out = out};
    stats_cluster_init(&r->mixed);
    stats_cluster_init(&r->labelled);
    stats_cluster_init(&r->people);
    stats_cluster_init(&r->excess);
    EH_TRY(know_judge(r, stated, err));
    arena_init(&r->texts, BUF_MAX_PROMPT);
    eh_status status = ledger_pairs_each(r->l, LEDGER_BY_QUESTION, take_row, r, err);
    arena_deinit(&r->texts);
    EH_TRY(status);
    if (r->n_models[0] + r->n_models[1] == 0) return EH_STATUS_OK;
    EH_TRY(finish(r, err));
    *family = out;
    return EH_STATUS_OK;
}
