/* SPDX-License-Identifier: MIT
 *
 * From audits to what the card's page shows.
 *
 *   rows of each ledger --> units (plain pairs) --> variants (perturbed, padded)
 *   judge by judge: votes of control, placebo and variant --> items
 *
 * The same pair in two ledgers is one unit, so that two judges, or two dates of one,
 * are read side by side. The scores themselves come from exam_cards; items are counted
 * by the same functions (audit_is_eligible, audit_is_hit), so a list of them agrees
 * with the score.
 */
#include <math.h>
#include <stdlib.h>

#include "page/card.h"

/* A row of one ledger. */
typedef struct page_card_row {
    int64_t row;
    exam_role role;
    eh_str id, control, probe;
    int side;
    ledger_glance glance; /* `head` of plain rows only */
    eh_str category;
    size_t unit, variant;
    double vote, placebo; /* of the judge at hand, for answer 1 */
    int n_valid;
} page_card_row;

typedef struct collector {
    page_card_page *page;
    ledger *l; /* the one at hand */
    const page_card_options *options;
    eh_arena *arena, texts; /* texts: of one row */
    page_card_row *rows;    /* [n_rows] of the ledger at hand */
    size_t n_rows;
    size_t *plain; /* [n_plain] its plain rows, by id */
    size_t n_plain;
    const page_card_unit *
        *known; /* [n_known] units of the ledgers before, by id and texts */
    size_t n_known;
} collector;

/* ---- rows ---- */

static eh_status read_row(void *self, const ledger_pair *pair, eh_error *err) {
    collector *c = self;
    page_card_row *row = &c->rows[c->n_rows];
    ledger *l = c->l;
    ledger_texts texts;
    exam_meta meta;
    arena_reset(&c->texts);
    EH_TRY(ledger_pair_texts(l, pair->row, &texts, &c->texts, err));
    EH_TRY(exam_meta_read(texts.meta_json, &c->texts, &meta, err));
    if (meta.role != EXAM_CONTROL && meta.role != EXAM_EXPERIMENT &&
        meta.role != EXAM_PADDED)
        return EH_STATUS_OK;
    *row = (page_card_row){.row = pair->row, .role = meta.role, .side = meta.perturbed};
    EH_TRY(ledger_pair_look(l, pair->row, CARD_HEAD_CP,
                            meta.role == EXAM_CONTROL ? c->arena : &c->texts,
                            &row->glance, err));
    if (!arena_copy(c->arena, pair->pair_id, &row->id) ||
        !arena_copy(c->arena, pair->category, &row->category) ||
        !arena_copy(c->arena, meta.control, &row->control) ||
        !arena_copy(c->arena, meta.probe, &row->probe))
        return EH_NOMEM(err);
    c->n_rows++;
    return EH_STATUS_OK;
}

static eh_status read_rows(collector *c, size_t source, eh_error *err) {
    int64_t n;
    c->l = c->page->sources[source].l;
    EH_TRY(ledger_count_pairs(c->l, &n, err));
    c->rows = arena_zalloc(c->arena, (size_t)n + 1, sizeof *c->rows);
    c->plain = arena_zalloc(c->arena, (size_t)n + 1, sizeof *c->plain);
    c->n_rows = c->n_plain = 0;
    if (!c->rows || !c->plain) return EH_NOMEM(err);
    return ledger_pairs_each(c->l, LEDGER_BY_DATA, read_row, c, err);
}

/* ---- units and variants ---- */

static int compare_units(const void *a, const void *b) {
    const page_card_unit *x = *(const page_card_unit *const *)a,
                         *y = *(const page_card_unit *const *)b;
    int by_id = eh_str_cmp(x->id, y->id);
    return by_id ? by_id : memcmp(x->revision, y->revision, sizeof x->revision);
}

static void take_plain(collector *c, size_t source, size_t i) {
    page_card_page *p = c->page;
    page_card_row *row = &c->rows[i];
    page_card_unit *u = &p->units[p->n_units];
    bool texts = c->options->page.texts;
    *u = (page_card_unit){.id = row->id,
                          .category = row->category,
                          .head = texts ? row->glance.head : (eh_str){NULL, 0},
                          .head_is_all = row->glance.head_is_all,
                          .source = source,
                          .row = row->row,
                          .place = PAGE_NO_PLACE};
    memcpy(u->revision, row->glance.revision, sizeof u->revision);
    const page_card_unit *key = u,
                         **found = bsearch(&key, c->known, c->n_known,
                                           sizeof(page_card_unit *), compare_units);
    row->unit = found ? (size_t)(*found - p->units) : p->n_units++;
    c->plain[c->n_plain++] = i;
}

static const page_card_row *plain_of(const collector *c, eh_str id) {
    size_t low = 0, high = c->n_plain;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const page_card_row *row = &c->rows[c->plain[middle]];
        int order = eh_str_cmp(row->id, id);
        if (order == 0) return row;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static eh_status take_variant(collector *c, size_t source, size_t i, eh_error *err) {
    page_card_row *row = &c->rows[i];
    const page_card_row *plain = plain_of(c, row->control);
    bool padded = row->role == EXAM_PADDED;
    if (!plain) {
        row->role = EXAM_NONE; /* of a pair that is no longer in scope */
        return EH_STATUS_OK;
    }
    page_card_unit *u = &c->page->units[plain->unit];
    row->unit = plain->unit;
    for (row->variant = 0; row->variant < u->n_variants; row->variant++) {
        page_card_variant *v = &u->variants[row->variant];
        if (v->padded != padded || !eh_str_eq(v->probe, row->probe) ||
            memcmp(v->revision, row->glance.revision, sizeof v->revision) != 0)
            continue;
        v->at = i;
        return EH_STATUS_OK;
    }
    u->variants = arena_grow(c->arena, u->variants, u->n_variants, &u->variants_cap,
                             sizeof *u->variants);
    if (!u->variants) return EH_NOMEM(err);
    page_card_variant *v = &u->variants[u->n_variants++];
    *v = (page_card_variant){.probe = row->probe,
                             .padded = padded,
                             .side = row->side,
                             .source = source,
                             .row = row->row,
                             .at = i};
    memcpy(v->revision, row->glance.revision, sizeof v->revision);
    return EH_STATUS_OK;
}

typedef struct plain_ref {
    eh_str id;
    size_t index;
} plain_ref;

static int compare_refs(const void *a, const void *b) {
    return eh_str_cmp(((const plain_ref *)a)->id, ((const plain_ref *)b)->id);
}

static eh_status sort_plain(collector *c, eh_error *err) {
    plain_ref *refs = arena_zalloc(c->arena, c->n_plain + 1, sizeof *refs);
    if (!refs) return EH_NOMEM(err);
    for (size_t i = 0; i < c->n_plain; i++)
        refs[i] = (plain_ref){c->rows[c->plain[i]].id, c->plain[i]};
    qsort(refs, c->n_plain, sizeof *refs, compare_refs);
    for (size_t i = 0; i < c->n_plain; i++)
        c->plain[i] = refs[i].index;
    return EH_STATUS_OK;
}

static eh_status take_rows(collector *c, size_t source, eh_error *err) {
    for (size_t i = 0; i < c->n_rows; i++)
        if (c->rows[i].role == EXAM_CONTROL) take_plain(c, source, i);
    EH_TRY(sort_plain(c, err));
    for (size_t i = 0; i < c->n_rows; i++)
        if (c->rows[i].role != EXAM_CONTROL) EH_TRY(take_variant(c, source, i, err));
    for (; c->n_known < c->page->n_units; c->n_known++)
        c->known[c->n_known] = &c->page->units[c->n_known];
    qsort(c->known, c->n_known, sizeof *c->known, compare_units);
    return EH_STATUS_OK;
}

/* ---- items ---- */

static double preference(double vote, int side) {
    return (1 + (side == 1 ? vote : -vote)) / 2;
}

static eh_status read_votes(collector *c, const page_card_judge *j, eh_error *err) {
    ledger *l = c->page->sources[j->source].l;
    for (size_t i = 0; i < c->n_rows; i++) {
        page_card_row *row = &c->rows[i];
        tally_ruled ruled;
        EH_TRY(
            tally_rule_stream(l, j->view, row->row, LEDGER_STREAM_MAIN, &ruled, err));
        row->vote = ruled.ruling.vote;
        row->n_valid = (int)ruled.n_samples - ruled.ruling.n_failed;
        if (row->role != EXAM_CONTROL) continue;
        EH_TRY(tally_rule_stream(l, j->view, row->row, LEDGER_STREAM_PLACEBO, &ruled,
                                 err));
        row->placebo = ruled.ruling.vote;
    }
    return EH_STATUS_OK;
}

/* The padded row of the same unit and probe, in the ledger at hand. */
static void find_padded(const collector *c, const page_card_row *row,
                        page_card_item *item) {
    const page_card_unit *u = &c->page->units[row->unit];
    for (size_t k = 0; k < u->n_variants; k++) {
        const page_card_variant *v = &u->variants[k];
        const page_card_row *r = &c->rows[v->at < c->n_rows ? v->at : 0];
        if (!v->padded || !eh_str_eq(v->probe, row->probe)) continue;
        if (r->unit != row->unit || r->variant != k || r->role != EXAM_PADDED) continue;
        item->padded = k;
        item->votes.padded = preference(r->vote, v->side);
        return;
    }
}

static void judge_item(page_card_item *item, audit_form form) {
    const audit_item *v = &item->votes;
    if (isnan(v->control) || isnan(v->placebo) || isnan(v->experiment))
        item->outcome = CARD_UNREAD;
    else if (!audit_is_eligible(form, v->control))
        item->outcome = CARD_NOT_COUNTED;
    else
        item->outcome = audit_is_hit(form, v->experiment) ? CARD_HIT : CARD_STAYED;
    item->placebo_hit = item->outcome >= CARD_HIT && audit_is_hit(form, v->placebo);
}

static void take_item(collector *c, page_card_judge *j, size_t probe,
                      const page_card_row *row) {
    page_card_item *item = &j->items[j->n_items++];
    const page_card_row *plain = plain_of(c, row->control);
    *item = (page_card_item){.probe = probe,
                             .unit = row->unit,
                             .variant = row->variant,
                             .padded = PAGE_NO_PLACE,
                             .votes = {.control = preference(plain->vote, row->side),
                                       .placebo = preference(plain->placebo, row->side),
                                       .experiment = preference(row->vote, row->side),
                                       .padded = NAN,
                                       .n_votes = row->n_valid}};
    judge_item(item, j->numbers->probes[probe].form);
    if (j->numbers->probes[probe].score.padded.n) find_padded(c, row, item);
    c->page->units[row->unit].n_telling +=
        item->outcome == CARD_HIT || item->outcome == CARD_UNREAD;
}

static eh_status take_items(collector *c, page_card_judge *j, eh_error *err) {
    EH_TRY(read_votes(c, j, err));
    j->items = arena_zalloc(c->arena, c->n_rows + 1, sizeof *j->items);
    if (!j->items) return EH_NOMEM(err);
    for (size_t k = 0; k < j->numbers->n_probes; k++)
        for (size_t i = 0; i < c->n_rows; i++)
            if (c->rows[i].role == EXAM_EXPERIMENT &&
                eh_str_eq(c->rows[i].probe, j->numbers->probes[k].name))
                take_item(c, j, k, &c->rows[i]);
    return EH_STATUS_OK;
}

/* ---- judges ---- */

/* What `evenhand show AUDIT.db --json` prints, and its hash. */
static eh_status take_json(collector *c, size_t source, eh_error *err) {
    page_card_page *p = c->page;
    eh_buf json;
    uint8_t digest[HASH_BYTES];
    buf_init(&json, BUF_MAX_REPORT);
    card_json(&p->cards[source], &json);
    eh_status status = buf_check(&json, "the card", err);
    if (status == EH_STATUS_OK &&
        !arena_copy(c->arena, buf_view(&json), &p->json[source]))
        status = EH_NOMEM(err);
    (void)crypto_generichash(digest, sizeof digest, (const uint8_t *)json.ptr, json.len,
                             NULL, 0);
    hash_hex(digest, sizeof digest, p->hashes[source]);
    buf_deinit(&json);
    return status;
}

static eh_status take_cards(collector *c, size_t source, eh_error *err) {
    page_card_page *p = c->page;
    ledger *l = p->sources[source].l;
    EH_TRY(ledger_dataset_look(l, c->arena, &p->datasets[source], err));
    EH_TRY(exam_cards(l, 0, c->options->page.prices, &c->options->limits, c->arena,
                      &p->cards[source], err));
    p->n_judges += p->cards[source].n_judges;
    return take_json(c, source, err);
}

/* Judges of a ledger are in the order of its views; what comes behind them has none. */
static eh_status take_judges(collector *c, size_t source, size_t first, eh_error *err) {
    page_card_page *p = c->page;
    ledger *l = p->sources[source].l;
    tally_view *views;
    size_t n_views;
    EH_TRY(tally_views(l, EH_STR(""), c->arena, &views, &n_views, err));
    EH_TRY(read_rows(c, source, err));
    EH_TRY(take_rows(c, source, err));
    for (size_t i = 0; i < p->cards[source].n_judges; i++) {
        page_card_judge *j = &p->judges[first + i];
        *j = (page_card_judge){.numbers = &p->cards[source].judges[i],
                               .name = p->cards[source].judges[i].name,
                               .source = source,
                               .timing = {.first_ms = -1, .last_ms = -1}};
        if (i >= n_views) continue;
        j->view = &views[i];
        EH_TRY(ledger_timing_sum(l, views[i].run.judge_row, &j->timing, err));
        EH_TRY(take_items(c, j, err));
    }
    return EH_STATUS_OK;
}

/* Equal names get their ledger's name behind them, and where that is equal too, a
 * number. */
static eh_status name_judges(collector *c, eh_error *err) {
    page_card_page *p = c->page;
    for (size_t i = 0; i < p->n_judges; i++) {
        page_card_judge *j = &p->judges[i];
        eh_str file = p->sources[j->source].name;
        int n_same = 0, n_before = 0;
        for (size_t k = 0; k < p->n_judges; k++) {
            const page_card_judge *other = &p->judges[k];
            if (k == i || !eh_str_eq(other->numbers->name, j->numbers->name)) continue;
            n_same++;
            n_before += k < i && eh_str_eq(p->sources[other->source].name, file);
        }
        if (!n_same) continue;
        char *longer =
            n_before ? arena_printf(c->arena, "%.*s (%.*s, %d)", EH_STR_ARG(j->name),
                                    EH_STR_ARG(file), n_before + 1)
                     : arena_printf(c->arena, "%.*s (%.*s)", EH_STR_ARG(j->name),
                                    EH_STR_ARG(file));
        if (!longer) return EH_NOMEM(err);
        j->name = eh_str_of(longer);
    }
    return EH_STATUS_OK;
}

/* ---- the order of texts ---- */

typedef struct order_ref {
    int64_t n_telling;
    size_t index;
} order_ref;

static int compare_order(const void *a, const void *b) {
    const order_ref *x = a, *y = b;
    if (x->n_telling != y->n_telling) return x->n_telling > y->n_telling ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static eh_status order_texts(collector *c, eh_error *err) {
    page_card_page *p = c->page;
    order_ref *refs = arena_zalloc(c->arena, p->n_units + 1, sizeof *refs);
    p->order = arena_zalloc(c->arena, p->n_units + 1, sizeof *p->order);
    if (!refs || !p->order) return EH_NOMEM(err);
    for (size_t i = 0; i < p->n_units; i++)
        refs[i] = (order_ref){p->units[i].n_telling, i};
    qsort(refs, p->n_units, sizeof *refs, compare_order);
    for (size_t i = 0; i < p->n_units; i++)
        p->order[i] = refs[i].index;
    return EH_STATUS_OK;
}

static eh_status collect(collector *c, eh_error *err) {
    page_card_page *p = c->page;
    size_t n_most = 0, first = 0;
    for (size_t s = 0; s < p->n_sources; s++) {
        int64_t n;
        EH_TRY(take_cards(c, s, err));
        EH_TRY(ledger_count_pairs(p->sources[s].l, &n, err));
        n_most += (size_t)n;
    }
    p->judges = arena_zalloc(c->arena, p->n_judges + 1, sizeof *p->judges);
    /* one more: a unit is filled before it is known to be new */
    p->units = arena_zalloc(c->arena, n_most + 1, sizeof *p->units);
    c->known = arena_zalloc(c->arena, n_most + 1, sizeof *c->known);
    if (!p->judges || !p->units || !c->known) return EH_NOMEM(err);
    for (size_t s = 0; s < p->n_sources; first += p->cards[s].n_judges, s++)
        EH_TRY(take_judges(c, s, first, err));
    EH_TRY(name_judges(c, err));
    return order_texts(c, err);
}

eh_status page_card_collect(const page_source *sources, size_t n_sources,
                            const page_card_options *options, eh_arena *arena,
                            page_card_page *page, eh_error *err) {
    *page = (page_card_page){.sources = sources, .n_sources = n_sources};
    page->datasets = arena_zalloc(arena, n_sources, sizeof *page->datasets);
    page->cards = arena_zalloc(arena, n_sources, sizeof *page->cards);
    page->json = arena_zalloc(arena, n_sources, sizeof *page->json);
    page->hashes = arena_zalloc(arena, n_sources, sizeof *page->hashes);
    if (!page->datasets || !page->cards || !page->json || !page->hashes)
        return EH_NOMEM(err);
    collector c = {.page = page, .options = options, .arena = arena};
    arena_init(&c.texts, BUF_MAX_PROMPT);
    eh_status status = collect(&c, err);
    arena_deinit(&c.texts);
    return status;
}
