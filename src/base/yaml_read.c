/* SPDX-License-Identifier: MIT
 *
 * YAML documents with their lines.
 *
 * libyaml gives a tree of nodes that know where they began. It takes a key that stands
 * twice, keys that are lists, and several documents in one text; all three are mistakes
 * in the files that are read here and are told as such. An alias (*name) gives the node
 * it stands for, so a tree may share nodes, or even hold itself: readers go down a
 * fixed number of levels and never follow it for ever.
 *
 * Left out: types of plain scalars. 1, "1" and '1' are the same text, and whoever wants
 * a number reads one out of it.
 */
#include "base/yaml_read.h"

enum { QUOTE_MAX_BYTES = 60 };

static eh_status parser_fault(const yaml_parser_t *parser, const yaml_source *src,
                              eh_error *err) {
    if (parser->error == YAML_MEMORY_ERROR) return EH_NOMEM(err);
    return EH_FAIL(err, src->status, "%s: line %zu: %s", src->where,
                   parser->problem_mark.line + 1,
                   parser->problem ? parser->problem : "not valid YAML");
}

static eh_status check_end(yaml_parser_t *parser, const yaml_source *src,
                           eh_error *err) {
    yaml_document_t more;
    if (!yaml_parser_load(parser, &more)) return parser_fault(parser, src, err);
    bool has_more = yaml_document_get_root_node(&more) != NULL;
    size_t line = more.start_mark.line + 1;
    yaml_document_delete(&more);
    if (!has_more) return EH_STATUS_OK;
    return EH_FAIL(err, src->status,
                   "%s: line %zu: a second document begins here, and a file holds one",
                   src->where, line);
}

eh_status yaml_source_read(yaml_source *src, const char *where, eh_status status,
                           eh_str text, eh_error *err) {
    yaml_parser_t parser;
    *src = (yaml_source){.where = where, .status = status};
    if (!yaml_parser_initialize(&parser)) return EH_NOMEM(err);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.ptr, text.len);
    eh_status result = EH_STATUS_OK;
    if (!yaml_parser_load(&parser, &src->doc)) {
        result = parser_fault(&parser, src, err);
    } else {
        if (yaml_document_get_root_node(&src->doc))
            result = check_end(&parser, src, err);
        if (result != EH_STATUS_OK) yaml_document_delete(&src->doc);
    }
    yaml_parser_delete(&parser);
    return result;
}

void yaml_source_free(yaml_source *src) {
    yaml_document_delete(&src->doc);
}

const yaml_node_t *yaml_source_root(yaml_source *src) {
    return yaml_document_get_root_node(&src->doc);
}

eh_status yaml_source_fault(const yaml_source *src, const yaml_node_t *node,
                            eh_error *err, const char *what, eh_str value) {
    bool quotes = value.len > 0;
    if (value.len > QUOTE_MAX_BYTES) value.len = QUOTE_MAX_BYTES;
    return EH_FAIL(err, src->status, "%s: line %zu: %s%s%.*s%s", src->where,
                   node ? node->start_mark.line + 1 : 1, what, quotes ? " '" : "",
                   EH_STR_ARG(value), quotes ? "'" : "");
}

eh_str yaml_scalar(const yaml_node_t *node) {
    if (!node || node->type != YAML_SCALAR_NODE) return (eh_str){NULL, 0};
    return (eh_str){(const char *)node->data.scalar.value, node->data.scalar.length};
}

size_t yaml_n_items(const yaml_node_t *sequence) {
    if (!sequence || sequence->type != YAML_SEQUENCE_NODE) return 0;
    return (size_t)(sequence->data.sequence.items.top -
                    sequence->data.sequence.items.start);
}

const yaml_node_t *yaml_item(yaml_source *src, const yaml_node_t *sequence, size_t i) {
    if (i >= yaml_n_items(sequence)) return NULL;
    return yaml_document_get_node(&src->doc, sequence->data.sequence.items.start[i]);
}

size_t yaml_n_pairs(const yaml_node_t *mapping) {
    if (!mapping || mapping->type != YAML_MAPPING_NODE) return 0;
    return (size_t)(mapping->data.mapping.pairs.top -
                    mapping->data.mapping.pairs.start);
}

static bool is_repeated(yaml_source *src, const yaml_node_t *mapping,
                        const yaml_node_pair_t *pair, eh_str key) {
    const yaml_node_pair_t *other = mapping->data.mapping.pairs.start;
    for (; other < pair; other++)
        if (eh_str_eq(yaml_scalar(yaml_document_get_node(&src->doc, other->key)), key))
            return true;
    return false;
}

eh_status yaml_source_each(yaml_source *src, const yaml_node_t *mapping,
                           yaml_entry_fn *fn, void *self, eh_error *err) {
    const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
    for (; pair < mapping->data.mapping.pairs.top; pair++) {
        yaml_entry entry = {.key_node = yaml_document_get_node(&src->doc, pair->key),
                            .value = yaml_document_get_node(&src->doc, pair->value)};
        entry.key = yaml_scalar(entry.key_node);
        if (eh_str_is_absent(entry.key))
            return yaml_source_fault(src, entry.key_node, err, "a key must be a text",
                                     EH_STR(""));
        if (is_repeated(src, mapping, pair, entry.key))
            return yaml_source_fault(src, entry.key_node, err,
                                     "key given twice:", entry.key);
        EH_TRY(fn(self, src, &entry, err));
    }
    return EH_STATUS_OK;
}
