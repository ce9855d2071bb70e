/* SPDX-License-Identifier: MIT
 *
 * Writes the completions of one shell from cli/options.def:
 *
 *   gen-completions bash|zsh|fish > FILE
 *
 * What each knows: the commands, the options of the command that was typed, the choices
 * of options and operands that have some, and where a file is meant. bash gets one
 * function with a table per command, zsh specs for _arguments, fish a line per option.
 *
 * Left out: judges, templates and other names that only a run of the program knows.
 */
#include <stdio.h>
#include <string.h>

#include "args.h"

/* ---- texts ---- */

/* The first sentence of a help, without its full stop. */
static eh_str first_sentence(const char *help) {
    eh_str s = eh_str_of(help);
    size_t end = eh_str_find(s, EH_STR(". "), 0);
    if (end != SIZE_MAX) return eh_str_slice(s, 0, end);
    if (eh_str_ends(s, EH_STR("."))) s.len--;
    return s;
}

/* Inside single quotes of a shell; signs of `escaped` get a backslash before them. */
static void put_quoted(eh_str s, const char *quote, const char *escaped) {
    for (size_t i = 0; i < s.len; i++) {
        char c = s.ptr[i];
        if (c == '\'') {
            fputs(quote, stdout);
            continue;
        }
        if (strchr(escaped, c)) putchar('\\');
        putchar(c);
    }
}

/* "a|b|c" with spaces between. */
static void put_choices(const char *choices) {
    for (const char *p = choices; *p; p++)
        putchar(*p == '|' ? ' ' : *p);
}

/* The next option row of the command, from *i on; NULL at the end. */
static const cli_option *next_option(cli_verb verb, size_t *i) {
    while (*i < cli_n_options) {
        const cli_option *o = &cli_options[(*i)++];
        if (cli_option_is_for(o, verb)) return o;
    }
    return NULL;
}

/* What comes next on the line: sets `words` or `files`. */
static void bash_next(const cli_type *type) {
    if (type->choices) {
        fputs(" words='", stdout);
        put_choices(type->choices);
        puts("' ;;");
    } else {
        puts(type->kind == CLI_FILE_NAME ? " files=yes ;;" : " ;;");
    }
}

/* _evenhand_value VERB OPTION: fails where the option takes no value. */
static void bash_values(void) {
    puts("_evenhand_value() {\n    case \"$1 $2\" in");
    for (int v = 0; v < VERB_N; v++) {
        const char *verb = cli_verbs[v].name;
        const cli_option *o;
        for (size_t i = 0; (o = next_option((cli_verb)v, &i));) {
            if (o->type.kind == CLI_FLAG) continue;
            fputs("        ", stdout);
            if (o->short_name) printf("'%s -%c'|", verb, o->short_name);
            printf("'%s --%s')", verb, o->long_name);
            bash_next(&o->type);
        }
    }
    puts("        *) return 1 ;;\n    esac\n}\n");
}

/* _evenhand_operand VERB NUMBER, counted from 0. */
static void bash_operands(void) {
    puts("_evenhand_operand() {\n    case \"$1 $2\" in");
    for (int v = 0; v < VERB_N; v++) {
        const cli_operand *operand;
        for (int i = 0; (operand = cli_operand_at((cli_verb)v, i)); i++) {
            if (cli_count_is_many(operand->count))
                printf("        '%s '*)", cli_verbs[v].name);
            else
                printf("        '%s %d')", cli_verbs[v].name, i);
            bash_next(&operand->type);
        }
    }
    puts("    esac\n}\n");
}

static void bash_option_words(cli_verb verb) {
    const cli_option *o;
    const char *gap = "";
    for (size_t i = 0; (o = next_option(verb, &i)); gap = " ") {
        fputs(gap, stdout);
        if (o->short_name) printf("-%c ", o->short_name);
        printf("--%s", o->long_name);
    }
}

/* _evenhand_options VERB: sets `words`. */
static void bash_options(void) {
    puts("_evenhand_options() {\n    case \"$1\" in");
    for (int v = 0; v < VERB_N; v++) {
        printf("        %s) words='", cli_verbs[v].name);
        bash_option_words((cli_verb)v);
        puts("' ;;");
    }
    fputs("        *) words='", stdout);
    bash_option_words(VERB_NONE);
    puts("' ;;\n    esac\n}\n");
}

static const char bash_main[] =
    "_evenhand() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} last=$COMP_CWORD verb='' option='' n=0\n"
    "    local i word words='' files=''\n"
    "    # \"--method=va\" is three words to bash\n"
    "    if [[ $cur == = ]]; then\n"
    "        cur=''\n"
    "    elif [[ ${COMP_WORDS[last - 1]} == = ]]; then\n"
    "        last=$((last - 1))\n"
    "    fi\n"
    "    for ((i = 1; i < last; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        if [[ -n $option ]]; then\n"
    "            [[ $word == = ]] || option=\n"
    "        elif [[ $word == -* ]]; then\n"
    "            ! _evenhand_value \"$verb\" \"$word\" || option=$word\n"
    "        elif [[ -z $verb ]]; then\n"
    "            verb=$word\n"
    "        else\n"
    "            n=$((n + 1))\n"
    "        fi\n"
    "    done\n"
    "    words='' files=''\n"
    "    if [[ -n $option ]]; then\n"
    "        _evenhand_value \"$verb\" \"$option\"\n"
    "    elif [[ $cur == -* ]]; then\n"
    "        _evenhand_options \"$verb\"\n"
    "    elif [[ -z $verb ]]; then\n"
    "        words=$_evenhand_verbs\n"
    "    else\n"
    "        _evenhand_operand \"$verb\" \"$n\"\n"
    "    fi\n"
    "    COMPREPLY=()\n"
    "    if [[ -n $files ]]; then\n"
    "        compopt -o default 2>/dev/null\n"
    "    else\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n"
    "    fi\n"
    "}\n"
    "complete -F _evenhand evenhand\n";

static void put_bash(void) {
    puts("# bash completion for evenhand, generated from cli/options.def\n");
    fputs("_evenhand_verbs='", stdout);
    for (int v = 0; v < VERB_N; v++)
        printf("%s%s", v ? " " : "", cli_verbs[v].name);
    puts("'\n");
    bash_values();
    bash_operands();
    bash_options();
    fputs(bash_main, stdout);
}

/* ---- zsh ---- */

/* In a spec of _arguments; brackets and colons have a meaning there. */
static void zsh_text(eh_str s) {
    put_quoted(s, "'\\''", "[]:\\");
}

/* ":NAME:ACTION" of a value or operand. */
static void zsh_value(const char *name, const cli_type *type) {
    putchar(':');
    zsh_text(eh_str_of(name));
    putchar(':');
    if (type->choices) {
        putchar('(');
        put_choices(type->choices);
        putchar(')');
    } else if (type->kind == CLI_FILE_NAME) {
        fputs("_files", stdout);
    } else {
        putchar(' ');
    }
}

static void zsh_option(const cli_option *o) {
    const char *glued = o->argument ? "+" : "", *equals = o->argument ? "=" : "";
    if (o->short_name)
        printf(" \\\n        '(-%c --%s)'{-%c%s,--%s%s}'[", o->short_name, o->long_name,
               o->short_name, glued, o->long_name, equals);
    else
        printf(" \\\n        '--%s%s[", o->long_name, equals);
    zsh_text(first_sentence(o->help));
    putchar(']');
    if (o->argument) zsh_value(o->argument, &o->type);
    putchar('\'');
}

static void zsh_options(cli_verb verb) {
    const cli_option *o;
    for (size_t i = 0; (o = next_option(verb, &i));)
        zsh_option(o);
}

static void zsh_operands(cli_verb verb) {
    const cli_operand *operand;
    for (int i = 0; (operand = cli_operand_at(verb, i)); i++) {
        if (cli_count_is_many(operand->count))
            fputs(" \\\n        '*", stdout);
        else
            printf(" \\\n        '%d", i + 1);
        zsh_value(operand->name, &operand->type);
        putchar('\'');
    }
}

static void put_zsh(void) {
    puts("#compdef evenhand\n# generated from cli/options.def\n");
    puts("_evenhand_command() {\n    local -a commands=(");
    for (int v = 0; v < VERB_N; v++) {
        printf("        '%s:", cli_verbs[v].name);
        zsh_text(eh_str_of(cli_verbs[v].summary));
        puts("'");
    }
    puts("    )\n    _describe command commands\n}\n");
    puts("_evenhand() {\n    local context state state_descr line\n"
         "    typeset -A opt_args");
    fputs("    _arguments -C", stdout);
    zsh_options(VERB_NONE);
    puts(" \\\n        '1:command:_evenhand_command' '*::operand:->operand'");
    puts("    [[ $state == operand ]] || return\n    case $words[1] in");
    for (int v = 0; v < VERB_N; v++) {
        printf("    %s)\n        _arguments -s -S", cli_verbs[v].name);
        zsh_options((cli_verb)v);
        zsh_operands((cli_verb)v);
        puts("\n        ;;");
    }
    puts("    esac\n}\n\n_evenhand \"$@\"");
}

/* ---- fish ---- */

static void fish_text(eh_str s) {
    put_quoted(s, "\\'", "\\");
}

/* The condition: one of the commands of the row, or nothing for general options. */
static void fish_condition(const cli_option *o) {
    if (o->verbs == CLI_ANY_VERB) return;
    fputs(" -n '__fish_seen_subcommand_from", stdout);
    for (int v = 0; v < VERB_N; v++)
        if (cli_option_is_for(o, (cli_verb)v)) printf(" %s", cli_verbs[v].name);
    putchar('\'');
}

static void fish_option(const cli_option *o) {
    fputs("complete -c evenhand", stdout);
    fish_condition(o);
    if (o->short_name) printf(" -s %c", o->short_name);
    printf(" -l %s", o->long_name);
    if (o->type.choices) {
        fputs(" -x -a '", stdout);
        put_choices(o->type.choices);
        putchar('\'');
    } else if (o->type.kind != CLI_FLAG) {
        fputs(o->type.kind == CLI_FILE_NAME ? " -r -F" : " -x", stdout);
    }
    fputs(" -d '", stdout);
    fish_text(first_sentence(o->help));
    puts("'");
}

/* fish does not count operands: all of a command are offered at each place. */
static void fish_operand(const cli_operand *operand) {
    printf("complete -c evenhand -n '__fish_seen_subcommand_from %s'",
           cli_verbs[operand->verb].name);
    if (operand->type.choices) {
        fputs(" -a '", stdout);
        put_choices(operand->type.choices);
        puts("'");
    } else {
        puts(" -F");
    }
}

static void put_fish(void) {
    puts("# fish completion for evenhand, generated from cli/options.def\n"
         "complete -c evenhand -f");
    for (int v = 0; v < VERB_N; v++) {
        printf("complete -c evenhand -n __fish_use_subcommand -a %s -d '",
               cli_verbs[v].name);
        fish_text(eh_str_of(cli_verbs[v].summary));
        puts("'");
    }
    for (size_t i = 0; i < cli_n_operands; i++)
        if (cli_operands[i].type.kind != CLI_STRING) fish_operand(&cli_operands[i]);
    for (size_t i = 0; i < cli_n_options; i++)
        fish_option(&cli_options[i]);
}

int main(int argc, char **argv) {
    static const struct {
        const char *shell;
        void (*put)(void);
    } writers[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++) {
        if (argc != 2 || strcmp(argv[1], writers[i].shell) != 0) continue;
        writers[i].put();
        return fflush(stdout) == 0 ? 0 : 1;
    }
    fputs("usage: gen-completions bash|zsh|fish\n", stderr);
    return 2;
}
