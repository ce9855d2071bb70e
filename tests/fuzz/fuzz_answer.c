/* SPDX-License-Identifier: MIT
 *
 * Fuzz target: endpoints' answers.
 *
 *   "o3 200\n"                 codec (o, a, v), samples asked, status
 *   "Content-Type: x\n" ...    headers, up to an empty line
 *   body
 *
 * Whatever comes, decoding succeeds; there are as many choices as the action says,
 * waits and indexes are in range, a parameter is only adapted if it was sent, and the
 * key that the answer may hold is in nothing that comes out.
 */
#include <math.h>
#include <stdlib.h>

#include "codec/codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_HEADERS = 16 };
#define SECRET "sk-fuzz-0123456789"

#define CHECK(condition)                                                               \
    do {                                                                               \
        if (!(condition)) abort();                                                     \
    } while (0)

static const judge_sent sent[] = {
    {{"temperature", 11}, false}, {{"max_tokens", 10}, false}, {{"renamed", 7}, true}};

typedef struct input {
    const judge_codec *codec;
    judge_answer answer;
    judge_header headers[MAX_HEADERS];
    judge_asked asked;
} input;

static void read_first_line(input *in, eh_str line) {
    int64_t status = 0;
    bool is_anthropic = line.len > 0 && line.ptr[0] == 'a';
    bool is_vectors = line.len > 0 && line.ptr[0] == 'v';
    in->codec = is_anthropic ? &judge_codec_anthropic
                : is_vectors ? &judge_codec_vectors
                             : &judge_codec_openai;
    in->asked.n_samples = 1;
    if (line.len > 1 && line.ptr[1] >= '1' && line.ptr[1] <= '9' && !is_anthropic)
        in->asked.n_samples = line.ptr[1] - '0';
    if (line.len > 3 && eh_str_to_i64(eh_str_slice(line, 3, line.len), &status) &&
        status > 0 && status < 1000)
        in->answer.status = (int)status;
}

static void read_input(input *in, eh_str text) {
    static const eh_str secret = {SECRET, sizeof SECRET - 1};
    eh_str rest = text, line = EH_STR("");
    *in = (input){.asked = {.sent = sent,
                            .n_sent = sizeof sent / sizeof sent[0],
                            .estimated_prompt_tokens = 100,
                            .secrets = &secret,
                            .n_secrets = 1,
                            .host = EH_STR("host"),
                            .now_ms = INT64_C(1795953600000)}};
    (void)eh_str_split(&rest, '\n', &line);
    read_first_line(in, line);
    while (eh_str_split(&rest, '\n', &line) && line.len) {
        size_t colon = eh_str_find(line, EH_STR(":"), 0);
        if (colon == SIZE_MAX || in->answer.n_headers == MAX_HEADERS) continue;
        in->headers[in->answer.n_headers++] = (judge_header){
            eh_str_slice(line, 0, colon), eh_str_slice(line, colon + 1, line.len)};
    }
    in->answer.headers = in->headers;
    in->answer.body = rest.ptr ? rest : EH_STR("");
}

static void check_hidden(eh_str s) {
    CHECK(eh_str_find(s, EH_STR(SECRET), 0) == SIZE_MAX);
}

static void check_choice(const input *in, const judge_choice *c) {
    CHECK(in->codec->is_list == (c->n_dims > 0));
    for (size_t d = 0; d < c->n_dims; d++)
        CHECK(isfinite(c->vector[d]));
    check_hidden(c->content);
    check_hidden(c->reasoning);
    check_hidden(c->refusal);
    check_hidden(c->finish_reason);
}

static void check_action(const input *in, const judge_action *a) {
    int n = in->asked.n_samples;
    CHECK(a->n_choices >= 0 && a->n_choices <= n && a->n_surplus >= 0);
    CHECK(!a->has_wait || (a->wait_ms >= 0 && a->wait_ms <= 600000));
    CHECK(a->kind == JUDGE_ACTION_OK || a->message.len > 0);
    if (a->kind == JUDGE_ACTION_OK) CHECK(a->n_choices == n);
    if (a->kind == JUDGE_ACTION_SPLIT_N)
        CHECK(n > 1 && a->n_missing == n - a->n_choices && a->n_missing > 0);
    if (a->kind == JUDGE_ACTION_HALVE)
        CHECK(in->codec->is_list && n > 1 && a->n_choices == 0);
    if (a->kind == JUDGE_ACTION_DROP_PARAM)
        CHECK(eh_str_eq_cstr(a->param, "temperature") ||
              eh_str_eq_cstr(a->param, "max_tokens"));
    if (a->kind == JUDGE_ACTION_FAIL && a->scope == JUDGE_SCOPE_SAMPLE)
        CHECK(a->reason != VERDICT_REASON_NONE);
    for (int i = 0; i < a->n_choices; i++)
        check_choice(in, &a->choices[i]);
    check_hidden(a->message);
    check_hidden(a->model);
    check_hidden(a->fingerprint);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static json_reader *reader;
    if (!reader) reader = json_reader_new();
    input in;
    judge_action a, again;
    eh_arena arena;
    arena_init(&arena, (size_t)1 << 30);
    read_input(&in, (eh_str){(const char *)data, size});
    CHECK(judge_decode(in.codec, &in.answer, &in.asked, reader, &arena, &a, NULL) ==
          EH_STATUS_OK);
    check_action(&in, &a);
    CHECK(judge_decode(in.codec, &in.answer, &in.asked, reader, &arena, &again, NULL) ==
          EH_STATUS_OK);
    CHECK(again.kind == a.kind && again.scope == a.scope && again.reason == a.reason);
    CHECK(again.n_choices == a.n_choices && again.wait_ms == a.wait_ms);
    arena_deinit(&arena);
    return 0;
}
