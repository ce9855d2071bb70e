/* SPDX-License-Identifier: MIT
 *
 * Transfers: one curl handle each, with the callbacks that fill its buffers.
 *
 * HTTP/1.1; redirects are never followed, since a custom header with a key would go
 * along. libcurl silently repeats a POST when a kept connection turns out dead, which
 * may be billed: PREREQFUNCTION is called before each of them and counts. The body is
 * handed over whole (POSTFIELDS), so that it leaves in one piece with its head; with a
 * READFUNCTION it is a second write here and a second read there. Bodies come back
 * decoded (gzip and what else the library has); a server that names an encoding and
 * does not use it is asked again without.
 *
 * Proxies are curl's own business (http_proxy and the like). Left out: HTTP/2, which
 * measured no gain here, and cookies.
 */
#include "judge/http.h"

#include "base/log.h"
#include "base/mem.h"

enum { CONNECT_LIMIT_MS = 15000, HEADERS_MAX_BYTES = 256 << 10 };

static int64_t now_ns(const http_wire *w) {
    return clock_mono_ns(&w->judge->clock);
}

/* ---- callbacks ---- */

static int on_request(void *self, char *to_ip, char *from_ip, int to_port,
                      int from_port) {
    http_wire *w = self;
    (void)to_ip, (void)from_ip, (void)to_port, (void)from_port;
    w->n_sent++;
    return CURL_PREREQFUNC_OK;
}

static size_t on_body(char *bytes, size_t size, size_t n, void *self) {
    http_wire *w = self;
    buf_add(&w->reply, bytes, size * n);
    w->last_byte_ns = now_ns(w);
    return w->reply.failed ? 0 : size * n;
}

static void keep_header(http_wire *w, eh_str name, eh_str value) {
    if (w->n_headers == HTTP_MAX_HEADERS) return;
    buf_add_str(&w->header_text, name);
    w->header_ends[2 * w->n_headers] = w->header_text.len;
    buf_add_str(&w->header_text, value);
    w->header_ends[2 * w->n_headers + 1] = w->header_text.len;
    w->n_headers += !w->header_text.failed;
}

/* Each line of a head. A status line begins a new head: the one before was a 100. */
static size_t on_header(char *bytes, size_t size, size_t n, void *self) {
    http_wire *w = self;
    eh_str line = {bytes, size * n};
    w->last_byte_ns = now_ns(w);
    if (eh_str_begins(line, EH_STR("HTTP/"))) {
        buf_reset(&w->header_text);
        w->n_headers = 0;
        return line.len;
    }
    size_t colon = eh_str_find(line, EH_STR(":"), 0);
    if (colon != SIZE_MAX)
        keep_header(w, eh_str_trim(eh_str_slice(line, 0, colon)),
                    eh_str_trim(eh_str_slice(line, colon + 1, line.len)));
    return line.len;
}

/* ---- a transfer's life ---- */

static bool set_constant_options(http_wire *w) {
    const http_judge *h = w->judge;
    CURL *e = w->easy;
    CURLcode bad = CURLE_OK;
#define SET(option, value)                                                             \
    if (bad == CURLE_OK) bad = curl_easy_setopt(e, option, value)
    SET(CURLOPT_PRIVATE, (char *)w);
    SET(CURLOPT_ERRORBUFFER, w->curl_text);
    SET(CURLOPT_NOSIGNAL, 1L);
    SET(CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    SET(CURLOPT_FOLLOWLOCATION, 0L);
    SET(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    SET(CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_LIMIT_MS);
    SET(CURLOPT_TCP_KEEPALIVE, 1L);
    SET(CURLOPT_POST, 1L);
    SET(CURLOPT_HTTPHEADER, h->auth.headers);
    SET(CURLOPT_PREREQFUNCTION, on_request);
    SET(CURLOPT_PREREQDATA, w);
    SET(CURLOPT_WRITEFUNCTION, on_body);
    SET(CURLOPT_WRITEDATA, w);
    SET(CURLOPT_HEADERFUNCTION, on_header);
    SET(CURLOPT_HEADERDATA, w);
    if (h->cacert) SET(CURLOPT_CAINFO, h->cacert);
#undef SET
    return bad == CURLE_OK;
}

static http_wire *wire_new(http_judge *h) {
    http_wire *w = mem_zalloc(1, sizeof *w);
    if (!w) return NULL;
    w->judge = h;
    arena_init(&w->arena, 2 * BUF_MAX_PROMPT);
    buf_init(&w->reply, BUF_MAX_REPLY);
    buf_init(&w->header_text, HEADERS_MAX_BYTES);
    w->easy = curl_easy_init();
    if (w->easy && set_constant_options(w)) return w;
    http_wire_free(w);
    return NULL;
}

eh_status http_wire_take(http_judge *h, http_wire **wire, eh_error *err) {
    http_wire *w = h->net.idle;
    if (w)
        h->net.idle = w->next;
    else
        w = wire_new(h);
    *wire = w;
    return w ? EH_STATUS_OK : EH_NOMEM(err);
}

void http_wire_free(http_wire *w) {
    if (!w) return;
    if (w->easy) curl_easy_cleanup(w->easy);
    arena_deinit(&w->arena);
    buf_deinit(&w->reply);
    buf_deinit(&w->header_text);
    mem_free(w);
}

/* The first sample's seed stands for all: choice i of a request is its sample i. */
static judge_call call_of(const http_ask *ask) {
    judge_call call = ask->prompt->call;
    call.n_samples = ask->n_samples;
    call.which = ask->samples;
    if (call.params.request_seed >= 0) call.params.request_seed += ask->samples[0];
    return call;
}

/* Most transfers go where the last one went, and libcurl copies what it is told. */
static CURLcode set_target(http_wire *w, const char *url, bool compressed) {
    CURLcode bad = CURLE_OK;
    if (w->url != url) bad = curl_easy_setopt(w->easy, CURLOPT_URL, url);
    if (bad == CURLE_OK && (!w->url || w->compressed != compressed))
        bad =
            curl_easy_setopt(w->easy, CURLOPT_ACCEPT_ENCODING, compressed ? "" : NULL);
    w->url = bad == CURLE_OK ? url : NULL;
    w->compressed = compressed;
    return bad;
}

eh_status http_wire_begin(http_wire *w, http_ask *ask, size_t base, eh_error *err) {
    http_judge *h = w->judge;
    judge_call call = call_of(ask);
    arena_reset(&w->arena);
    buf_reset(&w->reply);
    buf_reset(&w->header_text);
    w->ask = ask;
    w->base = base;
    w->weight = http_ask_weight(h, ask);
    w->n_sent = 0;
    w->up_bytes = 0;
    w->n_headers = 0;
    w->curl_text[0] = '\0';
    w->fault = JUDGE_FAULT_NONE;
    w->begun_ns = w->last_byte_ns = now_ns(w);
    EH_TRY(h->codec->encode(&call, &h->net.can, &w->arena, &w->body, err));
    if (set_target(w, h->bases[base].where.url.ptr, !ask->no_compression) ||
        curl_easy_setopt(w->easy, CURLOPT_POSTFIELDSIZE_LARGE,
                         (curl_off_t)w->body.body.len) ||
        curl_easy_setopt(w->easy, CURLOPT_POSTFIELDS, w->body.body.ptr) ||
        curl_multi_add_handle(h->net.sockets.multi, w->easy))
        return EH_FAIL(err, EH_STATUS_NOMEM, "a transfer cannot be set up");
    w->prev = NULL;
    w->next = h->net.busy;
    if (w->next) w->next->prev = w;
    h->net.busy = w;
    h->net.n_busy++;
    h->net.n_flying += w->weight;
    return EH_STATUS_OK;
}

void http_wire_end(http_wire *w) {
    http_net *net = &w->judge->net;
    (void)curl_multi_remove_handle(net->sockets.multi, w->easy);
    if (w->next) w->next->prev = w->prev;
    if (w->prev)
        w->prev->next = w->next;
    else
        net->busy = w->next;
    w->next = net->idle;
    net->idle = w;
    net->n_busy--;
    net->n_flying -= w->weight;
    w->ask = NULL;
}

bool http_wire_is_idle(http_wire *w, int64_t now_ns, int64_t limit_ns) {
    curl_off_t up_bytes = 0;
    if (w->up_bytes < (int64_t)w->body.body.len) {
        (void)curl_easy_getinfo(w->easy, CURLINFO_SIZE_UPLOAD_T, &up_bytes);
        if ((int64_t)up_bytes > w->up_bytes) w->last_byte_ns = now_ns;
        w->up_bytes = (int64_t)up_bytes;
    }
    return now_ns - w->last_byte_ns > limit_ns;
}

/* ---- what came ---- */

static judge_fault fault_of(const http_wire *w, CURLcode code) {
    if (w->fault != JUDGE_FAULT_NONE) return w->fault;
    switch (code) {
    case CURLE_OK: return JUDGE_FAULT_NONE;
    case CURLE_BAD_CONTENT_ENCODING: return JUDGE_FAULT_BAD_ENCODING;
    case CURLE_PARTIAL_FILE: return JUDGE_FAULT_CUT;
    default: return w->reply.len ? JUDGE_FAULT_CUT : JUDGE_FAULT_NO_ANSWER;
    }
}

void http_wire_answer(const http_wire *w, CURLcode code,
                      judge_header headers[HTTP_MAX_HEADERS], judge_answer *answer) {
    long status = 0;
    eh_str text = buf_view(&w->header_text);
    (void)curl_easy_getinfo(w->easy, CURLINFO_RESPONSE_CODE, &status);
    size_t begin = 0;
    for (size_t i = 0; i < w->n_headers; i++) {
        size_t colon = w->header_ends[2 * i], end = w->header_ends[2 * i + 1];
        headers[i] = (judge_header){eh_str_slice(text, begin, colon),
                                    eh_str_slice(text, colon, end)};
        begin = end;
    }
    *answer = (judge_answer){.fault = fault_of(w, code),
                             .status = (int)status,
                             .headers = headers,
                             .n_headers = w->n_headers,
                             .body = buf_view(&w->reply)};
}

bool http_wire_is_hopeless(CURLcode code) {
    switch (code) {
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_URL_MALFORMAT:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_ENGINE_NOTFOUND:
    case CURLE_SSL_ISSUER_ERROR: return true;
    default: return false;
    }
}
