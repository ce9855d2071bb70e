/* SPDX-License-Identifier: MIT
 *
 * Pairs of a data set of one's own, read by way of a temporary ledger, which knows
 * formats, joins and twice given ids. Answers lose white space at their ends, as they
 * do in the audit.
 */
#include "generate/work.h"

#include "run/stage.h"

enum { PAGE = 64 };

static eh_status take_pair(generate_work *w, ledger *l, const ledger_pair *pair,
                           eh_error *err) {
    ledger_texts texts;
    int64_t n_1 = 0, n_2 = 0;
    EH_TRY(ledger_pair_texts(l, pair->row, &texts, &w->arena, err));
    w->pairs =
        arena_grow(&w->arena, w->pairs, w->n_pairs, &w->pairs_cap, sizeof *w->pairs);
    if (!w->pairs) return EH_NOMEM(err);
    generate_pair *p = &w->pairs[w->n_pairs++];
    *p = (generate_pair){.id = pair->pair_id,
                         .question = texts.question,
                         .short_question = texts.short_question,
                         .category = pair->category,
                         .answers = {audit_normalise(texts.answer_1, &n_1),
                                     audit_normalise(texts.answer_2, &n_2)},
                         .models = {pair->model_1, pair->model_2},
                         .level = ALTER_LEVEL_N};
    generate_funnel_row *row = generate_row_of(w, GENERATE_ANSWERS);
    row->n_trimmed += (n_1 > 0) + (n_2 > 0);
    row->n_wanted++;
    row->n_accepted++;
    row->n_kept++;
    return EH_STATUS_OK;
}

static eh_status take_pairs(generate_work *w, ledger *l, eh_error *err) {
    ledger_pair page[PAGE];
    int64_t after = -1;
    for (size_t n = PAGE; n == PAGE;) {
        EH_TRY(ledger_pairs_page(l, after, page, PAGE, &n, &w->arena, err));
        for (size_t i = 0; i < n; i++)
            EH_TRY(take_pair(w, l, &page[i], err));
        if (n) after = page[n - 1].seq;
    }
    return EH_STATUS_OK;
}

eh_status generate_read_data(generate_work *w, eh_error *err) {
    run_stage_options options = {.data = *w->o->data,
                                 .skip_bad = w->o->skip_bad,
                                 .faults = w->o->faults,
                                 .clock = w->o->run.clock};
    dataset_counts counts;
    bool unchanged;
    ledger *l;
    EH_TRY(ledger_open_temporary(&l, err));
    eh_status status = run_stage(l, &options, &counts, &unchanged, err);
    if (status == EH_STATUS_OK) status = take_pairs(w, l, err);
    (void)ledger_close(l, NULL);
    return status;
}
