/* SPDX-License-Identifier: MIT
 *
 * The steps, one behind the other. Each is a list of independent tasks for the asker;
 * what a step makes is what the next one asks about.
 *
 *   questions   one task a level: samples until there are enough of them
 *   answer 1    one task a question, samples 0, 2, 4 ...
 *   answer 2    the same prompts, samples 1, 3, 5 ...; it must not be answer 1
 *   changes     one task a pair and probe; which answer is changed is drawn by the seed
 *               from the texts, half of the pairs each
 *
 * Everything is computed anew at each start, out of the replies in the ledger and the
 * marks in the review files, so there is no other state that could be lost.
 */
#include "generate/work.h"

#include <ctype.h>
#include <stdio.h>

enum { TAKE_BYTES = 256 << 20 };

generate_funnel_row *generate_row_of(generate_work *w, int step) {
    generate_funnel_row *row = &w->result->funnel.rows[step];
    row->is_used = true;
    return row;
}

/* What one task is about, beside the task. */
typedef struct step_item {
    size_t index;      /* of the pair or change; of questions, the level */
    eh_str *questions; /* of a level so far, [n_questions] */
    size_t n_questions;
} step_item;

typedef struct step {
    generate_work *w;
    int row;
    int answer; /* 0 or 1 */
    generate_task *tasks;
    step_item *items; /* [n], by task */
    size_t n;
} step;

static eh_status begin_step(generate_work *w, int row, size_t n, step *s,
                            eh_error *err) {
    *s = (step){.w = w, .row = row, .n = n};
    (void)generate_row_of(w, row);
    s->tasks = arena_zalloc(&w->arena, n ? n : 1, sizeof *s->tasks);
    s->items = arena_zalloc(&w->arena, n ? n : 1, sizeof *s->items);
    return s->tasks && s->items ? EH_STATUS_OK : EH_NOMEM(err);
}

/* Reads the reply and counts it. */
static eh_status read_reply(step *s, generate_task *t, alter_context *context,
                            const generate_reply *reply, alter_found *found,
                            eh_error *err) {
    generate_funnel_row *row = generate_row_of(s->w, s->row);
    arena_reset(&s->w->scratch);
    context->is_cut = reply->is_cut;
    EH_TRY(alter_take(&t->asked, t->prompt.tag, context, reply->content, &s->w->scratch,
                      found, err));
    row->n_replies++;
    row->n_refused[found->reject] += found->reject != AUDIT_REJECT_NONE;
    for (size_t i = 0; i < found->n_refused; i++)
        row->n_refused[found->refused[i]]++;
    return EH_STATUS_OK;
}

static eh_status keep(generate_work *w, eh_str text, eh_str *copy, eh_error *err) {
    return arena_copy(&w->arena, text, copy) ? EH_STATUS_OK : EH_NOMEM(err);
}

static step_item *item_of(step *s, const generate_task *t) {
    return &s->items[t - s->tasks];
}

/* ---- questions ---- */

static eh_status take_questions(void *self, generate_task *t,
                                const generate_reply *reply, bool *again,
                                eh_error *err) {
    step *s = self;
    step_item *item = item_of(s, t);
    alter_found found;
    alter_context context = {.known = item->questions, .n_known = item->n_questions};
    EH_TRY(read_reply(s, t, &context, reply, &found, err));
    for (size_t i = 0; found.reject == AUDIT_REJECT_NONE && i < found.n_questions; i++)
        if (item->n_questions < (size_t)s->w->o->n_per_level)
            EH_TRY(keep(s->w, found.questions[i], &item->questions[item->n_questions++],
                        err));
    *again = item->n_questions < (size_t)s->w->o->n_per_level;
    return EH_STATUS_OK;
}

/* What the prompt of an answer adds to the question, for people and other tools; judges
 * see the short question. */
static eh_status put_question(generate_work *w, alter_level level, size_t number,
                              eh_str text, eh_error *err) {
    char name[24];
    size_t n = 0;
    for (const char *c = alter_level_name(level); *c && n < sizeof name - 1; c++)
        name[n++] = (char)tolower((unsigned char)*c);
    name[n] = '\0';
    w->pairs =
        arena_grow(&w->arena, w->pairs, w->n_pairs, &w->pairs_cap, sizeof *w->pairs);
    char *id = arena_printf(&w->arena, "%s-%02zu", name, number);
    char *whole =
        arena_printf(&w->arena, "%.*s Answer in plain text, in at most %d words.",
                     EH_STR_ARG(text), w->o->max_words);
    if (!w->pairs || !id || !whole) return EH_NOMEM(err);
    eh_str model = w->o->run.setup.j->model;
    w->pairs[w->n_pairs++] =
        (generate_pair){.id = eh_str_of(id),
                        .question = eh_str_of(whole),
                        .short_question = text,
                        .category = eh_str_of(alter_level_name(level)),
                        .models = {model, model},
                        .level = level};
    return EH_STATUS_OK;
}

static eh_status make_questions(generate_work *w, eh_error *err) {
    step s;
    EH_TRY(begin_step(w, GENERATE_QUESTIONS, ALTER_LEVEL_N, &s, err));
    generate_funnel_row *row = generate_row_of(w, GENERATE_QUESTIONS);
    for (size_t i = 0; i < s.n; i++) {
        s.tasks[i].asked = (alter_asked){.step = ALTER_QUESTIONS,
                                         .level = (alter_level)i,
                                         .n_questions = w->o->n_per_level};
        s.tasks[i].sample_step = 1;
        s.items[i].questions = arena_zalloc(&w->arena, (size_t)w->o->n_per_level,
                                            sizeof *s.items[i].questions);
        if (!s.items[i].questions) return EH_NOMEM(err);
        EH_TRY(
            alter_prompt_make(&s.tasks[i].asked, &w->arena, &s.tasks[i].prompt, err));
    }
    EH_TRY(generate_ask(&w->asker, s.tasks, s.n, take_questions, &s, err));
    for (size_t i = 0; i < s.n; i++) {
        row->n_wanted += w->o->n_per_level;
        row->n_accepted += (int64_t)s.items[i].n_questions;
        for (size_t k = 0; k < s.items[i].n_questions; k++)
            EH_TRY(
                put_question(w, (alter_level)i, k + 1, s.items[i].questions[k], err));
    }
    if (w->asker.end == RUN_END_DONE && !w->o->dry)
        row->n_given_up = row->n_wanted - row->n_accepted;
    return EH_STATUS_OK;
}

/* ---- answers ---- */

static eh_status take_answer(void *self, generate_task *t, const generate_reply *reply,
                             bool *again, eh_error *err) {
    step *s = self;
    generate_pair *p = &s->w->pairs[item_of(s, t)->index];
    alter_context context = {.other = s->answer ? p->answers[0] : EH_STR("")};
    alter_found found;
    EH_TRY(read_reply(s, t, &context, reply, &found, err));
    *again = found.reject != AUDIT_REJECT_NONE;
    if (*again) return EH_STATUS_OK;
    generate_row_of(s->w, GENERATE_ANSWERS)->n_trimmed += found.n_trimmed_bytes > 0;
    return keep(s->w, found.text, &p->answers[s->answer], err);
}

static eh_status make_answers(generate_work *w, int answer, eh_error *err) {
    step s;
    size_t n = 0;
    for (size_t i = 0; i < w->n_pairs; i++)
        n += !w->pairs[i].is_out;
    EH_TRY(begin_step(w, GENERATE_ANSWERS, n, &s, err));
    s.answer = answer;
    n = 0;
    for (size_t i = 0; i < w->n_pairs; i++) {
        generate_pair *p = &w->pairs[i];
        if (p->is_out) continue;
        generate_task *t = &s.tasks[n];
        t->asked = (alter_asked){.step = ALTER_ANSWER,
                                 .level = p->level,
                                 .max_words = w->o->max_words,
                                 .question = p->short_question};
        t->first_sample = answer;
        t->sample_step = 2;
        s.items[n++].index = i;
        EH_TRY(alter_prompt_make(&t->asked, &w->arena, &t->prompt, err));
    }
    EH_TRY(generate_ask(&w->asker, s.tasks, s.n, take_answer, &s, err));
    for (size_t i = 0; i < w->n_pairs; i++)
        w->pairs[i].is_out |= !w->pairs[i].answers[answer].len;
    return EH_STATUS_OK;
}

static eh_status make_both_answers(generate_work *w, eh_error *err) {
    generate_funnel_row *row = generate_row_of(w, GENERATE_ANSWERS);
    for (size_t i = 0; i < w->n_pairs; i++)
        row->n_wanted += !w->pairs[i].is_out;
    EH_TRY(make_answers(w, 0, err));
    if (generate_is_stopped(w)) return EH_STATUS_OK;
    EH_TRY(make_answers(w, 1, err));
    for (size_t i = 0; i < w->n_pairs; i++)
        row->n_accepted += !w->pairs[i].is_out;
    if (w->asker.end == RUN_END_DONE && !w->o->dry)
        row->n_given_up = row->n_wanted - row->n_accepted;
    return EH_STATUS_OK;
}

/* ---- changes ---- */

static eh_str asked_question(const generate_pair *p) {
    return p->short_question.len ? p->short_question : p->question;
}

static eh_status keep_edits(generate_work *w, const audit_change *made,
                            generate_change *c, eh_error *err) {
    c->n_edits = made->n_edits;
    c->edits = arena_zalloc(&w->arena, c->n_edits + 1, sizeof *c->edits);
    if (!c->edits) return EH_NOMEM(err);
    for (size_t i = 0; i < c->n_edits; i++) {
        c->edits[i] = made->edits[i];
        EH_TRY(keep(w, made->edits[i].inserted, &c->edits[i].inserted, err));
    }
    return EH_STATUS_OK;
}

static eh_status take_change(void *self, generate_task *t, const generate_reply *reply,
                             bool *again, eh_error *err) {
    step *s = self;
    generate_change *c = &s->w->changes[item_of(s, t)->index];
    alter_context none = {0};
    alter_found found;
    s->row = GENERATE_CHANGES + (int)c->probe;
    EH_TRY(read_reply(s, t, &none, reply, &found, err));
    *again = found.reject != AUDIT_REJECT_NONE;
    if (*again) return EH_STATUS_OK;
    c->is_there = true;
    c->n_words = found.made.n_words;
    c->n_removed = found.made.n_removed;
    c->n_inserted = found.made.n_inserted;
    generate_row_of(s->w, s->row)->n_accepted++;
    generate_row_of(s->w, s->row)->n_trimmed += found.n_trimmed_bytes > 0;
    EH_TRY(keep(s->w, found.text, &c->text, err));
    EH_TRY(keep(s->w, found.changes, &c->changes, err));
    return keep_edits(s->w, &found.made.change, c, err);
}

static eh_status want_change(generate_work *w, size_t pair, size_t probe,
                             generate_task *t, eh_error *err) {
    const generate_pair *p = &w->pairs[pair];
    eh_str question = asked_question(p);
    generate_change *c = &w->changes[w->n_changes++];
    char *id = arena_printf(&w->arena, "%.*s-%.*s", EH_STR_ARG(p->id),
                            EH_STR_ARG(w->o->probes[probe].name));
    if (!id) return EH_NOMEM(err);
    *c = (generate_change){
        .id = eh_str_of(id),
        .pair = pair,
        .probe = probe,
        .side = audit_side(w->o->seed, question, p->answers[0], p->answers[1])};
    t->asked = (alter_asked){.step = ALTER_CHANGE,
                             .probe = &w->o->probes[probe],
                             .question = question,
                             .answer = p->answers[c->side - 1]};
    t->sample_step = 1;
    generate_row_of(w, GENERATE_CHANGES + (int)probe)->n_wanted++;
    return alter_prompt_make(&t->asked, &w->arena, &t->prompt, err);
}

static eh_status make_changes(generate_work *w, eh_error *err) {
    step s;
    size_t n = 0;
    EH_TRY(begin_step(w, GENERATE_ANSWERS, w->n_pairs * w->o->n_probes, &s, err));
    w->changes = arena_zalloc(&w->arena, s.n + 1, sizeof *w->changes);
    if (!w->changes) return EH_NOMEM(err);
    for (size_t k = 0; k < w->o->n_probes; k++)
        for (size_t i = 0; i < w->n_pairs; i++) {
            if (w->pairs[i].is_out || eh_str_is_blank(w->pairs[i].answers[0]) ||
                eh_str_is_blank(w->pairs[i].answers[1]))
                continue;
            s.items[n].index = n;
            EH_TRY(want_change(w, i, k, &s.tasks[n++], err));
        }
    EH_TRY(generate_ask(&w->asker, s.tasks, n, take_change, &s, err));
    for (size_t k = 0; k < w->o->n_probes && w->asker.end == RUN_END_DONE; k++) {
        generate_funnel_row *row = &w->result->funnel.rows[GENERATE_CHANGES + k];
        if (!w->o->dry) row->n_given_up = row->n_wanted - row->n_accepted;
    }
    return EH_STATUS_OK;
}

/* ---- all of it ---- */

/* Dry: the calls of later steps for n pairs, if first replies are good; of the pairs'
 * own calls so many are answered or counted already. */
static void count_later(generate_work *w, int64_t n, int64_t n_counted) {
    int64_t n_later = n * (2 + (int64_t)w->o->n_probes) - n_counted;
    w->result->n_later = n_later > 0 ? n_later : 0;
}

static eh_status make_pairs(generate_work *w, eh_error *err) {
    if (w->o->data) return generate_read_data(w, err);
    EH_TRY(make_questions(w, err));
    if (generate_is_stopped(w)) return EH_STATUS_OK;
    if (w->asker.counts.n_open) {
        count_later(w, ALTER_LEVEL_N * (int64_t)w->o->n_per_level, 0);
        return EH_STATUS_OK;
    }
    int64_t n_before = w->asker.counts.n_kept;
    EH_TRY(generate_review_questions(w, err));
    if (generate_is_stopped(w)) return EH_STATUS_OK;
    EH_TRY(make_both_answers(w, err));
    if (generate_is_stopped(w)) return EH_STATUS_OK;
    if (w->asker.counts.n_open) {
        count_later(w, generate_row_of(w, GENERATE_ANSWERS)->n_wanted,
                    w->asker.counts.n_kept - n_before + w->asker.counts.n_open);
        return EH_STATUS_OK;
    }
    return generate_review_answers(w, err);
}

static eh_status work(generate_work *w, eh_error *err) {
    EH_TRY(make_pairs(w, err));
    if (generate_is_stopped(w) || w->asker.counts.n_open) return EH_STATUS_OK;
    EH_TRY(make_changes(w, err));
    if (generate_is_stopped(w) || w->o->dry) return EH_STATUS_OK;
    EH_TRY(generate_review_changes(w, err));
    if (generate_is_stopped(w)) return EH_STATUS_OK;
    EH_TRY(generate_write_files(w, err));
    w->result->is_complete = w->asker.counts.n_no_result == 0;
    return EH_STATUS_OK;
}

eh_status generate_run(const generate_options *options, generate_result *result,
                       eh_error *err) {
    generate_work w = {.o = options,
                       .result = result,
                       .asker = {.o = &options->run,
                                 .l = options->l,
                                 .dry = options->dry,
                                 .tries = options->tries}};
    *result = (generate_result){.funnel = {.probes = options->probes,
                                           .n_probes = options->n_probes,
                                           .model = options->run.setup.j->id}};
    arena_init(&w.arena, BUF_MAX_REPORT);
    arena_init(&w.scratch, TAKE_BYTES);
    eh_status status = generate_asker_open(&w.asker, err);
    if (status == EH_STATUS_OK) status = work(&w, err);
    result->counts = w.asker.counts;
    result->end = w.asker.end;
    (void)snprintf(result->stop_message, sizeof result->stop_message, "%s",
                   w.asker.stop_message);
    eh_status closed =
        generate_asker_close(&w.asker, status == EH_STATUS_OK ? err : NULL);
    if (status == EH_STATUS_OK) status = closed;
    arena_deinit(&w.scratch);
    arena_deinit(&w.arena);
    return status;
}
