/* SPDX-License-Identifier: MIT
 *
 * Imports.
 *
 * A judgment row becomes a call with its reply, a recorded verdict and an ask, so that
 * imported and own runs are the same thing from here on. The call's key is the hash of
 * the row's content: importing a file twice adds nothing. Of several rows with one
 * (judge, pair, order, sample) the newest with a verdict counts, and a later failure
 * does not erase it.
 *
 * Recorded verdicts belong to the answers; a stored call speaks of slots. The order
 * turns one into the other.
 *
 * Left out: other tools' formats. Each becomes rows of this form first.
 */
#include "run/import.h"

#include <stdio.h>

#include "base/mem.h"
#include "dataset/judgments.h"
#include "dataset/labels.h"

typedef struct judge_slot {
    char *name;
    size_t name_len;
    int64_t row;
} judge_slot;

typedef struct importer {
    ledger *l;
    const run_import_options *o;
    run_import_counts *counts;
    judge_slot *judges; /* [n_judges], linear: a file has few */
    size_t n_judges, judges_cap;
    bool remove;    /* labels */
    eh_arena arena; /* for reading one reply again */
} importer;

static ledger_judge imported_judge(eh_str name) {
    return (ledger_judge){.judge = name,
                          .template_name = EH_STR(""),
                          .template_text = EH_STR(""),
                          .params = EH_STR("{}")};
}

static eh_status judge_row(importer *im, eh_str name, int64_t *row, eh_error *err) {
    for (size_t i = 0; i < im->n_judges; i++)
        if (eh_str_eq(name, (eh_str){im->judges[i].name, im->judges[i].name_len})) {
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
    *slot = (judge_slot){.name = mem_alloc(name.len + 1, 1), .name_len = name.len};
    if (!slot->name) return EH_NOMEM(err);
    if (name.len) memcpy(slot->name, name.ptr, name.len);
    im->n_judges++;
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

static eh_status pair_row(importer *im, const dataset_judgment *j, int64_t *row,
                          eh_error *err) {
    if (im->o->bare_pairs) return ledger_pair_put_bare(im->l, j->pair_id, row, err);
    EH_TRY(ledger_find_pair(im->l, j->pair_id, row, err));
    if (!*row) note_unknown(im->counts, j->pair_id, j->line);
    return EH_STATUS_OK;
}

static void row_key(const importer *im, const dataset_judgment *j, int64_t pair,
                    uint8_t key[HASH_BYTES]) {
    eh_hash h;
    hash_init(&h, "eh-import-1");
    hash_str(&h, j->judge);
    hash_i64(&h, pair);
    hash_i64(&h, j->order);
    hash_i64(&h, j->sample);
    hash_i64(&h, j->verdict);
    hash_i64(&h, j->has_scores);
    hash_str(&h, (eh_str){(const char *)&j->score_1, sizeof j->score_1});
    hash_str(&h, (eh_str){(const char *)&j->score_2, sizeof j->score_2});
    hash_str(&h, j->has_reply ? j->reply : (eh_str){NULL, 0});
    hash_str(&h, j->reason);
    hash_str(&h, im->o->reread ? im->o->reread->source : (eh_str){NULL, 0});
    hash_done(&h, key);
}

/* A row may say that there is no verdict and not why. */
static verdict_reason reason_of(const dataset_judgment *j) {
    if (j->verdict != EH_VERDICT_NONE) return VERDICT_REASON_NONE;
    return j->reason.len ? verdict_reason_parse(j->reason) : VERDICT_REASON_UNSPECIFIED;
}

static ledger_call call_of(importer *im, const dataset_judgment *j, int64_t judge,
                           const uint8_t *key) {
    bool swap = j->order == EH_ORDER_21;
    bool valid = j->verdict != EH_VERDICT_NONE;
    return (ledger_call){
        .key = key,
        .judge_row = judge,
        .sample = (int)j->sample,
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
        .result = {.verdict = eh_verdict_unswap(j->verdict, j->order),
                   .reason = reason_of(j),
                   .has_scores = valid && j->has_scores,
                   .score_1 = swap ? j->score_2 : j->score_1,
                   .score_2 = swap ? j->score_1 : j->score_2},
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

static eh_status take_judgment(void *self, const dataset_judgment *j, eh_error *err) {
    importer *im = self;
    if (j->sample >= PLAN_MAX_SAMPLES)
        return EH_FAIL(err, EH_STATUS_DATA, "%s: line %lld: sample %lld: at most %d",
                       j->file, (long long)j->line, (long long)j->sample,
                       PLAN_MAX_SAMPLES - 1);
    ledger_ask ask = {.order = j->order, .sample = (int)j->sample};
    EH_TRY(judge_row(im, j->judge, &ask.judge_row, err));
    EH_TRY(pair_row(im, j, &ask.pair_row, err));
    if (!ask.pair_row) return EH_STATUS_OK;
    bool found;
    eh_verdict before;
    EH_TRY(ledger_ask_verdict(im->l, &ask, &found, &before, err));
    im->counts->n_rows++;
    uint8_t key[HASH_BYTES];
    int64_t call_row;
    row_key(im, j, ask.pair_row, key);
    ledger_call call = call_of(im, j, ask.judge_row, key);
    EH_TRY(read_again(im, j, &call, err));
    if (before != EH_VERDICT_NONE && call.result.verdict == EH_VERDICT_NONE)
        return EH_STATUS_OK;
    EH_TRY(ledger_call_find(im->l, key, &call_row, err));
    if (!call_row) EH_TRY(ledger_call_put(im->l, &call, &call_row, err));
    return ledger_ask_put(im->l, &ask, call_row, err);
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

eh_status run_import_judgments(ledger *l, char *const *paths, int n_paths,
                               const run_import_options *options,
                               run_import_counts *counts, eh_error *err) {
    *counts = (run_import_counts){0};
    importer im = {.l = l, .o = options, .counts = counts};
    dataset_judgment_sink sink = {.self = &im, .take = take_judgment};
    arena_init(&im.arena, (size_t)1 << 30);
    eh_status status = ledger_begin(l, err);
    for (int i = 0; i < n_paths && status == EH_STATUS_OK; i++) {
        dataset_counts read = {0};
        status = dataset_read_judgments(paths[i], &sink, options->faults, &read, err);
        if (status == EH_STATUS_OK) status = faults_status(paths[i], &read, err);
    }
    if (status == EH_STATUS_OK) status = put_runs(&im, err);
    if (status == EH_STATUS_OK) status = ledger_commit(l, err);
    if (status != EH_STATUS_OK) ledger_rollback(l);
    for (size_t i = 0; i < im.n_judges; i++)
        mem_free(im.judges[i].name);
    mem_free(im.judges);
    arena_deinit(&im.arena);
    return status;
}

static eh_status take_label(void *self, const dataset_label *label, eh_error *err) {
    importer *im = self;
    ledger_label row = {.annotator = label->annotator,
                        .label = label->label,
                        .side = label->has_side ? (int)label->side : -1,
                        .familiar = label->familiar,
                        .note = label->note,
                        .time = label->time};
    EH_TRY(ledger_find_pair(im->l, label->pair_id, &row.pair_row, err));
    if (!row.pair_row) {
        note_unknown(im->counts, label->pair_id, label->line);
        return EH_STATUS_OK;
    }
    if (!im->remove) {
        im->counts->n_rows++;
        return ledger_label_put(im->l, &row, err);
    }
    bool removed;
    EH_TRY(ledger_label_remove(im->l, row.pair_row, row.annotator, &removed, err));
    im->counts->n_rows += removed;
    return EH_STATUS_OK;
}

eh_status run_import_labels(ledger *l, const char *path, bool remove,
                            const dataset_faults *faults, run_import_counts *counts,
                            eh_error *err) {
    *counts = (run_import_counts){0};
    importer im = {.l = l, .counts = counts, .remove = remove};
    dataset_label_sink sink = {&im, take_label};
    dataset_counts read = {0};
    eh_status status = ledger_begin(l, err);
    if (status == EH_STATUS_OK)
        status = dataset_read_labels(path, &sink, faults, &read, err);
    if (status == EH_STATUS_OK) status = faults_status(path, &read, err);
    if (status == EH_STATUS_OK) status = ledger_commit(l, err);
    if (status != EH_STATUS_OK) ledger_rollback(l);
    return status;
}
