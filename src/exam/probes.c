/* SPDX-License-Identifier: MIT
 *
 * The list of probes as users write it, and the place where a row says what it is.
 */
#include "base/json_read.h"
#include "base/suggest.h"
#include "base/utf8.h"
#include "exam/stage.h"

static eh_status fail_unknown(eh_str name, eh_error *err) {
    eh_buf names;
    suggest near = suggest_for(name);
    buf_init(&names, BUF_MAX_SMALL);
    for (size_t i = 0; audit_probe_at(i); i++) {
        buf_printf(&names, "%s%s", i ? ", " : "", audit_probe_at(i)->name);
        suggest_offer(&near, eh_str_of(audit_probe_at(i)->name));
    }
    eh_status status = EH_FAIL(err, EH_STATUS_USAGE,
                               "unknown probe '%.*s': use one of %.*s, or your own as "
                               "NAME:FORM=FILE" SUGGEST_FORMAT,
                               EH_STR_ARG(utf8_cut(name, AUDIT_NAME_MAX)),
                               EH_STR_ARG(buf_view(&names)), SUGGEST_ARGS(near));
    buf_deinit(&names);
    return status;
}

static eh_status parse_one(eh_str text, eh_arena *arena, exam_probe *probe,
                           eh_error *err) {
    audit_probe_text read;
    EH_TRY(audit_probe_read(text, &read, err));
    *probe = (exam_probe){.name = read.name, .known = read.known, .form = read.form};
    if (!read.known && (!read.says_form || eh_str_is_absent(read.file)))
        return fail_unknown(read.name, err);
    if (!eh_str_is_absent(read.file)) {
        probe->file = arena_dup(arena, read.file);
        return probe->file ? EH_STATUS_OK : EH_NOMEM(err);
    }
    if (probe->known->rule) return EH_STATUS_OK;
    return EH_FAIL(err, EH_STATUS_USAGE,
                   "probe %s has no rule: give a file of perturbed pairs, %s=FILE",
                   probe->known->name, probe->known->name);
}

static void default_probes(exam_probe *probes, size_t *n) {
    for (size_t i = 0; audit_probe_at(i); i++) {
        const audit_probe *p = audit_probe_at(i);
        if (p->rule)
            probes[(*n)++] =
                (exam_probe){.name = eh_str_of(p->name), .known = p, .form = p->form};
    }
}

eh_status exam_probes_parse(eh_str list, eh_arena *arena, exam_probe **probes,
                            size_t *n, eh_error *err) {
    eh_str rest = list, part;
    *n = 0;
    *probes = arena_zalloc(arena, AUDIT_PROBES_MAX, sizeof **probes);
    if (!*probes) return EH_NOMEM(err);
    if (eh_str_is_absent(list)) default_probes(*probes, n);
    while (rest.ptr && eh_str_split(&rest, ',', &part)) {
        if (*n == AUDIT_PROBES_MAX)
            return EH_FAIL(err, EH_STATUS_USAGE, "--probes: at most %d may be given",
                           AUDIT_PROBES_MAX);
        exam_probe *p = &(*probes)[*n];
        EH_TRY(parse_one(eh_str_trim(part), arena, p, err));
        for (size_t i = 0; i < *n; i++)
            if (eh_str_eq((*probes)[i].name, p->name))
                return EH_FAIL(err, EH_STATUS_USAGE, "probe %.*s is given twice",
                               EH_STR_ARG(p->name));
        ++*n;
    }
    return EH_STATUS_OK;
}

/* ---- meta ---- */

static int64_t get_i64(const json_value *object, const char *key) {
    const json_value *v = json_get(object, key);
    int64_t value;
    return v && eh_str_to_i64(v->text, &value) ? value : 0;
}

static void get_edges(const json_value *audit, const char *key, audit_edges *edges) {
    const json_value *list = json_get(audit, key);
    const json_value *front = list && list->n == 2 ? list->child : NULL;
    *edges = (audit_edges){front ? front->text : EH_STR(""),
                           front ? front->next->text : EH_STR("")};
}

eh_status exam_meta_read(eh_str meta_json, eh_arena *arena, exam_meta *meta,
                         eh_error *err) {
    static const char *const roles[] = {"", "control", "experiment", "padded",
                                        "attack"};
    json_fault fault;
    *meta = (exam_meta){.role = EXAM_NONE};
    if (eh_str_find(meta_json, EH_STR("\"audit\""), 0) == SIZE_MAX) return EH_STATUS_OK;
    json_reader *reader = json_reader_new();
    if (!reader) return EH_NOMEM(err);
    const json_value *root = json_read(reader, arena, meta_json, &fault);
    json_reader_free(reader);
    if (!root && fault.kind == JSON_FAULT_NOMEM) return EH_NOMEM(err);
    const json_value *audit = json_get(root, "audit");
    eh_str role = json_get_str(audit, "role");
    for (int i = EXAM_CONTROL; i <= EXAM_ATTACK; i++)
        if (eh_str_eq_cstr(role, roles[i])) meta->role = (exam_role)i;
    meta->probe = json_get_str(audit, "probe");
    meta->control = json_get_str(audit, "control");
    meta->form = eh_str_eq_cstr(json_get_str(audit, "form"), "oversight")
                     ? AUDIT_OVERSIGHT
                     : AUDIT_SUSCEPTIBILITY;
    meta->perturbed = (int)get_i64(audit, "perturbed");
    meta->n_trimmed = get_i64(audit, "trimmed");
    meta->weak = json_get_str(audit, "weak");
    meta->edits = json_get(audit, "edits");
    get_edges(audit, "edges_1", &meta->edges[0]);
    get_edges(audit, "edges_2", &meta->edges[1]);
    const json_value *worse = json_get(audit, "worse");
    meta->is_worse = worse && worse->kind == JSON_BOOL && worse->boolean;
    return EH_STATUS_OK;
}
