/* SPDX-License-Identifier: MIT
 *
 * The labelling server: pages and a JSON interface over a ledger's queue, for people
 * with a token each and one owner. docs/labelling.md describes the interface.
 *
 * One thread does everything: it waits for sockets, answers, and writes the ledger.
 */
#ifndef EH_SERVE_SERVE_H
#define EH_SERVE_SERVE_H

#include <signal.h>

#include "base/clock.h"
#include "ledger/ledger.h"

enum { SERVE_TOKEN_CHARS = 43, SERVE_PORT_DEFAULT = 7411 };

/* The HTTP library and its version, or NULL where this build has none. */
const char *serve_library(void);

/* USAGE where this build has no server. */
EH_MUST_USE eh_status serve_check_built(eh_error *err);

/* A new token for a person, who is added if there is nobody of that name; the token
 * before, if any, lets nobody in any more. Only a hash of it is kept. Commits. */
EH_MUST_USE eh_status serve_invite(ledger *l, eh_str name, int64_t now_ms,
                                   char token[SERVE_TOKEN_CHARS + 1], eh_error *err);

enum { SERVE_MAX_INSTRUCTIONS_BYTES = 200 << 10 };

/* Makes this text the instructions, unless it is already. Commits. */
EH_MUST_USE eh_status serve_instruct(ledger *l, eh_str text, eh_clock clock,
                                     eh_error *err);

/* May somebody be called that? 1 to 64 characters, none of them a control character,
 * and not the owner's name. USAGE with the reason otherwise. */
EH_MUST_USE eh_status serve_name_check(eh_str name, eh_error *err);

typedef struct serve_options {
    const char *bind;    /* an address; "127.0.0.1" unless the user says otherwise */
    int port;            /* 0: any that is free */
    eh_str public_url;   /* how a proxy in front is called; absent: none */
    const char *web_dir; /* read the pages from this folder; NULL: as built in */
    const char *owner_token; /* lets the owner in; from serve_token */
    eh_clock clock;
    const volatile sig_atomic_t *stop; /* becomes not 0 when to end */
    /* Called once when people can come; `base` is "http://127.0.0.1:7411". */
    void (*ready)(void *self, const char *base);
    void *self;
} serve_options;

/* A random token. */
void serve_token(char token[SERVE_TOKEN_CHARS + 1]);

/* Is the address one that only this machine reaches? */
bool serve_is_loopback(const char *address);

/* Checks "https://host[:port]", without path, query or user; USAGE otherwise. */
EH_MUST_USE eh_status serve_url_check(eh_str url, eh_error *err);

/* Serves until *stop. USAGE where the address or port cannot be had, or this build has
 * no HTTP library. The ledger is the caller's, open for writing, with a queue. */
EH_MUST_USE eh_status serve_run(ledger *l, const serve_options *options, eh_error *err);

#endif
