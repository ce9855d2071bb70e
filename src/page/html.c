/* SPDX-License-Identifier: MIT
 *
 * The document around it all.
 *
 *   head   policy, style
 *   body   the numbers as plain HTML, for readers without scripts and until the script
 *          has drawn the page
 *          index (packed), script, chunks (packed), licences of what is bundled
 *
 * The policy comes first and names the one script and the one style by their hashes;
 * nothing may be loaded from anywhere, no form be sent, no base be set. The script
 * stands before the chunks, so that it can draw while they are still being parsed.
 * frame-ancestors is not allowed in a meta element and therefore left out.
 */
#include <sodium.h>

#include "base/embedded.h"
#include "page/file.h"

/* NULL where the bundle has no such file. */
static const embedded_file *find_file(const char *bundle, const char *ending) {
    size_t n = strlen(bundle);
    for (const embedded_file *f = embedded_web; f->name; f++)
        if (strncmp(f->name, bundle, n) == 0 && strcmp(f->name + n, ending) == 0)
            return f;
    return NULL;
}

bool page_is_built(void) {
    return find_file("report", ".js") != NULL; /* they are built together */
}

eh_status page_check_built(eh_error *err) {
    if (page_is_built()) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_USAGE,
                   "this build has no pages: it was made without Node; './bootstrap "
                   "package' in the source tree installs what is missing, then make "
                   "again");
}

void page_html_escape(eh_str text, eh_buf *out) {
    for (size_t i = 0; i < text.len; i++) {
        switch (text.ptr[i]) {
        case '&': buf_add_cstr(out, "&amp;"); break;
        case '<': buf_add_cstr(out, "&lt;"); break;
        case '>': buf_add_cstr(out, "&gt;"); break;
        case '"': buf_add_cstr(out, "&quot;"); break;
        case '\'': buf_add_cstr(out, "&#39;"); break;
        default: buf_add_char(out, text.ptr[i]);
        }
    }
}

/* ---- head ---- */

/* 'sha256-...' of what stands between the tags. */
static void add_hash(const embedded_file *f, eh_buf *out) {
    uint8_t digest[crypto_hash_sha256_BYTES];
    char base64[sodium_base64_ENCODED_LEN(sizeof digest,
                                          sodium_base64_VARIANT_ORIGINAL)];
    (void)crypto_hash_sha256(digest, (const uint8_t *)f->text, f->len);
    (void)sodium_bin2base64(base64, sizeof base64, digest, sizeof digest,
                            sodium_base64_VARIANT_ORIGINAL);
    buf_printf(out, "'sha256-%s'", base64);
}

static void add_head(const page_document *d, const embedded_file *js,
                     const embedded_file *css, eh_buf *out) {
    buf_add_cstr(
        out, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\""
             "default-src 'none'; script-src ");
    add_hash(js, out);
    buf_add_cstr(out, "; style-src ");
    add_hash(css, out);
    buf_add_cstr(out, "; img-src data:; base-uri 'none'; form-action 'none'; "
                      "require-trusted-types-for 'script'; trusted-types dompurify "
                      "evenhand\">\n<meta name=\"viewport\" "
                      "content=\"width=device-width, initial-scale=1\">\n<meta "
                      "name=\"referrer\" content=\"no-referrer\">\n<meta "
                      "name=\"generator\" content=\"Evenhand " EH_VERSION "\">\n"
                      "<title>Evenhand ");
    buf_printf(out, "%s: ", d->kind);
    page_html_escape(d->name, out);
    buf_add_cstr(out, "</title>\n<style>");
    buf_add(out, css->text, css->len);
    buf_add_cstr(out, "</style>\n</head>\n<body>\n");
}

/* ---- the whole ---- */

static eh_status add_front(const page_document *d, const embedded_file *js,
                           const embedded_file *css, eh_buf *out, eh_error *err) {
    EH_TRY(buf_check(d->plain, d->kind, err));
    EH_TRY(buf_check(d->index, "the page's index", err));
    add_head(d, js, css, out);
    buf_add_cstr(out, "<main id=\"plain\">\n");
    buf_add_str(out, buf_view(d->plain));
    buf_add_cstr(
        out, "<noscript><p>Charts and single pairs need a browser that runs the "
             "script in this file; it loads nothing from elsewhere.</p></noscript>\n"
             "</main>\n<div id=\"app\"></div>\n<script "
             "type=\"application/octet-stream\" id=\"index\">");
    EH_TRY(page_pack(buf_view(d->index), out, err));
    buf_add_cstr(out, "</script>\n<script>");
    buf_add(out, js->text, js->len);
    buf_add_cstr(out, "</script>\n");
    return buf_check(out, d->kind, err);
}

eh_status page_document_write(const page_document *d, page_chunks *chunks,
                              const page_sink *sink, eh_error *err) {
    const embedded_file *js = find_file(d->bundle, ".js");
    const embedded_file *css = find_file(d->bundle, ".css");
    const embedded_file *notices = find_file(d->bundle, "-notices.txt");
    EH_TRY(page_check_built(err));
    eh_buf out;
    buf_init(&out, BUF_MAX_REPORT);
    eh_status status = add_front(d, js, css, &out, err);
    if (status == EH_STATUS_OK) status = sink->write(sink->self, buf_view(&out), err);
    if (status == EH_STATUS_OK) status = page_chunks_write(chunks, sink, err);
    buf_reset(&out);
    buf_add_cstr(&out, "<script type=\"text/plain\" id=\"licences\">\n");
    buf_add(&out, notices->text, notices->len);
    buf_add_cstr(&out, "</script>\n</body>\n</html>\n");
    if (status == EH_STATUS_OK) status = buf_check(&out, d->kind, err);
    if (status == EH_STATUS_OK) status = sink->write(sink->self, buf_view(&out), err);
    buf_deinit(&out);
    return status;
}
