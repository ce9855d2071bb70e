/* SPDX-License-Identifier: MIT
 *
 * The method table and what each method still wants to ask.
 *
 *   method    orders  samples  asked for     source
 *   vanilla   one     1        verdict first
 *   ec        one     1        evidence first   Wang et al. 2024, section 2.3.1
 *   mec       one     k        evidence first   the same
 *   bpc       both    1        evidence first   section 2.3.2
 *   mec+bpc   both    k        evidence first   both
 *
 * All five ask for a fixed set of (order, sample), so what is wanted next is that set
 * less what is there. Methods that look at verdicts before they ask again fit the same
 * function; they see the same samples.
 */
#include "plan/method.h"

#include <math.h>

struct plan_method {
    const char *name;
    bool both_orders;
    bool many_samples;
    bool evidence_first;
};

enum { DEFAULT_K = 3 };

static const plan_method methods[] = {
    {.name = "vanilla"},
    {.name = "ec", .evidence_first = true},
    {.name = "mec", .evidence_first = true, .many_samples = true},
    {.name = "bpc", .evidence_first = true, .both_orders = true},
    {.name = "mec+bpc",
     .evidence_first = true,
     .many_samples = true,
     .both_orders = true},
};

const plan_method *plan_method_find(eh_str name) {
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (eh_str_eq_cstr(name, methods[i].name)) return &methods[i];
    return NULL;
}

const char *plan_method_name(const plan_method *method) {
    return method->name;
}

const char *plan_method_names(void) {
    return "vanilla, ec, mec, bpc, mec+bpc";
}

static eh_status wanted_k(const plan_method *m, int k, int *wanted, eh_error *err) {
    *wanted = k ? k : m->many_samples ? DEFAULT_K : 1;
    if (*wanted < 1 || *wanted > PLAN_MAX_SAMPLES)
        return EH_FAIL(err, EH_STATUS_USAGE, "-k %d: samples go from 1 to %d", k,
                       PLAN_MAX_SAMPLES);
    if (*wanted > 1 && !m->many_samples)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "-k %d: method %s takes one sample; use mec or mec+bpc", k,
                       m->name);
    return EH_STATUS_OK;
}

static eh_status wanted_orders(const plan_method *m, eh_str order, unsigned *orders,
                               eh_error *err) {
    bool both = eh_str_eq_cstr(order, "both");
    if (order.len == 0)
        *orders = m->both_orders ? PLAN_ORDERS_BOTH : PLAN_ORDER_BIT(EH_ORDER_12);
    else if (both)
        *orders = PLAN_ORDERS_BOTH;
    else if (eh_str_eq_cstr(order, "12"))
        *orders = PLAN_ORDER_BIT(EH_ORDER_12);
    else if (eh_str_eq_cstr(order, "21"))
        *orders = PLAN_ORDER_BIT(EH_ORDER_21);
    else
        return EH_FAIL(err, EH_STATUS_USAGE, "--order %.*s: use 12, 21 or both",
                       EH_STR_ARG(order));
    if (m->both_orders && *orders != PLAN_ORDERS_BOTH)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--order %.*s: method %s needs both orders", EH_STR_ARG(order),
                       m->name);
    return EH_STATUS_OK;
}

eh_status plan_make(const plan_wish *wish, plan_spec *spec, eh_error *err) {
    eh_str name = wish->method.len ? wish->method : EH_STR("mec+bpc");
    const plan_method *m = plan_method_find(name);
    if (!m)
        return EH_FAIL(err, EH_STATUS_USAGE, "unknown method '%.*s': use one of %s",
                       EH_STR_ARG(name), plan_method_names());
    *spec = (plan_spec){.method = m};
    EH_TRY(wanted_k(m, wish->k, &spec->k, err));
    EH_TRY(wanted_orders(m, wish->order, &spec->orders, err));
    spec->temperature_given = wish->temperature_given;
    spec->temperature =
        wish->temperature_given ? wish->temperature : (spec->k > 1 ? 1.0 : 0.0);
    return EH_STATUS_OK;
}

eh_status plan_restore(eh_str method, int k, unsigned orders, plan_spec *spec,
                       eh_error *err) {
    const plan_method *m = plan_method_find(method);
    if (!m || k < 1 || k > PLAN_MAX_SAMPLES || orders == 0 || orders > PLAN_ORDERS_BOTH)
        return EH_FAIL(err, EH_STATUS_LEDGER,
                       "the ledger names a plan that this version does not know: "
                       "method '%.*s', k %d",
                       EH_STR_ARG(method), k);
    *spec = (plan_spec){.method = m, .k = k, .orders = orders};
    return EH_STATUS_OK;
}

bool plan_evidence_first(const plan_spec *spec) {
    return spec->method->evidence_first;
}

bool plan_is_single_order(const plan_spec *spec) {
    return !spec->method->both_orders;
}

int plan_calls_per_pair(const plan_spec *spec) {
    return spec->k * (spec->orders == PLAN_ORDERS_BOTH ? 2 : 1);
}

size_t plan_next(const plan_spec *spec, const plan_sample *samples, size_t n_samples,
                 plan_ask asks[EH_ORDER_N]) {
    uint64_t have[EH_ORDER_N] = {0}; /* a bit a sample; PLAN_MAX_SAMPLES is 64 */
    for (size_t i = 0; i < n_samples; i++)
        if (samples[i].sample >= 0 && samples[i].sample < PLAN_MAX_SAMPLES)
            have[samples[i].order] |= UINT64_C(1) << samples[i].sample;
    size_t n_asks = 0;
    for (int order = 0; order < EH_ORDER_N; order++) {
        if (!(spec->orders & PLAN_ORDER_BIT(order))) continue;
        plan_ask ask = {.order = (eh_order)order};
        for (int s = 0; s < spec->k; s++)
            if (!(have[order] >> s & 1)) ask.samples[ask.n_samples++] = s;
        if (ask.n_samples) asks[n_asks++] = ask;
    }
    return n_asks;
}
