/* SPDX-License-Identifier: MIT
 *
 * What all rules share: edits become a text, and a text is held against its edits.
 *
 *   original   ....|.......|.....        edits: where, how much goes, what comes
 *   perturbed  ....[new]...|.....[new]   between them both texts are byte for byte
 * alike
 *
 * The check does not ask the rule: it walks both texts along the record, and each edit
 * must be of a kind that the rule may make. So a record that leaves something out, or a
 * rule that does more than it says, is found.
 *
 * Left out: any judgement whether the new text reads well.
 */
#include "audit/perturb.h"

#include <unicode/uchar.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/utf8.h"

const char *audit_reject_name(audit_reject why) {
    static const char *const names[] = {
#define X(id, name, text) name,
        AUDIT_REJECT_LIST(X)
#undef X
    };
    return names[why];
}

const char *audit_reject_text(audit_reject why) {
    static const char *const texts[] = {
#define X(id, name, text) text,
        AUDIT_REJECT_LIST(X)
#undef X
    };
    return texts[why];
}

bool audit_edit_add(audit_change *change, size_t at_byte, eh_str inserted) {
    if (change->n_edits == AUDIT_EDITS_MAX) return false;
    change->edits[change->n_edits++] =
        (audit_edit){.at_byte = at_byte, .inserted = inserted};
    return true;
}

bool audit_check(eh_str original, const audit_change *change, audit_allows *allows) {
    eh_str text = change->text;
    size_t from = 0, to = 0; /* how far the original and the text are walked */
    for (size_t i = 0; i < change->n_edits; i++) {
        const audit_edit *e = &change->edits[i];
        if (e->at_byte < from || e->at_byte > original.len ||
            e->n_removed_bytes > original.len - e->at_byte ||
            (allows && !allows(original, e)))
            return false;
        size_t n_kept = e->at_byte - from;
        if (n_kept + e->inserted.len > text.len - to ||
            !eh_str_eq(eh_str_slice(original, from, e->at_byte),
                       eh_str_slice(text, to, to + n_kept)) ||
            !eh_str_eq(e->inserted,
                       eh_str_slice(text, to + n_kept, to + n_kept + e->inserted.len)))
            return false;
        from = e->at_byte + e->n_removed_bytes;
        to += n_kept + e->inserted.len;
    }
    return eh_str_eq(eh_str_slice(original, from, original.len),
                     eh_str_slice(text, to, text.len)) &&
           !eh_str_eq(original, text);
}

static eh_status write_text(eh_str original, audit_change *change, eh_arena *arena,
                            eh_error *err) {
    eh_buf out;
    size_t from = 0;
    buf_init(&out, BUF_MAX_LINE);
    for (size_t i = 0; i < change->n_edits; i++) {
        const audit_edit *e = &change->edits[i];
        buf_add_str(&out, eh_str_slice(original, from, e->at_byte));
        buf_add_str(&out, e->inserted);
        from = e->at_byte + e->n_removed_bytes;
    }
    buf_add_str(&out, eh_str_slice(original, from, original.len));
    eh_status status = buf_check(&out, "a perturbed answer", err);
    if (status == EH_STATUS_OK && !arena_copy(arena, buf_view(&out), &change->text))
        status = EH_NOMEM(err);
    buf_deinit(&out);
    return status;
}

eh_status audit_perturb(audit_rule *rule, audit_allows *allows,
                        const audit_input *input, eh_arena *arena, audit_change *change,
                        eh_error *err) {
    change->text = (eh_str){NULL, 0};
    change->n_edits = 0;
    change->reject = AUDIT_REJECT_NONE;
    if (eh_str_is_blank(input->answer)) {
        change->reject = AUDIT_REJECT_EMPTY;
        return EH_STATUS_OK;
    }
    EH_TRY(rule(input, arena, change, err));
    if (change->reject != AUDIT_REJECT_NONE) return EH_STATUS_OK;
    EH_TRY(write_text(input->answer, change, arena, err));
    if (!audit_check(input->answer, change, allows))
        change->reject = AUDIT_REJECT_BROKEN_RULE;
    return EH_STATUS_OK;
}

eh_str audit_normalise(eh_str answer, int64_t *n_bytes) {
    eh_str bare = eh_str_trim(answer);
    *n_bytes += (int64_t)(answer.len - bare.len);
    return bare;
}

uint64_t audit_content(eh_str question, eh_str answer) {
    eh_hash h;
    uint8_t digest[HASH_BYTES];
    hash_init(&h, "eh-audit-1");
    hash_str(&h, question);
    hash_str(&h, answer);
    hash_done(&h, digest);
    return hash_u64(digest);
}

int audit_side(uint64_t seed, eh_str question, eh_str answer_1, eh_str answer_2) {
    eh_rng one = rng_make(seed, "audit.side", audit_content(question, answer_1));
    eh_rng two = rng_make(seed, "audit.side", audit_content(question, answer_2));
    return rng_u64(&one) < rng_u64(&two) ? 1 : 2;
}

static uint32_t cp_before(eh_str text, size_t at, size_t *begin) {
    do
        at--;
    while (at > 0 && ((unsigned char)text.ptr[at] & 0xC0) == 0x80);
    *begin = at;
    return utf8_next(text, &at);
}

static bool is_letter(uint32_t cp) {
    int kind = u_charType((UChar32)cp);
    return u_isalpha((UChar32)cp) || kind == U_NON_SPACING_MARK ||
           kind == U_COMBINING_SPACING_MARK;
}

/* Letters of any script before the full stop, at least three, no title, and no
 * abbreviation's dot before them. */
static bool ends_a_word(eh_str text, size_t stop) {
    static const char *const titles[] = {"Mrs", "Prof", "Rev", "Gen", "Capt", "Sen"};
    size_t begin = stop, before, n = 0;
    while (begin > 0 && is_letter(cp_before(text, begin, &before))) {
        begin = before;
        n++;
    }
    eh_str word = eh_str_slice(text, begin, stop);
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        if (eh_str_eq_cstr(word, titles[i])) return false;
    return n >= 3 && (begin == 0 || text.ptr[begin - 1] != '.');
}

bool audit_fence_takes(audit_fence *fence, eh_str rest) {
    size_t end = eh_str_find(rest, EH_STR("\n"), 0), n = 0;
    eh_str line = eh_str_trim(end == SIZE_MAX ? rest : eh_str_slice(rest, 0, end));
    char mark = line.len ? line.ptr[0] : ' ';
    while ((mark == '`' || mark == '~') && n < line.len && line.ptr[n] == mark)
        n++;
    eh_str behind = eh_str_slice(line, n, line.len);
    if (fence->n) {
        bool closes = mark == fence->mark && n >= fence->n && behind.len == 0;
        if (closes) fence->n = 0;
        return true;
    }
    /* three backticks and more on one line are code in running text */
    if (n < 3 || (mark == '`' && eh_str_find(behind, EH_STR("`"), 0) != SIZE_MAX))
        return false;
    *fence = (audit_fence){mark, n};
    return true;
}

/* Behind a full stop: the end of the text, of the line, or a word that may begin a
 * sentence. "etc. and" goes on. */
static bool ends_before(eh_str rest) {
    if (rest.len == 0 || rest.ptr[0] == '\n') return true;
    if (rest.ptr[0] == '\r') return rest.len == 1 || rest.ptr[1] == '\n';
    size_t at = 1;
    if (rest.ptr[0] != ' ') return false;
    return rest.len == 1 || !u_islower((UChar32)utf8_next(rest, &at));
}

static bool is_sentence_end(eh_str text, size_t at) {
    eh_str rest = eh_str_slice(text, at, text.len);
    if (eh_str_begins(rest, EH_STR("\xE3\x80\x82")) || /* the ideographic full stop */
        eh_str_begins(rest, EH_STR("\xE0\xA5\xA4")))   /* danda */
        return true;
    return text.ptr[at] == '.' && ends_before(eh_str_slice(text, at + 1, text.len)) &&
           ends_a_word(text, at);
}

bool audit_sentences_next(audit_sentences *s, size_t *stop) {
    for (size_t i = s->at_byte; i < s->text.len; i++) {
        if (i == 0 || s->text.ptr[i - 1] == '\n')
            s->is_code =
                audit_fence_takes(&s->fence, eh_str_slice(s->text, i, s->text.len));
        if (s->is_code || !is_sentence_end(s->text, i)) continue;
        *stop = i;
        s->at_byte = i + 1;
        return true;
    }
    s->at_byte = s->text.len;
    return false;
}
