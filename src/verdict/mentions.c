/* SPDX-License-Identifier: MIT
 *
 * Rule 6: what a reply only mentions. A judge quotes the candidates and its own
 * instruction, and what stands there is not its verdict.
 *
 *   ```            one line of VERDICT_MENTION
 *   code
 *   ```
 *   > quoted       one VERDICT_MENTION each
 *   he "said" so   stays, with the bytes of "said" flagged: a value that is nothing but
 *                  a quotation is still read (rule 13)
 *
 * The replacement byte is no letter, mark or sign, so a line of it is prose: a heading
 * whose next line was a quotation has no value, and the reply is not "nothing but" what
 * is left.
 *
 * A reply that is nothing but one fence is read as the content of the fence.
 *
 * Left out: quotations over several lines (an apostrophe or an inch would swallow the
 * rest of the reply), and the lines that Markdown joins lazily to a block quote.
 */
#include "verdict/read.h"

#include "verdict/scan.h"

typedef struct line {
    size_t begin, end; /* without the LF */
} line;

/* The line at `*at`; moves behind its LF. */
static bool next_line(eh_str s, size_t *at, line *l) {
    if (*at >= s.len) return false;
    const char *lf = memchr(s.ptr + *at, '\n', s.len - *at);
    size_t end = lf ? (size_t)(lf - s.ptr) : s.len;
    *l = (line){*at, end};
    *at = lf ? end + 1 : end;
    return true;
}

static size_t skip_blanks(eh_str s, size_t i, size_t end) {
    while (i < end && (s.ptr[i] == ' ' || s.ptr[i] == '\t'))
        i++;
    return i;
}

/* Behind one list mark ("- ", "1. ", "2) ") at i, or i. */
static size_t skip_list_mark(eh_str s, size_t i, size_t end) {
    size_t at = i;
    if (at < end && strchr("-+*", s.ptr[at]) && s.ptr[at]) {
        at++;
    } else {
        while (at < end && s.ptr[at] >= '0' && s.ptr[at] <= '9')
            at++;
        if (at == i || at == end || (s.ptr[at] != '.' && s.ptr[at] != ')')) return i;
        at++;
    }
    size_t behind = skip_blanks(s, at, end);
    return behind > at ? behind : i;
}

/* Where a line begins for a reader: behind blanks and the marks of list items. */
static size_t line_content(eh_str s, const line *l) {
    size_t i = skip_blanks(s, l->begin, l->end);
    for (;;) {
        size_t behind = skip_list_mark(s, i, l->end);
        if (behind == i) return i;
        i = behind;
    }
}

typedef struct fence {
    char mark; /* ` or ~ */
    size_t n_marks;
} fence;

static size_t count_marks(eh_str s, size_t i, size_t end, char mark) {
    size_t n = 0;
    while (i + n < end && s.ptr[i + n] == mark)
        n++;
    return n;
}

static bool opens_fence(eh_str s, const line *l, fence *f) {
    size_t i = line_content(s, l);
    if (i == l->end || (s.ptr[i] != '`' && s.ptr[i] != '~')) return false;
    *f = (fence){s.ptr[i], count_marks(s, i, l->end, s.ptr[i])};
    if (f->n_marks < 3) return false;
    /* ```a``` is code in a line, and ~~~~a~~ b~~ is struck out */
    return !memchr(s.ptr + i + f->n_marks, f->mark, l->end - i - f->n_marks);
}

static bool closes_fence(eh_str s, const line *l, const fence *f) {
    size_t i = skip_blanks(s, l->begin, l->end);
    size_t n = count_marks(s, i, l->end, f->mark);
    return n >= f->n_marks && skip_blanks(s, i + n, l->end) == l->end;
}

/* Moves `at` from the line behind an opening one to the line behind the closing one;
 * gives the lines between. */
static line skip_fence(eh_str s, const fence *f, size_t *at) {
    line content = {*at, *at}, l;
    while (next_line(s, at, &l)) {
        if (closes_fence(s, &l, f)) return content;
        content.end = *at;
    }
    return content;
}

/* The content of the fence that is all of `s`. */
static bool is_one_fence(eh_str s, line *content) {
    size_t at = 0;
    line l;
    fence f;
    do {
        if (!next_line(s, &at, &l)) return false;
    } while (eh_str_is_blank(eh_str_slice(s, l.begin, l.end)));
    if (!opens_fence(s, &l, &f)) return false;
    *content = skip_fence(s, &f, &at);
    return eh_str_is_blank(eh_str_slice(s, at, s.len));
}

static void end_edit(eh_buf *b, size_t len) {
    b->len = len;
    if (b->ptr) b->ptr[len] = '\0';
}

/* Writes a line with its LF, if it had one, at the end of what is kept. */
static void keep_line(eh_buf *b, size_t *len, const line *l, size_t behind) {
    memmove(b->ptr + *len, b->ptr + l->begin, behind - l->begin);
    *len += behind - l->begin;
}

static void keep_mention(eh_buf *b, size_t *len, bool has_lf) {
    b->ptr[(*len)++] = VERDICT_MENTION;
    if (has_lf) b->ptr[(*len)++] = '\n';
}

static void replace_fences(eh_buf *b) {
    size_t len = 0, at = 0;
    line l;
    fence f;
    eh_str all = buf_view(b);
    if (scan_to_rare(all, 0, "`~") == all.len) return;
    while (next_line(buf_view(b), &at, &l)) {
        if (opens_fence(buf_view(b), &l, &f)) {
            (void)skip_fence(buf_view(b), &f, &at);
            keep_mention(b, &len, b->ptr[at - 1] == '\n');
        } else {
            keep_line(b, &len, &l, at);
        }
    }
    end_edit(b, len);
}

static void replace_block_quotes(eh_buf *b) {
    size_t len = 0, at = 0;
    line l;
    if (scan_to_byte(buf_view(b), 0, '>') == b->len) return;
    while (next_line(buf_view(b), &at, &l)) {
        size_t i = line_content(buf_view(b), &l);
        if (i < l.end && b->ptr[i] == '>')
            keep_mention(b, &len, at > l.end);
        else
            keep_line(b, &len, &l, at);
    }
    end_edit(b, len);
}

typedef struct quotation {
    const char *open, *close[2];
} quotation;

/* German and Polish share the opening mark but not the closing one. */
static const quotation quotations[] = {
    {"\"", {"\"", NULL}}, {"“", {"”", NULL}}, {"„", {"“", "”"}},
    {"«", {"»", NULL}},   {"»", {"«", NULL}}, {"「", {"」", NULL}},
    {"『", {"』", NULL}},
};

/* The first bytes of all opening marks in UTF-8. */
static const bool first_bytes[256] = {
    ['"'] = true, [0xC2] = true, [0xE2] = true, [0xE3] = true};

enum { N_QUOTATIONS = sizeof quotations / sizeof *quotations };

/* The end of the quotation whose opening mark ends at `from`, or 0. */
static size_t quotation_end(eh_str s, const quotation *q, size_t from,
                            size_t line_end) {
    for (size_t i = from; i < line_end; i++) {
        eh_str rest = eh_str_slice(s, i, line_end);
        for (int k = 0; k < 2 && q->close[k]; k++) {
            if (s.ptr[i] != q->close[k][0]) continue;
            eh_str mark = eh_str_of(q->close[k]);
            if (eh_str_begins(rest, mark)) return i + mark.len;
        }
    }
    return 0;
}

static int quotation_at(eh_str s, size_t i) {
    for (int q = 0; q < N_QUOTATIONS; q++) {
        if (s.ptr[i] == quotations[q].open[0] &&
            eh_str_begins(eh_str_slice(s, i, s.len), eh_str_of(quotations[q].open)))
            return q;
    }
    return -1;
}

static void flag_line(eh_str s, const line *l, uint8_t *quoted) {
    /* A kind that does not close once does not close again in this line; without that
     * a line of opening marks would cost its square. */
    bool open_ended[N_QUOTATIONS] = {false};
    eh_str text = eh_str_slice(s, 0, l->end);
    for (size_t i = l->begin; (i = scan_to(text, i, first_bytes)) < l->end;) {
        int q = quotation_at(s, i);
        size_t end = 0;
        if (q >= 0 && !open_ended[q]) {
            end = quotation_end(s, &quotations[q], i + strlen(quotations[q].open),
                                l->end);
            open_ended[q] = end == 0;
        }
        if (end) {
            memset(quoted + i, 1, end - i);
            i = end;
        } else {
            i++;
        }
    }
}

static eh_status make_text(eh_str text, eh_buf *out, eh_error *err) {
    EH_TRY(verdict_fold_characters(text, true, out, err));
    line content;
    if (is_one_fence(buf_view(out), &content)) {
        size_t len = 0;
        keep_line(out, &len, &content, content.end);
        end_edit(out, len);
    }
    replace_fences(out);
    verdict_fold_marks(out);
    replace_block_quotes(out);
    return EH_STATUS_OK;
}

eh_status verdict_view_make(eh_str text, eh_arena *arena, verdict_view *view,
                            eh_error *err) {
    eh_buf out;
    buf_init(&out, verdict_fold_max_bytes(text));
    eh_status status = make_text(text, &out, err);
    if (status == EH_STATUS_OK && !arena_copy(arena, buf_view(&out), &view->text))
        status = EH_NOMEM(err);
    buf_deinit(&out);
    if (status != EH_STATUS_OK) return status;

    uint8_t *quoted = arena_zalloc(arena, view->text.len + 1, 1);
    if (!quoted) return EH_NOMEM(err);
    size_t at = 0;
    line l;
    while (next_line(view->text, &at, &l))
        flag_line(view->text, &l, quoted);
    view->quoted = quoted;
    return EH_STATUS_OK;
}
