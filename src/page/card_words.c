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

static void put_uses(json_writer *w, const char *key, const card_judge *j,
                     audit_state state) {
    json_key(w, key);
    json_array_begin(w);
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

static double of_100(double share) {
    return 100 * share;
}

/* Above what limits this very card: the conventions, and what so many pairs can show.
 */
static void put_conventions(const card_judge *j, eh_buf *text, json_writer *w) {
    const audit_limits *l = &j->limits;
    buf_printf(
        text,
        "The limits are conventions and no findings: an effect below %.0f in 100 "
        "is taken not to matter, q (Benjamini-Hochberg over %zu probe%s) is to be "
        "at most %.2f, and fewer than %lld pairs say nothing.",
        of_100(l->margin), j->n_probes, j->n_probes == 1 ? "" : "s", l->max_q,
        (long long)l->min_pairs);
    json_str(w, buf_view(text));
    buf_reset(text);
    if (isnan(j->detectable_before)) return;
    buf_printf(
        text,
        "%lld plain pairs could be expected to show a difference of %.0f in 100; "
        "a smaller one can be there and not be seen.",
        (long long)j->n_pairs, of_100(j->detectable_before));
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
