/* SPDX-License-Identifier: MIT
 *
 * evenhand doctor: what this build can do, for bug reports and for people who wonder.
 */
#include <sodium.h>
#include <sqlite3.h>
#include <unicode/uversion.h>

#include "common.h"
#include "judge/judge.h"
#include "prompt/template.h"

int cmd_doctor(const cli_args *args) {
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    buf_printf(&out, "evenhand %s\n\nlibraries\n", EH_VERSION);
    buf_printf(&out, "  SQLite %s\n  libsodium %s\n  ICU %s\n", sqlite3_libversion(),
               sodium_version_string(), U_ICU_VERSION);
    buf_add_cstr(&out, "\njudges\n");
    for (size_t i = 0; judge_backend_at(i); i++)
        buf_printf(&out, "  %s\n", judge_backend_at(i)->form);
    buf_add_cstr(&out, "\nmethods\n  ");
    buf_add_cstr(&out, plan_method_names());
    buf_add_cstr(&out, "\n\ntemplates\n");
    for (size_t i = 0; prompt_builtin_name(i).len; i++)
        buf_printf(&out, "  %.*s\n", EH_STR_ARG(prompt_builtin_name(i)));
    return common_print(args, &out, "the report");
}
