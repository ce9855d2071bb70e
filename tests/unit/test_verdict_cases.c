/* SPDX-License-Identifier: MIT
 *
 * The shared cases of the verdict reader, every line of cases/verdicts.jsonl: verdict,
 * scores, rating, reason and the warnings that must be given.
 *
 * The reading templates that the cases name are written down here as well, so that
 * this test depends on the reader alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/json_read.h"
#include "verdict/verdict.h"

#define MARK(literal, which)                                                           \
    { {literal, sizeof(literal) - 1}, VERDICT_MARK_##which }
#define N_OF(array) (sizeof(array) / sizeof(array)[0])

static const verdict_mark output_better[] = {MARK("Output (a) is better", FIRST),
                                             MARK("Output (b) is better", SECOND)};
static const verdict_mark output_named[] = {MARK("Output (a)", FIRST),
                                            MARK("Output (b)", SECOND)};
static const verdict_mark tokens[] = {MARK("[[A]]", FIRST), MARK("[[B]]", SECOND),
                                      MARK("[[C]]", TIE)};
static const verdict_mark arena_tokens[] = {
    MARK("[[A>>B]]", FIRST_MUCH),  MARK("[[B<<A]]", FIRST_MUCH),
    MARK("[[A>B]]", FIRST),        MARK("[[B<A]]", FIRST),
    MARK("[[A=B]]", TIE),          MARK("[[B=A]]", TIE),
    MARK("[[B>A]]", SECOND),       MARK("[[A<B]]", SECOND),
    MARK("[[B>>A]]", SECOND_MUCH), MARK("[[A<<B]]", SECOND_MUCH)};
static const verdict_mark classes_123[] = {MARK("1", FIRST), MARK("2", SECOND),
                                           MARK("3", TIE)};
static const verdict_mark classes_tie[] = {MARK("1", FIRST), MARK("2", SECOND),
                                           MARK("tie", TIE), MARK("0", TIE)};

static const verdict_tier output_tiers[] = {{output_better, N_OF(output_better)},
                                            {output_named, N_OF(output_named)}};
static const verdict_tier token_tiers[] = {{tokens, N_OF(tokens)}};
static const verdict_tier arena_tiers[] = {{arena_tokens, N_OF(arena_tokens)}};
static const verdict_tier class_123_tiers[] = {{classes_123, N_OF(classes_123)}};
static const verdict_tier class_tie_tiers[] = {{classes_tie, N_OF(classes_tie)}};

static const struct {
    const char *name;
    verdict_marks marks;
} reading_templates[] = {
    {"output_ab",
     {VERDICT_WHERE_ANYWHERE, VERDICT_PICK_ONLY, output_tiers, 2, false, 0, 0}},
    {"first_mark",
     {VERDICT_WHERE_ANYWHERE, VERDICT_PICK_FIRST, token_tiers, 1, false, 0, 0}},
    {"arena5",
     {VERDICT_WHERE_ANYWHERE, VERDICT_PICK_ONLY, arena_tiers, 1, false, 0, 0}},
    {"last_line_class",
     {VERDICT_WHERE_LAST_LINE, VERDICT_PICK_ONLY, class_123_tiers, 1, false, 0, 0}},
    {"first_line_class",
     {VERDICT_WHERE_FIRST_LINE, VERDICT_PICK_ONLY, class_tie_tiers, 1, false, 0, 0}},
    {"first_line_scores",
     {VERDICT_WHERE_FIRST_LINE, VERDICT_PICK_ONLY, NULL, 0, true, 1, 10}},
};

static verdict_form form_of(eh_str name) {
    static const char *const forms[] = {"score", "compare", "likert", "json"};
    for (int i = 0; i < 4; i++) {
        if (eh_str_eq_cstr(name, forms[i]))
            return (verdict_form){(verdict_form_kind)i, NULL};
    }
    for (size_t i = 0; i < N_OF(reading_templates); i++) {
        if (eh_str_eq_cstr(name, reading_templates[i].name))
            return (verdict_form){VERDICT_FORM_MARKS, &reading_templates[i].marks};
    }
    fail_msg("unknown template %.*s", EH_STR_ARG(name));
    return (verdict_form){VERDICT_FORM_SCORE, NULL};
}

static verdict_reply reply_of(const json_value *reply) {
    if (reply->kind == JSON_STRING) return (verdict_reply){.content = reply->text};
    return (verdict_reply){.content = json_get_str(reply, "content"),
                           .finish_reason = json_get_str(reply, "finish_reason"),
                           .refusal = json_get_str(reply, "refusal")};
}

static bool same_score(const json_value *want, const verdict_result *r, double got) {
    double value;
    if (want->kind == JSON_NULL) return !r->has_scores;
    return r->has_scores && eh_str_to_f64(want->text, &value) && value >= got &&
           value <= got;
}

static bool has_warnings(const json_value *want, uint32_t warnings) {
    for (const json_value *w = want ? want->child : NULL; w; w = w->next) {
        bool given = false;
        for (int i = 0; i < VERDICT_WARNING_N; i++) {
            given |= (warnings & 1u << i) != 0 &&
                     eh_str_eq_cstr(w->text, verdict_warning_name((verdict_warning)i));
        }
        if (!given) return false;
    }
    return true;
}

static bool is_as_expected(const json_value *want, const verdict_result *r) {
    int64_t likert = 0;
    const json_value *rating = json_get(want, "likert");
    if (rating && rating->kind == JSON_NUMBER)
        (void)eh_str_to_i64(rating->text, &likert);
    return r->verdict == eh_verdict_parse(json_get_str(want, "verdict")) &&
           eh_str_eq_cstr(json_get_str(want, "reason"),
                          verdict_reason_name(r->reason)) &&
           same_score(json_get(want, "score_1"), r, r->score_1) &&
           same_score(json_get(want, "score_2"), r, r->score_2) &&
           r->likert == likert && has_warnings(json_get(want, "warn"), r->warnings);
}

static bool check_line(json_reader *reader, eh_arena *arena, eh_str line) {
    json_fault fault;
    const json_value *row = json_read(reader, arena, line, &fault);
    assert_non_null(row);
    verdict_form form = form_of(json_get_str(row, "template"));
    verdict_reply reply = reply_of(json_get(row, "reply"));
    verdict_result r;
    assert_int_equal(verdict_read(&form, &reply, arena, &r, NULL), EH_STATUS_OK);
    bool ok = is_as_expected(json_get(row, "expect"), &r);
    if (!ok)
        print_error("%.*s: read as verdict %s, reason '%s', scores %g %g, likert %d\n",
                    EH_STR_ARG(json_get_str(row, "id")),
                    r.verdict ? eh_verdict_name(r.verdict) : "none",
                    verdict_reason_name(r.reason), r.score_1, r.score_2, r.likert);
    return ok;
}

static void every_case(void **state) {
    (void)state;
    char path[400];
    const char *shared = getenv("EVENHAND_SHARED");
    (void)snprintf(path, sizeof path, "%s/cases/verdicts.jsonl", shared ? shared : "");
    FILE *f = shared ? fopen(path, "rb") : NULL;
    if (!f) {
        print_message("skipped: no shared cases\n");
        skip();
        return;
    }
    char *line = NULL;
    size_t cap = 0, n_lines = 0, n_ok = 0;
    ssize_t len;
    json_reader *reader = json_reader_new();
    eh_arena arena;
    arena_init(&arena, 64 << 20);
    while ((len = getline(&line, &cap, f)) > 0) {
        n_lines++;
        n_ok += check_line(reader, &arena, (eh_str){line, (size_t)len});
        arena_reset(&arena);
    }
    free(line);
    (void)fclose(f);
    arena_deinit(&arena);
    json_reader_free(reader);
    assert_true(n_lines >= 86);
    assert_int_equal(n_ok, n_lines);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
