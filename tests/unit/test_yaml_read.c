/* SPDX-License-Identifier: MIT
 *
 * YAML documents with their lines, and small files as a whole.
 */
#include <unistd.h>

#include "base/file.h"
#include "base/yaml_read.h"
#include "unit.h"

static eh_status note_entry(void *self, yaml_source *src, const yaml_entry *entry,
                            eh_error *err) {
    eh_buf *seen = self;
    eh_str value = yaml_scalar(entry->value);
    if (eh_str_eq_cstr(entry->key, "bad"))
        return yaml_source_fault(src, entry->value, err, "not this:", value);
    buf_printf(seen, "%.*s=", EH_STR_ARG(entry->key));
    if (!eh_str_is_absent(value)) buf_add_str(seen, value);
    for (size_t i = 0; i < yaml_n_items(entry->value); i++)
        buf_printf(seen, "[%.*s]",
                   EH_STR_ARG(yaml_scalar(yaml_item(src, entry->value, i))));
    buf_printf(seen, "{%zu};", yaml_n_pairs(entry->value));
    return EH_STATUS_OK;
}

static eh_status read_all(const char *text, eh_buf *seen, eh_error *err) {
    yaml_source src;
    buf_init(seen, BUF_MAX_SMALL);
    EH_TRY(yaml_source_read(&src, "f.yaml", EH_STATUS_CONFIG, eh_str_of(text), err));
    const yaml_node_t *root = yaml_source_root(&src);
    eh_status status = EH_STATUS_OK;
    if (!root || root->type != YAML_MAPPING_NODE)
        status = yaml_source_fault(&src, root, err, "no mapping", EH_STR(""));
    else
        status = yaml_source_each(&src, root, note_entry, seen, err);
    yaml_source_free(&src);
    return status;
}

static void test_entries(void **state) {
    (void)state;
    eh_buf seen;
    eh_error err;
    assert_ok(read_all("a: 1\nb: [x, 'y z']\nc: {d: 1, e: 2}\nf:\n", &seen, &err), err);
    assert_text(buf_view(&seen), "a=1{0};b=[x][y z]{0};c={2};f={0};");
    buf_deinit(&seen);
}

static void test_faults_name_file_and_line(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "f.yaml: line 1: no mapping"},
        {"# only a comment\n", "f.yaml: line 1: no mapping"},
        {"\n- a\n", "f.yaml: line 2: no mapping"},
        {"a: 1\nb: 2\na: 3\n", "f.yaml: line 3: key given twice: 'a'"},
        {"a: 1\n? [x]\n: 2\n", "f.yaml: line 2: a key must be a text"},
        {"a: 1\nbad:\n  x\n", "f.yaml: line 3: not this: 'x'"},
        {"a: 1\n---\nb: 2\n", "f.yaml: line 2: a second document"},
        {"a: [1\n", "f.yaml: line 2: did not find expected ',' or ']'"},
        {"a: \"x\n", "f.yaml: line 2: found unexpected end of stream"},
        {"a: *x\n", "f.yaml: line 1: found undefined alias"},
        {"a:\t1\n b: 2\n", "f.yaml: line 2: "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        eh_buf seen;
        eh_error err = {0};
        assert_fails(read_all(rows[i].text, &seen, &err), EH_STATUS_CONFIG, err,
                     rows[i].message);
        buf_deinit(&seen);
    }
}

/* A node may hold itself; nothing here goes down into it. */
static void test_a_node_that_holds_itself(void **state) {
    (void)state;
    eh_buf seen;
    eh_error err;
    assert_ok(read_all("a: &x [*x, y]\n", &seen, &err), err);
    assert_text(buf_view(&seen), "a=[][y]{0};");
    buf_deinit(&seen);
}

static void test_files(void **state) {
    (void)state;
    eh_buf text;
    eh_error err;
    char path[] = "/tmp/test_yaml_XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "a\0b\n", 4), 4);
    assert_int_equal(close(fd), 0);
    buf_init(&text, 4);
    assert_ok(file_read(path, EH_STATUS_CONFIG, &text, &err), err);
    assert_int_equal(text.len, 4);
    buf_deinit(&text);
    buf_init(&text, 3);
    assert_fails(file_read(path, EH_STATUS_CONFIG, &text, &err), EH_STATUS_TOO_BIG, err,
                 path);
    buf_deinit(&text);
    assert_int_equal(unlink(path), 0);
    buf_init(&text, 9);
    assert_fails(file_read(path, EH_STATUS_CONFIG, &text, &err), EH_STATUS_CONFIG, err,
                 "No such file");
    assert_fails(file_read("/tmp", EH_STATUS_CONFIG, &text, &err), EH_STATUS_IO, err,
                 "/tmp: Is a directory");
    buf_deinit(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_faults_name_file_and_line),
        cmocka_unit_test(test_a_node_that_holds_itself),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
