/* SPDX-License-Identifier: MIT
 *
 * Calls, replies, verdicts and what links them to pairs.
 *
 * Stored verdicts are in slots, since one call may answer two pairs that hold the same
 * texts the other way round; ledger_samples turns them to the pair's answers by the
 * order that its ask names.
 */
#include <math.h>

#include "ledger/schema.h"

static eh_status put_reply(ledger *l, int64_t row, const ledger_call *call,
                           eh_error *err) {
    sqlite3_stmt *s;
    if (eh_str_is_absent(call->content) && eh_str_is_absent(call->reasoning) &&
        eh_str_is_absent(call->refusal))
        return EH_STATUS_OK;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_REPLY_INSERT, &s, err));
    (void)sqlite3_bind_int64(s, 1, row);
    ledger_bind_str(s, 2, call->content);
    ledger_bind_str(s, 3, call->reasoning);
    ledger_bind_str(s, 4, call->refusal);
    return ledger_stmt_done(l, s, err);
}

static eh_status put_logprobs(ledger *l, int64_t row, eh_str logprobs, eh_error *err) {
    sqlite3_stmt *s;
    if (eh_str_is_absent(logprobs)) return EH_STATUS_OK;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_LOGPROBS_INSERT, &s, err));
    (void)sqlite3_bind_int64(s, 1, row);
    ledger_bind_str(s, 2, logprobs);
    return ledger_stmt_done(l, s, err);
}

static eh_status put_sample(ledger *l, int64_t row, const verdict_result *r, int reader,
                            eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_SAMPLE_INSERT, &s, err));
    (void)sqlite3_bind_int64(s, 1, row);
    (void)sqlite3_bind_int(s, 2, (int)r->verdict);
    if (r->has_scores) {
        (void)sqlite3_bind_double(s, 3, r->score_1);
        if (r->verdict != EH_VERDICT_SCORED)
            (void)sqlite3_bind_double(s, 4, r->score_2);
    }
    if (r->likert) (void)sqlite3_bind_int(s, 5, r->likert);
    if (r->reason != VERDICT_REASON_NONE)
        (void)sqlite3_bind_text(s, 6, verdict_reason_name(r->reason), -1,
                                SQLITE_STATIC);
    (void)sqlite3_bind_int64(s, 7, r->warnings);
    (void)sqlite3_bind_int(s, 8, reader);
    return ledger_stmt_done(l, s, err);
}

static eh_status move_row(ledger *l, ledger_stmt id, int64_t from, int64_t to,
                          eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, id, &s, err));
    (void)sqlite3_bind_int64(s, 1, from);
    (void)sqlite3_bind_int64(s, 2, to);
    return ledger_stmt_done(l, s, err);
}

/* Moves a call with its reply and verdict to a new row and frees its own. The key gets
 * the new row's number behind it: longer than any key that is looked up, unique, and
 * its versions stand together in the index. */
static eh_status keep_old(ledger *l, int64_t row, const uint8_t key[HASH_BYTES],
                          eh_error *err) {
    sqlite3_stmt *s;
    int64_t kept_row;
    uint8_t kept_key[HASH_BYTES + 8];
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_CALL_NEXT_ROW, &s, err));
    EH_TRY(ledger_stmt_i64(l, s, &kept_row, err));
    memcpy(kept_key, key, HASH_BYTES);
    for (int i = 0; i < 8; i++)
        kept_key[HASH_BYTES + i] = (uint8_t)((uint64_t)kept_row >> (56 - 8 * i));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_CALL_KEEP_OLD, &s, err));
    (void)sqlite3_bind_int64(s, 1, row);
    (void)sqlite3_bind_int64(s, 2, kept_row);
    (void)sqlite3_bind_blob(s, 3, kept_key, sizeof kept_key, SQLITE_STATIC);
    EH_TRY(ledger_stmt_done(l, s, err));
    EH_TRY(move_row(l, LEDGER_STMT_REPLY_KEEP_OLD, row, kept_row, err));
    EH_TRY(move_row(l, LEDGER_STMT_LOGPROBS_KEEP_OLD, row, kept_row, err));
    EH_TRY(move_row(l, LEDGER_STMT_SAMPLE_KEEP_OLD, row, kept_row, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_CALL_DELETE, &s, err));
    (void)sqlite3_bind_int64(s, 1, row);
    return ledger_stmt_done(l, s, err);
}

eh_status ledger_call_put(ledger *l, const ledger_call *call, int64_t *call_row,
                          eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    if (call->replaces_row) EH_TRY(keep_old(l, call->replaces_row, call->key, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_CALL_INSERT, &s, err));
    (void)sqlite3_bind_blob(s, 1, call->key, HASH_BYTES, SQLITE_STATIC);
    (void)sqlite3_bind_int64(s, 2, call->judge_row);
    (void)sqlite3_bind_int64(s, 3, call->session_row);
    (void)sqlite3_bind_int(s, 4, call->stream);
    (void)sqlite3_bind_int(s, 5, call->sample);
    ledger_bind_str(s, 6, call->effective);
    ledger_bind_str(s, 7, call->model);
    ledger_bind_str(s, 8, call->fingerprint);
    ledger_bind_str(s, 9, call->finish_reason);
    (void)sqlite3_bind_int64(s, 10, call->done_ms);
    ledger_bind_known(s, 11, call->latency_ms);
    (void)sqlite3_bind_int64(s, 12, call->n_attempts);
    (void)sqlite3_bind_int64(s, 13, call->n_neutralised);
    ledger_bind_known(s, 14, call->prompt_tokens);
    ledger_bind_known(s, 15, call->cached_tokens);
    ledger_bind_known(s, 16, call->completion_tokens);
    ledger_bind_known(s, 17, call->reasoning_tokens);
    if (call->replaces_row) (void)sqlite3_bind_int64(s, 18, call->replaces_row);
    EH_TRY(ledger_stmt_done(l, s, err));
    *call_row = sqlite3_last_insert_rowid(l->db);
    EH_TRY(put_reply(l, *call_row, call, err));
    EH_TRY(put_logprobs(l, *call_row, call->logprobs, err));
    return put_sample(l, *call_row, &call->result, call->reader, err);
}

eh_status ledger_call_reply(ledger *l, const uint8_t key[HASH_BYTES], eh_arena *arena,
                            ledger_kept *kept, bool *found, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_CALL_REPLY, &s, err));
    (void)sqlite3_bind_blob(s, 1, key, HASH_BYTES, SQLITE_STATIC);
    EH_TRY(ledger_stmt_row(l, s, found, err));
    if (!*found) return EH_STATUS_OK;
    *kept = (ledger_kept){.prompt_tokens = ledger_column_known(s, 1),
                          .cached_tokens = ledger_column_known(s, 2),
                          .completion_tokens = ledger_column_known(s, 3),
                          .reasoning_tokens = ledger_column_known(s, 4)};
    bool copied = arena_copy(arena, ledger_column_str(s, 0), &kept->finish_reason) &&
                  arena_copy(arena, ledger_column_str(s, 5), &kept->content) &&
                  arena_copy(arena, ledger_column_str(s, 6), &kept->refusal);
    (void)sqlite3_reset(s);
    return copied ? EH_STATUS_OK : EH_NOMEM(err);
}

eh_status ledger_sample_replace(ledger *l, int64_t call_row,
                                const verdict_result *result, int reader,
                                eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_SAMPLE_DELETE, &s, err));
    (void)sqlite3_bind_int64(s, 1, call_row);
    EH_TRY(ledger_stmt_done(l, s, err));
    return put_sample(l, call_row, result, reader, err);
}

/* Columns in the order of REPLIES_PAGE; false when the arena is full. */
static bool read_reply(sqlite3_stmt *s, eh_arena *arena, ledger_reply *r) {
    *r = (ledger_reply){
        .call_row = sqlite3_column_int64(s, 0),
        .result = {.verdict = (eh_verdict)sqlite3_column_int(s, 6),
                   .has_scores = sqlite3_column_type(s, 7) != SQLITE_NULL,
                   .score_1 = sqlite3_column_double(s, 7),
                   .score_2 = sqlite3_column_double(s, 8),
                   .likert = sqlite3_column_int(s, 9),
                   .warnings = (uint32_t)sqlite3_column_int64(s, 11)},
        .reader = sqlite3_column_int(s, 12),
    };
    if (r->result.verdict == EH_VERDICT_NONE)
        r->result.reason = verdict_reason_parse(ledger_column_str(s, 10));
    eh_str *texts[] = {&r->judge, &r->template_text, &r->content, &r->refusal,
                       &r->finish_reason};
    for (int i = 0; i < 5; i++)
        if (!arena_copy(arena, ledger_column_str(s, 1 + i), texts[i])) return false;
    return true;
}

eh_status ledger_replies_page(ledger *l, int64_t after_row, ledger_reply *replies,
                              size_t cap, size_t *n, eh_arena *arena, eh_error *err) {
    sqlite3_stmt *s;
    *n = 0;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_REPLIES_PAGE, &s, err));
    (void)sqlite3_bind_int64(s, 1, after_row);
    (void)sqlite3_bind_int64(s, 2, (int64_t)cap);
    for (bool got = true; got;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        if (got && !read_reply(s, arena, &replies[(*n)++])) {
            (void)sqlite3_reset(s);
            return EH_NOMEM(err);
        }
    }
    return EH_STATUS_OK;
}

eh_status ledger_call_done_ms(ledger *l, const uint8_t key[HASH_BYTES],
                              int64_t *call_row, int64_t *done_ms, eh_error *err) {
    sqlite3_stmt *s;
    bool got;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_CALL_FIND, &s, err));
    (void)sqlite3_bind_blob(s, 1, key, HASH_BYTES, SQLITE_STATIC);
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    *call_row = got ? sqlite3_column_int64(s, 0) : 0;
    *done_ms = got ? sqlite3_column_int64(s, 1) : -1;
    (void)sqlite3_reset(s);
    return EH_STATUS_OK;
}

eh_status ledger_call_find(ledger *l, const uint8_t key[HASH_BYTES], int64_t *call_row,
                           eh_error *err) {
    int64_t done_ms;
    return ledger_call_done_ms(l, key, call_row, &done_ms, err);
}

eh_status ledger_ask_put(ledger *l, const ledger_ask *ask, int64_t call_row,
                         eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ASK_INSERT, &s, err));
    (void)sqlite3_bind_int64(s, 1, ask->judge_row);
    (void)sqlite3_bind_int(s, 2, ask->stream);
    (void)sqlite3_bind_int64(s, 3, ask->pair_row);
    (void)sqlite3_bind_int(s, 4, (int)ask->order);
    (void)sqlite3_bind_int(s, 5, ask->sample);
    (void)sqlite3_bind_int64(s, 6, call_row);
    (void)sqlite3_bind_int(s, 7, ask->stage_code);
    return ledger_stmt_done(l, s, err);
}

plan_sample ledger_sample_of(sqlite3_stmt *s) {
    eh_order order = (eh_order)sqlite3_column_int(s, 0);
    bool swap = order == EH_ORDER_21;
    int rating = sqlite3_column_int(s, 5);
    plan_sample p = {
        .stage_code = sqlite3_column_int(s, 7),
        .order = order,
        .sample = sqlite3_column_int(s, 1),
        .verdict = eh_verdict_unswap((eh_verdict)sqlite3_column_int(s, 2), order),
        .has_scores = sqlite3_column_type(s, 3) != SQLITE_NULL,
        .score_1 = sqlite3_column_double(s, swap ? 4 : 3),
        .score_2 = sqlite3_column_double(s, swap ? 3 : 4),
        .has_rating = rating != 0,
        .signed_rating = rating == 0 ? 0
                         : swap      ? rating - 3
                                     : 3 - rating,
    };
    if (p.verdict == EH_VERDICT_NONE)
        p.reason = verdict_reason_parse(ledger_column_str(s, 6));
    return p;
}

eh_status ledger_samples(ledger *l, const ledger_ask *whose, int64_t since_ms,
                         plan_sample *samples, size_t cap, size_t *n, eh_error *err) {
    if (l->held && whose->stream == 0 && !since_ms)
        return held_samples(l->held, whose->judge_row, whose->pair_row, samples, cap, n,
                            err);
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(
        l, since_ms ? LEDGER_STMT_SAMPLES_SINCE : LEDGER_STMT_SAMPLES, &s, err));
    (void)sqlite3_bind_int64(s, 1, whose->judge_row);
    (void)sqlite3_bind_int(s, 2, whose->stream);
    (void)sqlite3_bind_int64(s, 3, whose->pair_row);
    (void)sqlite3_bind_int64(s, 4, (int64_t)cap);
    if (since_ms) (void)sqlite3_bind_int64(s, 5, since_ms);
    *n = 0;
    for (bool got = true; got;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        if (got) samples[(*n)++] = ledger_sample_of(s);
    }
    return EH_STATUS_OK;
}

eh_status ledger_plain_tokens(ledger *l, const ledger_ask *ask, int64_t *n_tokens,
                              eh_error *err) {
    sqlite3_stmt *s;
    bool got;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_PLAIN_TOKENS, &s, err));
    (void)sqlite3_bind_int64(s, 1, ask->judge_row);
    (void)sqlite3_bind_int(s, 2, ask->stream);
    (void)sqlite3_bind_int64(s, 3, ask->pair_row);
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    bool known = got && sqlite3_column_type(s, 0) != SQLITE_NULL;
    *n_tokens = known ? sqlite3_column_int64(s, 0) : 0;
    (void)sqlite3_reset(s);
    return EH_STATUS_OK;
}

eh_status ledger_hold(ledger *l, int64_t judge_row, int64_t pair_row,
                      const plan_sample *sample, bool *is_full, eh_error *err) {
    return held_put(l->held, judge_row, pair_row, sample, is_full, err);
}

eh_status ledger_judge_extent(ledger *l, int64_t judge_row, int *k, unsigned *orders,
                              eh_error *err) {
    if (l->held) {
        held_judge_extent(l->held, judge_row, k, orders);
        return EH_STATUS_OK;
    }
    sqlite3_stmt *s;
    bool got;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_JUDGE_EXTENT, &s, err));
    (void)sqlite3_bind_int64(s, 1, judge_row);
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    *k = sqlite3_column_int(s, 0);
    *orders = (sqlite3_column_int(s, 1) ? PLAN_ORDER_BIT(EH_ORDER_12) : 0) |
              (sqlite3_column_int(s, 2) ? PLAN_ORDER_BIT(EH_ORDER_21) : 0);
    (void)sqlite3_reset(s);
    return EH_STATUS_OK;
}

eh_status ledger_ask_verdict(ledger *l, const ledger_ask *ask, bool *found,
                             eh_verdict *verdict, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ASK_VERDICT, &s, err));
    (void)sqlite3_bind_int64(s, 1, ask->judge_row);
    (void)sqlite3_bind_int(s, 2, ask->stream);
    (void)sqlite3_bind_int64(s, 3, ask->pair_row);
    (void)sqlite3_bind_int(s, 4, (int)ask->order);
    (void)sqlite3_bind_int(s, 5, ask->sample);
    (void)sqlite3_bind_int(s, 6, ask->stage_code);
    EH_TRY(ledger_stmt_row(l, s, found, err));
    *verdict = *found
                   ? eh_verdict_unswap((eh_verdict)sqlite3_column_int(s, 0), ask->order)
                   : EH_VERDICT_NONE;
    (void)sqlite3_reset(s);
    return EH_STATUS_OK;
}

eh_status ledger_pair_was_asked(ledger *l, eh_str pair_id, const uint8_t revision[16],
                                eh_str judge_id, bool *was_asked, eh_error *err) {
    sqlite3_stmt *s;
    int64_t found;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_PAIR_WAS_ASKED, &s, err));
    ledger_bind_str(s, 1, pair_id);
    (void)sqlite3_bind_blob(s, 2, revision, 16, SQLITE_STATIC);
    ledger_bind_str(s, 3, judge_id);
    EH_TRY(ledger_stmt_i64(l, s, &found, err));
    *was_asked = found != 0;
    return EH_STATUS_OK;
}

eh_status ledger_attempt_put(ledger *l, int64_t session_row, const ledger_ask *ask,
                             int64_t at_ms, eh_str message, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_ATTEMPT_INSERT, &s, err));
    (void)sqlite3_bind_int64(s, 1, session_row);
    (void)sqlite3_bind_int64(s, 2, ask->judge_row);
    (void)sqlite3_bind_int64(s, 3, ask->pair_row);
    (void)sqlite3_bind_int(s, 4, (int)ask->order);
    (void)sqlite3_bind_int(s, 5, ask->sample);
    (void)sqlite3_bind_int64(s, 6, at_ms);
    ledger_bind_str(s, 7, message);
    (void)sqlite3_bind_int(s, 8, ask->stage_code);
    return ledger_stmt_done(l, s, err);
}

eh_status ledger_scale(ledger *l, int64_t judge_row, plan_scale *scale, eh_error *err) {
    if (l->held) {
        *scale = held_scale(l->held, judge_row);
        return EH_STATUS_OK;
    }
    sqlite3_stmt *s;
    bool got;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_SCORE_COUNTS, &s, err));
    (void)sqlite3_bind_int64(s, 1, judge_row);
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    *scale = plan_scale_of(sqlite3_column_int64(s, 0), sqlite3_column_int64(s, 1),
                           sqlite3_column_int64(s, 2));
    (void)sqlite3_reset(s);
    return EH_STATUS_OK;
}

/* A sum whose parts are all known, or -1. */
static int64_t known_sum(sqlite3_stmt *s, int count_column, int64_t n_all) {
    if (n_all == 0 || sqlite3_column_int64(s, count_column) != n_all) return -1;
    return sqlite3_column_int64(s, count_column + 1);
}

eh_status ledger_plan_stmt(ledger *l, ledger_stmt id, int64_t judge_row,
                           const plan_spec *plan, sqlite3_stmt **stmt, eh_error *err) {
    EH_TRY(ledger_stmt_get(l, id, stmt, err));
    (void)sqlite3_bind_int64(*stmt, 1, judge_row);
    (void)sqlite3_bind_int(*stmt, 2, plan->k);
    (void)sqlite3_bind_int(*stmt, 3, (int)plan->orders);
    for (int stage = 0; stage < PLAN_MAX_STAGES; stage++)
        (void)sqlite3_bind_int(
            *stmt, 4 + stage,
            plan_has_stage(plan, stage) ? plan_stage_code(plan, stage) : -1);
    (void)sqlite3_bind_int(*stmt, 7, plan->always || plan_n_stages(plan) == 1);
    (void)sqlite3_bind_int(*stmt, 9, 0); /* the main stream */
    return EH_STATUS_OK;
}

eh_status ledger_usage_row(ledger *l, sqlite3_stmt *s, ledger_usage *sum,
                           eh_error *err) {
    bool got;
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    int64_t n = sqlite3_column_int64(s, 0);
    *sum = (ledger_usage){
        .n_calls = n,
        .prompt_tokens = known_sum(s, 1, n),
        .cached_tokens = known_sum(s, 3, n),
        .completion_tokens = known_sum(s, 5, n),
        .reasoning_tokens = known_sum(s, 7, n),
    };
    (void)sqlite3_reset(s);
    return EH_STATUS_OK;
}

eh_status ledger_stage_usage_sum(ledger *l, int64_t judge_row, const plan_spec *plan,
                                 int stage, ledger_usage *sum, eh_error *err) {
    if (l->held) {
        *sum = (ledger_usage){0, -1, -1, -1, -1};
        if (stage > 0) return EH_STATUS_OK; /* recorded are plain pairs only */
        return held_count_calls(l->held, judge_row, plan, &sum->n_calls, err);
    }
    sqlite3_stmt *s;
    EH_TRY(ledger_plan_stmt(l, LEDGER_STMT_USAGE_SUM, judge_row, plan, &s, err));
    if (stage >= 0) (void)sqlite3_bind_int(s, 8, plan_stage_code(plan, stage));
    return ledger_usage_row(l, s, sum, err);
}

eh_status ledger_stream_usage_sum(ledger *l, int64_t judge_row, const plan_spec *plan,
                                  int stream, ledger_usage *sum, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_plan_stmt(l, LEDGER_STMT_USAGE_SUM, judge_row, plan, &s, err));
    (void)sqlite3_bind_int(s, 9, stream);
    return ledger_usage_row(l, s, sum, err);
}

eh_status ledger_stream_dates(ledger *l, int64_t judge_row, const plan_spec *plan,
                              int stream, int64_t *first_ms, int64_t *last_ms,
                              eh_error *err) {
    sqlite3_stmt *s;
    bool got;
    *first_ms = *last_ms = -1;
    EH_TRY(ledger_plan_stmt(l, LEDGER_STMT_STREAM_DATES, judge_row, plan, &s, err));
    (void)sqlite3_bind_int(s, 9, stream);
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    if (sqlite3_column_type(s, 0) != SQLITE_NULL) {
        *first_ms = sqlite3_column_int64(s, 0);
        *last_ms = sqlite3_column_int64(s, 1);
    }
    (void)sqlite3_reset(s);
    return EH_STATUS_OK;
}

eh_status ledger_usage_sum(ledger *l, int64_t judge_row, const plan_spec *plan,
                           ledger_usage *sum, eh_error *err) {
    return ledger_stage_usage_sum(l, judge_row, plan, -1, sum, err);
}

eh_status ledger_judge_seconds(ledger *l, int64_t judge_row, const plan_spec *plan,
                               double *seconds, eh_error *err) {
    sqlite3_stmt *s;
    bool got;
    *seconds = NAN;
    if (l->held) return EH_STATUS_OK;
    EH_TRY(ledger_plan_stmt(l, LEDGER_STMT_JUDGE_TIME, judge_row, plan, &s, err));
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    int64_t ms = known_sum(s, 1, sqlite3_column_int64(s, 0));
    *seconds = ms < 0 ? (double)NAN : (double)ms / 1000;
    (void)sqlite3_reset(s);
    return EH_STATUS_OK;
}

eh_status ledger_models(ledger *l, const ledger_ask *of, const plan_spec *plan,
                        eh_arena *arena, ledger_model **models, size_t *n,
                        eh_error *err) {
    sqlite3_stmt *s;
    size_t cap = 0;
    *n = 0;
    *models = arena_grow(arena, NULL, 0, &cap, sizeof **models);
    if (!*models) return EH_NOMEM(err);
    if (l->held) {
        int64_t *n_calls = &(*models)[0].n_calls;
        EH_TRY(held_count_calls(l->held, of->judge_row, plan, n_calls, err));
        *n = *n_calls > 0;
        return EH_STATUS_OK;
    }
    EH_TRY(ledger_plan_stmt(l, LEDGER_STMT_MODELS, of->judge_row, plan, &s, err));
    (void)sqlite3_bind_int(s, 9, of->stream);
    for (bool got = true; got;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        if (!got) break;
        *models = arena_grow(arena, *models, *n, &cap, sizeof **models);
        ledger_model *m = *models ? &(*models)[*n] : NULL;
        if (!m || !arena_copy(arena, ledger_column_str(s, 0), &m->model) ||
            !arena_copy(arena, ledger_column_str(s, 1), &m->fingerprint)) {
            (void)sqlite3_reset(s);
            return EH_NOMEM(err);
        }
        m->n_calls = sqlite3_column_int64(s, 2);
        (*n)++;
    }
    return EH_STATUS_OK;
}

static eh_status count_by_judge(ledger *l, ledger_stmt id, int64_t judge_row,
                                int64_t *n, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, id, &s, err));
    (void)sqlite3_bind_int64(s, 1, judge_row);
    return ledger_stmt_i64(l, s, n, err);
}

eh_status ledger_timing_sum(ledger *l, int64_t judge_row, ledger_timing *timing,
                            eh_error *err) {
    if (l->held) {
        int64_t n = held_count_rows(l->held, judge_row);
        *timing = (ledger_timing){.n_calls = n,
                                  .n_attempts = n,
                                  .first_ms = -1,
                                  .last_ms = -1,
                                  .mean_latency_ms = NAN};
        return EH_STATUS_OK;
    }
    sqlite3_stmt *s;
    bool got;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_TIMING_SUM, &s, err));
    (void)sqlite3_bind_int64(s, 1, judge_row);
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    bool any = sqlite3_column_int64(s, 0) > 0;
    *timing = (ledger_timing){
        .n_calls = sqlite3_column_int64(s, 0),
        .n_attempts = sqlite3_column_int64(s, 1),
        .first_ms = any ? sqlite3_column_int64(s, 2) : -1,
        .last_ms = any ? sqlite3_column_int64(s, 3) : -1,
        .mean_latency_ms = sqlite3_column_type(s, 4) == SQLITE_NULL
                               ? NAN
                               : sqlite3_column_double(s, 4),
    };
    (void)sqlite3_reset(s);
    EH_TRY(count_by_judge(l, LEDGER_STMT_TIMING_SESSIONS, judge_row,
                          &timing->n_sessions, err));
    return count_by_judge(l, LEDGER_STMT_TIMING_NO_RESULT, judge_row,
                          &timing->n_no_result, err);
}

eh_status ledger_requests_add(ledger *l, int64_t session_row, int64_t judge_row,
                              const ledger_requests *r, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_REQUEST_ADD, &s, err));
    (void)sqlite3_bind_int64(s, 1, session_row);
    (void)sqlite3_bind_int64(s, 2, judge_row);
    ledger_bind_str(s, 3, r->outcome);
    (void)sqlite3_bind_int64(s, 4, r->n);
    return ledger_stmt_done(l, s, err);
}

eh_status ledger_requests_sum(ledger *l, int64_t judge_row, eh_arena *arena,
                              ledger_requests **sums, size_t *n, eh_error *err) {
    sqlite3_stmt *s;
    int64_t cap, is_there;
    *n = 0;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_REQUEST_IS_THERE, &s, err));
    EH_TRY(ledger_stmt_i64(l, s, &is_there, err));
    if (!is_there) return EH_STATUS_OK; /* read only, and of an earlier version */
    EH_TRY(count_by_judge(l, LEDGER_STMT_REQUEST_KINDS, judge_row, &cap, err));
    *sums = arena_zalloc(arena, (size_t)cap + 1, sizeof **sums);
    if (!*sums) return EH_NOMEM(err);
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_REQUEST_SUM, &s, err));
    (void)sqlite3_bind_int64(s, 1, judge_row);
    for (bool got = true; got;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        if (!got || *n == (size_t)cap) break;
        ledger_requests *r = &(*sums)[(*n)++];
        r->n = sqlite3_column_int64(s, 1);
        if (arena_copy(arena, ledger_column_str(s, 0), &r->outcome)) continue;
        (void)sqlite3_reset(s);
        return EH_NOMEM(err);
    }
    (void)sqlite3_reset(s);
    return EH_STATUS_OK;
}
