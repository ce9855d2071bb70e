/* SPDX-License-Identifier: MIT
 *
 * Recorded replies of real judges, read again by rule: as many rows as is known must
 * give the recorded verdict, and no row may contradict it.
 *
 * Where the counts are below all, the record was made by another rule or by hand
 * (docs/verdict-rules.md says where). The set `compare` reads replies that were written
 * for other templates.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "prompt/template.h"
#include "recorded.h"

static void check_set(const char *shared, const recorded_set *set) {
    recorded_rows rows;
    if (!recorded_load(shared, set, &rows)) fail_msg("cannot read %s", set->folders[0]);
    assert_int_equal(rows.n_rows, set->n_rows);
    prompt_template *t;
    assert_int_equal(prompt_template_builtin(eh_str_of(set->template_name), &t, NULL),
                     EH_STATUS_OK);
    eh_arena arena;
    arena_init(&arena, (size_t)1 << 28);
    int n_same = 0, n_gained = 0;
    for (size_t i = 0; i < rows.n_rows; i++) {
        const recorded_row *row = &rows.rows[i];
        verdict_reply reply = {.content = row->reply};
        verdict_result r;
        arena_reset(&arena);
        assert_int_equal(verdict_read(&t->form, &reply, &arena, &r, NULL),
                         EH_STATUS_OK);
        eh_verdict verdict = eh_verdict_unswap(r.verdict, row->order);
        n_same += verdict == row->verdict;
        n_gained += verdict != EH_VERDICT_NONE && row->verdict == EH_VERDICT_NONE;
        if (verdict && row->verdict && verdict != row->verdict)
            fail_msg("%s: pair %.*s, judge %.*s, order %s: read as %s, recorded as %s",
                     set->template_name, EH_STR_ARG(row->pair_id),
                     EH_STR_ARG(row->judge), eh_order_name(row->order),
                     eh_verdict_name(verdict), eh_verdict_name(row->verdict));
    }
    print_message("%s, %s: %d of %d as recorded, %d gained\n", set->template_name,
                  set->folders[0], n_same, set->n_rows, n_gained);
    assert_int_equal(n_same, set->n_same);
    assert_int_equal(n_gained, set->n_gained);
    arena_deinit(&arena);
    prompt_template_free(t);
    recorded_deinit(&rows);
}

static void test_recorded(void **state) {
    (void)state;
    const char *shared = getenv("EVENHAND_SHARED");
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/data/README.md", shared ? shared : "");
    FILE *readme = fopen(path, "rb");
    if (!readme) {
        print_message("skipped: no recorded data in EVENHAND_SHARED\n");
        skip();
        return;
    }
    fclose(readme);
    for (int i = 0; i < RECORDED_N_SETS; i++)
        check_set(shared, &recorded_sets[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_recorded)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
