/* SPDX-License-Identifier: MIT
 *
 * Loading a template: YAML (libyaml) to segments.
 *
 *   name: score                 required
 *   form: score                 score, compare, likert, json, marks or single
 *   first_name, second_name     how the slots are called; by default Assistant 1 and 2
 *   system, user                texts with {{slots}}
 *   verdict_first, evidence_first   what {{ask}} becomes
 *   marks: {...}                for form marks (template_marks.c)
 *
 * Everything unknown is an error with its line: a misspelt key would otherwise be a
 * prompt that silently lacks half its instructions.
 */
#include "prompt/template.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "prompt/template_parse.h"

static prompt_slot slot_find(eh_str name) {
    static const char *const names[] = {
#define X(id, name) name,
        PROMPT_SLOT_LIST(X)
#undef X
    };
    for (int i = 0; i < PROMPT_SLOT_N; i++)
        if (eh_str_eq_cstr(name, names[i])) return (prompt_slot)i;
    return PROMPT_SLOT_N;
}

/* Splits a text at its {{names}}. */
static eh_status parse_body(const yaml_source *src, const yaml_node_t *node,
                            prompt_template *t, prompt_body *body, eh_error *err) {
    eh_str text;
    if (node->type != YAML_SCALAR_NODE)
        return yaml_source_fault(src, node, err, "a text is needed here", EH_STR(""));
    if (!arena_copy(&t->arena, yaml_scalar(node), &text)) return EH_NOMEM(err);
    size_t n_max = 1;
    for (size_t at = 0; (at = eh_str_find(text, EH_STR("{{"), at)) != SIZE_MAX; at += 2)
        n_max += 2;
    body->segments = arena_zalloc(&t->arena, n_max, sizeof *body->segments);
    if (!body->segments) return EH_NOMEM(err);
    size_t at = 0;
    for (;;) {
        size_t open = eh_str_find(text, EH_STR("{{"), at);
        size_t end = open == SIZE_MAX ? text.len : open;
        if (end > at)
            body->segments[body->n_segments++] =
                (prompt_segment){PROMPT_SLOT_TEXT, eh_str_slice(text, at, end)};
        if (open == SIZE_MAX) return EH_STATUS_OK;
        size_t close = eh_str_find(text, EH_STR("}}"), open);
        if (close == SIZE_MAX)
            return yaml_source_fault(src, node, err, "'{{' without '}}'", EH_STR(""));
        eh_str name = eh_str_trim(eh_str_slice(text, open + 2, close));
        prompt_slot slot = slot_find(name);
        if (slot == PROMPT_SLOT_N)
            return yaml_source_fault(src, node, err,
                                     "unknown name in double braces:", name);
        body->segments[body->n_segments++] = (prompt_segment){.slot = slot};
        at = close + 2;
    }
}

static size_t body_count(const prompt_body *body, prompt_slot slot) {
    size_t n = 0;
    for (size_t i = 0; i < body->n_segments; i++)
        n += body->segments[i].slot == slot;
    return n;
}

static bool body_has(const prompt_body *body, prompt_slot slot) {
    return body_count(body, slot) > 0;
}

/* The bodies that go around the answers. */
static bool frame_has(const prompt_template *t, prompt_slot slot) {
    return body_has(&t->system, slot) || body_has(&t->verdict_first, slot) ||
           body_has(&t->evidence_first, slot);
}

static eh_status parse_form(const yaml_source *src, const yaml_node_t *node,
                            prompt_template *t, eh_error *err) {
    eh_str name = yaml_scalar(node);
    for (int i = 0; i < VERDICT_FORM_N; i++)
        if (eh_str_eq_cstr(name, verdict_form_name((verdict_form_kind)i))) {
            t->form.kind = (verdict_form_kind)i;
            return EH_STATUS_OK;
        }
    return yaml_source_fault(
        src, node, err,
        "form must be score, compare, likert, json, marks or single, not", name);
}

static eh_status parse_name(const yaml_source *src, const yaml_node_t *node,
                            prompt_template *t, eh_str *name, eh_error *err) {
    eh_str value = yaml_scalar(node);
    bool is_line = !eh_str_is_blank(value);
    for (size_t i = 0; i < value.len; i++)
        is_line = is_line && (unsigned char)value.ptr[i] >= 0x20;
    if (!is_line || value.len > 60)
        return yaml_source_fault(
            src, node, err, "a name of 1 to 60 bytes on one line is needed", value);
    return arena_copy(&t->arena, value, name) ? EH_STATUS_OK : EH_NOMEM(err);
}

typedef struct template_parse {
    prompt_template *t;
    bool has_form;
} template_parse;

static eh_status parse_entry(void *self, yaml_source *src, const yaml_entry *entry,
                             eh_error *err) {
    template_parse *p = self;
    prompt_template *t = p->t;
    const yaml_node_t *value = entry->value;
    eh_str name = entry->key;
    struct {
        const char *name;
        prompt_body *body;
    } bodies[] = {{"system", &t->system},
                  {"user", &t->user},
                  {"verdict_first", &t->verdict_first},
                  {"evidence_first", &t->evidence_first}};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++)
        if (eh_str_eq_cstr(name, bodies[i].name))
            return parse_body(src, value, t, bodies[i].body, err);
    if (eh_str_eq_cstr(name, "name")) return parse_name(src, value, t, &t->name, err);
    if (eh_str_eq_cstr(name, "first_name"))
        return parse_name(src, value, t, &t->first_name, err);
    if (eh_str_eq_cstr(name, "second_name"))
        return parse_name(src, value, t, &t->second_name, err);
    if (eh_str_eq_cstr(name, "form")) {
        p->has_form = true;
        return parse_form(src, value, t, err);
    }
    if (eh_str_eq_cstr(name, "marks")) {
        t->form.marks = &t->marks;
        return template_marks_parse(src, value, t, err);
    }
    return yaml_source_fault(
        src, entry->key_node, err,
        "a template has name, form, system, user, first_name, "
        "second_name, verdict_first, evidence_first and marks, not",
        name);
}

/* The answers that a form shows: two, or one alone. */
static eh_status check_answers(const yaml_source *src, const prompt_template *t,
                               eh_error *err) {
    bool alone = t->form.kind == VERDICT_FORM_SINGLE;
    size_t n_answer = body_count(&t->user, PROMPT_SLOT_ANSWER);
    size_t n_first = body_count(&t->user, PROMPT_SLOT_FIRST);
    size_t n_second = body_count(&t->user, PROMPT_SLOT_SECOND);
    bool elsewhere = frame_has(t, PROMPT_SLOT_FIRST) ||
                     frame_has(t, PROMPT_SLOT_SECOND) ||
                     frame_has(t, PROMPT_SLOT_ANSWER);
    if (alone && (n_answer != 1 || n_first || n_second || elsewhere))
        return yaml_source_fault(src, NULL, err,
                                 "form single: 'user' must hold {{answer}} once, and "
                                 "neither {{first}} nor {{second}}",
                                 EH_STR(""));
    if (!alone && (n_first != 1 || n_second != 1 || n_answer || elsewhere))
        return yaml_source_fault(src, NULL, err,
                                 "'user' must hold {{first}} and {{second}}, each once "
                                 "and nowhere else",
                                 EH_STR(""));
    return EH_STATUS_OK;
}

/* What only the whole template can tell. */
static eh_status check_whole(const yaml_source *src, prompt_template *t, bool has_form,
                             eh_error *err) {
    eh_str none = EH_STR("");
    t->can_ask = t->user.n_segments > 0;
    if (!t->name.len)
        return yaml_source_fault(src, NULL, err, "key 'name' is missing", none);
    if (!has_form) {
        if (!t->form.marks)
            return yaml_source_fault(src, NULL, err, "key 'form' is missing", none);
        t->form.kind = VERDICT_FORM_MARKS;
    }
    if ((t->form.kind == VERDICT_FORM_MARKS) != (t->form.marks != NULL))
        return yaml_source_fault(src, NULL, err,
                                 "form marks and key 'marks' go together", none);
    if (!t->can_ask && t->form.kind != VERDICT_FORM_MARKS)
        return yaml_source_fault(src, NULL, err, "key 'user' is missing", none);
    if (!t->first_name.len)
        t->first_name = t->form.kind == VERDICT_FORM_SINGLE ? EH_STR("Assistant")
                                                            : EH_STR("Assistant 1");
    if (!t->can_ask) return EH_STATUS_OK;
    if (eh_str_eq(t->first_name, t->second_name))
        return yaml_source_fault(src, NULL, err,
                                 "first_name and second_name must differ", none);
    EH_TRY(check_answers(src, t, err));
    bool asks = t->verdict_first.n_segments || t->evidence_first.n_segments;
    if (asks != body_has(&t->user, PROMPT_SLOT_ASK))
        return yaml_source_fault(src, NULL, err,
                                 "{{ask}} in 'user' and the keys verdict_first and "
                                 "evidence_first go together",
                                 none);
    if (asks && (!t->verdict_first.n_segments || !t->evidence_first.n_segments))
        return yaml_source_fault(
            src, NULL, err, "verdict_first and evidence_first are both needed", none);
    if (frame_has(t, PROMPT_SLOT_ASK))
        return yaml_source_fault(src, NULL, err, "{{ask}} belongs into 'user'", none);
    return EH_STATUS_OK;
}

static eh_status parse_document(yaml_source *src, prompt_template *t, eh_error *err) {
    const yaml_node_t *root = yaml_source_root(src);
    template_parse p = {.t = t};
    if (!root || root->type != YAML_MAPPING_NODE)
        return yaml_source_fault(src, root, err, "a template is a mapping of keys",
                                 EH_STR(""));
    EH_TRY(yaml_source_each(src, root, parse_entry, &p, err));
    return check_whole(src, t, p.has_form, err);
}

static void begin_tag(prompt_template *t) {
    eh_hash h;
    hash_init(&h, "eh-tag-1");
    hash_str(&h, t->source);
    memcpy(t->tag_begin, &h, sizeof h);
}

eh_status prompt_template_parse(eh_str yaml, const char *where, prompt_template **out,
                                eh_error *err) {
    *out = NULL;
    prompt_template *t = mem_zalloc(1, sizeof *t);
    if (!t) return EH_NOMEM(err);
    arena_init(&t->arena, 16 * PROMPT_TEMPLATE_MAX_BYTES);
    t->second_name = EH_STR("Assistant 2");
    yaml_source src;
    eh_status status = EH_STATUS_OK;
    if (!arena_copy(&t->arena, yaml, &t->source)) status = EH_NOMEM(err);
    if (status == EH_STATUS_OK)
        status = yaml_source_read(&src, where, EH_STATUS_DATA, yaml, err);
    if (status == EH_STATUS_OK) {
        begin_tag(t);
        status = parse_document(&src, t, err);
        yaml_source_free(&src);
    }
    if (status == EH_STATUS_OK)
        *out = t;
    else
        prompt_template_free(t);
    return status;
}

void prompt_template_free(prompt_template *t) {
    if (!t) return;
    arena_deinit(&t->arena);
    mem_free(t);
}

static eh_status unknown_builtin(eh_str name, eh_error *err) {
    eh_buf known;
    suggest near = suggest_for(name);
    buf_init(&known, BUF_MAX_SMALL);
    for (size_t i = 0; prompt_builtin_name(i).len; i++) {
        buf_printf(&known, "%s%.*s", i ? ", " : "", EH_STR_ARG(prompt_builtin_name(i)));
        suggest_offer(&near, prompt_builtin_name(i));
    }
    eh_status status = EH_FAIL(err, EH_STATUS_USAGE,
                               "unknown template '%.*s': use one of %.*s, or a file "
                               "(.yaml)" SUGGEST_FORMAT,
                               EH_STR_ARG(utf8_cut(name, 60)),
                               EH_STR_ARG(buf_view(&known)), SUGGEST_ARGS(near));
    buf_deinit(&known);
    return status;
}

eh_status prompt_template_builtin(eh_str name, prompt_template **t, eh_error *err) {
    *t = NULL;
    for (size_t i = 0; prompt_builtin_name(i).len; i++)
        if (eh_str_eq(prompt_builtin_name(i), name))
            return prompt_template_parse(prompt_builtin_text(i), "built-in template", t,
                                         err);
    return unknown_builtin(name, err);
}
