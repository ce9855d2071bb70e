/* SPDX-License-Identifier: MIT
 *
 * evenhand show --estimate and --guarantee: what people would say of all pairs, and
 * which rulings may stand without them.
 *
 * The judge whose doubts made the queue is the one that its chances belong to, so it is
 * shown alone; -m rules by another method and then shows every judge.
 */
#include "show_estimate.h"

#include "ledger/queue.h"
#include "report/write.h"
#include "tally/estimate.h"
#include "tally/guarantee.h"

typedef struct shower {
    const cli_args *args;
    ledger *l;
    const price_table *prices;
    eh_arena *arena;
    eh_buf *out;
    json_writer w;
    report_estimates e;
} shower;

/* What all calls behind a view cost; -1: unknown. */
static eh_status judge_cost(const shower *s, const tally_view *view, int64_t *nusd,
                            eh_error *err) {
    report_judge numbers = {.judge_id = view->run.judge.judge, .cost_nusd = -1};
    EH_TRY(tally_take_usage(s->l, view, s->arena, &numbers, err));
    price_judge(s->prices, &numbers);
    *nusd = numbers.cost_nusd;
    return EH_STATUS_OK;
}

static eh_status one_estimate(shower *s, const tally_view *view, eh_str name,
                              eh_error *err) {
    tally_estimate_options options = {
        .judge_name = name,
        .half_width = args_f64(s->args, OPT_half_width, .05),
        .labels_random = args_flag(s->args, OPT_labels_random),
        .label_nusd = args_i64(s->args, OPT_label_price, -1)};
    EH_TRY(judge_cost(s, view, &options.judge_nusd, err));
    EH_TRY(tally_estimate(s->l, view, &options, s->arena, &s->e, err));
    if (args_flag(s->args, OPT_json))
        report_estimates_json(&s->e, &s->w);
    else
        report_estimates_text(&s->e, s->out);
    return EH_STATUS_OK;
}

static eh_status one_guarantee(shower *s, const tally_view *view, eh_str name,
                               eh_error *err) {
    report_guarantee g;
    EH_TRY(show_guarantee_of(s->args, s->l, view, name, s->arena, &g, err));
    if (args_flag(s->args, OPT_json)) {
        report_guarantee_json(&g, &s->w);
        return EH_STATUS_OK;
    }
    report_guarantee_text(&g, s->out);
    return EH_STATUS_OK;
}

eh_status show_guarantee_of(const cli_args *args, ledger *l, const tally_view *view,
                            eh_str name, eh_arena *arena, report_guarantee *g,
                            eh_error *err) {
    const tally_guarantee_options options = {.judge_name = name,
                                             .alpha = args_f64(args, OPT_guarantee, .1),
                                             .delta = args_f64(args, OPT_delta, .05),
                                             .labels_random =
                                                 args_flag(args, OPT_labels_random)};
    const double bounds[] = {options.alpha, options.delta};
    for (int i = 0; i < 2; i++)
        if (!(bounds[i] > 0 && bounds[i] < 1))
            return EH_FAIL(err, EH_STATUS_USAGE, "%s must lie between 0 and 100%%",
                           i ? "--delta" : "--guarantee");
    return tally_guarantee(l, view, &options, arena, g, err);
}

static eh_status each_judge(shower *s, eh_error *err) {
    tally_view *views;
    eh_str *names;
    ledger_queue queue;
    size_t n;
    bool found, json = args_flag(s->args, OPT_json), first = true;
    eh_str method = eh_str_of(args_str(s->args, OPT_method));
    EH_TRY(tally_views(s->l, method, s->arena, &views, &n, err));
    EH_TRY(tally_view_names(views, n, s->arena, &names, err));
    EH_TRY(ledger_queue_get(s->l, s->arena, &queue, &found, err));
    for (size_t i = 0; i < n; i++) {
        if (found && queue.judge.len && !eh_str_eq(queue.judge, names[i]) &&
            !args_given(s->args, OPT_method))
            continue;
        if (json) json_key_str(&s->w, names[i]);
        if (!json && !first) buf_add_char(s->out, '\n');
        EH_TRY(args_given(s->args, OPT_guarantee)
                   ? one_guarantee(s, &views[i], names[i], err)
                   : one_estimate(s, &views[i], names[i], err));
        first = false;
    }
    return EH_STATUS_OK;
}

static eh_status show_all(shower *s, eh_error *err) {
    bool json = args_flag(s->args, OPT_json);
    json_writer_init(&s->w, s->out, 1);
    if (json) {
        json_object_begin(&s->w);
        json_put_i64(&s->w,
                     args_given(s->args, OPT_guarantee) ? "guarantee" : "estimate", 1);
        json_key(&s->w, "judges");
        json_object_begin(&s->w);
    }
    EH_TRY(each_judge(s, err));
    if (json) {
        json_object_end(&s->w);
        json_object_end(&s->w);
        buf_add_char(s->out, '\n');
    }
    return EH_STATUS_OK;
}

eh_status show_estimate(const cli_args *args, ledger *l, const price_table *prices,
                        eh_buf *out, eh_error *err) {
    eh_arena arena;
    arena_init(&arena, 256 << 20);
    shower *s = arena_zalloc(&arena, 1, sizeof *s);
    if (!s) {
        arena_deinit(&arena);
        return EH_NOMEM(err);
    }
    s->args = args;
    s->l = l;
    s->prices = prices;
    s->arena = &arena;
    s->out = out;
    eh_status status = show_all(s, err);
    arena_deinit(&arena);
    return status;
}
