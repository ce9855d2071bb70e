/* SPDX-License-Identifier: MIT
 *
 * What a run would ask, without asking: how many calls are there already, how many are
 * new, and why.
 */
#ifndef EH_RUN_DRYRUN_H
#define EH_RUN_DRYRUN_H

#include "base/clock.h"
#include "run/ask.h"
#include "run/refresh.h"

typedef struct run_forecast {
    int64_t n_pairs, n_calls;
    int64_t n_reused;       /* answered in the ledger */
    int64_t n_refreshed;    /* answered there, but too old */
    int64_t n_same;         /* the same prompt as another row's: asked once */
    int64_t n_text_changed; /* new, since the pair's texts changed */
    int64_t
        n_judge_changed;    /* new, since template or sampling changed for this judge */
    int64_t n_more_samples; /* new samples of prompts this judge has seen */
    int64_t n_unknown; /* their prompts depend on embeddings that are not there yet */
    int64_t n_new;     /* all others */
    /* Prompt tokens of the calls to be made, as a range: samples of a prompt in one
     * request and few tokens a word, or one by one and many. */
    int64_t tokens_low, tokens_high;
    /* Texts without an embedding, of all pairs, whether a pair will come to need it or
     * not, and their tokens. */
    int64_t n_texts, text_tokens_low, text_tokens_high;
} run_forecast;

typedef struct run_forecast_options {
    run_refresh refresh;
    eh_clock clock;
} run_forecast_options;

/* `scope` holds the staged data set; `l` is the ledger that would be written, or NULL
 * when it does not exist yet. `scope` gets the keys written that were counted, so that
 * rows with the same texts are seen: use a temporary ledger. */
EH_MUST_USE eh_status run_forecast_make(ledger *scope, ledger *l,
                                        const run_setup *setup,
                                        const run_forecast_options *options,
                                        run_forecast *forecast, eh_error *err);

#endif
