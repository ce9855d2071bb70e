/* SPDX-License-Identifier: MIT
 *
 * Gates for people, on one screen, for programs as JSON, and for CI servers as JUnit
 * XML.
 *
 *   run.db: sim, 48 pairs
 *
 *     met      win_rate_soft.low >= .3    0.321
 *     NOT MET  conflict.high <= 20%       0.583, above by 0.383
 *
 * XML holds what the user wrote and what an endpoint called itself, so every text is
 * escaped, and what XML 1.0 cannot hold becomes a question mark. There are no times and
 * no host: equal replies give equal files.
 */
#include "report/gate.h"

#include <math.h>
#include <stdio.h>

#include "base/json_write.h"
#include "base/utf8.h"
#include "report/write.h"

/* The value and why. */
static void add_line(const report_gate_line *line, eh_buf *out) {
    char value[32] = "";
    if (!isnan(line->value)) (void)snprintf(value, sizeof value, "%.4g", line->value);
    const char *sep = value[0] && line->why.len ? ", " : "";
    buf_printf(out, "  %s  %.*s" LAYOUT_LEFT "%s%s%.*s\n",
               line->is_met ? "met    " : "NOT MET", EH_STR_ARG(line->rule), value, sep,
               EH_STR_ARG(line->why));
}

void report_gate_text(const report_gate *gate, eh_buf *out) {
    buf_printf(out, "%.*s\n\n", EH_STR_ARG(gate->subject));
    report_head(out, "", NULL, 0);
    for (size_t i = 0; i < gate->n_lines; i++)
        add_line(&gate->lines[i], out);
    if (gate->n_not_met == 0)
        buf_add_cstr(out, "\nThe gate is met.\n");
    else
        buf_printf(out, "\nThe gate is not met: %zu of %zu condition%s fail%s.\n",
                   gate->n_not_met, gate->n_lines, gate->n_lines == 1 ? "" : "s",
                   gate->n_not_met == 1 ? "s" : "");
}

/* ---- JSON ---- */

static void add_condition(const report_gate_line *line, json_writer *w) {
    json_object_begin(w);
    json_put_str(w, "condition", line->rule);
    json_put_bool(w, "met", line->is_met);
    json_put_f64(w, "value", line->value);
    json_put_str(w, "why", line->why.len ? line->why : (eh_str){0});
    json_object_end(w);
}

void report_gate_json(const report_gate *gate, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 1);
    json_object_begin(&w);
    json_put_i64(&w, "gate", 1);
    json_put_str(&w, "subject", gate->subject);
    json_put_bool(&w, "met", gate->n_not_met == 0);
    json_key(&w, "conditions");
    json_array_begin(&w);
    for (size_t i = 0; i < gate->n_lines; i++)
        add_condition(&gate->lines[i], &w);
    json_array_end(&w);
    json_object_end(&w);
    buf_add_char(out, '\n');
}

/* ---- XML ---- */

static void add_escaped(eh_str text, eh_buf *out) {
    bool is_utf8 = utf8_first_invalid(text) == SIZE_MAX;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        switch (c) {
        case '&': buf_add_cstr(out, "&amp;"); break;
        case '<': buf_add_cstr(out, "&lt;"); break;
        case '>': buf_add_cstr(out, "&gt;"); break;
        case '"': buf_add_cstr(out, "&quot;"); break;
        default:
            if ((unsigned char)c < 0x20 || c == 0x7F || (!is_utf8 && c < 0)) c = '?';
            buf_add_char(out, c);
        }
    }
}

static void add_attribute(const char *name, eh_str value, eh_buf *out) {
    buf_printf(out, " %s=\"", name);
    add_escaped(value, out);
    buf_add_char(out, '"');
}

static void add_case(const report_gate *gate, const report_gate_line *line,
                     eh_buf *out) {
    buf_add_cstr(out, "    <testcase");
    add_attribute("classname", gate->subject, out);
    add_attribute("name", line->rule, out);
    if (line->is_met) {
        buf_add_cstr(out, "/>\n");
        return;
    }
    buf_add_cstr(out, ">\n      <failure");
    add_attribute("message", line->why, out);
    if (isnan(line->value))
        buf_add_cstr(out, "/>\n");
    else
        buf_printf(out, ">value %.17g</failure>\n", line->value);
    buf_add_cstr(out, "    </testcase>\n");
}

void report_gate_junit(const report_gate *gate, eh_buf *out) {
    buf_printf(out,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<testsuites tests=\"%zu\" failures=\"%zu\">\n"
               "  <testsuite name=\"evenhand gate\" tests=\"%zu\" failures=\"%zu\" "
               "errors=\"0\" skipped=\"0\">\n",
               gate->n_lines, gate->n_not_met, gate->n_lines, gate->n_not_met);
    for (size_t i = 0; i < gate->n_lines; i++)
        add_case(gate, &gate->lines[i], out);
    buf_add_cstr(out, "  </testsuite>\n</testsuites>\n");
}
