/* SPDX-License-Identifier: MIT
 *
 * Where an embedder is, and with whose key.
 *
 *   --embed-base-url    the embedder is there, with the key of --embed-key-env or of
 * the vendor's variable; no key of the judge goes there otherwise, and the judge speaks
 * the same protocol at the judge's place, with its keys otherwise           at the
 * vendor's
 *
 * Limits of time, repeats, rates and certificates are the same for both, each counted
 * for itself. Left out: --extra-body, --judge-id and rules on endpoints, which are the
 * judge's alone.
 */
#include "embedder.h"

#include "common.h"

static judge_http_options options_for(const cli_args *a, const char *judge_spec) {
    judge_http_options o = common_endpoint(a);
    o.extra_body = o.judge_id = (eh_str){NULL, 0};
    if (!judge_spec) return o;
    eh_str own_key = eh_str_of(args_str(a, OPT_embed_key_env));
    bool same_place = !args_given(a, OPT_embed_base_url) &&
                      eh_str_begins(eh_str_of(judge_spec), EH_STR("openai:"));
    if (!same_place) {
        o.base_urls = eh_str_of(args_str(a, OPT_embed_base_url));
        o.key_env = o.key_file = o.header_env = (eh_str){NULL, 0};
    }
    if (own_key.len) {
        o.key_env = own_key;
        o.key_file = (eh_str){NULL, 0};
    }
    return o;
}

eh_status embedder_open(const cli_args *args, const char *judge_spec, eh_clock clock,
                        run_embedder **e, eh_error *err) {
    eh_str wish = eh_str_of(args_str(args, OPT_similarity)), prefix = EH_STR("embed:");
    *e = NULL;
    if (wish.len == 0 || eh_str_eq_cstr(wish, "tokens")) {
        if (args_given(args, OPT_embed_base_url) || args_given(args, OPT_embed_key_env))
            return EH_FAIL(err, EH_STATUS_USAGE,
                           "--embed-base-url and --embed-key-env need "
                           "--similarity embed:openai:MODEL");
        return EH_STATUS_OK;
    }
    if (!eh_str_begins(wish, prefix))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--similarity: '%.*s' is not tokens or embed:openai:MODEL",
                       (int)(wish.len > 60 ? 60 : wish.len), wish.ptr);
    judge_http_options http = options_for(args, judge_spec);
    judge_open_args open = {.concurrency = (int)args_i64(args, OPT_concurrency, 16),
                            .http = &http,
                            .clock = clock};
    eh_status status =
        run_embedder_open(eh_str_slice(wish, prefix.len, wish.len), &open, e, err);
    if (status != EH_STATUS_OK) eh_error_prefix(err, "--similarity");
    return status;
}
