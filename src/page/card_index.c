/* SPDX-License-Identifier: MIT
 *
 * The object that the card's page reads first.
 *
 * "ledgers[].cards" is what `evenhand show AUDIT.db --json` prints, byte for byte; the
 * rest names, orders and explains what stands there, and has a row for each item.
 * Items are columns; what has few values is a digit in one string:
 *
 *   outcome                      as page_card_outcome
 *   control, placebo, experiment 0 other, 1 tie, 2 the changed answer; "-" none
 *
 * Preferences (from 0, all votes for the other answer, to 1) are beside them.
 */
#include <math.h>

#include "page/card.h"

/* ---- items ---- */

typedef double number_of(const page_card_item *item);

static double control_of(const page_card_item *item) {
    return item->votes.control;
}

static double placebo_of(const page_card_item *item) {
    return item->votes.placebo;
}

static double experiment_of(const page_card_item *item) {
    return item->votes.experiment;
}

static double padded_vote_of(const page_card_item *item) {
    return item->votes.padded;
}

static double unit_of(const page_card_item *item) {
    return (double)item->unit;
}

static double probe_of(const page_card_item *item) {
    return (double)item->probe;
}

static double variant_of(const page_card_item *item) {
    return (double)item->variant;
}

static double padded_of(const page_card_item *item) {
    return item->padded == PAGE_NO_PLACE ? (double)NAN : (double)item->padded;
}

static void put_column(json_writer *w, const char *key, const page_card_judge *j,
                       number_of *number) {
    json_key(w, key);
    json_array_begin(w);
    for (size_t i = 0; i < j->n_items; i++)
        json_f64(w, number(&j->items[i]));
    json_array_end(w);
}

static void put_classes(json_writer *w, const char *key, const page_card_judge *j,
                        number_of *number) {
    eh_buf digits;
    buf_init(&digits, BUF_MAX_LINE);
    for (size_t i = 0; i < j->n_items; i++) {
        double p = number(&j->items[i]);
        buf_add_char(&digits, isnan(p) ? '-' : (char)('0' + audit_class_of(p)));
    }
    json_put_str(w, key, buf_view(&digits));
    buf_deinit(&digits);
}

static void put_items(json_writer *w, const page_card_judge *j) {
    eh_buf outcomes, placebo;
    buf_init(&outcomes, BUF_MAX_LINE);
    buf_init(&placebo, BUF_MAX_LINE);
    for (size_t i = 0; i < j->n_items; i++) {
        buf_add_char(&outcomes, (char)('0' + j->items[i].outcome));
        buf_add_char(&placebo, j->items[i].placebo_hit ? '1' : '0');
    }
    json_key(w, "items");
    json_object_begin(w);
    json_put_i64(w, "n", (int64_t)j->n_items);
    put_column(w, "unit", j, unit_of);
    put_column(w, "probe", j, probe_of);
    put_column(w, "variant", j, variant_of);
    put_column(w, "padded", j, padded_of);
    json_put_str(w, "outcome", buf_view(&outcomes));
    json_put_str(w, "placebo_hit", buf_view(&placebo));
    put_classes(w, "control", j, control_of);
    put_classes(w, "placebo", j, placebo_of);
    put_classes(w, "experiment", j, experiment_of);
    put_column(w, "control_vote", j, control_of);
    put_column(w, "placebo_vote", j, placebo_of);
    put_column(w, "experiment_vote", j, experiment_of);
    put_column(w, "padded_vote", j, padded_vote_of);
    json_object_end(w);
    buf_deinit(&outcomes);
    buf_deinit(&placebo);
}

/* ---- judges ---- */

static void put_probe(json_writer *w, const card_judge *j, const card_probe *p) {
    eh_buf finding;
    buf_init(&finding, BUF_MAX_SMALL);
    card_probe_finding(j, p, &finding);
    json_object_begin(w);
    json_put_str(w, "name", p->name);
    json_put_str(w, "short", card_probe_short(p));
    json_put_cstr(w, "what", p->known ? p->known->what : "A perturbation of your own.");
    json_put_cstr(w, "state_text", audit_state_text(p->state));
    json_put_str(w, "finding", buf_view(&finding));
    json_object_end(w);
    buf_deinit(&finding);
}

static void put_fault(json_writer *w, const card_judge *j) {
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    json_key(w, "fault");
    card_fault(j, j->fault, &text);
    if (text.len)
        json_str(w, buf_view(&text));
    else
        json_null(w);
    buf_deinit(&text);
}

static void put_judge(json_writer *w, const page_card_judge *j) {
    const card_judge *numbers = j->numbers;
    eh_buf sentence;
    buf_init(&sentence, BUF_MAX_SMALL);
    card_sentence(numbers, &sentence);
    json_object_begin(w);
    json_put_str(w, "name", j->name);
    json_put_str(w, "key", numbers->name);
    json_put_i64(w, "ledger", (int64_t)j->source);
    json_put_i64(w, "first_ms", j->timing.first_ms);
    json_put_i64(w, "last_ms", j->timing.last_ms);
    json_key(w, "params");
    if (numbers->params_json.len)
        json_raw(w, numbers->params_json);
    else
        json_null(w);
    json_put_str(w, "sentence", buf_view(&sentence));
    put_fault(w, numbers);
    json_key(w, "probes");
    json_array_begin(w);
    for (size_t i = 0; i < numbers->n_probes; i++)
        put_probe(w, numbers, &numbers->probes[i]);
    json_array_end(w);
    page_card_uses_json(numbers, w);
    page_card_limits_json(numbers, w);
    page_card_parts_json(numbers, w);
    page_card_tables_json(numbers, w);
    put_items(w, j);
    json_object_end(w);
    buf_deinit(&sentence);
}

/* ---- the rest ---- */

static void put_head(json_writer *w, const page_card_unit *u) {
    eh_buf head;
    if (eh_str_is_absent(u->head) || u->head_is_all) {
        json_str(w, u->head);
        return;
    }
    buf_init(&head, BUF_MAX_SMALL);
    buf_add_str(&head, u->head);
    buf_add_cstr(&head, "\xE2\x80\xA6");
    json_str(w, buf_view(&head));
    buf_deinit(&head);
}

static void put_units(json_writer *w, const page_card_page *p) {
    json_key(w, "units");
    json_object_begin(w);
    json_put_i64(w, "n", (int64_t)p->n_units);
    json_key(w, "id");
    json_array_begin(w);
    for (size_t i = 0; i < p->n_units; i++)
        json_str(w, p->units[i].id);
    json_array_end(w);
    json_key(w, "head");
    json_array_begin(w);
    for (size_t i = 0; i < p->n_units; i++)
        put_head(w, &p->units[i]);
    json_array_end(w);
    json_key(w, "category");
    json_array_begin(w);
    for (size_t i = 0; i < p->n_units; i++)
        json_str(w, p->units[i].category);
    json_array_end(w);
    json_key(w, "place");
    json_array_begin(w);
    for (size_t i = 0; i < p->n_units; i++)
        json_i64(w,
                 p->units[i].place == PAGE_NO_PLACE ? -1 : (int64_t)p->units[i].place);
    json_array_end(w);
    json_object_end(w);
}

static void put_ledgers(json_writer *w, const page_card_page *p) {
    json_key(w, "ledgers");
    json_array_begin(w);
    for (size_t s = 0; s < p->n_sources; s++) {
        json_object_begin(w);
        json_put_str(w, "name", p->sources[s].name);
        json_put_str(w, "data", p->datasets[s].name);
        json_put_cstr(w, "summary_hash", p->hashes[s]);
        json_key(w, "cards");
        json_raw(w, eh_str_trim(p->json[s]));
        json_object_end(w);
    }
    json_array_end(w);
}

void page_card_index_json(const page_card_page *p, const page_card_options *options,
                          const page_chunks *chunks, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 0);
    json_object_begin(&w);
    json_put_i64(&w, "schema", 1);
    json_put_cstr(&w, "version", EH_VERSION);
    json_put_str(&w, "command", options->page.command);
    json_put_bool(&w, "texts", options->page.texts);
    json_put_i64(&w, "placed", (int64_t)p->n_placed);
    json_put_i64(&w, "max_bytes", options->page.max_bytes);
    put_ledgers(&w, p);
    json_key(&w, "judges");
    json_array_begin(&w);
    for (size_t i = 0; i < p->n_judges; i++)
        put_judge(&w, &p->judges[i]);
    json_array_end(&w);
    page_card_change_json(p, &w);
    put_units(&w, p);
    page_chunks_json(chunks, &w);
    json_object_end(&w);
}
