/* SPDX-License-Identifier: MIT
 *
 * The codec of Anthropic's Messages, which some local servers speak too.
 *
 * The system text stands apart from the messages. An output limit is required, so one
 * is added where none was asked for, and noted. There is no n, no seed; a schema goes
 * into output_config, where the user's own members of it (an effort) are kept.
 *
 *   content      a list of blocks; text blocks are joined, thinking blocks kept apart
 *   stop_reason  max_tokens and a full window are `length`, refusal is a refusal, the
 *                ordinary ends are `stop`
 *
 * Left out: prompt caching marks, tools, batches (another route altogether).
 */
#include "codec/codec.h"

#include <math.h>

#include "codec/params.h"
#include "codec/usage.h"

enum { DEFAULT_MAX_TOKENS = 4096 };

/* ---- the request ---- */

static void write_system(params_writer *p) {
    const judge_call *call = p->call;
    for (size_t i = 0; i < call->n_messages; i++) {
        if (!eh_str_eq_cstr(call->messages[i].role, "system")) continue;
        json_put_str(p->w, "system", call->messages[i].content);
        return;
    }
}

/* The text between the braces of a JSON object; empty where it is none. */
static eh_str members_of(const judge_extra *extra) {
    eh_str s = extra ? eh_str_trim(extra->json) : EH_STR("");
    if (s.len < 2 || s.ptr[0] != '{') return EH_STR("");
    return eh_str_trim(eh_str_slice(s, 1, s.len - 1));
}

/* output_config: our schema beside what the user put there. */
static void write_output(params_writer *p) {
    const judge_extra *own = params_extra(p, "output_config");
    bool schema = p->call->wants_json && p->c->schema == CAPABILITY_SCHEMA_FULL;
    eh_str others = members_of(own);
    bool has_format = eh_str_find(others, EH_STR("\"format\""), 0) != SIZE_MAX;
    if (!own && !schema) {
        if (p->call->wants_json) (void)params_begin(p, "output_config", "");
        return;
    }
    if (!params_begin(p, "output_config", "output_config")) return;
    if (!schema || has_format) {
        if (own) json_raw(p->w, own->json);
        return;
    }
    p->out->schema = CAPABILITY_SCHEMA_FULL;
    json_object_begin(p->w);
    json_key(p->w, "format");
    json_object_begin(p->w);
    json_put_cstr(p->w, "type", "json_schema");
    json_key(p->w, "schema");
    json_raw(p->w, verdict_json_schema(p->call->verdict_first));
    json_object_end(p->w);
    if (others.len) {
        buf_add_char(p->w->out, ',');
        buf_add_str(p->w->out, others);
    }
    json_object_end(p->w);
}

static void write_members(params_writer *p) {
    const judge_params *params = &p->call->params;
    write_system(p);
    params_messages(p, false);
    bool is_given = params->max_tokens >= 0;
    if (!is_given) p->added_max_tokens = DEFAULT_MAX_TOKENS;
    json_put_i64(p->w, "max_tokens",
                 is_given ? params->max_tokens : DEFAULT_MAX_TOKENS);
    if (!isnan(params->temperature) && params_begin(p, "temperature", "temperature"))
        json_f64(p->w, params->temperature);
    if (params->request_seed >= 0 && params_begin(p, "seed", p->c->seed_name))
        json_i64(p->w, params->request_seed);
    if (params->wants_logprobs) (void)params_begin(p, "logprobs", "");
    write_output(p);
    params_extras(p, "output_config");
}

static eh_status anthropic_encode(const judge_call *call, const capability *c,
                                  eh_arena *arena, judge_request_body *out,
                                  eh_error *err) {
    return params_encode(call, c, write_members, arena, out, err);
}

/* ---- the reply ---- */

typedef struct message {
    eh_buf content, reasoning;
    bool has_content, has_reasoning;
    eh_str stop_reason;
} message;

static void message_init(message *m) {
    *m = (message){0};
    buf_init(&m->content, BUF_MAX_REPLY);
    buf_init(&m->reasoning, BUF_MAX_REPLY);
}

/* A block of the content, or the delta of one. */
static void add_block(message *m, const json_value *block) {
    const json_value *text = json_get(block, "text");
    const json_value *thinking = json_get(block, "thinking");
    if (text && text->kind == JSON_STRING) {
        m->has_content = true;
        buf_add_str(&m->content, text->text);
    }
    if (thinking && thinking->kind == JSON_STRING) {
        m->has_reasoning = true;
        buf_add_str(&m->reasoning, thinking->text);
    }
}

static eh_str finish_reason(eh_str stop) {
    if (eh_str_eq_cstr(stop, "end_turn") || eh_str_eq_cstr(stop, "stop_sequence"))
        return EH_STR("stop");
    if (eh_str_eq_cstr(stop, "max_tokens") ||
        eh_str_eq_cstr(stop, "model_context_window_exceeded"))
        return EH_STR("length");
    return stop;
}

/* The one choice; the message's buffers are freed. */
static eh_status message_take(message *m, eh_arena *arena, judge_reading *out,
                              eh_error *err) {
    judge_choice *c = arena_zalloc(arena, 1, sizeof *c);
    bool good = c && !m->content.failed && !m->reasoning.failed;
    if (good && m->has_content)
        good = arena_copy(arena, buf_view(&m->content), &c->content);
    if (good && m->has_reasoning)
        good = arena_copy(arena, buf_view(&m->reasoning), &c->reasoning);
    buf_deinit(&m->content);
    buf_deinit(&m->reasoning);
    if (!good) return EH_NOMEM(err);
    c->finish_reason = finish_reason(m->stop_reason);
    if (eh_str_eq_cstr(m->stop_reason, "refusal"))
        c->refusal = c->content.len ? c->content : EH_STR("refusal");
    out->choices = c;
    out->n_choices = 1;
    return EH_STATUS_OK;
}

static eh_status anthropic_read(const json_value *root, eh_arena *arena,
                                judge_reading *out, eh_error *err) {
    const json_value *content = json_get(root, "content");
    *out = (judge_reading){.usage = usage_anthropic(json_get(root, "usage")),
                           .model = json_get_str(root, "model"),
                           .is_whole = true};
    if (!content || content->kind != JSON_ARRAY) return EH_STATUS_OK;
    message m;
    message_init(&m);
    for (const json_value *block = content->child; block; block = block->next)
        add_block(&m, block);
    m.stop_reason = json_get_str(root, "stop_reason");
    return message_take(&m, arena, out, err);
}

/* ---- a stream ---- */

/* Later events repeat some counts and leave out others. */
static void merge_usage(judge_usage *to, const judge_usage *from) {
    if (from->prompt_tokens >= 0) to->prompt_tokens = from->prompt_tokens;
    if (from->cached_tokens >= 0) to->cached_tokens = from->cached_tokens;
    if (from->completion_tokens >= 0) to->completion_tokens = from->completion_tokens;
    if (from->reasoning_tokens >= 0) to->reasoning_tokens = from->reasoning_tokens;
}

static void stream_event(message *m, const json_value *event, judge_reading *out) {
    const json_value *start = json_get(event, "message");
    const json_value *delta = json_get(event, "delta");
    add_block(m, json_get(event, "content_block"));
    add_block(m, delta);
    eh_str stop = json_get_str(delta, "stop_reason");
    if (stop.len) m->stop_reason = stop;
    eh_str model = json_get_str(start, "model");
    if (model.len) out->model = model;
    judge_usage first = usage_anthropic(json_get(start, "usage"));
    judge_usage later = usage_anthropic(json_get(event, "usage"));
    merge_usage(&out->usage, &first);
    merge_usage(&out->usage, &later);
    if (eh_str_eq_cstr(json_get_str(event, "type"), "message_stop"))
        out->is_whole = true;
}

static eh_status anthropic_read_events(const json_value *const *events, size_t n_events,
                                       eh_arena *arena, judge_reading *out,
                                       eh_error *err) {
    message m;
    *out = (judge_reading){.usage = USAGE_UNKNOWN};
    message_init(&m);
    for (size_t i = 0; i < n_events; i++)
        stream_event(&m, events[i], out);
    out->is_whole = out->is_whole || m.stop_reason.len > 0;
    return message_take(&m, arena, out, err);
}

const judge_codec judge_codec_anthropic = {
    .name = "anthropic",
    .form = "anthropic:MODEL",
    .base_url = "https://api.anthropic.com/v1",
    .path = "messages",
    .key_variable = "ANTHROPIC_API_KEY",
    .key_header = "x-api-key",
    .key_scheme = "",
    .version_header = "anthropic-version: 2023-06-01",
    .encode = anthropic_encode,
    .read = anthropic_read,
    .read_events = anthropic_read_events,
};
