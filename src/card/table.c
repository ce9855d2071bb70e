/* SPDX-License-Identifier: MIT
 *
 * Several judges, or one judge at several dates, side by side: a column each.
 *
 *                   [1]                 [2]                 change
 *   references      Fooled              Held up             -26 *
 *     more of 100   +28 (19 to 39)      +2 (-3 to 7)        (-38 to -14)
 *
 * States are words. Where two columns are of one judge, the change between them has an
 * interval of its own (MOVER: Zou and Donner 2008, of the two differences' intervals),
 * which takes them as independent; over the same pairs it is rather too wide.
 *
 * Left out: a rank or a grade. Judges fall for different things.
 */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "card/card.h"
#include "report/write.h"

enum { SIDES_MAX = 4, CELL_TEXT = 48 };

typedef struct side {
    const card_set *a;
    size_t from, n; /* the columns of this block */
    bool has_change;
} side;

typedef char cell_text[CELL_TEXT];

const card_probe *card_probe_of(const card_judge *j, eh_str name) {
    for (size_t i = 0; i < j->n_probes; i++)
        if (eh_str_eq(j->probes[i].name, name)) return &j->probes[i];
    return NULL;
}

/* What a probe is about: errors that are missed, or verdicts that change. */
static const stats_interval *number_of(const card_probe *p) {
    return p->form == AUDIT_OVERSIGHT ? &p->score.paired.asr
                                      : &p->score.paired.difference;
}

static void put_cells(const char *label, const cell_text *cells, size_t n,
                      eh_buf *out) {
    buf_add_cstr(out, label);
    for (size_t i = 0; i < n; i++)
        buf_printf(out, LAYOUT_LEFT "%s", cells[i]);
    buf_add_char(out, '\n');
}

static void write_number(const card_probe *p, cell_text text) {
    const stats_interval *r = p ? number_of(p) : NULL;
    bool readable = p && p->state != AUDIT_STATE_UNREADABLE && !isnan(r->value);
    char range[CARD_RANGE_CHARS];
    if (!readable)
        (void)snprintf(text, CELL_TEXT, "%s", p ? "" : "not asked");
    else
        (void)snprintf(text, CELL_TEXT,
                       p->form == AUDIT_OVERSIGHT ? "%.0f (%s)" : "%+.0f (%s)",
                       card_of_100(r->value), card_range(r->low, r->high, range));
}

stats_interval card_change(const card_probe *a, const card_probe *b) {
    stats_interval none = {.value = NAN, .low = NAN, .high = NAN};
    if (!a || !b || a->state == AUDIT_STATE_UNREADABLE ||
        b->state == AUDIT_STATE_UNREADABLE)
        return none;
    const stats_interval *x = number_of(a), *y = number_of(b);
    double d = y->value - x->value;
    return (stats_interval){.value = d,
                            .low = d - hypot(y->value - y->low, x->high - x->value),
                            .high = d + hypot(y->high - y->value, x->value - x->low)};
}

static void add_change(const side *s, eh_str name, cell_text *cells,
                       cell_text *numbers) {
    const card_judge *j = s->a->judges;
    stats_interval c =
        card_change(card_probe_of(&j[0], name), card_probe_of(&j[1], name));
    if (isnan(c.low) || isnan(c.high)) return;
    bool shown = c.low > 0 || c.high < 0;
    (void)snprintf(cells[2], CELL_TEXT, "%+.0f%s", card_of_100(c.value),
                   shown ? " *" : "");
    (void)snprintf(numbers[2], CELL_TEXT, "(%.0f to %.0f)", card_of_100(c.low),
                   card_of_100(c.high));
}

static void add_probe_rows(const side *s, const card_probe *of, eh_buf *out) {
    cell_text cells[SIDES_MAX + 1] = {""}, numbers[SIDES_MAX + 1] = {""};
    char label[AUDIT_NAME_MAX + 1];
    (void)snprintf(label, sizeof label, "%.*s", EH_STR_ARG(of->name));
    for (size_t i = 0; i < s->n; i++) {
        const card_probe *p = card_probe_of(&s->a->judges[s->from + i], of->name);
        (void)snprintf(cells[i], CELL_TEXT, "%s", p ? audit_state_text(p->state) : "-");
        write_number(p, numbers[i]);
    }
    if (s->has_change) add_change(s, of->name, cells, numbers);
    put_cells(label, cells, s->n + s->has_change, out);
    put_cells(of->form == AUDIT_OVERSIGHT ? "  missed of 100" : "  more of 100",
              numbers, s->n + s->has_change, out);
}

static void add_facts(const side *s, eh_buf *out) {
    cell_text first[SIDES_MAX + 1] = {""}, tie[SIDES_MAX + 1] = {""};
    for (size_t i = 0; i < s->n; i++) {
        const audit_judge *j = &s->a->judges[s->from + i].judge;
        double share = audit_tie_share(j);
        (void)snprintf(first[i], CELL_TEXT, isnan(j->first_rate.value) ? "-" : "%.0f",
                       100 * j->first_rate.value);
        (void)snprintf(tie[i], CELL_TEXT, isnan(share) ? "-" : "%.0f", 100 * share);
    }
    put_cells("first of 100", (const cell_text *)first, s->n, out);
    put_cells("ties of 100", (const cell_text *)tie, s->n, out);
}

/* Has an earlier card a probe of that name? */
static bool is_earlier(const card_set *a, size_t judge, eh_str name) {
    for (size_t i = 0; i < judge; i++)
        if (card_probe_of(&a->judges[i], name)) return true;
    return false;
}

static void add_block(const side *s, eh_buf *out) {
    cell_text heads[SIDES_MAX + 1] = {""};
    for (size_t i = 0; i < s->n; i++)
        (void)snprintf(heads[i], CELL_TEXT, "[%zu]", s->from + i + 1);
    if (s->has_change) (void)snprintf(heads[2], CELL_TEXT, "change");
    buf_add_cstr(out, "\n" LAYOUT_HEAD);
    put_cells("", (const cell_text *)heads, s->n + s->has_change, out);
    for (size_t k = 0; k < s->a->n_judges; k++)
        for (size_t i = 0; i < s->a->judges[k].n_probes; i++) {
            const card_probe *p = &s->a->judges[k].probes[i];
            if (!is_earlier(s->a, k, p->name)) add_probe_rows(s, p, out);
        }
    add_facts(s, out);
}

void card_day(int64_t ms, char text[CARD_DAY_CHARS]) {
    time_t seconds = (time_t)(ms / 1000);
    struct tm tm;
    text[0] = '\0';
    if (ms >= 0 && gmtime_r(&seconds, &tm))
        (void)strftime(text, CARD_DAY_CHARS, "%Y-%m-%d", &tm);
}

static void add_names(const card_set *a, eh_buf *out) {
    for (size_t i = 0; i < a->n_judges; i++) {
        const card_judge *j = &a->judges[i];
        char day[CARD_DAY_CHARS];
        card_day(j->last_ms, day);
        buf_printf(out, "[%zu] " LAYOUT_HANG "%.*s\n    ", i + 1, EH_STR_ARG(j->name));
        if (!eh_str_is_absent(j->source))
            buf_printf(out, "%.*s, ", EH_STR_ARG(j->source));
        if (j->people)
            buf_printf(out, "%lld people, %lld votes on %lld pairs\n",
                       (long long)j->people->n_people, (long long)j->people->n_labels,
                       (long long)j->people->n_labelled);
        else
            buf_printf(out, "%s%s%lld pairs, %d votes on each\n", day,
                       day[0] ? ", " : "", (long long)j->n_pairs, 2 * j->k);
    }
}

static void add_sentences(const card_set *a, eh_buf *out) {
    for (size_t i = 0; i < a->n_judges; i++) {
        buf_printf(out, "\n[%zu] " LAYOUT_HANG, i + 1);
        card_sentence(&a->judges[i], out);
        buf_add_char(out, '\n');
    }
}

bool card_is_one_judge_twice(const card_set *a) {
    return a->n_judges == 2 && eh_str_eq(a->judges[0].name, a->judges[1].name);
}

void card_side_by_side(const card_set *a, eh_buf *out) {
    bool twice = card_is_one_judge_twice(a);
    add_names(a, out);
    for (size_t from = 0; from < a->n_judges; from += SIDES_MAX) {
        size_t n = a->n_judges - from;
        side s = {.a = a, .from = from, .has_change = twice};
        s.n = n < SIDES_MAX ? n : SIDES_MAX;
        add_block(&s, out);
    }
    add_sentences(a, out);
    buf_add_cstr(out, "\nWith their 95 % intervals: verdicts of 100 that change beyond "
                      "the placebo; of errors the share that is missed.");
    if (twice)
        buf_add_cstr(out, " A change with * is shown beyond chance; its interval "
                          "takes the two audits as independent.");
    buf_add_char(out, '\n');
}
