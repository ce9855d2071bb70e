/* SPDX-License-Identifier: MIT
 *
 * The list of attacks as users write it, and what they do to an answer.
 *
 * "both" is rich content and then references: the list of references ends the answer as
 * it does alone, and the marks stand in the text that is shown. Each step is checked
 * against its own rule, and the record of a row holds the edits of each.
 *
 * Left out: attacks that a model writes, and those that search for what works.
 */
#include "exam/attack.h"
#include "base/suggest.h"
#include "base/utf8.h"

#define BOTH "both"

static eh_status fail_unknown(eh_str name, eh_error *err) {
    eh_buf names;
    suggest near = suggest_for(name);
    suggest_offer(&near, EH_STR(BOTH));
    buf_init(&names, BUF_MAX_SMALL);
    for (size_t i = 0; audit_probe_at(i); i++) {
        const audit_probe *p = audit_probe_at(i);
        if (!p->rule || p->form != AUDIT_SUSCEPTIBILITY) continue;
        buf_printf(&names, "%s, ", p->name);
        suggest_offer(&near, eh_str_of(p->name));
    }
    eh_status status =
        EH_FAIL(err, EH_STATUS_USAGE,
                "unknown attack '%.*s': use one of %.*s" BOTH SUGGEST_FORMAT,
                EH_STR_ARG(utf8_cut(name, AUDIT_NAME_MAX)),
                EH_STR_ARG(buf_view(&names)), SUGGEST_ARGS(near));
    buf_deinit(&names);
    return status;
}

static eh_status parse_one(eh_str name, exam_attack *attack, eh_error *err) {
    const audit_probe *p = audit_probe_find(name);
    if (eh_str_eq_cstr(name, BOTH)) {
        *attack = (exam_attack){EH_STR(BOTH),
                                {audit_probe_find(EH_STR("rich_content")),
                                 audit_probe_find(EH_STR("references"))},
                                2};
        return EH_STATUS_OK;
    }
    if (!p || !p->rule || p->form != AUDIT_SUSCEPTIBILITY)
        return fail_unknown(name, err);
    *attack = (exam_attack){eh_str_of(p->name), {p}, 1};
    return EH_STATUS_OK;
}

eh_status exam_attacks_parse(eh_str list, eh_arena *arena, exam_attack **attacks,
                             size_t *n, eh_error *err) {
    eh_str rest = list, part;
    *n = 0;
    *attacks = arena_zalloc(arena, EXAM_ATTACKS_MAX, sizeof **attacks);
    if (!*attacks) return EH_NOMEM(err);
    while (rest.ptr && eh_str_split(&rest, ',', &part)) {
        if (*n == EXAM_ATTACKS_MAX)
            return EH_FAIL(err, EH_STATUS_USAGE, "--attack: at most %d may be given",
                           EXAM_ATTACKS_MAX);
        exam_attack *a = &(*attacks)[*n];
        EH_TRY(parse_one(eh_str_trim(part), a, err));
        for (size_t i = 0; i < *n; i++)
            if (eh_str_eq((*attacks)[i].name, a->name))
                return EH_FAIL(err, EH_STATUS_USAGE, "attack %.*s is given twice",
                               EH_STR_ARG(a->name));
        ++*n;
    }
    return EH_STATUS_OK;
}

eh_status exam_attack_dress(const exam_attack *attack, const audit_input *input,
                            eh_arena *arena, audit_change *changes,
                            audit_reject *reject, eh_error *err) {
    audit_input at = *input;
    for (int i = 0; i < attack->n_steps; i++) {
        const audit_probe *p = attack->steps[i];
        EH_TRY(audit_perturb(p->rule, p->allows, &at, arena, &changes[i], err));
        *reject = changes[i].reject;
        if (*reject != AUDIT_REJECT_NONE) return EH_STATUS_OK;
        at.answer = changes[i].text;
    }
    return EH_STATUS_OK;
}
