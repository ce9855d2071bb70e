/* SPDX-License-Identifier: MIT
 *
 * Asking for embeddings.
 *
 *   units of a pair --key--> in the ledger?   yes: nothing to do
 *                                no: under way for another pair?  yes: wait with it
 *                                        no: into a list of up to 64 texts --> endpoint
 *
 * A text that an endpoint refuses for good (too long, filtered) is kept with its reason
 * and not asked again; a call that gave nothing is not kept. Vectors of one embedder
 * all have one length: a model that was changed behind its name stops the run, because
 * cosines of old and new vectors mean nothing.
 *
 * Left out: splitting texts that are too long for the embedder, and refreshing: a model
 * gives a text the same vector today and tomorrow.
 */
#include "run/embed.h"

#include <stdio.h>

#include "base/mem.h"
#include "codec/usage.h"

enum {
    OPEN_MAX = 4096,            /* texts under way, but for one pair alone */
    PAIR_MAX = 4096,            /* texts of one pair: more units than are aligned */
    LIST_MAX_BYTES = 256 << 10, /* of one request */
    ARENA_MAX_BYTES = 64 << 20,
    WAIT_MS = 1000
};
#define NOBODY ((size_t)-1)

/* A text that a pair waits for. Followers wait for the same key. */
typedef struct waiting {
    uint8_t key[HASH_BYTES];
    size_t ticket; /* of the pair; NOBODY where it was given up */
    uint64_t list; /* the request that asks for it, and its place there */
    int sample;
    bool follows;
    int64_t worst_nusd;
} waiting;

struct run_embedder {
    judge *j;
    eh_clock clock;
    ledger *l;
    int64_t row, session_row;
    size_t n_dims; /* 0 = not known yet */
    price_budget *budget;
    const price_row *price;
    waiting *waits; /* [n_waits] unordered */
    size_t n_waits;
    uint64_t n_lists;
    eh_arena arena; /* for one want */
};

/* ---- opening ---- */

eh_status run_embedder_open(eh_str spec, const judge_open_args *args,
                            run_embedder **out, eh_error *err) {
    *out = NULL;
    run_embedder *e = mem_zalloc(1, sizeof *e);
    if (!e) return EH_NOMEM(err);
    arena_init(&e->arena, ARENA_MAX_BYTES);
    e->clock = args->clock;
    e->waits = mem_zalloc(OPEN_MAX + PAIR_MAX, sizeof *e->waits);
    eh_status status = EH_STATUS_OK;
    if (!e->waits) {
        (void)EH_NOMEM(err);
        status = EH_STATUS_NOMEM;
    }
    if (status == EH_STATUS_OK) status = judge_open_embedder(spec, args, &e->j, err);
    if (status == EH_STATUS_OK)
        *out = e;
    else
        run_embedder_close(e);
    return status;
}

void run_embedder_close(run_embedder *e) {
    if (!e) return;
    judge_close(e->j);
    mem_free(e->waits);
    arena_deinit(&e->arena);
    mem_free(e);
}

eh_str run_embedder_id(const run_embedder *e) {
    return e->j->id;
}

eh_status run_embedder_use(run_embedder *e, ledger *l, int64_t session_row,
                           eh_error *err) {
    ledger_embedding_sum sum;
    e->l = l;
    e->session_row = session_row;
    EH_TRY(session_row ? ledger_embedder_put(l, e->j->id, &e->row, err)
                       : ledger_embedder_find(l, e->j->id, &e->row, err));
    EH_TRY(ledger_embeddings_sum(l, e->j->id, &sum, err));
    e->n_dims = (size_t)sum.n_dims;
    return EH_STATUS_OK;
}

void run_embedder_budget(run_embedder *e, price_budget *budget, const price_row *row) {
    e->budget = budget;
    e->price = row;
}

size_t run_embed_n_open(const run_embedder *e) {
    return e->n_waits;
}

eh_str run_embed_text(const align_units *units, size_t unit) {
    return align_unit_text(units, unit);
}

/* ---- wanting ---- */

/* Texts of a pair that the ledger does not have. */
typedef struct missing {
    eh_str *texts;  /* [n] */
    waiting *waits; /* [n] */
    size_t n;
    int64_t worst_nusd;
} missing;

static const waiting *find_key(const waiting *waits, size_t n,
                               const uint8_t key[HASH_BYTES]) {
    for (size_t i = 0; i < n; i++)
        if (memcmp(waits[i].key, key, HASH_BYTES) == 0) return &waits[i];
    return NULL;
}

static eh_status add_missing(run_embedder *e, size_t ticket, eh_str text, missing *m,
                             eh_error *err) {
    waiting w = {.ticket = ticket};
    ledger_embedding known;
    bool found = false;
    ledger_embedding_key(e->j->id, text, w.key);
    if (e->row) EH_TRY(ledger_embedding_get(e->l, w.key, NULL, &known, &found, err));
    if (found || find_key(m->waits, m->n, w.key)) return EH_STATUS_OK;
    w.follows = find_key(e->waits, e->n_waits, w.key) != NULL;
    if (!w.follows && e->budget) {
        judge_usage most = {.prompt_tokens = usage_estimate_high(text),
                            .cached_tokens = -1,
                            .reasoning_tokens = -1};
        w.worst_nusd = price_cost_nusd(e->price, &most);
        m->worst_nusd += w.worst_nusd;
    }
    m->texts[m->n] = text;
    m->waits[m->n++] = w;
    return EH_STATUS_OK;
}

static eh_status find_missing(run_embedder *e, size_t ticket,
                              const align_units units[2], missing *m, eh_error *err) {
    size_t n_units = units[0].n + units[1].n;
    *m = (missing){.texts = arena_zalloc(&e->arena, n_units + 1, sizeof *m->texts),
                   .waits = arena_zalloc(&e->arena, n_units + 1, sizeof *m->waits)};
    if (!m->texts || !m->waits) return EH_NOMEM(err);
    for (int side = 0; side < 2; side++)
        for (size_t u = 0; u < units[side].n; u++) {
            eh_str text = run_embed_text(&units[side], u);
            if (text.len) EH_TRY(add_missing(e, ticket, text, m, err));
        }
    return EH_STATUS_OK;
}

/* Sends the texts that nobody has asked for yet, in lists. The transport copies them.
 */
static eh_status send_lists(run_embedder *e, missing *m, eh_error *err) {
    for (size_t at = 0; at < m->n;) {
        eh_str inputs[JUDGE_MAX_INPUTS];
        int samples[JUDGE_MAX_INPUTS];
        size_t n = 0, n_bytes = 0;
        uint64_t list = e->n_lists++;
        for (; at < m->n && n < JUDGE_MAX_INPUTS; at++) {
            waiting *w = &m->waits[at];
            if (w->follows) continue;
            if (n && n_bytes + m->texts[at].len > LIST_MAX_BYTES) break;
            n_bytes += m->texts[at].len;
            w->list = list;
            w->sample = samples[n] = (int)n;
            inputs[n++] = m->texts[at];
            if (e->budget) price_reserve(e->budget, w->worst_nusd);
        }
        judge_request request = {.ticket = list,
                                 .samples = samples,
                                 .n_samples = (int)n,
                                 .inputs = inputs,
                                 .n_inputs = n};
        if (n) EH_TRY(judge_submit(e->j, &request, err));
    }
    return EH_STATUS_OK;
}

eh_status run_embed_want(run_embedder *e, size_t ticket, const align_units units[2],
                         run_embed_state *state, eh_error *err) {
    missing m;
    arena_reset(&e->arena);
    EH_TRY(find_missing(e, ticket, units, &m, err));
    *state = RUN_EMBED_READY;
    if (m.n == 0) return EH_STATUS_OK;
    *state = RUN_EMBED_FULL;
    if (m.n > PAIR_MAX)
        return EH_FAIL(err, EH_STATUS_TOO_BIG,
                       "%zu texts of one pair are too many to embed", m.n);
    if (e->n_waits && e->n_waits + m.n > OPEN_MAX) return EH_STATUS_OK;
    *state = RUN_EMBED_BUDGET;
    if (e->budget && !price_fits(e->budget, m.worst_nusd)) return EH_STATUS_OK;
    *state = RUN_EMBED_WAIT;
    EH_TRY(send_lists(e, &m, err));
    memcpy(e->waits + e->n_waits, m.waits, m.n * sizeof *m.waits);
    e->n_waits += m.n;
    return EH_STATUS_OK;
}

/* ---- taking ---- */

static waiting *find_asked(run_embedder *e, const judge_reply *reply) {
    for (size_t i = 0; i < e->n_waits; i++) {
        waiting *w = &e->waits[i];
        if (!w->follows && w->list == reply->ticket && w->sample == reply->sample)
            return w;
    }
    return NULL;
}

static eh_status put_vector(run_embedder *e, const waiting *w, const judge_reply *reply,
                            eh_error *err) {
    bool has_vector = reply->outcome == JUDGE_OUTCOME_REPLY;
    if (has_vector && e->n_dims && e->n_dims != reply->n_dims)
        return EH_FAIL(err, EH_STATUS_ENDPOINT,
                       "%.*s gives vectors of %zu numbers, where it gave %zu before: "
                       "the model has changed",
                       EH_STR_ARG(e->j->id), reply->n_dims, e->n_dims);
    if (has_vector) e->n_dims = reply->n_dims;
    ledger_embedding row = {
        .key = w->key,
        .embedder_row = e->row,
        .session_row = e->session_row,
        .vector = has_vector ? reply->vector : NULL,
        .n_dims = has_vector ? reply->n_dims : 0,
        .reason = has_vector ? VERDICT_REASON_NONE : reply->recorded.reason,
        .model = reply->model,
        .prompt_tokens = reply->usage.prompt_tokens,
        .done_ms = clock_now_ms(&e->clock),
    };
    return ledger_embedding_put(e->l, &row, err);
}

static void settle_money(run_embedder *e, const waiting *w, const judge_reply *reply) {
    bool is_billed =
        reply->outcome == JUDGE_OUTCOME_REPLY || reply->usage.prompt_tokens >= 0;
    if (e->budget)
        price_settle_at(e->budget, e->price, w->worst_nusd,
                        is_billed ? &reply->usage : NULL, reply->n_lost);
}

static bool is_waiting(const run_embedder *e, size_t ticket) {
    for (size_t i = 0; i < e->n_waits; i++)
        if (e->waits[i].ticket == ticket) return true;
    return false;
}

/* Everybody who waits for a key waits no longer for it. A pair whose text gave no
 * result waits for nothing any more. */
static eh_status settle_key(run_embedder *e, const uint8_t key[HASH_BYTES],
                            const run_embed_end *how, run_embed_fn *fn, void *self,
                            eh_error *err) {
    for (size_t i = 0; i < e->n_waits;) {
        run_embed_end end = *how;
        if (memcmp(e->waits[i].key, key, HASH_BYTES) != 0) {
            i++;
            continue;
        }
        end.ticket = e->waits[i].ticket;
        e->waits[i] = e->waits[--e->n_waits];
        if (end.ticket == NOBODY) continue;
        for (size_t k = 0; !end.has_all && k < e->n_waits; k++)
            if (e->waits[k].ticket == end.ticket) e->waits[k].ticket = NOBODY;
        if (!is_waiting(e, end.ticket)) EH_TRY(fn(self, &end, err));
    }
    return EH_STATUS_OK;
}

static eh_status take_reply(run_embedder *e, const judge_reply *reply, run_embed_fn *fn,
                            void *self, run_embed_took *took, eh_error *err) {
    const waiting *w = find_asked(e, reply);
    if (!w)
        return EH_FAIL(err, EH_STATUS_ENDPOINT,
                       "the embedder answered what was not asked");
    bool is_result =
        reply->outcome == JUDGE_OUTCOME_REPLY || reply->outcome == JUDGE_OUTCOME_FAILED;
    run_embed_end how = {.has_all = is_result,
                         .is_stop = reply->outcome == JUDGE_OUTCOME_STOP,
                         .message = reply->message};
    uint8_t key[HASH_BYTES];
    memcpy(key, w->key, sizeof key);
    for (int i = 0; i < reply->requests.n_kinds; i++)
        judge_tally_add(&took->requests, reply->requests.outcomes[i],
                        reply->requests.n[i]);
    settle_money(e, w, reply);
    if (is_result) {
        EH_TRY(put_vector(e, w, reply, err));
        took->n_put++;
    }
    return settle_key(e, key, &how, fn, self, err);
}

eh_status run_embed_poll(run_embedder *e, int64_t timeout_ms, run_embed_fn *fn,
                         void *self, run_embed_took *took, eh_error *err) {
    *took = (run_embed_took){0};
    for (bool got = true; got && e->n_waits;) {
        judge_reply reply;
        EH_TRY(judge_poll(e->j, timeout_ms, &reply, &got, err));
        if (got) EH_TRY(take_reply(e, &reply, fn, self, took, err));
        timeout_ms = 0;
    }
    return EH_STATUS_OK;
}

void run_embed_halt(run_embedder *e) {
    judge_halt(e->j);
}

/* ---- using ---- */

/* The vectors of one answer's units, [n][n_dims]; *has_all is false where one was
 * refused. */
static eh_status load_vectors(run_embedder *e, const align_units *units,
                              eh_arena *arena, float **vectors, bool *has_all,
                              eh_error *err) {
    *vectors = arena_zalloc(arena, units->n * e->n_dims + 1, sizeof **vectors);
    if (!*vectors) return EH_NOMEM(err);
    for (size_t u = 0; u < units->n && *has_all; u++) {
        uint8_t key[HASH_BYTES];
        ledger_embedding known;
        bool found;
        eh_str text = run_embed_text(units, u);
        if (text.len == 0) continue;
        ledger_embedding_key(e->j->id, text, key);
        arena_reset(&e->arena);
        EH_TRY(ledger_embedding_get(e->l, key, &e->arena, &known, &found, err));
        if (!found || (known.vector && known.n_dims != e->n_dims))
            return EH_FAIL(err, EH_STATUS_LEDGER, "an embedding of %.*s is missing",
                           EH_STR_ARG(e->j->id));
        if (known.vector)
            memcpy(*vectors + u * e->n_dims, known.vector,
                   e->n_dims * sizeof *known.vector);
        else
            *has_all = false;
    }
    return EH_STATUS_OK;
}

eh_status run_embed_similarity(run_embedder *e, const align_pair *pair, eh_arena *arena,
                               align_similarity **similarity, eh_error *err) {
    float *vectors_1, *vectors_2;
    bool has_all = true;
    *similarity = NULL;
    EH_TRY(load_vectors(e, pair->units_1, arena, &vectors_1, &has_all, err));
    EH_TRY(load_vectors(e, pair->units_2, arena, &vectors_2, &has_all, err));
    if (!has_all) return EH_STATUS_OK;
    align_vectors vectors = {vectors_1, vectors_2, e->n_dims};
    return align_similarity_vectors(pair, &vectors, arena, similarity, err);
}

/* Keeps what run_embed_now has to tell. */
static eh_status note_end(void *self, const run_embed_end *end, eh_error *err) {
    bool *done = self;
    *done = true;
    if (end->has_all) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_ENDPOINT, "%.*s", EH_STR_ARG(end->message));
}

eh_status run_embed_now(run_embedder *e, const align_units units[2], eh_error *err) {
    run_embed_state state;
    bool done;
    EH_TRY(run_embed_want(e, 0, units, &state, err));
    done = state == RUN_EMBED_READY;
    while (!done) {
        run_embed_took took;
        EH_TRY(run_embed_poll(e, WAIT_MS, note_end, &done, &took, err));
    }
    return EH_STATUS_OK;
}
