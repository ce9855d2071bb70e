/* SPDX-License-Identifier: MIT
 *
 * The dry run: the engine's own keys, looked up and not asked.
 *
 * Every wanted sample of every pair is rendered and hashed exactly as a run would, so
 * the forecast is not an estimate, but where a prompt depends on embeddings that nobody
 * has asked for yet: those calls are counted and their keys left open. Why a call is
 * new is found by looking for what it shares with older ones: the pair's id with
 * another text, or the same judge and text under another template or other parameters.
 */
#include "run/dryrun.h"

#include "codec/usage.h"

typedef struct forecaster {
    ledger *scope, *l;
    const run_setup *setup;
    run_forecast *out;
    ledger_judge judge;
    int64_t scope_judge_row, scope_embedder_row;
    int64_t since_ms;    /* answers done before it are asked again */
    int n_of_prompt;     /* samples of the prompt that are to be asked */
    bool knows_embedder; /* the ledger does */
    eh_arena *arena;     /* of one pair */
} forecaster;

typedef enum why_new { WHY_NEW, WHY_TEXT, WHY_JUDGE } why_new;

static eh_status why_pair_is_new(forecaster *f, const ledger_pair *pair,
                                 const ledger_texts *texts, why_new *why,
                                 eh_error *err) {
    *why = WHY_NEW;
    if (!f->l) return EH_STATUS_OK;
    dataset_pair row = {.question = texts->question,
                        .answer_1 = texts->answer_1,
                        .answer_2 = texts->answer_2,
                        .reference = texts->reference,
                        .short_question = texts->short_question,
                        .turns_json = texts->turns_json};
    uint8_t revision[16];
    bool other, asked;
    ledger_revision(&row, revision);
    EH_TRY(ledger_pair_was_asked(f->l, pair->pair_id, revision, f->judge.judge, &asked,
                                 err));
    if (asked) {
        *why = WHY_JUDGE;
        return EH_STATUS_OK;
    }
    EH_TRY(ledger_has_other_revision(f->l, pair->pair_id, revision, &other, err));
    if (other) *why = WHY_TEXT;
    return EH_STATUS_OK;
}

/* Marks a key as counted; *seen when another row had it. */
static eh_status mark_key(forecaster *f, const uint8_t key[HASH_BYTES], bool *seen,
                          eh_error *err) {
    int64_t row;
    EH_TRY(ledger_call_find(f->scope, key, &row, err));
    *seen = row != 0;
    if (*seen) return EH_STATUS_OK;
    ledger_call mark = {.key = key, .judge_row = f->scope_judge_row};
    return ledger_call_put(f->scope, &mark, &row, err);
}

static void add_tokens(forecaster *f, const run_prompt *prompt) {
    const prompt_rendered *r = &prompt->rendered;
    for (size_t i = 0; i < r->n_messages; i++) {
        if (f->n_of_prompt == 0)
            f->out->tokens_low += usage_estimate_low(r->messages[i].content);
        f->out->tokens_high += usage_estimate_high(r->messages[i].content);
    }
    f->n_of_prompt++;
}

static eh_status count_sample(forecaster *f, const run_prompt *prompt, int sample,
                              why_new why, int64_t judge_row, eh_error *err) {
    uint8_t key[HASH_BYTES];
    int64_t call_row = 0, done_ms;
    bool seen;
    run_key(f->setup, f->judge.params, prompt, sample, key);
    f->out->n_calls++;
    if (f->l) EH_TRY(ledger_call_done_ms(f->l, key, &call_row, &done_ms, err));
    if (call_row && done_ms >= f->since_ms) {
        f->out->n_reused++;
        return EH_STATUS_OK;
    }
    EH_TRY(mark_key(f, key, &seen, err));
    if (!seen) add_tokens(f, prompt);
    if (seen)
        f->out->n_same++;
    else if (call_row)
        f->out->n_refreshed++;
    else if (why == WHY_TEXT)
        f->out->n_text_changed++;
    else if (why == WHY_JUDGE && judge_row)
        f->out->n_more_samples++;
    else if (why == WHY_JUDGE)
        f->out->n_judge_changed++;
    else
        f->out->n_new++;
    return EH_STATUS_OK;
}

/* Counts a text that has no embedding, once; *has says whether the ledger has it. */
static eh_status count_text(forecaster *f, eh_str text, bool *has, eh_error *err) {
    uint8_t key[HASH_BYTES];
    ledger_embedding e;
    bool seen;
    *has = false;
    ledger_embedding_key(run_embedder_id(f->setup->embedder), text, key);
    if (f->knows_embedder) EH_TRY(ledger_embedding_get(f->l, key, NULL, &e, has, err));
    if (*has) return EH_STATUS_OK;
    EH_TRY(ledger_embedding_get(f->scope, key, NULL, &e, &seen, err));
    if (seen) return EH_STATUS_OK;
    f->out->n_texts++;
    f->out->text_tokens_low += usage_estimate_low(text);
    f->out->text_tokens_high += usage_estimate_high(text);
    e = (ledger_embedding){.key = key,
                           .embedder_row = f->scope_embedder_row,
                           .reason = VERDICT_REASON_UNSPECIFIED,
                           .prompt_tokens = -1};
    return ledger_embedding_put(f->scope, &e, err);
}

/* Counts what a pair may need; *has_all says whether all of it is in the ledger. */
static eh_status count_texts(forecaster *f, const ledger_texts *texts, bool *has_all,
                             eh_error *err) {
    bool needs = false;
    run_units u;
    *has_all = true;
    for (int stage = 0; stage < PLAN_MAX_STAGES && !needs; stage++)
        if (plan_has_stage(&f->setup->plan, stage))
            EH_TRY(run_prompt_needs(f->setup, texts, stage, f->arena, &needs, &u, err));
    for (int side = 0; needs && side < 2; side++)
        for (size_t i = 0; i < u.units[side].n; i++) {
            eh_str text = run_embed_text(&u.units[side], i);
            bool has = true;
            if (text.len) EH_TRY(count_text(f, text, &has, err));
            *has_all = *has_all && has;
        }
    return EH_STATUS_OK;
}

static eh_status count_pair(forecaster *f, const ledger_pair *pair, int64_t judge_row,
                            eh_error *err) {
    ledger_texts texts;
    why_new why;
    plan_ask asks[PLAN_MAX_ASKS];
    EH_TRY(ledger_pair_texts(f->scope, pair->row, &texts, f->arena, err));
    EH_TRY(why_pair_is_new(f, pair, &texts, &why, err));
    bool has_vectors;
    EH_TRY(count_texts(f, &texts, &has_vectors, err));
    size_t n_asks = plan_next(&f->setup->plan, NULL, 0, asks);
    for (size_t i = 0; i < n_asks; i++) {
        run_prompt prompt;
        if (!has_vectors && plan_stage_compares(&f->setup->plan, asks[i].stage)) {
            f->out->n_calls += asks[i].n_samples;
            f->out->n_unknown += asks[i].n_samples;
            continue;
        }
        run_asked of = {.pair = pair, .texts = &texts, .ask = &asks[i]};
        EH_TRY(run_prompt_make(f->setup, &of, f->arena, &prompt, err));
        f->n_of_prompt = 0;
        for (int s = 0; s < asks[i].n_samples; s++)
            EH_TRY(count_sample(f, &prompt, asks[i].samples[s], why, judge_row, err));
    }
    f->out->n_pairs++;
    return EH_STATUS_OK;
}

static eh_status count_all(forecaster *f, int64_t judge_row, eh_error *err) {
    int64_t after = -1;
    for (;;) {
        ledger_pair page[32];
        size_t n;
        arena_reset(f->arena);
        EH_TRY(ledger_pairs_page(f->scope, after, page, 32, &n, f->arena, err));
        if (n == 0) return EH_STATUS_OK;
        for (size_t i = 0; i < n; i++)
            EH_TRY(count_pair(f, &page[i], judge_row, err));
        after = page[n - 1].seq;
    }
}

/* The instant from which on answers are kept, as the engine would find it. */
static eh_status find_since(forecaster *f, int64_t judge_row,
                            const run_forecast_options *o, eh_error *err) {
    char options[LEDGER_RUN_OPTIONS_CHARS];
    ledger_run run =
        ledger_run_of(&f->setup->plan, f->setup->stream, judge_row, options);
    run_refresh_from from;
    int64_t run_row = 0;
    if (!f->l) return EH_STATUS_OK;
    if (judge_row) EH_TRY(ledger_run_find(f->l, &run, &run_row, err));
    EH_TRY(run_refresh_find(f->l, run_row, &o->refresh, clock_now_ms(&o->clock), &from,
                            err));
    f->since_ms = from.since_ms;
    return EH_STATUS_OK;
}

/* Embeddings are read from the ledger, and those that are missing noted in the scope.
 */
static eh_status use_embedder(forecaster *f, eh_error *err) {
    run_embedder *e = f->setup->embedder;
    int64_t row = 0;
    if (!e) return EH_STATUS_OK;
    if (f->l) EH_TRY(run_embedder_use(e, f->l, 0, err));
    if (f->l) EH_TRY(ledger_embedder_find(f->l, run_embedder_id(e), &row, err));
    f->knows_embedder = row != 0;
    return ledger_embedder_put(f->scope, run_embedder_id(e), &f->scope_embedder_row,
                               err);
}

eh_status run_forecast_make(ledger *scope, ledger *l, const run_setup *setup,
                            const run_forecast_options *options, run_forecast *forecast,
                            eh_error *err) {
    eh_arena arena, judge_arena;
    arena_init(&arena, (size_t)1 << 30);
    arena_init(&judge_arena, 64 << 20);
    *forecast = (run_forecast){0};
    forecaster f = {
        .scope = scope, .l = l, .setup = setup, .out = forecast, .arena = &arena};
    int64_t judge_row = 0;
    eh_status status = run_setup_judge(setup, &judge_arena, &f.judge, err);
    if (status == EH_STATUS_OK && l)
        status = ledger_judge_find(l, &f.judge, &judge_row, err);
    if (status == EH_STATUS_OK) status = find_since(&f, judge_row, options, err);
    if (status == EH_STATUS_OK)
        status = ledger_judge_put(scope, &f.judge, &f.scope_judge_row, err);
    if (status == EH_STATUS_OK) status = use_embedder(&f, err);
    if (status == EH_STATUS_OK) status = count_all(&f, judge_row, err);
    if (status == EH_STATUS_OK) status = ledger_commit(scope, err);
    arena_deinit(&arena);
    arena_deinit(&judge_arena);
    return status;
}
