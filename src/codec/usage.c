/* SPDX-License-Identifier: MIT
 *
 * Usage objects and estimates.
 *
 * OpenAI counts the cached part inside prompt_tokens; Anthropic gives three parts that
 * exclude each other, so they are added. DeepSeek and SGLang put some numbers at other
 * places. Unknown is not 0: a field that is not there is -1.
 *
 * The low estimate follows from how tokenizers work: a token never spans two words, so
 * a text has about 4/3 tokens a word in English and more elsewhere; Chinese, Japanese
 * and Thai have between a half and two a character. The high one takes
 * tokens of two bytes: English has four to five, code and other Latin scripts about
 * three, Chinese seldom less than two. Left out: a tokenizer. None fits all models.
 */
#include "codec/usage.h"

#include "base/utf8.h"

static int64_t whole_number(const json_value *v) {
    int64_t whole;
    double real;
    if (!v || v->kind != JSON_NUMBER) return -1;
    if (eh_str_to_i64(v->text, &whole)) return whole >= 0 ? whole : -1;
    if (!eh_str_to_f64(v->text, &real) || !(real >= 0) || real > 1e15) return -1;
    whole = (int64_t)real;
    return (double)whole >= real ? whole : -1;
}

static int64_t member(const json_value *object, const char *key) {
    return whole_number(json_get(object, key));
}

static int64_t first_known(int64_t a, int64_t b) {
    return a >= 0 ? a : b;
}

judge_usage usage_openai(const json_value *u) {
    const json_value *prompt = json_get(u, "prompt_tokens_details");
    const json_value *completion = json_get(u, "completion_tokens_details");
    return (judge_usage){
        .prompt_tokens = member(u, "prompt_tokens"),
        .cached_tokens = first_known(member(prompt, "cached_tokens"),
                                     member(u, "prompt_cache_hit_tokens")),
        .completion_tokens = member(u, "completion_tokens"),
        .reasoning_tokens = first_known(member(completion, "reasoning_tokens"),
                                        member(u, "reasoning_tokens")),
    };
}

static int64_t or_zero(int64_t n) {
    return n > 0 ? n : 0;
}

judge_usage usage_anthropic(const json_value *u) {
    int64_t fresh = member(u, "input_tokens");
    int64_t written = member(u, "cache_creation_input_tokens");
    int64_t cached = member(u, "cache_read_input_tokens");
    const json_value *output = json_get(u, "output_tokens_details");
    return (judge_usage){
        .prompt_tokens = fresh < 0 ? -1 : fresh + or_zero(written) + or_zero(cached),
        .cached_tokens = cached,
        .completion_tokens = member(u, "output_tokens"),
        .reasoning_tokens = member(output, "thinking_tokens"),
    };
}

static int64_t once(int64_t whole, int i) {
    return whole < 0 || i == 0 ? whole : 0;
}

static int64_t dealt(int64_t whole, int i, int n) {
    return whole < 0 ? -1 : whole / n + (i < whole % n);
}

judge_usage usage_share(const judge_usage *whole, int i, int n) {
    return (judge_usage){
        .prompt_tokens = once(whole->prompt_tokens, i),
        .cached_tokens = once(whole->cached_tokens, i),
        .completion_tokens = dealt(whole->completion_tokens, i, n),
        .reasoning_tokens = dealt(whole->reasoning_tokens, i, n),
    };
}

/* Scripts without spaces: Thai to Khmer, kana, Han, and wide forms. */
static bool is_spaceless(uint32_t cp) {
    return (cp >= 0x0E00 && cp < 0x1100) || (cp >= 0x1780 && cp < 0x1800) ||
           (cp >= 0x2E80 && cp < 0xA4D0) || (cp >= 0xF900 && cp < 0xFB00) ||
           (cp >= 0xFF00 && cp < 0xFFF0) || (cp >= 0x20000 && cp < 0x40000);
}

#define EACH_BYTE(c) (UINT64_C(0x0101010101010101) * (c))

/* Counts the words that begin in eight bytes of ASCII, the first of them lowest. */
static int64_t words_begin(uint64_t bytes, bool *in_word) {
    /* the upper bit of each byte above a space; sums stay below 0x100 */
    uint64_t words = (bytes + EACH_BYTE(0x7F - ' ')) & EACH_BYTE(0x80);
    uint64_t behind_word = words << 8 | (*in_word ? 0x80 : 0);
    uint64_t begins = (words & ~behind_word) >> 7;
    *in_word = words >> 63;
    return (int64_t)(begins * EACH_BYTE(1) >> 56);
}

int64_t usage_estimate_low(eh_str text) {
    int64_t n_words = 0, n_spaceless = 0;
    bool in_word = false;
    for (size_t at = 0; at < text.len;) {
        uint64_t eight;
        if (text.len - at >= sizeof eight) {
            memcpy(&eight, text.ptr + at, sizeof eight);
            if (!(eight & EACH_BYTE(0x80))) {
                n_words += words_begin(eight, &in_word);
                at += sizeof eight;
                continue;
            }
        }
        uint32_t cp = utf8_next(text, &at);
        bool spaceless = is_spaceless(cp);
        bool space = cp <= ' ' || cp == 0xA0;
        n_spaceless += spaceless;
        n_words += !spaceless && !space && !in_word;
        in_word = !spaceless && !space;
    }
    return n_words * 4 / 3 + n_spaceless * 3 / 5;
}

int64_t usage_estimate_high(eh_str text) {
    return (int64_t)(text.len / 2) + 8;
}
