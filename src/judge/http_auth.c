/* SPDX-License-Identifier: MIT
 *
 * Where keys come from, and the headers of every request.
 *
 *   --key-file FILE       the file's text, without the white space round it
 *   --key-env NAME        the variable's value
 *   --header-env H=NAME   a header with the variable's value; then the vendor's own
 *                         variable is not looked at, so that its key does not go to an
 *                         endpoint that takes another
 *   otherwise             OPENAI_API_KEY or ANTHROPIC_API_KEY, where it is set
 *
 * A key is kept in memory of our own, wiped at the end, and never printed: messages
 * name its place. Values with line breaks would let a key write headers and are
 * refused. Left out: keys on the command line, which every user of the machine could
 * read.
 */
#include "judge/http_auth.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"

enum { KEY_MAX_BYTES = 16 << 10 };

static eh_status add_line(http_auth *auth, const char *line, eh_error *err) {
    struct curl_slist *longer = curl_slist_append(auth->headers, line);
    if (!longer) return EH_NOMEM(err);
    auth->headers = longer;
    return EH_STATUS_OK;
}

/* Adds "name: scheme value" and keeps the value as a secret. `place` names it. */
static eh_status add_secret(http_auth *auth, eh_str name, const char *scheme,
                            eh_str value, const char *place, eh_error *err) {
    eh_str key = eh_str_trim(value);
    if (key.len == 0) return EH_FAIL(err, EH_STATUS_USAGE, "%s is empty", place);
    for (size_t i = 0; i < key.len; i++)
        if ((unsigned char)key.ptr[i] < ' ' || key.ptr[i] == 0x7F)
            return EH_FAIL(err, EH_STATUS_USAGE,
                           "%s holds a line break or control character", place);
    if (auth->n_secrets == HTTP_AUTH_MAX_SECRETS)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "at most %d keys and secret headers may be given",
                       HTTP_AUTH_MAX_SECRETS);
    char *copy = mem_alloc(key.len + 1, 1);
    if (!copy) return EH_NOMEM(err);
    memcpy(copy, key.ptr, key.len);
    copy[key.len] = '\0';
    if (auth->n_secrets == 0)
        (void)snprintf(auth->key_place, sizeof auth->key_place, "%s", place);
    auth->secrets[auth->n_secrets++] = (eh_str){copy, key.len};
    eh_buf line;
    buf_init(&line, 2 * KEY_MAX_BYTES);
    buf_printf(&line, "%.*s: %s%s", EH_STR_ARG(name), scheme, copy);
    eh_status status = buf_check(&line, "a header", err);
    if (status == EH_STATUS_OK) status = add_line(auth, line.ptr, err);
    if (line.ptr) sodium_memzero(line.ptr, line.len);
    buf_deinit(&line);
    return status;
}

/* The value of a variable named by an option. */
static eh_status variable(eh_str name, const char *option, const char **value,
                          char place[120], eh_error *err) {
    char terminated[100];
    (void)snprintf(terminated, sizeof terminated, "%.*s", EH_STR_ARG(name));
    (void)snprintf(place, 120, "%s: variable %s", option, terminated);
    *value = getenv(terminated);
    if (name.len >= sizeof terminated || !*value)
        return EH_FAIL(err, EH_STATUS_USAGE, "%s is not set", place);
    return EH_STATUS_OK;
}

static bool is_header_name(eh_str name) {
    for (size_t i = 0; i < name.len; i++) {
        char c = name.ptr[i];
        bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                    (c >= '0' && c <= '9') || c == '-' || c == '_';
        if (!good) return false;
    }
    return name.len > 0;
}

static eh_status add_header_env(http_auth *auth, eh_str list, eh_error *err) {
    eh_str rest = list, part;
    const char *value = NULL;
    char place[120];
    while (eh_str_split(&rest, ',', &part)) {
        size_t eq = eh_str_find(part, EH_STR("="), 0);
        eh_str name = eh_str_trim(eh_str_slice(part, 0, eq == SIZE_MAX ? 0 : eq));
        if (!is_header_name(name))
            return EH_FAIL(err, EH_STATUS_USAGE,
                           "--header-env is written HEADER=NAME, with the name of a "
                           "variable");
        eh_str from = eh_str_trim(eh_str_slice(part, eq + 1, part.len));
        EH_TRY(variable(from, "--header-env", &value, place, err));
        EH_TRY(add_secret(auth, name, "", eh_str_of(value), place, err));
    }
    return EH_STATUS_OK;
}

static eh_status add_key_file(http_auth *auth, const judge_codec *codec, eh_str path,
                              eh_error *err) {
    char name[4096], text[KEY_MAX_BYTES];
    (void)snprintf(name, sizeof name, "%.*s", EH_STR_ARG(path));
    FILE *file = path.len < sizeof name ? fopen(name, "rb") : NULL;
    if (!file)
        return EH_FAIL(err, EH_STATUS_USAGE, "--key-file: %s: %s", name,
                       strerror(errno));
    size_t n = fread(text, 1, sizeof text, file);
    bool failed = ferror(file) || n == sizeof text;
    (void)fclose(file);
    eh_status status;
    char place[sizeof name + 16];
    (void)snprintf(place, sizeof place, "--key-file: %s", name);
    if (failed)
        status = EH_FAIL(err, EH_STATUS_USAGE, "--key-file: %s holds no key", name);
    else
        status = add_secret(auth, eh_str_of(codec->key_header), codec->key_scheme,
                            (eh_str){text, n}, place, err);
    sodium_memzero(text, sizeof text);
    return status;
}

static eh_status add_key(http_auth *auth, const judge_codec *codec,
                         const judge_http_options *o, eh_error *err) {
    const char *value = NULL;
    char place[120];
    if (o->key_file.len && o->key_env.len)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--key-env and --key-file cannot be given together");
    if (o->key_file.len) return add_key_file(auth, codec, o->key_file, err);
    if (o->key_env.len) {
        EH_TRY(variable(o->key_env, "--key-env", &value, place, err));
    } else {
        value = o->header_env.len ? NULL : getenv(codec->key_variable);
        (void)snprintf(place, sizeof place, "variable %s", codec->key_variable);
        if (!value || eh_str_is_blank(eh_str_of(value))) return EH_STATUS_OK;
    }
    return add_secret(auth, eh_str_of(codec->key_header), codec->key_scheme,
                      eh_str_of(value), place, err);
}

eh_status http_auth_init(http_auth *auth, const judge_codec *codec,
                         const judge_http_options *options, eh_error *err) {
    *auth = (http_auth){0};
    EH_TRY(add_line(auth, "Content-Type: application/json", err));
    EH_TRY(add_line(auth, "Accept: application/json", err));
    EH_TRY(add_line(auth, "Expect:", err)); /* no 100-continue, whatever the size */
    EH_TRY(add_line(auth, "User-Agent: evenhand/" EH_VERSION, err));
    if (codec->version_header) EH_TRY(add_line(auth, codec->version_header, err));
    EH_TRY(add_key(auth, codec, options, err));
    return options->header_env.len ? add_header_env(auth, options->header_env, err)
                                   : EH_STATUS_OK;
}

void http_auth_deinit(http_auth *auth) {
    curl_slist_free_all(auth->headers);
    for (size_t i = 0; i < auth->n_secrets; i++) {
        sodium_memzero((char *)(uintptr_t)auth->secrets[i].ptr, auth->secrets[i].len);
        mem_free((char *)(uintptr_t)auth->secrets[i].ptr);
    }
    *auth = (http_auth){0};
}
