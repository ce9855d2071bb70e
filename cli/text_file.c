/* SPDX-License-Identifier: MIT
 *
 * Reading and showing single texts.
 *
 * Texts are a model's and not to be trusted: what could steer a terminal is not shown.
 */
#include "text_file.h"

#include <errno.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unicode/uchar.h>
#include <unistd.h>

#include "base/utf8.h"
#include "report/layout.h"

enum { MIN_COLUMNS = 40, DEFAULT_COLUMNS = 80, MAX_COLUMNS = 200 };

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

int text_terminal_columns(int fd) {
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return DEFAULT_COLUMNS;
    return size.ws_col < MIN_COLUMNS   ? MIN_COLUMNS
           : size.ws_col > MAX_COLUMNS ? MAX_COLUMNS
                                       : size.ws_col;
}

/* Control characters, and those that turn the direction of what follows. */
static bool steers_terminal(uint32_t cp) {
    return cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || (cp >= 0x202A && cp <= 0x202E) ||
           (cp >= 0x2066 && cp <= 0x2069);
}

/* Without blank lines in front and white space at the end; the first line's own spaces
 * stay, since code begins with some. */
static eh_str trim_lines(eh_str text) {
    eh_str inner = eh_str_trim(text);
    size_t begin = (size_t)(inner.ptr - text.ptr);
    while (inner.len && begin > 0 &&
           (text.ptr[begin - 1] == ' ' || text.ptr[begin - 1] == '\t'))
        begin--;
    return inner.len
               ? eh_str_slice(text, begin, (size_t)(inner.ptr - text.ptr) + inner.len)
               : inner;
}

void text_printable(eh_str text, eh_buf *out) {
    text = trim_lines(text);
    for (size_t at = 0; at < text.len;) {
        uint32_t cp = utf8_next(text, &at);
        if (cp == '\t')
            buf_add_cstr(out, "    ");
        else if (cp == '\r' && at < text.len && text.ptr[at] == '\n')
            continue;
        else if (cp != '\n' && steers_terminal(cp))
            utf8_add(out, 0xFFFD);
        else
            utf8_add(out, cp);
    }
}

/* Characters that no line begins with, and those that none ends with. */
static bool is_closing(uint32_t cp) {
    int kind = u_getIntPropertyValue((UChar32)cp, UCHAR_LINE_BREAK);
    return kind == U_LB_CLOSE_PUNCTUATION || kind == U_LB_CLOSE_PARENTHESIS ||
           kind == U_LB_EXCLAMATION || kind == U_LB_NONSTARTER ||
           kind == U_LB_INFIX_NUMERIC || kind == U_LB_QUOTATION ||
           kind == U_LB_COMBINING_MARK;
}

static bool is_opening(uint32_t cp) {
    return u_getIntPropertyValue((UChar32)cp, UCHAR_LINE_BREAK) ==
           U_LB_OPEN_PUNCTUATION;
}

/* May a line break stand between the two? Spaces are dealt with by the caller. */
static bool may_break_between(uint32_t before, uint32_t after) {
    bool wide = report_cp_columns(before) == 2 || report_cp_columns(after) == 2;
    return wide && !is_closing(after) && !is_opening(before);
}

/* Columns of the spaces and the list mark that a line begins with. */
static int hanging_of(eh_str text, size_t at) {
    size_t begin = at;
    while (at < text.len && text.ptr[at] == ' ')
        at++;
    size_t mark = at;
    while (mark < text.len && text.ptr[mark] >= '0' && text.ptr[mark] <= '9')
        mark++;
    bool numbered = mark > at && mark < text.len &&
                    (text.ptr[mark] == '.' || text.ptr[mark] == ')');
    bool bullet = mark == at && mark < text.len && strchr("-*+", text.ptr[mark]);
    if ((numbered || bullet) && mark + 1 < text.len && text.ptr[mark + 1] == ' ')
        at = mark + 2;
    return (int)(at - begin);
}

/* Where a line that begins at `begin` has to end, so as to fit into `columns`. */
static size_t line_end(eh_str text, size_t begin, int columns) {
    size_t at = begin, last = begin;
    int used = 0;
    uint32_t before = 0;
    while (at < text.len && text.ptr[at] != '\n') {
        size_t next = at;
        uint32_t cp = utf8_next(text, &next);
        bool is_break =
            at > begin && (cp == ' ' || (before && may_break_between(before, cp)));
        if (is_break && before != ' ') last = at;
        used += report_cp_columns(cp);
        if (used > columns && at > begin) return last > begin ? last : at;
        before = cp;
        at = next;
    }
    return at;
}

bool text_wrap_next(text_wrap *w, eh_str *line, int *indent) {
    size_t begin = w->at_byte;
    bool goes_on = begin > 0 && begin <= w->text.len && w->text.ptr[begin - 1] != '\n';
    if (begin >= w->text.len) return false;
    if (!goes_on) {
        w->hanging = hanging_of(w->text, begin);
        if (w->hanging > w->columns / 2) w->hanging = 0;
    }
    *indent = goes_on ? w->hanging : 0;
    /* spaces in front of a first word are no place to break at */
    size_t word = begin + (goes_on ? 0 : (size_t)w->hanging);
    int room = w->columns - w->hanging;
    size_t end = word >= w->text.len ? w->text.len : line_end(w->text, word, room);
    *line = eh_str_slice(w->text, begin, end);
    while (line->len && line->ptr[line->len - 1] == ' ')
        line->len--;
    while (end < w->text.len && w->text.ptr[end] == ' ')
        end++;
    if (end < w->text.len && w->text.ptr[end] == '\n') end++;
    w->at_byte = end;
    return true;
}
