/* SPDX-License-Identifier: MIT
 *
 * evenhand compare: two runs over the same pairs, and one sentence about the
 * difference.
 *
 * Both ledgers are only read. Several judges in one file are told apart by -j, which
 * means the base, and --new-judge; so two judges of one ledger are compared by naming
 * it twice.
 */
#include <stdio.h>

#include "common.h"
#include "tally/compare.h"

typedef struct side {
    ledger *l;
    tally_view *view;
    tally_compare_side what;
} side;

static eh_status open_side(const cli_args *args, int operand, const char *judge_name,
                           eh_arena *arena, side *s, eh_error *err) {
    const char *path = args->operands[operand];
    tally_view *views;
    eh_str *names;
    size_t n, index;
    EH_TRY(ledger_open(path, LEDGER_READ, &s->l, err));
    eh_str method = eh_str_of(args_str(args, OPT_method));
    EH_TRY(tally_views(s->l, method, arena, &views, &n, err));
    EH_TRY(tally_view_names(views, n, arena, &names, err));
    EH_TRY(common_pick(names, n, judge_name, path, &index, err));
    s->what = (tally_compare_side){.l = s->l,
                                   .view = &views[index],
                                   .ledger_name = eh_str_of(path),
                                   .judge_name = names[index]};
    return EH_STATUS_OK;
}

/* Matching by id is a guess; who reads JSON should hear of it as well. */
static void warn(const cli_args *args, const report_compare *c) {
    if (c->n_other_texts)
        cmd_warn(
            args,
            "%lld of %lld pairs %s other texts in the new ledger and %s matched by "
            "id",
            (long long)c->n_other_texts, (long long)c->n_common,
            c->n_other_texts == 1 ? "has" : "have",
            c->n_other_texts == 1 ? "is" : "are");
    if (c->n_exchanged)
        cmd_warn(args,
                 "%lld pair%s left out: the two models are exchanged in the new ledger",
                 (long long)c->n_exchanged, c->n_exchanged == 1 ? "" : "s");
}

static eh_status compare(const cli_args *args, side sides[2], eh_arena *arena,
                         eh_buf *out, eh_error *err) {
    report_compare c;
    const char *name = args_str(args, OPT_judge);
    const char *new_name = args_str(args, OPT_new_judge);
    EH_TRY(open_side(args, 0, name, arena, &sides[0], err));
    EH_TRY(open_side(args, 1, new_name ? new_name : name, arena, &sides[1], err));
    EH_TRY(tally_compare(&sides[0].what, &sides[1].what, args_f64(args, OPT_margin, 0),
                         arena, &c, err));
    warn(args, &c);
    if (args_flag(args, OPT_json))
        report_compare_json(&c, out);
    else
        report_compare_text(&c, out);
    return EH_STATUS_OK;
}

int cmd_compare(const cli_args *args) {
    side sides[2] = {{0}, {0}};
    eh_error err;
    eh_arena arena;
    eh_buf out;
    arena_init(&arena, 256 << 20);
    buf_init(&out, BUF_MAX_REPORT);
    eh_status status = compare(args, sides, &arena, &out, &err);
    (void)ledger_close(sides[0].l, NULL);
    (void)ledger_close(sides[1].l, NULL);
    arena_deinit(&arena);
    if (status == EH_STATUS_OK) return common_print(args, &out, "the comparison");
    buf_deinit(&out);
    return cmd_fail(args, &err);
}
