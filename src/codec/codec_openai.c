/* SPDX-License-Identifier: MIT
 *
 * The codec of Chat Completions, which OpenAI and most other endpoints speak.
 *
 * A field is left out rather than sent as null, and nothing is sent that was not asked
 * for, since strict servers refuse what they do not know. Reading is the other way
 * round: unknown fields and values are passed over.
 *
 *   content     a string, null, or a list of chunks whose text chunks are joined
 *   reasoning   reasoning_content, reasoning or thinking beside the content, or the
 *               thinking chunks of a list; tags inside the content are left to the
 *               verdict reader
 *   logprobs    kept as they came: what is in them differs by server
 *
 * Left out: tools, images, and asking for a stream.
 */
#include "codec/codec.h"

#include <math.h>

#include "codec/params.h"
#include "codec/usage.h"

/* ---- the request ---- */

/* {"type": "json", "value": SCHEMA} */
static void write_tgi_format(json_writer *w, eh_str schema) {
    json_cstr(w, "json");
    json_key(w, "value");
    json_raw(w, schema);
}

/* {"type": "json_schema", "json_schema": {"name", "strict", "schema": SCHEMA}} */
static void write_full_format(json_writer *w, eh_str schema) {
    json_cstr(w, "json_schema");
    json_key(w, "json_schema");
    json_object_begin(w);
    json_put_cstr(w, "name", "verdict");
    json_put_bool(w, "strict", true);
    json_key(w, "schema");
    json_raw(w, schema);
    json_object_end(w);
}

static void write_format(params_writer *p) {
    const judge_call *call = p->call;
    capability_schema kind = p->c->schema;
    bool any = kind != CAPABILITY_SCHEMA_NONE;
    if (!call->wants_json || params_extra(p, "response_format")) return;
    if (!params_begin(p, "response_format", any ? "response_format" : "")) return;
    eh_str schema = verdict_json_schema(call->verdict_first);
    json_object_begin(p->w);
    json_key(p->w, "type");
    if (kind == CAPABILITY_SCHEMA_TGI)
        write_tgi_format(p->w, schema);
    else if (kind == CAPABILITY_SCHEMA_FULL)
        write_full_format(p->w, schema);
    else
        json_cstr(p->w, "json_object");
    json_object_end(p->w);
    p->is_schema_loose = kind == CAPABILITY_SCHEMA_OBJECT;
    p->out->schema = kind;
}

/* Both or the first alone: alternatives need the other. */
static void write_logprobs(params_writer *p) {
    const judge_params *params = &p->call->params;
    int most = p->c->logprobs_max, top = params->top_logprobs;
    if (!params->wants_logprobs) return;
    if (!params_begin(p, "logprobs", most < 0 ? "" : "logprobs")) return;
    json_bool(p->w, true);
    if (top > most) top = most;
    if (top > 0 && !params_begin(p, "top_logprobs", "top_logprobs")) return;
    if (top > 0) json_i64(p->w, top);
    if (top < params->top_logprobs) p->changed_top_logprobs = top;
}

static void write_members(params_writer *p) {
    const judge_params *params = &p->call->params;
    params_messages(p, true);
    if (p->call->n_samples > 1) {
        json_put_i64(p->w, "n", p->call->n_samples);
        p->out->sent[p->out->n_sent++] = (judge_sent){EH_STR("n"), true};
    }
    if (!isnan(params->temperature) && params_begin(p, "temperature", "temperature"))
        json_f64(p->w, params->temperature);
    if (params->max_tokens >= 0 && params_begin(p, "max_tokens", p->c->tokens_name))
        json_i64(p->w, params->max_tokens);
    if (params->request_seed >= 0 && params_begin(p, "seed", p->c->seed_name))
        json_i64(p->w, params->request_seed);
    write_logprobs(p);
    write_format(p);
    params_extras(p, NULL);
}

static eh_status openai_encode(const judge_call *call, const capability *c,
                               eh_arena *arena, judge_request_body *out,
                               eh_error *err) {
    return params_encode(call, c, write_members, arena, out, err);
}

/* ---- the reply ---- */

typedef struct texts {
    eh_buf content, reasoning, refusal, logprobs;
    bool has_content, has_reasoning, has_refusal, has_logprobs;
} texts;

static void texts_init(texts *t) {
    *t = (texts){0};
    buf_init(&t->content, BUF_MAX_REPLY);
    buf_init(&t->reasoning, BUF_MAX_REPLY);
    buf_init(&t->refusal, BUF_MAX_REPLY);
    buf_init(&t->logprobs, BUF_MAX_REPLY);
}

static void add_text(eh_buf *b, bool *has, const json_value *v) {
    if (!v || v->kind != JSON_STRING) return;
    *has = true;
    buf_add_str(b, v->text);
}

/* A chunk of a content list: text, or thinking with a text or a list of its own. */
static void add_chunk(texts *t, const json_value *chunk) {
    const json_value *thinking = json_get(chunk, "thinking");
    add_text(&t->reasoning, &t->has_reasoning, thinking);
    if (thinking && thinking->kind == JSON_ARRAY)
        for (const json_value *part = thinking->child; part; part = part->next)
            add_text(&t->reasoning, &t->has_reasoning, json_get(part, "text"));
    if (!thinking) add_text(&t->content, &t->has_content, json_get(chunk, "text"));
}

static void add_content(texts *t, const json_value *content) {
    add_text(&t->content, &t->has_content, content);
    if (!content || content->kind != JSON_ARRAY) return;
    for (const json_value *chunk = content->child; chunk; chunk = chunk->next) {
        if (chunk->kind == JSON_STRING)
            add_text(&t->content, &t->has_content, chunk);
        else
            add_chunk(t, chunk);
    }
}

/* A message, or the delta of one. */
static void add_message(texts *t, const json_value *message) {
    static const char *const places[] = {"reasoning_content", "reasoning", "thinking"};
    add_content(t, json_get(message, "content"));
    add_text(&t->refusal, &t->has_refusal, json_get(message, "refusal"));
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const json_value *v = json_get(message, places[i]);
        add_text(&t->reasoning, &t->has_reasoning, v);
        if (v && v->kind == JSON_STRING && v->text.len) break; /* some give it twice */
    }
}

static void add_logprobs(texts *t, const json_value *v) {
    json_writer w;
    if (!v || v->kind != JSON_OBJECT) return;
    t->has_logprobs = true;
    json_writer_init(&w, &t->logprobs, 0);
    json_tree(&w, v);
}

/* Of a stream's events each has the tokens of its delta: they become the elements of
 * one list, whose ends are put round it when all are there. */
static void add_logprobs_event(texts *t, const json_value *v) {
    const json_value *list = json_get(v, "content");
    json_writer w;
    if (!list || list->kind != JSON_ARRAY) return;
    for (const json_value *token = list->child; token; token = token->next) {
        buf_add_cstr(&t->logprobs, t->has_logprobs ? ", " : "{\"content\": [");
        t->has_logprobs = true;
        json_writer_init(&w, &t->logprobs, 0);
        json_tree(&w, token);
    }
}

static bool take_text(eh_arena *arena, const eh_buf *b, bool has, eh_str *out) {
    *out = (eh_str){NULL, 0};
    return !b->failed && (!has || arena_copy(arena, buf_view(b), out));
}

/* Moves the texts into the choice and frees them; false when memory is out. */
static bool texts_take(texts *t, eh_arena *arena, judge_choice *choice) {
    bool good = take_text(arena, &t->content, t->has_content, &choice->content) &&
                take_text(arena, &t->reasoning, t->has_reasoning, &choice->reasoning) &&
                take_text(arena, &t->refusal, t->has_refusal, &choice->refusal) &&
                take_text(arena, &t->logprobs, t->has_logprobs, &choice->logprobs);
    buf_deinit(&t->logprobs);
    buf_deinit(&t->content);
    buf_deinit(&t->reasoning);
    buf_deinit(&t->refusal);
    return good;
}

/* Ends that other servers name in their own way. */
static eh_str finish_reason(eh_str s) {
    if (eh_str_eq_cstr(s, "model_length") || eh_str_eq_cstr(s, "max_tokens") ||
        eh_str_eq_cstr(s, "MAX_TOKENS"))
        return EH_STR("length");
    return s;
}

static int64_t index_of(const json_value *choice) {
    const json_value *v = json_get(choice, "index");
    int64_t index;
    return v && v->kind == JSON_NUMBER && eh_str_to_i64(v->text, &index) ? index : -1;
}

/* A choice that says that it came to nothing: OpenRouter, DeepSeek, SGLang. */
static bool is_failed(const json_value *choice) {
    static const char *const ends[] = {"error", "insufficient_system_resource",
                                       "abort"};
    const json_value *error = json_get(choice, "error");
    if (error && (error->kind == JSON_OBJECT || error->kind == JSON_STRING))
        return true;
    eh_str end = json_get_str(choice, "finish_reason");
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (eh_str_eq_cstr(end, ends[i])) return true;
    return false;
}

static eh_status openai_read(const json_value *root, eh_arena *arena,
                             judge_reading *out, eh_error *err) {
    const json_value *choices = json_get(root, "choices");
    *out = (judge_reading){.usage = usage_openai(json_get(root, "usage")),
                           .model = json_get_str(root, "model"),
                           .fingerprint = json_get_str(root, "system_fingerprint"),
                           .is_whole = true};
    if (!choices || choices->kind != JSON_ARRAY) return EH_STATUS_OK;
    out->choices = arena_zalloc(arena, choices->n + 1, sizeof *out->choices);
    if (!out->choices) return EH_NOMEM(err);
    for (const json_value *v = choices->child; v; v = v->next) {
        if (v->kind != JSON_OBJECT || is_failed(v)) {
            out->n_failed++;
            continue;
        }
        judge_choice *choice = &out->choices[out->n_choices++];
        texts t;
        texts_init(&t);
        add_message(&t, json_get(v, "message"));
        add_logprobs(&t, json_get(v, "logprobs"));
        *choice = (judge_choice){.index = index_of(v),
                                 .finish_reason =
                                     finish_reason(json_get_str(v, "finish_reason"))};
        if (!texts_take(&t, arena, choice)) return EH_NOMEM(err);
    }
    return EH_STATUS_OK;
}

/* ---- a stream ---- */

enum { STREAM_MAX_CHOICES = 128 };

typedef struct stream {
    texts *texts; /* [STREAM_MAX_CHOICES] by index */
    judge_choice choices[STREAM_MAX_CHOICES];
    bool is_failed[STREAM_MAX_CHOICES];
    size_t n; /* highest index seen, and 1 */
} stream;

static void stream_choice(stream *s, const json_value *v) {
    int64_t index = index_of(v);
    if (index < 0) index = 0;
    if (index >= STREAM_MAX_CHOICES) return;
    for (; s->n <= (size_t)index; s->n++) {
        texts_init(&s->texts[s->n]);
        s->choices[s->n].index = (int64_t)s->n;
    }
    const json_value *delta = json_get(v, "delta");
    add_message(&s->texts[index], delta ? delta : json_get(v, "message"));
    add_logprobs_event(&s->texts[index], json_get(v, "logprobs"));
    eh_str end = json_get_str(v, "finish_reason");
    if (end.len) s->choices[index].finish_reason = finish_reason(end);
    if (is_failed(v)) s->is_failed[index] = true;
}

static void stream_event(stream *s, const json_value *event, judge_reading *out) {
    const json_value *choices = json_get(event, "choices");
    if (choices && choices->kind == JSON_ARRAY)
        for (const json_value *v = choices->child; v; v = v->next)
            if (v->kind == JSON_OBJECT) stream_choice(s, v);
    const json_value *usage = json_get(event, "usage");
    if (usage && usage->kind == JSON_OBJECT) out->usage = usage_openai(usage);
    eh_str model = json_get_str(event, "model");
    if (model.len) out->model = model;
    eh_str fingerprint = json_get_str(event, "system_fingerprint");
    if (fingerprint.len) out->fingerprint = fingerprint;
}

/* Moves everything out of the stream; its buffers are freed in any case. */
static bool stream_take(stream *s, eh_arena *arena, judge_reading *out) {
    bool good = true, all_ended = s->n > 0;
    out->choices = arena_zalloc(arena, s->n + 1, sizeof *out->choices);
    for (size_t i = 0; i < s->n; i++) {
        if (s->texts[i].has_logprobs) buf_add_cstr(&s->texts[i].logprobs, "]}");
        good = texts_take(&s->texts[i], arena, &s->choices[i]) && good;
        all_ended = all_ended && s->choices[i].finish_reason.len;
        if (s->is_failed[i])
            out->n_failed++;
        else if (out->choices)
            out->choices[out->n_choices++] = s->choices[i];
    }
    out->is_whole = all_ended;
    return good && out->choices;
}

static eh_status openai_read_events(const json_value *const *events, size_t n_events,
                                    eh_arena *arena, judge_reading *out,
                                    eh_error *err) {
    *out = (judge_reading){.usage = USAGE_UNKNOWN};
    stream *s = arena_zalloc(arena, 1, sizeof *s);
    texts *t = arena_zalloc(arena, STREAM_MAX_CHOICES, sizeof *t);
    if (!s || !t) return EH_NOMEM(err);
    s->texts = t;
    for (size_t i = 0; i < n_events; i++)
        stream_event(s, events[i], out);
    return stream_take(s, arena, out) ? EH_STATUS_OK : EH_NOMEM(err);
}

const judge_codec judge_codec_openai = {
    .name = "openai",
    .form = "openai:MODEL",
    .base_url = "https://api.openai.com/v1",
    .path = "chat/completions",
    .key_variable = "OPENAI_API_KEY",
    .key_header = "Authorization",
    .key_scheme = "Bearer ",
    .encode = openai_encode,
    .read = openai_read,
    .read_events = openai_read_events,
};
