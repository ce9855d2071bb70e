/* SPDX-License-Identifier: MIT
 *
 * Fuzzes the readers of JSONL rows: pairs, judgments and labels, all over the same
 * bytes. A first line that begins with "#" is a map. What is handed out must be valid
 * text and JSON, and the counts must agree with the reports; a row is kept once. A line
 * that the quick reader of judgments takes is one that the general reader takes, too.
 */
#include "dataset_input.h"

#include "dataset/judgments.h"
#include "dataset/judgments_plain.h"
#include "dataset/labels.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static input_ids seen;

static eh_status put(void *self, const dataset_pair *pair, int64_t *first_line,
                     eh_error *err) {
    (void)err;
    input_check_pair(pair);
    *first_line = input_seen(&seen, pair->id, pair->line);
    if (*first_line == 0) ++*(int64_t *)self;
    return EH_STATUS_OK;
}

static eh_status take_judgment(void *self, const dataset_judgment *j, eh_error *err) {
    (void)err;
    REQUIRE(j->pair_id.len && input_is_text(j->pair_id) && input_is_text(j->judge));
    REQUIRE(j->order == EH_ORDER_12 || j->order == EH_ORDER_21);
    REQUIRE(j->sample >= 0 && input_is_text(j->reply) && input_is_text(j->reason));
    REQUIRE(input_is_text(j->finish_reason) && input_is_text(j->refusal));
    REQUIRE(j->has_reply || eh_str_is_absent(j->reply));
    REQUIRE(j->has_scores || (j->score_1 == 0 && j->score_2 == 0));
    ++*(int64_t *)self;
    return EH_STATUS_OK;
}

static eh_status take_label(void *self, const dataset_label *l, eh_error *err) {
    (void)err;
    REQUIRE(l->pair_id.len && l->annotator.len && l->label != EH_VERDICT_NONE);
    REQUIRE(l->has_side == (l->side != EH_ORDER_N));
    REQUIRE(l->familiar >= -1 && l->familiar <= 1);
    ++*(int64_t *)self;
    return EH_STATUS_OK;
}

static void read_pairs(const char *path, const char *map) {
    int64_t n_kept = 0;
    input_faults found = {0};
    dataset_stage stage = {.self = &n_kept, .put = put};
    dataset_faults faults = {&found, input_report};
    dataset_counts counts;
    dataset_options options = {
        .path = path, .map = map, .format = DATASET_FORMAT_JSONL};
    uint8_t digest[HASH_BYTES];
    input_ids_begin(&seen);
    if (dataset_read(&options, &stage, &faults, &counts, digest, NULL) ==
        EH_STATUS_OK) {
        input_check_counts(&found, &counts);
        REQUIRE(counts.n_rows == n_kept);
        REQUIRE(counts.n_rows > 0 || counts.n_errors > 0);
    }
    input_ids_end(&seen);
}

static eh_status keep_row(void *self, const dataset_judgment *j, eh_error *err) {
    const plain_judgment *plain = self;
    const dataset_judgment *p = &plain->row;
    (void)err;
    REQUIRE(j->order == p->order && j->sample == p->sample && j->verdict == p->verdict);
    REQUIRE(eh_str_eq(j->pair_id, p->pair_id) && j->has_reply == p->has_reply);
    REQUIRE(j->score_1 == p->score_1 && j->score_2 == p->score_2);
    if (!plain->reply_has_escape && j->has_reply)
        REQUIRE(
            eh_str_eq(j->reply, eh_str_slice(plain->reply, 1, plain->reply.len - 1)));
    return EH_STATUS_OK;
}

/* The general reader gets it with a member that belongs to nobody. */
static void check_plain(const uint8_t *data, size_t size) {
    plain_judgment plain;
    eh_str line = {(const char *)data, size};
    if (memchr(data, '\n', size) || !judgment_read_plain(line, &plain)) return;
    eh_buf other;
    size_t brace = (size_t)((const char *)memchr(data, '{', size) - line.ptr) + 1;
    buf_init(&other, BUF_MAX_LINE);
    buf_add(&other, line.ptr, brace);
    buf_add_cstr(&other, "\"nobody's\":0,");
    buf_add(&other, line.ptr + brace, size - brace);
    dataset_judgment_sink sink = {.self = &plain, .take = keep_row};
    dataset_counts counts;
    const char *path = input_file(1, (const uint8_t *)other.ptr, other.len);
    REQUIRE(dataset_read_judgments(path, &sink, NULL, &counts, NULL) == EH_STATUS_OK);
    REQUIRE(counts.n_rows == 1 && counts.n_errors == 0 && counts.n_warnings == 0);
    buf_deinit(&other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size) check_plain(data, size);
    char map[256] = {0};
    const uint8_t *lf = size && data[0] == '#' ? memchr(data, '\n', size) : NULL;
    if (lf && (size_t)(lf - data) < sizeof map) {
        memcpy(map, data + 1, (size_t)(lf - data) - 1);
        size -= (size_t)(lf + 1 - data);
        data = lf + 1;
    }
    const char *path = input_file(0, data, size);
    read_pairs(path, lf ? map : NULL);

    int64_t n_judgments = 0, n_labels = 0;
    dataset_counts counts;
    input_faults in_judgments = {0}, in_labels = {0};
    dataset_judgment_sink judgments = {.self = &n_judgments, .take = take_judgment};
    dataset_faults faults = {&in_judgments, input_report};
    if (dataset_read_judgments(path, &judgments, &faults, &counts, NULL) ==
        EH_STATUS_OK) {
        input_check_counts(&in_judgments, &counts);
        REQUIRE(counts.n_rows == n_judgments);
    }
    dataset_label_sink labels = {&n_labels, take_label};
    faults.self = &in_labels;
    if (dataset_read_labels(path, &labels, &faults, &counts, NULL) == EH_STATUS_OK) {
        input_check_counts(&in_labels, &counts);
        REQUIRE(counts.n_rows == n_labels);
    }
    return 0;
}
