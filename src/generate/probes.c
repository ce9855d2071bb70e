/* SPDX-License-Identifier: MIT
 *
 * The list of probes as users write it, with the prompts of their own:
 *
 *   gender,references,typos:susceptibility=typos.txt
 *
 * A probe's name is that of a file in the folder and of a step in the funnel, so a few
 * names are taken.
 */
#include "base/file.h"
#include "base/utf8.h"
#include "generate/generate.h"

static eh_status fail_unknown(eh_str name, eh_error *err) {
    eh_buf names;
    buf_init(&names, BUF_MAX_SMALL);
    for (int i = 0; i < ALTER_KIND_OWN; i++)
        buf_printf(&names, "%s%.*s", i ? ", " : "",
                   EH_STR_ARG(alter_probe_of((alter_kind)i).name));
    eh_status status =
        EH_FAIL(err, EH_STATUS_USAGE,
                "--probes: a model writes %.*s, and yours as NAME:FORM=PROMPT, not "
                "'%.*s'",
                EH_STR_ARG(buf_view(&names)), EH_STR_ARG(name));
    buf_deinit(&names);
    return status;
}

static bool is_taken(eh_str name) {
    return eh_str_eq_cstr(name, "pairs") || eh_str_eq_cstr(name, "questions") ||
           eh_str_eq_cstr(name, "answers") || eh_str_begins(name, EH_STR("review-"));
}

static eh_status read_own(const audit_probe_text *read, eh_arena *arena,
                          alter_probe *probe, eh_error *err) {
    eh_str name = read->name, copy;
    if (read->known)
        return EH_FAIL(
            err, EH_STATUS_USAGE,
            "--probes: %.*s is a known probe: a prompt of yours needs another "
            "name",
            EH_STR_ARG(name));
    if (!read->says_form)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--probes: say the form of %.*s: %.*s:oversight=PROMPT where a "
                       "good judge moves away from what is changed, "
                       "%.*s:susceptibility=PROMPT where it stays",
                       EH_STR_ARG(name), EH_STR_ARG(name), EH_STR_ARG(name));
    if (is_taken(name))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--probes: generate itself calls a file or a step '%.*s': give "
                       "the probe another name",
                       EH_STR_ARG(name));
    const char *path = arena_dup(arena, read->file);
    if (!path || !arena_copy(arena, name, &copy)) return EH_NOMEM(err);
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    eh_status status = file_read(path, EH_STATUS_CONFIG, &text, err);
    if (status == EH_STATUS_OK)
        status =
            alter_probe_own(copy, read->form, path, buf_view(&text), arena, probe, err);
    buf_deinit(&text);
    return status;
}

static eh_status read_one(eh_str text, eh_arena *arena, alter_probe *probe,
                          eh_error *err) {
    audit_probe_text read;
    EH_TRY(audit_probe_read(text, &read, err));
    if (!eh_str_is_absent(read.file)) return read_own(&read, arena, probe, err);
    if (!read.known && read.says_form)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--probes: %.*s needs the file of its prompt, %.*s=PROMPT",
                       EH_STR_ARG(read.name), EH_STR_ARG(text));
    alter_kind kind = alter_kind_find(read.name);
    if (kind == ALTER_KIND_OWN) return fail_unknown(read.name, err);
    *probe = alter_probe_of(kind);
    probe->form = read.form;
    return EH_STATUS_OK;
}

static eh_status read_list(eh_str list, eh_arena *arena, alter_probe *probes, size_t *n,
                           eh_error *err) {
    eh_str part;
    while (eh_str_split(&list, ',', &part)) {
        if (*n == AUDIT_PROBES_MAX)
            return EH_FAIL(err, EH_STATUS_USAGE, "--probes: more than %d probes",
                           AUDIT_PROBES_MAX);
        alter_probe *p = &probes[*n];
        EH_TRY(read_one(eh_str_trim(part), arena, p, err));
        for (size_t i = 0; i < *n; i++)
            if (eh_str_eq(probes[i].name, p->name))
                return EH_FAIL(err, EH_STATUS_USAGE, "--probes: %.*s is there twice",
                               EH_STR_ARG(p->name));
        ++*n;
    }
    return EH_STATUS_OK;
}

/* ---- how much may change ---- */

enum { SHARE_MAX = 10 };

static eh_status read_share(eh_str text, double *share, eh_error *err) {
    eh_str number = text;
    bool is_percent = eh_str_ends(text, EH_STR("%"));
    if (is_percent) number.len--;
    if (eh_str_to_f64(number, share)) {
        if (is_percent) *share /= 100;
        if (*share > 0 && *share <= SHARE_MAX) return EH_STATUS_OK;
    }
    return EH_FAIL(err, EH_STATUS_USAGE,
                   "--max-change: '%.*s' is not a share above 0, such as 30%% or .3, "
                   "%d at most",
                   EH_STR_ARG(utf8_cut(text, 60)), SHARE_MAX);
}

static eh_status read_limit(eh_str text, alter_probe *probes, size_t n, double *all,
                            eh_error *err) {
    size_t eq = eh_str_find(text, EH_STR("="), 0);
    double *share = eq == SIZE_MAX ? all : NULL;
    eh_str name = eq == SIZE_MAX ? EH_STR("all") : eh_str_slice(text, 0, eq);
    for (size_t i = 0; i < n && !share; i++)
        if (probes[i].kind == ALTER_KIND_OWN && eh_str_eq(probes[i].name, name))
            share = &probes[i].max_share;
    if (!share)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--max-change: no probe of yours is called '%.*s'",
                       EH_STR_ARG(utf8_cut(name, 60)));
    if (*share > 0)
        return EH_FAIL(err, EH_STATUS_USAGE, "--max-change: two shares for %.*s",
                       EH_STR_ARG(name));
    return read_share(eq == SIZE_MAX ? text : eh_str_slice(text, eq + 1, text.len),
                      share, err);
}

static eh_status read_limits(eh_str limits, alter_probe *probes, size_t n,
                             eh_error *err) {
    eh_str part;
    bool has_own = false;
    double all = 0;
    for (size_t i = 0; i < n; i++) {
        has_own |= probes[i].kind == ALTER_KIND_OWN;
        probes[i].max_share = 0;
    }
    if (!eh_str_is_absent(limits) && !has_own)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--max-change is about probes of your own (NAME:FORM=PROMPT), "
                       "and --probes has none");
    while (!eh_str_is_absent(limits) && eh_str_split(&limits, ',', &part))
        EH_TRY(read_limit(eh_str_trim(part), probes, n, &all, err));
    for (size_t i = 0; i < n; i++)
        if (probes[i].max_share <= 0)
            probes[i].max_share = all > 0 ? all : ALTER_OWN_SHARE;
    return EH_STATUS_OK;
}

eh_status generate_probes_read(eh_str list, eh_str limits, eh_arena *arena,
                               alter_probe **probes, size_t *n, eh_error *err) {
    *n = 0;
    *probes = arena_zalloc(arena, AUDIT_PROBES_MAX, sizeof **probes);
    if (!*probes) return EH_NOMEM(err);
    EH_TRY(read_list(list, arena, *probes, n, err));
    return read_limits(limits, *probes, *n, err);
}
