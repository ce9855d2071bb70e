/* SPDX-License-Identifier: MIT
 *
 * Fuzz target: a user's prompt for a probe of their own.
 *
 * Whatever the file holds, it is refused with a message of one line, or taken; then its
 * prompt has the answer and the block of the reply in it and no braces of its own, and
 * what was taken can be taken again.
 */
#include <stdlib.h>

#include "alter/prompt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                               \
    do {                                                                               \
        if (!(condition)) abort();                                                     \
    } while (0)

static bool has(const alter_prompt *p, eh_str part) {
    for (size_t i = 0; i < p->n_messages; i++)
        if (eh_str_find(p->messages[i].content, part, 0) != SIZE_MAX) return true;
    return false;
}

static void check_prompt(const alter_probe *probe, eh_arena *arena) {
    static const char answer[] = "The tide is the rise and fall of the sea.";
    alter_prompt p;
    alter_asked asked = {.step = ALTER_CHANGE,
                         .probe = probe,
                         .question = EH_STR("What is a tide?"),
                         .answer = eh_str_of(answer)};
    CHECK(alter_prompt_make(&asked, arena, &p, NULL) == EH_STATUS_OK);
    CHECK(p.n_messages >= 1 && p.n_messages <= 2);
    char *open = arena_printf(arena, "<answer_%.*s>", EH_STR_ARG(p.tag));
    CHECK(open && has(&p, eh_str_of(open)));
    CHECK(has(&p, eh_str_of(answer)));
    CHECK(!has(&p, EH_STR("{{answer}}")) && !has(&p, EH_STR("{{tag}}")));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 20000) return 0;
    eh_arena arena;
    eh_error err;
    alter_probe probe, again;
    arena_init(&arena, 64 << 20);
    eh_str text = {(const char *)data, size};
    eh_status status = alter_probe_own(EH_STR("own"), AUDIT_OVERSIGHT, "p.txt", text,
                                       &arena, &probe, &err);
    if (status == EH_STATUS_OK) {
        check_prompt(&probe, &arena);
        CHECK(alter_probe_own(EH_STR("own"), AUDIT_OVERSIGHT, "p.txt", probe.prompt,
                              &arena, &again, &err) == EH_STATUS_OK);
        CHECK(probe.most_listed == again.most_listed);
    } else {
        CHECK(status == EH_STATUS_CONFIG && strncmp(err.msg, "p.txt: ", 7) == 0);
        CHECK(!strchr(err.msg, '\n'));
    }
    arena_deinit(&arena);
    return 0;
}
