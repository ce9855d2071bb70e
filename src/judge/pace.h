/* SPDX-License-Identifier: MIT
 *
 * How fast an endpoint may be asked: buckets of requests and tokens, a window of calls
 * in flight, and holds. Pure; `now` is an argument, in monotonic nanoseconds.
 */
#ifndef EH_JUDGE_PACE_H
#define EH_JUDGE_PACE_H

#include "codec/codec.h"

/* A bucket that fills at a steady rate. An amount may be taken when it is there, or
 * when the bucket is full and the amount is larger than it. */
typedef struct pace_bucket {
    bool is_on;
    double cap, level, per_ns;
    int64_t at_ns; /* when `level` was right */
} pace_bucket;

/* At most `per_minute` in any minute. 0 = off. */
pace_bucket pace_bucket_make(int64_t per_minute);

/* Nanoseconds until `amount` may be taken; 0 = now. */
int64_t pace_bucket_wait_ns(const pace_bucket *b, int64_t now_ns, double amount);

/* Takes it; a negative amount gives back. */
void pace_bucket_take(pace_bucket *b, int64_t now_ns, double amount);

/* The state of one base URL. */
typedef struct pace {
    pace_bucket requests, tokens; /* learned from the endpoint's headers */
    double window;                /* calls in flight at most */
    double max_window;
    bool is_ramp;    /* still doubling */
    int n_overloads; /* in a row */
    int64_t hold_until_ns, halved_ns;
} pace;

enum { PACE_WINDOW_FULL = -1 };

pace pace_make(int max_window);

/* 0 = one more request with this many tokens may go; > 0 = nanoseconds to wait;
 * PACE_WINDOW_FULL = wait for an answer. */
int64_t pace_wait_ns(const pace *p, int64_t now_ns, int n_in_flight, double tokens);

void pace_sent(pace *p, int64_t now_ns, double tokens);
void pace_success(pace *p);

/* The endpoint refused a request, sent at begun_ns, for want of room. The window
 * halves, but not for requests that were sent before it last did; and there is a pause
 * for all, `draw` (0 to 1) of a limit that doubles from one such refusal to the next.
 */
void pace_overload(pace *p, int64_t now_ns, int64_t begun_ns, double draw);

/* Nothing is sent before that time. */
void pace_hold(pace *p, int64_t until_ns);

/* Learns limits from an answer's headers; `n_in_flight` others are on their way. */
void pace_learn(pace *p, const judge_answer *answer, int64_t now_ns, int64_t now_ms,
                int n_in_flight);

#endif
