/* SPDX-License-Identifier: MIT
 *
 * Designs over the answers of many systems.
 *
 *   answers_1, answers_2, ... -> tables of the stage, and the name of each system
 *   questions, in their order -> who answered -> duels -> pairs
 *
 * Balanced, on each question by itself: systems come one by one, in the order of the
 * files, and each takes on the M before it that have met fewest so far; equals are told
 * apart by a hash of question and names, so that opponents change from question to
 * question. Who came before never depends on who comes after.
 *
 * Left out: designs that learn from verdicts whom to compare next.
 */
#include "dataset/design.h"

#include <stdlib.h>

#include "base/hash.h"
#include "dataset/join.h"

/* ---- which pairs ---- */

eh_status dataset_design_parse(eh_str text, dataset_design *design, eh_error *err) {
    eh_str baseline = EH_STR("baseline:"), balanced = EH_STR("balanced:");
    int64_t n = 0;
    *design = (dataset_design){.kind = DATASET_DESIGN_ALL};
    if (eh_str_eq_cstr(text, "all")) return EH_STATUS_OK;
    if (eh_str_begins(text, baseline) && text.len > baseline.len) {
        design->kind = DATASET_DESIGN_BASELINE;
        design->baseline = eh_str_slice(text, baseline.len, text.len);
        return EH_STATUS_OK;
    }
    if (eh_str_begins(text, balanced) &&
        eh_str_to_i64(eh_str_slice(text, balanced.len, text.len), &n) && n >= 1 &&
        n < DATASET_SYSTEMS_MAX) {
        design->kind = DATASET_DESIGN_BALANCED;
        design->n_opponents = (int)n;
        return EH_STATUS_OK;
    }
    return EH_FAIL(
        err, EH_STATUS_USAGE,
        "--design: '%.*s' is not all, baseline:SYSTEM or balanced:M, where M is how "
        "many others each system meets on a question",
        EH_STR_ARG(text));
}

static void add_duel(dataset_duel *duels, size_t *n, const eh_str *names, int a,
                     int b) {
    bool in_order = eh_str_cmp(names[a], names[b]) < 0;
    duels[(*n)++] = (dataset_duel){in_order ? a : b, in_order ? b : a};
}

/* Somebody whom a system may take on. */
typedef struct opponent {
    int system, n_met;
    uint64_t lot; /* decides among those that have met as many */
} opponent;

static int by_need(const void *a, const void *b) {
    const opponent *x = a, *y = b;
    if (x->n_met != y->n_met) return x->n_met - y->n_met;
    return (x->lot > y->lot) - (x->lot < y->lot);
}

static uint64_t draw_lot(eh_str question_id, eh_str system, eh_str other) {
    eh_hash h;
    uint8_t digest[HASH_BYTES];
    hash_init(&h, "eh-design-1");
    hash_str(&h, question_id);
    hash_str(&h, system);
    hash_str(&h, other);
    hash_done(&h, digest);
    return hash_u64(digest);
}

static size_t balanced_duels(const dataset_design *design, const eh_str *names,
                             const bool *has, int n_systems, eh_str question_id,
                             dataset_duel *duels) {
    int n_met[DATASET_SYSTEMS_MAX] = {0};
    size_t n = 0;
    for (int i = 0; i < n_systems; i++) {
        opponent before[DATASET_SYSTEMS_MAX];
        int n_before = 0;
        for (int k = 0; has[i] && k < i; k++)
            if (has[k])
                before[n_before++] =
                    (opponent){k, n_met[k], draw_lot(question_id, names[i], names[k])};
        qsort(before, (size_t)n_before, sizeof *before, by_need);
        for (int k = 0; k < n_before && k < design->n_opponents; k++) {
            add_duel(duels, &n, names, i, before[k].system);
            n_met[before[k].system]++;
            n_met[i]++;
        }
    }
    return n;
}

size_t dataset_design_duels(const dataset_design *design, const eh_str *names,
                            const bool *has, int n_systems, eh_str question_id,
                            dataset_duel *duels) {
    size_t n = 0;
    if (design->kind == DATASET_DESIGN_BALANCED)
        return balanced_duels(design, names, has, n_systems, question_id, duels);
    for (int i = 0; i < n_systems; i++) {
        bool is_base = design->kind == DATASET_DESIGN_BASELINE &&
                       eh_str_eq(names[i], design->baseline);
        for (int k = 0; has[i] && k < n_systems; k++) {
            if (k == i || !has[k]) continue;
            if (is_base) /* the others in their order, the baseline second */
                duels[n++] = (dataset_duel){k, i};
            else if (design->kind == DATASET_DESIGN_ALL && k < i)
                add_duel(duels, &n, names, i, k);
        }
    }
    return n;
}

static void add_escaped(eh_str name, eh_buf *out) {
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        if (c == ':' || c == '%')
            buf_add_cstr(out, c == ':' ? "%3A" : "%25");
        else
            buf_add_char(out, c);
    }
}

void dataset_design_id(eh_str question_id, eh_str first, eh_str second, eh_buf *out) {
    add_escaped(question_id, out);
    buf_add_char(out, ':');
    add_escaped(first, out);
    buf_add_char(out, ':');
    add_escaped(second, out);
}

/* ---- reading ---- */

typedef struct designer {
    const dataset_design_files *files;
    const dataset_design *design;
    eh_arena arena;                    /* names */
    eh_str names[DATASET_SYSTEMS_MAX]; /* absent until known */
    dataset_duel *duels;
    eh_buf id;
} designer;

static eh_status note_model(void *self, int answers, const dataset_text *text,
                            eh_error *err) {
    designer *d = self;
    eh_str *name = &d->names[answers];
    if (!text->model.len || eh_str_eq(*name, text->model)) return EH_STATUS_OK;
    if (name->ptr)
        return EH_FAIL(err, EH_STATUS_DATA,
                       "%s: line %lld: model %.*s, and %.*s before; a file holds the "
                       "answers of one system",
                       d->files->answers[answers], (long long)text->line,
                       EH_STR_ARG(text->model), EH_STR_ARG(*name));
    return arena_copy(&d->arena, text->model, name) ? EH_STATUS_OK : EH_NOMEM(err);
}

/* "answers/gpt-x.jsonl.gz" is gpt-x. */
static eh_str stem(const char *path) {
    static const char *const endings[] = {".gz",   ".jsonl", ".ndjson",
                                          ".json", ".csv",   ".tsv"};
    const char *slash = strrchr(path, '/');
    eh_str name = eh_str_of(slash ? slash + 1 : path);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        eh_str ending = eh_str_of(endings[i]);
        if (eh_str_ends(name, ending) && name.len > ending.len) name.len -= ending.len;
    }
    return name;
}

static eh_status name_systems(designer *d, eh_error *err) {
    bool has_baseline = d->design->kind != DATASET_DESIGN_BASELINE;
    for (int i = 0; i < d->files->n_answers; i++) {
        if (!d->names[i].ptr) d->names[i] = stem(d->files->answers[i]);
        for (int k = 0; k < i; k++)
            if (eh_str_eq(d->names[i], d->names[k]))
                return EH_FAIL(err, EH_STATUS_USAGE,
                               "%s and %s are both of system %.*s",
                               d->files->answers[k], d->files->answers[i],
                               EH_STR_ARG(d->names[i]));
        has_baseline = has_baseline || eh_str_eq(d->names[i], d->design->baseline);
    }
    if (has_baseline) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_USAGE,
                   "--design: no system is called '%.*s'; the first is '%.*s'",
                   EH_STR_ARG(d->design->baseline), EH_STR_ARG(d->names[0]));
}

static eh_status emit_duels(joiner *j, const joined_question *q, eh_error *err) {
    designer *d = j->self;
    for (int i = 0; i < j->n_answers; i++)
        if (j->has[i]) j->found[i].model = d->names[i];
    size_t n = dataset_design_duels(d->design, d->names, j->has, j->n_answers,
                                    q->text->id, d->duels);
    for (size_t i = 0; i < n; i++) {
        const dataset_duel *duel = &d->duels[i];
        buf_reset(&d->id);
        dataset_design_id(q->text->id, d->names[duel->first], d->names[duel->second],
                          &d->id);
        EH_TRY(buf_check(&d->id, "a pair's id", err));
        EH_TRY(joiner_put(j, q, buf_view(&d->id), duel->first, duel->second, err));
    }
    return EH_STATUS_OK;
}

static eh_status read_all(designer *d, joiner *j, eh_error *err) {
    uint8_t digest[HASH_BYTES];
    size_t n = (size_t)d->files->n_answers;
    d->duels = arena_zalloc(&d->arena, n * n, sizeof *d->duels);
    if (!d->duels) return EH_NOMEM(err);
    for (int i = 0; i < d->files->n_answers; i++)
        EH_TRY(joiner_read(j, d->files->answers[i], DATASET_FORMAT_AUTO,
                           DATASET_ANSWERS_1 + i, digest, err));
    EH_TRY(name_systems(d, err));
    EH_TRY(joiner_read(j, d->files->questions, DATASET_FORMAT_AUTO, DATASET_QUESTIONS,
                       digest, err));
    return joiner_report_left(j, err);
}

static eh_status check_files(const dataset_design_files *files, eh_error *err) {
    int n_stdin = strcmp(files->questions, "-") == 0;
    if (files->n_answers < 2)
        return EH_FAIL(err, EH_STATUS_USAGE, "the answers of two systems are needed");
    if (files->n_answers > DATASET_SYSTEMS_MAX)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "the answers of at most %d systems may be given",
                       DATASET_SYSTEMS_MAX);
    for (int i = 0; i < files->n_answers; i++)
        n_stdin += strcmp(files->answers[i], "-") == 0;
    if (n_stdin > 1)
        return EH_FAIL(err, EH_STATUS_USAGE, "only one file can be standard input");
    return EH_STATUS_OK;
}

eh_status dataset_read_design(const dataset_design_files *files,
                              const dataset_design *design, const dataset_stage *stage,
                              const dataset_faults *faults, dataset_counts *counts,
                              eh_error *err) {
    dataset_text found[DATASET_SYSTEMS_MAX];
    bool has[DATASET_SYSTEMS_MAX];
    designer d = {.files = files, .design = design};
    *counts = (dataset_counts){0};
    EH_TRY(check_files(files, err));
    joiner j = {.log = {.sink = faults, .counts = counts, .file = files->questions},
                .stage = stage,
                .answers = files->answers,
                .n_answers = files->n_answers,
                .found = found,
                .has = has,
                .emit = emit_duels,
                .on_answer = note_model,
                .self = &d};
    arena_init(&d.arena, 64 << 20);
    buf_init(&d.id, BUF_MAX_SMALL);
    joiner_init(&j);
    eh_status status = read_all(&d, &j, err);
    if (status == EH_STATUS_OK && counts->n_rows == 0 && counts->n_errors == 0)
        fault_report(&j.log, fault_at(DATASET_FAULT_NO_PAIRS, 0));
    joiner_deinit(&j);
    buf_deinit(&d.id);
    arena_deinit(&d.arena);
    return status;
}
