/* SPDX-License-Identifier: MIT
 *
 * Texts that say who wrote them: a blind pair is not blind when an answer names a model
 * of the run.
 */
#ifndef EH_RUN_LEAK_H
#define EH_RUN_LEAK_H

#include "base/arena.h"
#include "ledger/ledger.h"

enum { RUN_LEAK_NAMES_MAX = 256 };

/* The words to look for; a plain value, the strings live in the arena. */
typedef struct run_leak {
    eh_str names[RUN_LEAK_NAMES_MAX]; /* lower case */
    size_t n;
} run_leak;

/* Adds a model's name and its family ("vicuna" of "vicuna-13b"); absent and known ones
 * add nothing, and past the maximum none is added. False when the arena is full. */
bool run_leak_add(run_leak *leak, eh_str model, eh_arena *arena);

/* Does the text hold one of the names as a word, or a phrase by which assistants speak
 * of themselves or of their server's faults? Case does not matter. */
bool run_leak_in(const run_leak *leak, eh_str text);

/* The same of what people and judges are shown of a pair. */
bool run_leak_in_pair(const run_leak *leak, const ledger_texts *texts);

#endif
