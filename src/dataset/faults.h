/* SPDX-License-Identifier: MIT
 *
 * How the readers of this module report: a fault is counted, handed to the caller's
 * sink and forgotten, so a file with a million bad rows costs no memory here.
 */
#ifndef EH_DATASET_FAULTS_H
#define EH_DATASET_FAULTS_H

#include "dataset/dataset.h"

typedef struct fault_log {
    const dataset_faults *sink; /* NULL: only counted */
    dataset_counts *counts;     /* never NULL */
    const char *file;           /* for faults that name none */
} fault_log;

/* A fault with nothing in it but its kind and line (0: none applies). */
static inline dataset_fault fault_at(dataset_fault_kind kind, int64_t line) {
    return (dataset_fault){.kind = kind, .line = line, .byte = -1};
}

static inline void fault_report(const fault_log *log, dataset_fault fault) {
    if (!fault.file) fault.file = log->file;
    if (dataset_fault_is_error(fault.kind))
        log->counts->n_errors++;
    else
        log->counts->n_warnings++;
    if (log->sink) log->sink->report(log->sink->self, &fault);
}

#endif
