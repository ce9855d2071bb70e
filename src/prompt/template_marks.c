/* SPDX-License-Identifier: MIT
 *
 * The `marks` block of a template: what a reader of recorded replies looks for.
 *
 *   marks:
 *     where: anywhere            anywhere, first_line or last_line
 *     pick: only                 only, first or last (for anywhere)
 *     scores: [1, 10]            two numbers on the line instead of marks
 *     tiers:                     the first tier with a mark in the text decides
 *       - {first: ["[[A]]"], second: ["[[B]]"], tie: ["[[C]]"]}
 *
 * Keys of a tier: first_much, first, tie, second, second_much; each a list of texts.
 */
#include "prompt/template_parse.h"

typedef struct marks_parse {
    template_source *src;
    prompt_template *t;
    eh_error *err;
} marks_parse;

static size_t n_items(const yaml_node_t *seq) {
    return (size_t)(seq->data.sequence.items.top - seq->data.sequence.items.start);
}

static const yaml_node_t *item(marks_parse *p, const yaml_node_t *seq, size_t i) {
    return yaml_document_get_node(&p->src->doc, seq->data.sequence.items.start[i]);
}

/* The index of a scalar in a list of words; n when it is none of them. */
static size_t word_index(eh_str word, const char *const *words, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (eh_str_eq_cstr(word, words[i])) return i;
    return n;
}

static eh_status parse_scores(marks_parse *p, const yaml_node_t *node) {
    verdict_marks *m = &p->t->marks;
    if (node->type != YAML_SEQUENCE_NODE || n_items(node) != 2 ||
        !eh_str_to_f64(template_scalar(item(p, node, 0)), &m->score_low) ||
        !eh_str_to_f64(template_scalar(item(p, node, 1)), &m->score_high) ||
        m->score_low >= m->score_high)
        return template_fault(p->src, node, p->err, "scores must be [low, high]",
                              EH_STR(""));
    m->has_scores = true;
    return EH_STATUS_OK;
}

static eh_status parse_tier_key(marks_parse *p, const yaml_node_t *key,
                                const yaml_node_t *list, verdict_mark *marks,
                                size_t *n) {
    static const char *const keys[] = {"first_much", "first", "tie", "second",
                                       "second_much"};
    size_t kind = word_index(template_scalar(key), keys, 5);
    if (kind == 5)
        return template_fault(p->src, key, p->err, "unknown key of a tier",
                              template_scalar(key));
    if (list->type != YAML_SEQUENCE_NODE || n_items(list) == 0)
        return template_fault(p->src, list, p->err, "a list of marks is needed",
                              EH_STR(""));
    for (size_t i = 0; i < n_items(list); i++) {
        eh_str text = template_scalar(item(p, list, i));
        if (eh_str_is_blank(text))
            return template_fault(p->src, list, p->err, "a mark is empty or no text",
                                  EH_STR(""));
        if (!arena_copy(&p->t->arena, text, &marks[*n].text)) return EH_NOMEM(p->err);
        marks[(*n)++].key = (verdict_mark_key)kind;
    }
    return EH_STATUS_OK;
}

static eh_status parse_tier(marks_parse *p, const yaml_node_t *node,
                            verdict_tier *tier) {
    if (node->type != YAML_MAPPING_NODE)
        return template_fault(p->src, node, p->err, "a tier is a mapping", EH_STR(""));
    size_t n_max = 0;
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        const yaml_node_t *list = yaml_document_get_node(&p->src->doc, pair->value);
        if (list->type == YAML_SEQUENCE_NODE) n_max += n_items(list);
    }
    verdict_mark *marks = arena_zalloc(&p->t->arena, n_max + 1, sizeof *marks);
    if (!marks) return EH_NOMEM(p->err);
    size_t n = 0;
    for (pair = node->data.mapping.pairs.start; pair < node->data.mapping.pairs.top;
         pair++) {
        EH_TRY(template_check_key(p->src, node, pair, p->err));
        EH_TRY(parse_tier_key(p, yaml_document_get_node(&p->src->doc, pair->key),
                              yaml_document_get_node(&p->src->doc, pair->value), marks,
                              &n));
    }
    if (n == 0)
        return template_fault(p->src, node, p->err, "a tier needs a mark", EH_STR(""));
    *tier = (verdict_tier){marks, n};
    return EH_STATUS_OK;
}

static eh_status parse_tiers(marks_parse *p, const yaml_node_t *node) {
    if (node->type != YAML_SEQUENCE_NODE || n_items(node) == 0)
        return template_fault(p->src, node, p->err, "tiers must be a list", EH_STR(""));
    size_t n = n_items(node);
    verdict_tier *tiers = arena_zalloc(&p->t->arena, n, sizeof *tiers);
    if (!tiers) return EH_NOMEM(p->err);
    for (size_t i = 0; i < n; i++)
        EH_TRY(parse_tier(p, item(p, node, i), &tiers[i]));
    p->t->marks.tiers = tiers;
    p->t->marks.n_tiers = n;
    return EH_STATUS_OK;
}

static eh_status parse_word(marks_parse *p, const yaml_node_t *node,
                            const char *const words[3], const char *what, int *index) {
    size_t i = word_index(template_scalar(node), words, 3);
    if (i == 3)
        return template_fault(p->src, node, p->err, what, template_scalar(node));
    *index = (int)i;
    return EH_STATUS_OK;
}

static eh_status parse_key(marks_parse *p, const yaml_node_t *key,
                           const yaml_node_t *value) {
    static const char *const wheres[3] = {"anywhere", "first_line", "last_line"};
    static const char *const picks[3] = {"only", "first", "last"};
    verdict_marks *m = &p->t->marks;
    eh_str name = template_scalar(key);
    int index = 0;
    if (eh_str_eq_cstr(name, "where")) {
        EH_TRY(parse_word(p, value, wheres,
                          "where must be anywhere, first_line or last_line, not",
                          &index));
        m->where = (verdict_where)index;
        return EH_STATUS_OK;
    }
    if (eh_str_eq_cstr(name, "pick")) {
        EH_TRY(parse_word(p, value, picks, "pick must be only, first or last, not",
                          &index));
        m->pick = (verdict_pick)index;
        return EH_STATUS_OK;
    }
    if (eh_str_eq_cstr(name, "scores")) return parse_scores(p, value);
    if (eh_str_eq_cstr(name, "tiers")) return parse_tiers(p, value);
    return template_fault(p->src, key, p->err, "unknown key of marks", name);
}

eh_status template_marks_parse(template_source *src, const yaml_node_t *node,
                               prompt_template *t, eh_error *err) {
    marks_parse p = {src, t, err};
    if (node->type != YAML_MAPPING_NODE)
        return template_fault(src, node, err, "marks is a mapping of keys", EH_STR(""));
    const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
    for (; pair < node->data.mapping.pairs.top; pair++) {
        EH_TRY(template_check_key(src, node, pair, err));
        EH_TRY(parse_key(&p, yaml_document_get_node(&src->doc, pair->key),
                         yaml_document_get_node(&src->doc, pair->value)));
    }
    if (t->marks.has_scores == (t->marks.n_tiers > 0))
        return template_fault(src, node, err, "marks needs either tiers or scores",
                              EH_STR(""));
    if (t->marks.has_scores && t->marks.where == VERDICT_WHERE_ANYWHERE)
        return template_fault(src, node, err,
                              "scores are read on the first_line or the last_line",
                              EH_STR(""));
    return EH_STATUS_OK;
}
