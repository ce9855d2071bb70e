/* SPDX-License-Identifier: MIT
 *
 * What a model is asked to write: the prompts of prompts/, embedded at build, or a
 * user's own, with the texts in them. Pure.
 *
 * Questions are asked for by the six levels of the revised taxonomy of Bloom, as Chen
 * et al. 2024 (arXiv:2402.10669) do; the words of all prompts are ours.
 */
#ifndef EH_ALTER_PROMPT_H
#define EH_ALTER_PROMPT_H

#include "alter/probe.h"
#include "prompt/render.h"

/* X(id, name, what it means to do, how an answer of the level is written) */
#define ALTER_LEVEL_LIST(X)                                                            \
    X(REMEMBERING, "Remembering",                                                      \
      "recall a fact, a name, a rule or an order that was learnt",                     \
      "Say what is asked for, then explain it in a sentence or two.")                  \
    X(UNDERSTANDING, "Understanding",                                                  \
      "explain, summarise or restate an idea in one's own words",                      \
      "Explain the idea so that somebody who never heard of it can follow.")           \
    X(APPLYING, "Applying",                                                            \
      "use a known rule or procedure in a new and concrete case",                      \
      "Give the result, and the steps that lead to it.")                               \
    X(ANALYZING, "Analyzing",                                                          \
      "take something apart and show how its parts are related or differ",             \
      "Name the parts, and say how they hang together.")                               \
    X(EVALUATING, "Evaluating",                                                        \
      "judge something by reasons or criteria and defend the judgement",               \
      "Take a side or give the criteria, and say why.")                                \
    X(CREATING, "Creating",                                                            \
      "make something new: a plan, a design, a short text or a proposal",              \
      "Make what is asked for, complete and ready to use.")

typedef enum alter_level {
#define X(id, name, what, hint) ALTER_LEVEL_##id,
    ALTER_LEVEL_LIST(X)
#undef X
        ALTER_LEVEL_N
} alter_level;

const char *alter_level_name(alter_level level);

typedef enum alter_step { ALTER_QUESTIONS, ALTER_ANSWER, ALTER_CHANGE } alter_step;

typedef struct alter_asked {
    alter_step step;
    alter_level level;        /* QUESTIONS and ANSWER */
    const alter_probe *probe; /* CHANGE */
    int n_questions;          /* QUESTIONS */
    int max_words;            /* ANSWER */
    eh_str question;          /* ANSWER and CHANGE */
    eh_str answer;            /* CHANGE: the original */
} alter_asked;

typedef struct alter_prompt {
    prompt_message messages[2]; /* [n_messages] system, if there is one, and user */
    size_t n_messages;
    eh_str tag; /* of the blocks of the reply */
} alter_prompt;

/* Strings in `arena`. */
EH_MUST_USE eh_status alter_prompt_make(const alter_asked *asked, eh_arena *arena,
                                        alter_prompt *prompt, eh_error *err);

#endif
