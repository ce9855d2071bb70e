/* SPDX-License-Identifier: MIT
 *
 * Reading base URLs.
 *
 *   https://host:443/v1/chat/completions/?api-version=1
 *   scheme  host     path                 query
 *
 * People write the base with and without /v1, with a slash at the end, or copy the full
 * URL. So the route behind the base is taken off where it stands, and where no path is
 * left /v1 is put there, which all known servers have. Anthropic's own clients add /v1
 * to any base, and so does that codec.
 *
 * Secrets never stand in URLs: user info and queries that look like keys are refused
 * before anything is sent. Left out: international host names, which libcurl converts.
 */
#include "codec/endpoint.h"

#include <stdlib.h>

#include "base/buf.h"

typedef struct url_parts {
    bool is_https;
    eh_str authority, path, query;
} url_parts;

static eh_status bad_url(eh_error *err, const char *why) {
    return EH_FAIL(err, EH_STATUS_USAGE, "--base-url %s", why);
}

static bool is_printable(eh_str s) {
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] <= ' ' || (unsigned char)s.ptr[i] >= 0x7F)
            return false;
    return true;
}

static eh_status split_url(eh_str text, url_parts *u, eh_error *err) {
    static const char *const form =
        "must be written http://HOST/PATH or https://HOST/PATH";
    eh_str rest;
    if (!is_printable(text))
        return bad_url(err, "holds a space or a character that no URL has");
    u->is_https = eh_str_begins(text, EH_STR("https://"));
    if (!u->is_https && !eh_str_begins(text, EH_STR("http://")))
        return bad_url(err, form);
    rest = eh_str_slice(text, u->is_https ? 8 : 7, text.len);
    if (eh_str_find(rest, EH_STR("#"), 0) != SIZE_MAX)
        return bad_url(err, "has a fragment (#...); leave it out");
    size_t question = eh_str_find(rest, EH_STR("?"), 0);
    u->query =
        question == SIZE_MAX ? EH_STR("") : eh_str_slice(rest, question + 1, rest.len);
    if (question != SIZE_MAX) rest = eh_str_slice(rest, 0, question);
    size_t slash = eh_str_find(rest, EH_STR("/"), 0);
    if (slash == SIZE_MAX) slash = rest.len;
    u->authority = eh_str_slice(rest, 0, slash);
    u->path = eh_str_slice(rest, slash, rest.len);
    while (eh_str_ends(u->path, EH_STR("/")))
        u->path.len--;
    if (eh_str_find(u->authority, EH_STR("@"), 0) != SIZE_MAX)
        return bad_url(err, "holds a user's name; give the key by --key-env or "
                            "--key-file");
    return u->authority.len ? EH_STATUS_OK : bad_url(err, form);
}

/* Names under which services take keys in a query. */
static eh_status check_query(eh_str query, eh_error *err) {
    static const char *const names[] = {"key",   "api_key",      "api-key", "apikey",
                                        "token", "access_token", "sig",     "password"};
    eh_str rest = query, part;
    while (query.len && eh_str_split(&rest, '&', &part)) {
        size_t eq = eh_str_find(part, EH_STR("="), 0);
        eh_str name = eh_str_slice(part, 0, eq == SIZE_MAX ? part.len : eq);
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            if (eh_str_eq_cstr(name, names[i]))
                return bad_url(err, "holds a key in its query; give it by --key-env, "
                                    "--key-file or --header-env");
    }
    return EH_STATUS_OK;
}

/* Lower case, without the port that the scheme has anyway. */
static eh_status tidy_host(const url_parts *u, eh_arena *arena, eh_str *host,
                           eh_error *err) {
    char *copy = arena_dup(arena, u->authority);
    if (!copy) return EH_NOMEM(err);
    for (char *c = copy; *c; c++)
        if (*c >= 'A' && *c <= 'Z') *c = (char)(*c + 32);
    *host = (eh_str){copy, u->authority.len};
    eh_str port = u->is_https ? EH_STR(":443") : EH_STR(":80");
    if (eh_str_ends(*host, port)) host->len -= port.len;
    return host->len ? EH_STATUS_OK : bad_url(err, "has no host");
}

static bool is_this_machine(eh_str host) {
    return eh_str_begins(host, EH_STR("localhost")) ||
           eh_str_begins(host, EH_STR("127.")) || eh_str_begins(host, EH_STR("[::1]"));
}

/* The path of the base: without the route behind it, with a version. */
static eh_str base_path(const judge_codec *codec, eh_str path, const char **version) {
    eh_str route = eh_str_of(codec->path);
    *version = "";
    if (path.len > route.len && eh_str_ends(path, route) &&
        path.ptr[path.len - route.len - 1] == '/')
        return eh_str_slice(path, 0, path.len - route.len - 1);
    bool always = codec == &judge_codec_anthropic;
    bool has_version = eh_str_ends(path, EH_STR("/v1"));
    if (path.len == 0 || (always && !has_version)) *version = "/v1";
    return path;
}

eh_status endpoint_read(const judge_codec *codec, eh_str text, eh_arena *arena,
                        endpoint *out, eh_error *err) {
    url_parts u = {0};
    const char *version = "";
    *out = (endpoint){0};
    EH_TRY(split_url(eh_str_trim(text), &u, err));
    EH_TRY(check_query(u.query, err));
    EH_TRY(tidy_host(&u, arena, &out->host, err));
    eh_str path = base_path(codec, u.path, &version);
    char *base = arena_printf(arena, "%.*s%.*s%s", EH_STR_ARG(out->host),
                              EH_STR_ARG(path), version);
    char *url = arena_printf(arena, "%s%s/%s%s%.*s",
                             u.is_https ? "https://" : "http://", base ? base : "",
                             codec->path, u.query.len ? "?" : "", EH_STR_ARG(u.query));
    if (!base || !url) return EH_NOMEM(err);
    out->base = eh_str_of(base);
    out->url = eh_str_of(url);
    out->is_plain_http = !u.is_https && !is_this_machine(out->host);
    return EH_STATUS_OK;
}

eh_status endpoint_read_list(const judge_codec *codec, eh_str list, eh_arena *arena,
                             endpoint *out, size_t *n, eh_error *err) {
    eh_str rest = list.len ? list : eh_str_of(codec->base_url), part;
    *n = 0;
    while (eh_str_split(&rest, ',', &part)) {
        if (*n == ENDPOINT_MAX) return bad_url(err, "has more than 32 addresses");
        EH_TRY(endpoint_read(codec, part, arena, &out[(*n)++], err));
    }
    return EH_STATUS_OK;
}

static int by_text(const void *left, const void *right) {
    return eh_str_cmp(*(const eh_str *)left, *(const eh_str *)right);
}

eh_status endpoint_judge_id(const judge_codec *codec, eh_str model,
                            const endpoint *endpoints, size_t n, eh_arena *arena,
                            eh_str *id, eh_error *err) {
    endpoint vendor = {0};
    eh_str bases[ENDPOINT_MAX] = {{NULL, 0}};
    eh_buf text;
    EH_TRY(endpoint_read(codec, eh_str_of(codec->base_url), arena, &vendor, err));
    for (size_t i = 0; i < n; i++)
        bases[i] = endpoints[i].base;
    qsort(bases, n, sizeof bases[0], by_text);
    buf_init(&text, BUF_MAX_SMALL);
    buf_printf(&text, "%s:%.*s", codec->name, EH_STR_ARG(model));
    bool is_vendor = n == 1 && eh_str_eq(bases[0], vendor.base);
    for (size_t i = 0; i < n && !is_vendor; i++)
        buf_printf(&text, "%s%.*s", i ? "," : "@", EH_STR_ARG(bases[i]));
    eh_status status = buf_check(&text, "a judge id", err);
    if (status == EH_STATUS_OK && !arena_copy(arena, buf_view(&text), id))
        status = EH_NOMEM(err);
    buf_deinit(&text);
    return status;
}
