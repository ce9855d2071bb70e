/* SPDX-License-Identifier: MIT
 *
 * The rules for errors, in their order (docs/endpoints.md):
 *
 *   1. codes that speak of money           stop the run
 *   2. codes and texts of the prompt       the sample fails: too long, filtered
 *   3. codes of key, model and permission  stop the run
 *   4. 400 and 422: n refused, parameter refused, a schema in another layout or none
 *   5. the status: 3xx, 401 to 404 ...     stop the run
 *                  408, 409, 429, 500 ...  again, after the wait that was asked for
 *   6. any other refusal                   JUDGE_SCOPE_CALL
 *
 * Structured codes come first because one status has several meanings: 429 is "wait",
 * "this never fits" and "no money". Prose decides only where a rule says so, and never
 * about money: "see your billing page" stands in ordinary rate limits.
 *
 * Left out: x-should-retry, which contradicts the codes on some gateways, and waits
 * that are only told in the message.
 */
#include "codec/decide.h"

#include "codec/redact.h"
#include "codec/retry_after.h"

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- words in messages ---- */

static char lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* First place of `phrase` (given in lower case) in any case, or SIZE_MAX. */
static size_t find_phrase(eh_str text, const char *phrase, size_t from) {
    size_t n = strlen(phrase);
    for (size_t at = from; n <= text.len && at <= text.len - n; at++) {
        size_t i = 0;
        while (i < n && lower(text.ptr[at + i]) == phrase[i])
            i++;
        if (i == n) return at;
    }
    return SIZE_MAX;
}

static bool has_phrase(eh_str text, const char *const *phrases, size_t n_phrases) {
    for (size_t i = 0; i < n_phrases; i++)
        if (find_phrase(text, phrases[i], 0) != SIZE_MAX) return true;
    return false;
}

static bool is_word_byte(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           c == '_';
}

static bool is_path_byte(char c) {
    return is_word_byte(c) || c == '.' || c == '[' || c == ']' || c == '-';
}

/* Whether `word` stands in the text by itself, in just these letters. */
static bool has_word(eh_str text, eh_str word) {
    for (size_t at = eh_str_find(text, word, 0); at != SIZE_MAX;
         at = eh_str_find(text, word, at + 1)) {
        size_t end = at + word.len;
        if (at > 0 && is_word_byte(text.ptr[at - 1])) continue;
        if (end == text.len || !is_word_byte(text.ptr[end])) return true;
    }
    return false;
}

static bool any_code_of(const error_body *e, const char *const *names, size_t n_names) {
    for (size_t i = 0; i < n_names; i++)
        if (error_body_has_code(e, names[i])) return true;
    return false;
}

/* ---- verdicts on the whole ---- */

static void fail_run(judge_action *a) {
    a->kind = JUDGE_ACTION_FAIL;
    a->scope = JUDGE_SCOPE_RUN;
}

static void fail_sample(judge_action *a, verdict_reason reason) {
    a->kind = JUDGE_ACTION_FAIL;
    a->scope = JUDGE_SCOPE_SAMPLE;
    a->reason = reason;
}

void decide_retry(judge_action *a) {
    a->kind = JUDGE_ACTION_RETRY;
}

static void retry_after(const judge_answer *answer, const judge_asked *asked,
                        judge_action *a) {
    decide_retry(a);
    a->has_wait = retry_after_get(answer, asked->now_ms, &a->wait_ms);
    if (a->has_wait && a->wait_ms > DECIDE_MAX_WAIT_MS) {
        a->has_wait = false;
        a->wait_ms = 0;
        fail_run(a);
    }
}

/* ---- codes ---- */

static bool speaks_of_money(const error_body *e) {
    static const char *const words[] = {"quota", "billing", "credit", "spend_limit",
                                        "usage_limit"};
    for (size_t i = 0; i < e->n_codes; i++)
        if (has_phrase(e->codes[i], words, N_OF(words))) return true;
    return false;
}

static bool is_context_overflow(const error_body *e, int status) {
    static const char *const codes[] = {"context_length_exceeded",
                                        "exceed_context_size_error",
                                        "model_context_window_exceeded"};
    static const char *const phrases[] = {"maximum context length",
                                          "context length",
                                          "context size",
                                          "context window",
                                          "prompt is too long",
                                          "input is too long",
                                          "too large for model",
                                          "tokens to keep from the initial prompt",
                                          "max_new_tokens` must be",
                                          "must have less than"};
    /* llama-server's word for a text that it cannot embed, with status 500 */
    static const char *const always[] = {"too large to process"};
    if (any_code_of(e, codes, N_OF(codes))) return true;
    if (has_phrase(e->message, always, N_OF(always))) return true;
    return (status == 400 || status == 413 || status == 422) &&
           has_phrase(e->message, phrases, N_OF(phrases));
}

static bool is_filtered(const error_body *e, int status) {
    static const char *const codes[] = {"content_filter", "content_policy_violation",
                                        "ResponsibleAIPolicyViolation",
                                        "data_inspection_failed"};
    static const char *const phrases[] = {
        "moderation", "content filter", "content management policy", "content policy"};
    if (any_code_of(e, codes, N_OF(codes))) return true;
    return (status == 400 || status == 403) &&
           has_phrase(e->message, phrases, N_OF(phrases));
}

static bool is_too_large(const error_body *e, int status) {
    if (status == 413 || error_body_has_code(e, "request_too_large")) return true;
    return status == 429 && find_phrase(e->message, "request too large", 0) == 0;
}

static bool is_final_code(const error_body *e) {
    static const char *const codes[] = {"invalid_api_key",  "authentication_error",
                                        "permission_error", "model_not_found",
                                        "not_found_error",  "account_deactivated"};
    return any_code_of(e, codes, N_OF(codes));
}

static bool is_busy_code(const error_body *e) {
    static const char *const codes[] = {
        "rate_limit_exceeded", "rate_limit_error",     "slow_down",
        "overloaded_error",    "server_is_overloaded", "unavailable_error",
        "RESOURCE_EXHAUSTED",  "UNAVAILABLE"};
    return any_code_of(e, codes, N_OF(codes));
}

/* ---- refused parameters ---- */

static const judge_sent *find_sent(const judge_asked *asked, eh_str name) {
    for (size_t i = 0; i < asked->n_sent; i++)
        if (eh_str_eq(asked->sent[i].name, name)) return &asked->sent[i];
    return NULL;
}

/* The parameter that a path such as response_format.type or stop[0] stands under. */
static const judge_sent *find_sent_path(const judge_asked *asked, eh_str path) {
    const judge_sent *sent = find_sent(asked, path);
    for (size_t i = 0; !sent && i < path.len; i++)
        if (path.ptr[i] == '.' || path.ptr[i] == '[')
            sent = find_sent(asked, eh_str_slice(path, 0, i));
    return sent;
}

/* The word in quotation marks or backticks that begins at or behind *at, which moves
 * behind it; absent when there is none. */
static eh_str quoted_word(eh_str text, size_t *at) {
    for (size_t i = *at; i < text.len; i++) {
        char mark = text.ptr[i];
        if (mark != '\'' && mark != '"' && mark != '`') continue;
        if (i > 0 && is_word_byte(text.ptr[i - 1])) continue; /* an apostrophe */
        size_t end = i + 1;
        while (end < text.len && is_path_byte(text.ptr[end]))
            end++;
        if (end == text.len || end == i + 1 || text.ptr[end] != mark) continue;
        *at = end + 1;
        return eh_str_slice(text, i + 1, end);
    }
    return EH_STR("");
}

static const judge_sent *refused_param(const error_body *e, const judge_asked *asked) {
    if (e->param.len) return find_sent_path(asked, e->param);
    size_t at = 0;
    eh_str word = quoted_word(e->message, &at);
    if (word.len) return find_sent_path(asked, word);
    for (size_t i = 0; i < asked->n_sent; i++)
        if (has_word(e->message, asked->sent[i].name)) return &asked->sent[i];
    return NULL;
}

/* The X of "Use 'X' instead"; absent when the message says nothing like it. */
static eh_str rename_target(eh_str message) {
    for (size_t at = find_phrase(message, "use ", 0); at != SIZE_MAX;
         at = find_phrase(message, "use ", at + 1)) {
        size_t from = at + 4, end = from;
        eh_str word = quoted_word(message, &end);
        if (word.len && word.ptr == message.ptr + from + 1 &&
            find_phrase(message, "instead", end) == end + 1)
            return word;
    }
    return EH_STR("");
}

static bool refuses_param(const error_body *e) {
    static const char *const codes[] = {"unsupported_parameter", "unsupported_value",
                                        "unknown_parameter", "extra_forbidden"};
    static const char *const phrases[] = {"unsupported",
                                          "not supported",
                                          "does not support",
                                          "is unavailable",
                                          "not enabled",
                                          "deprecated",
                                          "extra inputs are not permitted",
                                          "unknown name",
                                          "unknown parameter",
                                          "unrecognized request argument"};
    return any_code_of(e, codes, N_OF(codes)) ||
           has_phrase(e->message, phrases, N_OF(phrases));
}

/* Each server has its own words for it, and one says it with 403. */
static bool refuses_logprobs(const error_body *e, const judge_asked *asked) {
    if (!find_sent(asked, EH_STR("logprobs"))) return false;
    if (e->param.len) return eh_str_ends(e->param, EH_STR("logprobs"));
    return find_phrase(e->message, "logprobs", 0) != SIZE_MAX ||
           find_phrase(e->message, "log probabilities", 0) != SIZE_MAX;
}

/* Alternatives can be too many where the probabilities themselves are taken. */
static void drop_logprobs(const error_body *e, const judge_asked *asked,
                          judge_action *a) {
    eh_str top = EH_STR("top_logprobs");
    bool only_top = e->param.len ? eh_str_eq(e->param, top) : has_word(e->message, top);
    only_top = only_top && find_sent(asked, top);
    a->kind = JUDGE_ACTION_DROP_PARAM;
    a->has_wait = true;
    a->param = only_top ? top : EH_STR("logprobs");
}

/* How else the verdict's JSON can be demanded, after a refusal that speaks of the way
 * it was: Text Generation Inference misses its own field, and others know JSON objects
 * but no schema. Only from more to less, so that it comes to an end. False: in no way.
 */
static bool other_schema(const error_body *e, const judge_asked *asked,
                         capability_schema *schema) {
    bool misses_value = find_phrase(e->message, "missing field `value`", 0) != SIZE_MAX;
    if (asked->schema == CAPABILITY_SCHEMA_FULL && misses_value) {
        *schema = CAPABILITY_SCHEMA_TGI;
        return true;
    }
    *schema = CAPABILITY_SCHEMA_OBJECT;
    return asked->schema > CAPABILITY_SCHEMA_OBJECT &&
           (find_phrase(e->message, "json_schema", 0) != SIZE_MAX ||
            find_phrase(e->param, "json_schema", 0) != SIZE_MAX);
}

/* Whether the refusal is about response_format, which we sent. */
static bool refuses_format(const error_body *e, const judge_asked *asked) {
    const judge_sent *format = find_sent(asked, EH_STR("response_format"));
    if (!format || asked->schema == CAPABILITY_SCHEMA_NONE) return false;
    if (e->param.len) return find_sent_path(asked, e->param) == format;
    return find_phrase(e->message, "response_format", 0) != SIZE_MAX ||
           find_phrase(e->message, "response format", 0) != SIZE_MAX;
}

static bool refuses_n(const error_body *e, const judge_asked *asked) {
    static const char *const words[] = {
        "n",          "n_cmpl",    "choice",     "choices", "candidate",
        "candidates", "Candidate", "Candidates", "Choices", "Choice"};
    if (asked->n_samples < 2) return false;
    if (e->param.len) return eh_str_eq_cstr(e->param, "n");
    for (size_t i = 0; i < N_OF(words); i++)
        if (has_word(e->message, eh_str_of(words[i]))) return true;
    return false;
}

static void split_n(const judge_asked *asked, judge_action *a) {
    a->kind = JUDGE_ACTION_SPLIT_N;
    a->has_wait = true;
    a->n_missing = asked->n_samples;
    a->n_unsupported = true;
}

static void adapt_param(const error_body *e, const judge_asked *asked,
                        judge_action *a) {
    const judge_sent *sent = refused_param(e, asked);
    if (!sent || sent->is_adapted) {
        fail_run(a);
        return;
    }
    a->has_wait = true;
    a->param = sent->name;
    a->kind = JUDGE_ACTION_DROP_PARAM;
    eh_str target = rename_target(e->message);
    /* it will stand in requests, ledgers and messages */
    if (redact_holds_piece(target, asked->secrets, asked->n_secrets)) return;
    if (target.len && !find_sent(asked, target)) a->rename_to = target;
}

static void change_schema(capability_schema schema, judge_action *a) {
    a->kind = JUDGE_ACTION_SCHEMA;
    a->has_wait = true;
    a->schema = schema;
}

/* ---- the status ---- */

/* With status 200 the error's own number counts; without one, what its codes say. */
static int status_of(const error_body *e, int http_status) {
    if (http_status / 100 != 2) return http_status;
    if (e->status) return e->status;
    if (error_body_has_code(e, "invalid_request_error")) return 400;
    return 500;
}

static bool is_retryable(int status) {
    static const int codes[] = {408, 409, 424, 425, 429, 498, 499};
    for (size_t i = 0; i < N_OF(codes); i++)
        if (status == codes[i]) return true;
    return status >= 500 && status != 501;
}

static bool stops_run(int status) {
    static const int codes[] = {401, 402, 403, 404, 405, 407, 501};
    for (size_t i = 0; i < N_OF(codes); i++)
        if (status == codes[i]) return true;
    return status < 400; /* redirects are never followed */
}

static void decide_status(const judge_answer *answer, const judge_asked *asked,
                          int status, judge_action *a) {
    int64_t wait_ms;
    bool pays_later = status == 402 && retry_after_get(answer, asked->now_ms, &wait_ms);
    if (is_retryable(status) || pays_later) {
        a->is_overload = status == 429 || status == 503 || status == 529;
        retry_after(answer, asked, a);
    } else if (stops_run(status)) {
        fail_run(a);
    } else {
        a->kind = JUDGE_ACTION_FAIL;
        a->scope = JUDGE_SCOPE_CALL;
    }
}

void decide_error(const error_body *e, const judge_answer *answer,
                  const judge_asked *asked, judge_action *a) {
    int status = status_of(e, answer->status);
    bool is_refusal = status == 400 || status == 422;
    capability_schema schema;
    if (speaks_of_money(e))
        fail_run(a);
    else if (is_context_overflow(e, status))
        fail_sample(a, VERDICT_REASON_CONTEXT_LENGTH);
    else if (is_filtered(e, status))
        fail_sample(a, VERDICT_REASON_CONTENT_FILTER);
    else if (is_too_large(e, status))
        fail_sample(a, VERDICT_REASON_REQUEST_TOO_LARGE);
    else if ((is_refusal || status == 403) && refuses_logprobs(e, asked))
        drop_logprobs(e, asked, a);
    else if (is_final_code(e))
        fail_run(a);
    else if (is_busy_code(e) && (is_refusal || answer->status / 100 == 2))
        decide_status(answer, asked, 429, a);
    else if (is_refusal && refuses_n(e, asked))
        split_n(asked, a);
    else if (is_refusal && refuses_format(e, asked) && other_schema(e, asked, &schema))
        change_schema(schema, a);
    else if (is_refusal && refuses_param(e))
        adapt_param(e, asked, a);
    else
        decide_status(answer, asked, status, a);
}
