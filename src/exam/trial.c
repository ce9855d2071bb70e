/* SPDX-License-Identifier: MIT
 *
 * Judges with planted defects, asked without a ledger between question and card.
 *
 *   staged ledger --> rows with their rendered prompts      once a round
 *   judge: submit, poll, read the reply --> samples --> exam_card_add
 *
 * A flag counts here if it stands after Holm's correction over the probes of the card,
 * since "and nothing else" is claimed. For oversight the flag itself is a bound that a
 * sound judge is far from, and has no p value to correct.
 *
 * Rounds are shared out over threads, each with a ledger, judges and an arena of its
 * own; what they find is added up afterwards, so the result does not depend on them.
 */
#include "exam/trial.h"

#include <pthread.h>
#include <stdio.h>

#include "exam/card.h"
#include "exam/trial_judges.h"
#include "run/ask.h"
#include "run/template_file.h"

enum { TRIAL_K = 3, ROUND_BYTES = 1 << 30, THREADS_MAX = 64 };
#define TRIAL_LEVEL .05
#define TRIAL_PROBES                                                                   \
    "references,rich_content,padding,shortening,injection,majority,factual_error="

/* ---- one judge ---- */

/* One row of the audit, ready to be asked. */
typedef struct trial_row {
    ledger_pair pair;
    ledger_texts texts;
    exam_meta meta;
    run_prompt prompts[EH_ORDER_N];
} trial_row;

typedef struct trial_rows {
    trial_row *rows; /* [n] strings in the arena that they were read with */
    size_t n;
} trial_rows;

typedef struct asking {
    run_setup setup;
    eh_arena replies; /* of one reply */
} asking;

static eh_status asking_open(asking *a, const char *spec, int k, eh_error *err) {
    plan_wish wish = {.method = EH_STR("mec+bpc"),
                      .k = k,
                      .temperature_given = true,
                      .temperature = 1};
    judge_open_args args = {.concurrency = 1, .clock = clock_system()};
    prompt_template *t;
    *a = (asking){.setup = {.j = NULL}};
    arena_init(&a->replies, ROUND_BYTES);
    EH_TRY(plan_make(&wish, &a->setup.plan, err));
    EH_TRY(prompt_template_builtin(EH_STR("compare"), &t, err));
    a->setup.t = t;
    EH_TRY(judge_open(eh_str_of(spec), &args, &a->setup.j, err));
    run_setup_params(&a->setup, -1);
    return EH_STATUS_OK;
}

static void asking_close(asking *a) {
    judge_close(a->setup.j);
    prompt_template_free((prompt_template *)a->setup.t);
    arena_deinit(&a->replies);
}

static eh_status read_rows(ledger *l, const run_setup *setup, eh_arena *arena,
                           trial_rows *rows, eh_error *err) {
    int64_t n_pairs, after = -1;
    size_t n = 1;
    EH_TRY(ledger_count_pairs(l, &n_pairs, err));
    *rows = (trial_rows){0};
    rows->rows = arena_zalloc(arena, (size_t)n_pairs + 1, sizeof *rows->rows);
    if (!rows->rows) return EH_NOMEM(err);
    while (rows->n < (size_t)n_pairs) {
        trial_row *r = &rows->rows[rows->n];
        EH_TRY(ledger_pairs_page(l, after, &r->pair, 1, &n, arena, err));
        if (n == 0) break;
        after = r->pair.seq;
        EH_TRY(ledger_pair_texts(l, r->pair.row, &r->texts, arena, err));
        EH_TRY(exam_meta_read(r->texts.meta_json, arena, &r->meta, err));
        for (int order = EH_ORDER_12; order < EH_ORDER_N; order++) {
            plan_ask ask = {.order = (eh_order)order};
            run_asked of = {.pair = &r->pair, .texts = &r->texts, .ask = &ask};
            EH_TRY(run_prompt_make(setup, &of, arena, &r->prompts[order], err));
        }
        rows->n++;
    }
    return EH_STATUS_OK;
}

/* Votes only: the template of the trial asks for no scores. */
static plan_sample sample_of(const verdict_result *read, eh_order order, int sample) {
    return (plan_sample){.order = order,
                         .sample = sample,
                         .verdict = eh_verdict_unswap(read->verdict, order),
                         .reason = read->reason};
}

static eh_status take_reply(asking *a, eh_order order, tally_ruled *ruled,
                            eh_error *err) {
    judge_reply reply;
    bool got;
    EH_TRY(judge_poll(a->setup.j, 0, &reply, &got, err));
    if (!got || reply.outcome > JUDGE_OUTCOME_FAILED)
        return EH_FAIL(err, EH_STATUS_ENDPOINT, "the judge '%.*s' gave no answer",
                       EH_STR_ARG(a->setup.j->id));
    verdict_result read = reply.recorded;
    arena_reset(&a->replies);
    if (reply.outcome == JUDGE_OUTCOME_REPLY)
        EH_TRY(verdict_read(&a->setup.t->form, &reply.reply, &a->replies, &read, err));
    ruled->samples[ruled->n_samples++] = sample_of(&read, order, reply.sample);
    return EH_STATUS_OK;
}

static eh_status ask_row(asking *a, const trial_row *row, int stream,
                         tally_ruled *ruled, eh_error *err) {
    int samples[PLAN_MAX_SAMPLES];
    for (int i = 0; i < a->setup.plan.k; i++)
        samples[i] = i;
    ruled->n_samples = 0;
    for (int order = EH_ORDER_12; order < EH_ORDER_N; order++) {
        const run_prompt *prompt = &row->prompts[order];
        judge_request request = {.messages = prompt->rendered.messages,
                                 .n_messages = prompt->rendered.n_messages,
                                 .params = a->setup.params,
                                 .samples = samples,
                                 .n_samples = a->setup.plan.k,
                                 .stream = stream,
                                 .shown = prompt->shown};
        EH_TRY(judge_submit(a->setup.j, &request, err));
        for (int i = 0; i < a->setup.plan.k; i++)
            EH_TRY(take_reply(a, (eh_order)order, ruled, err));
    }
    plan_rule(&a->setup.plan, PLAN_SCALE_VOTES, ruled->samples, ruled->n_samples,
              &ruled->ruling);
    return EH_STATUS_OK;
}

static eh_status make_card(asking *a, const trial_rows *rows, eh_arena *arena,
                           card_judge *out, eh_error *err) {
    tally_ruled *ruled = arena_zalloc(arena, 2, sizeof *ruled); /* main, placebo */
    exam_card *card;
    if (!ruled) return EH_NOMEM(err);
    *out = (card_judge){.name = a->setup.j->id,
                        .limits = audit_limits_default(),
                        .first_ms = -1,
                        .last_ms = -1,
                        .cost_nusd = -1};
    EH_TRY(exam_card_new((int64_t)rows->n, &a->setup.plan, arena, out, &card, err));
    for (size_t i = 0; i < rows->n; i++) {
        const trial_row *r = &rows->rows[i];
        exam_votes votes = {.pair = &r->pair,
                            .meta = &r->meta,
                            .main = &ruled[0],
                            .placebo = &ruled[1]};
        EH_TRY(ask_row(a, r, LEDGER_STREAM_MAIN, &ruled[0], err));
        if (r->meta.role == EXAM_CONTROL)
            EH_TRY(ask_row(a, r, LEDGER_STREAM_PLACEBO, &ruled[1], err));
        EH_TRY(exam_card_add(card, &votes, err));
    }
    return exam_card_end(card, err);
}

eh_status exam_trial_card(ledger *l, const char *judge_spec, int k, eh_arena *arena,
                          card_judge *card, eh_error *err) {
    asking a;
    trial_rows rows;
    eh_status status = asking_open(&a, judge_spec, k, err);
    if (status == EH_STATUS_OK) status = read_rows(l, &a.setup, arena, &rows, err);
    if (status == EH_STATUS_OK) status = make_card(&a, &rows, arena, card, err);
    if (status == EH_STATUS_OK && !arena_copy(arena, card->name, &card->name))
        status = EH_NOMEM(err);
    asking_close(&a);
    return status;
}

/* ---- what was found against what was declared ---- */

static bool is_named(const char *list, const char *name) {
    eh_str rest = eh_str_of(list), part;
    while (rest.len && eh_str_split(&rest, ' ', &part))
        if (eh_str_eq_cstr(part, name)) return true;
    return false;
}

static void declare(const exam_trial_judge *from, const card_trial *trial,
                    card_trial_row *row) {
    *row = (card_trial_row){
        .planted = from->planted, .spec = from->spec, .fault = from->fault};
    for (size_t i = 0; i < trial->n_probes; i++)
        row->declared[i] = is_named(from->flags, trial->probes[i]) ? CARD_TRIAL_FLAG
                           : is_named(from->may, trial->probes[i]) ? CARD_TRIAL_MAY
                                                                   : CARD_TRIAL_CLEAR;
}

/* Flagged, and after the correction as well. */
static bool stands(const card_probe *p) {
    bool corrected = p->form == AUDIT_OVERSIGHT || p->score.holm <= TRIAL_LEVEL;
    return p->flagged && corrected;
}

static bool is_flagged(const card_judge *card, const char *name) {
    for (size_t i = 0; i < card->n_probes; i++)
        if (eh_str_eq_cstr(card->probes[i].name, name)) return stands(&card->probes[i]);
    return false;
}

/* Where the fault is declared and not seen, the flags that are declared beside it have
 * to be there instead. */
static void compare(const card_judge *card, const card_trial *trial,
                    card_trial_row *row) {
    bool is_false = false, is_missed = false, any_declared = false;
    bool readable = card->fault == AUDIT_UNREADABLE_NOT;
    if (!readable && card->fault == row->fault) {
        row->n_unreadable++;
        return;
    }
    for (size_t i = 0; readable && i < trial->n_probes; i++) {
        bool flagged = is_flagged(card, trial->probes[i]);
        row->n_flagged[i] += flagged;
        any_declared |= row->declared[i] == CARD_TRIAL_FLAG;
        is_false |= flagged && row->declared[i] == CARD_TRIAL_CLEAR;
        is_missed |= !flagged && row->declared[i] == CARD_TRIAL_FLAG;
    }
    if (row->fault != AUDIT_UNREADABLE_NOT) is_missed |= !any_declared;
    row->n_false += is_false || !readable; /* another fault than is declared */
    row->n_missed += is_missed || !readable;
}

/* ---- rounds and threads ---- */

typedef struct worker {
    const exam_trial_options *o;
    int first; /* this round and every n_workers-th after it */
    int n_workers;
    card_trial found; /* its rows are its own */
    eh_status status;
    eh_error err;
} worker;

static eh_status try_judge(const worker *w, size_t i, const trial_rows *rows,
                           uint64_t seed, eh_error *err) {
    char spec[160];
    asking a;
    eh_arena arena;
    card_judge card;
    card_trial_row *row = &w->found.rows[i];
    (void)snprintf(spec, sizeof spec, "%s,seed=%llu", row->spec,
                   (unsigned long long)seed);
    arena_init(&arena, ROUND_BYTES);
    eh_status status = asking_open(&a, spec, TRIAL_K, err);
    if (status == EH_STATUS_OK) status = make_card(&a, rows, &arena, &card, err);
    if (status == EH_STATUS_OK) compare(&card, &w->found, row);
    asking_close(&a);
    arena_deinit(&arena);
    return status;
}

static eh_status stage(const worker *w, ledger *l, uint64_t seed, eh_arena *arena,
                       exam_staged *staged, eh_error *err) {
    exam_stage_options options = {
        .data.path = w->o->pairs, .seed = seed, .clock = w->o->clock};
    exam_probe *probes;
    const char *list = arena_printf(arena, "%s%s", TRIAL_PROBES, w->o->errors);
    if (!list) return EH_NOMEM(err);
    EH_TRY(exam_probes_parse(eh_str_of(list), arena, &probes, &options.n_probes, err));
    options.probes = probes;
    return exam_stage(l, &options, staged, err);
}

static eh_status try_round(worker *w, uint64_t seed, eh_arena *arena, ledger *l,
                           eh_error *err) {
    asking first;
    trial_rows rows;
    exam_staged staged = {0};
    EH_TRY(stage(w, l, seed, arena, &staged, err));
    w->found.n_pairs = staged.n_pairs;
    /* prompts do not depend on the judge */
    eh_status status = asking_open(&first, w->found.rows[0].spec, TRIAL_K, err);
    if (status == EH_STATUS_OK) status = read_rows(l, &first.setup, arena, &rows, err);
    asking_close(&first);
    for (size_t i = 0; status == EH_STATUS_OK && i < w->found.n_rows; i++)
        status = try_judge(w, i, &rows, seed, err);
    return status;
}

static void *work(void *self) {
    worker *w = self;
    eh_arena arena;
    arena_init(&arena, ROUND_BYTES);
    for (int r = w->first; r < w->o->n_rounds && w->status == EH_STATUS_OK;
         r += w->n_workers) {
        ledger *l;
        arena_reset(&arena);
        w->status = ledger_open_temporary(&l, &w->err);
        if (w->status != EH_STATUS_OK) break;
        w->status = try_round(w, w->o->seed + (uint64_t)r, &arena, l, &w->err);
        (void)ledger_close(l, NULL);
    }
    arena_deinit(&arena);
    return NULL;
}

static eh_status declare_all(card_trial *trial, eh_arena *arena, eh_error *err) {
    trial->n_rows = 0;
    while (exam_trial_judge_at(trial->n_rows))
        trial->n_rows++;
    trial->rows = arena_zalloc(arena, trial->n_rows, sizeof *trial->rows);
    if (!trial->rows) return EH_NOMEM(err);
    for (size_t i = 0; i < trial->n_rows; i++)
        declare(exam_trial_judge_at(i), trial, &trial->rows[i]);
    return EH_STATUS_OK;
}

static void add_found(card_trial *sum, const card_trial *part) {
    sum->n_pairs = part->n_pairs;
    for (size_t i = 0; i < sum->n_rows; i++) {
        for (size_t p = 0; p < sum->n_probes; p++)
            sum->rows[i].n_flagged[p] += part->rows[i].n_flagged[p];
        sum->rows[i].n_unreadable += part->rows[i].n_unreadable;
        sum->rows[i].n_false += part->rows[i].n_false;
        sum->rows[i].n_missed += part->rows[i].n_missed;
    }
}

/* Where a thread cannot be had, its rounds are done here. */
static void run_workers(worker *workers, int n) {
    pthread_t threads[THREADS_MAX];
    bool is_running[THREADS_MAX] = {false};
    for (int i = 1; i < n; i++)
        is_running[i] = pthread_create(&threads[i], NULL, work, &workers[i]) == 0;
    for (int i = 0; i < n; i++)
        if (!is_running[i]) (void)work(&workers[i]);
    for (int i = 1; i < n; i++)
        if (is_running[i]) (void)pthread_join(threads[i], NULL);
}

eh_status exam_trial(const exam_trial_options *options, eh_arena *arena,
                     card_trial *trial, eh_error *err) {
    int n = options->n_threads < 1 ? 1 : options->n_threads;
    if (n > options->n_rounds) n = options->n_rounds;
    if (n > THREADS_MAX) n = THREADS_MAX;
    *trial = (card_trial){.probes = {"factual_error", "references", "rich_content",
                                     "padding", "shortening", "injection", "majority"},
                          .n_probes = 7,
                          .n_rounds = options->n_rounds,
                          .seed = (int64_t)options->seed,
                          .k = TRIAL_K,
                          .level = TRIAL_LEVEL};
    EH_TRY(declare_all(trial, arena, err));
    worker *workers = arena_zalloc(arena, (size_t)n, sizeof *workers);
    if (!workers) return EH_NOMEM(err);
    for (int i = 0; i < n; i++) {
        workers[i] =
            (worker){.o = options, .first = i, .n_workers = n, .found = *trial};
        EH_TRY(declare_all(&workers[i].found, arena, err));
    }
    run_workers(workers, n);
    for (int i = 0; i < n; i++) {
        if (workers[i].status != EH_STATUS_OK) {
            if (err) *err = workers[i].err;
            return workers[i].status;
        }
        add_found(trial, &workers[i].found);
    }
    return EH_STATUS_OK;
}
