/* SPDX-License-Identifier: MIT
 *
 * Sets of pairs, as the audit's rows say (exam/queue.h):
 *
 *   by_row   [ row -> set ]        to find a pair's set
 *   by_set   [ set, row ]          to find the others of it
 *
 * Left out: pairs of one question, which the ledger finds by itself.
 */
#include "serve/twins.h"

#include <stdlib.h>

#include "base/mem.h"
#include "exam/exam.h"
#include "exam/queue.h"

typedef struct member {
    uint64_t set;
    int64_t row;
} member;

struct twins {
    ledger *l;
    member *by_row, *by_set; /* [n] */
    size_t n, cap;
};

static int by_row(const void *left, const void *right) {
    const member *a = left, *b = right;
    return (a->row > b->row) - (a->row < b->row);
}

static int by_set(const void *left, const void *right) {
    const member *a = left, *b = right;
    if (a->set != b->set) return a->set < b->set ? -1 : 1;
    return by_row(left, right);
}

void twins_free(twins *t) {
    if (!t) return;
    mem_free(t->by_row);
    mem_free(t->by_set);
    mem_free(t);
}

static eh_status take_item(void *self, const ledger_item *item, eh_error *err) {
    twins *t = self;
    run_queue_place place;
    if (!item->selected) return EH_STATUS_OK;
    EH_TRY(exam_queue_place(t->l, item->pair_row, item->pair_id, &place, err));
    if (t->n == t->cap) {
        size_t cap = t->cap ? 2 * t->cap : 256;
        member *rows = mem_realloc(t->by_row, cap, sizeof *rows);
        if (rows) t->by_row = rows;
        member *sets = rows ? mem_realloc(t->by_set, cap, sizeof *sets) : NULL;
        if (!sets) return EH_NOMEM(err);
        t->by_set = sets;
        t->cap = cap;
    }
    t->by_row[t->n] = t->by_set[t->n] = (member){place.set, item->pair_row};
    t->n++;
    return EH_STATUS_OK;
}

eh_status twins_find(ledger *l, twins **out, eh_error *err) {
    bool is_audit;
    *out = NULL;
    EH_TRY(exam_is_one(l, &is_audit, err));
    if (!is_audit) return EH_STATUS_OK;
    twins *t = mem_zalloc(1, sizeof *t);
    if (!t) return EH_NOMEM(err);
    t->l = l;
    eh_status status = ledger_items_each(l, take_item, t, err);
    if (status != EH_STATUS_OK) {
        twins_free(t);
        return status;
    }
    if (t->n) qsort(t->by_row, t->n, sizeof *t->by_row, by_row);
    if (t->n) qsort(t->by_set, t->n, sizeof *t->by_set, by_set);
    *out = t;
    return EH_STATUS_OK;
}

eh_status twins_held(const twins *t, int64_t annotator_row, int64_t pair_row,
                     bool *held, eh_error *err) {
    member key = {.row = pair_row};
    *held = false;
    const member *own =
        t && t->n ? bsearch(&key, t->by_row, t->n, sizeof key, by_row) : NULL;
    if (!own) return EH_STATUS_OK;
    size_t at =
        (size_t)((const member *)bsearch(own, t->by_set, t->n, sizeof key, by_set) -
                 t->by_set);
    while (at > 0 && t->by_set[at - 1].set == own->set)
        at--;
    for (; at < t->n && t->by_set[at].set == own->set && !*held; at++) {
        ledger_assignment a;
        if (t->by_set[at].row == pair_row) continue;
        EH_TRY(ledger_assignment_of(t->l, annotator_row, t->by_set[at].row, &a, held,
                                    err));
    }
    return EH_STATUS_OK;
}
