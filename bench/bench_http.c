/* SPDX-License-Identifier: MIT
 *
 * Requests a second through the transport, and through a bare loop over libcurl that
 * does nothing with the answers.
 *
 *   bench_http judge|bare BASE_URL CONCURRENCY N_REQUESTS
 *
 * Prints one number. The script `http` runs both, and wrk where it is installed,
 * against the same server in the same run.
 */
#include <curl/curl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "codec/codec.h"
#include "judge/judge.h"

static const char text[] =
    "Please rate the answers of two AI assistants to the question below.\n\nWhat is "
    "the "
    "capital of France?\n\nThe first: Paris, which has been the seat of government for "
    "most of its history.\n\nThe second: it is Paris.\n\nReply with exactly these two "
    "lines:\nScore of the Assistant 1: <number>\nScore of the Assistant 2: <number>";

static const prompt_message messages[] = {
    {{"system", 6}, {"You are a careful, impartial referee.", 37}},
    {{"user", 4}, {text, sizeof text - 1}},
};

static void die(const char *what) {
    (void)fprintf(stderr, "bench_http: %s\n", what);
    exit(1);
}

/* ---- the transport ---- */

static void run_judge(const char *url, int concurrency, int n_requests) {
    static const int sample = 0;
    judge_http_options http = JUDGE_HTTP_DEFAULTS;
    http.base_urls = eh_str_of(url);
    judge_open_args args = {
        .concurrency = concurrency, .clock = clock_system(), .http = &http};
    judge *j;
    eh_error err;
    int n_sent = 0, n_done = 0;
    if (judge_open(EH_STR("openai:m"), &args, &j, &err)) die(err.msg);
    while (n_done < n_requests) {
        judge_reply reply;
        bool got;
        while (n_sent < n_requests && n_sent - n_done < concurrency) {
            static judge_request r;
            r = (judge_request){
                .ticket = (uint64_t)n_sent,
                .messages = messages,
                .n_messages = 2,
                .params = {.temperature = 1, .max_tokens = -1, .request_seed = n_sent},
                .samples = &sample,
                .n_samples = 1};
            if (judge_submit(j, &r, &err)) die(err.msg);
            n_sent++;
        }
        if (judge_poll(j, 1000, &reply, &got, &err)) die(err.msg);
        if (got && reply.outcome != JUDGE_OUTCOME_REPLY) die("a request failed");
        n_done += got;
    }
    judge_close(j);
}

/* ---- a bare loop ---- */

static size_t drop(char *bytes, size_t size, size_t n, void *self) {
    (void)bytes;
    (void)self;
    return size * n;
}

static void begin(CURLM *multi, CURL *easy) {
    if (curl_multi_add_handle(multi, easy)) die("curl_multi_add_handle");
}

static void run_bare(const char *url, int concurrency, int n_requests) {
    char full[500];
    eh_arena arena;
    judge_request_body body;
    capability c = capability_of(EH_STR("openai"), EH_STR(""), EH_STR("m"));
    judge_call call = {
        .model = EH_STR("m"),
        .messages = messages,
        .n_messages = 2,
        .params = {.temperature = 1, .max_tokens = -1, .request_seed = 0},
        .n_samples = 1};
    struct curl_slist *headers =
        curl_slist_append(NULL, "Content-Type: application/json");
    int n_sent = 0, n_done = 0, n_running, left;
    CURLM *multi = curl_multi_init();
    CURLMsg *m;
    (void)snprintf(full, sizeof full, "%s/chat/completions", url);
    arena_init(&arena, 1 << 20);
    if (judge_codec_openai.encode(&call, &c, &arena, &body, NULL)) die("encode");
    (void)curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)concurrency + 8);
    for (; n_sent < concurrency && n_sent < n_requests; n_sent++) {
        CURL *easy = curl_easy_init();
        (void)curl_easy_setopt(easy, CURLOPT_URL, full);
        (void)curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
        (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDS, body.body.ptr);
        (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE, (long)body.body.len);
        (void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop);
        begin(multi, easy);
    }
    while (n_done < n_requests) {
        (void)curl_multi_perform(multi, &n_running);
        while ((m = curl_multi_info_read(multi, &left)) != NULL) {
            CURL *easy = m->easy_handle;
            if (m->data.result) die(curl_easy_strerror(m->data.result));
            (void)curl_multi_remove_handle(multi, easy);
            n_done++;
            if (n_sent++ < n_requests)
                begin(multi, easy);
            else
                curl_easy_cleanup(easy);
        }
        if (n_done < n_requests) (void)curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    (void)curl_multi_cleanup(multi);
    curl_slist_free_all(headers);
    arena_deinit(&arena);
}

int main(int argc, char **argv) {
    int64_t concurrency = 0, n_requests = 0;
    if (argc != 5 || !eh_str_to_i64(eh_str_of(argv[3]), &concurrency) ||
        !eh_str_to_i64(eh_str_of(argv[4]), &n_requests) || concurrency < 1)
        die("usage: bench_http judge|bare BASE_URL CONCURRENCY N_REQUESTS");
    eh_clock clock = clock_system();
    int64_t began = clock_mono_ns(&clock);
    if (strcmp(argv[1], "bare") == 0)
        run_bare(argv[2], (int)concurrency, (int)n_requests);
    else
        run_judge(argv[2], (int)concurrency, (int)n_requests);
    double seconds = (double)(clock_mono_ns(&clock) - began) * 1e-9;
    (void)printf("%.0f\n", (double)n_requests / seconds);
    return 0;
}
