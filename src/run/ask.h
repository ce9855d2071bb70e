/* SPDX-License-Identifier: MIT
 *
 * What is sent for one pair in one order, and the key under which it is kept.
 */
#ifndef EH_RUN_ASK_H
#define EH_RUN_ASK_H

#include "judge/judge.h"
#include "ledger/ledger.h"
#include "plan/method.h"
#include "run/embed.h"
#include "run/parts.h"

/* What holds for all calls of a run. */
typedef struct run_setup {
    judge *j;
    const prompt_template *t;
    plan_spec plan;
    judge_params params;
    int stream;             /* LEDGER_STREAM_MAIN and so on */
    run_embedder *embedder; /* of plan.embedder; NULL where that is empty */
} run_setup;

/* USAGE where method, template and judge do not go together. */
EH_MUST_USE eh_status run_setup_check(const run_setup *setup, eh_error *err);

/* Fills params from the plan's temperature and the request seed (-1: none is sent). */
void run_setup_params(run_setup *setup, int64_t request_seed);

/* The ledger's judge of this setup; params JSON in `arena`. */
EH_MUST_USE eh_status run_setup_judge(const run_setup *setup, eh_arena *arena,
                                      ledger_judge *judge_out, eh_error *err);

/* A rendered prompt, ready to be asked. Strings live in the arena it was made with. */
typedef struct run_prompt {
    prompt_rendered rendered; /* no messages for judges that see no template */
    judge_shown shown;
} run_prompt;

/* What a prompt is made for: of `ask` its stage and order count. */
typedef struct run_asked {
    const ledger_pair *pair;
    const ledger_texts *texts; /* of that pair */
    const plan_ask *ask;
    int64_t plain_tokens; /* of the plain pair's prompt, by the endpoint; 0 = unknown */
} run_asked;

/* Vectors that the stage needs must be in the embedder's ledger. */
EH_MUST_USE eh_status run_prompt_make(const run_setup *setup, const run_asked *asked,
                                      eh_arena *arena, run_prompt *prompt,
                                      eh_error *err);

/* Does the stage need vectors? Then *units are the pair's, in `arena`. */
EH_MUST_USE eh_status run_prompt_needs(const run_setup *setup,
                                       const ledger_texts *texts, int stage,
                                       eh_arena *arena, bool *needs, run_units *units,
                                       eh_error *err);

/* Key eh-key-1 of one sample of a prompt: BLAKE2b-256 over the messages (or the texts
 * as shown, for judges that see no template), judge id, requested parameters, stream
 * and sample index. */
void run_key(const run_setup *setup, eh_str params_json, const run_prompt *prompt,
             int sample, uint8_t key[HASH_BYTES]);

#endif
