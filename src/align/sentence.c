/* SPDX-License-Identifier: MIT
 *
 * The sentences of a block of prose: ICU's, corrected.
 *
 * The rules look at a copy of the block ("seen") of the same length in bytes, in which
 * what must not matter is gone: line breaks and quote marks are spaces, inline code is
 * a run of the letter X.
 *
 *   1. **Look** at `a.b`.\n   It (see
 *      **Look** at XXXXX.     It (see        seen, from behind the marker
 *
 * A place is looked at where ICU's iterator ends a sentence, and where a terminator
 * stands that ICU passes over (an ellipsis, or one with a digit and a small letter
 * behind it). There a sentence ends if
 *
 *   terminators, then closing marks | white space, then something that can begin one
 *
 * and neither a quotation or bracket that opened in mid-sentence is still open, nor the
 * full stop belongs to an abbreviation (abbrev.c). In doubt there is no end: a unit
 * that is too long makes a cut coarser, a sentence cut in two shows the judge a broken
 * text.
 *
 * Each look ahead ends at the next thing that is no mark and no space, so the work is
 * linear in the text. Verse and addresses are left out.
 */
#include "align/sentence.h"

#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/uloc.h>

#include "align/units.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

enum {
    NO_PARTNER = 0,
    MAX_NESTED = 64, /* open marks that a closing one may skip to find its partner */
    MAX_REFERENCE_BYTES = 40,
    MAX_BACKTICKS = 32
};

/* A quotation mark or bracket, with its other half as position + 1. */
typedef struct text_mark {
    uint32_t at_byte;
    uint32_t partner;
} text_mark;

/* Backticks side by side, and the next such run of the same length as index + 1. */
typedef struct tick_run {
    uint32_t begin_byte, len, next;
} tick_run;

struct sentence_cutter {
    UBreakIterator *icu;
    bool is_german;
    eh_buf seen;
    eh_buf marks;    /* text_mark[], by position */
    eh_buf open;     /* uint32_t[], indexes of marks; a stack */
    eh_buf runs;     /* tick_run[] */
    eh_buf proposed; /* uint32_t[], signs that ICU alone takes for terminators */
};

/* One block while it is being cut. */
typedef struct block_scan {
    sentence_cutter *cutter;
    eh_str s; /* seen */
    const text_mark *marks;
    size_t n_marks, next_mark;
    const uint32_t *proposed;
    size_t n_proposed, next_proposed;
    size_t content; /* first letter or sign of the current sentence, or SIZE_MAX */
    size_t inside;  /* end of a mark pair in mid-sentence; nothing ends before it */
    int64_t next_number; /* of an enumeration in the line: "1. Heat. 2. Cool." */
} block_scan;

/* -- the copy that the rules look at ----------------------------------------------- */

/* Line breaks, and the indentation and quote marks behind them, become spaces. */
static void blank_line_breaks(char *s, size_t len, bool in_quote) {
    for (size_t i = 0; i < len; i++) {
        if (s[i] != '\n' && s[i] != '\r') continue;
        s[i] = ' ';
        while (i + 1 < len &&
               (s[i + 1] == ' ' || s[i + 1] == '\t' || (in_quote && s[i + 1] == '>')))
            s[++i] = ' ';
    }
}

static size_t find_tick_runs(sentence_cutter *cutter) {
    const char *s = cutter->seen.ptr;
    size_t len = cutter->seen.len;
    buf_reset(&cutter->runs);
    for (size_t i = 0; i < len; i++) {
        if (s[i] != '`') continue;
        tick_run run = {.begin_byte = (uint32_t)i};
        while (i < len && s[i] == '`')
            i++;
        run.len = (uint32_t)i - run.begin_byte;
        if (run.len <= MAX_BACKTICKS) buf_add(&cutter->runs, &run, sizeof run);
    }
    return cutter->runs.failed ? 0 : cutter->runs.len / sizeof(tick_run);
}

/* Inline code: from a run of backticks to the next run of the same length. */
static void hide_inline_code(sentence_cutter *cutter) {
    size_t n = find_tick_runs(cutter);
    tick_run *run = (tick_run *)(void *)cutter->runs.ptr;
    uint32_t later[MAX_BACKTICKS + 1] = {0}; /* by length: index + 1 of the nearest */
    for (size_t i = n; i-- > 0;) {
        run[i].next = later[run[i].len];
        later[run[i].len] = (uint32_t)i + 1;
    }
    for (size_t i = 0; i < n; i++) {
        if (run[i].next == 0) continue;
        const tick_run *close = &run[run[i].next - 1];
        size_t end = (size_t)close->begin_byte + close->len;
        memset(cutter->seen.ptr + run[i].begin_byte, 'X', end - run[i].begin_byte);
        i = run[i].next - 1;
    }
}

static void look_at(sentence_cutter *cutter, eh_str prose, bool in_quote) {
    buf_reset(&cutter->seen);
    buf_add_str(&cutter->seen, prose);
    if (cutter->seen.failed || cutter->seen.len == 0) return;
    blank_line_breaks(cutter->seen.ptr, cutter->seen.len, in_quote);
    hide_inline_code(cutter);
}

/* -- quotation marks and brackets -------------------------------------------------- */

static bool closes(uint32_t close, uint32_t open) {
    switch (open) {
    case '(': return close == ')';
    case '[': return close == ']';
    case '{': return close == '}';
    case '"':
    case '\'': return close == open;
    case 0x201C: return close == 0x201D;                    /* “ ” */
    case 0x201D: return close == 0x201D;                    /* ” ” */
    case 0x201E: return close == 0x201C || close == 0x201D; /* „ “ and „ ” */
    case 0x201A: return close == 0x2018 || close == 0x2019; /* ‚ ‘ and ‚ ’ */
    case 0x2018: return close == 0x2019;                    /* ‘ ’ */
    case 0x00AB: return close == 0x00BB;                    /* « » */
    case 0x00BB: return close == 0x00AB;                    /* » « */
    case 0x2039: return close == 0x203A;
    case 0x203A: return close == 0x2039;
    default: return (uint32_t)u_getBidiPairedBracket((UChar32)open) == close;
    }
}

/* May this quotation mark close or open, by what stands beside it? Apostrophes are told
 * from single quotation marks that way. */
static bool may_close(uint32_t cp, char_class before, char_class after) {
    bool letter_after = after == CHAR_LOWER || after == CHAR_UPPER ||
                        after == CHAR_LETTER || after == CHAR_DIGIT;
    if (cp == '"' || cp == '\'')
        return before != CHAR_SPACE && (cp == '"' || !letter_after);
    return (cp != 0x2019 && cp != 0x2018) || !letter_after;
}

static bool may_open(uint32_t cp, char_class before, char_class after) {
    bool free_before = before == CHAR_SPACE || before == CHAR_OPEN ||
                       before == CHAR_QUOTE || before == CHAR_EMPHASIS;
    switch (cp) {
    case 0x2019: return false; /* an apostrophe */
    case '\'': return free_before && after != CHAR_SPACE && after != CHAR_DIGIT;
    case '"':
    case 0x201D:
    case 0x00BB:
    case 0x203A: return free_before && after != CHAR_SPACE;
    default: return true;
    }
}

/* The index of the mark that `cp` closes, or SIZE_MAX; what was opened inside it and
 * not closed is dropped from the stack. */
static size_t pop_partner(sentence_cutter *cutter, uint32_t cp) {
    uint32_t *stack = (uint32_t *)(void *)cutter->open.ptr;
    size_t n = cutter->open.len / sizeof *stack;
    const text_mark *marks = (const text_mark *)(const void *)cutter->marks.ptr;
    eh_str s = buf_view(&cutter->seen);
    for (size_t depth = 0; depth < n && depth < MAX_NESTED; depth++) {
        size_t at = marks[stack[n - 1 - depth]].at_byte;
        if (!closes(cp, next_char(s, &at))) continue;
        size_t found = stack[n - 1 - depth];
        cutter->open.len = (n - 1 - depth) * sizeof *stack;
        return found;
    }
    return SIZE_MAX;
}

static void add_mark(sentence_cutter *cutter, uint32_t cp, size_t at,
                     const char_class beside[2]) {
    char_class c = char_class_of(cp);
    text_mark found = {.at_byte = (uint32_t)at};
    uint32_t index = (uint32_t)(cutter->marks.len / sizeof found);
    bool may =
        c == CHAR_CLOSE || (c == CHAR_QUOTE && may_close(cp, beside[0], beside[1]));
    size_t partner = may ? pop_partner(cutter, cp) : SIZE_MAX;
    buf_add(&cutter->marks, &found, sizeof found);
    if (cutter->marks.failed) return;
    text_mark *marks = (text_mark *)(void *)cutter->marks.ptr;
    if (partner != SIZE_MAX) {
        marks[partner].partner = (uint32_t)at + 1;
        marks[index].partner = marks[partner].at_byte + 1;
    } else if (c == CHAR_OPEN ||
               (c == CHAR_QUOTE && may_open(cp, beside[0], beside[1]))) {
        buf_add(&cutter->open, &index, sizeof index);
    }
}

/* Finds the marks of the block and joins those that belong together. */
static void pair_marks(sentence_cutter *cutter) {
    eh_str s = buf_view(&cutter->seen);
    buf_reset(&cutter->marks);
    buf_reset(&cutter->open);
    char_class beside[2] = {CHAR_SPACE, CHAR_SPACE};
    for (size_t at = 0; at < s.len && !cutter->marks.failed;) {
        size_t next = at;
        uint32_t cp = next_char(s, &next);
        char_class c = char_class_of(cp);
        if (c == CHAR_OPEN || c == CHAR_CLOSE || c == CHAR_QUOTE) {
            beside[1] = char_class_at(s, next);
            add_mark(cutter, cp, at, beside);
        }
        beside[0] = c;
        at = next;
    }
}

/* The mark at `at`, or NULL. */
static const text_mark *mark_at(const block_scan *scan, size_t at) {
    size_t low = 0, high = scan->n_marks;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (scan->marks[middle].at_byte < at)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < scan->n_marks && scan->marks[low].at_byte == at;
    return found ? &scan->marks[low] : NULL;
}

static bool is_closer(const text_mark *mark) {
    return mark && mark->partner && mark->partner - 1 < mark->at_byte;
}

static bool is_opener(const text_mark *mark) {
    return mark && mark->partner && mark->partner - 1 > mark->at_byte;
}

/* -- what ICU proposes ------------------------------------------------------------- */

/* The sign that stands before `end`, with white space and marks between them; false
 * where it is no mere sign, or a line separator stands there. */
static bool sign_before(eh_str s, size_t end, uint32_t *sign_byte) {
    for (int n_looked = 0; end > 0 && n_looked < MAX_NESTED; n_looked++) {
        uint32_t cp = char_before(s, end, &end);
        switch (char_class_of(cp)) {
        case CHAR_SIGN: *sign_byte = (uint32_t)end; return true;
        case CHAR_SPACE:
            if (cp == 0x85 || cp == 0x2028 || cp == 0x2029) return false;
            break;
        case CHAR_OPEN:
        case CHAR_CLOSE:
        case CHAR_QUOTE:
        case CHAR_EXTEND: break;
        default: return false;
        }
    }
    return false;
}

/* Notes the sign before each of ICU's sentence ends, unless the rules look at it
 * anyway: signs that end a sentence in one language only, such as the Greek question
 * mark. */
static eh_status ask_icu(sentence_cutter *cutter, eh_error *err) {
    eh_str s = buf_view(&cutter->seen);
    buf_reset(&cutter->proposed);
    UErrorCode status = U_ZERO_ERROR;
    UText text = UTEXT_INITIALIZER;
    (void)utext_openUTF8(&text, s.ptr, (int64_t)s.len, &status);
    ubrk_setUText(cutter->icu, &text, &status);
    if (U_FAILURE(status)) {
        utext_close(&text);
        return EH_FAIL(err, EH_STATUS_CONFIG, "ICU: %s", u_errorName(status));
    }
    for (int32_t end; (end = ubrk_next(cutter->icu)) != UBRK_DONE;) {
        uint32_t sign_byte;
        if ((size_t)end < s.len && sign_before(s, (size_t)end, &sign_byte))
            buf_add(&cutter->proposed, &sign_byte, sizeof sign_byte);
    }
    utext_close(&text);
    return EH_STATUS_OK;
}

/* -- where a sentence ends --------------------------------------------------------- */

static size_t skip_char(eh_str s, size_t at) {
    (void)next_char(s, &at);
    return at;
}

/* Behind a bracketed reference, "[1]" or "[2, 3-5]"; `at` where there is none. */
static size_t skip_reference(eh_str s, size_t at) {
    if (s.ptr[at] != '[') return at;
    bool has_digit = false;
    for (size_t i = at + 1; i < s.len && i - at < MAX_REFERENCE_BYTES; i++) {
        char c = s.ptr[i];
        if (c == ']') return has_digit ? i + 1 : at;
        has_digit = has_digit || (c >= '0' && c <= '9');
        bool inside = (c >= '0' && c <= '9') || strchr(" ,;-^", c) ||
                      (unsigned char)c >= 0x80; /* dashes */
        if (!inside || c == '\0') return at;
    }
    return at;
}

/* Behind one closing mark at `at`; `at` where there is none. White space may stand
 * before a closing quotation mark (French). */
static size_t skip_closer(const block_scan *scan, size_t at) {
    eh_str s = scan->s;
    size_t quote;
    switch (char_class_at(s, at)) {
    case CHAR_EXTEND:
    case CHAR_CLOSE:
    case CHAR_EMPHASIS: return skip_char(s, at);
    case CHAR_OPEN: return skip_reference(s, at);
    case CHAR_QUOTE:
        if (is_closer(mark_at(scan, at))) return skip_char(s, at);
        if (is_opener(mark_at(scan, at))) return at;
        quote = skip_char(s, at);
        return char_class_at(s, quote) == CHAR_SPACE ? quote : at;
    case CHAR_SPACE:
        quote = skip_spaces(s, at);
        return is_closer(mark_at(scan, quote)) && char_class_at(s, quote) == CHAR_QUOTE
                   ? skip_char(s, quote)
                   : at;
    default: return at;
    }
}

static size_t skip_closers(const block_scan *scan, size_t at) {
    while (at < scan->s.len) {
        size_t next = skip_closer(scan, at);
        if (next == at) break;
        at = next;
    }
    return at;
}

/* Can what stands at `at` begin a sentence? White space may stand behind an opening
 * quotation mark (French). */
static bool can_begin(eh_str s, size_t at) {
    bool opened = false, quoted = false;
    for (; at < s.len; at = skip_char(s, at)) {
        switch (char_class_at(s, at)) {
        case CHAR_QUOTE: quoted = true; /* fall through */
        case CHAR_OPEN: opened = true; break;
        case CHAR_SPACE:
            if (!quoted) return false;
            break;
        case CHAR_EMPHASIS:
            if (char_class_at(s, at + 1) == CHAR_SPACE) return false;
            break;
        case CHAR_UPPER:
        case CHAR_LETTER:
        case CHAR_DIGIT:
        case CHAR_INVERTED: return true;
        case CHAR_SIGN: return opened;
        default: return false;
        }
    }
    return false;
}

/* "1." of an enumeration in running text: the number that is due, where a sentence or,
 * for 1, the text behind a colon begins. It stays with what it numbers. */
static bool is_list_number(block_scan *scan, size_t stop) {
    eh_str s = scan->s;
    size_t begin = stop;
    int64_t value = 0;
    while (begin > 0 && stop - begin <= 3 && s.ptr[begin - 1] >= '0' &&
           s.ptr[begin - 1] <= '9')
        begin--;
    if (begin == stop || stop - begin > 3) return false;
    if (!eh_str_to_i64(eh_str_slice(s, begin, stop), &value)) return false;
    bool at_begin = begin == scan->content;
    bool behind_colon =
        value == 1 && begin > 1 && s.ptr[begin - 1] == ' ' && s.ptr[begin - 2] == ':';
    if (!behind_colon && !(at_begin && (value == 1 || value == scan->next_number)))
        return false;
    scan->next_number = value + 1;
    return true;
}

/* A terminator stands at `at` and the run of them ends at `run_end`; `last` is the last
 * one. True where a sentence ends there; the next one begins at *next. */
static bool ends_sentence(block_scan *scan, size_t at, size_t run_end, uint32_t last,
                          size_t *next) {
    eh_str s = scan->s;
    size_t tail = skip_closers(scan, run_end);
    if (tail < scan->inside) return false;
    size_t begin = skip_spaces(s, tail);
    if (begin == s.len || !can_begin(s, begin)) return false;
    if (begin == tail) {
        size_t after = begin;
        uint32_t cp = next_char(s, &after);
        bool wide = is_wide_terminator(last);
        bool no_space_needed =
            wide || ((last == '!' || last == '?') && is_cjk_letter(cp));
        if (tail > run_end || !no_space_needed) return false;
        size_t before;
        bool in_number = last == 0xFF0E && char_class_of(cp) == CHAR_DIGIT && at > 0 &&
                         char_class_of(char_before(s, at, &before)) == CHAR_DIGIT;
        if (in_number) return false;
    }
    *next = begin;
    if (char_class_of(last) != CHAR_STOP || skip_char(s, at) != run_end) return true;
    if (is_list_number(scan, at)) return false;
    return !stop_is_inner(s, at, begin, scan->cutter->is_german);
}

static bool is_terminator(block_scan *scan, size_t at, char_class c) {
    while (scan->next_proposed < scan->n_proposed &&
           scan->proposed[scan->next_proposed] < at)
        scan->next_proposed++;
    bool proposed = scan->next_proposed < scan->n_proposed &&
                    scan->proposed[scan->next_proposed] == at;
    return c == CHAR_STOP || c == CHAR_STRONG || proposed;
}

/* A mark: where it opens in mid-sentence and is closed again, nothing ends before its
 * other half. */
static void enter_mark(block_scan *scan, size_t at) {
    while (scan->next_mark < scan->n_marks && scan->marks[scan->next_mark].at_byte < at)
        scan->next_mark++;
    if (scan->next_mark == scan->n_marks) return;
    const text_mark *mark = &scan->marks[scan->next_mark];
    if (mark->at_byte != at || !is_opener(mark) || scan->content == SIZE_MAX) return;
    if (mark->partner > scan->inside) scan->inside = mark->partner;
}

/* The position behind the terminators that begin at `at`, and the last of them. */
static size_t skip_terminators(eh_str s, size_t at, uint32_t *last) {
    size_t end = at;
    *last = next_char(s, &end);
    while (end < s.len) {
        size_t next = end;
        uint32_t cp = next_char(s, &next);
        char_class c = char_class_of(cp);
        if (c != CHAR_STOP && c != CHAR_STRONG) break;
        *last = cp;
        end = next;
    }
    return end;
}

/* The beginning of the next sentence after `at`, or the text's length. */
static size_t next_sentence(block_scan *scan, size_t at) {
    eh_str s = scan->s;
    scan->content = SIZE_MAX;
    while (at < s.len) {
        size_t end = at;
        char_class c = char_class_of(next_char(s, &end));
        bool is_mark = c == CHAR_OPEN || c == CHAR_QUOTE;
        if (is_terminator(scan, at, c)) {
            uint32_t last;
            size_t next;
            end = skip_terminators(s, at, &last);
            if (ends_sentence(scan, at, end, last, &next)) return next;
        } else if (is_mark) {
            enter_mark(scan, at);
        }
        bool is_content = !is_mark && c != CHAR_SPACE && c != CHAR_EMPHASIS &&
                          c != CHAR_INVERTED && c != CHAR_EXTEND;
        if (is_content && scan->content == SIZE_MAX) scan->content = at;
        at = end;
    }
    return s.len;
}

/* -- the cutter
 * ------------------------------------------------------------------------ */

eh_status sentence_cutter_new(eh_str lang, sentence_cutter **out, eh_error *err) {
    char tag[ULOC_FULLNAME_CAPACITY] = "";
    char locale[ULOC_FULLNAME_CAPACITY] = "";
    if (lang.len >= sizeof tag)
        return EH_FAIL(err, EH_STATUS_CONFIG, "--lang: the language tag is too long");
    if (lang.len) memcpy(tag, lang.ptr, lang.len);
    UErrorCode status = U_ZERO_ERROR;
    (void)uloc_forLanguageTag(tag, locale, sizeof locale, NULL, &status);
    if (U_FAILURE(status) || (lang.len && locale[0] == '\0'))
        return EH_FAIL(err, EH_STATUS_CONFIG,
                       "--lang: '%s' is no language tag, such as de or ja", tag);
    sentence_cutter *cutter = mem_zalloc(1, sizeof *cutter);
    if (!cutter) return EH_NOMEM(err);
    cutter->is_german =
        strncmp(locale, "de", 2) == 0 && (!locale[2] || locale[2] == '_');
    buf_init(&cutter->seen, ALIGN_MAX_TEXT_BYTES);
    buf_init(&cutter->marks, (size_t)ALIGN_MAX_TEXT_BYTES * sizeof(text_mark));
    buf_init(&cutter->open, (size_t)ALIGN_MAX_TEXT_BYTES * sizeof(uint32_t));
    buf_init(&cutter->runs, (size_t)ALIGN_MAX_TEXT_BYTES * sizeof(tick_run));
    buf_init(&cutter->proposed, (size_t)ALIGN_MAX_TEXT_BYTES * sizeof(uint32_t));
    cutter->icu = ubrk_open(UBRK_SENTENCE, locale, NULL, 0, &status);
    if (U_FAILURE(status)) {
        sentence_cutter_free(cutter);
        return EH_FAIL(err, EH_STATUS_CONFIG, "ICU: %s", u_errorName(status));
    }
    *out = cutter;
    return EH_STATUS_OK;
}

void sentence_cutter_free(sentence_cutter *cutter) {
    if (!cutter) return;
    if (cutter->icu) ubrk_close(cutter->icu);
    buf_deinit(&cutter->seen);
    buf_deinit(&cutter->marks);
    buf_deinit(&cutter->open);
    buf_deinit(&cutter->runs);
    buf_deinit(&cutter->proposed);
    mem_free(cutter);
}

/* A sentence that begins on a new line takes that line's indentation with it. */
static size_t unit_begin(eh_str text, size_t begin) {
    size_t at = begin;
    while (at > 0 && (text.ptr[at - 1] == ' ' || text.ptr[at - 1] == '\t' ||
                      text.ptr[at - 1] == '>'))
        at--;
    bool new_line = at > 0 && (text.ptr[at - 1] == '\n' || text.ptr[at - 1] == '\r');
    return new_line ? at : begin;
}

/* The number of the item whose text begins at `prose`, or 0. */
static int64_t item_number(eh_str text, size_t begin, size_t prose) {
    eh_str marker = eh_str_trim(eh_str_slice(text, begin, prose));
    int64_t value = 0;
    if (marker.len < 2 ||
        !eh_str_to_i64(eh_str_slice(marker, 0, marker.len - 1), &value))
        return 0;
    return value;
}

eh_status sentences_cut(sentence_cutter *cutter, eh_str text, const align_block *block,
                        unit_list *list, eh_error *err) {
    unit_list_add(list, block->begin_byte, ALIGN_UNIT_SENTENCE);
    look_at(cutter, eh_str_slice(text, block->prose_byte, block->end_byte),
            block->in_quote);
    pair_marks(cutter);
    EH_TRY(ask_icu(cutter, err));
    bool failed = cutter->seen.failed || cutter->marks.failed || cutter->open.failed ||
                  cutter->runs.failed || cutter->proposed.failed;
    if (failed) return EH_NOMEM(err);
    block_scan scan = {
        .cutter = cutter,
        .s = buf_view(&cutter->seen),
        .marks = (const text_mark *)(const void *)cutter->marks.ptr,
        .n_marks = cutter->marks.len / sizeof(text_mark),
        .proposed = (const uint32_t *)(const void *)cutter->proposed.ptr,
        .n_proposed = cutter->proposed.len / sizeof(uint32_t),
        .next_number = item_number(text, block->begin_byte, block->prose_byte) + 1,
    };
    size_t at = 0;
    while ((at = next_sentence(&scan, at)) < scan.s.len)
        unit_list_add(list, unit_begin(text, block->prose_byte + at),
                      ALIGN_UNIT_SENTENCE);
    return EH_STATUS_OK;
}
