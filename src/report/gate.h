/* SPDX-License-Identifier: MIT
 *
 * Gates: conditions on the numbers of a summary, for pipelines that must stop where a
 * number is not good enough.
 *
 *   condition = path comparison number        win_rate_soft.low >= .48
 *   path      = key { "." key }               as in show --json, inside one judge
 *   comparison = >= | <= | > | < | == | !=
 *   number    = decimal [ "%" ]               48% is .48
 *
 * A condition that cannot be answered is not met, and says why: a number that is null
 * or not there, or a rate over too little data.
 */
#ifndef EH_REPORT_GATE_H
#define EH_REPORT_GATE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/json_read.h"

typedef enum report_gate_op {
    REPORT_GATE_GE,
    REPORT_GATE_LE,
    REPORT_GATE_GT,
    REPORT_GATE_LT,
    REPORT_GATE_EQ,
    REPORT_GATE_NE
} report_gate_op;

typedef struct report_gate_rule {
    eh_str text; /* as it was written, trimmed; the others point into it */
    eh_str path;
    report_gate_op op;
    double bound;
} report_gate_rule;

/* USAGE where the text is no condition; `text` is borrowed. */
EH_MUST_USE eh_status report_gate_parse(eh_str text, report_gate_rule *rule,
                                        eh_error *err);

/* A condition and how it stands. */
typedef struct report_gate_line {
    eh_str rule; /* as written, or the name of a condition that always holds */
    bool is_met;
    double value; /* NaN where there is none */
    eh_str why;   /* one phrase where it is not met; else empty */
} report_gate_line;

typedef struct report_gate {
    eh_str subject;          /* "run.db: sim, 48 pairs" */
    report_gate_line *lines; /* [n_lines] */
    size_t n_lines, n_not_met;
} report_gate;

typedef struct report_gate_options {
    const report_gate_rule *rules; /* [n_rules] */
    size_t n_rules;
    bool allow_mixed; /* replies of several models may be mixed */
} report_gate_options;

/* Looks at one object of numbers: a judge of a summary, or any other that Evenhand
 * prints. Before the rules stand what holds for every judge: all pairs were asked, and
 * by one model; of an audit also that the judge can be audited. Lines and their texts
 * live in `arena`. */
EH_MUST_USE eh_status report_gate_look(const json_value *numbers,
                                       const report_gate_options *options,
                                       eh_arena *arena, report_gate *gate,
                                       eh_error *err);

/* One line, not met, for what could not be looked at at all. */
EH_MUST_USE eh_status report_gate_refuse(eh_str rule, eh_str why, eh_arena *arena,
                                         report_gate *gate, eh_error *err);

/* For people, ending in one sentence. */
void report_gate_text(const report_gate *gate, eh_buf *out);

/* {"gate": 1, "subject", "met", "conditions": [{"condition", "met", "value", "why"}]};
 * value and why are null where there is none. */
void report_gate_json(const report_gate *gate, eh_buf *out);

/* The same as JUnit XML: a suite with a test case a line. */
void report_gate_junit(const report_gate *gate, eh_buf *out);

#endif
