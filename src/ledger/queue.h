/* SPDX-License-Identifier: MIT
 *
 * The labelling queue in the ledger: which pairs people are to decide, who the people
 * are, what each was handed out and what each decided, with all that was taken back.
 *
 *   queue       how pairs were selected; one a ledger
 *   item        every pair of the frame with its rank, its chance, and whether it is in
 *   annotator   a person, by name, with the hash of their token
 *   assignment  a pair in a person's hands: an opaque id, which answer stands left
 *   decision    what they chose; changed ones stay, pointing to what replaced them
 *
 * What counts in the numbers is the table of labels (ledger.h); a decision writes it in
 * the same group. All of this belongs to the ledger's thread.
 */
#ifndef EH_LEDGER_QUEUE_H
#define EH_LEDGER_QUEUE_H

#include "ledger/ledger.h"

enum { LEDGER_NONCE_BYTES = 16, LEDGER_ID_CHARS = 32 };

typedef struct ledger_queue {
    uint8_t nonce[LEDGER_NONCE_BYTES]; /* random; tells this queue from all others */
    eh_str selection;                  /* plan_selection_name */
    eh_str judge, method; /* whose rulings ranked it; absent where none did */
    eh_str budget;        /* as the user wrote it */
    int64_t n_budget;     /* in pairs */
    int64_t n_frame;      /* pairs that could have been selected */
    int64_t seed;
    int labels_per_pair;
    bool apart; /* never two pairs of one question to one person */
    bool paused;
    eh_str contact; /* shown to people who have questions; may be absent */
    int64_t created_ms;
} ledger_queue;

/* Strings in `arena`. A ledger without a queue: *found is false. */
EH_MUST_USE eh_status ledger_queue_get(ledger *l, eh_arena *arena, ledger_queue *q,
                                       bool *found, eh_error *err);
/* Adds the queue or replaces what is known of it. */
EH_MUST_USE eh_status ledger_queue_put(ledger *l, const ledger_queue *q, eh_error *err);

/* Was anything of the queue handed out? Until then it may be made anew. */
EH_MUST_USE eh_status ledger_queue_is_used(ledger *l, bool *used, eh_error *err);
EH_MUST_USE eh_status ledger_items_clear(ledger *l, eh_error *err);

typedef struct ledger_item {
    int64_t pair_row;
    int64_t rank;
    double uncertainty;
    double p_select; /* NaN: selected by rule, not by chance */
    bool selected;
    bool identity_leak; /* the texts name a model of the run */
    /* read only: */
    eh_str pair_id;
    uint64_t question_hash;
    int64_t n_assigned; /* times handed out to people, the owner not among them, less
                         * what was withdrawn */
    int64_t n_counting; /* of those: open or with a label that counts */
} ledger_item;

EH_MUST_USE eh_status ledger_item_put(ledger *l, const ledger_item *item,
                                      eh_error *err);
/* Sets p_select and selected alone. */
EH_MUST_USE eh_status ledger_item_select(ledger *l, const ledger_item *item,
                                         eh_error *err);

/* All items by rank, of pairs that are still in the scope; strings live for the call.
 */
typedef eh_status ledger_item_fn(void *self, const ledger_item *item, eh_error *err);
EH_MUST_USE eh_status ledger_items_each(ledger *l, ledger_item_fn *fn, void *self,
                                        eh_error *err);

/* The newest instructions; absent strings where there are none. A version is a short
 * hash of the text. */
typedef struct ledger_instructions {
    eh_str version, text;
} ledger_instructions;
EH_MUST_USE eh_status ledger_instructions_last(ledger *l, eh_arena *arena,
                                               ledger_instructions *i, eh_error *err);
EH_MUST_USE eh_status ledger_instructions_put(ledger *l, const ledger_instructions *i,
                                              int64_t now_ms, eh_error *err);

/* ---- people ---- */

/* The owner's name, under which adjudicated labels are kept. */
#define LEDGER_OWNER "owner"

typedef struct ledger_annotator {
    int64_t row;
    eh_str name;
    bool has_token;
    uint8_t token_hash[HASH_BYTES];
    int64_t last_seen_ms; /* -1: never */
} ledger_annotator;

/* Finds or adds; a token hash that is given replaces the one before. */
EH_MUST_USE eh_status ledger_annotator_put(ledger *l, eh_str name,
                                           const uint8_t *token_hash, int64_t now_ms,
                                           int64_t *row, eh_error *err);
/* All by row, in `arena`. */
EH_MUST_USE eh_status ledger_annotators(ledger *l, eh_arena *arena,
                                        ledger_annotator **list, size_t *n,
                                        eh_error *err);
EH_MUST_USE eh_status ledger_annotator_seen(ledger *l, int64_t row, int64_t now_ms,
                                            eh_error *err);

/* ---- assignments ---- */

/* The numbers stand in ledgers. */
typedef enum ledger_assignment_state {
    LEDGER_ASSIGNED = 0,
    LEDGER_LABELLED = 1,     /* familiar, or not asked */
    LEDGER_SKIPPED_ONCE = 2, /* comes back at the end */
    LEDGER_SKIPPED = 3,      /* for good */
    LEDGER_UNFAMILIAR = 4,   /* labelled, but not to be counted */
    LEDGER_STALE = 5,        /* open for too long: others may have the pair */
    LEDGER_WITHDRAWN = 6     /* its label was removed */
} ledger_assignment_state;

typedef struct ledger_assignment {
    int64_t row;
    char id[LEDGER_ID_CHARS + 1]; /* opaque, random */
    int64_t pair_row, annotator_row;
    eh_order side;  /* 12: answer_1 is A, the left one */
    int64_t number; /* times the pair was handed out before */
    ledger_assignment_state state;
    int64_t sent_ms;
} ledger_assignment;

EH_MUST_USE eh_status ledger_assignment_put(ledger *l, const ledger_assignment *a,
                                            int64_t *row, eh_error *err);
/* Hands a withdrawn one out again, under its id and on its side: the label that was
 * removed is wanted once more. Sets sent_ms and state of *a. */
EH_MUST_USE eh_status ledger_assignment_again(ledger *l, ledger_assignment *a,
                                              int64_t now_ms, eh_error *err);
EH_MUST_USE eh_status ledger_assignment_find(ledger *l, eh_str id, ledger_assignment *a,
                                             bool *found, eh_error *err);
EH_MUST_USE eh_status ledger_assignment_of(ledger *l, int64_t annotator_row,
                                           int64_t pair_row, ledger_assignment *a,
                                           bool *found, eh_error *err);
/* Every pair that the person was ever handed, but for those that were withdrawn. */
typedef void ledger_row_fn(void *self, int64_t pair_row);
EH_MUST_USE eh_status ledger_assigned_each(ledger *l, int64_t annotator_row,
                                           ledger_row_fn *fn, void *self,
                                           eh_error *err);
/* Has the person a pair of this question? */
EH_MUST_USE eh_status ledger_assigned_question(ledger *l, int64_t annotator_row,
                                               uint64_t question_hash, bool *has,
                                               eh_error *err);
/* What a person has to do: open ones in the order of handing out, then (`skipped`)
 * those that were skipped once, in that of skipping. At most `cap`. */
EH_MUST_USE eh_status ledger_assignments_open(ledger *l, int64_t annotator_row,
                                              bool skipped, ledger_assignment *list,
                                              size_t cap, size_t *n, eh_error *err);
EH_MUST_USE eh_status ledger_assignment_set(ledger *l, int64_t row,
                                            ledger_assignment_state state,
                                            int64_t now_ms, eh_error *err);
/* Open ones that were sent before the instant, to people not seen since, become stale;
 * how many did. */
EH_MUST_USE eh_status ledger_assignments_expire(ledger *l, int64_t before_ms,
                                                int64_t *n, eh_error *err);

/* Pairs of the queue on which people differ and nobody has adjudicated: up to `cap` of
 * their rows behind `after_row` (0: from the first), and how many there are in all. */
EH_MUST_USE eh_status ledger_disagreements(ledger *l, int64_t after_row, int64_t *rows,
                                           size_t cap, size_t *n, int64_t *n_all,
                                           eh_error *err);

/* ---- decisions ---- */

typedef enum ledger_choice {
    LEDGER_CHOICE_A = 1,
    LEDGER_CHOICE_B = 2,
    LEDGER_CHOICE_TIE = 3,
    LEDGER_CHOICE_SKIP = 4
} ledger_choice;

/* "A", "B", "tie", "skip"; 0 where the text is none of them. */
const char *ledger_choice_name(ledger_choice c);
ledger_choice ledger_choice_parse(eh_str s);

/* The answer that a choice means; NONE for a skip. */
eh_verdict ledger_choice_verdict(ledger_choice c, eh_order side);

typedef struct ledger_decision {
    int64_t row, assignment_row;
    eh_str label_id; /* made by the client; unique */
    ledger_choice choice;
    eh_verdict verdict;
    bool unfamiliar;
    eh_str note;         /* absent where there is none */
    int64_t client_seq;  /* -1: not said; as visible_ms */
    eh_str instructions; /* version; as view and width */
    eh_str view, width;
    int64_t visible_ms;      /* the pair was on screen, in a visible tab */
    double depth_a, depth_b; /* how far it was read, 0 to 1; NaN: not said */
    bool fast;               /* under two seconds */
    int64_t received_ms;
    int64_t superseded_by;                   /* row of what replaced it; 0: nothing */
    char assignment_id[LEDGER_ID_CHARS + 1]; /* read only */
    eh_str question; /* how it begins; by ledger_history alone */
} ledger_decision;

/* Stores a decision, lets it supersede `replaces` (0: none), and writes or removes the
 * label that follows from it. */
EH_MUST_USE eh_status ledger_decision_put(ledger *l, const ledger_decision *d,
                                          int64_t replaces, int64_t *row,
                                          eh_error *err);
/* By its label_id; strings in `arena`. */
EH_MUST_USE eh_status ledger_decision_find(ledger *l, eh_str label_id, eh_arena *arena,
                                           ledger_decision *d, bool *found,
                                           eh_error *err);
/* The one of an assignment that nothing replaced. */
EH_MUST_USE eh_status ledger_decision_current(ledger *l, int64_t assignment_row,
                                              eh_arena *arena, ledger_decision *d,
                                              bool *found, eh_error *err);
/* A person's current decisions before row `before` (0: from the last), newest first; at
 * most `cap` of them into `list`, strings in `arena`. */
typedef struct ledger_history_page {
    int64_t annotator_row, before;
    size_t cap;
} ledger_history_page;
EH_MUST_USE eh_status ledger_history(ledger *l, const ledger_history_page *page,
                                     eh_arena *arena, ledger_decision *list, size_t *n,
                                     eh_error *err);

typedef struct ledger_progress {
    int64_t n_labelled, n_skipped, n_skipped_once, n_unfamiliar, n_open, n_fast;
    int64_t n_left, n_right, n_tie;
    double median_ms; /* on screen; NaN where nothing is known */
} ledger_progress;
EH_MUST_USE eh_status ledger_progress_of(ledger *l, int64_t annotator_row,
                                         ledger_progress *p, eh_error *err);

#endif
