/* SPDX-License-Identifier: MIT
 *
 * libevenhand: pairwise LLM-as-a-judge results that can be trusted.
 *
 *   char why[EH_MESSAGE_BYTES], *json;
 *   eh_run_request request = {.data_path = "pairs.jsonl", .judge = "sim:first=1",
 *                             .ledger_path = "run.db"};
 *   if (eh_run(&request, why) != 0) { fprintf(stderr, "%s\n", why); return 1; }
 *   if (eh_summary("run.db", NULL, &json, why) == 0) puts(json);
 *   eh_text_free(json);
 *
 * Version 0.x: a small face of the library for other programs, linked statically; names
 * may still change between minor versions.
 *
 * Errors. Functions return 0, or the exit status that the command would end with: 2
 * wrong usage or bad input, 3 endpoint refused or unreachable, 5 stopped at a limit, 6
 * ledger, disk or memory. (1, too many failed pairs, and 4, a gate, are the command's
 * alone: look at the numbers.) On failure `why` holds one line that names the place
 * (file, line, field or endpoint), on success ""; it may be NULL.
 *
 * Ownership. What is passed in stays the caller's and is not kept after the call. Texts
 * that are handed out by char ** are the caller's, freed by eh_text_free, and NULL on
 * failure. const char * in results points to static text. Pointers must not be NULL
 * unless it is said that they may.
 *
 * Units. Texts are UTF-8 and end in NUL; shares, rates and values are 0 to 1; arrays
 * have the shapes in square brackets.
 *
 * Threads. All functions may be called from several threads at once, as long as no two
 * work on one ledger. eh_run starts threads of its own and ends them before it returns.
 * Nothing here prints, exits or sets a signal handler.
 *
 * What is computed, and from which paper, stands in evenhand-methods(7).
 */
#ifndef EVENHAND_H
#define EVENHAND_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define EH_API __attribute__((visibility("default")))
#else
#define EH_API
#endif

enum { EH_MESSAGE_BYTES = 256 };

/* Such as "0.1.0". */
EH_API const char *eh_version(void);

/* Frees a text that was handed out; accepts NULL. */
EH_API void eh_text_free(char *text);

/* ---- data and runs ---- */

/* NULL and 0 mean the default of the command (evenhand-run(1)). */
typedef struct eh_run_request {
    const char *data_path;     /* pairs, JSONL or CSV */
    const char *judge;         /* "sim:first=1", "replay:FILE#JUDGE", ... */
    const char *ledger_path;   /* created, or resumed */
    const char *method;        /* "mec+bpc" */
    const char *order;         /* "12", "21" or "both" for one-order methods */
    const char *template_name; /* "score", or a template file */
    const char *labels_path;   /* human labels to keep with the pairs */
    int n_samples;             /* of one prompt (-k) */
    int64_t limit;             /* new calls at most; 0 = no limit */
    int64_t seed;              /* of judges that draw */
} eh_run_request;

/* Judges all pairs, or goes on with a run that was stopped. What is answered by the
 * time it returns is in the ledger, also on failure. 2 where the data set has errors
 * (no call is made then) or the request is wrong, 3 where the endpoint gives up, 5 at
 * `limit`, 6 for the ledger. Keys come from the environment (OPENAI_API_KEY). */
EH_API int eh_run(const eh_run_request *request, char why[EH_MESSAGE_BYTES]);

/* The stable summary of a ledger, the bytes of evenhand show --json; its form is
 * docs/schemas/summary.schema.json. `method` rules the pairs another way; NULL: as they
 * were asked. 2 for a method that the samples do not allow, 6 for a file that is no
 * ledger or cannot be read. */
EH_API int eh_summary(const char *ledger_path, const char *method, char **json,
                      char why[EH_MESSAGE_BYTES]);

/* Validates a data set: how many rows are pairs, how many errors there are; n_pairs and
 * n_errors may be NULL. 2 when it has errors: then `why` holds the first. 2 where it is
 * not there. */
EH_API int eh_check(const char *data_path, int64_t *n_pairs, int64_t *n_errors,
                    char why[EH_MESSAGE_BYTES]);

/* ---- one pair by hand ---- */

/* Verdicts: 0 none, 1, 2, and 3 for a tie; 4 of a reply that scores one answer alone.
 */
enum { EH_NO_VERDICT = 0, EH_ANSWER_1 = 1, EH_ANSWER_2 = 2, EH_TIE = 3, EH_SCORED = 4 };

/* What a judge is shown; the answers in the order they are shown. A template of form
 * single shows the first alone; `second` may be NULL there. */
typedef struct eh_prompt_texts {
    const char *question, *first, *second;
    const char *reference; /* NULL: none */
    int evidence_first;    /* 0: the verdict comes first */
} eh_prompt_texts;

/* The prompt as a JSON list of messages [{"role", "content"}, ...]. Marks in the
 * answers that look like a verdict or like the frame are defused. `template_name`:
 * built in, or a file; 2 where it is neither, or a template that is only read. */
EH_API int eh_prompt(const char *template_name, const eh_prompt_texts *texts,
                     char **messages_json, char why[EH_MESSAGE_BYTES]);

/* What the reader makes of a reply, in the order shown: 1 is the first slot. */
typedef struct eh_reading {
    int verdict;
    const char *reason; /* why there is none, such as "truncated"; NULL otherwise */
    int has_scores;
    double score_first, score_second; /* with EH_SCORED the first is that score */
} eh_reading;

/* `reply` may be NULL (an empty one), and `finish_reason` too, else it is as the
 * endpoint gave it. A reply without a verdict is no error: 0, with `reason`. */
EH_API int eh_read_reply(const char *template_name, const char *reply,
                         const char *finish_reason, eh_reading *reading,
                         char why[EH_MESSAGE_BYTES]);

/* One sample of a pair, un-swapped: verdict 1 is answer_1, whatever was shown first.
 * For standalone order 12 is answer_1 alone (score_1), order 21 answer_2 alone
 * (score_2). */
typedef struct eh_sample {
    int order;  /* 12 or 21 */
    int sample; /* from 0 */
    int verdict;
    int has_scores;
    double score_1, score_2;
} eh_sample;

typedef struct eh_ruling {
    int verdict;
    const char *none; /* why there is none, such as "one_order_failed"; or NULL */
    int tie_agreed;   /* a tie that every sample agreed on */
    int conflict;     /* the two orders differ */
    double score_1, score_2; /* calibrated scores; NaN on votes */
    double vote;             /* order-balanced mean vote, -1 to 1; NaN without ruling */
    double
        bpde; /* balanced position diversity entropy, 0 to ln 3; NaN without sample */
} eh_ruling;

/* Rules one pair by a method ("bpc", "mec+bpc", ...; NULL: mec+bpc) from samples
 * [n_samples], in any order; at most 128. Scores are used when every sample with a
 * verdict has them, votes otherwise. 2 for an unknown method, or samples that are out
 * of range or more than it takes; all numbers are NaN then. Calibration and BPDE: Wang
 * et al. 2024, section 2.3. */
EH_API int eh_rule(const char *method, const eh_sample *samples, size_t n_samples,
                   eh_ruling *ruling, char why[EH_MESSAGE_BYTES]);

/* ---- numbers ---- */

typedef struct eh_interval {
    double value, low, high; /* NaN where undefined */
} eh_interval;

/* Mean of values in [0, 1] with its 95 % interval, clustered by question: Wilson's
 * (1927) at the sample size that the clustered variance amounts to, with Student's t.
 *
 *   values, question_ids   [n] equal ids are rows of one question; any order
 *
 * 2 for values out of range; the bounds are NaN below two questions, all three are for
 * n = 0, where the arrays may be NULL. */
EH_API int eh_win_rate(const double *values, const uint64_t *question_ids, size_t n,
                       eh_interval *interval, char why[EH_MESSAGE_BYTES]);

#ifdef __cplusplus
}
#endif

#endif
