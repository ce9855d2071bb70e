/* SPDX-License-Identifier: MIT
 *
 * evenhand rank: models in the order of their strength.
 *
 * Several ledgers are merged into a temporary one first, so that what two of them hold
 * counts once and questions that they share are known as such.
 */
#include "common.h"
#include "ledger/merge.h"
#include "tally/rank.h"

static eh_status open_operands(const cli_args *args, ledger **l, eh_error *err) {
    ledger_merge_options options = {.without_texts = !args_flag(args, OPT_style)};
    if (args->n_operands == 1)
        return ledger_open(args->operands[0], LEDGER_READ, l, err);
    EH_TRY(ledger_open_temporary(l, err));
    for (int i = 0; i < args->n_operands; i++) {
        ledger_merge_counts counts;
        EH_TRY(ledger_merge(*l, args->operands[i], &options, &counts, err));
    }
    return EH_STATUS_OK;
}

static eh_status rank(const cli_args *args, ledger *l, eh_arena *arena, eh_buf *out,
                      eh_error *err) {
    tally_view *views;
    eh_str *names;
    size_t n, index;
    report_rank result;
    report_rank_lead lead;
    tally_rank_options options = {.length = args_flag(args, OPT_length),
                                  .style = args_flag(args, OPT_style),
                                  .half_ties = args_flag(args, OPT_half_ties)};
    const char *where = args->n_operands == 1 ? args->operands[0] : "the ledgers";
    EH_TRY(tally_views(l, EH_STR(""), arena, &views, &n, err));
    EH_TRY(tally_view_names(views, n, arena, &names, err));
    EH_TRY(common_pick(names, n, args_str(args, OPT_judge), where, &index, err));
    EH_TRY(tally_rank(l, &views[index], &options, arena, &result, &lead, err));
    result.ledger =
        args->n_operands == 1
            ? eh_str_of(where)
            : eh_str_of(arena_printf(arena, "%d ledgers", args->n_operands));
    result.judge = names[index];
    if (args_flag(args, OPT_json))
        report_rank_json(&result, &lead, out);
    else
        report_rank_text(&result, &lead, out);
    return EH_STATUS_OK;
}

int cmd_rank(const cli_args *args) {
    ledger *l = NULL;
    eh_error err;
    eh_arena arena;
    eh_buf out;
    arena_init(&arena, (size_t)1 << 30);
    buf_init(&out, BUF_MAX_REPORT);
    eh_status status = open_operands(args, &l, &err);
    if (status == EH_STATUS_OK) status = rank(args, l, &arena, &out, &err);
    (void)ledger_close(l, NULL);
    arena_deinit(&arena);
    if (status == EH_STATUS_OK) return common_print(args, &out, "the ranking");
    buf_deinit(&out);
    return cmd_fail(args, &err);
}
