/* SPDX-License-Identifier: MIT
 *
 * Gates: conditions read and refused, numbers looked up in a tree, what is not met and
 * why, and XML that holds any text.
 */
#include <math.h>

#include "report/gate.h"
#include "unit.h"

static void refused(const char *text) {
    report_gate_rule rule;
    eh_error err;
    assert_fails(report_gate_parse(eh_str_of(text), &rule, &err), EH_STATUS_USAGE, err,
                 text);
}

static report_gate_rule parsed(const char *text) {
    report_gate_rule rule;
    eh_error err;
    assert_ok(report_gate_parse(eh_str_of(text), &rule, &err), err);
    return rule;
}

static void test_conditions(void **state) {
    (void)state;
    static const struct {
        const char *text, *path;
        report_gate_op op;
        double bound;
    } rows[] = {
        {"a.b >= .48", "a.b", REPORT_GATE_GE, .48},
        {"  a<=48%  ", "a", REPORT_GATE_LE, .48},
        {"a.12.tie > -1", "a.12.tie", REPORT_GATE_GT, -1},
        {"a<1e-3", "a", REPORT_GATE_LT, .001},
        {"role play.b == 5", "role play.b", REPORT_GATE_EQ, 5},
        {"a != 0 %", "a", REPORT_GATE_NE, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        report_gate_rule rule = parsed(rows[i].text);
        assert_text(rule.path, rows[i].path);
        assert_int_equal(rule.op, rows[i].op);
        assert_true(fabs(rule.bound - rows[i].bound) < 1e-15);
    }
    static const char *const bad[] = {
        "",         "a",      "a 3",    "a >=",       ">= 3",   "a. > 1",
        ".a > 1",   "a => 3", "a >= b", "a >= 1 2",   "a >= %", "a >= nan",
        "a >= inf", "a = 3",  "a >> 3", "a >= 3 <= 4"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refused(bad[i]);
}

/* A tree and what a gate finds in it. */
typedef struct looked {
    eh_arena arena;
    json_reader *reader;
    report_gate gate;
} looked;

static looked look_at(const char *json, const char *rule_text, bool allow_mixed) {
    looked it = {.reader = json_reader_new()};
    json_fault fault;
    eh_error err;
    arena_init(&it.arena, 1 << 20);
    const json_value *root = json_read(it.reader, &it.arena, eh_str_of(json), &fault);
    assert_non_null(root);
    report_gate_rule rule = {.text = EH_STR("")};
    if (rule_text) rule = parsed(rule_text);
    report_gate_options options = {
        .rules = &rule, .n_rules = rule_text != NULL, .allow_mixed = allow_mixed};
    it.gate.subject = EH_STR("it");
    assert_ok(report_gate_look(root, &options, &it.arena, &it.gate, &err), err);
    return it;
}

static void forget(looked *it) {
    json_reader_free(it->reader);
    arena_deinit(&it->arena);
}

static void check_rule(const char *json, const char *rule, bool is_met,
                       const char *why) {
    looked it = look_at(json, rule, false);
    assert_int_equal(it.gate.n_lines, 1);
    assert_int_equal(it.gate.n_not_met, !is_met);
    assert_int_equal(it.gate.lines[0].is_met, is_met);
    assert_holds(it.gate.lines[0].why, why);
    forget(&it);
}

static void test_numbers(void **state) {
    (void)state;
    const char *json =
        "{\"n\": 3, \"rate\": {\"value\": 0.5, \"low\": null, \"high\": null, \"n\": 1,"
        " \"why\": \"too_few_questions\"}, \"win\": {\"value\": 0.5, \"low\": 0.4},"
        " \"failed\": {\"refusal\": 2}, \"by\": {\"none_by_reason\": {}},"
        " \"labels\": null, \"name\": \"x\"}";
    check_rule(json, "n >= 3", true, "");
    check_rule(json, "n > 3", false, "not so");
    check_rule(json, "n >= 4", false, "below by 1");
    check_rule(json, "n <= 2.5", false, "above by 0.5");
    check_rule(json, "n != 3", false, "not so");
    check_rule(json, "win.value >= .5", true, "");
    check_rule(json, "rate.value >= .5", false, "too little data");
    check_rule(json, "rate.n >= 1", true, "");
    check_rule(json, "rate.low >= 0", false, "undefined: too_few_questions");
    check_rule(json, "rate.lwo >= 0", false, "did you mean rate.low?");
    check_rule(json, "refusal < 9", false, "did you mean failed.refusal?");
    check_rule(json, "failed.refusal < 2", false, "");
    check_rule(json, "failed.truncated == 0", true, "");
    check_rule(json, "failed.unspecified == 0", true, "");
    check_rule(json, "failed.nonsense == 0", false, "no such number");
    check_rule(json, "by.none_by_reason.inconsistent == 0", true, "");
    check_rule(json, "by.none_by_reason.refusal == 0", false, "no such number");
    check_rule(json, "labels.kappa > 0", false, "there are no labels");
    check_rule(json, "labels > 0", false, "there are no labels");
    check_rule(json, "name == 1", false, "not a number");
    check_rule(json, "rate == 1", false, "not one number but value, low, high, ...");
    check_rule(json, "n.n.n == 1", false, "no such number");
}

/* Names of models hold points; the tree decides what is meant. */
static void test_keys_with_points(void **state) {
    (void)state;
    const char *json = "{\"models\": {\"m\": {\"x\": 1}, \"m-4\": {\"1\": {\"x\": 2}},"
                       " \"m-4.1 mini\": {\"x\": 3, \"y\": null, \"why\": \"few\"},"
                       " \"m-4.2\": {\"x\": 4}}}";
    check_rule(json, "models.m.x == 1", true, "");
    check_rule(json, "models.m-4.1.x == 2", true, "");
    check_rule(json, "models.m-4.1 mini.x == 3", true, "");
    check_rule(json, "models.m-4.1 mini.y == 3", false, "undefined: few");
    check_rule(json, "models.m-4.2.x == 4", true, "");
    check_rule(json, "models.m-4.2.z == 4", false, "did you mean models.m-4.2.x?");
    check_rule(json, "models.m-4.1 mini == 3", false, "not one number but x, y");
}

/* What holds for every judge, whatever is asked. */
static void test_standing(void **state) {
    (void)state;
    looked part =
        look_at("{\"rulings\": {\"none_by_reason\": {\"not_asked\": 7}}}", NULL, false);
    assert_int_equal(part.gate.n_lines, 2);
    assert_int_equal(part.gate.n_not_met, 1);
    assert_holds(part.gate.lines[0].why, "7 pairs");
    forget(&part);
    const char *mixed = "{\"rulings\": {}, \"mixed_models\": true, \"n\": 1}";
    looked strict = look_at(mixed, "n == 1", false);
    assert_int_equal(strict.gate.n_lines, 3);
    assert_int_equal(strict.gate.n_not_met, 1);
    assert_holds(strict.gate.lines[1].why, "--allow-mixed");
    forget(&strict);
    looked lax = look_at(mixed, "n == 1", true);
    assert_int_equal(lax.gate.n_lines, 2);
    assert_int_equal(lax.gate.n_not_met, 0);
    forget(&lax);
}

static void test_xml(void **state) {
    (void)state;
    report_gate_line line = {.rule = EH_STR("a<b>\"&\x01 \xC3\xA4"),
                             .value = NAN,
                             .why = EH_STR("bad \xFF byte")};
    report_gate gate = {
        .subject = EH_STR("s"), .lines = &line, .n_lines = 1, .n_not_met = 1};
    eh_buf xml;
    buf_init(&xml, BUF_MAX_SMALL);
    report_gate_junit(&gate, &xml);
    assert_holds(buf_view(&xml), "name=\"a&lt;b&gt;&quot;&amp;? \xC3\xA4\"");
    assert_holds(buf_view(&xml), "message=\"bad ? byte\"");
    assert_holds(buf_view(&xml), "failures=\"1\"");
    buf_deinit(&xml);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_keys_with_points),
        cmocka_unit_test(test_standing),
        cmocka_unit_test(test_xml),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
