/* SPDX-License-Identifier: MIT
 *
 * Who gets which pair.
 *
 *   selected pairs, by row     [ p0 p1 p2 ... ]  each: how often handed out, how many
 *                                                of those count
 *   a person's order           plan_permute(nonce, person, n, 0 .. n-1)
 *   next pair                  the first in that order that still needs a label and was
 *                              not in this person's hands before
 *
 * A pair that somebody holds counts as being labelled, so two people do not do the same
 * work; who was not seen for ten minutes loses the claim but not the right to answer.
 * Skipped pairs and those whose topic was not known go to others.
 *
 * When a person comes to the end of their order they start over only if pairs were
 * given back since (`generation`), so that an idle page costs nothing.
 *
 * Left out: texts, tokens, everything that the page shows (api.c).
 */
#include "serve/desk.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "plan/select.h"
#include "serve/twins.h"

enum { STALE_MS = 10 * 60 * 1000, SEEN_EVERY_MS = 20 * 1000, FAST_MS = 2000 };

typedef struct place {
    int64_t pair_row;
    uint64_t content, question_hash;
    int64_t n_assigned, n_counting;
} place;

typedef struct person {
    int64_t row;
    uint64_t cursor;
    int64_t generation; /* at which the cursor last started over */
    int64_t seen_ms;
} person;

struct desk {
    ledger *l;
    eh_clock clock;
    ledger_queue queue;
    eh_arena arena; /* the queue's strings */
    twins *twins;   /* NULL: none, or nobody is kept apart */
    place *places;  /* [n] by pair_row */
    int64_t n, cap, n_leaks;
    int64_t n_needed; /* places with fewer labels than they should have */
    int64_t owner_row;
    int64_t generation;
    int64_t expired_ms; /* when claims were last looked through */
    person *people;
    size_t n_people, people_cap;
};

/* ---- opening ---- */

static eh_status take_item(void *self, const ledger_item *item, eh_error *err) {
    desk *d = self;
    if (!item->selected) return EH_STATUS_OK;
    if (d->n == d->cap) {
        int64_t cap = d->cap ? 2 * d->cap : 256;
        place *more = mem_realloc(d->places, (size_t)cap, sizeof *more);
        if (!more) return EH_NOMEM(err);
        d->places = more;
        d->cap = cap;
    }
    d->places[d->n++] = (place){.pair_row = item->pair_row,
                                .content = plan_pair_content(item->pair_id),
                                .question_hash = item->question_hash,
                                .n_assigned = item->n_assigned,
                                .n_counting = item->n_counting};
    d->n_leaks += item->identity_leak;
    return EH_STATUS_OK;
}

static int by_row(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* Reads the places anew. */
static eh_status load(desk *d, eh_error *err) {
    d->n = d->n_leaks = d->n_needed = 0;
    EH_TRY(ledger_items_each(d->l, take_item, d, err));
    if (d->n) qsort(d->places, (size_t)d->n, sizeof *d->places, by_row);
    for (int64_t i = 0; i < d->n; i++)
        d->n_needed += d->places[i].n_counting < d->queue.labels_per_pair;
    return EH_STATUS_OK;
}

eh_status desk_open(ledger *l, eh_clock clock, desk **out, eh_error *err) {
    *out = NULL;
    bool found = false;
    desk *d = mem_zalloc(1, sizeof *d);
    if (!d) return EH_NOMEM(err);
    d->l = l;
    d->clock = clock;
    arena_init(&d->arena, 1 << 20);
    eh_status status = ledger_queue_get(l, &d->arena, &d->queue, &found, err);
    if (status == EH_STATUS_OK && !found)
        status = EH_FAIL(err, EH_STATUS_USAGE, "the ledger has no labelling queue");
    if (status == EH_STATUS_OK) status = load(d, err);
    if (status == EH_STATUS_OK && d->queue.apart)
        status = twins_find(l, &d->twins, err);
    if (status == EH_STATUS_OK)
        status = ledger_annotator_put(l, EH_STR(LEDGER_OWNER), NULL,
                                      clock_now_ms(&clock), &d->owner_row, err);
    if (status == EH_STATUS_OK) status = ledger_commit(l, err);
    if (status == EH_STATUS_OK)
        *out = d;
    else
        desk_close(d);
    return status;
}

void desk_close(desk *d) {
    if (!d) return;
    twins_free(d->twins);
    mem_free(d->places);
    mem_free(d->people);
    arena_deinit(&d->arena);
    mem_free(d);
}

const ledger_queue *desk_queue(const desk *d) {
    return &d->queue;
}

int64_t desk_n_pairs(const desk *d) {
    return d->n;
}

int64_t desk_n_complete(const desk *d) {
    return d->n - d->n_needed;
}

int64_t desk_n_missing(const desk *d) {
    int64_t n = 0;
    for (int64_t i = 0; i < d->n; i++) {
        int64_t lack = d->queue.labels_per_pair - d->places[i].n_counting;
        n += lack > 0 ? lack : 0;
    }
    return n;
}

int64_t desk_n_leaks(const desk *d) {
    return d->n_leaks;
}

int64_t desk_owner_row(const desk *d) {
    return d->owner_row;
}

/* Commits, or takes all back. */
static eh_status keep(desk *d, eh_status status, eh_error *err) {
    if (status == EH_STATUS_OK) status = ledger_commit(d->l, err);
    if (status != EH_STATUS_OK) ledger_rollback(d->l);
    return status;
}

eh_status desk_pause(desk *d, bool paused, eh_error *err) {
    ledger_queue queue = d->queue;
    queue.paused = paused;
    EH_TRY(keep(d, ledger_queue_put(d->l, &queue, err), err));
    d->queue.paused = paused;
    return EH_STATUS_OK;
}

/* ---- counting ---- */

static bool counts(ledger_assignment_state state) {
    return state == LEDGER_ASSIGNED || state == LEDGER_LABELLED;
}

static place *place_of(const desk *d, int64_t pair_row) {
    if (d->n == 0) return NULL;
    return bsearch(&pair_row, d->places, (size_t)d->n, sizeof *d->places, by_row);
}

static bool needs(const desk *d, const place *p) {
    return p->n_counting < d->queue.labels_per_pair;
}

/* An assignment came to be or changed its state; `by` is +1, -1 or 0. */
static void count(desk *d, int64_t pair_row, int by) {
    place *p = place_of(d, pair_row);
    if (!p || by == 0) return;
    bool needed = needs(d, p);
    p->n_counting += by;
    d->n_needed += (int)needs(d, p) - (int)needed;
    if (by < 0) d->generation++;
}

static eh_status person_of(desk *d, int64_t row, person **out, eh_error *err) {
    for (size_t i = 0; i < d->n_people; i++)
        if (d->people[i].row == row) {
            *out = &d->people[i];
            return EH_STATUS_OK;
        }
    if (d->n_people == d->people_cap) {
        size_t cap = d->people_cap ? 2 * d->people_cap : 16;
        person *more = mem_realloc(d->people, cap, sizeof *more);
        if (!more) {
            (void)EH_NOMEM(err);
            return EH_STATUS_NOMEM;
        }
        d->people = more;
        d->people_cap = cap;
    }
    *out = &d->people[d->n_people++];
    **out = (person){.row = row, .generation = -1};
    return EH_STATUS_OK;
}

eh_status desk_seen(desk *d, int64_t annotator_row, eh_error *err) {
    person *p;
    int64_t now = clock_now_ms(&d->clock);
    EH_TRY(person_of(d, annotator_row, &p, err));
    if (now - p->seen_ms < SEEN_EVERY_MS) return EH_STATUS_OK;
    p->seen_ms = now;
    return keep(d, ledger_annotator_seen(d->l, annotator_row, now, err), err);
}

/* ---- handing out ---- */

static void make_id(char id[LEDGER_ID_CHARS + 1]) {
    uint8_t bytes[LEDGER_ID_CHARS / 2];
    randombytes_buf(bytes, sizeof bytes);
    hash_hex(bytes, sizeof bytes, id);
}

static eh_status hand_out(desk *d, place *p, int64_t annotator_row,
                          ledger_assignment *a, eh_error *err) {
    *a = (ledger_assignment){
        .pair_row = p->pair_row,
        .annotator_row = annotator_row,
        .number = p->n_assigned,
        .side = plan_side((uint64_t)d->queue.seed, p->content, p->n_assigned),
        .state = LEDGER_ASSIGNED,
        .sent_ms = clock_now_ms(&d->clock)};
    make_id(a->id);
    return ledger_assignment_put(d->l, a, &a->row, err);
}

/* May this person have this pair, and is it the second time? What was in their hands is
 * not given to them again, unless their label was removed. */
static eh_status may_have(desk *d, const place *p, int64_t annotator_row,
                          ledger_assignment *held, bool *may, bool *again,
                          eh_error *err) {
    bool had;
    *again = false;
    *may = needs(d, p);
    if (!*may) return EH_STATUS_OK;
    EH_TRY(ledger_assignment_of(d->l, annotator_row, p->pair_row, held, &had, err));
    *again = had && held->state == LEDGER_WITHDRAWN;
    *may = !had || *again;
    if (had || !d->queue.apart) return EH_STATUS_OK;
    bool held_one;
    EH_TRY(ledger_assigned_question(d->l, annotator_row, p->question_hash, &held_one,
                                    err));
    if (!held_one)
        EH_TRY(twins_held(d->twins, annotator_row, p->pair_row, &held_one, err));
    *may = !held_one;
    return EH_STATUS_OK;
}

/* Gives the pair at a place to a person if they may have it. */
static eh_status try_place(desk *d, place *p, int64_t annotator_row,
                           ledger_assignment *a, bool *got, eh_error *err) {
    bool again;
    EH_TRY(may_have(d, p, annotator_row, a, got, &again, err));
    if (!*got) return EH_STATUS_OK;
    if (again) {
        EH_TRY(ledger_assignment_again(d->l, a, clock_now_ms(&d->clock), err));
    } else {
        EH_TRY(hand_out(d, p, annotator_row, a, err));
    }
    p->n_assigned++;
    count(d, a->pair_row, 1);
    return EH_STATUS_OK;
}

/* Claims of people who left become free. */
static eh_status expire(desk *d, eh_error *err) {
    int64_t now = clock_now_ms(&d->clock), n;
    if (now - d->expired_ms < SEEN_EVERY_MS) return EH_STATUS_OK;
    d->expired_ms = now;
    EH_TRY(keep(d, ledger_assignments_expire(d->l, now - STALE_MS, &n, err), err));
    if (n == 0) return EH_STATUS_OK;
    d->generation++;
    return load(d, err);
}

/* The next pair in the person's order; *got is false at its end. */
static eh_status claim(desk *d, person *who, ledger_assignment *a, bool *got,
                       eh_error *err) {
    uint64_t key = hash_u64(d->queue.nonce + 8) ^ (uint64_t)who->row;
    *got = false;
    while (d->n_needed > 0) {
        if (who->cursor >= (uint64_t)d->n) {
            if (who->generation == d->generation) return EH_STATUS_OK;
            who->generation = d->generation;
            who->cursor = 0;
        }
        uint64_t at =
            plan_permute(hash_u64(d->queue.nonce), key, (uint64_t)d->n, who->cursor++);
        EH_TRY(try_place(d, &d->places[at], who->row, a, got, err));
        if (*got) return EH_STATUS_OK;
    }
    return EH_STATUS_OK;
}

/* What was skipped once and is still needed. */
static eh_status add_skipped(desk *d, int64_t annotator_row, ledger_assignment *list,
                             size_t cap, size_t *n, eh_error *err) {
    size_t n_skipped, n_kept = *n;
    EH_TRY(ledger_assignments_open(d->l, annotator_row, true, list + *n, cap - *n,
                                   &n_skipped, err));
    for (size_t i = *n; i < *n + n_skipped; i++) {
        const place *p = place_of(d, list[i].pair_row);
        if (p && needs(d, p)) list[n_kept++] = list[i];
    }
    *n = n_kept;
    return EH_STATUS_OK;
}

static eh_status fill(desk *d, person *who, ledger_assignment *list, size_t cap,
                      size_t *n, eh_error *err) {
    for (bool got = true; got && *n < cap;) {
        EH_TRY(claim(d, who, &list[*n], &got, err));
        *n += got;
    }
    return EH_STATUS_OK;
}

eh_status desk_next(desk *d, int64_t annotator_row, ledger_assignment *list, size_t cap,
                    size_t *n, eh_error *err) {
    person *who;
    *n = 0;
    EH_TRY(person_of(d, annotator_row, &who, err));
    EH_TRY(ledger_assignments_open(d->l, annotator_row, false, list, cap, n, err));
    if (d->queue.paused) return EH_STATUS_OK;
    size_t n_open = *n;
    eh_status status = fill(d, who, list, cap, n, err);
    if (status == EH_STATUS_OK && *n == 0) {
        status = expire(d, err);
        if (status == EH_STATUS_OK) status = person_of(d, annotator_row, &who, err);
        if (status == EH_STATUS_OK) status = fill(d, who, list, cap, n, err);
    }
    status = keep(d, status, err);
    if (status != EH_STATUS_OK && *n > n_open) {
        /* what was counted was not kept */
        if (load(d, NULL) != EH_STATUS_OK) d->n = d->n_needed = 0;
    }
    EH_TRY(status);
    return *n ? EH_STATUS_OK : add_skipped(d, annotator_row, list, cap, n, err);
}

eh_status desk_owner_takes(desk *d, int64_t pair_row, ledger_assignment *a,
                           eh_error *err) {
    bool found;
    place *p = place_of(d, pair_row);
    if (!p) return EH_FAIL(err, EH_STATUS_USAGE, "the pair is not in the queue");
    EH_TRY(ledger_assignment_of(d->l, d->owner_row, pair_row, a, &found, err));
    if (found && a->state == LEDGER_WITHDRAWN)
        return keep(d, ledger_assignment_again(d->l, a, clock_now_ms(&d->clock), err),
                    err);
    if (found) return EH_STATUS_OK;
    return keep(d, hand_out(d, p, d->owner_row, a, err), err);
}

/* ---- taking back ---- */

/* Where a decision brings an assignment. */
static ledger_assignment_state state_after(const ledger_assignment *a,
                                           const ledger_decision *decision) {
    if (decision->choice != LEDGER_CHOICE_SKIP)
        return decision->unfamiliar ? LEDGER_UNFAMILIAR : LEDGER_LABELLED;
    return a->state == LEDGER_SKIPPED_ONCE || a->state == LEDGER_SKIPPED
               ? LEDGER_SKIPPED
               : LEDGER_SKIPPED_ONCE;
}

static eh_status store(desk *d, const ledger_assignment *a, ledger_decision *decision,
                       int64_t replaces, eh_error *err) {
    ledger_assignment_state to = state_after(a, decision);
    decision->assignment_row = a->row;
    decision->verdict = ledger_choice_verdict(decision->choice, a->side);
    decision->received_ms = clock_now_ms(&d->clock);
    decision->fast = decision->choice != LEDGER_CHOICE_SKIP &&
                     decision->visible_ms >= 0 && decision->visible_ms < FAST_MS;
    (void)snprintf(decision->assignment_id, sizeof decision->assignment_id, "%s",
                   a->id);
    eh_status status =
        ledger_decision_put(d->l, decision, replaces, &decision->row, err);
    if (status == EH_STATUS_OK)
        status = ledger_assignment_set(d->l, a->row, to, decision->received_ms, err);
    EH_TRY(keep(d, status, err));
    if (a->annotator_row != d->owner_row) /* adjudicating is nobody's share */
        count(d, a->pair_row, (int)counts(to) - (int)counts(a->state));
    return EH_STATUS_OK;
}

/* The same label sent again, after a lost answer? */
static desk_outcome repeated(const ledger_decision *kept, const desk_label *label) {
    bool same = eh_str_eq_cstr(label->item, kept->assignment_id) &&
                kept->choice == label->decision.choice &&
                kept->unfamiliar == label->decision.unfamiliar;
    return same ? DESK_REPEATED : DESK_REUSED;
}

eh_status desk_decide(desk *d, int64_t annotator_row, const desk_label *label,
                      eh_arena *arena, desk_outcome *outcome, ledger_decision *kept,
                      eh_error *err) {
    ledger_assignment a, owned;
    bool found;
    *outcome = DESK_UNKNOWN;
    EH_TRY(ledger_assignment_find(d->l, label->item, &a, &found, err));
    if (!found || a.annotator_row != annotator_row || a.state == LEDGER_WITHDRAWN)
        return EH_STATUS_OK;
    owned = a;
    EH_TRY(
        ledger_decision_find(d->l, label->decision.label_id, arena, kept, &found, err));
    if (found) {
        *outcome = repeated(kept, label);
        return EH_STATUS_OK;
    }
    EH_TRY(ledger_decision_current(d->l, owned.row, arena, kept, &found, err));
    bool is_named = found && eh_str_eq(kept->label_id, label->replaces);
    if (found && kept->choice != LEDGER_CHOICE_SKIP && !is_named) {
        *outcome = DESK_CONFLICT;
        return EH_STATUS_OK;
    }
    int64_t replaces = found ? kept->row : 0;
    *kept = label->decision;
    EH_TRY(store(d, &owned, kept, replaces, err));
    *outcome = DESK_SAVED;
    return EH_STATUS_OK;
}

typedef struct had {
    const desk *d;
    int64_t n; /* of the pairs that need a label, those that somebody had already */
} had;

static void add_had(void *self, int64_t pair_row) {
    had *h = self;
    const place *p = place_of(h->d, pair_row);
    h->n += p && needs(h->d, p);
}

eh_status desk_progress_of(desk *d, int64_t annotator_row, desk_progress *p,
                           eh_error *err) {
    had h = {.d = d};
    EH_TRY(ledger_progress_of(d->l, annotator_row, &p->own, err));
    EH_TRY(ledger_assigned_each(d->l, annotator_row, add_had, &h, err));
    p->n_left = p->own.n_open + (d->queue.paused ? 0 : d->n_needed - h.n);
    return EH_STATUS_OK;
}
