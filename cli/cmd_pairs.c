/* SPDX-License-Identifier: MIT
 *
 * evenhand pairs: the answers of many systems as a data set of pairs.
 *
 * All files are read and checked before the first line is written; the pairs wait in a
 * temporary ledger, so memory does not grow with them.
 */
#include <stdio.h>

#include "base/json_write.h"
#include "common.h"
#include "dataset/design.h"

typedef struct pairs_cmd {
    const cli_args *args;
    eh_arena arena; /* names of files */
    dataset_design design;
    dataset_design_files files;
    dataset_counts counts;
    eh_buf line;
} pairs_cmd;

/* The files of --answers and the operands behind them. */
static eh_status list_files(pairs_cmd *c, eh_error *err) {
    eh_str rest = eh_str_of(args_str(c->args, OPT_answers)), name;
    size_t cap = (size_t)c->args->n_operands + 1;
    for (size_t i = 0; i < rest.len; i++)
        cap += rest.ptr[i] == ',';
    const char **names = arena_zalloc(&c->arena, cap, sizeof *names);
    if (!names) return EH_NOMEM(err);
    int n = 0;
    while (eh_str_split(&rest, ',', &name)) {
        names[n] = arena_dup(&c->arena, name);
        if (!names[n++]) return EH_NOMEM(err);
    }
    for (int i = 0; i < c->args->n_operands; i++)
        names[n++] = c->args->operands[i];
    c->files = (dataset_design_files){.questions = args_str(c->args, OPT_questions),
                                      .answers = names,
                                      .n_answers = n};
    return EH_STATUS_OK;
}

static eh_status stage(pairs_cmd *c, ledger *l, eh_error *err) {
    common_faults faults = {.args = c->args};
    dataset_faults sink = common_faults_sink(&faults);
    dataset_stage into = ledger_stage(l);
    EH_TRY(ledger_stage_begin(l, err));
    eh_status status =
        dataset_read_design(&c->files, &c->design, &into, &sink, &c->counts, err);
    common_faults_end(&faults);
    EH_TRY(status);
    bool skip = args_flag(c->args, OPT_skip_bad) && c->counts.n_rows > 0;
    if (c->counts.n_errors && !skip)
        return EH_FAIL(
            err, EH_STATUS_DATA, "%lld error%s; nothing was written%s",
            (long long)c->counts.n_errors, c->counts.n_errors == 1 ? "" : "s",
            c->counts.n_rows ? " (--skip-bad leaves out what has errors)" : "");
    return EH_STATUS_OK;
}

static void put_str(json_writer *w, const char *key, eh_str value) {
    if (eh_str_is_absent(value)) return;
    json_put_str(w, key, value);
}

static void put_json(json_writer *w, const char *key, eh_str value) {
    if (eh_str_is_absent(value)) return;
    json_key(w, key);
    json_raw(w, value);
}

static void put_pair(const ledger_pair *pair, const ledger_texts *texts, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 0);
    json_object_begin(&w);
    put_str(&w, "id", pair->pair_id);
    put_str(&w, "question", texts->question);
    put_str(&w, "answer_1", texts->answer_1);
    put_str(&w, "answer_2", texts->answer_2);
    put_str(&w, "model_1", pair->model_1);
    put_str(&w, "model_2", pair->model_2);
    put_str(&w, "category", pair->category);
    put_str(&w, "reference", texts->reference);
    put_str(&w, "short_question", texts->short_question);
    put_json(&w, "turns", texts->turns_json);
    put_json(&w, "meta", texts->meta_json);
    json_object_end(&w);
    buf_add_char(out, '\n');
}

static eh_status write_pair(pairs_cmd *c, ledger *l, const ledger_pair *pair,
                            common_file *f, eh_error *err) {
    eh_arena arena;
    ledger_texts texts;
    arena_init(&arena, (size_t)1 << 30);
    eh_status status = ledger_pair_texts(l, pair->row, &texts, &arena, err);
    if (status == EH_STATUS_OK) {
        buf_reset(&c->line);
        put_pair(pair, &texts, &c->line);
        status = buf_check(&c->line, "a pair", err);
    }
    if (status == EH_STATUS_OK) status = common_file_write(f, buf_view(&c->line), err);
    arena_deinit(&arena);
    return status;
}

static eh_status write_all(pairs_cmd *c, ledger *l, common_file *f, eh_error *err) {
    ledger_cursor *cursor;
    EH_TRY(ledger_cursor_open(l, LEDGER_BY_DATA, &cursor, err));
    eh_status status = EH_STATUS_OK;
    for (bool got = true; status == EH_STATUS_OK;) {
        ledger_pair pair;
        status = ledger_cursor_next(cursor, &pair, &got, err);
        if (status != EH_STATUS_OK || !got) break;
        status = write_pair(c, l, &pair, f, err);
    }
    ledger_cursor_close(cursor);
    return status;
}

static eh_status write_file(pairs_cmd *c, ledger *l, eh_error *err) {
    const char *path = args_str(c->args, OPT_output);
    common_file f;
    EH_TRY(common_file_open(path, &f, err));
    eh_status status = write_all(c, l, &f, err);
    eh_status closed = common_file_close(&f, status == EH_STATUS_OK ? err : NULL);
    if (status == EH_STATUS_OK) status = closed;
    if (status == EH_STATUS_OK && !args_flag(c->args, OPT_quiet))
        cmd_say(c->args, "%lld pair%s of %d systems", (long long)c->counts.n_rows,
                c->counts.n_rows == 1 ? "" : "s", c->files.n_answers);
    return status;
}

static eh_status make_pairs(pairs_cmd *c, eh_error *err) {
    ledger *l;
    EH_TRY(dataset_design_parse(eh_str_of(args_str(c->args, OPT_design)), &c->design,
                                err));
    EH_TRY(list_files(c, err));
    EH_TRY(ledger_open_temporary(&l, err));
    eh_status status = stage(c, l, err);
    if (status == EH_STATUS_OK) status = write_file(c, l, err);
    (void)ledger_close(l, NULL);
    return status;
}

int cmd_pairs(const cli_args *args) {
    pairs_cmd c = {.args = args};
    eh_error err;
    arena_init(&c.arena, BUF_MAX_SMALL);
    buf_init(&c.line, 4 * BUF_MAX_LINE);
    eh_status status = make_pairs(&c, &err);
    buf_deinit(&c.line);
    arena_deinit(&c.arena);
    return status == EH_STATUS_OK ? 0 : cmd_fail(args, &err);
}
