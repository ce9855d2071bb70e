/* SPDX-License-Identifier: MIT
 *
 * The built-in kinds, and users' own prompts, which are looked at when they are loaded:
 * a misspelt name in braces, or a reply that nobody could find in what the model says,
 * would else show only when money has been spent.
 *
 *   file --> line ends, {{ name }} as {{name}} --> names known? --> answer in it,
 *                                                  block of the reply in it?
 *
 * Left out: whether the prompt asks for what its name says.
 */
#include "alter/probe.h"

#include <limits.h>
#include <stdio.h>

#include "base/embedded.h"
#include "base/utf8.h"

alter_kind alter_kind_find(eh_str name) {
    const audit_probe *known = audit_probe_find(name);
    static const char *const names[] = {
#define X(id, name, fewest, most) name,
        ALTER_KIND_LIST(X)
#undef X
    };
    for (int i = 0; known && i < ALTER_KIND_OWN; i++)
        if (strcmp(known->name, names[i]) == 0) return (alter_kind)i;
    return ALTER_KIND_OWN;
}

alter_probe alter_probe_of(alter_kind kind) {
    static const struct {
        const char *name, *file;
        int fewest, most;
    } kinds[] = {
#define X(id, name, fewest, most) {name, name ".txt", fewest, most},
        ALTER_KIND_LIST(X)
#undef X
    };
    alter_probe p = {.name = eh_str_of(kinds[kind].name),
                     .form = audit_probe_find(eh_str_of(kinds[kind].name))->form,
                     .kind = kind,
                     .fewest_listed = kinds[kind].fewest,
                     .most_listed = kinds[kind].most};
    for (const embedded_file *f = embedded_alter_prompts; f->name; f++)
        if (strcmp(f->name, kinds[kind].file) == 0)
            p.prompt = (eh_str){f->text, f->len};
    return p;
}

void alter_prompt_parts(eh_str text, eh_str *system, eh_str *user) {
    eh_str rest = text, line;
    *system = EH_STR("");
    *user = eh_str_trim(text);
    while (eh_str_split(&rest, '\n', &line)) {
        if (!eh_str_eq_cstr(line, "---")) continue;
        size_t at = (size_t)(line.ptr - text.ptr);
        *system = eh_str_trim(eh_str_slice(text, 0, at));
        *user = eh_str_trim(eh_str_slice(text, at + line.len, text.len));
        return;
    }
}

/* ---- users' prompts ---- */

typedef struct own_text {
    const char *file;
    eh_str text; /* as it stands in the file */
    eh_buf *out;
    eh_error *err;
} own_text;

static long long line_of(const own_text *t, size_t at) {
    long long line = 1;
    for (size_t i = 0; i < at; i++)
        line += t->text.ptr[i] == '\n';
    return line;
}

/* The name in braces that open at `at`; *end is behind them. */
static eh_status copy_name(const own_text *t, size_t at, size_t *end) {
    static const char *const known[] = {"tag", "question", "answer"};
    size_t close = eh_str_find(t->text, EH_STR("}}"), at);
    size_t line_end = eh_str_find(t->text, EH_STR("\n"), at);
    if (close == SIZE_MAX || close > line_end)
        return EH_FAIL(t->err, EH_STATUS_CONFIG,
                       "%s: line %lld: '{{' without '}}' in its line", t->file,
                       line_of(t, at));
    eh_str name = eh_str_trim(eh_str_slice(t->text, at + 2, close));
    *end = close + 2;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (eh_str_eq_cstr(name, known[i])) {
            buf_printf(t->out, "{{%s}}", known[i]);
            return EH_STATUS_OK;
        }
    return EH_FAIL(t->err, EH_STATUS_CONFIG,
                   "%s: line %lld: unknown name in double braces: '%.*s' (there are "
                   "tag, question and answer)",
                   t->file, line_of(t, at), EH_STR_ARG(utf8_cut(name, 60)));
}

static eh_status copy_text(const own_text *t) {
    size_t bad = utf8_first_invalid(t->text);
    if (bad != SIZE_MAX)
        return EH_FAIL(t->err, EH_STATUS_CONFIG, "%s: line %lld: this is not UTF-8",
                       t->file, line_of(t, bad));
    for (size_t at = 0; at < t->text.len;) {
        eh_str rest = eh_str_slice(t->text, at, t->text.len);
        if (eh_str_begins(rest, EH_STR("{{"))) {
            EH_TRY(copy_name(t, at, &at));
            continue;
        }
        if (!eh_str_begins(rest, EH_STR("\r\n"))) buf_add_char(t->out, rest.ptr[0]);
        at++;
    }
    return buf_check(t->out, t->file, t->err);
}

static bool has(eh_str text, eh_str part) {
    return eh_str_find(text, part, 0) != SIZE_MAX;
}

/* What a prompt of a change cannot do without. */
static eh_status check_whole(const char *file, eh_str text, eh_error *err) {
    eh_str system, user;
    alter_prompt_parts(text, &system, &user);
    if (eh_str_is_blank(user))
        return EH_FAIL(err, EH_STATUS_CONFIG, "%s: there is no prompt%s", file,
                       system.len ? " behind the line ---" : " in it");
    if (!has(text, EH_STR("{{answer}}")))
        return EH_FAIL(err, EH_STATUS_CONFIG,
                       "%s: {{answer}} is missing: the model has to see the answer "
                       "that it is to change",
                       file);
    if (!has(text, EH_STR("<answer_{{tag}}>")) ||
        !has(text, EH_STR("</answer_{{tag}}>")))
        return EH_FAIL(
            err, EH_STATUS_CONFIG,
            "%s: <answer_{{tag}}> and </answer_{{tag}}> are missing: ask for "
            "the whole changed answer between them",
            file);
    return EH_STATUS_OK;
}

eh_status alter_probe_own(eh_str name, audit_form form, const char *file, eh_str text,
                          eh_arena *arena, alter_probe *probe, eh_error *err) {
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    if (eh_str_begins(text, EH_STR("\xEF\xBB\xBF")))
        text = eh_str_slice(text, 3, text.len);
    own_text t = {.file = file, .text = text, .out = &out, .err = err};
    *probe = (alter_probe){.name = name,
                           .form = form,
                           .kind = ALTER_KIND_OWN,
                           .max_share = ALTER_OWN_SHARE};
    eh_status status = copy_text(&t);
    if (status == EH_STATUS_OK) status = check_whole(file, buf_view(&out), err);
    if (status == EH_STATUS_OK && !arena_copy(arena, buf_view(&out), &probe->prompt))
        status = EH_NOMEM(err);
    buf_deinit(&out);
    if (status != EH_STATUS_OK) return status;
    if (has(probe->prompt, EH_STR("<changes_{{tag}}>"))) {
        probe->fewest_listed = 1;
        probe->most_listed = INT_MAX;
    }
    return EH_STATUS_OK;
}
