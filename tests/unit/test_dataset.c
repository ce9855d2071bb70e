/* SPDX-License-Identifier: MIT
 *
 * Data sets: each rule of reading JSONL, on inputs of its own, with gzip, standard
 * input and memory that runs out. Maps, joins, judgments and CSV have files of their
 * own; the shared cases are in test_dataset_cases.c.
 */
#include "dataset_stage.h"

#include <fcntl.h>
#include <zlib.h>

#include "base/mem.h"
#include "dataset/lines.h"
#include "dataset/rows.h"

#define ROW(id, a, b)                                                                  \
    "{\"id\":" id ",\"question\":\"q\",\"answer_1\":" a ",\"answer_2\":" b "}\n"
#define GOOD(id) ROW(id, "\"a\"", "\"b\"")

static void test_fault_names(void **state) {
    (void)state;
    assert_string_equal(dataset_fault_name(DATASET_FAULT_BAD_JSON), "bad_json");
    assert_string_equal(dataset_fault_name(DATASET_FAULT_ONE_SIDED), "one_sided");
    assert_string_equal(dataset_fault_name(DATASET_FAULT_N), "unknown");
    assert_true(dataset_fault_is_error(DATASET_FAULT_N));
    assert_true(dataset_fault_is_error(DATASET_FAULT_NO_PAIRS));
    assert_false(dataset_fault_is_error(DATASET_FAULT_EMPTY_ANSWER));
}

static void test_all_fields(void **state) {
    (void)state;
    memory_stage *m = read_text(
        "{\"id\":\"x\",\"question\":\"q\",\"answer_1\":\"a\\n\",\"answer_2\":\"b\","
        "\"model_1\":\"m1\",\"model_2\":2.50,\"category\":true,\"reference\":\"r\","
        "\"short_question\":\"s\",\"turns\":[{\"role\":\"user\",\"content\":\"h\\ti\"}]"
        ","
        "\"meta\":{\"k\":1.10,\"n\":[]},\"extra\":{\"deep\":[1e400,null,false]}}\n");
    assert_int_equal(m->n_faults, 0);
    assert_int_equal(m->counts.n_rows, 1);
    const dataset_pair *p = &m->pairs[0];
    assert_str(p->id, "x");
    assert_str(p->question, "q");
    assert_str(p->answer_1, "a\n");
    assert_str(p->answer_2, "b");
    assert_str(p->model_1, "m1");
    assert_str(p->model_2, "2.50");
    assert_str(p->category, "true");
    assert_str(p->reference, "r");
    assert_str(p->short_question, "s");
    assert_str(p->turns_json, "[{\"role\":\"user\",\"content\":\"h\\ti\"}]");
    assert_str(p->meta_json,
               "{\"extra\":{\"deep\":[1e400,null,false]},\"k\":1.10,\"n\":[]}");
    assert_int_equal(p->line, 1);
    memory_free(m);
}

static void test_absent_fields(void **state) {
    (void)state;
    memory_stage *m =
        read_text("{\"id\":1,\"question\":\"\",\"answer_1\":\"a\",\"answer_2\":\"b\","
                  "\"model_1\":null,\"turns\":[],\"meta\":null}\n");
    assert_int_equal(m->n_faults, 0);
    const dataset_pair *p = &m->pairs[0];
    assert_false(eh_str_is_absent(p->question));
    assert_true(eh_str_is_absent(p->model_1));
    assert_true(eh_str_is_absent(p->turns_json));
    assert_true(eh_str_is_absent(p->meta_json));
    memory_free(m);
}

static void check_meta(const char *further, const char *expected) {
    char text[400];
    (void)snprintf(
        text, sizeof text,
        "{\"id\":1,\"question\":\"q\",\"answer_1\":\"a\",\"answer_2\":\"b\",%s}",
        further);
    memory_stage *m = read_text(text);
    assert_int_equal(m->n_faults, 0);
    assert_str(m->pairs[0].meta_json, expected);
    memory_free(m);
}

static void test_meta(void **state) {
    (void)state;
    check_meta("\"meta\":{}", "");
    check_meta("\"meta\":7", "{\"meta\":7}");
    check_meta("\"meta\":[1]", "{\"meta\":[1]}");
    check_meta("\"meta\":{\"meta\":1}", "{\"meta\":1}");
    /* a name that would stand twice */
    check_meta("\"meta\":{\"a\":1,\"b\":2},\"b\":3",
               "{\"b\":3,\"meta\":{\"a\":1,\"b\":2}}");
    check_meta("\"c\":0,\"a\":0,\"b\":0,\"meta\":{\"x\":\"\\u0001\\\"\"}",
               "{\"c\":0,\"a\":0,\"b\":0,\"x\":\"\\u0001\\\"\"}");
}

static void test_lines(void **state) {
    (void)state;
    memory_stage *m = read_text("\xEF\xBB\xBF\n \t\r\n" GOOD(
        "1") "\v\f\n"
             "{\"id\":2,\"question\":\"\xE2\x80\xA8\",\"answer_1\":"
             "\"\xC2\x85x\",\"answer_2\":\"y\\r\"}\r\n" GOOD("3") "\r\n\r");
    assert_int_equal(m->n_faults, 0);
    assert_int_equal(m->n_pairs, 3);
    assert_int_equal(m->pairs[0].line, 3);
    assert_int_equal(m->pairs[1].line, 5);
    assert_str(m->pairs[1].question, "\xE2\x80\xA8");
    assert_str(m->pairs[1].answer_2, "y\r");
    assert_int_equal(m->pairs[2].line, 6);
    memory_free(m);
}

static void test_bom_inside(void **state) {
    (void)state;
    memory_stage *m = read_text(GOOD("1") "\xEF\xBB\xBF" GOOD("2") GOOD("3"));
    const dataset_fault *f = only_fault(m, DATASET_FAULT_BAD_JSON);
    assert_int_equal(f->line, 2);
    assert_int_equal(f->byte, 0);
    assert_str(f->detail, "a byte order mark inside the file");
    assert_int_equal(m->n_pairs, 2);
    memory_free(m);
}

static void test_bad_lines(void **state) {
    (void)state;
    static const struct {
        const char *line;
        dataset_fault_kind kind;
        int64_t byte;
    } lines[] = {
        {"{\"id\":1", DATASET_FAULT_BAD_JSON, -2},
        {"{\"id\":01}", DATASET_FAULT_BAD_JSON, 6},
        {"{'id':1}", DATASET_FAULT_BAD_JSON, -2},
        {"{\"id\":NaN}", DATASET_FAULT_BAD_JSON, 6},
        {"nonsense", DATASET_FAULT_BAD_JSON, 0},
        {"{} {}", DATASET_FAULT_TRAILING_DATA, -2},
        {"{},", DATASET_FAULT_TRAILING_DATA, -2},
        {"7", DATASET_FAULT_NOT_AN_OBJECT, -1},
        {"\"text\"", DATASET_FAULT_NOT_AN_OBJECT, -1},
        {"null", DATASET_FAULT_NOT_AN_OBJECT, -1},
        {"{\"a\":\"\xC3\"}", DATASET_FAULT_INVALID_UTF8, 6},
        {"{\"a\":\"\xED\xA0\x80\"}", DATASET_FAULT_INVALID_UTF8, 6},
        {"\xFF", DATASET_FAULT_INVALID_UTF8, 0},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char text[300];
        (void)snprintf(text, sizeof text, "%s\n%s\n%s", GOOD("1"), lines[i].line,
                       GOOD("2"));
        memory_stage *m = read_text(text);
        const dataset_fault *f = only_fault(m, lines[i].kind);
        assert_int_equal(f->line, 3);
        if (lines[i].byte > -2) assert_int_equal(f->byte, lines[i].byte);
        assert_true(eh_str_eq_cstr(eh_str_of(f->file), f->file));
        assert_int_equal(m->n_pairs, 2);
        memory_free(m);
    }
}

static void test_list_file(void **state) {
    (void)state;
    memory_stage *m = read_text("[\n");
    assert_str(only_fault(m, DATASET_FAULT_BAD_JSON)->detail,
               "one object a line is needed, not one list");
    memory_free(m);
    m = read_text("[{\"id\":1}]\n");
    assert_str(only_fault(m, DATASET_FAULT_NOT_AN_OBJECT)->detail,
               "one object a line is needed, not a list");
    memory_free(m);
}

static void test_too_deep(void **state) {
    (void)state;
    memory_stage *m = memory_new();
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    for (int i = 0; i < 300; i++)
        buf_add_cstr(&text, "{\"a\":");
    buf_add_cstr(&text, "1");
    for (int i = 0; i < 300; i++)
        buf_add_char(&text, '}');
    const char *path = memory_file(m, "deep.jsonl", buf_view(&text));
    assert_int_equal(
        dataset_read_pairs(path, &m->stage, &m->sink, &m->counts, NULL, NULL),
        EH_STATUS_OK);
    (void)only_fault(m, DATASET_FAULT_BAD_JSON);
    buf_deinit(&text);
    memory_free(m);
}

static void test_all_faults_of_a_row(void **state) {
    (void)state;
    memory_stage *m = read_text("{\"answer_1\":[],\"model_1\":{},\"category\":[1],"
                                "\"short_question\":3,\"turns\":\"x\"}\n");
    assert_int_equal(m->n_faults, 8);
    assert_int_equal(memory_count(m, DATASET_FAULT_MISSING_FIELD), 3);
    assert_int_equal(memory_count(m, DATASET_FAULT_WRONG_TYPE), 5);
    assert_str(m->faults[0].field, "id");
    assert_true(eh_str_is_absent(m->faults[0].id));
    memory_free(m);
    m = read_text("{\"id\":\"x\",\"question\":null,\"answer_2\":1e3}\n");
    assert_int_equal(m->n_faults, 3);
    assert_str(m->faults[0].field, "question");
    assert_str(m->faults[0].id, "x");
    assert_str(m->faults[0].detail,
               "a string or a list of {role, content} messages is needed, not null");
    assert_str(m->faults[1].field, "answer_1");
    assert_str(m->faults[2].detail, "a string or a list of {role, content} messages is "
                                    "needed, not a number (1e3)");
    memory_free(m);
}

static void test_ids(void **state) {
    (void)state;
    static const char *const bad[] = {"\"\"", "null", "true", "[1]", "{}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char text[200];
        (void)snprintf(
            text, sizeof text,
            "{\"id\":%s,\"question\":\"q\",\"answer_1\":\"a\",\"answer_2\":\"b\"}",
            bad[i]);
        memory_stage *m = read_text(text);
        assert_str(only_fault(m, DATASET_FAULT_WRONG_TYPE)->field, "id");
        memory_free(m);
    }
    memory_stage *m =
        read_text(GOOD("1") GOOD("1.0") GOOD("\"1 \"") GOOD("\" 1\"") GOOD("1e0")
                      GOOD("\"\\u0031\\u0000\"") GOOD("-0") GOOD("0") GOOD("\" \""));
    assert_int_equal(m->n_pairs, 9);
    assert_int_equal(memory_count(m, DATASET_FAULT_CONTAINS_NUL), 1);
    assert_int_equal(m->n_faults, 1);
    memory_free(m);
}

static void test_duplicate_ids(void **state) {
    (void)state;
    memory_stage *m =
        read_text(GOOD("\"1\"") "\n" GOOD("2") ROW("1", "\"\"", "\"\"") GOOD("\"1\""));
    assert_int_equal(m->n_faults, 2); /* and no warning about a row that is dropped */
    assert_int_equal(m->counts.n_errors, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(m->faults[i].kind, DATASET_FAULT_DUPLICATE_ID);
        assert_int_equal(m->faults[i].other_line, 1);
        assert_int_equal(m->faults[i].line, 4 + (int64_t)i);
        assert_str(m->faults[i].id, "1");
    }
    assert_int_equal(m->counts.n_rows, 2);
    memory_free(m);
}

static void test_duplicate_keys(void **state) {
    (void)state;
    memory_stage *m =
        read_text("{\"id\":1,\"id\":1,\"question\":\"q\",\"answer_1\":\"a\"}");
    assert_int_equal(m->n_faults, 2); /* the missing answer is found as well */
    assert_str(memory_fault(m, DATASET_FAULT_DUPLICATE_KEY)->field, "id");
    assert_str(memory_fault(m, DATASET_FAULT_MISSING_FIELD)->field, "answer_2");
    memory_free(m);
    /* escaped, and inside of what is kept */
    m = read_text("{\"id\":1,\"question\":\"q\",\"answer_1\":\"a\",\"answer_2\":\"b\","
                  "\"meta\":[{\"k\":1,\"\\u006b\":2}]}");
    assert_str(only_fault(m, DATASET_FAULT_DUPLICATE_KEY)->field, "k");
    memory_free(m);
    m = read_text("{\"id\":1,\"question\":\"q\",\"answer_1\":\"a\",\"answer_2\":\"b\","
                  "\"x\":{\"id\":1},\"y\":{\"id\":1}}");
    assert_int_equal(m->n_faults, 0);
    memory_free(m);
}

/* So many keys that comparing all pairs would never end. */
static void test_many_keys(void **state) {
    (void)state;
    enum { N_KEYS = 200000 };
    for (int twice = 0; twice < 2; twice++) {
        eh_buf text;
        buf_init(&text, BUF_MAX_LINE);
        buf_add_cstr(&text, "{\"id\":1,\"question\":\"q\",\"answer_1\":\"a\","
                            "\"answer_2\":\"b\",\"meta\":{\"z\":1,\"k7x\":0");
        for (int i = 0; i < N_KEYS; i++)
            buf_printf(&text, ",\"k%d\":%d", i, i);
        if (twice) buf_add_cstr(&text, ",\"k77\":0");
        buf_add_cstr(&text, "}}");
        memory_stage *m = read_mapped("many.jsonl", buf_view(&text), NULL);
        if (twice)
            assert_str(only_fault(m, DATASET_FAULT_DUPLICATE_KEY)->field, "k77");
        else
            assert_int_equal(m->counts.n_rows, 1);
        buf_deinit(&text);
        memory_free(m);
    }
}

static void test_answer_warnings(void **state) {
    (void)state;
    memory_stage *m = read_text(
        ROW("1", "\"a\"", "\" \\n\\t\"") ROW("2", "\"\"", "\"\"")
            ROW("3", "\"same\"", "\"same\"") ROW("4", "\"\\u00a0\"", "\"x\""));
    assert_int_equal(m->counts.n_errors, 0);
    assert_int_equal(m->n_pairs, 4);
    assert_int_equal(m->n_faults, 4);
    assert_int_equal(m->faults[0].kind, DATASET_FAULT_EMPTY_ANSWER);
    assert_str(m->faults[0].field, "answer_2");
    assert_int_equal(m->faults[1].kind, DATASET_FAULT_EMPTY_ANSWER);
    assert_str(m->faults[1].id, "2");
    assert_str(m->faults[1].detail, "both answers are empty");
    assert_int_equal(m->faults[2].kind, DATASET_FAULT_IDENTICAL_ANSWERS);
    assert_int_equal(m->faults[3].kind, DATASET_FAULT_IDENTICAL_ANSWERS);
    assert_int_equal(m->faults[3].line, 3);
    assert_str(m->pairs[0].answer_2, " \n\t");
    memory_free(m);
}

static void test_surrogates_and_nul(void **state) {
    (void)state;
    memory_stage *m = read_text(
        ROW("1", "\"\\ud800\\ud800\"", "\"\\udc00\\ud83c\\udf78\"")
            ROW("2", "\"\\u0000x\\u0000\"", "\"\\u0000\"") ROW("3", "\"\\ud800", "7"));
    assert_int_equal(memory_fault(m, DATASET_FAULT_REPLACED_SURROGATE)->count, 3);
    assert_int_equal(memory_fault(m, DATASET_FAULT_CONTAINS_NUL)->count, 3);
    assert_int_equal(m->n_pairs, 2);
    assert_str(m->pairs[0].answer_1, "\xEF\xBF\xBD\xEF\xBF\xBD");
    assert_str(m->pairs[0].answer_2, "\xEF\xBF\xBD\xF0\x9F\x8D\xB8");
    assert_true(eh_str_eq(m->pairs[1].answer_1, (eh_str){"\0x\0", 3}));
    memory_free(m);
}

static void test_nothing_in_it(void **state) {
    (void)state;
    static const char *const texts[] = {"", "\n\n", "\xEF\xBB\xBF", " \r\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        memory_stage *m = read_text(texts[i]);
        const dataset_fault *f = only_fault(m, DATASET_FAULT_NO_PAIRS);
        assert_int_equal(f->line, 0);
        assert_non_null(f->file);
        memory_free(m);
    }
    /* with other errors it is not said */
    memory_stage *m = read_text("7\n");
    (void)only_fault(m, DATASET_FAULT_NOT_AN_OBJECT);
    memory_free(m);
}

static void test_cannot_read(void **state) {
    (void)state;
    memory_stage *m = memory_new();
    assert_int_equal(dataset_read_pairs("/nowhere/at all.jsonl", &m->stage, &m->sink,
                                        &m->counts, NULL, &m->err),
                     EH_STATUS_DATA);
    assert_non_null(strstr(m->err.msg, "/nowhere/at all.jsonl"));
    assert_non_null(strstr(m->err.msg, "No such file"));
    (void)memory_file(m, "x", EH_STR(""));
    assert_int_equal(
        dataset_read_pairs(m->folder, &m->stage, &m->sink, &m->counts, NULL, &m->err),
        EH_STATUS_DATA);
    assert_non_null(strstr(m->err.msg, "Is a directory"));
    /* standard input that was opened for writing */
    int saved = dup(STDIN_FILENO);
    int fd = open(memory_file(m, "w", EH_STR("")), O_WRONLY);
    assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(
        dataset_read_pairs("-", &m->stage, &m->sink, &m->counts, NULL, &m->err),
        EH_STATUS_IO);
    assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
    assert_non_null(strstr(m->err.msg, "standard input: Bad file descriptor"));
    (void)close(fd);
    (void)close(saved);
    memory_free(m);
}

static eh_status put_fails(void *self, const dataset_pair *pair, int64_t *first_line,
                           eh_error *err) {
    (void)self, (void)pair, (void)first_line;
    return EH_FAIL(err, EH_STATUS_LEDGER, "the stage is full");
}

static void test_stage_fails(void **state) {
    (void)state;
    memory_stage *m = memory_new();
    m->stage.put = put_fails;
    const char *path = memory_file(m, "in.jsonl", EH_STR(GOOD("1") "7\n"));
    assert_int_equal(
        dataset_read_pairs(path, &m->stage, NULL, &m->counts, NULL, &m->err),
        EH_STATUS_LEDGER);
    assert_int_equal(m->n_faults, 0); /* reading ended at the first row */
    memory_free(m);
}

static void test_no_sink(void **state) {
    (void)state;
    memory_stage *m = memory_new();
    const char *path =
        memory_file(m, "in.jsonl", EH_STR("7\n" ROW("1", "\"\"", "\"b\"")));
    assert_int_equal(dataset_read_pairs(path, &m->stage, NULL, &m->counts, NULL, NULL),
                     EH_STATUS_OK);
    assert_int_equal(m->counts.n_errors, 1);
    assert_int_equal(m->counts.n_warnings, 1);
    memory_free(m);
}

static void test_digest(void **state) {
    (void)state;
    memory_stage *a = read_text(GOOD("1")), *b = read_text(GOOD("1"));
    memory_stage *c = read_text(GOOD("1") "\n");
    assert_memory_equal(a->digest, b->digest, 32);
    assert_memory_not_equal(a->digest, c->digest, 32);
    memory_free(a);
    memory_free(b);
    memory_free(c);
}

/* Runs a read with `bytes` coming through a pipe at standard input, in two writes. */
static memory_stage *read_stdin(eh_str bytes, size_t n_first) {
    memory_stage *m = memory_new();
    int saved = dup(STDIN_FILENO), ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)close(ends[0]);
        bool ok = write(ends[1], bytes.ptr, n_first) == (ssize_t)n_first;
        (void)usleep(20000);
        ok = write(ends[1], bytes.ptr + n_first, bytes.len - n_first) >= 0 && ok;
        _exit(ok ? 0 : 1);
    }
    (void)close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    (void)close(ends[0]);
    assert_int_equal(
        dataset_read_pairs("-", &m->stage, &m->sink, &m->counts, m->digest, &m->err),
        EH_STATUS_OK);
    assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
    (void)close(saved);
    return m;
}

static void test_stdin(void **state) {
    (void)state;
    eh_str text = EH_STR("\xEF\xBB\xBF" GOOD("1") GOOD("2") "7\n");
    memory_stage *file = read_mapped("in.jsonl", text, NULL);
    for (size_t n_first = 0; n_first < 5; n_first++) {
        memory_stage *m = read_stdin(text, n_first);
        assert_int_equal(m->n_pairs, 2);
        const dataset_fault *f = only_fault(m, DATASET_FAULT_NOT_AN_OBJECT);
        assert_string_equal(f->file, "-");
        assert_memory_equal(m->digest, file->digest, 32);
        memory_free(m);
    }
    memory_free(file);
}

static eh_str gzip(eh_arena *arena, eh_str text) {
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    size_t cap = deflateBound(&z, text.len);
    char *out = arena_alloc(arena, cap);
    z.next_in = (Bytef *)(uintptr_t)text.ptr;
    z.avail_in = (uInt)text.len;
    z.next_out = (Bytef *)out;
    z.avail_out = (uInt)cap;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    (void)deflateEnd(&z);
    return (eh_str){out, cap - z.avail_out};
}

static eh_str concat(eh_arena *arena, eh_str a, eh_str b) {
    char *out = arena_alloc(arena, a.len + b.len);
    memcpy(out, a.ptr, a.len);
    memcpy(out + a.len, b.ptr, b.len);
    return (eh_str){out, a.len + b.len};
}

static void test_gzip(void **state) {
    (void)state;
    eh_arena arena;
    arena_init(&arena, 64 << 20);
    eh_str one = gzip(&arena, EH_STR(GOOD("1") "{\"id\":"));
    eh_str two = gzip(&arena, EH_STR("2}\n" GOOD("3")));
    eh_str both = concat(&arena, concat(&arena, one, two), (eh_str){"\0\0\0", 3});
    /* the name says nothing about compression */
    memory_stage *m = read_mapped("in.jsonl", both, NULL);
    assert_int_equal(m->n_pairs, 2);
    assert_int_equal(memory_count(m, DATASET_FAULT_MISSING_FIELD), 3);
    assert_int_equal(m->faults[0].line, 2);
    memory_free(m);
    m = read_stdin(both, 1);
    assert_int_equal(m->n_pairs, 2);
    memory_free(m);
    m = read_mapped("empty.jsonl.gz", gzip(&arena, EH_STR("")), NULL);
    (void)only_fault(m, DATASET_FAULT_NO_PAIRS);
    memory_free(m);

    static const char *const causes[] = {"cut off", "damaged", "after the gzip"};
    char *damaged = arena_dup(&arena, one);
    damaged[one.len / 2] ^= 0x55;
    eh_str broken[] = {eh_str_slice(both, 0, one.len + two.len - 6),
                       {damaged, one.len},
                       concat(&arena, one, EH_STR("more"))};
    for (size_t i = 0; i < 3; i++) {
        m = memory_new();
        const char *path = memory_file(m, "broken.gz", broken[i]);
        assert_int_equal(
            dataset_read_pairs(path, &m->stage, &m->sink, &m->counts, NULL, &m->err),
            EH_STATUS_DATA);
        assert_non_null(strstr(m->err.msg, causes[i]));
        assert_non_null(strstr(m->err.msg, "broken.gz"));
        memory_free(m);
    }
    arena_deinit(&arena);
}

/* Rows longer than the reader's pieces, and gzip of them. */
static void test_long_rows(void **state) {
    (void)state;
    enum { N_ROWS = 5, LONG_BYTES = 700000 };
    eh_arena arena;
    arena_init(&arena, 64 << 20);
    eh_buf text;
    buf_init(&text, BUF_MAX_LINE);
    for (int i = 0; i < N_ROWS; i++) {
        buf_printf(&text, "{\"id\":%d,\"question\":\"q\",\"answer_1\":\"", i);
        for (int j = 0; j < LONG_BYTES / 10; j++)
            buf_printf(&text, "%09d ", j);
        buf_add_cstr(&text, "\",\"answer_2\":\"b\"}\r\n\r\n");
    }
    eh_str inputs[] = {buf_view(&text), gzip(&arena, buf_view(&text))};
    for (size_t k = 0; k < 2; k++) {
        memory_stage *m = read_mapped("in.jsonl", inputs[k], NULL);
        assert_int_equal(m->n_pairs, N_ROWS);
        for (size_t i = 0; i < N_ROWS; i++) {
            assert_int_equal(m->pairs[i].line, 1 + 2 * (int64_t)i);
            assert_int_equal(m->pairs[i].answer_1.len, LONG_BYTES);
        }
        assert_int_equal(m->n_faults, 0);
        memory_free(m);
    }
    buf_deinit(&text);
    arena_deinit(&arena);
}

static void test_too_long_lines(void **state) {
    (void)state;
    memory_stage *m = memory_new();
    const char *path = memory_file(m, "x", EH_STR("1234\n12345\n123\n123456789"));
    source *src;
    assert_int_equal(source_open(path, &src, NULL), EH_STATUS_OK);
    line_reader lines;
    lines_init(&lines, src, 4);
    static const bool too_long[] = {false, true, false, true};
    static const size_t lens[] = {4, 0, 3, 0};
    for (size_t i = 0; i < 4; i++) {
        text_line line;
        bool more;
        assert_int_equal(lines_next(&lines, &line, &more, NULL), EH_STATUS_OK);
        assert_true(more);
        assert_int_equal(line.too_long, too_long[i]);
        assert_int_equal(line.text.len, lens[i]);
        assert_int_equal(line.number, i + 1);
        assert_int_equal(line.end.len, i < 3);
    }
    lines_deinit(&lines);
    source_close(src);
    memory_free(m);
}

static eh_status take_nothing(void *self, dataset_row *from, eh_arena *arena,
                              eh_error *err) {
    (void)from, (void)arena, (void)err;
    ++*(int *)self;
    return EH_STATUS_OK;
}

static void test_too_long_rows(void **state) {
    (void)state;
    static const field_spec specs[] = {{"id", FIELD_ID, FIELD_REQUIRED, 0, NULL}};
    static const field_table table = {specs, 1, NULL};
    memory_stage *m = memory_new();
    fault_log log = {.sink = &m->sink, .counts = &m->counts};
    int n = 0;
    rows_options options = {.table = &table, .max_line_bytes = 10};
    options.path = memory_file(m, "in.jsonl", EH_STR("{}\n{\"id\":12345}\n{}\n"));
    assert_int_equal(rows_each(&options, &log, take_nothing, &n, NULL, NULL),
                     EH_STATUS_OK);
    assert_int_equal(n, 2);
    assert_int_equal(only_fault(m, DATASET_FAULT_BAD_JSON)->line, 2);
    m->n_faults = 0;
    options.path = memory_file(
        m, "in.csv", EH_STR("id,x\n1,2\n\"123\n456\n789\",1\n12345678901,1\n"));
    assert_int_equal(rows_each(&options, &log, take_nothing, &n, NULL, NULL),
                     EH_STATUS_OK);
    assert_int_equal(n, 3);
    assert_int_equal(memory_count(m, DATASET_FAULT_BAD_CSV), 2);
    assert_int_equal(m->faults[0].line, 3);
    assert_int_equal(m->faults[1].line, 6);
    memory_free(m);
}

/* Every allocation fails once: the reading ends with NOMEM, or says that the header is
 * too large, and nothing is lost or wrongly blamed on the data. */
static void check_out_of_memory(const dataset_options *options, memory_stage *m) {
    int64_t live = mem_live();
    eh_status status = EH_STATUS_NOMEM;
    int64_t nth = 0;
    while (status != EH_STATUS_OK) {
        assert_true(++nth < 1000);
        m->n_pairs = m->n_faults = 0;
        memset(m->n_texts, 0, sizeof m->n_texts);
        mem_fail_at(nth, false);
        status = dataset_read(options, &m->stage, &m->sink, &m->counts, NULL, &m->err);
        mem_fail_at(0, false);
        assert_true(status == EH_STATUS_OK || status == EH_STATUS_NOMEM ||
                    status == EH_STATUS_TOO_BIG);
    }
    assert_true(nth > 3);
    assert_int_equal(m->n_pairs, 1);
    assert_int_equal(m->n_faults, 0);
    assert_int_equal(mem_live(), live);
}

/* Copies for a test that counts allocations must not count themselves. */
static eh_status drop_pair(void *self, const dataset_pair *pair, int64_t *first_line,
                           eh_error *err) {
    (void)pair, (void)err;
    ((memory_stage *)self)->n_pairs++;
    *first_line = 0;
    return EH_STATUS_OK;
}

static eh_status drop_text(void *self, int table, const dataset_text *text,
                           int64_t *first_line, eh_error *err) {
    (void)self, (void)table, (void)text, (void)err;
    *first_line = 0;
    return EH_STATUS_OK;
}

static eh_status give_text(void *self, int table, eh_str id, dataset_text *text,
                           bool *found, eh_error *err) {
    (void)self, (void)err;
    *text = (dataset_text){.id = id,
                           .id_kind = DATASET_ID_NUMBER,
                           .text = table == 1 ? EH_STR("a") : EH_STR("b"),
                           .meta_json = EH_STR("{}")};
    *found = true;
    return EH_STATUS_OK;
}

static void count_fault(void *self, const dataset_fault *fault) {
    (void)fault;
    ((memory_stage *)self)->n_faults++;
}

static void test_out_of_memory(void **state) {
    (void)state;
    memory_stage *m = memory_new();
    eh_arena arena;
    arena_init(&arena, 64 << 20);
    eh_buf text;
    buf_init(&text, BUF_MAX_LINE);
    buf_add_cstr(&text, "{\"id\":1,\"answer_1\":[" SYS "," USER("q") "," BOT(
                            "a") "],"
                                 "\"answer_2\":\"b\",\"turns\":[],\"meta\":{\"k\":1}");
    for (int i = 0; i < 3000; i++)
        buf_printf(&text, ",\"k%d\":\"%064d\"", i, i);
    buf_add_cstr(&text, "}\n");
    eh_str row = buf_view(&text);
    m->stage.put = drop_pair;
    m->stage.put_text = drop_text;
    m->stage.get_text = give_text;
    m->sink.report = count_fault;
    dataset_options jsonl = {.path = memory_file(m, "in.jsonl", row)};
    check_out_of_memory(&jsonl, m);
    dataset_options packed = {.path = memory_file(m, "in.gz", gzip(&arena, row))};
    check_out_of_memory(&packed, m);
    dataset_options csv = {
        .path = memory_file(
            m, "in.csv", EH_STR("id,question,answer_1,answer_2,x\n1,q,a,\"b\n\",y\n"))};
    check_out_of_memory(&csv, m);
    dataset_options utf16 = {
        .path =
            memory_file(m, "utf16.csv",
                        EH_STR("\xFF\xFEi\0d\0,\0q\0u\0e\0s\0t\0i\0o\0n\0,\0a\0n\0s\0"
                               "w\0e\0r\0_\0001\0,\0a\0n\0s\0w\0e\0r\0_\0002\0\n\0"
                               "1\0,\0q\0,\0a\0,\0b\0\n\0"))};
    check_out_of_memory(&utf16, m);
    const char *texts =
        memory_file(m, "texts", EH_STR("{\"id\":1,\"text\":\"x\",\"z\":1}"));
    dataset_options join = {.questions = texts, .answers_1 = texts, .answers_2 = texts};
    check_out_of_memory(&join, m);
    buf_deinit(&text);
    arena_deinit(&arena);
    memory_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fault_names),
        cmocka_unit_test(test_all_fields),
        cmocka_unit_test(test_absent_fields),
        cmocka_unit_test(test_meta),
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_bom_inside),
        cmocka_unit_test(test_bad_lines),
        cmocka_unit_test(test_list_file),
        cmocka_unit_test(test_too_deep),
        cmocka_unit_test(test_all_faults_of_a_row),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_duplicate_ids),
        cmocka_unit_test(test_duplicate_keys),
        cmocka_unit_test(test_many_keys),
        cmocka_unit_test(test_answer_warnings),
        cmocka_unit_test(test_surrogates_and_nul),
        cmocka_unit_test(test_nothing_in_it),
        cmocka_unit_test(test_cannot_read),
        cmocka_unit_test(test_stage_fails),
        cmocka_unit_test(test_no_sink),
        cmocka_unit_test(test_digest),
        cmocka_unit_test(test_stdin),
        cmocka_unit_test(test_gzip),
        cmocka_unit_test(test_long_rows),
        cmocka_unit_test(test_too_long_lines),
        cmocka_unit_test(test_too_long_rows),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
