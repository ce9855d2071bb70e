/* SPDX-License-Identifier: MIT
 *
 * options.def turned into tables: the same file is included once for each table, with
 * the macros defined that the table needs.
 *
 * A row's verbs are a bit mask, so one row serves several commands; the general rows
 * (ANY) also count where no command is given. Rows stand in the order of options.def,
 * which is the order of --help and of the manual pages.
 *
 * Left out: any reading of values (args.c) and any printing (help.c, tools/).
 */
#include "options.h"

const cli_verb_row cli_verbs[VERB_N] = {
#define VERB(id, summary, input) {#id, summary, input},
#include "options.def"
};

const char *const cli_group_titles[CLI_GROUP_N] = {
#define GROUP(id, title) title,
#include "options.def"
};

/* The types of options.def as initialisers of cli_type. */
#define FLAG                                                                           \
    { CLI_FLAG, 0, 0, NULL }
#define STRING                                                                         \
    { CLI_STRING, 0, 0, NULL }
#define FILE_NAME                                                                      \
    { CLI_FILE_NAME, 0, 0, NULL }
#define INT(low, high)                                                                 \
    { CLI_INT, low, high, NULL }
#define DOUBLE(low, high)                                                              \
    { CLI_DOUBLE, low, high, NULL }
#define SHARE                                                                          \
    { CLI_SHARE, 0, 1, NULL }
#define MONEY                                                                          \
    { CLI_MONEY, 0, 0, NULL }
#define DURATION                                                                       \
    { CLI_DURATION, 0, 0, NULL }
#define LIST                                                                           \
    { CLI_LIST, 0, 0, NULL }
#define ENUM(choices)                                                                  \
    { CLI_ENUM, 0, 0, choices }
#define NO_LIMIT CLI_NO_LIMIT
#define V(verb) (UINT64_C(1) << VERB_##verb)
#define ANY CLI_ANY_VERB
#define COUNT_ONE CLI_ONE
#define COUNT_MANY CLI_MANY
#define COUNT_OPTIONAL CLI_OPTIONAL_ONE
#define COUNT_ANY CLI_OPTIONAL_MANY

const cli_operand cli_operands[] = {
#define OPERAND(verb, name, count, type, help)                                         \
    {VERB_##verb, name, COUNT_##count, type, help},
#include "options.def"
};
const size_t cli_n_operands = sizeof cli_operands / sizeof cli_operands[0];

/* Written out twice: passing a row on to a third macro would split the types, which
 * are expanded by then, at their commas. */
const cli_option cli_options[] = {
#define OPT(id, short_name, long_name, argument, type, value, need, group, verbs,      \
            help)                                                                      \
    {OPT_##id, short_name, long_name,         argument, type,                          \
     value,    CLI_##need, CLI_GROUP_##group, verbs,    help},
#define OPT_ALSO(id, short_name, long_name, argument, type, value, need, group, verbs, \
                 help)                                                                 \
    {OPT_##id, short_name, long_name,         argument, type,                          \
     value,    CLI_##need, CLI_GROUP_##group, verbs,    help},
#include "options.def"
};
const size_t cli_n_options = sizeof cli_options / sizeof cli_options[0];

const char *cli_option_name(cli_option_id id) {
    for (size_t i = 0; i < cli_n_options; i++)
        if (cli_options[i].id == id) return cli_options[i].long_name;
    return "";
}

bool cli_option_is_for(const cli_option *o, cli_verb verb) {
    if (o->verbs == CLI_ANY_VERB) return true;
    return verb < VERB_N && ((o->verbs >> verb) & 1);
}

bool cli_option_is_for_files(const cli_option *o) {
    return o->id != OPT_config && o->id != OPT_help && o->id != OPT_version;
}

const cli_operand *cli_operand_at(cli_verb verb, int i) {
    for (size_t k = 0; k < cli_n_operands; k++)
        if (cli_operands[k].verb == verb && i-- == 0) return &cli_operands[k];
    return NULL;
}
