/* SPDX-License-Identifier: MIT
 *
 * Scripts first: most letters are of one. Han, Hiragana, Katakana and Hangul count as
 * one, since texts mix them. In the Latin script the little words decide: the language
 * of which a text has most, if they are an eighth of its words and half as many again
 * as the next one's.
 *
 * Left out: languages whose little words are not in the list, which show as none, and
 * texts of fewer than ten words.
 */
#include "alter/tongue.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "base/utf8.h"

enum { WORDS_MIN = 10, LETTERS_MIN = 4, WORD_MAX_BYTES = 12, SCRIPTS = 256 };

/* Each word stands between blanks. Words that several languages have are in all of
 * theirs, so that they tell nothing. */
static const struct {
    const char *name, *words;
} languages[] = {
    {"en",
     " the of and to in is that for it as with are on by this be or an from which "
     "can not they their was were has have its these such you how what when "},
    {"de",
     " der die das und ist nicht ein eine zu den von mit sich auf f\xC3\xBCr im dem "
     "des als auch es an werden aus er wird sind oder wie durch bei "},
    {"fr",
     " le la les de des et est un une du en que qui dans pour pas sur au par plus "
     "ce il sont avec ne se cette aux ou "},
    {"es", " el la los las de que y en un una es por con para del se no al su lo como "
           "m\xC3\xA1s son o este esta "},
    {"it",
     " il la lo le di che e un una in per con del della non si sono da come i gli "
     "al nel dei anche \xC3\xA8 "},
    {"pt", " o a os as de que e em um uma para com do da n\xC3\xA3o por no na se mais "
           "como dos das s\xC3\xA3o ao \xC3\xA9 "},
    {"nl",
     " de het een en van in is dat op te zijn met voor niet aan er om ook als bij "
     "worden wordt door of naar "},
};
enum { N_LANGUAGES = sizeof languages / sizeof languages[0] };

static int script_of(uint32_t cp) {
    UErrorCode status = U_ZERO_ERROR;
    UScriptCode code = uscript_getScript((UChar32)cp, &status);
    if (code == USCRIPT_HIRAGANA || code == USCRIPT_KATAKANA || code == USCRIPT_HANGUL)
        code = USCRIPT_HAN;
    bool is_one = U_SUCCESS(status) && code > USCRIPT_INHERITED && (int)code < SCRIPTS;
    return is_one ? (int)code : -1;
}

static int main_script(eh_str text) {
    int64_t counts[SCRIPTS] = {0}, n = 0;
    int best = -1;
    for (size_t at = 0; at < text.len;) {
        uint32_t cp = utf8_next(text, &at);
        int script = u_isalpha((UChar32)cp) ? script_of(cp) : -1;
        if (script < 0) continue;
        n++;
        if (++counts[script] > (best < 0 ? 0 : counts[best])) best = script;
    }
    return n >= LETTERS_MIN && counts[best] * 2 > n ? best : -1;
}

static bool has_word(const char *words, const char *word, size_t len) {
    for (const char *p = words; (p = strchr(p, ' ')) && p[1]; p++)
        if (strncmp(p + 1, word, len) == 0 && p[1 + len] == ' ') return true;
    return false;
}

/* The next run of letters, in lower case; its length, 0 at the end. */
static size_t next_word(eh_str text, size_t *at, char word[WORD_MAX_BYTES + 8]) {
    size_t len = 0;
    bool inside = false;
    while (*at < text.len) {
        size_t next = *at;
        uint32_t cp = utf8_next(text, &next);
        if (!u_isalpha((UChar32)cp)) {
            if (inside) break;
            *at = next;
            continue;
        }
        inside = true;
        *at = next;
        if (len <= WORD_MAX_BYTES)
            len += utf8_put(word + len, (uint32_t)u_tolower((UChar32)cp));
    }
    word[len] = '\0';
    return len;
}

static const char *language_of(eh_str text) {
    int64_t counts[N_LANGUAGES] = {0}, n_words = 0;
    char word[WORD_MAX_BYTES + 8];
    for (size_t at = 0, len; (len = next_word(text, &at, word)) > 0; n_words++)
        for (int i = 0; i < N_LANGUAGES; i++)
            counts[i] += has_word(languages[i].words, word, len);
    int best = 0, second = -1;
    for (int i = 1; i < N_LANGUAGES; i++) {
        if (counts[i] > counts[best]) {
            second = best;
            best = i;
        } else if (second < 0 || counts[i] > counts[second]) {
            second = i;
        }
    }
    bool is_clear = n_words >= WORDS_MIN && counts[best] * 8 >= n_words &&
                    counts[best] * 2 >= counts[second] * 3;
    return is_clear ? languages[best].name : NULL;
}

alter_tongue alter_tongue_of(eh_str text) {
    alter_tongue t = {.script = main_script(text)};
    if (t.script == USCRIPT_LATIN) t.language = language_of(text);
    return t;
}

bool alter_tongue_differs(alter_tongue a, alter_tongue b) {
    if (a.script >= 0 && b.script >= 0 && a.script != b.script) return true;
    return a.language && b.language && strcmp(a.language, b.language) != 0;
}
