/* SPDX-License-Identifier: MIT
 *
 * Keys and the headers that carry them.
 */
#ifndef EH_JUDGE_HTTP_AUTH_H
#define EH_JUDGE_HTTP_AUTH_H

#include <curl/curl.h>

#include "codec/codec.h"
#include "judge/judge.h"

enum { HTTP_AUTH_MAX_SECRETS = 8 };

typedef struct http_auth {
    struct curl_slist *headers;            /* of every request */
    eh_str secrets[HTTP_AUTH_MAX_SECRETS]; /* [n_secrets] ours; wiped when freed */
    size_t n_secrets;
    char key_place[120]; /* where the first of them came from; "" = there is none */
} http_auth;

/* Looks the key up where the options say, else in the codec's variable. USAGE when a
 * named place holds none. No key at all is no error: local servers want none. */
EH_MUST_USE eh_status http_auth_init(http_auth *auth, const judge_codec *codec,
                                     const judge_http_options *options, eh_error *err);
void http_auth_deinit(http_auth *auth);

#endif
