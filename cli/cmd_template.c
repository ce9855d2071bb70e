/* SPDX-License-Identifier: MIT
 *
 * evenhand template: what templates there are, and the text of one, which is where a
 * template of one's own begins.
 */
#include "common.h"
#include "prompt/template.h"
#include "report/layout.h"

static eh_status list(eh_buf *out, eh_error *err) {
    buf_add_cstr(out, LAYOUT_HEAD "\n");
    for (size_t i = 0; prompt_builtin_name(i).len; i++) {
        prompt_template *t;
        EH_TRY(prompt_template_builtin(prompt_builtin_name(i), &t, err));
        buf_printf(out, "%.*s" LAYOUT_LEFT "%s" LAYOUT_LEFT "%s\n", EH_STR_ARG(t->name),
                   verdict_form_name(t->form.kind),
                   t->can_ask ? "asks and reads" : "reads recorded replies");
        prompt_template_free(t);
    }
    return EH_STATUS_OK;
}

static eh_status show(const char *name, eh_buf *out, eh_error *err) {
    prompt_template *t;
    if (!name)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "missing NAME of a template; 'evenhand template list' has them");
    EH_TRY(prompt_template_builtin(eh_str_of(name), &t, err));
    buf_add_str(out, t->source);
    prompt_template_free(t);
    return EH_STATUS_OK;
}

int cmd_template(const cli_args *args) {
    eh_error err;
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    bool lists = eh_str_eq_cstr(eh_str_of(args->operands[0]), "list");
    const char *name = args->n_operands > 1 ? args->operands[1] : NULL;
    eh_status status = lists ? list(&out, &err) : show(name, &out, &err);
    if (status == EH_STATUS_OK) status = buf_check(&out, "the templates", &err);
    if (status == EH_STATUS_OK) /* a template's text is the beginning of a file */
        status = lists ? common_print_text(buf_view(&out), &err)
                       : cmd_print(buf_view(&out), &err);
    buf_deinit(&out);
    return status == EH_STATUS_OK ? 0 : cmd_fail(args, &err);
}
