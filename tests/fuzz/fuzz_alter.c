/* SPDX-License-Identifier: MIT
 *
 * Fuzz target: replies of a model that writes, in every step and kind.
 *
 * The first byte picks what was asked ('0' questions, '1' an answer, '2' and up the
 * kinds of change, a user's own last), the rest is the reply, where the tag is always
 * "0a1b2c3d". Whatever it is, reading succeeds; what is taken is UTF-8 without white
 * space at its ends, a change's edits give its text, and a second reading says the
 * same.
 */
#include <stdlib.h>

#include "alter/read.h"
#include "base/buf.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                               \
    do {                                                                               \
        if (!(condition)) abort();                                                     \
    } while (0)

static const char original[] = "The tide is the rise and fall of the sea. It comes "
                               "twice a day, since the moon pulls "
                               "at the water while the earth turns below it. In 1687 "
                               "Newton said why.\n\nNear land "
                               "it may be many metres high.";

static audit_reject read_once(const alter_asked *asked, eh_str content, eh_arena *arena,
                              alter_found *f) {
    alter_context context = {.other = EH_STR("The other answer.")};
    eh_status status =
        alter_take(asked, EH_STR("0a1b2c3d"), &context, content, arena, f, NULL);
    CHECK(status == EH_STATUS_OK);
    return f->reject;
}

static void check_text(eh_str text) {
    CHECK(utf8_first_invalid(text) == SIZE_MAX);
    CHECK(eh_str_eq(text, eh_str_trim(text)) && text.len > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0 || size > 20000) return 0;
    int what = (uint8_t)(data[0] - '0') % (2 + ALTER_KIND_OWN + 1);
    alter_probe probe = {.name = EH_STR("own"),
                         .kind = ALTER_KIND_OWN,
                         .prompt =
                             EH_STR("{{answer}} <answer_{{tag}}> </answer_{{tag}}>"),
                         .max_share = 1};
    if (what >= 2 && what - 2 < ALTER_KIND_OWN)
        probe = alter_probe_of((alter_kind)(what - 2));
    eh_str content = {(const char *)data + 1, size - 1};
    alter_asked asked = {.step = what == 0   ? ALTER_QUESTIONS
                                 : what == 1 ? ALTER_ANSWER
                                             : ALTER_CHANGE,
                         .probe = &probe,
                         .n_questions = 3,
                         .max_words = 40,
                         .question = EH_STR("What is a tide?"),
                         .answer = eh_str_of(original)};
    eh_arena arena;
    arena_init(&arena, (size_t)1 << 30);
    alter_found *f = arena_zalloc(&arena, 2, sizeof *f);
    CHECK(f);
    audit_reject why = read_once(&asked, content, &arena, f);
    CHECK(why == read_once(&asked, content, &arena, &f[1]));
    CHECK(f[0].n_questions == f[1].n_questions && f[0].n_refused == f[1].n_refused);
    CHECK(f->n_questions + f->n_refused <= 3);
    for (size_t i = 0; i < f->n_questions; i++)
        check_text(f->questions[i]);
    if (why == AUDIT_REJECT_NONE && what > 0) check_text(f->text);
    if (why == AUDIT_REJECT_NONE && what > 1)
        CHECK(audit_check(eh_str_of(original), &f->made.change, NULL));
    arena_deinit(&arena);
    return 0;
}
