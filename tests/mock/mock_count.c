/* SPDX-License-Identifier: MIT
 *
 * What was asked, and how often the same thing.
 */
#include <stdio.h>
#include <stdlib.h>

#include "mock.h"

static size_t place(const mock_set *s, const uint64_t key[2]) {
    size_t i = key[0] & (s->cap - 1);
    while (s->keys[i][0] | s->keys[i][1]) {
        if (s->keys[i][0] == key[0] && s->keys[i][1] == key[1]) break;
        i = (i + 1) & (s->cap - 1);
    }
    return i;
}

static void grow(mock_set *s) {
    mock_set bigger = {.cap = s->cap ? 2 * s->cap : 1024};
    bigger.keys = calloc(bigger.cap, sizeof *bigger.keys);
    bigger.n_times = calloc(bigger.cap, sizeof *bigger.n_times);
    if (!bigger.keys || !bigger.n_times) abort();
    for (size_t i = 0; i < s->cap; i++) {
        if (!(s->keys[i][0] | s->keys[i][1])) continue;
        size_t at = place(&bigger, s->keys[i]);
        memcpy(bigger.keys[at], s->keys[i], sizeof s->keys[i]);
        bigger.n_times[at] = s->n_times[i];
    }
    free(s->keys);
    free(s->n_times);
    s->keys = bigger.keys;
    s->n_times = bigger.n_times;
    s->cap = bigger.cap;
}

int64_t mock_set_get(const mock_set *s, const uint64_t key[2]) {
    return s->cap ? s->n_times[place(s, key)] : 0;
}

int64_t mock_set_add(mock_set *s, const uint64_t key[2]) {
    if (2 * (s->n + 1) > s->cap) grow(s);
    size_t at = place(s, key);
    memcpy(s->keys[at], key, sizeof s->keys[at]);
    int64_t times = ++s->n_times[at];
    s->n += times == 1;
    s->n_repeated += times > 1;
    if (times > s->max_times) s->max_times = times;
    return times;
}

static void member(json_writer *w, const char *key, int64_t value) {
    json_put_i64(w, key, value);
}

void mock_counts_write(const mock *m, eh_buf *body) {
    const mock_counts *c = &m->counts;
    json_writer w;
    json_writer_init(&w, body, 0);
    json_object_begin(&w);
    member(&w, "requests", c->n_requests);
    member(&w, "ok", c->n_ok);
    member(&w, "choices", c->n_choices);
    member(&w, "faults", c->n_faults);
    member(&w, "connections", c->n_connections);
    member(&w, "max_in_flight", c->max_in_flight);
    member(&w, "max_in_second", c->max_in_second);
    member(&w, "max_body_bytes", c->max_body_bytes);
    member(&w, "prompts", (int64_t)m->prompts.n);
    member(&w, "max_per_prompt", m->prompts.max_times);
    member(&w, "samples", (int64_t)m->samples.n);
    member(&w, "repeated", m->samples.n_repeated);
    member(&w, "texts", c->n_texts);
    member(&w, "distinct_texts", (int64_t)m->texts.n);
    member(&w, "max_texts", c->max_texts);
    json_key(&w, "by_rule");
    json_array_begin(&w);
    for (size_t i = 0; i < m->n_rules; i++)
        json_i64(&w, m->rules[i].n_used);
    json_array_end(&w);
    json_key(&w, "by_status");
    json_object_begin(&w);
    for (int i = 0; i < 600; i++) {
        char text[8];
        if (!c->n_by_status[i]) continue;
        (void)snprintf(text, sizeof text, "%d", i);
        member(&w, text, c->n_by_status[i]);
    }
    json_object_end(&w);
    json_object_end(&w);
}
