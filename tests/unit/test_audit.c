/* SPDX-License-Identifier: MIT
 *
 * Audits from files to cards: what is staged, what is left out and why; simulated
 * judges with planted defects and the flags that each must have; what a second audit
 * asks; and the recorded perturbations where they are there.
 */
#include <math.h>

#include "ledger_make.h"
#include "exam/exam.h"
#include "exam/trial.h"
#include "run/template_file.h"
#include "fits.h"

enum { N_PAIRS = 160 };

/* ---- data ---- */

static const char *const subjects[] = {"river", "market", "engine", "school", "forest"};

/* 160 pairs of a few sentences; every answer is a text of its own. */
static void write_pairs(FILE *f, bool with_errors) {
    for (int i = 0; i < N_PAIRS; i++) {
        int side = 1 + i % 2;
        (void)fprintf(f, "{\"id\":\"p%d\",\"question\":\"Question %d?\"", i, i);
        for (int a = 1; a <= 2; a++)
            (void)fprintf(
                f,
                ",\"answer_%d\":\"%sAbout the %s there is number %d to be said "
                "first of all. It was written down in the year %d. Then "
                "follows what came later, in a few plain words.%s\"",
                a, i % 8 == 0 ? "\\n" : "", subjects[(i + a) % 5], i,
                1500 + 7 * i + a + (with_errors && a == side ? 1000 : 0),
                i % 3 == a ? " That was the whole of it." : "");
        (void)fprintf(f, ",\"category\":\"%s\"", i % 4 ? "often" : "seldom");
        if (with_errors) (void)fprintf(f, ",\"perturbed\":\"%d\"", side);
        (void)fprintf(f, "}\n");
    }
}

typedef struct desk {
    made_folder folder;
    char data[128], errors[128];
    ledger *l;
    eh_arena arena;
    prompt_template *t;
    eh_error err;
} desk;

static void desk_open(desk *d) {
    *d = (desk){.folder = made_folder_new(), .l = ledger_made()};
    arena_init(&d->arena, 64 << 20);
    (void)snprintf(d->data, sizeof d->data, "%s", made_file(&d->folder, "a.jsonl", ""));
    (void)snprintf(d->errors, sizeof d->errors, "%s",
                   made_file(&d->folder, "b.jsonl", ""));
    for (int i = 0; i < 2; i++) {
        FILE *f = fopen(i ? d->errors : d->data, "wb");
        assert_non_null(f);
        write_pairs(f, i == 1);
        assert_int_equal(fclose(f), 0);
    }
    assert_ok(run_template_load_asking("compare", &d->t, &d->err), d->err);
}

static void desk_close(desk *d) {
    prompt_template_free(d->t);
    arena_deinit(&d->arena);
    ledger_unmade(d->l);
    made_folder_free(&d->folder);
}

typedef struct rejects {
    int64_t n[AUDIT_REJECT_N];
} rejects;

static void on_reject(void *self, const exam_probe *probe, eh_str pair_id, int64_t line,
                      audit_reject why) {
    (void)probe;
    (void)pair_id;
    (void)line;
    ((rejects *)self)->n[why]++;
}

static exam_staged staged(desk *d, const char *data, const char *probes,
                          rejects *left_out) {
    exam_staged made;
    exam_probe *list;
    size_t n;
    assert_ok(exam_probes_parse(eh_str_of(probes), &d->arena, &list, &n, &d->err),
              d->err);
    exam_stage_options o = {.data.path = data,
                            .probes = list,
                            .n_probes = n,
                            .on_reject = left_out ? on_reject : NULL,
                            .self = left_out,
                            .clock = clock_made()};
    assert_ok(exam_stage(d->l, &o, &made, &d->err), d->err);
    return made;
}

/* Asks a simulated judge, and gives its card. */
static card_judge *audited(desk *d, const char *spec, run_result *result) {
    static card_set cards;
    run_result own;
    judge *j;
    price_table *prices;
    judge_open_args args = {.concurrency = 16, .clock = clock_made()};
    audit_limits limits = audit_limits_default();
    assert_ok(judge_open(eh_str_of(spec), &args, &j, &d->err), d->err);
    plan_wish wish = {.method = EH_STR("mec+bpc"),
                      .k = 3,
                      .temperature_given = true,
                      .temperature = 1};
    run_options o = {.setup = {.j = j, .t = d->t},
                     .concurrency = 16,
                     .limit = -1,
                     .clock = clock_made()};
    assert_ok(plan_make(&wish, &o.setup.plan, &d->err), d->err);
    run_setup_params(&o.setup, -1);
    if (!result) result = &own;
    assert_ok(exam_run(d->l, &o, result, &d->err), d->err);
    assert_int_equal(result->end, RUN_END_DONE);
    assert_ok(price_table_load(NULL, &prices, &d->err), d->err);
    assert_ok(
        exam_cards(d->l, result->run_row, prices, &limits, &d->arena, &cards, &d->err),
        d->err);
    price_table_free(prices);
    judge_close(j);
    assert_int_equal(cards.n_judges, 1);
    assert_int_equal(cards.judges[0].n_open, 0);
    return &cards.judges[0];
}

static const card_probe *probe_of(const card_judge *j, const char *name) {
    for (size_t i = 0; i < j->n_probes; i++)
        if (eh_str_eq_cstr(j->probes[i].name, name)) return &j->probes[i];
    fail_msg("no probe %s", name);
    return NULL;
}

/* ---- staging ---- */

static void test_staging(void **state) {
    (void)state;
    desk d;
    desk_open(&d);
    char list[256];
    (void)snprintf(list, sizeof list, "references,padding,factual_error=%s", d.errors);
    exam_staged made = staged(&d, d.data, list, NULL);
    assert_int_equal(made.n_pairs, N_PAIRS);
    assert_int_equal(made.n_made[2], N_PAIRS);
    assert_int_equal(made.n_rows, N_PAIRS * 5); /* and padding for the references */
    assert_int_equal(made.n_trimmed, 2 * 2 * N_PAIRS / 8);
    bool is_audit;
    assert_ok(exam_is_one(d.l, &is_audit, &d.err), d.err);
    assert_true(is_audit);
    ledger_texts plain, changed;
    exam_meta meta;
    assert_ok(ledger_pair_texts(d.l, row_of(d.l, "p8"), &plain, &d.arena, &d.err),
              d.err);
    assert_ok(ledger_pair_texts(d.l, row_of(d.l, "p8~references"), &changed, &d.arena,
                                &d.err),
              d.err);
    assert_true(eh_str_begins(plain.answer_1, EH_STR("About")));
    assert_ok(exam_meta_read(changed.meta_json, &d.arena, &meta, &d.err), d.err);
    assert_int_equal(meta.role, EXAM_EXPERIMENT);
    assert_text(meta.probe, "references");
    assert_text(meta.control, "p8");
    bool first = meta.perturbed == 1;
    assert_same(first ? changed.answer_2 : changed.answer_1,
                first ? plain.answer_2 : plain.answer_1);
    assert_holds(first ? changed.answer_1 : changed.answer_2, "\n\nReferences:\n");
    assert_holds(changed.meta_json, "\"edits\"");
    desk_close(&d);
}

/* Rows that are no clean perturbation are left out, each for its reason. */
static void test_rejects(void **state) {
    (void)state;
    static const char pairs[] = "{\"id\":\"a\",\"question\":\"Q?\",\"answer_1\":\"One."
                                "\",\"answer_2\":\"Two.\"}\n"
                                "{\"id\":\"b\",\"question\":\"R?\",\"answer_1\":\"Red."
                                "\",\"answer_2\":\"Blue.\"}\n";
    static const char rows[] =
        "{\"id\":\"a\",\"question\":\"Q?\",\"answer_1\":\"One!\",\"answer_2\":\"Two. "
        "\","
        "\"perturbed\":1}\n"
        "{\"id\":\"x1\",\"control_id\":\"a\",\"question\":\"Q?\",\"answer_1\":\"1\","
        "\"answer_2\":\"Two.\",\"perturbed\":\"1\"}\n"
        "{\"id\":\"x2\",\"control_id\":\"b\",\"question\":\"Q?\",\"answer_1\":\"1\","
        "\"answer_2\":\"Blue.\",\"perturbed\":\"1\"}\n"
        "{\"id\":\"x3\",\"control_id\":\"b\",\"question\":\"R?\",\"answer_1\":\"1\","
        "\"answer_2\":\"Blu.\",\"perturbed\":\"1\"}\n"
        "{\"id\":\"x4\",\"control_id\":\"b\",\"question\":\"R?\",\"answer_1\":\"Red."
        "\\n\","
        "\"answer_2\":\"Blue.\",\"perturbed\":\"1\"}\n"
        "{\"id\":\"x5\",\"control_id\":\"b\",\"question\":\"R?\",\"answer_1\":\"1\","
        "\"answer_2\":\"Blue.\",\"perturbed\":\"3\"}\n"
        "{\"id\":\"x6\",\"control_id\":\"b\",\"question\":\"R?\",\"answer_1\":\" \","
        "\"answer_2\":\"Blue.\",\"perturbed\":\"1\"}\n"
        "{\"id\":\"x7\",\"question\":\"R?\",\"answer_1\":\"1\",\"answer_2\":\"Blue.\","
        "\"perturbed\":\"1\"}\n";
    desk d;
    char list[256];
    rejects r = {{0}};
    desk_open(&d);
    (void)snprintf(list, sizeof list, "shortening,mine:oversight=%s",
                   made_file(&d.folder, "rows.jsonl", rows));
    exam_staged made = staged(&d, made_file(&d.folder, "pairs.jsonl", pairs), list, &r);
    assert_int_equal(made.n_made[0], 0);
    assert_int_equal(made.n_made[1], 1);
    assert_int_equal(made.n_rejected[1], 7);
    assert_int_equal(r.n[AUDIT_REJECT_TOO_SHORT], 2);
    assert_int_equal(r.n[AUDIT_REJECT_TWICE], 1);
    assert_int_equal(r.n[AUDIT_REJECT_QUESTION_DIFFERS], 1);
    assert_int_equal(r.n[AUDIT_REJECT_OTHER_DIFFERS], 1);
    assert_int_equal(r.n[AUDIT_REJECT_UNCHANGED], 1);
    assert_int_equal(r.n[AUDIT_REJECT_NO_SIDE], 1);
    assert_int_equal(r.n[AUDIT_REJECT_EMPTY], 1);
    assert_int_equal(r.n[AUDIT_REJECT_NO_CONTROL], 1);
    desk_close(&d);
}

static void test_lists(void **state) {
    (void)state;
    static const struct {
        const char *list, *part;
    } bad[] = {{"nothing", "unknown probe 'nothing': use one of factual_error"},
               {"gender", "has no rule: give a file of perturbed pairs, gender=FILE"},
               {"mine=f", "unknown probe 'mine'"},
               {"mine:soft=f", "not 'soft'"},
               {"a b:oversight=f", "letters, digits"},
               {"padding,references,padding", "padding is given twice"},
               {"reference,references", "references is given twice"}};
    eh_arena arena;
    eh_error err;
    exam_probe *list;
    size_t n;
    arena_init(&arena, 1 << 20);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_fails(exam_probes_parse(eh_str_of(bad[i].list), &arena, &list, &n, &err),
                     EH_STATUS_USAGE, err, bad[i].part);
    assert_ok(exam_probes_parse((eh_str){NULL, 0}, &arena, &list, &n, &err), err);
    assert_int_equal(n, 6);
    assert_ok(exam_probes_parse(EH_STR("mine:oversight=f, references"), &arena, &list,
                                &n, &err),
              err);
    assert_int_equal(n, 2);
    assert_int_equal(list[0].form, AUDIT_OVERSIGHT);
    assert_string_equal(list[0].file, "f");
    arena_deinit(&arena);
}

/* ---- judges with planted defects ---- */

typedef struct planted {
    const char *spec;
    audit_unreadable fault;
    const char *flags; /* of probes, in alphabetical order */
} planted;

static const planted judges[] = {
    {"sim:error=4,noise=.3", AUDIT_UNREADABLE_NOT, ""},
    {"sim:error=4,noise=1,seed=2", AUDIT_UNREADABLE_NOT, ""},
    {"sim:error=4,noise=.5,first=.7", AUDIT_UNREADABLE_NOT, ""},
    {"sim:error=0,noise=.3", AUDIT_UNREADABLE_NOT, "factual_error "},
    {"sim:error=4,noise=.3,refs=2", AUDIT_UNREADABLE_NOT, "references "},
    {"sim:error=4,noise=.3,style=2", AUDIT_UNREADABLE_NOT, "rich_content "},
    {"sim:error=4,noise=.3,length=2", AUDIT_UNREADABLE_NOT,
     "padding references rich_content "},
    {"sim:first=9,spread=0", AUDIT_UNREADABLE_SLOT, "factual_error "},
    {"sim:first=-9,spread=0", AUDIT_UNREADABLE_SLOT, "factual_error "},
    {"sim:tie=9", AUDIT_UNREADABLE_ALWAYS_TIE, "factual_error "},
    {"sim:spread=0,noise=1,tie=.609", AUDIT_UNREADABLE_UNSTABLE, "factual_error "},
    {"sim:refuse=.5", AUDIT_UNREADABLE_FAILED, NULL}, /* NULL: any */
};

static void test_planted(void **state) {
    (void)state;
    desk d;
    desk_open(&d);
    char list[256], flags[256];
    (void)snprintf(list, sizeof list,
                   "references,rich_content,padding,factual_error=%s", d.errors);
    (void)staged(&d, d.data, list, NULL);
    static const char *const names[] = {"factual_error", "padding", "references",
                                        "rich_content"};
    for (size_t i = 0; i < sizeof judges / sizeof judges[0]; i++) {
        const card_judge *j = audited(&d, judges[i].spec, NULL);
        flags[0] = '\0';
        for (size_t k = 0; k < 4; k++) {
            const card_probe *p = probe_of(j, names[k]);
            size_t used = strlen(flags);
            if (p->flagged)
                (void)snprintf(flags + used, sizeof flags - used, "%s ", names[k]);
            if (judges[i].fault) assert_int_equal(p->state, AUDIT_STATE_UNREADABLE);
            assert_int_equal(p->n_groups, 2);
        }
        if (j->fault != judges[i].fault)
            fail_msg("%s: %s", judges[i].spec, audit_unreadable_name(j->fault));
        if (judges[i].flags && strcmp(flags, judges[i].flags) != 0)
            fail_msg("%s: flags are \"%s\" and not \"%s\"", judges[i].spec, flags,
                     judges[i].flags);
    }
    desk_close(&d);
}

/* A judge that tosses coins comes out at the coin-flip row, in both forms. */
static void test_coin_flip(void **state) {
    (void)state;
    desk d;
    desk_open(&d);
    char list[256];
    (void)snprintf(list, sizeof list, "majority,factual_error=%s", d.errors);
    (void)staged(&d, d.data, list, NULL);
    const card_judge *j = audited(&d, "sim:spread=0,noise=1,tie=.609,seed=5", NULL);
    const audit_score *sus = &probe_of(j, "majority")->score;
    const audit_score *over = &probe_of(j, "factual_error")->score;
    assert_true(sus->paired.asr.low < .403 && sus->paired.asr.high > .403);
    assert_true(over->paired.asr.low < .597 && over->paired.asr.high > .597);
    assert_true(fabs(sus->coin_flip - .403) < .01);
    assert_true(fabs(over->coin_flip - .597) < .01);
    desk_close(&d);
}

/* The same again asks nothing, one more probe only its own rows; and the answers of the
 * data exchanged exchange nothing on the card. */
static void test_again(void **state) {
    (void)state;
    desk d;
    run_result r;
    desk_open(&d);
    (void)staged(&d, d.data, "injection", NULL);
    card_judge *j = audited(&d, "sim:noise=1", &r);
    assert_int_equal(r.progress.n_new, 3 * 6 * N_PAIRS); /* plain twice, injection */
    assert_int_equal(j->n_calls, 3 * 6 * N_PAIRS);
    audit_score before = probe_of(j, "injection")->score;
    (void)staged(&d, d.data, "majority,injection", NULL);
    j = audited(&d, "sim:noise=1", &r);
    assert_int_equal(r.progress.n_new, 6 * N_PAIRS);
    audit_score after = probe_of(j, "injection")->score;
    assert_memory_equal(before.table, after.table, sizeof before.table);
    assert_int_equal(before.paired.n_hits, after.paired.n_hits);
    (void)audited(&d, "sim:noise=1", &r);
    assert_int_equal(r.progress.n_new, 0);
    char mirrored[] = "answer_2=answer_1,answer_1=answer_2";
    exam_stage_options o = {.data = {.path = d.data, .map = mirrored},
                            .clock = clock_made()};
    exam_probe *list;
    exam_staged made;
    assert_ok(
        exam_probes_parse(EH_STR("injection"), &d.arena, &list, &o.n_probes, &d.err),
        d.err);
    o.probes = list;
    assert_ok(exam_stage(d.l, &o, &made, &d.err), d.err);
    j = audited(&d, "sim:noise=1", &r);
    assert_int_equal(r.progress.n_new, 0); /* the prompts are the same */
    after = probe_of(j, "injection")->score;
    assert_memory_equal(before.table, after.table, sizeof before.table);
    assert_memory_equal(before.placebo_table, after.placebo_table, sizeof before.table);
    desk_close(&d);
}

static void test_card(void **state) {
    (void)state;
    desk d;
    eh_buf out;
    desk_open(&d);
    buf_init(&out, BUF_MAX_REPORT);
    (void)staged(&d, d.data, "references,padding", NULL);
    card_set cards = {.judges = audited(&d, "sim:noise=.3,refs=2", NULL),
                      .n_judges = 1};
    card_text(&cards, &out);
    assert_holds(buf_view(&out), "Most fooled by fake references: ");
    assert_holds(buf_view(&out), "Held up           padding\n");
    assert_int_equal(count_of(buf_view(&out), EH_STR("nan")), 0);
    assert_fits(buf_view(&out), 60);
    assert_fits(buf_view(&out), 80);
    buf_reset(&out);
    card_json(&cards, &out);
    assert_holds(buf_view(&out), "\"state\": \"fooled\"");
    buf_reset(&out);
    cards.judges = audited(&d, "sim:first=9,spread=0", NULL);
    card_text(&cards, &out);
    assert_holds(buf_view(&out), "This judge cannot be audited: it picks the first ");
    assert_holds(buf_view(&out), "Cannot be read    padding\n");
    buf_deinit(&out);
    desk_close(&d);
}

/* ---- the self-test ---- */

/* Asked on the spot, a judge has the card that the engine and the ledger give it. */
static void test_trial_card(void **state) {
    (void)state;
    static const char *const specs[] = {"sim:noise=1,first=.4,length=.5",
                                        "sim:noise=.5,refuse=.1,garble=.1,error=2"};
    desk d;
    char list[256];
    desk_open(&d);
    (void)snprintf(list, sizeof list, "references,majority,factual_error=%s", d.errors);
    (void)staged(&d, d.data, list, NULL);
    for (size_t i = 0; i < 2; i++) {
        card_judge spot, *through = audited(&d, specs[i], NULL);
        eh_buf one, two;
        buf_init(&one, BUF_MAX_REPORT);
        buf_init(&two, BUF_MAX_REPORT);
        assert_ok(exam_trial_card(d.l, specs[i], 3, &d.arena, &spot, &d.err), d.err);
        assert_same(spot.name, through->name);
        spot.template_name = through->template_name; /* what only a ledger knows */
        spot.n_calls = through->n_calls;
        card_json(&(card_set){.judges = &spot, .n_judges = 1}, &one);
        card_json(&(card_set){.judges = through, .n_judges = 1}, &two);
        assert_true(one.len > 4000);
        assert_same(buf_view(&one), buf_view(&two));
        buf_deinit(&one);
        buf_deinit(&two);
    }
    desk_close(&d);
}

/* On other pairs, in two rounds and threads: the threads change nothing. */
static void test_trial(void **state) {
    (void)state;
    desk d;
    eh_buf out;
    card_trial trial[2];
    desk_open(&d);
    for (int i = 0; i < 2; i++) {
        exam_trial_options o = {.pairs = d.data,
                                .errors = d.errors,
                                .seed = 3,
                                .n_rounds = 2,
                                .n_threads = 1 + i,
                                .clock = clock_made()};
        assert_ok(exam_trial(&o, &d.arena, &trial[i], &d.err), d.err);
    }
    assert_int_equal(trial[0].n_pairs, N_PAIRS);
    assert_true(trial[0].n_rows >= 14);
    assert_memory_equal(trial[0].rows, trial[1].rows,
                        trial[0].n_rows * sizeof *trial[0].rows);
    assert_true(card_trial_ok(&trial[0]));
    /* a flag too many, and one too few */
    buf_init(&out, BUF_MAX_REPORT);
    trial[0].rows[0].n_flagged[1] = trial[0].rows[0].n_false = 1;
    assert_false(card_trial_ok(&trial[0]));
    card_trial_text(&trial[0], &out);
    assert_holds(buf_view(&out), "1 of ");
    assert_holds(buf_view(&out), " are NOT as declared.");
    trial[0].n_rounds = 200;
    trial[0].rows[0].n_flagged[1] = trial[0].rows[0].n_false = 20;
    for (size_t i = 1; i < trial[0].n_rows; i++)
        trial[0].rows[i].n_missed = 0;
    assert_true(card_trial_ok(&trial[0]));
    trial[0].rows[0].n_missed = 21;
    assert_false(card_trial_ok(&trial[0]));
    buf_deinit(&out);
    desk_close(&d);
}

/* ---- recorded perturbations ---- */

static void test_recorded(void **state) {
    (void)state;
    const char *shared = getenv("EVENHAND_SHARED");
    static const char *const names[] = {"factual_error", "gender", "reference",
                                        "rich_content"};
    static const int64_t first[] = {70, 142, 65, 69}; /* answer_1 perturbed */
    char data[512], list[4096];
    (void)snprintf(data, sizeof data, "%s/data/judgebias/pairs_control.jsonl",
                   shared ? shared : "");
    if (access(data, R_OK) != 0) {
        print_message("skipped: no recorded pairs\n");
        skip();
    }
    desk d;
    size_t used = 0;
    desk_open(&d);
    for (size_t i = 0; i < 4; i++)
        used += (size_t)snprintf(list + used, sizeof list - used,
                                 "%s%s=%s/data/judgebias/pairs_%s.jsonl", i ? "," : "",
                                 names[i], shared, names[i]);
    rejects r = {{0}};
    exam_staged made = staged(&d, data, list, &r);
    assert_int_equal(made.n_pairs, 142);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(made.n_made[i], 142);
        assert_int_equal(made.n_rejected[i], 0);
    }
    int64_t n_first[4] = {0}, after = -1;
    ledger_pair pair;
    size_t n = 1;
    while (ledger_pairs_page(d.l, after, &pair, 1, &n, &d.arena, &d.err) ==
               EH_STATUS_OK &&
           n) {
        ledger_texts texts;
        exam_meta meta;
        after = pair.seq;
        assert_ok(ledger_pair_texts(d.l, pair.row, &texts, &d.arena, &d.err), d.err);
        assert_ok(exam_meta_read(texts.meta_json, &d.arena, &meta, &d.err), d.err);
        for (size_t i = 0; i < 4; i++)
            if (meta.role == EXAM_EXPERIMENT &&
                eh_str_begins(meta.probe, eh_str_of(names[i])))
                n_first[i] += meta.perturbed == 1;
        assert_int_equal(count_of(texts.question, EH_STR("MUST NOT")), 0);
    }
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(n_first[i], first[i]);
    const card_judge *j = audited(&d, "sim:spread=0,noise=1,tie=.609", NULL);
    for (size_t i = 0; i < j->n_probes; i++) {
        const audit_score *s = &j->probes[i].score;
        double coin = s->form == AUDIT_OVERSIGHT ? .597 : .403;
        assert_true(s->paired.asr.low < coin && s->paired.asr.high > coin);
        assert_int_equal(j->probes[i].n_groups, 6); /* Bloom's levels */
    }
    desk_close(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_staging),   cmocka_unit_test(test_rejects),
        cmocka_unit_test(test_lists),     cmocka_unit_test(test_planted),
        cmocka_unit_test(test_coin_flip), cmocka_unit_test(test_again),
        cmocka_unit_test(test_card),      cmocka_unit_test(test_trial_card),
        cmocka_unit_test(test_trial),     cmocka_unit_test(test_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
