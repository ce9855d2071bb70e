/* SPDX-License-Identifier: MIT
 *
 * What stands on top of the page: one sentence, and at most three warnings.
 *
 * A warning is a fact with its number, what follows from it, and what to do; the first
 * three that apply are taken, in the order of how much they can spoil the headline. Of
 * several judges the worst is named and the others are counted.
 */
#include <math.h>

#include "page/page.h"
#include "stats/special.h"

#define LEVEL .95
#define POWER .8
#define CONFLICT_WARN .15
#define NONE_WARN .02
#define KAPPA_WARN .2
#define EFFECT_WANTED .05

/* "31", "0.4" or "12.3" percent: decimals only where the pairs earn them. */
static void add_percent(eh_buf *out, double share, int64_t n) {
    if (share > 0 && share < .01)
        buf_add_cstr(out, "below 1");
    else if (n >= 1000)
        buf_printf(out, "%.1f", 100 * share);
    else
        buf_printf(out, "%.0f", round(100 * share)); /* halves up, as in the browser */
}

static void add_name(const page_report *r, const page_judge *j, eh_buf *out) {
    if (r->n_judges > 1) buf_printf(out, "%.*s: ", EH_STR_ARG(j->summary.name));
}

static void add_others(size_t n_others, eh_buf *out) {
    if (n_others)
        buf_printf(out, " The same goes for %zu other judge%s.", n_others,
                   n_others == 1 ? "" : "s");
}

/* How badly one judge is off, 0 = not at all; and what is said of the worst. */
typedef struct warning {
    double (*measure)(const page_report *r, const page_judge *j);
    void (*say)(const page_report *r, const page_judge *j, eh_buf *out);
} warning;

/* ---- one order ---- */

static double measure_one_order(const page_report *r, const page_judge *j) {
    (void)r;
    return j->summary.position.one_order;
}

static void say_one_order(const page_report *r, const page_judge *j, eh_buf *out) {
    (void)r;
    buf_printf(
        out,
        "Only one order was asked, answer %s first: the judge's liking for a "
        "place is in every number. Ask both orders, such as with -m bpc, to take "
        "it out.",
        j->view->plan.orders & PLAN_ORDER_BIT(EH_ORDER_12) ? "1" : "2");
}

/* ---- pairs without ruling ---- */

static int64_t n_unruled(const report_judge *s) {
    return s->rulings.n_none - s->none[PLAN_NONE_SIDE_BY_SIDE];
}

static double measure_none(const page_report *r, const page_judge *j) {
    (void)r;
    double n = (double)j->summary.n_pairs;
    double share = n > 0 ? (double)n_unruled(&j->summary) / n : 0;
    return share > NONE_WARN ? share : 0;
}

static void add_none_kinds(const report_judge *s, eh_buf *out) {
    static const char *const words[] = {
        [PLAN_NONE_UNASKED] = "not asked",
        [PLAN_NONE_ORDER_FAILED] = "one order without a readable reply",
        [PLAN_NONE_ORDERS_FAILED] = "no readable reply",
        [PLAN_NONE_INCONSISTENT] = "orders disagree in every stage",
    };
    const char *comma = "";
    for (int k = PLAN_NONE_UNASKED; k <= PLAN_NONE_INCONSISTENT; k++) {
        if (!s->none[k]) continue;
        buf_printf(out, "%s%lld: %s", comma, (long long)s->none[k], words[k]);
        comma = "; ";
    }
}

static void say_none(const page_report *r, const page_judge *j, eh_buf *out) {
    const report_judge *s = &j->summary;
    (void)r;
    int64_t n_none = n_unruled(s);
    double wins = (double)s->rulings.n_1 +
                  (double)(s->rulings.tie_agreed + s->rulings.tie_from_conflict) / 2;
    buf_printf(out, "%lld of %lld pairs have no ruling (", (long long)n_none,
               (long long)s->n_pairs);
    add_none_kinds(s, out);
    buf_add_cstr(out,
                 "). If all of them went one way, the win rate would lie between ");
    add_percent(out, wins / (double)s->n_pairs, s->n_pairs);
    buf_add_cstr(out, " and ");
    add_percent(out, (wins + (double)n_none) / (double)s->n_pairs, s->n_pairs);
    buf_add_cstr(out, " %.");
}

/* ---- conflicts ---- */

static double measure_conflict(const page_report *r, const page_judge *j) {
    (void)r;
    double rate = j->summary.conflict.rate.value;
    return rate >= CONFLICT_WARN ? rate : 0;
}

static void say_conflict(const page_report *r, const page_judge *j, eh_buf *out) {
    const report_rate *rate = &j->summary.conflict.rate;
    (void)r;
    add_percent(out, rate->value, rate->n);
    buf_add_cstr(out, " % of pairs flip when the answers swap places");
    if (!isnan(rate->low)) {
        buf_add_cstr(out, " (95 % interval ");
        add_percent(out, rate->low, rate->n);
        buf_add_cstr(out, " to ");
        add_percent(out, rate->high, rate->n);
        buf_add_char(out, ')');
    }
    buf_add_cstr(out,
                 ". A win rate from one order would mislead; this report uses both "
                 "orders.");
}

/* ---- agreement with people ---- */

static double measure_kappa(const page_report *r, const page_judge *j) {
    const report_labels *l = &j->summary.labels;
    (void)r;
    if (l->all.n_labelled == 0) return 0;
    if (isnan(l->all.kappa)) return 1;
    return l->all.kappa < KAPPA_WARN ? 1 + KAPPA_WARN - l->all.kappa : 0;
}

static void say_kappa(const page_report *r, const page_judge *j, eh_buf *out) {
    const report_labels *l = &j->summary.labels;
    (void)r;
    buf_add_cstr(out, "The judge is right on ");
    add_percent(out, l->all.accuracy, l->all.n_labelled);
    buf_printf(out,
               " %% of %lld labelled pairs; always answering '%s' would be right on ",
               (long long)l->all.n_labelled, eh_verdict_name(l->baseline_label));
    add_percent(out, l->baseline, l->all.n_labelled);
    buf_add_cstr(out, " %. ");
    if (isnan(l->all.kappa))
        buf_add_cstr(out,
                     "Kappa is undefined, since judge and people use one class only: "
                     "these labels cannot tell whether the judge is any good.");
    else
        buf_printf(out,
                   "Kappa %.2f: little more than chance. Do not let this judge rule "
                   "alone.",
                   l->all.kappa);
}

/* ---- an interval that holds 50 % ---- */

static double measure_undecided(const page_report *r, const page_judge *j) {
    const report_rate *w = &j->summary.win_rate;
    (void)r;
    return w->low <= .5 && w->high >= .5 ? w->high - w->low : 0;
}

/* Pairs for which a difference of 5 points from 50 % would show with probability .8,
 * from the standard error that the interval has. */
static double pairs_to_show(const report_rate *w) {
    double g = (double)w->n_questions;
    double se = (w->high - w->low) / 2 / stats_t_two_sided(LEVEL, g - 1);
    int64_t questions =
        stats_questions_to_detect(se * se * g, EFFECT_WANTED, LEVEL, POWER);
    double pairs = (double)questions * (double)w->n / g;
    return pairs < 100 ? ceil(pairs / 5) * 5 : ceil(pairs / 50) * 50;
}

static void say_undecided(const page_report *r, const page_judge *j, eh_buf *out) {
    const report_rate *w = &j->summary.win_rate;
    (void)r;
    buf_add_cstr(out, "The interval of the win rate includes 50 %: these data do not "
                      "show which answers are better.");
    double wanted = pairs_to_show(w);
    if (wanted > (double)w->n)
        buf_printf(
            out,
            " To show a difference of 5 points, about %.0f pairs in all would be "
            "needed.",
            wanted);
}

/* ---- no labels ---- */

static double measure_unlabelled(const page_report *r, const page_judge *j) {
    (void)j;
    return r->n_labelled == 0;
}

static void say_unlabelled(const page_report *r, const page_judge *j, eh_buf *out) {
    (void)r;
    (void)j;
    buf_add_cstr(out, "No human labels: this report says how consistent the judge is, "
                      "not how right. Label some pairs and bring them in with evenhand "
                      "labels.");
}

/* ---- mixed models ---- */

static double measure_mixed(const page_report *r, const page_judge *j) {
    (void)r;
    return j->summary.mixed_models;
}

static void say_mixed(const page_report *r, const page_judge *j, eh_buf *out) {
    (void)r;
    buf_add_cstr(out, "The replies come from different models or versions (");
    report_models(&j->summary, out);
    buf_add_cstr(out,
                 "): the numbers mix them. Ask again with --refresh for one model.");
}

/* In the order of how much each can spoil the headline. */
static const warning warnings[] = {
    {measure_one_order, say_one_order},   {measure_none, say_none},
    {measure_conflict, say_conflict},     {measure_kappa, say_kappa},
    {measure_mixed, say_mixed},           {measure_undecided, say_undecided},
    {measure_unlabelled, say_unlabelled},
};

/* Says a warning, if any judge earns it. */
static void warn(const page_report *r, const warning *w, eh_buf *out) {
    const page_judge *worst = NULL;
    double most = 0;
    size_t n_hit = 0;
    for (size_t i = 0; i < r->n_judges; i++) {
        double measure = w->measure(r, &r->judges[i]);
        if (measure <= 0) continue;
        n_hit++;
        if (measure > most) {
            most = measure;
            worst = &r->judges[i];
        }
    }
    if (!worst) return;
    bool of_report = w->measure == measure_unlabelled;
    if (!of_report) add_name(r, worst, out);
    w->say(r, worst, out);
    if (!of_report) add_others(n_hit - 1, out);
}

/* ---- the sentence ---- */

/* "model-a", or "answer 1" where the judges' pairs have no common model. */
static eh_str subject(const page_report *r) {
    eh_str name = r->n_judges ? r->judges[0].summary.model_1 : (eh_str){NULL, 0};
    for (size_t i = 0; i < r->n_judges; i++) {
        const report_judge *s = &r->judges[i].summary;
        if (!s->model_1.len || !eh_str_eq(s->model_1, name) ||
            eh_str_eq(s->model_1, s->model_2))
            return EH_STR("answer 1");
    }
    return name.len ? name : EH_STR("answer 1");
}

static void say_of_many(const page_report *r, eh_buf *out) {
    size_t n_better = 0, n_worse = 0, n_open = 0, n_none = 0;
    for (size_t i = 0; i < r->n_judges; i++) {
        const report_rate *w = &r->judges[i].summary.win_rate;
        if (isnan(w->value))
            n_none++;
        else if (w->low > .5)
            n_better++;
        else if (w->high < .5)
            n_worse++;
        else
            n_open++;
    }
    eh_str name = subject(r);
    if (n_open == r->n_judges)
        buf_printf(out, "None of %zu judges on %zu pairs shows whether %.*s is better.",
                   r->n_judges, r->n_pairs, EH_STR_ARG(name));
    if (n_better == r->n_judges || n_worse == r->n_judges)
        buf_printf(out, "All %zu judges find %.*s %s on these %zu pairs.", r->n_judges,
                   EH_STR_ARG(name), n_better ? "better" : "worse", r->n_pairs);
    if (out->len) return;
    buf_printf(
        out,
        "Of %zu judges on %zu pairs, %zu find %.*s better, %zu find it worse, and "
        "%zu cannot tell",
        r->n_judges, r->n_pairs, n_better, EH_STR_ARG(name), n_worse, n_open);
    if (n_none) buf_printf(out, "; %zu have no ruling to go by", n_none);
    buf_add_char(out, '.');
}

/* The terminal's sentence, with the sign that a page can show. */
static void add_sentence(const report_judge *s, eh_buf *out) {
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    report_sentence(s, &text);
    eh_str all = buf_view(&text);
    size_t at = eh_str_find(all, EH_STR("+-"), 0);
    buf_add_str(out, at == SIZE_MAX ? all : eh_str_slice(all, 0, at));
    if (at != SIZE_MAX) {
        buf_add_cstr(out, "\u00b1");
        buf_add_str(out, eh_str_slice(all, at + 2, all.len));
    }
    buf_deinit(&text);
}

static void say_of_one(const report_judge *s, eh_buf *out) {
    const report_rate *w = &s->win_rate;
    add_sentence(s, out);
    if (w->low > .5)
        buf_add_cstr(out, " The interval lies above 50 %: it is ahead.");
    else if (w->high < .5)
        buf_add_cstr(out, " The interval lies below 50 %: it is behind.");
    else if (!isnan(w->low))
        buf_add_cstr(out, " The interval includes 50 %: no winner is shown.");
}

eh_status page_words(page_report *r, eh_arena *arena, eh_error *err) {
    eh_buf text;
    enum { MOST = sizeof r->warnings / sizeof r->warnings[0] };
    buf_init(&text, BUF_MAX_SMALL);
    if (r->n_judges == 1)
        say_of_one(&r->judges[0].summary, &text);
    else if (r->n_judges > 1)
        say_of_many(r, &text);
    else
        buf_add_cstr(&text, "Nothing has been judged yet.");
    r->sentence = arena_dup(arena, buf_view(&text));
    bool kept = r->sentence != NULL;
    for (size_t i = 0; i < sizeof warnings / sizeof warnings[0]; i++) {
        buf_reset(&text);
        warn(r, &warnings[i], &text);
        if (!text.len || r->n_warnings == MOST) continue;
        r->warnings[r->n_warnings] = arena_dup(arena, buf_view(&text));
        kept = kept && r->warnings[r->n_warnings++] != NULL;
    }
    eh_status status = buf_check(&text, "the words of a report", err);
    buf_deinit(&text);
    return status != EH_STATUS_OK ? status : kept ? EH_STATUS_OK : EH_NOMEM(err);
}
