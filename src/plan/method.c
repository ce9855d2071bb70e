/* SPDX-License-Identifier: MIT
 *
 * The method table and what each method still wants to ask.
 *
 *   method    orders  samples  stages  asked for     source
 *   vanilla   one     1        1       verdict first
 *   ec        one     1        1       evidence first   Wang et al. 2024, section 2.3.1
 *   mec       one     k        1       evidence first   the same
 *   bpc       both    1        1       evidence first   section 2.3.2
 *   mec+bpc   both    k        1       evidence first   both
 *   standalone  each answer alone, k samples, 1 stage, evidence first
 *   portia    both    1        3       evidence first   Li et al. 2024, split and merge
 *
 * A stage is asked in all of its orders. For standalone order 12 is answer_1 alone and
 * order 21 answer_2 alone: the same table then says what is still wanted. Only portia
 * has more than one stage; portia goes
 * on to the next of its stages only while the two orders do not agree on a verdict, or
 * asks all of them with `always`, from which its ablations are computed. Stage 0, the
 * plain pair, is always among them: what the others mend is measured against it.
 *
 * A prompt in parts is longer than the plain one. So a stage whose prompt did not fit
 * into the judge's context is the last: the following ones are as long or longer. With
 * a known context they wait for the plain pair also under `always`, since its tokens
 * tell how many parts fit.
 */
#include "plan/method.h"

#include <math.h>
#include <stdio.h>

#include "base/hash.h"

struct plan_method {
    const char *name;
    bool both_orders;
    bool many_samples;
    bool evidence_first;
    bool alone; /* shows one answer at a time */
    int n_stages;
};

enum { DEFAULT_K = 3 };

static const plan_method methods[] = {
    {.name = "vanilla", .n_stages = 1},
    {.name = "ec", .evidence_first = true, .n_stages = 1},
    {.name = "mec", .evidence_first = true, .many_samples = true, .n_stages = 1},
    {.name = "bpc", .evidence_first = true, .both_orders = true, .n_stages = 1},
    {.name = "mec+bpc",
     .evidence_first = true,
     .many_samples = true,
     .both_orders = true,
     .n_stages = 1},
    {.name = "standalone",
     .evidence_first = true,
     .many_samples = true,
     .both_orders = true,
     .alone = true,
     .n_stages = 1},
    {.name = "portia",
     .evidence_first = true,
     .both_orders = true,
     .n_stages = PLAN_MAX_STAGES},
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
    return "vanilla, ec, mec, bpc, mec+bpc, standalone, portia";
}

static eh_status wanted_k(const plan_method *m, int k, int *wanted, eh_error *err) {
    *wanted = k ? k : m->many_samples && !m->alone ? DEFAULT_K : 1;
    if (*wanted < 1 || *wanted > PLAN_MAX_SAMPLES)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "-k/--samples: '%d' is not a whole number from 1 to %d", k,
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
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--order: '%.*s' is not one of 12, 21, both", EH_STR_ARG(order));
    if (m->both_orders && *orders != PLAN_ORDERS_BOTH)
        return EH_FAIL(err, EH_STATUS_USAGE, "--order %.*s: method %s %s",
                       EH_STR_ARG(order), m->name,
                       m->alone ? "has no order" : "needs both orders");
    return EH_STATUS_OK;
}

static eh_status wanted_parts(const plan_wish *wish, int *n_parts, eh_error *err) {
    int64_t n = PLAN_PARTS_DEFAULT;
    if (eh_str_eq_cstr(wish->parts, "auto"))
        n = PLAN_PARTS_AUTO;
    else if (wish->parts.len &&
             (!eh_str_to_i64(wish->parts, &n) || n < 2 || n > PLAN_PARTS_MAX))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--parts: '%.*s' is not auto or a whole number from 2 to %d",
                       EH_STR_ARG(wish->parts), PLAN_PARTS_MAX);
    *n_parts = (int)n;
    return EH_STATUS_OK;
}

/* "0,1,2" or "0+2", whatever `sep` is, as bits; false where it is anything else. */
static bool read_stages(eh_str text, char sep, unsigned *stages) {
    eh_str rest = text, part;
    *stages = 0;
    while (eh_str_split(&rest, sep, &part)) {
        int64_t stage;
        if (!eh_str_to_i64(eh_str_trim(part), &stage) || stage < 0 ||
            stage >= PLAN_MAX_STAGES || *stages & PLAN_STAGE_BIT(stage))
            return false;
        *stages |= PLAN_STAGE_BIT(stage);
    }
    return (*stages & PLAN_STAGE_BIT(0)) != 0;
}

/* What belongs to portia alone. */
static eh_status wanted_stages(const plan_method *m, const plan_wish *wish,
                               plan_spec *spec, eh_error *err) {
    spec->stages = PLAN_STAGE_BIT(0);
    if (m->n_stages == 1) {
        if (wish->parts.len || wish->stages.len || wish->always || wish->embedder.len ||
            wish->context_tokens)
            return EH_FAIL(err, EH_STATUS_USAGE,
                           "--parts, --stages, --always, --similarity and --context "
                           "belong to method portia, not to %s",
                           m->name);
        return EH_STATUS_OK;
    }
    if (wish->embedder.len >= PLAN_EMBEDDER_CHARS)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--similarity: the embedder's model and address are longer than "
                       "%d bytes",
                       PLAN_EMBEDDER_CHARS - 1);
    spec->embedder = wish->embedder;
    spec->context_tokens = wish->context_tokens;
    spec->stages = PLAN_STAGES_ALL;
    if (wish->stages.len && !read_stages(wish->stages, ',', &spec->stages))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--stages: '%.*s' is not one of 0; 0,1; 0,2; 0,1,2",
                       EH_STR_ARG(wish->stages));
    return wanted_parts(wish, &spec->n_parts, err);
}

bool plan_stage_compares(const plan_spec *spec, int stage) {
    return stage == 2 || (stage == 1 && spec->n_parts == PLAN_PARTS_AUTO);
}

/* Numbers for what decides a stage's cut beside its number of parts: 20 bits of a hash,
 * and 0 for the default. */
static void set_variants(plan_spec *spec) {
    enum { VARIANT_MASK = (1 << 20) - 1 };
    for (int stage = 1; stage < PLAN_MAX_STAGES; stage++) {
        bool embeds = spec->embedder.len && plan_stage_compares(spec, stage);
        uint8_t digest[HASH_BYTES];
        eh_hash h;
        spec->variant[stage] = 0;
        if (!embeds && !spec->context_tokens) continue;
        hash_init(&h, "eh-stage-1");
        hash_str(&h, embeds ? spec->embedder : EH_STR(""));
        hash_i64(&h, spec->context_tokens);
        hash_done(&h, digest);
        int low = (int)(hash_u64(digest) & VARIANT_MASK);
        spec->variant[stage] = low ? low : 1;
    }
}

eh_status plan_make(const plan_wish *wish, plan_spec *spec, eh_error *err) {
    eh_str name = wish->method.len ? wish->method : EH_STR("mec+bpc");
    const plan_method *m = plan_method_find(name);
    if (!m)
        return EH_FAIL(err, EH_STATUS_USAGE, "unknown method '%.*s': use one of %s",
                       EH_STR_ARG(name), plan_method_names());
    *spec = (plan_spec){.method = m, .always = wish->always};
    EH_TRY(wanted_k(m, wish->k, &spec->k, err));
    EH_TRY(wanted_orders(m, wish->order, &spec->orders, err));
    EH_TRY(wanted_stages(m, wish, spec, err));
    set_variants(spec);
    spec->temperature_given = wish->temperature_given;
    spec->temperature =
        wish->temperature_given ? wish->temperature : (spec->k > 1 ? 1.0 : 0.0);
    return EH_STATUS_OK;
}

void plan_options_text(const plan_spec *spec, char text[PLAN_OPTIONS_CHARS]) {
    static const char *const stages[] = {",stages=0", ",stages=0+1", ",stages=0+2", ""};
    char parts[8] = "auto", context[40] = "";
    text[0] = '\0';
    if (spec->method->n_stages == 1) return;
    if (spec->n_parts != PLAN_PARTS_AUTO)
        (void)snprintf(parts, sizeof parts, "%d", spec->n_parts % 1000);
    if (spec->context_tokens)
        (void)snprintf(context, sizeof context, ",context=%lld",
                       (long long)spec->context_tokens);
    (void)snprintf(text, PLAN_OPTIONS_CHARS, "parts=%s%s%s%s%s%.*s", parts,
                   stages[(spec->stages >> 1) % 4], spec->always ? ",always" : "",
                   context, spec->embedder.len ? ",similarity=embed:" : "",
                   EH_STR_ARG(spec->embedder));
}

/* Takes an embedder, which may hold commas, off the end of the options. */
static eh_str take_embedder(eh_str *options) {
    eh_str mark = EH_STR(",similarity=embed:");
    size_t at = eh_str_find(*options, mark, 0);
    if (at == SIZE_MAX) return EH_STR("");
    eh_str embedder = eh_str_slice(*options, at + mark.len, options->len);
    options->len = at;
    return embedder;
}

/* Reads what plan_options_text wrote. */
static bool restore_options(eh_str options, plan_spec *spec) {
    eh_str parts = EH_STR("parts="), stages = EH_STR("stages=");
    eh_str context = EH_STR("context=");
    spec->embedder = take_embedder(&options);
    eh_str rest = options, part;
    spec->stages = PLAN_STAGE_BIT(0);
    if (options.len == 0) return spec->method->n_stages == 1;
    spec->stages = PLAN_STAGES_ALL;
    while (eh_str_split(&rest, ',', &part)) {
        int64_t n = PLAN_PARTS_AUTO;
        bool ok = true;
        if (eh_str_eq_cstr(part, "always")) {
            spec->always = true;
        } else if (eh_str_begins(part, stages)) {
            ok = read_stages(eh_str_slice(part, stages.len, part.len), '+',
                             &spec->stages);
        } else if (eh_str_begins(part, context)) {
            ok = eh_str_to_i64(eh_str_slice(part, context.len, part.len),
                               &spec->context_tokens);
        } else {
            eh_str value = eh_str_slice(part, parts.len, part.len);
            ok = eh_str_begins(part, parts) &&
                 (eh_str_eq_cstr(value, "auto") || eh_str_to_i64(value, &n));
            spec->n_parts = (int)n;
        }
        if (!ok) return false;
    }
    return true;
}

eh_status plan_restore(eh_str method, int k, unsigned orders, eh_str options,
                       plan_spec *spec, eh_error *err) {
    const plan_method *m = plan_method_find(method);
    if (m) *spec = (plan_spec){.method = m, .k = k, .orders = orders};
    if (!m || k < 1 || k > PLAN_MAX_SAMPLES || orders == 0 ||
        orders > PLAN_ORDERS_BOTH || !restore_options(options, spec))
        return EH_FAIL(err, EH_STATUS_LEDGER,
                       "the ledger names a plan that this version does not know: "
                       "method '%.*s', k %d, options '%.*s'",
                       EH_STR_ARG(method), k, EH_STR_ARG(options));
    set_variants(spec);
    return EH_STATUS_OK;
}

/* Bits: 0 to 3 the stage, 4 to 9 the parts, 10 to 29 the variant. */
bool plan_is_alone(const plan_spec *spec) {
    return spec->method->alone;
}

int plan_stage_code(const plan_spec *spec, int stage) {
    if (spec->method->alone) return PLAN_STAGE_ALONE;
    return stage == 0 ? 0 : stage + 16 * spec->n_parts + 1024 * spec->variant[stage];
}

bool plan_has_stage(const plan_spec *spec, int stage) {
    return (spec->stages & PLAN_STAGE_BIT(stage)) != 0;
}

int plan_stage_of(const plan_spec *spec, int stage_code) {
    for (int stage = 0; stage < spec->method->n_stages; stage++)
        if (plan_has_stage(spec, stage) && plan_stage_code(spec, stage) == stage_code)
            return stage;
    return -1;
}

int plan_n_stages(const plan_spec *spec) {
    return spec->method->n_stages;
}

bool plan_evidence_first(const plan_spec *spec) {
    return spec->method->evidence_first;
}

bool plan_is_single_order(const plan_spec *spec) {
    return !spec->method->both_orders;
}

int plan_calls_per_pair(const plan_spec *spec) {
    int one_stage = spec->k * (spec->orders == PLAN_ORDERS_BOTH ? 2 : 1);
    int n_stages = 1;
    for (int stage = 1; spec->always && stage < PLAN_MAX_STAGES; stage++)
        n_stages += plan_has_stage(spec, stage);
    return one_stage * n_stages;
}

bool plan_is_too_long(verdict_reason reason) {
    return reason == VERDICT_REASON_CONTEXT_LENGTH ||
           reason == VERDICT_REASON_PROMPT_TRUNCATED ||
           reason == VERDICT_REASON_REQUEST_TOO_LARGE;
}

/* What is known of one stage. */
typedef struct stage_state {
    uint64_t have[EH_ORDER_N];      /* a bit a sample; PLAN_MAX_SAMPLES is 64 */
    eh_verdict verdict[EH_ORDER_N]; /* of the first sample */
    bool is_too_long;               /* a prompt did not fit into the context */
} stage_state;

static stage_state look_at_stage(const plan_spec *spec, int stage,
                                 const plan_sample *samples, size_t n_samples) {
    stage_state st = {.have = {0}};
    int code = plan_stage_code(spec, stage);
    for (size_t i = 0; i < n_samples; i++) {
        const plan_sample *s = &samples[i];
        if (s->stage_code != code || s->sample < 0 || s->sample >= PLAN_MAX_SAMPLES)
            continue;
        st.have[s->order] |= UINT64_C(1) << s->sample;
        if (s->sample != 0) continue;
        st.verdict[s->order] = s->verdict;
        st.is_too_long = st.is_too_long ||
                         (s->verdict == EH_VERDICT_NONE && plan_is_too_long(s->reason));
    }
    return st;
}

/* The prompts of one stage that are still wanted. */
static size_t ask_stage(const plan_spec *spec, int stage, const stage_state *st,
                        plan_ask *asks) {
    size_t n_asks = 0;
    for (int order = 0; order < EH_ORDER_N; order++) {
        if (!(spec->orders & PLAN_ORDER_BIT(order))) continue;
        plan_ask ask = {.stage = stage, .order = (eh_order)order};
        for (int s = 0; s < spec->k; s++)
            if (!(st->have[order] >> s & 1)) ask.samples[ask.n_samples++] = s;
        if (ask.n_samples) asks[n_asks++] = ask;
    }
    return n_asks;
}

size_t plan_next(const plan_spec *spec, const plan_sample *samples, size_t n_samples,
                 plan_ask asks[PLAN_MAX_ASKS]) {
    size_t n_asks = 0;
    for (int stage = 0; stage < spec->method->n_stages; stage++) {
        if (!plan_has_stage(spec, stage)) continue;
        stage_state st = look_at_stage(spec, stage, samples, n_samples);
        n_asks += ask_stage(spec, stage, &st, asks + n_asks);
        bool agree = st.verdict[EH_ORDER_12] != EH_VERDICT_NONE &&
                     st.verdict[EH_ORDER_12] == st.verdict[EH_ORDER_21];
        /* the next stage waits for this one's replies, and needs its disagreement */
        if (!spec->always && (n_asks || agree || st.is_too_long)) break;
        if (n_asks && stage == 0 && spec->context_tokens) break;
    }
    return n_asks;
}
