/* SPDX-License-Identifier: MIT
 *
 * For tests of summaries: a ledger with what is asked of it, and eight pairs whose
 * numbers were worked out by hand. Order 12 and order 21, under bpc on votes:
 *
 *   p1  1  1   ruling 1                      p5  tie tie   tie, agreed
 *   p2  1  2   first slot twice, a tie       p6  -   2     one order failed
 *   p3  2  1   second slot twice, a tie      p7  -   -     both orders failed
 *   p4 tie 1   conflict with a tie, 1        p8  1         order 21 not asked
 */
#ifndef EH_TESTS_SUMMARY_MAKE_H
#define EH_TESTS_SUMMARY_MAKE_H

#include <math.h>

#include "ledger_make.h"
#include "tally/summarize.h"

#define V1 EH_VERDICT_1
#define V2 EH_VERDICT_2
#define VT EH_VERDICT_TIE
#define O12 EH_ORDER_12
#define O21 EH_ORDER_21

#define assert_near(actual, expected)                                                  \
    do {                                                                               \
        double near_seen = (actual), near_wanted = (expected);                         \
        if (!(fabs(near_seen - near_wanted) < 1e-12))                                  \
            fail_msg("%s is %.17g and not %.17g", #actual, near_seen, near_wanted);    \
    } while (0)

/* A ledger and what is asked of it. */
typedef struct book {
    ledger *l;
    eh_arena arena;
    report_summary summary;
    eh_buf json;
    eh_error err;
} book;

static inline book book_new(void) {
    book b = {.l = ledger_made()};
    arena_init(&b.arena, 64 << 20);
    buf_init(&b.json, BUF_MAX_REPORT);
    return b;
}

static inline void book_free(book *b) {
    ledger_unmade(b->l);
    arena_deinit(&b->arena);
    buf_deinit(&b->json);
}

static inline const report_judge *summarize(book *b, const char *method) {
    assert_ok(tally_summarize(b->l, eh_str_of(method), &b->arena, &b->summary, &b->err),
              b->err);
    buf_reset(&b->json);
    report_summary_json(&b->summary, &b->json);
    assert_ok(buf_check(&b->json, "summary", &b->err), b->err);
    return &b->summary.judges[0];
}

static inline void stage_eight(ledger *l) {
    static const char *const ids[] = {"p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"};
    dataset_pair pairs[8];
    for (size_t i = 0; i < 8; i++)
        pairs[i] = pair_of(ids[i], ids[i], "one", "two");
    stage_all(l, pairs, 8);
}

typedef struct said {
    const char *pair_id;
    eh_order order;
    eh_verdict verdict;
    verdict_reason reason;
} said;

static const said eight[] = {
    {"p1", O12, V1, 0},
    {"p1", O21, V1, 0},
    {"p2", O12, V1, 0},
    {"p2", O21, V2, 0},
    {"p3", O12, V2, 0},
    {"p3", O21, V1, 0},
    {"p4", O12, VT, 0},
    {"p4", O21, V1, 0},
    {"p5", O12, VT, 0},
    {"p5", O21, VT, 0},
    {"p6", O12, 0, VERDICT_REASON_REFUSAL},
    {"p6", O21, V2, 0},
    {"p7", O12, 0, VERDICT_REASON_TRUNCATED},
    {"p7", O21, 0, VERDICT_REASON_EMPTY},
    {"p8", O12, V1, 0},
};
enum { N_SAID = sizeof eight / sizeof eight[0] };

static inline void put_said(ledger *l, int64_t judge, const said *s) {
    plan_sample sample = vote_of(s->order, 0, s->verdict);
    sample.reason = s->reason;
    (void)put(l, judge, s->pair_id, sample);
}

/* The eight pairs with one bpc run, whose calls come in from `first` on, around. */
static inline book book_of_eight(size_t first) {
    book b = book_new();
    stage_eight(b.l);
    int64_t judge = judge_made(b.l, "sim");
    (void)run_made(b.l, judge, "bpc", 1, PLAN_ORDERS_BOTH);
    for (size_t i = 0; i < N_SAID; i++)
        put_said(b.l, judge, &eight[(first + 4 * i) % N_SAID]);
    return b;
}

#endif
