/* SPDX-License-Identifier: MIT
 *
 * Making the material of an audit with a model: questions, two answers to each, changed
 * answers; people look at each step's texts before the next one.
 *
 *   questions --review--> answers --review--> changes --review--> files of an audit
 *                              ^
 *                  a data set of one's own
 *
 * All of it stands in one folder: the ledger with the replies, the review files, and
 * what comes out. The state is what is in these files and nothing else.
 */
#ifndef EH_GENERATE_GENERATE_H
#define EH_GENERATE_GENERATE_H

#include "generate/ask.h"
#include "report/cells.h"

/* X(id, name): what people say of each text; a "no" drops it. */
#define GENERATE_CRITERION_LIST(X)                                                     \
    X(CLASSIFICATION, "classification")                                                \
    X(DIFFICULTY, "difficulty")                                                        \
    X(COMPLETENESS, "completeness")                                                    \
    X(HARMLESSNESS, "harmlessness")                                                    \
    X(ACCURACY, "accuracy")

typedef enum generate_criterion {
#define X(id, name) GENERATE_CRITERION_##id,
    GENERATE_CRITERION_LIST(X)
#undef X
        GENERATE_CRITERION_N
} generate_criterion;

const char *generate_criterion_name(generate_criterion criterion);

/* What becomes of texts that nobody has looked at. */
typedef enum generate_unreviewed {
    GENERATE_STOP, /* the next step waits */
    GENERATE_KEEP,
    GENERATE_DROP
} generate_unreviewed;

/* Reads the probes that are wanted, such as "gender,typos:susceptibility=typos.txt",
 * and the prompts that they name. `limits`: how much replies to those may change, as
 * "30%" or "typos=5%,other=1"; absent: ALTER_OWN_SHARE. USAGE, or CONFIG for prompts,
 * says what is wrong. `probes` and strings in `arena` or borrowed from `list`. */
EH_MUST_USE eh_status generate_probes_read(eh_str list, eh_str limits, eh_arena *arena,
                                           alter_probe **probes, size_t *n,
                                           eh_error *err);

/* The steps of the funnel: questions, answers (a pair of them is one), and the changes
 * of each probe. */
enum {
    GENERATE_QUESTIONS,
    GENERATE_ANSWERS,
    GENERATE_CHANGES, /* + the probe's place in the list */
    GENERATE_STEPS_MAX = GENERATE_CHANGES + AUDIT_PROBES_MAX
};

typedef struct generate_funnel_row {
    bool is_used;
    int64_t n_wanted, n_replies;
    int64_t n_refused[AUDIT_REJECT_N]; /* replies, or single questions of them */
    int64_t n_accepted;
    int64_t n_given_up; /* wanted, and no try was good */
    int64_t n_reviewed, n_dropped[GENERATE_CRITERION_N], n_unreviewed, n_kept;
    int64_t n_trimmed; /* texts that lost white space at an end */
} generate_funnel_row;

typedef struct generate_funnel {
    generate_funnel_row rows[GENERATE_STEPS_MAX]; /* GENERATE_CHANGES + n_probes */
    const alter_probe *probes;                    /* [n_probes], borrowed */
    size_t n_probes;
    eh_str model;
} generate_funnel;

/* For people (report/layout.h). */
void generate_funnel_text(const generate_funnel *f, eh_buf *out);
void generate_funnel_json(const generate_funnel *f, eh_buf *out);

/* ---- texts ---- */

typedef struct generate_marks {
    int criteria[GENERATE_CRITERION_N]; /* 1 yes, 0 no, -1 nothing said */
    eh_str note;
    bool was_in_file;
} generate_marks;

/* A question with its answers. */
typedef struct generate_pair {
    eh_str id, question, short_question, category, answers[2], models[2];
    alter_level level; /* ALTER_LEVEL_N for data of one's own */
    bool is_out;       /* dropped, or given up */
    int64_t line;
} generate_pair;

/* A changed answer. */
typedef struct generate_change {
    eh_str id;          /* the pair's and the probe's name */
    size_t pair, probe; /* places in their lists */
    int side;           /* 1 or 2: which answer was changed */
    eh_str text, changes;
    audit_edit *edits; /* [n_edits] */
    size_t n_edits;
    int64_t n_words, n_removed, n_inserted;
    bool is_there, is_out;
} generate_change;

typedef struct generate_options {
    run_options run;
    const char *folder;
    const dataset_options *data; /* NULL: questions are made */
    const dataset_faults *faults;
    bool skip_bad;
    int n_per_level;
    const alter_probe *probes; /* [n_probes] what is done to answers */
    size_t n_probes;
    int max_words;
    int tries;
    uint64_t seed;
    generate_unreviewed unreviewed;
    report_format review_format;
    bool dry;
    ledger *l; /* NULL only where it is dry */
} generate_options;

/* Where it ended: all is done, or a review is waited for, or the asking stopped. */
typedef struct generate_result {
    generate_funnel funnel;
    generate_counts counts;
    run_end end;
    char stop_message[256];
    bool is_complete;    /* the files of the audit are written */
    char waits_for[512]; /* a review file; "" where none is waited for */
    int64_t n_to_review; /* of its rows */
    int64_t n_review_rows;
    int64_t n_later; /* dry: calls of later steps, at most, if first replies
                        are good */
} generate_result;

/* Does the ledger hold texts that a model wrote, and no judgments? */
EH_MUST_USE eh_status generate_is_one(ledger *l, eh_arena *arena, bool *is_one,
                                      eh_error *err);

EH_MUST_USE eh_status generate_run(const generate_options *options,
                                   generate_result *result, eh_error *err);

#endif
