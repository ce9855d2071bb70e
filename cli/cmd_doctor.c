/* SPDX-License-Identifier: MIT
 *
 * evenhand doctor: what this build can do, for bug reports and for people who wonder;
 * with -j what an endpoint can do (doctor_judge.c).
 *
 * The facts stand in one table of groups and entries, from which both forms of the
 * report are written.
 *
 * Left out: whatever would have to be asked of anybody, unless -j says whom.
 */
#include <curl/curl.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <zlib.h>

#include "align/align.h"
#include "base/json_write.h"
#include "common.h"
#include "doctor_judge.h"
#include "page/page.h"
#include "prompt/template.h"
#include "report/layout.h"
#include "serve/serve.h"

enum { MAX_ENTRIES = 64, GROUP_COLUMNS = 11 };

/* A fact: of a library its name and version, else a name alone. */
typedef struct entry {
    const char *group;
    eh_str name, value; /* value absent: the name says it all */
    bool is_lack;       /* the name says that there are none, to people alone */
} entry;

typedef struct facts {
    entry entries[MAX_ENTRIES]; /* [n] those of a group stand together */
    size_t n;
} facts;

static void add(facts *f, const char *group, eh_str name, eh_str value) {
    if (f->n < MAX_ENTRIES)
        f->entries[f->n++] = (entry){.group = group, .name = name, .value = value};
}

static void add_lack(facts *f, const char *group, eh_str words) {
    if (f->n < MAX_ENTRIES)
        f->entries[f->n++] = (entry){.group = group, .name = words, .is_lack = true};
}

/* The names in a list, each an entry. */
static void add_list(facts *f, const char *group, eh_str list, char gap) {
    eh_str name;
    while (eh_str_split(&list, gap, &name)) {
        name = eh_str_trim(name);
        if (name.len) add(f, group, name, (eh_str){NULL, 0});
    }
}

static void add_libraries(facts *f) {
    const curl_version_info_data *curl = curl_version_info(CURLVERSION_NOW);
    add(f, "libraries", EH_STR("SQLite"), eh_str_of(sqlite3_libversion()));
    add(f, "libraries", EH_STR("libcurl"), eh_str_of(curl->version));
    add(f, "libraries", EH_STR("TLS"), eh_str_of(curl->ssl_version));
    add(f, "libraries", EH_STR("ICU"), eh_str_of(align_icu_version()));
    add(f, "libraries", EH_STR("libsodium"), eh_str_of(sodium_version_string()));
    add(f, "libraries", EH_STR("zlib"), eh_str_of(zlibVersion()));
}

/* Whether a key is there; never what it is. */
static void add_keys(facts *f) {
    static const char *const names[] = {"OPENAI_API_KEY", "ANTHROPIC_API_KEY"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = getenv(names[i]);
        add(f, "keys", eh_str_of(names[i]),
            value && value[0] ? EH_STR("set") : EH_STR("not set"));
    }
}

static void collect(facts *f) {
    eh_str grammars = eh_str_of(align_grammar_names());
    add_libraries(f);
    add(f, "kernels", eh_str_of(align_simd_name()), (eh_str){NULL, 0});
    if (eh_str_is_blank(grammars))
        add_lack(f, "grammars", EH_STR("none (code is cut at lines)"));
    add_list(f, "grammars", grammars, ' ');
    const char *server = serve_library();
    if (server)
        add(f, "server", eh_str_of(server), (eh_str){NULL, 0});
    else
        add_lack(f, "server", EH_STR("none (built without libmicrohttpd)"));
    if (page_is_built())
        add_list(f, "pages", EH_STR("report,judge card,labelling"), ',');
    else
        add_lack(f, "pages", EH_STR("none (built without Node)"));
    add_keys(f);
    for (size_t i = 0; judge_backend_at(i); i++)
        add(f, "judges", eh_str_of(judge_backend_at(i)->form), (eh_str){NULL, 0});
    add_list(f, "methods", eh_str_of(plan_method_names()), ',');
    for (size_t i = 0; prompt_builtin_name(i).len; i++)
        add(f, "templates", prompt_builtin_name(i), (eh_str){NULL, 0});
}

static bool begins_group(const facts *f, size_t i) {
    return i == 0 || f->entries[i].group != f->entries[i - 1].group;
}

/* Groups as paragraphs, their entries separated by commas. */
static void write_text(const facts *f, eh_buf *out) {
    buf_printf(out, "evenhand %s\n", EH_VERSION);
    for (size_t i = 0; i < f->n; i++) {
        const entry *e = &f->entries[i];
        if (begins_group(f, i))
            buf_printf(out, "\n%-*s" LAYOUT_HANG, GROUP_COLUMNS, e->group);
        else
            buf_add_cstr(out, ", ");
        buf_printf(out, "%.*s%s%.*s", EH_STR_ARG(e->name), e->value.len ? " " : "",
                   EH_STR_ARG(e->value));
    }
    buf_add_char(out, '\n');
}

/* {"libraries": {"SQLite": "3.40.1", ...}, "methods": ["vanilla", ...], ...}; what this
 * build lacks is an empty list. */
static void write_json(const facts *f, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 2);
    json_object_begin(&w);
    json_put_i64(&w, "build", 1);
    json_put_cstr(&w, "version", EH_VERSION);
    for (size_t i = 0; i < f->n; i++) {
        const entry *e = &f->entries[i];
        bool is_last = i + 1 == f->n || begins_group(f, i + 1);
        bool has_values = !eh_str_is_absent(e->value);
        if (begins_group(f, i)) {
            json_key(&w, e->group);
            (has_values ? json_object_begin : json_array_begin)(&w);
        }
        if (has_values) json_key_str(&w, e->name);
        if (!e->is_lack) json_str(&w, has_values ? e->value : e->name);
        if (is_last) (has_values ? json_object_end : json_array_end)(&w);
    }
    json_object_end(&w);
    buf_add_char(out, '\n');
}

int cmd_doctor(const cli_args *args) {
    facts f = {.n = 0};
    eh_buf out;
    if (args_given(args, OPT_judge)) return doctor_judge(args);
    collect(&f);
    buf_init(&out, BUF_MAX_SMALL);
    if (args_flag(args, OPT_json))
        write_json(&f, &out);
    else
        write_text(&f, &out);
    return common_print(args, &out, "the report");
}
