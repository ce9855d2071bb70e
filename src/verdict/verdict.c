/* SPDX-License-Identifier: MIT
 *
 * The entry of the verdict reader: what holds for every form.
 *
 *   reply --status--> content --reasoning--> text --form--> result --refusal--> result
 *          rules 1, 2          rule 3, 4           8 to 33            7
 *
 * Status comes first, so that a cut or filtered reply never gives a verdict, however
 * complete its text looks. Then each form reads the text alone. A refusal in words is
 * looked for last and only where the form found nothing: a judge that apologises and
 * then decides has decided.
 *
 * Bytes that are no UTF-8 become U+FFFD here, once, so that no form has to care.
 *
 * Left out: un-swapping (the caller knows the order shown), tool calls and reasoning
 * fields (they are never handed in).
 */
#include "verdict/read.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "verdict/scan.h"

static const char *const reason_names[VERDICT_REASON_N] = {
#define X(id, name) [VERDICT_REASON_##id] = (name),
    VERDICT_REASON_LIST(X)
#undef X
};

static const char *const form_names[VERDICT_FORM_N] = {
#define X(id, name) [VERDICT_FORM_##id] = (name),
    VERDICT_FORM_LIST(X)
#undef X
};

static const char *const warning_names[VERDICT_WARNING_N] = {
#define X(id, name) [VERDICT_WARNING_BIT_##id] = (name),
    VERDICT_WARNING_LIST(X)
#undef X
};

const char *verdict_form_name(verdict_form_kind kind) {
    return kind < VERDICT_FORM_N ? form_names[kind] : "unknown";
}

const char *verdict_reason_name(verdict_reason reason) {
    return reason < VERDICT_REASON_N ? reason_names[reason] : "unspecified";
}

verdict_reason verdict_reason_parse(eh_str name) {
    for (int i = 0; i < VERDICT_REASON_N; i++) {
        if (eh_str_eq_cstr(name, reason_names[i])) return (verdict_reason)i;
    }
    return VERDICT_REASON_UNSPECIFIED;
}

const char *verdict_warning_name(verdict_warning warning) {
    return warning < VERDICT_WARNING_N ? warning_names[warning] : "";
}

/* Rule 2. */
static verdict_reason status_reason(const verdict_reply *reply) {
    if (eh_str_eq_cstr(reply->finish_reason, "content_filter"))
        return VERDICT_REASON_CONTENT_FILTER;
    if (reply->refusal.len > 0) return VERDICT_REASON_REFUSAL;
    if (eh_str_eq_cstr(reply->finish_reason, "length")) return VERDICT_REASON_TRUNCATED;
    return VERDICT_REASON_NONE;
}

/* The text itself when it is valid, otherwise a mended copy in the arena. */
static eh_status mend_utf8(eh_str content, eh_arena *arena, eh_str *text,
                           eh_error *err) {
    *text = content;
    size_t plain = scan_ascii(content, 0);
    eh_str rest = eh_str_slice(content, plain, content.len);
    size_t bad = utf8_first_invalid(rest);
    if (bad == SIZE_MAX) return EH_STATUS_OK;
    eh_buf out;
    buf_init(&out, 3 * content.len + 1);
    buf_add(&out, content.ptr, plain);
    while (bad != SIZE_MAX) {
        buf_add(&out, rest.ptr, bad);
        utf8_add(&out, 0xFFFD);
        rest = eh_str_slice(rest, bad + 1, rest.len);
        bad = utf8_first_invalid(rest);
    }
    buf_add_str(&out, rest);
    eh_status status = buf_check(&out, "a mended reply", err);
    if (status == EH_STATUS_OK && !arena_copy(arena, buf_view(&out), text))
        status = EH_NOMEM(err);
    buf_deinit(&out);
    return status;
}

static eh_status read_form(const verdict_form *form, eh_str text, eh_arena *arena,
                           verdict_result *result, eh_error *err) {
    switch (form->kind) {
    case VERDICT_FORM_SCORE: return verdict_read_score(text, arena, result, err);
    case VERDICT_FORM_COMPARE: return verdict_read_compare(text, arena, result, err);
    case VERDICT_FORM_LIKERT: return verdict_read_likert(text, arena, result, err);
    case VERDICT_FORM_JSON: return verdict_read_json(text, arena, result, err);
    case VERDICT_FORM_MARKS:
        return verdict_read_marks(form->marks, text, arena, result, err);
    case VERDICT_FORM_SINGLE: return verdict_read_single(text, arena, result, err);
    case VERDICT_FORM_N: break;
    }
    return EH_FAIL(err, EH_STATUS_USAGE, "unknown form of verdict: %d",
                   (int)form->kind);
}

/* Rule 7: only these two reasons can turn out to be a refusal. */
static eh_status check_refusal(eh_str text, eh_arena *arena, verdict_result *result,
                               eh_error *err) {
    if (result->reason != VERDICT_REASON_NO_VERDICT &&
        result->reason != VERDICT_REASON_AMBIGUOUS)
        return EH_STATUS_OK;
    eh_str folded;
    EH_TRY(verdict_fold(text, arena, &folded, err));
    if (verdict_is_refusal(folded)) result->reason = VERDICT_REASON_REFUSAL;
    return EH_STATUS_OK;
}

eh_status verdict_read(const verdict_form *form, const verdict_reply *reply,
                       eh_arena *arena, verdict_result *result, eh_error *err) {
    *result = (verdict_result){.reason = status_reason(reply)};
    if (result->reason != VERDICT_REASON_NONE) return EH_STATUS_OK;

    eh_str content, text;
    EH_TRY(mend_utf8(reply->content, arena, &content, err));
    EH_TRY(verdict_strip_reasoning(content, arena, &text, err));
    if (verdict_is_empty(text)) {
        result->reason = VERDICT_REASON_EMPTY;
        return EH_STATUS_OK;
    }
    EH_TRY(read_form(form, text, arena, result, err));
    EH_TRY(check_refusal(text, arena, result, err));
    if (result->reason != VERDICT_REASON_NONE) {
        /* One score of two is not reported, nor the rating of a failed sample. */
        *result =
            (verdict_result){.reason = result->reason, .warnings = result->warnings};
    }
    return EH_STATUS_OK;
}
