/* SPDX-License-Identifier: MIT
 *
 * Code: cut between definitions and statements where a grammar parses it, else at
 * lines. "¦" marks where a unit begins. Built without grammars, all of it is cut at
 * lines.
 */
#include "align_marked.h"

static const align_options in_parts = {.parts = 6};

static bool has_grammars(void) {
    return align_grammar_names()[0] != '\0';
}

static void need_grammars(void) {
    if (has_grammars()) return;
    printf("skipped: built without grammars\n");
    skip();
}

static uint32_t notes_of(const char *text) {
    eh_arena arena;
    arena_init(&arena, (size_t)16 << 20);
    align_units units;
    assert_int_equal(align_units_of(eh_str_of(text), &in_parts, &arena, &units, NULL),
                     EH_STATUS_OK);
    assert_tiled(&units);
    arena_deinit(&arena);
    return units.notes;
}

static void test_definitions(void **state) {
    (void)state;
    need_grammars();
    ASSERT_UNITS(
        &in_parts,
        "```python\nimport os\n¦import re\n\n¦# Adds. Twice.\n\n@wraps\ndef f(a):\n\n"
        "    return a + a\n\n¦class B:\n    pass\n\n    def g(self): return 1\n¦x = 1; "
        "y = 2\n```\n",
        "```js\nconst a = 1; // one\n¦/* two. Three. */\nfunction f() {\n\n  return "
        "2;\n}\n"
        "¦export class C {}\n```",
        "```ts\ninterface P { x: number }\n¦type Q = P | null;\n¦let q: Q = null;\n```",
        "```tsx\nconst A = (): JSX.Element => <b>One. Two.</b>;\n¦A();\n```",
        "```c\n#include <stdio.h>\n\n¦static int n;\n¦int main(void)\n{\n    return "
        "n;\n}\n```",
        "```C++\nnamespace a {\nint b;\n}\n\n¦template <class T>\nT f(T t) { return t; "
        "}\n```",
        "```java\nimport a.B;\n¦class C {\n  int d;\n\n  void e() {}\n}\n¦enum F { G "
        "}\n```",
        "```go\npackage main\n\n¦import \"fmt\"\n\n¦func main() "
        "{\n\tfmt.Println(1)\n}\n```",
        "```rust\nuse std::fs;\n\n¦#[derive(Debug)]\nstruct A;\n\n¦/// Says. More.\n"
        "fn b() {}\n```",
        "```bash\nset -e\n¦for f in a b; do\n  echo \"$f. Yes.\"\ndone\n¦exit 0\n```",
        "```html\n<!-- a -->\n<ul>\n<li>One. Two.</li>\n</ul>\n¦<p>Three.</p>\n```",
        "```sql\nCREATE TABLE t (a INT);\n¦SELECT a\nFROM t\nWHERE a = 1;\n```");
}

/* Comments before a definition go with it; those at the end stay with the last. */
static void test_comments(void **state) {
    (void)state;
    need_grammars();
    ASSERT_UNITS(
        &in_parts,
        "```py\n# one\n# two\nx = 1  # three\n¦# four\n\ny = 2\n# five\n```\n");
}

static void test_guessed(void **state) {
    (void)state;
    need_grammars();
    ASSERT_UNITS(&in_parts, "```\ndef f():\n    x = 1\n\n    return x\n\n¦f()\n```",
                 "```\nfunction f() {\n  return 1;\n}\n¦f();\n```",
                 "~~~\n#include <vector>\n¦int f() {\n  return 1;\n}\n~~~");
    assert_int_equal(notes_of("```\ndef f():\n    x = 1\n\n    return x\n\nf()\n```"),
                     0);
}

static void test_indented(void **state) {
    (void)state;
    need_grammars();
    ASSERT_UNITS(
        &in_parts,
        "1. Do:\n\n¦   ```py\n   def f():\n\n       return 1\n¦   f()\n   ```\n¦2. Go.",
        "> ```py\n> def f():\n>     return 1\n¦> f()\n> ```\n");
}

static void test_lines(void **state) {
    (void)state;
    ASSERT_UNITS(&in_parts, "```brainlove\n+. a.\n\n¦  more. B\n¦end\n\n```\n",
                 "```text\none. Two.\n¦three\n```");
    uint32_t unknown = 1u << ALIGN_NOTE_BIT_CODE_UNKNOWN;
    uint32_t broken = 1u << ALIGN_NOTE_BIT_CODE_BROKEN;
    uint32_t too_long = 1u << ALIGN_NOTE_BIT_CODE_LONG;
    if (!has_grammars())
        unknown = broken = too_long = 1u << ALIGN_NOTE_BIT_CODE_NO_GRAMMARS;
    assert_int_equal(notes_of("```brainlove\na\nb\n```"), unknown);
    assert_int_equal(notes_of("```\n((\n%%% ]] e\n```"), unknown);
    assert_int_equal(notes_of("```python\ndef f(:\n  return\n```"), broken);
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    buf_add_cstr(&text, "```python\n");
    while (text.len < 70000)
        buf_add_cstr(&text, "((((((((((\n");
    assert_int_equal(notes_of(text.ptr), too_long);
    buf_deinit(&text);
}

/* A fence is cut only where it is longer than one part. */
static void test_length_of_parts(void **state) {
    (void)state;
    const align_options two = {.parts = 2}, one = {.parts = 1}, none = {0};
    static const char text[] = "Some words stand here.\n\n¦```text\na\nb\n```\n";
    ASSERT_UNITS(&two, text);
    ASSERT_UNITS(&one, text);
    ASSERT_UNITS(&none, text, "```text\na\nb\n```");
    ASSERT_UNITS(&two, "```text\na\n¦b\n```");
}

static void test_answer_is_code(void **state) {
    (void)state;
    need_grammars();
    const align_options none = {0};
    ASSERT_UNITS(&none,
                 "# Adds two numbers. Fast.\nimport sys\n\n¦def add(a, b):\n"
                 "    # Sum. Up.\n    return a + b\n\n¦print(add(1, 2))\n",
                 "#include <stdio.h>\n\n¦int main(void) {\n  puts(\"One. Two.\");\n"
                 "  return 0;\n}\n",
                 "from a import b\nThis is how it works here.\nreturn to the start.\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_definitions),    cmocka_unit_test(test_comments),
        cmocka_unit_test(test_guessed),        cmocka_unit_test(test_indented),
        cmocka_unit_test(test_lines),          cmocka_unit_test(test_length_of_parts),
        cmocka_unit_test(test_answer_is_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
