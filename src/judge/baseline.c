/* SPDX-License-Identifier: MIT
 *
 * Baselines to beat: `longest` and `overlap`.
 *
 * A judge that does not agree with people more often than "the longer answer" has
 * shown nothing. Both look at the texts and not at a prompt, see no slot and cost
 * nothing.
 *
 *   longest   the answer with more code points; equal lengths are a tie
 *   overlap   the answer that shares more distinct words with the reference, or with
 *             the question where there is no reference, as a share of those words
 *
 * Words are runs of ASCII letters and digits (lower case) and single other code points,
 * which serves scripts without spaces well enough for a baseline.
 */
#include "base/mem.h"
#include "base/utf8.h"
#include "judge/local.h"

static eh_verdict more(double first, double second) {
    return first > second   ? EH_VERDICT_1
           : first < second ? EH_VERDICT_2
                            : EH_VERDICT_TIE;
}

static eh_status answer_longest(judge_local *l, const judge_request *request,
                                int sample, eh_arena *arena, judge_reply *reply,
                                eh_error *err) {
    (void)l, (void)sample, (void)arena, (void)err;
    reply->outcome = JUDGE_OUTCOME_RECORDED;
    reply->recorded.verdict = more((double)utf8_count_cp(request->shown.first),
                                   (double)utf8_count_cp(request->shown.second));
    return EH_STATUS_OK;
}

/* An open-addressing set of word hashes; 0 marks an empty place. */
typedef struct word_set {
    uint64_t *slots; /* [cap], cap a power of two */
    size_t cap, n;
} word_set;

static bool set_add(word_set *set, uint64_t word) {
    if (word == 0) word = 1;
    for (size_t i = word & (set->cap - 1);; i = (i + 1) & (set->cap - 1)) {
        if (set->slots[i] == word) return false;
        if (set->slots[i] == 0) {
            set->slots[i] = word;
            set->n++;
            return true;
        }
    }
}

static bool set_has(const word_set *set, uint64_t word) {
    if (word == 0) word = 1;
    for (size_t i = word & (set->cap - 1);; i = (i + 1) & (set->cap - 1)) {
        if (set->slots[i] == word) return true;
        if (set->slots[i] == 0) return false;
    }
}

static bool is_word_byte(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/* The next word's hash (FNV-1a over lower case); false at the end. */
static bool next_word(eh_str s, size_t *at, uint64_t *word) {
    while (*at < s.len && !is_word_byte(s.ptr[*at]) && (unsigned char)s.ptr[*at] < 0x80)
        (*at)++;
    if (*at >= s.len) return false;
    size_t begin = *at;
    if ((unsigned char)s.ptr[*at] >= 0x80)
        (void)utf8_next(s, at);
    else
        while (*at < s.len && is_word_byte(s.ptr[*at]))
            (*at)++;
    uint64_t h = 0xCBF29CE484222325u;
    for (size_t i = begin; i < *at; i++) {
        unsigned char c = (unsigned char)s.ptr[i];
        if (c >= 'A' && c <= 'Z') c = (unsigned char)(c + 32);
        h = (h ^ c) * 0x100000001B3u;
    }
    *word = h;
    return true;
}

static bool set_of(eh_str text, eh_arena *arena, word_set *set) {
    size_t cap = 16;
    while (cap < 2 * (text.len + 1))
        cap *= 2;
    *set = (word_set){.slots = arena_zalloc(arena, cap, sizeof(uint64_t)), .cap = cap};
    if (!set->slots) return false;
    uint64_t word;
    for (size_t at = 0; next_word(text, &at, &word);)
        (void)set_add(set, word);
    return true;
}

/* Share of the target's distinct words that the answer has. */
static bool overlap_share(eh_str answer, const word_set *target, eh_arena *arena,
                          double *share) {
    word_set own;
    if (!set_of(answer, arena, &own)) return false;
    size_t n_shared = 0;
    for (size_t i = 0; i < own.cap; i++)
        n_shared += own.slots[i] != 0 && set_has(target, own.slots[i]);
    *share = target->n ? (double)n_shared / (double)target->n : 0;
    return true;
}

static eh_status answer_overlap(judge_local *l, const judge_request *request,
                                int sample, eh_arena *arena, judge_reply *reply,
                                eh_error *err) {
    (void)l, (void)sample;
    const judge_shown *shown = &request->shown;
    eh_str target_text =
        eh_str_is_blank(shown->reference) ? shown->question : shown->reference;
    word_set target;
    double first = 0, second = 0;
    if (!set_of(target_text, arena, &target) ||
        !overlap_share(shown->first, &target, arena, &first) ||
        !overlap_share(shown->second, &target, arena, &second))
        return EH_NOMEM(err);
    reply->outcome = JUDGE_OUTCOME_RECORDED;
    reply->recorded.verdict = more(first, second);
    return EH_STATUS_OK;
}

static eh_status baseline_open(const judge_open_args *args,
                               const judge_backend *backend, judge_local_answer *answer,
                               judge **out, eh_error *err) {
    if (args->spec.len)
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "judge %s takes no parameters: leave out ':%.*s'", backend->name,
                       EH_STR_ARG(args->spec));
    judge_local *l = mem_zalloc(1, sizeof *l);
    if (!l) return EH_NOMEM(err);
    l->base.id = eh_str_of(backend->name);
    eh_status status = judge_local_init(l, backend, args, answer, err);
    if (status == EH_STATUS_OK) {
        *out = &l->base;
    } else {
        judge_local_deinit(l);
        mem_free(l);
    }
    return status;
}

static void baseline_close(judge *j) {
    judge_local_deinit((judge_local *)j);
    mem_free(j);
}

static eh_status longest_open(const judge_open_args *args, judge **out, eh_error *err) {
    return baseline_open(args, &judge_backend_longest, answer_longest, out, err);
}

static eh_status overlap_open(const judge_open_args *args, judge **out, eh_error *err) {
    return baseline_open(args, &judge_backend_overlap, answer_overlap, out, err);
}

const judge_backend judge_backend_longest = {
    .name = "longest",
    .form = "longest",
    .open = longest_open,
    .close = baseline_close,
    .submit = judge_local_submit,
    .poll = judge_local_poll,
};

const judge_backend judge_backend_overlap = {
    .name = "overlap",
    .form = "overlap",
    .open = overlap_open,
    .close = baseline_close,
    .submit = judge_local_submit,
    .poll = judge_local_poll,
};
