/* SPDX-License-Identifier: MIT
 *
 * From a request to an answer.
 *
 *   GET /_counts, GET /_last          for tests
 *   key, model, requests a second     the server's own limits
 *   the script's rules                the first one that applies
 *   refused and renamed parameters, n a proper reply
 */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/hash.h"
#include "mock.h"

#define SECOND_NS INT64_C(1000000000)

typedef struct answering {
    mock *m;
    const mock_request *request;
    mock_answer *out;
    mock_asked asked;
    eh_str key;
    bool takes_gzip;
    int64_t now_ns;
} answering;

/* ---- bytes ---- */

static void head(eh_buf *b, int status, const mock_rule *r) {
    bool has_type = false;
    buf_printf(b, "HTTP/1.1 %d %s\r\n", status, status == 200 ? "OK" : "Status");
    for (size_t i = 0; r && i < r->n_headers; i++) {
        buf_printf(b, "%.*s: %.*s\r\n", EH_STR_ARG(r->header_names[i]),
                   EH_STR_ARG(r->header_values[i]));
        has_type = has_type || eh_str_eq_cstr(r->header_names[i], "Content-Type");
    }
    if (!has_type) buf_add_cstr(b, "Content-Type: application/json\r\n");
}

static void zip(eh_str body, eh_buf *out) {
    z_stream z = {.next_in = (z_const Bytef *)(uintptr_t)body.ptr,
                  .avail_in = (uInt)body.len};
    if (deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        abort();
    size_t room = deflateBound(&z, (uLong)body.len);
    if (!buf_reserve(out, room)) abort();
    z.next_out = (Bytef *)out->ptr;
    z.avail_out = (uInt)room;
    if (deflate(&z, Z_FINISH) != Z_STREAM_END) abort();
    out->len = room - z.avail_out;
    (void)deflateEnd(&z);
}

static void send_body(answering *a, int status, const mock_rule *r, eh_str body) {
    mock_answer *out = a->out;
    eh_buf zipped;
    buf_init(&zipped, BUF_MAX_REPLY);
    head(&out->bytes, status, r);
    if (r && (r->gzip || r->claim_gzip))
        buf_add_cstr(&out->bytes, "Content-Encoding: gzip\r\n");
    if (r && r->gzip) {
        zip(body, &zipped);
        body = buf_view(&zipped);
    }
    bool chunked = r && r->chunked;
    if (chunked)
        buf_printf(&out->bytes, "Transfer-Encoding: chunked\r\n\r\n");
    else
        buf_printf(&out->bytes, "Content-Length: %zu\r\n\r\n", body.len);
    out->head_len = out->bytes.len;
    if (chunked) buf_printf(&out->bytes, "%zx\r\n", body.len);
    buf_add_str(&out->bytes, body);
    if (chunked) buf_add_cstr(&out->bytes, "\r\n0\r\n\r\n");
    buf_deinit(&zipped);
    a->m->counts.n_by_status[status < 600 ? status : 599]++;
}

static void send_error(answering *a, int status, const char *type, const char *code,
                       const char *message, const char *extra_header) {
    eh_buf body;
    json_writer w;
    buf_init(&body, BUF_MAX_SMALL);
    json_writer_init(&w, &body, 0);
    json_object_begin(&w);
    json_key(&w, "error");
    json_object_begin(&w);
    json_put_cstr(&w, "message", message);
    json_put_cstr(&w, "type", type);
    json_put_cstr(&w, "code", code);
    json_object_end(&w);
    json_object_end(&w);
    head(&a->out->bytes, status, NULL);
    buf_printf(&a->out->bytes, "%sContent-Length: %zu\r\n\r\n", extra_header, body.len);
    buf_add_str(&a->out->bytes, buf_view(&body));
    a->m->counts.n_by_status[status]++;
    buf_deinit(&body);
}

/* ---- the server's own limits ---- */

static bool is_too_fast(answering *a) {
    mock *m = a->m;
    if (a->now_ns - m->second_begins_ns >= SECOND_NS) {
        m->second_begins_ns = a->now_ns;
        m->n_in_second = 0;
    }
    int64_t n = ++m->n_in_second;
    bool too_fast = m->options.per_second && n > m->options.per_second;
    if (!too_fast && n > m->counts.max_in_second) m->counts.max_in_second = n;
    if (!too_fast) return false;
    char wait[64];
    int64_t left_ns = SECOND_NS - (a->now_ns - m->second_begins_ns);
    (void)snprintf(wait, sizeof wait, "retry-after-ms: %lld\r\n",
                   (long long)(left_ns / 1000000 + 1));
    send_error(a, 429, "requests", "rate_limit_exceeded", "Rate limit reached", wait);
    return true;
}

static bool refuses_key(answering *a) {
    const char *key = a->m->options.key;
    if (!key || eh_str_eq_cstr(a->key, key)) return false;
    char text[400];
    (void)snprintf(text, sizeof text, "Incorrect API key provided: %.*s",
                   (int)(a->key.len < 300 ? a->key.len : 300),
                   a->key.ptr ? a->key.ptr : "");
    send_error(a, 401, "invalid_request_error", "invalid_api_key", text, "");
    return true;
}

static bool refuses_model(answering *a) {
    const char *model = a->m->options.model;
    eh_str wanted = json_get_str(a->asked.root, "model");
    if (!model || eh_str_eq_cstr(wanted, model)) return false;
    char text[200];
    (void)snprintf(text, sizeof text,
                   "The model `%.*s` does not exist or you do not have access to it.",
                   (int)(wanted.len < 100 ? wanted.len : 100),
                   wanted.ptr ? wanted.ptr : "");
    send_error(a, 404, "invalid_request_error", "model_not_found", text, "");
    return true;
}

/* As Text Generation Inference says that its own field is missing: no JSON at all. */
static void send_missing_value(answering *a) {
    eh_str text = EH_STR("Failed to deserialize the JSON body into the target type: "
                         "response_format: missing field `value` at line 1 column 168");
    head(&a->out->bytes, 422, NULL);
    buf_printf(&a->out->bytes, "Content-Length: %zu\r\n\r\n%.*s", text.len,
               EH_STR_ARG(text));
    a->m->counts.n_by_status[422]++;
}

static bool refuses_format(answering *a) {
    const json_value *format = json_get(a->asked.root, "response_format");
    eh_str type = json_get_str(format, "type");
    switch (a->m->options.schema) {
    case MOCK_SCHEMA_ANY: return false;
    case MOCK_SCHEMA_TGI:
        if (!format || json_get(format, "value")) return false;
        send_missing_value(a);
        return true;
    case MOCK_SCHEMA_FULL:
    case MOCK_SCHEMA_OBJECT: break;
    }
    if (!format || eh_str_eq_cstr(type, "json_object")) return false;
    if (a->m->options.schema == MOCK_SCHEMA_FULL && json_get(format, "json_schema"))
        return false;
    send_error(a, 400, "invalid_request_error", "unsupported",
               "Invalid parameter: 'response_format' of type 'json_schema' is not "
               "supported with this model.",
               "");
    return true;
}

static bool refuses_logprobs(answering *a) {
    bool refuses = a->m->options.logprobs == MOCK_LOGPROBS_REFUSE;
    if (!refuses || !a->asked.wants_logprobs) return false;
    send_error(a, 403, "invalid_request_error", "",
               "You are not allowed to request logprobs from this model", "");
    return true;
}

/* Lists that are too long, and texts: of which it is does not say. */
static bool refuses_texts(answering *a) {
    const mock_options *o = &a->m->options;
    char text[200];
    if (!a->asked.is_embedding) return false;
    if (o->max_texts && a->asked.n > o->max_texts) {
        (void)snprintf(text, sizeof text,
                       "batch size %lld > maximum allowed batch size %lld",
                       (long long)a->asked.n, (long long)o->max_texts);
        send_error(a, 413, "Validation", "too_large", text, "");
        return true;
    }
    if (!o->max_text_bytes || mock_longest_input(&a->asked) <= o->max_text_bytes)
        return false;
    send_error(a, 400, "invalid_request_error", "context_length_exceeded",
               "A text is longer than the model's context length", "");
    return true;
}

static bool refuses_prompt(answering *a) {
    int64_t context = a->m->options.context, n_reply = 0;
    const json_value *limit = json_get(a->asked.root, "max_tokens");
    char text[200];
    if (!context || a->asked.is_embedding) return false;
    if (limit) (void)eh_str_to_i64(limit->text, &n_reply);
    int64_t n_prompt = a->asked.n_prompt_bytes / 4 + 1;
    if (n_prompt + n_reply <= context) return false;
    (void)snprintf(text, sizeof text,
                   "This model's maximum context length is %lld tokens. However, you "
                   "requested %lld tokens.",
                   (long long)context, (long long)(n_prompt + n_reply));
    send_error(a, 400, "invalid_request_error", "context_length_exceeded", text, "");
    return true;
}

static bool refuses_param(answering *a) {
    const mock_options *o = &a->m->options;
    char text[300];
    for (size_t i = 0; i < o->n_refused; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%.*s", EH_STR_ARG(o->refused[i]));
        if (!json_get(a->asked.root, name)) continue;
        (void)snprintf(text, sizeof text,
                       "Unsupported value: '%s' does not support this value.", name);
        send_error(a, 400, "invalid_request_error", "unsupported_value", text, "");
        return true;
    }
    for (size_t i = 0; i < o->n_renamed; i++) {
        eh_str rest = o->renamed[i], old, other;
        char name[64];
        if (!eh_str_split(&rest, '=', &old) || !eh_str_split(&rest, '=', &other))
            abort();
        (void)snprintf(name, sizeof name, "%.*s", EH_STR_ARG(old));
        if (!json_get(a->asked.root, name)) continue;
        (void)snprintf(text, sizeof text,
                       "Unsupported parameter: '%s' is not supported with this model. "
                       "Use '%.*s' instead.",
                       name, EH_STR_ARG(other));
        send_error(a, 400, "invalid_request_error", "unsupported_parameter", text, "");
        return true;
    }
    if (refuses_format(a) || refuses_logprobs(a)) return true;
    if (o->n != MOCK_N_REFUSE || a->asked.n < 2 || a->asked.is_embedding) return false;
    send_error(a, 400, "invalid_request_error", "bad_n",
               "Only one completion choice is allowed", "");
    return true;
}

/* ---- the script ---- */

/* A share is drawn by the body and by how often it came, so a repeat draws anew. */
static bool in_share(answering *a, const mock_rule *r, size_t index) {
    if (r->share < 0) return true;
    eh_hash h;
    uint8_t digest[HASH_BYTES];
    uint64_t key[2];
    hash_init(&h, "mock-share");
    hash_str(&h, a->request->body);
    hash_done(&h, digest);
    key[0] = hash_u64(digest) | 1;
    key[1] = hash_u64(digest + 8);
    int64_t times = mock_set_get(&a->m->bodies, key);
    hash_init(&h, "mock-share");
    hash_i64(&h, (int64_t)key[0]);
    hash_i64(&h, times);
    hash_i64(&h, (int64_t)index);
    hash_done(&h, digest);
    return (double)(hash_u64(digest) >> 11) * 0x1p-53 < r->share;
}

/* How often a body came is asked for by rules with a share only. */
static void note_body(answering *a) {
    eh_hash h;
    bool counts = false;
    for (size_t i = 0; i < a->m->n_rules; i++)
        counts = counts || a->m->rules[i].share >= 0;
    if (!counts) return;
    uint8_t digest[HASH_BYTES];
    uint64_t key[2];
    hash_init(&h, "mock-share");
    hash_str(&h, a->request->body);
    hash_done(&h, digest);
    key[0] = hash_u64(digest) | 1;
    key[1] = hash_u64(digest + 8);
    (void)mock_set_add(&a->m->bodies, key);
}

static bool applies(answering *a, const mock_rule *r, size_t index) {
    char name[64];
    (void)snprintf(name, sizeof name, "%.*s", EH_STR_ARG(r->if_param));
    if (r->times >= 0 && r->n_used >= r->times) return false;
    if (r->after >= 0 && a->m->counts.n_requests < r->after) return false;
    if (r->if_n_over >= 0 && a->asked.n <= r->if_n_over) return false;
    if (r->if_param.len && !json_get(a->asked.root, name)) return false;
    if (r->if_gzip && !a->takes_gzip) return false;
    if (!eh_str_ends(a->request->path, r->if_route)) return false;
    return in_share(a, r, index);
}

static void obey(answering *a, mock_rule *r) {
    mock_answer *out = a->out;
    eh_buf reply;
    r->n_used++;
    if (r->delay_ms) out->delay_ms = r->delay_ms;
    out->closes = r->no_answer || r->reset;
    out->resets = r->reset;
    bool is_whole =
        !out->closes && r->close_after_bytes < 0 && r->stall_after_bytes < 0;
    bool is_reply = r->status == 200 && r->body.len == 0;
    a->m->counts.n_faults += !(is_whole && is_reply);
    if (out->closes) return;
    buf_init(&reply, BUF_MAX_REPLY);
    if (is_reply && is_whole) {
        mock_reply_write(a->m, &a->asked, a->key, &reply);
        a->m->counts.n_ok++;
    } else if (is_reply) {
        buf_add_cstr(&reply,
                     "{\"choices\": [{\"index\": 0, \"message\": {\"content\": \"");
        for (int i = 0; i < 64; i++)
            buf_add_cstr(&reply, "cut off in the middle ");
        buf_add_cstr(&reply, "\"}}]}");
    } else {
        buf_add_str(&reply, r->body);
    }
    send_body(a, (int)r->status, r, buf_view(&reply));
    buf_deinit(&reply);
    out->drip_bytes = r->drip_bytes;
    out->every_ms = r->every_ms;
    out->closes = r->close_after_bytes >= 0 || r->hang_up;
    out->stalls = r->stall_after_bytes >= 0;
    out->stop_after =
        r->close_after_bytes >= 0 ? r->close_after_bytes : r->stall_after_bytes;
}

static void reply_properly(answering *a) {
    eh_buf reply;
    buf_init(&reply, BUF_MAX_REPLY);
    mock_reply_write(a->m, &a->asked, a->key, &reply);
    a->m->counts.n_ok++;
    mock_rule echo = {.n_headers = 1,
                      .header_names = {EH_STR("x-request-id")},
                      .header_values = {a->key}};
    send_body(a, 200, a->m->options.echo_key ? &echo : NULL, buf_view(&reply));
    buf_deinit(&reply);
}

static void decide(answering *a) {
    mock *m = a->m;
    if (refuses_key(a) || refuses_model(a) || is_too_fast(a)) return;
    for (size_t i = 0; i < m->n_rules; i++) {
        if (!applies(a, &m->rules[i], i)) continue;
        obey(a, &m->rules[i]);
        note_body(a);
        return;
    }
    note_body(a);
    if (!refuses_prompt(a) && !refuses_texts(a) && !refuses_param(a)) reply_properly(a);
}

/* ---- routes ---- */

static eh_str key_of(eh_str request_head) {
    eh_str bearer = mock_header(request_head, "authorization");
    if (eh_str_begins(bearer, EH_STR("Bearer ")))
        return eh_str_slice(bearer, 7, bearer.len);
    return mock_header(request_head, "x-api-key");
}

static void send_last(answering *a) {
    eh_buf body;
    json_writer w;
    buf_init(&body, BUF_MAX_REPLY);
    json_writer_init(&w, &body, 0);
    json_object_begin(&w);
    json_put_str(&w, "head", buf_view(&a->m->last_head));
    json_put_str(&w, "body", buf_view(&a->m->last_body));
    json_object_end(&w);
    send_body(a, 200, NULL, buf_view(&body));
    a->m->counts.n_by_status[200]--;
    buf_deinit(&body);
}

static void send_counts(answering *a) {
    eh_buf body;
    buf_init(&body, BUF_MAX_SMALL);
    mock_counts_write(a->m, &body);
    send_body(a, 200, NULL, buf_view(&body));
    a->m->counts.n_by_status[200]--;
    buf_deinit(&body);
}

typedef enum route { ROUTE_CHAT, ROUTE_MESSAGES, ROUTE_EMBEDDINGS } route;

static void answer_post(answering *a, route to) {
    mock *m = a->m;
    json_fault fault;
    m->counts.n_requests++;
    if ((int64_t)a->request->body.len > m->counts.max_body_bytes)
        m->counts.max_body_bytes = (int64_t)a->request->body.len;
    buf_reset(&m->last_head);
    buf_reset(&m->last_body);
    buf_add_str(&m->last_head, a->request->head);
    buf_add_str(&m->last_body, a->request->body);
    const json_value *root =
        json_read(m->reader, &m->request_arena, a->request->body, &fault);
    if (!root) {
        send_error(a, 400, "invalid_request_error", "bad_json", fault.message, "");
        return;
    }
    if (to == ROUTE_EMBEDDINGS)
        mock_inputs_read(root, &a->asked);
    else
        mock_asked_read(root, to == ROUTE_MESSAGES, &a->asked);
    a->out->delay_ms = m->options.delay_ms;
    decide(a);
}

void mock_answer_make(mock *m, const mock_request *request, int64_t now_ns,
                      mock_answer *out) {
    answering a = {.m = m, .request = request, .out = out, .now_ns = now_ns};
    arena_reset(&m->request_arena);
    buf_reset(&out->bytes);
    eh_buf bytes = out->bytes;
    *out = (mock_answer){.bytes = bytes, .stop_after = -1};
    a.key = key_of(request->head);
    eh_str encodings = mock_header(request->head, "accept-encoding");
    a.takes_gzip = eh_str_find(encodings, EH_STR("gzip"), 0) != SIZE_MAX;
    bool is_post = eh_str_eq_cstr(request->method, "POST");
    if (eh_str_eq_cstr(request->path, "/_counts"))
        send_counts(&a);
    else if (eh_str_eq_cstr(request->path, "/_last"))
        send_last(&a);
    else if (is_post && eh_str_ends(request->path, EH_STR("/chat/completions")))
        answer_post(&a, ROUTE_CHAT);
    else if (is_post && eh_str_ends(request->path, EH_STR("/messages")))
        answer_post(&a, ROUTE_MESSAGES);
    else if (is_post && eh_str_ends(request->path, EH_STR("/embeddings")))
        answer_post(&a, ROUTE_EMBEDDINGS);
    else
        send_error(&a, 404, "not_found_error", "no_route", "There is no such route",
                   "");
}
