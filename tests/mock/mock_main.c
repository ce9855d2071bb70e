/* SPDX-License-Identifier: MIT
 *
 * Options, connections, timers and the loop of the mock server.
 *
 * A connection is read until a request is whole, its answer is made, and the answer is
 * sent when it is due: after a delay, in drips, up to a byte. Due times stand in a
 * heap. The server prints `port N`, and ends when it has been idle for --idle seconds
 * or when a pipe on its standard input is closed, so that no test leaves it behind.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "mock.h"

enum { MAX_EVENTS = 256, MAX_CONNS = 8192 };
#define NEVER_NS INT64_MAX

typedef struct conn {
    int fd;
    eh_buf in;
    mock_answer answer;
    size_t sent;
    bool is_answering, is_counted;
    int64_t due_ns; /* of the next bytes */
    size_t heap_at; /* SIZE_MAX = not in the heap */
} conn;

typedef struct server {
    mock m;
    int listener, epoll;
    bool watches_stdin;
    conn *heap[MAX_CONNS];
    size_t heap_n;
    conn *dead[MAX_EVENTS + MAX_CONNS]; /* freed at the end of a round */
    size_t n_dead;
    int64_t last_ns;
} server;

static int64_t now_ns(void) {
    eh_clock clock = clock_system();
    return clock_mono_ns(&clock);
}

/* ---- the heap of due times ---- */

static void heap_put(server *s, size_t at, conn *c) {
    s->heap[at] = c;
    c->heap_at = at;
}

static void heap_up(server *s, size_t at, conn *c) {
    while (at > 0 && s->heap[(at - 1) / 2]->due_ns > c->due_ns) {
        heap_put(s, at, s->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    heap_put(s, at, c);
}

static void heap_down(server *s, size_t at, conn *c) {
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= s->heap_n) break;
        if (child + 1 < s->heap_n &&
            s->heap[child + 1]->due_ns < s->heap[child]->due_ns)
            child++;
        if (s->heap[child]->due_ns >= c->due_ns) break;
        heap_put(s, at, s->heap[child]);
        at = child;
    }
    heap_put(s, at, c);
}

static void heap_add(server *s, conn *c) {
    if (s->heap_n == MAX_CONNS) abort();
    heap_up(s, s->heap_n++, c);
}

static void heap_remove(server *s, conn *c) {
    size_t at = c->heap_at;
    if (at == SIZE_MAX) return;
    c->heap_at = SIZE_MAX;
    conn *last = s->heap[--s->heap_n];
    if (last == c) return;
    heap_down(s, at, last);
    heap_up(s, last->heap_at, last);
}

/* ---- connections ---- */

static void conn_close(server *s, conn *c) {
    if (c->fd < 0) return;
    heap_remove(s, c);
    if (c->is_counted) s->m.counts.n_in_flight--;
    (void)close(c->fd);
    c->fd = -1;
    s->dead[s->n_dead++] = c;
}

static void bury(server *s) {
    while (s->n_dead) {
        conn *c = s->dead[--s->n_dead];
        buf_deinit(&c->in);
        buf_deinit(&c->answer.bytes);
        free(c);
    }
}

static void conn_reset(server *s, conn *c) {
    struct linger hard = {.l_onoff = 1, .l_linger = 0};
    (void)setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    conn_close(s, c);
}

static void watch(server *s, conn *c, uint32_t events) {
    struct epoll_event e = {.events = events, .data.ptr = c};
    if (epoll_ctl(s->epoll, EPOLL_CTL_MOD, c->fd, &e) != 0) conn_close(s, c);
}

static bool take_request(server *s, conn *c);

/* The end of an answer: as its rule says, else the next request. */
static void answer_ended(server *s, conn *c) {
    const mock_answer *a = &c->answer;
    if (a->stalls) return; /* until the client gives up */
    if (a->resets) {
        conn_reset(s, c);
        return;
    }
    if (a->closes) {
        conn_close(s, c);
        return;
    }
    c->is_answering = false;
    if (c->is_counted) s->m.counts.n_in_flight--;
    c->is_counted = false;
    while (c->fd >= 0 && !c->is_answering && take_request(s, c)) {
    }
}

static void conn_send(server *s, conn *c) {
    const mock_answer *a = &c->answer;
    size_t end = a->bytes.len;
    if (a->stop_after >= 0 && a->head_len + (size_t)a->stop_after < end)
        end = a->head_len + (size_t)a->stop_after;
    size_t until = end;
    if (a->drip_bytes && c->sent + (size_t)a->drip_bytes < end)
        until = c->sent + (size_t)a->drip_bytes;
    while (c->sent < until) {
        ssize_t n = send(c->fd, a->bytes.ptr + c->sent, until - c->sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EAGAIN) {
            watch(s, c, EPOLLIN | EPOLLOUT);
            return;
        }
        if (n <= 0) {
            conn_close(s, c);
            return;
        }
        c->sent += (size_t)n;
    }
    if (c->sent < end) {
        c->due_ns = now_ns() + a->every_ms * 1000000;
        heap_add(s, c);
        return;
    }
    answer_ended(s, c);
}

/* ---- requests ---- */

eh_str mock_header(eh_str head, const char *name) {
    eh_str rest = head, line;
    size_t n = strlen(name);
    while (eh_str_split(&rest, '\n', &line)) {
        if (line.len <= n || line.ptr[n] != ':') continue;
        bool same = true;
        for (size_t i = 0; i < n; i++) {
            char c = line.ptr[i];
            same = same && (c >= 'A' && c <= 'Z' ? c + 32 : c) == name[i];
        }
        if (same) return eh_str_trim(eh_str_slice(line, n + 1, line.len));
    }
    return (eh_str){NULL, 0};
}

/* Takes a whole request off the buffer and answers it; false when none is whole. */
static bool take_request(server *s, conn *c) {
    eh_str in = buf_view(&c->in), line, rest;
    size_t end = eh_str_find(in, EH_STR("\r\n\r\n"), 0);
    if (end == SIZE_MAX) return false;
    int64_t body_len = 0;
    mock_request r = {.head = eh_str_slice(in, 0, end)};
    (void)eh_str_to_i64(mock_header(r.head, "content-length"), &body_len);
    size_t whole = end + 4 + (size_t)body_len;
    if (in.len < whole) return false;
    rest = r.head;
    if (!eh_str_split(&rest, '\n', &line)) return false;
    (void)eh_str_split(&line, ' ', &r.method);
    (void)eh_str_split(&line, ' ', &r.path);
    size_t question = eh_str_find(r.path, EH_STR("?"), 0);
    if (question != SIZE_MAX) r.path.len = question;
    r.body = eh_str_slice(in, end + 4, whole);
    int64_t now = now_ns();
    s->last_ns = now;
    mock_answer_make(&s->m, &r, now, &c->answer);
    memmove(c->in.ptr, c->in.ptr + whole, in.len - whole);
    c->in.len -= whole;
    c->sent = 0;
    c->is_answering = true;
    c->is_counted = true;
    if (++s->m.counts.n_in_flight > s->m.counts.max_in_flight)
        s->m.counts.max_in_flight = s->m.counts.n_in_flight;
    if (c->answer.delay_ms == 0) {
        conn_send(s, c);
        return true;
    }
    c->due_ns = now + c->answer.delay_ms * 1000000;
    heap_add(s, c);
    return true;
}

static void conn_read(server *s, conn *c) {
    for (;;) {
        if (!buf_reserve(&c->in, 16384)) {
            conn_close(s, c);
            return;
        }
        ssize_t n = recv(c->fd, c->in.ptr + c->in.len, 16384, 0);
        if (n < 0 && errno == EAGAIN) break;
        if (n <= 0) {
            conn_close(s, c);
            return;
        }
        c->in.len += (size_t)n;
        if (n < 16384) break;
    }
    while (c->fd >= 0 && !c->is_answering && take_request(s, c)) {
    }
}

static void accept_all(server *s) {
    for (;;) {
        int one = 1;
        int fd = accept4(s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (fd < 0) return;
        (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        conn *c = calloc(1, sizeof *c);
        if (!c) abort();
        c->fd = fd;
        c->heap_at = SIZE_MAX;
        buf_init(&c->in, BUF_MAX_REPLY);
        buf_init(&c->answer.bytes, BUF_MAX_REPLY);
        s->m.counts.n_connections++;
        struct epoll_event e = {.events = EPOLLIN, .data.ptr = c};
        if (epoll_ctl(s->epoll, EPOLL_CTL_ADD, fd, &e) != 0) abort();
    }
}

/* ---- the loop ---- */

static int wait_ms(const server *s) {
    int64_t now = now_ns();
    int64_t due = s->heap_n ? s->heap[0]->due_ns : NEVER_NS;
    if (due == NEVER_NS) return 1000;
    int64_t ms = (due - now + 999999) / 1000000;
    return ms < 0 ? 0 : ms > 1000 ? 1000 : (int)ms;
}

static void handle(server *s, struct epoll_event *e, bool *stop) {
    conn *c = e->data.ptr;
    if (e->data.ptr == &s->listener) {
        accept_all(s);
    } else if (e->data.ptr == &s->watches_stdin) {
        char byte;
        *stop = read(STDIN_FILENO, &byte, 1) <= 0;
    } else if (c->fd >= 0) {
        if (e->events & EPOLLOUT) {
            watch(s, c, EPOLLIN);
            conn_send(s, c);
        }
        if (c->fd >= 0 && e->events & (EPOLLIN | EPOLLHUP | EPOLLERR)) conn_read(s, c);
    }
}

static void serve(server *s) {
    struct epoll_event events[MAX_EVENTS];
    bool stop = false;
    s->last_ns = now_ns();
    while (!stop) {
        int n = epoll_wait(s->epoll, events, MAX_EVENTS, wait_ms(s));
        for (int i = 0; i < n; i++)
            handle(s, &events[i], &stop);
        int64_t now = now_ns();
        while (s->heap_n && s->heap[0]->due_ns <= now) {
            conn *c = s->heap[0];
            heap_remove(s, c);
            conn_send(s, c);
        }
        bury(s);
        if (s->m.options.idle_s && now - s->last_ns > s->m.options.idle_s * 1000000000)
            stop = true;
    }
}

static bool start(server *s) {
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)s->m.options.port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    struct stat in;
    int one = 1;
    s->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    s->epoll = epoll_create1(EPOLL_CLOEXEC);
    (void)setsockopt(s->listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(s->listener, (struct sockaddr *)&at, sizeof at) != 0 ||
        listen(s->listener, 4096) != 0 ||
        getsockname(s->listener, (struct sockaddr *)&at, &size) != 0)
        return false;
    struct epoll_event e = {.events = EPOLLIN, .data.ptr = &s->listener};
    if (epoll_ctl(s->epoll, EPOLL_CTL_ADD, s->listener, &e) != 0) return false;
    if (fstat(STDIN_FILENO, &in) == 0 && S_ISFIFO(in.st_mode)) {
        e.data.ptr = &s->watches_stdin;
        (void)epoll_ctl(s->epoll, EPOLL_CTL_ADD, STDIN_FILENO, &e);
    }
    (void)printf("port %d\n", ntohs(at.sin_port));
    (void)fflush(stdout);
    return true;
}

/* ---- options ---- */

static bool read_list(const char *text, eh_str *list, size_t *n) {
    eh_str rest = eh_str_of(text), part;
    while (eh_str_split(&rest, ',', &part)) {
        if (*n == MOCK_MAX_NAMES) return false;
        list[(*n)++] = part;
    }
    return true;
}

/* The place of a word in a list that ends in NULL, or -1. */
static int word_index(const char *text, const char *const *words) {
    for (int i = 0; words[i]; i++)
        if (strcmp(text, words[i]) == 0) return i;
    return -1;
}

static bool read_option(mock_options *o, const char *name, const char *value) {
    static const char *const ns[] = {"honour", "ignore", "refuse", NULL};
    static const char *const schemas[] = {"any", "full", "object", "tgi", NULL};
    static const char *const logprobs[] = {"give", "ignore", "refuse", NULL};
    int64_t number = -1;
    int index;
    (void)eh_str_to_i64(eh_str_of(value), &number);
    if (strcmp(name, "--n") == 0) {
        o->n = (mock_n)(index = word_index(value, ns));
        return index >= 0;
    }
    if (strcmp(name, "--schema") == 0) {
        o->schema = (mock_schema)(index = word_index(value, schemas));
        return index >= 0;
    }
    if (strcmp(name, "--logprobs") == 0) {
        o->logprobs = (mock_logprobs)(index = word_index(value, logprobs));
        return index >= 0;
    }
    if (strcmp(name, "--refuse") == 0)
        return read_list(value, o->refused, &o->n_refused);
    if (strcmp(name, "--rename") == 0)
        return read_list(value, o->renamed, &o->n_renamed);
    if (strcmp(name, "--script") == 0) return (o->script = value) != NULL;
    if (strcmp(name, "--key") == 0) return (o->key = value) != NULL;
    if (strcmp(name, "--model") == 0) return (o->model = value) != NULL;
    if (strcmp(name, "--log") == 0) return (o->log = value) != NULL;
    if (strcmp(name, "--port") == 0) return (o->port = (int)number) >= 0;
    if (strcmp(name, "--delay") == 0) return (o->delay_ms = number) >= 0;
    if (strcmp(name, "--per-second") == 0) return (o->per_second = number) > 0;
    if (strcmp(name, "--idle") == 0) return (o->idle_s = number) >= 0;
    if (strcmp(name, "--context") == 0) return (o->context = number) > 0;
    if (strcmp(name, "--dims") == 0) return (o->dims = number) > 0 && o->dims <= 4096;
    if (strcmp(name, "--max-texts") == 0) return (o->max_texts = number) > 0;
    if (strcmp(name, "--max-text-bytes") == 0) return (o->max_text_bytes = number) > 0;
    if (strcmp(name, "--write-faults") == 0) return (o->write_faults = number) > 0;
    return false;
}

static bool read_options(mock_options *o, int argc, char **argv) {
    o->idle_s = 60;
    o->dims = 64;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--no-usage") == 0)
            o->no_usage = true;
        else if (strcmp(argv[i], "--echo-key") == 0)
            o->echo_key = true;
        else if (strcmp(argv[i], "--obey-max-tokens") == 0)
            o->obey_max_tokens = true;
        else if (strcmp(argv[i], "--base64") == 0)
            o->base64 = true;
        else if (i + 1 == argc || !read_option(o, argv[i], argv[i + 1]))
            return false;
        else
            i++;
    }
    return true;
}

int main(int argc, char **argv) {
    static server s;
    (void)signal(SIGPIPE, SIG_IGN);
    arena_init(&s.m.arena, BUF_MAX_REPLY);
    arena_init(&s.m.request_arena, (size_t)1 << 30);
    buf_init(&s.m.last_head, BUF_MAX_REPLY);
    buf_init(&s.m.last_body, BUF_MAX_REPLY);
    s.m.reader = json_reader_new();
    if (!s.m.reader || !read_options(&s.m.options, argc, argv)) {
        (void)fprintf(stderr, "mock: see README.md for its options\n");
        return 2;
    }
    if (s.m.options.script && !mock_script_read(&s.m, s.m.options.script)) return 2;
    if (s.m.options.log && !(s.m.log = fopen(s.m.options.log, "a"))) {
        (void)fprintf(stderr, "mock: %s: %s\n", s.m.options.log, strerror(errno));
        return 2;
    }
    if (!start(&s)) {
        (void)fprintf(stderr, "mock: %s\n", strerror(errno));
        return 1;
    }
    serve(&s);
    return 0;
}
