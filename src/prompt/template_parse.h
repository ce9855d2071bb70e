/* SPDX-License-Identifier: MIT
 *
 * Private to prompt/: what the two parsing files of templates share.
 */
#ifndef EH_PROMPT_TEMPLATE_PARSE_H
#define EH_PROMPT_TEMPLATE_PARSE_H

#include "base/yaml_read.h"
#include "prompt/template.h"

/* Fills t->marks from the value of the key `marks`. */
eh_status template_marks_parse(yaml_source *src, const yaml_node_t *node,
                               prompt_template *t, eh_error *err);

#endif
