/* SPDX-License-Identifier: MIT
 *
 * Fuzzes joining: the input is three files with a line "%%" between them. Each pair
 * must hold the answers that its id has in the tables, questions come in their order,
 * and every row of a table is either taken or reported as unknown.
 */
#include "dataset_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { N_TABLES = 3, MAX_TEXTS = 512 };

typedef struct stored {
    dataset_text text;
    bool is_taken;
} stored;

typedef struct tables {
    eh_arena arena;
    stored rows[N_TABLES][MAX_TEXTS];
    size_t n[N_TABLES];
    int64_t n_pairs, last_line;
} tables;

static stored *find(tables *t, int table, eh_str id) {
    for (size_t i = 0; i < t->n[table]; i++)
        if (eh_str_eq(t->rows[table][i].text.id, id)) return &t->rows[table][i];
    return NULL;
}

static eh_status put(void *self, const dataset_pair *pair, int64_t *first_line,
                     eh_error *err) {
    tables *t = self;
    (void)err;
    input_check_pair(pair);
    REQUIRE(find(t, DATASET_QUESTIONS, pair->id));
    REQUIRE(eh_str_eq(pair->answer_1, find(t, DATASET_ANSWERS_1, pair->id)->text.text));
    REQUIRE(eh_str_eq(pair->answer_2, find(t, DATASET_ANSWERS_2, pair->id)->text.text));
    REQUIRE(pair->line > t->last_line);
    t->last_line = pair->line;
    t->n_pairs++;
    *first_line = 0;
    return EH_STATUS_OK;
}

static eh_status put_text(void *self, int table, const dataset_text *text,
                          int64_t *first_line, eh_error *err) {
    tables *t = self;
    (void)err;
    REQUIRE(table >= 0 && table < N_TABLES && text->id.len > 0 && text->line > 0);
    REQUIRE(table == DATASET_QUESTIONS || !eh_str_is_absent(text->text));
    const stored *first = find(t, table, text->id);
    *first_line = first ? first->text.line : 0;
    if (first) return EH_STATUS_OK;
    if (t->n[table] == MAX_TEXTS) return EH_FAIL(err, EH_STATUS_TOO_BIG, "full");
    stored *row = &t->rows[table][t->n[table]++];
    *row = (stored){.text = *text};
    REQUIRE(arena_copy(&t->arena, text->id, &row->text.id));
    REQUIRE(arena_copy(&t->arena, text->text, &row->text.text));
    REQUIRE(arena_copy(&t->arena, text->model, &row->text.model));
    REQUIRE(arena_copy(&t->arena, text->meta_json, &row->text.meta_json));
    return EH_STATUS_OK;
}

static eh_status get_text(void *self, int table, eh_str id, dataset_text *text,
                          bool *found, eh_error *err) {
    stored *row = find(self, table, id);
    (void)err;
    *found = row != NULL;
    if (!row) return EH_STATUS_OK;
    row->is_taken = true;
    *text = row->text;
    return EH_STATUS_OK;
}

static eh_status each_left(void *self, int table,
                           void (*each)(void *to, const dataset_text *text), void *to,
                           eh_error *err) {
    tables *t = self;
    (void)err;
    for (size_t i = 0; i < t->n[table]; i++)
        if (!t->rows[table][i].is_taken) each(to, &t->rows[table][i].text);
    return EH_STATUS_OK;
}

static void check_all(const tables *t, const input_faults *found) {
    int64_t n_left = 0;
    for (int table = DATASET_ANSWERS_1; table <= DATASET_ANSWERS_2; table++)
        for (size_t i = 0; i < t->n[table]; i++)
            n_left += !t->rows[table][i].is_taken;
    REQUIRE(found->n_by_kind[DATASET_FAULT_UNKNOWN_ID] == n_left);
    int64_t n_without = (int64_t)t->n[DATASET_QUESTIONS] - t->n_pairs;
    int64_t n_missing = found->n_by_kind[DATASET_FAULT_MISSING_ANSWER];
    REQUIRE(n_missing >= n_without && n_missing <= 2 * n_without);
}

/* Splits off what stands before the next separator. */
static eh_str next_part(eh_str *rest) {
    eh_str mark = EH_STR("%%\n");
    size_t at = eh_str_find(*rest, mark, 0);
    size_t end = at == SIZE_MAX ? rest->len : at;
    eh_str part = eh_str_slice(*rest, 0, end);
    *rest = eh_str_slice(*rest, at == SIZE_MAX ? end : end + mark.len, rest->len);
    return part;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static tables t;
    eh_str rest = {data && size ? (const char *)data : "", size};
    const char *paths[INPUT_FILES];
    for (int i = 0; i < INPUT_FILES; i++) {
        eh_str part = next_part(&rest);
        paths[i] = input_file(i, part.ptr, part.len);
    }
    arena_init(&t.arena, (size_t)1 << 30);
    memset(t.n, 0, sizeof t.n);
    t.n_pairs = t.last_line = 0;
    input_faults found = {0};
    dataset_stage stage = {.self = &t,
                           .put = put,
                           .put_text = put_text,
                           .get_text = get_text,
                           .each_left = each_left};
    dataset_faults faults = {&found, input_report};
    dataset_counts counts;
    uint8_t digest[HASH_BYTES];
    dataset_options options = {
        .questions = paths[0], .answers_1 = paths[1], .answers_2 = paths[2]};
    if (dataset_read(&options, &stage, &faults, &counts, digest, NULL) ==
        EH_STATUS_OK) {
        input_check_counts(&found, &counts);
        REQUIRE(counts.n_rows == t.n_pairs);
        check_all(&t, &found);
    }
    arena_deinit(&t.arena);
    return 0;
}
