/* SPDX-License-Identifier: MIT
 *
 * Judgments and labels from files into a ledger.
 */
#ifndef EH_RUN_IMPORT_H
#define EH_RUN_IMPORT_H

#include "base/clock.h"
#include "import/import.h"
#include "ledger/ledger.h"
#include "prompt/template.h"

typedef struct run_import_counts {
    int64_t n_rows;    /* taken */
    int64_t n_unknown; /* rows about pairs that the scope does not hold: left out */
    int64_t n_labels;  /* taken, of files that hold some beside the judgments */
    int64_t first_unknown_line;
    char first_unknown[80]; /* the id of the first of them, cut */
} run_import_counts;

typedef struct run_import_options {
    bool bare_pairs;               /* no data set: pairs come with the judgments, or are
                                      known by their ids alone */
    const dataset_faults *faults;  /* may be NULL */
    const prompt_template *reread; /* read replies by it; NULL: verdicts as recorded */
    eh_clock clock;
    import_options read; /* what the files are; zeros: whatever is in them */
    /* Told what each file was read as and by how many judges; or NULL. */
    void (*on_file)(void *self, const char *path, const import_file *file,
                    int64_t n_judges);
    void *self;
} run_import_options;

/* Takes judgment files, ours or another tool's; files of texts are read before the
 * others. Each judge becomes a run, ruled by mec+bpc where both orders exist and by mec
 * on the one order otherwise. DATA when a file has errors: then nothing is taken.
 * Inside a group of ledger_begin all of it is part of that group. A held ledger that is
 * full is TOO_BIG. */
EH_MUST_USE eh_status run_import_judgments(ledger *l, char *const *paths, int n_paths,
                                           const run_import_options *options,
                                           run_import_counts *counts, eh_error *err);

/* Labels in, or (remove) out: the rows' pairs and annotators. All or nothing, or part
 * of a group. */
EH_MUST_USE eh_status run_import_labels(ledger *l, const char *path, bool remove,
                                        const dataset_faults *faults,
                                        run_import_counts *counts, eh_error *err);

#endif
