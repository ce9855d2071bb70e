/* SPDX-License-Identifier: MIT
 *
 * Families of models, by name alone: a judge and the models whose answers it judges may
 * be of one family, and a judge may like its own. Pure.
 */
#ifndef EH_AUDIT_FAMILY_H
#define EH_AUDIT_FAMILY_H

#include "base/str.h"

enum { AUDIT_FAMILY_MAX = 40 };

/* The family of a model in lower case: "gpt" for gpt-4o, chatgpt and o3-mini, "llama"
 * for meta-llama/Llama-3-8b, the letters that any other name begins with ("vicuna" for
 * vicuna-13b). A name that begins with a word that names anything ("model-a") is a
 * family of its own. False for a blank name: nothing is known of it. */
bool audit_family(eh_str model, char family[AUDIT_FAMILY_MAX + 1]);

/* Is it a word that names anything, such as "model" or "baseline"? */
bool audit_family_says_nothing(eh_str word);

/* The family of a judge by its id: that of the model in "openai:gpt-4o" or
 * "llama:FOLDER/FILE.gguf", and what a simulated judge was given as `family`. False for
 * judges that are no language model, and simulated ones without. */
bool audit_family_of_judge(eh_str judge_id, char family[AUDIT_FAMILY_MAX + 1]);

#endif
