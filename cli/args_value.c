/* SPDX-License-Identifier: MIT
 *
 * One value of the command line: from text to a checked number or choice.
 *
 * Every refusal has the same form, "NAME: 'TEXT' is not WHAT IS ALLOWED", so that the
 * reader sees what was understood as the value and what would do. Numbers are plain
 * decimals; a share may be written as a percentage; money is kept exact, in
 * nano-dollars.
 *
 * Left out: whether the value makes sense with others, which the commands know.
 */
#include "args.h"

#include "base/utf8.h"
#include "base/suggest.h"

enum { QUOTE_MAX_BYTES = 60, MONEY_DECIMALS = 9 };

static eh_str quotable(const char *text) {
    return utf8_cut(eh_str_of(text), QUOTE_MAX_BYTES);
}

static bool read_i64(const cli_type *type, const char *text, int64_t *value) {
    return eh_str_to_i64(eh_str_of(text), value) && (double)*value >= type->low &&
           (double)*value <= type->high;
}

static bool read_f64(const cli_type *type, eh_str text, double *value) {
    return eh_str_to_f64(text, value) && *value >= type->low && *value <= type->high;
}

/* "2%" or ".02". */
static bool read_share(const char *text, double *value) {
    eh_str s = eh_str_of(text);
    bool is_percent = eh_str_ends(s, EH_STR("%"));
    if (is_percent) s = eh_str_trim(eh_str_slice(s, 0, s.len - 1));
    if (!eh_str_to_f64(s, value)) return false;
    if (is_percent) *value /= 100;
    return *value >= 0 && *value <= 1;
}

/* Digits, perhaps a point and up to nine more: exact nano-dollars. */
static bool read_money(const char *text, int64_t *nusd) {
    char digits[32];
    size_t n_digits = 0;
    int n_decimals = -1; /* none before the point */
    for (const char *p = text; *p; p++) {
        if (*p == '.' && n_decimals < 0) {
            n_decimals = 0;
            continue;
        }
        if (*p < '0' || *p > '9' || n_digits + MONEY_DECIMALS >= sizeof digits ||
            n_decimals == MONEY_DECIMALS)
            return false;
        digits[n_digits++] = *p;
        n_decimals += n_decimals >= 0;
    }
    if (n_digits == 0) return false;
    for (int i = n_decimals < 0 ? 0 : n_decimals; i < MONEY_DECIMALS; i++)
        digits[n_digits++] = '0';
    return eh_str_to_i64((eh_str){digits, n_digits}, nusd);
}

/* "90m" or "7d": a whole number from 1 up and its unit, at most 100 years. */
static bool read_duration(const char *text, int64_t *duration_ms) {
    static const struct {
        char unit;
        int64_t ms;
    } units[] = {{'s', 1000}, {'m', 60000}, {'h', 3600000}, {'d', 86400000}};
    const int64_t max_ms = INT64_C(86400000) * 36525;
    eh_str s = eh_str_of(text);
    int64_t n;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (s.ptr[s.len - 1] != units[i].unit) continue;
        if (!eh_str_to_i64(eh_str_slice(s, 0, s.len - 1), &n) || n < 1 ||
            n > max_ms / units[i].ms)
            return false;
        *duration_ms = n * units[i].ms;
        return true;
    }
    return false;
}

static bool is_list(const char *text) {
    eh_str rest = eh_str_of(text), part;
    while (eh_str_split(&rest, ',', &part))
        if (eh_str_is_blank(part)) return false;
    return true;
}

static bool is_choice(const char *choices, const char *text) {
    eh_str rest = eh_str_of(choices), choice;
    while (eh_str_split(&rest, '|', &choice))
        if (eh_str_eq_cstr(choice, text)) return true;
    return false;
}

static bool read_by_kind(const cli_type *type, const char *text, args_value *value) {
    if (text[0] == '\0') return false;
    switch (type->kind) {
    case CLI_INT: return read_i64(type, text, &value->i64);
    case CLI_DOUBLE: return read_f64(type, eh_str_of(text), &value->f64);
    case CLI_SHARE: return read_share(text, &value->f64);
    case CLI_MONEY: return read_money(text, &value->i64);
    case CLI_DURATION: return read_duration(text, &value->i64);
    case CLI_LIST: return is_list(text);
    case CLI_ENUM: return is_choice(type->choices, text);
    case CLI_FLAG:
    case CLI_STRING:
    case CLI_FILE_NAME: break;
    }
    return true;
}

/* "a, b, c", and the nearest one where the text is mistyped. */
static void describe_choices(const cli_type *type, const char *text, eh_buf *out) {
    suggest near = suggest_for(eh_str_of(text));
    eh_str rest = eh_str_of(type->choices), choice;
    const char *gap = "one of ";
    while (eh_str_split(&rest, '|', &choice)) {
        buf_printf(out, "%s%.*s", gap, EH_STR_ARG(choice));
        suggest_offer(&near, choice);
        gap = ", ";
    }
    if (near.best.ptr) buf_printf(out, "; did you mean '%.*s'?", EH_STR_ARG(near.best));
}

static void describe(const cli_type *type, const char *text, eh_buf *out) {
    const char *number = type->kind == CLI_INT ? "a whole number" : "a number";
    switch (type->kind) {
    case CLI_INT:
    case CLI_DOUBLE:
        if (type->high >= CLI_NO_LIMIT)
            buf_printf(out, "%s from %.15g up", number, type->low);
        else
            buf_printf(out, "%s from %.15g to %.15g", number, type->low, type->high);
        break;
    case CLI_SHARE: buf_add_cstr(out, "a share from 0 to 1, such as 2% or .02"); break;
    case CLI_MONEY:
        buf_add_cstr(out, "an amount in US dollars, such as 5 or 2.50");
        break;
    case CLI_DURATION:
        buf_add_cstr(out, "a duration, such as 30s, 90m, 12h or 7d");
        break;
    case CLI_LIST:
        buf_add_cstr(out, "a list separated by commas, without empty entries");
        break;
    case CLI_ENUM: describe_choices(type, text, out); break;
    case CLI_FLAG:
    case CLI_STRING: buf_add_cstr(out, "a text of at least one character"); break;
    case CLI_FILE_NAME: buf_add_cstr(out, "the name of a file"); break;
    }
}

eh_status args_value_read(const cli_type *type, const char *name, const char *text,
                          args_value *value, eh_error *err) {
    if (!read_by_kind(type, text, value)) {
        eh_buf allowed;
        buf_init(&allowed, BUF_MAX_SMALL);
        describe(type, text, &allowed);
        (void)EH_FAIL(err, EH_STATUS_USAGE, "%s: '%.*s' is not %.*s", name,
                      EH_STR_ARG(quotable(text)), EH_STR_ARG(buf_view(&allowed)));
        buf_deinit(&allowed);
        return EH_STATUS_USAGE;
    }
    value->kind = type->kind;
    value->text = text;
    return EH_STATUS_OK;
}
