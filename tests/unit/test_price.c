/* SPDX-License-Identifier: MIT
 *
 * Prices: the table and its look-up, costs by hand, and the budget.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "run/price.h"

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

static char path[64];

/* A table of the user's with that text; NULL where it is refused. */
static price_table *table_of(const char *text, eh_error *err) {
    price_table *t = NULL;
    (void)snprintf(path, sizeof path, "/tmp/evenhand-prices-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    (void)close(fd);
    eh_status status = price_table_load(path, &t, err);
    (void)unlink(path);
    assert_true((status == EH_STATUS_OK) == (t != NULL));
    if (!t) assert_int_equal(status, EH_STATUS_CONFIG);
    return t;
}

static void built_in_rows(void **state) {
    (void)state;
    static const struct {
        const char *id;
        int64_t input_nusd; /* -1 = no row */
    } rows[] = {
        {"openai:gpt-4.1", 2000000000},
        {"openai:gpt-4.1-2025-04-14", 2000000000},
        {"openai:gpt-4.1-mini", 400000000},
        {"openai:gpt-4.1-mini-2025-04-14", 400000000},
        {"openai:gpt-4.1-nano", -1},
        {"openai:gpt-4.1@localhost:8000/v1", -1},
        {"openai:gpt-4.1@api.openai.com/v1", 2000000000},
        {"anthropic:claude-haiku-4-5-20251001", 1000000000},
        {"anthropic:claude-haiku-4", -1},
        {"openai:gemini-2.5-flash@generativelanguage.googleapis.com/v1beta/openai",
         300000000},
        {"openai:openai/gpt-oss-120b@api.groq.com/openai/v1", 150000000},
        {"sim", -1},
        {"my-judge", -1},
        {"", -1},
    };
    price_table *t;
    assert_int_equal(price_table_load(NULL, &t, NULL), EH_STATUS_OK);
    for (size_t i = 0; i < N_OF(rows); i++) {
        const price_row *row = price_find(t, eh_str_of(rows[i].id));
        int64_t got = row ? row->input_nusd : -1;
        if (got != rows[i].input_nusd) fail_msg("%s: %lld", rows[i].id, (long long)got);
        if (row) assert_int_equal(row->date.len, 10);
    }
    price_table_free(t);
}

static void own_rows_go_first(void **state) {
    (void)state;
    price_table *t = table_of("prices:\n"
                              "  - {model: gpt-4.1, input: 1, output: 2}\n"
                              "  - {model: my-judge, input: 0, output: 0}\n"
                              "  - model: llama\n"
                              "    host: gpu:8000\n"
                              "    input: 0.000001\n"
                              "    output: 3\n",
                              NULL);
    assert_non_null(t);
    assert_int_equal(price_find(t, EH_STR("openai:gpt-4.1"))->input_nusd, 1000000000);
    assert_int_equal(price_find(t, EH_STR("my-judge"))->output_nusd, 0);
    const price_row *row = price_find(t, EH_STR("openai:llama@gpu:8000/v1"));
    assert_int_equal(row->input_nusd, 1000);
    assert_int_equal(row->cached_nusd, -1);
    assert_null(price_find(t, EH_STR("openai:llama@other:8000/v1")));
    price_table_free(t);
}

static void faults_name_their_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
    } rows[] = {
        {"", "prices:"},
        {"prices: 3\n", "prices:"},
        {"rates: []\n", "line 1: the rows stand under prices:, not under 'rates'"},
        {"prices: []\nprices: []\n", "line 2: key given twice"},
        {"prices:\n  - {model: m, input: 1, output: 1, input: 2}\n", "given twice"},
        {"prices: []\n---\nprices: []\n", "line 2: a second document"},
        {"prices:\n  - {model: m, input: 1}\n", "line 2: a row needs"},
        {"prices:\n  - {model: m, input: -1, output: 1}\n", "line 2: a price"},
        {"prices:\n  - {model: m, input: 1, output: one}\n", "line 2: a price"},
        {"prices:\n  - {model: m, input: 1, output: 1}\n  - 7\n", "line 3: a row"},
        {"prices:\n  - {model: m, input: 1, output: 1, unit: k}\n",
         "line 2: a row has"},
        {"prices:\n  - {model: [m], input: 1, output: 1}\n", "line 2: a text"},
        {"prices:\n  - {model: m\n", "line"},
    };
    for (size_t i = 0; i < N_OF(rows); i++) {
        eh_error err;
        assert_null(table_of(rows[i].text, &err));
        if (!strstr(err.msg, rows[i].part)) fail_msg("%s: %s", rows[i].text, err.msg);
    }
    price_table *t;
    assert_int_equal(price_table_load("/nowhere/prices.yaml", &t, NULL),
                     EH_STATUS_CONFIG);
}

static void costs(void **state) {
    (void)state;
    price_row row = {
        .input_nusd = 2000000000, .cached_nusd = 500000000, .output_nusd = 8000000000};
    judge_usage usage = {2000, 1500, 100, -1};
    assert_int_equal(price_cost_nusd(&row, &usage), 2550000);
    usage.cached_tokens = -1; /* unknown: none was cached */
    assert_int_equal(price_cost_nusd(&row, &usage), 4800000);
    usage.cached_tokens = 9999; /* more than there are */
    assert_int_equal(price_cost_nusd(&row, &usage), 1800000);
    row.cached_nusd = -1;
    assert_int_equal(price_cost_nusd(&row, &usage), 4800000);
    usage.completion_tokens = -1;
    assert_int_equal(price_cost_nusd(&row, &usage), -1);
    usage = (judge_usage){INT64_MAX / 2, 0, INT64_MAX / 2, 0};
    assert_int_equal(price_cost_nusd(&row, &usage), -1); /* no number holds it */
    row = (price_row){.input_nusd = 1, .cached_nusd = -1, .output_nusd = 0};
    usage = (judge_usage){1, 0, 0, 0};
    assert_int_equal(price_cost_nusd(&row, &usage), 1); /* up, never to nothing */
}

static void a_budget_is_never_passed(void **state) {
    (void)state;
    price_row row = {.input_nusd = 1000000000, .cached_nusd = -1, .output_nusd = 0};
    price_budget b = {.row = &row, .max_nusd = 10000};
    judge_usage six = {6, 0, 0, 0}, unknown = {-1, -1, -1, -1};
    assert_true(price_fits(&b, 10000));
    price_reserve(&b, 8000);
    assert_false(price_fits(&b, 3000));
    assert_true(price_fits(&b, 2000));
    price_settle(&b, 8000, &six, 0);
    assert_int_equal(b.spent_nusd, 6000);
    assert_true(price_fits(&b, 4000));
    price_reserve(&b, 1000);
    price_settle(&b, 1000, NULL, 0); /* refused: nothing to pay */
    assert_int_equal(b.spent_nusd, 6000);
    price_reserve(&b, 1000);
    price_settle(&b, 1000, &unknown, 1); /* unknown, and a reply was lost before */
    assert_int_equal(b.spent_nusd, 8000);
    assert_int_equal(b.reserved_nusd, 0);
    assert_true(price_worst_nusd(&row, 3000, 100) >= 1000000);
}

static void loading_without_memory(void **state) {
    (void)state;
    for (int nth = 1;; nth++) {
        price_table *t;
        mem_fail_at(nth, true);
        eh_status status = price_table_load(NULL, &t, NULL);
        mem_fail_at(0, false);
        price_table_free(t);
        if (status == EH_STATUS_OK) break;
        assert_int_equal(status, EH_STATUS_NOMEM);
        assert_true(nth < 50);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_rows),
        cmocka_unit_test(own_rows_go_first),
        cmocka_unit_test(faults_name_their_line),
        cmocka_unit_test(costs),
        cmocka_unit_test(a_budget_is_never_passed),
        cmocka_unit_test(loading_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
