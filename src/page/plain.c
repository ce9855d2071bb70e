/* SPDX-License-Identifier: MIT
 *
 * The report's document: its numbers as plain HTML, for readers without scripts and
 * until the script has drawn the page; then the index.
 */
#include <math.h>

#include "page/page.h"

static eh_str data_name(const page_report *r) {
    for (size_t s = 0; s < r->n_sources; s++)
        if (r->datasets[s].name.len) return r->datasets[s].name;
    return r->n_sources ? r->sources[0].name : EH_STR("");
}

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
    buf_add_cstr(out, "<h1>Report: ");
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
    buf_add_cstr(out, "</tbody></table></div>\n");
}

eh_status page_report_write(const page_report *r, const page_options *options,
                            page_chunks *chunks, const page_sink *sink, eh_error *err) {
    eh_buf plain, index;
    buf_init(&plain, BUF_MAX_REPORT);
    buf_init(&index, BUF_MAX_REPORT);
    add_plain(r, &plain);
    page_index_json(r, options, chunks, &index);
    page_document d = {.bundle = "report",
                       .kind = "report",
                       .name = data_name(r),
                       .plain = &plain,
                       .index = &index};
    eh_status status = page_document_write(&d, chunks, sink, err);
    buf_deinit(&plain);
    buf_deinit(&index);
    return status;
}
