/* SPDX-License-Identifier: MIT
 *
 * Fuzz target: files of options.
 *
 * The input is the file's YAML text. Where it is accepted every value is one that the
 * command line would take, its rules can be applied to a judge, and members of requests
 * that it sets are JSON.
 */
#include <stdlib.h>

#include "../../cli/config.h"
#include "judge/extra_body.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                               \
    do {                                                                               \
        if (!(condition)) abort();                                                     \
    } while (0)

static void check_values(const cli_args *args) {
    for (size_t i = 0; i < cli_n_options; i++) {
        const cli_option *o = &cli_options[i];
        const args_value *v = &args->values[o->id];
        args_value again = {0};
        if (!v->given || !cli_option_is_for(o, VERB_run)) continue;
        CHECK(cli_option_is_for_files(o));
        if (o->type.kind == CLI_FLAG) continue;
        CHECK(v->text != NULL);
        CHECK(args_value_read(&o->type, o->long_name, v->text, &again, NULL) ==
              EH_STATUS_OK);
    }
}

static void check_rules(const capability_rules *rules, eh_arena *arena) {
    endpoint where;
    eh_error err;
    CHECK(endpoint_read(&judge_codec_openai, EH_STR("http://h:8000/v1"), arena, &where,
                        NULL) == EH_STATUS_OK);
    capability c = capability_of(EH_STR("openai"), where.host, EH_STR("m"));
    capability_whose whose = {&judge_codec_openai, &where, 1, EH_STR("m")};
    if (capability_rules_apply(rules, &whose, arena, &c, &err) != EH_STATUS_OK)
        CHECK(err.msg[0] != '\0'); /* too many changes */
    CHECK(c.n_max >= 1 && c.n_changes <= CAPABILITY_MAX_CHANGES);
    CHECK(c.schema < CAPABILITY_SCHEMA_N && c.logprobs_max <= 20);
}

/* A mapping became JSON; what its members may not be is the other reader's business. */
static void check_members(const cli_args *args, eh_arena *arena) {
    const char *text = args_str(args, OPT_extra_body);
    extra_body extra;
    eh_error err = {0};
    if (!text || text[0] != '{') return;
    eh_status status = extra_body_read(eh_str_of(text), arena, &extra, &err);
    CHECK(status == EH_STATUS_OK || err.msg[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *words[2] = {NULL, NULL};
    cli_args args = {.verb = VERB_run, .operands = words};
    eh_error err = {0};
    eh_arena arena;
    arena_init(&arena, (size_t)1 << 28);
    eh_str text = {(const char *)data, size};
    if (config_parse(&args, "input", text, &err) == EH_STATUS_OK) {
        check_values(&args);
        capability_rules rules = config_rules(&args);
        check_rules(&rules, &arena);
        check_members(&args, &arena);
        CHECK(args.n_operands <= 1);
    } else {
        CHECK(err.msg[0] != '\0');
    }
    args_deinit(&args);
    arena_deinit(&arena);
    return 0;
}
