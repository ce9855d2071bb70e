/* SPDX-License-Identifier: MIT
 *
 * Waiting for many transfers at once: libcurl's sockets in one poll.
 *
 * curl_multi_perform looks at every transfer, with a system call each, whenever one of
 * them has something to say. Here libcurl tells which sockets it waits for and when it
 * wants to be called, and only transfers that can go on are run. At 512 in flight that
 * is most of what a call costs.
 *
 * Belongs to one thread, but for http_sockets_wake.
 */
#ifndef EH_JUDGE_HTTP_SOCKETS_H
#define EH_JUDGE_HTTP_SOCKETS_H

#include <curl/curl.h>
#include <poll.h>
#include <stdbool.h>

#include "base/clock.h"
#include "base/status.h"

typedef struct http_sockets {
    bool is_begun;
    CURLM *multi;
    eh_clock clock;
    struct pollfd *fds; /* [n], [0] is what wakes the poll */
    size_t n, cap;
    int *places; /* [places_cap] a descriptor's place in fds; 0: it has none */
    size_t places_cap;
    int wake_fds[2];
    int64_t timer_ns; /* when libcurl wants to be called; INT64_MAX: not at all */
    bool no_memory;   /* in a callback, which cannot say so */
} http_sockets;

/* What it points to must stay where it is until deinit. */
EH_MUST_USE eh_status http_sockets_init(http_sockets *s, int max_connections,
                                        eh_clock clock, eh_error *err);
/* Transfers must have been removed. Also of what was zeroed and never begun. */
void http_sockets_deinit(http_sockets *s);

/* Runs what can go on; where that is nothing, waits for at most timeout_ms. Finished
 * ones of the n_transfers are then found by curl_multi_info_read. */
EH_MUST_USE eh_status http_sockets_run(http_sockets *s, int n_transfers, int timeout_ms,
                                       eh_error *err);

/* Ends a wait, from any thread. */
void http_sockets_wake(http_sockets *s);

#endif
