/* SPDX-License-Identifier: MIT
 *
 * The report page: one HTML file that holds its numbers, its pairs and what it needs to
 * show them, and asks nothing of the network.
 *
 *   ledgers --page_collect--> pairs and cells --page_sections, people, judges-->
 * numbers |                                              |
 *                                   `---- texts in chunks ----> HTML <---- index --'
 *
 * A *cell* is what one judge says of one pair. Numbers are of the C library only: the
 * page counts and draws, it estimates nothing. An undefined number is NaN beside a
 * reason, as in report/summary.h.
 *
 * Everything here lives in the arena that page_collect was given, and borrows from the
 * ledgers' names and the price table.
 */
#ifndef EH_PAGE_PAGE_H
#define EH_PAGE_PAGE_H

#include "page/file.h"
#include "report/estimate.h"
#include "tally/summarize.h"
#include "stats/difference.h"

enum { PAGE_HEAD_CP = 120 }; /* of a question, for the list of pairs */

typedef struct page_pair {
    eh_str id, category, model_1, model_2; /* absent where the data name none */
    eh_str shown_id;                       /* the id, redacted */
    eh_str head; /* the question's beginning; absent without texts */
    bool head_is_all;
    int leaks; /* do the texts say who wrote them; -1: there are none */
    int64_t n_head_redacted;
    uint64_t question; /* pairs of one question share it */
    uint8_t revision[16];
    int64_t cp_1, cp_2; /* lengths of the answers; both 0 where there are no texts */
    bool has_texts;
    int64_t votes[4]; /* people's labels, by eh_verdict */
    eh_verdict label; /* their majority; NONE without labels */
    bool flagged;     /* no unique majority */
    size_t source;    /* the first ledger that has the pair, */
    int64_t row;      /* and its row there */
    size_t place;     /* in the order of texts; PAGE_NO_PLACE: texts are left out */
} page_pair;

typedef struct page_cell {
    bool in_scope; /* else all the rest is empty: the judge never saw the pair */
    eh_verdict verdict, by_order[EH_ORDER_N];
    eh_verdict judge; /* what the judge says; the verdict, but where people rule */
    bool by_people;
    plan_none_kind none;
    bool tie_agreed;
    int stage; /* portia: the stage that ruled, or -1 */
    int n_valid, n_asked;
    int n_first, n_second; /* decided replies for each slot */
    uint32_t reasons;      /* 1u << verdict_reason, of the replies without a verdict */
    double score_1, score_2; /* CS, where there are scores; NaN */
    double gap;              /* mean over the orders of |S_1 - S_2|; NaN on votes */
    double margin;     /* |CS_1 - CS_2| on the judge's scale; NaN without ruling */
    double vote, bpde; /* NaN where undefined */
    int64_t cost_nusd; /* -1: unknown */
    eh_verdict label;  /* the majority in the judge's own ledger */
    bool flagged;
} page_cell;

/* A group of pairs: a bin, or a category. */
typedef struct page_group {
    eh_str name;      /* of a category */
    double low, high; /* of a bin: low <= x < high, the last one's end included */
    int64_t n;
    report_rate win, conflict;
} page_group;

enum { PAGE_GAP_BINS = 6, PAGE_LENGTH_BINS = 7 };

typedef struct page_bpde_bar {
    double low, high;  /* equal where the bar is one value */
    int64_t n, n_none; /* of the n, those without ruling */
} page_bpde_bar;

enum { PAGE_BPDE_BARS_MAX = 30 };

/* The samples of a judge under fewer samples or orders. */
typedef struct page_setting {
    unsigned orders;
    int k;
    int64_t n_pairs, n_ruled, n_ties, n_ties_agreed, n_labelled;
    report_rate win, conflict, accuracy;
    double kappa;
} page_setting;

enum { PAGE_SETTINGS_MAX = 24 };

typedef struct page_people {
    int64_t confusion[9]; /* [ruling][majority], classes 1, 2, tie */
    int64_t unruled[3];   /* labelled pairs without ruling, by majority */
    report_rate accuracy; /* over labelled pairs, unruled ones wrong */
    double kappa, kappa_low, kappa_high;
    const char *why_kappa;
} page_people;

typedef struct page_judge {
    report_judge summary; /* as `show` has it */
    const tally_view *view;
    size_t source;        /* its ledger */
    eh_str template_text; /* redacted */
    page_cell *cells;     /* [n_pairs] of the report */
    ledger_timing timing;
    int64_t slots[9];  /* [order 12][order 21] by slot: first, tie, second */
    report_rate first; /* decided replies for the first slot */
    page_group gap[PAGE_GAP_BINS];
    size_t n_gap;
    const char *why_gap;
    page_bpde_bar bpde[PAGE_BPDE_BARS_MAX];
    size_t n_bpde;
    page_people people;
    report_estimates estimates; /* as `show --estimate` has them */
    page_group length[PAGE_LENGTH_BINS];
    stats_interval length_controlled;
    double
        longer_one_sided; /* share of pairs whose longer answer is on the same side */
    const char *why_length;
    page_group *categories; /* [n_categories] by size */
    size_t n_categories;
    page_setting settings[PAGE_SETTINGS_MAX];
    size_t n_settings;
} page_judge;

/* Two judges on the pairs that both have ruled. */
typedef struct page_two {
    size_t a, b; /* a < b */
    int64_t n;
    double kappa, agreement;
    const char *why_kappa;
    stats_difference win; /* of a less that of b, on these pairs */
} page_two;

typedef struct page_annotators {
    int64_t n_labels, n_pairs; /* labels, and pairs with two or more */
    double agreement, kappa;
    const char *coefficient; /* "Fleiss" or "Krippendorff" */
    const char *why;
} page_annotators;

typedef struct page_report {
    const page_source *sources; /* [n_sources] */
    size_t n_sources;
    ledger_dataset *datasets;           /* [n_sources] */
    char (*hashes)[HASH_HEX_CHARS + 1]; /* [n_sources] of each summary's JSON */
    page_pair *pairs;                   /* [n_pairs] in data order, ledger by ledger */
    size_t n_pairs;
    size_t *by_question; /* [n_pairs] pairs of one question together */
    page_judge *judges;  /* [n_judges] */
    size_t n_judges;
    page_two *twos; /* [n_twos] */
    size_t n_twos;
    page_annotators annotators;
    int64_t n_labelled;
    size_t *order;   /* [n_pairs] in which texts are kept, see page_order_texts */
    size_t n_placed; /* of them, those whose texts are in the file */
    char *sentence;
    const char *warnings[3]; /* [n_warnings] */
    size_t n_warnings;
} page_report;

/* ---- from ledgers to numbers (collect.c, settings.c; the rest computes only) ---- */

EH_MUST_USE eh_status page_collect(const page_source *sources, size_t n_sources,
                                   const page_options *options, eh_arena *arena,
                                   page_report *report, eh_error *err);

/* Re-rules the judge's samples with fewer samples and orders. */
EH_MUST_USE eh_status page_settings(ledger *l, page_judge *j, eh_error *err);

EH_MUST_USE eh_status page_sections(const page_report *report, page_judge *j,
                                    eh_arena *arena, eh_error *err);
void page_people_fill(const page_report *report, page_judge *j);
EH_MUST_USE eh_status page_twos_fill(page_report *report, eh_arena *arena,
                                     eh_error *err);

/* The order in which texts are kept: pairs without ruling, with a conflict, with
 * labels, with BPDE above 0 (down), 200 drawn by their content, the rest. */
EH_MUST_USE eh_status page_order_texts(page_report *report, eh_arena *arena,
                                       eh_error *err);

/* Fills sentence and warnings. */
EH_MUST_USE eh_status page_words(page_report *report, eh_arena *arena, eh_error *err);

/* ---- from numbers to a file ---- */

/* Compresses the texts, and says in the report which pairs have a place. */
EH_MUST_USE eh_status page_report_chunks(page_report *report,
                                         const page_options *options,
                                         page_chunks **chunks, eh_error *err);

/* The object that the page reads first: all numbers, and one row a pair. */
void page_index_json(const page_report *report, const page_options *options,
                     const page_chunks *chunks, eh_buf *out);

/* The whole document. USAGE when this build has no pages. */
EH_MUST_USE eh_status page_report_write(const page_report *report,
                                        const page_options *options,
                                        page_chunks *chunks, const page_sink *sink,
                                        eh_error *err);

/* All of it into a file, which is replaced only when the new one is complete. */
EH_MUST_USE eh_status page_report_file(const page_source *sources, size_t n_sources,
                                       const page_options *options, const char *path,
                                       page_result *result, eh_error *err);

#endif
