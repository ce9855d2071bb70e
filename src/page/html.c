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
#include <math.h>
#include <sodium.h>

#include "base/embedded.h"
#include "page/page.h"

static const embedded_file *find_file(const char *name) {
    for (const embedded_file *f = embedded_web; f->name; f++)
        if (strcmp(f->name, name) == 0) return f;
    return NULL;
}

bool page_is_built(void) {
    return find_file("report.js") != NULL;
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

static eh_str data_name(const page_report *r) {
    for (size_t s = 0; s < r->n_sources; s++)
        if (r->datasets[s].name.len) return r->datasets[s].name;
    return r->n_sources ? r->sources[0].name : EH_STR("");
}

static void add_head(const page_report *r, const embedded_file *js,
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
                      "<title>Evenhand report: ");
    page_html_escape(data_name(r), out);
    buf_add_cstr(out, "</title>\n<style>");
    buf_add(out, css->text, css->len);
    buf_add_cstr(out, "</style>\n</head>\n<body>\n");
}

/* ---- the plain part ---- */

static void add_percent_cell(double value, double low, double high, eh_buf *out) {
    if (isnan(value))
        buf_add_cstr(out, "<td>undefined</td>");
    else if (isnan(low))
        buf_printf(out, "<td>%.1f %%</td>", 100 * value);
    else
        buf_printf(out, "<td>%.1f %% (%.1f to %.1f)</td>", 100 * value, 100 * low,
                   100 * high);
}

static void add_judge_row(const report_judge *s, eh_buf *out) {
    const report_agreement *a = &s->labels.all;
    buf_add_cstr(out, "<tr><th scope=\"row\">");
    page_html_escape(s->name, out);
    buf_printf(out, "</th><td>%s, k = %d</td><td>%lld</td>",
               plan_method_name(s->plan.method), s->plan.k, (long long)s->n_pairs);
    add_percent_cell(s->win_rate.value, s->win_rate.low, s->win_rate.high, out);
    add_percent_cell(s->conflict.rate.value, s->conflict.rate.low,
                     s->conflict.rate.high, out);
    buf_printf(out, "<td>%lld</td>", (long long)s->rulings.n_none);
    add_percent_cell(a->n_labelled ? a->accuracy : (double)NAN, NAN, NAN, out);
    if (a->n_labelled == 0 || isnan(a->kappa))
        buf_add_cstr(out, "<td>undefined</td></tr>\n");
    else
        buf_printf(out, "<td>%.2f</td></tr>\n", a->kappa);
}

static void add_plain(const page_report *r, eh_buf *out) {
    buf_add_cstr(out, "<main id=\"plain\">\n<h1>Report: ");
    page_html_escape(data_name(r), out);
    buf_add_cstr(out, "</h1>\n<p class=\"sentence\">");
    page_html_escape(eh_str_of(r->sentence), out);
    buf_add_cstr(out, "</p>\n");
    for (size_t i = 0; i < r->n_warnings; i++) {
        buf_add_cstr(out, "<p class=\"warning\">");
        page_html_escape(eh_str_of(r->warnings[i]), out);
        buf_add_cstr(out, "</p>\n");
    }
    buf_add_cstr(out,
                 "<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
                 "aria-label=\"Judges\"><table><caption>Judges, with 95 % intervals"
                 "</caption><thead><tr><th scope=\"col\">Judge</th><th scope=\"col\">"
                 "Method</th><th scope=\"col\">Pairs</th><th scope=\"col\">Win rate of "
                 "answer 1</th><th scope=\"col\">Pairs in conflict</th><th "
                 "scope=\"col\">Without ruling</th><th scope=\"col\">Accuracy</th><th "
                 "scope=\"col\">Kappa</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < r->n_judges; i++)
        add_judge_row(&r->judges[i].summary, out);
    buf_add_cstr(out,
                 "</tbody></table></div>\n<noscript><p>Charts and single pairs need "
                 "a browser that runs the script in this file; it loads nothing "
                 "from elsewhere.</p></noscript>\n</main>\n");
}

/* ---- the whole ---- */

static eh_status add_index(const page_report *r, const page_options *options,
                           const page_chunks *chunks, eh_buf *out, eh_error *err) {
    eh_buf json;
    buf_init(&json, BUF_MAX_REPORT);
    page_index_json(r, options, chunks, &json);
    eh_status status = buf_check(&json, "the report's index", err);
    if (status == EH_STATUS_OK) {
        buf_add_cstr(out, "<div id=\"app\"></div>\n<script "
                          "type=\"application/octet-stream\" id=\"index\">");
        status = page_pack(buf_view(&json), out, err);
        buf_add_cstr(out, "</script>\n");
    }
    buf_deinit(&json);
    return status;
}

eh_status page_html_write(const page_report *r, const page_options *options,
                          page_chunks *chunks, const page_sink *sink, eh_error *err) {
    const embedded_file *js = find_file("report.js"), *css = find_file("report.css");
    const embedded_file *notices = find_file("report-notices.txt");
    if (!js || !css || !notices)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "this build has no pages: it was made without Node (see "
                       "evenhand doctor)");
    eh_buf out;
    buf_init(&out, BUF_MAX_REPORT);
    add_head(r, js, css, &out);
    add_plain(r, &out);
    eh_status status = add_index(r, options, chunks, &out, err);
    buf_add_cstr(&out, "<script>");
    buf_add(&out, js->text, js->len);
    buf_add_cstr(&out, "</script>\n");
    if (status == EH_STATUS_OK) status = buf_check(&out, "the report", err);
    if (status == EH_STATUS_OK) status = sink->write(sink->self, buf_view(&out), err);
    if (status == EH_STATUS_OK) status = page_chunks_write(chunks, sink, err);
    buf_reset(&out);
    buf_add_cstr(&out, "<script type=\"text/plain\" id=\"licences\">\n");
    buf_add(&out, notices->text, notices->len);
    buf_add_cstr(&out, "</script>\n</body>\n</html>\n");
    if (status == EH_STATUS_OK) status = buf_check(&out, "the report", err);
    if (status == EH_STATUS_OK) status = sink->write(sink->self, buf_view(&out), err);
    buf_deinit(&out);
    return status;
}
