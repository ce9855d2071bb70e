/* SPDX-License-Identifier: MIT
 *
 * Asking a model to write: tasks that are independent of each other, each asked again
 * as another sample until its reply can be used or the tries are used up.
 *
 * Each reply is kept in the ledger under its call's key, and what is kept is never
 * asked again: a rerun walks through the same replies to where the last one ended.
 */
#ifndef EH_GENERATE_ASK_H
#define EH_GENERATE_ASK_H

#include "alter/read.h"
#include "run/engine.h"

/* What came for a task. */
typedef struct generate_reply {
    eh_str content; /* absent where the endpoint gave no text */
    bool is_cut;
    int sample;
} generate_reply;

typedef struct generate_task {
    alter_asked asked;
    alter_prompt prompt;
    int first_sample, sample_step;
    /* the asker's: */
    int n_tried, sample;
    bool in_flight, is_over;
    uint8_t key[HASH_BYTES]; /* of the call that is next */
    bool is_asked;           /* it is in flight; dry: it is counted */
    judge_request request;
    int64_t worst_nusd;
} generate_task;

/* Takes a reply; *again asks for another one. */
typedef eh_status generate_taker(void *self, generate_task *task,
                                 const generate_reply *reply, bool *again,
                                 eh_error *err);

typedef struct generate_counts {
    int64_t n_new, n_kept;     /* calls made now; answered in the ledger */
    int64_t n_no_result;       /* nothing came; a rerun asks again */
    int64_t n_open;            /* dry: calls that would be made at once */
    int64_t open_prompt_bytes; /* of these */
    int64_t n_unknown_usage;   /* replies whose tokens are not known */
    judge_usage usage;         /* sums over the others */
} generate_counts;

typedef struct generate_asker {
    const run_options *o;
    ledger *l; /* NULL: a dry run without a ledger */
    bool dry;  /* nothing is asked */
    int tries; /* of a task, at most */
    generate_counts counts;
    run_end end;
    char stop_message[256];
    /* the asker's: */
    int64_t session_row, judge_row, run_row;
    eh_str params_json;
    eh_arena arena, reply_arena;
    run_progress progress;
} generate_asker;

/* Opens a session, where it is not dry. generate_asker_close is due whatever comes. */
EH_MUST_USE eh_status generate_asker_open(generate_asker *a, eh_error *err);
EH_MUST_USE eh_status generate_asker_close(generate_asker *a, eh_error *err);

/* Asks all tasks; with a->end not DONE it ended early. A task that is not over then is
 * to be gone on with by a rerun. */
EH_MUST_USE eh_status generate_ask(generate_asker *a, generate_task *tasks, size_t n,
                                   generate_taker *take, void *self, eh_error *err);

#endif
