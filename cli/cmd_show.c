/* SPDX-License-Identifier: MIT
 *
 * evenhand show: the numbers of ledgers, and of files with recorded judgments; the card
 * of an audit.
 *
 *   RUN.db ...           each opened for reading
 *   JUDGMENTS ...        together one ledger in memory or in a temporary file, so that
 *                        one way of computing serves both
 *     -> summary -> tables that were asked for -> JSON or text
 *
 * Nobody is called. Numbers that differ from machine to machine are in show_timing.c.
 */
#include "common.h"
#include "report/summary.h"
#include "report/write.h"
#include "exam/exam.h"
#include "generate/generate.h"
#include "run/price.h"
#include "tally/summarize.h"
#include "show_audit.h"
#include "show_estimate.h"
#include "show_options.h"
#include "show_timing.h"
#include "tables/groups.h"
#include "tables/methods.h"
#include "tables/people.h"
#include "tables/reference.h"

enum { ARENA_BYTES = 1 << 30 };

typedef struct show_cmd {
    const cli_args *args;
    eh_arena arena;
    ledger **ledgers;         /* [n_ledgers] */
    eh_str *titles;           /* [n_ledgers] as the user named them */
    size_t n_ledgers, n_runs; /* the first n_runs are ledgers of the user's */
    price_table *prices;
    tally_books books;
    report_summary summary;
    tables_people people;
    tables_groups groups;
    tables_reference reference;
    tables_methods methods;
    eh_buf out;
} show_cmd;

/* ---- what is shown ---- */

/* Our own files need no word. */
static void say_other(void *self, const char *path, const import_file *file,
                      int64_t n_judges) {
    if (strcmp(file->format, "judgments") != 0)
        common_say_file(self, path, file, n_judges);
}

/* In memory; with a data set, or where they are too many for that, in a temporary file.
 */
static eh_status take_judgments(show_cmd *s, const common_import_files *files,
                                bool in_memory, eh_error *err) {
    run_import_counts counts;
    ledger **l = &s->ledgers[s->n_ledgers];
    EH_TRY(in_memory ? ledger_open_held(l, err) : ledger_open_temporary(l, err));
    eh_status status = common_import(s->args, *l, files, &counts, err);
    if (status == EH_STATUS_OK) return status;
    (void)ledger_close(*l, NULL);
    *l = NULL;
    if (status != EH_STATUS_TOO_BIG || !in_memory) return status;
    return take_judgments(s, files, false, err);
}

static eh_status open_judgments(show_cmd *s, char *const *paths, int n_paths,
                                eh_error *err) {
    const common_import_files files = {
        .paths = paths, .n_paths = n_paths, .on_file = say_other};
    EH_TRY(take_judgments(s, &files, !args_given(s->args, OPT_pairs), err));
    s->titles[s->n_ledgers++] =
        n_paths == 1 ? eh_str_of(paths[0]) : EH_STR("the files of judgments");
    return EH_STATUS_OK;
}

static eh_status open_operands(show_cmd *s, eh_error *err) {
    const cli_args *args = s->args;
    size_t n = (size_t)args->n_operands;
    int n_paths = 0;
    s->ledgers = arena_zalloc(&s->arena, n + 1, sizeof(ledger *));
    s->titles = arena_zalloc(&s->arena, n + 1, sizeof *s->titles);
    char **paths = arena_zalloc(&s->arena, n + 1, sizeof *paths);
    if (!s->ledgers || !s->titles || !paths) return EH_NOMEM(err);
    for (int i = 0; i < args->n_operands; i++) {
        if (!ledger_sniff(args->operands[i])) {
            paths[n_paths++] = args->operands[i];
            continue;
        }
        EH_TRY(ledger_open(args->operands[i], LEDGER_READ, &s->ledgers[s->n_ledgers],
                           err));
        s->titles[s->n_ledgers++] = eh_str_of(args->operands[i]);
    }
    s->n_runs = s->n_ledgers;
    return n_paths ? open_judgments(s, paths, n_paths, err) : EH_STATUS_OK;
}

/* ---- what is computed ---- */

static eh_status make_methods(show_cmd *s, eh_error *err) {
    const tables_methods_options options = {
        .budgets = eh_str_of(args_str(s->args, OPT_budgets)),
        .label_nusd = args_i64(s->args, OPT_label_price, -1),
        .prices = s->prices};
    return tables_methods_make(&s->books, &options, &s->arena, &s->methods, err);
}

static eh_status compute(show_cmd *s, eh_error *err) {
    const cli_args *args = s->args;
    eh_str method = eh_str_of(args_str(args, OPT_method));
    EH_TRY(
        tally_books_look(s->ledgers, s->n_ledgers, method, &s->arena, &s->books, err));
    s->books.n_resamples = (int)args_i64(args, OPT_bootstrap, 0);
    EH_TRY(tally_summarize_books(&s->books, &s->arena, &s->summary, err));
    EH_TRY(price_table_load(args_str(args, OPT_prices), &s->prices, err));
    price_summary(s->prices, &s->summary);
    s->summary.with_compat = args_flag(args, OPT_compat);
    s->summary.co2e_g = args_f64(args, OPT_co2e, 0);
    s->summary.label_nusd = args_i64(args, OPT_label_price, 0);
    EH_TRY(tables_people_make(&s->books, &s->arena, &s->people, err));
    if (args_given(args, OPT_by))
        EH_TRY(tables_groups_make(&s->books, eh_str_of(args_str(args, OPT_by)),
                                  &s->arena, &s->groups, err));
    if (args_given(args, OPT_reference))
        EH_TRY(tables_reference_make(&s->books, &s->summary,
                                     eh_str_of(args_str(args, OPT_reference)),
                                     &s->arena, &s->reference, err));
    return args_flag(args, OPT_methods) ? make_methods(s, err) : EH_STATUS_OK;
}

/* ---- what is printed ---- */

static void put_json(show_cmd *s) {
    const cli_args *args = s->args;
    int64_t label_nusd = args_i64(args, OPT_label_price, -1);
    json_writer w;
    json_writer_init(&w, &s->out, 1);
    report_summary_json_open(&s->summary, &w);
    if (args_given(args, OPT_by))
        tables_groups_json(&s->groups, s->summary.with_compat, &w);
    if (args_given(args, OPT_reference)) tables_reference_json(&s->reference, &w);
    if (args_flag(args, OPT_methods)) tables_methods_json(&s->methods, &w);
    if (s->people.n) tables_people_json(&s->people, label_nusd, &w);
    json_object_end(&w);
    buf_add_char(&s->out, '\n');
}

/* People are a part of the one judge's block, and a paragraph under a table of many. */
static void put_tables(show_cmd *s, eh_buf *out) {
    const cli_args *args = s->args;
    if (args_flag(args, OPT_methods))
        tables_methods_text(&s->methods, &s->people, out);
    else if (s->people.n > 1) {
        if (s->summary.n_judges != 1) buf_add_char(out, '\n');
        tables_people_text(&s->people, out);
    }
    if (args_given(args, OPT_by)) tables_groups_text(&s->groups, out);
    if (args_given(args, OPT_reference)) tables_reference_text(&s->reference, out);
    if (s->n_ledgers < 2) return;
    buf_add_char(out, '\n');
    for (size_t i = 0; i < s->n_ledgers; i++)
        buf_printf(out, "[%zu] " LAYOUT_HANG "%.*s\n", i + 1, EH_STR_ARG(s->titles[i]));
}

static eh_status print_estimate(show_cmd *s, eh_error *err) {
    if (s->n_ledgers != 1)
        return EH_FAIL(err, EH_STATUS_USAGE, "--%s takes one ledger at a time",
                       args_given(s->args, OPT_guarantee) ? "guarantee" : "estimate");
    EH_TRY(price_table_load(args_str(s->args, OPT_prices), &s->prices, err));
    return show_estimate(s->args, s->ledgers[0], s->prices, &s->out, err);
}

static eh_status print(show_cmd *s, eh_error *err) {
    bool json = args_flag(s->args, OPT_json), timing = args_flag(s->args, OPT_timing);
    const show_timing_options options = {json, args_f64(s->args, OPT_co2e_hour, 0)};
    if (json && timing)
        return show_timing(&s->books, &s->summary, &options, &s->arena, &s->out, err);
    if (json) {
        put_json(s);
        return EH_STATUS_OK;
    }
    eh_status status = EH_STATUS_OK;
    bool with_summary = !args_flag(s->args, OPT_methods);
    if (with_summary) report_summary_body_text(&s->summary, &s->out);
    put_tables(s, &s->out);
    if (timing)
        status = show_timing(&s->books, &s->summary, &options, &s->arena, &s->out, err);
    if (with_summary) report_summary_closing_text(&s->summary, &s->out);
    return status;
}

/* What the ledgers are decides what is shown. */
static eh_status show(show_cmd *s, eh_error *err) {
    size_t n_audits = 0, last = 0;
    for (size_t i = 0; i < s->n_runs; i++) {
        bool is_audit, is_generation;
        EH_TRY(generate_is_one(s->ledgers[i], &s->arena, &is_generation, err));
        if (is_generation)
            return EH_FAIL(err, EH_STATUS_USAGE,
                           "%.*s holds texts that a model wrote and no judgments; what "
                           "came of them is in funnel.txt beside it",
                           EH_STR_ARG(s->titles[i]));
        EH_TRY(exam_is_one(s->ledgers[i], &is_audit, err));
        if (is_audit) last = i;
        n_audits += is_audit;
    }
    if (n_audits && n_audits < (size_t)s->args->n_operands)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "%.*s is an audit: it is shown alone, or beside other audits",
                       EH_STR_ARG(s->titles[last]));
    const show_operands operands = {.has_files = s->n_ledgers > s->n_runs,
                                    .is_audit = n_audits > 0};
    EH_TRY(show_options_check(s->args, &operands, err));
    if (n_audits)
        return show_audits(s->args, s->ledgers, s->titles, n_audits, &s->out, err);
    if (args_flag(s->args, OPT_estimate) || args_given(s->args, OPT_guarantee))
        return print_estimate(s, err);
    EH_TRY(compute(s, err));
    return print(s, err);
}

int cmd_show(const cli_args *args) {
    show_cmd s = {.args = args};
    eh_error err;
    arena_init(&s.arena, ARENA_BYTES);
    buf_init(&s.out, BUF_MAX_REPORT);
    eh_status status = open_operands(&s, &err);
    if (status == EH_STATUS_OK) status = show(&s, &err);
    for (size_t i = 0; i < s.n_ledgers; i++)
        (void)ledger_close(s.ledgers[i], NULL);
    price_table_free(s.prices);
    arena_deinit(&s.arena);
    if (status == EH_STATUS_OK) return common_print(args, &s.out, "the summary");
    buf_deinit(&s.out);
    return cmd_fail(args, &err);
}
