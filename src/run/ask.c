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

#include "align/align.h"
#include "base/json_write.h"

void run_setup_params(run_setup *setup, int64_t request_seed) {
    setup->params = (judge_params){
        .temperature = setup->j->uses_template ? setup->plan.temperature : NAN,
        .max_tokens = -1,
        .request_seed = setup->j->uses_template ? request_seed : -1,
    };
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
        json_key(&w, "logprobs");
        json_i64(&w, p->top_logprobs);
    }
    if (p->max_tokens >= 0) {
        json_key(&w, "max_tokens");
        json_i64(&w, p->max_tokens);
    }
    if (p->request_seed >= 0) {
        json_key(&w, "seed");
        json_i64(&w, p->request_seed);
    }
    if (!isnan(p->temperature)) {
        json_key(&w, "temperature");
        json_f64(&w, p->temperature);
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

ledger_run run_setup_row(const plan_spec *plan, int64_t judge_row,
                         char options[PLAN_OPTIONS_CHARS]) {
    plan_options_text(plan, options);
    return (ledger_run){.judge_row = judge_row,
                        .method = eh_str_of(plan_method_name(plan->method)),
                        .k = plan->k,
                        .orders = plan->orders,
                        .options = eh_str_of(options)};
}

/* A number of the row's meta object, or NaN. */
static double meta_number(const json_value *meta, const char *key) {
    const json_value *v = json_get(meta, key);
    double value;
    if (!v || v->kind != JSON_NUMBER || !eh_str_to_f64(v->text, &value)) return NAN;
    return value;
}

static eh_status read_qualities(eh_str meta_json, eh_arena *arena, double quality[2],
                                eh_error *err) {
    quality[0] = quality[1] = NAN;
    if (eh_str_find(meta_json, EH_STR("\"quality_"), 0) == SIZE_MAX)
        return EH_STATUS_OK;
    json_fault fault;
    json_reader *reader = json_reader_new();
    if (!reader) return EH_NOMEM(err);
    const json_value *meta = json_read(reader, arena, meta_json, &fault);
    json_reader_free(reader);
    if (!meta && fault.kind == JSON_FAULT_NOMEM) return EH_NOMEM(err);
    quality[0] = meta_number(meta, "quality_1");
    quality[1] = meta_number(meta, "quality_2");
    return EH_STATUS_OK;
}

/* The answers of a pair cut for a stage of portia, as answers of the data. */
typedef struct cut_answers {
    eh_str *parts[2]; /* [n_parts] */
    size_t n_parts;
    double mean_similarity; /* of the parts that stand side by side */
} cut_answers;

static eh_status take_parts(const align_units units[2], const align_cut *cut,
                            eh_arena *arena, cut_answers *out, eh_error *err) {
    *out = (cut_answers){.n_parts = cut->n_parts};
    if (cut->n_parts) out->mean_similarity = cut->sum / (double)cut->n_parts;
    for (int a = 0; a < 2; a++) {
        out->parts[a] = arena_zalloc(arena, cut->n_parts + 1, sizeof **out->parts);
        if (!out->parts[a]) return EH_NOMEM(err);
        for (size_t t = 0; t < cut->n_parts; t++)
            out->parts[a][t] =
                align_part(&units[a], a ? cut->begin_2 : cut->begin_1, t);
    }
    return EH_STATUS_OK;
}

static eh_status cut_parts(const plan_spec *plan, const ledger_texts *texts, int stage,
                           eh_arena *arena, cut_answers *out, eh_error *err) {
    bool is_auto = plan->n_parts == PLAN_PARTS_AUTO;
    size_t wanted = is_auto ? PLAN_PARTS_DEFAULT : (size_t)plan->n_parts;
    align_options options = {.parts = wanted};
    align_units units[2];
    align_similarity *similarity = NULL;
    align_auto choice;
    align_cut cut;
    EH_TRY(align_units_of(texts->answer_1, &options, arena, &units[0], err));
    EH_TRY(align_units_of(texts->answer_2, &options, arena, &units[1], err));
    align_pair pair = {&units[0], &units[1]};
    EH_TRY(align_similarity_words(&pair, arena, &similarity, err));
    if (is_auto) {
        EH_TRY(align_choose_parts(&pair, similarity, arena, &choice, err));
        wanted = choice.parts;
    }
    EH_TRY(stage == 1
               ? align_length_cut(&pair, similarity, wanted, arena, &cut, err)
               : align_semantic_cut(&pair, similarity, wanted, arena, &cut, err));
    return take_parts(units, &cut, arena, out, err);
}

/* How far apart, on average, the places stand that say the same in both answers. In
 * whole answers that is an answer's length. Of answers in parts, the share that the
 * parts side by side have in common is met within a part, and the rest as if whole. */
static double matching_distance(const ledger_pair *pair, const cut_answers *cut) {
    double length = (double)(pair->answer_1_cp + pair->answer_2_cp) / 2;
    if (!cut || cut->n_parts < 2) return length;
    double near = cut->mean_similarity;
    return length * (1 - near) + length / (double)cut->n_parts * near;
}

static void fill_shown(const run_setup *setup, const ledger_pair *pair,
                       const ledger_texts *texts, eh_order order,
                       const double quality[2], judge_shown *shown) {
    bool swap = order == EH_ORDER_21;
    *shown = (judge_shown){
        .pair_id = pair->pair_id,
        .order = order,
        .question = texts->question,
        .first = swap ? texts->answer_2 : texts->answer_1,
        .second = swap ? texts->answer_1 : texts->answer_2,
        .reference = texts->reference,
        .quality_first = quality[swap],
        .quality_second = quality[!swap],
        .form = setup->t->form.kind,
        .evidence_first = plan_evidence_first(&setup->plan),
    };
}

eh_status run_prompt_make(const run_setup *setup, const run_asked *asked,
                          eh_arena *arena, run_prompt *prompt, eh_error *err) {
    const ledger_pair *pair = asked->pair;
    const ledger_texts *texts = asked->texts;
    const eh_order order = asked->ask->order;
    const int stage = asked->ask->stage;
    bool swap = order == EH_ORDER_21;
    double quality[2];
    EH_TRY(read_qualities(texts->meta_json, arena, quality, err));
    fill_shown(setup, pair, texts, order, quality, &prompt->shown);
    prompt->shown.distance_cp = matching_distance(pair, NULL);
    prompt->rendered = (prompt_rendered){0};
    if (!setup->j->uses_template) return EH_STATUS_OK;
    prompt_input input = {
        .question = texts->question,
        .conversation_json = texts->turns_json,
        .first = prompt->shown.first,
        .second = prompt->shown.second,
        .reference = texts->reference,
        .category = pair->category,
        .evidence_first = prompt->shown.evidence_first,
    };
    if (stage > 0) {
        cut_answers cut;
        EH_TRY(cut_parts(&setup->plan, texts, stage, arena, &cut, err));
        input.first_parts = cut.parts[swap];
        input.second_parts = cut.parts[!swap];
        input.n_parts = cut.n_parts;
        prompt->shown.n_parts = (int)cut.n_parts;
        prompt->shown.distance_cp = matching_distance(pair, &cut);
    }
    return prompt_render(setup->t, &input, arena, &prompt->rendered, err);
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
