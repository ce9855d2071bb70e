/* SPDX-License-Identifier: MIT
 *
 * The table of options.def as data. Depends on nothing but the C library, so that the
 * native tools that write manual pages and completions link it too.
 *
 * All of it is static and constant.
 */
#ifndef EH_CLI_OPTIONS_H
#define EH_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum cli_verb {
#define VERB(id, summary, input) VERB_##id,
#include "options.def"
    VERB_N,
    VERB_NONE = VERB_N /* no command given */
} cli_verb;

typedef enum cli_group {
#define GROUP(id, title) CLI_GROUP_##id,
#include "options.def"
    CLI_GROUP_N
} cli_group;

/* OPT_judge, OPT_max_failed, ... */
typedef enum cli_option_id {
#define OPT(id, ...) OPT_##id,
#include "options.def"
    OPT_N
} cli_option_id;

typedef enum cli_type_kind {
    CLI_FLAG,
    CLI_STRING,
    CLI_FILE_NAME, /* a string; completed as a file */
    CLI_INT,
    CLI_DOUBLE,
    CLI_SHARE,    /* from 0 to 1 */
    CLI_MONEY,    /* int64 nano-dollars */
    CLI_DURATION, /* int64 milliseconds */
    CLI_LIST,     /* a string; comma-separated, no empty entries */
    CLI_ENUM
} cli_type_kind;

/* What a value may be. */
typedef struct cli_type {
    cli_type_kind kind;
    double low, high;    /* CLI_INT and CLI_DOUBLE: both allowed */
    const char *choices; /* CLI_ENUM: "a|b|c", else NULL */
} cli_type;

/* A `high` from here on means that there is none. */
#define CLI_NO_LIMIT 1e19

typedef enum cli_need {
    CLI_OPTIONAL,
    CLI_REQUIRED,       /* unless --self-test is given, as for all that is needed */
    CLI_REQUIRED_TO_RUN /* unless --dry-run is given, too */
} cli_need;

/* One option on the verbs of its mask. An id has several rows where default, need or
 * help differ by verb; short and long name are the same in all of them. */
typedef struct cli_option {
    cli_option_id id;
    char short_name; /* 0 where there is none */
    const char *long_name;
    const char *argument; /* NULL for flags */
    cli_type type;
    const char *value; /* default in the option's syntax, or NULL */
    cli_need need;
    cli_group group;
    uint64_t verbs; /* 1 << cli_verb; CLI_ANY_VERB also without a verb */
    const char *help;
} cli_option;

#define CLI_ANY_VERB UINT64_MAX

typedef enum cli_count {
    CLI_ONE,
    CLI_MANY,         /* one or more, and the last */
    CLI_OPTIONAL_ONE, /* one or none, and the last */
    CLI_OPTIONAL_MANY /* any number, and the last */
} cli_count;

typedef struct cli_operand {
    cli_verb verb;
    const char *name;
    cli_count count;
    cli_type type;
    const char *help;
} cli_operand;

typedef struct cli_verb_row {
    const char *name;
    const char *summary;
    const char *input; /* what the synopsis ends with, or "" */
} cli_verb_row;

extern const cli_verb_row cli_verbs[VERB_N];
extern const char *const cli_group_titles[CLI_GROUP_N];
extern const cli_operand cli_operands[]; /* [cli_n_operands] */
extern const size_t cli_n_operands;
extern const cli_option cli_options[]; /* [cli_n_options] */
extern const size_t cli_n_options;

/* The long name, without dashes. */
const char *cli_option_name(cli_option_id id);

/* Whether a row counts for this verb; VERB_NONE has the general options only. */
bool cli_option_is_for(const cli_option *o, cli_verb verb);

/* Whether an option may stand in a file of options. */
bool cli_option_is_for_files(const cli_option *o);

static inline bool cli_count_is_many(cli_count count) {
    return count == CLI_MANY || count == CLI_OPTIONAL_MANY;
}

static inline bool cli_count_is_optional(cli_count count) {
    return count == CLI_OPTIONAL_ONE || count == CLI_OPTIONAL_MANY;
}

/* The `i`-th operand of a verb, or NULL. */
const cli_operand *cli_operand_at(cli_verb verb, int i);

#endif
