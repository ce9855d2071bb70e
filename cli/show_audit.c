/* SPDX-License-Identifier: MIT
 *
 * evenhand show, of the ledger of an audit: the cards once more.
 *
 * An audit holds pairs that were made for it, so the tables of runs would say little of
 * it, and runs are not shown beside it. Several audits stand side by side: of several
 * judges, or of one judge at several dates.
 */
#include "show_audit.h"

#include "common.h"
#include "exam/exam.h"
#include "card/card.h"
#include "run/price.h"

/* What all ledgers' cards are added to. */
typedef struct showing {
    const cli_args *args;
    price_table *prices;
    audit_limits limits;
    eh_arena arena;
    card_set all; /* judges: [n_judges] of room for cap */
    size_t cap;
} showing;

static eh_status add_cards(showing *s, const card_set *cards, eh_str title,
                           eh_error *err) {
    for (size_t i = 0; i < cards->n_judges; i++) {
        s->all.judges = arena_grow(&s->arena, s->all.judges, s->all.n_judges, &s->cap,
                                   sizeof *s->all.judges);
        if (!s->all.judges) return EH_NOMEM(err);
        s->all.judges[s->all.n_judges] = cards->judges[i];
        s->all.judges[s->all.n_judges++].source = title;
    }
    return EH_STATUS_OK;
}

/* The one judge that -j names; of several ledgers in each that has it. */
static eh_status keep_named(showing *s, eh_error *err) {
    const char *wanted = args_str(s->args, OPT_judge);
    size_t n = 0, index;
    if (!wanted) return EH_STATUS_OK;
    eh_str *names = arena_zalloc(&s->arena, s->all.n_judges + 1, sizeof *names);
    if (!names) return EH_NOMEM(err);
    for (size_t i = 0; i < s->all.n_judges; i++)
        names[i] = s->all.judges[i].name;
    EH_TRY(
        common_pick(names, s->all.n_judges, wanted, s->args->operands[0], &index, err));
    for (size_t i = 0; i < s->all.n_judges; i++)
        if (eh_str_eq_cstr(s->all.judges[i].name, wanted))
            s->all.judges[n++] = s->all.judges[i];
    s->all.n_judges = n;
    return EH_STATUS_OK;
}

/* A family is one judge's. */
static eh_status check_family(const showing *s, eh_error *err) {
    size_t n = 0;
    for (size_t i = 0; i < s->all.n_judges; i++)
        n += s->all.judges[i].people == NULL;
    if (n <= 1 || !args_given(s->args, OPT_family)) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_USAGE,
                   "--family names the family of one judge, and there are %zu: say "
                   "which by -j",
                   n);
}

/* JSON has one name for each. */
static eh_status tell_apart(showing *s, eh_error *err) {
    for (size_t i = 0; i < s->all.n_judges; i++) {
        bool is_taken = false;
        for (size_t k = 0; k < s->all.n_judges; k++)
            is_taken |=
                k != i && eh_str_eq(s->all.judges[i].name, s->all.judges[k].name);
        s->all.judges[i].names_ledger = is_taken;
    }
    for (size_t i = 0; i < s->all.n_judges; i++) {
        card_judge *j = &s->all.judges[i];
        if (!j->names_ledger) continue;
        char *name = arena_printf(&s->arena, "%.*s (%.*s)", EH_STR_ARG(j->name),
                                  EH_STR_ARG(j->source));
        if (!name) return EH_NOMEM(err);
        j->name = eh_str_of(name);
    }
    return EH_STATUS_OK;
}

static eh_status make(showing *s, ledger **ledgers, const eh_str *titles, size_t n,
                      eh_buf *out, eh_error *err) {
    EH_TRY(price_table_load(args_str(s->args, OPT_prices), &s->prices, err));
    for (size_t i = 0; i < n; i++) {
        card_set cards;
        const exam_card_options options = {
            .prices = s->prices,
            .limits = &s->limits,
            .family = eh_str_of(args_str(s->args, OPT_family))};
        EH_TRY(exam_cards_make(ledgers[i], &options, &s->arena, &cards, err));
        EH_TRY(add_cards(s, &cards, n > 1 ? titles[i] : (eh_str){NULL, 0}, err));
    }
    EH_TRY(keep_named(s, err));
    EH_TRY(check_family(s, err));
    if (args_flag(s->args, OPT_json)) {
        EH_TRY(tell_apart(s, err));
        card_json(&s->all, out);
        return EH_STATUS_OK;
    }
    card_text(&s->all, out);
    if (s->all.n_judges > 1 && n == 1)
        buf_printf(out, "The card of one: evenhand show %s -j NAME\n",
                   s->args->operands[0]);
    else if (s->all.n_judges > 1)
        buf_printf(out, "The card of one: evenhand show %s\n", s->args->operands[0]);
    return EH_STATUS_OK;
}

eh_status show_audits(const cli_args *args, ledger **ledgers, const eh_str *titles,
                      size_t n, eh_buf *out, eh_error *err) {
    showing s = {.args = args, .limits = audit_limits_default()};
    s.limits.margin = args_f64(args, OPT_margin, s.limits.margin);
    s.all.both_forms = args_flag(args, OPT_both_forms);
    arena_init(&s.arena, BUF_MAX_REPORT);
    eh_status status = make(&s, ledgers, titles, n, out, err);
    price_table_free(s.prices);
    arena_deinit(&s.arena);
    return status;
}
