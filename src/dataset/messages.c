/* SPDX-License-Identifier: MIT
 *
 * From lists of messages to a question, two answers and the turns before them.
 *
 *   answer_1: [system, user, assistant, user, assistant]
 *              `------- turns -------'  ^question  ^answer_1
 *   answer_2: [system, user, assistant, user, assistant]     the same up to the last
 *
 * The question may also stand in a field of its own, as a text or as a list that ends
 * with the user's message. All sources of the same thing must agree: a judge that is
 * shown one answer under the other answer's conversation would judge something that
 * never happened.
 */
#include "dataset/messages.h"

bool messages_are_valid(const json_value *list) {
    if (list->kind != JSON_ARRAY) return false;
    for (const json_value *m = list->child; m; m = m->next)
        if (eh_str_is_absent(json_get_str(m, "role")) ||
            eh_str_is_absent(json_get_str(m, "content")))
            return false;
    return true;
}

/* A run of messages inside a list. */
typedef struct span {
    const json_value *first;
    size_t n;
} span;

static bool has_role(const json_value *message, const char *role) {
    return message && eh_str_eq_cstr(json_get_str(message, "role"), role);
}

static const json_value *last_of(span s) {
    const json_value *m = s.n ? s.first : NULL;
    for (size_t i = 1; i < s.n; i++)
        m = m->next;
    return m;
}

static bool same_messages(span a, span b) {
    if (a.n != b.n) return false;
    const json_value *x = a.first, *y = b.first;
    for (size_t i = 0; i < a.n; i++, x = x->next, y = y->next)
        if (!eh_str_eq(json_get_str(x, "role"), json_get_str(y, "role")) ||
            !eh_str_eq(json_get_str(x, "content"), json_get_str(y, "content")))
            return false;
    return true;
}

/* Takes the last message off a list when it has that role. `before` is what is left. */
static bool take_last(field_speech *speech, const char *role, span *before) {
    span all = {speech->list->child, speech->list->n};
    const json_value *last = last_of(all);
    if (!has_role(last, role)) return false;
    speech->text = json_get_str(last, "content");
    *before = (span){all.first, all.n - 1};
    return true;
}

/* The question where only the answers' conversation has it. */
static bool question_from(span context, dialogue *d) {
    const json_value *last = last_of(context);
    if (!has_role(last, "user")) return false;
    d->question.text = json_get_str(last, "content");
    return true;
}

static const char *differs(dataset_fault_kind *kind, const char **field,
                           const char *which, const char *what) {
    *kind = DATASET_FAULT_CONTEXT_DIFFERS;
    *field = which;
    return what;
}

/* Sets question and turns from the conversation before the answers; it is not empty. */
static const char *use_context(dialogue *d, span context, dataset_fault_kind *kind,
                               const char **field) {
    span whole = {0};
    if (d->question.list) {
        whole = (span){d->question.list->child, d->question.list->n};
        if (!same_messages(whole, context))
            return differs(kind, field, "question",
                           "not the messages before the answers");
    }
    bool has_text = !eh_str_is_absent(d->question.text);
    eh_str asked = d->question.text;
    if (!question_from(context, d))
        return differs(kind, field, "question",
                       "the message before the answers is not the user's");
    if (has_text && !eh_str_eq(asked, d->question.text))
        return differs(kind, field, "question",
                       "not the user's message before the answers");
    d->turns = context.first;
    d->n_turns = context.n - 1;
    return NULL;
}

static const char *wrong_end(dataset_fault_kind *kind, const char **field,
                             const char *which, const char *what) {
    *kind = DATASET_FAULT_WRONG_TYPE;
    *field = which;
    return what;
}

const char *messages_resolve(dialogue *d, dataset_fault_kind *kind,
                             const char **field) {
    span before_1 = {0}, before_2 = {0}, before_question = {0};
    static const char not_assistant[] = "the last message is not the assistant's";
    if (d->answer_1.list && !take_last(&d->answer_1, "assistant", &before_1))
        return wrong_end(kind, field, "answer_1", not_assistant);
    if (d->answer_2.list && !take_last(&d->answer_2, "assistant", &before_2))
        return wrong_end(kind, field, "answer_2", not_assistant);
    if (d->question.list && !take_last(&d->question, "user", &before_question))
        return wrong_end(kind, field, "question", "the last message is not the user's");
    if (before_1.n && before_2.n && !same_messages(before_1, before_2))
        return differs(kind, field, "answer_2",
                       "not the same messages before it as before answer_1");
    span context = before_1.n ? before_1 : before_2;
    if (context.n) return use_context(d, context, kind, field);
    if (eh_str_is_absent(d->question.text)) {
        *kind = DATASET_FAULT_MISSING_FIELD;
        *field = "question";
        return "neither a question nor messages before the answers";
    }
    d->turns = before_question.first;
    d->n_turns = before_question.n;
    return NULL;
}
