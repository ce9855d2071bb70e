/* SPDX-License-Identifier: MIT
 *
 * evenhand doctor: what this build can do, for bug reports and for people who wonder.
 */
#include <curl/curl.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <zlib.h>

#include "align/align.h"
#include "common.h"
#include "judge/judge.h"
#include "prompt/template.h"

static void add_libraries(eh_buf *out) {
    buf_add_cstr(out, "\nlibraries\n");
    buf_printf(out, "  SQLite %s\n  libsodium %s\n  ICU %s\n", sqlite3_libversion(),
               sodium_version_string(), align_icu_version());
    buf_printf(out, "  zlib %s\n", zlibVersion());
    buf_printf(out, "  %s\n", curl_version()); /* with its own: TLS, HTTP/2, ... */
}

static void add_features(eh_buf *out) {
    eh_str grammars = eh_str_trim(eh_str_of(align_grammar_names()));
    if (!grammars.len) grammars = EH_STR("none (code is cut at lines)");
    buf_printf(out, "\nfeatures\n  kernels: %s\n  grammars: %.*s\n", align_simd_name(),
               EH_STR_ARG(grammars));
}

/* Whether a key is there; never what it is. */
static void add_keys(eh_buf *out) {
    static const char *const names[] = {"OPENAI_API_KEY", "ANTHROPIC_API_KEY"};
    buf_add_cstr(out, "\nkeys\n");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        buf_printf(out, "  %s: %s\n", names[i], value && value[0] ? "set" : "not set");
    }
}

int cmd_doctor(const cli_args *args) {
    eh_buf out;
    buf_init(&out, BUF_MAX_SMALL);
    buf_printf(&out, "evenhand %s\n", EH_VERSION);
    add_libraries(&out);
    add_features(&out);
    add_keys(&out);
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
