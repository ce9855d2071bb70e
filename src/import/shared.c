/* SPDX-License-Identifier: MIT
 *
 * What the readers of other tools' files share: words for verdicts, ids out of texts,
 * and the way of pairs, judgments and labels to the sink.
 */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "dataset/tree.h"
#include "import/format.h"

const import_word import_slot_words[] = {
    {"A>>B", EH_VERDICT_1}, {"A>B", EH_VERDICT_1},   {"A=B", EH_VERDICT_TIE},
    {"B>A", EH_VERDICT_2},  {"B>>A", EH_VERDICT_2},  {"A<<B", EH_VERDICT_2},
    {"A<B", EH_VERDICT_2},  {"B=A", EH_VERDICT_TIE}, {"B<A", EH_VERDICT_1},
    {"B<<A", EH_VERDICT_1},
};
const size_t import_n_slot_words =
    sizeof import_slot_words / sizeof import_slot_words[0];

/* Is it among the user's own WORD=VERDICT,...? */
static bool own_word(const char *verdicts, eh_str word, eh_verdict *verdict) {
    eh_str rest = eh_str_of(verdicts), entry, name;
    while (eh_str_split(&rest, ',', &entry)) {
        eh_str says = entry;
        if (!eh_str_split(&says, '=', &name) || !eh_str_eq(eh_str_trim(name), word))
            continue;
        *verdict = eh_verdict_parse(eh_str_trim(says));
        return true;
    }
    return false;
}

eh_status import_check_words(const char *verdicts, eh_error *err) {
    eh_str rest = eh_str_of(verdicts), entry, name;
    while (eh_str_split(&rest, ',', &entry)) {
        eh_str says = entry;
        if (!eh_str_split(&says, '=', &name) || eh_str_is_absent(says) ||
            eh_verdict_parse(eh_str_trim(says)) == EH_VERDICT_NONE)
            return EH_FAIL(err, EH_STATUS_USAGE,
                           "--verdicts: '%.*s' is not of the form WORD=1, WORD=2 or "
                           "WORD=tie",
                           EH_STR_ARG(entry));
    }
    return EH_STATUS_OK;
}

void import_read_word(import_reader *r, const dataset_row *row,
                      const import_word *words, size_t n_words, eh_str word,
                      dataset_judgment *j) {
    j->verdict = EH_VERDICT_NONE;
    if (word.len == 0) {
        j->reason = EH_STR("no_verdict");
        return;
    }
    bool own = own_word(r->options->verdicts, word, &j->verdict);
    for (size_t i = 0; !own && i < n_words && j->verdict == EH_VERDICT_NONE; i++)
        if (eh_str_eq_cstr(word, words[i].word)) j->verdict = words[i].verdict;
    if (j->verdict != EH_VERDICT_NONE) return;
    j->reason = EH_STR("unknown_verdict");
    dataset_fault fault = fault_at(DATASET_FAULT_UNKNOWN_VERDICT, row->line);
    fault.id = j->pair_id;
    fault.detail = word.len > 60 ? (eh_str){word.ptr, 60} : word;
    fault_report(&r->log, fault);
}

eh_str import_id_of(eh_arena *arena, const eh_str *texts, size_t n) {
    uint8_t digest[HASH_BYTES];
    char hex[2 * 6 + 1];
    eh_hash h;
    hash_init(&h, "eh-import-id-1");
    for (size_t i = 0; i < n; i++)
        hash_str(&h, texts[i]);
    hash_done(&h, digest);
    hash_hex(digest, 6, hex);
    return eh_str_of(arena_dup(arena, eh_str_of(hex)));
}

eh_status import_read_fields(import_reader *r, const field_table *table,
                             dataset_row *row, void *into, bool *good, eh_error *err) {
    field_set set;
    if (!fields_find(table, row, r->arena, &set) ||
        !fields_read(table, &set, row, into, &r->log, r->arena))
        return row_nomem(&r->log, row, err);
    *good = !row->is_bad;
    return EH_STATUS_OK;
}

dataset_judgment import_judgment_at(const import_reader *r, const dataset_row *row) {
    return (dataset_judgment){
        .file = r->path, .line = row->line, .sample = -1, .order = EH_ORDER_12};
}

eh_status import_put_pair(import_reader *r, dataset_pair *pair, const dataset_row *row,
                          eh_str question_key, eh_error *err) {
    pair->file = r->path;
    pair->line = row->line;
    r->file->n_pairs++;
    r->file->has_texts = r->file->has_texts || !eh_str_is_absent(pair->question);
    if (!r->sink->pair) return EH_STATUS_OK;
    return r->sink->pair(r->sink->self, pair, question_key, err);
}

eh_status import_put_judgment(import_reader *r, const dataset_judgment *j,
                              eh_error *err) {
    dataset_judgment own = *j;
    own.has_scores = own.has_scores && isfinite(own.score_1) && isfinite(own.score_2);
    if (!own.has_scores) own.score_1 = own.score_2 = 0;
    if (own.verdict != EH_VERDICT_NONE) own.reason = (eh_str){NULL, 0};
    own.has_reply = !eh_str_is_absent(own.reply);
    if (r->sink->no_replies) own.reply = (eh_str){NULL, 0};
    r->file->n_judgments++;
    r->file->n_verdicts += own.verdict != EH_VERDICT_NONE;
    r->log.counts->n_rows++;
    return r->sink->judgment(r->sink->self, &own, err);
}

eh_status import_put_label(import_reader *r, const dataset_row *row, eh_str pair_id,
                           const char *annotator, eh_verdict label, eh_error *err) {
    const dataset_label l = {.pair_id = pair_id,
                             .annotator = eh_str_of(annotator),
                             .label = label,
                             .side = EH_ORDER_N,
                             .familiar = -1,
                             .file = r->path,
                             .line = row->line};
    if (label == EH_VERDICT_NONE) return EH_STATUS_OK;
    r->file->n_labels++;
    return r->sink->label ? r->sink->label(r->sink->self, &l, err) : EH_STATUS_OK;
}

eh_str import_judge_name(const import_reader *r, eh_str recorded,
                         const char *otherwise) {
    if (r->options->judge) return eh_str_of(r->options->judge);
    return recorded.len ? recorded : eh_str_of(otherwise);
}

eh_str import_text(const json_value *object, const char *name) {
    const json_value *v = json_get(object, name);
    bool has = v && (v->kind == JSON_STRING || v->kind == JSON_NUMBER);
    return has ? v->text : (eh_str){NULL, 0};
}

bool import_any_text(const json_value *value, eh_arena *arena, eh_str *text) {
    *text = (eh_str){NULL, 0};
    if (!value || value->kind == JSON_NULL) return true;
    if (value->kind == JSON_STRING) {
        *text = value->text;
        return true;
    }
    eh_buf out;
    buf_init(&out, BUF_MAX_LINE);
    tree_write(&out, value, NULL, 0);
    bool ok = !out.failed && arena_copy(arena, buf_view(&out), text);
    buf_deinit(&out);
    return ok;
}
