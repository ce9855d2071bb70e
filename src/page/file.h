/* SPDX-License-Identifier: MIT
 *
 * What all pages that are one file share: where they come from, chunks of texts, the
 * document around them, and putting it in its place.
 *
 *   numbers --index (JSON, packed)--> .
 *   texts ----chunks (JSON, packed)-> HTML --> file
 *   bundle NAME.js, NAME.css -------> '
 */
#ifndef EH_PAGE_FILE_H
#define EH_PAGE_FILE_H

#include "base/json_write.h"
#include "ledger/ledger.h"
#include "page/redact.h"

typedef struct price_table price_table; /* run/price.h */

/* A ledger that is reported on, and how people call it. */
typedef struct page_source {
    ledger *l;
    eh_str name; /* the file's name, without folders */
} page_source;

typedef struct page_options {
    bool texts;        /* keep questions, answers, replies, notes and names of people */
    int64_t max_bytes; /* of all texts, as they stand in the file */
    eh_str method;     /* rule by this one; absent: each run's own */
    const price_table *prices; /* NULL: costs are unknown */
    int64_t label_nusd;        /* price of a label; -1: not said */
    page_redact *redact;       /* what is kept out of texts and ids; NULL: nothing */
    eh_str command;            /* how to make the file again */
} page_options;

#define PAGE_NO_PLACE SIZE_MAX

typedef struct page_result {
    size_t n_pairs, n_judges, n_with_texts; /* texts are in the file */
    int64_t n_bytes;
    int64_t n_redacted; /* matches that were left out */
} page_result;

/* ---- chunks ---- */

/* Where finished pieces of the file go. */
typedef struct page_sink {
    eh_status (*write)(void *self, eh_str bytes, eh_error *err);
    void *self;
} page_sink;

/* What goes into chunks: a JSON value of each kind for each item, in the order in which
 * items are kept where not all fit. */
typedef struct page_chunk_source {
    size_t n_items, n_kinds;
    int64_t max_bytes; /* of all chunks, as they stand in the file */
    /* Called for each item once with each kind, 0 first. `arena` is the item's. */
    eh_status (*put)(void *self, size_t place, size_t kind, eh_arena *arena,
                     json_writer *w, eh_error *err);
    void *self;
} page_chunk_source;

/* Each chunk becomes, for each kind, a script element of gzip in base64. */
typedef struct page_chunks page_chunks;

/* Compresses items into a temporary file until max_bytes are reached; items from
 * *n_placed on have no place. */
EH_MUST_USE eh_status page_chunks_make(const page_chunk_source *source,
                                       page_chunks **chunks, size_t *n_placed,
                                       eh_error *err);
/* "chunks": for each kind the places at which its chunks begin. */
void page_chunks_json(const page_chunks *c, json_writer *w);
EH_MUST_USE eh_status page_chunks_write(page_chunks *c, const page_sink *sink,
                                        eh_error *err);
void page_chunks_free(page_chunks *c); /* accepts NULL */

/* Appends gzip in base64. */
EH_MUST_USE eh_status page_pack(eh_str bytes, eh_buf *out, eh_error *err);

/* A member, unless the value is absent. */
void page_json_put(json_writer *w, const char *key, eh_str value);

/* How a reply is shown. */
typedef struct page_answer {
    int stage;                   /* counts where the sample has one */
    bool texts;                  /* without, it is all but what was said */
    size_t span_begin, span_end; /* in UTF-16 units of the reply: where its verdict was
                                    read; equal where that is not known */
} page_answer;

/* A reply as an object. */
void page_answer_json(const ledger_answer *a, const page_answer *how, json_writer *w);

/* ---- the document ---- */

typedef struct page_document {
    const char *bundle;  /* "report", "card" */
    const char *kind;    /* "report", "judge card": for the title and messages */
    eh_str name;         /* what it is about */
    const eh_buf *plain; /* HTML inside main: for readers without scripts */
    const eh_buf *index; /* JSON */
} page_document;

/* Whether this build has the pages (they need Node to be built). */
bool page_is_built(void);

/* USAGE where it has not, with what to do. */
EH_MUST_USE eh_status page_check_built(eh_error *err);

/* USAGE when this build has no pages; what a buffer of the document lacked room for. */
EH_MUST_USE eh_status page_document_write(const page_document *d, page_chunks *chunks,
                                          const page_sink *sink, eh_error *err);

/* Text with the five characters of HTML escaped. */
void page_html_escape(eh_str text, eh_buf *out);

/* Makes a file, which is replaced only when the new one is complete. */
typedef eh_status page_make(void *self, const page_sink *sink, eh_error *err);
EH_MUST_USE eh_status page_file_make(const char *path, page_make *make, void *self,
                                     int64_t *n_bytes, eh_error *err);

#endif
