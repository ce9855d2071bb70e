/* SPDX-License-Identifier: MIT
 *
 * Tasks as files.
 *
 *   desk -> {"item", "annotator", "question", "a", "b", "choice": null, ...} -> people
 *        <- {"item", "choice", "familiar", "note"}                           <-
 *
 * The same desk as for the page hands them out, so sides are recorded, and people who
 * label elsewhere and people on the page share one queue. The item's id is all that
 * leads back; pair, side and person are looked up by it.
 */
#include "serve/tasks.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "dataset/labels.h"
#include "report/cells.h"
#include "serve/desk.h"
#include "serve/serve.h"

enum { PEOPLE_MAX = 1000 };

typedef struct writer {
    ledger *l;
    const tasks_options *o;
    desk *desk;
    FILE *out;
    eh_buf line;
    eh_arena arena;
    int64_t n_tasks;
} writer;

/* ---- out ---- */

static void put_json(writer *w, const ledger_assignment *a, eh_str name,
                     const ledger_texts *t) {
    bool swap = a->side == EH_ORDER_21;
    json_writer j;
    json_writer_init(&j, &w->line, 0);
    json_object_begin(&j);
    json_put_cstr(&j, "item", a->id);
    json_put_str(&j, "annotator", name);
    json_put_str(&j, "question", t->question);
    if (t->turns_json.len) {
        json_key(&j, "turns");
        json_raw(&j, t->turns_json);
    }
    json_put_str(&j, "a", swap ? t->answer_2 : t->answer_1);
    json_put_str(&j, "b", swap ? t->answer_1 : t->answer_2);
    static const char *const empty[] = {"choice", "familiar", "note"};
    for (size_t i = 0; i < 3; i++) {
        json_key(&j, empty[i]);
        json_null(&j);
    }
    json_object_end(&j);
    buf_add_char(&w->line, '\n');
}

/* A cell that a spreadsheet takes for a formula gets an apostrophe in front. */
static void csv_cell(eh_str s, eh_buf *out) {
    char quoted[2] = "'";
    if (!s.len || !strchr("=+-@\t\r", s.ptr[0])) {
        report_csv_text(s, out);
        return;
    }
    eh_buf safe;
    buf_init(&safe, BUF_MAX_LINE);
    buf_add_cstr(&safe, quoted);
    buf_add_str(&safe, s);
    report_csv_text(buf_view(&safe), out);
    out->failed = out->failed || safe.failed;
    buf_deinit(&safe);
}

static void put_csv(writer *w, const ledger_assignment *a, eh_str name,
                    const ledger_texts *t) {
    bool swap = a->side == EH_ORDER_21;
    const eh_str cells[] = {name, t->question, swap ? t->answer_2 : t->answer_1,
                            swap ? t->answer_1 : t->answer_2};
    buf_add_cstr(&w->line, a->id);
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        buf_add_char(&w->line, ',');
        csv_cell(cells[i], &w->line);
    }
    buf_add_cstr(&w->line, ",,,\n");
}

static eh_status write_line(writer *w, eh_error *err) {
    EH_TRY(buf_check(&w->line, "a task", err));
    if (fwrite(w->line.ptr, 1, w->line.len, w->out) == w->line.len) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_IO, "%s: %s", w->o->path, strerror(errno));
}

static eh_status write_task(writer *w, const ledger_assignment *a, eh_str name,
                            eh_error *err) {
    ledger_texts t;
    arena_reset(&w->arena);
    EH_TRY(ledger_pair_texts(w->l, a->pair_row, &t, &w->arena, err));
    buf_reset(&w->line);
    if (w->o->csv)
        put_csv(w, a, name, &t);
    else
        put_json(w, a, name, &t);
    w->n_tasks++;
    return write_line(w, err);
}

typedef struct somebody {
    eh_str name;
    int64_t row;
    size_t n_held;
} somebody;

static eh_status take_names(const writer *w, somebody *people, size_t *n,
                            eh_error *err) {
    eh_str rest = w->o->annotators, name;
    *n = 0;
    while (eh_str_split(&rest, ',', &name)) {
        name = eh_str_trim(name);
        if (*n == PEOPLE_MAX)
            return EH_FAIL(err, EH_STATUS_USAGE,
                           "--annotators: at most %d may be given", PEOPLE_MAX);
        EH_TRY(serve_name_check(name, err));
        people[*n].name = name;
        people[*n].n_held = 0;
        EH_TRY(ledger_annotator_put(w->l, name, NULL, clock_now_ms(&w->o->clock),
                                    &people[(*n)++].row, err));
    }
    return ledger_commit(w->l, err);
}

/* In small rounds, so that shares stay about equal; they go on while somebody may still
 * have a pair, since nobody may have one twice. */
static eh_status share_out(writer *w, somebody *people, size_t n,
                           ledger_assignment *list, size_t cap, eh_error *err) {
    for (bool moved = true; moved && desk_n_missing(w->desk) > 0;) {
        moved = false;
        for (size_t i = 0; i < n; i++) {
            size_t missing = (size_t)desk_n_missing(w->desk), before, after;
            size_t share = (missing + 8 * n - 1) / (8 * n);
            EH_TRY(ledger_assignments_open(w->l, people[i].row, false, list, cap,
                                           &before, err));
            size_t want = before + share < cap ? before + share : cap;
            EH_TRY(desk_next(w->desk, people[i].row, list, want, &after, err));
            moved = moved || after > before;
        }
    }
    return EH_STATUS_OK;
}

static eh_status write_all(writer *w, eh_error *err) {
    somebody people[PEOPLE_MAX];
    size_t n = 0, n_open, cap = (size_t)desk_n_pairs(w->desk) + 1;
    ledger_assignment *list = mem_alloc(cap, sizeof *list);
    if (!list) return EH_NOMEM(err);
    eh_status status = take_names(w, people, &n, err);
    if (status == EH_STATUS_OK) status = share_out(w, people, n, list, cap, err);
    if (status == EH_STATUS_OK && w->o->csv) {
        buf_add_cstr(&w->line, "item,annotator,question,a,b,choice,familiar,note\n");
        status = write_line(w, err);
    }
    for (size_t i = 0; status == EH_STATUS_OK && i < n; i++) {
        status = ledger_assignments_open(w->l, people[i].row, false, list, cap, &n_open,
                                         err);
        for (size_t k = 0; status == EH_STATUS_OK && k < n_open; k++)
            status = write_task(w, &list[k], people[i].name, err);
    }
    mem_free(list);
    return status;
}

eh_status tasks_export(ledger *l, const tasks_options *options, int64_t *n_tasks,
                       eh_error *err) {
    writer w = {.l = l, .o = options, .out = stdout};
    bool to_file = strcmp(options->path, "-") != 0;
    EH_TRY(desk_open(l, options->clock, &w.desk, err));
    if (to_file) w.out = fopen(options->path, "wb");
    eh_status status = EH_STATUS_OK;
    if (!w.out)
        status = EH_FAIL(err, EH_STATUS_IO, "%s: %s", options->path, strerror(errno));
    buf_init(&w.line, BUF_MAX_LINE);
    arena_init(&w.arena, BUF_MAX_LINE);
    if (status == EH_STATUS_OK) status = write_all(&w, err);
    if (to_file && w.out && fclose(w.out) != 0 && status == EH_STATUS_OK)
        status = EH_FAIL(err, EH_STATUS_IO, "%s: %s", options->path, strerror(errno));
    *n_tasks = w.n_tasks;
    buf_deinit(&w.line);
    arena_deinit(&w.arena);
    desk_close(w.desk);
    return status;
}

/* ---- back ---- */

typedef struct answered {
    ledger_assignment a;
    ledger_choice choice;
    bool unfamiliar;
    eh_str note;
} answered;

typedef struct taker {
    ledger *l;
    tasks_counts *counts;
    answered *rows; /* [n] */
    size_t n, cap;
    eh_arena notes;
} taker;

static ledger_choice choice_of(eh_str text) {
    text = eh_str_trim(text);
    if (eh_str_eq_cstr(text, "a")) return LEDGER_CHOICE_A;
    if (eh_str_eq_cstr(text, "b")) return LEDGER_CHOICE_B;
    return ledger_choice_parse(text);
}

static eh_status take_task(void *self, const dataset_task *task, eh_error *err) {
    taker *t = self;
    answered row = {.unfamiliar = task->familiar == 0};
    bool found;
    EH_TRY(ledger_assignment_find(t->l, task->item, &row.a, &found, err));
    if (!found)
        return EH_FAIL(err, EH_STATUS_DATA,
                       "%s: line %lld: item '%.*s' was not given out from this ledger; "
                       "nothing was taken",
                       task->file, (long long)task->line,
                       (int)(task->item.len > 40 ? 40 : task->item.len),
                       task->item.ptr);
    if (eh_str_is_blank(task->choice)) {
        t->counts->n_open++;
        return EH_STATUS_OK;
    }
    row.choice = choice_of(task->choice);
    if (!row.choice)
        return EH_FAIL(err, EH_STATUS_DATA,
                       "%s: line %lld: choice '%.*s' is none of A, B, tie and skip; "
                       "nothing was taken",
                       task->file, (long long)task->line,
                       (int)(task->choice.len > 40 ? 40 : task->choice.len),
                       task->choice.ptr);
    if (!eh_str_is_blank(task->note) && !arena_copy(&t->notes, task->note, &row.note))
        return EH_NOMEM(err);
    if (t->n == t->cap) {
        size_t cap = t->cap ? 2 * t->cap : 64;
        answered *more = mem_realloc(t->rows, cap, sizeof *more);
        if (!more) return EH_NOMEM(err);
        t->rows = more;
        t->cap = cap;
    }
    t->rows[t->n++] = row;
    return EH_STATUS_OK;
}

static eh_status decide(taker *t, desk *d, const answered *row, eh_arena *arena,
                        eh_error *err) {
    ledger_decision current, kept;
    desk_outcome outcome;
    bool found;
    char id[33];
    uint8_t bytes[16];
    EH_TRY(ledger_decision_current(t->l, row->a.row, arena, &current, &found, err));
    if (found && current.choice == row->choice &&
        current.unfamiliar == row->unfamiliar && eh_str_eq(current.note, row->note)) {
        t->counts->n_known++;
        return EH_STATUS_OK;
    }
    randombytes_buf(bytes, sizeof bytes);
    hash_hex(bytes, sizeof bytes, id);
    desk_label label = {.item = eh_str_of(row->a.id),
                        .replaces = found ? current.label_id : (eh_str){NULL, 0},
                        .decision = {.label_id = eh_str_of(id),
                                     .choice = row->choice,
                                     .unfamiliar = row->unfamiliar,
                                     .note = row->note,
                                     .view = EH_STR("file"),
                                     .client_seq = -1,
                                     .visible_ms = -1,
                                     .depth_a = (double)NAN,
                                     .depth_b = (double)NAN}};
    EH_TRY(desk_decide(d, row->a.annotator_row, &label, arena, &outcome, &kept, err));
    t->counts->n_taken += outcome == DESK_SAVED;
    return EH_STATUS_OK;
}

static eh_status decide_all(taker *t, eh_clock clock, eh_error *err) {
    desk *d;
    eh_arena arena;
    EH_TRY(desk_open(t->l, clock, &d, err));
    arena_init(&arena, 16 << 20);
    eh_status status = EH_STATUS_OK;
    for (size_t i = 0; status == EH_STATUS_OK && i < t->n; i++) {
        arena_reset(&arena);
        status = decide(t, d, &t->rows[i], &arena, err);
    }
    arena_deinit(&arena);
    desk_close(d);
    return status;
}

eh_status tasks_import(ledger *l, const char *path, const dataset_faults *faults,
                       eh_clock clock, tasks_counts *counts, eh_error *err) {
    *counts = (tasks_counts){0};
    taker t = {.l = l, .counts = counts};
    dataset_task_sink sink = {&t, take_task};
    dataset_counts read = {0};
    arena_init(&t.notes, 256 << 20);
    eh_status status = dataset_read_tasks(path, &sink, faults, &read, err);
    if (status == EH_STATUS_OK && read.n_errors)
        status = EH_FAIL(err, EH_STATUS_DATA, "%s: %lld error%s; nothing was taken",
                         path, (long long)read.n_errors, read.n_errors == 1 ? "" : "s");
    if (status == EH_STATUS_OK) status = decide_all(&t, clock, err);
    mem_free(t.rows);
    arena_deinit(&t.notes);
    return status;
}
