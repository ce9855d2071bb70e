/* SPDX-License-Identifier: MIT
 *
 * From an endpoint's answer to an action: the frame that all codecs share.
 *
 *   nothing came, cut off, not decodable    again
 *   an error object, at any status          decide.h
 *   HTML instead of JSON                    a proxy's page: stop, or again if 5xx
 *   an event stream                         assembled
 *   JSON without an error                   the codec reads its choices
 *
 * The error object is looked for before the choices, since some endpoints send it with
 * status 200. What is not JSON is never shown to the parser's caller, only named.
 * Whatever text leaves this file has gone through redaction.
 */
#include "codec/codec.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "codec/decide.h"
#include "codec/event_stream.h"
#include "codec/redact.h"
#include "codec/usage.h"

enum { MESSAGE_BYTES = 160, MAX_EVENTS = 1 << 20 };

typedef struct decoder {
    const judge_codec *codec;
    const judge_answer *answer;
    const judge_asked *asked;
    json_reader *reader;
    eh_arena *arena;
    judge_action *action;
    eh_error *err;
} decoder;

static bool is_name(eh_str name, const char *lower_case) {
    size_t n = strlen(lower_case);
    if (name.len != n) return false;
    for (size_t i = 0; i < n; i++) {
        char c = name.ptr[i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c + 32) : c) != lower_case[i]) return false;
    }
    return true;
}

eh_str judge_header_get(const judge_answer *answer, const char *name) {
    for (size_t i = 0; i < answer->n_headers; i++)
        if (is_name(answer->headers[i].name, name)) return answer->headers[i].value;
    return (eh_str){NULL, 0};
}

const char *judge_outcome_name(int outcome, char text[JUDGE_OUTCOME_CHARS]) {
    static const char *const names[] = {
#define X(id, name) name,
        JUDGE_FAULT_LIST(X)
#undef X
    };
    if (outcome < JUDGE_FAULT_N) return names[outcome];
    (void)snprintf(text, JUDGE_OUTCOME_CHARS, "http_%d", outcome % 1000);
    return text;
}

/* ---- messages ---- */

/* "HTTP 401 from HOST (CODE): TEXT", without the parts that are not known. */
static eh_status say(const decoder *d, eh_str code, eh_str text) {
    const judge_asked *asked = d->asked;
    eh_str tidy_code, tidy_text;
    char status[32] = "no answer";
    if (d->answer->status)
        (void)snprintf(status, sizeof status, "HTTP %d", d->answer->status);
    if (!redact_message(code, asked->secrets, asked->n_secrets, 60, d->arena,
                        &tidy_code) ||
        !redact_message(text, asked->secrets, asked->n_secrets, MESSAGE_BYTES, d->arena,
                        &tidy_text))
        return EH_NOMEM(d->err);
    char *line = arena_printf(d->arena, "%s from %.*s%s%.*s%s%s%.*s", status,
                              EH_STR_ARG(asked->host), tidy_code.len ? " (" : "",
                              EH_STR_ARG(tidy_code), tidy_code.len ? ")" : "",
                              tidy_text.len ? ": " : "", EH_STR_ARG(tidy_text));
    d->action->message = eh_str_of(line);
    return line ? EH_STATUS_OK : EH_NOMEM(d->err);
}

static eh_status retry_because(const decoder *d, judge_fault fault, const char *why) {
    decide_retry(d->action);
    d->action->fault = fault;
    return say(d, EH_STR(""), eh_str_of(why));
}

/* ---- answers without choices ---- */

static eh_status decode_fault(const decoder *d) {
    judge_fault fault = d->answer->fault;
    switch (fault) {
    case JUDGE_FAULT_CUT: return retry_because(d, fault, "the answer was cut off");
    case JUDGE_FAULT_IDLE: return retry_because(d, fault, "nothing came for too long");
    case JUDGE_FAULT_TOTAL: return retry_because(d, fault, "the answer took too long");
    case JUDGE_FAULT_BAD_ENCODING:
        d->action->retry_once = true;
        return retry_because(d, fault, "the answer's encoding cannot be decoded");
    default: break;
    }
    return retry_because(d, JUDGE_FAULT_NO_ANSWER, "the connection gave none");
}

/* Whether fewer bytes came than the header announced. With a content encoding it
 * counts other bytes than those that are seen here. */
static bool is_short(const judge_answer *a) {
    int64_t announced;
    if (judge_header_get(a, "content-encoding").len) return false;
    eh_str length = eh_str_trim(judge_header_get(a, "content-length"));
    return eh_str_to_i64(length, &announced) && announced > (int64_t)a->body.len;
}

static bool is_html(const decoder *d, eh_str body) {
    eh_str type = judge_header_get(d->answer, "content-type");
    if (eh_str_find(type, EH_STR("html"), 0) != SIZE_MAX) return true;
    return eh_str_begins(body, EH_STR("<!")) || eh_str_begins(body, EH_STR("<html"));
}

static eh_status decode_error(const decoder *d, const error_body *e) {
    judge_action *a = d->action;
    decide_error(e, d->answer, d->asked, a);
    if (d->answer->status / 100 == 2) a->fault = JUDGE_FAULT_ERROR;
    if (!arena_copy(d->arena, a->rename_to, &a->rename_to)) return EH_NOMEM(d->err);
    eh_str text = e->message;
    if (a->kind == JUDGE_ACTION_FAIL && text.len == 0 && d->answer->status / 100 == 3)
        text = EH_STR("redirects are not followed; give the final --base-url");
    return say(d, e->n_codes ? e->codes[0] : EH_STR(""), text);
}

/* A page for people. With a good status it is a proxy's login or a wrong address. */
static eh_status decode_html(const decoder *d) {
    static const error_body none;
    decide_error(&none, d->answer, d->asked, d->action);
    if (d->answer->status / 100 == 2) {
        d->action->fault = JUDGE_FAULT_NOT_JSON;
        d->action->kind = JUDGE_ACTION_FAIL;
        d->action->scope = JUDGE_SCOPE_RUN;
    }
    eh_str type = judge_header_get(d->answer, "content-type");
    if (type.len == 0) type = EH_STR("HTML");
    char *text =
        arena_printf(d->arena, "a page of type %.*s instead of JSON", EH_STR_ARG(type));
    if (!text) return EH_NOMEM(d->err);
    return say(d, EH_STR(""), eh_str_of(text));
}

/* ---- choices ---- */

static int by_index(const void *left, const void *right) {
    const judge_choice *a = left, *b = right;
    return (a->index > b->index) - (a->index < b->index);
}

/* The tokens of a text that held a key are pieces of the key: they go as a whole. */
static bool redact_choice(const decoder *d, judge_choice *c) {
    eh_str *texts[] = {&c->content, &c->reasoning, &c->refusal, &c->finish_reason,
                       &c->logprobs};
    bool held_key = false;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        eh_str before = *texts[i];
        if (!redact_text(before, d->asked->secrets, d->asked->n_secrets, d->arena,
                         texts[i]))
            return false;
        held_key = held_key || texts[i]->ptr != before.ptr;
    }
    if (held_key) c->logprobs = (eh_str){NULL, 0};
    return true;
}

static eh_status take_reading(const decoder *d, judge_reading *r) {
    judge_action *a = d->action;
    const eh_str *secrets = d->asked->secrets;
    size_t n_secrets = d->asked->n_secrets;
    bool indexed = true, good = true;
    for (size_t i = 0; i < r->n_choices; i++) {
        indexed = indexed && r->choices[i].index >= 0;
        good = good && redact_choice(d, &r->choices[i]);
    }
    if (indexed && r->n_choices > 1)
        qsort(r->choices, r->n_choices, sizeof *r->choices, by_index);
    size_t asked = (size_t)d->asked->n_samples;
    size_t used = r->n_choices < asked ? r->n_choices : asked;
    a->choices = r->choices;
    a->n_choices = (int)used;
    a->n_surplus = (int)(r->n_choices - used);
    a->n_missing = (int)(asked - used);
    a->usage = r->usage;
    good = good && redact_text(r->model, secrets, n_secrets, d->arena, &a->model) &&
           redact_text(r->fingerprint, secrets, n_secrets, d->arena, &a->fingerprint);
    return good ? EH_STATUS_OK : EH_NOMEM(d->err);
}

static bool is_prompt_cut(const decoder *d, const judge_usage *usage) {
    return d->asked->estimated_prompt_tokens > 0 && usage->prompt_tokens > 0 &&
           2 * usage->prompt_tokens < d->asked->estimated_prompt_tokens;
}

/* Whether the i-th choice answers the i-th text of a list; what names no index stands
 * for its place, but only in a whole list. */
static bool is_in_place(const judge_reading *r, int n_asked) {
    for (size_t i = 0; i < r->n_choices; i++) {
        bool has_index = r->choices[i].index >= 0;
        if (has_index ? r->choices[i].index != (int64_t)i
                      : r->n_choices != (size_t)n_asked)
            return false;
    }
    return r->n_choices <= (size_t)n_asked;
}

static eh_status decide_choices(const decoder *d, judge_reading *r) {
    judge_action *a = d->action;
    bool is_list = d->codec->is_list;
    if (is_list && r->n_failed)
        return retry_because(d, JUDGE_FAULT_ERROR,
                             "vectors that are no lists of numbers");
    if (r->n_choices == 0 && r->n_failed)
        return retry_because(d, JUDGE_FAULT_ERROR, "the reply ended in an error");
    if (r->n_choices == 0)
        return retry_because(d, JUDGE_FAULT_NO_CHOICES,
                             is_list ? "an answer without vectors"
                                     : "an answer without choices");
    EH_TRY(take_reading(d, r));
    if (is_list && !is_in_place(r, d->asked->n_samples)) {
        a->n_choices = a->n_surplus = 0;
        return retry_because(d, JUDGE_FAULT_ERROR,
                             "vectors that do not fit the texts by their index");
    }
    if (is_prompt_cut(d, &a->usage)) {
        a->kind = JUDGE_ACTION_FAIL;
        a->scope = JUDGE_SCOPE_SAMPLE;
        a->reason = VERDICT_REASON_PROMPT_TRUNCATED;
        return say(d, EH_STR(""), EH_STR("the server cut the prompt"));
    }
    if (a->n_missing == 0) {
        a->kind = JUDGE_ACTION_OK;
        return EH_STATUS_OK;
    }
    a->kind = JUDGE_ACTION_SPLIT_N;
    a->has_wait = true;
    a->n_unsupported = r->n_failed == 0;
    return say(d, EH_STR(""),
               is_list ? EH_STR("fewer vectors than texts")
                       : EH_STR("fewer choices than asked for"));
}

/* ---- bodies ---- */

static eh_status decode_tree(const decoder *d, const json_value *root) {
    error_body e;
    judge_reading r;
    if (error_body_find(root, d->answer->status >= 400, &e)) return decode_error(d, &e);
    if (d->answer->status / 100 != 2) {
        e = (error_body){0};
        return decode_error(d, &e);
    }
    EH_TRY(d->codec->read(root, d->arena, &r, d->err));
    return decide_choices(d, &r);
}

/* All events of a stream as trees; *done says that [DONE] was there. */
static eh_status parse_events(const decoder *d, eh_str body, const json_value **events,
                              size_t *n, bool *done) {
    eh_str rest = body, data;
    bool no_memory = false;
    json_fault fault;
    *n = 0;
    *done = false;
    while (!*done && event_stream_next(&rest, d->arena, &data, &no_memory)) {
        *done = eh_str_eq_cstr(eh_str_trim(data), "[DONE]");
        if (*done) break;
        const json_value *event = json_read(d->reader, d->arena, data, &fault);
        if (!event && fault.kind == JSON_FAULT_NOMEM) return EH_NOMEM(d->err);
        if (event && events) events[*n] = event;
        *n += event != NULL;
    }
    return no_memory ? EH_NOMEM(d->err) : EH_STATUS_OK;
}

static size_t count_lines(eh_str body) {
    size_t n = 1;
    for (size_t i = 0; i < body.len; i++)
        n += body.ptr[i] == '\n' || body.ptr[i] == '\r';
    return n;
}

static eh_status decode_stream(const decoder *d, eh_str body) {
    size_t n, cap = count_lines(body);
    bool done;
    judge_reading r;
    error_body e;
    if (cap > MAX_EVENTS)
        return retry_because(d, JUDGE_FAULT_NOT_JSON, "a stream of too many events");
    const json_value **events = arena_zalloc(d->arena, cap, sizeof *events);
    if (!events) return EH_NOMEM(d->err);
    EH_TRY(parse_events(d, body, events, &n, &done));
    for (size_t i = 0; i < n; i++)
        if (error_body_find(events[i], false, &e)) return decode_error(d, &e);
    EH_TRY(d->codec->read_events(events, n, d->arena, &r, d->err));
    if (!done && !r.is_whole)
        return retry_because(d, JUDGE_FAULT_CUT, "the stream was cut off");
    return decide_choices(d, &r);
}

static eh_status decode_body(const decoder *d) {
    eh_str body = d->answer->body;
    if (eh_str_begins(body, EH_STR("\xEF\xBB\xBF")))
        body = eh_str_slice(body, 3, body.len);
    body = eh_str_trim(body);
    if (d->codec->read_events &&
        event_stream_is(judge_header_get(d->answer, "content-type"), body))
        return decode_stream(d, body);
    json_fault fault = {.kind = JSON_FAULT_SYNTAX};
    bool looks_json = body.len && (body.ptr[0] == '{' || body.ptr[0] == '[');
    const json_value *root =
        looks_json ? json_read(d->reader, d->arena, body, &fault) : NULL;
    if (!root && fault.kind == JSON_FAULT_NOMEM) return EH_NOMEM(d->err);
    if (root) return decode_tree(d, root);
    if (is_html(d, body)) return decode_html(d);
    if (d->answer->status / 100 == 2)
        return retry_because(d, JUDGE_FAULT_NOT_JSON, "the answer is not JSON");
    error_body e = {0};
    if (body.len && utf8_first_invalid(body) == SIZE_MAX) e.message = body;
    return decode_error(d, &e);
}

/* A refusal of several texts does not say which of them is meant. */
static void blame_one(const decoder *d) {
    judge_action *a = d->action;
    if (!d->codec->is_list || d->asked->n_samples < 2) return;
    if (a->kind != JUDGE_ACTION_FAIL || a->scope == JUDGE_SCOPE_RUN) return;
    a->kind = JUDGE_ACTION_HALVE;
    a->has_wait = true;
    a->n_choices = 0;
}

eh_status judge_decode(const judge_codec *codec, const judge_answer *answer,
                       const judge_asked *asked, json_reader *reader, eh_arena *arena,
                       judge_action *action, eh_error *err) {
    decoder d = {codec, answer, asked, reader, arena, action, err};
    *action = (judge_action){.usage = USAGE_UNKNOWN};
    if (answer->fault == JUDGE_FAULT_NONE && answer->status && is_short(answer)) {
        return retry_because(&d, JUDGE_FAULT_CUT, "the answer was cut off");
    }
    if (answer->fault != JUDGE_FAULT_NONE || answer->status == 0)
        return decode_fault(&d);
    EH_TRY(decode_body(&d));
    blame_one(&d);
    return EH_STATUS_OK;
}
