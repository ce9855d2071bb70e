/* SPDX-License-Identifier: MIT
 *
 * Rules that change how an answer looks and how long it is, and not what it says:
 * Markdown and emoji, padding that holds no information, and a cut to about an eighth.
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

static const char *const emoji[] = {"\xF0\x9F\x93\x8C ", "\xF0\x9F\x92\xA1 ",
                                    "\xF0\x9F\x94\x8D ", "\xF0\x9F\x9A\x80 ",
                                    "\xF0\x9F\x8E\xAF ", "\xF0\x9F\x8C\x9F "};

/* Where the first words of a paragraph end that may be set bold: up to four plain
 * words; `begin` when there are none. */
static size_t bold_end(eh_str text, size_t begin) {
    size_t end = begin, n_words = 0;
    for (size_t i = begin; i <= text.len && n_words < 4; i++) {
        char c = i < text.len ? text.ptr[i] : '\n';
        bool is_space = c == ' ' || c == '\n';
        if (c == '*' || c == '_' || c == '`' || c == '[' || c == '<' || c == '$') break;
        if (is_space && i > end) {
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

eh_status audit_rule_rich_content(const audit_input *input, eh_arena *arena,
                                  audit_change *change, eh_error *err) {
    (void)arena;
    (void)err;
    eh_str text = input->answer;
    eh_rng r =
        rng_make(input->seed, "audit.rich", audit_content(input->question, text));
    size_t n = rng_below(&r, N_OF(emoji));
    bool fenced = false;
    (void)audit_edit_add(change, 0, EH_STR(RICH_HEADING));
    for (size_t i = 0; i < text.len; i++) {
        eh_str rest = eh_str_slice(text, i, text.len);
        bool line_begins = i == 0 || text.ptr[i - 1] == '\n';
        if (line_begins && eh_str_begins(rest, EH_STR("```"))) fenced = !fenced;
        if (fenced || !begins_paragraph(text, i) || !is_prose(rest)) continue;
        if (change->n_edits + 3 > AUDIT_EDITS_MAX) break;
        (void)audit_edit_add(change, i, eh_str_of(emoji[n++ % N_OF(emoji)]));
        size_t end = bold_end(text, i);
        if (end == i) continue;
        (void)audit_edit_add(change, i, EH_STR(RICH_BOLD));
        (void)audit_edit_add(change, end, EH_STR(RICH_BOLD));
    }
    return EH_STATUS_OK;
}

bool audit_allows_rich_content(eh_str original, const audit_edit *edit) {
    (void)original;
    if (edit->n_removed_bytes) return false;
    if (eh_str_eq_cstr(edit->inserted, RICH_HEADING)) return edit->at_byte == 0;
    for (size_t i = 0; i < N_OF(emoji); i++)
        if (eh_str_eq_cstr(edit->inserted, emoji[i])) return true;
    return eh_str_eq_cstr(edit->inserted, RICH_BOLD);
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
