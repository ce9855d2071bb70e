/* SPDX-License-Identifier: MIT
 *
 * The form `json`: a verdict out of the objects of a reply (rules 22 to 27).
 *
 *   text --strict--> object ------------------------------------> reading
 *     \--no object--> every outermost {...} --strict or mended--> reading, reading...
 *
 * All readings, and all values of a key that stands twice in one object, must agree;
 * they are folded into one as they come, so that no number of objects costs memory. A
 * tree lives in an arena of its own that is emptied for the next object.
 *
 * Objects inside of objects are not looked at: a draft or an example inside the
 * evidence is no verdict. Values that are not what the schema asks for are never
 * interpreted beyond rules 25 and 26.
 */
#include "base/json_read.h"
#include "verdict/json_repair.h"
#include "verdict/read.h"

#include <math.h>
#include <strings.h>

enum { TREE_MIN_BYTES = 1 << 20 };

static const double SCORE_LOW = 1, SCORE_HIGH = 10, SCORE_EQUAL = 1e-9;

typedef enum score_kind {
    SCORE_ABSENT,
    SCORE_VALUE,
    SCORE_RANGE,
    SCORE_OFF
} score_kind;

typedef struct score {
    bool is_given; /* the key is there, perhaps without a number */
    score_kind kind;
    double value; /* SCORE_VALUE; may be off the scale */
} score;

/* What one object says, or all of them so far. */
typedef struct reading {
    bool has_verdict; /* the key is there */
    bool differs;     /* two values of one key, or two objects */
    verdict_choice choice;
    score scores[2];
} reading;

typedef struct json_form {
    eh_str text;
    eh_arena *arena; /* the caller's: folded values, tables */
    eh_arena tree;   /* one object */
    json_reader *reader;
    reading sum;
    size_t n_replaced_surrogates;
    eh_error *err;
} json_form;

static bool key_is(const json_value *member, const char *name) {
    return member->key.len == strlen(name) &&
           strncasecmp(member->key.ptr, name, member->key.len) == 0;
}

static eh_status read_verdict(json_form *f, const json_value *v,
                              verdict_choice *choice) {
    double number = 0;
    verdict_span inside;
    eh_str text = v->text;
    *choice = VERDICT_CHOICE_NONE;
    if (v->kind == JSON_NUMBER) {
        if (!eh_str_to_f64(text, &number)) return EH_STATUS_OK;
        if (number == 1) *choice = VERDICT_CHOICE_1;
        if (number == 2) *choice = VERDICT_CHOICE_2;
        return EH_STATUS_OK;
    }
    if (v->kind != JSON_STRING) return EH_STATUS_OK;
    EH_TRY(verdict_fold(text, f->arena, &text, f->err));
    text = eh_str_trim(text);
    if (eh_str_eq_cstr(text, "1")) {
        *choice = VERDICT_CHOICE_1;
    } else if (eh_str_eq_cstr(text, "2")) {
        *choice = VERDICT_CHOICE_2;
    } else if (verdict_token_end(text, 0, &inside) == text.len && text.len > 0) {
        *choice = verdict_token_choice(eh_str_slice(text, inside.begin, inside.end));
    } else {
        *choice = verdict_alias_choice(text);
    }
    return EH_STATUS_OK;
}

static score_kind kind_of(verdict_number_kind kind) {
    switch (kind) {
    case VERDICT_NUMBER_VALUE: return SCORE_VALUE;
    case VERDICT_NUMBER_RANGE: return SCORE_RANGE;
    case VERDICT_NUMBER_OFF_SCALE: return SCORE_OFF;
    case VERDICT_NUMBER_NONE: break;
    }
    return SCORE_ABSENT;
}

static eh_status read_score(json_form *f, const json_value *v, score *s) {
    *s = (score){.is_given = true};
    if (v->kind == JSON_NUMBER) {
        s->kind = eh_str_to_f64(v->text, &s->value) ? SCORE_VALUE : SCORE_OFF;
    } else if (v->kind == JSON_STRING) {
        eh_str text;
        EH_TRY(verdict_fold(v->text, f->arena, &text, f->err));
        verdict_number number = verdict_number_read(eh_str_trim(text), 0, SCORE_HIGH);
        s->kind = kind_of(number.kind);
        s->value = number.value;
    }
    return EH_STATUS_OK;
}

static bool scores_agree(score a, score b) {
    if (a.is_given != b.is_given || a.kind != b.kind) return false;
    return a.kind != SCORE_VALUE || fabs(a.value - b.value) <= SCORE_EQUAL;
}

/* A member's value; a second value of its key must be the first one. */
static eh_status read_member(json_form *f, const json_value *member, reading *r) {
    if (key_is(member, "verdict")) {
        verdict_choice choice;
        EH_TRY(read_verdict(f, member, &choice));
        r->differs = r->differs || (r->has_verdict && choice != r->choice);
        r->has_verdict = true;
        r->choice = choice;
        return EH_STATUS_OK;
    }
    for (size_t i = 0; i < 2; i++) {
        if (!key_is(member, i == 0 ? "score_1" : "score_2")) continue;
        score now;
        EH_TRY(read_score(f, member, &now));
        r->differs =
            r->differs || (r->scores[i].is_given && !scores_agree(now, r->scores[i]));
        r->scores[i] = now;
    }
    return EH_STATUS_OK;
}

static eh_status add_object(json_form *f, const json_value *object) {
    reading r = {0};
    for (const json_value *m = object->child; m; m = m->next)
        EH_TRY(read_member(f, m, &r));
    if (!r.has_verdict) return EH_STATUS_OK;
    if (f->sum.has_verdict)
        r.differs = r.differs || f->sum.differs || r.choice != f->sum.choice ||
                    !scores_agree(r.scores[0], f->sum.scores[0]) ||
                    !scores_agree(r.scores[1], f->sum.scores[1]);
    f->sum = r;
    return EH_STATUS_OK;
}

/* One strict reading; *object is NULL where the text is no object. */
static eh_status read_strictly(json_form *f, eh_str text, const json_value **object) {
    json_fault fault;
    arena_reset(&f->tree);
    *object = json_read(f->reader, &f->tree, text, &fault);
    if (!*object && fault.kind == JSON_FAULT_NOMEM) return EH_NOMEM(f->err);
    if (*object && (*object)->kind != JSON_OBJECT) *object = NULL;
    if (*object) f->n_replaced_surrogates += fault.n_replaced_surrogates;
    return EH_STATUS_OK;
}

/* Prose and hostile replies are full of braces: what cannot hold the key needs no
 * parser. A backslash may hide it (\u0076erdict). */
static bool may_hold_verdict(eh_str text) {
    if (text.len && memchr(text.ptr, '\\', text.len)) return true;
    for (size_t i = 0; i + 7 <= text.len; i++)
        if ((text.ptr[i] | 0x20) == 'v' && strncasecmp(text.ptr + i, "verdict", 7) == 0)
            return true;
    return false;
}

/* One outermost {...} of the text. */
static eh_status read_candidate(json_form *f, eh_str candidate) {
    const json_value *object;
    if (!may_hold_verdict(candidate)) return EH_STATUS_OK;
    EH_TRY(read_strictly(f, candidate, &object));
    if (!object) {
        eh_str repaired;
        EH_TRY(verdict_json_repair(candidate, f->arena, &repaired, f->err));
        EH_TRY(read_strictly(f, repaired, &object));
    }
    return object ? add_object(f, object) : EH_STATUS_OK;
}

static eh_status read_outermost(json_form *f) {
    const uint32_t *closings;
    EH_TRY(verdict_json_closings(f->text, f->arena, &closings, f->err));
    size_t at = 0;
    while ((at = eh_str_find(f->text, EH_STR("{"), at)) != SIZE_MAX) {
        size_t end = at;
        if (closings[at] != VERDICT_JSON_OPEN) {
            end = closings[at];
            EH_TRY(read_candidate(f, eh_str_slice(f->text, at, end + 1)));
        }
        at = end + 1;
    }
    return EH_STATUS_OK;
}

static eh_status read_text(json_form *f) {
    const json_value *object;
    if (!may_hold_verdict(f->text)) return EH_STATUS_OK;
    EH_TRY(read_strictly(f, f->text, &object));
    return object ? add_object(f, object) : read_outermost(f);
}

static bool has_kind(const reading *r, score_kind kind) {
    return r->scores[0].kind == kind || r->scores[1].kind == kind;
}

static verdict_choice compare_scores(double first, double second) {
    if (fabs(first - second) <= SCORE_EQUAL) return VERDICT_CHOICE_TIE;
    return first > second ? VERDICT_CHOICE_1 : VERDICT_CHOICE_2;
}

static bool is_off_scale(score s) {
    bool is_on = s.value >= SCORE_LOW && s.value <= SCORE_HIGH;
    return s.kind == SCORE_OFF || (s.kind == SCORE_VALUE && !is_on);
}

/* The reasons in their order of precedence. */
static verdict_reason reason_of(const reading *r, bool both) {
    if (!r->has_verdict) return VERDICT_REASON_NO_VERDICT;
    if (r->differs || r->choice == VERDICT_CHOICE_CONFLICT || has_kind(r, SCORE_RANGE))
        return VERDICT_REASON_AMBIGUOUS;
    if (r->choice == VERDICT_CHOICE_NONE) return VERDICT_REASON_NO_VERDICT;
    if (both && compare_scores(r->scores[0].value, r->scores[1].value) != r->choice)
        return VERDICT_REASON_AMBIGUOUS;
    if (is_off_scale(r->scores[0]) || is_off_scale(r->scores[1]))
        return VERDICT_REASON_OUT_OF_RANGE;
    return VERDICT_REASON_NONE;
}

static void decide(const json_form *f, verdict_result *result) {
    const reading *r = &f->sum;
    bool both = r->scores[0].kind == SCORE_VALUE && r->scores[1].kind == SCORE_VALUE;
    if (f->n_replaced_surrogates)
        result->warnings |= 1u << VERDICT_WARNING_BIT_REPLACED_SURROGATE;
    result->reason = reason_of(r, both);
    if (result->reason != VERDICT_REASON_NONE) return;
    result->verdict = r->choice == VERDICT_CHOICE_1   ? EH_VERDICT_1
                      : r->choice == VERDICT_CHOICE_2 ? EH_VERDICT_2
                                                      : EH_VERDICT_TIE;
    if (!both) return;
    result->has_scores = true;
    result->score_1 = r->scores[0].value;
    result->score_2 = r->scores[1].value;
}

eh_status verdict_read_json(eh_str text, eh_arena *arena, verdict_result *result,
                            eh_error *err) {
    json_form f = {.text = text, .arena = arena, .err = err};
    f.reader = json_reader_new();
    if (!f.reader) return EH_NOMEM(err);
    /* "[0,0,..." takes most: a value for every second byte, and twice that on a fault.
     */
    arena_init(&f.tree, text.len * 128 + TREE_MIN_BYTES);
    eh_status status = read_text(&f);
    if (status == EH_STATUS_OK) decide(&f, result);
    arena_deinit(&f.tree);
    json_reader_free(f.reader);
    return status;
}
