/* SPDX-License-Identifier: MIT
 *
 * Imports.
 *
 *   file -> reader of its format (import) -> pair       -> the scope
 *                                         -> judgment   -> call, reply, verdict, ask
 *                                         -> label
 *
 * A judgment row becomes a call with its reply, a recorded verdict and an ask, so that
 * imported and own runs are the same thing from here on. The call's key is the hash of
 * the row's content: importing a file twice adds nothing. Of several rows with one
 * (judge, pair, order, sample) the newest with a verdict counts, and a later failure
 * does not erase it. Formats that number no samples get them numbered here, in the
 * order in which the rows come.
 *
 * Recorded verdicts belong to the answers; a stored call speaks of slots. The order
 * turns one into the other. A held ledger gets samples without calls.
 *
 * Left out: numbering on from what an earlier import brought; files of one judge that
 * are to be samples of each other are imported together.
 */
#include "run/import.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/mem.h"

typedef struct judge_slot {
    char *name;
    size_t name_len;
    int64_t row;
    int64_t last_file; /* the number of the last file that it was in */
} judge_slot;

/* How many samples there are of a judge, pair and order; open addressing. */
typedef struct sample_count {
    uint64_t key; /* 0: a free place */
    int64_t n;
} sample_count;

typedef struct importer {
    ledger *l;
    const run_import_options *o;
    run_import_counts *counts;
    judge_slot *judges; /* [n_judges], linear: a file has few */
    size_t n_judges, judges_cap, last_judge;
    eh_buf last_pair; /* its id; its row, or 0 */
    int64_t last_pair_row;
    int64_t file, n_file_judges; /* the number of this file, from 1; its judges */
    sample_count *samples;       /* [samples_cap] of rows without a number */
    size_t n_samples, samples_cap;
    bool remove;    /* labels */
    eh_arena arena; /* for reading one reply again */
} importer;

static ledger_judge imported_judge(eh_str name) {
    return (ledger_judge){.judge = name,
                          .template_name = EH_STR(""),
                          .template_text = EH_STR(""),
                          .params = EH_STR("{}")};
}

static bool is_judge(const importer *im, size_t i, eh_str name) {
    return eh_str_eq(name, (eh_str){im->judges[i].name, im->judges[i].name_len});
}

static eh_status judge_row(importer *im, eh_str name, int64_t *row, eh_error *err) {
    size_t i = im->last_judge; /* mostly the same again */
    if (i >= im->n_judges || !is_judge(im, i, name))
        for (i = 0; i < im->n_judges && !is_judge(im, i, name);)
            i++;
    im->last_judge = i;
    if (i < im->n_judges) {
        im->n_file_judges += im->judges[i].last_file != im->file;
        im->judges[i].last_file = im->file;
        *row = im->judges[i].row;
        return EH_STATUS_OK;
    }
    if (im->n_judges == im->judges_cap) {
        size_t cap = im->judges_cap ? 2 * im->judges_cap : 8;
        judge_slot *more = mem_realloc(im->judges, cap, sizeof *more);
        if (!more) return EH_NOMEM(err);
        im->judges = more;
        im->judges_cap = cap;
    }
    judge_slot *slot = &im->judges[im->n_judges];
    *slot = (judge_slot){.name = mem_alloc(name.len + 1, 1),
                         .name_len = name.len,
                         .last_file = im->file};
    if (!slot->name) return EH_NOMEM(err);
    if (name.len) memcpy(slot->name, name.ptr, name.len);
    im->n_judges++;
    im->n_file_judges++;
    ledger_judge j = imported_judge(name);
    EH_TRY(ledger_judge_put(im->l, &j, &slot->row, err));
    *row = slot->row;
    return EH_STATUS_OK;
}

static void note_unknown(run_import_counts *c, eh_str pair_id, int64_t line) {
    if (c->n_unknown++) return;
    c->first_unknown_line = line;
    (void)snprintf(c->first_unknown, sizeof c->first_unknown, "%.*s",
                   (int)(pair_id.len > 60 ? 60 : pair_id.len), pair_id.ptr);
}

static eh_status find_pair(importer *im, const dataset_judgment *j, int64_t *row,
                           eh_error *err) {
    EH_TRY(ledger_find_pair(im->l, j->pair_id, row, err));
    if (*row) return EH_STATUS_OK;
    if (im->o->bare_pairs) return ledger_pair_put_bare(im->l, j->pair_id, row, err);
    note_unknown(im->counts, j->pair_id, j->line);
    return EH_STATUS_OK;
}

/* The rows of a pair mostly stand together, so the last one is remembered. */
static eh_status pair_row(importer *im, const dataset_judgment *j, int64_t *row,
                          eh_error *err) {
    *row = im->last_pair_row;
    if (*row && eh_str_eq(j->pair_id, buf_view(&im->last_pair))) return EH_STATUS_OK;
    im->last_pair_row = 0;
    EH_TRY(find_pair(im, j, row, err));
    buf_reset(&im->last_pair);
    buf_add_str(&im->last_pair, j->pair_id);
    EH_TRY(buf_check(&im->last_pair, "an id", err));
    im->last_pair_row = *row;
    return EH_STATUS_OK;
}

/* ---- numbering ---- */

static size_t sample_place(const importer *im, uint64_t key) {
    size_t at =
        (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (im->samples_cap - 1);
    while (im->samples[at].key && im->samples[at].key != key)
        at = (at + 1) & (im->samples_cap - 1);
    return at;
}

static eh_status samples_grow(importer *im, eh_error *err) {
    if (2 * (im->n_samples + 1) <= im->samples_cap) return EH_STATUS_OK;
    sample_count *old = im->samples;
    size_t old_cap = im->samples_cap, cap = old_cap ? 2 * old_cap : 1024;
    sample_count *bigger = mem_zalloc(cap, sizeof *bigger);
    if (!bigger) return EH_NOMEM(err);
    im->samples = bigger;
    im->samples_cap = cap;
    for (size_t i = 0; i < old_cap; i++)
        if (old[i].key) im->samples[sample_place(im, old[i].key)] = old[i];
    mem_free(old);
    return EH_STATUS_OK;
}

/* The next number of this judge, pair and order. */
static eh_status next_sample(importer *im, const ledger_ask *ask, int64_t *sample,
                             eh_error *err) {
    uint64_t key = (uint64_t)ask->judge_row << 40 | (uint64_t)ask->pair_row << 1 |
                   (uint64_t)ask->order;
    EH_TRY(samples_grow(im, err));
    sample_count *count = &im->samples[sample_place(im, key)];
    im->n_samples += count->key == 0;
    count->key = key;
    *sample = count->n++;
    return EH_STATUS_OK;
}

/* ---- judgments ---- */

static void row_key(const importer *im, const dataset_judgment *j,
                    const ledger_ask *ask, uint8_t key[HASH_BYTES]) {
    eh_hash h;
    hash_init(&h, "eh-import-1");
    hash_str(&h, j->judge);
    hash_i64(&h, ask->pair_row);
    hash_i64(&h, ask->order);
    hash_i64(&h, ask->sample);
    hash_i64(&h, j->verdict);
    hash_i64(&h, j->has_scores);
    hash_str(&h, (eh_str){(const char *)&j->score_1, sizeof j->score_1});
    hash_str(&h, (eh_str){(const char *)&j->score_2, sizeof j->score_2});
    hash_str(&h, j->has_reply ? j->reply : (eh_str){NULL, 0});
    hash_str(&h, j->reason);
    if (j->rating) hash_i64(&h, j->rating);
    hash_str(&h, im->o->reread ? im->o->reread->source : (eh_str){NULL, 0});
    hash_done(&h, key);
}

/* A row may say that there is no verdict and not why. */
static verdict_reason reason_of(const dataset_judgment *j) {
    if (j->verdict != EH_VERDICT_NONE) return VERDICT_REASON_NONE;
    return j->reason.len ? verdict_reason_parse(j->reason) : VERDICT_REASON_UNSPECIFIED;
}

/* What is recorded, in slots. */
static verdict_result shown_result(const dataset_judgment *j) {
    bool swap = j->order == EH_ORDER_21, valid = j->verdict != EH_VERDICT_NONE;
    return (verdict_result){.verdict = eh_verdict_unswap(j->verdict, j->order),
                            .reason = reason_of(j),
                            .has_scores = valid && j->has_scores,
                            .score_1 = swap ? j->score_2 : j->score_1,
                            .score_2 = swap ? j->score_1 : j->score_2,
                            .likert = !valid || !j->rating ? 0
                                      : swap               ? 6 - (int)j->rating
                                                           : (int)j->rating};
}

static ledger_call call_of(importer *im, const dataset_judgment *j,
                           const ledger_ask *ask, const uint8_t *key) {
    return (ledger_call){
        .key = key,
        .judge_row = ask->judge_row,
        .sample = ask->sample,
        .finish_reason = j->finish_reason,
        .content = j->has_reply ? j->reply : (eh_str){NULL, 0},
        .reasoning = j->reasoning_content,
        .refusal = j->refusal,
        .done_ms = clock_now_ms(&im->o->clock),
        .latency_ms = -1,
        .n_attempts = 1,
        .prompt_tokens = -1,
        .cached_tokens = -1,
        .completion_tokens = -1,
        .reasoning_tokens = -1,
        .result = shown_result(j),
    };
}

/* By the template that was given, where the row has a reply. */
static eh_status read_again(importer *im, const dataset_judgment *j, ledger_call *call,
                            eh_error *err) {
    if (!im->o->reread || !j->has_reply) return EH_STATUS_OK;
    verdict_reply parts = {
        .content = j->reply, .finish_reason = j->finish_reason, .refusal = j->refusal};
    arena_reset(&im->arena);
    call->reader = VERDICT_READER_VERSION;
    return verdict_read(&im->o->reread->form, &parts, &im->arena, &call->result, err);
}

/* A sample for a ledger in memory; a row read again has its verdict in slots. */
static eh_status hold(importer *im, const dataset_judgment *j, const ledger_ask *ask,
                      eh_error *err) {
    ledger_call call = {.result = shown_result(j)};
    bool is_full, swap = ask->order == EH_ORDER_21;
    EH_TRY(read_again(im, j, &call, err));
    const verdict_result *r = &call.result;
    const plan_sample sample = {.order = ask->order,
                                .sample = ask->sample,
                                .verdict = eh_verdict_unswap(r->verdict, ask->order),
                                .reason = r->reason,
                                .has_scores = r->has_scores,
                                .score_1 = swap ? r->score_2 : r->score_1,
                                .score_2 = swap ? r->score_1 : r->score_2,
                                .has_rating = r->likert != 0,
                                .signed_rating = !r->likert ? 0
                                                 : swap     ? r->likert - 3
                                                            : 3 - r->likert};
    EH_TRY(ledger_hold(im->l, ask->judge_row, ask->pair_row, &sample, &is_full, err));
    if (!is_full) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_TOO_BIG,
                   "%s: line %lld: more judgments than fit in "
                   "memory",
                   j->file, (long long)j->line);
}

static eh_status store(importer *im, const dataset_judgment *j, const ledger_ask *ask,
                       eh_error *err) {
    bool found;
    eh_verdict before;
    uint8_t key[HASH_BYTES];
    int64_t call_row;
    EH_TRY(ledger_ask_verdict(im->l, ask, &found, &before, err));
    row_key(im, j, ask, key);
    ledger_call call = call_of(im, j, ask, key);
    EH_TRY(read_again(im, j, &call, err));
    if (before != EH_VERDICT_NONE && call.result.verdict == EH_VERDICT_NONE)
        return EH_STATUS_OK;
    EH_TRY(ledger_call_find(im->l, key, &call_row, err));
    if (!call_row) EH_TRY(ledger_call_put(im->l, &call, &call_row, err));
    return ledger_ask_put(im->l, ask, call_row, err);
}

static eh_status take_judgment(void *self, const dataset_judgment *j, eh_error *err) {
    importer *im = self;
    int64_t sample = j->sample;
    ledger_ask ask = {.order = j->order};
    eh_str judge = j->judge.len ? j->judge : EH_STR("judge"); /* the only one */
    EH_TRY(judge_row(im, judge, &ask.judge_row, err));
    EH_TRY(pair_row(im, j, &ask.pair_row, err));
    if (ask.pair_row && sample < 0) EH_TRY(next_sample(im, &ask, &sample, err));
    if (sample >= PLAN_MAX_SAMPLES)
        return EH_FAIL(err, EH_STATUS_DATA,
                       "%s: line %lld: sample %lld is above %d, the last one there may "
                       "be",
                       j->file, (long long)j->line, (long long)sample,
                       PLAN_MAX_SAMPLES - 1);
    if (!ask.pair_row) return EH_STATUS_OK;
    ask.sample = (int)sample;
    im->counts->n_rows++;
    return ledger_is_held(im->l) ? hold(im, j, &ask, err) : store(im, j, &ask, err);
}

static eh_status take_pair(void *self, const dataset_pair *pair, eh_str question_key,
                           eh_error *err) {
    importer *im = self;
    int64_t row;
    return ledger_pair_add(im->l, pair, question_key, &row, err);
}

static eh_status put_runs(importer *im, eh_error *err) {
    for (size_t i = 0; i < im->n_judges; i++) {
        ledger_run run = {.judge_row = im->judges[i].row, .imported = true};
        int64_t run_row;
        EH_TRY(ledger_judge_extent(im->l, run.judge_row, &run.k, &run.orders, err));
        if (run.orders == 0) continue; /* no row of it was taken */
        run.method = run.orders == PLAN_ORDERS_BOTH ? EH_STR("mec+bpc") : EH_STR("mec");
        EH_TRY(ledger_run_put(im->l, &run, clock_now_ms(&im->o->clock), &run_row, err));
    }
    return EH_STATUS_OK;
}

static eh_status faults_status(const char *path, const dataset_counts *counts,
                               eh_error *err) {
    if (counts->n_errors == 0) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_DATA, "%s: %lld error%s; nothing was taken", path,
                   (long long)counts->n_errors, counts->n_errors == 1 ? "" : "s");
}

static eh_status put_label(importer *im, const dataset_label *label, int64_t *n_taken,
                           eh_error *err) {
    ledger_label row = {.annotator = label->annotator,
                        .label = label->label,
                        .side = label->side == EH_ORDER_N ? -1 : (int)label->side,
                        .familiar = label->familiar,
                        .note = label->note,
                        .adjudicated = label->adjudicated == 1,
                        .unblind = label->unblind == 1,
                        .time = label->time};
    EH_TRY(ledger_find_pair(im->l, label->pair_id, &row.pair_row, err));
    if (!row.pair_row) {
        note_unknown(im->counts, label->pair_id, label->line);
        return EH_STATUS_OK;
    }
    if (!im->remove) {
        ++*n_taken;
        return ledger_label_put(im->l, &row, err);
    }
    bool removed;
    EH_TRY(ledger_label_remove(im->l, row.pair_row, row.annotator, &removed, err));
    *n_taken += removed;
    return EH_STATUS_OK;
}

/* A label that stands beside judgments. */
static eh_status take_own_label(void *self, const dataset_label *label, eh_error *err) {
    importer *im = self;
    return put_label(im, label, &im->counts->n_labels, err);
}

static eh_status read_file(importer *im, const char *path, eh_error *err) {
    const run_import_options *o = im->o;
    const dataset_stage texts = ledger_stage(im->l);
    const import_sink sink = {.self = im,
                              .pair = o->bare_pairs ? take_pair : NULL,
                              .judgment = take_judgment,
                              .label = take_own_label,
                              .texts = o->bare_pairs ? &texts : NULL,
                              .no_replies = ledger_is_held(im->l) && !o->reread};
    dataset_counts read = {0};
    import_file file;
    im->file++;
    im->n_file_judges = 0;
    EH_TRY(import_read(path, &o->read, &sink, o->faults, &read, &file, err));
    EH_TRY(faults_status(path, &read, err));
    if (o->on_file) o->on_file(o->self, path, &file, im->n_file_judges);
    return EH_STATUS_OK;
}

/* Files of texts first. */
static eh_status read_files(importer *im, char *const *paths, int n_paths,
                            eh_error *err) {
    bool many = n_paths > 1;
    for (int i = 0; many && i < n_paths; i++)
        if (import_is_texts(paths[i], &im->o->read))
            EH_TRY(read_file(im, paths[i], err));
    for (int i = 0; i < n_paths; i++)
        if (!many || !import_is_texts(paths[i], &im->o->read))
            EH_TRY(read_file(im, paths[i], err));
    return put_runs(im, err);
}

eh_status run_import_judgments(ledger *l, char *const *paths, int n_paths,
                               const run_import_options *options,
                               run_import_counts *counts, eh_error *err) {
    *counts = (run_import_counts){0};
    importer im = {.l = l, .o = options, .counts = counts};
    bool part = ledger_in_group(l);
    arena_init(&im.arena, (size_t)1 << 30);
    buf_init(&im.last_pair, BUF_MAX_LINE);
    eh_status status = part ? EH_STATUS_OK : ledger_bulk(l, true, err);
    if (status == EH_STATUS_OK) status = ledger_begin(l, err);
    if (status == EH_STATUS_OK) status = read_files(&im, paths, n_paths, err);
    if (status == EH_STATUS_OK && !part) status = ledger_commit(l, err);
    if (status != EH_STATUS_OK && !part) ledger_rollback(l);
    if (!part) {
        eh_status after = ledger_bulk(l, false, status == EH_STATUS_OK ? err : NULL);
        if (status == EH_STATUS_OK) status = after;
    }
    buf_deinit(&im.last_pair);
    for (size_t i = 0; i < im.n_judges; i++)
        mem_free(im.judges[i].name);
    mem_free(im.judges);
    mem_free(im.samples);
    arena_deinit(&im.arena);
    return status;
}

static eh_status take_label(void *self, const dataset_label *label, eh_error *err) {
    importer *im = self;
    return put_label(im, label, &im->counts->n_rows, err);
}

eh_status run_import_labels(ledger *l, const char *path, bool remove,
                            const dataset_faults *faults, run_import_counts *counts,
                            eh_error *err) {
    *counts = (run_import_counts){0};
    importer im = {.l = l, .counts = counts, .remove = remove};
    dataset_label_sink sink = {&im, take_label};
    dataset_counts read = {0};
    bool part = ledger_in_group(l);
    eh_status status = ledger_begin(l, err);
    if (status == EH_STATUS_OK)
        status = dataset_read_labels(path, &sink, faults, &read, err);
    if (status == EH_STATUS_OK) status = faults_status(path, &read, err);
    if (status == EH_STATUS_OK && !part) status = ledger_commit(l, err);
    if (status != EH_STATUS_OK && !part) ledger_rollback(l);
    return status;
}
