/* SPDX-License-Identifier: MIT
 *
 * evenhand show has the most options, and many of them belong to one of its tables, to
 * one kind of operand, or to another option. Given without that they would be ignored,
 * and who gave them would believe that they were heeded; so they are refused.
 *
 * Left out: values that are wrong in themselves (args_value.c), and options that other
 * verbs refuse where they look at them.
 */
#include "show_options.h"

#include <string.h>

/* What only runs have, and not audits. */
static const cli_option_id of_runs[] = {
    OPT_method,     OPT_timing,    OPT_estimate, OPT_by,
    OPT_reference,  OPT_methods,   OPT_compat,   OPT_co2e,
    OPT_co2e_hour,  OPT_bootstrap, OPT_budgets,  OPT_label_price,
    OPT_half_width, OPT_guarantee, OPT_delta,    OPT_labels_random,
};

/* What only audits have. */
static const cli_option_id of_audits[] = {OPT_judge, OPT_both_forms};

/* What is said of files of judgments; a ledger was made with it, or has its own. */
static const cli_option_id of_files[] = {OPT_pairs, OPT_labels, OPT_map, OPT_verdicts,
                                         OPT_judge_id};

/* Options that work on what another one asks for. */
static const struct {
    cli_option_id id, goes_with;
} parts[] = {
    {OPT_budgets, OPT_methods},
    {OPT_co2e_hour, OPT_timing},
    {OPT_delta, OPT_guarantee},
    {OPT_half_width, OPT_estimate},
};

/* What --estimate and --guarantee print instead of. */
static const cli_option_id of_summaries[] = {
    OPT_by, OPT_reference, OPT_methods, OPT_compat, OPT_co2e, OPT_timing, OPT_bootstrap,
};

/* What --guarantee does not look at either. */
static const cli_option_id of_estimates[] = {OPT_estimate, OPT_prices, OPT_label_price};

/* Tables that --timing --json, which prints times alone, does not hold. */
static const cli_option_id of_tables[] = {OPT_by,     OPT_reference, OPT_methods,
                                          OPT_compat, OPT_co2e,      OPT_bootstrap};

/* The first of [n] options that was given; OPT_N where none was. */
static cli_option_id first_given(const cli_args *args, const cli_option_id *ids,
                                 size_t n) {
    for (size_t i = 0; i < n; i++)
        if (args_given(args, ids[i])) return ids[i];
    return OPT_N;
}

#define FIRST_GIVEN(args, ids) first_given(args, ids, sizeof(ids) / sizeof *(ids))

static eh_status check_audit(const cli_args *args, eh_error *err) {
    cli_option_id id = FIRST_GIVEN(args, of_runs);
    if (id == OPT_N) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_USAGE, "%s is an audit: --%s is for runs",
                   args->operands[0], cli_option_name(id));
}

static eh_status check_ledgers(const cli_args *args, eh_error *err) {
    cli_option_id id = FIRST_GIVEN(args, of_files);
    if (id == OPT_pairs || id == OPT_labels)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--%s is for files of judgments; a ledger has its own (see "
                       "evenhand labels)",
                       cli_option_name(id));
    if (id == OPT_N) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_USAGE,
                   "--%s is for files of judgments; what is in a ledger was read "
                   "already",
                   cli_option_name(id));
}

static eh_status check_parts(const cli_args *args, eh_error *err) {
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (args_given(args, parts[i].id) && !args_given(args, parts[i].goes_with))
            return EH_FAIL(err, EH_STATUS_USAGE, "--%s needs --%s",
                           cli_option_name(parts[i].id),
                           cli_option_name(parts[i].goes_with));
    bool estimates = args_flag(args, OPT_estimate);
    if (args_flag(args, OPT_labels_random) && !estimates &&
        !args_given(args, OPT_guarantee))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--labels-random needs --estimate or --guarantee");
    if (estimates && args_given(args, OPT_prices) && !args_given(args, OPT_label_price))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "with --estimate, --prices needs --label-price");
    const char *method = args_str(args, OPT_method);
    bool has_people = method && strcmp(method, "hitlc") == 0;
    if (args_given(args, OPT_label_price) && !has_people && !estimates &&
        !args_flag(args, OPT_methods) && !args_flag(args, OPT_json))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--label-price needs -m hitlc, --methods, --estimate or --json");
    return EH_STATUS_OK;
}

/* Where something is printed in place of the summary: what that leaves no room for. */
static eh_status check_alone(const cli_args *args, eh_error *err) {
    bool guarantees = args_given(args, OPT_guarantee);
    const char *other = "--estimate prints the estimate";
    cli_option_id id = OPT_N;
    if (guarantees || args_flag(args, OPT_estimate)) {
        id = FIRST_GIVEN(args, of_summaries);
        if (id == OPT_N && guarantees) id = FIRST_GIVEN(args, of_estimates);
        if (guarantees) other = "--guarantee prints its finding";
    } else if (args_flag(args, OPT_timing) && args_flag(args, OPT_json)) {
        id = FIRST_GIVEN(args, of_tables);
        other = "--timing --json prints times";
    }
    if (id == OPT_N) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_USAGE, "%s alone: leave out --%s", other,
                   cli_option_name(id));
}

eh_status show_options_check(const cli_args *args, const show_operands *operands,
                             eh_error *err) {
    if (operands->is_audit) return check_audit(args, err);
    if (args_given(args, OPT_margin))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--margin is for audits, and %s is none; two runs are compared "
                       "within a margin by evenhand compare",
                       args->operands[0]);
    cli_option_id id = FIRST_GIVEN(args, of_audits);
    if (id != OPT_N)
        return EH_FAIL(err, EH_STATUS_USAGE, "--%s is for ledgers of audits",
                       cli_option_name(id));
    if (!operands->has_files) EH_TRY(check_ledgers(args, err));
    EH_TRY(check_parts(args, err));
    return check_alone(args, err);
}
