/* SPDX-License-Identifier: MIT
 *
 * Parameters and their record.
 *
 * A parameter has the name it was requested under (`max_tokens`), the name by which
 * this endpoint goes (`max_completion_tokens`), and perhaps a change that a refusal
 * taught. What differs ends as one JSON object beside the reply:
 *
 *   {"dropped":["temperature"],"renamed":{"max_tokens":"max_completion_tokens"},
 *    "changed":{"top_logprobs":5},"added":{"max_tokens":4096}}
 *
 * A name under which something is sent is also noted in `sent`, so that a refusal can
 * be told from an old one: what was renamed once is not renamed again.
 */
#include "codec/params.h"

static void note_sent(params_writer *p, eh_str name, bool is_adapted) {
    judge_request_body *out = p->out;
    if (out->n_sent < JUDGE_MAX_SENT)
        out->sent[out->n_sent++] = (judge_sent){name, is_adapted};
}

static void note_dropped(params_writer *p, eh_str name) {
    if (p->n_dropped < CAPABILITY_MAX_CHANGES) p->dropped[p->n_dropped++] = name;
}

static void note_renamed(params_writer *p, eh_str name, eh_str to) {
    if (p->n_renamed < CAPABILITY_MAX_CHANGES && !eh_str_eq(name, to))
        p->renamed[p->n_renamed++] = (params_rename){name, to};
}

/* Writes the key under which the parameter is sent; false when it is left out. */
static bool begin_as(params_writer *p, eh_str name, eh_str usual) {
    const capability_change *change = capability_change_of(p->c, usual);
    eh_str sent = change ? eh_str_of(change->rename_to) : usual;
    if (sent.len == 0) {
        note_dropped(p, name);
        return false;
    }
    json_key_str(p->w, sent);
    note_sent(p, sent, change != NULL);
    note_renamed(p, name, sent);
    return true;
}

bool params_begin(params_writer *p, const char *name, const char *usual) {
    if (usual[0]) return begin_as(p, eh_str_of(name), eh_str_of(usual));
    note_dropped(p, eh_str_of(name));
    return false;
}

const judge_extra *params_extra(const params_writer *p, const char *name) {
    for (size_t i = 0; i < p->call->n_extras; i++)
        if (eh_str_eq_cstr(p->call->extras[i].name, name)) return &p->call->extras[i];
    return NULL;
}

void params_extras(params_writer *p, const char *except) {
    for (size_t i = 0; i < p->call->n_extras; i++) {
        const judge_extra *x = &p->call->extras[i];
        if (except && eh_str_eq_cstr(x->name, except)) continue;
        if (begin_as(p, x->name, x->name)) json_raw(p->w, x->json);
    }
}

static bool is_changed(const params_writer *p) {
    return p->is_schema_loose || p->changed_top_logprobs >= 0;
}

static void write_effective(const params_writer *p, eh_buf *text) {
    json_writer w;
    json_writer_init(&w, text, 0);
    json_object_begin(&w);
    if (p->n_dropped) {
        json_key(&w, "dropped");
        json_array_begin(&w);
        for (size_t i = 0; i < p->n_dropped; i++)
            json_str(&w, p->dropped[i]);
        json_array_end(&w);
    }
    if (p->n_renamed) {
        json_key(&w, "renamed");
        json_object_begin(&w);
        for (size_t i = 0; i < p->n_renamed; i++) {
            json_key_str(&w, p->renamed[i].from);
            json_str(&w, p->renamed[i].to);
        }
        json_object_end(&w);
    }
    if (is_changed(p)) {
        json_key(&w, "changed");
        json_object_begin(&w);
        if (p->is_schema_loose) {
            json_put_cstr(&w, "response_format",
                          capability_schema_name(CAPABILITY_SCHEMA_OBJECT));
        }
        if (p->changed_top_logprobs >= 0) {
            json_put_i64(&w, "top_logprobs", p->changed_top_logprobs);
        }
        json_object_end(&w);
    }
    if (p->added_max_tokens >= 0) {
        json_key(&w, "added");
        json_object_begin(&w);
        json_put_i64(&w, "max_tokens", p->added_max_tokens);
        json_object_end(&w);
    }
    json_object_end(&w);
}

/* Fills out->effective; nothing where all was applied. */
static eh_status take_effective(params_writer *p, eh_arena *arena, eh_error *err) {
    p->out->effective = (eh_str){NULL, 0};
    if (p->n_dropped + p->n_renamed == 0 && p->added_max_tokens < 0 && !is_changed(p))
        return EH_STATUS_OK;
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    write_effective(p, &text);
    eh_status status = buf_check(&text, "effective parameters", err);
    if (status == EH_STATUS_OK &&
        !arena_copy(arena, buf_view(&text), &p->out->effective))
        status = EH_NOMEM(err);
    buf_deinit(&text);
    return status;
}

/* ---- the body ---- */

void params_messages(params_writer *p, bool with_system) {
    json_key(p->w, "messages");
    json_array_begin(p->w);
    for (size_t i = 0; i < p->call->n_messages; i++) {
        const prompt_message *m = &p->call->messages[i];
        if (!with_system && eh_str_eq_cstr(m->role, "system")) continue;
        json_object_begin(p->w);
        json_put_str(p->w, "role", m->role);
        json_put_str(p->w, "content", m->content);
        json_object_end(p->w);
    }
    json_array_end(p->w);
}

/* Room for a call's messages and some more, so that the body need not grow. */
static void reserve(const judge_call *call, eh_buf *body) {
    enum { ROOM_BYTES = 512, ROOM_MAX_BYTES = 16 << 20 };
    size_t bytes = ROOM_BYTES;
    for (size_t i = 0; i < call->n_messages; i++)
        bytes += call->messages[i].content.len + call->messages[i].content.len / 16;
    if (bytes < ROOM_MAX_BYTES) (void)buf_reserve(body, bytes);
}

eh_status params_encode(const judge_call *call, const capability *c,
                        void (*write)(params_writer *p), eh_arena *arena,
                        judge_request_body *out, eh_error *err) {
    eh_buf body;
    json_writer w;
    *out = (judge_request_body){0};
    params_writer p = {.w = &w,
                       .c = c,
                       .call = call,
                       .out = out,
                       .added_max_tokens = -1,
                       .changed_top_logprobs = -1};
    buf_init(&body, BUF_MAX_PROMPT);
    reserve(call, &body);
    json_writer_init(&w, &body, 0);
    json_object_begin(&w);
    json_put_str(&w, "model", call->model);
    write(&p);
    json_object_end(&w);
    eh_status status = buf_check(&body, "a request body", err);
    if (status == EH_STATUS_OK && !arena_copy(arena, buf_view(&body), &out->body))
        status = EH_NOMEM(err);
    buf_deinit(&body);
    return status == EH_STATUS_OK ? take_effective(&p, arena, err) : status;
}
