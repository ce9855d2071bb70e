/* SPDX-License-Identifier: MIT
 *
 * Methods: which calls a pair needs next, and its ruling. Pure.
 *
 * A plan is a method with its numbers (orders, samples). The engine asks plan_next
 * again and again with what is known of a pair; when nothing more is wanted the pair
 * is finished and plan_rule gives its ruling. Rulings are never stored: they are
 * recomputed from the samples.
 */
#ifndef EH_PLAN_METHOD_H
#define EH_PLAN_METHOD_H

#include "base/status.h"
#include "base/terms.h"
#include "verdict/verdict.h"

enum { PLAN_MAX_SAMPLES = 64 }; /* of one prompt: -k */

typedef struct plan_method plan_method;

/* By name ("vanilla", "ec", "mec", "bpc", "mec+bpc", "standalone", "portia"), or NULL.
 * Static data. */
const plan_method *plan_method_find(eh_str name);
const char *plan_method_name(const plan_method *method);

/* "vanilla, ec, ..." for messages. */
const char *plan_method_names(void);

/* How many stages a pair may go through: the plain pair, parts of equal length, parts
 * of like content. */
enum { PLAN_MAX_STAGES = 3 };

typedef struct plan_spec {
    const plan_method *method;
    int k;           /* samples of one prompt */
    unsigned orders; /* bits: 1u << EH_ORDER_12, 1u << EH_ORDER_21 */
    bool temperature_given;
    double temperature;
    bool always;     /* portia: all stages for all pairs */
    unsigned stages; /* portia: bits of the stages it may use; others: stage 0 */
    int n_parts; /* portia: parts of an answer; PLAN_PARTS_AUTO lets the pair decide */
    /* portia: whose embeddings say how alike parts are, by its id; empty: words do.
     * Borrowed from the wish, or from the options' text that was restored. */
    eh_str embedder;
    int64_t context_tokens; /* portia: what a prompt and its reply may have; 0: unknown
                             */
    int variant[PLAN_MAX_STAGES]; /* of plan_stage_code */
} plan_spec;

/* The stage code of asks that show one answer alone: order 12 is answer_1, order 21
 * answer_2. It is no other method's, so that nobody takes them for verdicts on a pair.
 */
enum { PLAN_STAGE_ALONE = 8 };

#define PLAN_STAGE_BIT(stage) (1u << (stage))
#define PLAN_STAGES_ALL ((1u << PLAN_MAX_STAGES) - 1)

enum { PLAN_PARTS_AUTO = 0, PLAN_PARTS_DEFAULT = 3, PLAN_PARTS_MAX = 32 };

#define PLAN_ORDER_BIT(order) (1u << (order))
#define PLAN_ORDERS_BOTH 3u

/* What the user asked for; 0, absent and NaN mean "by the method". */
typedef struct plan_wish {
    eh_str method;
    int k;
    eh_str order; /* "12", "21", "both" */
    bool temperature_given;
    double temperature;
    bool always;
    eh_str parts;  /* "auto" or a number */
    eh_str stages; /* "0,2": stage 0 and whichever others are wanted */
    eh_str embedder;
    int64_t context_tokens;
} plan_wish;

/* Fills a spec from a wish: defaults, and a USAGE error where the two contradict (an
 * order for a method that needs both, samples for one that takes one). */
EH_MUST_USE eh_status plan_make(const plan_wish *wish, plan_spec *spec, eh_error *err);

/* A spec from names and numbers that a ledger holds. */
EH_MUST_USE eh_status plan_restore(eh_str method, int k, unsigned orders,
                                   eh_str options, plan_spec *spec, eh_error *err);

/* The method's own options as the ledger keeps them: "", or
 * "parts=3,stages=0+2,always,context=8192,similarity=embed:openai:m" with all but the
 * first only where they are not the default. */
enum { PLAN_EMBEDDER_CHARS = 300, PLAN_OPTIONS_CHARS = PLAN_EMBEDDER_CHARS + 100 };
void plan_options_text(const plan_spec *spec, char text[PLAN_OPTIONS_CHARS]);

/* Stages as the ledger numbers them: 0 is the plain pair for every method but
 * standalone (PLAN_STAGE_ALONE); a later one carries the number of parts and, where it
 * is not the default, a number for what else decides how answers are cut, so that runs
 * with other parts do not mix. Of one plan, later stages have greater codes. */
int plan_stage_code(const plan_spec *spec, int stage);

/* The stage that a code stands for under this plan, or -1: not one of its stages. */
int plan_stage_of(const plan_spec *spec, int stage_code);

/* May the plan use this stage? */
bool plan_has_stage(const plan_spec *spec, int stage);

/* Does the stage's cut depend on how alike parts are? */
bool plan_stage_compares(const plan_spec *spec, int stage);

/* Does the method show each answer alone? Its prompts are of a form of their own, and
 * neither can it rule what others asked nor they what it asked. */
bool plan_is_alone(const plan_spec *spec);

/* Does the method ask for evidence before the verdict? */
bool plan_evidence_first(const plan_spec *spec);

/* One order asked although the method has a ruling per order only: then "both" is two
 * results side by side and no calibrated one. */
bool plan_is_single_order(const plan_spec *spec);

/* One sample as the ledger knows it, un-swapped to answers. */
typedef struct plan_sample {
    int stage_code; /* plan_stage_code */
    eh_order order;
    int sample;
    eh_verdict verdict;
    verdict_reason reason; /* why there is no verdict */
    bool has_scores;
    double score_1, score_2;
    int signed_rating; /* likert: 3 - rating, un-swapped: +2 answer 1 much better */
    bool has_rating;
} plan_sample;

/* Is this the reason of a prompt that did not fit: refused, or cut in silence? */
bool plan_is_too_long(verdict_reason reason);

/* Prompts of a pair in all. */
enum { PLAN_MAX_ASKS = PLAN_MAX_STAGES * EH_ORDER_N };

/* One prompt to ask: its stage and order, and how many samples of it, by index. */
typedef struct plan_ask {
    int stage;
    eh_order order;
    int n_samples;
    int samples[PLAN_MAX_SAMPLES];
} plan_ask;

/* The prompts still wanted, given the samples that are there (failed ones count as
 * there: a reply without a verdict is final). 0 = finished. */
size_t plan_next(const plan_spec *spec, const plan_sample *samples, size_t n_samples,
                 plan_ask asks[PLAN_MAX_ASKS]);

/* Stages of the method: 1, and PLAN_MAX_STAGES for portia, used or not. */
int plan_n_stages(const plan_spec *spec);

/* Calls that a pair needs when nothing is there yet; for portia those of its first
 * stage, or of all with `always`. */
int plan_calls_per_pair(const plan_spec *spec);

#endif
