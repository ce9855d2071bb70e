/* SPDX-License-Identifier: MIT
 *
 * Fuzz target: rules that perturb an answer.
 *
 * The first byte picks the rule, the second the seed; the rest is the answer, read as
 * the data set gives it: UTF-8, without white space at its ends. Whatever it is, the
 * rule makes a text that passes its own check or says why not; the text is UTF-8, and
 * the same answer gives the same text.
 */
#include <stdlib.h>

#include "audit/probe.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                               \
    do {                                                                               \
        if (!(condition)) abort();                                                     \
    } while (0)

static audit_change once, again;

static const audit_probe *rule_of(uint8_t byte) {
    const audit_probe *with_rule[AUDIT_PROBES_MAX];
    size_t n = 0;
    for (size_t i = 0; audit_probe_at(i); i++)
        if (audit_probe_at(i)->rule) with_rule[n++] = audit_probe_at(i);
    CHECK(n > 0);
    return with_rule[(uint8_t)(byte - '0') % n];
}

static void run(const audit_probe *p, const audit_input *input) {
    eh_arena arena;
    arena_init(&arena, 64 << 20);
    CHECK(audit_perturb(p->rule, p->allows, input, &arena, &once, NULL) ==
          EH_STATUS_OK);
    CHECK(once.reject == AUDIT_REJECT_NONE || once.reject == AUDIT_REJECT_EMPTY ||
          once.reject == AUDIT_REJECT_TOO_SHORT);
    if (once.reject == AUDIT_REJECT_NONE) {
        CHECK(utf8_first_invalid(once.text) == SIZE_MAX);
        CHECK(audit_check(input->answer, &once, p->allows));
        CHECK(audit_perturb(p->rule, p->allows, input, &arena, &again, NULL) ==
              EH_STATUS_OK);
        CHECK(eh_str_eq(once.text, again.text));
    }
    arena_deinit(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2 || size > 20000) return 0;
    int64_t n = 0;
    eh_str text = audit_normalise((eh_str){(const char *)data + 2, size - 2}, &n);
    if (utf8_first_invalid(text) != SIZE_MAX) return 0;
    audit_input input = {
        .question = EH_STR("What is a tide?"), .answer = text, .seed = data[1]};
    run(rule_of(data[0]), &input);
    return 0;
}
