/* SPDX-License-Identifier: MIT
 *
 * replay: verdicts that were recorded before, answered again.
 *
 *   replay:FILE#JUDGE     FILE holds judgment rows; JUDGE picks one judge of them and
 *                         may be left out where the file has only one
 *
 * The file is read once. Per sample a small record stays in memory, in an open hash
 * table keyed by (pair id, order, sample); reply texts go to an unnamed temporary file
 * and come back when they are asked for, so a file of any size costs 64 bytes a sample.
 *
 *   row -> [key digest | verdict, scores, reason | offset, length] + text on disk
 *
 * Of several rows with one key the newest with a verdict counts (cases/README, data
 * sets, rule 10). A sample that is not there fails as `not_recorded`. The judge's id
 * holds the file's name without folders and a digest of its content: other recordings
 * are another judge. With a template to reread by, the recorded texts are handed out to
 * be read as if they had just come; rows without a text keep their recorded verdict.
 */
#include <errno.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "dataset/judgments.h"
#include "judge/local.h"

typedef struct replay_row {
    uint64_t key[2]; /* first 16 bytes of the digest; both 0 = empty place */
    double score_1, score_2;
    int64_t text_offset; /* in the spool; -1 = no reply was recorded */
    uint32_t text_len;
    uint8_t verdict, reason, has_scores; /* as answers of the data */
} replay_row;

typedef struct replay {
    judge_local local;
    replay_row *rows; /* [cap], cap a power of two, at most half full */
    size_t cap, n;
    FILE *spool;
    char *path;      /* as the user gave it, without the judge */
    eh_str want;     /* the judge's name; empty = the only one */
    char *only;      /* the name seen where none was wanted */
    bool has_others; /* a second name was seen */
    eh_hash content; /* digest of the rows that count */
    char *id;
    const prompt_template *reread; /* hand out texts to be read; NULL: verdicts */
} replay;

static void row_key(eh_str pair_id, eh_order order, int64_t sample, uint64_t key[2]) {
    eh_hash h;
    uint8_t digest[HASH_BYTES];
    hash_init(&h, "eh-replay-1");
    hash_str(&h, pair_id);
    hash_i64(&h, order);
    hash_i64(&h, sample);
    hash_done(&h, digest);
    key[0] = hash_u64(digest) | 1; /* never the empty mark */
    key[1] = hash_u64(digest + 8);
}

static replay_row *row_place(replay_row *rows, size_t cap, const uint64_t key[2]) {
    for (size_t i = key[0] >> 1 & (cap - 1);; i = (i + 1) & (cap - 1)) {
        replay_row *row = &rows[i];
        if (row->key[0] == 0 || (row->key[0] == key[0] && row->key[1] == key[1]))
            return row;
    }
}

static bool grow(replay *r) {
    size_t cap = r->cap ? r->cap * 2 : 1024;
    replay_row *rows = mem_zalloc(cap, sizeof *rows);
    if (!rows) return false;
    for (size_t i = 0; i < r->cap; i++)
        if (r->rows[i].key[0]) *row_place(rows, cap, r->rows[i].key) = r->rows[i];
    mem_free(r->rows);
    r->rows = rows;
    r->cap = cap;
    return true;
}

static eh_status spool_text(replay *r, const dataset_judgment *j, replay_row *row,
                            eh_error *err) {
    row->text_offset = -1;
    if (!j->has_reply) return EH_STATUS_OK;
    row->text_offset = ftello(r->spool);
    row->text_len = (uint32_t)j->reply.len;
    if (row->text_offset < 0 || j->reply.len >= UINT32_MAX ||
        fwrite(j->reply.ptr, 1, j->reply.len, r->spool) != j->reply.len)
        return EH_FAIL(err, EH_STATUS_IO,
                       "a temporary file for replies cannot be used: %s",
                       strerror(errno));
    return EH_STATUS_OK;
}

/* Is this the judge that was asked for? Also learns the names in the file. */
static eh_status look_at_name(replay *r, eh_str name, bool *is_wanted, eh_error *err) {
    *is_wanted = r->want.len == 0 || eh_str_eq(name, r->want);
    if (r->want.len) return EH_STATUS_OK;
    if (!r->only) {
        r->only = mem_alloc(name.len + 1, 1);
        if (!r->only) return EH_NOMEM(err);
        if (name.len) memcpy(r->only, name.ptr, name.len);
        r->only[name.len] = '\0';
    }
    r->has_others = r->has_others || !eh_str_eq_cstr(name, r->only);
    return EH_STATUS_OK;
}

static verdict_reason reason_of(const dataset_judgment *j) {
    if (j->verdict != EH_VERDICT_NONE) return VERDICT_REASON_NONE;
    return j->reason.len ? verdict_reason_parse(j->reason) : VERDICT_REASON_UNSPECIFIED;
}

static eh_status take_row(void *self, const dataset_judgment *j, eh_error *err) {
    replay *r = self;
    bool is_wanted;
    EH_TRY(look_at_name(r, j->judge, &is_wanted, err));
    if (!is_wanted) return EH_STATUS_OK;
    if (2 * (r->n + 1) > r->cap && !grow(r)) return EH_NOMEM(err);
    replay_row fresh = {.verdict = (uint8_t)j->verdict,
                        .reason = (uint8_t)reason_of(j),
                        .has_scores = j->has_scores && j->verdict != EH_VERDICT_NONE,
                        .score_1 = j->score_1,
                        .score_2 = j->score_2};
    row_key(j->pair_id, j->order, j->sample, fresh.key);
    replay_row *row = row_place(r->rows, r->cap, fresh.key);
    bool is_new = row->key[0] == 0;
    if (!is_new && j->verdict == EH_VERDICT_NONE && row->verdict != EH_VERDICT_NONE)
        return EH_STATUS_OK; /* a later failure does not erase a verdict */
    EH_TRY(spool_text(r, j, &fresh, err));
    *row = fresh;
    r->n += is_new;
    hash_str(&r->content, j->pair_id);
    hash_i64(&r->content, j->order);
    hash_i64(&r->content, j->sample);
    hash_i64(&r->content, fresh.verdict);
    hash_i64(&r->content, fresh.reason);
    hash_raw(&r->content, &fresh.score_1, sizeof fresh.score_1);
    hash_raw(&r->content, &fresh.score_2, sizeof fresh.score_2);
    hash_str(&r->content, j->reply);
    return EH_STATUS_OK;
}

typedef struct first_fault {
    char text[160];
} first_fault;

static void note_fault(void *self, const dataset_fault *fault) {
    first_fault *first = self;
    if (first->text[0] || !dataset_fault_is_error(fault->kind)) return;
    (void)snprintf(first->text, sizeof first->text, "line %lld: %s%s%.*s",
                   (long long)fault->line, dataset_fault_name(fault->kind),
                   fault->field.len ? " " : "", EH_STR_ARG(fault->field));
}

static eh_status read_rows(replay *r, eh_error *err) {
    first_fault first = {{0}};
    dataset_faults faults = {&first, note_fault};
    dataset_judgment_sink sink = {.self = r, .take = take_row};
    dataset_counts counts = {0};
    EH_TRY(dataset_read_judgments(r->path, &sink, &faults, &counts, err));
    if (counts.n_errors)
        return EH_FAIL(err, EH_STATUS_DATA, "%s: %s (%lld faults in all)", r->path,
                       first.text, (long long)counts.n_errors);
    if (r->n == 0)
        return EH_FAIL(err, EH_STATUS_DATA, "%s: no judgments of judge '%.*s'", r->path,
                       EH_STR_ARG(r->want));
    if (r->has_others)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "%s holds several judges: name one with replay:%s#JUDGE",
                       r->path, r->path);
    if (fflush(r->spool) != 0)
        return EH_FAIL(err, EH_STATUS_IO,
                       "a temporary file for replies cannot be used: %s",
                       strerror(errno));
    return EH_STATUS_OK;
}

/* "replay:judgments.jsonl#gpt-4/score@1f2e3d4c" */
static eh_status make_id(replay *r, eh_error *err) {
    uint8_t digest[HASH_BYTES];
    char hex[9];
    hash_done(&r->content, digest);
    hash_hex(digest, 4, hex);
    const char *slash = strrchr(r->path, '/');
    eh_buf id;
    buf_init(&id, BUF_MAX_SMALL);
    buf_printf(&id, "replay:%s#%.*s@%s", slash ? slash + 1 : r->path,
               r->want.len ? (int)r->want.len : (int)strlen(r->only),
               r->want.len ? r->want.ptr : r->only, hex);
    if (r->reread) {
        eh_hash h;
        hash_init(&h, "eh-reread-1");
        hash_str(&h, r->reread->source);
        hash_done(&h, digest);
        hash_hex(digest, 4, hex);
        buf_printf(&id, "+%.*s@%s", EH_STR_ARG(r->reread->name), hex);
    }
    EH_TRY(buf_check(&id, "a judge id", err));
    r->id = id.ptr;
    r->local.base.id = buf_view(&id);
    return EH_STATUS_OK;
}

static eh_status replay_answer(judge_local *l, const judge_request *request, int sample,
                               eh_arena *arena, judge_reply *reply, eh_error *err) {
    replay *r = (replay *)l;
    const judge_shown *shown = &request->shown;
    uint64_t key[2];
    row_key(shown->pair_id, shown->order, sample, key);
    const replay_row *row = row_place(r->rows, r->cap, key);
    if (row->key[0] == 0) {
        reply->outcome = JUDGE_OUTCOME_FAILED;
        reply->recorded.reason = VERDICT_REASON_NOT_RECORDED;
        return EH_STATUS_OK;
    }
    bool swap = shown->order == EH_ORDER_21;
    bool reads = r->reread && row->text_offset >= 0;
    reply->outcome = reads ? JUDGE_OUTCOME_REPLY : JUDGE_OUTCOME_RECORDED;
    reply->recorded = (verdict_result){
        .verdict = eh_verdict_unswap((eh_verdict)row->verdict, shown->order),
        .reason = (verdict_reason)row->reason,
        .has_scores = row->has_scores,
        .score_1 = swap ? row->score_2 : row->score_1,
        .score_2 = swap ? row->score_1 : row->score_2,
    };
    if (row->text_offset < 0) return EH_STATUS_OK;
    char *text = arena_alloc(arena, row->text_len + (size_t)1);
    if (!text) return EH_NOMEM(err);
    if (fseeko(r->spool, row->text_offset, SEEK_SET) != 0 ||
        fread(text, 1, row->text_len, r->spool) != row->text_len)
        return EH_FAIL(err, EH_STATUS_IO,
                       "a temporary file for replies cannot be used: %s",
                       strerror(errno));
    reply->reply.content = (eh_str){text, row->text_len};
    return EH_STATUS_OK;
}

static void replay_close(judge *j) {
    replay *r = (replay *)j;
    judge_local_deinit(&r->local);
    if (r->spool) (void)fclose(r->spool);
    mem_free(r->rows);
    mem_free(r->path);
    mem_free(r->only);
    mem_free(r->id);
    mem_free(r);
}

static eh_status replay_load(replay *r, const judge_open_args *args, eh_error *err) {
    size_t hash = eh_str_find(args->spec, EH_STR("#"), 0);
    size_t path_len = hash == SIZE_MAX ? args->spec.len : hash;
    if (path_len == 0)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "judge replay needs a file: replay:FILE#JUDGE");
    if (hash != SIZE_MAX) r->want = eh_str_slice(args->spec, hash + 1, args->spec.len);
    r->path = mem_alloc(path_len + 1, 1);
    if (!r->path) return EH_NOMEM(err);
    memcpy(r->path, args->spec.ptr, path_len);
    r->path[path_len] = '\0';
    r->spool = tmpfile();
    if (!r->spool)
        return EH_FAIL(err, EH_STATUS_IO,
                       "a temporary file for replies cannot be used: %s",
                       strerror(errno));
    r->reread = args->reread;
    hash_init(&r->content, "eh-replay-content-1");
    if (!grow(r)) return EH_NOMEM(err);
    EH_TRY(read_rows(r, err));
    return make_id(r, err);
}

static eh_status replay_open(const judge_open_args *args, judge **out, eh_error *err) {
    replay *r = mem_zalloc(1, sizeof *r);
    if (!r) return EH_NOMEM(err);
    eh_status status =
        judge_local_init(&r->local, &judge_backend_replay, args, replay_answer, err);
    if (status == EH_STATUS_OK) status = replay_load(r, args, err);
    if (status != EH_STATUS_OK) {
        replay_close(&r->local.base);
        return status;
    }
    r->local.base.by_pair_id = true;
    *out = &r->local.base;
    return EH_STATUS_OK;
}

const judge_backend judge_backend_replay = {
    .name = "replay",
    .is_recording = true,
    .form = "replay:FILE#JUDGE",
    .open = replay_open,
    .close = replay_close,
    .submit = judge_local_submit,
    .poll = judge_local_poll,
};
