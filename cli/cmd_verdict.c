/* SPDX-License-Identifier: MIT
 *
 * evenhand verdict: what the reader makes of replies.
 *
 * Lines {"id", "reply"} come in on standard input, one line goes out for each. It is
 * the reader that runs use, so a template of one's own can be tried on replies before
 * anyone is asked. Verdicts are in the order shown.
 */
#include "base/json_read.h"
#include "base/json_write.h"
#include "common.h"
#include "dataset/lines.h"
#include "reread.h"
#include "run/template_file.h"

typedef struct verdict_cmd {
    const cli_args *args;
    bool json;
    prompt_template *t;
    json_reader *reader;
    eh_arena arena;
    eh_buf out;
    int64_t line;
} verdict_cmd;

static eh_status bad_line(const verdict_cmd *v, const char *why, eh_error *err) {
    return EH_FAIL(err, EH_STATUS_DATA, "standard input: line %lld: %s",
                   (long long)v->line, why);
}

/* A member that is a string, or absent for null and missing; false for other types. */
static bool text_member(const json_value *object, const char *key, eh_str *text) {
    const json_value *m = json_get(object, key);
    *text = (eh_str){NULL, 0};
    if (!m || m->kind == JSON_NULL) return true;
    *text = m->text;
    return m->kind == JSON_STRING;
}

static eh_status read_reply(const verdict_cmd *v, const json_value *row,
                            verdict_reply *reply, eh_error *err) {
    const json_value *r = json_get(row, "reply");
    *reply = (verdict_reply){0};
    if (!r) return bad_line(v, "field 'reply' is missing", err);
    if (r->kind == JSON_STRING) {
        reply->content = r->text;
        return EH_STATUS_OK;
    }
    if (r->kind == JSON_NULL) return EH_STATUS_OK;
    if (r->kind != JSON_OBJECT)
        return bad_line(v, "field 'reply' is neither a text nor an object", err);
    if (!text_member(r, "content", &reply->content) ||
        !text_member(r, "finish_reason", &reply->finish_reason) ||
        !text_member(r, "refusal", &reply->refusal))
        return bad_line(v, "content, finish_reason and refusal are texts or null", err);
    return EH_STATUS_OK;
}

static void put_number(json_writer *w, const char *key, bool has, double value) {
    json_key(w, key);
    if (has)
        json_f64(w, value);
    else
        json_null(w);
}

static void put_json(verdict_cmd *v, const json_value *id, const verdict_result *r) {
    json_writer w;
    json_writer_init(&w, &v->out, 0);
    json_object_begin(&w);
    json_key(&w, "id");
    if (id && id->kind == JSON_NUMBER)
        json_raw(&w, id->text);
    else
        json_str(&w, id ? id->text : (eh_str){NULL, 0});
    json_put_cstr(&w, "verdict", eh_verdict_name(r->verdict));
    put_number(&w, "score_1", r->has_scores, r->score_1);
    put_number(&w, "score_2", r->has_scores && r->verdict != EH_VERDICT_SCORED,
               r->score_2);
    if (v->t->form.kind == VERDICT_FORM_LIKERT)
        put_number(&w, "likert", r->likert != 0, r->likert);
    json_key(&w, "reason");
    json_cstr(&w,
              r->reason == VERDICT_REASON_NONE ? NULL : verdict_reason_name(r->reason));
    json_key(&w, "warn");
    json_array_begin(&w);
    for (int i = 0; i < VERDICT_WARNING_N; i++)
        if (r->warnings >> i & 1)
            json_cstr(&w, verdict_warning_name((verdict_warning)i));
    json_array_end(&w);
    json_object_end(&w);
    buf_add_char(&v->out, '\n');
}

static void put_text(verdict_cmd *v, const json_value *id, const verdict_result *r) {
    eh_str name = id ? id->text : EH_STR("-");
    const char *verdict = eh_verdict_name(r->verdict);
    bool alone = r->verdict == EH_VERDICT_SCORED;
    buf_printf(&v->out, "%.*s\t%s", EH_STR_ARG(name),
               verdict ? verdict
               : alone ? "score"
                       : "none");
    if (alone)
        buf_printf(&v->out, "\t%g", r->score_1);
    else if (r->has_scores)
        buf_printf(&v->out, "\t%g : %g", r->score_1, r->score_2);
    if (r->likert) buf_printf(&v->out, "\trating %d", r->likert);
    if (r->reason != VERDICT_REASON_NONE)
        buf_printf(&v->out, "\t%s", verdict_reason_name(r->reason));
    buf_add_char(&v->out, '\n');
}

static eh_status take_line(verdict_cmd *v, eh_str line, eh_error *err) {
    if (eh_str_is_blank(line)) return EH_STATUS_OK;
    arena_reset(&v->arena);
    buf_reset(&v->out);
    json_fault fault;
    verdict_reply reply;
    verdict_result result;
    const json_value *row = json_read(v->reader, &v->arena, line, &fault);
    if (!row)
        return EH_FAIL(err, EH_STATUS_DATA, "standard input: line %lld: not JSON: %s",
                       (long long)v->line, fault.message);
    if (row->kind != JSON_OBJECT) return bad_line(v, "not an object", err);
    const json_value *id = json_get(row, "id");
    if (id && id->kind != JSON_STRING && id->kind != JSON_NUMBER)
        return bad_line(v, "field 'id' is neither a text nor a number", err);
    EH_TRY(read_reply(v, row, &reply, err));
    EH_TRY(verdict_read(&v->t->form, &reply, &v->arena, &result, err));
    if (fault.n_replaced_surrogates)
        result.warnings |= 1u << VERDICT_WARNING_BIT_REPLACED_SURROGATE;
    if (v->json)
        put_json(v, id, &result);
    else
        put_text(v, id, &result);
    EH_TRY(buf_check(&v->out, "a line", err));
    return cmd_print(buf_view(&v->out), err);
}

static eh_status read_lines(verdict_cmd *v, line_reader *lines, eh_error *err) {
    for (;;) {
        text_line line;
        bool more;
        EH_TRY(lines_next(lines, &line, &more, err));
        if (!more) return EH_STATUS_OK;
        v->line = line.number;
        if (line.too_long) return bad_line(v, "the line is too long", err);
        EH_TRY(take_line(v, line.text, err));
    }
}

static eh_status read_all(verdict_cmd *v, eh_error *err) {
    source *src;
    line_reader lines;
    EH_TRY(source_open("-", &src, err));
    lines_init(&lines, src, BUF_MAX_LINE);
    eh_status status = read_lines(v, &lines, err);
    lines_deinit(&lines);
    source_close(src);
    return status;
}

int cmd_verdict(const cli_args *args) {
    verdict_cmd v = {.args = args, .json = args_flag(args, OPT_json)};
    eh_error err;
    arena_init(&v.arena, (size_t)1 << 30);
    buf_init(&v.out, BUF_MAX_LINE);
    const char *name = args_str(args, OPT_template);
    bool rereads = args_given(args, OPT_reread);
    eh_status status = EH_STATUS_OK;
    if (!name && !rereads)
        status =
            EH_FAIL(&err, EH_STATUS_USAGE, "missing -t TEMPLATE, or --reread RUN.db");
    if (name) status = run_template_load(name, &v.t, &err);
    v.reader = json_reader_new();
    if (status == EH_STATUS_OK && !v.reader) status = EH_NOMEM(&err);
    if (status == EH_STATUS_OK)
        status = rereads ? cmd_reread(args, v.t, &err) : read_all(&v, &err);
    json_reader_free(v.reader);
    prompt_template_free(v.t);
    buf_deinit(&v.out);
    arena_deinit(&v.arena);
    return status == EH_STATUS_OK ? 0 : cmd_fail(args, &err);
}
