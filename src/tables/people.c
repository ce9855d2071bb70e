/* SPDX-License-Identifier: MIT
 *
 * Agreement among annotators.
 *
 *   labels of a pair -> each against the plurality of the others   (leave one out)
 *                    -> each against each, 3 x 3
 *                    -> how many gave 1, 2, tie                    (Fleiss, alpha)
 *
 * Labels come pair by pair; of each pair only three counts stay. Two passes: names
 * first, so that annotators are numbered by name whatever the order of the data.
 */
#include "tables/people.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "report/write.h"

typedef struct counting {
    const tally_books *books;
    size_t book;
    tables_people *p;
    eh_arena *arena;
    size_t names_cap;
    /* the pair whose labels are coming in; row 0: none */
    int64_t row;
    bool skipped;       /* it was counted in an earlier ledger */
    eh_verdict *labels; /* [p->n] NONE where an annotator has none */
    int64_t *items;     /* [n_items][3] */
    size_t n_items, items_cap;
} counting;

/* ---- names ---- */

static int by_name(const void *a, const void *b) {
    return eh_str_cmp(((const tables_annotator *)a)->name,
                      ((const tables_annotator *)b)->name);
}

/* A first word of somebody who knows the subject: no adjudication, which saw the
 * others' labels. */
static bool is_independent(const ledger_label *label) {
    return !label->adjudicated && label->familiar != 0;
}

static eh_status take_name(void *self, eh_str pair_id, const ledger_label *label,
                           eh_error *err) {
    counting *c = self;
    tables_people *p = c->p;
    (void)pair_id;
    if (!is_independent(label)) return EH_STATUS_OK;
    for (size_t i = p->n; i > 0; i--) /* the last ones are the likeliest */
        if (eh_str_eq(p->annotators[i - 1].name, label->annotator)) return EH_STATUS_OK;
    if (p->n == c->names_cap) {
        size_t cap = c->names_cap ? 2 * c->names_cap : 16;
        tables_annotator *more = arena_zalloc(c->arena, cap, sizeof *more);
        if (!more) return EH_NOMEM(err);
        if (p->n) memcpy(more, p->annotators, p->n * sizeof *more);
        p->annotators = more;
        c->names_cap = cap;
    }
    if (!arena_copy(c->arena, label->annotator, &p->annotators[p->n].name))
        return EH_NOMEM(err);
    p->n++;
    return EH_STATUS_OK;
}

static size_t index_of(const tables_people *p, eh_str name) {
    size_t low = 0, high = p->n;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (eh_str_cmp(p->annotators[middle].name, name) <= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- one pair ---- */

/* The place of (a, b), a < b, in the triangle. */
static size_t pair_place(const tables_people *p, size_t a, size_t b) {
    return a * p->n - a * (a + 1) / 2 + b - a - 1;
}

static void add_pairwise(counting *c, size_t a) {
    for (size_t b = a + 1; b < c->p->n; b++) {
        if (c->labels[b] == EH_VERDICT_NONE) continue;
        int64_t *table = c->p->pairwise[pair_place(c->p, a, b)];
        table[(c->labels[a] - 1) * 3 + (c->labels[b] - 1)]++;
    }
}

static eh_status keep_item(counting *c, const int64_t counts[4], eh_error *err) {
    if (c->n_items == c->items_cap) {
        size_t cap = c->items_cap ? 2 * c->items_cap : 256;
        int64_t *more = mem_realloc(c->items, cap * 3, sizeof *more);
        if (!more) return EH_NOMEM(err);
        c->items = more;
        c->items_cap = cap;
    }
    for (int v = 0; v < 3; v++)
        c->items[3 * c->n_items + (size_t)v] = counts[v + 1];
    c->n_items++;
    return EH_STATUS_OK;
}

/* All labels of the open pair are in. */
static eh_status close_pair(counting *c, eh_error *err) {
    tables_people *p = c->p;
    int64_t counts[4] = {0}, n = 0;
    bool flagged;
    if (c->row == 0 || c->skipped) return EH_STATUS_OK;
    for (size_t a = 0; a < p->n; a++) {
        counts[c->labels[a]] += c->labels[a] != EH_VERDICT_NONE;
        n += c->labels[a] != EH_VERDICT_NONE;
    }
    p->n_pairs++;
    p->n_labels += n;
    eh_verdict majority = tally_label_majority(counts, &flagged);
    p->majority[majority]++;
    p->n_flagged += flagged;
    p->n_unanimous += n > 1 && counts[majority] == n;
    for (size_t a = 0; a < p->n; a++) {
        eh_verdict own = c->labels[a];
        if (own == EH_VERDICT_NONE) continue;
        p->annotators[a].counts[own]++;
        counts[own]--;
        eh_verdict others = tally_label_majority(counts, &flagged);
        counts[own]++;
        if (others != EH_VERDICT_NONE)
            report_agreement_add(&p->annotators[a].vs_others, own, others);
        if (p->pairwise) add_pairwise(c, a);
    }
    return keep_item(c, counts, err);
}

/* A pair that an earlier ledger has with labels. */
static eh_status was_counted(counting *c, eh_str pair_id, bool *counted,
                             eh_error *err) {
    *counted = false;
    for (size_t b = 0; b < c->book && !*counted; b++) {
        tally_label label;
        int64_t row;
        EH_TRY(ledger_find_pair(c->books->ledgers[b], pair_id, &row, err));
        if (!row) continue;
        EH_TRY(tally_label_of(c->books->ledgers[b], row, &label, err));
        *counted = label.n_labels > 0;
    }
    return EH_STATUS_OK;
}

static eh_status take_label(void *self, eh_str pair_id, const ledger_label *label,
                            eh_error *err) {
    counting *c = self;
    if (!is_independent(label)) return EH_STATUS_OK;
    if (label->pair_row != c->row) {
        EH_TRY(close_pair(c, err));
        c->row = label->pair_row;
        for (size_t a = 0; a < c->p->n; a++)
            c->labels[a] = EH_VERDICT_NONE;
        EH_TRY(was_counted(c, pair_id, &c->skipped, err));
    }
    c->labels[index_of(c->p, label->annotator)] = label->label;
    return EH_STATUS_OK;
}

/* ---- all ---- */

static eh_status count_all(counting *c, eh_error *err) {
    tables_people *p = c->p;
    for (c->book = 0; c->book < c->books->n_ledgers; c->book++) {
        EH_TRY(ledger_labels_each(c->books->ledgers[c->book], take_label, c, err));
        EH_TRY(close_pair(c, err));
        c->row = 0;
    }
    for (size_t a = 0; a < p->n; a++)
        report_agreement_end(&p->annotators[a].vs_others);
    p->fleiss = stats_fleiss_kappa(c->items, (int64_t)c->n_items, 3);
    p->krippendorff = stats_krippendorff_alpha(c->items, (int64_t)c->n_items, 3);
    return EH_STATUS_OK;
}

eh_status tables_people_make(const tally_books *books, eh_arena *arena,
                             tables_people *people, eh_error *err) {
    counting c = {.books = books, .p = people, .arena = arena};
    *people = (tables_people){0};
    for (size_t b = 0; b < books->n_ledgers; b++)
        EH_TRY(ledger_labels_each(books->ledgers[b], take_name, &c, err));
    if (people->n == 0) return EH_STATUS_OK;
    qsort(people->annotators, people->n, sizeof *people->annotators, by_name);
    c.labels = arena_zalloc(arena, people->n, sizeof *c.labels);
    if (!c.labels) return EH_NOMEM(err);
    if (people->n <= TABLES_PAIRWISE_MAX) {
        size_t n = people->n * (people->n - 1) / 2;
        people->pairwise = arena_zalloc(arena, n + 1, sizeof *people->pairwise);
        if (!people->pairwise) return EH_NOMEM(err);
    }
    eh_status status = count_all(&c, err);
    mem_free(c.items);
    return status;
}

void tables_people_average(const tables_people *p, double *accuracy, double *kappa) {
    double sum_accuracy = 0, sum_kappa = 0;
    int n_accuracy = 0, n_kappa = 0;
    for (size_t a = 0; a < p->n; a++) {
        const report_agreement *x = &p->annotators[a].vs_others;
        if (!isnan(x->accuracy)) {
            sum_accuracy += x->accuracy;
            n_accuracy++;
        }
        if (!isnan(x->kappa)) {
            sum_kappa += x->kappa;
            n_kappa++;
        }
    }
    *accuracy = n_accuracy ? sum_accuracy / n_accuracy : (double)NAN;
    *kappa = n_kappa ? sum_kappa / n_kappa : (double)NAN;
}

/* ---- text ---- */

static void add_kappa(eh_buf *out, const char *name, const stats_kappa *k) {
    if (k->why == STATS_REASON_NONE)
        buf_printf(out, "%s %.3f", name, k->kappa);
    else
        buf_printf(out, "%s undefined (%s)", name, stats_reason_text(k->why));
}

void tables_people_text(const tables_people *p, eh_buf *out) {
    double accuracy, kappa;
    char percent[REPORT_PERCENT_MAX];
    if (p->n < 2) return;
    tables_people_average(p, &accuracy, &kappa);
    report_label(out, "people");
    buf_printf(out,
               "%zu annotators, %lld labels; on average %s agree with the majority of "
               "the others\n",
               p->n, (long long)p->n_labels, report_percent(accuracy, percent));
    report_label(out, "");
    add_kappa(out, "Fleiss' kappa", &p->fleiss);
    add_kappa(out, "; Krippendorff's alpha", &p->krippendorff);
    buf_add_char(out, '\n');
}

/* ---- JSON ---- */

static void put_verdicts(json_writer *w, const int64_t counts[4]) {
    json_put_i64(w, "1", counts[EH_VERDICT_1]);
    json_put_i64(w, "2", counts[EH_VERDICT_2]);
    json_put_i64(w, "tie", counts[EH_VERDICT_TIE]);
}

static void put_kappa(json_writer *w, const char *key, const stats_kappa *k) {
    json_key(w, key);
    json_object_begin(w);
    json_put_i64(w, "n", k->n);
    json_put_f64(w, "value", k->kappa);
    json_put_f64(w, "agreement", k->agreement);
    json_put_f64(w, "chance", k->chance);
    if (k->why != STATS_REASON_NONE) report_put_why(w, stats_reason_name(k->why));
    json_object_end(w);
}

static void put_annotator(json_writer *w, const tables_annotator *a,
                          int64_t label_nusd) {
    int64_t n =
        a->counts[EH_VERDICT_1] + a->counts[EH_VERDICT_2] + a->counts[EH_VERDICT_TIE];
    json_key_str(w, a->name);
    json_object_begin(w);
    json_put_i64(w, "labels", n);
    put_verdicts(w, a->counts);
    json_key(w, "vs_others");
    json_object_begin(w);
    report_put_agreement(w, &a->vs_others);
    json_object_end(w);
    if (label_nusd >= 0)
        json_put_f64(w, "cost_usd", (double)n * (double)label_nusd / 1e9);
    json_object_end(w);
}

static void put_pairwise(json_writer *w, const tables_people *p) {
    json_key(w, "pairwise");
    if (!p->pairwise) {
        json_null(w);
        report_put_why(w, "too_many_annotators");
        return;
    }
    json_array_begin(w);
    for (size_t a = 0; a < p->n; a++)
        for (size_t b = a + 1; b < p->n; b++) {
            stats_kappa k = stats_cohen_kappa(p->pairwise[pair_place(p, a, b)], 3);
            json_object_begin(w);
            json_put_str(w, "a", p->annotators[a].name);
            json_put_str(w, "b", p->annotators[b].name);
            json_put_i64(w, "n", k.n);
            json_put_f64(w, "agreement", k.agreement);
            json_put_f64(w, "kappa", k.kappa);
            if (k.why != STATS_REASON_NONE) report_put_why(w, stats_reason_name(k.why));
            json_object_end(w);
        }
    json_array_end(w);
}

void tables_people_json(const tables_people *p, int64_t label_nusd, json_writer *w) {
    double accuracy, kappa;
    tables_people_average(p, &accuracy, &kappa);
    json_key(w, "annotators");
    json_object_begin(w);
    json_put_i64(w, "pairs", p->n_pairs);
    json_put_i64(w, "labels", p->n_labels);
    json_key(w, "majority");
    json_object_begin(w);
    put_verdicts(w, p->majority);
    json_object_end(w);
    json_put_i64(w, "n_flagged", p->n_flagged);
    json_put_i64(w, "unanimous", p->n_unanimous);
    json_key(w, "people");
    json_object_begin(w);
    for (size_t a = 0; a < p->n; a++)
        put_annotator(w, &p->annotators[a], label_nusd);
    json_object_end(w);
    json_key(w, "average");
    json_object_begin(w);
    json_put_f64(w, "accuracy", accuracy);
    json_put_f64(w, "kappa", kappa);
    if (isnan(accuracy) || isnan(kappa))
        report_put_why(w, isnan(accuracy) ? "no_rows" : "one_class");
    json_object_end(w);
    put_pairwise(w, p);
    put_kappa(w, "fleiss", &p->fleiss);
    put_kappa(w, "krippendorff", &p->krippendorff);
    json_object_end(w);
}
