/* SPDX-License-Identifier: MIT
 *
 * Embeddings that a ledger keeps: a vector for a text by an embedder. What was paid for
 * once is never asked again, whichever pair or run needs it next.
 *
 * The key is a hash of the embedder's id and the text; texts themselves are not kept.
 */
#ifndef EH_LEDGER_EMBEDDINGS_H
#define EH_LEDGER_EMBEDDINGS_H

#include "ledger/ledger.h"

/* Finds or adds an embedder by its id, such as "openai:MODEL@HOST/v1". */
EH_MUST_USE eh_status ledger_embedder_put(ledger *l, eh_str id, int64_t *row,
                                          eh_error *err);

/* Finds it: 0 when it is not there. */
EH_MUST_USE eh_status ledger_embedder_find(ledger *l, eh_str id, int64_t *row,
                                           eh_error *err);

/* The key of a text under an embedder. */
void ledger_embedding_key(eh_str embedder_id, eh_str text, uint8_t key[HASH_BYTES]);

typedef struct ledger_embedding {
    const uint8_t *key; /* [HASH_BYTES] */
    int64_t embedder_row, session_row;
    const float *vector; /* [n_dims]; NULL: the text was refused, for `reason` */
    size_t n_dims;
    verdict_reason reason;
    eh_str model;          /* as the endpoint named it; may be absent */
    int64_t prompt_tokens; /* -1 = unknown */
    int64_t done_ms;
} ledger_embedding;

/* Stores one; of a key that is there already the older one stays. */
EH_MUST_USE eh_status ledger_embedding_put(ledger *l, const ledger_embedding *e,
                                           eh_error *err);

/* What is known of a key, in *e: its vector (a copy in `arena`) or reason; *found is
 * false where nothing is. With arena NULL the vector is not copied, and only n_dims
 * tells that there is one. */
EH_MUST_USE eh_status ledger_embedding_get(ledger *l, const uint8_t key[HASH_BYTES],
                                           eh_arena *arena, ledger_embedding *e,
                                           bool *found, eh_error *err);

/* All embeddings of one embedder. */
typedef struct ledger_embedding_sum {
    int64_t n_texts;       /* with a vector */
    int64_t n_refused;     /* without */
    int64_t prompt_tokens; /* -1 where any of them is unknown */
    int64_t n_dims;        /* of any vector; 0 where there is none */
} ledger_embedding_sum;
EH_MUST_USE eh_status ledger_embeddings_sum(ledger *l, eh_str embedder_id,
                                            ledger_embedding_sum *sum, eh_error *err);

#endif
