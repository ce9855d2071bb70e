/* SPDX-License-Identifier: MIT
 *
 * Writes a manual page in scdoc's language: the hand-written prose of one file, with
 * the parts that follow from cli/options.def put in.
 *
 *   gen-man man/evenhand-run.1.scd > evenhand-run.1.scd
 *
 * A line that is nothing but one of these words is replaced:
 *
 *   @SYNOPSIS@   how the command is written
 *   @OPTIONS@    sections OPERANDS and OPTIONS of the command
 *   @COMMANDS@   all commands with their summaries
 *   @KEYS@       the options that a file of options may hold, by group
 *
 * and @VERSION@ is replaced wherever it stands. The command is known by the name of the
 * file; a page that is no command's (evenhand.1.scd) has the general options.
 *
 * Left out: any check of the prose; scdoc and `mandoc -T lint` do that.
 */
#include <stdio.h>
#include <string.h>

#include "args.h"

/* ---- scdoc ---- */

/* Plain text, with the signs that scdoc would take for marks escaped. */
static void put_text(eh_str s) {
    for (size_t i = 0; i < s.len; i++) {
        if (strchr("\\*_#~", s.ptr[i])) putchar('\\');
        putchar(s.ptr[i]);
    }
}

/* `mark` is '*' for bold and '_' for underlined. */
static void put_marked(char mark, eh_str s) {
    putchar(mark);
    put_text(s);
    putchar(mark);
}

/* "a|b" with bold parts where the words are meant as they stand, else underlined. */
static void put_alternatives(char mark, eh_str s) {
    eh_str part;
    const char *gap = "";
    while (eh_str_split(&s, '|', &part)) {
        fputs(gap, stdout);
        put_marked(mark, part);
        gap = "|";
    }
}

static void put_operand(const cli_operand *operand) {
    put_alternatives(operand->type.choices ? '*' : '_', eh_str_of(operand->name));
}

/* ---- parts ---- */

static void put_needed_option(const cli_option *o) {
    if (o->short_name)
        printf(" *-%c* ", o->short_name);
    else
        printf(" *--%s* ", o->long_name);
    put_marked('_', eh_str_of(o->argument));
}

static void put_synopsis(cli_verb verb) {
    if (verb == VERB_NONE) {
        puts("*evenhand* _command_ [_operands_ and _options_]");
        return;
    }
    printf("*evenhand %s*", cli_verbs[verb].name);
    const cli_operand *operand;
    for (int i = 0; (operand = cli_operand_at(verb, i)); i++) {
        bool optional = cli_count_is_optional(operand->count);
        fputs(optional ? " [" : " ", stdout);
        put_operand(operand);
        if (cli_count_is_many(operand->count)) fputs("...", stdout);
        if (optional) putchar(']');
    }
    for (size_t i = 0; i < cli_n_options; i++)
        if (cli_option_is_for(&cli_options[i], verb) &&
            cli_options[i].need != CLI_OPTIONAL)
            put_needed_option(&cli_options[i]);
    fputs(" [_options_]", stdout);
    if (cli_verbs[verb].input[0]) {
        putchar(' ');
        put_text(eh_str_of(cli_verbs[verb].input));
    }
    putchar('\n');
}

static void put_option(const cli_option *o) {
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    args_option_text(o, &text);
    if (o->short_name) printf("*-%c*, ", o->short_name);
    printf("*--%s*", o->long_name);
    if (o->argument) {
        putchar(' ');
        put_marked('_', eh_str_of(o->argument));
    }
    fputs("\n\t", stdout);
    put_text(buf_view(&text));
    fputs("\n\n", stdout);
    buf_deinit(&text);
}

static void put_group(cli_group group, cli_verb verb) {
    bool is_first = true;
    for (size_t i = 0; i < cli_n_options; i++) {
        const cli_option *o = &cli_options[i];
        if (o->group != group || !cli_option_is_for(o, verb)) continue;
        if (is_first) printf("## %s\n\n", cli_group_titles[group]);
        is_first = false;
        put_option(o);
    }
}

static void put_options(cli_verb verb) {
    const cli_operand *operand;
    for (int i = 0; (operand = cli_operand_at(verb, i)); i++) {
        if (i == 0) fputs("# OPERANDS\n\n", stdout);
        put_operand(operand);
        fputs("\n\t", stdout);
        put_text(eh_str_of(operand->help));
        fputs("\n\n", stdout);
    }
    fputs("# OPTIONS\n\n", stdout);
    for (int group = 0; group < CLI_GROUP_N; group++)
        put_group((cli_group)group, verb);
}

static void put_commands(void) {
    for (int v = 0; v < VERB_N; v++) {
        printf("*evenhand-%s*(1)\n\t", cli_verbs[v].name);
        put_text(eh_str_of(cli_verbs[v].summary));
        fputs("\n\n", stdout);
    }
}

/* The long names of run's options but those that a file cannot hold (cli/config.c). */
static void put_keys(void) {
    for (int group = 0; group < CLI_GROUP_N; group++) {
        const char *gap = "";
        for (size_t i = 0; i < cli_n_options; i++) {
            const cli_option *o = &cli_options[i];
            if (o->group != (cli_group)group || !cli_option_is_for(o, VERB_run) ||
                !cli_option_is_for_files(o))
                continue;
            if (!*gap) printf("%s:++\n", cli_group_titles[group]);
            fputs(gap, stdout);
            put_marked('*', eh_str_of(o->long_name));
            if (o->type.kind == CLI_FLAG) fputs(" (true or false)", stdout);
            gap = ", ";
        }
        if (*gap) puts(".\n");
    }
}

/* ---- the page ---- */

static void put_line(const char *line, cli_verb verb) {
    static const char mark[] = "@VERSION@";
    if (strcmp(line, "@SYNOPSIS@\n") == 0)
        put_synopsis(verb);
    else if (strcmp(line, "@OPTIONS@\n") == 0)
        put_options(verb);
    else if (strcmp(line, "@COMMANDS@\n") == 0)
        put_commands();
    else if (strcmp(line, "@KEYS@\n") == 0)
        put_keys();
    else {
        for (const char *at; (at = strstr(line, mark)); line = at + strlen(mark))
            printf("%.*s" EVENHAND_VERSION, (int)(at - line), line);
        fputs(line, stdout);
    }
}

/* "path/evenhand-run.1.scd" is run's page. */
static cli_verb verb_of_page(const char *path) {
    const char *slash = strrchr(path, '/');
    eh_str name = eh_str_of(slash ? slash + 1 : path);
    for (int v = 0; v < VERB_N; v++) {
        char page[64];
        (void)snprintf(page, sizeof page, "evenhand-%s.1.scd", cli_verbs[v].name);
        if (eh_str_eq_cstr(name, page)) return (cli_verb)v;
    }
    return VERB_NONE;
}

int main(int argc, char **argv) {
    FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!in) {
        fputs("usage: gen-man PAGE.scd\n", stderr);
        return 2;
    }
    char line[4096];
    while (fgets(line, sizeof line, in))
        put_line(line, verb_of_page(argv[1]));
    bool failed = ferror(in) || fflush(stdout) != 0;
    (void)fclose(in);
    return failed ? 1 : 0;
}
