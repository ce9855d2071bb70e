/* SPDX-License-Identifier: MIT
 *
 * The list of judge backends, and the way from "backend:spec" to an open judge.
 *
 * Left out: what a reply means. A judge moves texts; src/verdict reads them, and the
 * engine stores them before it looks at them.
 */
#include "judge/judge.h"

#include <stdio.h>
#include "base/suggest.h"
#include "base/utf8.h"

static const judge_backend *const backends[] = {
    &judge_backend_sim,     &judge_backend_replay, &judge_backend_longest,
    &judge_backend_overlap, &judge_backend_openai, &judge_backend_anthropic,
};

const judge_backend *judge_backend_at(size_t i) {
    return i < sizeof backends / sizeof backends[0] ? backends[i] : NULL;
}

static const judge_backend *backend_find(eh_str name) {
    for (size_t i = 0; judge_backend_at(i); i++)
        if (eh_str_eq_cstr(name, backends[i]->name)) return backends[i];
    return NULL;
}

static eh_status unknown_judge(eh_str spec, eh_str name, eh_error *err) {
    char known[200] = "";
    suggest near = suggest_for(name);
    for (size_t i = 0; judge_backend_at(i); i++) {
        size_t used = strlen(known);
        (void)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "",
                       backends[i]->form);
        suggest_offer(&near, eh_str_of(backends[i]->name));
    }
    return EH_FAIL(err, EH_STATUS_USAGE,
                   "unknown judge '%.*s': use one of %s" SUGGEST_FORMAT,
                   EH_STR_ARG(utf8_cut(spec, 60)), known, SUGGEST_ARGS(near));
}

/* Options of endpoints say nothing to a judge in the process: a mistake, then. */
static eh_status check_local(const judge_backend *backend, const judge_http_options *o,
                             eh_error *err) {
    if (!o) return EH_STATUS_OK;
    const struct {
        const char *name;
        bool given;
    } options[] = {
        {"--base-url", o->base_urls.len > 0},
        {"--key-env", o->key_env.len > 0},
        {"--key-file", o->key_file.len > 0},
        {"--header-env", o->header_env.len > 0},
        {"--cacert", o->cacert.len > 0},
        {"--extra-body", o->extra_body.len > 0},
        {"--judge-id", o->judge_id.len > 0},
        {"--rpm", o->rpm > 0},
        {"--tpm", o->tpm > 0},
    };
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (options[i].given)
            return EH_FAIL(err, EH_STATUS_USAGE,
                           "%s is for endpoints; judge '%s' is none", options[i].name,
                           backend->name);
    return EH_STATUS_OK;
}

eh_status judge_open(eh_str spec, const judge_open_args *args, judge **out,
                     eh_error *err) {
    *out = NULL;
    size_t colon = eh_str_find(spec, EH_STR(":"), 0);
    eh_str name = colon == SIZE_MAX ? spec : eh_str_slice(spec, 0, colon);
    const judge_backend *backend = backend_find(name);
    if (!backend) return unknown_judge(spec, name, err);
    if (!backend->is_endpoint) EH_TRY(check_local(backend, args->http, err));
    judge_open_args own = *args;
    own.spec = colon == SIZE_MAX ? EH_STR("") : eh_str_slice(spec, colon + 1, spec.len);
    return backend->open(&own, out, err);
}

void judge_tally_add(judge_tally *t, int outcome, int n) {
    int i = 0;
    while (i < t->n_kinds && t->outcomes[i] != outcome)
        i++;
    if (i == t->n_kinds && i < JUDGE_MAX_OUTCOMES) {
        t->outcomes[t->n_kinds++] = outcome;
        t->n[i] = 0;
    } else if (i == t->n_kinds) {
        i--;
    }
    t->n[i] += n;
}

eh_status judge_open_embedder(eh_str spec, const judge_open_args *args, judge **out,
                              eh_error *err) {
    eh_str prefix = EH_STR("openai:");
    *out = NULL;
    if (!eh_str_begins(spec, prefix))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "'%.*s' gives no embeddings; use openai:MODEL, at any endpoint "
                       "that speaks its protocol",
                       (int)(spec.len > 60 ? 60 : spec.len), spec.ptr ? spec.ptr : "");
    judge_open_args own = *args;
    own.spec = eh_str_slice(spec, prefix.len, spec.len);
    return judge_backend_vectors.open(&own, out, err);
}

void judge_close(judge *j) {
    if (j) j->backend->close(j);
}

eh_status judge_submit(judge *j, const judge_request *request, eh_error *err) {
    return j->backend->submit(j, request, err);
}

bool judge_profile_get(const judge *j, judge_profile *profile) {
    if (!j->backend->profile) return false;
    j->backend->profile(j, profile);
    return true;
}

void judge_halt(judge *j) {
    if (j->backend->halt) j->backend->halt(j);
}

eh_status judge_poll(judge *j, int64_t timeout_ms, judge_reply *reply, bool *got,
                     eh_error *err) {
    return j->backend->poll(j, timeout_ms, reply, got, err);
}
