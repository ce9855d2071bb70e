/* SPDX-License-Identifier: MIT
 *
 * For tests of parts of a judge card: a small data set from a text, staged, asked of a
 * simulated judge, and read.
 */
#ifndef EH_TESTS_EXAM_MAKE_H
#define EH_TESTS_EXAM_MAKE_H

#include "ledger_make.h"

#include "exam/exam.h"
#include "run/template_file.h"

typedef struct exam_desk {
    made_folder folder;
    ledger *l;
    eh_arena arena;
    prompt_template *t;
    run_result result;
    card_set cards;
    bool skip_bad; /* rows of data are left out where they are */
    eh_error err;
} exam_desk;

static inline exam_desk *exam_desk_new(void) {
    static exam_desk d;
    d = (exam_desk){.folder = made_folder_new(), .l = ledger_made()};
    arena_init(&d.arena, 64 << 20);
    assert_ok(run_template_load_asking("compare", &d.t, &d.err), d.err);
    return &d;
}

static inline void exam_desk_free(exam_desk *d) {
    prompt_template_free(d->t);
    arena_deinit(&d->arena);
    ledger_unmade(d->l);
    made_folder_free(&d->folder);
}

/* A file of the folder with this text; the path lives as long as the desk. */
static inline const char *exam_file(exam_desk *d, const char *name, const char *text) {
    const char *path =
        arena_dup(&d->arena, eh_str_of(made_file(&d->folder, name, text)));
    assert_non_null(path);
    return path;
}

typedef struct exam_wish {
    const char *data, *probes, *attacks, *anchor; /* NULL: none */
} exam_wish;

static inline eh_status exam_try_stage(exam_desk *d, const exam_wish *w,
                                       exam_staged *staged) {
    exam_probe *probes = NULL;
    exam_attack *attacks;
    exam_stage_options o = {.data.path = w->data,
                            .anchor = eh_str_of(w->anchor),
                            .skip_bad = d->skip_bad,
                            .clock = clock_made()};
    if (w->probes)
        EH_TRY(exam_probes_parse(eh_str_of(w->probes), &d->arena, &probes, &o.n_probes,
                                 &d->err));
    EH_TRY(exam_attacks_parse(eh_str_of(w->attacks), &d->arena, &attacks, &o.n_attacks,
                              &d->err));
    o.probes = probes;
    o.attacks = attacks;
    return exam_stage(d->l, &o, staged, &d->err);
}

static inline exam_staged exam_staged_made(exam_desk *d, const exam_wish *w) {
    exam_staged staged;
    assert_ok(exam_try_stage(d, w, &staged), d->err);
    return staged;
}

/* All cards of the ledger, people's last; `family` NULL: by the judge's name. */
static inline const card_set *exam_cards_of(exam_desk *d, const char *family) {
    price_table *prices;
    audit_limits limits = audit_limits_default();
    assert_ok(price_table_load(NULL, &prices, &d->err), d->err);
    exam_card_options o = {
        .prices = prices, .limits = &limits, .family = eh_str_of(family)};
    assert_ok(exam_cards_make(d->l, &o, &d->arena, &d->cards, &d->err), d->err);
    price_table_free(prices);
    return &d->cards;
}

/* Asks a simulated judge, three times in each order, and gives its card. */
static inline const card_judge *exam_asked(exam_desk *d, const char *spec) {
    judge *j;
    judge_open_args args = {.concurrency = 16, .clock = clock_made()};
    plan_wish wish = {.method = EH_STR("mec+bpc"),
                      .k = 3,
                      .temperature_given = true,
                      .temperature = 1};
    assert_ok(judge_open(eh_str_of(spec), &args, &j, &d->err), d->err);
    run_options o = {.setup = {.j = j, .t = d->t},
                     .concurrency = 16,
                     .limit = -1,
                     .clock = clock_made()};
    assert_ok(plan_make(&wish, &o.setup.plan, &d->err), d->err);
    run_setup_params(&o.setup, -1);
    assert_ok(exam_run(d->l, &o, &d->result, &d->err), d->err);
    assert_int_equal(d->result.end, RUN_END_DONE);
    judge_close(j);
    return &exam_cards_of(d, NULL)->judges[0];
}

#endif
