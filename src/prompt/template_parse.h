/* SPDX-License-Identifier: MIT
 *
 * Private to prompt/: what the two parsing files of templates share.
 */
#ifndef EH_PROMPT_TEMPLATE_PARSE_H
#define EH_PROMPT_TEMPLATE_PARSE_H

#include <yaml.h>

#include "prompt/template.h"

typedef struct template_source {
    const char *where; /* file name or "built-in template" */
    yaml_document_t doc;
} template_source;

/* DATA error "where: line n: what 'value'". */
eh_status template_fault(const template_source *src, const yaml_node_t *node,
                         eh_error *err, const char *what, eh_str value);

/* DATA error when an earlier pair of the mapping has the same key; libyaml keeps both.
 * Called before each pair is read, so that the keys before it are known ones and few.
 */
eh_status template_check_key(template_source *src, const yaml_node_t *mapping,
                             const yaml_node_pair_t *pair, eh_error *err);

/* A scalar's text, borrowed from the document; absent for other nodes. */
eh_str template_scalar(const yaml_node_t *node);

/* Fills t->marks from the value of the key `marks`. */
eh_status template_marks_parse(template_source *src, const yaml_node_t *node,
                               prompt_template *t, eh_error *err);

#endif
