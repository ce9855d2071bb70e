/* SPDX-License-Identifier: MIT
 *
 * Lists of messages, as in preference data: [{"role": "user", "content": "..."}, ...].
 */
#ifndef EH_DATASET_MESSAGES_H
#define EH_DATASET_MESSAGES_H

#include "dataset/fields.h"

/* A list of objects that have a role and a content, both strings; perhaps empty. */
bool messages_are_valid(const json_value *list);

/* A question and its answers, before and after. */
typedef struct dialogue {
    field_speech question, answer_1, answer_2; /* valid lists, or texts, or neither */
    const json_value *turns;                   /* before the question: first ... */
    size_t n_turns;                            /* ... and how many follow it */
} dialogue;

/* Turns lists into texts: the last message of an answer is the answer, what stands
 * before it ends in the question, and what stands before that are the turns. Returns
 * NULL, or what is wrong, with *kind and *field set. */
const char *messages_resolve(dialogue *d, dataset_fault_kind *kind, const char **field);

#endif
