/* SPDX-License-Identifier: MIT
 *
 * The parser of the command line, in one pass over argv:
 *
 *   evenhand [general options] VERB [options and operands, mixed] [-- operands]
 *
 * The first word that is no option names the command; from there on its rows of
 * options.def are known names, before it only the general ones. Operands are moved to
 * the front of argv as they are met (they never overtake the reading place), so no
 * memory is needed for them. Afterwards defaults are filled in and what is missing is
 * named, all of it in one message.
 *
 * getopt_long is not used, since it keeps its place in global variables, prints its own
 * messages and takes abbreviations, which would break scripts when options are added.
 *
 * Left out: reading of values (args_value.c), files of options (config.c) and texts of
 * help (help.c).
 */
#include "args.h"

#include <assert.h>
#include <stdio.h>

#include "base/utf8.h"
#include "config.h"
#include "base/suggest.h"

/* Where the reading stands. */
typedef struct parser {
    cli_args *args;
    int argc;
    char **argv;
    int at; /* the word being read */
    eh_error *err;
} parser;

/* ---- names in messages ---- */

enum { QUOTE_MAX_BYTES = 60 };

typedef struct option_label {
    char text[64];
} option_label;

/* "-o/--output" or "--limit". */
static option_label label_of(const cli_option *o) {
    option_label label;
    char both[4] = {'-', o->short_name, '/', '\0'};
    (void)snprintf(label.text, sizeof label.text, "%s--%s", o->short_name ? both : "",
                   o->long_name);
    return label;
}

static eh_str quotable(eh_str s) {
    return utf8_cut(s, QUOTE_MAX_BYTES);
}

/* " run", or nothing without a command: for "see 'evenhand run --help'". */
static const char *verb_gap(const parser *p) {
    return p->args->verb == VERB_NONE ? "" : " ";
}

static const char *verb_name(const parser *p) {
    return p->args->verb == VERB_NONE ? "" : cli_verbs[p->args->verb].name;
}

/* ---- looking names up ---- */

static const cli_option *find_long(cli_verb verb, eh_str name) {
    for (size_t i = 0; i < cli_n_options; i++)
        if (cli_option_is_for(&cli_options[i], verb) &&
            eh_str_eq_cstr(name, cli_options[i].long_name))
            return &cli_options[i];
    return NULL;
}

static const cli_option *find_short(cli_verb verb, char name) {
    for (size_t i = 0; i < cli_n_options; i++)
        if (cli_option_is_for(&cli_options[i], verb) &&
            cli_options[i].short_name == name)
            return &cli_options[i];
    return NULL;
}

/* Whether some command has this option. */
static bool is_known_long(eh_str name) {
    for (size_t i = 0; i < cli_n_options; i++)
        if (eh_str_eq_cstr(name, cli_options[i].long_name)) return true;
    return false;
}

static bool is_known_short(char name) {
    for (size_t i = 0; i < cli_n_options; i++)
        if (cli_options[i].short_name == name) return true;
    return false;
}

static eh_status fail_unknown_verb(const parser *p, eh_str word) {
    suggest near = suggest_for(word);
    for (int v = 0; v < VERB_N; v++)
        suggest_offer(&near, eh_str_of(cli_verbs[v].name));
    if (near.best.ptr)
        return EH_FAIL(p->err, EH_STATUS_USAGE,
                       "unknown command '%.*s'; did you mean '%.*s'?",
                       EH_STR_ARG(quotable(word)), EH_STR_ARG(near.best));
    return EH_FAIL(p->err, EH_STATUS_USAGE,
                   "unknown command '%.*s'; 'evenhand --help' lists the commands",
                   EH_STR_ARG(quotable(word)));
}

/* An option of other commands; `name` with its dashes. */
static eh_status fail_elsewhere(const parser *p, eh_str name) {
    if (p->args->verb == VERB_NONE)
        return EH_FAIL(p->err, EH_STATUS_USAGE, "%.*s must come after the command",
                       EH_STR_ARG(name));
    return EH_FAIL(p->err, EH_STATUS_USAGE,
                   "there is no option %.*s here; see 'evenhand%s%s --help'",
                   EH_STR_ARG(name), verb_gap(p), verb_name(p));
}

static eh_status fail_unknown(const parser *p, eh_str name) {
    return EH_FAIL(p->err, EH_STATUS_USAGE,
                   "unknown option '%.*s'; see 'evenhand%s%s --help'",
                   EH_STR_ARG(quotable(name)), verb_gap(p), verb_name(p));
}

/* `dashed` is "--name". */
static eh_status fail_unknown_long(const parser *p, eh_str dashed) {
    eh_str name = eh_str_slice(dashed, 2, dashed.len);
    if (is_known_long(name)) return fail_elsewhere(p, dashed);
    suggest near = suggest_for(name);
    for (size_t i = 0; i < cli_n_options; i++)
        if (cli_option_is_for(&cli_options[i], p->args->verb))
            suggest_offer(&near, eh_str_of(cli_options[i].long_name));
    if (!near.best.ptr) return fail_unknown(p, dashed);
    return EH_FAIL(p->err, EH_STATUS_USAGE,
                   "unknown option '%.*s'; did you mean '--%.*s'?",
                   EH_STR_ARG(quotable(dashed)), EH_STR_ARG(near.best));
}

/* The letter at `at` of a bundle; of a character that is not ASCII the whole rest. */
static eh_status fail_unknown_short(const parser *p, eh_str word, size_t at) {
    bool is_ascii = (unsigned char)word.ptr[at] < 0x80;
    eh_str letter = eh_str_slice(word, at, is_ascii ? at + 1 : word.len);
    char name[QUOTE_MAX_BYTES];
    (void)snprintf(name, sizeof name, "-%.*s", EH_STR_ARG(quotable(letter)));
    if (is_known_short(word.ptr[at])) return fail_elsewhere(p, eh_str_of(name));
    return fail_unknown(p, eh_str_of(name));
}

/* ---- options ---- */

static eh_status set_value(parser *p, const cli_option *o, const char *text) {
    args_value *value = &p->args->values[o->id];
    if (o->type.kind == CLI_FLAG) {
        *value = (args_value){.given = true, .kind = CLI_FLAG};
        return EH_STATUS_OK;
    }
    option_label label = label_of(o);
    if (value->given)
        return EH_FAIL(p->err, EH_STATUS_USAGE, "%s is given twice", label.text);
    EH_TRY(args_value_read(&o->type, label.text, text, value, p->err));
    value->given = true;
    return EH_STATUS_OK;
}

/* Words that are options rather than values, so that a forgotten value is noticed
 * instead of swallowing the next option. */
static bool looks_like_option(const parser *p, const char *word) {
    if (word[0] != '-' || word[1] == '\0') return false;
    return word[1] == '-' || find_short(p->args->verb, word[1]);
}

/* The value in the next word. */
static eh_status take_next_word(parser *p, const cli_option *o) {
    const char *next = p->at + 1 < p->argc ? p->argv[p->at + 1] : NULL;
    if (!next)
        return EH_FAIL(p->err, EH_STATUS_USAGE, "%s needs a value: %s",
                       label_of(o).text, o->argument);
    if (looks_like_option(p, next))
        return EH_FAIL(p->err, EH_STATUS_USAGE,
                       "%s needs a value, and '%.*s' looks like an option; if "
                       "that is the value, write --%s=VALUE",
                       label_of(o).text, EH_STR_ARG(quotable(eh_str_of(next))),
                       o->long_name);
    p->at++;
    return set_value(p, o, next);
}

/* `word` begins with "--". */
static eh_status read_long(parser *p, const char *word) {
    const char *equals = strchr(word, '=');
    size_t len = equals ? (size_t)(equals - word) : strlen(word);
    eh_str dashed = {word, len};
    const cli_option *o = find_long(p->args->verb, eh_str_slice(dashed, 2, len));
    if (!o) return fail_unknown_long(p, dashed);
    if (o->type.kind != CLI_FLAG)
        return equals ? set_value(p, o, equals + 1) : take_next_word(p, o);
    if (equals)
        return EH_FAIL(p->err, EH_STATUS_USAGE, "--%s takes no value", o->long_name);
    return set_value(p, o, NULL);
}

/* `word` begins with one "-": bundled flags, at the end perhaps an option with its
 * value glued on or in the next word. */
static eh_status read_shorts(parser *p, const char *word) {
    eh_str whole = eh_str_of(word);
    eh_str as_long = eh_str_slice(whole, 1, whole.len);
    if (as_long.len > 1 && find_long(p->args->verb, as_long))
        return EH_FAIL(p->err, EH_STATUS_USAGE,
                       "unknown option '%.*s'; did you mean '--%.*s'?",
                       EH_STR_ARG(quotable(whole)), EH_STR_ARG(as_long));
    for (size_t i = 1; i < whole.len; i++) {
        const cli_option *o = find_short(p->args->verb, word[i]);
        if (!o) return fail_unknown_short(p, whole, i);
        if (o->type.kind == CLI_FLAG) {
            EH_TRY(set_value(p, o, NULL));
            continue;
        }
        if (word[i + 1] == '=')
            return EH_FAIL(p->err, EH_STATUS_USAGE,
                           "'=' goes with the long name: write -%c %s or --%s=%s",
                           o->short_name, o->argument, o->long_name, o->argument);
        return word[i + 1] ? set_value(p, o, word + i + 1) : take_next_word(p, o);
    }
    return EH_STATUS_OK;
}

/* ---- operands ---- */

static eh_status read_verb(parser *p, const char *word) {
    for (int v = 0; v < VERB_N; v++) {
        if (strcmp(word, cli_verbs[v].name) == 0) {
            p->args->verb = (cli_verb)v;
            return EH_STATUS_OK;
        }
    }
    return fail_unknown_verb(p, eh_str_of(word));
}

static eh_status fail_with_usage(const parser *p, const char *what, eh_str detail,
                                 const char *end) {
    eh_buf usage;
    buf_init(&usage, BUF_MAX_SMALL);
    args_synopsis(p->args->verb, &usage);
    (void)EH_FAIL(p->err, EH_STATUS_USAGE, "%s%.*s%s; usage: %.*s", what,
                  EH_STR_ARG(detail), end, EH_STR_ARG(buf_view(&usage)));
    buf_deinit(&usage);
    return EH_STATUS_USAGE;
}

/* What the `i`-th operand on the line is: its own row, or the last one if that takes
 * many; NULL if there is no room for it. */
static const cli_operand *operand_row(cli_verb verb, int i) {
    const cli_operand *row = cli_operand_at(verb, i);
    for (int k = i; k > 0 && !row; k--) {
        row = cli_operand_at(verb, k - 1);
        if (row && !cli_count_is_many(row->count)) return NULL;
    }
    return row;
}

static eh_status add_operand(parser *p, char *word) {
    cli_args *args = p->args;
    const cli_operand *row = operand_row(args->verb, args->n_operands);
    if (!row)
        return fail_with_usage(p, "unexpected operand '", quotable(eh_str_of(word)),
                               "'");
    args_value checked = {0};
    EH_TRY(args_value_read(&row->type, "operand", word, &checked, p->err));
    args->operands[args->n_operands++] = word;
    return EH_STATUS_OK;
}

/* ---- the end of the line ---- */

/* Appends what must be there and is not: ", DATA", ", -j JUDGE". */
static void list_missing(const cli_args *args, eh_buf *out) {
    const cli_operand *operand;
    if (args_flag(args, OPT_self_test)) return; /* brings its own data and judges */
    for (int i = args->n_operands; (operand = cli_operand_at(args->verb, i)) &&
                                   !cli_count_is_optional(operand->count);
         i++)
        buf_printf(out, "%s%s", out->len ? ", " : "", operand->name);
    for (size_t i = 0; i < cli_n_options; i++) {
        const cli_option *o = &cli_options[i];
        bool needed = o->need == CLI_REQUIRED ||
                      (o->need == CLI_REQUIRED_TO_RUN && !args_flag(args, OPT_dry_run));
        if (!needed || !cli_option_is_for(o, args->verb) || args_given(args, o->id))
            continue;
        buf_add_cstr(out, out->len ? ", " : "");
        if (o->short_name)
            buf_printf(out, "-%c %s", o->short_name, o->argument);
        else
            buf_printf(out, "--%s %s", o->long_name, o->argument);
    }
}

static eh_status check_complete(const parser *p) {
    eh_buf missing;
    buf_init(&missing, BUF_MAX_SMALL);
    list_missing(p->args, &missing);
    eh_status status = buf_check(&missing, "the list of what is missing", p->err);
    if (status == EH_STATUS_OK && missing.len > 0)
        status = fail_with_usage(p, "missing ", buf_view(&missing), "");
    buf_deinit(&missing);
    return status;
}

static eh_status fill_defaults(const parser *p) {
    for (size_t i = 0; i < cli_n_options; i++) {
        const cli_option *o = &cli_options[i];
        args_value *value = &p->args->values[o->id];
        if (!o->value || value->given || !cli_option_is_for(o, p->args->verb)) continue;
        EH_TRY(args_value_read(&o->type, o->long_name, o->value, value, p->err));
    }
    return EH_STATUS_OK;
}

eh_status args_parse(int argc, char **argv, cli_args *args, eh_error *err) {
    *args = (cli_args){.program = argc > 0 ? argv[0] : "evenhand",
                       .verb = VERB_NONE,
                       .operands = argv + (argc > 0)};
    parser p = {.args = args, .argc = argc, .argv = argv, .at = 1, .err = err};
    bool options_ended = false;
    for (; p.at < argc; p.at++) {
        char *word = argv[p.at];
        bool is_option = !options_ended && word[0] == '-' && word[1] != '\0';
        if (is_option && strcmp(word, "--") == 0)
            options_ended = true;
        else if (is_option && word[1] == '-')
            EH_TRY(read_long(&p, word));
        else if (is_option)
            EH_TRY(read_shorts(&p, word));
        else if (args->verb == VERB_NONE)
            EH_TRY(read_verb(&p, word));
        else
            EH_TRY(add_operand(&p, word));
    }
    bool is_question = args->verb == VERB_NONE || args_flag(args, OPT_help) ||
                       args_flag(args, OPT_version);
    if (args_given(args, OPT_config) && !is_question) EH_TRY(config_read(args, err));
    EH_TRY(fill_defaults(&p));
    return is_question ? EH_STATUS_OK : check_complete(&p);
}

void args_deinit(cli_args *args) {
    config_free(args->config);
    args->config = NULL;
}

/* ---- getters ---- */

bool args_given(const cli_args *args, cli_option_id id) {
    return args->values[id].given;
}

bool args_flag(const cli_args *args, cli_option_id id) {
    const args_value *value = &args->values[id];
    assert(!value->given || value->kind == CLI_FLAG);
    return value->given;
}

const char *args_str(const cli_args *args, cli_option_id id) {
    return args->values[id].text;
}

int64_t args_i64(const cli_args *args, cli_option_id id, int64_t fallback) {
    const args_value *value = &args->values[id];
    assert(!value->text || value->kind == CLI_INT || value->kind == CLI_MONEY ||
           value->kind == CLI_DURATION);
    return value->text ? value->i64 : fallback;
}

double args_f64(const cli_args *args, cli_option_id id, double fallback) {
    const args_value *value = &args->values[id];
    assert(!value->text || value->kind == CLI_DOUBLE || value->kind == CLI_SHARE);
    return value->text ? value->f64 : fallback;
}
