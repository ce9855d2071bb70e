/* SPDX-License-Identifier: MIT
 *
 * Pairs in the ledger: staging a data set, and reading pairs and texts back.
 *
 * Staging runs in one group: the old scope is cleared (seq = NULL), rows are put with
 * their place, and either all of it is kept or nothing. A row that is there already
 * with the same texts keeps its number and so its verdicts and labels; one with new
 * texts is a new revision.
 *
 * Pages and cursors: a page is read whole and its statement reset, so that no read
 * lock holds back the checkpoints of a running engine; cursors are for reading alone.
 */
#include "base/mem.h"
#include "base/utf8.h"
#include "ledger/schema.h"

void ledger_revision(const dataset_pair *pair, uint8_t revision[16]) {
    uint8_t digest[HASH_BYTES];
    eh_hash h;
    hash_init(&h, "eh-revision-1");
    hash_str(&h, pair->question);
    hash_str(&h, pair->answer_1);
    hash_str(&h, pair->answer_2);
    hash_str(&h, pair->reference);
    hash_str(&h, pair->short_question);
    hash_str(&h, pair->turns_json);
    hash_done(&h, digest);
    memcpy(revision, digest, 16);
}

static uint64_t question_hash(const dataset_pair *pair) {
    uint8_t digest[HASH_BYTES];
    eh_hash h;
    hash_init(&h, "eh-question-1");
    hash_str(&h, pair->question);
    hash_str(&h, pair->turns_json);
    hash_done(&h, digest);
    return hash_u64(digest);
}

bool ledger_dataset_digest(ledger *l, uint8_t digest[HASH_BYTES]) {
    sqlite3_stmt *s;
    bool got = false;
    if (ledger_stmt_get(l, LEDGER_STMT_DATASET_LAST, &s, NULL) != EH_STATUS_OK ||
        ledger_stmt_row(l, s, &got, NULL) != EH_STATUS_OK || !got)
        return false;
    bool whole = sqlite3_column_bytes(s, 0) == HASH_BYTES;
    if (whole) memcpy(digest, sqlite3_column_blob(s, 0), HASH_BYTES);
    (void)sqlite3_reset(s);
    return whole;
}

eh_status ledger_stage_begin(ledger *l, eh_error *err) {
    sqlite3_stmt *s;
    l->stage_in_group = l->in_group;
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_SEQ_CLEAR, &s, err));
    l->n_staged = 0;
    l->join_ready = false; /* what an earlier join left there is dropped */
    return ledger_stmt_done(l, s, err);
}

/* The line of the row that has this id in the staging that is going on, or 0. */
static eh_status staged_line(ledger *l, eh_str pair_id, int64_t *line, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_STAGED_FIND, &s, err));
    ledger_bind_str(s, 1, pair_id);
    return ledger_stmt_i64(l, s, line, err);
}

static eh_status find_revision(ledger *l, eh_str pair_id, const uint8_t revision[16],
                               int64_t *row, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_PAIR_FIND_REVISION, &s, err));
    ledger_bind_str(s, 1, pair_id);
    (void)sqlite3_bind_blob(s, 2, revision, 16, SQLITE_STATIC);
    return ledger_stmt_i64(l, s, row, err);
}

/* Line 0 marks a pair without texts. */
static void bind_pair(sqlite3_stmt *s, const dataset_pair *pair, int64_t seq) {
    int64_t line = eh_str_is_absent(pair->question) ? 0 : pair->line;
    (void)sqlite3_bind_int64(s, 3, seq);
    (void)sqlite3_bind_int64(s, 4, line);
    ledger_bind_str(s, 6, pair->model_1);
    ledger_bind_str(s, 7, pair->model_2);
    ledger_bind_str(s, 8, pair->category);
}

static eh_status put_texts(ledger *l, const dataset_pair *pair, int64_t row,
                           eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_TEXT_INSERT, &s, err));
    const eh_str texts[] = {pair->question,  pair->answer_1,       pair->answer_2,
                            pair->reference, pair->short_question, pair->turns_json,
                            pair->meta_json};
    (void)sqlite3_bind_int64(s, 1, row);
    for (int i = 0; i < 7; i++)
        ledger_bind_str(s, 2 + i, texts[i]);
    return ledger_stmt_done(l, s, err);
}

/* Inserts or updates the row of a revision, with its place in the scope. */
static eh_status put_pair(ledger *l, const dataset_pair *pair,
                          const uint8_t revision[16], uint64_t question, int64_t seq,
                          int64_t *row, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(find_revision(l, pair->id, revision, row, err));
    if (*row) {
        EH_TRY(ledger_stmt_get(l, LEDGER_STMT_PAIR_UPDATE, &s, err));
        (void)sqlite3_bind_int64(s, 11, *row);
    } else {
        EH_TRY(ledger_stmt_get(l, LEDGER_STMT_PAIR_INSERT, &s, err));
        ledger_bind_str(s, 1, pair->id);
        (void)sqlite3_bind_blob(s, 2, revision, 16, SQLITE_STATIC);
        (void)sqlite3_bind_int64(s, 5, (int64_t)question);
        (void)sqlite3_bind_int64(s, 9, (int64_t)utf8_count_cp(pair->answer_1));
        (void)sqlite3_bind_int64(s, 10, (int64_t)utf8_count_cp(pair->answer_2));
    }
    bind_pair(s, pair, seq);
    EH_TRY(ledger_stmt_done(l, s, err));
    if (!*row) *row = sqlite3_last_insert_rowid(l->db);
    if (eh_str_is_absent(pair->question)) return EH_STATUS_OK;
    return put_texts(l, pair, *row, err);
}

eh_status ledger_stage_put(void *self, const dataset_pair *pair, int64_t *first_line,
                           eh_error *err) {
    ledger *l = self;
    EH_TRY(staged_line(l, pair->id, first_line, err));
    if (*first_line) return EH_STATUS_OK;
    uint8_t revision[16];
    int64_t row;
    ledger_revision(pair, revision);
    EH_TRY(put_pair(l, pair, revision, question_hash(pair), l->n_staged, &row, err));
    l->n_staged++;
    return EH_STATUS_OK;
}

eh_status ledger_stage_end(ledger *l, const uint8_t digest[HASH_BYTES],
                           const char *name, int64_t now_ms, eh_error *err) {
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_DATASET_INSERT, &s, err));
    (void)sqlite3_bind_blob(s, 1, digest, HASH_BYTES, SQLITE_STATIC);
    (void)sqlite3_bind_text(s, 2, name, -1, SQLITE_STATIC);
    (void)sqlite3_bind_int64(s, 3, now_ms);
    EH_TRY(ledger_stmt_done(l, s, err));
    return l->stage_in_group ? EH_STATUS_OK : ledger_commit(l, err);
}

void ledger_read_pair(sqlite3_stmt *s, ledger_pair *pair) {
    *pair = (ledger_pair){
        .row = sqlite3_column_int64(s, 0),
        .seq = sqlite3_column_int64(s, 1),
        .pair_id = ledger_column_str(s, 2),
        .question_hash = (uint64_t)sqlite3_column_int64(s, 3),
        .model_1 = ledger_column_str(s, 4),
        .model_2 = ledger_column_str(s, 5),
        .category = ledger_column_str(s, 6),
        .answer_1_cp = sqlite3_column_int64(s, 7),
        .answer_2_cp = sqlite3_column_int64(s, 8),
        .is_bare = sqlite3_column_int(s, 10) != 0,
    };
    if (sqlite3_column_bytes(s, 9) == (int)sizeof pair->revision)
        memcpy(pair->revision, sqlite3_column_blob(s, 9), sizeof pair->revision);
}

eh_status ledger_pairs_page(ledger *l, int64_t after_seq, ledger_pair *pairs,
                            size_t cap, size_t *n, eh_arena *arena, eh_error *err) {
    sqlite3_stmt *s;
    *n = 0;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_PAIRS_PAGE, &s, err));
    (void)sqlite3_bind_int64(s, 1, after_seq);
    (void)sqlite3_bind_int64(s, 2, (int64_t)cap);
    for (bool got = true; got;) {
        EH_TRY(ledger_stmt_row(l, s, &got, err));
        if (!got) break;
        ledger_pair *p = &pairs[(*n)++];
        ledger_read_pair(s, p);
        eh_str *strings[] = {&p->pair_id, &p->model_1, &p->model_2, &p->category};
        for (size_t i = 0; i < 4; i++)
            if (!arena_copy(arena, *strings[i], strings[i])) {
                (void)sqlite3_reset(s);
                return EH_NOMEM(err);
            }
    }
    return EH_STATUS_OK;
}

eh_status ledger_pair_texts(ledger *l, int64_t pair_row, ledger_texts *texts,
                            eh_arena *arena, eh_error *err) {
    sqlite3_stmt *s;
    bool got;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_TEXT_GET, &s, err));
    (void)sqlite3_bind_int64(s, 1, pair_row);
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    if (!got)
        return EH_FAIL(err, EH_STATUS_LEDGER, "%s: the texts of a pair were purged",
                       l->path);
    eh_str *fields[] = {&texts->question,  &texts->answer_1,       &texts->answer_2,
                        &texts->reference, &texts->short_question, &texts->turns_json,
                        &texts->meta_json};
    bool ok = true;
    for (int i = 0; i < 7; i++)
        ok = ok && arena_copy(arena, ledger_column_str(s, i), fields[i]);
    (void)sqlite3_reset(s);
    return ok ? EH_STATUS_OK : EH_NOMEM(err);
}

eh_status ledger_pair_meta(ledger *l, int64_t pair_row, eh_arena *arena,
                           eh_str *meta_json, eh_error *err) {
    sqlite3_stmt *s;
    bool got;
    *meta_json = (eh_str){NULL, 0};
    if (l->held) return EH_STATUS_OK;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_META_GET, &s, err));
    (void)sqlite3_bind_int64(s, 1, pair_row);
    EH_TRY(ledger_stmt_row(l, s, &got, err));
    bool ok = !got || arena_copy(arena, ledger_column_str(s, 0), meta_json);
    (void)sqlite3_reset(s);
    return ok ? EH_STATUS_OK : EH_NOMEM(err);
}

eh_status ledger_count_pairs(ledger *l, int64_t *n, eh_error *err) {
    sqlite3_stmt *s;
    *n = l->held ? held_count_pairs(l->held) : 0;
    if (l->held) return EH_STATUS_OK;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_PAIRS_COUNT, &s, err));
    return ledger_stmt_i64(l, s, n, err);
}

eh_status ledger_find_pair(ledger *l, eh_str pair_id, int64_t *row, eh_error *err) {
    sqlite3_stmt *s;
    *row = l->held ? held_find_pair(l->held, pair_id) : 0;
    if (l->held) return EH_STATUS_OK;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_PAIR_FIND, &s, err));
    ledger_bind_str(s, 1, pair_id);
    return ledger_stmt_i64(l, s, row, err);
}

eh_status ledger_same_pair(ledger *l, const ledger_pair *pair, int64_t *row,
                           eh_error *err) {
    sqlite3_stmt *s;
    *row = l->held ? held_find_pair(l->held, pair->pair_id) : 0;
    if (l->held) return EH_STATUS_OK;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_PAIR_SAME, &s, err));
    ledger_bind_str(s, 1, pair->pair_id);
    (void)sqlite3_bind_blob(s, 2, pair->revision, sizeof pair->revision, SQLITE_STATIC);
    (void)sqlite3_bind_int(s, 3, pair->is_bare);
    return ledger_stmt_i64(l, s, row, err);
}

eh_status ledger_has_other_revision(ledger *l, eh_str pair_id,
                                    const uint8_t revision[16], bool *has,
                                    eh_error *err) {
    sqlite3_stmt *s;
    int64_t found;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_PAIR_OTHER_REVISION, &s, err));
    ledger_bind_str(s, 1, pair_id);
    (void)sqlite3_bind_blob(s, 2, revision, 16, SQLITE_STATIC);
    EH_TRY(ledger_stmt_i64(l, s, &found, err));
    *has = found != 0;
    return EH_STATUS_OK;
}

/* A pair without texts: its revision, and the question it is of. */
static uint64_t bare_hashes(eh_str pair_id, eh_str question_key, uint8_t revision[16]) {
    uint8_t digest[HASH_BYTES];
    eh_hash h;
    hash_init(&h, "eh-bare-pair-1");
    hash_str(&h, pair_id);
    hash_done(&h, digest);
    memcpy(revision, digest, 16);
    if (eh_str_is_absent(question_key)) return hash_u64(digest);
    hash_init(&h, "eh-bare-question-1");
    hash_str(&h, question_key);
    hash_done(&h, digest);
    return hash_u64(digest);
}

/* Puts a row, old or new, behind the last one of the scope. */
static eh_status add_to_scope(ledger *l, const dataset_pair *pair,
                              const uint8_t revision[16], uint64_t question,
                              int64_t *row, eh_error *err) {
    int64_t seq;
    sqlite3_stmt *s;
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_SEQ_NEXT, &s, err));
    EH_TRY(ledger_stmt_i64(l, s, &seq, err));
    EH_TRY(put_pair(l, pair, revision, question, seq, row, err));
    /* the scope is no longer what the data set's digest stands for */
    EH_TRY(ledger_stmt_get(l, LEDGER_STMT_DATASET_FORGET, &s, err));
    return ledger_stmt_done(l, s, err);
}

eh_status ledger_pair_add(ledger *l, const dataset_pair *pair, eh_str question_key,
                          int64_t *row, eh_error *err) {
    bool bare = eh_str_is_absent(pair->question);
    uint8_t revision[16];
    if (!bare) ledger_revision(pair, revision);
    uint64_t question =
        bare ? bare_hashes(pair->id, question_key, revision) : question_hash(pair);
    if (l->held) return held_pair_add(l->held, pair, question, row, err);
    EH_TRY(ledger_begin(l, err));
    EH_TRY(ledger_find_pair(l, pair->id, row, err));
    if (!*row) return add_to_scope(l, pair, revision, question, row, err);
    int64_t same;
    EH_TRY(find_revision(l, pair->id, revision, &same, err));
    if (bare || same == *row) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_DATA,
                   "%s: line %lld: pair %.*s is in the ledger with other texts",
                   pair->file ? pair->file : l->path, (long long)pair->line,
                   EH_STR_ARG(pair->id));
}

eh_status ledger_pair_put_bare(ledger *l, eh_str pair_id, int64_t *row, eh_error *err) {
    const dataset_pair pair = {.id = pair_id};
    return ledger_pair_add(l, &pair, (eh_str){NULL, 0}, row, err);
}

struct ledger_cursor {
    ledger *l;
    sqlite3_stmt *stmt; /* NULL in a held ledger: then the rest */
    uint32_t *order;    /* [held_count_pairs] */
    int64_t n_done;
};

eh_status ledger_cursor_open(ledger *l, ledger_sort sort, ledger_cursor **out,
                             eh_error *err) {
    static const char *const sql[] = {
        [LEDGER_BY_DATA] = "SELECT " LEDGER_PAIR_COLUMNS
                           " FROM pair WHERE seq IS NOT NULL ORDER BY seq",
        [LEDGER_BY_QUESTION] =
            "SELECT " LEDGER_PAIR_COLUMNS
            " FROM pair WHERE seq IS NOT NULL ORDER BY question_hash, seq",
    };
    *out = NULL;
    ledger_cursor *c = mem_zalloc(1, sizeof *c);
    if (!c) {
        (void)EH_NOMEM(err);
        return EH_STATUS_NOMEM;
    }
    c->l = l;
    eh_status status = EH_STATUS_OK;
    if (l->held)
        status = held_order(l->held, sort, &c->order, err);
    else if (sqlite3_prepare_v2(l->db, sql[sort], -1, &c->stmt, NULL) != SQLITE_OK)
        status = LEDGER_FAULT(l, err);
    if (status == EH_STATUS_OK)
        *out = c;
    else
        mem_free(c);
    return status;
}

eh_status ledger_cursor_next(ledger_cursor *c, ledger_pair *pair, bool *got,
                             eh_error *err) {
    if (c->l->held) {
        *got = c->n_done < held_count_pairs(c->l->held);
        if (*got) held_get_pair(c->l->held, c->order[c->n_done++], pair);
        return EH_STATUS_OK;
    }
    EH_TRY(ledger_stmt_row(c->l, c->stmt, got, err));
    if (*got) ledger_read_pair(c->stmt, pair);
    return EH_STATUS_OK;
}

void ledger_cursor_close(ledger_cursor *c) {
    if (!c) return;
    (void)sqlite3_finalize(c->stmt);
    mem_free(c->order);
    mem_free(c);
}

eh_status ledger_pairs_each(ledger *l, ledger_sort sort, ledger_pair_fn *fn, void *self,
                            eh_error *err) {
    ledger_cursor *c;
    ledger_pair pair;
    bool got = true;
    EH_TRY(ledger_cursor_open(l, sort, &c, err));
    eh_status status = EH_STATUS_OK;
    while (status == EH_STATUS_OK && got) {
        status = ledger_cursor_next(c, &pair, &got, err);
        if (status == EH_STATUS_OK && got) status = fn(self, &pair, err);
    }
    ledger_cursor_close(c);
    return status;
}
