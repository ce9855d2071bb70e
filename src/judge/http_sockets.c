/* SPDX-License-Identifier: MIT
 *
 * The sockets of libcurl's multi handle in a table for poll.
 *
 *   places[descriptor] -> fds[place]      a socket leaves: the last one takes its place
 *
 * libcurl's callbacks keep the table; they come while it runs a transfer, also in the
 * midst of a round over what poll found. So a round goes backwards: what takes the
 * place of a socket that left was looked at before. A socket that is closed and opened
 * anew in one round may be reported without cause, which libcurl takes for nothing new.
 *
 * The wait is ended from outside by a byte in a pipe. poll and not epoll, since that is
 * in POSIX and a few hundred descriptors cost microseconds.
 */
#include "judge/http_sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

enum { FIRST_CAP = 32 };
#define NEVER_NS INT64_MAX

/* ---- the table ---- */

static bool grow_places(http_sockets *s, size_t fd) {
    size_t cap = s->places_cap ? s->places_cap : FIRST_CAP;
    while (cap <= fd)
        cap *= 2;
    if (cap == s->places_cap) return true;
    int *more = mem_realloc(s->places, cap, sizeof *more);
    if (!more) return false;
    memset(more + s->places_cap, 0, (cap - s->places_cap) * sizeof *more);
    s->places = more;
    s->places_cap = cap;
    return true;
}

static bool add(http_sockets *s, int fd) {
    if (s->n == s->cap) {
        size_t cap = s->cap ? 2 * s->cap : FIRST_CAP;
        struct pollfd *more = mem_realloc(s->fds, cap, sizeof *more);
        if (!more) return false;
        s->fds = more;
        s->cap = cap;
    }
    if (!grow_places(s, (size_t)fd)) return false;
    s->places[fd] = (int)s->n;
    s->fds[s->n++] = (struct pollfd){.fd = fd};
    return true;
}

static void take_away(http_sockets *s, int fd) {
    int place = s->places[fd];
    struct pollfd last = s->fds[--s->n];
    s->fds[place] = last;
    s->places[last.fd] = place;
    s->places[fd] = 0;
}

static bool is_known(const http_sockets *s, int fd) {
    return (size_t)fd < s->places_cap && s->places[fd];
}

/* ---- libcurl's callbacks ---- */

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *self, void *of_fd) {
    http_sockets *s = self;
    (void)easy;
    (void)of_fd;
    if (what == CURL_POLL_REMOVE) {
        if (is_known(s, fd)) take_away(s, fd);
        return 0;
    }
    if (!is_known(s, fd) && !add(s, fd)) {
        s->no_memory = true;
        return 0;
    }
    struct pollfd *p = &s->fds[s->places[fd]];
    p->events = (short)((what & CURL_POLL_IN ? POLLIN : 0) |
                        (what & CURL_POLL_OUT ? POLLOUT : 0));
    return 0;
}

static int on_timer(CURLM *multi, long timeout_ms, void *self) {
    http_sockets *s = self;
    (void)multi;
    s->timer_ns = timeout_ms < 0
                      ? NEVER_NS
                      : clock_mono_ns(&s->clock) + (int64_t)timeout_ms * 1000000;
    return 0;
}

/* ---- beginning and end ---- */

static bool open_pipe(int fds[2]) {
    if (pipe(fds) != 0) {
        fds[0] = fds[1] = -1;
        return false;
    }
    for (int i = 0; i < 2; i++)
        if (fcntl(fds[i], F_SETFD, FD_CLOEXEC) != 0 ||
            fcntl(fds[i], F_SETFL, O_NONBLOCK) != 0)
            return false;
    return true;
}

eh_status http_sockets_init(http_sockets *s, int max_connections, eh_clock clock,
                            eh_error *err) {
    *s = (http_sockets){
        .is_begun = true, .clock = clock, .wake_fds = {-1, -1}, .timer_ns = NEVER_NS};
    if (!open_pipe(s->wake_fds)) {
        int why = errno;
        http_sockets_deinit(s);
        return EH_FAIL(err, EH_STATUS_NOMEM, "no pipe for the network: %s",
                       strerror(why));
    }
    s->multi = curl_multi_init();
    if (!s->multi || !add(s, s->wake_fds[0]) ||
        curl_multi_setopt(s->multi, CURLMOPT_MAXCONNECTS, (long)max_connections) ||
        curl_multi_setopt(s->multi, CURLMOPT_SOCKETFUNCTION, on_socket) ||
        curl_multi_setopt(s->multi, CURLMOPT_SOCKETDATA, s) ||
        curl_multi_setopt(s->multi, CURLMOPT_TIMERFUNCTION, on_timer) ||
        curl_multi_setopt(s->multi, CURLMOPT_TIMERDATA, s)) {
        http_sockets_deinit(s);
        return EH_NOMEM(err);
    }
    s->fds[0].events = POLLIN;
    return EH_STATUS_OK;
}

void http_sockets_deinit(http_sockets *s) {
    if (!s->is_begun) return;
    (void)curl_multi_cleanup(s->multi); /* closes connections: uses the table */
    for (int i = 0; i < 2; i++)
        if (s->wake_fds[i] >= 0) (void)close(s->wake_fds[i]);
    mem_free(s->fds);
    mem_free(s->places);
    *s = (http_sockets){0};
}

void http_sockets_wake(http_sockets *s) {
    /* a full pipe wakes as well */
    (void)!write(s->wake_fds[1], "", 1);
}

/* ---- running ---- */

static int wait_ms(const http_sockets *s, int timeout_ms) {
    if (s->timer_ns == NEVER_NS) return timeout_ms;
    int64_t left_ns = s->timer_ns - clock_mono_ns(&s->clock);
    if (left_ns <= 0) return 0;
    int64_t ms = (left_ns + 999999) / 1000000;
    return ms < timeout_ms ? (int)ms : timeout_ms;
}

static CURLMcode run_timer(http_sockets *s, int *n_running) {
    if (s->timer_ns > clock_mono_ns(&s->clock)) return CURLM_OK;
    s->timer_ns = NEVER_NS; /* unless it is set again meanwhile */
    return curl_multi_socket_action(s->multi, CURL_SOCKET_TIMEOUT, 0, n_running);
}

static int curl_events(short found) {
    return (found & (POLLIN | POLLHUP) ? CURL_CSELECT_IN : 0) |
           (found & POLLOUT ? CURL_CSELECT_OUT : 0) |
           (found & (POLLERR | POLLNVAL) ? CURL_CSELECT_ERR : 0);
}

/* Backwards, see above. */
static CURLMcode run_ready(http_sockets *s, int n_ready) {
    CURLMcode bad = CURLM_OK;
    int n_running;
    char bytes[64];
    for (size_t i = s->n - 1; i > 0 && n_ready > 0 && bad == CURLM_OK; i--) {
        if (i >= s->n || !s->fds[i].revents) continue;
        int events = curl_events(s->fds[i].revents);
        s->fds[i].revents = 0;
        n_ready--;
        bad = curl_multi_socket_action(s->multi, s->fds[i].fd, events, &n_running);
    }
    if (s->fds[0].revents)
        while (read(s->wake_fds[0], bytes, sizeof bytes) > 0) {
        }
    return bad;
}

eh_status http_sockets_run(http_sockets *s, int n_transfers, int timeout_ms,
                           eh_error *err) {
    int n_running = n_transfers;
    CURLMcode bad = run_timer(s, &n_running);
    if (bad == CURLM_OK) {
        bool has_finished = n_running < n_transfers;
        int n_ready = poll(s->fds, s->n, has_finished ? 0 : wait_ms(s, timeout_ms));
        if (n_ready < 0 && errno != EINTR && errno != EAGAIN)
            return EH_FAIL(err, EH_STATUS_ENDPOINT, "poll: %s", strerror(errno));
        if (n_ready > 0) bad = run_ready(s, n_ready);
    }
    if (s->no_memory) return EH_NOMEM(err);
    if (bad != CURLM_OK)
        return EH_FAIL(err, EH_STATUS_ENDPOINT, "libcurl: %s",
                       curl_multi_strerror(bad));
    return EH_STATUS_OK;
}
