/* SPDX-License-Identifier: MIT
 *
 * Counting headings, list items and bold passages.
 *
 *   # Heading        one to six # and a blank
 *   - item, * item, + item, 1. item, 1) item
 *   **bold** or __bold__, closed in its line
 *
 * A line is judged by its beginning, as readers do; a fence and what stands in it is
 * code. What Markdown needs a parser for (setext headings, lazy paragraphs) is rare in
 * answers and left out: the counts serve to compare two answers with each other.
 */
#include "tally/style.h"

static size_t skip(eh_str line, size_t i, char c) {
    while (i < line.len && line.ptr[i] == c)
        i++;
    return i;
}

static bool has_blank(eh_str line, size_t i) {
    return i < line.len && (line.ptr[i] == ' ' || line.ptr[i] == '\t');
}

static bool is_heading(eh_str line) {
    size_t n = skip(line, 0, '#');
    return n >= 1 && n <= 6 && has_blank(line, n);
}

static bool is_list_item(eh_str line) {
    if (line.len && strchr("-*+", line.ptr[0]) && line.ptr[0])
        return has_blank(line, 1);
    size_t i = 0;
    while (i < line.len && i < 9 && line.ptr[i] >= '0' && line.ptr[i] <= '9')
        i++;
    return i > 0 && i < line.len && (line.ptr[i] == '.' || line.ptr[i] == ')') &&
           has_blank(line, i + 1);
}

/* Passages between two equal marks that hold something. */
static int64_t count_bold(eh_str line) {
    static const char *const marks[] = {"**", "__"};
    int64_t n = 0;
    for (size_t m = 0; m < 2; m++) {
        eh_str mark = eh_str_of(marks[m]);
        for (size_t at = 0; (at = eh_str_find(line, mark, at)) != SIZE_MAX;) {
            size_t end = eh_str_find(line, mark, at + 2);
            if (end == SIZE_MAX) break;
            n += end > at + 2;
            at = end + 2;
        }
    }
    return n;
}

tally_style tally_style_of(eh_str text) {
    tally_style s = {0};
    bool in_fence = false;
    eh_str rest = text, line;
    while (eh_str_split(&rest, '\n', &line)) {
        eh_str bare = eh_str_trim(line);
        bool is_fence =
            eh_str_begins(bare, EH_STR("```")) || eh_str_begins(bare, EH_STR("~~~"));
        if (is_fence) in_fence = !in_fence;
        if (is_fence || in_fence) continue;
        s.n_headings += is_heading(bare);
        s.n_list_items += is_list_item(bare);
        s.n_bold += count_bold(bare);
    }
    return s;
}
