/* SPDX-License-Identifier: MIT
 *
 * From a model's name to its family. A name says who trained a model only by custom, so
 * the card lists which names were counted as what, and users can say it themselves.
 *
 *   "meta-llama/Llama-2-7b-chat"  ->  "Llama-2-7b-chat"  ->  "llama"
 *   "text-davinci-003"            ->  "davinci"          ->  "gpt"     (a list of
 * names) "vicuna-13b"                  ->  "vicuna"                         (its
 * letters) "model_a"                     ->  "model_a"                        (says
 * nothing)
 *
 * Left out: who was tuned from whom (vicuna is no llama here), and which model wrote
 * the data that another was trained on.
 */
#include "audit/family.h"

#include "base/utf8.h"

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static bool is_same_word(eh_str word, const char *lower_case) {
    if (word.len != strlen(lower_case)) return false;
    for (size_t i = 0; i < word.len; i++)
        if (lower(word.ptr[i]) != lower_case[i]) return false;
    return true;
}

/* Names of one maker's models that do not share their letters. */
static const struct {
    const char *word, *family;
} aliases[] = {
    {"chatgpt", "gpt"},       {"davinci", "gpt"},       {"o", "gpt"},
    {"gemma", "gemini"},      {"palm", "gemini"},       {"bard", "gemini"},
    {"meta", "llama"},        {"codellama", "llama"},   {"mixtral", "mistral"},
    {"ministral", "mistral"}, {"codestral", "mistral"}, {"magistral", "mistral"},
    {"qwq", "qwen"},
};

bool audit_family_says_nothing(eh_str word) {
    static const char *const common[] = {
        "model", "baseline",  "system", "answer", "assistant", "run",      "test",
        "old",   "candidate", "new",    "base",   "human",     "the",      "chat",
        "large", "small",     "team",   "first",  "second",    "instruct", "control"};
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++)
        if (is_same_word(word, common[i])) return true;
    return false;
}

static void put(eh_str name, char family[AUDIT_FAMILY_MAX + 1]) {
    eh_str cut = utf8_cut(name, AUDIT_FAMILY_MAX);
    for (size_t i = 0; i < cut.len; i++)
        family[i] = lower(cut.ptr[i]);
    family[cut.len] = '\0';
}

bool audit_family(eh_str model, char family[AUDIT_FAMILY_MAX + 1]) {
    eh_str name = eh_str_trim(model);
    for (size_t i = name.len; i > 0; i--)
        if (name.ptr[i - 1] == '/') {
            name = eh_str_slice(name, i, name.len);
            break;
        }
    if (name.len == 0) return false;
    eh_str whole = name;
    if (name.len > 5 && is_same_word(eh_str_slice(name, 0, 5), "text-"))
        name = eh_str_slice(name, 5, name.len);
    size_t n = 0;
    while (n < name.len && is_letter(name.ptr[n]))
        n++;
    eh_str word = eh_str_slice(name, 0, n);
    /* one letter and a digit: o1, o3; any other is a name that says nothing */
    bool is_o = n == 1 && name.len > 1 && name.ptr[1] >= '0' && name.ptr[1] <= '9';
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if (is_same_word(word, aliases[i].word) && (n > 1 || is_o)) {
            put(eh_str_of(aliases[i].family), family);
            return true;
        }
    put(n < 2 || audit_family_says_nothing(word) ? whole : word, family);
    return true;
}

/* "family=NAME" among the keys of a simulated judge. */
static bool family_of_sim(eh_str keys, char family[AUDIT_FAMILY_MAX + 1]) {
    eh_str part;
    while (keys.len && eh_str_split(&keys, ',', &part))
        if (eh_str_begins(part, EH_STR("family=")))
            return audit_family(eh_str_slice(part, 7, part.len), family);
    return false;
}

bool audit_family_of_judge(eh_str judge_id, char family[AUDIT_FAMILY_MAX + 1]) {
    eh_str rest = judge_id, backend = {NULL, 0};
    if (!eh_str_split(&rest, ':', &backend)) return false;
    static const char *const no_models[] = {"longest", "overlap", "replay"};
    for (size_t i = 0; i < sizeof no_models / sizeof no_models[0]; i++)
        if (eh_str_eq_cstr(backend, no_models[i])) return false;
    if (eh_str_eq_cstr(backend, "sim")) return family_of_sim(rest, family);
    /* without a backend it is a name that users gave it (--judge-id) */
    eh_str model = rest.len ? rest : backend;
    eh_str address = model;
    return eh_str_split(&address, '@', &model) && audit_family(model, family);
}
