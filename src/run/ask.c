/* SPDX-License-Identifier: MIT
 *
 * Prompts and keys.
 *
 * A key covers all that changes the reply and nothing else: not the API key, not the
 * number of samples in one request, not the pair's id (rows with identical texts share
 * calls), unless the judge answers by id as recorded judgments do. A temperature that
 * was not asked for is absent and not 0.
 */
#include "run/ask.h"

#include <math.h>
#include <stdio.h>

#include "base/json_write.h"
#include "codec/usage.h"

void run_setup_params(run_setup *setup, int64_t request_seed) {
    setup->params = (judge_params){
        .temperature = setup->j->uses_template ? setup->plan.temperature : NAN,
        .max_tokens = -1,
        .request_seed = setup->j->uses_template ? request_seed : -1,
    };
}

eh_status run_setup_check(const run_setup *setup, eh_error *err) {
    bool alone = plan_is_alone(&setup->plan);
    bool single = setup->t->form.kind == VERDICT_FORM_SINGLE;
    const char *method = plan_method_name(setup->plan.method);
    if (alone && !setup->j->uses_template)
        return EH_FAIL(
            err, EH_STATUS_USAGE,
            "method %s needs a judge that reads prompts; '%.*s' compares pairs", method,
            EH_STR_ARG(setup->j->id));
    if (setup->j->uses_template && alone != single)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       alone
                           ? "method %s shows one answer at a time; template '%.*s' is "
                             "for two: use -t standalone, or a file of form single"
                           : "method %s shows two answers; template '%.*s' is for one: "
                             "use -m standalone with it",
                       method, EH_STR_ARG(setup->t->name));
    return EH_STATUS_OK;
}

static void write_params(const judge_params *p, eh_str extra, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 0);
    json_object_begin(&w);
    if (extra.len) {
        json_key(&w, "extra");
        json_raw(&w, extra);
    }
    if (p->wants_logprobs) {
        json_put_i64(&w, "logprobs", p->top_logprobs);
    }
    if (p->max_tokens >= 0) {
        json_put_i64(&w, "max_tokens", p->max_tokens);
    }
    if (p->request_seed >= 0) {
        json_put_i64(&w, "seed", p->request_seed);
    }
    if (!isnan(p->temperature)) {
        json_put_f64(&w, "temperature", p->temperature);
    }
    json_object_end(&w);
}

eh_status run_setup_judge(const run_setup *setup, eh_arena *arena, ledger_judge *out,
                          eh_error *err) {
    eh_buf params;
    buf_init(&params, BUF_MAX_SMALL);
    write_params(&setup->params, setup->j->extra, &params);
    eh_status status = buf_check(&params, "sampling parameters", err);
    bool sees = setup->j->uses_template;
    *out = (ledger_judge){
        .judge = setup->j->id,
        .template_name = sees ? setup->t->name : EH_STR(""),
        .template_text = sees ? setup->t->source : EH_STR(""),
        .evidence_first = sees && plan_evidence_first(&setup->plan),
    };
    if (status == EH_STATUS_OK && !arena_copy(arena, buf_view(&params), &out->params))
        status = EH_NOMEM(err);
    buf_deinit(&params);
    return status;
}

/* A number of the row's meta object, or NaN. */
static double meta_number(const json_value *meta, const char *key) {
    const json_value *v = json_get(meta, key);
    double value;
    if (!v || v->kind != JSON_NUMBER || !eh_str_to_f64(v->text, &value)) return NAN;
    return value;
}

/* What the data says of a pair's answers, [answer - 1], for simulated judges. */
typedef struct answer_facts {
    double quality[2]; /* NaN: nothing */
    int64_t origin[2]; /* of audits; 0: not perturbed */
    bool worse[2];
} answer_facts;

static void read_audit(const json_value *audit, answer_facts *facts) {
    const json_value *origin = json_get(audit, "origin");
    int64_t side = 0;
    const json_value *perturbed = json_get(audit, "perturbed");
    if (!origin || !perturbed || !eh_str_to_i64(perturbed->text, &side) || side < 1 ||
        side > 2 || !eh_str_to_i64(origin->text, &facts->origin[side - 1]))
        return;
    const json_value *worse = json_get(audit, "worse"); /* and then dressed up */
    facts->worse[side - 1] = eh_str_eq_cstr(json_get_str(audit, "form"), "oversight") ||
                             (worse && worse->kind == JSON_BOOL && worse->boolean);
}

static eh_status read_facts(eh_str meta_json, eh_arena *arena, answer_facts *facts,
                            eh_error *err) {
    *facts = (answer_facts){.quality = {NAN, NAN}};
    if (eh_str_find(meta_json, EH_STR("\"quality_"), 0) == SIZE_MAX &&
        eh_str_find(meta_json, EH_STR("\"audit\""), 0) == SIZE_MAX)
        return EH_STATUS_OK;
    json_fault fault;
    json_reader *reader = json_reader_new();
    if (!reader) return EH_NOMEM(err);
    const json_value *meta = json_read(reader, arena, meta_json, &fault);
    json_reader_free(reader);
    if (!meta && fault.kind == JSON_FAULT_NOMEM) return EH_NOMEM(err);
    facts->quality[0] = meta_number(meta, "quality_1");
    facts->quality[1] = meta_number(meta, "quality_2");
    read_audit(json_get(meta, "audit"), facts);
    return EH_STATUS_OK;
}

/* How far apart, on average, the places stand that say the same in both answers. In
 * whole answers that is an answer's length. Of answers in parts, the share that the
 * parts side by side have in common is met within a part, and the rest as if whole. */
static double matching_distance(const ledger_pair *pair, const run_cut *cut) {
    double length = (double)(pair->answer_1_cp + pair->answer_2_cp) / 2;
    if (!cut || cut->n_parts < 2) return length;
    double near = cut->overlap;
    return length * (1 - near) + length / (double)cut->n_parts * near;
}

static void fill_shown(const run_setup *setup, const run_asked *of,
                       const answer_facts *facts, judge_shown *shown) {
    bool swap = of->ask->order == EH_ORDER_21;
    bool alone = plan_is_alone(&setup->plan);
    *shown = (judge_shown){
        .pair_id = of->pair->pair_id,
        .order = of->ask->order,
        .question = of->texts->question,
        .first = swap ? of->texts->answer_2 : of->texts->answer_1,
        .second = alone  ? (eh_str){NULL, 0}
                  : swap ? of->texts->answer_1
                         : of->texts->answer_2,
        .reference = of->texts->reference,
        .quality_first = facts->quality[swap],
        .quality_second = alone ? (double)NAN : facts->quality[!swap],
        .model_first = swap ? of->pair->model_2 : of->pair->model_1,
        .model_second = alone  ? (eh_str){NULL, 0}
                        : swap ? of->pair->model_1
                               : of->pair->model_2,
        .origin_first = facts->origin[swap],
        .origin_second = facts->origin[!swap],
        .worse_first = facts->worse[swap],
        .worse_second = facts->worse[!swap],
        .form = setup->t->form.kind,
        .evidence_first = plan_evidence_first(&setup->plan),
    };
}

/* ---- parts ---- */

eh_status run_prompt_needs(const run_setup *setup, const ledger_texts *texts, int stage,
                           eh_arena *arena, bool *needs, run_units *units,
                           eh_error *err) {
    *needs = setup->embedder && setup->j->uses_template &&
             plan_stage_compares(&setup->plan, stage);
    if (!*needs) return EH_STATUS_OK;
    EH_TRY(run_units_read(&setup->plan, texts, stage, arena, units, err));
    *needs = units->compares;
    return EH_STATUS_OK;
}

/* A prompt in parts at work. */
typedef struct parts_maker {
    const run_setup *setup;
    const run_asked *of;
    prompt_input input;
    run_units units;
    run_cut_how how;
    eh_arena *arena;
    run_prompt *prompt;
} parts_maker;

static eh_status render_parts(parts_maker *m, eh_error *err) {
    bool swap = m->of->ask->order == EH_ORDER_21;
    run_cut cut;
    EH_TRY(run_cut_make(&m->setup->plan, &m->units, m->of->ask->stage, &m->how,
                        m->arena, &cut, err));
    m->input.first_parts = cut.parts[swap];
    m->input.second_parts = cut.parts[!swap];
    m->input.n_parts = cut.n_parts;
    m->prompt->shown.n_parts = (int)cut.n_parts;
    m->prompt->shown.distance_cp = matching_distance(m->of->pair, &cut);
    return prompt_render(m->setup->t, &m->input, m->arena, &m->prompt->rendered, err);
}

static int64_t prompt_bytes(const prompt_rendered *r) {
    int64_t n_bytes = 0;
    for (size_t i = 0; i < r->n_messages; i++)
        n_bytes += (int64_t)r->messages[i].content.len;
    return n_bytes;
}

/* Bytes and tokens of the plain pair's prompt: as many tokens as the endpoint counted,
 * else as there are at least. */
static eh_status measure_plain(const parts_maker *m, int64_t *n_bytes,
                               int64_t *n_tokens, eh_error *err) {
    prompt_rendered plain;
    EH_TRY(prompt_render(m->setup->t, &m->input, m->arena, &plain, err));
    *n_bytes = prompt_bytes(&plain);
    *n_tokens = m->of->plain_tokens;
    if (*n_tokens > 0) return EH_STATUS_OK;
    for (size_t i = 0; i < plain.n_messages; i++)
        *n_tokens += usage_estimate_low(plain.messages[i].content);
    return EH_STATUS_OK;
}

/* What parts add to the plain prompt are lines of ours, whose tokens have two bytes at
 * least. Where they do not fit, fewer parts are tried; two are asked in any case, and
 * the endpoint says whether they fit. */
static eh_status fit_parts(parts_maker *m, eh_error *err) {
    int64_t n_tokens, n_bytes, room = m->setup->plan.context_tokens;
    EH_TRY(measure_plain(m, &n_bytes, &n_tokens, err));
    if (m->setup->params.max_tokens > 0) room -= m->setup->params.max_tokens;
    for (;;) {
        EH_TRY(render_parts(m, err));
        int64_t added = prompt_bytes(&m->prompt->rendered) - n_bytes;
        if (m->input.n_parts <= 2 || n_tokens + (added + 1) / 2 <= room)
            return EH_STATUS_OK;
        m->how.max_parts = m->input.n_parts - 1;
    }
}

static eh_status make_parts(parts_maker *m, eh_error *err) {
    const run_setup *setup = m->setup;
    EH_TRY(run_units_read(&setup->plan, m->of->texts, m->of->ask->stage, m->arena,
                          &m->units, err));
    if (m->units.compares && setup->embedder) {
        align_pair pair = {&m->units.units[0], &m->units.units[1]};
        EH_TRY(run_embed_similarity(setup->embedder, &pair, m->arena, &m->how.vectors,
                                    err));
        m->how.by_length = m->how.vectors == NULL;
    }
    return setup->plan.context_tokens ? fit_parts(m, err) : render_parts(m, err);
}

eh_status run_prompt_make(const run_setup *setup, const run_asked *of, eh_arena *arena,
                          run_prompt *prompt, eh_error *err) {
    answer_facts facts;
    EH_TRY(read_facts(of->texts->meta_json, arena, &facts, err));
    fill_shown(setup, of, &facts, &prompt->shown);
    prompt->shown.distance_cp = matching_distance(of->pair, NULL);
    prompt->rendered = (prompt_rendered){0};
    if (!setup->j->uses_template) return EH_STATUS_OK;
    parts_maker m = {.setup = setup, .of = of, .arena = arena, .prompt = prompt};
    m.input = (prompt_input){
        .question = of->texts->question,
        .conversation_json = of->texts->turns_json,
        .first = prompt->shown.first,
        .second = prompt->shown.second,
        .reference = of->texts->reference,
        .category = of->pair->category,
        .evidence_first = prompt->shown.evidence_first,
    };
    return of->ask->stage > 0
               ? make_parts(&m, err)
               : prompt_render(setup->t, &m.input, arena, &prompt->rendered, err);
}

void run_key(const run_setup *setup, eh_str params_json, const run_prompt *prompt,
             int sample, uint8_t key[HASH_BYTES]) {
    eh_hash h;
    hash_init(&h, "eh-key-1");
    hash_i64(&h, (int64_t)prompt->rendered.n_messages);
    for (size_t i = 0; i < prompt->rendered.n_messages; i++) {
        hash_str(&h, prompt->rendered.messages[i].role);
        hash_str(&h, prompt->rendered.messages[i].content);
    }
    if (prompt->rendered.n_messages == 0) {
        hash_str(&h, prompt->shown.question);
        hash_str(&h, prompt->shown.first);
        hash_str(&h, prompt->shown.second);
        hash_str(&h, prompt->shown.reference);
    }
    if (setup->j->by_pair_id) {
        hash_str(&h, prompt->shown.pair_id);
        hash_i64(&h, prompt->shown.order);
    }
    hash_str(&h, setup->j->id);
    hash_str(&h, params_json);
    hash_i64(&h, setup->stream);
    hash_i64(&h, sample);
    hash_done(&h, key);
}
