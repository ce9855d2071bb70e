/* SPDX-License-Identifier: MIT
 *
 * Rule 16: one number, and what behind it spoils it.
 *
 *   8   8,5   "8"   [8]   eight   8/10   8 out of ten   (8 / 10)     values
 *   8-9   7 or 8   8/10 to 9/10                                       ranges
 *   4/5 on a scale of 10   4 (of 5)   80 %   ½ (NFKC: 1⁄2)            off the scale
 *   8th   1.2.3   N/A                                                 no numbers
 *
 * Nothing is converted: a judge that answers on another scale has misread the task, and
 * a converted number would hide that.
 *
 * Left out: words above ten, fractions in words, thousands separators (a comma is a
 * decimal mark, as in half of the world).
 */
#include "verdict/read.h"

#include "base/utf8.h"

#include <math.h>
#include <unicode/uchar.h>

static size_t skip_blanks(eh_str s, size_t i) {
    while (i < s.len && (s.ptr[i] == ' ' || s.ptr[i] == '\t'))
        i++;
    return i;
}

static bool begins_at(eh_str s, size_t i, const char *word) {
    return i <= s.len && eh_str_begins(eh_str_slice(s, i, s.len), eh_str_of(word));
}

static const char *const openers[] = {"[", "(", "{", "\"", "'",  "“",  "”", "„",
                                      "«", "»", "‘", "‚",  "「", "『", NULL};
static const char *const closers[] = {"]", ")", "}", "\"", "'",  "”",  "“",
                                      "»", "«", "’", "‘",  "」", "』", NULL};

/* Behind any of these marks, blanks between them included. */
static size_t skip_marks(eh_str s, size_t i, const char *const *marks) {
    i = skip_blanks(s, i);
    for (const char *const *m = marks; *m;) {
        if (begins_at(s, i, *m)) {
            i = skip_blanks(s, i + strlen(*m));
            m = marks;
        } else {
            m++;
        }
    }
    return i;
}

static bool letter_at(eh_str s, size_t i) {
    return i < s.len && u_isalpha((UChar32)utf8_next(s, &i));
}

static bool digit_at(eh_str s, size_t i) {
    return i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9';
}

static size_t skip_digits(eh_str s, size_t i) {
    while (digit_at(s, i))
        i++;
    return i;
}

/* A number of more digits than any scale has is only known to be large. */
static double digits_value(eh_str int_part, eh_str fraction) {
    enum { MAX_INT_DIGITS = 30, MAX_FRACTION_DIGITS = 30 };
    char text[MAX_INT_DIGITS + MAX_FRACTION_DIGITS + 2];
    while (int_part.len > 1 && int_part.ptr[0] == '0')
        int_part = eh_str_slice(int_part, 1, int_part.len);
    if (int_part.len > MAX_INT_DIGITS) return HUGE_VAL;
    if (fraction.len > MAX_FRACTION_DIGITS) fraction.len = MAX_FRACTION_DIGITS;
    size_t len = int_part.len;
    memcpy(text, int_part.ptr, len);
    text[len++] = '.';
    if (fraction.len) memcpy(text + len, fraction.ptr, fraction.len);
    len += fraction.len;
    double value = 0;
    (void)eh_str_to_f64((eh_str){text, len}, &value);
    return value;
}

static const char *const words[] = {"zero", "one",   "two",   "three", "four", "five",
                                    "six",  "seven", "eight", "nine",  "ten"};

/* Digits with a sign and a decimal mark, or a word. The end, or 0. */
static size_t read_bare(eh_str s, size_t i, double *value) {
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        if (!begins_at(s, i, words[w])) continue;
        *value = (double)w;
        return i + strlen(words[w]);
    }
    bool negative = i < s.len && s.ptr[i] == '-';
    if (negative || (i < s.len && s.ptr[i] == '+')) i++;
    size_t int_end = skip_digits(s, i);
    if (int_end == i) return 0;
    eh_str fraction = {"", 0};
    size_t end = int_end;
    if (end < s.len && (s.ptr[end] == '.' || s.ptr[end] == ',') &&
        digit_at(s, end + 1)) {
        end = skip_digits(s, end + 1);
        fraction = eh_str_slice(s, int_end + 1, end);
    }
    *value = digits_value(eh_str_slice(s, i, int_end), fraction);
    if (negative) *value = -*value;
    return end;
}

/* The same between brackets and quotation marks, touched by no letter and no further
 * decimal (a version or a date). The end, or 0. */
static size_t read_whole(eh_str s, size_t i, double *value) {
    i = skip_marks(s, i, openers);
    size_t end = read_bare(s, i, value);
    if (!end || letter_at(s, end) || digit_at(s, end)) return 0;
    if (end < s.len && (s.ptr[end] == '.' || s.ptr[end] == ',') && digit_at(s, end + 1))
        return 0;
    size_t behind = skip_marks(s, end, closers);
    return behind > skip_blanks(s, end) ? behind : end;
}

/* Behind one of the words at i, when no letter touches it, or 0. */
static size_t skip_word(eh_str s, size_t i, const char *const *list) {
    for (; *list; list++) {
        if (!begins_at(s, i, *list)) continue;
        size_t end = i + strlen(*list);
        bool is_word = (*list)[0] >= 'a' && (*list)[0] <= 'z';
        if (!is_word || !letter_at(s, end)) return end;
    }
    return 0;
}

static const char *const of_words[] = {"/", "⁄", "out of", "of", NULL};
static const char *const range_words[] = {"-", "~", "to", "or", "and", NULL};

/* "/M", "out of M", "of M", also in parentheses, and "%" behind a number that ends at
 * `end`. */
static size_t read_maximum(eh_str s, size_t end, double top, bool *off_scale) {
    size_t i = skip_blanks(s, end);
    if (begins_at(s, i, "%")) {
        *off_scale = true;
        return i + 1;
    }
    size_t of_end = skip_word(s, skip_marks(s, i, openers), of_words);
    if (!of_end) return end;
    double maximum;
    size_t max_end = read_bare(s, skip_marks(s, of_end, openers), &maximum);
    if (!max_end) return end;
    *off_scale = fabs(maximum - top) > 1e-9;
    size_t behind = skip_marks(s, max_end, closers);
    return behind > skip_blanks(s, max_end) ? behind : max_end;
}

/* The second number of a range: "8-9pts" is one, "4 - 2nd is better" is not. */
static size_t read_second(eh_str s, size_t i) {
    double value;
    size_t end = read_whole(s, i, &value);
    bool close = digit_at(s, i) && s.ptr[i - 1] != ' ';
    return !end && close ? read_bare(s, i, &value) : end;
}

verdict_number verdict_number_read(eh_str folded, size_t at_byte, double top) {
    verdict_number number = {.kind = VERDICT_NUMBER_NONE, .end_byte = at_byte};
    size_t end = read_whole(folded, at_byte, &number.value);
    if (!end) {
        number.value = 0;
        return number;
    }
    bool off_scale = false;
    number.end_byte = read_maximum(folded, end, top, &off_scale);
    number.kind = off_scale ? VERDICT_NUMBER_OFF_SCALE : VERDICT_NUMBER_VALUE;

    size_t range_end =
        skip_word(folded, skip_blanks(folded, number.end_byte), range_words);
    size_t second_end = range_end ? read_second(folded, range_end) : 0;
    if (second_end) {
        number.kind = VERDICT_NUMBER_RANGE;
        bool ignored;
        number.end_byte = read_maximum(folded, second_end, top, &ignored);
    }
    return number;
}
