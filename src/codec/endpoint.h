/* SPDX-License-Identifier: MIT
 *
 * Addresses of endpoints: from what a person writes after --base-url to the URL that is
 * posted to, and to the judge's id.
 */
#ifndef EH_CODEC_ENDPOINT_H
#define EH_CODEC_ENDPOINT_H

#include "codec/codec.h"

enum { ENDPOINT_MAX = 32 }; /* base URLs of one judge */

typedef struct endpoint {
    eh_str url;  /* where requests go; ends in NUL */
    eh_str host; /* host, and the port where it is not the scheme's own */
    eh_str base; /* host and path of the base, without scheme and query: for ids */
    bool is_plain_http; /* neither encrypted nor on this machine */
} endpoint;

/* Reads one base URL. It may end in a slash, lack the version, or be the full URL; a
 * query is kept for requests. USAGE for user info, a fragment, a key in the query, or
 * anything that is no http(s) URL. Strings in `arena`. */
EH_MUST_USE eh_status endpoint_read(const judge_codec *codec, eh_str text,
                                    eh_arena *arena, endpoint *out, eh_error *err);

/* A comma-separated list of them; absent means the vendor's own. At most ENDPOINT_MAX.
 */
EH_MUST_USE eh_status endpoint_read_list(const judge_codec *codec, eh_str list,
                                         eh_arena *arena, endpoint *out, size_t *n,
                                         eh_error *err);

/* "openai:MODEL", with "@HOST/PATH" where the endpoints are not the vendor's own; of
 * several the bases are sorted, so that their order does not matter. */
EH_MUST_USE eh_status endpoint_judge_id(const judge_codec *codec, eh_str model,
                                        const endpoint *endpoints, size_t n,
                                        eh_arena *arena, eh_str *id, eh_error *err);

#endif
