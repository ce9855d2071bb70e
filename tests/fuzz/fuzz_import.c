/* SPDX-License-Identifier: MIT
 *
 * Fuzzes the readers of other tools' files: the same bytes as what they look like, then
 * as each format by its name, then as a table with a map. What is handed out must be
 * valid text; a pair comes before what is said of it; the counts must agree with the
 * reports and with what came.
 */
#include "dataset_input.h"

#include "import/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct taken {
    int64_t n_pairs, n_judgments, n_verdicts, n_labels;
    uint64_t last_pair; /* a hash of its id */
} taken;

static uint64_t hash_of(eh_str s) {
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < s.len; i++)
        h = (h ^ (uint8_t)s.ptr[i]) * 1099511628211u;
    return h;
}

static eh_status take_pair(void *self, const dataset_pair *p, eh_str key,
                           eh_error *err) {
    taken *t = self;
    (void)err;
    REQUIRE(p->id.len > 0 && input_is_text(p->id) && input_is_text(key));
    REQUIRE(eh_str_is_absent(p->question) == eh_str_is_absent(p->answer_1));
    REQUIRE(eh_str_is_absent(p->question) == eh_str_is_absent(p->answer_2));
    REQUIRE(input_is_text(p->question) && input_is_text(p->answer_1));
    REQUIRE(input_is_text(p->answer_2) && input_is_text(p->category));
    REQUIRE(input_is_text(p->model_1) && input_is_text(p->model_2));
    REQUIRE(p->file && p->line > 0);
    t->n_pairs++;
    t->last_pair = hash_of(p->id);
    return EH_STATUS_OK;
}

static eh_status take_judgment(void *self, const dataset_judgment *j, eh_error *err) {
    taken *t = self;
    (void)err;
    REQUIRE(j->pair_id.len && input_is_text(j->pair_id) && input_is_text(j->judge));
    REQUIRE(t->n_pairs == 0 || t->last_pair == hash_of(j->pair_id));
    REQUIRE(j->order == EH_ORDER_12 || j->order == EH_ORDER_21);
    REQUIRE(j->sample >= -1 && j->rating >= 0 && j->rating <= 5);
    REQUIRE(input_is_text(j->reply) && input_is_text(j->reason));
    REQUIRE(input_is_text(j->finish_reason) && input_is_text(j->refusal));
    REQUIRE(j->file && j->line > 0);
    t->n_judgments++;
    t->n_verdicts += j->verdict != EH_VERDICT_NONE;
    return EH_STATUS_OK;
}

static eh_status take_label(void *self, const dataset_label *l, eh_error *err) {
    taken *t = self;
    (void)err;
    REQUIRE(l->pair_id.len && l->annotator.len && l->label != EH_VERDICT_NONE);
    t->n_labels++;
    return EH_STATUS_OK;
}

/* Of texts that stand in files of their own: none is kept. */
static eh_status put_text(void *self, int table, const dataset_text *text,
                          int64_t *first_line, eh_error *err) {
    (void)self, (void)err;
    REQUIRE(table >= 0 && text->id.len && input_is_text(text->text));
    *first_line = 0;
    return EH_STATUS_OK;
}

static eh_status get_text(void *self, int table, eh_str id, dataset_text *text,
                          bool *found, eh_error *err) {
    (void)self, (void)table, (void)text, (void)err;
    REQUIRE(input_is_text(id));
    *found = false;
    return EH_STATUS_OK;
}

static void read_as(const char *path, const import_options *options) {
    taken t = {0};
    input_faults found = {0};
    const dataset_stage texts = {
        .self = &t, .put_text = put_text, .get_text = get_text};
    const import_sink sink = {.self = &t,
                              .pair = take_pair,
                              .judgment = take_judgment,
                              .label = take_label,
                              .texts = &texts};
    const dataset_faults faults = {&found, input_report};
    dataset_counts counts = {0};
    import_file file;
    eh_error err;
    eh_status status = import_read(path, options, &sink, &faults, &counts, &file, &err);
    REQUIRE(status == EH_STATUS_OK || status == EH_STATUS_DATA ||
            status == EH_STATUS_USAGE);
    if (status != EH_STATUS_OK) return;
    input_check_counts(&found, &counts);
    REQUIRE(file.title && file.n_judgments == t.n_judgments);
    REQUIRE(file.n_verdicts == t.n_verdicts && file.n_labels == t.n_labels);
    REQUIRE(file.n_pairs >= t.n_pairs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = input_file(0, data, size);
    (void)import_is_texts(path, &(import_options){0});
    for (size_t i = 0; import_format_name(i); i++)
        read_as(path, &(import_options){.format = import_format_name(i)});
    read_as(path, &(import_options){.format = "csv",
                                    .map = "pair_id=item,verdict=choice,judge=who",
                                    .verdicts = "A=1,B=2,same=tie",
                                    .judge = "j"});
    return 0;
}
