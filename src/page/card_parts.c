/* SPDX-License-Identifier: MIT
 *
 * Parts of a card that are there only where their data are: attacks, who wrote the
 * answers, people as a judge.
 *
 *   {"id": "attacks", "title": ..., "text": [sentences], "groups": [lines], "tables":
 * []}
 *
 * The page shows them without knowing what they say (card_cells.h has the lines and the
 * tables). The sentences are those of the terminal.
 */
#include <math.h>

#include "page/card_cells.h"

/* ---- a part ---- */

static void begin_part(json_writer *w, const char *id, const char *title) {
    json_object_begin(w);
    json_put_cstr(w, "id", id);
    json_put_cstr(w, "title", title);
    json_key(w, "text");
    json_array_begin(w);
}

static void end_part(json_writer *w) {
    json_array_end(w);
    json_object_end(w);
}

static void go_on(json_writer *w, const char *key) {
    json_array_end(w);
    json_key(w, key);
    json_array_begin(w);
}

/* Sentences of the terminal go on behind a label; here they begin. */
static void capitalise(eh_buf *text) {
    if (text->len && text->ptr[0] >= 'a' && text->ptr[0] <= 'z') text->ptr[0] -= 32;
}

/* A paragraph; nothing for an empty one. Empties the text. */
static void put_text(json_writer *w, eh_buf *text) {
    if (text->len) json_str(w, buf_view(text));
    buf_reset(text);
}

/* Where the judge cannot be read, its numbers are not to be taken for any. */
static void put_fault(const card_judge *j, eh_buf *text, json_writer *w) {
    if (!j->fault) return;
    buf_add_cstr(text, j->people ? "These votes cannot be read: "
                                 : "This judge cannot be read: ");
    card_fault(j, j->fault, text);
    buf_add_cstr(text, ". The numbers here mean nothing.");
    put_text(w, text);
}

/* A share against its placebo. Not shown of what cannot be read. */
static void put_share(json_writer *w, eh_str name, const audit_state *state,
                      const audit_score *s) {
    const audit_paired *p = &s->paired;
    bool readable = !state || *state != AUDIT_STATE_UNREADABLE;
    page_line l = {.name = name,
                   .state = state,
                   .rate = {.value = NAN, .low = NAN, .high = NAN},
                   .tick = NAN,
                   .coin = NAN};
    eh_buf words, more;
    char range[CARD_RANGE_CHARS];
    buf_init(&words, BUF_MAX_SMALL);
    buf_init(&more, BUF_MAX_SMALL);
    if (p->n && readable) {
        l.rate = p->asr;
        l.tick = p->placebo.value;
        l.coin = s->coin_flip;
        card_share(&words, p->n_hits, p->n, &p->asr);
        buf_printf(&more, "placebo %.0f; difference %+.0f (%s); %lld of %lld pairs",
                   card_of_100(p->placebo.value), card_of_100(p->difference.value),
                   card_range(p->difference.low, p->difference.high, range),
                   (long long)p->n, (long long)s->n_pairs);
    } else {
        buf_add_cstr(&words, p->n ? "not shown" : "no pair counts");
        buf_printf(&more, "%lld of %lld pairs", (long long)p->n, (long long)s->n_pairs);
    }
    l.words = buf_view(&words);
    l.more = buf_view(&more);
    page_line_put(w, &l);
    buf_deinit(&words);
    buf_deinit(&more);
}

/* A mean vote, of which 50 is no lean. */
static void put_mean(json_writer *w, eh_str name, const stats_interval *r,
                     eh_str more) {
    page_line l = {.name = name, .rate = *r, .tick = NAN, .coin = NAN, .more = more};
    eh_buf words;
    buf_init(&words, BUF_MAX_SMALL);
    if (isnan(r->value))
        buf_add_cstr(&words, "no valid vote");
    else if (isnan(r->low))
        buf_printf(&words, "%.0f of 100; too few questions for an interval",
                   card_of_100(r->value));
    else
        buf_printf(&words, "%.0f of 100 (95 %%: %.0f to %.0f)", card_of_100(r->value),
                   card_of_100(r->low), card_of_100(r->high));
    l.words = buf_view(&words);
    page_line_put(w, &l);
    buf_deinit(&words);
}

/* ---- attacks ---- */

static void put_set_name(const card_attack_weak *set, eh_buf *out) {
    if (set->by_probe) buf_add_cstr(out, "made worse by ");
    buf_add_str(out, set->name);
}

static void put_leads(const card_attack *a, json_writer *w) {
    eh_buf name, more;
    buf_init(&name, BUF_MAX_SMALL);
    buf_init(&more, BUF_MAX_SMALL);
    page_lines_begin(w, EH_STR("Before anything is dressed up: how the anchor stands"),
                     "mean vote for the anchor, of 100", .5);
    for (size_t i = 0; i < a->n_weak; i++) {
        const card_attack_weak *set = &a->weak[i];
        put_set_name(set, &name);
        buf_printf(&more, "%lld pair%s", (long long)set->n_pairs,
                   set->n_pairs == 1 ? "" : "s");
        put_mean(w, buf_view(&name), &set->anchor, buf_view(&more));
        buf_reset(&name);
        buf_reset(&more);
    }
    page_lines_end(w, EH_STR("The closest of the weaker ones first, here and below."));
    buf_deinit(&name);
    buf_deinit(&more);
}

static void put_attack(const card_attack *a, size_t i, json_writer *w) {
    eh_buf title, name, note;
    buf_init(&title, BUF_MAX_SMALL);
    buf_init(&name, BUF_MAX_SMALL);
    buf_init(&note, BUF_MAX_SMALL);
    buf_add_cstr(&title, "Dressed up with ");
    page_card_attack_name(a->names[i], &title);
    page_lines_begin(w, buf_view(&title), "turned, of 100 (95 % interval)", NAN);
    for (size_t k = 0; k < a->n_weak; k++) {
        const card_attack_weak *set = &a->weak[k];
        if (!set->scores[i].n_pairs) continue;
        put_set_name(set, &name);
        put_share(w, buf_view(&name), &set->states[i], &set->scores[i]);
        buf_reset(&name);
    }
    buf_add_cstr(&note, "With a larger lead of the anchor: ");
    if (card_attack_trend(a, i, &note))
        buf_add_char(&note, '.');
    else
        buf_reset(&note);
    page_lines_end(w, buf_view(&note));
    buf_deinit(&title);
    buf_deinit(&name);
    buf_deinit(&note);
}

static void put_votes(const card_attack *a, json_writer *w) {
    static const char *const head[] = {"Weaker",
                                       "Pairs",
                                       "For the anchor",
                                       "Ties",
                                       "For the weaker",
                                       "Without a verdict",
                                       "Mean vote for the anchor",
                                       NULL};
    page_table_begin(w, "Votes for the anchor and for each of the weaker",
                     "Votes on the pairs as they were, those of the placebo included.",
                     head);
    for (size_t i = 0; i < a->n_weak; i++) {
        const card_attack_weak *set = &a->weak[i];
        json_array_begin(w);
        json_str(w, set->name);
        page_cell(w, "%lld", (long long)set->n_pairs);
        page_cell(w, "%lld", (long long)set->n_anchor);
        page_cell(w, "%lld", (long long)set->n_tie);
        page_cell(w, "%lld", (long long)set->n_weak);
        page_cell(w, "%lld", (long long)set->n_failed);
        page_cell_share(w, &set->anchor);
        json_array_end(w);
    }
    page_table_end(w);
}

static void put_turned(const card_attack *a, json_writer *w) {
    static const char *const head[] = {"Attack",
                                       "Weaker",
                                       "Pairs that count",
                                       "Turned, of 100",
                                       "Asked again",
                                       "Difference",
                                       "p",
                                       "q",
                                       "Holm",
                                       NULL};
    page_table_begin(w, "Attacks in numbers",
                     "Dressed up against the same pairs asked again (placebo); q is "
                     "Benjamini-Hochberg's over all attacks.",
                     head);
    for (size_t i = 0; i < a->n_attacks; i++)
        for (size_t k = 0; k < a->n_weak; k++) {
            const audit_score *s = &a->weak[k].scores[i];
            if (!s->n_pairs) continue;
            json_array_begin(w);
            json_str(w, a->names[i]);
            json_str(w, a->weak[k].name);
            page_cell(w, "%lld of %lld", (long long)s->paired.n, (long long)s->n_pairs);
            page_cell_share(w, &s->paired.asr);
            page_cell_share(w, &s->paired.placebo);
            page_cell_share(w, &s->paired.difference);
            page_cell_p(w, s->paired.p);
            page_cell_p(w, s->q);
            page_cell_p(w, s->holm);
            json_array_end(w);
        }
    page_table_end(w);
}

static void put_attacks(const card_judge *j, json_writer *w) {
    const card_attack *a = j->attack;
    eh_buf text;
    if (!a) return;
    buf_init(&text, BUF_MAX_SMALL);
    begin_part(w, "attacks", "Does a weaker answer win by being dressed up?");
    put_fault(j, &text, w);
    card_attack_intro(a, &text);
    capitalise(&text);
    put_text(w, &text);
    go_on(w, "groups");
    put_leads(a, w);
    for (size_t i = 0; i < a->n_attacks; i++)
        put_attack(a, i, w);
    go_on(w, "tables");
    put_votes(a, w);
    put_turned(a, w);
    end_part(w);
    buf_deinit(&text);
}

/* ---- who wrote the answers ---- */

static void put_own(const card_family *f, json_writer *w) {
    eh_buf more;
    if (f->n_mixed == 0) return;
    buf_init(&more, BUF_MAX_SMALL);
    page_lines_begin(w, EH_STR("An answer of its own against another's"),
                     "mean vote for its own, of 100", .5);
    buf_printf(&more, "%lld plain pairs", (long long)f->n_mixed);
    put_mean(w, EH_STR("the judge"), &f->own, buf_view(&more));
    buf_reset(&more);
    if (f->n_labelled) {
        buf_printf(&more, "the %lld of them that people labelled",
                   (long long)f->n_labelled);
        put_mean(w, EH_STR("the judge, on labelled pairs"), &f->own_labelled,
                 buf_view(&more));
        put_mean(w, EH_STR("people, on the same"), &f->people, buf_view(&more));
    }
    page_lines_end(w, EH_STR("50 is no lean to either."));
    buf_deinit(&more);
}

/* One family has no state of its own; but few pairs, or what cannot be read, are marked
 * as such. */
static const audit_state *family_state(const card_judge *j, const card_probe *known,
                                       const audit_score *s, audit_state *state) {
    *state = known ? known->state : AUDIT_STATE_TOO_FEW;
    if (*state == AUDIT_STATE_UNREADABLE) return state;
    *state = AUDIT_STATE_TOO_FEW;
    return s->paired.n_questions < j->limits.min_pairs ? state : NULL;
}

static void put_family_probe(const card_judge *j, const card_family_probe *p,
                             json_writer *w) {
    const card_probe *known = card_probe_of(j, p->name);
    audit_state state;
    eh_buf title, name;
    if (!card_family_probe_differs(p)) return;
    buf_init(&title, BUF_MAX_SMALL);
    buf_init(&name, BUF_MAX_SMALL);
    buf_printf(&title, "Probe %.*s, by who wrote the changed answer",
               EH_STR_ARG(known ? card_probe_short(known) : p->name));
    page_lines_begin(w, buf_view(&title),
                     p->form == AUDIT_OVERSIGHT ? "missed, of 100 (95 % interval)"
                                                : "changed, of 100 (95 % interval)",
                     NAN);
    for (size_t i = 0; i < p->n_rows; i++) {
        buf_add_str(&name, p->rows[i].family);
        if (p->rows[i].is_own) buf_add_cstr(&name, " (own)");
        put_share(w, buf_view(&name), family_state(j, known, &p->rows[i].score, &state),
                  &p->rows[i].score);
        buf_reset(&name);
    }
    if (card_family_difference(p, &name)) buf_add_char(&name, '.');
    capitalise(&name);
    page_lines_end(w, buf_view(&name));
    buf_deinit(&title);
    buf_deinit(&name);
}

static void put_authors(const card_judge *j, json_writer *w) {
    const card_family *f = j->family;
    eh_buf text;
    if (!f || !card_family_says_something(f)) return;
    buf_init(&text, BUF_MAX_SMALL);
    begin_part(w, "authors", "Does it matter who wrote the answers?");
    put_fault(j, &text, w);
    card_family_who(f, &text);
    put_text(w, &text);
    card_family_self(f, &text);
    put_text(w, &text);
    json_cstr(w, CARD_FAMILY_CAVEAT);
    go_on(w, "groups");
    put_own(f, w);
    for (size_t i = 0; i < f->n_probes; i++)
        put_family_probe(j, &f->probes[i], w);
    go_on(w, "tables");
    end_part(w);
    buf_deinit(&text);
}

/* ---- people ---- */

static void put_who_voted(const card_people *p, eh_buf *text, json_writer *w) {
    buf_printf(text, "%lld people gave %lld votes that count, ", (long long)p->n_people,
               (long long)p->n_labels);
    if (p->votes_low == p->votes_high)
        buf_printf(text, "%d on a pair", p->votes_low);
    else
        buf_printf(text, "%d to %d on a pair", p->votes_low, p->votes_high);
    buf_printf(text, "; %lld of the audit's %lld pairs have a vote.",
               (long long)p->n_labelled, (long long)p->n_rows);
    put_text(w, text);
    buf_printf(text,
               "Left out: votes on topics that the voter did not know (%lld), and the "
               "owner's word on disagreements, which is no vote (%lld).",
               (long long)p->n_unfamiliar, (long long)p->n_adjudicated);
    put_text(w, text);
    if (p->n_unplaced)
        buf_printf(text,
                   "Votes that do not say which answer stood first: %lld. They are no "
                   "part of the order's rate.",
                   (long long)p->n_unplaced);
    put_text(w, text);
    buf_add_cstr(text,
                 "Nobody asks people everything twice: a plain pair's votes are halved "
                 "by chance. One half says which pairs count, the other is the "
                 "placebo, and a changed pair counts with as many votes.");
    put_text(w, text);
}

static void put_all_votes(const card_judge *j, json_writer *w) {
    static const char *const head[] = {"Probe",
                                       "Pairs, all votes",
                                       "Of 100, all votes",
                                       "Pairs, half of them",
                                       "Of 100, half of them",
                                       "Other half (placebo)",
                                       NULL};
    if (!j->n_probes) return;
    page_table_begin(w, "Over all votes of a pair",
                     "Over all votes there is no placebo; the halves are what the "
                     "probes above count.",
                     head);
    for (size_t i = 0; i < j->n_probes; i++) {
        const card_probe *p = &j->probes[i];
        json_array_begin(w);
        json_str(w, card_probe_short(p));
        page_cell(w, "%lld", (long long)p->all_votes.n);
        page_cell_share(w, &p->all_votes.asr);
        page_cell(w, "%lld", (long long)p->score.paired.n);
        page_cell_share(w, &p->score.paired.asr);
        page_cell_share(w, &p->score.paired.placebo);
        json_array_end(w);
    }
    page_table_end(w);
}

static void put_people(const card_judge *j, json_writer *w) {
    eh_buf text;
    if (!j->people) return;
    buf_init(&text, BUF_MAX_SMALL);
    begin_part(w, "people", "Who voted, and what was left out");
    put_who_voted(j->people, &text, w);
    go_on(w, "groups");
    go_on(w, "tables");
    put_all_votes(j, w);
    end_part(w);
    buf_deinit(&text);
}

typedef void put_part(const card_judge *j, json_writer *w);

static put_part *const parts[] = {put_people, put_attacks, put_authors};

void page_card_parts_json(const card_judge *j, json_writer *w) {
    json_key(w, "parts");
    json_array_begin(w);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        parts[i](j, w);
    json_array_end(w);
}
