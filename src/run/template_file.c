/* SPDX-License-Identifier: MIT
 *
 * Reads a template file and hands its text to the parser.
 *
 * Left out: looking a template up in search paths. A name is a built-in one or the
 * path that was typed, so that a run means the same on every machine.
 */
#include "run/template_file.h"

#include <errno.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/utf8.h"

static eh_status read_file(const char *path, eh_buf *text, eh_error *err) {
    FILE *f = fopen(path, "rb");
    if (!f)
        return EH_FAIL(err, EH_STATUS_USAGE, "template %s: %s", path, strerror(errno));
    char chunk[16384];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
        buf_add(text, chunk, n);
    bool failed = ferror(f) != 0;
    int why = errno;
    (void)fclose(f);
    if (failed)
        return EH_FAIL(err, EH_STATUS_IO, "template %s: %s", path, strerror(why));
    EH_TRY(buf_check(text, path, err));
    if (utf8_first_invalid(buf_view(text)) != SIZE_MAX)
        return EH_FAIL(err, EH_STATUS_DATA, "template %s: not valid UTF-8", path);
    return EH_STATUS_OK;
}

eh_status run_template_load(const char *name, prompt_template **t, eh_error *err) {
    *t = NULL;
    eh_str s = eh_str_of(name);
    bool is_path = strchr(name, '/') || eh_str_ends(s, EH_STR(".yaml")) ||
                   eh_str_ends(s, EH_STR(".yml"));
    if (!is_path) return prompt_template_builtin(s, t, err);
    eh_buf text;
    buf_init(&text, PROMPT_TEMPLATE_MAX_BYTES);
    eh_status status = read_file(name, &text, err);
    if (status == EH_STATUS_OK)
        status = prompt_template_parse(buf_view(&text), name, t, err);
    buf_deinit(&text);
    return status;
}
