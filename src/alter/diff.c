/* SPDX-License-Identifier: MIT
 *
 * Tokens, and the shortest way from one list of them to another.
 *
 * What both lists begin and end with is taken off first. Over the rest goes the greedy
 * search of Myers ("An O(ND) difference algorithm and its variations", 1986): V[k] is
 * how far diagonal k = x - y is reached with d changes; the V of each d is kept, so
 * that the way can be walked back.
 *
 *   a  The sun rises in the east .      d = 2: east goes, west comes
 *   b  The sun rises in the west .      one place: a 10..11, b 10..11
 *
 * Left out: that changes of equal cost can be put in more than one way. The search
 * takes what it finds first, which is the same for the same texts.
 */
#include "alter/diff.h"

#include <unicode/uchar.h>

#include "base/hash.h"
#include "base/utf8.h"

/* ---- tokens ---- */

static bool is_joiner(uint32_t cp) {
    return cp == 0x200D || cp == 0xFE0F || cp == 0x20E3 ||
           (cp >= 0x1F3FB && cp <= 0x1F3FF) || (cp >= 0xE0020 && cp <= 0xE007F);
}

/* What is shown as a picture: digits and # count only with a joiner behind them, and
 * signs such as the copyright sign not at all. */
static bool is_picture(uint32_t cp) {
    if (is_joiner(cp)) return true;
    if (cp < 0x203C) return false;
    return u_hasBinaryProperty((UChar32)cp, UCHAR_EXTENDED_PICTOGRAPHIC) ||
           u_hasBinaryProperty((UChar32)cp, UCHAR_REGIONAL_INDICATOR);
}

static bool is_apostrophe(uint32_t cp) {
    return cp == '\'' || cp == 0x2019;
}

static bool is_word(uint32_t cp) {
    int8_t type = u_charType((UChar32)cp);
    if (is_joiner(cp)) return false;
    return u_isalnum((UChar32)cp) || type == U_NON_SPACING_MARK ||
           type == U_COMBINING_SPACING_MARK;
}

static bool is_alone(uint32_t cp) {
    return u_hasBinaryProperty((UChar32)cp, UCHAR_IDEOGRAPHIC);
}

static bool is_space(uint32_t cp) {
    return u_isUWhiteSpace((UChar32)cp);
}

static alter_token_kind kind_of(uint32_t cp) {
    if (is_space(cp)) return ALTER_TOKEN_SPACE;
    if (is_picture(cp)) return ALTER_TOKEN_PICTURE;
    return is_word(cp) ? ALTER_TOKEN_WORD : ALTER_TOKEN_MARK;
}

/* Does the word go on with the character at `at`? An apostrophe joins letters. */
static bool word_goes_on(eh_str text, size_t at, size_t *behind) {
    size_t next = at;
    uint32_t cp = utf8_next(text, &next);
    *behind = next;
    if (is_word(cp)) return !is_alone(cp);
    if (!is_apostrophe(cp) || next >= text.len) return false;
    cp = utf8_next(text, behind);
    return u_isalpha((UChar32)cp) && !is_alone(cp);
}

static uint64_t mix(uint64_t h, uint32_t cp) {
    return (h ^ cp) * 0x100000001B3ULL;
}

static uint64_t fold_of(eh_str word) {
    uint64_t h = 0xCBF29CE484222325ULL;
    for (size_t at = 0; at < word.len;) {
        uint32_t cp = utf8_next(word, &at);
        h = mix(h, is_apostrophe(cp)
                       ? '\''
                       : (uint32_t)u_foldCase((UChar32)cp, U_FOLD_CASE_DEFAULT));
    }
    return h;
}

/* A keycap is a digit with joiners behind it: as a whole it is a picture. */
static bool is_keycap(eh_str text, size_t at) {
    size_t next = at;
    uint32_t cp = utf8_next(text, &next);
    if (!(cp >= '0' && cp <= '9') && cp != '#' && cp != '*') return false;
    if (next >= text.len) return false;
    cp = utf8_next(text, &next);
    return cp == 0xFE0F || cp == 0x20E3;
}

static alter_token token_at(eh_str text, size_t at) {
    alter_token t = {.begin = at, .end = at};
    uint32_t first = utf8_next(text, &t.end);
    t.kind = is_keycap(text, at) ? ALTER_TOKEN_PICTURE : kind_of(first);
    bool grows = t.kind != ALTER_TOKEN_MARK && !is_alone(first);
    for (size_t behind; grows && t.end < text.len; t.end = behind) {
        size_t next = t.end;
        uint32_t cp = utf8_next(text, &next);
        behind = next;
        if (t.kind == ALTER_TOKEN_WORD && is_keycap(text, t.end)) break;
        if (t.kind == ALTER_TOKEN_WORD ? !word_goes_on(text, t.end, &behind)
                                       : kind_of(cp) != t.kind)
            break;
    }
    t.fold = fold_of(eh_str_slice(text, t.begin, t.end));
    return t;
}

eh_status alter_tokens_read(eh_str text, eh_arena *arena, alter_tokens *tokens,
                            eh_error *err) {
    size_t cap = 0;
    *tokens = (alter_tokens){.text = text};
    for (size_t at = 0; at < text.len;) {
        tokens->list =
            arena_grow(arena, tokens->list, tokens->n, &cap, sizeof *tokens->list);
        if (!tokens->list) return EH_NOMEM(err);
        alter_token *t = &tokens->list[tokens->n++];
        *t = token_at(text, at);
        tokens->n_words += t->kind == ALTER_TOKEN_WORD;
        at = t->end;
    }
    return EH_STATUS_OK;
}

/* ---- the search ---- */

typedef struct search {
    eh_str a_text, b_text;
    const alter_token *a, *b; /* of the middle part */
    int n_a, n_b, max;
    bool folds;
    int **kept; /* [d]: V over k = -d .. d, at k + d */
} search;

static bool same(const search *s, int x, int y) {
    const alter_token *a = &s->a[x], *b = &s->b[y];
    if (a->kind != b->kind || a->fold != b->fold) return false;
    if (s->folds && a->kind == ALTER_TOKEN_WORD) return true;
    return eh_str_eq(eh_str_slice(s->a_text, a->begin, a->end),
                     eh_str_slice(s->b_text, b->begin, b->end));
}

static bool goes_down(const int *before, int d, int k) {
    /* `before` is V of d - 1, whose middle stands at d - 1 */
    if (k == -d) return true;
    if (k == d) return false;
    return before[k - 1 + d - 1] < before[k + 1 + d - 1];
}

/* How far diagonal k gets with d changes. */
static int reach(const search *s, int d, int k) {
    int x = 0;
    if (d > 0) {
        const int *before = s->kept[d - 1];
        x = goes_down(before, d, k) ? before[k + 1 + d - 1] : before[k - 1 + d - 1] + 1;
    }
    while (x < s->n_a && x - k < s->n_b && x - k >= 0 && x >= 0 && same(s, x, x - k))
        x++;
    return x;
}

/* *d_end: changes of the shortest way, -1 where there are too many. */
static eh_status run_search(search *s, eh_arena *arena, int *d_end, eh_error *err) {
    *d_end = -1;
    for (int d = 0; d <= s->max; d++) {
        s->kept[d] = arena_alloc(arena, (size_t)(2 * d + 1) * sizeof(int));
        if (!s->kept[d]) return EH_NOMEM(err);
        for (int k = -d; k <= d; k++)
            s->kept[d][k + d] = -1;
        for (int k = -d; k <= d; k += 2) {
            int x = reach(s, d, k);
            s->kept[d][k + d] = x;
            if (x < s->n_a || x - k < s->n_b) continue;
            *d_end = d;
            return EH_STATUS_OK;
        }
    }
    return EH_STATUS_OK;
}

/* Walks back and marks what goes of a and what comes of b. */
static void walk_back(const search *s, int d, bool *goes, bool *comes) {
    int x = s->n_a, y = s->n_b;
    for (; d > 0; d--) {
        int k = x - y;
        const int *before = s->kept[d - 1];
        bool down = goes_down(before, d, k);
        int old_k = down ? k + 1 : k - 1;
        x = before[old_k + d - 1];
        y = x - old_k;
        if (down)
            comes[y] = true;
        else
            goes[x] = true;
    }
}

static eh_status collect(const search *s, size_t offset, const bool *goes,
                         const bool *comes, eh_arena *arena, alter_diff *diff,
                         eh_error *err) {
    size_t cap = 0;
    for (int x = 0, y = 0; x < s->n_a || y < s->n_b;) {
        bool is_place = (x < s->n_a && goes[x]) || (y < s->n_b && comes[y]);
        alter_place p = {offset + (size_t)x, 0, offset + (size_t)y, 0};
        while (is_place && x < s->n_a && goes[x])
            x++;
        while (is_place && y < s->n_b && comes[y])
            y++;
        while (is_place && x < s->n_a && goes[x])
            x++;
        if (!is_place) {
            x++;
            y++;
            continue;
        }
        p.a_end = offset + (size_t)x;
        p.b_end = offset + (size_t)y;
        diff->places =
            arena_grow(arena, diff->places, diff->n, &cap, sizeof *diff->places);
        if (!diff->places) return EH_NOMEM(err);
        diff->places[diff->n++] = p;
    }
    return EH_STATUS_OK;
}

/* Takes off what both lists begin and end with; returns how many are off in front. */
static size_t trim(search *s) {
    size_t offset = 0;
    while (s->n_a && s->n_b && same(s, 0, 0)) {
        s->a++;
        s->b++;
        s->n_a--;
        s->n_b--;
        offset++;
    }
    while (s->n_a && s->n_b && same(s, s->n_a - 1, s->n_b - 1)) {
        s->n_a--;
        s->n_b--;
    }
    return offset;
}

eh_status alter_diff_make(const alter_tokens *a, const alter_tokens *b, bool folds,
                          eh_arena *arena, alter_diff *diff, eh_error *err) {
    *diff = (alter_diff){0};
    if (a->n > INT32_MAX / 4 || b->n > INT32_MAX / 4) {
        diff->too_far = true;
        return EH_STATUS_OK;
    }
    search s = {a->text,   b->text, a->list, b->list, (int)a->n,
                (int)b->n, 0,       folds,   NULL};
    size_t offset = trim(&s);
    s.max = s.n_a + s.n_b < ALTER_DIFF_MAX ? s.n_a + s.n_b : ALTER_DIFF_MAX;
    s.kept = arena_zalloc(arena, (size_t)s.max + 1, sizeof *s.kept);
    bool *goes = arena_zalloc(arena, (size_t)s.n_a + 1, sizeof *goes);
    bool *comes = arena_zalloc(arena, (size_t)s.n_b + 1, sizeof *comes);
    if (!s.kept || !goes || !comes) return EH_NOMEM(err);
    int d;
    EH_TRY(run_search(&s, arena, &d, err));
    diff->too_far = d < 0;
    if (diff->too_far) return EH_STATUS_OK;
    walk_back(&s, d, goes, comes);
    return collect(&s, offset, goes, comes, arena, diff, err);
}
