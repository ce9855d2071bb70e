/* SPDX-License-Identifier: MIT
 *
 * Views: the runs of a ledger, and one pair ruled under one of them.
 *
 * A run's own plan may be replaced by another method over the same samples; then the
 * method's orders and as many samples as the run has are taken. Views of several
 * ledgers share one list and one set of names.
 */
#include "tally/summarize.h"

#include "base/hash.h"
#include "ledger/ledger.h"

/* What shows one answer at a time and what shows two cannot rule each other's samples;
 * *fits is false then. */
static eh_status view_make(ledger *l, const ledger_run *run, eh_str method,
                           tally_view *view, bool *fits, eh_error *err) {
    bool alone;
    view->run = *run;
    *fits = true;
    view->people = eh_str_eq_cstr(method, "hitlc");
    if (view->people) method = EH_STR("mec+bpc");
    EH_TRY(
        plan_restore(run->method, run->k, run->orders, run->options, &view->plan, err));
    alone = plan_is_alone(&view->plan);
    if (method.len && !eh_str_eq(method, run->method)) {
        plan_wish wish = {.method = method, .k = run->k};
        if (plan_make(&wish, &view->plan, NULL) != EH_STATUS_OK) {
            wish.k = 0; /* a method of one sample: take the first */
            EH_TRY(plan_make(&wish, &view->plan, err));
        }
        if (view->plan.orders & ~run->orders) view->plan.orders = run->orders;
    }
    *fits = alone == plan_is_alone(&view->plan);
    return ledger_scale(l, run->judge_row, &view->scale, err);
}

/* Two runs of one judge may become the same under another method. */
static bool same_view(const tally_view *a, const tally_view *b) {
    char options_a[PLAN_OPTIONS_CHARS], options_b[PLAN_OPTIONS_CHARS];
    plan_options_text(&a->plan, options_a);
    plan_options_text(&b->plan, options_b);
    return a->run.judge_row == b->run.judge_row && a->run.imported == b->run.imported &&
           a->plan.method == b->plan.method && a->plan.k == b->plan.k &&
           a->plan.orders == b->plan.orders && strcmp(options_a, options_b) == 0;
}

eh_status tally_views(ledger *l, eh_str method, eh_arena *arena, tally_view **views,
                      size_t *n, eh_error *err) {
    ledger_run *runs;
    size_t n_runs;
    *n = 0;
    EH_TRY(ledger_runs(l, arena, &runs, &n_runs, err));
    *views = arena_zalloc(arena, n_runs + 1, sizeof **views);
    if (!*views) return EH_NOMEM(err);
    for (size_t i = 0; i < n_runs; i++) {
        tally_view *view = &(*views)[*n];
        bool is_new;
        if (!ledger_run_is_main(&runs[i])) continue;
        EH_TRY(view_make(l, &runs[i], method, view, &is_new, err));
        for (size_t k = 0; k < *n; k++)
            is_new = is_new && !same_view(&(*views)[k], view);
        *n += is_new;
    }
    if (*n == 0 && n_runs > 0 && method.len)
        return EH_FAIL(
            err, EH_STATUS_USAGE,
            "no run of the ledger can be ruled by method %.*s: standalone shows one "
            "answer at a time, the other methods two",
            EH_STR_ARG(method));
    return EH_STATUS_OK;
}

/* Leaves out the samples of stages that the plan does not ask of this pair: those of
 * other runs, and older ones than the replies that settled it (--refresh). */
static void drop_unwanted(const plan_spec *plan, tally_ruled *ruled) {
    size_t kept = 0;
    if (plan_n_stages(plan) == 1) return;
    for (size_t i = 0; i < ruled->n_samples; i++) {
        int stage = plan_stage_of(plan, ruled->samples[i].stage_code);
        if (stage >= 0 && ruled->ruling.stage_wanted[stage])
            ruled->samples[kept++] = ruled->samples[i];
    }
    ruled->n_samples = kept;
}

/* The majority of labels in place of the ruling; what the judge's samples say of doubt
 * and conflict stays. */
static eh_status let_people_rule(ledger *l, int64_t pair_row, tally_ruled *ruled,
                                 eh_error *err) {
    int64_t counts[4];
    bool flagged;
    EH_TRY(ledger_label_counts(l, pair_row, counts, err));
    eh_verdict majority = tally_label_majority(counts, &flagged);
    if (majority == EH_VERDICT_NONE) return EH_STATUS_OK;
    ruled->by_people = true;
    ruled->ruling.verdict = majority;
    ruled->ruling.none = PLAN_NONE_NOT;
    ruled->ruling.tie_agreed = majority == EH_VERDICT_TIE && !flagged;
    ruled->ruling.vote = eh_verdict_vote(majority);
    return EH_STATUS_OK;
}

eh_status tally_books_look(ledger *const *ledgers, size_t n_ledgers, eh_str method,
                           eh_arena *arena, tally_books *books, eh_error *err) {
    *books = (tally_books){.ledgers = ledgers, .n_ledgers = n_ledgers};
    tally_view **views = arena_zalloc(arena, n_ledgers + 1, sizeof *views);
    size_t *n = arena_zalloc(arena, n_ledgers + 1, sizeof *n);
    if (!views || !n) return EH_NOMEM(err);
    for (size_t b = 0; b < n_ledgers; b++) {
        EH_TRY(tally_views(ledgers[b], method, arena, &views[b], &n[b], err));
        books->n_views += n[b];
    }
    books->views = arena_zalloc(arena, books->n_views + 1, sizeof *books->views);
    if (!books->views) return EH_NOMEM(err);
    for (size_t b = 0, at = 0; b < n_ledgers; b++)
        for (size_t i = 0; i < n[b]; i++, at++) {
            books->views[at] = views[b][i];
            books->views[at].book = b;
        }
    return tally_view_names(books->views, books->n_views, arena, &books->names, err);
}

eh_status tally_rule_pair(ledger *l, const tally_view *view, int64_t pair_row,
                          tally_ruled *ruled, eh_error *err) {
    return tally_rule_stream(l, view, pair_row, 0, ruled, err);
}

eh_status tally_rule_stream(ledger *l, const tally_view *view, int64_t pair_row,
                            int stream, tally_ruled *ruled, eh_error *err) {
    ledger_ask whose = {
        .judge_row = view->run.judge_row, .pair_row = pair_row, .stream = stream};
    EH_TRY(ledger_samples(l, &whose, 0, ruled->samples,
                          sizeof ruled->samples / sizeof ruled->samples[0],
                          &ruled->n_samples, err));
    ruled->in_scope = !view->run.imported || ruled->n_samples > 0;
    plan_rule(&view->plan, view->scale, ruled->samples, ruled->n_samples,
              &ruled->ruling);
    drop_unwanted(&view->plan, ruled);
    ruled->judge_verdict = ruled->ruling.verdict;
    ruled->by_people = false;
    return view->people ? let_people_rule(l, pair_row, ruled, err) : EH_STATUS_OK;
}

const char *tally_view_method(const tally_view *view) {
    return view->people ? "hitlc" : plan_method_name(view->plan.method);
}

eh_verdict tally_consistent_verdict(const tally_view *view, const plan_ruling *ruling) {
    if (plan_n_stages(&view->plan) > 1) return ruling->verdict;
    return ruling->both_orders && !ruling->conflict ? ruling->by_order[0].verdict
                                                    : EH_VERDICT_NONE;
}

eh_status tally_label_of(ledger *l, int64_t pair_row, tally_label *label,
                         eh_error *err) {
    int64_t counts[4];
    EH_TRY(ledger_label_counts(l, pair_row, counts, err));
    label->majority = tally_label_majority(counts, &label->flagged);
    label->n_labels =
        counts[EH_VERDICT_1] + counts[EH_VERDICT_2] + counts[EH_VERDICT_TIE];
    return EH_STATUS_OK;
}

eh_verdict tally_label_majority(const int64_t counts[4], bool *flagged) {
    int64_t most = 0;
    int n_most = 0;
    eh_verdict majority = EH_VERDICT_NONE;
    for (int v = EH_VERDICT_1; v <= EH_VERDICT_TIE; v++) {
        if (counts[v] > most) {
            most = counts[v];
            n_most = 0;
            majority = (eh_verdict)v;
        }
        n_most += counts[v] == most && most > 0;
    }
    *flagged = n_most > 1;
    return *flagged ? EH_VERDICT_TIE : majority;
}

eh_str tally_judge_temperature(const ledger_judge *asked) {
    const eh_str key = EH_STR("\"temperature\": ");
    size_t at = eh_str_find(asked->params, key, 0);
    if (at == SIZE_MAX) return (eh_str){NULL, 0};
    eh_str rest = eh_str_slice(asked->params, at + key.len, asked->params.len), number;
    (void)eh_str_split(&rest, '}', &number);
    return number;
}

/* ---- names ---- */

/* "~" and a few digits of what makes the judge and has no short name: its template's
 * text, its other parameters. */
static char *digest_part(const ledger_judge *j, eh_arena *arena) {
    uint8_t digest[HASH_BYTES];
    char hex[2 * 3 + 1];
    eh_hash h;
    hash_init(&h, "eh-judge-name-1");
    hash_str(&h, j->template_text);
    hash_i64(&h, j->evidence_first);
    hash_str(&h, j->params);
    hash_done(&h, digest);
    hash_hex(digest, 3, hex);
    return arena_printf(arena, "~%s", hex);
}

/* What tells judges apart, in the order in which it is added to a name. */
static char *name_part(const tally_view *v, int level, eh_arena *arena) {
    switch (level) {
    case 0: return arena_printf(arena, "+%.*s", EH_STR_ARG(v->run.judge.template_name));
    case 1: {
        eh_str temperature = tally_judge_temperature(&v->run.judge);
        return temperature.len ? arena_printf(arena, "@t=%.*s", EH_STR_ARG(temperature))
                               : arena_printf(arena, "@t=none");
    }
    case 2: return arena_printf(arena, "#%s", tally_view_method(v));
    case 4: {
        char options[PLAN_OPTIONS_CHARS];
        plan_options_text(&v->plan, options);
        return arena_printf(arena, ",%s", options);
    }
    case 5: return digest_part(&v->run.judge, arena);
    case 6: return arena_printf(arena, "[%zu]", v->book + 1);
    default: {
        const char *orders = v->plan.orders == PLAN_ORDERS_BOTH ? "both"
                             : v->plan.orders & 1u              ? "12"
                                                                : "21";
        return arena_printf(arena, ",k=%d,order=%s", v->plan.k, orders);
    }
    }
}

/* The views and the names they have so far. */
typedef struct naming {
    const tally_view *views; /* [n] */
    eh_str *names;           /* [n] */
    bool *has_method;        /* [n] the method stands in the name */
    size_t n;
    eh_arena *arena;
} naming;

/* Does another view carry the same name, and does this level tell them apart? */
static bool level_helps(const naming *a, size_t i, int level) {
    char *own = name_part(&a->views[i], level, a->arena);
    for (size_t j = 0; own && j < a->n; j++) {
        if (j == i || !eh_str_eq(a->names[j], a->names[i])) continue;
        char *other = name_part(&a->views[j], level, a->arena);
        if (other && strcmp(own, other) != 0) return true;
    }
    return false;
}

static bool any_collision(const naming *a) {
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < i; j++)
            if (eh_str_eq(a->names[i], a->names[j])) return true;
    return false;
}

/* Appends what tells views of one name apart at this level. */
static eh_status append_level(naming *a, int level, eh_error *err) {
    bool *helps = arena_zalloc(a->arena, a->n, sizeof *helps);
    if (!helps) return EH_NOMEM(err);
    for (size_t i = 0; i < a->n; i++)
        helps[i] = level_helps(a, i, level);
    for (size_t i = 0; i < a->n; i++) {
        if (!helps[i]) continue;
        char *part = name_part(&a->views[i], level, a->arena);
        /* a method's own options follow its name */
        char *method =
            level == 4 && !a->has_method[i] ? name_part(&a->views[i], 2, a->arena) : "";
        char *name = part && method
                         ? arena_printf(a->arena, "%.*s%s%s", EH_STR_ARG(a->names[i]),
                                        method, part)
                         : NULL;
        a->has_method[i] = a->has_method[i] || level == 2;
        if (!name) return EH_NOMEM(err);
        a->names[i] = eh_str_of(name);
    }
    return EH_STATUS_OK;
}

eh_status tally_view_names(const tally_view *views, size_t n, eh_arena *arena,
                           eh_str **names, eh_error *err) {
    static const int levels[] = {2, 0, 1, 3, 4, 5, 6};
    naming a = {.views = views, .n = n, .arena = arena};
    *names = a.names = arena_zalloc(arena, n + 1, sizeof *a.names);
    a.has_method = arena_zalloc(arena, n + 1, sizeof *a.has_method);
    if (!a.names || !a.has_method) return EH_NOMEM(err);
    for (size_t i = 0; i < n; i++)
        a.names[i] = views[i].run.judge.judge;
    for (size_t k = 0; k < sizeof levels / sizeof levels[0] && any_collision(&a); k++)
        EH_TRY(append_level(&a, levels[k], err));
    return EH_STATUS_OK;
}
