/* SPDX-License-Identifier: MIT
 *
 * Embeddings of the units of answers, from an endpoint, kept in the ledger.
 *
 *   run_embedder_open("openai:m", ...)
 *   run_embedder_use(e, ledger, session)       whose cache it is
 *   run_embed_want(e, ticket, units, ...)      what is missing is asked for, once
 *   run_embed_poll(e, ...)                     puts what came; says which pairs wait no
 *                                              longer
 *   run_embed_similarity(e, pair, ...)         from the ledger, ready to align by
 *
 * It belongs to the ledger's thread. What comes is put into the ledger's open group;
 * the caller commits. All vectors of one answer are put before poll returns, so that
 * its tokens are never half counted.
 */
#ifndef EH_RUN_EMBED_H
#define EH_RUN_EMBED_H

#include "align/align.h"
#include "judge/judge.h"
#include "ledger/embeddings.h"
#include "run/price.h"

typedef struct run_embedder run_embedder;

/* `spec` is what judge_open_embedder takes. Sends nothing. */
EH_MUST_USE eh_status run_embedder_open(eh_str spec, const judge_open_args *args,
                                        run_embedder **e, eh_error *err);
void run_embedder_close(run_embedder *e); /* accepts NULL */

/* Backend, model and address: part of the key of an embedding, and of a plan. */
eh_str run_embedder_id(const run_embedder *e);

/* Sets the ledger that is the cache. With session_row 0 it is only read. */
EH_MUST_USE eh_status run_embedder_use(run_embedder *e, ledger *l, int64_t session_row,
                                       eh_error *err);

/* A budget for what is asked from now on, at the prices of `row`; NULL: none. */
void run_embedder_budget(run_embedder *e, price_budget *budget, const price_row *row);

/* The text of a unit as it is embedded; blank ones are not and have no direction. */
eh_str run_embed_text(const align_units *units, size_t unit);

typedef enum run_embed_state {
    RUN_EMBED_READY, /* all of it is in the ledger */
    RUN_EMBED_WAIT,  /* asked for; poll will name the ticket */
    RUN_EMBED_FULL,  /* too much is under way: ask again after a poll */
    RUN_EMBED_BUDGET /* it might cost more than is left */
} run_embed_state;

EH_MUST_USE eh_status run_embed_want(run_embedder *e, size_t ticket,
                                     const align_units units[2], run_embed_state *state,
                                     eh_error *err);

/* Texts that are asked for and have not come back. */
size_t run_embed_n_open(const run_embedder *e);

/* What poll says of a pair whose wait has ended. */
typedef struct run_embed_end {
    size_t ticket;
    bool has_all;   /* false: some call gave no result; a later run asks again */
    bool is_stop;   /* every other call would fail alike */
    eh_str message; /* where not has_all: one line; lives for the call */
} run_embed_end;
typedef eh_status run_embed_fn(void *self, const run_embed_end *end, eh_error *err);

/* What one poll did. */
typedef struct run_embed_took {
    int64_t n_put;        /* texts that were put */
    judge_tally requests; /* what became of requests */
} run_embed_took;

/* Waits at most timeout_ms for an answer, puts all that is there and calls `fn` for
 * each pair whose wait has ended. */
EH_MUST_USE eh_status run_embed_poll(run_embedder *e, int64_t timeout_ms,
                                     run_embed_fn *fn, void *self, run_embed_took *took,
                                     eh_error *err);

/* From now on nothing is sent; what waits for its turn ends without a result. */
void run_embed_halt(run_embedder *e);

/* The cosine similarity of a pair whose texts are all in the ledger, in `arena`;
 * *similarity is NULL where a text was refused and has no vector. */
EH_MUST_USE eh_status run_embed_similarity(run_embedder *e, const align_pair *pair,
                                           eh_arena *arena,
                                           align_similarity **similarity,
                                           eh_error *err);

/* Asks for a pair's texts and waits for them. ENDPOINT errors say why not. */
EH_MUST_USE eh_status run_embed_now(run_embedder *e, const align_units units[2],
                                    eh_error *err);

#endif
