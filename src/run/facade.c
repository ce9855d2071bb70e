/* SPDX-License-Identifier: MIT
 *
 * include/evenhand.h over the modules: strings in, structs and texts out.
 *
 * Only translation happens here: each function is what the command of the same name
 * does, without its printing. The types of the public header are its own, so that the
 * modules' types can change behind it.
 */
#include <evenhand.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json_write.h"
#include "base/mem.h"
#include "report/summary.h"
#include "run/engine.h"
#include "run/import.h"
#include "run/stage.h"
#include "tally/summarize.h"
#include "run/template_file.h"
#include "stats/cluster.h"

enum { FACADE_CONCURRENCY = 16, FACADE_ARENA_BYTES = 256 << 20 };

const char *eh_version(void) {
    return EH_VERSION;
}

void eh_text_free(char *text) {
    mem_free(text);
}

static int finish(eh_status status, const eh_error *err, char why[EH_MESSAGE_BYTES]) {
    if (why) {
        why[0] = '\0';
        if (status != EH_STATUS_OK)
            (void)snprintf(why, EH_MESSAGE_BYTES, "%s", err->msg);
    }
    return eh_status_exit(status);
}

/* Hands the buffer's memory to the caller. */
static eh_status take_text(eh_buf *out, const char *what, char **text, eh_error *err) {
    buf_add_char(out, '\0');
    eh_status status = buf_check(out, what, err);
    if (status == EH_STATUS_OK) {
        *text = out->ptr;
        *out = (eh_buf){.max_bytes = out->max_bytes};
    }
    buf_deinit(out);
    return status;
}

/* ---- data and runs ---- */

/* What the request asks for, as far as it can be wrong without any data. */
static eh_status setup_of(const eh_run_request *r, run_setup *setup, eh_error *err) {
    plan_wish wish = {.method = eh_str_of(r->method),
                      .k = r->n_samples,
                      .order = eh_str_of(r->order)};
    EH_TRY(plan_make(&wish, &setup->plan, err));
    EH_TRY(run_setup_check(setup, err));
    run_setup_params(setup, -1);
    return EH_STATUS_OK;
}

static eh_status engine(ledger *l, const eh_run_request *r, const run_setup *setup,
                        eh_error *err) {
    run_options o = {.setup = *setup,
                     .concurrency = FACADE_CONCURRENCY,
                     .limit = r->limit > 0 ? r->limit : -1,
                     .clock = clock_system()};
    run_result result;
    EH_TRY(run_engine(l, &o, &result, err));
    if (result.end == RUN_END_LIMIT)
        return EH_FAIL(
            err, EH_STATUS_LIMIT,
            "stopped after %lld new call%s; the same call goes on from there",
            (long long)r->limit, r->limit == 1 ? "" : "s");
    if (result.end == RUN_END_STOPPED)
        return EH_FAIL(err, EH_STATUS_ENDPOINT, "%s", result.stop_message);
    return EH_STATUS_OK;
}

static eh_status run_in(ledger *l, const eh_run_request *r, const run_setup *setup,
                        eh_error *err) {
    run_stage_options stage = {.data.path = r->data_path, .clock = clock_system()};
    dataset_counts counts;
    run_import_counts labels;
    bool unchanged;
    EH_TRY(run_stage(l, &stage, &counts, &unchanged, err));
    if (r->labels_path)
        EH_TRY(run_import_labels(l, r->labels_path, false, NULL, &labels, err));
    return engine(l, r, setup, err);
}

int eh_run(const eh_run_request *r, char why[EH_MESSAGE_BYTES]) {
    eh_error err;
    ledger *l = NULL;
    prompt_template *t = NULL;
    judge *j = NULL;
    judge_open_args open = {
        .seed = r->seed, .concurrency = FACADE_CONCURRENCY, .clock = clock_system()};
    eh_status status = EH_STATUS_OK;
    if (!r->data_path || !r->judge || !r->ledger_path)
        status = EH_FAIL(&err, EH_STATUS_USAGE,
                         "data_path, judge and ledger_path are needed");
    if (status == EH_STATUS_OK)
        status = run_template_load_asking(
            r->template_name ? r->template_name : run_template_default(r->method), &t,
            &err);
    if (status == EH_STATUS_OK)
        status = judge_open(eh_str_of(r->judge), &open, &j, &err);
    run_setup setup = {.t = t, .j = j};
    if (status == EH_STATUS_OK) status = setup_of(r, &setup, &err);
    if (status == EH_STATUS_OK)
        status = ledger_open(r->ledger_path, LEDGER_CREATE, &l, &err);
    if (status == EH_STATUS_OK) status = run_in(l, r, &setup, &err);
    eh_status closed = ledger_close(l, status == EH_STATUS_OK ? &err : NULL);
    if (status == EH_STATUS_OK) status = closed;
    judge_close(j);
    prompt_template_free(t);
    return finish(status, &err, why);
}

int eh_summary(const char *ledger_path, const char *method, char **json,
               char why[EH_MESSAGE_BYTES]) {
    eh_error err;
    ledger *l = NULL;
    eh_arena arena;
    eh_buf out;
    report_summary summary;
    *json = NULL;
    arena_init(&arena, FACADE_ARENA_BYTES);
    buf_init(&out, BUF_MAX_REPORT);
    eh_status status = ledger_path
                           ? ledger_open(ledger_path, LEDGER_READ, &l, &err)
                           : EH_FAIL(&err, EH_STATUS_USAGE, "ledger_path is needed");
    if (status == EH_STATUS_OK)
        status = tally_summarize(l, eh_str_of(method), &arena, &summary, &err);
    if (status == EH_STATUS_OK) {
        report_summary_json(&summary, &out);
        status = take_text(&out, "the summary", json, &err);
    }
    (void)ledger_close(l, NULL);
    arena_deinit(&arena);
    return finish(status, &err, why);
}

/* Keeps the first error of a data set as a message. */
static void first_error(void *self, const dataset_fault *fault) {
    eh_error *err = self;
    if (err->msg[0] || !dataset_fault_is_error(fault->kind)) return;
    (void)EH_FAIL(err, EH_STATUS_DATA, "%s: line %lld: %s %.*s",
                  fault->file ? fault->file : "data", (long long)fault->line,
                  dataset_fault_name(fault->kind), EH_STR_ARG(fault->field));
}

int eh_check(const char *data_path, int64_t *n_pairs, int64_t *n_errors,
             char why[EH_MESSAGE_BYTES]) {
    eh_error err = {0}, first = {0};
    ledger *l = NULL;
    dataset_counts counts = {0};
    dataset_faults sink = {&first, first_error};
    eh_status status = data_path
                           ? ledger_open_temporary(&l, &err)
                           : EH_FAIL(&err, EH_STATUS_USAGE, "data_path is needed");
    if (status == EH_STATUS_OK) {
        dataset_stage stage = ledger_stage(l);
        status = ledger_stage_begin(l, &err);
        if (status == EH_STATUS_OK)
            status = dataset_read_pairs(data_path, &stage, &sink, &counts, NULL, &err);
    }
    (void)ledger_close(l, NULL);
    if (n_pairs) *n_pairs = counts.n_rows;
    if (n_errors) *n_errors = counts.n_errors;
    if (status == EH_STATUS_OK && counts.n_errors) {
        status = EH_STATUS_DATA;
        err = first;
    }
    return finish(status, &err, why);
}

/* ---- one pair by hand ---- */

static void write_messages(const prompt_rendered *rendered, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 0);
    json_array_begin(&w);
    for (size_t i = 0; i < rendered->n_messages; i++) {
        json_object_begin(&w);
        json_put_str(&w, "role", rendered->messages[i].role);
        json_put_str(&w, "content", rendered->messages[i].content);
        json_object_end(&w);
    }
    json_array_end(&w);
}

static eh_status load_template(const char *name, prompt_template **t, eh_error *err) {
    *t = NULL;
    if (!name) return EH_FAIL(err, EH_STATUS_USAGE, "template_name is needed");
    return run_template_load(name, t, err);
}

int eh_prompt(const char *template_name, const eh_prompt_texts *texts,
              char **messages_json, char why[EH_MESSAGE_BYTES]) {
    eh_error err;
    eh_arena arena;
    eh_buf out;
    prompt_template *t;
    prompt_rendered rendered;
    prompt_input input = {.question = eh_str_of(texts->question),
                          .first = eh_str_of(texts->first),
                          .second = eh_str_of(texts->second),
                          .reference = eh_str_of(texts->reference),
                          .evidence_first = texts->evidence_first != 0};
    *messages_json = NULL;
    arena_init(&arena, BUF_MAX_PROMPT);
    buf_init(&out, BUF_MAX_PROMPT);
    eh_status status = load_template(template_name, &t, &err);
    if (status == EH_STATUS_OK)
        status = prompt_render(t, &input, &arena, &rendered, &err);
    if (status == EH_STATUS_OK) {
        write_messages(&rendered, &out);
        status = take_text(&out, "the prompt", messages_json, &err);
    }
    prompt_template_free(t);
    arena_deinit(&arena);
    return finish(status, &err, why);
}

int eh_read_reply(const char *template_name, const char *reply,
                  const char *finish_reason, eh_reading *reading,
                  char why[EH_MESSAGE_BYTES]) {
    eh_error err;
    eh_arena arena;
    prompt_template *t;
    verdict_result r = {0};
    verdict_reply parts = {.content = eh_str_of(reply),
                           .finish_reason = eh_str_of(finish_reason)};
    arena_init(&arena, BUF_MAX_PROMPT);
    eh_status status = load_template(template_name, &t, &err);
    if (status == EH_STATUS_OK)
        status = verdict_read(&t->form, &parts, &arena, &r, &err);
    prompt_template_free(t);
    arena_deinit(&arena);
    *reading = (eh_reading){
        .verdict = (int)r.verdict,
        .reason =
            r.reason == VERDICT_REASON_NONE ? NULL : verdict_reason_name(r.reason),
        .has_scores = r.has_scores,
        .score_first = r.score_1,
        .score_second = r.score_2,
    };
    return finish(status, &err, why);
}

/* Public samples to the plan's, with what is needed to choose spec and scale. */
static eh_status read_samples(const eh_sample *in, size_t n, plan_sample *out,
                              plan_wish *wish, plan_scale *scale, eh_error *err) {
    int64_t n_valid = 0, n_scored = 0;
    int most = eh_str_eq_cstr(wish->method, "standalone") ? EH_SCORED : EH_TIE;
    for (size_t i = 0; i < n; i++) {
        const eh_sample *s = &in[i];
        if ((s->order != 12 && s->order != 21) || s->sample < 0 ||
            s->sample >= PLAN_MAX_SAMPLES || s->verdict < 0 || s->verdict > most)
            return EH_FAIL(err, EH_STATUS_USAGE,
                           "sample %zu: order, index or verdict out of range", i);
        out[i] = (plan_sample){.order = s->order == 12 ? EH_ORDER_12 : EH_ORDER_21,
                               .sample = s->sample,
                               .verdict = (eh_verdict)s->verdict,
                               .has_scores = s->has_scores != 0,
                               .score_1 = s->score_1,
                               .score_2 = s->score_2};
        if (s->sample >= wish->k) wish->k = s->sample + 1;
        n_valid += s->verdict != EH_NO_VERDICT;
        n_scored += s->verdict != EH_NO_VERDICT && s->has_scores;
    }
    *scale = plan_scale_of(n_valid, n_scored, 0);
    return EH_STATUS_OK;
}

int eh_rule(const char *method, const eh_sample *samples, size_t n_samples,
            eh_ruling *ruling, char why[EH_MESSAGE_BYTES]) {
    enum { MAX = 2 * PLAN_MAX_SAMPLES };
    eh_error err;
    plan_sample own[MAX];
    plan_ruling r = {0};
    plan_spec spec;
    plan_scale scale = PLAN_SCALE_VOTES;
    plan_wish wish = {.method = eh_str_of(method)};
    eh_status status = EH_STATUS_OK;
    if (n_samples > MAX)
        status = EH_FAIL(&err, EH_STATUS_USAGE, "more than %d samples of a pair", MAX);
    if (status == EH_STATUS_OK)
        status = read_samples(samples, n_samples, own, &wish, &scale, &err);
    if (status == EH_STATUS_OK) status = plan_make(&wish, &spec, &err);
    for (size_t i = 0; status == EH_STATUS_OK && i < n_samples; i++)
        own[i].stage_code = plan_stage_code(&spec, 0);
    if (status == EH_STATUS_OK)
        plan_rule(&spec, scale, own, n_samples, &r);
    else
        r.vote = r.bpde = NAN;
    bool scored = status == EH_STATUS_OK && r.has_scores;
    *ruling = (eh_ruling){
        .verdict = (int)r.verdict,
        .none = plan_none_name(r.none),
        .tie_agreed = r.tie_agreed,
        .conflict = r.conflict,
        .score_1 = scored ? r.score_1 : NAN,
        .score_2 = scored ? r.score_2 : NAN,
        .vote = r.vote,
        .bpde = r.bpde,
    };
    return finish(status, &err, why);
}

/* ---- numbers ---- */

typedef struct question_value {
    uint64_t id;
    double value;
} question_value;

static int by_question(const void *a, const void *b) {
    const question_value *x = a, *y = b;
    if (x->id != y->id) return x->id < y->id ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

int eh_win_rate(const double *values, const uint64_t *question_ids, size_t n,
                eh_interval *interval, char why[EH_MESSAGE_BYTES]) {
    eh_error err;
    eh_status status = EH_STATUS_OK;
    stats_cluster c;
    stats_cluster_init(&c);
    *interval = (eh_interval){NAN, NAN, NAN};
    question_value *rows = mem_alloc(n, sizeof *rows);
    if (!rows) {
        (void)EH_NOMEM(&err);
        status = EH_STATUS_NOMEM;
    }
    for (size_t i = 0; status == EH_STATUS_OK && i < n; i++) {
        rows[i] = (question_value){question_ids[i], values[i]};
        if (!(values[i] >= 0 && values[i] <= 1))
            status = EH_FAIL(&err, EH_STATUS_USAGE, "value %zu is not from 0 to 1", i);
    }
    if (status == EH_STATUS_OK) {
        qsort(rows, n, sizeof *rows, by_question);
        for (size_t i = 0; i < n; i++)
            stats_cluster_add(&c, rows[i].id, rows[i].value);
        stats_interval r = stats_cluster_interval(&c, .95);
        *interval = (eh_interval){r.value, r.low, r.high};
    }
    mem_free(rows);
    return finish(status, &err, why);
}
