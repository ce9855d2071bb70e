/* SPDX-License-Identifier: MIT
 *
 * evenhand show --estimate: what people would say of all pairs.
 *
 * The judge whose doubts made the queue is the one that its chances belong to, so it is
 * shown alone; -m rules by another method and then shows every judge.
 */
#include "show_estimate.h"

#include "ledger/queue.h"
#include "tally/estimate.h"

static eh_status each_judge(const cli_args *args, ledger *l, eh_arena *arena,
                            eh_buf *out, eh_error *err) {
    tally_view *views;
    eh_str *names;
    ledger_queue queue;
    json_writer w;
    size_t n;
    bool found, json = args_flag(args, OPT_json), first = true;
    double half_width = args_f64(args, OPT_half_width, .05);
    EH_TRY(
        tally_views(l, eh_str_of(args_str(args, OPT_method)), arena, &views, &n, err));
    EH_TRY(tally_view_names(views, n, arena, &names, err));
    EH_TRY(ledger_queue_get(l, arena, &queue, &found, err));
    json_writer_init(&w, out, 1);
    if (json) {
        json_object_begin(&w);
        json_key(&w, "estimates");
        json_object_begin(&w);
    }
    report_estimates *e = arena_zalloc(arena, 1, sizeof *e);
    if (!e) return EH_NOMEM(err);
    for (size_t i = 0; i < n; i++) {
        if (found && queue.judge.len && !eh_str_eq(queue.judge, names[i]) &&
            !args_given(args, OPT_method))
            continue;
        EH_TRY(tally_estimate(l, &views[i], names[i], half_width, arena, e, err));
        if (json) {
            json_key_str(&w, names[i]);
            report_estimates_json(e, &w);
        } else {
            if (!first) buf_add_char(out, '\n');
            report_estimates_text(e, out);
        }
        first = false;
    }
    if (json) {
        json_object_end(&w);
        json_object_end(&w);
        buf_add_char(out, '\n');
    }
    return EH_STATUS_OK;
}

eh_status show_estimate(const cli_args *args, ledger *l, eh_buf *out, eh_error *err) {
    eh_arena arena;
    arena_init(&arena, 256 << 20);
    eh_status status = each_judge(args, l, &arena, out, err);
    arena_deinit(&arena);
    return status;
}
