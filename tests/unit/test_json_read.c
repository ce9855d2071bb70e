/* SPDX-License-Identifier: MIT
 *
 * The JSON reader: what RFC 8259 allows and what it does not, each fault with its kind
 * and byte, decoded strings, raw numbers, keys given twice; and that random trees that
 * the writer wrote are read back as they were.
 */
#include <math.h>

#include "base/json_read.h"
#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "unit.h"

typedef struct reading {
    json_reader *reader;
    eh_arena arena;
    json_fault fault;
} reading;

static int open_reader(void **state) {
    reading *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->reader = json_reader_new();
    assert_non_null(r->reader);
    arena_init(&r->arena, (size_t)1 << 30);
    *state = r;
    return 0;
}

static int close_reader(void **state) {
    reading *r = *state;
    json_reader_free(r->reader);
    json_reader_free(NULL);
    arena_deinit(&r->arena);
    free(r);
    return 0;
}

/* The text is handed over without a byte behind it, so that a sanitizer sees a read
 * past its end. */
static const json_value *read_text(reading *r, eh_str text) {
    char *exact = malloc(text.len ? text.len : 1);
    assert_non_null(exact);
    memcpy(exact, text.ptr, text.len);
    const json_value *v =
        json_read(r->reader, &r->arena, (eh_str){exact, text.len}, &r->fault);
    assert_non_null(r->fault.message);
    assert_int_equal(v == NULL, r->fault.kind != JSON_FAULT_NONE);
    free(exact); /* values must not borrow from it */
    return v;
}

static void test_accepts(void **state) {
    reading *r = *state;
    static const char *const texts[] = {"0",
                                        "-0",
                                        "1",
                                        "-1",
                                        "10",
                                        "0.5",
                                        "-0.5e-3",
                                        "1E5",
                                        "1e+5",
                                        "1e05",
                                        "0e0",
                                        "123456789012345678901234567890.5e999",
                                        "null",
                                        "true",
                                        "false",
                                        "\"\"",
                                        " 1 ",
                                        "\t\r\n[]\n",
                                        "{}",
                                        "[ ]",
                                        "{ }",
                                        "[1]",
                                        "[1,2]",
                                        "[[],{}]",
                                        "[null]",
                                        "{\"a\":1}",
                                        "{\"a\":{\"b\":[true,false,null]}}",
                                        "{\"\":0}",
                                        "{\"a\":1,\"a\":2}",
                                        "[0,-0,1.5]",
                                        "\"\\u0000\"",
                                        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
                                        "\"\x7F\"",
                                        "[\"\\uD834\\uDD1E\"]",
                                        "[\"a\",\"b\"]",
                                        "{\"k\" : [ 1 , 2 ] , \"l\" : \"\" }",
                                        "\"\xE2\x80\xA8\"",
                                        "\"\\u00e9\xC3\xA9\"",
                                        "[1e-400]",
                                        "[[[[[[[[[[]]]]]]]]]]"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (!read_text(r, eh_str_of(texts[i])))
            fail_msg("%s: %s at %zu", texts[i], r->fault.message, r->fault.byte);
}

/* Every text with the kind of its fault; `at` is the byte, or -1 where only its range
 * is fixed. */
static const struct {
    const char *text;
    json_fault_kind kind;
    int at;
} faulty[] = {
    {"", JSON_FAULT_EMPTY, 0},
    {" \n\t ", JSON_FAULT_EMPTY, 4},
    {"tru", JSON_FAULT_SYNTAX, 0},
    {"True", JSON_FAULT_SYNTAX, 0},
    {"nul", JSON_FAULT_SYNTAX, 0},
    {"NaN", JSON_FAULT_SYNTAX, 0},
    {"Infinity", JSON_FAULT_SYNTAX, 0},
    {"-", JSON_FAULT_SYNTAX, 0},
    {"+1", JSON_FAULT_SYNTAX, 0},
    {"01", JSON_FAULT_SYNTAX, 0},
    {"-01", JSON_FAULT_SYNTAX, 0},
    {"1.", JSON_FAULT_SYNTAX, 0},
    {".5", JSON_FAULT_SYNTAX, 0},
    {"1e", JSON_FAULT_SYNTAX, 0},
    {"1e+", JSON_FAULT_SYNTAX, 0},
    {"0x1", JSON_FAULT_SYNTAX, 0},
    {"1_000", JSON_FAULT_SYNTAX, 0},
    {"'a'", JSON_FAULT_SYNTAX, 0},
    {"\"a", JSON_FAULT_SYNTAX, 0},
    {"\"\\", JSON_FAULT_SYNTAX, -1},
    {"\"\\\"", JSON_FAULT_SYNTAX, -1},
    {"\"\\x\"", JSON_FAULT_SYNTAX, 1},
    {"\"ab\\q\"", JSON_FAULT_SYNTAX, 3},
    {"\"\\u12\"", JSON_FAULT_SYNTAX, 1},
    {"\"\\u12G4\"", JSON_FAULT_SYNTAX, 1},
    {"\"a\nb\"", JSON_FAULT_SYNTAX, 2},
    {"\"a\tb\"", JSON_FAULT_SYNTAX, 2},
    {"\"\x01\"", JSON_FAULT_SYNTAX, 1},
    {"[\"a\nb\"]", JSON_FAULT_SYNTAX, -1},
    {"[", JSON_FAULT_SYNTAX, 1},
    {"]", JSON_FAULT_SYNTAX, 0},
    {"}", JSON_FAULT_SYNTAX, 0},
    {",", JSON_FAULT_SYNTAX, 0},
    {":", JSON_FAULT_SYNTAX, 0},
    {"[1", JSON_FAULT_SYNTAX, -1},
    {"[1,", JSON_FAULT_SYNTAX, -1},
    {"[1,]", JSON_FAULT_SYNTAX, -1},
    {"[,1]", JSON_FAULT_SYNTAX, -1},
    {"[1 2]", JSON_FAULT_SYNTAX, -1},
    {"[1;2]", JSON_FAULT_SYNTAX, -1},
    {"[1}", JSON_FAULT_SYNTAX, -1},
    {"[a]", JSON_FAULT_SYNTAX, 1},
    {"[1, nope]", JSON_FAULT_SYNTAX, 4},
    {"[01]", JSON_FAULT_SYNTAX, 1},
    {"[1.e3]", JSON_FAULT_SYNTAX, 1},
    {"[true false]", JSON_FAULT_SYNTAX, -1},
    {"[\"a\" \"b\"]", JSON_FAULT_SYNTAX, -1},
    {"[\"\\z\"]", JSON_FAULT_SYNTAX, 2},
    {"{", JSON_FAULT_SYNTAX, -1},
    {"{]", JSON_FAULT_SYNTAX, -1},
    {"{\"a\"", JSON_FAULT_SYNTAX, -1},
    {"{\"a\":", JSON_FAULT_SYNTAX, -1},
    {"{\"a\":1", JSON_FAULT_SYNTAX, -1},
    {"{\"a\":1,", JSON_FAULT_SYNTAX, -1},
    {"{\"a\":1,}", JSON_FAULT_SYNTAX, -1},
    {"{\"a\" 1}", JSON_FAULT_SYNTAX, -1},
    {"{\"a\":}", JSON_FAULT_SYNTAX, -1},
    {"{a:1}", JSON_FAULT_SYNTAX, -1},
    {"{1:1}", JSON_FAULT_SYNTAX, -1},
    {"{'a':1}", JSON_FAULT_SYNTAX, -1},
    {"{\"a\":1 \"b\":2}", JSON_FAULT_SYNTAX, -1},
    {"{\"a\":1;\"b\":2}", JSON_FAULT_SYNTAX, -1},
    {"{\"a\\", JSON_FAULT_SYNTAX, -1},
    {"{\"\\u00\":1}", JSON_FAULT_SYNTAX, 2},
    {"{\"a\":\"b", JSON_FAULT_SYNTAX, -1},
    {"[\"", JSON_FAULT_SYNTAX, -1},
    {"// c\n1", JSON_FAULT_SYNTAX, 0},
    {"[1] // c", JSON_FAULT_TRAILING, 3},
    {"1 2", JSON_FAULT_TRAILING, 2},
    {"null null", JSON_FAULT_TRAILING, 5},
    {"\"a\" x", JSON_FAULT_TRAILING, 4},
    {"\"a\"\"b\"", JSON_FAULT_TRAILING, 3},
    {"{} {}", JSON_FAULT_TRAILING, -1},
    {"{\"a\":1}}", JSON_FAULT_TRAILING, 7},
    {"[1]]", JSON_FAULT_TRAILING, 3},
    {"[1],", JSON_FAULT_TRAILING, 3},
    {"{\"a\":1}\nx", JSON_FAULT_TRAILING, -1},
    {"\xEF\xBB\xBF{}", JSON_FAULT_SYNTAX, 0},
    {"\xEF\xBB\xBF"
     "1",
     JSON_FAULT_SYNTAX, 0},
    {"[\"\xFF\"]", JSON_FAULT_INVALID_UTF8, 2},
    {"{\"a\":\"ok\xC3\"}", JSON_FAULT_INVALID_UTF8, 8},
    {"{\"\xED\xA0\x80\":1}", JSON_FAULT_INVALID_UTF8, 2},
    {"\"a\xC0\x80\"", JSON_FAULT_INVALID_UTF8, 2},
    {"{\"a\": 1} \xFF", JSON_FAULT_INVALID_UTF8, 9},
};

static void test_rejects(void **state) {
    reading *r = *state;
    for (size_t i = 0; i < sizeof faulty / sizeof faulty[0]; i++) {
        eh_str text = eh_str_of(faulty[i].text);
        if (read_text(r, text)) fail_msg("accepted: %s", faulty[i].text);
        if (r->fault.kind != faulty[i].kind)
            fail_msg("%s: fault %d, %s", faulty[i].text, (int)r->fault.kind,
                     r->fault.message);
        assert_true(r->fault.byte <= text.len);
        if (faulty[i].at >= 0 && r->fault.byte != (size_t)faulty[i].at)
            fail_msg("%s: at %zu", faulty[i].text, r->fault.byte);
        assert_true(strlen(r->fault.message) > 0);
    }
    assert_non_null(read_text(r, EH_STR("[1]"))); /* a fault leaves nothing behind */
}

/* A NUL byte is no white space and no end. */
static void test_nul_bytes(void **state) {
    reading *r = *state;
    static const eh_str bad[] = {{"\0", 1},         {"1\0", 2},      {"{}\0", 3},
                                 {"[1\0]", 4},      {"\"a\0b\"", 5}, {"[\"a\0b\"]", 7},
                                 {"{\"a\0\":1}", 8}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (read_text(r, bad[i])) fail_msg("accepted number %zu", i);
    const json_value *v = read_text(r, EH_STR("\"a\\u0000b\""));
    assert_same(v->text, EH_STR("a\0b"));
}

/* ---- what is in it ---- */

static void test_values(void **state) {
    reading *r = *state;
    const json_value *v = read_text(
        r, EH_STR("{\"n\":-1.50e+2,\"s\":\"x\",\"t\":true,\"f\":false,\"z\":null,"
                  "\"a\":[1,[2],{}],\"o\":{\"in\":7}}"));
    assert_int_equal(v->kind, JSON_OBJECT);
    assert_int_equal(v->n, 7);
    assert_int_equal(json_get(v, "n")->kind, JSON_NUMBER);
    assert_text(json_get(v, "n")->text, "-1.50e+2"); /* as written */
    assert_text(json_get_str(v, "s"), "x");
    assert_true(json_get(v, "t")->boolean);
    assert_int_equal(json_get(v, "f")->kind, JSON_BOOL);
    assert_false(json_get(v, "f")->boolean);
    assert_int_equal(json_get(v, "z")->kind, JSON_NULL);
    const json_value *a = json_get(v, "a");
    assert_int_equal(a->n, 3);
    assert_text(a->child->text, "1");
    assert_absent(a->child->key);
    assert_int_equal(a->child->next->child->kind, JSON_NUMBER);
    assert_int_equal(a->child->next->next->n, 0);
    assert_null(a->child->next->next->next);
    assert_text(json_get(json_get(v, "o"), "in")->text, "7");
    static const char *const order[] = {"n", "s", "t", "f", "z", "a", "o"};
    size_t i = 0;
    for (const json_value *m = v->child; m; m = m->next)
        assert_text(m->key, order[i++]);
}

static void test_get_from_what_is_no_object(void **state) {
    reading *r = *state;
    assert_null(json_get(NULL, "a"));
    assert_null(json_duplicate_key(NULL));
    const json_value *list = read_text(r, EH_STR("[\"a\"]"));
    assert_null(json_get(list, "a"));
    assert_null(json_duplicate_key(list));
    const json_value *v = read_text(r, EH_STR("{\"a\":1}"));
    assert_null(json_get(v, "b"));
    assert_absent(json_get_str(v, "b"));
    assert_absent(json_get_str(v, "a")); /* a number is no string */
}

static void test_numbers_keep_their_text(void **state) {
    reading *r = *state;
    static const char *const numbers[] = {"9007199254740993",
                                          "123456789012345678901234567890",
                                          "1.0",
                                          "1",
                                          "-0",
                                          "1E400",
                                          "0.1000000000000000055511151231257827",
                                          "1e-0005"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char text[100];
        (void)snprintf(text, sizeof text, "{\"id\": %s}", numbers[i]);
        const json_value *v = read_text(r, eh_str_of(text));
        assert_text(json_get(v, "id")->text, numbers[i]);
        assert_text(read_text(r, eh_str_of(numbers[i]))->text, numbers[i]);
    }
}

static void test_strings_are_decoded(void **state) {
    reading *r = *state;
    static const struct {
        const char *text;
        eh_str value;
        size_t n_replaced;
    } cases[] = {
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", EH_STR("\"\\/\b\f\n\r\t"), 0},
        {"\"\\u0041\\u00E9\\u20ac\"", EH_STR("A\xC3\xA9\xE2\x82\xAC"), 0},
        {"\"\\uD83D\\uDE00!\"", EH_STR("\xF0\x9F\x98\x80!"), 0},
        {"\"\\udbff\\udfff\"", EH_STR("\xF4\x8F\xBF\xBF"), 0},
        {"\"x\\uD800y\"", EH_STR("x\xEF\xBF\xBDy"), 1},
        {"\"\\uDC00\\uD800\"", EH_STR("\xEF\xBF\xBD\xEF\xBF\xBD"), 2},
        {"\"\\uD800\\uD83D\\uDE00\"", EH_STR("\xEF\xBF\xBD\xF0\x9F\x98\x80"), 1},
        {"\"\\uD83D\\u0041\"",
         EH_STR("\xEF\xBF\xBD"
                "A"),
         1},
        {"\"\\uD83D\\\\\"", EH_STR("\xEF\xBF\xBD\\"), 1},
        {"\"\\uD83D\"", EH_STR("\xEF\xBF\xBD"), 1},
        {"\"\\uFFFE\\uFFFF\"", EH_STR("\xEF\xBF\xBE\xEF\xBF\xBF"), 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char list[100];
        (void)snprintf(list, sizeof list, "[%s]", cases[i].text);
        const json_value *alone = read_text(r, eh_str_of(cases[i].text));
        assert_int_equal(r->fault.n_replaced_surrogates, cases[i].n_replaced);
        const json_value *inside = read_text(r, eh_str_of(list));
        assert_int_equal(r->fault.n_replaced_surrogates, cases[i].n_replaced);
        assert_same(alone->text, cases[i].value);
        assert_same(inside->child->text, cases[i].value);
    }
}

static void test_keys(void **state) {
    reading *r = *state;
    const json_value *v =
        read_text(r, EH_STR("{\"a\":1,\"\\u0061\":2,\"b\":{\"c\":1,\"c\":2}}"));
    assert_int_equal(v->n, 3);
    assert_text(json_get(v, "a")->text, "1"); /* the first of them */
    const json_value *twice = json_duplicate_key(v);
    assert_non_null(twice);
    assert_text(twice->text, "2");
    assert_null(json_duplicate_key(read_text(r, EH_STR("{\"a\":{\"b\":1},\"b\":2}"))));
    v = read_text(r, EH_STR("{\"a\\u0000b\":1,\"a\":2}")); /* NUL in a key */
    assert_null(json_duplicate_key(v));
    assert_text(json_get(v, "a")->text, "2");
}

/* `depth` brackets, as text. */
static eh_str nested(reading *r, size_t depth, const char *open, char close) {
    eh_buf b;
    eh_str copy;
    buf_init(&b, 1 << 20);
    for (size_t i = 0; i < depth; i++)
        buf_add_cstr(&b, open);
    if (close == '}') buf_add_cstr(&b, "1");
    for (size_t i = 0; i < depth; i++)
        buf_add_char(&b, close);
    assert_true(arena_copy(&r->arena, buf_view(&b), &copy));
    buf_deinit(&b);
    return copy;
}

static void test_depth(void **state) {
    reading *r = *state;
    assert_non_null(read_text(r, nested(r, JSON_MAX_DEPTH, "[", ']')));
    assert_null(read_text(r, nested(r, JSON_MAX_DEPTH + 1, "[", ']')));
    assert_int_equal(r->fault.kind, JSON_FAULT_TOO_DEEP);
    assert_int_equal(r->fault.byte, JSON_MAX_DEPTH);
    assert_non_null(read_text(r, nested(r, JSON_MAX_DEPTH - 1, "{\"a\":", '}')));
    assert_null(read_text(r, nested(r, JSON_MAX_DEPTH + 1, "{\"a\":", '}')));
    assert_int_equal(r->fault.kind, JSON_FAULT_TOO_DEEP);
    assert_null(read_text(r, nested(r, 100000, "[", ']'))); /* far beyond the stack */
    assert_int_equal(r->fault.kind, JSON_FAULT_TOO_DEEP);
    assert_null(read_text(r, nested(r, 100000, "[", ' '))); /* and never closed */
}

/* A fault far inside, in texts of every length around simdjson's blocks. */
static void test_place_in_long_texts(void **state) {
    reading *r = *state;
    for (size_t fill = 0; fill < 300; fill += 7) {
        eh_buf b;
        buf_init(&b, 1 << 20);
        buf_add_cstr(&b, "{\"text\": \"");
        for (size_t i = 0; i < fill; i++)
            buf_add_char(&b, 'x');
        size_t bad = b.len;
        buf_add_cstr(&b, "\xC3(\"}");
        assert_null(read_text(r, buf_view(&b)));
        assert_int_equal(r->fault.kind, JSON_FAULT_INVALID_UTF8);
        assert_int_equal(r->fault.byte, bad);
        b.len = bad;
        buf_add_cstr(&b, "\"} x");
        assert_null(read_text(r, buf_view(&b)));
        assert_int_equal(r->fault.kind, JSON_FAULT_TRAILING);
        assert_in_range(r->fault.byte, bad + 2, bad + 3);
        buf_deinit(&b);
    }
}

/* ---- random trees ---- */

typedef struct tree {
    eh_rng rng;
    json_writer w;
    int budget;
} tree;

static void write_random_text(tree *t, bool is_key) {
    eh_buf s;
    buf_init(&s, 1 << 16);
    size_t n = (size_t)rng_below(&t->rng, 12);
    for (size_t i = 0; i < n; i++) {
        uint32_t cp = (uint32_t)rng_below(&t->rng, 5);
        cp = cp == 0   ? (uint32_t)rng_below(&t->rng, 0x20)
             : cp == 1 ? (uint32_t)rng_below(&t->rng, 0x110000)
             : cp == 2 ? 0x2028 + (uint32_t)rng_below(&t->rng, 2)
                       : 0x20 + (uint32_t)rng_below(&t->rng, 0x60);
        if (cp < 0xD800 || cp > 0xDFFF) utf8_add(&s, cp);
    }
    if (is_key)
        json_key_str(&t->w, buf_view(&s));
    else
        json_str(&t->w, buf_view(&s));
    buf_deinit(&s);
}

static void write_random(tree *t, int depth) {
    uint64_t kind = rng_below(&t->rng, depth > 6 || t->budget <= 0 ? 5 : 7);
    t->budget--;
    switch (kind) {
    case 0: json_null(&t->w); break;
    case 1: json_bool(&t->w, rng_below(&t->rng, 2)); break;
    case 2: json_i64(&t->w, (int64_t)rng_u64(&t->rng)); break;
    case 3: json_f64(&t->w, rng_normal(&t->rng) * 1e6); break;
    case 4: write_random_text(t, false); break;
    default: {
        uint64_t n = rng_below(&t->rng, 6);
        bool object = kind == 6;
        object ? json_object_begin(&t->w) : json_array_begin(&t->w);
        for (uint64_t i = 0; i < n; i++) {
            if (object) write_random_text(t, true);
            write_random(t, depth + 1);
        }
        object ? json_object_end(&t->w) : json_array_end(&t->w);
    }
    }
}

/* Writes a tree that was read: numbers as they stand. */
static void write_back(json_writer *w, const json_value *v) {
    switch (v->kind) {
    case JSON_NULL: json_null(w); return;
    case JSON_BOOL: json_bool(w, v->boolean); return;
    case JSON_NUMBER: json_raw(w, v->text); return;
    case JSON_STRING: json_str(w, v->text); return;
    case JSON_ARRAY:
    case JSON_OBJECT: break;
    }
    bool object = v->kind == JSON_OBJECT;
    size_t n = 0;
    object ? json_object_begin(w) : json_array_begin(w);
    for (const json_value *m = v->child; m; m = m->next, n++) {
        if (object) json_key_str(w, m->key);
        write_back(w, m);
    }
    object ? json_object_end(w) : json_array_end(w);
    assert_int_equal(n, v->n);
}

static void test_random_trees_come_back(void **state) {
    reading *r = *state;
    for (uint64_t round = 0; round < 3000; round++) {
        eh_buf once, again;
        int indent = (int)(round % 4);
        tree t = {.rng = rng_make(1, "test.json", round), .budget = 60};
        buf_init(&once, 1 << 24);
        buf_init(&again, 1 << 24);
        json_writer_init(&t.w, &once, indent);
        write_random(&t, 0);
        assert_int_equal(utf8_first_invalid(buf_view(&once)), SIZE_MAX);
        const json_value *v = read_text(r, buf_view(&once));
        if (!v) fail_msg("%.*s", EH_STR_ARG(buf_view(&once)));
        assert_int_equal(r->fault.n_replaced_surrogates, 0);
        json_writer w;
        json_writer_init(&w, &again, indent);
        write_back(&w, v);
        assert_same(buf_view(&again), buf_view(&once));
        buf_deinit(&once);
        buf_deinit(&again);
        arena_reset(&r->arena);
    }
}

/* Valid texts with one byte changed, cut or put in: never a crash, and what is accepted
 * is whole. */
static void test_damaged_texts(void **state) {
    reading *r = *state;
    static const char text[] = "{\"id\": \"q\\u00e9\", \"n\": [1, -2.5e3, true, null], "
                               "\"o\": {\"x\": \"\\n\"}}";
    for (uint64_t round = 0; round < 30000; round++) {
        char bytes[sizeof text];
        eh_rng rng = rng_make(2, "test.json.damage", round);
        size_t len = sizeof text - 1;
        memcpy(bytes, text, len);
        bytes[rng_below(&rng, len)] = (char)rng_below(&rng, 256);
        if (round % 3 == 0)
            bytes[rng_below(&rng, len)] = "{}[]\",:\\0 "[rng_below(&rng, 10)];
        if (round % 2 == 0) len = (size_t)rng_below(&rng, len) + 1;
        const json_value *v = read_text(r, (eh_str){bytes, len});
        assert_true(r->fault.byte <= len);
        if (v) assert_int_equal(utf8_first_invalid((eh_str){bytes, len}), SIZE_MAX);
        arena_reset(&r->arena);
    }
}

/* Runs of plain characters end where they end one by one, whatever stands around and
 * wherever they begin. */
static void test_scan_plain(void **state) {
    (void)state;
    eh_rng rng = rng_make(3, "test.scan", 0);
    for (int round = 0; round < 20000; round++) {
        size_t len = (size_t)rng_below(&rng, 70);
        char *bytes = malloc(len ? len : 1); /* no byte behind it to read */
        assert_non_null(bytes);
        for (size_t i = 0; i < len; i++)
            bytes[i] = rng_below(&rng, 30) == 0
                           ? (char)rng_below(&rng, 256)
                           : (char)("!#[]~ .\x7F"[rng_below(&rng, 8)]);
        for (int ascii_only = 0; ascii_only < 2; ascii_only++) {
            size_t at = (size_t)rng_below(&rng, len + 1), end = at;
            while (end < len &&
                   !json_ends_plain((unsigned char)bytes[end], ascii_only != 0))
                end++;
            assert_ptr_equal(json_scan_plain(bytes + at, bytes + len, ascii_only != 0),
                             bytes + end);
        }
        free(bytes);
    }
    for (int c = 0; c < 256;
         c++) { /* the way for eight bytes alone, each in each place */
        for (int at = 0; at < 8; at++) {
            uint64_t x = json_each_byte('a');
            x ^= (uint64_t)('a' ^ c) << (8 * at);
            for (int ascii_only = 0; ascii_only < 2; ascii_only++) {
                uint64_t ends = json_plain_ends_8(x, ascii_only != 0);
                bool is_end = json_ends_plain((unsigned char)c, ascii_only != 0);
                assert_int_equal(ends != 0, is_end);
                if (is_end) assert_int_equal(__builtin_ctzll(ends) / 8, at);
            }
        }
    }
}

static void test_arena_too_small(void **state) {
    reading *r = *state;
    eh_arena small;
    json_fault fault;
    eh_str text =
        EH_STR("{\"a\": [1, 2, 3, \"a longer text than fits\"], \"b\": 12345}");
    bool done = false;
    for (size_t max = 0; max < 2000 && !done; max += 16) {
        arena_init(&small, max);
        done = json_read(r->reader, &small, text, &fault) != NULL;
        if (!done) assert_int_equal(fault.kind, JSON_FAULT_NOMEM);
        arena_deinit(&small);
    }
    assert_true(done);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepts),
        cmocka_unit_test(test_rejects),
        cmocka_unit_test(test_nul_bytes),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_get_from_what_is_no_object),
        cmocka_unit_test(test_numbers_keep_their_text),
        cmocka_unit_test(test_strings_are_decoded),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_place_in_long_texts),
        cmocka_unit_test(test_random_trees_come_back),
        cmocka_unit_test(test_damaged_texts),
        cmocka_unit_test(test_scan_plain),
        cmocka_unit_test(test_arena_too_small),
    };
    return cmocka_run_group_tests(tests, open_reader, close_reader);
}
