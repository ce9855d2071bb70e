/* SPDX-License-Identifier: MIT
 *
 * Reading YAML (libyaml): one document as a tree, with messages that name file and
 * line.
 *
 *   yaml_source src;
 *   EH_TRY(yaml_source_read(&src, "run.yaml", EH_STATUS_CONFIG, text, err));
 *   status = yaml_source_each(&src, yaml_source_root(&src), read_entry, self, err);
 *   yaml_source_free(&src);
 *
 * What a node means is the caller's business; that a mapping holds no key twice and
 * that its keys are texts is seen to here, since libyaml keeps whatever stands there.
 * Nodes and their texts live as long as the source.
 */
#ifndef EH_BASE_YAML_READ_H
#define EH_BASE_YAML_READ_H

#include <yaml.h>

#include "base/status.h"
#include "base/str.h"

typedef struct yaml_source {
    const char *where; /* the file's name or what stands for it; borrowed */
    eh_status status;  /* of whatever is wrong with the text */
    yaml_document_t doc;
} yaml_source;

/* Parses one document; a second one behind "---" is a fault, since it would be left out
 * without a word. `text` and `where` are borrowed until yaml_source_free. On failure
 * there is nothing to free. */
EH_MUST_USE eh_status yaml_source_read(yaml_source *src, const char *where,
                                       eh_status status, eh_str text, eh_error *err);
void yaml_source_free(yaml_source *src);

/* The root node; NULL where the document is empty. */
const yaml_node_t *yaml_source_root(yaml_source *src);

/* Fails with "where: line n: what 'value'"; without an empty or absent value. `node`
 * may be NULL: the first line. */
eh_status yaml_source_fault(const yaml_source *src, const yaml_node_t *node,
                            eh_error *err, const char *what, eh_str value);

/* A scalar's text, absent for other nodes and NULL. */
eh_str yaml_scalar(const yaml_node_t *node);

/* The elements of a sequence; 0 and NULL for other nodes. */
size_t yaml_n_items(const yaml_node_t *sequence);
const yaml_node_t *yaml_item(yaml_source *src, const yaml_node_t *sequence, size_t i);

/* The number of pairs of a mapping; 0 for other nodes. */
size_t yaml_n_pairs(const yaml_node_t *mapping);

/* A pair of a mapping. */
typedef struct yaml_entry {
    const yaml_node_t *key_node, *value;
    eh_str key;
} yaml_entry;

typedef eh_status yaml_entry_fn(void *self, yaml_source *src, const yaml_entry *entry,
                                eh_error *err);

/* Calls `fn` for every pair in the order of the text, until one fails. A key that is no
 * text or was given before is a fault at its line. Meant for mappings whose keys are
 * known ones and few: each is compared with those before it. `mapping` must be one. */
EH_MUST_USE eh_status yaml_source_each(yaml_source *src, const yaml_node_t *mapping,
                                       yaml_entry_fn *fn, void *self, eh_error *err);

#endif
