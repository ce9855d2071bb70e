/* SPDX-License-Identifier: MIT
 *
 * The codec of embeddings: texts in, one vector a text out. OpenAI's layout, which
 * nearly all endpoints speak, and the two others that are met behind the same address:
 *
 *   {"data": [{"index": 0, "embedding": [.1, ...] or "base64"}, ...], "usage": {...}}
 *   {"embeddings": [[.1, ...], ...]}        Ollama's own, Cohere's
 *   [{"index": 0, "embedding": [[.1, ...]]}, ...]      llama-server without /v1
 *
 * Vectors are asked for as numbers. Where an endpoint gives base64 all the same it is
 * little-endian float32. A vector that is empty, not finite or of another length than
 * the first of its answer is counted as failed, and the answer is asked for again.
 *
 * Left out: tokens instead of texts as input, and sparse or multiple vectors a text.
 */
#include "codec/codec.h"

#include <math.h>
#include <sodium.h>

#include "codec/params.h"
#include "codec/usage.h"

enum { MAX_DIMS = 1 << 16 };

/* ---- the request ---- */

static void write_members(params_writer *p) {
    const judge_call *call = p->call;
    json_key(p->w, "input");
    json_array_begin(p->w);
    for (int i = 0; i < call->n_samples; i++)
        json_str(p->w, call->inputs[call->which[i]]);
    json_array_end(p->w);
    if (params_begin(p, "encoding_format", "encoding_format")) json_cstr(p->w, "float");
    params_extras(p, NULL);
}

static eh_status vectors_encode(const judge_call *call, const capability *c,
                                eh_arena *arena, judge_request_body *out,
                                eh_error *err) {
    return params_encode(call, c, write_members, arena, out, err);
}

/* ---- the answer ---- */

static bool is_array(const json_value *v) {
    return v && v->kind == JSON_ARRAY;
}

/* Numbers into *vector; *n_dims stays 0 where they are no vector. */
static bool read_numbers(const json_value *list, eh_arena *arena, float **vector,
                         size_t *n_dims) {
    if (list->n == 0 || list->n > MAX_DIMS) return true;
    *vector = arena_alloc(arena, list->n * sizeof **vector);
    if (!*vector) return false;
    size_t n = 0;
    for (const json_value *v = list->child; v; v = v->next) {
        double value;
        if (v->kind != JSON_NUMBER || !eh_str_to_f64(v->text, &value)) return true;
        (*vector)[n] = (float)value;
        if (!isfinite((*vector)[n])) return true;
        n++;
    }
    *n_dims = n;
    return true;
}

/* The same from base64. */
static bool read_base64(eh_str text, eh_arena *arena, float **vector, size_t *n_dims) {
    size_t cap = text.len / 4 * 3 + 3, n_bytes = 0;
    const char *end = NULL;
    if (text.len > MAX_DIMS * sizeof(float) * 2) return true;
    *vector = arena_alloc(arena, cap);
    if (!*vector) return false;
    if (sodium_base642bin((unsigned char *)*vector, cap, text.ptr, text.len, "\r\n ",
                          &n_bytes, &end, sodium_base64_VARIANT_ORIGINAL) != 0 ||
        end != text.ptr + text.len || n_bytes % sizeof(float) != 0)
        return true;
    size_t n = n_bytes / sizeof(float);
    for (size_t i = 0; i < n; i++)
        if (!isfinite((*vector)[i])) return true;
    *n_dims = n;
    return true;
}

/* A vector, also one that stands alone in a list. */
static bool read_vector(const json_value *v, eh_arena *arena, judge_choice *choice) {
    float *vector = NULL;
    if (is_array(v) && v->n == 1 && is_array(v->child)) v = v->child;
    bool good = true;
    if (is_array(v))
        good = read_numbers(v, arena, &vector, &choice->n_dims);
    else if (v && v->kind == JSON_STRING)
        good = read_base64(v->text, arena, &vector, &choice->n_dims);
    choice->vector = vector;
    return good;
}

static int64_t index_of(const json_value *row) {
    const json_value *v = json_get(row, "index");
    int64_t index;
    return v && v->kind == JSON_NUMBER && eh_str_to_i64(v->text, &index) ? index : -1;
}

/* The list of rows in whichever layout; NULL where there is none. */
static const json_value *find_rows(const json_value *root) {
    if (is_array(root)) return root;
    const json_value *data = json_get(root, "data");
    if (is_array(data)) return data;
    const json_value *plain = json_get(root, "embeddings");
    return is_array(plain) ? plain : NULL;
}

static judge_usage usage_of(const json_value *root) {
    const json_value *u = json_get(root, "usage");
    judge_usage usage = usage_openai(u);
    int64_t total;
    if (usage.prompt_tokens < 0 && u) {
        const json_value *v = json_get(u, "total_tokens");
        if (v && v->kind == JSON_NUMBER && eh_str_to_i64(v->text, &total) && total >= 0)
            usage.prompt_tokens = total;
    }
    usage.completion_tokens = 0; /* nothing is written */
    return usage;
}

static eh_status vectors_read(const json_value *root, eh_arena *arena,
                              judge_reading *out, eh_error *err) {
    const json_value *rows = find_rows(root);
    *out = (judge_reading){.usage = usage_of(root),
                           .model = json_get_str(root, "model"),
                           .is_whole = true};
    if (!rows) return EH_STATUS_OK;
    out->choices = arena_zalloc(arena, rows->n + 1, sizeof *out->choices);
    if (!out->choices) return EH_NOMEM(err);
    for (const json_value *v = rows->child; v; v = v->next) {
        judge_choice *choice = &out->choices[out->n_choices];
        bool bare = is_array(v);
        *choice = (judge_choice){.index = bare ? -1 : index_of(v)};
        if (!read_vector(bare ? v : json_get(v, "embedding"), arena, choice))
            return EH_NOMEM(err);
        bool fits = choice->n_dims > 0 &&
                    (out->n_choices == 0 || choice->n_dims == out->choices[0].n_dims);
        out->n_choices += fits;
        out->n_failed += !fits;
    }
    return EH_STATUS_OK;
}

const judge_codec judge_codec_vectors = {
    .name = "openai",
    .form = "openai:MODEL",
    .base_url = "https://api.openai.com/v1",
    .path = "embeddings",
    .key_variable = "OPENAI_API_KEY",
    .key_header = "Authorization",
    .key_scheme = "Bearer ",
    .is_list = true,
    .encode = vectors_encode,
    .read = vectors_read,
};
