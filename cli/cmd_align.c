/* SPDX-License-Identifier: MIT
 *
 * evenhand align: two answers cut into parts that belong together, side by side.
 *
 * What portia would show the judge, for people who want to see why: each part of one
 * answer beside the part of the other that it goes with, and how alike they are. The
 * columns take the terminal's width. Embeddings are asked for each time; there is no
 * ledger to keep them.
 */
#include <stdio.h>
#include <unistd.h>

#include "align/align.h"
#include "base/json_write.h"
#include "common.h"
#include "embedder.h"
#include "report/layout.h"
#include "text_file.h"

typedef struct aligned {
    align_units units[2];
    align_similarity *similarity;
    eh_str by; /* what the similarity is made of: "tokens", or the embedder */
    align_cut length, semantic;
    size_t parts;
} aligned;

/* The cosine of embeddings, through a ledger that is gone afterwards. A text that the
 * endpoint refuses ends the command. */
static eh_status embed(run_embedder *e, const align_pair *pair, eh_arena *arena,
                       aligned *a, eh_error *err) {
    ledger *l = NULL;
    EH_TRY(ledger_open_temporary(&l, err));
    eh_status status = run_embedder_use(e, l, 1, err);
    if (status == EH_STATUS_OK) status = run_embed_now(e, a->units, err);
    if (status == EH_STATUS_OK)
        status = run_embed_similarity(e, pair, arena, &a->similarity, err);
    if (status == EH_STATUS_OK && !arena_copy(arena, run_embedder_id(e), &a->by))
        status = EH_NOMEM(err);
    if (status == EH_STATUS_OK && !a->similarity)
        status = EH_FAIL(err, EH_STATUS_ENDPOINT,
                         "%.*s refused a unit of the texts, for its length or what it "
                         "says",
                         EH_STR_ARG(run_embedder_id(e)));
    (void)ledger_close(l, NULL);
    return status;
}

/* What is too large to be aligned into `parts` parts is not embedded either. */
static eh_status make_similarity(const cli_args *args, const align_pair *pair,
                                 size_t parts, eh_arena *arena, aligned *a,
                                 eh_error *err) {
    run_embedder *e;
    EH_TRY(embedder_open(args, NULL, clock_system(), &e, err));
    bool embeds = e && align_is_feasible(pair, parts);
    a->by = EH_STR("tokens");
    eh_status status = embeds
                           ? embed(e, pair, arena, a, err)
                           : align_similarity_words(pair, arena, &a->similarity, err);
    run_embedder_close(e);
    return status;
}

static eh_status align_texts(const cli_args *args, const eh_buf texts[2],
                             eh_arena *arena, aligned *a, eh_error *err) {
    eh_str wish = eh_str_of(args_str(args, OPT_parts));
    bool is_auto = eh_str_eq_cstr(wish, "auto");
    int64_t n = ALIGN_PARTS_DEFAULT;
    if (wish.len && !is_auto &&
        (!eh_str_to_i64(wish, &n) || n < 1 || n > PLAN_PARTS_MAX))
        return EH_FAIL(err, EH_STATUS_USAGE,
                       "--parts: '%.*s' is not auto or a whole number from 1 to %d",
                       EH_STR_ARG(wish), PLAN_PARTS_MAX);
    align_options options = {.parts = (size_t)n,
                             .lang = eh_str_of(args_str(args, OPT_lang))};
    for (int i = 0; i < 2; i++)
        EH_TRY(align_units_of(buf_view(&texts[i]), &options, arena, &a->units[i], err));
    align_pair pair = {&a->units[0], &a->units[1]};
    EH_TRY(make_similarity(args, &pair, is_auto ? ALIGN_PARTS_AUTO_MAX : (size_t)n,
                           arena, a, err));
    align_similarity *similarity = a->similarity;
    if (is_auto) {
        align_auto choice;
        EH_TRY(align_choose_parts(&pair, similarity, arena, &choice, err));
        n = (int64_t)choice.parts;
    }
    a->parts = (size_t)n;
    EH_TRY(align_length_cut(&pair, similarity, a->parts, arena, &a->length, err));
    return align_semantic_cut(&pair, similarity, a->parts, arena, &a->semantic, err);
}

static eh_str part_of(const aligned *a, const align_cut *cut, int answer, size_t t) {
    return align_part(&a->units[answer], answer ? cut->begin_2 : cut->begin_1, t);
}

static void put_cut(json_writer *w, const char *key, const aligned *a,
                    const align_cut *cut) {
    json_key(w, key);
    json_object_begin(w);
    json_put_f64(w, "similarity", cut->sum);
    json_key(w, "parts");
    json_array_begin(w);
    for (size_t t = 0; t < cut->n_parts; t++) {
        json_object_begin(w);
        json_put_f64(w, "similarity", cut->similarity[t]);
        json_put_str(w, "a", part_of(a, cut, 0, t));
        json_put_str(w, "b", part_of(a, cut, 1, t));
        json_object_end(w);
    }
    json_array_end(w);
    json_key(w, "notes");
    json_array_begin(w);
    uint32_t notes = cut->notes | a->units[0].notes | a->units[1].notes;
    for (int i = 0; i < ALIGN_NOTE_N; i++)
        if (notes >> i & 1) json_cstr(w, align_note_name((align_note)i));
    json_array_end(w);
    json_object_end(w);
}

static void put_json(const aligned *a, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 1);
    json_object_begin(&w);
    json_put_i64(&w, "align", 1);
    json_put_i64(&w, "parts", (int64_t)a->semantic.n_parts);
    json_put_str(&w, "by", a->by);
    put_cut(&w, "length", a, &a->length);
    put_cut(&w, "semantic", a, &a->semantic);
    json_object_end(&w);
    buf_add_char(out, '\n');
}

static eh_str by_words(const aligned *a) {
    return eh_str_eq_cstr(a->by, "tokens") ? EH_STR("words in common") : a->by;
}

/* Two columns of one part, line by line. */
static void put_columns(const eh_buf text[2], int columns, eh_buf *out) {
    int width = (columns - 3) / 2;
    text_wrap left = {.text = buf_view(&text[0]), .columns = width};
    text_wrap right = {.text = buf_view(&text[1]), .columns = width};
    for (;;) {
        eh_str l = EH_STR(""), r = EH_STR("");
        int l_indent = 0, r_indent = 0;
        bool more_left = text_wrap_next(&left, &l, &l_indent);
        bool more_right = text_wrap_next(&right, &r, &r_indent);
        if (!more_left && !more_right) return;
        int pad = width - l_indent - report_columns(l);
        buf_printf(out, "%*s%.*s%*s |", l_indent, "", EH_STR_ARG(l), pad > 0 ? pad : 0,
                   "");
        if (r.len) buf_printf(out, " %*s%.*s", r_indent, "", EH_STR_ARG(r));
        buf_add_char(out, '\n');
    }
}

static void put_part(const aligned *a, const align_cut *cut, size_t t, eh_buf *out) {
    eh_buf text[2];
    for (int i = 0; i < 2; i++) {
        buf_init(&text[i], BUF_MAX_REPORT);
        text_printable(part_of(a, cut, i, t), &text[i]);
        if (text[i].failed) out->failed = true;
    }
    put_columns(text, text_terminal_columns(STDOUT_FILENO), out);
    buf_deinit(&text[0]);
    buf_deinit(&text[1]);
}

/* The names of the files over the columns. */
static void put_names(char *const *names, eh_buf *out) {
    eh_buf text[2];
    for (int i = 0; i < 2; i++) {
        bool is_stdin = strcmp(names[i], "-") == 0;
        buf_init(&text[i], BUF_MAX_SMALL);
        text_printable(is_stdin ? EH_STR("standard input") : eh_str_of(names[i]),
                       &text[i]);
    }
    put_columns(text, text_terminal_columns(STDOUT_FILENO), out);
    buf_add_char(out, '\n');
    buf_deinit(&text[0]);
    buf_deinit(&text[1]);
}

/* What is said of the whole. */
static void put_sums(const aligned *a, eh_buf *out) {
    const align_cut *cut = &a->semantic;
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    buf_printf(&text, "sum %.3f (%.*s); cut by length alone %.3f\n", cut->sum,
               EH_STR_ARG(by_words(a)), a->length.sum);
    buf_printf(&text, "%zu and %zu units\n", a->units[0].n, a->units[1].n);
    uint32_t notes = cut->notes | a->units[0].notes | a->units[1].notes;
    for (int i = 0; i < ALIGN_NOTE_N; i++)
        if (notes >> i & 1)
            buf_printf(&text, "note: " LAYOUT_HANG "%s\n",
                       align_note_text((align_note)i));
    report_layout(buf_view(&text), text_terminal_columns(STDOUT_FILENO), out);
    out->failed = out->failed || text.failed;
    buf_deinit(&text);
}

static void put_text(const aligned *a, const cli_args *args, eh_buf *out) {
    const align_cut *cut = &a->semantic;
    bool colour = cmd_has_colour(args);
    put_names(args->operands, out);
    for (size_t t = 0; t < cut->n_parts; t++) {
        buf_printf(out, "%spart %zu of %zu, similarity %.2f%s\n",
                   colour ? "\033[1m" : "", t + 1, cut->n_parts, cut->similarity[t],
                   colour ? "\033[0m" : "");
        put_part(a, cut, t, out);
        buf_add_char(out, '\n');
    }
    put_sums(a, out);
}

int cmd_align(const cli_args *args) {
    eh_error err;
    eh_arena arena;
    eh_buf texts[2], out;
    aligned a = {.parts = 0};
    arena_init(&arena, (size_t)4 << 30);
    buf_init(&texts[0], BUF_MAX_PROMPT);
    buf_init(&texts[1], BUF_MAX_PROMPT);
    buf_init(&out, BUF_MAX_REPORT);
    eh_status status = text_file_read(args->operands[0], &texts[0], &err);
    if (status == EH_STATUS_OK)
        status = text_file_read(args->operands[1], &texts[1], &err);
    if (status == EH_STATUS_OK) status = align_texts(args, texts, &arena, &a, &err);
    if (status == EH_STATUS_OK) {
        if (args_flag(args, OPT_json))
            put_json(&a, &out);
        else
            put_text(&a, args, &out);
        status = buf_check(&out, "the parts", &err);
    }
    if (status == EH_STATUS_OK) status = cmd_print(buf_view(&out), &err);
    buf_deinit(&texts[0]);
    buf_deinit(&texts[1]);
    buf_deinit(&out);
    arena_deinit(&arena);
    return status == EH_STATUS_OK ? 0 : cmd_fail(args, &err);
}
