/* SPDX-License-Identifier: MIT
 *
 * From a judge of a ledger back to a judge that can be asked.
 *
 *   judge id   openai:MODEL@host/v1          ->  backend, model, address
 *   params     {"extra": {..}, "max_tokens": 300, "temperature": 1}   ->  parameters
 *   template   its text                      ->  the same prompts
 *
 * Keys, headers and certificates are in no ledger and come from the caller. In the end
 * the judge that was opened must be the one of the ledger, by all that identifies one:
 * so a mistake cannot mix two judges.
 */
#include "run/again.h"

#include <math.h>

#include "base/json_read.h"
#include "dataset/tree.h"

static eh_status read_params(eh_str json, eh_arena *arena, judge_params *params,
                             eh_str *extra, eh_error *err) {
    json_fault fault;
    double number;
    *params = (judge_params){.temperature = NAN, .max_tokens = -1, .request_seed = -1};
    *extra = (eh_str){NULL, 0};
    json_reader *reader = json_reader_new();
    if (!reader) return EH_NOMEM(err);
    const json_value *root = json_read(reader, arena, json, &fault);
    json_reader_free(reader);
    if (!root && fault.kind == JSON_FAULT_NOMEM) return EH_NOMEM(err);
    if (!root || root->kind != JSON_OBJECT)
        return EH_FAIL(err, EH_STATUS_LEDGER, "the ledger's judge has no parameters");
    const json_value *v = json_get(root, "temperature");
    if (v && eh_str_to_f64(v->text, &number)) params->temperature = number;
    v = json_get(root, "max_tokens");
    if (v) (void)eh_str_to_i64(v->text, &params->max_tokens);
    v = json_get(root, "seed");
    if (v) (void)eh_str_to_i64(v->text, &params->request_seed);
    v = json_get(root, "logprobs");
    int64_t n_logprobs;
    params->wants_logprobs = v && eh_str_to_i64(v->text, &n_logprobs);
    if (params->wants_logprobs) params->top_logprobs = (int)n_logprobs;
    v = json_get(root, "extra");
    if (!v) return EH_STATUS_OK;
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    tree_write(&text, v, NULL, 0);
    eh_status status = buf_check(&text, "further parameters", err);
    if (status == EH_STATUS_OK && !arena_copy(arena, buf_view(&text), extra))
        status = EH_NOMEM(err);
    buf_deinit(&text);
    return status;
}

/* "openai:MODEL@HOST/PATH,HOST/PATH": the addresses stand behind the last "@" and have
 * a path, which tells them from a model's name. */
static eh_str split_address(eh_str id, eh_str *addresses) {
    size_t at = id.len;
    *addresses = (eh_str){NULL, 0};
    while (at > 0 && id.ptr[at - 1] != '@')
        at--;
    if (at == 0) return id;
    eh_str rest = eh_str_slice(id, at, id.len);
    if (eh_str_find(rest, EH_STR("/"), 0) == SIZE_MAX) return id;
    *addresses = rest;
    return eh_str_slice(id, 0, at - 1);
}

/* Ids have no scheme: this machine is asked in the clear, everybody else is not. */
static bool is_loopback(eh_str address) {
    return eh_str_begins(address, EH_STR("127.")) ||
           eh_str_begins(address, EH_STR("localhost")) ||
           eh_str_begins(address, EH_STR("[::1]"));
}

static eh_status urls_of(eh_str addresses, eh_arena *arena, eh_str *urls,
                         eh_error *err) {
    eh_str rest = addresses, address;
    char *text = "";
    while (addresses.len && eh_str_split(&rest, ',', &address)) {
        text = arena_printf(arena, "%s%s%s%.*s", text, *text ? "," : "",
                            is_loopback(address) ? "http://" : "https://",
                            EH_STR_ARG(address));
        if (!text) return EH_NOMEM(err);
    }
    *urls = *text ? eh_str_of(text) : (eh_str){NULL, 0};
    return EH_STATUS_OK;
}

static const judge_backend *backend_of(eh_str spec) {
    const judge_backend *backend;
    for (size_t i = 0; (backend = judge_backend_at(i)); i++) {
        eh_str name = eh_str_of(backend->name);
        if (eh_str_begins(spec, name) &&
            (spec.len == name.len || spec.ptr[name.len] == ':'))
            return backend;
    }
    return NULL;
}

static eh_status open_judge(run_again *a, const tally_view *view,
                            const run_again_options *o, eh_str extra, eh_error *err) {
    eh_str id = view->run.judge.judge, addresses;
    eh_str named = split_address(id, &addresses);
    eh_str spec = o->judge.len ? o->judge : named;
    const judge_backend *backend = backend_of(spec);
    if (!backend)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "'%.*s' does not say how to reach the judge; say it by --ask "
                       "JUDGE, as you would by -j to run",
                       EH_STR_ARG(spec));
    if (backend->is_recording)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "'%.*s' answers from a recording, which does not change",
                       EH_STR_ARG(id));
    judge_http_options http = *o->http;
    if (backend->is_endpoint) {
        http.judge_id = id;
        if (!http.base_urls.len)
            EH_TRY(urls_of(addresses, &a->arena, &http.base_urls, err));
        if (!http.extra_body.len) http.extra_body = extra;
    }
    judge_open_args open = {
        .concurrency = o->concurrency, .http = &http, .clock = o->clock};
    return judge_open(spec, &open, &a->j, err);
}

static eh_status check_same(ledger *l, const tally_view *view, run_again *a,
                            eh_error *err) {
    ledger_judge same;
    int64_t row;
    EH_TRY(run_setup_judge(&a->setup, &a->arena, &same, err));
    EH_TRY(ledger_judge_find(l, &same, &row, err));
    if (row == view->run.judge_row) return EH_STATUS_OK;
    return EH_FAIL(
        err, EH_STATUS_USAGE,
        "'%.*s' would not be asked as '%.*s' was: another judge, template or "
        "parameters",
        EH_STR_ARG(same.judge), EH_STR_ARG(view->run.judge.judge));
}

eh_status run_again_open(ledger *l, const tally_view *view,
                         const run_again_options *options, run_again *a,
                         eh_error *err) {
    const ledger_judge *judge_of = &view->run.judge;
    eh_str extra;
    *a = (run_again){.setup = {.plan = view->plan}};
    arena_init(&a->arena, 64 << 20);
    if (view->run.imported)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "'%.*s' was imported; there is nobody to ask again",
                       EH_STR_ARG(judge_of->judge));
    EH_TRY(read_params(judge_of->params, &a->arena, &a->setup.params, &extra, err));
    EH_TRY(judge_of->template_text.len
               ? prompt_template_parse(judge_of->template_text, "the ledger's template",
                                       &a->t, err)
               : prompt_template_builtin(EH_STR("score"), &a->t, err));
    EH_TRY(open_judge(a, view, options, extra, err));
    a->setup.j = a->j;
    a->setup.t = a->t;
    return check_same(l, view, a, err);
}

void run_again_close(run_again *a) {
    judge_close(a->j);
    prompt_template_free(a->t);
    arena_deinit(&a->arena);
    *a = (run_again){0};
}
