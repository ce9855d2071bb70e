/* SPDX-License-Identifier: MIT
 *
 * Agreement of the people who label, from the labels that count.
 *
 *   labels, pair by pair -> counts of 1, 2, tie for each shared pair -> kappa or alpha
 *
 * Cohen's kappa needs to know who said what, so it is taken only while there are two
 * people in all. The jackknife leaves out every 20th pair in turn (delete-a-group),
 * with the t quantile of 19 degrees of freedom.
 */
#include "serve/people.h"

#include <math.h>

#include "base/mem.h"
#include "stats/agree.h"
#include "stats/special.h"

enum { CLASSES = 3, GROUPS = 20, PEOPLE_MAX = 1024 };

typedef struct gathered {
    int64_t (*counts)[CLASSES]; /* [n] */
    int64_t n, cap;
    int64_t open_row; /* the pair that labels are still coming for */
    int64_t open[CLASSES], n_open;
    int first_label, second_label; /* of persons 0 and 1 on the open pair; -1 */
    int64_t table[CLASSES * CLASSES];
    uint64_t people[PEOPLE_MAX]; /* hashes of names */
    int64_t n_people;
} gathered;

static eh_status close_pair(gathered *g, eh_error *err) {
    if (g->n_open >= 2) {
        if (g->n == g->cap) {
            int64_t cap = g->cap ? 2 * g->cap : 256;
            void *more = mem_realloc(g->counts, (size_t)cap, sizeof *g->counts);
            if (!more) return EH_NOMEM(err);
            g->counts = more;
            g->cap = cap;
        }
        for (int c = 0; c < CLASSES; c++)
            g->counts[g->n][c] = g->open[c];
        g->n++;
    }
    if (g->first_label >= 0 && g->second_label >= 0)
        g->table[g->first_label * CLASSES + g->second_label]++;
    g->n_open = 0;
    g->first_label = g->second_label = -1;
    for (int c = 0; c < CLASSES; c++)
        g->open[c] = 0;
    return EH_STATUS_OK;
}

/* The person's number, in the order of their first label. */
static int64_t person_of(gathered *g, eh_str name) {
    uint8_t digest[HASH_BYTES];
    eh_hash h;
    hash_init(&h, "eh-person-1");
    hash_str(&h, name);
    hash_done(&h, digest);
    uint64_t key = hash_u64(digest);
    for (int64_t i = 0; i < g->n_people; i++)
        if (g->people[i] == key) return i;
    if (g->n_people < PEOPLE_MAX) g->people[g->n_people] = key;
    return g->n_people < PEOPLE_MAX ? g->n_people++ : PEOPLE_MAX;
}

static eh_status take_label(void *self, eh_str pair_id, const ledger_label *label,
                            eh_error *err) {
    gathered *g = self;
    (void)pair_id;
    if (label->adjudicated || label->familiar == 0 || label->label == EH_VERDICT_NONE)
        return EH_STATUS_OK;
    if (label->pair_row != g->open_row) EH_TRY(close_pair(g, err));
    g->open_row = label->pair_row;
    int class = (int)label->label - 1;
    int64_t person = person_of(g, label->annotator);
    g->open[class]++;
    g->n_open++;
    if (person == 0) g->first_label = class;
    if (person == 1) g->second_label = class;
    return EH_STATUS_OK;
}

static bool all_alike(const gathered *g) {
    for (int64_t i = 0; i < g->n; i++) {
        int64_t n = 0, n_0 = 0;
        for (int c = 0; c < CLASSES; c++) {
            n += g->counts[i][c];
            n_0 += g->counts[0][c];
        }
        if (n != n_0) return false;
    }
    return true;
}

static stats_kappa measure(const int64_t *counts, int64_t n, bool fleiss) {
    return fleiss ? stats_fleiss_kappa(counts, n, CLASSES)
                  : stats_krippendorff_alpha(counts, n, CLASSES);
}

/* Variance over the values without each group. */
static eh_status jackknife(const gathered *g, bool fleiss, people_agreement *a,
                           eh_error *err) {
    int64_t *rest = mem_alloc((size_t)g->n * CLASSES, sizeof *rest);
    if (!rest) return EH_NOMEM(err);
    double values[GROUPS], mean = 0, sum = 0;
    bool defined = true;
    for (int out = 0; out < GROUPS; out++) {
        int64_t n = 0;
        for (int64_t i = 0; i < g->n; i++) {
            if (i % GROUPS == out) continue;
            for (int c = 0; c < CLASSES; c++)
                rest[n * CLASSES + c] = g->counts[i][c];
            n++;
        }
        stats_kappa k = measure(rest, n, fleiss);
        defined = defined && k.why == STATS_REASON_NONE;
        values[out] = k.kappa;
        mean += k.kappa / GROUPS;
    }
    mem_free(rest);
    if (!defined) return EH_STATUS_OK;
    for (int out = 0; out < GROUPS; out++)
        sum += (values[out] - mean) * (values[out] - mean);
    double se = sqrt(sum * (GROUPS - 1) / GROUPS);
    double half = stats_t_two_sided(.95, GROUPS - 1) * se;
    a->low = fmax(a->value - half, -1);
    a->high = fmin(a->value + half, 1);
    return EH_STATUS_OK;
}

static eh_status finish(const gathered *g, people_agreement *a, eh_error *err) {
    bool two = g->n_people == 2, fleiss = !two && all_alike(g);
    a->measure = two ? "cohen" : fleiss ? "fleiss" : "alpha";
    a->n_pairs = g->n;
    a->n_people = g->n_people;
    if (g->n < PEOPLE_MIN_SHARED) {
        a->why = "needs at least 2 annotators on 20 shared pairs";
        return EH_STATUS_OK;
    }
    stats_kappa k = two ? stats_cohen_kappa(g->table, CLASSES)
                        : measure(&g->counts[0][0], g->n, fleiss);
    a->value = k.kappa;
    a->why = k.why == STATS_REASON_NONE ? NULL : stats_reason_text(k.why);
    if (a->why) return EH_STATUS_OK;
    if (!two) return jackknife(g, fleiss, a, err);
    double half = stats_normal_two_sided(.95) * k.se;
    a->low = fmax(k.kappa - half, -1);
    a->high = fmin(k.kappa + half, 1);
    return EH_STATUS_OK;
}

eh_status people_agree(ledger *l, people_agreement *a, eh_error *err) {
    *a = (people_agreement){
        .value = (double)NAN, .low = (double)NAN, .high = (double)NAN};
    gathered *g = mem_zalloc(1, sizeof *g);
    if (!g) return EH_NOMEM(err);
    g->first_label = g->second_label = -1;
    eh_status status = ledger_labels_each(l, take_label, g, err);
    if (status == EH_STATUS_OK) status = close_pair(g, err);
    if (status == EH_STATUS_OK) status = finish(g, a, err);
    mem_free(g->counts);
    mem_free(g);
    return status;
}
