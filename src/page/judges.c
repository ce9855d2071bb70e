/* SPDX-License-Identifier: MIT
 *
 * Raters against each other: every two judges on the pairs that both have ruled, people
 * among themselves; and which pairs' texts are kept first where not all fit.
 *
 * A pair on which one of two judges has no ruling is left out of their comparison; its
 * number stands beside it.
 */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "page/page.h"
#include "tally/counts.h"
#include "stats/agree.h"

#define LEVEL .95
#define MARGIN .03 /* within it two win rates are called equivalent */

static page_two compare_two(const page_report *r, size_t a, size_t b) {
    int64_t table[9] = {0};
    stats_cluster difference;
    stats_cluster_init(&difference);
    for (size_t i = 0; i < r->n_pairs; i++) {
        size_t at = r->by_question[i];
        eh_verdict x = r->judges[a].cells[at].verdict;
        eh_verdict y = r->judges[b].cells[at].verdict;
        if (x == EH_VERDICT_NONE || y == EH_VERDICT_NONE) continue;
        table[(x - 1) * 3 + (y - 1)]++;
        stats_cluster_add(&difference, r->pairs[at].question,
                          tally_outcome(x) - tally_outcome(y));
    }
    stats_kappa k = stats_cohen_kappa(table, 3);
    stats_mean mean = stats_cluster_mean(&difference);
    return (page_two){.a = a,
                      .b = b,
                      .n = k.n,
                      .kappa = k.kappa,
                      .agreement = k.agreement,
                      .why_kappa =
                          k.why == STATS_REASON_NONE ? NULL : stats_reason_name(k.why),
                      .win = stats_difference_of(&mean, MARGIN, LEVEL)};
}

/* Fleiss' kappa where each pair with two or more labels has as many, else
 * Krippendorff's alpha. */
static eh_status fill_annotators(page_report *r, eh_arena *arena, eh_error *err) {
    page_annotators *a = &r->annotators;
    int64_t *counts = arena_zalloc(arena, 3 * r->n_pairs + 1, sizeof *counts);
    int64_t first = 0;
    bool even = true;
    if (!counts) return EH_NOMEM(err);
    for (size_t i = 0; i < r->n_pairs; i++) {
        const int64_t *v = r->pairs[i].votes;
        int64_t n = v[1] + v[2] + v[3];
        a->n_labels += n;
        if (n < 2) continue;
        if (a->n_pairs == 0) first = n;
        even = even && n == first;
        memcpy(&counts[3 * a->n_pairs++], &v[1], 3 * sizeof *v);
    }
    stats_kappa k = even ? stats_fleiss_kappa(counts, a->n_pairs, 3)
                         : stats_krippendorff_alpha(counts, a->n_pairs, 3);
    a->coefficient = even ? "Fleiss" : "Krippendorff";
    a->agreement = k.agreement;
    a->kappa = k.kappa;
    a->why = k.why == STATS_REASON_NONE ? NULL : stats_reason_name(k.why);
    return EH_STATUS_OK;
}

eh_status page_twos_fill(page_report *r, eh_arena *arena, eh_error *err) {
    EH_TRY(fill_annotators(r, arena, err));
    r->twos = arena_zalloc(arena, r->n_judges * r->n_judges + 1, sizeof *r->twos);
    if (!r->twos) return EH_NOMEM(err);
    for (size_t b = 0; b < r->n_judges; b++)
        for (size_t a = 0; a < b; a++)
            r->twos[r->n_twos++] = compare_two(r, a, b);
    return EH_STATUS_OK;
}

/* ---- which texts come first ---- */

enum { N_DRAWN = 200 };

/* A smaller class comes first, then a smaller key, then data order. */
typedef struct text_ref {
    int class_;
    double key;
    size_t at;
} text_ref;

static int compare_texts(const void *a, const void *b) {
    const text_ref *x = a, *y = b;
    if (x->class_ != y->class_) return x->class_ < y->class_ ? -1 : 1;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Of several judges the one that makes a pair most worth reading counts. */
static text_ref text_ref_of(const page_report *r, size_t at) {
    text_ref ref = {.class_ = 4, .at = at};
    const page_pair *p = &r->pairs[at];
    double bpde = 0;
    for (size_t j = 0; j < r->n_judges; j++) {
        const page_cell *c = &r->judges[j].cells[at];
        if (!c->in_scope) continue;
        bool both =
            c->by_order[0] != EH_VERDICT_NONE && c->by_order[1] != EH_VERDICT_NONE;
        int class_ = c->verdict == EH_VERDICT_NONE              ? 0
                     : both && c->by_order[0] != c->by_order[1] ? 1
                     : p->label != EH_VERDICT_NONE              ? 2
                     : c->bpde > 0                              ? 3
                                                                : 4;
        if (class_ < ref.class_) ref.class_ = class_;
        if (c->bpde > bpde) bpde = c->bpde;
    }
    ref.key = ref.class_ == 4 ? 0 : -bpde;
    return ref;
}

eh_status page_order_texts(page_report *r, eh_arena *arena, eh_error *err) {
    text_ref *refs = arena_zalloc(arena, r->n_pairs + 1, sizeof *refs);
    r->order = arena_zalloc(arena, r->n_pairs + 1, sizeof *r->order);
    if (!refs || !r->order) return EH_NOMEM(err);
    size_t n_calm = 0;
    for (size_t i = 0; i < r->n_pairs; i++) {
        refs[i] = text_ref_of(r, i);
        if (refs[i].class_ < 4) continue;
        /* a number that its content gives: the smallest ones are the drawn ones */
        eh_rng rng = rng_make(1, "page.texts", hash_u64(r->pairs[i].revision));
        refs[i].key = rng_uniform(&rng);
        n_calm++;
    }
    qsort(refs, r->n_pairs, sizeof *refs, compare_texts);
    /* behind the drawn ones the rest stands in data order */
    for (size_t i = r->n_pairs - n_calm + N_DRAWN; i < r->n_pairs; i++)
        refs[i].key = 2;
    if (n_calm > N_DRAWN)
        qsort(refs + r->n_pairs - n_calm, n_calm, sizeof *refs, compare_texts);
    for (size_t i = 0; i < r->n_pairs; i++)
        r->order[i] = refs[i].at;
    return EH_STATUS_OK;
}
