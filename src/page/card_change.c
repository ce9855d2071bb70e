/* SPDX-License-Identifier: MIT
 *
 * What changed in one judge between two audits, as `evenhand show A.db B.db` says it.
 *
 * Left out: changes among more than two cards; they stand side by side without.
 */
#include <math.h>

#include "page/card.h"

static void put_words(json_writer *w, const stats_interval *c, bool is_shown) {
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    buf_printf(&text, "%+.0f (%+.0f to %+.0f), %s", card_of_100(c->value),
               card_of_100(c->low), card_of_100(c->high),
               is_shown ? "beyond chance" : "can be chance");
    json_put_str(w, "words", buf_view(&text));
    buf_deinit(&text);
}

static void put_cell(json_writer *w, const card_judge *a, const card_judge *b,
                     eh_str name) {
    const card_probe *before = card_probe_of(a, name), *after = card_probe_of(b, name);
    stats_interval c = card_change(before, after);
    bool is_shown = c.low > 0 || c.high < 0;
    json_object_begin(w);
    json_put_str(w, "name", name);
    card_put_interval(w, "change", &c);
    if (!isnan(c.value))
        put_words(w, &c, is_shown);
    else
        json_put_cstr(w, "words",
                      before && after ? "cannot be read in both"
                                      : "not tested in both");
    json_put_bool(w, "shown", is_shown);
    json_object_end(w);
}

void page_card_change_json(const page_card_page *page, json_writer *w) {
    json_key(w, "change");
    if (page->n_judges != 2 ||
        !eh_str_eq(page->judges[0].numbers->name, page->judges[1].numbers->name)) {
        json_null(w);
        return;
    }
    const card_judge *a = page->judges[0].numbers, *b = page->judges[1].numbers;
    json_object_begin(w);
    json_put_cstr(w, "note",
                  "The change is from the first audit to the second: of 100 faults, "
                  "how many more are missed; of 100 verdicts, how many more change "
                  "beyond the placebo. Its 95 % interval takes the two audits as "
                  "independent and is rather too wide over the same pairs.");
    json_key(w, "cells");
    json_array_begin(w);
    for (size_t i = 0; i < a->n_probes; i++)
        put_cell(w, a, b, a->probes[i].name);
    for (size_t i = 0; i < b->n_probes; i++)
        if (!card_probe_of(a, b->probes[i].name)) put_cell(w, a, b, b->probes[i].name);
    json_array_end(w);
    json_object_end(w);
}
