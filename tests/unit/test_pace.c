/* SPDX-License-Identifier: MIT
 *
 * Waits: dates and durations in headers, buckets, the window, and limits that are
 * learned. The clock is a number.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "judge/pace.h"
#include "codec/retry_after.h"

#define N_OF(array) (sizeof(array) / sizeof(array)[0])
#define SECOND INT64_C(1000000000)

static void dates(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t unix_s; /* -1 = no date */
    } rows[] = {
        {"Sun, 06 Nov 1994 08:49:37 GMT", 784111777},
        {"Sunday, 06-Nov-94 08:49:37 GMT", 784111777},
        {"Sun Nov  6 08:49:37 1994", 784111777},
        {" Thu, 01 Jan 1970 00:00:00 GMT ", 0},
        {"Thu, 29 Feb 2024 23:59:60 GMT", 1709251200},
        {"Sun, 29 Nov 2026 12:00:20 GMT", 1795953620},
        {"Sunday, 29-Nov-26 12:00:20 GMT", 1795953620},
        {"Friday, 29-Nov-75 12:00:20 GMT", 3342254420},
        {"Tuesday, 29-Nov-77 12:00:20 GMT", 249652820},
        {"Sun Nov 29 12:00:20 2026", 1795953620},
        {"Wed, 29 Feb 2023 00:00:00 GMT", -1},
        {"Sun, 29 Nov 2026 12:00:20 CET", -1},
        {"Sun, 29 Nov 2026 24:00:00 GMT", -1},
        {"Sun, 29 Nov 2026 12:00:20 GMT x", -1},
        {"Sun, 29 November 2026 12:00:20 GMT", -1},
        {"29 Nov 2026 12:00:20 GMT", -1},
        {"Sun", -1},
        {"", -1},
    };
    int64_t now_ms = INT64_C(1795953600000); /* 2026-11-29T12:00:00Z */
    for (size_t i = 0; i < N_OF(rows); i++) {
        int64_t ms = -1;
        bool good = retry_after_http_date(eh_str_of(rows[i].text), now_ms, &ms);
        if (good != (rows[i].unix_s >= 0) || (good && ms != rows[i].unix_s * 1000))
            fail_msg("'%s': %d, %lld", rows[i].text, good, (long long)ms);
    }
}

static void dates_of_rfc3339(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t unix_ms;
    } rows[] = {
        {"2026-11-29T12:00:00Z", INT64_C(1795953600000)},
        {"2026-11-29T12:00:00.25Z", INT64_C(1795953600250)},
        {"2026-11-29T12:00:00.123456789z", INT64_C(1795953600123)},
        {"2026-11-29T14:30:00+02:30", INT64_C(1795953600000)},
        {"2026-11-29 07:00:00-0500", INT64_C(1795953600000)},
        {"2026-11-29T12:00:00", -1},
        {"2026-13-29T12:00:00Z", -1},
        {"60", -1},
    };
    for (size_t i = 0; i < N_OF(rows); i++) {
        int64_t ms = -1;
        bool good = retry_after_rfc3339(eh_str_of(rows[i].text), &ms);
        if (good != (rows[i].unix_ms >= 0) || (good && ms != rows[i].unix_ms))
            fail_msg("'%s': %d, %lld", rows[i].text, good, (long long)ms);
    }
}

static void durations(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t ms;
    } rows[] = {
        {"12ms", 12},   {"6s", 6000},         {"6m0s", 360000}, {"1h2m3s", 3723000},
        {"1.5s", 1500}, {"2m59.56s", 179560}, {"7", 7000},      {"0.25", 250},
        {"500us", 1},   {"1d", 86400000},     {"0", 0},         {"", -1},
        {"-1", -1},     {"6 s", -1},          {"soon", -1},     {"3w", -1},
        {"1h2", -1},    {"..s", -1},
    };
    for (size_t i = 0; i < N_OF(rows); i++) {
        int64_t ms = -1;
        bool good = retry_after_duration(eh_str_of(rows[i].text), &ms);
        if (good != (rows[i].ms >= 0) || (good && ms != rows[i].ms))
            fail_msg("'%s': %d, %lld", rows[i].text, good, (long long)ms);
    }
}

/* However it is asked, no minute sees more than the limit. */
static void a_bucket_keeps_its_minute(void **state) {
    (void)state;
    static const int64_t limits[] = {1, 7, 20, 600, 10000};
    for (size_t k = 0; k < N_OF(limits); k++) {
        pace_bucket b = pace_bucket_make(limits[k]);
        int64_t now = 5 * SECOND, n = 0, end = now + 60 * SECOND;
        while (now < end) {
            int64_t wait = pace_bucket_wait_ns(&b, now, 1);
            if (wait > 0) {
                now += wait;
                continue;
            }
            pace_bucket_take(&b, now, 1);
            n++;
        }
        assert_true(n <= limits[k] + 1);
        assert_true(n >= limits[k] * 9 / 10);
    }
}

static void a_bucket_gives_large_amounts_when_full(void **state) {
    (void)state;
    pace_bucket b = pace_bucket_make(1000);
    assert_int_equal(pace_bucket_wait_ns(&b, SECOND, 5000), 0);
    pace_bucket_take(&b, SECOND, 5000);
    int64_t wait = pace_bucket_wait_ns(&b, SECOND, 10);
    assert_true(wait > 300 * SECOND && wait < 330 * SECOND);
    pace_bucket_take(&b, SECOND, -5000); /* it was not used after all */
    assert_int_equal(pace_bucket_wait_ns(&b, SECOND, 10), 0);
    pace_bucket off = pace_bucket_make(0);
    assert_int_equal(pace_bucket_wait_ns(&off, SECOND, 1e12), 0);
}

static void the_window_doubles_and_halves(void **state) {
    (void)state;
    pace p = pace_make(64);
    assert_int_equal(pace_wait_ns(&p, SECOND, 3, 1), 0);
    assert_int_equal(pace_wait_ns(&p, SECOND, 4, 1), PACE_WINDOW_FULL);
    for (int i = 0; i < 100; i++)
        pace_success(&p);
    assert_int_equal(pace_wait_ns(&p, SECOND, 63, 1), 0);
    pace_overload(&p, 10 * SECOND, 9 * SECOND, 0);
    pace_overload(&p, 11 * SECOND, 9 * SECOND, 0); /* sent before the cut */
    assert_int_equal(pace_wait_ns(&p, 11 * SECOND, 31, 1), 0);
    assert_int_equal(pace_wait_ns(&p, 11 * SECOND, 32, 1), PACE_WINDOW_FULL);
    for (int i = 0; i < 36; i++) /* a round trip: 64 / 16 more */
        pace_success(&p);
    assert_int_equal(pace_wait_ns(&p, 11 * SECOND, 35, 1), 0);
    assert_int_equal(pace_wait_ns(&p, 11 * SECOND, 37, 1), PACE_WINDOW_FULL);
    for (int i = 0; i < 20; i++)
        pace_overload(&p, (20 + 2 * i) * SECOND, (20 + 2 * i) * SECOND, 0);
    assert_int_equal(pace_wait_ns(&p, 100 * SECOND, 0, 1), 0); /* never none at all */
}

static void pauses_grow_until_a_success(void **state) {
    (void)state;
    pace p = pace_make(64);
    int64_t now = SECOND;
    for (int i = 0; i < 5; i++) {
        pace_overload(&p, now, now, 1);
        assert_int_equal(pace_wait_ns(&p, now, 0, 1), SECOND / 10 << i);
        now += 100 * SECOND;
    }
    pace_success(&p);
    pace_overload(&p, now, now, .5);
    assert_int_equal(pace_wait_ns(&p, now, 0, 1), SECOND / 20);
    pace_hold(&p, now + 3 * SECOND);
    pace_hold(&p, now + SECOND);
    assert_int_equal(pace_wait_ns(&p, now, 0, 1), 3 * SECOND);
}

static pace learned(const char *const (*pairs)[2], size_t n, int n_in_flight) {
    judge_header headers[8];
    for (size_t i = 0; i < n; i++)
        headers[i] = (judge_header){eh_str_of(pairs[i][0]), eh_str_of(pairs[i][1])};
    judge_answer answer = {.status = 200, .headers = headers, .n_headers = n};
    pace p = pace_make(1000);
    for (int i = 0; i < 1000; i++)
        pace_success(&p);
    pace_learn(&p, &answer, SECOND, INT64_C(1795953600000), n_in_flight);
    return p;
}

static void limits_are_learned(void **state) {
    (void)state;
    static const char *const openai[][2] = {{"X-RateLimit-Limit-Requests", "60"},
                                            {"x-ratelimit-remaining-requests", "0"},
                                            {"x-ratelimit-reset-requests", "1m0s"}};
    static const char *const anthropic[][2] = {
        {"anthropic-ratelimit-tokens-limit", "6000"},
        {"anthropic-ratelimit-tokens-remaining", "1000"},
        {"anthropic-ratelimit-tokens-reset", "2026-11-29T12:00:50Z"}};
    pace p = learned(openai, 3, 0);
    assert_true(pace_wait_ns(&p, SECOND, 0, 1) == SECOND);
    p = learned(openai, 3, 3); /* three others will have gone first */
    assert_true(pace_wait_ns(&p, SECOND, 0, 1) == 4 * SECOND);
    p = learned(anthropic, 3, 0);
    assert_int_equal(pace_wait_ns(&p, SECOND, 0, 1000), 0);
    assert_true(pace_wait_ns(&p, SECOND, 0, 1500) == 5 * SECOND);
}

static void unknown_limits_do_not_hold(void **state) {
    (void)state;
    static const char *const rows[][3][2] = {
        {{"x-ratelimit-limit-requests", "0"},
         {"x-ratelimit-remaining-requests", "-1"},
         {"x-ratelimit-reset-requests", "60"}},
        {{"x-ratelimit-limit-requests", "60"},
         {"x-ratelimit-remaining-requests", "0"},
         {"x-ratelimit-reset-requests", "0"}},
        {{"x-ratelimit-limit-requests", "60"},
         {"x-ratelimit-remaining-requests", "0"},
         {"x-ratelimit-reset-requests", "1795953660"}},
        {{"x-ratelimit-limit-requests", "60"},
         {"x-ratelimit-remaining-requests", "60"},
         {"x-ratelimit-reset-requests", "1s"}},
        {{"x-ratelimit-limit-requests", "many"},
         {"x-ratelimit-remaining-requests", "0"},
         {"x-ratelimit-reset-requests", "1s"}},
    };
    for (size_t i = 0; i < N_OF(rows); i++) {
        pace p = learned(rows[i], 3, 100);
        assert_int_equal(pace_wait_ns(&p, SECOND, 0, 1), 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates),
        cmocka_unit_test(dates_of_rfc3339),
        cmocka_unit_test(durations),
        cmocka_unit_test(a_bucket_keeps_its_minute),
        cmocka_unit_test(a_bucket_gives_large_amounts_when_full),
        cmocka_unit_test(the_window_doubles_and_halves),
        cmocka_unit_test(pauses_grow_until_a_success),
        cmocka_unit_test(limits_are_learned),
        cmocka_unit_test(unknown_limits_do_not_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
