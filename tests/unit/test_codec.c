/* SPDX-License-Identifier: MIT
 *
 * Codecs: request bodies byte for byte, and replies in the shapes of many servers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>

#include "base/mem.h"
#include "base/rng.h"
#include "codec/codec.h"
#include "codec/usage.h"

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

static const prompt_message messages[] = {{{"system", 6}, {"Be fair.", 8}},
                                          {{"user", 4}, {"A \"or\" B?", 9}}};

static judge_call call_with(double temperature, int64_t max_tokens, int64_t seed,
                            int n) {
    return (judge_call){.model = EH_STR("m"),
                        .messages = messages,
                        .n_messages = 2,
                        .params = {.temperature = temperature,
                                   .max_tokens = max_tokens,
                                   .request_seed = seed},
                        .n_samples = n};
}

#define OPENAI_HEAD                                                                    \
    "{\"model\": \"m\", \"messages\": [{\"role\": \"system\", \"content\": \"Be "      \
    "fair.\"}, {\"role\": \"user\", \"content\": \"A \\\"or\\\" B?\"}]"
#define ANTHROPIC_HEAD                                                                 \
    "{\"model\": \"m\", \"system\": \"Be fair.\", \"messages\": [{\"role\": "          \
    "\"user\", "                                                                       \
    "\"content\": \"A \\\"or\\\" B?\"}], \"max_tokens\": "

/* ---- requests ---- */

static void check_body(const judge_codec *codec, const judge_call *call,
                       const capability *c, const char *body, const char *effective) {
    eh_arena arena;
    judge_request_body out;
    arena_init(&arena, 1 << 20);
    assert_int_equal(codec->encode(call, c, &arena, &out, NULL), EH_STATUS_OK);
    assert_string_equal(out.body.ptr, body);
    if (effective)
        assert_string_equal(out.effective.ptr, effective);
    else
        assert_true(eh_str_is_absent(out.effective));
    arena_deinit(&arena);
}

static void openai_bodies(void **state) {
    (void)state;
    capability vendor =
        capability_of(EH_STR("openai"), EH_STR("api.openai.com"), EH_STR("m"));
    capability other =
        capability_of(EH_STR("openai"), EH_STR("localhost:8000"), EH_STR("m"));
    judge_call plain = call_with(NAN, -1, -1, 1), full = call_with(.5, 99, 7, 3);
    check_body(&judge_codec_openai, &plain, &vendor, OPENAI_HEAD "}", NULL);
    check_body(&judge_codec_openai, &full, &other,
               OPENAI_HEAD ", \"n\": 3, \"temperature\": 0.5, \"max_tokens\": 99, "
                           "\"seed\": 7}",
               NULL);
    check_body(&judge_codec_openai, &full, &vendor,
               OPENAI_HEAD ", \"n\": 3, \"temperature\": 0.5, "
                           "\"max_completion_tokens\": 99, \"seed\": 7}",
               "{\"renamed\": {\"max_tokens\": \"max_completion_tokens\"}}");
    assert_true(capability_learn(&other, EH_STR("temperature"), EH_STR("")));
    assert_false(capability_learn(&other, EH_STR("temperature"), EH_STR("")));
    assert_true(capability_learn(&other, EH_STR("max_tokens"), EH_STR("max_out")));
    check_body(&judge_codec_openai, &full, &other,
               OPENAI_HEAD ", \"n\": 3, \"max_out\": 99, \"seed\": 7}",
               "{\"dropped\": [\"temperature\"], \"renamed\": {\"max_tokens\": "
               "\"max_out\"}}");
}

static void bodies_of_known_hosts(void **state) {
    (void)state;
    capability mistral =
        capability_of(EH_STR("openai"), EH_STR("api.mistral.ai"), EH_STR("m"));
    capability gemini =
        capability_of(EH_STR("openai"), EH_STR("generativelanguage.googleapis.com"),
                      EH_STR("gemini-3-pro"));
    capability ollama =
        capability_of(EH_STR("openai"), EH_STR("box:11434"), EH_STR("m"));
    judge_call call = call_with(NAN, -1, 7, 1);
    check_body(&judge_codec_openai, &call, &mistral,
               OPENAI_HEAD ", \"random_seed\": 7}",
               "{\"renamed\": {\"seed\": \"random_seed\"}}");
    check_body(&judge_codec_openai, &call, &gemini, OPENAI_HEAD "}",
               "{\"dropped\": [\"seed\"]}");
    assert_int_equal(gemini.n_max, 1);
    assert_int_equal(ollama.n_max, 1);
    assert_int_equal(mistral.n_max, CAPABILITY_N_ANY);
}

static void json_is_asked_for(void **state) {
    (void)state;
    capability any = capability_of(EH_STR("openai"), EH_STR("h"), EH_STR("m"));
    judge_call call = call_with(NAN, -1, -1, 1);
    call.wants_json = true;
    call.verdict_first = true;
    eh_str schema = verdict_json_schema(true);
    char want[2000];
    (void)snprintf(
        want, sizeof want,
        OPENAI_HEAD
        ", \"response_format\": {\"type\": \"json_schema\", \"json_schema\": "
        "{\"name\": \"verdict\", \"strict\": true, \"schema\": %.*s}}}",
        EH_STR_ARG(schema));
    check_body(&judge_codec_openai, &call, &any, want, NULL);
    any.schema = CAPABILITY_SCHEMA_OBJECT;
    check_body(&judge_codec_openai, &call, &any,
               OPENAI_HEAD ", \"response_format\": {\"type\": \"json_object\"}}",
               "{\"changed\": {\"response_format\": \"json_object\"}}");
    any.schema = CAPABILITY_SCHEMA_TGI;
    (void)snprintf(want, sizeof want,
                   OPENAI_HEAD
                   ", \"response_format\": {\"type\": \"json\", \"value\": %.*s}}",
                   EH_STR_ARG(schema));
    check_body(&judge_codec_openai, &call, &any, want, NULL);
    any.schema = CAPABILITY_SCHEMA_NONE;
    check_body(&judge_codec_openai, &call, &any, OPENAI_HEAD "}",
               "{\"dropped\": [\"response_format\"]}");
    judge_extra own = {EH_STR("response_format"), EH_STR("{\"type\":\"text\"}")};
    call.extras = &own;
    call.n_extras = 1;
    check_body(&judge_codec_openai, &call, &any,
               OPENAI_HEAD ", \"response_format\": {\"type\":\"text\"}}", NULL);
}

static void logprobs_are_asked_for(void **state) {
    (void)state;
    capability c = capability_of(EH_STR("openai"), EH_STR("h"), EH_STR("m"));
    capability tgi = capability_of(EH_STR("openai"), EH_STR("h:80"), EH_STR("tgi"));
    capability groq =
        capability_of(EH_STR("openai"), EH_STR("api.groq.com"), EH_STR("m"));
    judge_call call = call_with(NAN, -1, -1, 1);
    call.params.wants_logprobs = true;
    check_body(&judge_codec_openai, &call, &c, OPENAI_HEAD ", \"logprobs\": true}",
               NULL);
    call.params.top_logprobs = 20;
    check_body(&judge_codec_openai, &call, &c,
               OPENAI_HEAD ", \"logprobs\": true, \"top_logprobs\": 20}", NULL);
    check_body(&judge_codec_openai, &call, &tgi,
               OPENAI_HEAD ", \"logprobs\": true, \"top_logprobs\": 5}",
               "{\"changed\": {\"top_logprobs\": 5}}");
    check_body(&judge_codec_openai, &call, &groq, OPENAI_HEAD "}",
               "{\"dropped\": [\"logprobs\"]}");
    assert_true(capability_learn(&tgi, EH_STR("top_logprobs"), EH_STR("")));
    check_body(&judge_codec_openai, &call, &tgi, OPENAI_HEAD ", \"logprobs\": true}",
               "{\"dropped\": [\"top_logprobs\"]}");
    assert_true(capability_learn(&c, EH_STR("logprobs"), EH_STR("")));
    check_body(&judge_codec_openai, &call, &c, OPENAI_HEAD "}",
               "{\"dropped\": [\"logprobs\"]}");
    capability anthropic = capability_of(EH_STR("anthropic"), EH_STR("h"), EH_STR("m"));
    call.params.max_tokens = 9;
    check_body(&judge_codec_anthropic, &call, &anthropic, ANTHROPIC_HEAD "9}",
               "{\"dropped\": [\"logprobs\"]}");
}

static void anthropic_bodies(void **state) {
    (void)state;
    capability c =
        capability_of(EH_STR("anthropic"), EH_STR("api.anthropic.com"), EH_STR("m"));
    judge_call call = call_with(1, -1, 7, 1);
    check_body(&judge_codec_anthropic, &call, &c,
               ANTHROPIC_HEAD "4096, \"temperature\": 1}",
               "{\"dropped\": [\"seed\"], \"added\": {\"max_tokens\": 4096}}");
    call = call_with(NAN, 50, -1, 1);
    judge_extra own = {EH_STR("output_config"), EH_STR("{\"effort\":\"low\"}")};
    call.extras = &own;
    call.n_extras = 1;
    call.wants_json = true;
    eh_str schema = verdict_json_schema(false);
    char want[2000];
    (void)snprintf(want, sizeof want,
                   ANTHROPIC_HEAD
                   "50, \"output_config\": {\"format\": {\"type\": "
                   "\"json_schema\", \"schema\": %.*s},\"effort\":\"low\"}}",
                   EH_STR_ARG(schema));
    check_body(&judge_codec_anthropic, &call, &c, want, NULL);
    call.n_extras = 0;
    c.schema = CAPABILITY_SCHEMA_NONE;
    check_body(&judge_codec_anthropic, &call, &c, ANTHROPIC_HEAD "50}",
               "{\"dropped\": [\"output_config\"]}");
    call.n_extras = 1;
    call.wants_json = false;
    check_body(&judge_codec_anthropic, &call, &c,
               ANTHROPIC_HEAD "50, \"output_config\": {\"effort\":\"low\"}}", NULL);
}

/* ---- replies ---- */

typedef struct reply_row {
    const char *type, *body;
    const char *content, *reasoning, *finish, *refusal; /* NULL = absent */
} reply_row;

#define ONE(message, rest) "{\"choices\":[{\"index\":0,\"message\":" message rest "}]}"

static const reply_row openai_rows[] = {
    {"", ONE("{\"content\":\"x\"}", ",\"finish_reason\":\"stop\""), "x", NULL, "stop",
     NULL},
    {"", ONE("{\"content\":null,\"refusal\":\"no\"}", ",\"finish_reason\":null"), NULL,
     NULL, NULL, "no"},
    {"", ONE("{\"content\":\"\"}", ""), "", NULL, NULL, NULL},
    {"", ONE("{\"content\":\"x\",\"reasoning_content\":\"r\"}", ""), "x", "r", NULL,
     NULL},
    {"", ONE("{\"content\":\"x\",\"reasoning\":\"r\",\"reasoning_content\":\"r\"}", ""),
     "x", "r", NULL, NULL},
    {"", ONE("{\"content\":\"x\",\"thinking\":\"r\"}", ""), "x", "r", NULL, NULL},
    {"",
     ONE("{\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\","
         "\"text\":\"r\"}]},{\"type\":\"text\",\"text\":\"x\"},\"y\"]}",
         ""),
     "xy", "r", NULL, NULL},
    {"", ONE("{\"content\":\"x\"}", ",\"finish_reason\":\"model_length\""), "x", NULL,
     "length", NULL},
    {"", ONE("{\"content\":\"x\"}", ",\"finish_reason\":\"something_new\",\"zz\":{}"),
     "x", NULL, "something_new", NULL},
    {"", "{\"choices\":[{}]}", NULL, NULL, NULL, NULL},
    {"", ONE("{\"content\":\"a\\u0000b\\ud800\"}", ""), NULL, NULL, NULL, NULL},
    {"text/event-stream",
     "\xEF\xBB\xBF: c\r\ndata: {\"choices\":[{\"index\":0,\r\ndata: "
     "\"delta\":{\"content\":"
     "\"x\"}}]}\r\n\r\ndata:\r\n\r\nevent: "
     "y\r\ndata:{\"choices\":[{\"index\":0,\"delta\":"
     "{\"content\":\"y\",\"reasoning_content\":\"r\"},\"finish_reason\":\"stop\"}]}",
     "xy", "r", "stop", NULL},
    {"text/plain",
     "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\ndata: [DONE]", "x", NULL,
     NULL, NULL},
};

static bool same(const char *want, eh_str got) {
    return want ? eh_str_eq_cstr(got, want) : eh_str_is_absent(got);
}

static void decode_reply(const judge_codec *codec, const char *type, const char *body,
                         int n, eh_arena *arena, judge_action *a) {
    judge_header header = {EH_STR("Content-Type"), eh_str_of(type)};
    judge_answer answer = {
        .status = 200, .headers = &header, .n_headers = 1, .body = eh_str_of(body)};
    judge_asked asked = {.n_samples = n, .host = EH_STR("h")};
    json_reader *reader = json_reader_new();
    arena_init(arena, 64 << 20);
    assert_int_equal(judge_decode(codec, &answer, &asked, reader, arena, a, NULL),
                     EH_STATUS_OK);
    json_reader_free(reader);
}

static void check_reply(const judge_codec *codec, const reply_row *r) {
    eh_arena arena;
    judge_action a;
    decode_reply(codec, r->type, r->body, 1, &arena, &a);
    if (a.kind != JUDGE_ACTION_OK)
        fail_msg("%s: action %d, %.*s", r->body, a.kind, EH_STR_ARG(a.message));
    const judge_choice *c = &a.choices[0];
    bool good = same(r->reasoning, c->reasoning) && same(r->finish, c->finish_reason) &&
                same(r->refusal, c->refusal);
    if (strstr(r->body, "\\u0000")) /* NUL is a byte, a lone surrogate is replaced */
        good = good && eh_str_eq(c->content, EH_STR("a\0b\xEF\xBF\xBD"));
    else
        good = good && same(r->content, c->content);
    if (!good) fail_msg("%s: '%.*s'", r->body, EH_STR_ARG(c->content));
    arena_deinit(&arena);
}

static void openai_replies(void **state) {
    (void)state;
    for (size_t i = 0; i < N_OF(openai_rows); i++)
        check_reply(&judge_codec_openai, &openai_rows[i]);
}

static const reply_row anthropic_rows[] = {
    {"",
     "{\"type\":\"message\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"r\"},"
     "{\"type\":\"text\",\"text\":\"x\"},{\"type\":\"text\",\"text\":\"y\"}],"
     "\"stop_reason\":\"end_turn\"}",
     "xy", "r", "stop", NULL},
    {"", "{\"content\":[],\"stop_reason\":\"max_tokens\"}", NULL, NULL, "length", NULL},
    {"", "{\"content\":[],\"stop_reason\":\"model_context_window_exceeded\"}", NULL,
     NULL, "length", NULL},
    {"", "{\"content\":[],\"stop_reason\":\"refusal\"}", NULL, NULL, "refusal",
     "refusal"},
    {"text/event-stream",
     "event: message_start\ndata: "
     "{\"type\":\"message_start\",\"message\":{\"model\":\"m\","
     "\"usage\":{\"input_tokens\":5,\"output_tokens\":1}}}\n\n"
     "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"thinking_delta\","
     "\"thinking\":\"r\"}}\n\n"
     "data: "
     "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":"
     "\"x\"}}\n\n"
     "data: "
     "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":"
     "{\"output_tokens\":9}}\n\n"
     "data: {\"type\":\"message_stop\"}\n\n",
     "x", "r", "stop", NULL},
};

static void anthropic_replies(void **state) {
    (void)state;
    for (size_t i = 0; i < N_OF(anthropic_rows); i++)
        check_reply(&judge_codec_anthropic, &anthropic_rows[i]);
}

static void broken_streams(void **state) {
    (void)state;
    static const char *const bodies[] = {
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Score\"}}]}\n\n",
        "data: "
        "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Score\"}}]}\n\ndata: "
        "{\"ch",
        "data: {\"error\":{\"code\":502,\"message\":\"x\"}}\n\n",
        ": only a comment\n\n",
        "data: [DONE]\n\n",
    };
    for (size_t i = 0; i < N_OF(bodies); i++) {
        eh_arena arena;
        judge_action a;
        decode_reply(&judge_codec_openai, "text/event-stream", bodies[i], 1, &arena,
                     &a);
        assert_int_equal(a.kind, JUDGE_ACTION_RETRY);
        arena_deinit(&arena);
    }
}

static void choices_by_index(void **state) {
    (void)state;
    eh_arena arena;
    judge_action a;
    decode_reply(&judge_codec_openai, "",
                 "{\"choices\":[{\"index\":2,\"message\":{\"content\":\"c\"}},"
                 "{\"index\":0,\"message\":{\"content\":\"a\"}},"
                 "{\"index\":1,\"message\":{\"content\":\"b\"}}]}",
                 2, &arena, &a);
    assert_int_equal(a.kind, JUDGE_ACTION_OK);
    assert_int_equal(a.n_choices, 2);
    assert_int_equal(a.n_surplus, 1);
    assert_true(eh_str_eq_cstr(a.choices[0].content, "a"));
    assert_true(eh_str_eq_cstr(a.choices[1].content, "b"));
    arena_deinit(&arena);
    /* one came to nothing: asked again, and n is still believed in */
    decode_reply(&judge_codec_openai, "",
                 "{\"choices\":[{\"index\":0,\"finish_reason\":\"error\"},"
                 "{\"index\":1,\"message\":{\"content\":\"b\"}}]}",
                 2, &arena, &a);
    assert_int_equal(a.kind, JUDGE_ACTION_SPLIT_N);
    assert_int_equal(a.n_missing, 1);
    assert_false(a.n_unsupported);
    arena_deinit(&arena);
}

/* As they came, and of a stream put together. */
static void logprobs_are_kept(void **state) {
    (void)state;
    static const char *const bodies[][2] = {
        {"{\"choices\":[{\"index\":0,\"message\":{\"content\":\"7\"},\"logprobs\":"
         "{\"content\":[{\"token\":\"7\",\"logprob\":-0.10,\"bytes\":null,\"own\":1e2}]"
         ","
         "\"refusal\":null}}]}",
         "{\"content\": [{\"token\": \"7\", \"logprob\": -0.10, \"bytes\": null, "
         "\"own\": 1e2}], \"refusal\": null}"},
        {"data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"logprobs\":{\"content\":"
         "[{\"token\":\"a\"}]}}]}\n\ndata: "
         "{\"choices\":[{\"delta\":{\"content\":\"b\"},"
         "\"logprobs\":{\"content\":[{\"token\":\"b\"},{\"token\":\"c\"}]}}]}\n\ndata: "
         "{\"choices\":[{\"delta\":{},\"logprobs\":null,\"finish_reason\":\"stop\"}]}"
         "\n\n",
         "{\"content\": [{\"token\": \"a\"}, {\"token\": \"b\"}, {\"token\": \"c\"}]}"},
        {ONE("{\"content\":\"x\"}", ",\"logprobs\":null"), NULL},
        {ONE("{\"content\":\"x\"}", ",\"logprobs\":[1]"), NULL},
    };
    for (size_t i = 0; i < N_OF(bodies); i++) {
        eh_arena arena;
        judge_action a;
        decode_reply(&judge_codec_openai, "", bodies[i][0], 1, &arena, &a);
        assert_int_equal(a.kind, JUDGE_ACTION_OK);
        eh_str got = a.choices[0].logprobs;
        if (!same(bodies[i][1], got)) fail_msg("%zu: '%.*s'", i, EH_STR_ARG(got));
        arena_deinit(&arena);
    }
}

/* A key that is echoed is in the tokens piece by piece: none of them are kept. */
static void logprobs_of_a_key(void **state) {
    (void)state;
    static const char body[] =
        "{\"choices\":[{\"index\":0,\"message\":{\"content\":\"sk-123456789\"},"
        "\"logprobs\":{\"content\":[{\"token\":\"sk-\"},{\"token\":\"123456789\"}]}},"
        "{\"index\":1,\"message\":{\"content\":\"x\"},"
        "\"logprobs\":{\"content\":[{\"token\":\"x\"}]}}]}";
    eh_str secret = EH_STR("sk-123456789");
    judge_answer answer = {.status = 200, .body = eh_str_of(body)};
    judge_asked asked = {
        .n_samples = 2, .host = EH_STR("h"), .secrets = &secret, .n_secrets = 1};
    json_reader *reader = json_reader_new();
    eh_arena arena;
    judge_action a;
    arena_init(&arena, 64 << 20);
    assert_int_equal(
        judge_decode(&judge_codec_openai, &answer, &asked, reader, &arena, &a, NULL),
        EH_STATUS_OK);
    assert_true(eh_str_eq_cstr(a.choices[0].content, "[key]"));
    assert_true(eh_str_is_absent(a.choices[0].logprobs));
    assert_true(eh_str_eq_cstr(a.choices[1].logprobs, "{\"content\": [{\"token\": "
                                                      "\"x\"}]}"));
    arena_deinit(&arena);
    json_reader_free(reader);
}

static void usages(void **state) {
    (void)state;
    static const struct {
        bool is_anthropic;
        const char *json;
        judge_usage want;
    } rows[] = {
        {false,
         "{\"prompt_tokens\":9,\"completion_tokens\":2.0,\"prompt_tokens_details\":"
         "{\"cached_tokens\":4},\"completion_tokens_details\":{\"reasoning_tokens\":1}"
         "}",
         {9, 4, 2, 1}},
        {false,
         "{\"prompt_tokens\":9,\"prompt_cache_hit_tokens\":3,\"reasoning_tokens\":1,"
         "\"prompt_tokens_details\":null}",
         {9, 3, -1, 1}},
        {false,
         "{\"prompt_tokens\":-1,\"completion_tokens\":\"7\",\"total_tokens\":20}",
         {-1, -1, -1, -1}},
        {false, "{\"prompt_tokens\":1e30,\"completion_tokens\":1.5}", {-1, -1, -1, -1}},
        {true,
         "{\"input_tokens\":50,\"cache_creation_input_tokens\":7,"
         "\"cache_read_input_tokens\":900,\"output_tokens\":1,"
         "\"output_tokens_details\":{\"thinking_tokens\":0}}",
         {957, 900, 1, 0}},
        {true, "{\"input_tokens\":50,\"output_tokens\":1}", {50, -1, 1, -1}},
        {true, "{\"cache_read_input_tokens\":900}", {-1, 900, -1, -1}},
    };
    json_reader *reader = json_reader_new();
    for (size_t i = 0; i < N_OF(rows); i++) {
        eh_arena arena;
        json_fault fault;
        arena_init(&arena, 1 << 20);
        const json_value *v =
            json_read(reader, &arena, eh_str_of(rows[i].json), &fault);
        judge_usage u = rows[i].is_anthropic ? usage_anthropic(v) : usage_openai(v);
        assert_memory_equal(&u, &rows[i].want, sizeof u);
        arena_deinit(&arena);
    }
    json_reader_free(reader);
}

static void shares_add_up(void **state) {
    (void)state;
    judge_usage whole = {900, 100, 17, -1}, sum = {0, 0, 0, 0};
    for (int i = 0; i < 5; i++) {
        judge_usage u = usage_share(&whole, i, 5);
        sum.prompt_tokens += u.prompt_tokens;
        sum.cached_tokens += u.cached_tokens;
        sum.completion_tokens += u.completion_tokens;
        assert_int_equal(u.reasoning_tokens, -1);
    }
    assert_int_equal(sum.prompt_tokens, 900);
    assert_int_equal(sum.cached_tokens, 100);
    assert_int_equal(sum.completion_tokens, 17);
}

/* Words are counted eight bytes at a time; here one character after the other. */
static void words_are_counted(void **state) {
    static const char *const parts[] = {"a",        "b",        "~",           "\x7F",
                                        " ",        " ",        "\n",          "\x01",
                                        "\xC3\xA9", "\xC2\xA0", "\xE4\xBD\xA0"};
    (void)state;
    eh_rng rng = rng_make(5, "test.words", 1);
    for (int round = 0; round < 3000; round++) {
        char text[200] = "";
        size_t len = 0;
        int64_t n_words = 0, n_spaceless = 0;
        bool in_word = false;
        for (uint64_t i = rng_below(&rng, 50); i > 0; i--) {
            size_t k = (size_t)rng_below(&rng, N_OF(parts));
            bool is_space = k >= 4 && k != 8 && k < 10, is_spaceless = k == 10;
            memcpy(text + len, parts[k], strlen(parts[k]) + 1); /* 150 at most */
            len += strlen(parts[k]);
            n_words += !is_space && !is_spaceless && !in_word;
            in_word = !is_space && !is_spaceless;
            n_spaceless += is_spaceless;
        }
        assert_int_equal(usage_estimate_low(eh_str_of(text)),
                         n_words * 4 / 3 + n_spaceless * 3 / 5);
    }
}

static void estimates(void **state) {
    (void)state;
    assert_int_equal(usage_estimate_low(EH_STR("")), 0);
    assert_int_equal(usage_estimate_low(EH_STR("three short words")), 4);
    assert_int_equal(usage_estimate_low(EH_STR("\xE4\xBD\xA0\xE5\xA5\xBD\xE4\xB8\x96"
                                               "\xE7\x95\x8C\xE4\xBD\xA0")),
                     3);
    eh_str word = EH_STR("a word or two of plain text, as people write it");
    assert_true(usage_estimate_high(word) > usage_estimate_low(word));
}

static void encoding_without_memory(void **state) {
    (void)state;
    static const judge_codec *const codecs[] = {&judge_codec_openai,
                                                &judge_codec_anthropic};
    for (size_t i = 0; i < N_OF(codecs); i++) {
        capability c =
            capability_of(eh_str_of(codecs[i]->name), EH_STR("h"), EH_STR("m"));
        judge_call call = call_with(1, 9, 7, 2);
        assert_true(capability_learn(&c, EH_STR("temperature"), EH_STR("")));
        for (int nth = 1;; nth++) {
            eh_arena arena;
            judge_request_body out;
            arena_init(&arena, 1 << 20);
            mem_fail_at(nth, true);
            eh_status status = codecs[i]->encode(&call, &c, &arena, &out, NULL);
            mem_fail_at(0, false);
            arena_deinit(&arena);
            if (status == EH_STATUS_OK) break;
            assert_int_equal(status, EH_STATUS_NOMEM);
            assert_true(nth < 50);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(openai_bodies),     cmocka_unit_test(bodies_of_known_hosts),
        cmocka_unit_test(json_is_asked_for), cmocka_unit_test(logprobs_are_asked_for),
        cmocka_unit_test(logprobs_are_kept), cmocka_unit_test(logprobs_of_a_key),
        cmocka_unit_test(anthropic_bodies),  cmocka_unit_test(openai_replies),
        cmocka_unit_test(anthropic_replies), cmocka_unit_test(broken_streams),
        cmocka_unit_test(choices_by_index),  cmocka_unit_test(usages),
        cmocka_unit_test(shares_add_up),     cmocka_unit_test(words_are_counted),
        cmocka_unit_test(estimates),         cmocka_unit_test(encoding_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
