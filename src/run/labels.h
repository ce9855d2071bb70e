/* SPDX-License-Identifier: MIT
 *
 * Labels as lines of a file, under names or pseudonyms.
 */
#ifndef EH_RUN_LABELS_H
#define EH_RUN_LABELS_H

#include "base/arena.h"
#include "base/buf.h"
#include "ledger/ledger.h"
#include "report/cells.h"

/* One label as a line that `labels import` reads; the heading is for CSV. */
void run_label_head(report_format format, eh_buf *out);
void run_label_line(report_format format, eh_str pair_id, const ledger_label *label,
                    eh_buf *out);

/* Numbers people in the order in which they come: "annotator-1", "annotator-2". Start
 * with a zeroed one. Nothing in the result leads back to a name. */
typedef struct run_pseudonyms {
    eh_str *names; /* [n] */
    size_t n, cap;
    char text[32]; /* the last that was handed out */
} run_pseudonyms;

/* Replaces the name; valid until the next call. */
EH_MUST_USE eh_status run_pseudonym(run_pseudonyms *p, eh_str *name, eh_error *err);
void run_pseudonyms_deinit(run_pseudonyms *p);

#endif
