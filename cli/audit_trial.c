/* SPDX-License-Identifier: MIT
 *
 * evenhand audit --self-test: is what the audit says true of judges that are known?
 *
 * The pairs are the built-in examples (examples/), each under three openings: to judges
 * that do not read these are pairs of their own, so three times as many are there. The
 * authors' ratings are left out, so that every judge draws qualities by its seed. The
 * files stand in a folder of their own that is removed at the end.
 */
#include "audit_trial.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/embedded.h"
#include "common.h"
#include "exam/trial.h"

static const char *const openings[] = {"", "In short: ", "For a friend: "};
enum { N_OPENINGS = sizeof openings / sizeof openings[0] };

typedef struct scratch {
    char folder[64], pairs[96], errors[96];
} scratch;

static const embedded_file *find_file(const char *name) {
    const embedded_file *f = embedded_demo;
    while (f->name && strcmp(f->name, name) != 0)
        f++;
    return f->name ? f : NULL;
}

/* A row of the examples, with another id and opening; both keys begin the row. */
static bool write_row(FILE *out, eh_str row, int opening) {
    static const char id[] = "\"id\": \"", question[] = "\"question\": \"",
                      rating[] = ", \"quality_1\"";
    size_t at_id = eh_str_find(row, eh_str_of(id), 0) + sizeof id - 1;
    size_t at_question = eh_str_find(row, eh_str_of(question), 0) + sizeof question - 1;
    size_t end = eh_str_find(row, eh_str_of(rating), 0);
    eh_str head = eh_str_slice(row, 0, at_id);
    eh_str middle = eh_str_slice(row, at_id, at_question);
    eh_str tail = eh_str_slice(row, at_question, end == SIZE_MAX ? row.len : end);
    return fprintf(out, "%.*s%d-%.*s%s%.*s%s\n", EH_STR_ARG(head), opening,
                   EH_STR_ARG(middle), openings[opening], EH_STR_ARG(tail),
                   end == SIZE_MAX ? "" : "}") > 0;
}

static eh_status write_file(const char *name, const char *path, eh_error *err) {
    const embedded_file *f = find_file(name);
    FILE *out = f ? fopen(path, "wb") : NULL;
    bool ok = out != NULL;
    for (int i = 0; ok && i < N_OPENINGS; i++) {
        eh_str rest = {f->text, f->len}, row;
        while (ok && eh_str_split(&rest, '\n', &row))
            if (row.len) ok = write_row(out, row, i);
    }
    if (out && fclose(out) != 0) ok = false;
    return ok ? EH_STATUS_OK
              : EH_FAIL(err, EH_STATUS_IO, "%s: %s", path, strerror(errno));
}

static eh_status unpack(scratch *s, eh_error *err) {
    const char *base = getenv("TMPDIR");
    if (!base || !*base || strlen(base) > 30) base = "/tmp";
    (void)snprintf(s->folder, sizeof s->folder, "%s/evenhand-audit-XXXXXX", base);
    if (!mkdtemp(s->folder)) {
        eh_status status =
            EH_FAIL(err, EH_STATUS_IO, "%s: %s", s->folder, strerror(errno));
        s->folder[0] = '\0';
        return status;
    }
    (void)snprintf(s->pairs, sizeof s->pairs, "%s/pairs.jsonl", s->folder);
    (void)snprintf(s->errors, sizeof s->errors, "%s/errors.jsonl", s->folder);
    EH_TRY(write_file("pairs.jsonl", s->pairs, err));
    return write_file("errors.jsonl", s->errors, err);
}

static void clean_up(const scratch *s) {
    if (!s->folder[0]) return;
    (void)unlink(s->pairs);
    (void)unlink(s->errors);
    (void)rmdir(s->folder);
}

int audit_trial(const cli_args *args) {
    scratch s = {{0}, {0}, {0}};
    exam_trial_options options = {.seed = (uint64_t)args_i64(args, OPT_seed, 0),
                                  .n_rounds = (int)args_i64(args, OPT_rounds, 1),
                                  .n_threads = (int)sysconf(_SC_NPROCESSORS_ONLN),
                                  .clock = clock_system()};
    card_trial trial = {.rows = NULL};
    eh_arena arena;
    eh_buf out;
    eh_error err;
    arena_init(&arena, 64 << 20);
    buf_init(&out, BUF_MAX_REPORT);
    eh_status status = unpack(&s, &err);
    options.pairs = s.pairs;
    options.errors = s.errors;
    if (status == EH_STATUS_OK) status = exam_trial(&options, &arena, &trial, &err);
    clean_up(&s);
    bool ok = status == EH_STATUS_OK && card_trial_ok(&trial);
    if (status == EH_STATUS_OK && args_flag(args, OPT_json))
        card_trial_json(&trial, &out);
    else if (status == EH_STATUS_OK)
        card_trial_text(&trial, &out);
    arena_deinit(&arena);
    if (status != EH_STATUS_OK) {
        buf_deinit(&out);
        return cmd_fail(args, &err);
    }
    int exit_status = common_print(args, &out, "the self-test");
    return exit_status ? exit_status : ok ? 0 : eh_status_exit(EH_STATUS_FAILED_PAIRS);
}
