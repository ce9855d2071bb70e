/* SPDX-License-Identifier: MIT
 *
 * Shapes that were seen:
 *
 *   {"error": {"message", "type", "param", "code"}}     OpenAI and most others
 *   {"type": "error", "error": {"type", "message", "details": {"error_code"}}}
 *   [{"error": {"code": 400, "message", "status"}}]     Gemini's list of one
 *   {"error": "text", "error_type": "validation"}       TGI; Ollama without the type
 *   {"object": "error", "message", "type", "code"}      flat: SGLang, old vLLM
 *   {"detail": "text"}                                  FastAPI
 *   {"detail": [{"loc": ["body", "seed"], "msg", "type"}]}
 *   {"message": {"detail": [...]}, ...}                 Mistral's validation
 *   {"error": {"code": "...", "innererror": {"code"}}}  Azure
 *   {"error": {"code": 502, "metadata": {...}}}         OpenRouter, also with HTTP 200
 *
 * A code that is a number, also one in quotation marks, is a status and no code. An
 * error that is null, false, empty or an empty object is none.
 */
#include "codec/error_body.h"

static void add_code(error_body *e, eh_str code) {
    if (code.len == 0 || e->n_codes == ERROR_BODY_MAX_CODES) return;
    int64_t number;
    if (eh_str_to_i64(code, &number)) {
        if (e->status == 0 && number >= 100 && number < 1000) e->status = (int)number;
        return;
    }
    e->codes[e->n_codes++] = code;
}

/* A string or number member; absent for anything else. */
static eh_str scalar(const json_value *object, const char *key) {
    const json_value *v = json_get(object, key);
    if (!v || (v->kind != JSON_STRING && v->kind != JSON_NUMBER)) return EH_STR("");
    return v->text;
}

static bool is_kind(const json_value *v, json_kind kind) {
    return v && v->kind == kind;
}

/* FastAPI's list of faults: the first one's text, and the field it stands at. */
static void read_detail(const json_value *detail, error_body *e) {
    if (is_kind(detail, JSON_STRING)) e->message = detail->text;
    if (!is_kind(detail, JSON_ARRAY) || detail->n == 0) return;
    const json_value *first = detail->child;
    e->message = json_get_str(first, "msg");
    add_code(e, scalar(first, "type"));
    const json_value *loc = json_get(first, "loc");
    if (!is_kind(loc, JSON_ARRAY)) return;
    for (const json_value *step = loc->child; step; step = step->next) {
        if (step->kind != JSON_STRING || eh_str_eq_cstr(step->text, "body")) continue;
        e->param = step->text;
        return;
    }
}

static void read_fields(const json_value *object, error_body *e) {
    const json_value *message = json_get(object, "message");
    if (is_kind(message, JSON_STRING)) e->message = message->text;
    if (is_kind(message, JSON_OBJECT)) read_detail(json_get(message, "detail"), e);
    const json_value *param = json_get(object, "param");
    if (is_kind(param, JSON_STRING) && param->text.len) e->param = param->text;
    add_code(e, scalar(object, "code"));
    add_code(e, scalar(object, "type"));
    add_code(e, scalar(object, "status"));
    add_code(e, scalar(json_get(object, "details"), "error_code"));
    add_code(e, scalar(json_get(object, "innererror"), "code"));
    if (eh_str_is_absent(e->message)) read_detail(json_get(object, "detail"), e);
}

static const json_value *unwrap(const json_value *root) {
    bool is_one = is_kind(root, JSON_ARRAY) && root->n == 1;
    return is_one && is_kind(root->child, JSON_OBJECT) ? root->child : root;
}

bool error_body_find(const json_value *root, bool is_refused, error_body *out) {
    *out = (error_body){0};
    const json_value *body = unwrap(root);
    if (!is_kind(body, JSON_OBJECT)) return false;
    const json_value *error = json_get(body, "error");
    if (is_kind(error, JSON_OBJECT) && error->n > 0) {
        read_fields(error, out);
        return true;
    }
    if (is_kind(error, JSON_STRING) && error->text.len) {
        out->message = error->text;
        add_code(out, scalar(body, "error_type"));
        add_code(out, scalar(body, "code"));
        return true;
    }
    const json_value *message = json_get(body, "message");
    bool is_flat = is_kind(message, JSON_STRING) ||
                   (is_refused && is_kind(message, JSON_OBJECT)) ||
                   (is_refused && json_get(body, "detail"));
    if (is_flat) read_fields(body, out);
    return is_flat;
}

bool error_body_has_code(const error_body *e, const char *name) {
    for (size_t i = 0; i < e->n_codes; i++)
        if (eh_str_eq_cstr(e->codes[i], name)) return true;
    return false;
}
