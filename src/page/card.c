/* SPDX-License-Identifier: MIT
 *
 * The judge card's document and its file.
 *
 * For readers without scripts, and until the script has drawn the page, the card stands
 * there as plain HTML: for each judge the sentence, and a row for each probe.
 */
#include <math.h>

#include "page/card.h"

#define CARD_ARENA_BYTES ((size_t)16 << 30)

static eh_str data_name(const page_card_page *p) {
    for (size_t s = 0; s < p->n_sources; s++)
        if (p->datasets[s].name.len) return p->datasets[s].name;
    return p->n_sources ? p->sources[0].name : EH_STR("");
}

/* ---- the plain part ---- */

static void add_probe_row(const card_judge *j, const card_probe *p, eh_buf *out) {
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    buf_add_cstr(out, "<tr><th scope=\"row\">");
    page_html_escape(card_probe_short(p), out);
    buf_printf(out, "</th><td>%s</td><td>", audit_state_text(p->state));
    card_probe_finding(j, p, &text);
    if (p->state != AUDIT_STATE_UNREADABLE) {
        buf_add_char(&text, ' ');
        card_probe_rates(p, &text);
    }
    page_html_escape(buf_view(&text), out);
    buf_add_cstr(out, "</td></tr>\n");
    buf_deinit(&text);
}

static void add_judge(const page_card_judge *j, eh_buf *out) {
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    card_sentence(j->numbers, &text);
    buf_add_cstr(out, "<h2>");
    page_html_escape(j->name, out);
    buf_add_cstr(out, "</h2>\n<p class=\"sentence\">");
    page_html_escape(buf_view(&text), out);
    buf_add_cstr(
        out, "</p>\n<table><caption>Probes, worst first</caption><thead><tr><th "
             "scope=\"col\">Probe</th><th scope=\"col\">State</th><th scope=\"col\">"
             "What was found</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < j->numbers->n_probes; i++)
        add_probe_row(j->numbers, &j->numbers->probes[i], out);
    buf_add_cstr(out, "</tbody></table>\n");
    buf_deinit(&text);
}

static void add_plain(const page_card_page *p, eh_buf *out) {
    buf_add_cstr(out, "<h1>Judge card: ");
    page_html_escape(data_name(p), out);
    buf_add_cstr(out, "</h1>\n");
    for (size_t i = 0; i < p->n_judges; i++)
        add_judge(&p->judges[i], out);
}

eh_status page_card_write(const page_card_page *p, const page_card_options *options,
                          page_chunks *chunks, const page_sink *sink, eh_error *err) {
    eh_buf plain, index;
    buf_init(&plain, BUF_MAX_REPORT);
    buf_init(&index, BUF_MAX_REPORT);
    add_plain(p, &plain);
    page_card_index_json(p, options, chunks, &index);
    page_document d = {.bundle = "card",
                       .kind = "judge card",
                       .name = data_name(p),
                       .plain = &plain,
                       .index = &index};
    eh_status status = page_document_write(&d, chunks, sink, err);
    buf_deinit(&plain);
    buf_deinit(&index);
    return status;
}

/* ---- the file ---- */

typedef struct page_card_job {
    page_card_page page;
    const page_card_options *options;
} page_card_job;

static eh_status make_card(void *self, const page_sink *sink, eh_error *err) {
    page_card_job *job = self;
    page_chunks *chunks = NULL;
    eh_status status = page_card_chunks(&job->page, job->options, &chunks, err);
    if (status == EH_STATUS_OK)
        status = page_card_write(&job->page, job->options, chunks, sink, err);
    page_chunks_free(chunks);
    return status;
}

eh_status page_card_file(const page_source *sources, size_t n_sources,
                         const page_card_options *options, const char *path,
                         page_result *result, eh_error *err) {
    eh_arena arena;
    page_card_job job = {.options = options};
    *result = (page_result){.n_bytes = 0};
    arena_init(&arena, CARD_ARENA_BYTES);
    eh_status status =
        page_card_collect(sources, n_sources, options, &arena, &job.page, err);
    if (status == EH_STATUS_OK)
        status = page_file_make(path, make_card, &job, &result->n_bytes, err);
    result->n_pairs = job.page.n_units;
    result->n_judges = job.page.n_judges;
    result->n_with_texts = options->page.texts ? job.page.n_placed : 0;
    arena_deinit(&arena);
    return status;
}
