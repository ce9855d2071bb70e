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
enum { RICH_EDITS = 4, RICH_LIST_MIN = 1 /* sentences behind the first */ };

/* Where the first words of a paragraph end that may be set bold: up to four plain
 * words; `begin` when there are none. */
static size_t bold_end(eh_str text, size_t begin) {
    size_t end = begin, n_words = 0;
    for (size_t i = begin; i <= text.len && n_words < 4; i++) {
        char c = i < text.len ? text.ptr[i] : '\n';
        bool is_space = c == ' ' || c == '\n';
        if (c == '*' || c == '_' || c == '`' || c == '[' || c == '<' || c == '$') break;
        if (is_space && i > end && text.ptr[i - 1] != ' ') {
            end = i;
            n_words++;
        }
        if (is_space && (c == '\n' || (i + 1 < text.len && text.ptr[i + 1] == ' ')))
            break;
    }
    return end;
}

/* Prose begins here, and no mark that Markdown would read. */
static bool is_prose(eh_str rest) {
    return rest.len && !strchr("#-*+>|`~=_[<$ \t\n", rest.ptr[0]) &&
           !(rest.ptr[0] >= '0' && rest.ptr[0] <= '9');
}

static bool begins_paragraph(eh_str text, size_t at) {
    return at == 0 ||
           (at >= 2 && text.ptr[at - 1] == '\n' && text.ptr[at - 2] == '\n') ||
           (at >= 3 && text.ptr[at - 1] == '\n' && text.ptr[at - 2] == ' ' &&
            text.ptr[at - 3] == '\n');
}

static size_t paragraph_end(eh_str text, size_t begin) {
    size_t end = eh_str_find(text, EH_STR("\n"), begin);
    return end == SIZE_MAX ? text.len : end;
}

/* May a list item begin behind the full stop at `stop`? Only in running text. */
static bool splits_at(eh_str text, size_t stop, size_t end) {
    return text.ptr[stop] == '.' && stop + 2 < end && text.ptr[stop + 1] == ' ' &&
           is_prose(eh_str_slice(text, stop + 2, end));
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
    eh_str paragraph = eh_str_slice(r->text, 0, end);
    audit_sentences walk = {.text = paragraph, .at_byte = begin};
    size_t stop, n = 0;
    while (audit_sentences_next(&walk, &stop))
        n += splits_at(r->text, stop, end);
    if (n < RICH_LIST_MIN) return EH_STATUS_OK;
    walk = (audit_sentences){.text = paragraph, .at_byte = begin};
    bool is_first = true;
    while (audit_sentences_next(&walk, &stop)) {
        if (!splits_at(r->text, stop, end)) continue;
        if (r->change->n_edits + RICH_EDITS > AUDIT_EDITS_MAX) break;
        EH_TRY(add_item(r, stop + 1, is_first, arena, err));
        audit_sentences ahead = walk;
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
    bool fenced = false;
    (void)audit_edit_add(change, 0, EH_STR(RICH_HEADING));
    for (size_t i = 0; i < text.len; i++) {
        eh_str rest = eh_str_slice(text, i, text.len);
        bool line_begins = i == 0 || text.ptr[i - 1] == '\n';
        if (line_begins && eh_str_begins(rest, EH_STR("```"))) fenced = !fenced;
        if (fenced || !line_begins) continue;
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

enum { SHORTEN_TO = 8, SHORTEN_MIN_CP = 80 };

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
    size_t cut = sentence_cut(text, byte_of_cp(text, n_cp / 12), wanted,
                              byte_of_cp(text, n_cp / 6));
    if (!cut) { /* between words; inside a long one where there is no other place */
        cut = wanted;
        while (cut > 1 && text.ptr[cut] != ' ' && text.ptr[cut] != '\n' &&
               wanted - cut < wanted / 3)
            cut--;
        if (text.ptr[cut] != ' ' && text.ptr[cut] != '\n') cut = wanted;
    }
    while (cut > 1 && strchr(" \t\r\n", text.ptr[cut - 1]))
        cut--;
    change->edits[change->n_edits++] =
        (audit_edit){.at_byte = cut, .n_removed_bytes = text.len - cut};
    return EH_STATUS_OK;
}

bool audit_allows_shortening(eh_str original, const audit_edit *edit) {
    size_t kept = utf8_count_cp(eh_str_slice(original, 0, edit->at_byte));
    size_t all = utf8_count_cp(original);
    return edit->inserted.len == 0 && kept > 0 &&
           edit->at_byte + edit->n_removed_bytes == original.len && kept * 5 <= all &&
           kept * 20 >= all;
}
