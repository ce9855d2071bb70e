/* SPDX-License-Identifier: MIT
 *
 * Reading --extra-body.
 *
 * The object is part of a call's key, so it is brought into one canonical form: keys
 * sorted, no spaces, numbers as they were written. What has an option of its own, or
 * belongs to the client (the messages, n, a stream), is refused: two places for one
 * thing would let a key say something else than what was asked.
 */
#include "judge/extra_body.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/json_write.h"

enum { EXTRA_MAX_BYTES = 1 << 20 };

static eh_status check_name(eh_str name, eh_error *err) {
    static const struct {
        const char *name, *instead;
    } reserved[] = {
        {"model", "the model is named after -j"},
        {"messages", "the template makes the messages"},
        {"system", "the template makes the messages"},
        {"n", "samples are asked for with -k"},
        {"stream", "replies are not streamed"},
        {"temperature", "use --temperature"},
        {"max_tokens", "use --max-tokens"},
        {"max_completion_tokens", "use --max-tokens"},
        {"seed", "use --request-seed"},
        {"random_seed", "use --request-seed"},
        {"logprobs", "use --logprobs"},
        {"top_logprobs", "use --logprobs"},
    };
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        if (eh_str_eq_cstr(name, reserved[i].name))
            return EH_FAIL(err, EH_STATUS_USAGE, "--extra-body sets '%.*s': %s",
                           EH_STR_ARG(name), reserved[i].instead);
    return EH_STATUS_OK;
}

static int by_key(const void *left, const void *right) {
    const json_value *const *a = left, *const *b = right;
    return eh_str_cmp((*a)->key, (*b)->key);
}

/* A copy of the tree with the members of every object in the order of their keys; NULL
 * when memory is out. */
static json_value *sorted(const json_value *v, eh_arena *arena) {
    size_t n = 0;
    json_value *copy = arena_zalloc(arena, 1, sizeof *copy);
    const json_value **children = arena_zalloc(arena, v->n + 1, sizeof *children);
    if (!copy || !children) return NULL;
    for (const json_value *child = v->child; child; child = child->next)
        children[n++] = child;
    if (v->kind == JSON_OBJECT) qsort(children, n, sizeof *children, by_key);
    *copy = *v;
    const json_value **link = &copy->child;
    for (size_t i = 0; i < n; i++) {
        json_value *child = sorted(children[i], arena);
        if (!child) return NULL;
        *link = child;
        link = &child->next;
    }
    *link = NULL;
    return copy;
}

static eh_status canonical(const json_value *v, eh_arena *arena, eh_str *out,
                           eh_error *err) {
    eh_buf text;
    json_writer w;
    buf_init(&text, EXTRA_MAX_BYTES);
    json_writer_init(&w, &text, 0);
    const json_value *tree = sorted(v, arena);
    if (tree) json_tree(&w, tree);
    eh_status status = buf_check(&text, "--extra-body", err);
    if (status == EH_STATUS_OK && (!tree || !arena_copy(arena, buf_view(&text), out)))
        status = EH_NOMEM(err);
    buf_deinit(&text);
    return status;
}

static eh_status take_members(const json_value *root, eh_arena *arena, extra_body *out,
                              eh_error *err) {
    judge_extra *extras = arena_zalloc(arena, root->n + 1, sizeof *extras);
    if (!extras) return EH_NOMEM(err);
    out->extras = extras;
    for (const json_value *m = root->child; m; m = m->next) {
        judge_extra *x = &extras[out->n_extras++];
        EH_TRY(check_name(m->key, err));
        x->name = m->key;
        EH_TRY(canonical(m, arena, &x->json, err));
    }
    return canonical(root, arena, &out->json, err);
}

static eh_status parse(eh_str json, eh_arena *arena, extra_body *out, eh_error *err) {
    json_fault fault;
    json_reader *reader = json_reader_new();
    if (!reader) return EH_NOMEM(err);
    const json_value *root = json_read(reader, arena, json, &fault);
    json_reader_free(reader);
    if (!root)
        return EH_FAIL(err, EH_STATUS_USAGE, "--extra-body: byte %zu: %s", fault.byte,
                       fault.message);
    if (root->kind != JSON_OBJECT)
        return EH_FAIL(err, EH_STATUS_USAGE, "--extra-body is no JSON object");
    const json_value *twice = json_duplicate_key(root);
    if (twice)
        return EH_FAIL(err, EH_STATUS_USAGE, "--extra-body sets '%.*s' twice",
                       EH_STR_ARG(twice->key));
    if (root->n == 0) return EH_STATUS_OK;
    return take_members(root, arena, out, err);
}

eh_status extra_body_read(eh_str text, eh_arena *arena, extra_body *out,
                          eh_error *err) {
    *out = (extra_body){0};
    eh_str given = eh_str_trim(text);
    if (given.len == 0) return EH_STATUS_OK;
    if (given.ptr[0] == '{') return parse(given, arena, out, err);
    eh_buf json;
    buf_init(&json, EXTRA_MAX_BYTES);
    char *path = arena_dup(arena, given);
    eh_status status =
        path ? file_read(path, EH_STATUS_USAGE, &json, err) : EH_NOMEM(err);
    if (status != EH_STATUS_OK) eh_error_prefix(err, "--extra-body");
    if (status == EH_STATUS_OK) status = parse(buf_view(&json), arena, out, err);
    buf_deinit(&json);
    return status;
}
