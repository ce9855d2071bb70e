/* SPDX-License-Identifier: MIT
 *
 * What follows from a card, in words made from its states and numbers: what to use the
 * judge for, and the limits that apply. The sentence and what each probe found are
 * those of the terminal (card/words.c).
 *
 *   held up          use it for
 *   affected         use it with both orders, and with people
 *   fooled           do not use it for
 *   not enough data  not known
 *   no such probe    not tested
 *
 * An attack stands by its worst state over the weaker sets, so that it is held up only
 * where it is so against all of them.
 *
 * A judge that cannot be read is for nothing.
 */
#include <math.h>

#include "page/card.h"

/* ---- uses ---- */

static void put_use(json_writer *w, const card_probe *p) {
    eh_buf own;
    if (p->known) {
        json_cstr(w, p->known->use);
        return;
    }
    buf_init(&own, BUF_MAX_SMALL);
    buf_printf(&own, "answers that differ as in your probe %.*s", EH_STR_ARG(p->name));
    json_str(w, buf_view(&own));
    buf_deinit(&own);
}

void page_card_attack_name(eh_str attack, eh_buf *out) {
    static const char *const names[] = {"references", "rich_content"};
    size_t n = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const audit_probe *probe = audit_probe_find(eh_str_of(names[i]));
        if (!eh_str_eq_cstr(attack, "both") && !eh_str_eq_cstr(attack, names[i]))
            continue;
        buf_printf(out, "%s%s", n++ ? " and " : "",
                   probe ? probe->short_what : names[i]);
    }
    if (n == 0) buf_add_str(out, attack);
}

/* False where it was made of no pair. */
static bool attack_state(const card_attack *a, size_t i, audit_state *worst) {
    static const audit_state order[] = {AUDIT_STATE_FOOLED, AUDIT_STATE_AFFECTED,
                                        AUDIT_STATE_UNREADABLE, AUDIT_STATE_TOO_FEW,
                                        AUDIT_STATE_HELD_UP};
    for (size_t s = 0; s < sizeof order / sizeof order[0]; s++)
        for (size_t k = 0; k < a->n_weak; k++) {
            if (!a->weak[k].scores[i].n_pairs || a->weak[k].states[i] != order[s])
                continue;
            *worst = order[s];
            return true;
        }
    return false;
}

static void put_attack_use(json_writer *w, eh_str attack) {
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    buf_add_cstr(&text, "weaker answers dressed up with ");
    page_card_attack_name(attack, &text);
    json_str(w, buf_view(&text));
    buf_deinit(&text);
}

static void put_uses(json_writer *w, const char *key, const card_judge *j,
                     audit_state state) {
    audit_state worst;
    json_key(w, key);
    json_array_begin(w);
    for (size_t i = 0; !j->fault && j->attack && i < j->attack->n_attacks; i++)
        if (attack_state(j->attack, i, &worst) && worst == state)
            put_attack_use(w, j->attack->names[i]);
    for (size_t i = 0; !j->fault && i < j->n_probes; i++)
        if (j->probes[i].state == state) put_use(w, &j->probes[i]);
    json_array_end(w);
}

static bool is_tested(const card_judge *j, const audit_probe *known) {
    for (size_t i = 0; i < j->n_probes; i++)
        if (j->probes[i].known == known) return true;
    return false;
}

void page_card_uses_json(const card_judge *j, json_writer *w) {
    json_key(w, "uses");
    json_object_begin(w);
    put_uses(w, "use", j, AUDIT_STATE_HELD_UP);
    put_uses(w, "both", j, AUDIT_STATE_AFFECTED);
    put_uses(w, "not", j, AUDIT_STATE_FOOLED);
    put_uses(w, "unknown", j, AUDIT_STATE_TOO_FEW);
    put_uses(w, "unreadable", j, AUDIT_STATE_UNREADABLE);
    json_key(w, "untested");
    json_array_begin(w);
    for (size_t i = 0; audit_probe_at(i); i++)
        if (!is_tested(j, audit_probe_at(i)))
            json_cstr(w, audit_probe_at(i)->short_what);
    json_array_end(w);
    json_object_end(w);
}

/* ---- limits ---- */

/* Above what limits this very card: the conventions, and what so many pairs can show.
 */
static void put_conventions(const card_judge *j, eh_buf *text, json_writer *w) {
    const audit_limits *l = &j->limits;
    bool attacks_only = j->n_probes == 0 && j->attack;
    size_t n = attacks_only ? j->attack->n_weak * j->attack->n_attacks : j->n_probes;
    buf_printf(
        text,
        "The limits are conventions and no findings: an effect below %.0f in 100 "
        "is taken not to matter, q (Benjamini-Hochberg over %zu %s%s) is to be "
        "at most %.2f, and fewer than %lld pairs say nothing.",
        card_of_100(l->margin), n, attacks_only ? "attack" : "probe", n == 1 ? "" : "s",
        l->max_q, (long long)l->min_pairs);
    json_str(w, buf_view(text));
    buf_reset(text);
    if (attacks_only || !(j->detectable_before <= 1)) return;
    buf_printf(
        text,
        "%lld plain pairs could be expected to show a difference of %.0f in 100; "
        "a smaller one can be there and not be seen.",
        (long long)j->n_pairs, card_of_100(j->detectable_before));
    json_str(w, buf_view(text));
    buf_reset(text);
}

void page_card_limits_json(const card_judge *j, json_writer *w) {
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    json_key(w, "limits");
    json_array_begin(w);
    put_conventions(j, &text, w);
    for (size_t i = 0; card_limit(j, i, &text); i++) {
        json_str(w, buf_view(&text));
        buf_reset(&text);
    }
    json_array_end(w);
    buf_deinit(&text);
}
