/* SPDX-License-Identifier: MIT
 *
 * Reading waits, dates and durations by hand, since strptime follows the locale and
 * timegm is no standard.
 *
 *   IMF-fixdate   Sun, 06 Nov 1994 08:49:37 GMT
 *   RFC 850       Sunday, 06-Nov-94 08:49:37 GMT
 *   asctime       Sun Nov  6 08:49:37 1994
 *
 * All three are read by one scanner: words and numbers in their order. The name of the
 * weekday is not checked against the date. A year of two digits is the one that is not
 * more than 50 years ahead (RFC 9110, section 5.6.7). A value that cannot be read is no
 * value; the caller falls back to its own backoff.
 */
#include "codec/retry_after.h"

#include <math.h>

#define YEAR_MS (INT64_C(365) * 24 * 3600 * 1000)

typedef struct scanner {
    eh_str rest;
} scanner;

static bool take_char(scanner *s, char c) {
    if (s->rest.len == 0 || s->rest.ptr[0] != c) return false;
    s->rest = eh_str_slice(s->rest, 1, s->rest.len);
    return true;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* A number of low to high digits. */
static bool take_number(scanner *s, size_t low, size_t high, int *value) {
    size_t n = 0;
    *value = 0;
    while (n < high && n < s->rest.len && is_digit(s->rest.ptr[n]))
        *value = *value * 10 + (s->rest.ptr[n++] - '0');
    if (n < low) return false;
    s->rest = eh_str_slice(s->rest, n, s->rest.len);
    return true;
}

static bool take_word(scanner *s, eh_str *word) {
    size_t n = 0;
    while (n < s->rest.len && is_letter(s->rest.ptr[n]))
        n++;
    if (n == 0) return false;
    *word = eh_str_slice(s->rest, 0, n);
    s->rest = eh_str_slice(s->rest, n, s->rest.len);
    return true;
}

static bool take_month(scanner *s, int *month) {
    static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    eh_str word;
    if (!take_word(s, &word) || word.len != 3) return false;
    for (int i = 0; i < 12; i++)
        if (memcmp(names + 3 * i, word.ptr, 3) == 0) {
            *month = i + 1;
            return true;
        }
    return false;
}

typedef struct date {
    int year, month, day, hour, minute, second;
} date;

static bool take_time(scanner *s, date *d) {
    return take_number(s, 2, 2, &d->hour) && take_char(s, ':') &&
           take_number(s, 2, 2, &d->minute) && take_char(s, ':') &&
           take_number(s, 2, 2, &d->second);
}

static bool is_date(const date *d) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (d->month < 1 || d->month > 12 || d->day < 1) return false;
    bool leap = (d->year % 4 == 0 && d->year % 100 != 0) || d->year % 400 == 0;
    int last = days[d->month - 1] + (d->month == 2 && leap);
    return d->day <= last && d->hour < 24 && d->minute < 60 && d->second <= 60;
}

/* Days from 1970-01-01 in the proleptic Gregorian calendar, counted by eras of 400
 * years that begin on the first of March. */
static int64_t days_since_epoch(int year, int month, int day) {
    int64_t y = year - (month <= 2);
    int64_t era = (y >= 0 ? y : y - 399) / 400;
    int64_t of_era = y - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int64_t unix_ms_of(const date *d) {
    return ((days_since_epoch(d->year, d->month, d->day) * 24 + d->hour) * 60 +
            d->minute) *
               60000 +
           d->second * INT64_C(1000);
}

/* "06 Nov 1994 08:49:37 GMT" and "06-Nov-94 08:49:37 GMT", behind the comma. */
static bool read_day_first(scanner *s, int64_t now_ms, date *d) {
    if (!take_char(s, ' ') || !take_number(s, 2, 2, &d->day)) return false;
    bool dashes = take_char(s, '-');
    if (!dashes && !take_char(s, ' ')) return false;
    if (!take_month(s, &d->month) || !take_char(s, dashes ? '-' : ' ')) return false;
    size_t digits = dashes ? 2 : 4;
    if (!take_number(s, digits, digits, &d->year)) return false;
    if (!take_char(s, ' ') || !take_time(s, d) || !take_char(s, ' ')) return false;
    eh_str zone;
    if (!take_word(s, &zone) || !eh_str_eq_cstr(zone, "GMT")) return false;
    if (dashes) {
        int now_year = 1970 + (int)(now_ms / (YEAR_MS + 6 * 3600 * 1000));
        d->year += now_year - now_year % 100;
        if (d->year > now_year + 50) d->year -= 100;
    }
    return true;
}

/* " Nov  6 08:49:37 1994", behind the weekday. */
static bool read_asctime(scanner *s, date *d) {
    if (!take_char(s, ' ') || !take_month(s, &d->month) || !take_char(s, ' '))
        return false;
    (void)take_char(s, ' ');
    return take_number(s, 1, 2, &d->day) && take_char(s, ' ') && take_time(s, d) &&
           take_char(s, ' ') && take_number(s, 4, 4, &d->year);
}

bool retry_after_http_date(eh_str text, int64_t now_ms, int64_t *unix_ms) {
    scanner s = {eh_str_trim(text)};
    date d = {0};
    eh_str weekday;
    if (!take_word(&s, &weekday)) return false;
    bool good =
        take_char(&s, ',') ? read_day_first(&s, now_ms, &d) : read_asctime(&s, &d);
    if (!good || s.rest.len || !is_date(&d)) return false;
    *unix_ms = unix_ms_of(&d);
    return true;
}

/* "Z", "+02:00", "-0130" as minutes east of Greenwich. */
static bool take_offset(scanner *s, int *minutes) {
    *minutes = 0;
    if (take_char(s, 'Z') || take_char(s, 'z')) return true;
    bool west = take_char(s, '-');
    int hour, minute;
    if (!west && !take_char(s, '+')) return false;
    if (!take_number(s, 2, 2, &hour)) return false;
    (void)take_char(s, ':');
    if (!take_number(s, 2, 2, &minute)) return false;
    *minutes = (hour * 60 + minute) * (west ? -1 : 1);
    return true;
}

bool retry_after_rfc3339(eh_str text, int64_t *unix_ms) {
    scanner s = {eh_str_trim(text)};
    date d = {0};
    int offset, fraction_ms = 0;
    if (!take_number(&s, 4, 4, &d.year) || !take_char(&s, '-') ||
        !take_number(&s, 2, 2, &d.month) || !take_char(&s, '-') ||
        !take_number(&s, 2, 2, &d.day))
        return false;
    if (!take_char(&s, 'T') && !take_char(&s, 't') && !take_char(&s, ' ')) return false;
    if (!take_time(&s, &d)) return false;
    if (take_char(&s, '.')) {
        int digit;
        if (!take_number(&s, 1, 1, &fraction_ms)) return false;
        fraction_ms *= 100;
        for (int unit = 10; take_number(&s, 1, 1, &digit); unit /= 10)
            fraction_ms += digit * unit;
    }
    if (!take_offset(&s, &offset) || s.rest.len || !is_date(&d)) return false;
    *unix_ms = unix_ms_of(&d) + fraction_ms - offset * INT64_C(60000);
    return true;
}

static int64_t capped_ms(double ms) {
    return ms > (double)YEAR_MS ? YEAR_MS : (int64_t)llround(ms);
}

/* Milliseconds in a unit; 0 for an unknown one. */
static double unit_ms(eh_str unit) {
    static const struct {
        const char *name;
        double ms;
    } units[] = {{"ns", 1e-6}, {"us", 1e-3}, {"\xC2\xB5s", 1e-3}, {"ms", 1},
                 {"s", 1e3},   {"m", 60e3},  {"h", 3600e3},       {"d", 86400e3}};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (eh_str_eq_cstr(unit, units[i].name)) return units[i].ms;
    return 0;
}

bool retry_after_duration(eh_str text, int64_t *wait_ms) {
    eh_str s = eh_str_trim(text);
    double value, sum_ms = 0;
    if (eh_str_to_f64(s, &value)) {
        if (value < 0) return false;
        *wait_ms = capped_ms(value * 1e3);
        return true;
    }
    if (s.len == 0) return false;
    while (s.len) {
        size_t number = 0, end;
        while (number < s.len && (is_digit(s.ptr[number]) || s.ptr[number] == '.'))
            number++;
        for (end = number; end < s.len && !is_digit(s.ptr[end]); end++) {
        }
        double ms = unit_ms(eh_str_slice(s, number, end));
        if (ms <= 0 || !eh_str_to_f64(eh_str_slice(s, 0, number), &value)) return false;
        sum_ms += value * ms;
        s = eh_str_slice(s, end, s.len);
    }
    *wait_ms = capped_ms(sum_ms);
    return true;
}

bool retry_after_get(const judge_answer *answer, int64_t now_ms, int64_t *wait_ms) {
    double value;
    eh_str ms = eh_str_trim(judge_header_get(answer, "retry-after-ms"));
    if (eh_str_to_f64(ms, &value) && value >= 0) {
        *wait_ms = capped_ms(value);
        return true;
    }
    eh_str text = eh_str_trim(judge_header_get(answer, "retry-after"));
    if (eh_str_to_f64(text, &value)) {
        *wait_ms = value >= 0 ? capped_ms(value * 1e3) : 0;
        return value >= 0;
    }
    int64_t at_ms;
    if (!retry_after_http_date(text, now_ms, &at_ms)) return false;
    *wait_ms = at_ms > now_ms ? at_ms - now_ms : 0;
    if (*wait_ms > YEAR_MS) *wait_ms = YEAR_MS;
    return true;
}
