/* SPDX-License-Identifier: MIT
 *
 * Splitting two answers into parts that belong together: the computing half of PORTIA.
 * No I/O, no clock, no globals; thread-safe with one arena per thread.
 *
 *   align_units_of(answer_1, &options, &arena, &units_1, &err);
 *   align_units_of(answer_2, &options, &arena, &units_2, &err);
 *   align_pair pair = {&units_1, &units_2};
 *   align_similarity *sim;
 *   align_similarity_words(&pair, &arena, &sim, &err);
 *   align_semantic_cut(&pair, sim, 3, &arena, &cut, &err);
 *   for (size_t t = 0; t < cut.n_parts; t++)
 *       show(align_part(&units_1, cut.begin_1, t), align_part(&units_2, cut.begin_2,
 * t));
 *
 * A text becomes units (sentences, headings, list items, tables, code), between which
 * alone a cut may fall. Units tile the text byte for byte, and so do parts.
 *
 * Mirror law: exchanging the two answers exchanges begin_1 and begin_2 and changes no
 * other bit of a result. docs/alignment.md explains how all of it works.
 *
 * Everything handed out lives in the arena that the caller passed, until its reset, and
 * borrows the texts of the answers. Scratch memory comes from the same arena.
 */
#ifndef EH_ALIGN_ALIGN_H
#define EH_ALIGN_ALIGN_H

#include "base/arena.h"
#include "base/status.h"

/* X(id, name, text): remarks beside a result, a bit each; none is an error. */
#define ALIGN_NOTE_LIST(X)                                                             \
    X(CODE_UNKNOWN, "code_unknown", "code of an unknown language was cut at lines")    \
    X(CODE_BROKEN, "code_broken", "code that does not parse was cut at lines")         \
    X(CODE_NO_GRAMMARS, "code_no_grammars",                                            \
      "built without grammars: code was cut at lines")                                 \
    X(CODE_LONG, "code_long", "code too long to be parsed was cut at lines")           \
    X(FEWER_PARTS, "fewer_parts", "fewer units than parts asked for")                  \
    X(NOTHING_ALIKE, "nothing_alike", "no similarity at all: the length cut stands")   \
    X(TOO_LARGE, "too_large",                                                          \
      "too many units for the exact alignment: the length cut stands")

typedef enum align_note {
#define X(id, name, text) ALIGN_NOTE_BIT_##id,
    ALIGN_NOTE_LIST(X)
#undef X
        ALIGN_NOTE_N
} align_note;

/* The note of bit `note`, and a sentence about it; NULL for no note. */
const char *align_note_name(align_note note);
const char *align_note_text(align_note note);

/* X(id, name) */
#define ALIGN_UNIT_LIST(X)                                                             \
    X(SENTENCE, "sentence")                                                            \
    X(HEADING, "heading")                                                              \
    X(TABLE, "table")                                                                  \
    X(CODE, "code")

typedef enum align_unit_kind {
#define X(id, name) ALIGN_UNIT_##id,
    ALIGN_UNIT_LIST(X)
#undef X
        ALIGN_UNIT_N
} align_unit_kind;

const char *align_unit_kind_name(align_unit_kind kind);

typedef struct align_unit {
    uint32_t begin_byte;
    uint32_t end_byte; /* the next unit's begin, or the text's end */
    align_unit_kind kind;
} align_unit;

typedef struct align_units {
    eh_str text;
    const align_unit *unit; /* [n], in order; without a gap from 0 to text.len */
    size_t n;               /* 0 only for the empty text */
    uint32_t notes;         /* 1u << align_note */
} align_units;

typedef struct align_options {
    /* Code that is longer than 1/parts of the text is cut between its definitions and
     * statements; 0 and 1 leave every fence whole. */
    size_t parts;
    eh_str lang; /* BCP 47 tag of the prose, for the sentence rules; may be absent */
} align_options;

enum { ALIGN_MAX_TEXT_BYTES = 1 << 30 };

/* Cuts a text into units. `text` must be valid UTF-8 (DATA with its byte in err->pos
 * otherwise) of at most ALIGN_MAX_TEXT_BYTES (TOO_BIG). */
EH_MUST_USE eh_status align_units_of(eh_str text, const align_options *options,
                                     eh_arena *arena, align_units *units,
                                     eh_error *err);

/* The text of a unit without the white space at its ends. */
eh_str align_unit_text(const align_units *units, size_t index);

/* Two answers, as the caller calls them. */
typedef struct align_pair {
    const align_units *units_1, *units_2;
} align_pair;

/* How alike a part of one answer and a part of the other are. Made for one pair. */
typedef struct align_similarity align_similarity;

/* |A n B| / max(|A|, |B|) over sets of words: ICU's words, NFKC case-folded, numbers
 * kept, punctuation and symbols dropped. Two parts without words have 0. */
EH_MUST_USE eh_status align_similarity_words(const align_pair *pair, eh_arena *arena,
                                             align_similarity **similarity,
                                             eh_error *err);

/* One vector a unit, from any embedding: [n_units][n_dims], borrowed. */
typedef struct align_vectors {
    const float *vectors_1, *vectors_2;
    size_t n_dims;
} align_vectors;

/* The cosine of the mean unit vectors of the parts, -1 to 1; 0 where a mean vanishes.
 */
EH_MUST_USE eh_status align_similarity_vectors(const align_pair *pair,
                                               const align_vectors *vectors,
                                               eh_arena *arena,
                                               align_similarity **similarity,
                                               eh_error *err);

/* Where parts begin. Part t of answer 1 are its units begin_1[t] .. begin_1[t + 1]. */
typedef struct align_cut {
    size_t n_parts;
    const size_t *begin_1, *begin_2; /* [n_parts + 1] unit indexes, from 0 to n */
    const double *similarity;        /* [n_parts] */
    double sum;                      /* of `similarity` */
    uint32_t notes;                  /* of the cut alone; units have their own */
} align_cut;

/* Cuts both answers at the unit boundaries nearest to t/parts of their lengths in code
 * points; of two that are equally near, at the earlier. There are min(parts, units)
 * parts and none is empty, except beside an empty answer, where there is one part; two
 * empty answers have none. `similarity` may be NULL, which leaves it 0. */
EH_MUST_USE eh_status align_length_cut(const align_pair *pair,
                                       const align_similarity *similarity, size_t parts,
                                       eh_arena *arena, align_cut *cut, eh_error *err);

/* Of all cuts into that many parts, the one with the largest sum of similarities. Of
 * equal ones that with the smallest begins: those of the answer whose text is smaller
 * in byte order are compared first. */
EH_MUST_USE eh_status align_semantic_cut(const align_pair *pair,
                                         align_similarity *similarity, size_t parts,
                                         eh_arena *arena, align_cut *cut,
                                         eh_error *err);

/* Measures a cut by another similarity of the same pair: sets cut->similarity (in
 * `arena`) and cut->sum. */
EH_MUST_USE eh_status align_cut_measure(const align_pair *pair,
                                        const align_similarity *similarity,
                                        eh_arena *arena, align_cut *cut, eh_error *err);

/* Would the exact alignment into that many parts be attempted, as far as the numbers of
 * units tell? If not, no similarity needs to be made. */
bool align_is_feasible(const align_pair *pair, size_t parts);

enum { ALIGN_PARTS_DEFAULT = 3, ALIGN_PARTS_AUTO_MAX = 6 };

/* What each number of parts would gain on this pair, and which is taken. */
typedef struct align_auto {
    size_t parts; /* the choice */
    double
        gain[ALIGN_PARTS_AUTO_MAX + 1]; /* by number of parts, 0 where not possible */
} align_auto;

/* Chooses the number of parts for a pair (`--parts auto`): 2 to ALIGN_PARTS_AUTO_MAX.
 */
EH_MUST_USE eh_status align_choose_parts(const align_pair *pair,
                                         align_similarity *similarity, eh_arena *arena,
                                         align_auto *choice, eh_error *err);

/* Bytes of part t. */
eh_str align_part(const align_units *units, const size_t *begin, size_t t);

/* For `doctor` and the ledger: ICU's version, the instruction set in use, and the
 * languages whose code is parsed ("" where built without grammars). Static strings. */
const char *align_icu_version(void);
const char *align_simd_name(void);
const char *align_grammar_names(void);

#endif
