/* SPDX-License-Identifier: MIT
 *
 * Embeddings: a vector for each text, from its words, so that texts with common words
 * have similar vectors, and the same text always has the same.
 *
 * Each word (letters and digits, in lower case; any byte above 127 counts as a letter)
 * adds 1 or -1 at a few places that its hash names. The vector is scaled to length 1.
 */
#include <math.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "mock.h"

enum { PLACES = 4, MAX_DIMS = 4096 };

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (unsigned char)c > 127;
}

static void add_word(eh_str word, float *vector, int64_t n_dims) {
    eh_hash h;
    uint8_t digest[HASH_BYTES];
    hash_init(&h, "mock-word");
    for (size_t i = 0; i < word.len; i++) {
        char c = word.ptr[i];
        hash_i64(&h, c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    hash_done(&h, digest);
    for (int p = 0; p < PLACES; p++) {
        uint64_t draw = hash_u64(digest + 8 * p);
        vector[draw % (uint64_t)n_dims] += draw >> 63 ? 1 : -1;
    }
}

static void embed(eh_str text, float *vector, int64_t n_dims) {
    memset(vector, 0, (size_t)n_dims * sizeof *vector);
    for (size_t at = 0; at < text.len;) {
        size_t end = at;
        while (end < text.len && is_letter(text.ptr[end]))
            end++;
        if (end > at) add_word(eh_str_slice(text, at, end), vector, n_dims);
        at = end + 1;
    }
    double square = 1e-9;
    for (int64_t d = 0; d < n_dims; d++)
        square += (double)vector[d] * (double)vector[d];
    for (int64_t d = 0; d < n_dims; d++)
        vector[d] = (float)((double)vector[d] / sqrt(square));
}

static void write_vector(const mock *m, const float *vector, json_writer *w) {
    int64_t n = m->options.dims;
    char text[MAX_DIMS * sizeof(float) * 2];
    if (m->options.base64) {
        (void)sodium_bin2base64(text, sizeof text, (const unsigned char *)vector,
                                (size_t)n * sizeof *vector,
                                sodium_base64_VARIANT_ORIGINAL);
        json_cstr(w, text);
        return;
    }
    json_array_begin(w);
    for (int64_t d = 0; d < n; d++)
        json_f64(w, (double)vector[d]);
    json_array_end(w);
}

static void note_text(mock *m, eh_str text) {
    eh_hash h;
    uint8_t digest[HASH_BYTES];
    uint64_t key[2];
    hash_init(&h, "mock-text");
    hash_str(&h, text);
    hash_done(&h, digest);
    key[0] = hash_u64(digest) | 1;
    key[1] = hash_u64(digest + 8);
    (void)mock_set_add(&m->texts, key);
}

void mock_inputs_read(const json_value *root, mock_asked *asked) {
    const json_value *input = json_get(root, "input");
    *asked = (mock_asked){.is_embedding = true, .root = root, .seed = -1};
    if (!input) return;
    asked->inputs = input->kind == JSON_ARRAY ? input->child : input;
    asked->n = input->kind == JSON_ARRAY ? (int64_t)input->n : 1;
}

int64_t mock_longest_input(const mock_asked *a) {
    int64_t longest = 0;
    int64_t i = 0;
    for (const json_value *v = a->inputs; v && i < a->n; v = v->next, i++)
        if ((int64_t)v->text.len > longest) longest = (int64_t)v->text.len;
    return longest;
}

/* Newest first: clients must go by the index. */
void mock_embeddings_write(mock *m, const mock_asked *a, eh_buf *body) {
    json_writer w;
    float vector[MAX_DIMS];
    int64_t n_tokens = 0;
    eh_str texts[2048];
    int64_t n = 0;
    for (const json_value *v = a->inputs; v && n < a->n && n < 2048; v = v->next)
        texts[n++] = v->text;
    json_writer_init(&w, body, 0);
    json_object_begin(&w);
    json_put_cstr(&w, "object", "list");
    json_key(&w, "data");
    json_array_begin(&w);
    for (int64_t i = n; i-- > 0;) {
        embed(texts[i], vector, m->options.dims);
        note_text(m, texts[i]);
        n_tokens += (int64_t)texts[i].len / 4 + 1;
        json_object_begin(&w);
        json_put_cstr(&w, "object", "embedding");
        json_put_i64(&w, "index", i);
        json_key(&w, "embedding");
        write_vector(m, vector, &w);
        json_object_end(&w);
    }
    json_array_end(&w);
    json_put_str(&w, "model", json_get_str(a->root, "model"));
    if (!m->options.no_usage) {
        json_key(&w, "usage");
        json_object_begin(&w);
        json_put_i64(&w, "prompt_tokens", n_tokens);
        json_put_i64(&w, "total_tokens", n_tokens);
        json_object_end(&w);
    }
    json_object_end(&w);
    m->counts.n_texts += n;
    if (n > m->counts.max_texts) m->counts.max_texts = n;
}
