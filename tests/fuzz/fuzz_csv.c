/* SPDX-License-Identifier: MIT
 *
 * Fuzzes the CSV reader, and with it gzip and UTF-16. The pairs that are kept are
 * written as CSV by the rules of RFC 4180 and read again: they must be the same, byte
 * for byte and in the same order.
 */
#include "dataset_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static input_ids seen;

typedef struct copy {
    eh_hash hash; /* over the texts of all pairs */
    eh_buf csv;
    int64_t n_kept;
} copy;

static void put_cell(eh_buf *out, eh_str text, char end) {
    buf_add_char(out, '"');
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] == '"') buf_add_char(out, '"');
        buf_add_char(out, text.ptr[i]);
    }
    buf_add_char(out, '"');
    buf_add_char(out, end);
}

static eh_status put(void *self, const dataset_pair *pair, int64_t *first_line,
                     eh_error *err) {
    copy *c = self;
    (void)err;
    input_check_pair(pair);
    *first_line = input_seen(&seen, pair->id, pair->line);
    if (*first_line) return EH_STATUS_OK;
    eh_str cells[] = {pair->id, pair->question, pair->answer_1, pair->answer_2};
    for (size_t i = 0; i < 4; i++) {
        hash_str(&c->hash, cells[i]);
        put_cell(&c->csv, cells[i], i < 3 ? ',' : '\n');
    }
    c->n_kept++;
    return EH_STATUS_OK;
}

static bool read_copy(const char *path, copy *c, input_faults *found,
                      uint8_t digest[HASH_BYTES]) {
    *c = (copy){0};
    buf_init(&c->csv, (size_t)1 << 30);
    hash_init(&c->hash, "copy");
    buf_add_cstr(&c->csv, "id,question,answer_1,answer_2\n");
    dataset_stage stage = {.self = c, .put = put};
    dataset_faults faults = {found, input_report};
    dataset_counts counts;
    dataset_options options = {.path = path, .format = DATASET_FORMAT_CSV};
    input_ids_begin(&seen);
    eh_status status = dataset_read(&options, &stage, &faults, &counts, NULL, NULL);
    input_ids_end(&seen);
    if (status != EH_STATUS_OK) return false;
    input_check_counts(found, &counts);
    REQUIRE(counts.n_rows == c->n_kept);
    hash_done(&c->hash, digest);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    copy first, second;
    input_faults found = {0}, again = {0};
    uint8_t digest[HASH_BYTES], same[HASH_BYTES];
    bool ok = read_copy(input_file(0, data, size), &first, &found, digest);
    if (ok && first.n_kept > 0) {
        eh_str csv = buf_view(&first.csv);
        REQUIRE(read_copy(input_file(1, csv.ptr, csv.len), &second, &again, same));
        REQUIRE(again.n_errors == 0 && second.n_kept == first.n_kept);
        REQUIRE(memcmp(digest, same, HASH_BYTES) == 0);
        buf_deinit(&second.csv);
    }
    buf_deinit(&first.csv);
    return 0;
}
