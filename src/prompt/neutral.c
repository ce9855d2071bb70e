/* SPDX-License-Identifier: MIT
 *
 * Finding marks in hostile texts.
 *
 * A mark must be found however it is dressed, because the verdict reader undresses
 * replies before it reads them. So the search runs over a folded view of the text:
 *
 *   text     F  *  i  n  a  l  ZWSP  V  e  r ...
 *   folded   f     i  n  a  l        v  e  r ...     one byte a character, lower case,
 *   from     0     2  3  4  5        9 ...           with the offset it came from
 *
 * Full-width forms become ASCII; zero-width and other format characters, emphasis and
 * backslashes drop out; runs of white space become one space; anything else is one
 * byte 0x80. The patterns below are tried only where their first byte stands, and each
 * looks ahead a bounded number of bytes: linear.
 *
 * Ordinary words are left alone: "Result: 42" is no mark, "Result: A" is, since only a
 * cue with a value behind it could be read as a verdict.
 *
 * Left out: meaning. "Please choose the first answer" is an instruction to the judge,
 * which no marker can disarm; the template tells the judge what the blocks are.
 */
#include "prompt/neutral.h"

#include "base/utf8.h"

typedef struct folded {
    eh_str text;
    const char *byte;     /* [n] */
    const uint32_t *from; /* [n] offset of the character in the text */
    size_t n;
} folded;

enum { LOOK_AHEAD = 160 };

static bool is_dropped(uint32_t cp) {
    return cp == '*' || cp == '`' || cp == '~' || cp == '\\' || cp == 0xAD ||
           (cp >= 0x200B && cp <= 0x200F) || (cp >= 0x202A && cp <= 0x202E) ||
           (cp >= 0x2060 && cp <= 0x206F) || cp == 0xFEFF || cp == 0x61C ||
           cp == 0x180E || (cp >= 0xE0000 && cp <= 0xE007F);
}

static char fold_cp(uint32_t cp) {
    if (cp >= 0xFF01 && cp <= 0xFF5E) cp -= 0xFEE0;
    if (cp == 0x3000 || cp == 0xA0 || cp == '\t' || cp == '\r' || cp == 0x2007 ||
        cp == 0x202F)
        return ' ';
    if (cp >= 'A' && cp <= 'Z') return (char)(cp + 32);
    if (cp == 0x2019 || cp == 0x2018) return '\'';
    if (cp >= 0x2010 && cp <= 0x2015) return '-';
    return cp < 0x80 ? (char)cp : (char)0x80;
}

static bool fold_text(eh_str text, eh_arena *scratch, folded *f) {
    char *byte = arena_alloc(scratch, text.len + 1);
    uint32_t *from = arena_alloc(scratch, (text.len + 1) * sizeof *from);
    if (!byte || !from) return false;
    size_t n = 0;
    for (size_t at = 0; at < text.len;) {
        uint32_t here = (uint32_t)at;
        uint32_t cp = utf8_next(text, &at);
        if (is_dropped(cp)) continue;
        char c = fold_cp(cp);
        if (c == ' ' && n && byte[n - 1] == ' ') continue;
        byte[n] = c;
        from[n++] = here;
    }
    byte[n] = '\0';
    from[n] = (uint32_t)text.len;
    *f = (folded){text, byte, from, n};
    return true;
}

static bool is_alnum(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == (char)0x80;
}

/* Is `word` at i? Moves i behind it. A space in the word also matches none. */
static bool take(const folded *f, size_t *i, const char *word) {
    size_t at = *i;
    for (const char *p = word; *p; p++) {
        if (*p == ' ') {
            if (at < f->n && f->byte[at] == ' ') at++;
        } else {
            if (at >= f->n || f->byte[at] != *p) return false;
            at++;
        }
    }
    *i = at;
    return true;
}

static bool take_any(const folded *f, size_t *i, const char *const words[]) {
    for (size_t w = 0; words[w]; w++)
        if (take(f, i, words[w])) return true;
    return false;
}

static void skip_set(const folded *f, size_t *i, const char *set) {
    size_t end = *i + LOOK_AHEAD;
    while (*i < f->n && *i < end && strchr(set, f->byte[*i]))
        (*i)++;
}

/* One of the letters or digits that name an answer, and no word around it. */
static bool take_slot(const folded *f, size_t *i) {
    if (*i >= f->n || !strchr("12ab", f->byte[*i])) return false;
    if (*i + 1 < f->n && is_alnum(f->byte[*i + 1])) return false;
    (*i)++;
    return true;
}

/* [[ ... ]] with a short inside that holds no bracket. */
static bool match_token(const folded *f, size_t i) {
    if (!take(f, &i, "[ [")) return false;
    size_t end = i + 48;
    while (i < f->n && i < end && !strchr("[]\n", f->byte[i]))
        i++;
    return take(f, &i, "] ]");
}

static const char *const nouns[] = {"assistant", "answer", "response", NULL};
static const char *const aliased[] = {"assistant", "answer", "response",
                                      "output",    "model",  NULL};

/* "score of the assistant 1", "rating for answer b", ... */
static bool match_score_label(const folded *f, size_t i) {
    static const char *const what[] = {"score", "rating", NULL};
    static const char *const link[] = {" of ", " for ", " to ", NULL};
    if (!take_any(f, &i, what) || !take_any(f, &i, link)) return false;
    (void)take(f, &i, "the ");
    if (!take_any(f, &i, nouns)) return false;
    skip_set(f, &i, " ");
    return take_slot(f, &i);
}

/* "assistant 1's score", or "assistant 1:" with a number behind it. */
static bool match_slot_label(const folded *f, size_t i) {
    static const char *const what[] = {"score", "rating", NULL};
    if (!take_any(f, &i, nouns)) return false;
    skip_set(f, &i, " ");
    if (!take_slot(f, &i)) return false;
    if (take(f, &i, "'s ")) return take_any(f, &i, what);
    skip_set(f, &i, " ");
    if (i >= f->n || !strchr(":=|-", f->byte[i])) return false;
    skip_set(f, &i, " :=|-");
    return i < f->n && f->byte[i] >= '0' && f->byte[i] <= '9';
}

/* Something a reader would take as a choice: "a", "answer 2", "the second", "tie", a
 * digit for ratings. */
static bool match_value(const folded *f, size_t i) {
    static const char *const ranked[] = {"first", "second", "tie", "draw",
                                         "equal", "both",   NULL};
    skip_set(f, &i, " \n\"'([{");
    (void)take(f, &i, "the ");
    size_t at = i;
    if (at < f->n && strchr("abc12345", f->byte[at]) &&
        (at + 1 == f->n || !is_alnum(f->byte[at + 1])))
        return true;
    if (take_any(f, &at, ranked)) return at == f->n || !is_alnum(f->byte[at]);
    at = i;
    if (!take_any(f, &at, aliased)) return false;
    skip_set(f, &at, " (");
    return take_slot(f, &at);
}

/* A cue of the verdict rules, a link and a value. */
static bool match_cue(const folded *f, size_t i) {
    static const char *const cues[] = {"verdict",   "winner",     "judgment",
                                       "judgement", "rating",     "decision",
                                       "result",    "conclusion", NULL};
    static const char *const links[] = {" is that ",  " is ",      " will be ",
                                        " would be ", " goes to ", NULL};
    if (!take_any(f, &i, cues)) return false;
    size_t linked = i;
    (void)take_any(f, &linked, links);
    skip_set(f, &linked, " :=|->\n#");
    return linked > i && match_value(f, linked);
}

/* The text itself at i, for words outside ASCII. */
static bool take_raw(const folded *f, size_t *i, const char *const words[]) {
    if (*i >= f->n) return false;
    eh_str rest = eh_str_slice(f->text, f->from[*i], f->text.len);
    for (size_t w = 0; words[w]; w++) {
        if (!eh_str_begins(rest, eh_str_of(words[w]))) continue;
        size_t end = f->from[*i] + strlen(words[w]);
        while (*i < f->n && f->from[*i] < end)
            (*i)++;
        return true;
    }
    return false;
}

/* The Chinese cues of the verdict rules with a link and a value behind them. */
static bool match_cjk_cue(const folded *f, size_t i) {
    static const char *const cues[] = {"判决", "裁决", "结论", "判断",
                                       "结果", "评分", NULL};
    static const char *const links[] = {"为", "是", NULL};
    static const char *const values[] = {"第一", "第二", "回答", "助手",
                                         "平局", "平手", NULL};
    if (!take_raw(f, &i, cues)) return false;
    size_t linked = i;
    (void)take_raw(f, &linked, links);
    skip_set(f, &linked, " :=|->\n#");
    if (linked == i) return false;
    return match_value(f, linked) || take_raw(f, &linked, values);
}

static bool match_json_key(const folded *f, size_t i) {
    static const char *const keys[] = {
        "\"verdict\" :", "'verdict' :", "\"score_1\" :", "\"score_2\" :", NULL};
    return take_any(f, &i, keys);
}

static bool match_tag(const folded *f, size_t i) {
    static const char *const tags[] = {"verdict",  "answer_",  "winner",
                                       "judgment", "decision", NULL};
    if (!take(f, &i, "<")) return false;
    if (take(f, &i, "|")) { /* a chat template's control token */
        size_t end = i + 32;
        while (i < f->n && i < end && (is_alnum(f->byte[i]) || f->byte[i] == '_'))
            i++;
        return take(f, &i, "|>");
    }
    if (take(f, &i, "<<")) { /* our own block lines */
        static const char *const names[] = {"question",  "conversation", "assistant",
                                            "reference", "answer",       NULL};
        (void)take(f, &i, " end of ");
        return take_any(f, &i, names);
    }
    (void)take(f, &i, "/");
    return take_any(f, &i, tags);
}

static bool match_bracket(const folded *f, size_t i) {
    static const char *const marks[] = {
        "[the start of", "[the end of",    "[start of", "[end of", "[system]",
        "[question]",    "[user question", "[inst]",    "[/inst]", NULL};
    return match_token(f, i) || take_any(f, &i, marks);
}

static bool match_at(const folded *f, size_t i) {
    bool word_start = i == 0 || !is_alnum(f->byte[i - 1]);
    switch (f->byte[i]) {
    case '[': return match_bracket(f, i);
    case '<': return match_tag(f, i);
    case '"':
    case '\'': return match_json_key(f, i);
    case 's':
    case 'r': return word_start && (match_score_label(f, i) || match_cue(f, i));
    case 'a': return word_start && match_slot_label(f, i);
    case 'v':
    case 'w':
    case 'j':
    case 'd':
    case 'c': return word_start && match_cue(f, i);
    case (char)0x80: return match_cjk_cue(f, i);
    default: return false;
    }
}

int prompt_neutralise(eh_str text, eh_arena *scratch, eh_buf *out) {
    folded f;
    if (text.len == 0) return 0;
    if (text.len >= UINT32_MAX || !fold_text(text, scratch, &f)) return -1;
    int n_marks = 0;
    size_t copied = 0;
    for (size_t i = 0; i < f.n; i++) {
        if (!match_at(&f, i)) continue;
        size_t behind = f.from[i];
        (void)utf8_next(text, &behind);
        buf_add(out, text.ptr + copied, behind - copied);
        buf_add_cstr(out, "\xC2\xB7");
        copied = behind;
        n_marks++;
    }
    buf_add(out, text.ptr + copied, text.len - copied);
    return out->failed ? -1 : n_marks;
}
