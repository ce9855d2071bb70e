/* SPDX-License-Identifier: MIT
 *
 * Reads a template file and hands its text to the parser.
 *
 * Left out: looking a template up in search paths. A name is a built-in one or the
 * path that was typed, so that a run means the same on every machine.
 */
#include "run/template_file.h"

#include "base/file.h"
#include "base/utf8.h"

static eh_status read_template(const char *path, eh_buf *text, eh_error *err) {
    eh_status status = file_read(path, EH_STATUS_USAGE, text, err);
    if (status == EH_STATUS_OK && utf8_first_invalid(buf_view(text)) != SIZE_MAX)
        status = EH_FAIL(err, EH_STATUS_DATA, "%s: not valid UTF-8", path);
    if (status != EH_STATUS_OK) eh_error_prefix(err, "template");
    return status;
}

eh_status run_template_load(const char *name, prompt_template **t, eh_error *err) {
    *t = NULL;
    eh_str s = eh_str_of(name);
    bool is_path = strchr(name, '/') || eh_str_ends(s, EH_STR(".yaml")) ||
                   eh_str_ends(s, EH_STR(".yml"));
    if (!is_path) return prompt_template_builtin(s, t, err);
    eh_buf text;
    buf_init(&text, PROMPT_TEMPLATE_MAX_BYTES);
    eh_status status = read_template(name, &text, err);
    if (status == EH_STATUS_OK)
        status = prompt_template_parse(buf_view(&text), name, t, err);
    buf_deinit(&text);
    return status;
}

eh_status run_template_load_asking(const char *name, prompt_template **t,
                                   eh_error *err) {
    EH_TRY(run_template_load(name, t, err));
    if ((*t)->can_ask) return EH_STATUS_OK;
    prompt_template_free(*t);
    *t = NULL;
    return EH_FAIL(err, EH_STATUS_USAGE,
                   "template '%s' only reads replies; it has no prompt to ask with",
                   name);
}

const char *run_template_default(const char *method) {
    return method && strcmp(method, "standalone") == 0 ? "standalone" : "score";
}
