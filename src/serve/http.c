/* SPDX-License-Identifier: MIT
 *
 * Sockets and HTTP by libmicrohttpd, in its external mode: one thread waits, answers
 * and looks after the connections.
 *
 *   accept -> headers -> gate -> body -> answer -> headers of safety -> sent
 *
 * Slow clients: the library cuts a connection that is silent for 15 s. One that sends a
 * byte now and then is cut here, by age: 20 s to bring a whole request, 120 s to take
 * an answer. A connection counts from its start or from the end of its last exchange.
 *
 * Sizes: 32 KiB of headers and buffers a connection, bodies by the gate before they are
 * read, 1,024 connections; from one address at most 64 where more than this machine can
 * come and no proxy stands in front.
 *
 * Left out: TLS, which is the proxy's. Nothing is logged of a request.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <microhttpd.h>
#include <net/if.h>
#include <netdb.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "serve/exchange.h"

enum {
    MAX_CONNECTIONS = 1024,
    MAX_PER_ADDRESS = 64,
    MEMORY_BYTES = 32 << 10,
    SILENT_S = 15,
    REQUEST_MS = 20 * 1000,
    ANSWER_MS = 120 * 1000,
    SWEEP_MS = 1000,
    WAIT_MS = 200
};

/* A connection, in a list of all. */
typedef struct client {
    struct client *prev, *next;
    int fd;
    int64_t since_ms; /* of its start or its last exchange */
    bool is_answering;
    bool is_cut;
} client;

typedef struct http {
    server server;
    client *clients;
    int64_t swept_ms;
} http;

/* One exchange under way. */
typedef struct exchange {
    client *client;
    eh_buf body;
    bool is_refused;
} exchange;

const char *serve_library(void) {
    static char text[48];
    (void)snprintf(text, sizeof text, "libmicrohttpd %s", MHD_get_version());
    return text;
}

eh_status serve_check_built(eh_error *err) {
    (void)err;
    return EH_STATUS_OK;
}

static int64_t now_ms(const http *h) {
    return clock_mono_ns(&h->server.clock) / 1000000;
}

/* ---- connections ---- */

static void on_connection(void *self, struct MHD_Connection *connection, void **context,
                          enum MHD_ConnectionNotificationCode what) {
    http *h = self;
    client *c = *context;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (!c) return;
        if (c->prev) c->prev->next = c->next;
        if (c->next) c->next->prev = c->prev;
        if (h->clients == c) h->clients = c->next;
        mem_free(c);
        return;
    }
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    c = mem_zalloc(1, sizeof *c);
    if (!c || !info) {
        mem_free(c); /* then only the library's own limit holds for it */
        return;
    }
    *c = (client){.fd = info->connect_fd, .since_ms = now_ms(h), .next = h->clients};
    if (h->clients) h->clients->prev = c;
    h->clients = c;
    *context = c;
}

static client *client_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* Cuts who takes too long. */
static void sweep(http *h) {
    int64_t now = now_ms(h);
    if (now - h->swept_ms < SWEEP_MS) return;
    h->swept_ms = now;
    for (client *c = h->clients; c; c = c->next) {
        int64_t most = c->is_answering ? ANSWER_MS : REQUEST_MS;
        if (c->is_cut || now - c->since_ms < most) continue;
        c->is_cut = true;
        (void)shutdown(c->fd, SHUT_RDWR); /* the library notices and closes it */
    }
}

static void on_completed(void *self, struct MHD_Connection *connection, void **context,
                         enum MHD_RequestTerminationCode why) {
    const http *h = self;
    exchange *e = *context;
    (void)connection;
    (void)why;
    if (!e) return;
    if (e->client) {
        e->client->is_answering = false;
        e->client->since_ms = now_ms(h);
    }
    buf_deinit(&e->body);
    mem_free(e);
    *context = NULL;
}

/* ---- requests ---- */

static eh_str header(struct MHD_Connection *c, const char *name) {
    return eh_str_of(MHD_lookup_connection_value(c, MHD_HEADER_KIND, name));
}

static eh_str query(struct MHD_Connection *c, const char *name) {
    return eh_str_of(MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, name));
}

static enum MHD_Result count_host(void *self, enum MHD_ValueKind kind, const char *name,
                                  const char *value) {
    int *n = self;
    (void)kind;
    (void)value;
    *n += strcasecmp(name, MHD_HTTP_HEADER_HOST) == 0;
    return MHD_YES;
}

/* The address that the client reached, as a number; IPv6 in brackets. */
static eh_str local_address(struct MHD_Connection *c, char text[80]) {
    struct sockaddr_storage address = {0};
    socklen_t len = sizeof address;
    char number[64];
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD);
    if (!info ||
        getsockname(info->connect_fd, (struct sockaddr *)&address, &len) != 0 ||
        getnameinfo((struct sockaddr *)&address, len, number, sizeof number, NULL, 0,
                    NI_NUMERICHOST) != 0)
        return (eh_str){NULL, 0};
    (void)snprintf(text, 80, address.ss_family == AF_INET6 ? "[%s]" : "%s", number);
    return eh_str_of(text);
}

static serve_method method_of(const char *method) {
    if (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0) return SERVE_GET;
    return strcmp(method, "POST") == 0 ? SERVE_POST : SERVE_OTHER;
}

/* A length that is none counts as too long. */
static int64_t length_of(eh_str text) {
    int64_t value;
    if (eh_str_is_absent(text)) return -1;
    return eh_str_to_i64(text, &value) && value >= 0 ? value : INT64_MAX;
}

static void read_request(struct MHD_Connection *c, const char *url, const char *method,
                         char address[80], serve_request *r) {
    *r = (serve_request){
        .method = method_of(method),
        .path = eh_str_of(url),
        .have = query(c, "have"),
        .before = query(c, "before"),
        .host = header(c, "Host"),
        .origin = header(c, "Origin"),
        .cookie = header(c, "Cookie"),
        .content_type = header(c, "Content-Type"),
        .fetch_site = header(c, "Sec-Fetch-Site"),
        .etag = header(c, "If-None-Match"),
        .content_length = length_of(header(c, "Content-Length")),
        .has_transfer_encoding = header(c, "Transfer-Encoding").len > 0,
        .local_address = local_address(c, address),
    };
    (void)MHD_get_connection_values(c, MHD_HEADER_KIND, count_host, &r->n_hosts);
}

/* ---- answers ---- */

static bool add_header(struct MHD_Response *m, const char *name, const char *value) {
    return MHD_add_response_header(m, name, value) == MHD_YES;
}

static bool add_headers(struct MHD_Response *m, const serve_response *out) {
    static const char *const always[][2] = {
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
         "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
        {"Referrer-Policy", "no-referrer"},
        {"X-Content-Type-Options", "nosniff"},
        {"Cross-Origin-Resource-Policy", "same-origin"},
    };
    bool ok = true;
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
        ok = ok && add_header(m, always[i][0], always[i][1]);
    ok = ok && add_header(m, "Cache-Control", out->is_asset ? "no-cache" : "no-store");
    if (out->status != 204) ok = ok && add_header(m, "Content-Type", out->mime);
    if (out->location[0]) ok = ok && add_header(m, "Location", out->location);
    if (out->cookie[0]) ok = ok && add_header(m, "Set-Cookie", out->cookie);
    if (out->etag[0]) ok = ok && add_header(m, "ETag", out->etag);
    return ok;
}

static enum MHD_Result send_answer(http *h, exchange *e, struct MHD_Connection *c,
                                   const serve_response *out) {
    eh_str body = out->static_body.ptr ? out->static_body : buf_view(&out->body);
    /* the library copies the bytes and does not write to them */
    struct MHD_Response *m = MHD_create_response_from_buffer(
        body.len, (void *)body.ptr,
        out->static_body.ptr ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_COPY);
    if (!m) return MHD_NO;
    if (e->client) {
        e->client->is_answering = true;
        e->client->since_ms = now_ms(h);
    }
    enum MHD_Result queued =
        add_headers(m, out) ? MHD_queue_response(c, (unsigned)out->status, m) : MHD_NO;
    MHD_destroy_response(m);
    return queued;
}

static enum MHD_Result begin(http *h, struct MHD_Connection *c, const serve_request *r,
                             void **context) {
    serve_response out = {.status = 200, .mime = "application/json"};
    exchange *e = mem_zalloc(1, sizeof *e);
    if (!e) return MHD_NO;
    e->client = client_of(c);
    buf_init(&e->body, SERVE_MAX_BODY_BYTES);
    *context = e;
    buf_init(&out.body, BUF_MAX_SMALL);
    e->is_refused = !gate_admits(&h->server, r, &out);
    enum MHD_Result result = e->is_refused ? send_answer(h, e, c, &out) : MHD_YES;
    buf_deinit(&out.body);
    return result;
}

/* NOLINTNEXTLINE(readability-function-size): the library's callback */
static enum MHD_Result on_request(void *self, struct MHD_Connection *c, const char *url,
                                  const char *method, const char *version,
                                  const char *data, size_t *data_len, void **context) {
    http *h = self;
    exchange *e = *context;
    char address[80];
    serve_request r;
    (void)version;
    read_request(c, url, method, address, &r);
    if (!e) return begin(h, c, &r, context);
    if (*data_len) {
        if (!e->is_refused) buf_add(&e->body, data, *data_len);
        *data_len = 0;
        return MHD_YES;
    }
    if (e->is_refused) return MHD_YES;
    if (e->body.failed) return MHD_NO;
    serve_response out = {.status = 200};
    buf_init(&out.body, SERVE_MAX_TEXT_BYTES);
    r.body = buf_view(&e->body);
    serve_answer(&h->server, &r, &out);
    enum MHD_Result result = send_answer(h, e, c, &out);
    buf_deinit(&out.body);
    return result;
}

/* ---- the socket ---- */

bool serve_is_loopback(const char *address) {
    struct in_addr four;
    struct in6_addr six;
    if (strcmp(address, "localhost") == 0) return true;
    if (inet_pton(AF_INET, address, &four) == 1) return ntohl(four.s_addr) >> 24 == 127;
    return inet_pton(AF_INET6, address, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six);
}

static eh_status fail_bind(const serve_options *o, const char *why, eh_error *err) {
    return EH_FAIL(err, EH_STATUS_USAGE, "cannot listen on %s port %d: %s", o->bind,
                   o->port, why);
}

/* IPv4 and IPv6 have it at the same place. */
static int port_of(const struct sockaddr_storage *address) {
    struct sockaddr_in in;
    memcpy(&in, address, sizeof in);
    return ntohs(in.sin_port);
}

static eh_status listen_on(const serve_options *o, int *fd, int *port, eh_error *err) {
    const struct addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICHOST,
                                   .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char service[8];
    const char *host = strcmp(o->bind, "localhost") == 0 ? "127.0.0.1" : o->bind;
    (void)snprintf(service, sizeof service, "%d", o->port);
    int fault = getaddrinfo(host, service, &hints, &found);
    if (fault != 0) return fail_bind(o, gai_strerror(fault), err);
    int one = 1;
    *fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    struct sockaddr_storage address = {0};
    socklen_t len = sizeof address;
    bool ok =
        *fd >= 0 && setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) == 0 &&
        bind(*fd, found->ai_addr, found->ai_addrlen) == 0 && listen(*fd, 256) == 0 &&
        getsockname(*fd, (struct sockaddr *)&address, &len) == 0;
    int why = errno;
    freeaddrinfo(found);
    if (!ok) {
        if (*fd >= 0) (void)close(*fd);
        return fail_bind(o, strerror(why), err);
    }
    *port = port_of(&address);
    return EH_STATUS_OK;
}

/* The library's words may hold parts of requests. */
static void drop_log(void *self, const char *format, va_list values) {
    (void)self;
    (void)format;
    (void)values;
}

static struct MHD_Daemon *start(http *h, int fd, const serve_options *o) {
    bool open = !h->server.is_loopback && !o->public_url.len;
    return MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_ERROR_LOG, 0, NULL, NULL, on_request, h,
        MHD_OPTION_EXTERNAL_LOGGER, drop_log, NULL, MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_NOTIFY_COMPLETED, on_completed, h, MHD_OPTION_NOTIFY_CONNECTION,
        on_connection, h, MHD_OPTION_CONNECTION_LIMIT, (unsigned)MAX_CONNECTIONS,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, open ? (unsigned)MAX_PER_ADDRESS : 0u,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)SILENT_S,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY_BYTES,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

/* A number under which others reach this machine; loopback where there is none. */
static void own_address(char text[64]) {
    struct ifaddrs *all = NULL;
    (void)snprintf(text, 64, "127.0.0.1");
    if (getifaddrs(&all) != 0) return;
    for (const struct ifaddrs *i = all; i; i = i->ifa_next) {
        if (!i->ifa_addr || i->ifa_addr->sa_family != AF_INET ||
            (i->ifa_flags & IFF_LOOPBACK) || !(i->ifa_flags & IFF_UP))
            continue;
        (void)getnameinfo(i->ifa_addr, sizeof(struct sockaddr_in), text, 64, NULL, 0,
                          NI_NUMERICHOST);
        break;
    }
    freeifaddrs(all);
}

static void tell_ready(const serve_options *o, int port) {
    char base[128], any[64];
    const char *host = strcmp(o->bind, "localhost") == 0 ? "127.0.0.1" : o->bind;
    if (strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0) {
        own_address(any);
        host = any;
    }
    (void)snprintf(base, sizeof base,
                   strchr(host, ':') ? "http://[%s]:%d" : "http://%s:%d", host, port);
    if (o->public_url.len)
        (void)snprintf(base, sizeof base, "%.*s", EH_STR_ARG(o->public_url));
    o->ready(o->self, base);
}

eh_status serve_run(ledger *l, const serve_options *o, eh_error *err) {
    http h = {0};
    int fd = -1, port = 0;
    EH_TRY(listen_on(o, &fd, &port, err));
    eh_status status = server_open(&h.server, l, o, port, err);
    struct MHD_Daemon *d = status == EH_STATUS_OK ? start(&h, fd, o) : NULL;
    if (status == EH_STATUS_OK && !d)
        status = EH_FAIL(err, EH_STATUS_USAGE, "the HTTP server did not start");
    if (d) tell_ready(o, port);
    while (status == EH_STATUS_OK && !*o->stop) {
        if (MHD_run_wait(d, WAIT_MS) != MHD_YES)
            status = EH_FAIL(err, EH_STATUS_IO, "waiting for connections: %s",
                             strerror(errno));
        sweep(&h);
    }
    if (d)
        MHD_stop_daemon(d); /* closes the socket */
    else
        (void)close(fd);
    server_close(&h.server);
    return status;
}
