/* SPDX-License-Identifier: MIT
 *
 * Private to serve/: one request and its answer, apart from the HTTP library, and the
 * state of the server that answers.
 */
#ifndef EH_SERVE_EXCHANGE_H
#define EH_SERVE_EXCHANGE_H

#include "base/arena.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "serve/desk.h"
#include "serve/serve.h"

enum {
    SERVE_MAX_BODY_BYTES = 256 << 10, /* the owner's instructions */
    SERVE_MAX_LABEL_BYTES = 32 << 10, /* everything else */
    SERVE_MAX_TEXT_BYTES = 64 << 20,  /* of one answer to a client */
    SERVE_PREFETCH = 5
};

typedef enum serve_role { SERVE_NOBODY, SERVE_ANNOTATOR, SERVE_OWNER } serve_role;

typedef enum serve_method { SERVE_GET, SERVE_POST, SERVE_OTHER } serve_method;

/* Borrowed for the time of the exchange. Absent headers are absent strings. */
typedef struct serve_request {
    serve_method method;
    eh_str path;         /* decoded, without the query */
    eh_str have, before; /* the only query members that anything reads */
    eh_str host, origin, cookie, content_type, fetch_site, etag;
    int n_hosts;            /* Host headers */
    int64_t content_length; /* -1: none */
    bool has_transfer_encoding;
    eh_str local_address; /* of the socket, "127.0.0.1"; absent where unknown */
    eh_str body;
} serve_request;

typedef struct serve_response {
    int status;
    const char *mime;
    eh_str static_body; /* of a page; else `body` */
    eh_buf body;
    char location[64];
    char cookie[192];
    char etag[24];
    bool is_asset; /* may be kept by the browser, after asking */
} serve_response;

typedef struct server {
    ledger *l;
    desk *desk;
    eh_clock clock;
    const char *web_dir;
    uint8_t owner_hash[HASH_BYTES];
    char cookie[24], owner_cookie[24]; /* names, this queue's own */
    eh_str public_host, public_origin; /* absent without --public-url */
    bool secure;                       /* the public address is https */
    char port[8];                      /* ":7411" */
    bool is_loopback;
    ledger_annotator *people; /* [n_people] */
    size_t n_people;
    ledger_instructions instructions;
    eh_arena kept;  /* of the two above; renewed when they change */
    eh_arena arena; /* of one exchange */
    json_reader *reader;
} server;

/* Opens what exchanges need; `base` as for options->ready. server_close accepts a
 * zeroed one. */
EH_MUST_USE eh_status server_open(server *s, ledger *l, const serve_options *options,
                                  int port, eh_error *err);
void server_close(server *s);

/* Reads people and instructions anew. */
EH_MUST_USE eh_status server_reload(server *s, eh_error *err);

/* ---- gate.c: who may ask ---- */

/* Refuses what no page of ours sends: a wrong Host or Origin, another site, a method, a
 * body without length or too long. False: `out` says why. Needs no body. */
bool gate_admits(const server *s, const serve_request *r, serve_response *out);

/* By the cookie; *annotator_row is set for SERVE_ANNOTATOR. `wanted` chooses between
 * the cookies of one browser. */
serve_role gate_role(const server *s, eh_str cookie, serve_role wanted,
                     int64_t *annotator_row);

/* By a token itself. */
serve_role gate_token(const server *s, eh_str token, int64_t *annotator_row);

void gate_token_hash(eh_str token, uint8_t hash[HASH_BYTES]);

/* ---- answers ---- */

/* Answers one request that the gate admits. */
void serve_answer(server *s, const serve_request *r, serve_response *out);

/* {"error": code, "message": text}; what was in the body before is gone. */
void serve_error(serve_response *out, int status, const char *code, const char *text);

/* 500 for a failure of ours; its message is kept from the client and logged. */
void serve_failed(serve_response *out, const eh_error *err);

/* api.c, api_owner.c: false where the path is none of theirs. */
bool api_annotator(server *s, const serve_request *r, int64_t annotator_row,
                   serve_response *out);
bool api_owner(server *s, const serve_request *r, serve_response *out);

/* pages.c: pages and their parts; false where there is nothing of that name. */
bool pages_answer(const server *s, const serve_request *r, serve_response *out);

/* ---- shared by the two interfaces ---- */

/* The body as an object; NULL after serve_error. */
const json_value *api_body(server *s, const serve_request *r, serve_response *out);

/* Reads a label: item, label_id, choice and so on. False after serve_error. */
bool api_read_label(server *s, const serve_request *r, desk_label *label,
                    serve_response *out);

/* Stores it and answers. */
void api_take_label(server *s, int64_t annotator_row, const desk_label *label,
                    serve_response *out);

/* The members id, question, a, b, parts of one pair as it is shown. */
EH_MUST_USE eh_status api_put_item(server *s, const ledger_assignment *a,
                                   json_writer *w, eh_error *err);

/* The members of a decision that its maker may see. */
void api_put_decision(const ledger_decision *d, json_writer *w);

void api_put_instructions(const server *s, json_writer *w);

#endif
