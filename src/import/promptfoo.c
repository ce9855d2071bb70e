/* SPDX-License-Identifier: MIT
 *
 * promptfoo result files (version 3): of the assertion select-best, where two outputs
 * of one test were compared.
 *
 *   {"results": {"version": 3, "results": [
 *     {"testIdx", "promptIdx", "provider": {"id", "label"}, "prompt": {"raw", "label"},
 *      "vars", "response": {"output"}, "gradingResult": {"componentResults": [
 *        {"pass": true, "reason", "assertion": {"type": "select-best", "value",
 * "provider"}}
 *      ]}}]}}
 *
 * The outputs of a test are separate objects that may stand far apart, so what a pair
 * needs is kept until the file ends. They were shown in the order of their prompts. The
 * one that passed was selected; where both or none did, there is no verdict. A
 * comparison of more than two outputs is no verdict on pairs and is left out with a
 * warning.
 */
#include <stdio.h>
#include <stdlib.h>

#include "import/format.h"

/* One output under one criterion; strings in the reader's kept arena. */
typedef struct choice {
    int64_t test, prompt, line;
    eh_str criterion, judge, reason;
    bool selected;
    eh_str output, model, prompt_raw, prompt_label, vars;
} choice;

typedef struct choices {
    choice *list; /* [n] */
    size_t n, cap;
} choices;

static eh_str text_or_id(const json_value *v) {
    if (v && v->kind == JSON_STRING) return v->text;
    eh_str label = json_get_str(v, "label");
    return label.len ? label : json_get_str(v, "id");
}

static bool is_select_best(const json_value *component) {
    return eh_str_eq_cstr(json_get_str(json_get(component, "assertion"), "type"),
                          "select-best");
}

static bool keep_text(import_reader *r, eh_str *s) {
    return arena_copy(&r->kept, *s, s);
}

/* Room for one more; the array lives in the kept arena, doubled when it is full. */
static choice *choices_add(import_reader *r) {
    choices *all = r->state;
    if (!all) r->state = all = arena_zalloc(&r->kept, 1, sizeof *all);
    if (!all) return NULL;
    if (all->n == all->cap) {
        size_t cap = all->cap ? 2 * all->cap : 64;
        choice *more = arena_zalloc(&r->kept, cap, sizeof *more);
        if (!more) return NULL;
        for (size_t i = 0; i < all->n; i++)
            more[i] = all->list[i];
        all->list = more;
        all->cap = cap;
    }
    return &all->list[all->n++];
}

static eh_status keep_choice(import_reader *r, const dataset_row *row, int64_t test,
                             int64_t prompt, const json_value *component,
                             eh_error *err) {
    const json_value *o = row->object;
    const json_value *assertion = json_get(component, "assertion");
    const json_value *pass = json_get(component, "pass");
    choice *c = choices_add(r);
    if (!c) return row_nomem(&r->log, row, err);
    *c = (choice){.test = test,
                  .prompt = prompt,
                  .line = row->line,
                  .criterion = json_get_str(assertion, "value"),
                  .judge = text_or_id(json_get(assertion, "provider")),
                  .reason = json_get_str(component, "reason"),
                  .selected = pass && pass->kind == JSON_BOOL && pass->boolean,
                  .model = text_or_id(json_get(o, "provider")),
                  .prompt_raw = json_get_str(json_get(o, "prompt"), "raw"),
                  .prompt_label = json_get_str(json_get(o, "prompt"), "label")};
    bool ok = import_any_text(json_get(json_get(o, "response"), "output"), r->arena,
                              &c->output) &&
              import_any_text(json_get(o, "vars"), r->arena, &c->vars);
    eh_str *texts[] = {&c->criterion,  &c->judge,        &c->reason, &c->model,
                       &c->prompt_raw, &c->prompt_label, &c->output, &c->vars};
    for (size_t i = 0; ok && i < sizeof texts / sizeof texts[0]; i++)
        ok = keep_text(r, texts[i]);
    return ok ? EH_STATUS_OK : row_nomem(&r->log, row, err);
}

static eh_status take(import_reader *r, dataset_row *row, eh_error *err) {
    int64_t test, prompt;
    if (!eh_str_to_i64(import_text(row->object, "testIdx"), &test) ||
        !eh_str_to_i64(import_text(row->object, "promptIdx"), &prompt)) {
        fields_refuse(row, &r->log, DATASET_FAULT_MISSING_FIELD, (eh_str){NULL, 0},
                      "testIdx", "testIdx and promptIdx are needed (version 3)");
        return EH_STATUS_OK;
    }
    const json_value *grading = json_get(row->object, "gradingResult");
    if (is_select_best(grading)) return keep_choice(r, row, test, prompt, grading, err);
    const json_value *list = json_get(grading, "componentResults");
    for (const json_value *v = list ? list->child : NULL; v; v = v->next)
        if (is_select_best(v)) EH_TRY(keep_choice(r, row, test, prompt, v, err));
    return EH_STATUS_OK;
}

static int by_test(const void *a, const void *b) {
    const choice *x = a, *y = b;
    if (x->test != y->test) return x->test < y->test ? -1 : 1;
    int order = eh_str_cmp(x->criterion, y->criterion);
    if (order) return order;
    return (x->prompt > y->prompt) - (x->prompt < y->prompt);
}

/* The models' names, told apart by their prompts where one model gave both outputs. */
static bool name_models(import_reader *r, const choice c[2], dataset_pair *pair) {
    pair->model_1 = c[0].model;
    pair->model_2 = c[1].model;
    if (!eh_str_eq(c[0].model, c[1].model)) return true;
    char *names[2];
    for (int i = 0; i < 2; i++) {
        names[i] = arena_printf(r->arena, "%.*s/%.*s", EH_STR_ARG(c[i].model),
                                EH_STR_ARG(c[i].prompt_label));
        if (!names[i]) return false;
    }
    pair->model_1 = eh_str_of(names[0]);
    pair->model_2 = eh_str_of(names[1]);
    return true;
}

static eh_status put_two(import_reader *r, const choice c[2], eh_error *err) {
    const dataset_row row = {.line = c[0].line};
    bool same_prompt = eh_str_eq(c[0].prompt_raw, c[1].prompt_raw);
    dataset_pair pair = {.question = same_prompt ? c[0].prompt_raw : c[0].vars,
                         .answer_1 = c[0].output,
                         .answer_2 = c[1].output};
    if (eh_str_is_absent(pair.question)) pair.question = EH_STR("");
    if (eh_str_is_absent(pair.answer_1)) pair.answer_1 = EH_STR("");
    if (eh_str_is_absent(pair.answer_2)) pair.answer_2 = EH_STR("");
    const eh_str texts[] = {pair.question, pair.answer_1, pair.answer_2};
    pair.id = import_id_of(r->arena, texts, 3);
    eh_str judge = c[0].judge.len ? c[0].judge : EH_STR("select-best");
    eh_str criterion =
        c[0].criterion.len > 40 ? (eh_str){c[0].criterion.ptr, 40} : c[0].criterion;
    char *name =
        arena_printf(r->arena, "%.*s: %.*s", EH_STR_ARG(judge), EH_STR_ARG(criterion));
    dataset_judgment j = import_judgment_at(r, &row);
    if (!name || eh_str_is_absent(pair.id) || !name_models(r, c, &pair))
        return EH_NOMEM(err);
    j.pair_id = pair.id;
    j.judge = import_judge_name(r, eh_str_of(name), "promptfoo");
    j.reply = c[0].selected ? c[0].reason : c[1].reason;
    if (c[0].selected != c[1].selected)
        j.verdict = c[0].selected ? EH_VERDICT_1 : EH_VERDICT_2;
    else
        j.reason = EH_STR("no_verdict");
    EH_TRY(import_put_pair(r, &pair, &row, (eh_str){NULL, 0}, err));
    return import_put_judgment(r, &j, err);
}

static void warn_of_many(import_reader *r, const choice *c, size_t n) {
    dataset_fault fault = fault_at(DATASET_FAULT_UNKNOWN_VERDICT, c->line);
    char detail[80];
    (void)snprintf(detail, sizeof detail,
                   "one of %zu outputs was selected: no verdict on a pair", n);
    fault.detail = eh_str_of(detail);
    fault_report(&r->log, fault);
}

static eh_status end(import_reader *r, eh_error *err) {
    choices *all = r->state;
    if ((!all || all->n == 0) && r->log.counts->n_errors > 0) return EH_STATUS_OK;
    if (!all || all->n == 0)
        return EH_FAIL(err, EH_STATUS_DATA,
                       "%s: no select-best assertion in it, so no verdicts on pairs",
                       r->path);
    qsort(all->list, all->n, sizeof *all->list, by_test);
    for (size_t i = 0, n; i < all->n; i += n) {
        const choice *c = &all->list[i];
        for (n = 1; i + n < all->n && c[n].test == c->test &&
                    eh_str_eq(c[n].criterion, c->criterion);)
            n++;
        arena_reset(r->arena);
        if (n == 2)
            EH_TRY(put_two(r, c, err));
        else
            warn_of_many(r, c, n);
    }
    return EH_STATUS_OK;
}

static const records_path path = {{"results", "results", NULL}};
static const char *const names[] = {"{results", "evalId", NULL};
static const char *const other_names[] = {"{results", "{config", NULL};

const import_format import_promptfoo = {.name = "promptfoo",
                                        .title = "promptfoo results",
                                        .path = &path,
                                        .orders = IMPORT_ORDERS_ONE,
                                        .names = names,
                                        .other_names = other_names,
                                        .take = take,
                                        .end = end};
