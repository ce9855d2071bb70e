/* SPDX-License-Identifier: MIT
 *
 * One reply as the pages show it: verdict, scores, tokens, the key of its call; with
 * texts also what was said.
 */
#include <math.h>

#include "page/file.h"

enum { KEY_BYTES = 8 /* of a call's key: enough to find it by */ };

void page_json_put(json_writer *w, const char *key, eh_str value) {
    if (eh_str_is_absent(value)) return;
    json_put_str(w, key, value);
}

void page_answer_json(const ledger_answer *a, const page_answer *how, json_writer *w) {
    char hex[2 * KEY_BYTES + 1];
    const plan_sample *s = &a->sample;
    hash_hex(a->key, KEY_BYTES, hex);
    json_object_begin(w);
    json_put_cstr(w, "order", eh_order_name(s->order));
    json_put_i64(w, "sample", s->sample);
    if (s->stage_code) {
        json_put_i64(w, "stage", how->stage);
    }
    page_json_put(w, "verdict", eh_str_of(eh_verdict_name(s->verdict)));
    if (s->verdict == EH_VERDICT_NONE)
        page_json_put(w, "reason", eh_str_of(verdict_reason_name(s->reason)));
    if (s->has_scores) {
        json_key(w, "scores");
        json_array_begin(w);
        json_f64(w, s->score_1);
        json_f64(w, s->score_2);
        json_array_end(w);
    }
    if (s->has_rating) {
        json_put_i64(w, "rating", s->signed_rating);
    }
    if (a->prompt_tokens >= 0 || a->completion_tokens >= 0) {
        json_key(w, "tokens");
        json_array_begin(w);
        json_f64(w, a->prompt_tokens < 0 ? NAN : (double)a->prompt_tokens);
        json_f64(w, a->completion_tokens < 0 ? NAN : (double)a->completion_tokens);
        json_array_end(w);
    }
    json_put_cstr(w, "call", hex);
    page_json_put(w, "model", a->model);
    page_json_put(w, "finish", a->finish_reason);
    if (how->texts) {
        page_json_put(w, "reply", a->content);
        if (how->span_begin < how->span_end) {
            json_key(w, "span");
            json_array_begin(w);
            json_i64(w, (int64_t)how->span_begin);
            json_i64(w, (int64_t)how->span_end);
            json_array_end(w);
        }
        page_json_put(w, "reasoning", a->reasoning);
        page_json_put(w, "refusal", a->refusal);
    }
    json_object_end(w);
}
