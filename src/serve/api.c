/* SPDX-License-Identifier: MIT
 *
 * The interface for annotators.
 *
 *   GET  /join/TOKEN          sets the cookie, leads to the page
 *   GET  /api/state           own progress, instructions, whether the owner paused
 *   GET  /api/items?have=..   the next pairs (five), those in `have` without texts
 *   GET  /api/item/ID         one pair again, with what was decided
 *   POST /api/label           a decision; the same label_id can be sent again
 *   GET  /api/history?before= own decisions, newest first
 *
 * What is blind stays blind here: an item is an opaque id, a question, A and B. Neither
 * models nor verdicts, ids, categories, sides, chances or other people's labels are in
 * any of these answers; only api_put_item and api_put_decision write what a person sees
 * of a pair.
 */
#include <math.h>
#include <stdio.h>

#include "align/align.h"
#include "base/utf8.h"
#include "serve/exchange.h"

enum { MAX_NOTE_BYTES = 8000, MAX_ALIGNED_BYTES = 64 << 10, HISTORY_ROWS = 50 };

/* ---- items ---- */

/* Lengths in UTF-16 units, which is how a page counts. */
static int64_t count_utf16(eh_str s) {
    int64_t n = 0;
    for (size_t at = 0; at < s.len;)
        n += utf8_next(s, &at) > 0xFFFF ? 2 : 1;
    return n;
}

static void put_parts(const align_units *units, const size_t *begin, size_t n_parts,
                      const char *key, json_writer *w) {
    json_key(w, key);
    json_array_begin(w);
    for (size_t t = 0; t < n_parts; t++)
        json_i64(w, count_utf16(align_part(units, begin, t)));
    json_array_end(w);
}

/* How the two texts lie beside each other in parts; nothing for long or plain ones. */
static eh_status put_alignment(server *s, eh_str a, eh_str b, json_writer *w,
                               eh_error *err) {
    const align_options options = {.parts = ALIGN_PARTS_DEFAULT};
    align_units units[2];
    align_similarity *similarity;
    align_cut cut;
    if (a.len == 0 || b.len == 0 || a.len + b.len > MAX_ALIGNED_BYTES)
        return EH_STATUS_OK;
    EH_TRY(align_units_of(a, &options, &s->arena, &units[0], err));
    EH_TRY(align_units_of(b, &options, &s->arena, &units[1], err));
    align_pair pair = {&units[0], &units[1]};
    EH_TRY(align_similarity_words(&pair, &s->arena, &similarity, err));
    EH_TRY(align_semantic_cut(&pair, similarity, ALIGN_PARTS_DEFAULT, &s->arena, &cut,
                              err));
    if (cut.n_parts < 2) return EH_STATUS_OK;
    json_key(w, "parts");
    json_object_begin(w);
    put_parts(&units[0], cut.begin_1, cut.n_parts, "a", w);
    put_parts(&units[1], cut.begin_2, cut.n_parts, "b", w);
    json_object_end(w);
    return EH_STATUS_OK;
}

eh_status api_put_item(server *s, const ledger_assignment *a, json_writer *w,
                       eh_error *err) {
    ledger_texts t;
    EH_TRY(ledger_pair_texts(s->l, a->pair_row, &t, &s->arena, err));
    bool swap = a->side == EH_ORDER_21;
    eh_str left = swap ? t.answer_2 : t.answer_1,
           right = swap ? t.answer_1 : t.answer_2;
    json_put_cstr(w, "id", a->id);
    json_put_str(w, "question", t.question);
    json_key(w, "turns");
    if (t.turns_json.len)
        json_raw(w, t.turns_json);
    else
        json_null(w);
    json_put_str(w, "a", left);
    json_put_str(w, "b", right);
    return put_alignment(s, left, right, w, err);
}

void api_put_decision(const ledger_decision *d, json_writer *w) {
    json_put_cstr(w, "item", d->assignment_id);
    json_put_str(w, "label_id", d->label_id);
    json_put_cstr(w, "choice", ledger_choice_name(d->choice));
    json_put_bool(w, "familiar", !d->unfamiliar);
    json_put_str(w, "note", d->note);
    json_put_i64(w, "received_ms", d->received_ms);
}

void api_put_instructions(const server *s, json_writer *w) {
    json_key(w, "instructions");
    json_object_begin(w);
    json_put_str(w, "version", s->instructions.version);
    json_put_str(w, "text", s->instructions.text);
    json_object_end(w);
}

/* ---- state ---- */

static eh_str name_of(const server *s, int64_t annotator_row) {
    for (size_t i = 0; i < s->n_people; i++)
        if (s->people[i].row == annotator_row) return s->people[i].name;
    return EH_STR("");
}

/* Tells this person at this queue from all others, and nothing else: what a page keeps
 * in a browser is sent under no other. */
static void put_who(const server *s, int64_t annotator_row, json_writer *w) {
    uint8_t digest[HASH_BYTES];
    char hex[17];
    eh_hash h;
    hash_init(&h, "eh-who-1");
    hash_raw(&h, desk_queue(s->desk)->nonce, LEDGER_NONCE_BYTES);
    hash_i64(&h, annotator_row);
    hash_done(&h, digest);
    hash_hex(digest, 8, hex);
    json_put_cstr(w, "who", hex);
}

/* A person's own numbers; of others nothing. */
static eh_status put_progress(server *s, int64_t annotator_row, json_writer *w,
                              eh_error *err) {
    desk_progress p;
    EH_TRY(desk_progress_of(s->desk, annotator_row, &p, err));
    int64_t done = p.own.n_labelled + p.own.n_unfamiliar;
    json_key(w, "progress");
    json_object_begin(w);
    json_put_i64(w, "done", done);
    json_put_i64(w, "left", p.n_left);
    json_put_i64(w, "skipped", p.own.n_skipped + p.own.n_skipped_once);
    json_put_i64(w, "unfamiliar", p.own.n_unfamiliar);
    json_put_f64(w, "median_seconds", p.own.median_ms / 1000);
    json_object_end(w);
    json_put_bool(w, "paused", desk_queue(s->desk)->paused);
    return EH_STATUS_OK;
}

static eh_status answer_state(server *s, int64_t annotator_row, json_writer *w,
                              eh_error *err) {
    json_object_begin(w);
    put_who(s, annotator_row, w);
    json_put_str(w, "name", name_of(s, annotator_row));
    json_put_str(w, "contact", desk_queue(s->desk)->contact);
    EH_TRY(put_progress(s, annotator_row, w, err));
    api_put_instructions(s, w);
    json_object_end(w);
    return EH_STATUS_OK;
}

/* Is the id in a list "id,id"? */
static bool is_listed(eh_str list, const char *id) {
    eh_str part;
    while (eh_str_split(&list, ',', &part))
        if (eh_str_eq_cstr(part, id)) return true;
    return false;
}

static eh_status answer_items(server *s, const serve_request *r, int64_t annotator_row,
                              json_writer *w, eh_error *err) {
    ledger_assignment list[SERVE_PREFETCH];
    size_t n;
    EH_TRY(desk_seen(s->desk, annotator_row, err));
    EH_TRY(desk_next(s->desk, annotator_row, list, SERVE_PREFETCH, &n, err));
    json_object_begin(w);
    put_who(s, annotator_row, w);
    json_key(w, "items");
    json_array_begin(w);
    for (size_t i = 0; i < n; i++) {
        json_object_begin(w);
        if (is_listed(r->have, list[i].id)) {
            json_put_cstr(w, "id", list[i].id);
        } else {
            EH_TRY(api_put_item(s, &list[i], w, err));
        }
        json_put_bool(w, "again", list[i].state == LEDGER_SKIPPED_ONCE);
        json_object_end(w);
    }
    json_array_end(w);
    EH_TRY(put_progress(s, annotator_row, w, err));
    json_put_str(w, "instructions_version", s->instructions.version);
    json_object_end(w);
    return EH_STATUS_OK;
}

static eh_status answer_item(server *s, eh_str id, int64_t annotator_row,
                             serve_response *out, json_writer *w, eh_error *err) {
    ledger_assignment a;
    ledger_decision d;
    bool found;
    EH_TRY(ledger_assignment_find(s->l, id, &a, &found, err));
    if (!found || a.annotator_row != annotator_row) {
        serve_error(out, 404, "unknown_item", "There is no such pair for you.");
        return EH_STATUS_OK;
    }
    json_object_begin(w);
    EH_TRY(api_put_item(s, &a, w, err));
    EH_TRY(ledger_decision_current(s->l, a.row, &s->arena, &d, &found, err));
    json_key(w, "decision");
    if (found) {
        json_object_begin(w);
        api_put_decision(&d, w);
        json_object_end(w);
    } else {
        json_null(w);
    }
    json_object_end(w);
    return EH_STATUS_OK;
}

static eh_status answer_history(server *s, const serve_request *r,
                                int64_t annotator_row, json_writer *w, eh_error *err) {
    ledger_decision list[HISTORY_ROWS];
    size_t n;
    ledger_decision last = {0};
    bool found;
    EH_TRY(ledger_decision_find(s->l, r->before, &s->arena, &last, &found, err));
    const ledger_history_page page = {annotator_row, found ? last.row : 0,
                                      HISTORY_ROWS};
    EH_TRY(ledger_history(s->l, &page, &s->arena, list, &n, err));
    json_object_begin(w);
    json_key(w, "decisions");
    json_array_begin(w);
    for (size_t i = 0; i < n; i++) {
        json_object_begin(w);
        api_put_decision(&list[i], w);
        json_put_str(w, "question", list[i].question);
        json_object_end(w);
    }
    json_array_end(w);
    json_key(w, "before"); /* by a label_id: a number would count others' labels */
    json_str(w, n == HISTORY_ROWS ? list[n - 1].label_id : (eh_str){NULL, 0});
    json_object_end(w);
    return EH_STATUS_OK;
}

/* ---- labels ---- */

const json_value *api_body(server *s, const serve_request *r, serve_response *out) {
    json_fault fault;
    const json_value *v = json_read(s->reader, &s->arena, r->body, &fault);
    if (v && v->kind == JSON_OBJECT && !json_duplicate_key(v)) return v;
    serve_error(out, 400, "bad_json", "The request is no JSON object.");
    return NULL;
}

static bool is_client_id(eh_str s) {
    if (s.len < 8 || s.len > 64) return false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
              (c >= 'A' && c <= 'Z') || c == '-'))
            return false;
    }
    return true;
}

/* A member that may be absent or null, else must be of that kind. */
static const json_value *member(const json_value *body, const char *key, json_kind kind,
                                bool *ok) {
    const json_value *v = json_get(body, key);
    if (!v || v->kind == JSON_NULL) return NULL;
    if (v->kind != kind) *ok = false;
    return v->kind == kind ? v : NULL;
}

static eh_str text_member(const json_value *body, const char *key, size_t most,
                          bool *ok) {
    const json_value *v = member(body, key, JSON_STRING, ok);
    if (!v) return (eh_str){NULL, 0};
    if (v->text.len > most) *ok = false;
    return v->text;
}

static int64_t count_member(const json_value *body, const char *key, bool *ok) {
    const json_value *v = member(body, key, JSON_NUMBER, ok);
    double value;
    if (!v) return -1;
    if (!eh_str_to_f64(v->text, &value) || !(value >= 0 && value < 1e15)) {
        *ok = false;
        return -1;
    }
    return (int64_t)value;
}

static double share_member(const json_value *body, const char *key, bool *ok) {
    const json_value *v = member(body, key, JSON_NUMBER, ok);
    double value;
    if (!v) return (double)NAN;
    if (eh_str_to_f64(v->text, &value) && value >= 0 && value <= 1) return value;
    *ok = false;
    return (double)NAN;
}

bool api_read_label(server *s, const serve_request *r, desk_label *label,
                    serve_response *out) {
    const json_value *body = api_body(s, r, out);
    bool ok = true;
    if (!body) return false;
    ledger_decision *d = &label->decision;
    *label = (desk_label){.item = text_member(body, "item", LEDGER_ID_CHARS, &ok),
                          .replaces = text_member(body, "replaces", 64, &ok)};
    d->label_id = text_member(body, "label_id", 64, &ok);
    d->choice = ledger_choice_parse(text_member(body, "choice", 8, &ok));
    const json_value *familiar = member(body, "familiar", JSON_BOOL, &ok);
    d->unfamiliar = familiar && !familiar->boolean;
    d->note = text_member(body, "note", MAX_NOTE_BYTES, &ok);
    if (eh_str_is_blank(d->note)) d->note = (eh_str){NULL, 0};
    d->client_seq = count_member(body, "seq", &ok);
    d->instructions = text_member(body, "instructions", 64, &ok);
    d->view = text_member(body, "view", 16, &ok);
    d->width = text_member(body, "width", 16, &ok);
    d->visible_ms = count_member(body, "visible_ms", &ok);
    d->depth_a = share_member(body, "depth_a", &ok);
    d->depth_b = share_member(body, "depth_b", &ok);
    if (ok && label->item.len && d->choice && is_client_id(d->label_id)) return true;
    serve_error(out, 400, "bad_label", "The label lacks a field or has a wrong one.");
    return false;
}

static void put_taken(server *s, int64_t annotator_row, const char *error,
                      const ledger_decision *kept, serve_response *out) {
    eh_error err;
    json_writer w;
    json_writer_init(&w, &out->body, 0);
    json_object_begin(&w);
    if (error) {
        json_put_cstr(&w, "error", error);
    }
    json_key(&w, "kept");
    json_object_begin(&w);
    api_put_decision(kept, &w);
    json_object_end(&w);
    eh_status status = EH_STATUS_OK;
    if (annotator_row != desk_owner_row(s->desk))
        status = put_progress(s, annotator_row, &w, &err);
    json_object_end(&w);
    if (status != EH_STATUS_OK) serve_failed(out, &err);
}

void api_take_label(server *s, int64_t annotator_row, const desk_label *label,
                    serve_response *out) {
    desk_outcome outcome;
    ledger_decision kept;
    eh_error err;
    eh_status status =
        desk_decide(s->desk, annotator_row, label, &s->arena, &outcome, &kept, &err);
    if (status != EH_STATUS_OK) {
        serve_failed(out, &err);
        return;
    }
    switch (outcome) {
    case DESK_SAVED:
    case DESK_REPEATED: put_taken(s, annotator_row, NULL, &kept, out); break;
    case DESK_CONFLICT:
        out->status = 409;
        put_taken(s, annotator_row, "already_labelled", &kept, out);
        break;
    case DESK_REUSED:
        serve_error(out, 409, "label_id_used", "That label_id is of another label.");
        break;
    case DESK_UNKNOWN:
        serve_error(out, 404, "unknown_item", "There is no such pair for you.");
        break;
    }
}

/* ---- dispatch ---- */

static eh_status answer_get(server *s, const serve_request *r, int64_t annotator_row,
                            serve_response *out, eh_error *err) {
    static const char one_item[] = "/api/item/";
    json_writer w;
    json_writer_init(&w, &out->body, 0);
    if (eh_str_eq_cstr(r->path, "/api/state"))
        return answer_state(s, annotator_row, &w, err);
    if (eh_str_eq_cstr(r->path, "/api/items"))
        return answer_items(s, r, annotator_row, &w, err);
    if (eh_str_eq_cstr(r->path, "/api/history"))
        return answer_history(s, r, annotator_row, &w, err);
    if (eh_str_begins(r->path, eh_str_of(one_item)))
        return answer_item(s, eh_str_slice(r->path, sizeof one_item - 1, r->path.len),
                           annotator_row, out, &w, err);
    serve_error(out, 404, "unknown_path", "There is nothing here.");
    return EH_STATUS_OK;
}

bool api_annotator(server *s, const serve_request *r, int64_t annotator_row,
                   serve_response *out) {
    eh_error err;
    desk_label label;
    if (!eh_str_begins(r->path, EH_STR("/api/"))) return false;
    if (r->method == SERVE_POST) {
        if (!eh_str_eq_cstr(r->path, "/api/label"))
            serve_error(out, 404, "unknown_path", "There is nothing here.");
        else if (api_read_label(s, r, &label, out))
            api_take_label(s, annotator_row, &label, out);
        return true;
    }
    if (answer_get(s, r, annotator_row, out, &err) != EH_STATUS_OK)
        serve_failed(out, &err);
    return true;
}
