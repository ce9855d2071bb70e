/* SPDX-License-Identifier: MIT
 *
 * evenhand split: the units of a text, between which alone an answer may be cut.
 *
 * --json prints every unit with its byte span, kind and text; joined they are the file,
 * byte for byte.
 */
#include <unistd.h>

#include "align/align.h"
#include "base/json_write.h"
#include "common.h"
#include "text_file.h"

enum { TEXT_COLUMN = 16 }; /* behind number and kind */

static void put_notes(json_writer *w, uint32_t notes) {
    json_key(w, "notes");
    json_array_begin(w);
    for (int i = 0; i < ALIGN_NOTE_N; i++)
        if (notes >> i & 1) json_cstr(w, align_note_name((align_note)i));
    json_array_end(w);
}

static void put_json(const align_units *units, eh_buf *out) {
    json_writer w;
    json_writer_init(&w, out, 1);
    json_object_begin(&w);
    json_put_i64(&w, "split", 1);
    json_key(&w, "units");
    json_array_begin(&w);
    for (size_t i = 0; i < units->n; i++) {
        const align_unit *u = &units->unit[i];
        json_object_begin(&w);
        json_put_i64(&w, "begin_byte", u->begin_byte);
        json_put_i64(&w, "end_byte", u->end_byte);
        json_put_cstr(&w, "kind", align_unit_kind_name(u->kind));
        json_put_str(&w, "text", eh_str_slice(units->text, u->begin_byte, u->end_byte));
        json_object_end(&w);
    }
    json_array_end(&w);
    put_notes(&w, units->notes);
    json_object_end(&w);
    buf_add_char(out, '\n');
}

/* The text beside the unit's number and kind, wrapped to the terminal. */
static void put_unit_text(eh_str text, eh_buf *out) {
    eh_buf shown;
    eh_str line;
    int indent, column = 0;
    buf_init(&shown, BUF_MAX_REPORT);
    text_printable(text, &shown);
    text_wrap wrap = {.text = buf_view(&shown),
                      .columns = text_terminal_columns(STDOUT_FILENO) - TEXT_COLUMN};
    while (text_wrap_next(&wrap, &line, &indent)) {
        if (line.len)
            buf_printf(out, "%*s%.*s", column + 2 + indent, "", EH_STR_ARG(line));
        buf_add_char(out, '\n');
        column = TEXT_COLUMN - 2;
    }
    if (shown.len == 0) buf_add_char(out, '\n');
    if (shown.failed) out->failed = true;
    buf_deinit(&shown);
}

static void put_text(const align_units *units, eh_buf *out) {
    for (size_t i = 0; i < units->n; i++) {
        const align_unit *u = &units->unit[i];
        buf_printf(out, "%4zu  %-8s", i + 1, align_unit_kind_name(u->kind));
        put_unit_text(align_unit_text(units, i), out);
    }
    for (int i = 0; i < ALIGN_NOTE_N; i++)
        if (units->notes >> i & 1)
            buf_printf(out, "note: %s\n", align_note_text((align_note)i));
}

int cmd_split(const cli_args *args) {
    eh_error err;
    eh_arena arena;
    eh_buf text, out;
    align_units units;
    const char *lang = args_str(args, OPT_lang);
    align_options options = {.lang = eh_str_of(lang)};
    arena_init(&arena, (size_t)4 << 30);
    buf_init(&text, BUF_MAX_PROMPT);
    buf_init(&out, BUF_MAX_REPORT);
    eh_status status = text_file_read(args->operands[0], &text, &err);
    if (status == EH_STATUS_OK)
        status = align_units_of(buf_view(&text), &options, &arena, &units, &err);
    if (status == EH_STATUS_OK) {
        if (args_flag(args, OPT_json))
            put_json(&units, &out);
        else
            put_text(&units, &out);
        status = buf_check(&out, "the units", &err);
    }
    if (status == EH_STATUS_OK) status = cmd_print(buf_view(&out), &err);
    buf_deinit(&text);
    buf_deinit(&out);
    arena_deinit(&arena);
    return status == EH_STATUS_OK ? 0 : cmd_fail(args, &err);
}
