/* SPDX-License-Identifier: MIT
 *
 * The engine with a judge whose outcomes are scripted here. The judge prefers the
 * answer that is longer, holds what it was asked until it is polled, and gives it back
 * in an order drawn at random; it counts what it is asked and how much of it is in
 * flight.
 */
#include <math.h>
#include <sqlite3.h>

#include "base/mem.h"
#include "base/rng.h"
#include "ledger_make.h"
#include "run/engine.h"

enum { HELD_MAX = 512, ASKED_MAX = 2048 };

typedef struct held {
    uint64_t ticket;
    int sample;
    eh_str first, second;
} held;

typedef struct fake {
    judge base;
    judge_outcome (*script)(struct fake *f, const held *h); /* NULL: REPLY */
    eh_rng rng;
    held in_flight[HELD_MAX];
    int n_in_flight, most_in_flight;
    uint64_t asked[ASKED_MAX]; /* what each sample asked, as a hash */
    int n_asked, n_answered;
    int n_on_the_wire; /* > 0: with a halt, those behind the first so many were not sent
                        */
    bool wrong_ticket, poll_fails, halted;
    volatile sig_atomic_t interrupted;
    int interrupt_at, interrupt_twice_at; /* by n_asked, n_answered; 0 = never */
} fake;

static uint64_t hash_of(const held *h) {
    uint8_t digest[HASH_BYTES];
    eh_hash hash;
    hash_init(&hash, "test-asked");
    hash_str(&hash, h->first);
    hash_str(&hash, h->second);
    hash_i64(&hash, h->sample);
    hash_done(&hash, digest);
    return hash_u64(digest);
}

static eh_status fake_submit(judge *j, const judge_request *r, eh_error *err) {
    fake *f = (fake *)j;
    (void)err;
    for (int i = 0; i < r->n_samples; i++) {
        held h = {r->ticket, r->samples[i], r->shown.first, r->shown.second};
        assert_true(f->n_in_flight < HELD_MAX && f->n_asked < ASKED_MAX);
        f->in_flight[f->n_in_flight++] = h;
        f->asked[f->n_asked++] = hash_of(&h);
    }
    if (f->n_in_flight > f->most_in_flight) f->most_in_flight = f->n_in_flight;
    if (f->interrupt_at && f->n_asked >= f->interrupt_at) f->interrupted = 1;
    return EH_STATUS_OK;
}

static void fill_reply(fake *f, const held *h, judge_reply *reply) {
    *reply = (judge_reply){.ticket = h->ticket,
                           .sample = h->sample,
                           .usage = {10, 0, 5, -1},
                           .latency_ms = 3,
                           .n_attempts = 1,
                           .model = EH_STR("fake-1")};
    reply->outcome = f->script ? f->script(f, h) : JUDGE_OUTCOME_REPLY;
    if (f->wrong_ticket) reply->sample += 7;
    switch (reply->outcome) {
    case JUDGE_OUTCOME_REPLY:
        reply->reply.content =
            h->first.len > h->second.len   ? EH_STR("Final verdict: [[A]]")
            : h->first.len < h->second.len ? EH_STR("Final verdict: [[B]]")
                                           : EH_STR("Final verdict: [[C]]");
        break;
    case JUDGE_OUTCOME_RECORDED:
        reply->recorded.verdict = EH_VERDICT_1; /* the first slot */
        break;
    case JUDGE_OUTCOME_FAILED:
        reply->recorded.reason = VERDICT_REASON_CONTENT_FILTER;
        break;
    case JUDGE_OUTCOME_NOT_SENT: break;
    case JUDGE_OUTCOME_NO_RESULT: reply->message = EH_STR("nothing came"); break;
    case JUDGE_OUTCOME_STOP: reply->message = EH_STR("the key was refused"); break;
    }
}

static eh_status fake_poll(judge *j, int64_t timeout_ms, judge_reply *reply, bool *got,
                           eh_error *err) {
    fake *f = (fake *)j;
    (void)timeout_ms;
    *got = f->n_in_flight > 0;
    if (f->poll_fails && f->n_answered >= 5)
        return EH_FAIL(err, EH_STATUS_ENDPOINT, "the judge is gone");
    if (!*got) return EH_STATUS_OK;
    size_t at = (size_t)rng_below(&f->rng, (uint64_t)f->n_in_flight);
    held h = f->in_flight[at];
    f->in_flight[at] = f->in_flight[--f->n_in_flight];
    f->n_answered++;
    fill_reply(f, &h, reply);
    if (f->interrupt_twice_at && f->n_answered >= f->interrupt_twice_at)
        f->interrupted = 2;
    return EH_STATUS_OK;
}

/* Those that would still wait for their turn come back first. */
static void fake_halt(judge *j) {
    ((fake *)j)->halted = true;
}

static judge_outcome unless_halted(fake *f, const held *h) {
    (void)h;
    return f->halted && f->n_in_flight >= f->n_on_the_wire ? JUDGE_OUTCOME_NOT_SENT
                                                           : JUDGE_OUTCOME_REPLY;
}

static void fake_close(judge *j) {
    (void)j;
}

static const judge_backend fake_backend = {.name = "fake",
                                           .form = "fake",
                                           .close = fake_close,
                                           .submit = fake_submit,
                                           .halt = fake_halt,
                                           .poll = fake_poll};

/* A run over a ledger of its own. */
typedef struct rig {
    ledger *l;
    fake f;
    prompt_template *t;
    run_options o;
    run_result result;
    eh_error err;
} rig;

static void rig_init(rig *r, ledger *l, const char *method, int k) {
    *r = (rig){.l = l};
    r->f.base =
        (judge){.backend = &fake_backend, .id = EH_STR("fake"), .uses_template = true};
    r->f.rng = rng_make(7, "test.engine", 1);
    assert_ok(prompt_template_builtin(EH_STR("compare"), &r->t, &r->err), r->err);
    r->o = (run_options){.setup = {.j = &r->f.base, .t = r->t},
                         .concurrency = 8,
                         .limit = -1,
                         .interrupted = &r->f.interrupted,
                         .clock = clock_made()};
    r->o.setup.plan = plan_of(method, k, NULL);
    run_setup_params(&r->o.setup, -1);
}

static void rig_free(rig *r) {
    prompt_template_free(r->t);
    ledger_unmade(r->l);
}

/* Another session on the same ledger, with a judge that remembers nothing. */
static void again(rig *r) {
    eh_rng rng = r->f.rng;
    r->f = (fake){.base = r->f.base, .rng = rng};
}

static const run_progress *run(rig *r) {
    assert_ok(run_engine(r->l, &r->o, &r->result, &r->err), r->err);
    return &r->result.progress;
}

/* `n` pairs with texts of their own; answer 1 is longer in every other one. */
enum { PAIRS_MAX = 40, TEXT_MAX = 32 };

static void stage_pairs(ledger *l, size_t n) {
    static char ids[PAIRS_MAX][TEXT_MAX], longer[PAIRS_MAX][TEXT_MAX];
    dataset_pair pairs[PAIRS_MAX];
    assert_true(n <= PAIRS_MAX);
    for (size_t i = 0; i < n; i++) {
        (void)snprintf(ids[i], TEXT_MAX, "p%zu", i);
        (void)snprintf(longer[i], TEXT_MAX, "a long answer %zu", i);
        pairs[i] = i % 2 ? pair_of(ids[i], ids[i], "short", longer[i])
                         : pair_of(ids[i], ids[i], longer[i], "short");
    }
    stage_all(l, pairs, n);
}

static void rig_of(rig *r, size_t n_pairs, const char *method, int k) {
    ledger *l = ledger_made();
    stage_pairs(l, n_pairs);
    rig_init(r, l, method, k);
}

static void check_asked_once(const fake *f) {
    for (int i = 0; i < f->n_asked; i++)
        for (int j = 0; j < i; j++)
            if (f->asked[i] == f->asked[j]) fail_msg("asked twice: %d and %d", j, i);
}

static size_t samples_of(rig *r, const char *pair_id, plan_sample samples[16]) {
    ledger_judge who;
    eh_arena arena;
    int64_t judge_row;
    size_t n;
    arena_init(&arena, 1 << 20);
    assert_ok(run_setup_judge(&r->o.setup, &arena, &who, &r->err), r->err);
    assert_ok(ledger_judge_find(r->l, &who, &judge_row, &r->err), r->err);
    assert_ok(ledger_samples(r->l,
                             &(ledger_ask){.judge_row = judge_row,
                                           .stream = 0,
                                           .pair_row = row_of(r->l, pair_id)},
                             0, samples, 16, &n, &r->err),
              r->err);
    arena_deinit(&arena);
    return n;
}

/* ---- replies in any order ---- */

static void test_all_done(void **state) {
    (void)state;
    rig r;
    rig_of(&r, 20, "mec+bpc", 2);
    const run_progress *p = run(&r);
    assert_int_equal(r.result.end, RUN_END_DONE);
    assert_int_equal(p->n_pairs, 20);
    assert_int_equal(p->n_pairs_done, 20);
    assert_int_equal(p->n_new, 80);
    assert_int_equal(p->n_reused, 0);
    assert_int_equal(p->n_present, 0);
    assert_int_equal(p->n_failed, 0);
    check_asked_once(&r.f);
    for (int i = 0; i < 20; i++) {
        char id[8];
        plan_sample s[16];
        (void)snprintf(id, sizeof id, "p%d", i);
        assert_int_equal(samples_of(&r, id, s), 4);
        for (int k = 0; k < 4; k++)
            assert_int_equal(s[k].verdict, i % 2 ? EH_VERDICT_2 : EH_VERDICT_1);
    }
    rig_free(&r);
}

/* A second run finds everything; more samples ask for what is missing alone. */
static void test_rerun(void **state) {
    (void)state;
    rig r;
    rig_of(&r, 10, "mec+bpc", 2);
    (void)run(&r);
    again(&r);
    const run_progress *p = run(&r);
    assert_int_equal(p->n_present, 40);
    assert_int_equal(p->n_new, 0);
    assert_int_equal(r.f.n_asked, 0);
    again(&r);
    r.o.setup.plan = plan_of("mec+bpc", 3, NULL);
    p = run(&r);
    assert_int_equal(p->n_new, 20);
    assert_int_equal(p->n_present, 40);
    rig_free(&r);
}

static void test_credits(void **state) {
    (void)state;
    static const struct {
        int concurrency, k, most;
    } rows[] = {{1, 1, 1}, {2, 1, 2}, {5, 2, 5}, {8, 3, 8}, {16, 1, 16}, {2, 3, 3}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rig r;
        rig_of(&r, 12, rows[i].k > 1 ? "mec+bpc" : "bpc", rows[i].k);
        r.o.concurrency = rows[i].concurrency;
        const run_progress *p = run(&r);
        /* one prompt is sent as a whole even where it has more samples than credits */
        assert_in_range(r.f.most_in_flight, rows[i].most - rows[i].k + 1, rows[i].most);
        assert_int_equal(p->n_new, 12 * 2 * rows[i].k);
        check_asked_once(&r.f);
        rig_free(&r);
    }
}

/* ---- equal prompts ---- */

static void stage_twins(ledger *l) {
    const dataset_pair pairs[] = {
        pair_of("a", "q", "a long answer", "short"),
        pair_of("b", "q", "a long answer", "short"),
        pair_of("c", "q", "short", "a long answer"), /* mirrored */
        pair_of("same", "q", "equal", "equal"),
        pair_of("d", "q", "a long answer", "short"),
    };
    stage_all(l, pairs, 5);
}

static void test_duplicates(void **state) {
    (void)state;
    for (int concurrency = 1; concurrency <= 64; concurrency *= 4) {
        rig r;
        ledger *l = ledger_made();
        stage_twins(l);
        rig_init(&r, l, "mec+bpc", 2);
        r.o.concurrency = concurrency;
        const run_progress *p = run(&r);
        plan_sample s[16];
        /* a, b, c and d share four calls, the orders of `same` two */
        assert_int_equal(r.f.n_asked, 6);
        assert_int_equal(p->n_new, 6);
        assert_int_equal(p->n_reused, 14);
        assert_int_equal(p->n_pairs_done, 5);
        check_asked_once(&r.f);
        assert_int_equal(samples_of(&r, "d", s), 4);
        assert_int_equal(s[0].verdict, EH_VERDICT_1);
        assert_int_equal(samples_of(&r, "c", s), 4);
        assert_int_equal(s[0].verdict, EH_VERDICT_2);
        assert_int_equal(samples_of(&r, "same", s), 4);
        assert_int_equal(s[3].verdict, EH_VERDICT_TIE);
        rig_free(&r);
    }
}

/* Followers of a call that gave nothing go without as well, until the next run. */
static judge_outcome never(fake *f, const held *h) {
    (void)f;
    (void)h;
    return JUDGE_OUTCOME_NO_RESULT;
}

static void test_duplicates_without_result(void **state) {
    (void)state;
    rig r;
    ledger *l = ledger_made();
    stage_twins(l);
    rig_init(&r, l, "mec+bpc", 2);
    r.o.concurrency = 64;
    r.f.script = never;
    const run_progress *p = run(&r);
    assert_int_equal(r.result.end, RUN_END_DONE);
    assert_int_equal(p->n_new, 0);
    assert_int_equal(r.f.n_asked, 6);
    assert_int_equal(p->n_no_result, 6); /* calls, not those who waited for them */
    again(&r);
    p = run(&r);
    assert_int_equal(p->n_new, 6);
    assert_int_equal(p->n_reused, 14);
    rig_free(&r);
}

/* ---- early ends ---- */

static void test_limit(void **state) {
    (void)state;
    for (int limit = 0; limit <= 40; limit += 8) {
        rig r;
        rig_of(&r, 10, "mec+bpc", 2);
        r.o.limit = limit;
        const run_progress *p = run(&r);
        assert_int_equal(p->n_new, limit);
        assert_int_equal(r.f.n_asked, limit);
        /* what is just enough is no early end */
        assert_int_equal(r.result.end, limit < 40 ? RUN_END_LIMIT : RUN_END_DONE);
        again(&r);
        r.o.limit = -1;
        p = run(&r);
        assert_int_equal(p->n_new, 40 - limit);
        assert_int_equal(p->n_present, limit);
        assert_int_equal(r.result.end, RUN_END_DONE);
        rig_free(&r);
    }
}

/* A limit in the middle of a prompt's samples keeps those that were sent. */
static void test_limit_within_prompt(void **state) {
    (void)state;
    rig r;
    rig_of(&r, 4, "mec+bpc", 3);
    r.o.limit = 4;
    assert_int_equal(run(&r)->n_new, 4);
    again(&r);
    r.o.limit = -1;
    assert_int_equal(run(&r)->n_new, 20);
    check_asked_once(&r.f);
    rig_free(&r);
}

static void test_interrupt(void **state) {
    (void)state;
    rig r;
    rig_of(&r, 30, "bpc", 1);
    r.f.interrupt_at = 20;
    const run_progress *p = run(&r);
    assert_int_equal(r.result.end, RUN_END_INTERRUPTED);
    assert_int_equal(r.f.n_asked, 20);    /* nothing more is sent, */
    assert_int_equal(r.f.n_in_flight, 0); /* what is in flight is waited for */
    assert_int_equal(p->n_new, 20);
    again(&r);
    p = run(&r);
    assert_int_equal(r.result.end, RUN_END_DONE);
    assert_int_equal(p->n_new, 40);
    rig_free(&r);
}

/* A judge that takes more than it sends keeps it ready, and gives it back unasked. */
static void test_interrupt_ahead(void **state) {
    (void)state;
    rig r;
    rig_of(&r, 30, "bpc", 1);
    r.f.base.n_ahead = 4;
    r.f.n_on_the_wire = 8;
    r.f.script = unless_halted;
    r.f.interrupt_at = 20;
    const run_progress *p = run(&r);
    assert_int_equal(r.result.end, RUN_END_INTERRUPTED);
    assert_true(r.f.halted);
    assert_int_equal(r.f.most_in_flight, 12);
    assert_int_equal(r.f.n_in_flight, 0);
    assert_int_equal(p->n_new, 16);
    assert_int_equal(p->n_no_result, 0); /* as if never submitted */
    again(&r);
    p = run(&r);
    assert_int_equal(r.result.end, RUN_END_DONE);
    assert_int_equal(p->n_new, 44);
    assert_false(r.f.halted);
    rig_free(&r);
}

static void test_interrupt_twice(void **state) {
    (void)state;
    rig r;
    rig_of(&r, 30, "bpc", 1);
    r.f.interrupt_at = 20;
    r.f.interrupt_twice_at = 15;
    const run_progress *p = run(&r);
    assert_int_equal(r.result.end, RUN_END_INTERRUPTED);
    assert_int_equal(r.f.n_answered, 15); /* the rest is given up */
    assert_true(r.f.n_in_flight > 0);
    assert_int_equal(p->n_new, 15); /* what was answered is kept */
    again(&r);
    assert_int_equal(run(&r)->n_new, 45);
    rig_free(&r);
}

static judge_outcome stop_at_ten(fake *f, const held *h) {
    (void)h;
    return f->n_answered == 10 ? JUDGE_OUTCOME_STOP : JUDGE_OUTCOME_REPLY;
}

static void test_stop_drains(void **state) {
    (void)state;
    rig r;
    rig_of(&r, 30, "bpc", 1);
    r.f.script = stop_at_ten;
    const run_progress *p = run(&r);
    assert_int_equal(r.result.end, RUN_END_STOPPED);
    assert_string_equal(r.result.stop_message, "the key was refused");
    assert_int_equal(r.f.n_in_flight, 0);
    assert_true(r.f.n_asked < 60);
    assert_int_equal(p->n_new, r.f.n_asked - 1);
    int first = r.f.n_asked;
    again(&r);
    assert_int_equal(run(&r)->n_new, 60 - (first - 1));
    rig_free(&r);
}

static judge_outcome stop_then_unsent(fake *f, const held *h) {
    (void)h;
    return f->n_answered < 10    ? JUDGE_OUTCOME_REPLY
           : f->n_answered == 10 ? JUDGE_OUTCOME_STOP
                                 : JUDGE_OUTCOME_NOT_SENT;
}

/* What a stop came before is no attempt and no call without result. */
static void test_stop_before_sending(void **state) {
    (void)state;
    rig r;
    rig_of(&r, 30, "bpc", 1);
    r.f.script = stop_then_unsent;
    const run_progress *p = run(&r);
    assert_int_equal(r.result.end, RUN_END_STOPPED);
    assert_int_equal(p->n_new, 9);
    assert_int_equal(p->n_no_result, 1);
    assert_int_equal(p->n_not_sent, r.f.n_asked - 10);
    assert_true(p->n_not_sent > 0);
    ledger_timing timing;
    assert_ok(ledger_timing_sum(r.l, 1, &timing, &r.err), r.err);
    assert_int_equal(timing.n_no_result, 1);
    again(&r);
    assert_int_equal(run(&r)->n_new, 60 - 9);
    rig_free(&r);
}

/* ---- other outcomes ---- */

static judge_outcome some_never(fake *f, const held *h) {
    (void)h;
    return f->n_answered % 3 == 0 ? JUDGE_OUTCOME_NO_RESULT : JUDGE_OUTCOME_REPLY;
}

static void test_no_result(void **state) {
    (void)state;
    rig r;
    rig_of(&r, 12, "mec+bpc", 2);
    r.f.script = some_never;
    const run_progress *p = run(&r);
    assert_int_equal(r.result.end, RUN_END_DONE);
    assert_int_equal(r.f.n_asked, 48); /* not asked again in this session */
    assert_int_equal(p->n_no_result, 16);
    assert_int_equal(p->n_new, 32);
    assert_int_equal(p->n_failed, 0); /* no reply is not a bad reply */
    assert_int_equal(p->n_pairs_done, 12);
    again(&r);
    p = run(&r);
    assert_int_equal(p->n_new, 16);
    assert_int_equal(p->n_present, 32);
    ledger_timing timing;
    assert_ok(ledger_timing_sum(r.l, 1, &timing, &r.err), r.err);
    assert_int_equal(timing.n_no_result, 16);
    assert_int_equal(timing.n_sessions, 2);
    assert_int_equal(timing.n_calls, 48);
    rig_free(&r);
}

static judge_outcome by_sample(fake *f, const held *h) {
    (void)f;
    return h->sample == 0   ? JUDGE_OUTCOME_RECORDED
           : h->sample == 1 ? JUDGE_OUTCOME_FAILED
                            : JUDGE_OUTCOME_REPLY;
}

static void test_recorded_and_failed(void **state) {
    (void)state;
    rig r;
    rig_of(&r, 2, "mec+bpc", 3);
    r.f.script = by_sample;
    const run_progress *p = run(&r);
    plan_sample s[16];
    assert_int_equal(p->n_new, 12);
    assert_int_equal(p->n_failed, 4);
    assert_int_equal(samples_of(&r, "p0", s), 6);
    assert_int_equal(s[0].verdict, EH_VERDICT_1); /* first slot, order 12 */
    assert_int_equal(s[1].reason, VERDICT_REASON_CONTENT_FILTER);
    assert_int_equal(s[2].verdict, EH_VERDICT_1); /* the longer one */
    assert_int_equal(s[3].verdict, EH_VERDICT_2); /* first slot, order 21 */
    assert_int_equal(s[4].verdict, EH_VERDICT_NONE);
    assert_int_equal(s[5].verdict, EH_VERDICT_1);
    again(&r);
    assert_int_equal(run(&r)->n_new, 0); /* a reply without a verdict is final */
    rig_free(&r);
}

static void test_judge_fails(void **state) {
    (void)state;
    rig r;
    rig_of(&r, 10, "bpc", 1);
    r.f.wrong_ticket = true;
    assert_fails(run_engine(r.l, &r.o, &r.result, &r.err), EH_STATUS_ENDPOINT, r.err,
                 "what was not asked");
    again(&r);
    r.f.poll_fails = true;
    assert_fails(run_engine(r.l, &r.o, &r.result, &r.err), EH_STATUS_ENDPOINT, r.err,
                 "the judge is gone");
    again(&r);
    const run_progress *p = run(&r);
    assert_int_equal(p->n_new + p->n_present, 20);
    rig_free(&r);
}

/* ---- groups ---- */

typedef struct witness {
    const char *path;
    int n_calls; /* of on_progress */
    int64_t last_new;
} witness;

/* What is reported as done stands in the file, as another connection sees it. */
static void look(void *self, const run_progress *progress) {
    witness *w = self;
    sqlite3 *db;
    sqlite3_stmt *s;
    assert_int_equal(sqlite3_open_v2(w->path, &db, SQLITE_OPEN_READONLY, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT count(*) FROM call", -1, &s, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(s), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int64(s, 0), progress->n_new);
    (void)sqlite3_finalize(s);
    (void)sqlite3_close(db);
    w->n_calls++;
    assert_true(progress->n_new >= w->last_new);
    w->last_new = progress->n_new;
}

static void test_groups(void **state) {
    (void)state;
    made_folder folder = made_folder_new();
    witness w = {.path = made_path(&folder, "run.db")};
    eh_error err;
    ledger *l;
    rig r;
    assert_ok(ledger_open(w.path, LEDGER_CREATE, &l, &err), err);
    stage_pairs(l, 40);
    rig_init(&r, l, "mec+bpc", 3);
    r.o.on_progress = look;
    r.o.self = &w;
    assert_int_equal(run(&r)->n_new, 240);
    assert_int_equal(w.last_new, 240);
    assert_in_range(w.n_calls, 2, 10); /* the clock stands still: groups are full */
    rig_free(&r);
    made_folder_free(&folder);
}

/* ---- memory ---- */

/* A small run with the nth allocation failing; false when it went through. */
static bool fails_at(int64_t nth, bool sticky) {
    rig r;
    rig_of(&r, 3, "mec+bpc", 2);
    int64_t live = mem_live();
    mem_fail_at(nth, sticky);
    eh_status status = run_engine(r.l, &r.o, &r.result, &r.err);
    mem_fail_at(0, false);
    assert_int_equal(mem_live(), live);
    if (status != EH_STATUS_OK) {
        assert_int_equal(status, EH_STATUS_NOMEM);
        assert_int_equal(r.err.status, EH_STATUS_NOMEM);
        again(&r);
        assert_int_equal(run(&r)->n_new + r.result.progress.n_present, 12);
    } else {
        assert_int_equal(r.result.progress.n_new, 12);
    }
    rig_free(&r);
    return status != EH_STATUS_OK;
}

static void test_no_memory(void **state) {
    (void)state;
    for (int sticky = 0; sticky < 2; sticky++) {
        int64_t nth = 1;
        while (fails_at(nth, sticky))
            nth++;
        assert_true(nth > 15);
        for (int64_t more = 1; more <= 20; more++) /* no failure was passed over */
            assert_false(fails_at(nth + more, sticky));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_done),
        cmocka_unit_test(test_rerun),
        cmocka_unit_test(test_credits),
        cmocka_unit_test(test_duplicates),
        cmocka_unit_test(test_duplicates_without_result),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_limit_within_prompt),
        cmocka_unit_test(test_interrupt),
        cmocka_unit_test(test_interrupt_ahead),
        cmocka_unit_test(test_interrupt_twice),
        cmocka_unit_test(test_stop_drains),
        cmocka_unit_test(test_stop_before_sending),
        cmocka_unit_test(test_no_result),
        cmocka_unit_test(test_recorded_and_failed),
        cmocka_unit_test(test_judge_fails),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
