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
    yaml_source *src;
    prompt_template *t;
    verdict_mark *marks; /* of the tier at hand; [n] */
    size_t n;
    eh_error *err;
} marks_parse;

/* The index of a scalar in a list of words; n when it is none of them. */
static size_t word_index(eh_str word, const char *const *words, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (eh_str_eq_cstr(word, words[i])) return i;
    return n;
}

static eh_status parse_scores(marks_parse *p, const yaml_node_t *node) {
    verdict_marks *m = &p->t->marks;
    if (yaml_n_items(node) != 2 ||
        !eh_str_to_f64(yaml_scalar(yaml_item(p->src, node, 0)), &m->score_low) ||
        !eh_str_to_f64(yaml_scalar(yaml_item(p->src, node, 1)), &m->score_high) ||
        m->score_low >= m->score_high)
        return yaml_source_fault(p->src, node, p->err, "scores must be [LOW, HIGH]",
                                 EH_STR(""));
    m->has_scores = true;
    return EH_STATUS_OK;
}

static eh_status count_marks(void *self, yaml_source *src, const yaml_entry *entry,
                             eh_error *err) {
    size_t *n = self;
    (void)src;
    (void)err;
    *n += yaml_n_items(entry->value);
    return EH_STATUS_OK;
}

static eh_status parse_tier_key(void *self, yaml_source *src, const yaml_entry *entry,
                                eh_error *err) {
    static const char *const keys[] = {"first_much", "first", "tie", "second",
                                       "second_much"};
    marks_parse *p = self;
    const yaml_node_t *list = entry->value;
    size_t kind = word_index(entry->key, keys, 5);
    if (kind == 5)
        return yaml_source_fault(src, entry->key_node, err,
                                 "a tier has first_much, first, tie, second and "
                                 "second_much, not",
                                 entry->key);
    if (yaml_n_items(list) == 0)
        return yaml_source_fault(src, list, err, "a list of marks is needed",
                                 EH_STR(""));
    for (size_t i = 0; i < yaml_n_items(list); i++) {
        eh_str text = yaml_scalar(yaml_item(src, list, i));
        if (eh_str_is_blank(text))
            return yaml_source_fault(src, list, err, "a mark is empty or no text",
                                     EH_STR(""));
        if (!arena_copy(&p->t->arena, text, &p->marks[p->n].text)) return EH_NOMEM(err);
        p->marks[p->n++].key = (verdict_mark_key)kind;
    }
    return EH_STATUS_OK;
}

static eh_status parse_tier(marks_parse *p, const yaml_node_t *node,
                            verdict_tier *tier) {
    if (node->type != YAML_MAPPING_NODE)
        return yaml_source_fault(p->src, node, p->err, "a tier is a mapping",
                                 EH_STR(""));
    size_t n_max = 0;
    EH_TRY(yaml_source_each(p->src, node, count_marks, &n_max, p->err));
    p->n = 0;
    p->marks = arena_zalloc(&p->t->arena, n_max + 1, sizeof *p->marks);
    if (!p->marks) return EH_NOMEM(p->err);
    EH_TRY(yaml_source_each(p->src, node, parse_tier_key, p, p->err));
    if (p->n == 0)
        return yaml_source_fault(p->src, node, p->err, "a tier needs a mark",
                                 EH_STR(""));
    *tier = (verdict_tier){p->marks, p->n};
    return EH_STATUS_OK;
}

static eh_status parse_tiers(marks_parse *p, const yaml_node_t *node) {
    if (yaml_n_items(node) == 0)
        return yaml_source_fault(p->src, node, p->err, "tiers must be a list",
                                 EH_STR(""));
    size_t n = yaml_n_items(node);
    verdict_tier *tiers = arena_zalloc(&p->t->arena, n, sizeof *tiers);
    if (!tiers) return EH_NOMEM(p->err);
    for (size_t i = 0; i < n; i++)
        EH_TRY(parse_tier(p, yaml_item(p->src, node, i), &tiers[i]));
    p->t->marks.tiers = tiers;
    p->t->marks.n_tiers = n;
    return EH_STATUS_OK;
}

static eh_status parse_word(marks_parse *p, const yaml_node_t *node,
                            const char *const words[3], const char *what, int *index) {
    size_t i = word_index(yaml_scalar(node), words, 3);
    if (i == 3) return yaml_source_fault(p->src, node, p->err, what, yaml_scalar(node));
    *index = (int)i;
    return EH_STATUS_OK;
}

static eh_status parse_key(void *self, yaml_source *src, const yaml_entry *entry,
                           eh_error *err) {
    static const char *const wheres[3] = {"anywhere", "first_line", "last_line"};
    static const char *const picks[3] = {"only", "first", "last"};
    marks_parse *p = self;
    verdict_marks *m = &p->t->marks;
    int index = 0;
    if (eh_str_eq_cstr(entry->key, "where")) {
        EH_TRY(parse_word(p, entry->value, wheres,
                          "where must be anywhere, first_line or last_line, not",
                          &index));
        m->where = (verdict_where)index;
        return EH_STATUS_OK;
    }
    if (eh_str_eq_cstr(entry->key, "pick")) {
        EH_TRY(parse_word(p, entry->value, picks,
                          "pick must be only, first or last, not", &index));
        m->pick = (verdict_pick)index;
        return EH_STATUS_OK;
    }
    if (eh_str_eq_cstr(entry->key, "scores")) return parse_scores(p, entry->value);
    if (eh_str_eq_cstr(entry->key, "tiers")) return parse_tiers(p, entry->value);
    return yaml_source_fault(src, entry->key_node, err,
                             "marks has tiers, scores, where and pick, not",
                             entry->key);
}

eh_status template_marks_parse(yaml_source *src, const yaml_node_t *node,
                               prompt_template *t, eh_error *err) {
    marks_parse p = {.src = src, .t = t, .err = err};
    if (node->type != YAML_MAPPING_NODE)
        return yaml_source_fault(src, node, err, "marks is a mapping of keys",
                                 EH_STR(""));
    EH_TRY(yaml_source_each(src, node, parse_key, &p, err));
    if (t->marks.has_scores == (t->marks.n_tiers > 0))
        return yaml_source_fault(src, node, err, "marks needs either tiers or scores",
                                 EH_STR(""));
    if (t->marks.has_scores && t->marks.where == VERDICT_WHERE_ANYWHERE)
        return yaml_source_fault(src, node, err,
                                 "scores are read on the first_line or the last_line",
                                 EH_STR(""));
    return EH_STATUS_OK;
}
