/* SPDX-License-Identifier: MIT
 *
 * evenhand annotate: makes or opens the labelling queue of a ledger, then serves the
 * page or writes tasks.
 *
 * Standard output carries the links: each is a key, and this is the only place where it
 * is ever written. Of links that were given out before only a hash is known, so they
 * are not printed again; they go on working.
 */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "common.h"
#include "exam/exam.h"
#include "exam/queue.h"
#include "report/write.h"
#include "run/queue.h"
#include "serve/serve.h"
#include "serve/tasks.h"
#include "text_file.h"

enum { PEOPLE_MAX = 1000, ANNOTATE_ARENA_BYTES = 16 << 20, NAME_BYTES_MAX = 100 };

typedef struct annotate_cmd {
    const cli_args *args;
    ledger *l;
    ledger_queue queue;
    run_queue_counts counts;
    bool is_audit;
    eh_arena arena;
    struct {
        eh_str name;
        char token[SERVE_TOKEN_CHARS + 1]; /* empty: given out before */
    } * people;                            /* [n_people] */
    size_t n_people;
    char owner_token[SERVE_TOKEN_CHARS + 1];
} annotate_cmd;

static volatile sig_atomic_t stop_signal;

static void on_signal(int number) {
    stop_signal = number;
}

/* ---- the queue ---- */

static eh_status make_queue(annotate_cmd *c, eh_error *err) {
    const cli_args *args = c->args;
    bool found;
    EH_TRY(exam_is_one(c->l, &c->is_audit, err));
    const char *selection = args_str(args, OPT_selection);
    run_queue_options o = {
        .selection =
            selection ? plan_selection_find(eh_str_of(selection)) : PLAN_SELECTION_N,
        /* of an audit all pairs are wanted, and no judge's doubts choose them */
        .usual = c->is_audit ? PLAN_SELECTION_RANDOM : PLAN_SELECTION_ENTROPY,
        .place_of = c->is_audit ? exam_queue_place : NULL,
        .budget = eh_str_of(args_str(args, OPT_budget)),
        .judge = eh_str_of(args_str(args, OPT_rank_by)),
        .ids_path = args_str(args, OPT_ids),
        .seed = args_i64(args, OPT_seed, -1),
        .labels_per_pair = (int)args_i64(args, OPT_labels_per_pair, 0),
        .apart = args_flag(args, OPT_apart),
        .contact = eh_str_of(args_str(args, OPT_contact)),
        .clock = clock_system()};
    if ((o.selection == PLAN_SELECTION_FILE) != (o.ids_path != NULL))
        return EH_FAIL(err, EH_STATUS_USAGE, "--ids needs --selection file");
    EH_TRY(run_queue_make(c->l, &o, &c->counts, err));
    return ledger_queue_get(c->l, &c->arena, &c->queue, &found, err);
}

static void say_queue(const annotate_cmd *c, eh_buf *out) {
    const ledger_queue *q = &c->queue;
    plan_selection how = plan_selection_find(q->selection);
    buf_printf(out, "queue:  " LAYOUT_HANG "%lld of %lld pairs, %d label%s each",
               (long long)c->counts.n_selected, (long long)q->n_frame,
               q->labels_per_pair, q->labels_per_pair == 1 ? "" : "s");
    if (!c->counts.is_new && c->counts.n_added == 0)
        buf_add_cstr(out, "; opened again");
    else if (!c->counts.is_new)
        buf_printf(out, "; %lld added", (long long)c->counts.n_added);
    buf_printf(out, "\nchosen: " LAYOUT_HANG "%s", plan_selection_text(how));
    if (how == PLAN_SELECTION_ACTIVE && c->counts.n_selected != q->n_budget)
        buf_printf(out, "; %lld on average", (long long)q->n_budget);
    buf_add_char(out, '\n');
    if (c->is_audit)
        buf_add_cstr(out, "audit:  " LAYOUT_HANG
                          "plain pairs and their perturbed twins, which "
                          "stay together; padded pairs and attacks are left out\n");
    if (q->apart && c->counts.n_of_question > 1)
        buf_printf(out,
                   "apart:  " LAYOUT_HANG
                   "nobody gets two pairs of one question%s; it takes %lld people to "
                   "give all labels\n",
                   c->is_audit ? " or two twins" : "",
                   (long long)(q->labels_per_pair * c->counts.n_of_question));
    if (q->judge.len)
        buf_printf(out, "judge:  " LAYOUT_HANG "%.*s\n", EH_STR_ARG(q->judge));
    if (c->counts.n_leaks)
        buf_printf(out,
                   "note:   " LAYOUT_HANG
                   "the texts of %lld pair%s name a model of the run or speak of one; "
                   "people may guess who wrote them\n",
                   (long long)c->counts.n_leaks, c->counts.n_leaks == 1 ? "" : "s");
}

static eh_status check_texts(const annotate_cmd *c, eh_error *err) {
    if (c->counts.n_without_texts == 0) return EH_STATUS_OK;
    return EH_FAIL(
        err, EH_STATUS_DATA,
        "%lld of the chosen pairs %s no texts in this ledger, so there is "
        "nothing to show; import the judgments with --pairs, or choose others",
        (long long)c->counts.n_without_texts,
        c->counts.n_without_texts == 1 ? "has" : "have");
}

/* What can be said to be wrong before anything is written. */
static eh_status check_options(const cli_args *args, eh_error *err) {
    eh_str public_url = eh_str_of(args_str(args, OPT_public_url)), name;
    eh_str names = eh_str_of(args_str(args, OPT_annotators));
    if (public_url.len) EH_TRY(serve_url_check(public_url, err));
    while (names.len && eh_str_split(&names, ',', &name))
        EH_TRY(serve_name_check(eh_str_trim(name), err));
    return EH_STATUS_OK;
}

/* ---- people ---- */

static eh_status invite(annotate_cmd *c, eh_str name, bool is_known, eh_error *err) {
    if (c->n_people == PEOPLE_MAX)
        return EH_FAIL(err, EH_STATUS_USAGE, "--annotators: at most %d may be given",
                       PEOPLE_MAX);
    eh_clock clock = clock_system();
    char *token = c->people[c->n_people].token;
    if (!arena_copy(&c->arena, name, &c->people[c->n_people++].name))
        return EH_NOMEM(err);
    if (is_known && !args_flag(c->args, OPT_new_links)) return EH_STATUS_OK;
    return serve_invite(c->l, name, clock_now_ms(&clock), token, err);
}

static bool knows(const annotate_cmd *c, eh_str name) {
    for (size_t i = 0; i < c->n_people; i++)
        if (eh_str_eq(c->people[i].name, name)) return true;
    return false;
}

/* Who is known already, then who is new. */
static eh_status invite_all(annotate_cmd *c, eh_error *err) {
    ledger_annotator *known;
    size_t n;
    EH_TRY(ledger_annotators(c->l, &c->arena, &known, &n, err));
    for (size_t i = 0; i < n; i++)
        if (known[i].has_token) EH_TRY(invite(c, known[i].name, true, err));
    eh_str rest = eh_str_of(args_str(c->args, OPT_annotators)), name;
    while (rest.len && eh_str_split(&rest, ',', &name)) {
        name = eh_str_trim(name);
        if (!knows(c, name)) EH_TRY(invite(c, name, false, err));
    }
    return c->n_people ? EH_STATUS_OK : invite(c, EH_STR("annotator"), false, err);
}

/* ---- instructions ---- */

static eh_status take_instructions(annotate_cmd *c, eh_error *err) {
    const char *path = args_str(c->args, OPT_instructions);
    eh_buf text;
    if (!path) return EH_STATUS_OK;
    buf_init(&text, SERVE_MAX_INSTRUCTIONS_BYTES);
    eh_status status = text_file_read(path, &text, err);
    if (status == EH_STATUS_OK)
        status = serve_instruct(c->l, buf_view(&text), clock_system(), err);
    buf_deinit(&text);
    return status;
}

/* ---- serving ---- */

/* One a line, however wide: a link is copied, by people and by scripts. */
static void add_link(eh_str name, int columns, const char *base, const char *token,
                     eh_buf *out) {
    int room = columns - report_columns(name);
    buf_add_cstr(out, "  ");
    report_foreign(out, name, NAME_BYTES_MAX);
    buf_printf(out, "%*s", room > 0 ? room + 2 : 2, "");
    if (token[0])
        buf_printf(out, "%s/join/%s\n", base, token);
    else
        buf_add_cstr(out, "as given before (--new-links makes new ones)\n");
}

static void print_links(void *self, const char *base) {
    annotate_cmd *c = self;
    eh_buf head, out;
    buf_init(&head, BUF_MAX_SMALL);
    buf_init(&out, BUF_MAX_SMALL);
    say_queue(c, &head);
    report_layout(buf_view(&head), text_terminal_columns(STDOUT_FILENO), &out);
    int columns = report_columns(EH_STR("owner"));
    for (size_t i = 0; i < c->n_people; i++) {
        int name = report_columns(c->people[i].name);
        if (name > columns) columns = name;
    }
    buf_add_cstr(&out, "links, each for its person alone:\n");
    add_link(EH_STR("owner"), columns, base, c->owner_token, &out);
    for (size_t i = 0; i < c->n_people; i++)
        add_link(c->people[i].name, columns, base, c->people[i].token, &out);
    buf_add_cstr(&out, "Ctrl-C ends it; every label is kept.\n");
    eh_error err;
    if (head.failed || out.failed || cmd_print(buf_view(&out), &err) != EH_STATUS_OK ||
        fflush(stdout) != 0)
        stop_signal = SIGTERM;
    sodium_memzero(out.ptr, out.len);
    buf_deinit(&head);
    buf_deinit(&out);
}

static void warn_wide(const cli_args *args, const char *address) {
    cmd_warn(args,
             "listening on %s: others can reach the "
             "page, and what they send is not encrypted; put a proxy in front and "
             "give --public-url",
             address);
}

static eh_status serve(annotate_cmd *c, eh_error *err) {
    const cli_args *args = c->args;
    const char *address = args_str(args, OPT_bind);
    eh_str public_url = eh_str_of(args_str(args, OPT_public_url));
    EH_TRY(serve_check_built(err));
    EH_TRY(invite_all(c, err));
    EH_TRY(take_instructions(c, err));
    if (!serve_is_loopback(address)) warn_wide(c->args, address);
    serve_token(c->owner_token);
    struct sigaction action = {.sa_handler = on_signal},
                     ignore = {.sa_handler = SIG_IGN};
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGPIPE, &ignore, NULL);
    serve_options o = {.bind = address,
                       .port = (int)args_i64(args, OPT_port, SERVE_PORT_DEFAULT),
                       .public_url = public_url,
                       .web_dir = args_str(args, OPT_web_dir),
                       .owner_token = c->owner_token,
                       .clock = clock_system(),
                       .stop = &stop_signal,
                       .ready = print_links,
                       .self = c};
    return serve_run(c->l, &o, err);
}

/* ---- tasks as files ---- */

static eh_status export_tasks(annotate_cmd *c, const char *path, eh_error *err) {
    eh_str names = eh_str_of(args_str(c->args, OPT_annotators));
    tasks_options o = {
        .path = path,
        .annotators = names.len ? names : EH_STR("annotator"),
        .csv = args_given(c->args, OPT_format)
                   ? eh_str_eq_cstr(eh_str_of(args_str(c->args, OPT_format)), "csv")
                   : eh_str_ends(eh_str_of(path), EH_STR(".csv")),
        .clock = clock_system()};
    int64_t n_tasks;
    eh_buf out, laid_out;
    EH_TRY(tasks_export(c->l, &o, &n_tasks, err));
    if (args_flag(c->args, OPT_quiet)) return EH_STATUS_OK;
    buf_init(&out, BUF_MAX_SMALL);
    buf_init(&laid_out, BUF_MAX_SMALL);
    say_queue(c, &out);
    report_layout(buf_view(&out), text_terminal_columns(STDERR_FILENO), &laid_out);
    (void)fprintf(stderr, "%.*s%lld task%s written to %s\n",
                  EH_STR_ARG(buf_view(&laid_out)), (long long)n_tasks,
                  n_tasks == 1 ? "" : "s", path);
    buf_deinit(&out);
    buf_deinit(&laid_out);
    return EH_STATUS_OK;
}

int cmd_annotate(const cli_args *args) {
    annotate_cmd c = {.args = args};
    eh_error err;
    const char *export_path = args_str(args, OPT_export);
    arena_init(&c.arena, ANNOTATE_ARENA_BYTES);
    c.people = arena_zalloc(&c.arena, PEOPLE_MAX, sizeof *c.people);
    eh_status status = c.people
                           ? ledger_open(args->operands[0], LEDGER_WRITE, &c.l, &err)
                           : EH_NOMEM(&err);
    if (status == EH_STATUS_OK) status = check_options(args, &err);
    if (status == EH_STATUS_OK) status = make_queue(&c, &err);
    if (status == EH_STATUS_OK) status = check_texts(&c, &err);
    if (status == EH_STATUS_OK)
        status = export_path ? export_tasks(&c, export_path, &err) : serve(&c, &err);
    eh_status closed = ledger_close(c.l, status == EH_STATUS_OK ? &err : NULL);
    if (status == EH_STATUS_OK) status = closed;
    sodium_memzero(c.owner_token, sizeof c.owner_token);
    arena_deinit(&c.arena);
    return status == EH_STATUS_OK ? 0 : cmd_fail(args, &err);
}
