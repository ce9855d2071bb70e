/* SPDX-License-Identifier: MIT
 *
 * Text for terminals of any width: prose that is broken, tables that give way.
 */
#include "report/layout.h"

#include "unit.h"

static void check_layout(const char *text, int columns, const char *wanted) {
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    report_layout(eh_str_of(text), columns, &out);
    assert_text(buf_view(&out), wanted);
    buf_deinit(&out);
}

/* ---- prose ---- */

static void test_prose(void **state) {
    (void)state;
    check_layout("", 40, "");
    check_layout("short\n", 40, "short\n");
    check_layout("no end", 40, "no end");
    check_layout("one two three four\n", 10, "one two\nthree\nfour\n");
    check_layout("nothing_to_break_at_all_here\n", 10,
                 "nothing_to_break_at_all_here\n");
    check_layout("nothing_to_break here\n", 10, "nothing_to_break\nhere\n");
    /* the last column stays free */
    check_layout("12345 789\n", 10, "12345 789\n");
    check_layout("12345 7890\n", 10, "12345\n7890\n");
    /* indented lines go on as they begin */
    check_layout("  one two three\n", 11, "  one two\n  three\n");
    check_layout("1\n\n 2\n", 40, "1\n\n 2\n");
    /* code points count, not bytes; ideographs twice, combining marks not */
    check_layout("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\n",
                 10,
                 "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4\n");
    check_layout("\xe4\xb8\xad\xe6\x96\x87 \xe4\xb8\xad\xe6\x96\x87\n", 9,
                 "\xe4\xb8\xad\xe6\x96\x87\n\xe4\xb8\xad\xe6\x96\x87\n");
    check_layout("a\xcc\x81 b\n", 4, "a\xcc\x81 b\n");
    /* wide terminals: lines that can be read */
    assert_int_equal(LAYOUT_PROSE_COLUMNS, 100);
    char text[241], wanted[241];
    for (size_t i = 0; i < 240; i++)
        text[i] = wanted[i] = i % 4 == 3 ? ' ' : 'x';
    text[240] = wanted[240] = '\0';
    wanted[99] = wanted[199] = '\n';
    check_layout(text, 200, wanted);
}

static void test_what_stays_together(void **state) {
    (void)state;
    check_layout("it is 45.8 % now\n", 12, "it is\n45.8 % now\n");
    check_layout("so p = .0215\n", 9, "so\np = .0215\n");
    check_layout("so p < .0001\n", 9, "so\np < .0001\n");
    check_layout("within 39.2 to 51.1\n", 18, "within\n39.2 to 51.1\n");
    check_layout("within -3.2 to +51\n", 16, "within\n-3.2 to +51\n");
    check_layout("from 1 to all of them\n", 12, "from 1 to\nall of them\n");
    check_layout("bins 1: 3/4\n", 10, "bins\n1: 3/4\n");
    /* a last word that stood alone gets company */
    check_layout("aaaa bbbb cccc dd\n", 16, "aaaa bbbb\ncccc dd\n");
    check_layout("aaaa bbbb cccc dd ee\n", 16, "aaaa bbbb cccc\ndd ee\n");
}

static void test_hang(void **state) {
    (void)state;
    check_layout("  label           " LAYOUT_HANG "one two three four five six\n", 44,
                 "  label           one two three four\n                  five six\n");
    check_layout("- " LAYOUT_HANG "one two three\n", 11, "- one two\n  three\n");
    /* no room behind the label: under it */
    check_layout("  label           " LAYOUT_HANG "one two three four\n", 30,
                 "  label\n    one two three four\n");
    check_layout("  label           " LAYOUT_HANG "short\n", 30,
                 "  label           short\n");
    check_layout("                  " LAYOUT_HANG "one two three four\n", 30,
                 "    one two three four\n");
}

static void test_commands(void **state) {
    (void)state;
    check_layout("  evenhand run pairs.jsonl -o run.db\n", 30,
                 "  evenhand run pairs.jsonl \\\n    -o run.db\n");
    check_layout("evenhand run: not a command\n", 20, "evenhand run: not\na command\n");
}

/* What could steer a terminal, and what is no text. */
static void test_controls(void **state) {
    (void)state;
    check_layout("a\xff b\xe4\xb8 c \xf0", 40, "a? b?? c ?");
    check_layout("\xf0\n" LAYOUT_HEAD "a" LAYOUT_CELL "\xc3\n", 40, "?\na      ?\n");
    check_layout("a\x1b[2Jb\tc\rd\n", 40, "a?[2Jb?c?d\n");
    check_layout("a\xc2\x9b"
                 "b\n",
                 40, "a?b\n");
    check_layout("x" LAYOUT_CELL "y\n", 40, "x?y\n"); /* a row without a table */
}

/* ---- tables ---- */

#define ROW(name, a, b) name LAYOUT_CELL a LAYOUT_CELL b "\n"
#define TABLE                                                                          \
    LAYOUT_HEAD "judge" LAYOUT_CELL "win" LAYOUT_CELL                                  \
                "95 %\n" ROW("a", "5.0", "1 to 9") ROW("a longer name", "-", "")

static void test_table(void **state) {
    (void)state;
    check_layout(TABLE, 80,
                 "judge            win    95 %\n"
                 "a                5.0  1 to 9\n"
                 "a longer name      -\n");
    check_layout(TABLE, 27,
                 "judge          win    95 %\n"
                 "a              5.0  1 to 9\n"
                 "a longer name    -\n");
    /* names on lines of their own, where there is anything to say of them */
    check_layout(TABLE, 26,
                 "judge         win    95 %\n"
                 "a             5.0  1 to 9\n"
                 "a longer name\n"
                 "                -\n");
    check_layout(TABLE, 20,
                 "judge\n"
                 "    win    95 %\n"
                 "a   5.0  1 to 9\n"
                 "a longer name\n"
                 "      -\n");
    check_layout(TABLE, 14,
                 "judge\n"
                 "a\n"
                 "  win   5.0\n"
                 "  95 %  1 to 9\n"
                 "a longer name\n"
                 "  win   -\n");
    check_layout(TABLE "sum\n" TABLE "end\n", 80,
                 "judge            win    95 %\n"
                 "a                5.0  1 to 9\n"
                 "a longer name      -\n"
                 "sum\n"
                 "judge            win    95 %\n"
                 "a                5.0  1 to 9\n"
                 "a longer name      -\n"
                 "end\n");
}

/* Between plain numbers one blank will do; not where a cell has blanks of its own. */
static void test_gaps(void **state) {
    (void)state;
    static const char plain[] = LAYOUT_HEAD "n" LAYOUT_CELL "a" LAYOUT_CELL
                                            "b\n" ROW("a long name", "10", "20");
    check_layout(plain, 20, "n             a   b\na long name  10  20\n");
    check_layout(plain, 18, "n            a  b\na long name 10 20\n");
    check_layout(LAYOUT_HEAD "\n" ROW("a long name", "1 %", "20"), 20,
                 "a long name\n    1 %  20\n");
}

static void test_left_and_empty(void **state) {
    (void)state;
    /* a column without anything in it takes no room, and no line ends with a blank */
    check_layout(LAYOUT_HEAD "\n"
                             "  x" LAYOUT_LEFT "left" LAYOUT_LEFT "" LAYOUT_LEFT "end\n"
                             "  yy" LAYOUT_LEFT "" LAYOUT_LEFT "" LAYOUT_LEFT "end\n"
                             "  z" LAYOUT_LEFT "longer" LAYOUT_LEFT LAYOUT_LEFT "\n",
                 80,
                 "  x   left    end\n"
                 "  yy          end\n"
                 "  z   longer\n");
    /* prose between the rows, and names with wide characters */
    check_layout(
        LAYOUT_HEAD "n" LAYOUT_CELL "a\n"
                    "\xe4\xb8\xad\xe6\x96\x87" LAYOUT_CELL "1\n"
                    "\n"
                    "words\n"
                    "x" LAYOUT_CELL "2\n",
        80, "n         a\n\xe4\xb8\xad\xe6\x96\x87      1\n\nwords\nx         2\n");
}

/* A link that fits no line: a block, in which the value is as long as it is. */
static void test_long_cell(void **state) {
    (void)state;
    check_layout(LAYOUT_HEAD "\n  ann" LAYOUT_LEFT "http://127.0.0.1/join/abcdef\n", 20,
                 "  ann\n    http://127.0.0.1/join/abcdef\n");
    check_layout(LAYOUT_HEAD "\n  rule" LAYOUT_LEFT "one two three four five\n", 20,
                 "  rule\n    one two three\n    four five\n");
}

/* No line is longer than the terminal if a break is possible, and nothing is lost. */
static void test_law(void **state) {
    (void)state;
    static const char text[] =
        "  label           " LAYOUT_HANG
        "conflict on 57.1 % of the 14 pairs that people "
        "tie, on 51.5 % of the 66 others (95 %: 41.2 to 60.0); phi 0.043, p = .7742\n"
        "gpt35 wins 54 % (44 to 63, 80 questions); 52 % of pairs conflict; about 310 "
        "pairs would give +-5 points.\n" LAYOUT_HEAD "judge" LAYOUT_CELL
        "pairs" LAYOUT_CELL "win" LAYOUT_CELL "low" LAYOUT_CELL "high\n"
        "a judge with a name" LAYOUT_CELL "80" LAYOUT_CELL "56.2" LAYOUT_CELL
        "48.9" LAYOUT_CELL "63.3\n"
        "another one" LAYOUT_CELL "7" LAYOUT_CELL "100.0" LAYOUT_CELL "-" LAYOUT_CELL
        "-\n";
    for (int columns = 30; columns <= 200; columns++) {
        eh_buf out;
        eh_str rest, line;
        buf_init(&out, BUF_MAX_SMALL);
        report_layout(eh_str_of(text), columns, &out);
        rest = buf_view(&out);
        while (eh_str_split(&rest, '\n', &line)) {
            assert_true((int)line.len < columns);
            assert_true(line.len == 0 || line.ptr[line.len - 1] != ' ');
        }
        static const char *const parts[] = {"57.1 %", "41.2 to 60.0", "p = .7742",
                                            "80",     "56.2",         "48.9",
                                            "63.3",   "100.0"};
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
            assert_holds(buf_view(&out), parts[i]);
        buf_deinit(&out);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prose),     cmocka_unit_test(test_what_stays_together),
        cmocka_unit_test(test_hang),      cmocka_unit_test(test_commands),
        cmocka_unit_test(test_controls),  cmocka_unit_test(test_table),
        cmocka_unit_test(test_gaps),      cmocka_unit_test(test_left_and_empty),
        cmocka_unit_test(test_long_cell), cmocka_unit_test(test_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
