/* SPDX-License-Identifier: MIT
 *
 * sim: a judge with planted defects, for demonstrations, tests and dry practice.
 *
 * Every answer has a latent quality (the data's quality_1 and quality_2, or drawn from
 * the text). What the judge sees of it is
 *
 *   seen(slot) = quality + first (in the first slot only) + length * log2 of how much
 *                longer this answer is + style (if it holds Markdown or emoji) + refs
 *                (if a list of references ends it) + plea + crowd (if it says so) + own
 *                (if a model of the judge's family wrote it) - error (if it was made
 *                worse) + noise
 *
 * and its reply is written out as a text in the template's own form, so that a
 * simulated run goes through the same prompt, reader and ledger as a real one.
 *
 *   key       unit               default  meaning
 *   first     points             0        added to whatever is shown first
 *   split     share              1        of `first` that is left where the answers
 *                                         are shown in parts side by side (portia)
 *   distance  points / 1000 cp   0        added to whatever is shown first for each
 *                                         1000 characters between matching content
 *   length    points a doubling  0        for the longer answer
 *   style     points             0        for lists, headings, bold, emoji
 *   refs      points             0        for a list of references
 *   plea      points             0        for an answer that asks to be rated above
 *                                         the other, as an audit's injection does
 *   crowd     points             0        for a claim that most people prefer it, as an
 *                                         audit's majority makes it
 *   error     points             0        off an answer that an audit made worse by
 *                                         what a good judge finds, such as errors
 *   own       points             0        for an answer whose model, as the data name
 *                                         it, is of the judge's own family
 *   family    a name                      that family, such as gpt; part of the id
 *   noise     points (sd)        0        fresh for every prompt and sample
 *   tie       points             .25      a smaller gap is a tie where votes are asked
 *   spread    points (sd)        1.5      of qualities drawn where the data has none
 *   step      points             .5       scores are rounded to this
 *   quote     share              0        replies whose evidence repeats the prompt
 *   refuse    share              0        replies that refuse
 *   garble    share              0        replies that hold no verdict
 *   cut       share              0        replies that are cut by a length limit
 *   context   characters         0        a longer prompt fails as context_length;
 *                                         0: no limit
 *   seed                         --seed   of all draws; part of the judge's id
 *   delay     ms                 0        pretended latency; not part of the id
 *
 * The distance is what the caller says of the prompt (judge_shown.distance_cp): long
 * whole answers have the largest, and it shrinks the more the parts that stand side by
 * side have in common. A judge like that is what split and merge is made for.
 *
 * In an audit a perturbed answer has the quality of the one that it was made from.
 *
 * All draws depend on seed, the texts as shown and the sample index, and on nothing
 * else (mirror law). Left out: any understanding of the texts.
 */
#include <math.h>
#include <stdio.h>

#include "audit/family.h"
#include "audit/perturb.h"
#include "base/hash.h"
#include "base/buf.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "judge/local.h"

/* X(key, default, minimum, maximum) of the numbers that shape replies. */
#define SIM_KEY_LIST(X)                                                                \
    X(context, 0, 0, 1e9)                                                              \
    X(crowd, 0, -9, 9)                                                                 \
    X(cut, 0, 0, 1)                                                                    \
    X(distance, 0, -99, 99)                                                            \
    X(error, 0, -9, 9)                                                                 \
    X(first, 0, -9, 9)                                                                 \
    X(garble, 0, 0, 1)                                                                 \
    X(length, 0, -9, 9)                                                                \
    X(noise, 0, 0, 9)                                                                  \
    X(own, 0, -9, 9)                                                                   \
    X(plea, 0, -9, 9)                                                                  \
    X(quote, 0, 0, 1)                                                                  \
    X(refs, 0, -9, 9)                                                                  \
    X(refuse, 0, 0, 1)                                                                 \
    X(split, 1, 0, 1)                                                                  \
    X(spread, 1.5, 0, 9)                                                               \
    X(step, .5, 0, 9)                                                                  \
    X(style, 0, -9, 9)                                                                 \
    X(tie, .25, 0, 9)

typedef enum sim_key {
#define X(key, def, low, high) SIM_##key,
    SIM_KEY_LIST(X)
#undef X
        SIM_N
} sim_key;

static const struct {
    const char *name;
    double def, low, high;
} sim_keys[] = {
#define X(key, def, low, high) {#key, def, low, high},
    SIM_KEY_LIST(X)
#undef X
};
static const char *const other_keys[] = {"delay", "family", "seed"};

typedef struct sim {
    judge_local local;
    double value[SIM_N];
    int64_t seed;
    char family[AUDIT_FAMILY_MAX + 1]; /* empty: none */
    char id[128 + 40 * SIM_N]; /* ,distance= and a number of 24 characters: 34 */
} sim;

static uint64_t text_hash(eh_str a, eh_str b, eh_str c, int64_t n) {
    eh_hash h;
    uint8_t digest[HASH_BYTES];
    hash_init(&h, "eh-sim-1");
    hash_str(&h, a);
    hash_str(&h, b);
    hash_str(&h, c);
    hash_i64(&h, n);
    hash_done(&h, digest);
    return hash_u64(digest);
}

/* Lists, headings, bold, code fences or anything outside the basic plane. */
static bool has_style(eh_str s) {
    static const char *const marks[] = {"**", "```", "\n- ", "\n* ", "\n# ", "\n1. "};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (eh_str_find(s, eh_str_of(marks[i]), 0) != SIZE_MAX) return true;
    for (size_t i = 0; i < s.len; i++)
        if ((unsigned char)s.ptr[i] >= 0xF0) return true;
    return false;
}

int64_t judge_text_id(eh_str question, eh_str answer) {
    uint64_t hash = text_hash(question, answer, EH_STR(""), 0);
    return hash ? (int64_t)hash : 1;
}

/* One of the two answers as shown. */
typedef struct sim_answer_shown {
    eh_str question, text;
    double quality; /* given by the data, or NaN */
    int64_t origin; /* 0: itself */
    bool worse;
    eh_str model; /* absent: nobody is named */
} sim_answer_shown;

/* What an answer is worth: drawn once for it and all that was made from it. */
static double latent_quality(const sim *s, const sim_answer_shown *a) {
    double loss = a->worse ? s->value[SIM_error] : 0;
    if (!isnan(a->quality)) return a->quality - loss;
    int64_t content = a->origin ? a->origin : judge_text_id(a->question, a->text);
    eh_rng r = rng_make((uint64_t)s->seed, "sim.quality", (uint64_t)content);
    return 5.5 + s->value[SIM_spread] * rng_normal(&r) - loss;
}

/* A list of references at the end, as answers have that want to look well founded. */
static bool has_references(eh_str s) {
    return eh_str_find(s, EH_STR("\nReferences"), 0) != SIZE_MAX;
}

static bool is_own(const sim *s, eh_str model) {
    char family[AUDIT_FAMILY_MAX + 1];
    return s->family[0] && audit_family(model, family) &&
           strcmp(family, s->family) == 0;
}

/* What the judge sees in an answer before its place and the other one's length. */
static double look_at(const sim *s, const sim_answer_shown *a) {
    const double *v = s->value;
    double seen = latent_quality(s, a);
    /* texts are searched only for what counts */
    if (v[SIM_style] != 0 && has_style(a->text)) seen += v[SIM_style];
    if (v[SIM_refs] != 0 && has_references(a->text)) seen += v[SIM_refs];
    if (v[SIM_plea] != 0 && audit_pleads(a->text)) seen += v[SIM_plea];
    if (v[SIM_crowd] != 0 && audit_claims_majority(a->text)) seen += v[SIM_crowd];
    if (is_own(s, a->model)) seen += v[SIM_own];
    return seen;
}

static double clamp_score(const sim *s, double seen) {
    double step = s->value[SIM_step];
    if (step > 0) seen = round(seen / step) * step;
    return seen < 1 ? 1 : seen > 10 ? 10 : seen;
}

/* Tells the draws of one prompt and sample apart from those of any other. The texts
 * are enough while answers are whole; parts may stand in several ways. */
static uint64_t draw_key(const judge_request *request, int sample) {
    const judge_shown *shown = &request->shown;
    int64_t number = sample + 64 * (int64_t)request->stream;
    if (shown->n_parts > 1)
        return text_hash(request->messages[request->n_messages - 1].content, EH_STR(""),
                         EH_STR(""), number);
    return text_hash(shown->question, shown->first, shown->second, number);
}

typedef struct sim_view {
    double first, second; /* what the judge sees, before rounding */
} sim_view;

/* What comes of standing beside another answer: the slot, and who is longer. */
static void add_company(const sim *s, const judge_shown *shown, sim_view *v) {
    double log_ratio = log2(((double)utf8_count_cp(shown->first) + 1) /
                            ((double)utf8_count_cp(shown->second) + 1));
    v->first += s->value[SIM_first] * (shown->n_parts > 1 ? s->value[SIM_split] : 1);
    v->first += s->value[SIM_distance] * shown->distance_cp / 1000;
    if (log_ratio > 0)
        v->first += s->value[SIM_length] * log_ratio;
    else
        v->second += s->value[SIM_length] * -log_ratio;
}

static sim_view look(const sim *s, const judge_request *request, int sample) {
    const judge_shown *shown = &request->shown;
    uint64_t content = draw_key(request, sample);
    eh_rng noise = rng_make((uint64_t)s->seed, "sim.noise", content);
    const sim_answer_shown first = {shown->question,      shown->first,
                                    shown->quality_first, shown->origin_first,
                                    shown->worse_first,   shown->model_first};
    const sim_answer_shown second = {shown->question,       shown->second,
                                     shown->quality_second, shown->origin_second,
                                     shown->worse_second,   shown->model_second};
    sim_view v = {.first = look_at(s, &first), .second = look_at(s, &second)};
    if (shown->form != VERDICT_FORM_SINGLE) add_company(s, shown, &v);
    v.first += s->value[SIM_noise] * rng_normal(&noise);
    v.second += s->value[SIM_noise] * rng_normal(&noise);
    return v;
}

static const char *pick(eh_verdict v, const char *first, const char *second,
                        const char *tie) {
    return v == EH_VERDICT_1 ? first : v == EH_VERDICT_2 ? second : tie;
}

/* Joins evidence and verdict in the order that the template asked for. */
static char *two_parts(eh_arena *arena, bool evidence_first, const char *evidence,
                       const char *verdict) {
    return evidence_first ? arena_printf(arena, "%s\n\n%s", evidence, verdict)
                          : arena_printf(arena, "%s\n\n%s", verdict, evidence);
}

/* {"reason": ..., "score_1": ..., "score_2": ..., "verdict": ...} */
static char *write_json(eh_arena *arena, const char *evidence, double score_1,
                        double score_2) {
    eh_verdict by_score = score_1 > score_2   ? EH_VERDICT_1
                          : score_1 < score_2 ? EH_VERDICT_2
                                              : EH_VERDICT_TIE;
    eh_buf out;
    json_writer w;
    buf_init(&out, BUF_MAX_REPLY);
    json_writer_init(&w, &out, 0);
    json_object_begin(&w);
    json_put_cstr(&w, "reason", evidence);
    json_put_f64(&w, "score_1", score_1);
    json_put_f64(&w, "score_2", score_2);
    json_put_cstr(&w, "verdict", pick(by_score, "A", "B", "tie"));
    json_object_end(&w);
    char *text = out.failed ? NULL : arena_dup(arena, buf_view(&out));
    buf_deinit(&out);
    return text;
}

/* The reply's text under the template's form; NULL when memory is out. */
static char *write_reply(const sim *s, const judge_shown *shown, sim_view v,
                         const char *evidence, eh_arena *arena) {
    double score_1 = clamp_score(s, v.first), score_2 = clamp_score(s, v.second);
    double gap = v.first - v.second;
    bool much = fabs(gap) >= 2;
    eh_verdict vote = fabs(gap) < s->value[SIM_tie] ? EH_VERDICT_TIE
                      : gap > 0                     ? EH_VERDICT_1
                                                    : EH_VERDICT_2;
    char a[32], b[32];
    char *verdict = NULL;
    switch (shown->form) {
    case VERDICT_FORM_JSON: return write_json(arena, evidence, score_1, score_2);
    case VERDICT_FORM_COMPARE:
        verdict =
            arena_printf(arena, "Final verdict: [[%s]]", pick(vote, "A", "B", "C"));
        break;
    case VERDICT_FORM_LIKERT:
        verdict = arena_printf(arena, "Rating: %s",
                               pick(vote, much ? "1" : "2", much ? "5" : "4", "3"));
        break;
    case VERDICT_FORM_SINGLE:
        json_f64_text(score_1, a);
        verdict = arena_printf(arena, "Rating: %s", a);
        break;
    case VERDICT_FORM_SCORE:
    case VERDICT_FORM_MARKS:
    case VERDICT_FORM_N:
        json_f64_text(score_1, a);
        json_f64_text(score_2, b);
        verdict = arena_printf(
            arena, "Score of the Assistant 1: %s\nScore of the Assistant 2: %s", a, b);
        break;
    }
    return verdict ? two_parts(arena, shown->evidence_first, evidence, verdict) : NULL;
}

/* A few words, or for `quote` the prompt itself, as judges do that think aloud. */
static const char *write_evidence(const sim *s, const judge_request *request,
                                  uint64_t content, eh_arena *arena) {
    eh_rng quote_rng = rng_make((uint64_t)s->seed, "sim.quote", content);
    if (rng_uniform(&quote_rng) >= s->value[SIM_quote])
        return request->shown.form == VERDICT_FORM_SINGLE
                   ? "Evaluation evidence: I looked at accuracy, depth and clarity."
                   : "Evaluation evidence: I looked at accuracy, depth and clarity of "
                     "both answers.";
    eh_str prompt = request->messages[request->n_messages - 1].content;
    return arena_printf(arena, "I was given this:\n\n%.*s\n\nI weighed all of it.",
                        EH_STR_ARG(prompt));
}

static bool is_too_long(const sim *s, const judge_request *request) {
    size_t n_cp = 0;
    if (s->value[SIM_context] <= 0) return false;
    for (size_t i = 0; i < request->n_messages; i++)
        n_cp += utf8_count_cp(request->messages[i].content);
    return (double)n_cp > s->value[SIM_context];
}

static eh_status sim_answer(judge_local *l, const judge_request *request, int sample,
                            eh_arena *arena, judge_reply *reply, eh_error *err) {
    const sim *s = (const sim *)l;
    const judge_shown *shown = &request->shown;
    uint64_t content = draw_key(request, sample);
    eh_rng fate_rng = rng_make((uint64_t)s->seed, "sim.fate", content);
    double fate = rng_uniform(&fate_rng);
    double refuse_to = s->value[SIM_refuse];
    double garble_to = refuse_to + s->value[SIM_garble];
    const char *text = NULL;
    reply->model = EH_STR("sim");
    if (is_too_long(s, request)) {
        reply->outcome = JUDGE_OUTCOME_FAILED;
        reply->recorded.reason = VERDICT_REASON_CONTEXT_LENGTH;
        return EH_STATUS_OK;
    }
    reply->outcome = JUDGE_OUTCOME_REPLY;
    reply->reply.finish_reason = EH_STR("stop");
    if (fate < refuse_to)
        text = "I'm sorry, but I can't help with evaluating these answers.";
    else if (fate < garble_to)
        text =
            "Both answers have their merits, and much depends on what one looks for.";
    else {
        const char *evidence = write_evidence(s, request, content, arena);
        if (evidence)
            text = write_reply(s, shown, look(s, request, sample), evidence, arena);
    }
    if (!text) return EH_NOMEM(err);
    if (fate >= garble_to && fate < garble_to + s->value[SIM_cut])
        reply->reply.finish_reason = EH_STR("length");
    reply->reply.content = eh_str_of(text);
    return EH_STATUS_OK;
}

/* With the nearest key, or else all of them. */
static eh_status unknown_key(eh_str key, eh_error *err) {
    suggest near = suggest_for(key);
    for (int i = 0; i < SIM_N; i++)
        suggest_offer(&near, eh_str_of(sim_keys[i].name));
    for (size_t i = 0; i < sizeof other_keys / sizeof other_keys[0]; i++)
        suggest_offer(&near, eh_str_of(other_keys[i]));
    if (near.best.ptr)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "judge sim: unknown key '%.*s'" SUGGEST_FORMAT,
                       EH_STR_ARG(utf8_cut(key, 40)), SUGGEST_ARGS(near));
    eh_buf known;
    buf_init(&known, BUF_MAX_SMALL);
    for (int i = 0; i < SIM_N; i++)
        buf_printf(&known, "%s, ", sim_keys[i].name);
    for (size_t i = 0; i < sizeof other_keys / sizeof other_keys[0]; i++)
        buf_printf(&known, "%s%s", i ? ", " : "", other_keys[i]);
    eh_status status =
        EH_FAIL(err, EH_STATUS_USAGE, "judge sim: unknown key '%.*s': use one of %.*s",
                EH_STR_ARG(utf8_cut(key, 40)), EH_STR_ARG(buf_view(&known)));
    buf_deinit(&known);
    return status;
}

static eh_status set_family(sim *s, eh_str text, eh_error *err) {
    if (s->family[0])
        return EH_FAIL(err, EH_STATUS_USAGE, "judge sim: family is given twice");
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.ptr[i] <= ' ' || text.ptr[i] == 0x7f) text.len = 0;
    if (text.len > AUDIT_FAMILY_MAX || !audit_family(text, s->family))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "judge sim: family= is not a name of 1 to %d characters",
                       AUDIT_FAMILY_MAX);
    return EH_STATUS_OK;
}

static eh_status set_key(sim *s, eh_str key, eh_str text, bool given[SIM_N],
                         eh_error *err) {
    double value = 0;
    for (int i = 0; i < SIM_N; i++) {
        if (!eh_str_eq_cstr(key, sim_keys[i].name)) continue;
        if (!eh_str_to_f64(text, &value) || value < sim_keys[i].low ||
            value > sim_keys[i].high)
            return EH_FAIL(err, EH_STATUS_USAGE,
                           "judge sim: %s=%.*s is not a number from %g to %g",
                           sim_keys[i].name, EH_STR_ARG(text), sim_keys[i].low,
                           sim_keys[i].high);
        if (given[i])
            return EH_FAIL(err, EH_STATUS_USAGE, "judge sim: %s is given twice",
                           sim_keys[i].name);
        given[i] = true;
        s->value[i] = value;
        return EH_STATUS_OK;
    }
    if (eh_str_eq_cstr(key, "family")) return set_family(s, text, err);
    int64_t whole = 0;
    bool is_seed = eh_str_eq_cstr(key, "seed"), is_delay = eh_str_eq_cstr(key, "delay");
    if (!is_seed && !is_delay) return unknown_key(key, err);
    if (!eh_str_to_i64(text, &whole) || whole < 0 || (is_delay && whole > 600000))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "judge sim: %.*s=%.*s is not a whole number from 0 %s",
                       EH_STR_ARG(key), EH_STR_ARG(text), is_seed ? "up" : "to 600000");
    if (is_seed)
        s->seed = whole;
    else
        s->local.delay_ns = whole * 1000000;
    return EH_STATUS_OK;
}

static eh_status parse_spec(sim *s, eh_str spec, eh_error *err) {
    bool given[SIM_N] = {false};
    eh_str rest = spec, part;
    while (spec.len && eh_str_split(&rest, ',', &part)) {
        size_t eq = eh_str_find(part, EH_STR("="), 0);
        if (eq == SIZE_MAX)
            return EH_FAIL(err, EH_STATUS_USAGE, "judge sim: '%.*s' is not key=value",
                           EH_STR_ARG(part));
        EH_TRY(set_key(s, eh_str_trim(eh_str_slice(part, 0, eq)),
                       eh_str_trim(eh_str_slice(part, eq + 1, part.len)), given, err));
    }
    if ((s->value[SIM_own] < 0 || s->value[SIM_own] > 0) && !s->family[0])
        return EH_FAIL(
            err, EH_STATUS_USAGE,
            "judge sim: own needs to know the judge's family: add family=NAME");
    if (s->value[SIM_refuse] + s->value[SIM_garble] + s->value[SIM_cut] > 1)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "judge sim: refuse, garble and cut add up to more than 1");
    return EH_STATUS_OK;
}

/* The canonical id: what differs from the default, in a fixed order. */
static void write_id(sim *s) {
    size_t used = (size_t)snprintf(s->id, sizeof s->id, "sim");
    char sep = ':';
    for (int i = 0; i < SIM_N; i++) {
        if (s->value[i] == sim_keys[i].def) continue;
        char number[32];
        json_f64_text(s->value[i], number);
        used += (size_t)snprintf(s->id + used, sizeof s->id - used, "%c%s=%s", sep,
                                 sim_keys[i].name, number);
        sep = ',';
    }
    if (s->family[0]) {
        used += (size_t)snprintf(s->id + used, sizeof s->id - used, "%cfamily=%s", sep,
                                 s->family);
        sep = ',';
    }
    if (s->seed)
        (void)snprintf(s->id + used, sizeof s->id - used, "%cseed=%lld", sep,
                       (long long)s->seed);
    s->local.base.id = eh_str_of(s->id);
}

static void sim_close(judge *j) {
    judge_local_deinit((judge_local *)j);
    mem_free(j);
}

static eh_status sim_open(const judge_open_args *args, judge **out, eh_error *err) {
    sim *s = mem_zalloc(1, sizeof *s);
    if (!s) return EH_NOMEM(err);
    for (int i = 0; i < SIM_N; i++)
        s->value[i] = sim_keys[i].def;
    s->seed = args->seed;
    eh_status status =
        judge_local_init(&s->local, &judge_backend_sim, args, sim_answer, err);
    if (status == EH_STATUS_OK) status = parse_spec(s, args->spec, err);
    if (status != EH_STATUS_OK) {
        sim_close(&s->local.base);
        return status;
    }
    write_id(s);
    s->local.base.uses_template = true;
    *out = &s->local.base;
    return EH_STATUS_OK;
}

const judge_backend judge_backend_sim = {
    .name = "sim",
    .form = "sim[:key=value,...]",
    .open = sim_open,
    .close = sim_close,
    .submit = judge_local_submit,
    .poll = judge_local_poll,
};
