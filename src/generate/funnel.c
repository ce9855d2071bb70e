/* SPDX-License-Identifier: MIT
 *
 * The funnel: of what was wanted, what is left, and where the rest went. Each count is
 * of texts but for replies, which are calls; a question's reply holds several.
 */
#include "generate/generate.h"
#include "report/write.h"

const char *generate_step_name(int step) {
    if (step == GENERATE_QUESTIONS) return "questions";
    if (step == GENERATE_ANSWERS) return "answers";
    return alter_kind_name((alter_kind)(step - GENERATE_CHANGES));
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

static void text_row(const char *name, const generate_funnel_row *r, eh_buf *out) {
    const int64_t cells[] = {
        r->n_wanted,   r->n_replies,  sum(r->n_refused, AUDIT_REJECT_N),
        r->n_accepted, r->n_reviewed, sum(r->n_dropped, GENERATE_CRITERION_N),
        r->n_kept};
    report_name(out, eh_str_of(name));
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++)
        report_cell_count(out, cells[i]);
    buf_add_char(out, '\n');
}

/* "  answers          12  the text is over the limit of words" */
static void text_reasons(const generate_funnel *f, eh_buf *out) {
    bool has = false;
    for (int s = 0; s < GENERATE_STEPS; s++)
        for (int i = 1; i < AUDIT_REJECT_N; i++) {
            int64_t n = f->rows[s].n_refused[i];
            if (!n) continue;
            if (!has) buf_add_cstr(out, "\nrefused, and asked again\n");
            has = true;
            buf_printf(out, "  %-*s%5lld  " LAYOUT_HANG "%s\n", NAME_COLUMNS,
                       generate_step_name(s), (long long)n,
                       audit_reject_text((audit_reject)i));
        }
}

static void text_rest(const generate_funnel *f, eh_buf *out) {
    bool has = false;
    for (int s = 0; s < GENERATE_STEPS; s++) {
        const generate_funnel_row *r = &f->rows[s];
        const char *name = generate_step_name(s);
        for (int i = 0; i < GENERATE_CRITERION_N + 3; i++) {
            bool is_criterion = i < GENERATE_CRITERION_N;
            int64_t n = is_criterion                    ? r->n_dropped[i]
                        : i == GENERATE_CRITERION_N     ? r->n_given_up
                        : i == GENERATE_CRITERION_N + 1 ? r->n_unreviewed
                                                        : r->n_trimmed;
            if (!n) continue;
            if (!has) buf_add_cstr(out, "\nof the texts\n");
            has = true;
            buf_printf(out, "  %-*s%5lld  " LAYOUT_HANG "%s%s\n", NAME_COLUMNS, name,
                       (long long)n,
                       is_criterion                    ? "dropped by people: "
                       : i == GENERATE_CRITERION_N     ? "not had: no try was good"
                       : i == GENERATE_CRITERION_N + 1 ? "not reviewed"
                                                       : "lost white space at an end",
                       is_criterion ? generate_criterion_name((generate_criterion)i)
                                    : "");
        }
    }
}

void generate_funnel_text(const generate_funnel *f, eh_buf *out) {
    text_heading(out);
    for (int s = 0; s < GENERATE_STEPS; s++)
        if (f->rows[s].is_used) text_row(generate_step_name(s), &f->rows[s], out);
    text_reasons(f, out);
    text_rest(f, out);
}

void generate_funnel_json(const generate_funnel *f, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 2);
    json_object_begin(&w);
    json_put_i64(&w, "generate", 1);
    json_put_str(&w, "model", f->model);
    json_key(&w, "steps");
    json_object_begin(&w);
    for (int s = 0; s < GENERATE_STEPS; s++) {
        const generate_funnel_row *r = &f->rows[s];
        if (!r->is_used) continue;
        json_key(&w, generate_step_name(s));
        json_object_begin(&w);
        json_put_i64(&w, "wanted", r->n_wanted);
        json_put_i64(&w, "replies", r->n_replies);
        json_key(&w, "refused");
        json_object_begin(&w);
        for (int i = 1; i < AUDIT_REJECT_N; i++)
            if (r->n_refused[i])
                json_put_i64(&w, audit_reject_name((audit_reject)i), r->n_refused[i]);
        json_object_end(&w);
        json_put_i64(&w, "good", r->n_accepted);
        json_put_i64(&w, "given_up", r->n_given_up);
        json_put_i64(&w, "trimmed", r->n_trimmed);
        json_put_i64(&w, "reviewed", r->n_reviewed);
        json_put_i64(&w, "not_reviewed", r->n_unreviewed);
        json_key(&w, "dropped");
        json_object_begin(&w);
        for (int i = 0; i < GENERATE_CRITERION_N; i++)
            json_put_i64(&w, generate_criterion_name((generate_criterion)i),
                         r->n_dropped[i]);
        json_object_end(&w);
        json_put_i64(&w, "kept", r->n_kept);
        json_object_end(&w);
    }
    json_object_end(&w);
    json_object_end(&w);
    buf_add_char(out, '\n');
}
