/* SPDX-License-Identifier: MIT
 *
 * From a reply to what can be used of it.
 *
 *   questions   each is looked at alone; a reply may give some of those wanted
 *   answer      plain text, in English, within the limit of words, not the other answer
 *   change      the whole answer, held against the original (kind.h); where one was
 *               asked for, a list of changes as long as it may be
 *
 * A limit of words is passed by a tenth at most: people count words in more than one
 * way.
 *
 * Left out: whether a question is of its level and an answer true. A person has to
 * look.
 */
#include "alter/parts.h"
#include "alter/read.h"

#include "alter/tongue.h"

enum { QUESTION_WORDS = 60 };

static eh_status count_words(eh_str text, eh_arena *arena, size_t *n, eh_error *err) {
    alter_tokens tokens;
    EH_TRY(alter_tokens_read(text, arena, &tokens, err));
    *n = tokens.n_words;
    return EH_STATUS_OK;
}

/* Prompts are in English, and so is what answers them. */
static bool is_foreign(eh_str text) {
    alter_tongue english = alter_tongue_of(
        EH_STR("This is the language in which all of the questions that are asked here "
               "have to be written, and it is not another one."));
    return alter_tongue_differs(english, alter_tongue_of(text));
}

/* ---- questions ---- */

/* Same words in the same order, whatever their case and the marks between them. */
static eh_status is_same(eh_str a, eh_str b, eh_arena *arena, bool *same,
                         eh_error *err) {
    alter_tokens x, y;
    size_t i = 0, k = 0;
    EH_TRY(alter_tokens_read(a, arena, &x, err));
    EH_TRY(alter_tokens_read(b, arena, &y, err));
    for (;; i++, k++) {
        while (i < x.n && x.list[i].kind != ALTER_TOKEN_WORD)
            i++;
        while (k < y.n && y.list[k].kind != ALTER_TOKEN_WORD)
            k++;
        *same = i == x.n && k == y.n;
        if (i == x.n || k == y.n || x.list[i].fold != y.list[k].fold)
            return EH_STATUS_OK;
    }
}

static eh_status is_among(eh_str text, const eh_str *known, size_t n, eh_arena *arena,
                          bool *same, eh_error *err) {
    *same = false;
    for (size_t i = 0; i < n && !*same; i++)
        EH_TRY(is_same(text, known[i], arena, same, err));
    return EH_STATUS_OK;
}

static eh_status look_at_question(eh_str text, const alter_context *context,
                                  eh_arena *arena, alter_found *f, eh_error *err) {
    size_t n_words;
    bool same, again, is_refusal;
    EH_TRY(count_words(text, arena, &n_words, err));
    EH_TRY(is_among(text, context->known, context->n_known, arena, &same, err));
    EH_TRY(is_among(text, f->questions, f->n_questions, arena, &again, err));
    EH_TRY(alter_is_refusal(text, arena, &is_refusal, err));
    audit_reject why = n_words == 0               ? AUDIT_REJECT_EMPTY
                       : is_refusal               ? AUDIT_REJECT_REFUSED
                       : same || again            ? AUDIT_REJECT_SAME_QUESTION
                       : n_words > QUESTION_WORDS ? AUDIT_REJECT_TOO_LONG
                       : is_foreign(text)         ? AUDIT_REJECT_OTHER_LANGUAGE
                       : alter_is_rich(text)      ? AUDIT_REJECT_RICH_TEXT
                                                  : AUDIT_REJECT_NONE;
    if (why)
        f->refused[f->n_refused++] = why;
    else
        f->questions[f->n_questions++] = text;
    return EH_STATUS_OK;
}

/* ---- answers ---- */

static eh_status look_at_answer(const alter_asked *asked, const alter_context *context,
                                eh_arena *arena, alter_found *f, eh_error *err) {
    size_t n_words;
    bool is_refusal, same = false;
    EH_TRY(count_words(f->text, arena, &n_words, err));
    EH_TRY(alter_is_refusal(f->text, arena, &is_refusal, err));
    if (context->other.len) EH_TRY(is_same(f->text, context->other, arena, &same, err));
    bool is_long = n_words > (size_t)(asked->max_words + asked->max_words / 10);
    f->reject = n_words == 0             ? AUDIT_REJECT_EMPTY
                : is_refusal             ? AUDIT_REJECT_REFUSED
                : is_foreign(f->text)    ? AUDIT_REJECT_OTHER_LANGUAGE
                : is_long                ? AUDIT_REJECT_TOO_LONG
                : alter_is_rich(f->text) ? AUDIT_REJECT_RICH_TEXT
                : same                   ? AUDIT_REJECT_SAME_ANSWER
                                         : AUDIT_REJECT_NONE;
    return EH_STATUS_OK;
}

/* ---- changes ---- */

static eh_status look_at_change(const alter_asked *asked, eh_arena *arena,
                                alter_found *f, eh_error *err) {
    bool is_refusal, was_refusal;
    const alter_probe *p = asked->probe;
    int n_lines = alter_count_lines(f->changes);
    EH_TRY(alter_is_refusal(f->text, arena, &is_refusal, err));
    EH_TRY(alter_is_refusal(asked->answer, arena, &was_refusal, err));
    EH_TRY(alter_check(p, asked->answer, f->text, arena, &f->made, err));
    f->reject = is_refusal && !was_refusal ? AUDIT_REJECT_REFUSED
                : f->made.change.reject    ? f->made.change.reject
                : n_lines < p->fewest_listed || n_lines > p->most_listed
                    ? AUDIT_REJECT_BAD_LIST
                    : AUDIT_REJECT_NONE;
    return EH_STATUS_OK;
}

eh_status alter_take(const alter_asked *asked, eh_str tag, const alter_context *context,
                     eh_str content, eh_arena *arena, alter_found *f, eh_error *err) {
    bool asks_questions = asked->step == ALTER_QUESTIONS;
    alter_want wants[] = {{"answer", 1, 1}, {"changes", 1, 1}};
    if (asks_questions) wants[0] = (alter_want){"question", 1, ALTER_BLOCKS_MAX};
    if (asks_questions && asked->n_questions < ALTER_BLOCKS_MAX)
        wants[0].max = (size_t)asked->n_questions;
    size_t n_wants = asked->step == ALTER_CHANGE && asked->probe->most_listed ? 2 : 1;
    alter_reply *r = arena_zalloc(arena, 1, sizeof *r);
    if (!r) return EH_NOMEM(err);
    *f = (alter_found){0};
    EH_TRY(alter_reply_read(content, tag, wants, n_wants, arena, r, err));
    f->reject = r->reject;
    f->n_trimmed_bytes = r->n_trimmed_bytes;
    if (context->is_cut && f->reject) f->reject = AUDIT_REJECT_CUT_OFF;
    if (f->reject) return EH_STATUS_OK;
    if (asks_questions) {
        for (size_t i = 0; i < r->n[0]; i++)
            EH_TRY(look_at_question(r->blocks[0][i], context, arena, f, err));
        return EH_STATUS_OK;
    }
    f->text = r->blocks[0][0];
    if (n_wants == 2) f->changes = r->blocks[1][0];
    return asked->step == ALTER_ANSWER ? look_at_answer(asked, context, arena, f, err)
                                       : look_at_change(asked, arena, f, err);
}
