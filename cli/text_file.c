/* SPDX-License-Identifier: MIT
 *
 * Reading and showing single texts.
 *
 * Wrapping counts CJK and emoji as two columns and combining marks as none, which is
 * what terminals do for nearly all text; ICU's East Asian width tells which is which.
 */
#include "text_file.h"

#include <errno.h>
#include <stdio.h>
#include <unicode/uchar.h>

#include "base/utf8.h"

eh_status text_file_read(const char *path, eh_buf *text, eh_error *err) {
    bool is_stdin = strcmp(path, "-") == 0;
    FILE *f = is_stdin ? stdin : fopen(path, "rb");
    if (!f) return EH_FAIL(err, EH_STATUS_DATA, "%s: %s", path, strerror(errno));
    char chunk[65536];
    size_t n;
    while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
        buf_add(text, chunk, n);
    bool failed = ferror(f) != 0;
    int why = errno;
    if (!is_stdin) (void)fclose(f);
    if (failed) return EH_FAIL(err, EH_STATUS_IO, "%s: %s", path, strerror(why));
    EH_TRY(buf_check(text, path, err));
    size_t bad = utf8_first_invalid(buf_view(text));
    if (bad != SIZE_MAX)
        return EH_FAIL(err, EH_STATUS_DATA, "%s: byte %zu: not valid UTF-8", path, bad);
    return EH_STATUS_OK;
}

void text_indented(eh_str text, int indent, eh_buf *out) {
    eh_str rest = text, line;
    bool first = true;
    while (eh_str_split(&rest, '\n', &line)) {
        if (!first) buf_printf(out, "\n%*s", indent, "");
        buf_add_str(out, line);
        first = false;
    }
}

static int cp_columns(uint32_t cp) {
    int8_t type = u_charType((UChar32)cp);
    if (type == U_NON_SPACING_MARK || type == U_ENCLOSING_MARK || type == U_FORMAT_CHAR)
        return 0;
    int width = u_getIntPropertyValue((UChar32)cp, UCHAR_EAST_ASIAN_WIDTH);
    return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

int text_columns(eh_str line) {
    int columns = 0;
    for (size_t at = 0; at < line.len;)
        columns += cp_columns(utf8_next(line, &at));
    return columns;
}

bool text_wrap_next(eh_str text, size_t *at_byte, int columns, eh_str *line) {
    if (*at_byte >= text.len) return false;
    size_t begin = *at_byte, at = begin, space = SIZE_MAX;
    int used = 0;
    while (at < text.len && text.ptr[at] != '\n') {
        size_t next = at;
        int width = cp_columns(utf8_next(text, &next));
        if (used + width > columns && at > begin) break;
        if (text.ptr[at] == ' ') space = at;
        used += width;
        at = next;
    }
    bool is_cut = at < text.len && text.ptr[at] != '\n';
    if (is_cut && text.ptr[at] != ' ' && space != SIZE_MAX && space > begin) at = space;
    *line = eh_str_slice(text, begin, at);
    *at_byte =
        at < text.len && (text.ptr[at] == '\n' || text.ptr[at] == ' ') ? at + 1 : at;
    return true;
}
