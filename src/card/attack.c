/* SPDX-License-Identifier: MIT
 *
 * What attacks did to a judge, on the card: for each weaker set how the anchor stood
 * against it as it was, and for each attack how many verdicts it turned. Sets stand by
 * the anchor's lead, the smallest first, so that one sees at a glance whether it is the
 * close ones that turn.
 */
#include <math.h>
#include <stdio.h>

#include "card/card.h"
#include "report/write.h"

enum { SET_COLUMNS = 76 };

#define TREND_P .05

/* ---- the sentence ---- */

typedef struct worst_cell {
    const card_attack_weak *weak;
    eh_str attack;
    const audit_score *score;
} worst_cell;

static worst_cell find_worst(const card_attack *a, size_t *n_held, size_t *n_cells) {
    worst_cell worst = {NULL, {NULL, 0}, NULL};
    *n_held = *n_cells = 0;
    for (size_t w = 0; w < a->n_weak; w++)
        for (size_t i = 0; i < a->n_attacks; i++) {
            const card_attack_weak *set = &a->weak[w];
            const audit_score *s = &set->scores[i];
            audit_state state = set->states[i];
            *n_cells += s->n_pairs > 0;
            *n_held += s->n_pairs > 0 && state == AUDIT_STATE_HELD_UP;
            if (state != AUDIT_STATE_FOOLED && state != AUDIT_STATE_AFFECTED) continue;
            if (!worst.score ||
                s->paired.difference.value > worst.score->paired.difference.value)
                worst = (worst_cell){set, a->names[i], s};
        }
    return worst;
}

void card_attack_sentence(const card_judge *j, eh_buf *out) {
    const card_attack *a = j->attack;
    size_t n_held, n_cells;
    worst_cell worst = find_worst(a, &n_held, &n_cells);
    if (worst.score) {
        const audit_paired *p = &worst.score->paired;
        buf_add_cstr(out, " Weaker answers win by being dressed up: with ");
        buf_printf(out, "%.*s, ",
                   EH_STR_ARG(eh_str_eq_cstr(worst.attack, "both")
                                  ? EH_STR("references and rich content")
                                  : worst.attack));
        buf_printf(out, "%.0f of 100 verdicts turn to ", card_of_100(p->asr.value));
        if (worst.weak->by_probe) buf_add_cstr(out, "answers made worse by ");
        report_foreign(out, worst.weak->name, SET_COLUMNS);
        buf_printf(out, " (95 %%: %.0f to %.0f; placebo %.0f).",
                   card_of_100(p->asr.low), card_of_100(p->asr.high),
                   card_of_100(p->placebo.value));
    } else if (n_held == n_cells) {
        buf_printf(out,
                   " No attack turns %.0f in 100 verdicts or more to a weaker answer.",
                   card_of_100(j->limits.margin));
    } else {
        buf_add_cstr(out, " What attacks do is not decided: too few pairs.");
    }
}

/* ---- the table ---- */

static void add_cell(eh_buf *out, eh_str attack, const audit_score *s,
                     audit_state state) {
    const audit_paired *p = &s->paired;
    char range[CARD_RANGE_CHARS];
    buf_add_cstr(out, "    ");
    report_name(out, attack);
    if (p->n) {
        buf_printf(out, LAYOUT_CELL "%.0f" LAYOUT_CELL "%.0f",
                   card_of_100(p->asr.value), card_of_100(p->placebo.value));
        buf_printf(out, LAYOUT_CELL "%+.0f (%s)", card_of_100(p->difference.value),
                   card_range(p->difference.low, p->difference.high, range));
    } else {
        buf_add_cstr(out, LAYOUT_CELL "-" LAYOUT_CELL "-" LAYOUT_CELL "-");
    }
    report_cell_count(out, p->n);
    buf_printf(out, LAYOUT_LEFT "%s\n", audit_state_text(state));
}

static void add_votes(eh_buf *out, const card_attack_weak *w) {
    double n = (double)(w->n_anchor + w->n_tie + w->n_weak);
    buf_add_cstr(out, "  ");
    report_foreign(out, w->name, SET_COLUMNS);
    if (w->by_probe) buf_add_cstr(out, " (answers that this probe made worse)");
    buf_printf(out, ", %lld pair%s: ", (long long)w->n_pairs,
               w->n_pairs == 1 ? "" : "s");
    if (n > 0)
        buf_printf(out,
                   "as it was, %.0f of 100 votes go to the anchor, %.0f to it, %.0f "
                   "are ties",
                   card_of_100((double)w->n_anchor / n),
                   card_of_100((double)w->n_weak / n),
                   card_of_100((double)w->n_tie / n));
    else
        buf_add_cstr(out, "no valid vote on it as it was");
    if (!isnan(w->anchor.low))
        buf_printf(out, "; mean vote for the anchor %.2f (95 %%: %.2f to %.2f)",
                   w->anchor.value, w->anchor.low, w->anchor.high);
    buf_add_char(out, '\n');
}

static double coin_flip(const card_attack *a) {
    for (size_t w = 0; w < a->n_weak; w++)
        for (size_t i = 0; i < a->n_attacks; i++)
            if (a->weak[w].scores[i].n_pairs) return a->weak[w].scores[i].coin_flip;
    return NAN;
}

bool card_attack_trend(const card_attack *a, size_t i, eh_buf *out) {
    const stats_trend *t = &a->trends[i];
    if (a->n_weak < 2 || isnan(t->p)) return false;
    buf_printf(out, "%.*s %s (", EH_STR_ARG(a->names[i]),
               !(t->p <= TREND_P) ? "shows no trend"
               : t->statistic < 0 ? "turns fewer"
                                  : "turns more");
    report_p_value(out, t->p);
    buf_add_char(out, ')');
    return true;
}

/* Does the attack depend on the gap, and what would chance do? */
static void add_trends(const card_attack *a, eh_buf *out) {
    size_t n = 0;
    eh_buf text, trend;
    buf_init(&text, BUF_MAX_SMALL);
    buf_init(&trend, BUF_MAX_SMALL);
    for (size_t i = 0; i < a->n_attacks; i++) {
        buf_reset(&trend);
        if (!card_attack_trend(a, i, &trend)) continue;
        buf_printf(&text, "%s%.*s", n++ ? "; " : "With a larger lead of the anchor ",
                   EH_STR_ARG(buf_view(&trend)));
    }
    buf_deinit(&trend);
    if (n) buf_add_cstr(&text, ". ");
    if (!isnan(coin_flip(a)))
        buf_printf(&text, "A judge that tosses coins turns %.0f of 100.",
                   card_of_100(coin_flip(a)));
    if (text.len) buf_printf(out, "  %.*s\n", EH_STR_ARG(buf_view(&text)));
    buf_deinit(&text);
}

void card_attack_intro(const card_attack *a, eh_buf *out) {
    buf_add_cstr(out, "a weaker answer is dressed up by rule and held against ");
    if (a->anchor.len) {
        buf_add_cstr(out, "that of ");
        report_foreign(out, a->anchor, SET_COLUMNS);
    } else {
        buf_add_cstr(out, "the anchor's");
    }
    buf_add_cstr(out, ". Of the pairs that went to the anchor or were ties, so many "
                      "of 100 turn to the weaker answer.");
}

void card_attack_text(const card_judge *j, eh_buf *out) {
    static const char *const heads[] = {"turned", "placebo", "more (95 %)", "pairs"};
    const card_attack *a = j->attack;
    if (!a) return;
    buf_add_cstr(out, "\nAttacks: ");
    card_attack_intro(a, out);
    buf_add_char(out, '\n');
    report_head(out, "", heads, 4);
    for (size_t w = 0; w < a->n_weak; w++) {
        add_votes(out, &a->weak[w]);
        for (size_t i = 0; i < a->n_attacks; i++)
            if (a->weak[w].scores[i].n_pairs)
                add_cell(out, a->names[i], &a->weak[w].scores[i], a->weak[w].states[i]);
    }
    add_trends(a, out);
}

/* ---- JSON ---- */

static void put_cell(json_writer *w, eh_str attack, const audit_score *s,
                     audit_state state) {
    json_key_str(w, attack);
    json_object_begin(w);
    json_put_cstr(w, "state", audit_state_name(state));
    card_put_score(w, s);
    json_put_f64(w, "q", s->q);
    json_put_f64(w, "holm", s->holm);
    json_put_f64(w, "coin_flip", s->coin_flip);
    json_put_f64(w, "detectable", s->detectable);
    card_put_to_tell(w, s);
    json_object_end(w);
}

static void put_set(json_writer *w, const card_attack *a, const card_attack_weak *set) {
    json_object_begin(w);
    json_put_str(w, "weaker", set->name);
    json_put_bool(w, "by_probe", set->by_probe);
    json_put_i64(w, "pairs", set->n_pairs);
    json_key(w, "votes");
    json_object_begin(w);
    json_put_i64(w, "anchor", set->n_anchor);
    json_put_i64(w, "tie", set->n_tie);
    json_put_i64(w, "weaker", set->n_weak);
    json_put_i64(w, "failed", set->n_failed);
    json_object_end(w);
    card_put_interval(w, "anchor_rate", &set->anchor);
    json_key(w, "attacks");
    json_object_begin(w);
    for (size_t i = 0; i < a->n_attacks; i++)
        if (set->scores[i].n_pairs)
            put_cell(w, a->names[i], &set->scores[i], set->states[i]);
    json_object_end(w);
    json_object_end(w);
}

void card_attack_json(const card_judge *j, json_writer *w) {
    const card_attack *a = j->attack;
    json_key(w, "attack");
    if (!a) {
        json_null(w);
        return;
    }
    json_object_begin(w);
    json_put_str(w, "anchor", a->anchor);
    json_key(w, "sets");
    json_array_begin(w);
    for (size_t i = 0; i < a->n_weak; i++)
        put_set(w, a, &a->weak[i]);
    json_array_end(w);
    json_key(w, "trend_over_anchor_rate");
    json_object_begin(w);
    for (size_t i = 0; i < a->n_attacks; i++) {
        json_key_str(w, a->names[i]);
        json_object_begin(w);
        json_put_f64(w, "z", a->trends[i].statistic);
        json_put_f64(w, "p", a->trends[i].p);
        json_object_end(w);
    }
    json_object_end(w);
    json_object_end(w);
}
