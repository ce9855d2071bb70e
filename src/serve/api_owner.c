/* SPDX-License-Identifier: MIT
 *
 * The interface for the owner.
 *
 *   GET  /api/owner/state           people, pairs, agreement, instructions
 *   GET  /api/owner/disagreements   pairs on which people differ, blind
 *   GET  /api/owner/labels          all labels, JSONL; ?have=pseudonyms hides names
 *   POST /api/owner/adjudicate      a further label (fields as of /api/label)
 *   POST /api/owner/peek            {item}: what judges said of it, which is logged
 *   POST /api/owner/instructions    {text}: a new version
 *   POST /api/owner/pause           {paused}
 *   POST /api/owner/annotators      {name}: a new person, or a new link for one
 *
 * The owner sees how people work, not what a judge said: whoever adjudicates is blind
 * as well. Who peeks all the same is told, once that is written down, and what they
 * decide on that pair is marked. Sides of a disagreement are the owner's own.
 */
#include <math.h>
#include <stdio.h>

#include "run/labels.h"
#include "serve/exchange.h"
#include "serve/people.h"
#include "stats/interval.h"
#include "tally/summarize.h"

enum { DISAGREEMENT_ROWS = 20 };

/* ---- state ---- */

static eh_status put_person(server *s, const ledger_annotator *a, json_writer *w,
                            eh_error *err) {
    ledger_progress p;
    EH_TRY(ledger_progress_of(s->l, a->row, &p, err));
    stats_interval left = stats_wilson(p.n_left, p.n_left + p.n_right, .95);
    json_object_begin(w);
    json_put_str(w, "name", a->name);
    json_put_i64(w, "done", p.n_labelled + p.n_unfamiliar);
    json_put_i64(w, "skipped", p.n_skipped + p.n_skipped_once);
    json_put_i64(w, "unfamiliar", p.n_unfamiliar);
    json_put_i64(w, "fast", p.n_fast);
    json_put_f64(w, "median_seconds", p.median_ms / 1000);
    json_key(w, "left_share");
    json_object_begin(w);
    json_put_f64(w, "value", left.value);
    json_put_f64(w, "low", left.low);
    json_put_f64(w, "high", left.high);
    json_put_i64(w, "n", p.n_left + p.n_right);
    json_object_end(w);
    json_put_known(w, "last_seen_ms", a->last_seen_ms);
    json_object_end(w);
    return EH_STATUS_OK;
}

static eh_status put_agreement(server *s, json_writer *w, eh_error *err) {
    people_agreement a;
    EH_TRY(people_agree(s->l, &a, err));
    json_key(w, "agreement");
    json_object_begin(w);
    json_put_cstr(w, "measure", a.measure);
    json_put_i64(w, "pairs", a.n_pairs);
    json_put_i64(w, "people", a.n_people);
    json_put_f64(w, "value", a.value);
    json_put_f64(w, "low", a.low);
    json_put_f64(w, "high", a.high);
    json_put_str(w, "why", eh_str_of(a.why));
    json_object_end(w);
    return EH_STATUS_OK;
}

static void put_queue(server *s, int64_t n_disagreements, json_writer *w) {
    const ledger_queue *q = desk_queue(s->desk);
    json_key(w, "queue");
    json_object_begin(w);
    json_put_str(w, "selection", q->selection);
    json_put_str(w, "budget", q->budget);
    json_put_i64(w, "pairs", desk_n_pairs(s->desk));
    json_put_i64(w, "complete", desk_n_complete(s->desk));
    json_put_i64(w, "labels_per_pair", q->labels_per_pair);
    json_put_i64(w, "identity_leaks", desk_n_leaks(s->desk));
    json_put_i64(w, "disagreements", n_disagreements);
    json_object_end(w);
    json_put_bool(w, "paused", q->paused);
}

static eh_status answer_state(server *s, json_writer *w, eh_error *err) {
    size_t n;
    int64_t n_disagreements;
    EH_TRY(server_reload(s, err)); /* last seen */
    EH_TRY(ledger_disagreements(s->l, 0, NULL, 0, &n, &n_disagreements, err));
    json_object_begin(w);
    put_queue(s, n_disagreements, w);
    json_key(w, "annotators");
    json_array_begin(w);
    for (size_t i = 0; i < s->n_people; i++)
        if (s->people[i].row != desk_owner_row(s->desk))
            EH_TRY(put_person(s, &s->people[i], w, err));
    json_array_end(w);
    EH_TRY(put_agreement(s, w, err));
    api_put_instructions(s, w);
    json_object_end(w);
    return EH_STATUS_OK;
}

/* ---- disagreements ---- */

static eh_status put_disagreement(server *s, int64_t pair_row, json_writer *w,
                                  eh_error *err) {
    ledger_assignment a;
    ledger_decision d;
    int64_t counts[4];
    bool found;
    EH_TRY(desk_owner_takes(s->desk, pair_row, &a, err));
    EH_TRY(ledger_label_counts(s->l, pair_row, counts, err));
    EH_TRY(ledger_decision_current(s->l, a.row, &s->arena, &d, &found, err));
    json_object_begin(w);
    EH_TRY(api_put_item(s, &a, w, err));
    json_key(w, "labels");
    json_object_begin(w);
    json_put_i64(w, "A", counts[eh_verdict_unswap(EH_VERDICT_1, a.side)]);
    json_put_i64(w, "B", counts[eh_verdict_unswap(EH_VERDICT_2, a.side)]);
    json_put_i64(w, "tie", counts[EH_VERDICT_TIE]);
    json_object_end(w);
    json_put_bool(w, "skipped", found);
    EH_TRY(ledger_peeked(s->l, &a, &found, err));
    json_put_bool(w, "peeked", found);
    json_object_end(w);
    return EH_STATUS_OK;
}

/* ?before=ID goes on behind the pair of that item. */
static eh_status answer_disagreements(server *s, const serve_request *r, json_writer *w,
                                      eh_error *err) {
    int64_t rows[DISAGREEMENT_ROWS], n_all;
    size_t n;
    ledger_assignment after = {0};
    bool found;
    EH_TRY(ledger_assignment_find(s->l, r->before, &after, &found, err));
    EH_TRY(ledger_disagreements(s->l, found ? after.pair_row : 0, rows,
                                DISAGREEMENT_ROWS, &n, &n_all, err));
    json_object_begin(w);
    json_put_i64(w, "all", n_all);
    json_key(w, "items");
    json_array_begin(w);
    for (size_t i = 0; i < n; i++)
        EH_TRY(put_disagreement(s, rows[i], w, err));
    json_array_end(w);
    json_object_end(w);
    return EH_STATUS_OK;
}

/* ---- peeking ---- */

/* A ruling as the owner sees the sides. */
static eh_str side_of(eh_verdict verdict, eh_order side) {
    switch (eh_verdict_unswap(verdict, side)) {
    case EH_VERDICT_1: return EH_STR("A");
    case EH_VERDICT_2: return EH_STR("B");
    case EH_VERDICT_TIE: return EH_STR("tie");
    default: return (eh_str){NULL, 0};
    }
}

static eh_status put_opinions(server *s, const ledger_assignment *a, json_writer *w,
                              eh_error *err) {
    tally_view *views;
    eh_str *names;
    size_t n;
    tally_ruled ruled;
    EH_TRY(tally_views(s->l, EH_STR(""), &s->arena, &views, &n, err));
    EH_TRY(tally_view_names(views, n, &s->arena, &names, err));
    for (size_t i = 0; i < n; i++) {
        EH_TRY(tally_rule_pair(s->l, &views[i], a->pair_row, &ruled, err));
        if (!ruled.in_scope) continue;
        json_object_begin(w);
        json_put_str(w, "judge", names[i]);
        json_put_str(w, "ruling", side_of(ruled.ruling.verdict, a->side));
        json_put_f64(w, "bpde", ruled.ruling.bpde);
        json_object_end(w);
    }
    return EH_STATUS_OK;
}

/* What judges said of a pair in the owner's hands. That it was looked at is durable
 * before anything is told. */
static void answer_peek(server *s, const serve_request *r, serve_response *out) {
    eh_error err;
    ledger_assignment a;
    bool found = false;
    json_writer w;
    const json_value *body = api_body(s, r, out);
    if (!body) return;
    eh_status status =
        ledger_assignment_find(s->l, json_get_str(body, "item"), &a, &found, &err);
    if (status == EH_STATUS_OK &&
        (!found || a.annotator_row != desk_owner_row(s->desk))) {
        serve_error(out, 404, "unknown_item", "There is no such pair for you.");
        return;
    }
    if (status == EH_STATUS_OK)
        status = ledger_peek_put(s->l, &a, clock_now_ms(&s->clock), &err);
    if (status == EH_STATUS_OK) status = ledger_commit(s->l, &err);
    json_writer_init(&w, &out->body, 0);
    json_object_begin(&w);
    json_key(&w, "judges");
    json_array_begin(&w);
    if (status == EH_STATUS_OK) status = put_opinions(s, &a, &w, &err);
    json_array_end(&w);
    json_object_end(&w);
    if (status == EH_STATUS_OK) return;
    ledger_rollback(s->l);
    serve_failed(out, &err);
}

/* ---- export ---- */

typedef struct exporter {
    eh_buf *out;
    run_pseudonyms *names; /* NULL: as they are */
} exporter;

static eh_status export_label(void *self, eh_str pair_id, const ledger_label *label,
                              eh_error *err) {
    exporter *e = self;
    ledger_label line = *label;
    if (e->names) EH_TRY(run_pseudonym(e->names, &line.annotator, err));
    run_label_line(REPORT_FORMAT_JSONL, pair_id, &line, e->out);
    return EH_STATUS_OK;
}

static eh_status answer_labels(server *s, const serve_request *r, serve_response *out,
                               eh_error *err) {
    run_pseudonyms names = {0};
    exporter e = {.out = &out->body,
                  .names = eh_str_eq_cstr(r->have, "pseudonyms") ? &names : NULL};
    out->mime = "application/jsonl; charset=utf-8";
    eh_status status = ledger_labels_each(s->l, export_label, &e, err);
    run_pseudonyms_deinit(&names);
    return status;
}

/* ---- changes ---- */

static eh_status put_instructions(server *s, eh_str text, eh_error *err) {
    EH_TRY(serve_instruct(s->l, text, s->clock, err));
    return server_reload(s, err);
}

static void answer_instructions(server *s, const serve_request *r,
                                serve_response *out) {
    eh_error err;
    const json_value *body = api_body(s, r, out);
    if (!body) return;
    eh_str text = json_get_str(body, "text");
    if (eh_str_is_blank(text)) {
        serve_error(out, 400, "bad_text", "The instructions are empty.");
        return;
    }
    if (put_instructions(s, text, &err) != EH_STATUS_OK) {
        serve_failed(out, &err);
        return;
    }
    json_writer w;
    json_writer_init(&w, &out->body, 0);
    json_object_begin(&w);
    api_put_instructions(s, &w);
    json_object_end(&w);
}

static void answer_pause(server *s, const serve_request *r, serve_response *out) {
    eh_error err;
    const json_value *body = api_body(s, r, out);
    if (!body) return;
    const json_value *paused = json_get(body, "paused");
    if (!paused || paused->kind != JSON_BOOL) {
        serve_error(out, 400, "bad_pause", "\"paused\" must be true or false.");
        return;
    }
    if (desk_pause(s->desk, paused->boolean, &err) != EH_STATUS_OK) {
        serve_failed(out, &err);
        return;
    }
    buf_printf(&out->body, "{\"paused\": %s}", paused->boolean ? "true" : "false");
}

/* The link holds the token and is shown this once. */
static void answer_annotators(server *s, const serve_request *r, serve_response *out) {
    eh_error err;
    char token[SERVE_TOKEN_CHARS + 1];
    const json_value *body = api_body(s, r, out);
    if (!body) return;
    eh_str name = json_get_str(body, "name");
    if (serve_name_check(name, &err) != EH_STATUS_OK) {
        serve_error(out, 400, "bad_name", err.msg);
        return;
    }
    eh_status status = serve_invite(s->l, name, clock_now_ms(&s->clock), token, &err);
    if (status == EH_STATUS_OK) status = server_reload(s, &err);
    if (status != EH_STATUS_OK) {
        serve_failed(out, &err);
        return;
    }
    json_writer w;
    json_writer_init(&w, &out->body, 0);
    json_object_begin(&w);
    json_put_str(&w, "name", name);
    json_key(&w, "path");
    char path[64];
    (void)snprintf(path, sizeof path, "/join/%s", token);
    json_cstr(&w, path);
    json_object_end(&w);
    sodium_memzero(token, sizeof token);
}

/* ---- dispatch ---- */

static void answer_post(server *s, const serve_request *r, serve_response *out) {
    desk_label label;
    if (eh_str_eq_cstr(r->path, "/api/owner/adjudicate")) {
        if (api_read_label(s, r, &label, out))
            api_take_label(s, desk_owner_row(s->desk), &label, out);
    } else if (eh_str_eq_cstr(r->path, "/api/owner/peek")) {
        answer_peek(s, r, out);
    } else if (eh_str_eq_cstr(r->path, "/api/owner/instructions")) {
        answer_instructions(s, r, out);
    } else if (eh_str_eq_cstr(r->path, "/api/owner/pause")) {
        answer_pause(s, r, out);
    } else if (eh_str_eq_cstr(r->path, "/api/owner/annotators")) {
        answer_annotators(s, r, out);
    } else {
        serve_error(out, 404, "unknown_path", "There is nothing here.");
    }
}

bool api_owner(server *s, const serve_request *r, serve_response *out) {
    eh_error err;
    eh_status status = EH_STATUS_OK;
    json_writer w;
    if (!eh_str_begins(r->path, EH_STR("/api/owner/"))) return false;
    if (r->method == SERVE_POST) {
        answer_post(s, r, out);
        return true;
    }
    json_writer_init(&w, &out->body, 0);
    if (eh_str_eq_cstr(r->path, "/api/owner/state"))
        status = answer_state(s, &w, &err);
    else if (eh_str_eq_cstr(r->path, "/api/owner/disagreements"))
        status = answer_disagreements(s, r, &w, &err);
    else if (eh_str_eq_cstr(r->path, "/api/owner/labels"))
        status = answer_labels(s, r, out, &err);
    else
        serve_error(out, 404, "unknown_path", "There is nothing here.");
    if (status != EH_STATUS_OK) serve_failed(out, &err);
    return true;
}
