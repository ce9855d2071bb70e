/* SPDX-License-Identifier: MIT
 *
 * The pages: two small frames and the files that the web build embeds.
 *
 *   /        label.js, label.css       /owner   owner.js, owner.css
 *   /assets/NAME   any embedded file, by its exact name
 *
 * A name is looked up in a list, or for --web-dir must be letters, digits, '-', '_' and
 * single dots, so no path leads out of the folder. All files are public: what is secret
 * comes by the JSON interface alone.
 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/embedded.h"
#include "serve/exchange.h"

static const char plain_page[] =
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
    "<title>Evenhand</title></head><body><h1>Evenhand</h1>"
    "<p>This build has no pages: it was made without Node. The labelling server works, "
    "and tasks can be given out as files: <code>evenhand annotate RUN.db --export "
    "tasks.jsonl</code>.</p></body></html>\n";

#define FRAME(title, name)                                                             \
    "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"                  \
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"         \
    "<title>" title "</title><link rel=\"stylesheet\" href=\"/assets/" name ".css\">"  \
    "<script src=\"/assets/" name ".js\" defer></script></head>"                       \
    "<body><div id=\"app\"></div><noscript>This page needs JavaScript.</noscript>"     \
    "</body></html>\n"

static const char label_page[] = FRAME("Labelling", "label");
static const char owner_page[] = FRAME("Labelling: owner", "owner");

static const char *mime_of(eh_str name) {
    static const char *const types[][2] = {
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".html", "text/html; charset=utf-8"},
        {".txt", "text/plain; charset=utf-8"},
        {".json", "application/json"},
        {".svg", "image/svg+xml"},
        {".woff2", "font/woff2"},
    };
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (eh_str_ends(name, eh_str_of(types[i][0]))) return types[i][1];
    return "application/octet-stream";
}

static bool is_plain_name(eh_str name) {
    if (name.len == 0 || name.len > 64 || name.ptr[0] == '.') return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                     (c >= '0' && c <= '9') || c == '-' || c == '_';
        if (!plain && !(c == '.' && name.ptr[i - 1] != '.')) return false;
    }
    return true;
}

/* Reads a file of the developer's folder into the body. */
static bool from_folder(const char *folder, eh_str name, serve_response *out) {
    char path[4200], piece[16384];
    if (!is_plain_name(name)) return false;
    int n = snprintf(path, sizeof path, "%s/%.*s", folder, EH_STR_ARG(name));
    if (n < 0 || n >= (int)sizeof path) return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0) return false;
    ssize_t got;
    while ((got = read(fd, piece, sizeof piece)) > 0)
        buf_add(&out->body, piece, (size_t)got);
    (void)close(fd);
    return got == 0;
}

static bool embedded(eh_str name, serve_response *out) {
    for (const embedded_file *f = embedded_web; f->name; f++)
        if (eh_str_eq_cstr(name, f->name)) {
            out->static_body = (eh_str){f->text, f->len};
            return true;
        }
    return false;
}

static bool find_asset(const server *s, eh_str name, serve_response *out) {
    return s->web_dir ? from_folder(s->web_dir, name, out) : embedded(name, out);
}

/* A frame, where the build has what goes into it. */
static void answer_page(const server *s, const char *script, const char *page,
                        serve_response *out) {
    bool is_there = find_asset(s, eh_str_of(script), out);
    buf_reset(&out->body);
    out->mime = mime_of(EH_STR(".html"));
    out->static_body = eh_str_of(is_there ? page : plain_page);
}

static void add_etag(serve_response *out) {
    uint8_t digest[HASH_BYTES];
    char hex[17];
    eh_str body = out->static_body.ptr ? out->static_body : buf_view(&out->body);
    eh_hash h;
    hash_init(&h, "eh-asset-1");
    hash_str(&h, body);
    hash_done(&h, digest);
    hash_hex(digest, 8, hex);
    (void)snprintf(out->etag, sizeof out->etag, "\"%s\"", hex);
}

bool pages_answer(const server *s, const serve_request *r, serve_response *out) {
    static const char assets[] = "/assets/";
    size_t n = sizeof assets - 1;
    if (eh_str_eq_cstr(r->path, "/")) {
        answer_page(s, "label.js", label_page, out);
        return true;
    }
    if (eh_str_eq_cstr(r->path, "/owner")) {
        answer_page(s, "owner.js", owner_page, out);
        return true;
    }
    if (eh_str_eq_cstr(r->path, "/favicon.ico")) {
        out->status = 204;
        return true;
    }
    if (!eh_str_begins(r->path, eh_str_of(assets))) return false;
    eh_str name = eh_str_slice(r->path, n, r->path.len);
    if (!find_asset(s, name, out)) return false;
    out->mime = mime_of(name);
    out->is_asset = true;
    add_etag(out);
    if (r->etag.len && eh_str_eq_cstr(r->etag, out->etag)) {
        out->status = 304;
        out->static_body = EH_STR("");
        buf_reset(&out->body);
    }
    return true;
}
