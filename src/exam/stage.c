/* SPDX-License-Identifier: MIT
 *
 * Staging an audit. The rows of the data set come first, each followed by what rules
 * make of it; then, file by file, the perturbed pairs of probes that have one.
 *
 *   data set --> [normalise] --> plain pair -----------------> ledger
 *                                   `--> rule --> [check] -->
 *   probe's file --> [normalise] --> [held against its plain pair] -->
 *
 * A file's row names its plain pair by `control_id` (else by its own id) and the answer
 * that was rewritten by `perturbed`. Question and other answer must be the pair's own,
 * byte for byte but for white space at the ends; otherwise two things would differ and
 * nobody could say which one the judge fell for. Such rows are left out, with a reason.
 * Where a row says by which `edits` its answer was made, they are kept if they make it;
 * if not, the file says two things and is refused.
 *
 * An audit is always staged afresh: it is small, and what is there keeps its verdicts.
 */
#include "exam/stage.h"

#include "base/json_read.h"
#include "base/json_write.h"
#include "base/utf8.h"
#include "judge/judge.h"

typedef struct stager {
    const exam_stage_options *o;
    exam_staged *staged;
    ledger *l;
    dataset_stage inner;
    size_t i_probe; /* whose file is being read */
    json_reader *reader;
    eh_arena arena; /* of one row */
    eh_hash digest;
    audit_edges edges[2]; /* that the row's answers lost */
    audit_change change, dressed[EXAM_ATTACK_STEPS];
    eh_str weak[EXAM_WEAK_MAX]; /* [n_weak] names of the weaker sets */
    size_t n_weak;
    eh_arena names; /* of those */
} stager;

/* A row that is to be made out of a plain pair. */
typedef struct variant {
    exam_role role;
    const exam_probe *probe;
    int side;                   /* 1 or 2 */
    eh_str text;                /* the answer there */
    const audit_change *change; /* [n_changes] the records, where there are any */
    int n_changes;
    const exam_attack *attack; /* then `probe` is the one that made it worse, or NULL */
    eh_str weak;               /* of attacks */
    int64_t n_trimmed;
    int64_t line;
} variant;

static eh_str *answer_of(dataset_pair *pair, int side) {
    return side == 1 ? &pair->answer_1 : &pair->answer_2;
}

/* Who an attack is on, beside what all perturbed pairs say. */
static void write_attack(json_writer *w, const variant *v) {
    json_put_str(w, "weak", v->weak);
    if (!v->probe) return;
    json_put_bool(w, "worse", true);
}

static void write_variant(json_writer *w, const dataset_pair *plain, const variant *v) {
    audit_form form = v->probe && !v->attack ? v->probe->form : AUDIT_SUSCEPTIBILITY;
    eh_str probe = v->probe ? v->probe->name : EH_STR("");
    eh_buf control;
    buf_init(&control, BUF_MAX_SMALL);
    buf_add_str(&control, plain->id);
    if (v->attack && probe.len) buf_printf(&control, "~%.*s", EH_STR_ARG(probe));
    json_put_str(w, "probe", v->attack ? v->attack->name : probe);
    json_put_cstr(w, "form", audit_form_name(form));
    json_put_str(w, "control", buf_view(&control));
    json_put_i64(w, "perturbed", v->side);
    json_put_i64(w, "origin",
                 judge_text_id(plain->question,
                               v->side == 1 ? plain->answer_1 : plain->answer_2));
    if (v->attack) write_attack(w, v);
    for (int i = 0; i < v->n_changes; i++)
        audit_edits_json(w, i ? "edits_then" : "edits", v->change[i].edits,
                         v->change[i].n_edits);
    w->out->failed = w->out->failed || control.failed;
    buf_deinit(&control);
}

static void write_edges(json_writer *w, const char *key, const audit_edges *e) {
    if (e->front.len + e->back.len == 0) return;
    json_key(w, key);
    json_array_begin(w);
    json_str(w, e->front);
    json_str(w, e->back);
    json_array_end(w);
}

/* The pair's own members follow ours; `v` NULL: a plain pair. */
static eh_status write_meta(stager *s, const dataset_pair *plain, const variant *v,
                            int64_t n_trimmed, eh_str *meta, eh_error *err) {
    eh_buf out;
    json_writer w;
    eh_str own = eh_str_trim(plain->meta_json);
    buf_init(&out, BUF_MAX_LINE);
    json_writer_init(&w, &out, 0);
    buf_add_cstr(&out, "{\"audit\": ");
    json_object_begin(&w);
    json_put_cstr(&w, "role",
                  !v                       ? "control"
                  : v->role == EXAM_PADDED ? "padded"
                  : v->attack              ? "attack"
                                           : "experiment");
    if (v) write_variant(&w, plain, v);
    json_put_i64(&w, "trimmed", n_trimmed);
    if (!v) write_edges(&w, "edges_1", &s->edges[0]);
    if (!v) write_edges(&w, "edges_2", &s->edges[1]);
    json_object_end(&w);
    bool has_own = own.len > 2 && own.ptr[0] == '{' &&
                   !eh_str_is_blank(eh_str_slice(own, 1, own.len - 1));
    buf_add_cstr(&out, has_own ? ", " : "}");
    if (has_own) buf_add_str(&out, eh_str_slice(own, 1, own.len));
    eh_status status = buf_check(&out, "a row of the audit", err);
    if (status == EH_STATUS_OK && !arena_copy(&s->arena, buf_view(&out), meta))
        status = EH_NOMEM(err);
    buf_deinit(&out);
    return status;
}

static void reject(stager *s, size_t i_probe, eh_str id, int64_t line,
                   audit_reject why) {
    s->staged->n_rejected[i_probe]++;
    if (s->o->on_reject)
        s->o->on_reject(s->o->self, &s->o->probes[i_probe], id, line, why);
}

/* *first_line is not 0 when a row of that id is there. */
static eh_status put_variant(stager *s, const dataset_pair *plain, const variant *v,
                             int64_t *first_line, eh_error *err) {
    dataset_pair row = *plain;
    eh_str probe = v->probe ? v->probe->name : EH_STR("");
    eh_str attack = v->attack ? v->attack->name : EH_STR("");
    const char *id = arena_printf(&s->arena, "%.*s%s%.*s%s%.*s", EH_STR_ARG(plain->id),
                                  probe.len ? "~" : "", EH_STR_ARG(probe),
                                  v->attack                ? "~attack-"
                                  : v->role == EXAM_PADDED ? "~pad"
                                                           : "",
                                  EH_STR_ARG(attack));
    if (!id) return EH_NOMEM(err);
    EH_TRY(write_meta(s, plain, v, v->n_trimmed, &row.meta_json, err));
    row.id = eh_str_of(id);
    row.line = v->line;
    *answer_of(&row, v->side) = v->text;
    EH_TRY(s->inner.put(s->inner.self, &row, first_line, err));
    s->staged->n_rows += *first_line == 0;
    return EH_STATUS_OK;
}

/* The plain pair with padding of the perturbed answer's length; only where that is
 * longer. */
static eh_status put_padded(stager *s, const dataset_pair *plain, const variant *of,
                            eh_error *err) {
    const audit_probe *padding = audit_probe_find(EH_STR("padding"));
    audit_input input = {.question = plain->question,
                         .answer = of->side == 1 ? plain->answer_1 : plain->answer_2,
                         .target_cp = utf8_count_cp(of->text),
                         .seed = s->o->seed};
    int64_t first_line;
    if (!of->probe->known || !of->probe->known->match_length ||
        input.target_cp <= utf8_count_cp(input.answer))
        return EH_STATUS_OK;
    EH_TRY(audit_perturb(padding->rule, padding->allows, &input, &s->arena, &s->change,
                         err));
    if (s->change.reject != AUDIT_REJECT_NONE) return EH_STATUS_OK;
    variant v = *of;
    v.role = EXAM_PADDED;
    v.change = &s->change;
    v.n_changes = 1;
    v.text = s->change.text;
    return put_variant(s, plain, &v, &first_line, err);
}

static eh_status fail_taken(const dataset_pair *pair, const char *what, eh_error *err) {
    return EH_FAIL(err, EH_STATUS_DATA,
                   "%s: line %lld: id %.*s is what the audit would call %s",
                   pair->file ? pair->file : "data set", (long long)pair->line,
                   EH_STR_ARG(pair->id), what);
}

static eh_status put_by_rule(stager *s, const dataset_pair *plain, size_t i_probe,
                             int side, eh_error *err) {
    const exam_probe *probe = &s->o->probes[i_probe];
    audit_input input = {.question = plain->question,
                         .answer = side == 1 ? plain->answer_1 : plain->answer_2,
                         .seed = s->o->seed};
    int64_t first_line;
    EH_TRY(audit_perturb(probe->known->rule, probe->known->allows, &input, &s->arena,
                         &s->change, err));
    if (s->change.reject != AUDIT_REJECT_NONE) {
        reject(s, i_probe, plain->id, 0, s->change.reject);
        return EH_STATUS_OK;
    }
    variant v = {.role = EXAM_EXPERIMENT,
                 .probe = probe,
                 .side = side,
                 .text = s->change.text,
                 .change = &s->change,
                 .n_changes = 1,
                 .line = plain->line};
    EH_TRY(put_variant(s, plain, &v, &first_line, err));
    if (first_line) return fail_taken(plain, "a pair with a perturbed answer", err);
    s->staged->n_made[i_probe]++;
    return put_padded(s, plain, &v, err);
}

/* ---- attacks ---- */

static eh_status know_weak(stager *s, eh_str name, eh_error *err) {
    for (size_t i = 0; i < s->n_weak; i++)
        if (eh_str_eq(s->weak[i], name)) return EH_STATUS_OK;
    if ((s->n_weak + 1) * s->o->n_attacks > AUDIT_PROBES_MAX)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--attack: %zu weaker models and probes are too many for %zu "
                       "attacks, which may be %d together",
                       s->n_weak + 1, s->o->n_attacks, AUDIT_PROBES_MAX);
    if (!arena_copy(&s->names, name, &s->weak[s->n_weak])) return EH_NOMEM(err);
    s->n_weak++;
    return EH_STATUS_OK;
}

/* Dresses up the answer that stands at v->side; v->text is it. */
static eh_status put_attacks(stager *s, const dataset_pair *plain, const variant *weak,
                             eh_error *err) {
    audit_input input = {
        .question = plain->question, .answer = weak->text, .seed = s->o->seed};
    s->staged->n_weak++;
    EH_TRY(know_weak(s, weak->weak, err));
    for (size_t i = 0; i < s->o->n_attacks; i++) {
        variant v = *weak;
        audit_reject why;
        int64_t first_line = 0;
        v.attack = &s->o->attacks[i];
        EH_TRY(exam_attack_dress(v.attack, &input, &s->arena, s->dressed, &why, err));
        s->staged->n_not_dressed += why != AUDIT_REJECT_NONE;
        if (why != AUDIT_REJECT_NONE) continue;
        v.role = EXAM_ATTACK;
        v.change = s->dressed;
        v.n_changes = v.attack->n_steps;
        v.text = s->dressed[v.n_changes - 1].text;
        EH_TRY(put_variant(s, plain, &v, &first_line, err));
        if (first_line) return fail_taken(plain, "a pair under attack", err);
    }
    return EH_STATUS_OK;
}

/* Where the data say who wrote both answers and one is the anchor. */
static eh_status attack_plain(stager *s, const dataset_pair *plain, eh_error *err) {
    eh_str one = eh_str_trim(plain->model_1), two = eh_str_trim(plain->model_2);
    eh_str anchor = s->o->anchor.len ? s->o->anchor : one;
    if (!s->o->n_attacks || !one.len || !two.len || eh_str_eq(one, two))
        return EH_STATUS_OK;
    if (!eh_str_eq(anchor, one) && !eh_str_eq(anchor, two)) return EH_STATUS_OK;
    int side = eh_str_eq(anchor, one) ? 2 : 1;
    variant weak = {.side = side,
                    .text = side == 1 ? plain->answer_1 : plain->answer_2,
                    .weak = side == 1 ? one : two,
                    .line = plain->line};
    return put_attacks(s, plain, &weak, err);
}

/* An answer that a probe made worse. */
static eh_status attack_worse(stager *s, const dataset_pair *plain,
                              const variant *experiment, eh_error *err) {
    if (!s->o->n_attacks || experiment->probe->form != AUDIT_OVERSIGHT)
        return EH_STATUS_OK;
    variant weak = *experiment;
    weak.weak = experiment->probe->name;
    weak.n_trimmed = 0;
    return put_attacks(s, plain, &weak, err);
}

static eh_str bare_answer(eh_str answer, audit_edges *edges, int64_t *n_trimmed) {
    int64_t n = 0;
    eh_str bare = audit_normalise(answer, &n);
    size_t begin = bare.len ? (size_t)(bare.ptr - answer.ptr) : answer.len;
    *edges = (audit_edges){eh_str_slice(answer, 0, begin),
                           eh_str_slice(answer, begin + bare.len, answer.len)};
    *n_trimmed += n > 0;
    return bare;
}

/* Normalised, asked by the short question; returns how many answers changed. */
static int64_t tidy(stager *s, dataset_pair *pair) {
    int64_t n_trimmed = 0;
    pair->answer_1 = bare_answer(pair->answer_1, &s->edges[0], &n_trimmed);
    pair->answer_2 = bare_answer(pair->answer_2, &s->edges[1], &n_trimmed);
    if (pair->short_question.len) pair->question = pair->short_question;
    pair->short_question = (eh_str){NULL, 0};
    return n_trimmed;
}

static eh_status put_plain(void *self, const dataset_pair *given, int64_t *first_line,
                           eh_error *err) {
    stager *s = self;
    dataset_pair pair = *given, row;
    arena_reset(&s->arena);
    int64_t n_trimmed = tidy(s, &pair);
    row = pair;
    EH_TRY(write_meta(s, &pair, NULL, n_trimmed, &row.meta_json, err));
    EH_TRY(s->inner.put(s->inner.self, &row, first_line, err));
    if (*first_line) return EH_STATUS_OK;
    s->staged->n_pairs++;
    s->staged->n_rows++;
    s->staged->n_trimmed += n_trimmed;
    int side = audit_side(s->o->seed, pair.question, pair.answer_1, pair.answer_2);
    for (size_t i = 0; i < s->o->n_probes; i++)
        if (!s->o->probes[i].file) EH_TRY(put_by_rule(s, &pair, i, side, err));
    return attack_plain(s, &pair, err);
}

/* ---- files of perturbed pairs ---- */

/* What a row of a file says beside a pair's fields. */
typedef struct file_row {
    int side; /* 1 or 2; 0: it does not say */
    eh_str control_id;
    const json_value *edits; /* NULL: none are told */
} file_row;

/* A cell of a table holds a list as text. */
static eh_status read_edits(stager *s, const json_value *v, file_row *row,
                            eh_error *err) {
    json_fault fault;
    bool is_text = v && v->kind == JSON_STRING;
    row->edits = v && v->kind != JSON_NULL ? v : NULL;
    if (is_text && eh_str_is_blank(v->text)) row->edits = NULL;
    if (!is_text || !row->edits) return EH_STATUS_OK;
    const json_value *list = json_read(s->reader, &s->arena, v->text, &fault);
    if (!list && fault.kind == JSON_FAULT_NOMEM) return EH_NOMEM(err);
    if (list) row->edits = list; /* else the text is no list, which is said then */
    return EH_STATUS_OK;
}

static eh_status read_row(stager *s, const dataset_pair *pair, file_row *row,
                          eh_error *err) {
    json_fault fault;
    const json_value *meta =
        pair->meta_json.len ? json_read(s->reader, &s->arena, pair->meta_json, &fault)
                            : NULL;
    if (!meta && pair->meta_json.len && fault.kind == JSON_FAULT_NOMEM)
        return EH_NOMEM(err);
    const json_value *perturbed = json_get(meta, "perturbed");
    const json_value *control = json_get(meta, "control_id");
    double number = 0; /* pandas writes 1.0 where a column has gaps */
    if (perturbed) (void)eh_str_to_f64(perturbed->text, &number);
    row->side = number == 1 ? 1 : number == 2 ? 2 : 0;
    row->control_id = control && control->text.len ? control->text : pair->id;
    return read_edits(s, json_get(meta, "edits"), row, err);
}

static audit_reject hold_against(const dataset_pair *row, const dataset_pair *plain,
                                 int side) {
    eh_str new_one = side == 1 ? row->answer_1 : row->answer_2;
    eh_str old_one = side == 1 ? plain->answer_1 : plain->answer_2;
    eh_str other = side == 1 ? row->answer_2 : row->answer_1;
    eh_str other_plain = side == 1 ? plain->answer_2 : plain->answer_1;
    if (!eh_str_eq(row->question, plain->question))
        return AUDIT_REJECT_QUESTION_DIFFERS;
    if (!eh_str_eq(other, other_plain)) return AUDIT_REJECT_OTHER_DIFFERS;
    if (eh_str_is_blank(new_one)) return AUDIT_REJECT_EMPTY;
    if (eh_str_eq(new_one, old_one)) return AUDIT_REJECT_UNCHANGED;
    return AUDIT_REJECT_NONE;
}

/* meta->role is CONTROL where there is a plain pair of that id. */
static eh_status plain_pair(stager *s, eh_str id, const dataset_pair *row,
                            dataset_pair *plain, exam_meta *meta, eh_error *err) {
    int64_t pair_row;
    ledger_texts texts;
    *meta = (exam_meta){.role = EXAM_NONE};
    EH_TRY(ledger_find_pair(s->l, id, &pair_row, err));
    if (pair_row == 0) return EH_STATUS_OK;
    EH_TRY(ledger_pair_texts(s->l, pair_row, &texts, &s->arena, err));
    EH_TRY(exam_meta_read(texts.meta_json, &s->arena, meta, err));
    *plain = *row; /* category, models and the file's own members */
    plain->id = id;
    plain->question = texts.question;
    plain->answer_1 = texts.answer_1;
    plain->answer_2 = texts.answer_2;
    plain->reference = texts.reference;
    plain->turns_json = texts.turns_json;
    return EH_STATUS_OK;
}

/* Takes the record that a row has of itself. Whoever made it counted from where the
 * answer begins as it is asked, or as it stands in the data. */
static eh_status take_edits(stager *s, const json_value *list,
                            const dataset_pair *plain, const exam_meta *meta,
                            const variant *v, eh_error *err) {
    const audit_edges none = {EH_STR(""), EH_STR("")},
                      *edges = &meta->edges[v->side - 1];
    eh_str bare = v->side == 1 ? plain->answer_1 : plain->answer_2;
    EH_TRY(audit_edits_read(list, &s->change, err));
    eh_status status =
        audit_edits_settle(&s->change, bare, &none, v->text, &s->arena, err);
    if (status != EH_STATUS_DATA || edges->front.len + edges->back.len == 0)
        return status;
    EH_TRY(audit_edits_read(list, &s->change, err));
    eh_status again =
        audit_edits_settle(&s->change, bare, edges, v->text, &s->arena, NULL);
    return again == EH_STATUS_DATA ? status : again;
}

/* *why: BAD_EDITS where the record is wrong and bad rows may be left out. */
static eh_status keep_edits(stager *s, const file_row *row, const dataset_pair *plain,
                            const exam_meta *meta, variant *v, audit_reject *why,
                            eh_error *err) {
    if (!row->edits) return EH_STATUS_OK;
    eh_status status = take_edits(s, row->edits, plain, meta, v, err);
    v->change = &s->change;
    v->n_changes = 1;
    if (status != EH_STATUS_DATA) return status;
    *why = AUDIT_REJECT_BAD_EDITS;
    if (s->o->skip_bad) return EH_STATUS_OK;
    eh_error_prefix(err, "%s: line %lld", v->probe->file, (long long)v->line);
    return status;
}

static eh_status put_from_file(void *self, const dataset_pair *given,
                               int64_t *first_line, eh_error *err) {
    stager *s = self;
    dataset_pair pair = *given, plain;
    file_row row = {0};
    exam_meta meta;
    *first_line = 0;
    arena_reset(&s->arena);
    int64_t n_trimmed = tidy(s, &pair), earlier = 0;
    EH_TRY(read_row(s, &pair, &row, err));
    EH_TRY(plain_pair(s, row.control_id, &pair, &plain, &meta, err));
    audit_reject why = meta.role != EXAM_CONTROL ? AUDIT_REJECT_NO_CONTROL
                       : row.side == 0           ? AUDIT_REJECT_NO_SIDE
                                       : hold_against(&pair, &plain, row.side);
    variant v = {.role = EXAM_EXPERIMENT,
                 .probe = &s->o->probes[s->i_probe],
                 .side = row.side,
                 .text = row.side == 1 ? pair.answer_1 : pair.answer_2,
                 .n_trimmed = n_trimmed,
                 .line = pair.line};
    if (why == AUDIT_REJECT_NONE)
        EH_TRY(keep_edits(s, &row, &plain, &meta, &v, &why, err));
    if (why == AUDIT_REJECT_NONE) {
        EH_TRY(put_variant(s, &plain, &v, &earlier, err));
        if (earlier) why = AUDIT_REJECT_TWICE;
    }
    if (why != AUDIT_REJECT_NONE) {
        reject(s, s->i_probe, pair.id, pair.line, why);
        return EH_STATUS_OK;
    }
    s->staged->n_made[s->i_probe]++;
    s->staged->n_trimmed += n_trimmed;
    EH_TRY(put_padded(s, &plain, &v, err));
    return attack_worse(s, &plain, &v, err);
}

static eh_status read_one(stager *s, const dataset_options *data,
                          const dataset_stage *stage, eh_error *err) {
    const char *name = data->path ? data->path : data->questions;
    uint8_t digest[HASH_BYTES];
    dataset_counts counts = {0};
    EH_TRY(dataset_read(data, stage, s->o->faults, &counts, digest, err));
    hash_str(&s->digest, (eh_str){(const char *)digest, HASH_BYTES});
    if (counts.n_errors && !s->o->skip_bad)
        return EH_FAIL(err, EH_STATUS_DATA, "%s: %lld error%s in the data set", name,
                       (long long)counts.n_errors, counts.n_errors == 1 ? "" : "s");
    return EH_STATUS_OK;
}

static eh_status read_probe_file(stager *s, size_t i, const dataset_stage *stage,
                                 eh_error *err) {
    const exam_probe *probe = &s->o->probes[i];
    dataset_options data = {.path = probe->file, .map = s->o->data.map};
    s->i_probe = i;
    hash_str(&s->digest, probe->name);
    EH_TRY(read_one(s, &data, stage, err));
    if (s->staged->n_made[i]) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_DATA,
                   "%s: no row is a perturbed answer to a pair of the data set; rows "
                   "need control_id (or the pair's id) and perturbed (1 or 2)",
                   probe->file);
}

/* A join keeps its texts with the ledger. */
static eh_status put_text(void *self, int table, const dataset_text *text,
                          int64_t *first_line, eh_error *err) {
    const dataset_stage *inner = &((stager *)self)->inner;
    return inner->put_text(inner->self, table, text, first_line, err);
}

static eh_status get_text(void *self, int table, eh_str id, dataset_text *text,
                          bool *found, eh_error *err) {
    const dataset_stage *inner = &((stager *)self)->inner;
    return inner->get_text(inner->self, table, id, text, found, err);
}

static eh_status each_left(void *self, int table,
                           void (*each)(void *to, const dataset_text *text), void *to,
                           eh_error *err) {
    const dataset_stage *inner = &((stager *)self)->inner;
    return inner->each_left(inner->self, table, each, to, err);
}

static eh_status read_all(stager *s, eh_error *err) {
    dataset_stage plain = {s, put_plain, put_text, get_text, each_left};
    dataset_stage file = plain;
    file.put = put_from_file;
    EH_TRY(read_one(s, &s->o->data, &plain, err));
    for (size_t i = 0; i < s->o->n_probes; i++)
        if (s->o->probes[i].file) EH_TRY(read_probe_file(s, i, &file, err));
    for (size_t i = 0; i < s->o->n_attacks; i++)
        hash_str(&s->digest, s->o->attacks[i].name);
    if (s->o->n_attacks) hash_str(&s->digest, s->o->anchor);
    if (s->o->n_attacks && s->staged->n_weak == 0)
        return EH_FAIL(err, EH_STATUS_DATA,
                       "--attack: no pair has a weaker answer: the data have to name "
                       "two models in model_1 and model_2%s%.*s%s, or a probe such as "
                       "factual_error=FILE has to make answers worse",
                       s->o->anchor.len ? ", one of them '" : "",
                       EH_STR_ARG(s->o->anchor), s->o->anchor.len ? "'" : "");
    return EH_STATUS_OK;
}

eh_status exam_stage(ledger *l, const exam_stage_options *options, exam_staged *staged,
                     eh_error *err) {
    uint8_t digest[HASH_BYTES];
    const char *name =
        options->data.path ? options->data.path : options->data.questions;
    const char *slash = strrchr(name, '/');
    stager s = {.o = options, .staged = staged, .l = l, .inner = ledger_stage(l)};
    *staged = (exam_staged){0};
    s.reader = json_reader_new();
    if (!s.reader) return EH_NOMEM(err);
    arena_init(&s.arena, BUF_MAX_PROMPT);
    arena_init(&s.names, BUF_MAX_REPORT);
    hash_init(&s.digest, "eh-audit-scope-1");
    hash_i64(&s.digest, (int64_t)options->seed);
    eh_status status = ledger_stage_begin(l, err);
    if (status == EH_STATUS_OK) {
        status = read_all(&s, err);
        hash_done(&s.digest, digest);
        if (status == EH_STATUS_OK)
            status = ledger_stage_end(l, digest, slash ? slash + 1 : name,
                                      clock_now_ms(&options->clock), err);
        if (status != EH_STATUS_OK) ledger_rollback(l);
    }
    arena_deinit(&s.arena);
    arena_deinit(&s.names);
    json_reader_free(s.reader);
    return status;
}
