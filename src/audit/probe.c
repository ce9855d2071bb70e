/* SPDX-License-Identifier: MIT
 *
 * The built-in probes: those of Chen et al. 2024 (arXiv:2402.10669) first, then ours.
 * `what` ends up on the card, so it says what was done and not what it is called.
 */
#include "audit/probe.h"

#include "base/utf8.h"

const char *audit_form_name(audit_form form) {
    return form == AUDIT_OVERSIGHT ? "oversight" : "susceptibility";
}

#define BY_RULE(name) .rule = audit_rule_##name, .allows = audit_allows_##name

static const audit_probe probes[] = {
    {.name = "factual_error",
     .alias = "misinformation",
     .form = AUDIT_OVERSIGHT,
     .what = "Factual errors were put into one answer.",
     .short_what = "factual errors",
     .use = "spotting factual errors"},
    {.name = "gender",
     .form = AUDIT_OVERSIGHT,
     .what = "Gender-biased content was put into one answer.",
     .short_what = "gender-biased content",
     .use = "spotting gender-biased content"},
    {.name = "references",
     .alias = "reference",
     .form = AUDIT_SUSCEPTIBILITY,
     BY_RULE(references),
     .match_length = true,
     .what = "Invented references were added to one answer.",
     .short_what = "fake references",
     .use = "answers that cite sources"},
    {.name = "rich_content",
     .alias = "rich",
     .form = AUDIT_SUSCEPTIBILITY,
     BY_RULE(rich_content),
     .match_length = true,
     .what = "Markdown and emoji were added to one answer.",
     .short_what = "rich formatting",
     .use = "answers with Markdown and emoji"},
    {.name = "padding",
     .form = AUDIT_SUSCEPTIBILITY,
     BY_RULE(padding),
     .what = "One answer was made twice as long by sentences that say nothing.",
     .short_what = "empty padding",
     .use = "wordy answers against plain ones"},
    {.name = "shortening",
     .form = AUDIT_SUSCEPTIBILITY,
     BY_RULE(shortening),
     .what = "One answer was cut to about an eighth.",
     .short_what = "shortening",
     .use = "very short answers against full ones"},
    {.name = "injection",
     .form = AUDIT_SUSCEPTIBILITY,
     BY_RULE(injection),
     .what = "One answer asks the judge to be rated above the other.",
     .short_what = "a request to the judge",
     .use = "texts that may talk to the judge"},
    {.name = "majority",
     .form = AUDIT_SUSCEPTIBILITY,
     BY_RULE(majority),
     .what = "One answer claims that most people prefer it.",
     .short_what = "a claimed majority",
     .use = "answers that claim to be popular"},
};

const audit_probe *audit_probe_at(size_t i) {
    return i < sizeof probes / sizeof probes[0] ? &probes[i] : NULL;
}

const audit_probe *audit_probe_find(eh_str name) {
    for (size_t i = 0; audit_probe_at(i); i++)
        if (eh_str_eq_cstr(name, probes[i].name) ||
            (probes[i].alias && eh_str_eq_cstr(name, probes[i].alias)))
            return &probes[i];
    return NULL;
}

static bool name_ok(eh_str name) {
    if (name.len == 0 || name.len > AUDIT_NAME_MAX) return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!is_letter && !(c >= '0' && c <= '9') && c != '-' && c != '_') return false;
    }
    return true;
}

static eh_status read_form(eh_str name, eh_str text, audit_form *form, eh_error *err) {
    for (int i = 0; i < AUDIT_FORM_N; i++)
        if (eh_str_eq_cstr(text, audit_form_name((audit_form)i))) {
            *form = (audit_form)i;
            return EH_STATUS_OK;
        }
    return EH_FAIL(err, EH_STATUS_USAGE,
                   "probe %.*s: the form is oversight or susceptibility, not '%.*s'",
                   EH_STR_ARG(name), EH_STR_ARG(utf8_cut(text, 60)));
}

eh_status audit_probe_read(eh_str text, audit_probe_text *probe, eh_error *err) {
    size_t eq = eh_str_find(text, EH_STR("="), 0);
    eh_str head = eh_str_trim(eq == SIZE_MAX ? text : eh_str_slice(text, 0, eq));
    size_t colon = eh_str_find(head, EH_STR(":"), 0);
    eh_str name = colon == SIZE_MAX ? head : eh_str_slice(head, 0, colon);
    *probe = (audit_probe_text){
        .name = name, .known = audit_probe_find(name), .says_form = colon != SIZE_MAX};
    if (!name_ok(name))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "probe '%.*s': names hold letters, digits, - and _, %d at most",
                       EH_STR_ARG(utf8_cut(name, 60)), AUDIT_NAME_MAX);
    if (probe->known) {
        probe->name = eh_str_of(probe->known->name);
        probe->form = probe->known->form;
    }
    if (probe->says_form)
        EH_TRY(read_form(name, eh_str_slice(head, colon + 1, head.len), &probe->form,
                         err));
    if (eq == SIZE_MAX) return EH_STATUS_OK;
    probe->file = eh_str_slice(text, eq + 1, text.len);
    if (!eh_str_is_blank(probe->file)) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_USAGE, "probe %.*s: a file is missing behind '='",
                   EH_STR_ARG(name));
}
