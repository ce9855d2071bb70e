/* SPDX-License-Identifier: MIT
 *
 * Private to generate/: what the steps share.
 */
#ifndef EH_GENERATE_WORK_H
#define EH_GENERATE_WORK_H

#include "generate/review.h"

typedef struct generate_work {
    const generate_options *o;
    generate_result *result;
    generate_asker asker;
    eh_arena arena;       /* all texts */
    eh_arena scratch;     /* of one reply */
    generate_pair *pairs; /* [n_pairs] */
    size_t n_pairs, pairs_cap;
    generate_change *changes; /* [n_changes] */
    size_t n_changes;
} generate_work;

generate_funnel_row *generate_row_of(generate_work *w, int step);

/* Has the asking to end here? */
static inline bool generate_is_stopped(const generate_work *w) {
    return w->asker.end != RUN_END_DONE || w->asker.counts.n_no_result > 0 ||
           w->result->waits_for[0];
}

/* data.c: the pairs of a data set of one's own. */
EH_MUST_USE eh_status generate_read_data(generate_work *w, eh_error *err);

/* write.c: review files, and the files of the audit. Afterwards what was dropped is
 * out; where people have to look first, result->waits_for names the file. */
EH_MUST_USE eh_status generate_review_questions(generate_work *w, eh_error *err);
EH_MUST_USE eh_status generate_review_answers(generate_work *w, eh_error *err);
EH_MUST_USE eh_status generate_review_changes(generate_work *w, eh_error *err);
EH_MUST_USE eh_status generate_write_files(generate_work *w, eh_error *err);

#endif
