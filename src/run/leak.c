/* SPDX-License-Identifier: MIT
 *
 * Names in texts. Words are compared by ASCII case alone, and one counts where neither
 * a letter nor a digit touches it. A family is the letters that a model's name begins
 * with, unless they are a word that names anything ("model", "baseline").
 *
 * A pair that is found is flagged and shown as it is: nothing is masked here.
 */
#include "run/leak.h"

#include "audit/family.h"

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_word(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

static char lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool add_word(run_leak *leak, eh_str word, eh_arena *arena) {
    char *copy = arena_dup(arena, word);
    if (!copy) return false;
    for (size_t i = 0; i < word.len; i++)
        copy[i] = lower(copy[i]);
    eh_str name = {copy, word.len};
    for (size_t i = 0; i < leak->n; i++)
        if (eh_str_eq(leak->names[i], name)) return true;
    if (leak->n < RUN_LEAK_NAMES_MAX) leak->names[leak->n++] = name;
    return true;
}

bool run_leak_add(run_leak *leak, eh_str model, eh_arena *arena) {
    enum { FAMILY_MIN = 3 };
    /* "org/name": the name */
    for (size_t i = 0; i < model.len; i++)
        if (model.ptr[i] == '/') {
            model = eh_str_slice(model, i + 1, model.len);
            i = 0;
        }
    size_t n_letters = 0;
    while (n_letters < model.len && is_letter(model.ptr[n_letters]))
        n_letters++;
    if (model.len >= FAMILY_MIN && !add_word(leak, model, arena)) return false;
    if (n_letters < FAMILY_MIN) return true;
    char *family = arena_dup(arena, eh_str_slice(model, 0, n_letters));
    if (!family) return false;
    for (size_t i = 0; i < n_letters; i++)
        family[i] = lower(family[i]);
    eh_str word = {family, n_letters};
    return audit_family_says_nothing(word) || add_word(leak, word, arena);
}

static bool holds_at(eh_str text, size_t at, eh_str word) {
    if (at + word.len > text.len || (at > 0 && is_word(text.ptr[at - 1]))) return false;
    for (size_t i = 0; i < word.len; i++)
        if (lower(text.ptr[at + i]) != word.ptr[i]) return false;
    return at + word.len == text.len || !is_word(text.ptr[at + word.len]);
}

bool run_leak_in(const run_leak *leak, eh_str text) {
    static const char *const phrases[] = {
        "as an ai language model", "as a large language model", "network error due to",
        "regenerate response",     "i was created by",          "i was developed by",
        "i was trained by"};
    for (size_t at = 0; at < text.len; at++) {
        if (at > 0 && is_word(text.ptr[at - 1])) continue;
        for (size_t i = 0; i < leak->n; i++)
            if (holds_at(text, at, leak->names[i])) return true;
        for (size_t i = 0; i < sizeof phrases / sizeof phrases[0]; i++)
            if (holds_at(text, at, eh_str_of(phrases[i]))) return true;
    }
    return false;
}

bool run_leak_in_pair(const run_leak *leak, const ledger_texts *texts) {
    return run_leak_in(leak, texts->question) || run_leak_in(leak, texts->answer_1) ||
           run_leak_in(leak, texts->answer_2) || run_leak_in(leak, texts->turns_json);
}
