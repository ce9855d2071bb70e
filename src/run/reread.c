/* SPDX-License-Identifier: MIT
 *
 * Re-reading.
 *
 * A better reader must not cost a second run: replies are kept, so their verdicts can
 * be read again and compared. Each reply is read by the template it was asked with,
 * whose text the ledger holds, or by one template for all, which is how recordings of
 * other tools are read by rule. What does not change is stamped with the new reader's
 * version; what changes is replaced and reported.
 *
 * Templates are parsed once as long as neighbouring replies share one. Left out: calls
 * without a text (content filters, transport), which have nothing to be read.
 */
#include "run/reread.h"

typedef struct rereader {
    ledger *l;
    const run_reread_options *o;
    run_reread_counts *counts;
    prompt_template *own; /* of the last reply; NULL at first */
    eh_arena page_arena, arena;
} rereader;

static bool same_reading(const verdict_result *a, const verdict_result *b) {
    return a->verdict == b->verdict && a->reason == b->reason &&
           a->likert == b->likert && a->has_scores == b->has_scores &&
           (!a->has_scores || (a->score_1 == b->score_1 && a->score_2 == b->score_2));
}

/* The template for a reply; NULL when it was recorded elsewhere and none is given. */
static eh_status template_for(rereader *r, const ledger_reply *reply,
                              const prompt_template **t, eh_error *err) {
    *t = r->o->t;
    if (*t || reply->template_text.len == 0) return EH_STATUS_OK;
    if (!r->own || !eh_str_eq(r->own->source, reply->template_text)) {
        prompt_template_free(r->own);
        EH_TRY(prompt_template_parse(reply->template_text, "the ledger's template",
                                     &r->own, err));
    }
    *t = r->own;
    return EH_STATUS_OK;
}

static eh_status take_reply(rereader *r, const ledger_reply *reply, eh_error *err) {
    const prompt_template *t;
    verdict_result result;
    r->counts->n_replies++;
    EH_TRY(template_for(r, reply, &t, err));
    if (!t) {
        r->counts->n_skipped++;
        return EH_STATUS_OK;
    }
    verdict_reply parts = {.content = reply->content,
                           .finish_reason = reply->finish_reason,
                           .refusal = reply->refusal};
    arena_reset(&r->arena);
    EH_TRY(verdict_read(&t->form, &parts, &r->arena, &result, err));
    r->counts->n_read++;
    r->counts->moves[reply->result.verdict][result.verdict]++;
    if (!same_reading(&reply->result, &result)) {
        run_reread_change change = {reply->call_row, reply->judge, &reply->result,
                                    &result};
        r->counts->n_changed++;
        if (r->o->on_change) r->o->on_change(r->o->self, &change);
    } else if (reply->reader == VERDICT_READER_VERSION) {
        return EH_STATUS_OK;
    }
    if (r->o->dry_run) return EH_STATUS_OK;
    return ledger_sample_replace(r->l, reply->call_row, &result, VERDICT_READER_VERSION,
                                 err);
}

static eh_status take_all(rereader *r, eh_error *err) {
    enum { PAGE = 64 };
    int64_t after = 0;
    for (;;) {
        ledger_reply page[PAGE];
        size_t n;
        arena_reset(&r->page_arena);
        EH_TRY(ledger_replies_page(r->l, after, page, PAGE, &n, &r->page_arena, err));
        if (n == 0) return ledger_commit(r->l, err);
        for (size_t i = 0; i < n; i++)
            EH_TRY(take_reply(r, &page[i], err));
        EH_TRY(ledger_commit(r->l, err));
        after = page[n - 1].call_row;
    }
}

eh_status run_reread(ledger *l, const run_reread_options *options,
                     run_reread_counts *counts, eh_error *err) {
    *counts = (run_reread_counts){0};
    rereader r = {.l = l, .o = options, .counts = counts};
    arena_init(&r.page_arena, (size_t)4 << 30);
    arena_init(&r.arena, (size_t)1 << 30);
    eh_status status = take_all(&r, err);
    if (status != EH_STATUS_OK) ledger_rollback(l);
    prompt_template_free(r.own);
    arena_deinit(&r.page_arena);
    arena_deinit(&r.arena);
    return status;
}
