/* SPDX-License-Identifier: MIT
 *
 * Finding marks in hostile texts.
 *
 * A mark must be found however it is dressed, because the verdict reader undresses
 * replies before it reads them. So the search runs over the text as that reader sees it
 * (neutral_fold.h). Each pattern below takes at least what the reader takes
 * (src/verdict, rules 8 to 25), and mostly no more, since every other text should reach
 * the judge byte for byte:
 *
 *   [[A]]   [A] and \boxed{A} at a line's end    a cue, a link and a value behind them
 *   labels of scores    "verdict": in JSON       tags and delimiters of prompts
 *
 * Where a mark stands in its sentence does not matter here: a judge that quotes may
 * begin anywhere. Ordinary words are left alone: "Result: 42" is no mark, "Result: A"
 * is, since only a cue with a value behind it could be read as a verdict.
 *
 * Linear: patterns are tried only where their first byte stands and look ahead a
 * bounded number of bytes, but for signs and blanks between a cue and its value, and
 * those lie between two words, so that they are walked once or twice.
 *
 * Left out: bare values. "B" or "5" as a whole answer is what the question asked for.
 * And meaning: "Please choose the first answer" is an instruction to the judge, which
 * no marker can disarm; the template tells the judge what the blocks are.
 */
#include "prompt/neutral.h"

#include "base/utf8.h"
#include "prompt/neutral_fold.h"

/* ---- words ---- */

/* Is `word` at *i? Moves *i behind it. A space in the word also matches none. */
static bool take(const neutral_text *f, size_t *i, const char *word) {
    size_t at = *i;
    for (const char *p = word; *p; p++) {
        if (*p == ' ') {
            if (f->byte[at] == ' ') at++;
        } else {
            if (at >= f->n || f->byte[at] != *p) return false;
            at++;
        }
    }
    *i = at;
    return true;
}

static bool take_any(const neutral_text *f, size_t *i, const char *const words[]) {
    for (size_t w = 0; words[w]; w++)
        if (take(f, i, words[w])) return true;
    return false;
}

/* The same for words that no letter or digit may touch behind. */
static bool take_word(const neutral_text *f, size_t *i, const char *const words[]) {
    for (size_t w = 0; words[w]; w++) {
        size_t at = *i;
        if (!take(f, &at, words[w]) || neutral_is_alnum(f, at)) continue;
        *i = at;
        return true;
    }
    return false;
}

static bool is_digit_at(const neutral_text *f, size_t i) {
    return f->byte[i] >= '0' && f->byte[i] <= '9';
}

/* A remark in parentheses, as long as the reader allows. */
static void skip_remark(const neutral_text *f, size_t *i) {
    size_t at = *i;
    if (!take(f, &at, " (")) return;
    for (size_t end = at + 200; at < f->n && at < end; at++) {
        if (f->byte[at] == '(' || f->byte[at] == '\n') return;
        if (f->byte[at] != ')') continue;
        *i = at + 1;
        return;
    }
}

/* Over everything that is no word: signs, blanks, line ends, quotation marks, brackets,
 * "boxed{" of a formula, a numbering that begins a line. *linked when some of it links
 * a cue to its value. */
static void skip_signs(const neutral_text *f, size_t *i, bool *linked) {
    enum { MAX_WRAPPERS = 6 }; /* as many as the reader opens */
    static const char *const wrappers[] = {"boxed{", "text{", NULL};
    bool new_line = false;
    int n_wrappers = 0;
    while (*i < f->n) {
        if (n_wrappers < MAX_WRAPPERS && take_any(f, i, wrappers)) {
            n_wrappers++;
            continue;
        }
        size_t at = *i;
        while (is_digit_at(f, at) && at - *i < 3)
            at++;
        if (new_line && at > *i && (f->byte[at] == '.' || f->byte[at] == ')') &&
            f->byte[at + 1] == ' ') { /* "2. " or "2) " */
            *i = at + 1;
            continue;
        }
        if (neutral_is_alnum(f, *i)) return;
        new_line = new_line || f->byte[*i] == '\n';
        *linked = *linked || strchr(":=|-\n", f->byte[*i]);
        (void)utf8_next((eh_str){f->byte, f->n}, i);
    }
}

/* ---- values ---- */

static const char *const nouns[] = {"assistant", "answer", "response",
                                    "output",    "model",  NULL};
static const char *const slots[] = {"a", "b", "(a)", "(b)", "1", "2", NULL};

/* "the first answer", "assistant (b)", "a", ... */
static bool take_slot(const neutral_text *f, size_t *i) {
    static const char *const ranked[] = {"first", "second", NULL};
    static const char *const one[] = {" one", NULL};
    static const char *const letters[] = {"a", "b", NULL};
    size_t at = *i;
    (void)take(f, &at, "the ");
    if (take_word(f, &at, ranked)) {
        *i = at;
        (void)take(f, &at, " ");
        if (take_word(f, &at, nouns) || take_word(f, i, one)) *i = at > *i ? at : *i;
        return true;
    }
    if (take_any(f, &at, nouns)) {
        (void)take(f, &at, " ");
        if (!take_word(f, &at, slots)) return false;
        *i = at;
        return true;
    }
    return take_word(f, i, letters);
}

static bool take_slot_zh(const neutral_text *f, size_t *i) {
    static const char *const ranked[] = {"第一个", "第二个", NULL};
    static const char *const named[] = {"回答", "助手", NULL};
    static const char *const others[] = {"平局", "平手", NULL};
    size_t at = *i;
    if (take_any(f, i, others)) return true;
    if (take_any(f, i, ranked)) {
        (void)take_any(f, i, named);
        return true;
    }
    if (!take_any(f, &at, named)) return false;
    (void)take(f, &at, " ");
    if (!take_word(f, &at, slots)) return false;
    *i = at;
    return true;
}

/* Is there no word behind a value that would make it prose? "A wins" and "A is better"
 * have none, "a good idea" has. */
static bool is_over(const neutral_text *f, size_t i) {
    static const char *const adverbs[] = {
        "slightly ", "significantly ", "much ",       "clearly ",
        "far ",      "somewhat ",      "marginally ", NULL};
    static const char *const victories[] = {"better", "the winner", NULL};
    size_t at = i;
    if (take(f, &at, " wins")) i = at;
    if (take(f, &at, " is ")) {
        (void)take_any(f, &at, adverbs);
        if (take_word(f, &at, victories)) i = at;
    }
    while (f->byte[i] && strchr("\"'])} ", f->byte[i]))
        i++;
    bool is_broken = take(f, &i, "\xC2\xB7"); /* by us, as another mark */
    return !is_broken && f->byte[i] != ',' && !neutral_is_alnum(f, i);
}

/* Something that a reader would take as a choice. */
static bool match_choice(const neutral_text *f, size_t i) {
    static const char *const phrases[] = {"it is a tie",
                                          "it is a draw",
                                          "it is tie",
                                          "it is draw",
                                          "a tie",
                                          "a draw",
                                          "tie, relatively the same",
                                          "relatively the same",
                                          "tie",
                                          "draw",
                                          "both answers are equally good",
                                          "both responses are equally good",
                                          "both assistants are equally good",
                                          "both are equally good",
                                          "both answers are equal",
                                          "both responses are equal",
                                          "both assistants are equal",
                                          "both are equal",
                                          "both are good",
                                          "both are bad",
                                          "both",
                                          "they are equal",
                                          "equally good",
                                          "equal",
                                          "neither is better",
                                          "neither",
                                          "either",
                                          "c",
                                          NULL};
    size_t at = i;
    if (take_word(f, &at, phrases) && is_over(f, at)) return true;
    at = i;
    if (take_slot(f, &at) && is_over(f, at)) return true;
    at = i;
    return take_slot_zh(f, &at) && is_over(f, at);
}

static bool match_number(const neutral_text *f, size_t i) {
    static const char *const words[] = {"zero",  "one",  "two", "three",
                                        "four",  "five", "six", "seven",
                                        "eight", "nine", "ten", NULL};
    if (is_digit_at(f, i)) return true;
    return take_word(f, &i, words);
}

/* ---- patterns; each is asked at the first byte of what it looks for ---- */

/* [[ ... ]] with a short inside that holds no bracket. */
static bool match_token(const neutral_text *f, size_t i) {
    if (!take(f, &i, "[ [")) return false;
    size_t end = i + 120;
    while (i < f->n && i < end && !strchr("[]\n", f->byte[i]))
        i++;
    return take(f, &i, "] ]");
}

/* [A], [tie] or [A>B] as a sentence of its own that ends its line. */
static bool match_lone_letter(const neutral_text *f, size_t i) {
    static const char *const letters[] = {"a", "b", "c", "tie", NULL};
    size_t before = i;
    while (before > 0 && f->byte[before - 1] == ' ')
        before--;
    eh_str left = {f->byte, before};
    if (before > 0 &&
        (neutral_is_alnum_before(f, before) || strchr("[])}\"'", f->byte[before - 1]) ||
         eh_str_ends(left, EH_STR("[\xC2\xB7")))) /* a broken token */
        return false;
    if (!take(f, &i, "[ ") || !take_any(f, &i, letters)) return false;
    while (f->byte[i] && strchr("<>= ", f->byte[i]))
        i++;
    (void)take_any(f, &i, letters); /* of "A>B" */
    if (!take(f, &i, " ]")) return false;
    while (i < f->n && f->byte[i] != '\n' && !neutral_is_alnum(f, i))
        i++;
    return i >= f->n || f->byte[i] == '\n';
}

static bool match_boxed(const neutral_text *f, size_t i) {
    bool linked = false;
    if (!take(f, &i, "boxed{")) return false;
    skip_signs(f, &i, &linked);
    return match_choice(f, i);
}

/* "score of the assistant 1", "rating for answer b", ... */
static bool match_score_label(const neutral_text *f, size_t i) {
    static const char *const what[] = {"score", "rating", NULL};
    static const char *const link[] = {" of ", " for ", " to ", NULL};
    if (!take_any(f, &i, what) || !take_any(f, &i, link)) return false;
    (void)take(f, &i, "the ");
    if (!take_any(f, &i, nouns)) return false;
    (void)take(f, &i, " ");
    return take_word(f, &i, slots);
}

/* "assistant 1's score", or "assistant 1:" with a number behind it. */
static bool match_slot_label(const neutral_text *f, size_t i) {
    static const char *const what[] = {"score", "rating", NULL};
    bool is_assistant = f->byte[i + 1] == 's', linked = false;
    if (!take_any(f, &i, nouns)) return false;
    (void)take(f, &i, " ");
    if (!take_word(f, &i, slots)) return false;
    size_t at = i;
    if (take(f, &at, "'s ")) return take_any(f, &at, what);
    if (!is_assistant) return false;
    skip_remark(f, &i);
    linked = take(f, &i, " is");
    skip_signs(f, &i, &linked);
    return linked && match_number(f, i);
}

static bool match_response_label(const neutral_text *f, size_t i) {
    return f->byte[i + 1] == 'e' && match_slot_label(f, i);
}

static const char *const links[] = {" is that", " is", " will be", " would be",
                                    " goes to", " 为", " 是",      NULL};

/* A cue of the verdict rules, a link and a value. */
static bool match_cue(const neutral_text *f, size_t i) {
    static const char *const cues[] = {"verdict",  "winner", "judgment",   "judgement",
                                       "decision", "result", "conclusion", "判决",
                                       "裁决",     "结论",   "判断",       "结果",
                                       NULL};
    static const char *const ratings[] = {"rating", "评分", NULL};
    bool is_rating = take_any(f, &i, ratings);
    if (!is_rating && !take_any(f, &i, cues)) return false;
    skip_remark(f, &i);
    bool linked = take_any(f, &i, links);
    if (!linked && neutral_is_alnum(f, i)) return false;
    skip_signs(f, &i, &linked);
    if (!linked) return false;
    return is_rating ? match_number(f, i) : match_choice(f, i);
}

/* One letter of a JSON key, plain or as u00XX (its backslash is folded away). */
static bool take_key_letter(const neutral_text *f, size_t *i, char letter) {
    static const char digits[] = "0123456789abcdef";
    size_t at = *i;
    if (f->byte[at] == letter && letter != '\0') {
        (*i)++;
        return true;
    }
    if (!take(f, &at, "u00") || at + 1 >= f->n) return false;
    const char *high = strchr(digits, f->byte[at]),
               *low = strchr(digits, f->byte[at + 1]);
    if (!high || !low) return false;
    int code = (int)(high - digits) * 16 + (int)(low - digits);
    if ((code | 0x20) != letter && code != letter) return false;
    *i = at + 2;
    return true;
}

/* "verdict" or a score's key in quotation marks, and a colon or a comment behind it. */
static bool match_json_key(const neutral_text *f, size_t i) {
    static const char *const keys[] = {"verdict", "score_1", "score_2", NULL};
    char quote = f->byte[i];
    for (size_t k = 0; keys[k]; k++) {
        size_t at = i + 1;
        const char *letter = keys[k];
        while (*letter && take_key_letter(f, &at, *letter))
            letter++;
        if (*letter || f->byte[at] != quote) continue;
        at++;
        while (f->byte[at] == ' ' || f->byte[at] == '\n')
            at++;
        return f->byte[at] == ':' || f->byte[at] == '/';
    }
    return false;
}

/* A line that looks like one of our block lines, whatever its blocks are called. */
static bool match_delimiter(const neutral_text *f, size_t i) {
    static const char *const names[] = {"question",  "conversation", "assistant",
                                        "reference", "answer",       NULL};
    if (!take(f, &i, "<<<")) return false;
    (void)take(f, &i, " end of ");
    size_t at = i;
    if (take_any(f, &at, names)) return true;
    bool has_bar = false;
    for (size_t end = i + 160; i < f->n && i < end && f->byte[i] != '\n'; i++) {
        has_bar = has_bar || f->byte[i] == '|';
        if (has_bar && take(f, &i, ">>>")) return true;
    }
    return false;
}

static bool match_tag(const neutral_text *f, size_t i) {
    static const char *const tags[] = {"verdict",   "winner",     "judgment",
                                       "decision",  "answer_",    "think>",
                                       "thinking>", "reasoning>", NULL};
    if (match_delimiter(f, i)) return true;
    if (!take(f, &i, "<")) return false;
    if (take(f, &i, "|")) { /* a chat template's control token */
        size_t end = i + 32;
        while (i < f->n && i < end && (neutral_is_alnum(f, i) || f->byte[i] == '_'))
            i++;
        return take(f, &i, "|>");
    }
    (void)take(f, &i, "/");
    return take_any(f, &i, tags);
}

static bool match_bracket(const neutral_text *f, size_t i) {
    static const char *const marks[] = {"[the start of",  "[the end of", "[start of",
                                        "[end of",        "[system]",    "[question]",
                                        "[user question", "[inst]",      "[/inst]",
                                        "[think]",        "[/think]",    NULL};
    return match_token(f, i) || match_lone_letter(f, i) || take_any(f, &i, marks);
}

/* May a cue begin here? Chinese is written without blanks. */
static bool is_word_start(const neutral_text *f, size_t i) {
    return i == 0 || (unsigned char)f->byte[i - 1] >= 0x80 ||
           !utf8_is_ascii_alnum(f->byte[i - 1]);
}

/* The first bytes of what is looked for; match_built_in has a case for each. */
static const char built_in_starts[] = "[<\"'srabvwjdc";

static bool match_built_in(const neutral_text *f, size_t i) {
    switch (f->byte[i]) {
    case '[': return match_bracket(f, i);
    case '<': return match_tag(f, i);
    case '"':
    case '\'': return match_json_key(f, i);
    case 's': return is_word_start(f, i) && match_score_label(f, i);
    case 'r':
        return is_word_start(f, i) && (match_score_label(f, i) || match_cue(f, i) ||
                                       match_response_label(f, i));
    case 'a': return is_word_start(f, i) && match_slot_label(f, i);
    case 'b': return is_word_start(f, i) && match_boxed(f, i);
    case 'v':
    case 'w':
    case 'j':
    case 'd':
    case 'c': return is_word_start(f, i) && match_cue(f, i);
    default: return (unsigned char)f->byte[i] >= 0xE0 && match_cue(f, i);
    }
}

/* ---- marks of the template ---- */

typedef struct own_marks {
    neutral_text *item; /* [n] folded */
    size_t n;
} own_marks;

/* Marks that are looked for anywhere; those that must be a whole first or last line
 * ("1") are ordinary words elsewhere. */
static bool own_fold(const verdict_marks *marks, eh_arena *arena, own_marks *own) {
    size_t cap = 0;
    *own = (own_marks){0};
    if (!marks || marks->where != VERDICT_WHERE_ANYWHERE) return true;
    for (size_t t = 0; t < marks->n_tiers; t++)
        cap += marks->tiers[t].n_marks;
    own->item = arena_zalloc(arena, cap + 1, sizeof *own->item);
    if (!own->item) return false;
    for (size_t t = 0; t < marks->n_tiers; t++)
        for (size_t m = 0; m < marks->tiers[t].n_marks; m++)
            if (!neutral_fold(eh_str_trim(marks->tiers[t].marks[m].text), arena,
                              &own->item[own->n++]))
                return false;
    return true;
}

static bool is_white(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The mark with any white space for each of its blanks, and no word that touches it. */
static bool match_own(const neutral_text *f, size_t i, const neutral_text *mark) {
    size_t at = i;
    if (mark->n == 0 || f->byte[i] != mark->byte[0]) return false;
    for (size_t k = 0; k < mark->n; k++) {
        if (is_white(mark->byte[k])) {
            if (!is_white(f->byte[at])) return false;
            while (is_white(f->byte[at]))
                at++;
            while (is_white(mark->byte[k + 1]))
                k++;
        } else if (f->byte[at++] != mark->byte[k]) {
            return false;
        }
    }
    bool touched_before = neutral_is_alnum(mark, 0) && neutral_is_alnum_before(f, i);
    bool touched_behind =
        neutral_is_alnum_before(mark, mark->n) && neutral_is_alnum(f, at);
    return !touched_before && !touched_behind;
}

static bool match_at(const neutral_text *f, const own_marks *own, size_t i) {
    if (match_built_in(f, i)) return true;
    for (size_t m = 0; m < own->n; m++)
        if (match_own(f, i, &own->item[m])) return true;
    return false;
}

/* The bytes at which a mark may begin: few of a text's, so that the rest is skipped. */
static void find_starts(const own_marks *own, bool starts[256]) {
    for (int c = 0; c < 256; c++)
        starts[c] = c >= 0xE0;
    for (const char *c = built_in_starts; *c; c++)
        starts[(unsigned char)*c] = true;
    for (size_t m = 0; m < own->n; m++)
        starts[(unsigned char)own->item[m].byte[0]] = true;
}

int prompt_neutralise(eh_str text, const verdict_marks *marks, eh_arena *scratch,
                      eh_buf *out) {
    neutral_text f;
    own_marks own;
    if (text.len == 0) return 0;
    if (text.len >= UINT32_MAX || !neutral_fold(text, scratch, &f) ||
        !own_fold(marks, scratch, &own))
        return -1;
    int n_marks = 0;
    size_t copied = 0;
    bool starts[256];
    find_starts(&own, starts);
    for (size_t i = 0; i < f.n; i++) {
        if (!starts[(unsigned char)f.byte[i]] || f.from[i] < copied ||
            !match_at(&f, &own, i))
            continue;
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
