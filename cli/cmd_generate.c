/* SPDX-License-Identifier: MIT
 *
 * evenhand generate: the material of an audit, written by a model.
 *
 *   folder/generate.db        the replies; the same command goes on from there
 *   folder/review-*.csv       for people, between the steps
 *   folder/pairs.jsonl, factual_error.jsonl, ...   for evenhand audit
 *
 * Standard output has the funnel; what to do next is said on standard error.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.h"
#include "generate/generate.h"
#include "judging.h"
#include "progress.h"

typedef struct generate_cmd {
    judging j;
    progress_view view;
    eh_arena arena;
    alter_probe *probes; /* [n_probes] */
    size_t n_probes;
    dataset_options data;
    generate_options options;
    generate_result result;
} generate_cmd;

/* ---- setting up ---- */

static eh_status make_setup(generate_cmd *c, eh_error *err) {
    const cli_args *a = c->j.args;
    plan_wish wish = {.method = EH_STR("vanilla"),
                      .k = 1,
                      .temperature_given = true,
                      .temperature = args_f64(a, OPT_temperature, 1)};
    EH_TRY(generate_probes_read(eh_str_of(args_str(a, OPT_probes)),
                                eh_str_of(args_str(a, OPT_max_change)), &c->arena,
                                &c->probes, &c->n_probes, err));
    EH_TRY(plan_make(&wish, &c->j.setup.plan, err));
    EH_TRY(judging_open(&c->j, err));
    if (c->j.setup.j->backend->is_endpoint) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_USAGE,
                   "'%s' does not write texts: generate needs -j openai:MODEL or "
                   "anthropic:MODEL",
                   c->j.setup.j->backend->name);
}

static eh_status make_options(generate_cmd *c, const dataset_faults *faults,
                              eh_error *err) {
    const cli_args *a = c->j.args;
    static const char *const what[] = {"stop", "keep", "drop"};
    generate_options *o = &c->options;
    if (a->n_operands || args_given(a, OPT_answers)) {
        EH_TRY(common_dataset(a, &c->arena, &c->data, err));
        o->data = &c->data;
    }
    o->run = judging_options(&c->j);
    o->probes = c->probes;
    o->n_probes = c->n_probes;
    o->folder = args_str(a, OPT_output);
    o->faults = faults;
    o->skip_bad = args_flag(a, OPT_skip_bad);
    o->n_per_level = (int)args_i64(a, OPT_per_level, 30);
    o->max_words = (int)args_i64(a, OPT_words, 150);
    o->tries = (int)args_i64(a, OPT_tries, 3);
    o->seed = (uint64_t)args_i64(a, OPT_seed, 0);
    o->review_format = common_report_format(a);
    o->dry = args_flag(a, OPT_dry_run);
    for (int i = 0; i < 3; i++)
        if (strcmp(args_str(a, OPT_unreviewed), what[i]) == 0)
            o->unreviewed = (generate_unreviewed)i;
    return EH_STATUS_OK;
}

/* The ledger in the folder, which is made where it is not there. */
static eh_status open_ledger(generate_cmd *c, eh_error *err) {
    const char *folder = c->options.folder;
    char *path = arena_printf(&c->arena, "%s/generate.db", folder);
    if (!path) return EH_NOMEM(err);
    if (c->options.dry)
        return access(path, F_OK) == 0
                   ? ledger_open(path, LEDGER_READ, &c->options.l, err)
                   : EH_STATUS_OK;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return EH_FAIL(err, EH_STATUS_IO, "%s: %s", folder, strerror(errno));
    return ledger_open(path, LEDGER_CREATE, &c->options.l, err);
}

/* ---- what came of it ---- */

static void put_money(const generate_cmd *c, int64_t n_calls, int64_t prompt_tokens,
                      eh_buf *out) {
    int64_t limit = c->j.setup.params.max_tokens;
    if (!c->j.price) {
        buf_add_cstr(out, "the price of this model is unknown\n");
        return;
    }
    judge_usage most = {prompt_tokens, 0, limit >= 0 ? limit * n_calls : 0, 0};
    buf_printf(out, "at most $%.2f%s\n",
               (double)price_cost_nusd(c->j.price, &most) / 1e9,
               limit >= 0 ? "" : ", and the replies; --max-tokens bounds them");
}

static void put_forecast(const generate_cmd *c, eh_buf *out) {
    const generate_result *r = &c->result;
    buf_printf(out, "%lld calls are answered in the ledger, %lld are to be made next\n",
               (long long)r->counts.n_kept, (long long)r->counts.n_open);
    if (r->counts.n_open)
        put_money(c, r->counts.n_open, r->counts.open_prompt_bytes / 2, out);
    if (r->n_later)
        buf_printf(out, "then about %lld more for answers and changes\n",
                   (long long)r->n_later);
    buf_printf(out,
               "a refused reply is asked again: a text at most %d times, so the calls "
               "may come to %d times as many\n",
               c->options.tries, c->options.tries);
}

static void say_next(const generate_cmd *c) {
    const generate_result *r = &c->result;
    const char *folder = c->options.folder;
    if (r->waits_for[0]) {
        cmd_say(c->j.args,
                "%s: %lld of %lld rows are not reviewed; put "
                "yes or no into\nthe five columns of each, and run the same "
                "command again (or add --unreviewed keep or drop)",
                r->waits_for, (long long)r->n_to_review, (long long)r->n_review_rows);
        return;
    }
    if (!r->is_complete || args_flag(c->j.args, OPT_quiet)) return;
    bool any = false;
    for (size_t k = 0; k < c->n_probes; k++)
        any = any || r->funnel.rows[GENERATE_CHANGES + k].n_kept;
    if (!any) {
        cmd_say(c->j.args,
                "no changed answer was kept, so there is nothing to audit "
                "with; %s/funnel.txt says why",
                folder);
        return;
    }
    (void)fprintf(stderr,
                  "next: evenhand audit %s%s -j JUDGE -o AUDIT.db \\\n  --probes ",
                  c->options.data ? (c->data.path ? c->data.path : "DATA") : folder,
                  c->options.data ? "" : "/pairs.jsonl");
    const char *sep = "";
    for (size_t k = 0; k < c->n_probes; k++) {
        const alter_probe *p = &c->probes[k];
        const audit_probe *known = audit_probe_find(p->name);
        if (!r->funnel.rows[GENERATE_CHANGES + k].n_kept) continue;
        (void)fprintf(stderr, "%s%.*s", sep, EH_STR_ARG(p->name));
        if (!known || known->form != p->form)
            (void)fprintf(stderr, ":%s", audit_form_name(p->form));
        (void)fprintf(stderr, "=%s/%.*s.jsonl", folder, EH_STR_ARG(p->name));
        sep = ",";
    }
    (void)fprintf(stderr, "\n");
}

static void say_calls(generate_cmd *c) {
    const generate_counts *n = &c->result.counts;
    run_result end = {.end = c->result.end,
                      .progress = {.n_no_result = n->n_no_result}};
    if (!args_flag(c->j.args, OPT_quiet) || n->n_no_result)
        cmd_say(c->j.args, "%lld new call%s, %lld there before%s", (long long)n->n_new,
                n->n_new == 1 ? "" : "s", (long long)n->n_kept,
                n->n_no_result ? "; some gave no result; the same command asks "
                                 "them again"
                               : "");
    (void)snprintf(end.stop_message, sizeof end.stop_message, "%s",
                   c->result.stop_message);
    judging_say_why(&c->j, &end);
    if (c->j.exit_status == 0 && !c->options.dry && !c->result.is_complete)
        c->j.exit_status = eh_status_exit(EH_STATUS_LIMIT);
}

static eh_status run(generate_cmd *c, eh_error *err) {
    progress_init(&c->view, c->j.args, c->j.clock);
    c->options.run.on_progress = progress_show;
    c->options.run.self = &c->view;
    eh_status status = generate_run(&c->options, &c->result, err);
    progress_end(&c->view);
    EH_TRY(status);
    if (c->options.dry)
        put_forecast(c, &c->j.out);
    else if (args_flag(c->j.args, OPT_json))
        generate_funnel_json(&c->result.funnel, &c->j.out);
    else
        generate_funnel_text(&c->result.funnel, &c->j.out);
    return buf_check(&c->j.out, "the funnel", err);
}

int cmd_generate(const cli_args *args) {
    generate_cmd c = {.j = {.args = args, .clock = clock_system()}};
    common_faults faults = {.args = args};
    dataset_faults sink = common_faults_sink(&faults);
    eh_error err;
    buf_init(&c.j.out, BUF_MAX_REPORT);
    arena_init(&c.arena, BUF_MAX_SMALL);
    eh_status status = make_setup(&c, &err);
    if (status == EH_STATUS_OK) status = make_options(&c, &sink, &err);
    if (status == EH_STATUS_OK) status = open_ledger(&c, &err);
    if (status == EH_STATUS_OK) status = run(&c, &err);
    common_faults_end(&faults);
    eh_status closed = ledger_close(c.options.l, status == EH_STATUS_OK ? &err : NULL);
    if (status == EH_STATUS_OK) status = closed;
    if (status == EH_STATUS_OK)
        status = common_print_result(args, buf_view(&c.j.out), &err);
    if (status == EH_STATUS_OK && !c.options.dry) {
        say_calls(&c);
        say_next(&c);
    }
    judging_close(&c.j);
    arena_deinit(&c.arena);
    return status == EH_STATUS_OK ? c.j.exit_status : cmd_fail(args, &err);
}
