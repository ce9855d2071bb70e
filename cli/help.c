/* SPDX-License-Identifier: MIT
 *
 * Texts of help, all made from the tables of options.def:
 *
 *   evenhand run - summary
 *
 *   Usage: evenhand run DATA -j JUDGE -o RUN.db [options]
 *
 *     DATA                   help of the operand
 *
 *   Group:
 *     -k, --samples N        help, wrapped to the width, with choices and default
 *         --seed N           ...
 *
 * Where the terminal is narrow, help stands below the names instead of beside them.
 *
 * Left out: the manual pages, which tools/gen-man writes from the same tables.
 */
#include "args.h"

static const char evenhand_is[] =
    "Evenhand makes pairwise LLM-as-a-judge results that can be trusted.";

/* ---- layout ---- */

enum {
    NAME_INDENT = 2,
    VERB_TEXT_INDENT = 13,
    TEXT_INDENT = 27,
    NARROW_TEXT_INDENT = 8,
    USAGE_INDENT = 7, /* behind "Usage: " */
    WELCOME_INDENT = 6,
    NARROW_COLUMNS = 66 /* below this, names and help do not fit side by side */
};

static void add_spaces(eh_buf *out, int n) {
    buf_printf(out, "%*s", n, "");
}

static int text_indent(int width_columns) {
    return width_columns < NARROW_COLUMNS ? NARROW_TEXT_INDENT : TEXT_INDENT;
}

/* Words of `text` in lines of at most `width_columns`, the first of them going on at
 * column `at`, the others at `indent`. */
static void add_wrapped(eh_buf *out, eh_str text, int indent, int at,
                        int width_columns) {
    eh_str word;
    bool is_first = true;
    while (eh_str_split(&text, ' ', &word)) {
        int len = (int)word.len;
        if (!is_first && at + 1 + len > width_columns) {
            buf_add_char(out, '\n');
            add_spaces(out, indent);
            at = indent;
            is_first = true;
        }
        if (!is_first) buf_add_char(out, ' ');
        at += len + !is_first;
        buf_add_str(out, word);
        is_first = false;
    }
    buf_add_char(out, '\n');
}

/* A name and the text that explains it, which begins at column `indent`. */
static void add_entry(eh_buf *out, eh_str name, eh_str text, int indent,
                      int width_columns) {
    add_spaces(out, NAME_INDENT);
    buf_add_str(out, name);
    int gap = indent - NAME_INDENT - (int)name.len;
    if (gap < 2) buf_add_char(out, '\n');
    add_spaces(out, gap < 2 ? indent : gap);
    add_wrapped(out, text, indent, indent, width_columns);
}

/* ---- parts ---- */

static void add_choices(const char *choices, eh_buf *out) {
    eh_str rest = eh_str_of(choices), choice;
    const char *gap = " One of ";
    while (eh_str_split(&rest, '|', &choice)) {
        buf_printf(out, "%s%.*s", gap, EH_STR_ARG(choice));
        gap = ", ";
    }
    buf_add_char(out, '.');
}

void args_option_text(const cli_option *o, eh_buf *out) {
    buf_add_cstr(out, o->help);
    if (o->type.choices) add_choices(o->type.choices, out);
    if (o->value) buf_printf(out, " Default: %s.", o->value);
}

static void add_option(const cli_option *o, eh_buf *out, int width_columns) {
    eh_buf name, text;
    buf_init(&name, BUF_MAX_SMALL);
    buf_init(&text, BUF_MAX_SMALL);
    if (o->short_name)
        buf_printf(&name, "-%c, ", o->short_name);
    else
        buf_add_cstr(&name, "    ");
    buf_printf(&name, "--%s%s%s", o->long_name, o->argument ? " " : "",
               o->argument ? o->argument : "");
    args_option_text(o, &text);
    add_entry(out, buf_view(&name), buf_view(&text), text_indent(width_columns),
              width_columns);
    out->failed = out->failed || name.failed || text.failed;
    buf_deinit(&name);
    buf_deinit(&text);
}

static void add_group(cli_group group, cli_verb verb, eh_buf *out, int width_columns) {
    bool is_first = true;
    for (size_t i = 0; i < cli_n_options; i++) {
        const cli_option *o = &cli_options[i];
        if (o->group != group || !cli_option_is_for(o, verb)) continue;
        if (is_first) buf_printf(out, "\n%s:\n", cli_group_titles[group]);
        is_first = false;
        add_option(o, out, width_columns);
    }
}

static void add_groups(cli_verb verb, eh_buf *out, int width_columns) {
    for (int group = 0; group < CLI_GROUP_N; group++)
        add_group((cli_group)group, verb, out, width_columns);
}

static void add_operands(cli_verb verb, eh_buf *out, int width_columns) {
    const cli_operand *operand;
    for (int i = 0; (operand = cli_operand_at(verb, i)); i++) {
        if (i == 0) buf_add_char(out, '\n');
        add_entry(out, eh_str_of(operand->name), eh_str_of(operand->help),
                  text_indent(width_columns), width_columns);
    }
}

static void add_verbs(eh_buf *out, int width_columns) {
    for (int v = 0; v < VERB_N; v++)
        add_entry(out, eh_str_of(cli_verbs[v].name), eh_str_of(cli_verbs[v].summary),
                  VERB_TEXT_INDENT, width_columns);
}

/* ---- whole texts ---- */

void args_synopsis(cli_verb verb, eh_buf *out) {
    if (verb == VERB_NONE) {
        buf_add_cstr(out, "evenhand COMMAND [operands and options]");
        return;
    }
    buf_printf(out, "evenhand %s", cli_verbs[verb].name);
    const cli_operand *operand;
    for (int i = 0; (operand = cli_operand_at(verb, i)); i++)
        buf_printf(out, cli_count_is_optional(operand->count) ? " [%s%s]" : " %s%s",
                   operand->name, cli_count_is_many(operand->count) ? "..." : "");
    bool has_optional = false;
    for (size_t i = 0; i < cli_n_options; i++) {
        const cli_option *o = &cli_options[i];
        if (!cli_option_is_for(o, verb)) continue;
        if (o->need == CLI_OPTIONAL)
            has_optional = has_optional || o->group != CLI_GROUP_general;
        else if (o->short_name)
            buf_printf(out, " -%c %s", o->short_name, o->argument);
        else
            buf_printf(out, " --%s %s", o->long_name, o->argument);
    }
    if (has_optional) buf_add_cstr(out, " [options]");
    if (cli_verbs[verb].input[0]) buf_printf(out, " %s", cli_verbs[verb].input);
}

/* "evenhand run - what it does" */
static void add_title(cli_verb verb, eh_buf *out, int width_columns) {
    eh_buf title;
    buf_init(&title, BUF_MAX_SMALL);
    buf_printf(&title, "evenhand %s - %s", cli_verbs[verb].name,
               cli_verbs[verb].summary);
    add_wrapped(out, buf_view(&title), NAME_INDENT, 0, width_columns);
    out->failed = out->failed || title.failed;
    buf_deinit(&title);
}

/* The synopsis from column `at` on, what does not fit one step further in. */
static void add_synopsis(cli_verb verb, int at, eh_buf *out, int width_columns) {
    eh_buf synopsis;
    buf_init(&synopsis, BUF_MAX_SMALL);
    args_synopsis(verb, &synopsis);
    add_wrapped(out, buf_view(&synopsis), at + NAME_INDENT, at, width_columns);
    out->failed = out->failed || synopsis.failed;
    buf_deinit(&synopsis);
}

void args_help(cli_verb verb, eh_buf *out, int width_columns) {
    if (verb == VERB_NONE)
        add_wrapped(out, eh_str_of(evenhand_is), 0, 0, width_columns);
    else
        add_title(verb, out, width_columns);
    buf_add_cstr(out, "\nUsage: ");
    add_synopsis(verb, USAGE_INDENT, out, width_columns);
    if (verb == VERB_NONE) {
        buf_add_cstr(out, "\nCommands:\n");
        add_verbs(out, width_columns);
    }
    add_operands(verb, out, width_columns);
    add_groups(verb, out, width_columns);
    if (verb == VERB_NONE) {
        buf_add_char(out, '\n');
        add_wrapped(out, EH_STR("'evenhand COMMAND --help' explains a command."), 0, 0,
                    width_columns);
    }
}

void args_welcome(eh_buf *out, int width_columns) {
    static const cli_verb first[] = {VERB_demo, VERB_run, VERB_show};
    add_wrapped(out, eh_str_of(evenhand_is), 0, 0, width_columns);
    buf_add_cstr(out, "\nTo begin with:\n");
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++) {
        buf_add_cstr(out, "\n  ");
        add_synopsis(first[i], NAME_INDENT, out, width_columns);
        add_spaces(out, WELCOME_INDENT);
        add_wrapped(out, eh_str_of(cli_verbs[first[i]].summary), WELCOME_INDENT,
                    WELCOME_INDENT, width_columns);
    }
    buf_add_cstr(out, "\n'evenhand --help' lists all commands.\n");
}
