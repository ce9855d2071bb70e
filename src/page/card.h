/* SPDX-License-Identifier: MIT
 *
 * The judge card as a page: one HTML file that says what a judge can be trusted with.
 *
 *   ledgers --page_card_collect--> cards (as `show` has them), units, items
 *                                 |
 *                                 `-- texts in chunks --> HTML <-- index, words
 *
 * A *unit* is a plain pair, the same in all ledgers that have its id and texts; its
 * *variants* are the pairs with a perturbed answer that were made of it. An *item* is
 * what one judge made of one variant. All numbers are those of card/card.h: the page
 * estimates nothing.
 *
 * Everything here lives in the arena that page_card_collect was given.
 */
#ifndef EH_PAGE_CARD_H
#define EH_PAGE_CARD_H

#include "exam/exam.h"
#include "page/file.h"

typedef struct page_card_options {
    page_options page; /* `method` does not count here */
    audit_limits limits;
} page_card_options;

enum { CARD_HEAD_CP = 120 }; /* of a question, for the list of pairs */

typedef struct page_card_variant {
    eh_str probe;
    bool padded; /* empty padding of the length that the probe gave */
    int side;    /* the answer that is not the unit's, 1 or 2 */
    uint8_t revision[16];
    size_t source; /* the first ledger that has it, */
    int64_t row;   /* and its row there */
    size_t at;     /* while collecting: its place among the rows of a ledger */
} page_card_variant;

typedef struct page_card_unit {
    eh_str id, category, head;
    bool head_is_all;
    uint8_t revision[16];
    size_t source;
    int64_t row;
    page_card_variant *variants; /* [n_variants] */
    size_t n_variants, variants_cap;
    int64_t n_telling; /* items of all judges that are hits or unread */
    size_t place;      /* in the order of texts; PAGE_NO_PLACE: texts are left out */
} page_card_unit;

/* X(id, name) */
#define CARD_OUTCOME_LIST(X)                                                           \
    X(UNREAD, "unread") /* control, placebo or experiment has no preference */         \
    X(NOT_COUNTED,                                                                     \
      "not_counted") /* the control's preference is not one that counts */             \
    X(HIT, "hit")                                                                      \
    X(STAYED, "stayed")

typedef enum page_card_outcome {
#define X(id, name) CARD_##id,
    CARD_OUTCOME_LIST(X)
#undef X
} page_card_outcome;

typedef struct page_card_item {
    size_t probe;         /* of the judge's card */
    size_t unit, variant; /* variant: of the unit */
    size_t padded;        /* the unit's padded variant, or PAGE_NO_PLACE */
    audit_item votes;
    page_card_outcome outcome;
    bool placebo_hit; /* it would be one with the second control in its place */
} page_card_item;

typedef struct page_card_judge {
    const card_judge *numbers;
    const tally_view *view; /* NULL: it has no replies of its own (people) */
    eh_str name;            /* unique on the page */
    size_t source;
    ledger_timing timing;
    page_card_item *items; /* [n_items] by probe, worst first, then as in the data */
    size_t n_items;
} page_card_judge;

typedef struct page_card_page {
    const page_source *sources; /* [n_sources] */
    size_t n_sources;
    ledger_dataset *datasets;           /* [n_sources] */
    card_set *cards;                    /* [n_sources] */
    eh_str *json;                       /* [n_sources] what `show --json` prints */
    char (*hashes)[HASH_HEX_CHARS + 1]; /* [n_sources] of it */
    page_card_judge *judges;            /* [n_judges] */
    size_t n_judges;
    page_card_unit *units; /* [n_units] in data order, ledger by ledger */
    size_t n_units;
    size_t *order; /* [n_units] in which texts are kept: telling ones first */
    size_t n_placed;
} page_card_page;

/* All sources are audits (exam_is_one), and options->page.prices is set. */
EH_MUST_USE eh_status page_card_collect(const page_source *sources, size_t n_sources,
                                        const page_card_options *options,
                                        eh_arena *arena, page_card_page *page,
                                        eh_error *err);

/* What the card of one judge says beside its numbers. */
void page_card_uses_json(const card_judge *j, json_writer *w);   /* "uses" */
void page_card_limits_json(const card_judge *j, json_writer *w); /* "limits" */

/* "fake references and rich formatting" for "both". */
void page_card_attack_name(eh_str attack, eh_buf *out);

/* "parts": attacks, author families and people, each where its data are. */
void page_card_parts_json(const card_judge *j, json_writer *w);

/* "change": from one judge's first ledger to its second; null unless the page is that.
 */
void page_card_change_json(const page_card_page *page, json_writer *w);

/* "tables": what is worth a table below the fold. Further parts of a card add theirs to
 * the list in card_tables.c; the page shows whatever stands there. */
void page_card_tables_json(const card_judge *j, json_writer *w);

EH_MUST_USE eh_status page_card_chunks(page_card_page *page,
                                       const page_card_options *options,
                                       page_chunks **chunks, eh_error *err);
void page_card_index_json(const page_card_page *page, const page_card_options *options,
                          const page_chunks *chunks, eh_buf *out);
EH_MUST_USE eh_status page_card_write(const page_card_page *page,
                                      const page_card_options *options,
                                      page_chunks *chunks, const page_sink *sink,
                                      eh_error *err);

/* All of it into a file. result->n_pairs counts plain pairs. */
EH_MUST_USE eh_status page_card_file(const page_source *sources, size_t n_sources,
                                     const page_card_options *options, const char *path,
                                     page_result *result, eh_error *err);

#endif
