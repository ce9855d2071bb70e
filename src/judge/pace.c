/* SPDX-License-Identifier: MIT
 *
 * Pacing.
 *
 * A configured limit of L a minute is a bucket of b = L/20 that fills with L - b a
 * minute, so that no minute sees more than L. An endpoint's headers give a limit, what
 * remains of it, and the time until it is full again; that is a bucket too, whatever
 * its period is:
 *
 *   rate = (limit - remaining) / time until full,  level = remaining - others in flight
 *
 * The others may have been counted already; then the level is too low until the next
 * answer corrects it, which only slows down, and never by more than a minute. Limits of
 * 0 and -1 mean unknown, and so does a reset that lies days ahead.
 *
 * The window begins at RAMP_START and grows by one a success, which doubles it each
 * round trip; after the first overload it grows by a share of its maximum a round trip,
 * and each overload halves it.
 */
#include "judge/pace.h"

#include <math.h>
#include <stdio.h>

#include "codec/retry_after.h"

enum { RAMP_START = 4, GROWTH_SHARE = 16 };
#define PAUSE_NS INT64_C(100000000)
#define SECOND_NS INT64_C(1000000000)
#define MINUTE_NS (60 * SECOND_NS)
#define MAX_RESET_MS (INT64_C(2) * 24 * 3600 * 1000)

pace_bucket pace_bucket_make(int64_t per_minute) {
    if (per_minute <= 0) return (pace_bucket){0};
    double limit = (double)per_minute;
    double cap = fmax(1, floor(limit / 20));
    double per_minute_left = per_minute >= 20 ? limit - cap : limit;
    return (pace_bucket){.is_on = true,
                         .cap = cap,
                         .level = cap,
                         .per_ns = per_minute_left / (double)MINUTE_NS};
}

static double level_at(const pace_bucket *b, int64_t now_ns) {
    return fmin(b->cap, b->level + b->per_ns * (double)(now_ns - b->at_ns));
}

int64_t pace_bucket_wait_ns(const pace_bucket *b, int64_t now_ns, double amount) {
    if (!b->is_on) return 0;
    double missing = fmin(amount, b->cap) - level_at(b, now_ns);
    if (missing <= 1e-9) return 0;
    double wait = ceil(missing / b->per_ns);
    return wait < 1e18 ? (int64_t)wait : INT64_C(1000000000000000000);
}

void pace_bucket_take(pace_bucket *b, int64_t now_ns, double amount) {
    if (!b->is_on) return;
    b->level = fmin(b->cap, level_at(b, now_ns) - amount);
    b->at_ns = now_ns;
}

pace pace_make(int max_window) {
    double most = max_window > 0 ? max_window : 1;
    return (pace){
        .max_window = most, .window = fmin(RAMP_START, most), .is_ramp = true};
}

static int64_t longer(int64_t a, int64_t b) {
    return a > b ? a : b;
}

int64_t pace_wait_ns(const pace *p, int64_t now_ns, int n_in_flight, double tokens) {
    if (n_in_flight >= (int)p->window) return PACE_WINDOW_FULL;
    int64_t learned = longer(pace_bucket_wait_ns(&p->requests, now_ns, 1),
                             pace_bucket_wait_ns(&p->tokens, now_ns, tokens));
    return longer(learned, p->hold_until_ns - now_ns);
}

void pace_sent(pace *p, int64_t now_ns, double tokens) {
    pace_bucket_take(&p->requests, now_ns, 1);
    pace_bucket_take(&p->tokens, now_ns, tokens);
}

void pace_success(pace *p) {
    double step = p->is_ramp ? 1 : fmax(1, p->max_window / GROWTH_SHARE) / p->window;
    p->window = fmin(p->max_window, p->window + step);
    p->n_overloads = 0;
}

/* Of a burst that was on its way together only the first refusal counts. */
void pace_overload(pace *p, int64_t now_ns, int64_t begun_ns, double draw) {
    if (begun_ns < p->halved_ns) return;
    int doublings = p->n_overloads < 9 ? p->n_overloads : 9;
    p->n_overloads++;
    pace_hold(p, now_ns + (int64_t)(draw * (double)(PAUSE_NS << doublings)));
    p->halved_ns = now_ns;
    p->is_ramp = false;
    p->window = fmax(1, p->window / 2);
}

void pace_hold(pace *p, int64_t until_ns) {
    p->hold_until_ns = longer(p->hold_until_ns, until_ns);
}

/* ---- limits in headers ---- */

static bool header_number(const judge_answer *answer, const char *name, double *value) {
    return eh_str_to_f64(eh_str_trim(judge_header_get(answer, name)), value);
}

/* Names are "x-ratelimit-limit-requests" and "anthropic-ratelimit-requests-limit". */
static void header_name(char name[64], bool is_anthropic, const char *what,
                        const char *field) {
    if (is_anthropic)
        (void)snprintf(name, 64, "anthropic-ratelimit-%s-%s", what, field);
    else
        (void)snprintf(name, 64, "x-ratelimit-%s-%s", field, what);
}

static bool read_reset(eh_str text, int64_t now_ms, int64_t *until_full_ms) {
    int64_t at_ms;
    if (retry_after_rfc3339(text, &at_ms))
        *until_full_ms = at_ms - now_ms;
    else if (!retry_after_duration(text, until_full_ms))
        return false;
    return *until_full_ms > 0 && *until_full_ms < MAX_RESET_MS;
}

typedef struct learning {
    const judge_answer *answer;
    int64_t now_ns, now_ms;
    double others; /* what requests in flight may still take */
} learning;

static void learn_bucket(pace_bucket *b, const learning *l, bool is_anthropic,
                         const char *what) {
    char name[64];
    double limit, remaining;
    int64_t until_full_ms;
    header_name(name, is_anthropic, what, "limit");
    if (!header_number(l->answer, name, &limit) || !(limit > 0)) return;
    header_name(name, is_anthropic, what, "remaining");
    if (!header_number(l->answer, name, &remaining) || remaining < 0) return;
    header_name(name, is_anthropic, what, "reset");
    if (!read_reset(judge_header_get(l->answer, name), l->now_ms, &until_full_ms)) {
        b->is_on = false; /* full, or not told: nothing to wait for */
        return;
    }
    double used = limit - remaining;
    if (!(used > 0)) {
        b->is_on = false;
        return;
    }
    double per_ns = used / ((double)until_full_ms * 1e6);
    *b = (pace_bucket){.is_on = true,
                       .cap = limit,
                       .level =
                           fmax(remaining - l->others, 1 - per_ns * (double)MINUTE_NS),
                       .per_ns = per_ns,
                       .at_ns = l->now_ns};
}

void pace_learn(pace *p, const judge_answer *answer, int64_t now_ns, int64_t now_ms,
                int n_in_flight) {
    learning l = {answer, now_ns, now_ms, (double)n_in_flight};
    for (int is_anthropic = 0; is_anthropic < 2; is_anthropic++) {
        learn_bucket(&p->requests, &l, is_anthropic, "requests");
        l.others = 0; /* their tokens are mostly counted when they are sent */
        learn_bucket(&p->tokens, &l, is_anthropic, "tokens");
        l.others = (double)n_in_flight;
    }
}
