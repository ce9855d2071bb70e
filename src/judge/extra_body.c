/* SPDX-License-Identifier: MIT
 *
 * Reading --extra-body with jansson.
 *
 * The object is part of a call's key, so it is brought into one canonical form: keys
 * sorted, no spaces. What has an option of its own, or belongs to the client (the
 * messages, n, a stream), is refused: two places for one thing would let a key say
 * something else than what was asked.
 */
#include "judge/extra_body.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>

enum { EXTRA_MAX_BYTES = 1 << 20 };

static eh_status check_name(const char *name, eh_error *err) {
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
    };
    for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
        if (strcmp(name, reserved[i].name) == 0)
            return EH_FAIL(err, EH_STATUS_USAGE, "--extra-body sets '%s': %s", name,
                           reserved[i].instead);
    return EH_STATUS_OK;
}

static int add_dump(const char *bytes, size_t len, void *self) {
    buf_add(self, bytes, len);
    return 0;
}

static eh_status dump(const json_t *v, eh_arena *arena, eh_str *out, eh_error *err) {
    eh_buf text;
    buf_init(&text, EXTRA_MAX_BYTES);
    int failed = json_dump_callback(v, add_dump, &text,
                                    JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    eh_status status = buf_check(&text, "--extra-body", err);
    if (status == EH_STATUS_OK && (failed || !arena_copy(arena, buf_view(&text), out)))
        status = EH_NOMEM(err);
    buf_deinit(&text);
    return status;
}

static eh_status take_members(json_t *root, eh_arena *arena, extra_body *out,
                              eh_error *err) {
    const char *name;
    json_t *value;
    judge_extra *extras = arena_zalloc(arena, json_object_size(root) + 1, sizeof *extras);
    if (!extras) return EH_NOMEM(err);
    out->extras = extras;
    json_object_foreach(root, name, value) {
        judge_extra *x = &extras[out->n_extras++];
        EH_TRY(check_name(name, err));
        if (!arena_copy(arena, eh_str_of(name), &x->name)) return EH_NOMEM(err);
        EH_TRY(dump(value, arena, &x->json, err));
    }
    return dump(root, arena, &out->json, err);
}

static eh_status parse(eh_str json, eh_arena *arena, extra_body *out, eh_error *err) {
    json_error_t fault;
    json_t *root = json_loadb(json.ptr, json.len, JSON_REJECT_DUPLICATES, &fault);
    eh_status status = EH_STATUS_OK;
    if (!root)
        status = EH_FAIL(err, EH_STATUS_USAGE, "--extra-body: line %d: %s", fault.line,
                         fault.text);
    else if (!json_is_object(root))
        status = EH_FAIL(err, EH_STATUS_USAGE, "--extra-body is no JSON object");
    else
        status = take_members(root, arena, out, err);
    json_decref(root);
    return status;
}

static eh_status read_file(const char *path, eh_buf *text, eh_error *err) {
    char block[4096];
    size_t n;
    FILE *file = fopen(path, "rb");
    if (!file)
        return EH_FAIL(err, EH_STATUS_USAGE, "--extra-body: %s: %s", path,
                       strerror(errno));
    while ((n = fread(block, 1, sizeof block, file)) > 0)
        buf_add(text, block, n);
    bool failed = ferror(file) != 0;
    (void)fclose(file);
    if (failed)
        return EH_FAIL(err, EH_STATUS_USAGE, "--extra-body: %s cannot be read", path);
    return buf_check(text, "--extra-body", err);
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
    eh_status status = path ? read_file(path, &json, err) : EH_NOMEM(err);
    if (status == EH_STATUS_OK) status = parse(buf_view(&json), arena, out, err);
    buf_deinit(&json);
    return status;
}
