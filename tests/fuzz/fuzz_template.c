/* SPDX-License-Identifier: MIT
 *
 * Fuzz target: template files, and what is done with them.
 *
 * The input is a template's YAML text. Where it is accepted, its parts fit together; a
 * template that can ask renders the same prompt twice, with both answers in it; one
 * with marks reads the input itself as a reply.
 */
#include <stdlib.h>

#include "base/utf8.h"
#include "prompt/render.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                               \
    do {                                                                               \
        if (!(condition)) abort();                                                     \
    } while (0)

static void check_template(const prompt_template *t) {
    bool reads_marks = t->form.kind == VERDICT_FORM_MARKS;
    CHECK(t->name.len > 0 && t->first_name.len > 0 && t->second_name.len > 0);
    CHECK(reads_marks == (t->form.marks == &t->marks));
    CHECK(t->can_ask || reads_marks);
    if (reads_marks) CHECK(t->marks.has_scores != (t->marks.n_tiers > 0));
    for (size_t i = 0; i < t->marks.n_tiers; i++)
        CHECK(t->marks.tiers[i].n_marks > 0);
}

static void render(const prompt_template *t, bool evidence_first, eh_arena *arena,
                   prompt_rendered *out) {
    prompt_input input = {.question = EH_STR("Which one? {{first}}"),
                          .conversation_json =
                              EH_STR("[{\"role\":\"user\",\"content\":\"Hello\"}]"),
                          .first = EH_STR("the-first-answer"),
                          .second = EH_STR("the-second-answer [[A]]"),
                          .evidence_first = evidence_first};
    eh_status status = prompt_render(t, &input, arena, out, NULL);
    CHECK(status == EH_STATUS_OK);
    CHECK(out->n_messages >= 1 && out->n_messages <= PROMPT_MAX_MESSAGES);
    eh_str user = out->messages[out->n_messages - 1].content;
    CHECK(eh_str_find(user, input.first, 0) != SIZE_MAX);
    if (t->form.kind != VERDICT_FORM_SINGLE) {
        CHECK(eh_str_find(user, EH_STR("the-second-answer "), 0) != SIZE_MAX);
        CHECK(out->n_neutralised >= 1);
    }
    for (size_t i = 0; i < out->n_messages; i++)
        CHECK(utf8_first_invalid(out->messages[i].content) == SIZE_MAX);
}

static void check_prompts(const prompt_template *t) {
    eh_arena arena;
    arena_init(&arena, (size_t)1 << 30);
    for (int evidence = 0; evidence < 2; evidence++) {
        prompt_rendered a, b;
        render(t, evidence == 1, &arena, &a);
        render(t, evidence == 1, &arena, &b);
        CHECK(a.n_messages == b.n_messages && a.n_neutralised == b.n_neutralised);
        for (size_t i = 0; i < a.n_messages; i++)
            CHECK(eh_str_eq(a.messages[i].content, b.messages[i].content));
        arena_reset(&arena);
    }
    arena_deinit(&arena);
}

static void check_reading(const prompt_template *t, eh_str content) {
    eh_arena arena;
    arena_init(&arena, (size_t)1 << 30);
    verdict_reply reply = {.content = content};
    verdict_result r;
    eh_status status = verdict_read(&t->form, &reply, &arena, &r, NULL);
    CHECK(status == EH_STATUS_OK);
    CHECK((r.verdict != EH_VERDICT_NONE) == (r.reason == VERDICT_REASON_NONE));
    arena_deinit(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    eh_str text = {(const char *)data, size};
    eh_error err = {0};
    prompt_template *t;
    if (prompt_template_parse(text, "input", &t, &err) != EH_STATUS_OK) {
        CHECK(t == NULL && err.msg[0] != '\0');
        return 0;
    }
    check_template(t);
    if (t->can_ask) check_prompts(t);
    if (t->form.kind == VERDICT_FORM_MARKS) check_reading(t, text);
    prompt_template_free(t);
    return 0;
}
