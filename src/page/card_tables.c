/* SPDX-License-Identifier: MIT
 *
 * The tables below the fold of a judge card.
 *
 *   {"title": ..., "note": ..., "head": ["Probe", ...], "rows": [["references", ...]]}
 *
 * The page shows whatever tables stand here and knows nothing of what they say: another
 * one is another function in the list at the end, which writes a table or nothing.
 */
#include <math.h>

#include "page/card_cells.h"

/* ---- the tables ---- */

static void put_tests(const card_judge *j, json_writer *w) {
    static const char *const head[] = {"Probe",
                                       "Pairs that count",
                                       "Of 100, with the change",
                                       "Asked again",
                                       "Difference",
                                       "p",
                                       "q",
                                       "Holm",
                                       "Can show",
                                       NULL};
    if (!j->n_probes) return;
    page_table_begin(
        w, "Tests",
        "With the change against the same pairs asked again (placebo): exact "
        "McNemar test, Newcombe's interval for paired shares; by question, with a t "
        "test, where pairs share one. \"Can show\" is the smallest difference that "
        "so many pairs show with 80 % power.",
        head);
    for (size_t i = 0; i < j->n_probes; i++) {
        const audit_score *s = &j->probes[i].score;
        json_array_begin(w);
        json_str(w, card_probe_short(&j->probes[i]));
        page_cell(w, "%lld of %lld", (long long)s->paired.n, (long long)s->n_pairs);
        page_cell_share(w, &s->paired.asr);
        page_cell_share(w, &s->paired.placebo);
        page_cell_share(w, &s->paired.difference);
        page_cell_p(w, s->paired.p);
        page_cell_p(w, s->q);
        page_cell_p(w, s->holm);
        if (isnan(s->detectable))
            json_cstr(w, "undefined");
        else
            page_cell(w, "%.0f in 100", card_of_100(s->detectable));
        json_array_end(w);
    }
    page_table_end(w);
}

static void put_same_length(const card_judge *j, json_writer *w) {
    static const char *const head[] = {"Probe",
                                       "Pairs that count",
                                       "Of 100, with the change",
                                       "With empty padding",
                                       "Difference",
                                       NULL};
    bool any = false;
    for (size_t i = 0; i < j->n_probes; i++) {
        const audit_paired *r = &j->probes[i].score.padded;
        if (!r->n) continue;
        if (!any)
            page_table_begin(w, "Against empty padding of the same length",
                             "The change makes the answer longer. What is left when as "
                             "much empty text is put there instead is not length.",
                             head);
        any = true;
        json_array_begin(w);
        json_str(w, card_probe_short(&j->probes[i]));
        page_cell(w, "%lld", (long long)r->n);
        page_cell_share(w, &r->asr);
        page_cell_share(w, &r->placebo);
        page_cell_share(w, &r->difference);
        json_array_end(w);
    }
    if (any) page_table_end(w);
}

static void put_other_form(const card_judge *j, json_writer *w) {
    static const char *const head[] = {
        "Probe",       "Form",       "Pairs that count",  "Of 100, with the change",
        "Asked again", "Difference", "A coin-flip judge", NULL};
    if (!j->n_probes) return;
    page_table_begin(
        w, "The same probes in the other form",
        "Oversight: of the pairs where the answer was preferred or tied, how "
        "often it still is. Susceptibility: of those where the other one was "
        "preferred or tied, how often the changed one is now. Above, each "
        "probe stands in the form that its meaning asks for.",
        head);
    for (size_t i = 0; i < j->n_probes; i++) {
        const audit_score *s = &j->probes[i].score;
        bool oversight = s->form == AUDIT_OVERSIGHT;
        json_array_begin(w);
        json_str(w, card_probe_short(&j->probes[i]));
        json_cstr(w,
                  audit_form_name(oversight ? AUDIT_SUSCEPTIBILITY : AUDIT_OVERSIGHT));
        page_cell(w, "%lld", (long long)s->other.n);
        page_cell_share(w, &s->other.asr);
        page_cell_share(w, &s->other.placebo);
        page_cell_share(w, &s->other.difference);
        page_cell(w, "%.1f", 100 * s->coin_flip_other);
        json_array_end(w);
    }
    page_table_end(w);
}

typedef void put_table(const card_judge *j, json_writer *w);

static put_table *const tables[] = {put_tests, put_same_length, put_other_form};

void page_card_tables_json(const card_judge *j, json_writer *w) {
    json_key(w, "tables");
    json_array_begin(w);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        tables[i](j, w);
    json_array_end(w);
}
