/* SPDX-License-Identifier: MIT
 *
 * The funnel: of what was wanted, what is left, and where the rest went. Each count is
 * of texts but for replies, which are calls; a question's reply holds several.
 */
#include "generate/generate.h"
#include "report/write.h"

static eh_str step_name(const generate_funnel *f, int step) {
    if (step == GENERATE_QUESTIONS) return EH_STR("questions");
    if (step == GENERATE_ANSWERS) return EH_STR("answers");
    return f->probes[step - GENERATE_CHANGES].name;
}

static int n_steps(const generate_funnel *f) {
    return GENERATE_CHANGES + (int)f->n_probes;
}

static int64_t sum(const int64_t *counts, int n) {
    int64_t total = 0;
    for (int i = 0; i < n; i++)
        total += counts[i];
    return total;
}

enum { NAME_COLUMNS = 16 };

static void text_heading(eh_buf *out) {
    static const char *const names[] = {"wanted",   "replies", "refused", "good",
                                        "reviewed", "dropped", "kept"};
    report_head(out, "", names, sizeof names / sizeof names[0]);
}

static void text_row(eh_str name, const generate_funnel_row *r, eh_buf *out) {
    const int64_t cells[] = {
        r->n_wanted,   r->n_replies,  sum(r->n_refused, AUDIT_REJECT_N),
        r->n_accepted, r->n_reviewed, sum(r->n_dropped, GENERATE_CRITERION_N),
        r->n_kept};
    report_name(out, name);
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
        report_cell_count(out, cells[i]);
    buf_add_char(out, '\n');
}

/* A name that is longer than its column has a line of its own, once. */
static void text_name(eh_str name, bool is_again, eh_buf *out) {
    bool is_long = name.len >= NAME_COLUMNS;
    if (is_long && !is_again) buf_printf(out, "  %.*s\n", EH_STR_ARG(name));
    if (is_long) name = EH_STR("");
    buf_printf(out, "  %-*.*s", NAME_COLUMNS, EH_STR_ARG(name));
}

typedef struct text_list {
    const generate_funnel *f;
    const char *heading;
    int last; /* the step that was spoken of last; -1: none */
    eh_buf *out;
} text_list;

/* "  answers          12  the text is over the limit of words" */
static void text_line(text_list *list, int step, int64_t n, const char *what,
                      const char *which) {
    if (n == 0) return;
    if (list->last < 0) buf_printf(list->out, "\n%s\n", list->heading);
    text_name(step_name(list->f, step), list->last == step, list->out);
    buf_printf(list->out, "%5lld  " LAYOUT_HANG "%s%s\n", (long long)n, what, which);
    list->last = step;
}

static void text_reasons(const generate_funnel *f, eh_buf *out) {
    text_list list = {f, "refused, and asked again", -1, out};
    for (int s = 0; s < n_steps(f); s++)
        for (int i = 1; i < AUDIT_REJECT_N; i++)
            text_line(&list, s, f->rows[s].n_refused[i],
                      audit_reject_text((audit_reject)i), "");
}

static void text_rest(const generate_funnel *f, eh_buf *out) {
    text_list list = {f, "of the texts", -1, out};
    for (int s = 0; s < n_steps(f); s++) {
        const generate_funnel_row *r = &f->rows[s];
        for (int i = 0; i < GENERATE_CRITERION_N; i++)
            text_line(&list, s, r->n_dropped[i], "dropped by people: ",
                      generate_criterion_name((generate_criterion)i));
        text_line(&list, s, r->n_given_up, "not had: no try was good", "");
        text_line(&list, s, r->n_unreviewed, "not reviewed", "");
        text_line(&list, s, r->n_trimmed, "lost white space at an end", "");
    }
}

void generate_funnel_text(const generate_funnel *f, eh_buf *out) {
    text_heading(out);
    for (int s = 0; s < n_steps(f); s++)
        if (f->rows[s].is_used) text_row(step_name(f, s), &f->rows[s], out);
    text_reasons(f, out);
    text_rest(f, out);
}

static void json_row(const generate_funnel_row *r, json_writer *w) {
    json_put_i64(w, "wanted", r->n_wanted);
    json_put_i64(w, "replies", r->n_replies);
    json_key(w, "refused");
    json_object_begin(w);
    for (int i = 1; i < AUDIT_REJECT_N; i++)
        if (r->n_refused[i])
            json_put_i64(w, audit_reject_name((audit_reject)i), r->n_refused[i]);
    json_object_end(w);
    json_put_i64(w, "good", r->n_accepted);
    json_put_i64(w, "given_up", r->n_given_up);
    json_put_i64(w, "trimmed", r->n_trimmed);
    json_put_i64(w, "reviewed", r->n_reviewed);
    json_put_i64(w, "not_reviewed", r->n_unreviewed);
    json_key(w, "dropped");
    json_object_begin(w);
    for (int i = 0; i < GENERATE_CRITERION_N; i++)
        json_put_i64(w, generate_criterion_name((generate_criterion)i),
                     r->n_dropped[i]);
    json_object_end(w);
    json_put_i64(w, "kept", r->n_kept);
}

/* What kind of probe a step is of; users' own with what their replies may change. */
static void json_probe(const alter_probe *p, json_writer *w) {
    json_put_cstr(w, "form", audit_form_name(p->form));
    json_put_bool(w, "own", p->kind == ALTER_KIND_OWN);
    if (p->kind == ALTER_KIND_OWN) json_put_f64(w, "max_change", p->max_share);
}

void generate_funnel_json(const generate_funnel *f, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 2);
    json_object_begin(&w);
    json_put_i64(&w, "generate", 1);
    json_put_str(&w, "model", f->model);
    json_key(&w, "steps");
    json_object_begin(&w);
    for (int s = 0; s < n_steps(f); s++) {
        if (!f->rows[s].is_used) continue;
        json_key_str(&w, step_name(f, s));
        json_object_begin(&w);
        if (s >= GENERATE_CHANGES) json_probe(&f->probes[s - GENERATE_CHANGES], &w);
        json_row(&f->rows[s], &w);
        json_object_end(&w);
    }
    json_object_end(&w);
    json_object_end(&w);
    buf_add_char(out, '\n');
}
