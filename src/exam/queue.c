/* SPDX-License-Identifier: MIT
 *
 * Sets of an audit, by what its rows say of themselves (meta), not by their texts: so a
 * control and its twins are known as such whatever became of their questions.
 */
#include "exam/queue.h"

#include "exam/stage.h"

/* The plain pair behind the pair that is attacked. */
static eh_str root_of(const exam_meta *meta) {
    size_t tail = meta->weak.len + 1; /* "~PROBE" */
    if (meta->role != EXAM_ATTACK || !meta->is_worse || meta->control.len <= tail)
        return meta->control;
    return eh_str_slice(meta->control, 0, meta->control.len - tail);
}

eh_status exam_queue_place(ledger *l, int64_t pair_row, eh_str pair_id,
                           run_queue_place *place, eh_error *err) {
    eh_arena arena;
    eh_str json;
    exam_meta meta = {.role = EXAM_NONE};
    arena_init(&arena, BUF_MAX_PROMPT);
    eh_status status = ledger_pair_meta(l, pair_row, &arena, &json, err);
    if (status == EH_STATUS_OK) status = exam_meta_read(json, &arena, &meta, err);
    bool is_made = meta.role != EXAM_NONE && meta.role != EXAM_CONTROL;
    *place = (run_queue_place){
        .set = plan_pair_content(is_made ? root_of(&meta) : pair_id),
        .leave_out = meta.role == EXAM_PADDED || meta.role == EXAM_ATTACK};
    arena_deinit(&arena);
    return status;
}
