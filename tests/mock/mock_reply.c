/* SPDX-License-Identifier: MIT
 *
 * Replies: a valid one in the form that the prompt asks for, with scores from a hash of
 * the messages and the sample index, so that the same sample always gets the same text.
 *
 * The index of a choice is the request's seed plus its place among the choices; without
 * a seed it is the number of choices that this prompt has had before.
 */
#include <stdio.h>

#include "base/hash.h"
#include "mock.h"

static void hash_message(eh_hash *h, eh_str role, eh_str content) {
    hash_str(h, role);
    hash_str(h, content);
}

static int64_t number_of(const json_value *root, const char *name) {
    const json_value *v = json_get(root, name);
    int64_t value = -1;
    if (v && v->kind == JSON_NUMBER) (void)eh_str_to_i64(v->text, &value);
    return value;
}

/* Both protocols give the same digest for the same texts. */
void mock_asked_read(const json_value *root, bool is_anthropic, mock_asked *asked) {
    eh_hash h;
    uint8_t digest[HASH_BYTES];
    *asked =
        (mock_asked){.is_anthropic = is_anthropic, .root = root, .n = 1, .seed = -1};
    hash_init(&h, "mock-prompt");
    eh_str system = json_get_str(root, "system");
    if (system.len) hash_message(&h, EH_STR("system"), system);
    const json_value *messages = json_get(root, "messages");
    for (const json_value *v = messages ? messages->child : NULL; v; v = v->next) {
        asked->text = json_get_str(v, "content");
        hash_message(&h, json_get_str(v, "role"), asked->text);
        asked->n_prompt_bytes += (int64_t)asked->text.len;
    }
    asked->n_prompt_bytes += (int64_t)system.len;
    hash_done(&h, digest);
    asked->prompt[0] = hash_u64(digest) | 1;
    asked->prompt[1] = hash_u64(digest + 8);
    const json_value *logprobs = json_get(root, "logprobs");
    asked->seed = number_of(root, "seed");
    asked->top_logprobs = number_of(root, "top_logprobs");
    asked->wants_logprobs = logprobs && logprobs->boolean;
    asked->max_tokens = number_of(root, "max_tokens");
    if (asked->max_tokens < 0)
        asked->max_tokens = number_of(root, "max_completion_tokens");
    if (number_of(root, "n") > 0) asked->n = number_of(root, "n");
}

static uint64_t sample_key(const mock_asked *a, int64_t index, uint64_t key[2]) {
    eh_hash h;
    uint8_t digest[HASH_BYTES];
    hash_init(&h, "mock-sample");
    hash_i64(&h, (int64_t)a->prompt[0]);
    hash_i64(&h, (int64_t)a->prompt[1]);
    hash_i64(&h, index);
    hash_done(&h, digest);
    key[0] = hash_u64(digest) | 1;
    key[1] = hash_u64(digest + 8);
    return hash_u64(digest + 16);
}

static bool asks_for(const mock_asked *a, const char *words) {
    return eh_str_find(a->text, eh_str_of(words), 0) != SIZE_MAX;
}

static void write_text(const mock_asked *a, uint64_t draw, eh_buf *text) {
    static const char *const tokens[] = {"A", "B", "C"};
    int first = 1 + (int)(draw % 10), second = 1 + (int)(draw / 16 % 10);
    for (int i = 1; asks_for(a, "Count from 1 to 200") && i <= 200; i++)
        buf_printf(text, "%s%d", i > 1 ? ", " : "", i);
    if (text->len) return;
    buf_printf(text, "Evaluation evidence: run %08llx looked at both answers. ",
               (unsigned long long)(draw >> 32));
    if (asks_for(a, "Score of the Assistant 1"))
        buf_printf(text,
                   "\n\nScore of the Assistant 1: %d\nScore of the Assistant 2: %d",
                   first, second);
    else if (asks_for(a, "\"verdict\"")) {
        buf_reset(text);
        buf_printf(text,
                   "{\"reason\": \"run %08llx\", \"score_1\": %d, \"score_2\": %d, "
                   "\"verdict\": \"%s\"}",
                   (unsigned long long)(draw >> 32), first, second,
                   first > second   ? "A"
                   : first < second ? "B"
                                    : "tie");
    } else if (asks_for(a, "Rating:"))
        buf_printf(text, "\n\nRating: %d", 1 + (int)(draw % 5));
    else
        buf_printf(text, "\n\nFinal verdict: [[%s]]", tokens[draw % 3]);
}

/* One token of four bytes, and what else it might have been. */
static void write_token(json_writer *w, eh_str token, int64_t n_others) {
    json_object_begin(w);
    json_put_str(w, "token", token);
    json_put_f64(w, "logprob", -.25);
    if (n_others >= 0) {
        json_key(w, "top_logprobs");
        json_array_begin(w);
        for (int64_t i = 0; i < n_others; i++) {
            char text[24];
            (void)snprintf(text, sizeof text, "other-%d", (int)i);
            write_token(w, eh_str_of(text), -1);
        }
        json_array_end(w);
    }
    json_object_end(w);
}

static void write_logprobs(const mock_asked *a, eh_str text, json_writer *w) {
    int64_t n_others = a->top_logprobs > 0 ? a->top_logprobs : 0;
    json_key(w, "logprobs");
    json_object_begin(w);
    json_key(w, "content");
    json_array_begin(w);
    for (size_t at = 0; at < text.len; at += 4)
        write_token(w, eh_str_slice(text, at, at + 4 < text.len ? at + 4 : text.len),
                    n_others);
    json_array_end(w);
    json_object_end(w);
}

/* `whole` is what would have been said without a limit; returns the bytes that are. */
static int64_t write_openai_choice(const mock *m, const mock_asked *a, int64_t index,
                                   eh_str whole, json_writer *w) {
    int64_t limit = m->options.obey_max_tokens ? a->max_tokens : -1;
    eh_str text = whole;
    if (limit >= 0 && (int64_t)text.len > 4 * limit) text.len = 4 * (size_t)limit;
    json_object_begin(w);
    json_put_i64(w, "index", index);
    json_key(w, "message");
    json_object_begin(w);
    json_put_cstr(w, "role", "assistant");
    json_put_str(w, "content", text);
    json_object_end(w);
    json_put_cstr(w, "finish_reason", text.len < whole.len ? "length" : "stop");
    if (a->wants_logprobs && m->options.logprobs == MOCK_LOGPROBS_GIVE)
        write_logprobs(a, text, w);
    json_object_end(w);
    return (int64_t)text.len;
}

static void write_usage(const mock *m, const mock_asked *a, int64_t n_bytes,
                        json_writer *w) {
    if (m->options.no_usage) return;
    json_key(w, "usage");
    json_object_begin(w);
    json_put_i64(w, a->is_anthropic ? "input_tokens" : "prompt_tokens",
                 a->n_prompt_bytes / 4 + 1);
    json_put_i64(w, a->is_anthropic ? "output_tokens" : "completion_tokens",
                 n_bytes / 4 + 1);
    json_object_end(w);
}

/* The texts of all choices; returns their bytes. */
static int64_t write_choices(mock *m, const mock_asked *a, eh_str key, json_writer *w) {
    int64_t n = m->options.n == MOCK_N_HONOUR ? a->n : 1, n_bytes = 0;
    int64_t before = mock_set_get(&m->prompts, a->prompt);
    int64_t first = a->seed >= 0 ? a->seed : before;
    for (int64_t i = 0; i < n; i++) {
        uint64_t sample[2];
        eh_buf text;
        uint64_t draw = sample_key(a, first + i, sample);
        buf_init(&text, BUF_MAX_SMALL);
        if (!mock_write(m, a, draw, &text)) write_text(a, draw, &text);
        if (m->options.echo_key) buf_printf(&text, "\n%.*s", EH_STR_ARG(key));
        if (a->is_anthropic) {
            json_object_begin(w);
            json_put_cstr(w, "type", "text");
            json_put_str(w, "text", buf_view(&text));
            json_object_end(w);
            n_bytes += (int64_t)text.len;
        } else {
            n_bytes += write_openai_choice(m, a, i, buf_view(&text), w);
        }
        (void)mock_set_add(&m->prompts, a->prompt);
        (void)mock_set_add(&m->samples, sample);
        if (m->log) {
            (void)fprintf(m->log, "%08llx\n", (unsigned long long)(draw >> 32));
            (void)fflush(m->log);
        }
        m->counts.n_choices++;
        buf_deinit(&text);
    }
    return n_bytes;
}

void mock_reply_write(mock *m, const mock_asked *a, eh_str key, eh_buf *body) {
    json_writer w;
    bool echo = m->options.echo_key;
    if (a->is_embedding) {
        mock_embeddings_write(m, a, body);
        return;
    }
    eh_str model = echo ? key : json_get_str(a->root, "model");
    json_writer_init(&w, body, 0);
    json_object_begin(&w);
    json_put_cstr(&w, "id", "mock-1");
    json_put_str(&w, "model", model);
    if (a->is_anthropic) {
        json_put_cstr(&w, "type", "message");
        json_put_cstr(&w, "stop_reason", "end_turn");
        json_key(&w, "content");
    } else {
        json_put_cstr(&w, "object", "chat.completion");
        json_put_str(&w, "system_fingerprint", echo ? key : EH_STR("fp_mock"));
        json_key(&w, "choices");
    }
    json_array_begin(&w);
    int64_t n_bytes = write_choices(m, a, key, &w);
    json_array_end(&w);
    write_usage(m, a, n_bytes, &w);
    json_object_end(&w);
}
