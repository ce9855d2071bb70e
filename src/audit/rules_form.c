/* SPDX-License-Identifier: MIT
 *
 * Rules that change how an answer looks and how long it is, and not what it says:
 * Markdown and emoji, padding that holds no information, and a cut to about an eighth.
 *
 * Rich content, after Chen et al. 2024: a heading on top and over later paragraphs, an
 * emoji and bold words at each and at list items, and the sentences of a longer
 * paragraph as a list, for which the space behind a full stop goes; but for the
 * headings not a word comes, goes or moves.
 *
 * Padding comes to the wanted length by whole sentences: from the list in turn, from a
 * place drawn by the content, as long as they fit; then the one whose length is nearest
 * to what is missing, if that comes nearer than leaving it out.
 *
 * Left out: padding in the answer's language (it is English), and padding inside the
 * answer.
 */
#include <unicode/uchar.h>

#include "audit/perturb.h"
#include "base/buf.h"
#include "base/rng.h"
#include "base/utf8.h"

#define N_OF(array) (sizeof(array) / sizeof(array)[0])

/* ---- rich content ---- */

#define RICH_HEADING "### \xE2\x9C\xA8 Answer \xE2\x9C\xA8\n\n"
#define RICH_BOLD "**"
#define RICH_FIRST_ITEM "\n\n- "
#define RICH_ITEM "\n- "

static const char *const emoji[] = {"\xF0\x9F\x93\x8C ", "\xF0\x9F\x92\xA1 ",
                                    "\xF0\x9F\x94\x8D ", "\xF0\x9F\x9A\x80 ",
                                    "\xF0\x9F\x8E\xAF ", "\xF0\x9F\x8C\x9F "};

/* Of later paragraphs. */
static const char *const headings[] = {"### \xF0\x9F\x93\x96 In detail\n\n",
                                       "### \xF0\x9F\x94\x8E A closer look\n\n",
                                       "### \xF0\x9F\x92\xAC What else\n\n"};

/* Edits that one place takes at most: heading, emoji, both ends of bold. */
enum { RICH_EDITS = 4 };

/* Where the first words of a paragraph end that may be set bold: up to four plain
 * words; `begin` when there are none. */
static size_t bold_end(eh_str text, size_t begin) {
    size_t end = begin, n_words = 0;
    for (size_t i = begin; i <= text.len && n_words < 4; i++) {
        char c = i < text.len ? text.ptr[i] : '\n';
        bool is_end = c == '\n' || c == '\r', is_space = c == ' ' || is_end;
        if (c == '*' || c == '_' || c == '`' || c == '[' || c == '<' || c == '$') break;
        if (is_space && i > end && text.ptr[i - 1] != ' ') {
            end = i;
            n_words++;
        }
        if (is_space && (is_end || (i + 1 < text.len && text.ptr[i + 1] == ' '))) break;
    }
    return end;
}

/* Prose begins here, and no mark that Markdown would read. */
static bool is_prose(eh_str rest) {
    return rest.len && !strchr("#-*+>|`~=_[<$ \t\r\n", rest.ptr[0]) &&
           !(rest.ptr[0] >= '0' && rest.ptr[0] <= '9');
}

/* The line before is empty, or has white space alone. */
static bool begins_paragraph(eh_str text, size_t at) {
    if (at == 0) return true;
    if (text.ptr[at - 1] != '\n') return false;
    size_t i = at - 1;
    while (i > 0 && strchr(" \t\r", text.ptr[i - 1]))
        i--;
    return i > 0 && text.ptr[i - 1] == '\n';
}

/* Before the line end. */
static size_t paragraph_end(eh_str text, size_t begin) {
    size_t end = eh_str_find(text, EH_STR("\n"), begin);
    if (end == SIZE_MAX) return text.len;
    return end > begin && text.ptr[end - 1] == '\r' ? end - 1 : end;
}

/* A walk over the sentences of a paragraph behind which a list item may begin. */
typedef struct item_walk {
    audit_sentences sentences;
    size_t seen; /* up to where brackets and quotation marks are counted */
    int n_brackets;
    bool quoted;
} item_walk;

static item_walk item_walk_of(eh_str text, size_t begin, size_t end) {
    return (item_walk){
        .sentences = {.text = eh_str_slice(text, 0, end), .at_byte = begin},
        .seen = begin};
}

/* Is a bracket or a quotation open at `stop`? */
static bool is_open(item_walk *w, size_t stop) {
    for (; w->seen < stop; w->seen++) {
        char c = w->sentences.text.ptr[w->seen];
        w->n_brackets += (c == '(') - (c == ')' && w->n_brackets > 0);
        if (c == '"') w->quoted = !w->quoted;
    }
    return w->quoted || w->n_brackets > 0;
}

/* *stop is a full stop that running text follows. */
static bool next_item(item_walk *w, size_t *stop) {
    eh_str text = w->sentences.text;
    while (audit_sentences_next(&w->sentences, stop))
        if (text.ptr[*stop] == '.' && *stop + 2 < text.len &&
            text.ptr[*stop + 1] == ' ' &&
            is_prose(eh_str_slice(text, *stop + 2, text.len)) && !is_open(w, *stop))
            return true;
    return false;
}

typedef struct rich {
    eh_str text;
    audit_change *change;
    size_t n_emoji, n_headings; /* the next ones; each heading once */
} rich;

static eh_str next_emoji(rich *r) {
    return eh_str_of(emoji[r->n_emoji++ % N_OF(emoji)]);
}

/* The first words from `begin` on, up to `end`, in bold. */
static void add_bold(rich *r, size_t begin, size_t end) {
    size_t stop = bold_end(r->text, begin);
    if (stop > end) stop = end;
    if (stop == begin) return;
    (void)audit_edit_add(r->change, begin, EH_STR(RICH_BOLD));
    (void)audit_edit_add(r->change, stop, EH_STR(RICH_BOLD));
}

/* The space at `at` becomes the mark of a list item. */
static eh_status add_item(rich *r, size_t at, bool is_first, eh_arena *arena,
                          eh_error *err) {
    eh_str face = next_emoji(r);
    const char *mark = arena_printf(
        arena, "%s%.*s", is_first ? RICH_FIRST_ITEM : RICH_ITEM, EH_STR_ARG(face));
    if (!mark) return EH_NOMEM(err);
    (void)audit_edit_add(r->change, at, eh_str_of(mark));
    r->change->edits[r->change->n_edits - 1].n_removed_bytes = 1;
    return EH_STATUS_OK;
}

/* Sentences behind the first become a list, where there are several. */
static eh_status add_list(rich *r, size_t begin, size_t end, eh_arena *arena,
                          eh_error *err) {
    item_walk walk = item_walk_of(r->text, begin, end);
    bool is_first = true;
    size_t stop;
    while (next_item(&walk, &stop)) {
        if (r->change->n_edits + RICH_EDITS > AUDIT_EDITS_MAX) break;
        EH_TRY(add_item(r, stop + 1, is_first, arena, err));
        audit_sentences ahead = walk.sentences;
        size_t next = end;
        (void)audit_sentences_next(&ahead, &next);
        add_bold(r, stop + 2, next);
        is_first = false;
    }
    return EH_STATUS_OK;
}

static eh_status add_paragraph(rich *r, size_t begin, eh_arena *arena, eh_error *err) {
    size_t end = paragraph_end(r->text, begin), stop = end;
    audit_sentences walk = {.text = eh_str_slice(r->text, 0, end), .at_byte = begin};
    bool has_sentence = audit_sentences_next(&walk, &stop); /* no "Yours sincerely," */
    if (begin > 0 && has_sentence && r->n_headings < N_OF(headings))
        (void)audit_edit_add(r->change, begin, eh_str_of(headings[r->n_headings++]));
    (void)audit_edit_add(r->change, begin, next_emoji(r));
    add_bold(r, begin, stop);
    return add_list(r, begin, end, arena, err);
}

/* Behind the mark of a list item, "1. " or "- "; 0 where the line begins with none. */
static size_t behind_mark(eh_str rest) {
    size_t at = 0;
    while (at < rest.len && rest.ptr[at] >= '0' && rest.ptr[at] <= '9')
        at++;
    bool numbered = at > 0 && at + 1 < rest.len && rest.ptr[at] == '.';
    bool dashed = at == 0 && rest.len > 1 && (rest.ptr[0] == '-' || rest.ptr[0] == '*');
    if (!numbered && !dashed) return 0;
    return rest.ptr[at + 1] == ' ' ? at + 2 : 0;
}

/* An item that is there already. */
static void add_to_item(rich *r, size_t begin) {
    if (!is_prose(eh_str_slice(r->text, begin, r->text.len))) return;
    (void)audit_edit_add(r->change, begin, next_emoji(r));
    add_bold(r, begin, paragraph_end(r->text, begin));
}

eh_status audit_rule_rich_content(const audit_input *input, eh_arena *arena,
                                  audit_change *change, eh_error *err) {
    eh_str text = input->answer;
    eh_rng draw =
        rng_make(input->seed, "audit.rich", audit_content(input->question, text));
    rich r = {.text = text, .change = change};
    r.n_emoji = rng_below(&draw, N_OF(emoji));
    audit_fence fence = {0};
    (void)audit_edit_add(change, 0, EH_STR(RICH_HEADING));
    for (size_t i = 0; i < text.len; i++) {
        eh_str rest = eh_str_slice(text, i, text.len);
        bool line_begins = i == 0 || text.ptr[i - 1] == '\n';
        if (!line_begins || audit_fence_takes(&fence, rest)) continue;
        if (change->n_edits + RICH_EDITS > AUDIT_EDITS_MAX) break;
        size_t n_mark = behind_mark(rest);
        if (n_mark)
            add_to_item(&r, i + n_mark);
        else if (begins_paragraph(text, i) && is_prose(rest))
            EH_TRY(add_paragraph(&r, i, arena, err));
    }
    return EH_STATUS_OK;
}

static bool is_emoji(eh_str s) {
    for (size_t i = 0; i < N_OF(emoji); i++)
        if (eh_str_eq_cstr(s, emoji[i])) return true;
    return false;
}

/* A list item in place of the space behind a full stop. */
static bool allows_item(eh_str original, const audit_edit *edit) {
    eh_str s = edit->inserted, item = EH_STR(RICH_ITEM),
           first = EH_STR(RICH_FIRST_ITEM);
    size_t at = edit->at_byte;
    size_t n_mark = eh_str_begins(s, first)  ? first.len
                    : eh_str_begins(s, item) ? item.len
                                             : 0;
    return edit->n_removed_bytes == 1 && n_mark && at > 0 && at < original.len &&
           original.ptr[at] == ' ' && original.ptr[at - 1] == '.' &&
           is_emoji(eh_str_slice(s, n_mark, s.len));
}

bool audit_allows_rich_content(eh_str original, const audit_edit *edit) {
    if (edit->n_removed_bytes) return allows_item(original, edit);
    if (eh_str_eq_cstr(edit->inserted, RICH_HEADING)) return edit->at_byte == 0;
    for (size_t i = 0; i < N_OF(headings); i++)
        if (eh_str_eq_cstr(edit->inserted, headings[i]))
            return begins_paragraph(original, edit->at_byte);
    return is_emoji(edit->inserted) || eh_str_eq_cstr(edit->inserted, RICH_BOLD);
}

/* ---- padding ---- */

static const char *const padding[] = {
    "It can help to read the question once more before going on.",
    "There is more than one way to put this into words.",
    "All of this has been said in the order in which it came up.",
    "The points above are meant to be read together.",
    "Some readers will want to take their time with this.",
    "Much more could be written, and much has been.",
    "This is how the answer may be put.",
    "Others might choose different words for the same thing.",
    "What was said above is repeated here only in so far as it was said above.",
    "That is all.",
    "So much for this part.",
    "In this sense the question has been taken up, looked at, and answered as stated.",
    "It goes without saying that what has been written here can be read again."};

enum { PADDING_PIECE_CP = 1 /* the space */ };

/* The sentence whose length is nearest to `missing` code points, or NULL when to leave
 * it out is nearer. */
static const char *nearest_sentence(size_t missing) {
    const char *best = NULL;
    size_t best_gap = missing;
    for (size_t i = 0; i < N_OF(padding); i++) {
        size_t n = strlen(padding[i]) + PADDING_PIECE_CP;
        size_t gap = n > missing ? n - missing : missing - n;
        if (gap < best_gap) {
            best_gap = gap;
            best = padding[i];
        }
    }
    return best;
}

eh_status audit_rule_padding(const audit_input *input, eh_arena *arena,
                             audit_change *change, eh_error *err) {
    size_t have = utf8_count_cp(input->answer);
    size_t target = input->target_cp ? input->target_cp : 2 * have;
    eh_rng r = rng_make(input->seed, "audit.padding",
                        audit_content(input->question, input->answer));
    size_t next = rng_below(&r, N_OF(padding));
    eh_buf out;
    eh_str inserted;
    buf_init(&out, BUF_MAX_LINE);
    buf_add_cstr(&out, "\n\n");
    have += 1; /* the first sentence has two line ends before it instead of a space */
    size_t missing = target > have ? target - have : 0;
    while (missing && !out.failed) {
        const char *sentence = padding[next++ % N_OF(padding)];
        size_t n = strlen(sentence) + PADDING_PIECE_CP;
        bool fits = n <= missing;
        if (!fits) sentence = nearest_sentence(missing);
        if (sentence && out.len > 2) buf_add_char(&out, ' ');
        if (sentence) buf_add_cstr(&out, sentence);
        missing = fits ? missing - n : 0;
    }
    if (out.len == 2) buf_add_cstr(&out, padding[9]);
    eh_status status = buf_check(&out, "padding", err);
    if (status == EH_STATUS_OK && !arena_copy(arena, buf_view(&out), &inserted))
        status = EH_NOMEM(err);
    if (status == EH_STATUS_OK)
        (void)audit_edit_add(change, input->answer.len, inserted);
    buf_deinit(&out);
    return status;
}

/* The sentence of ours that `rest` begins with, or 0. */
static size_t own_sentence(eh_str rest) {
    for (size_t i = 0; i < N_OF(padding); i++)
        if (eh_str_begins(rest, eh_str_of(padding[i]))) return strlen(padding[i]);
    return 0;
}

bool audit_allows_padding(eh_str original, const audit_edit *edit) {
    eh_str s = edit->inserted;
    if (edit->at_byte != original.len || edit->n_removed_bytes ||
        !eh_str_begins(s, EH_STR("\n\n")))
        return false;
    for (size_t at = 2; at < s.len; at++) { /* over the space between two */
        size_t n = own_sentence(eh_str_slice(s, at, s.len));
        at += n;
        if (n == 0 || (at < s.len && s.ptr[at] != ' ')) return false;
    }
    return s.len > 2;
}

/* ---- shortening ---- */

/* At least and at most a twentieth and a fifth are kept. */
enum { SHORTEN_TO = 8, SHORTEN_MIN_CP = 80, SHORTEN_LEAST = 20, SHORTEN_MOST = 5 };

/* Byte offset of the n-th code point. */
static size_t byte_of_cp(eh_str text, size_t n) {
    size_t at = 0;
    while (n-- && at < text.len)
        (void)utf8_next(text, &at);
    return at;
}

/* Behind the last sentence that ends between the two places, nearest to `wanted`; 0
 * when there is none. */
static size_t sentence_cut(eh_str text, size_t low, size_t wanted, size_t high) {
    size_t best = 0, at;
    audit_sentences walk = {.text = text};
    while (audit_sentences_next(&walk, &at) && at < high) {
        if (at < low) continue;
        size_t end = at + (text.ptr[at] == '.' ? 1 : 3);
        size_t gap = end > wanted ? end - wanted : wanted - end;
        size_t best_gap = best > wanted ? best - wanted : wanted - best;
        if (!best || gap < best_gap) best = end;
    }
    return best;
}

static bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/* The end of a word between the two places, nearest to `wanted`; 0 when there is none.
 */
static size_t word_cut(eh_str text, size_t low, size_t wanted, size_t high) {
    size_t best = 0, best_gap = SIZE_MAX;
    for (size_t at = low; at <= high && at < text.len; at++) {
        size_t gap = at > wanted ? at - wanted : wanted - at;
        if (!is_space(text.ptr[at]) || is_space(text.ptr[at - 1]) || gap >= best_gap)
            continue;
        best = at;
        best_gap = gap;
    }
    return best;
}

/* Does the code point at `at` belong to the letter or picture before it? */
static bool joins(eh_str text, size_t at) {
    size_t next = at, before = at;
    UChar32 cp = (UChar32)utf8_next(text, &next);
    int32_t kind = u_getIntPropertyValue(cp, UCHAR_GRAPHEME_CLUSTER_BREAK);
    do
        before--;
    while (before > 0 && ((unsigned char)text.ptr[before] & 0xC0) == 0x80);
    return kind == U_GCB_EXTEND || kind == U_GCB_ZWJ || kind == U_GCB_SPACING_MARK ||
           kind == U_GCB_E_MODIFIER || utf8_next(text, &before) == 0x200D;
}

/* In writing without spaces, or in one long word: between two letters. */
static size_t letter_cut(eh_str text, size_t low, size_t wanted) {
    size_t cut = wanted;
    while (cut > low && joins(text, cut))
        do
            cut--;
        while (cut > low && ((unsigned char)text.ptr[cut] & 0xC0) == 0x80);
    return cut > low ? cut : wanted;
}

eh_status audit_rule_shortening(const audit_input *input, eh_arena *arena,
                                audit_change *change, eh_error *err) {
    (void)arena;
    (void)err;
    eh_str text = input->answer;
    size_t n_cp = utf8_count_cp(text);
    if (n_cp < SHORTEN_MIN_CP) {
        change->reject = AUDIT_REJECT_TOO_SHORT;
        return EH_STATUS_OK;
    }
    size_t wanted = byte_of_cp(text, n_cp / SHORTEN_TO);
    size_t low = byte_of_cp(text, n_cp / SHORTEN_LEAST + 1);
    size_t cut = sentence_cut(text, byte_of_cp(text, n_cp / 12), wanted,
                              byte_of_cp(text, n_cp / 6));
    if (!cut) cut = word_cut(text, low, wanted, byte_of_cp(text, n_cp / SHORTEN_MOST));
    if (!cut) cut = letter_cut(text, low, wanted);
    change->edits[change->n_edits++] =
        (audit_edit){.at_byte = cut, .n_removed_bytes = text.len - cut};
    return EH_STATUS_OK;
}

bool audit_allows_shortening(eh_str original, const audit_edit *edit) {
    size_t kept = utf8_count_cp(eh_str_slice(original, 0, edit->at_byte));
    size_t all = utf8_count_cp(original);
    return edit->inserted.len == 0 && kept > 0 &&
           edit->at_byte + edit->n_removed_bytes == original.len &&
           kept * SHORTEN_MOST <= all && kept * SHORTEN_LEAST >= all;
}
