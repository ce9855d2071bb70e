/* SPDX-License-Identifier: MIT
 *
 * Fuzz target: replies, in every form.
 *
 * The first byte picks the form ('0' score, '1' compare, '2' likert, '3' json, '4' and
 * up the built-in reading templates), the rest is the reply. Whatever the reply is,
 * reading succeeds, there is a verdict exactly where there is no reason, numbers are on
 * their scale and agree with the verdict, and a second reading says the same.
 */
#include <math.h>
#include <stdlib.h>

#include "prompt/template.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { N_WORD_FORMS = VERDICT_FORM_MARKS, MAX_FORMS = 16 };

typedef struct form_list {
    verdict_form forms[MAX_FORMS];
    size_t n_forms;
} form_list;

#define CHECK(condition)                                                               \
    do {                                                                               \
        if (!(condition)) abort();                                                     \
    } while (0)

/* Loaded once and kept until the program ends. */
static form_list load_forms(void) {
    form_list list = {.n_forms = N_WORD_FORMS};
    for (size_t i = 0; i < N_WORD_FORMS; i++)
        list.forms[i].kind = (verdict_form_kind)i;
    for (size_t i = 0; prompt_builtin_name(i).len; i++) {
        prompt_template *t;
        eh_status status = prompt_template_builtin(prompt_builtin_name(i), &t, NULL);
        CHECK(status == EH_STATUS_OK && list.n_forms < MAX_FORMS);
        if (t->form.kind == VERDICT_FORM_MARKS)
            list.forms[list.n_forms++] = t->form;
        else
            prompt_template_free(t);
    }
    return list;
}

static verdict_result read_once(const verdict_form *form, eh_str content) {
    eh_arena arena;
    arena_init(&arena, (size_t)1 << 30);
    verdict_reply reply = {.content = content};
    verdict_result r;
    eh_status status = verdict_read(form, &reply, &arena, &r, NULL);
    CHECK(status == EH_STATUS_OK);
    arena_deinit(&arena);
    return r;
}

static eh_verdict compared(double first, double second) {
    if (fabs(first - second) <= 1e-9) return EH_VERDICT_TIE;
    return first > second ? EH_VERDICT_1 : EH_VERDICT_2;
}

static void check_scores(const verdict_form *form, const verdict_result *r) {
    bool word_scores =
        form->kind == VERDICT_FORM_SCORE || form->kind == VERDICT_FORM_JSON;
    double low = word_scores ? 1 : form->marks->score_low;
    double high = word_scores ? 10 : form->marks->score_high;
    CHECK(word_scores || form->marks->has_scores);
    CHECK(r->score_1 >= low && r->score_1 <= high);
    CHECK(r->score_2 >= low && r->score_2 <= high);
    CHECK(r->verdict == compared(r->score_1, r->score_2));
}

static void check_result(const verdict_form *form, const verdict_result *r) {
    bool has_verdict = r->verdict != EH_VERDICT_NONE;
    CHECK(has_verdict == (r->reason == VERDICT_REASON_NONE));
    CHECK(has_verdict || (!r->has_scores && r->likert == 0));
    CHECK(r->likert == 0 || form->kind == VERDICT_FORM_LIKERT);
    CHECK(r->warnings < 1u << VERDICT_WARNING_N);
    if (r->has_scores) check_scores(form, r);
    if (form->kind == VERDICT_FORM_SCORE) CHECK(r->has_scores == has_verdict);
    if (form->kind != VERDICT_FORM_LIKERT || !has_verdict) return;
    CHECK(r->likert >= 1 && r->likert <= 5);
    CHECK(r->verdict == compared(3, r->likert));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static form_list list;
    if (list.n_forms == 0) list = load_forms();
    if (size == 0) return 0;
    const verdict_form *form = &list.forms[(uint8_t)(data[0] - '0') % list.n_forms];
    eh_str content = {(const char *)data + 1, size - 1};
    verdict_result r = read_once(form, content);
    check_result(form, &r);
    verdict_result again = read_once(form, content);
    CHECK(again.verdict == r.verdict && again.reason == r.reason);
    CHECK(again.score_1 == r.score_1 && again.score_2 == r.score_2);
    CHECK(again.likert == r.likert && again.warnings == r.warnings);
    return 0;
}
