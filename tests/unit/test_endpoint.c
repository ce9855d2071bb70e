/* SPDX-License-Identifier: MIT
 *
 * Addresses and judge ids, members added to bodies, and keys taken out of texts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "codec/endpoint.h"
#include "judge/extra_body.h"
#include "codec/redact.h"

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

typedef struct url_row {
    bool is_anthropic;
    const char *text, *url, *id; /* url NULL: refused */
} url_row;

static const url_row urls[] = {
    {false, "https://api.openai.com/v1", "https://api.openai.com/v1/chat/completions",
     "openai:m"},
    {false, "https://API.openai.com:443", "https://api.openai.com/v1/chat/completions",
     "openai:m"},
    {false, "http://localhost:8000", "http://localhost:8000/v1/chat/completions",
     "openai:m@localhost:8000/v1"},
    {false, "http://localhost:8000/v1/", "http://localhost:8000/v1/chat/completions",
     "openai:m@localhost:8000/v1"},
    {false, "http://h/v1/chat/completions/", "http://h/v1/chat/completions",
     "openai:m@h/v1"},
    {false, " https://openrouter.ai/api/v1 ",
     "https://openrouter.ai/api/v1/chat/completions", "openai:m@openrouter.ai/api/v1"},
    {false, "https://g.example.org/v1beta/openai/",
     "https://g.example.org/v1beta/openai/chat/completions",
     "openai:m@g.example.org/v1beta/openai"},
    {false, "https://r.openai.azure.com/openai/deployments/d?api-version=2024-10-21",
     "https://r.openai.azure.com/openai/deployments/d/chat/completions"
     "?api-version=2024-10-21",
     "openai:m@r.openai.azure.com/openai/deployments/d"},
    {false, "http://[::1]:80/x", "http://[::1]/x/chat/completions", "openai:m@[::1]/x"},
    {true, "https://api.anthropic.com", "https://api.anthropic.com/v1/messages",
     "anthropic:m"},
    {true, "https://api.anthropic.com/v1", "https://api.anthropic.com/v1/messages",
     "anthropic:m"},
    {true, "https://h/anthropic/", "https://h/anthropic/v1/messages",
     "anthropic:m@h/anthropic/v1"},
    {true, "https://h/v1/messages", "https://h/v1/messages", "anthropic:m@h/v1"},
    {false, "http://user@h/v1", NULL, NULL},
    {false, "http://user:secret@h/v1", NULL, NULL},
    {false, "http://h/v1?key=abc", NULL, NULL},
    {false, "http://h/v1?a=1&access_token=abc", NULL, NULL},
    {false, "http://h/v1#part", NULL, NULL},
    {false, "localhost:8000/v1", NULL, NULL},
    {false, "ftp://h/v1", NULL, NULL},
    {false, "http://", NULL, NULL},
    {false, "http:///v1", NULL, NULL},
    {false, "http://:80/v1", NULL, NULL},
    {false, "http://h/a b", NULL, NULL},
    {false, "", NULL, NULL},
};

static void base_urls(void **state) {
    (void)state;
    for (size_t i = 0; i < N_OF(urls); i++) {
        const judge_codec *codec =
            urls[i].is_anthropic ? &judge_codec_anthropic : &judge_codec_openai;
        eh_arena arena;
        endpoint e;
        eh_error err;
        eh_str id;
        arena_init(&arena, 1 << 20);
        eh_status status =
            endpoint_read(codec, eh_str_of(urls[i].text), &arena, &e, &err);
        if (!urls[i].url) {
            assert_int_equal(status, EH_STATUS_USAGE);
            assert_null(strstr(err.msg, "secret"));
        } else {
            assert_int_equal(status, EH_STATUS_OK);
            assert_string_equal(e.url.ptr, urls[i].url);
            assert_int_equal(
                endpoint_judge_id(codec, EH_STR("m"), &e, 1, &arena, &id, NULL),
                EH_STATUS_OK);
            assert_string_equal(id.ptr, urls[i].id);
        }
        arena_deinit(&arena);
    }
}

static void several_base_urls(void **state) {
    (void)state;
    static const char *const lists[] = {"http://b:1/v1,http://a:1/v1",
                                        "http://a:1/v1/, http://b:1"};
    for (size_t i = 0; i < N_OF(lists); i++) {
        endpoint found[ENDPOINT_MAX];
        eh_arena arena;
        eh_str id;
        size_t n;
        arena_init(&arena, 1 << 20);
        assert_int_equal(endpoint_read_list(&judge_codec_openai, eh_str_of(lists[i]),
                                            &arena, found, &n, NULL),
                         EH_STATUS_OK);
        assert_int_equal(n, 2);
        assert_int_equal(endpoint_judge_id(&judge_codec_openai, EH_STR("org/m"), found,
                                           n, &arena, &id, NULL),
                         EH_STATUS_OK);
        assert_string_equal(id.ptr, "openai:org/m@a:1/v1,b:1/v1");
        arena_deinit(&arena);
    }
}

static void plain_http_is_noticed(void **state) {
    (void)state;
    static const struct {
        const char *url;
        bool plain;
    } rows[] = {{"http://judge.example.org/v1", true},
                {"https://judge.example.org/v1", false},
                {"http://localhost:8000/v1", false},
                {"http://127.0.0.1/v1", false},
                {"http://[::1]:9/v1", false}};
    for (size_t i = 0; i < N_OF(rows); i++) {
        eh_arena arena;
        endpoint e;
        arena_init(&arena, 1 << 20);
        assert_int_equal(endpoint_read(&judge_codec_openai, eh_str_of(rows[i].url),
                                       &arena, &e, NULL),
                         EH_STATUS_OK);
        assert_int_equal(e.is_plain_http, rows[i].plain);
        arena_deinit(&arena);
    }
}

static void extra_members(void **state) {
    (void)state;
    eh_arena arena;
    extra_body x;
    arena_init(&arena, 1 << 20);
    eh_str text =
        EH_STR(" {\"b\": [1, 2.50, null], \"a\": {\"z\": true, \"y\": \"\\u00e9\"}}");
    assert_int_equal(extra_body_read(text, &arena, &x, NULL), EH_STATUS_OK);
    assert_int_equal(x.n_extras, 2);
    eh_str want =
        EH_STR("{\"a\": {\"y\": \"\xC3\xA9\", \"z\": true}, \"b\": [1, 2.50, null]}");
    assert_true(eh_str_eq(x.json, want));
    assert_int_equal(extra_body_read(EH_STR("{}"), &arena, &x, NULL), EH_STATUS_OK);
    assert_true(eh_str_is_absent(x.json));
    static const char *const bad[] = {"{\"n\": 2}", "{\"a\": 1, \"a\": 2}", "{\"a\"}",
                                      "{\"stream\": true}", "/nowhere/x.json"};
    for (size_t i = 0; i < N_OF(bad); i++)
        assert_int_equal(extra_body_read(eh_str_of(bad[i]), &arena, &x, NULL),
                         EH_STATUS_USAGE);
    arena_deinit(&arena);
}

#define KEY "sk-proj-AbCdEfGhIjKlMnOp"

static void keys_in_messages(void **state) {
    (void)state;
    static const char *const rows[][2] = {
        {"Incorrect API key provided: " KEY ".", "Incorrect API key provided: [key]."},
        {"key sk-proj-****MnOp is bad", "key [key] is bad"},
        {"starts with AbCdEfGh, see", "starts with [key], see"},
        {"two " KEY " and " KEY, "two [key] and [key]"},
        {" lines\n\tand\x01  spaces ", "lines and spaces"},
        {"** bold **", "** bold **"},
        {"short AbCdE stays", "short AbCdE stays"},
        {"", ""},
    };
    eh_str secrets[] = {EH_STR(KEY), EH_STR("other-secret")};
    for (size_t i = 0; i < N_OF(rows); i++) {
        eh_arena arena;
        eh_str out;
        arena_init(&arena, 1 << 20);
        assert_true(
            redact_message(eh_str_of(rows[i][0]), secrets, 2, 200, &arena, &out));
        assert_string_equal(out.ptr, rows[i][1]);
        arena_deinit(&arena);
    }
}

static void keys_in_replies(void **state) {
    (void)state;
    eh_str secrets[] = {EH_STR(KEY), EH_STR("EMPTY"), EH_STR(KEY "-longer")};
    eh_arena arena;
    eh_str out;
    arena_init(&arena, 1 << 20);
    assert_true(
        redact_text(EH_STR("EMPTY " KEY "-longer, " KEY), secrets, 3, &arena, &out));
    assert_true(eh_str_eq_cstr(out, "EMPTY [key], [key]"));
    eh_str text = EH_STR("nothing AbCdEfGh here");
    assert_true(redact_text(text, secrets, 3, &arena, &out));
    assert_ptr_equal(out.ptr, text.ptr);
    assert_true(redact_text((eh_str){NULL, 0}, secrets, 3, &arena, &out));
    assert_true(eh_str_is_absent(out));
    arena_deinit(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base_urls),
        cmocka_unit_test(several_base_urls),
        cmocka_unit_test(plain_http_is_noticed),
        cmocka_unit_test(extra_members),
        cmocka_unit_test(keys_in_messages),
        cmocka_unit_test(keys_in_replies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
