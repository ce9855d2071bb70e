/* SPDX-License-Identifier: MIT
 *
 * Templates by name or from a user's file (src/prompt itself reads no files).
 */
#ifndef EH_RUN_TEMPLATE_FILE_H
#define EH_RUN_TEMPLATE_FILE_H

#include "prompt/template.h"

/* A built-in template by name, or a file: a name that holds a slash or ends in .yaml or
 * .yml. Errors name the file and its line. Freed with prompt_template_free. */
EH_MUST_USE eh_status run_template_load(const char *name_or_path, prompt_template **t,
                                        eh_error *err);

/* The same for asking: USAGE for one that only reads replies. */
EH_MUST_USE eh_status run_template_load_asking(const char *name_or_path,
                                               prompt_template **t, eh_error *err);

/* The built-in template that a method is asked with where none is named; `method` may
 * be NULL. */
const char *run_template_default(const char *method);

#endif
