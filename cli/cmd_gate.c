/* SPDX-License-Identifier: MIT
 *
 * evenhand gate: conditions on the numbers of a run, as an exit status.
 *
 * The numbers are those of `show --json`, of runs and of audits: of a ledger they are
 * computed here, from a file they are read, which may also hold what compare, rank or
 * drift printed with --json. What cannot be looked at, because several judges are there
 * and none is named, is a gate that is not met; only a condition that makes no sense is
 * wrong usage.
 */
#include "common.h"
#include "exam/exam.h"
#include "report/gate.h"
#include "report/summary.h"
#include "run/price.h"
#include "tally/summarize.h"
#include "text_file.h"

typedef struct gate_cmd {
    const cli_args *args;
    eh_arena arena;
    eh_buf json;             /* what the numbers are read from */
    report_gate_rule *rules; /* [n_rules] */
    size_t n_rules;
    report_gate gate;
} gate_cmd;

static eh_status read_rules(gate_cmd *c, eh_error *err) {
    size_t n = (size_t)c->args->n_operands;
    c->rules = arena_zalloc(&c->arena, n, sizeof *c->rules);
    if (!c->rules) return EH_NOMEM(err);
    for (size_t i = 1; i < n; i++)
        EH_TRY(report_gate_parse(eh_str_of(c->args->operands[i]),
                                 &c->rules[c->n_rules++], err));
    return EH_STATUS_OK;
}

static eh_status write_run(gate_cmd *c, ledger *l, const price_table *prices,
                           eh_error *err) {
    report_summary summary;
    eh_str method = eh_str_of(args_str(c->args, OPT_method));
    EH_TRY(tally_summarize(l, method, &c->arena, &summary, err));
    price_summary(prices, &summary);
    report_summary_json(&summary, &c->json);
    return EH_STATUS_OK;
}

static eh_status write_audit(gate_cmd *c, ledger *l, const price_table *prices,
                             eh_error *err) {
    card_set cards;
    audit_limits limits = audit_limits_default();
    if (args_given(c->args, OPT_method))
        return EH_FAIL(err, EH_STATUS_USAGE, "%s is an audit: --method is for runs",
                       c->args->operands[0]);
    EH_TRY(exam_cards(l, 0, prices, &limits, &c->arena, &cards, err));
    card_json(&cards, &c->json);
    return EH_STATUS_OK;
}

static eh_status summarize(gate_cmd *c, const char *path, eh_error *err) {
    ledger *l;
    price_table *prices = NULL;
    bool is_audit = false;
    EH_TRY(ledger_open(path, LEDGER_READ, &l, err));
    eh_status status = price_table_load(args_str(c->args, OPT_prices), &prices, err);
    if (status == EH_STATUS_OK) status = exam_is_one(l, &is_audit, err);
    if (status == EH_STATUS_OK)
        status =
            is_audit ? write_audit(c, l, prices, err) : write_run(c, l, prices, err);
    if (status == EH_STATUS_OK) status = buf_check(&c->json, "the summary", err);
    price_table_free(prices);
    (void)ledger_close(l, NULL);
    return status;
}

static eh_status load(gate_cmd *c, const json_value **root, eh_error *err) {
    const char *path = c->args->operands[0];
    json_fault fault;
    if (ledger_sniff(path)) {
        EH_TRY(summarize(c, path, err));
    } else {
        if (args_given(c->args, OPT_method))
            return EH_FAIL(err, EH_STATUS_USAGE, "%s: --method needs a ledger", path);
        EH_TRY(text_file_read(path, &c->json, err));
    }
    json_reader *reader = json_reader_new();
    if (!reader) return EH_NOMEM(err);
    *root = json_read(reader, &c->arena, buf_view(&c->json), &fault);
    json_reader_free(reader);
    if (!*root && fault.kind == JSON_FAULT_NOMEM) return EH_NOMEM(err);
    if (!*root || (*root)->kind != JSON_OBJECT)
        return EH_FAIL(err, EH_STATUS_DATA,
                       "%s: neither a ledger nor one JSON object, as show --json "
                       "prints it",
                       path);
    return EH_STATUS_OK;
}

/* The judge that is meant, by its place; USAGE where that is not clear. */
static eh_status pick_judge(gate_cmd *c, const json_value *judges,
                            const json_value **found, eh_error *err) {
    size_t index, i = 0;
    eh_str *names = arena_zalloc(&c->arena, judges->n + 1, sizeof *names);
    if (!names) return EH_NOMEM(err);
    for (const json_value *v = judges->child; v; v = v->next)
        names[i++] = v->key;
    EH_TRY(common_pick(names, i, args_str(c->args, OPT_judge), c->args->operands[0],
                       &index, err));
    *found = judges->child;
    while (*found && index-- > 0)
        *found = (*found)->next;
    return EH_STATUS_OK;
}

static eh_status name_subject(gate_cmd *c, const json_value *of, eh_error *err) {
    const json_value *pairs = of ? json_get(of, "pairs") : NULL;
    char *text =
        of && pairs && pairs->kind == JSON_NUMBER
            ? arena_printf(&c->arena, "%s: %.*s, %.*s pair%s", c->args->operands[0],
                           EH_STR_ARG(of->key), EH_STR_ARG(pairs->text),
                           eh_str_eq_cstr(pairs->text, "1") ? "" : "s")
            : arena_printf(&c->arena, "%s", c->args->operands[0]);
    if (!text) return EH_NOMEM(err);
    c->gate.subject = eh_str_of(text);
    return EH_STATUS_OK;
}

static eh_status look(gate_cmd *c, eh_error *err) {
    const json_value *root = NULL, *judges, *of = NULL;
    eh_error unclear;
    report_gate_options options = {.rules = c->rules,
                                   .n_rules = c->n_rules,
                                   .allow_mixed = args_flag(c->args, OPT_allow_mixed)};
    EH_TRY(load(c, &root, err));
    judges = json_get(root, "judges");
    if (!judges || judges->kind != JSON_OBJECT) {
        EH_TRY(name_subject(c, NULL, err));
        return report_gate_look(root, &options, &c->arena, &c->gate, err);
    }
    eh_status status = pick_judge(c, judges, &of, &unclear);
    if (status == EH_STATUS_OK) {
        EH_TRY(name_subject(c, of, err));
        return report_gate_look(of, &options, &c->arena, &c->gate, err);
    }
    EH_TRY(name_subject(c, NULL, err));
    char *why = arena_printf(&c->arena, "%s", unclear.msg);
    if (!why) return EH_NOMEM(err);
    return report_gate_refuse(EH_STR("one judge"), eh_str_of(why), &c->arena, &c->gate,
                              err);
}

static eh_status write_junit(gate_cmd *c, eh_error *err) {
    const char *path = args_str(c->args, OPT_junit);
    eh_buf xml;
    if (!path) return EH_STATUS_OK;
    buf_init(&xml, BUF_MAX_REPORT);
    report_gate_junit(&c->gate, &xml);
    eh_status status = buf_check(&xml, "the JUnit file", err);
    if (status == EH_STATUS_OK) status = common_write_file(path, buf_view(&xml), err);
    buf_deinit(&xml);
    return status;
}

int cmd_gate(const cli_args *args) {
    gate_cmd c = {.args = args};
    eh_error err;
    eh_buf out;
    arena_init(&c.arena, 256 << 20);
    buf_init(&c.json, BUF_MAX_REPORT);
    buf_init(&out, BUF_MAX_REPORT);
    eh_status status = read_rules(&c, &err);
    if (status == EH_STATUS_OK) status = look(&c, &err);
    if (status == EH_STATUS_OK) status = write_junit(&c, &err);
    if (status == EH_STATUS_OK) {
        if (args_flag(args, OPT_json))
            report_gate_json(&c.gate, &out);
        else
            report_gate_text(&c.gate, &out);
    }
    int exit_status = status == EH_STATUS_OK ? common_print(args, &out, "the gate")
                                             : cmd_fail(args, &err);
    if (status != EH_STATUS_OK) buf_deinit(&out);
    buf_deinit(&c.json);
    arena_deinit(&c.arena);
    if (exit_status) return exit_status;
    return c.gate.n_not_met ? eh_status_exit(EH_STATUS_GATE) : 0;
}
