/* SPDX-License-Identifier: MIT
 *
 * What is kept out of a page: matches of a regular expression (ICU's), each replaced
 * by one mark.
 *
 *   "call 555 0199 now"   --[0-9]{3} [0-9]{4}-->   "call [redacted] now"
 *
 * ICU reads the UTF-8 as it is and gives offsets in bytes, so nothing is converted. An
 * expression that backtracks without end is stopped by ICU's time limit, and then the
 * whole report fails: a text that could not be searched must not be written.
 *
 * JSON (the turns of a conversation) is searched string by string, as it reads and not
 * as it is escaped. Matches of no characters are none. Left out: matches that reach
 * over two texts.
 */
#include "page/redact.h"

#include <unicode/uregex.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

#include "base/json_read.h"
#include "base/json_write.h"
#include "base/mem.h"

enum { TIME_LIMIT_STEPS = 2000 }; /* of ICU, about a millisecond each */

struct page_redact {
    URegularExpression *expression;
    json_reader *reader;
    int64_t n;
};

/* "mismatched paren" of U_REGEX_MISMATCHED_PAREN. */
static void fault_words(UErrorCode code, char words[64]) {
    const char *name = u_errorName(code);
    size_t n = 0;
    if (strncmp(name, "U_REGEX_", 8) == 0) name += 8;
    for (; name[n] && n < 63; n++)
        words[n] = (char)(name[n] == '_'                     ? ' '
                          : name[n] >= 'A' && name[n] <= 'Z' ? name[n] - 'A' + 'a'
                                                             : name[n]);
    words[n] = '\0';
}

static eh_status open_expression(eh_str pattern, page_redact *r, eh_error *err) {
    UErrorCode code = U_ZERO_ERROR;
    UParseError where = {.offset = -1};
    UText *text = utext_openUTF8(NULL, pattern.ptr, (int64_t)pattern.len, &code);
    r->expression = uregex_openUText(text, 0, &where, &code);
    utext_close(text);
    if (code == U_MEMORY_ALLOCATION_ERROR) return EH_NOMEM(err);
    if (U_FAILURE(code)) {
        char words[64];
        fault_words(code, words);
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--redact: '%.*s' is no regular expression: %s at character %d",
                       EH_STR_ARG(pattern), words, (int)where.offset);
    }
    uregex_setTimeLimit(r->expression, TIME_LIMIT_STEPS, &code);
    return U_FAILURE(code) ? EH_NOMEM(err) : EH_STATUS_OK;
}

eh_status page_redact_new(eh_str pattern, page_redact **redact, eh_error *err) {
    page_redact *r = *redact = mem_zalloc(1, sizeof *r);
    if (!r) return EH_NOMEM(err);
    if (pattern.len == 0)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--redact: the expression is empty and would match nothing");
    r->reader = json_reader_new();
    return r->reader ? open_expression(pattern, r, err) : EH_NOMEM(err);
}

void page_redact_free(page_redact *r) {
    if (!r) return;
    uregex_close(r->expression);
    json_reader_free(r->reader);
    mem_free(r);
}

int64_t page_redact_count(const page_redact *r) {
    return r ? r->n : 0;
}

void page_redact_recount(page_redact *r, int64_t n) {
    if (r) r->n = n;
}

/* Copies what lies between the matches, and a mark for each, to `out`. */
static UErrorCode replace_matches(page_redact *r, eh_str text, UText *u, eh_buf *out) {
    UErrorCode code = U_ZERO_ERROR;
    size_t at = 0;
    uregex_setUText(r->expression, u, &code);
    while (uregex_findNext(r->expression, &code) && U_SUCCESS(code)) {
        size_t begin = (size_t)uregex_start64(r->expression, 0, &code);
        size_t end = (size_t)uregex_end64(r->expression, 0, &code);
        if (U_FAILURE(code) || end <= begin || end > text.len) continue;
        buf_add(out, text.ptr + at, begin - at);
        buf_add_cstr(out, PAGE_REDACTED);
        at = end;
        r->n++;
    }
    buf_add(out, text.ptr + at, text.len - at);
    return code;
}

eh_status page_redact_text(page_redact *r, eh_str *text, eh_arena *arena,
                           eh_error *err) {
    if (!r || text->len == 0) return EH_STATUS_OK;
    UErrorCode code = U_ZERO_ERROR;
    int64_t n_before = r->n;
    eh_buf out;
    buf_init(&out, BUF_MAX_REPORT);
    UText *u = utext_openUTF8(NULL, text->ptr, (int64_t)text->len, &code);
    if (U_SUCCESS(code)) code = replace_matches(r, *text, u, &out);
    utext_close(u);
    eh_status status = buf_check(&out, "a redacted text", err);
    if (status == EH_STATUS_OK && U_FAILURE(code)) {
        char words[64];
        fault_words(code, words);
        status =
            EH_FAIL(err, EH_STATUS_USAGE,
                    "--redact: looking through a text of %zu bytes failed (%s); no "
                    "page is written: use a simpler expression",
                    text->len, words);
    }
    if (status == EH_STATUS_OK && r->n > n_before &&
        !arena_copy(arena, buf_view(&out), text))
        status = EH_NOMEM(err);
    buf_deinit(&out);
    return status;
}

/* A copy of the value, and of those behind it, with their strings redacted. */
static eh_status redact_values(page_redact *r, const json_value *from, eh_arena *arena,
                               const json_value **to, eh_error *err) {
    *to = NULL;
    for (const json_value **link = to; from; from = from->next) {
        json_value *copy = arena_alloc(arena, sizeof *copy);
        if (!copy) return EH_NOMEM(err);
        *copy = *from;
        *link = copy;
        if (copy->kind == JSON_STRING)
            EH_TRY(page_redact_text(r, &copy->text, arena, err));
        EH_TRY(redact_values(r, from->child, arena, &copy->child, err));
        copy->next = NULL;
        link = &copy->next;
    }
    return EH_STATUS_OK;
}

eh_status page_redact_json(page_redact *r, eh_str *json, eh_arena *arena,
                           eh_error *err) {
    json_fault fault;
    const json_value *redacted;
    if (!r || json->len == 0) return EH_STATUS_OK;
    int64_t n_before = r->n;
    const json_value *root = json_read(r->reader, arena, *json, &fault);
    if (!root) return page_redact_text(r, json, arena, err);
    EH_TRY(redact_values(r, root, arena, &redacted, err));
    if (r->n == n_before) return EH_STATUS_OK;
    eh_buf out;
    json_writer w;
    buf_init(&out, BUF_MAX_REPORT);
    json_writer_init(&w, &out, 0);
    json_tree(&w, redacted);
    eh_status status = buf_check(&out, "a redacted conversation", err);
    if (status == EH_STATUS_OK && !arena_copy(arena, buf_view(&out), json))
        status = EH_NOMEM(err);
    buf_deinit(&out);
    return status;
}
