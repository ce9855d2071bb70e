/* SPDX-License-Identifier: MIT
 *
 * Rendering in one pass over the template's segments.
 *
 *   segments   "Compare..." {{question}} "..." {{first}} {{second}} {{ask}}
 *                   |            |                |         |         |
 *   content    literal      block(question)   block(..)  block(..)  segments again,
 *                                                                   literals only
 *
 * The tag comes from hashing template and texts, with a counter that moves on in the
 * practically impossible case that a text already holds it; so "a tag that no text can
 * contain" is a fact and not a probability.
 *
 * Left out: cutting texts to a context limit. A prompt that does not fit is a failure
 * with a reason, never a silently shorter text.
 */
#include "prompt/render.h"

#include <stdio.h>

#include "base/hash.h"
#include "base/json_read.h"
#include "prompt/neutral.h"

enum { TAG_BYTES = 4, TAG_CHARS = 2 * TAG_BYTES };

typedef struct render {
    const prompt_template *t;
    const prompt_input *in;
    eh_arena *arena;
    const json_value *turns; /* of the conversation; NULL where there is none */
    char tag[TAG_CHARS + 1];
    int n_neutralised;
    bool no_memory;
} render;

/* The turns before the question. The data set's reader has checked the JSON. */
static void read_turns(render *r) {
    if (eh_str_is_blank(r->in->conversation_json)) return;
    json_reader *reader = json_reader_new();
    json_fault fault;
    r->turns =
        reader ? json_read(reader, r->arena, r->in->conversation_json, &fault) : NULL;
    json_reader_free(reader);
    r->no_memory = r->turns == NULL;
}

static bool holds_tag(const render *r, eh_str text) {
    return eh_str_find(text, eh_str_of(r->tag), 0) != SIZE_MAX;
}

/* Turns are searched as they are shown: JSON can spell a tag in escapes. */
static bool turns_hold_tag(const render *r) {
    const json_value *turn = r->turns ? r->turns->child : NULL;
    for (; turn; turn = turn->next)
        if (holds_tag(r, json_get_str(turn, "role")) ||
            holds_tag(r, json_get_str(turn, "content")))
            return true;
    return false;
}

static void make_tag(render *r) {
    const prompt_input *in = r->in;
    const eh_str texts[] = {in->question, in->conversation_json, in->first,
                            in->second,   in->reference,         in->category};
    for (int64_t round = 0;; round++) {
        eh_hash h;
        uint8_t digest[HASH_BYTES];
        memcpy(&h, r->t->tag_begin, sizeof h);
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
            hash_str(&h, texts[i]);
        hash_i64(&h, (int64_t)in->n_parts);
        hash_i64(&h, round);
        hash_done(&h, digest);
        hash_hex(digest, TAG_BYTES, r->tag);
        bool taken = turns_hold_tag(r);
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
            taken = taken || holds_tag(r, texts[i]);
        if (!taken) return;
    }
}

static void add_text(render *r, eh_buf *out, eh_str text) {
    int n = prompt_neutralise(text, r->t->form.marks, r->arena, out);
    if (n < 0)
        r->no_memory = true;
    else
        r->n_neutralised += n;
}

static void block_begin(render *r, eh_buf *out, eh_str name) {
    buf_printf(out, "<<<%.*s | %s>>>\n", EH_STR_ARG(name), r->tag);
}

static void block_end(render *r, eh_buf *out, eh_str name) {
    buf_printf(out, "\n<<<end of %.*s | %s>>>", EH_STR_ARG(name), r->tag);
}

static void add_block(render *r, eh_buf *out, eh_str name, eh_str text) {
    block_begin(r, out, name);
    add_text(r, out, text);
    block_end(r, out, name);
}

/* Each turn with its role; nothing where there are none. */
static void add_conversation(render *r, eh_buf *out) {
    if (!r->turns) return;
    eh_str name = EH_STR("conversation before the question");
    block_begin(r, out, name);
    for (const json_value *turn = r->turns->child; turn; turn = turn->next) {
        eh_str role = json_get_str(turn, "role");
        if (turn != r->turns->child) buf_add_cstr(out, "\n\n");
        add_text(r, out, role.len ? role : EH_STR("user"));
        buf_add_cstr(out, ": ");
        add_text(r, out, json_get_str(turn, "content"));
    }
    block_end(r, out, name);
}

static void add_part(render *r, eh_buf *out, eh_str answer_name, eh_str text,
                     size_t t) {
    char name[120];
    int len = snprintf(name, sizeof name, "%.*s, part %zu of %zu",
                       EH_STR_ARG(answer_name), t + 1, r->in->n_parts);
    add_block(r, out, (eh_str){name, (size_t)len}, text);
}

/* Both answers, part by part beside each other (Li et al. 2024). */
static void add_parts(render *r, eh_buf *out) {
    buf_printf(
        out,
        "Both answers are shown in %zu parts, each part of one beside the part of "
        "the other that it goes with. The parts of an answer, read one after the "
        "other, are the whole answer: judge the answers as wholes.\n\n",
        r->in->n_parts);
    for (size_t t = 0; t < r->in->n_parts; t++) {
        add_part(r, out, r->t->first_name, r->in->first_parts[t], t);
        buf_add_cstr(out, "\n\n");
        add_part(r, out, r->t->second_name, r->in->second_parts[t], t);
        if (t + 1 < r->in->n_parts) buf_add_cstr(out, "\n\n");
    }
}

static void add_body(render *r, eh_buf *out, const prompt_body *body) {
    const prompt_input *in = r->in;
    for (size_t i = 0; i < body->n_segments; i++) {
        const prompt_segment *s = &body->segments[i];
        switch (s->slot) {
        case PROMPT_SLOT_TEXT: buf_add_str(out, s->text); break;
        case PROMPT_SLOT_QUESTION:
            add_block(r, out, EH_STR("question"), in->question);
            break;
        case PROMPT_SLOT_CONVERSATION: add_conversation(r, out); break;
        case PROMPT_SLOT_FIRST:
            if (in->n_parts > 1)
                add_parts(r, out);
            else
                add_block(r, out, r->t->first_name, in->first);
            break;
        case PROMPT_SLOT_SECOND:
            if (in->n_parts <= 1) add_block(r, out, r->t->second_name, in->second);
            break;
        case PROMPT_SLOT_ANSWER: add_block(r, out, r->t->first_name, in->first); break;
        case PROMPT_SLOT_REFERENCE:
            if (!eh_str_is_blank(in->reference))
                add_block(r, out, EH_STR("reference answer"), in->reference);
            break;
        case PROMPT_SLOT_CATEGORY: add_text(r, out, in->category); break;
        case PROMPT_SLOT_ASK:
            add_body(r, out,
                     in->evidence_first ? &r->t->evidence_first : &r->t->verdict_first);
            break;
        case PROMPT_SLOT_N: break;
        }
    }
}

static eh_status add_message(render *r, const char *role, const prompt_body *body,
                             prompt_rendered *out, eh_error *err) {
    eh_buf text;
    buf_init(&text, BUF_MAX_PROMPT);
    add_body(r, &text, body);
    eh_status status = buf_check(&text, "a prompt", err);
    eh_str content = eh_str_trim(buf_view(&text));
    prompt_message *m = &out->messages[out->n_messages];
    if (status == EH_STATUS_OK &&
        (r->no_memory || !arena_copy(r->arena, content, &m->content)))
        status = EH_NOMEM(err);
    if (status == EH_STATUS_OK) {
        m->role = eh_str_of(role);
        out->n_messages++;
    }
    buf_deinit(&text);
    return status;
}

eh_status prompt_render(const prompt_template *t, const prompt_input *input,
                        eh_arena *arena, prompt_rendered *out, eh_error *err) {
    if (!t->can_ask)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "template '%.*s' has no prompt: it can only read replies",
                       EH_STR_ARG(t->name));
    render r = {.t = t, .in = input, .arena = arena};
    *out = (prompt_rendered){0};
    read_turns(&r);
    make_tag(&r);
    if (t->system.n_segments) EH_TRY(add_message(&r, "system", &t->system, out, err));
    EH_TRY(add_message(&r, "user", &t->user, out, err));
    out->n_neutralised = r.n_neutralised;
    return EH_STATUS_OK;
}
