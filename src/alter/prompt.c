/* SPDX-License-Identifier: MIT
 *
 * Prompts: a file has a system text, a line "---" and a user text (or that alone), with
 * names in double braces. They are replaced in one pass; what is put in is never
 * scanned again. Texts stand between marks with a tag that none of them holds, which is
 * a hash of the file and of all that is put in, and the reply's blocks carry it too.
 */
#include "alter/prompt.h"

#include "base/buf.h"
#include "base/embedded.h"
#include "base/hash.h"

enum { TAG_BYTES = 4 };

static const struct {
    const char *name, *what, *hint;
} levels[] = {
#define X(id, name, what, hint) {name, what, hint},
    ALTER_LEVEL_LIST(X)
#undef X
};

const char *alter_level_name(alter_level level) {
    return levels[level].name;
}

static eh_str embedded(const char *name) {
    for (const embedded_file *f = embedded_alter_prompts; f->name; f++)
        if (strcmp(f->name, name) == 0) return (eh_str){f->text, f->len};
    return EH_STR("");
}

static eh_str text_of(const alter_asked *a) {
    switch (a->step) {
    case ALTER_QUESTIONS: return embedded("questions.txt");
    case ALTER_ANSWER: return embedded("answer.txt");
    case ALTER_CHANGE: break;
    }
    return a->probe->prompt;
}

/* A tag that stands in none of the texts. */
static eh_status make_tag(const alter_asked *a, eh_str file, eh_arena *arena,
                          eh_str *tag, eh_error *err) {
    for (int64_t i = 0;; i++) {
        eh_hash h;
        uint8_t digest[HASH_BYTES];
        char hex[2 * TAG_BYTES + 1];
        hash_init(&h, "eh-alter-1");
        hash_str(&h, file);
        hash_str(&h, a->question);
        hash_str(&h, a->answer);
        hash_i64(&h, a->level);
        hash_i64(&h, i);
        hash_done(&h, digest);
        hash_hex(digest, TAG_BYTES, hex);
        *tag = eh_str_of(hex);
        if (eh_str_find(a->question, *tag, 0) == SIZE_MAX &&
            eh_str_find(a->answer, *tag, 0) == SIZE_MAX)
            return arena_copy(arena, *tag, tag) ? EH_STATUS_OK : EH_NOMEM(err);
    }
}

static void put_slot(const alter_asked *a, eh_str name, eh_str tag, eh_buf *out) {
    if (eh_str_eq_cstr(name, "tag"))
        buf_add_str(out, tag);
    else if (eh_str_eq_cstr(name, "question"))
        buf_add_str(out, a->question);
    else if (eh_str_eq_cstr(name, "answer"))
        buf_add_str(out, a->answer);
    else if (eh_str_eq_cstr(name, "level"))
        buf_add_cstr(out, levels[a->level].name);
    else if (eh_str_eq_cstr(name, "what"))
        buf_add_cstr(out, levels[a->level].what);
    else if (eh_str_eq_cstr(name, "hint"))
        buf_add_cstr(out, levels[a->level].hint);
    else if (eh_str_eq_cstr(name, "n"))
        buf_printf(out, "%d", a->n_questions);
    else if (eh_str_eq_cstr(name, "words"))
        buf_printf(out, "%d", a->max_words);
}

static void fill(const alter_asked *a, eh_str text, eh_str tag, eh_buf *out) {
    for (size_t at = 0; at < text.len;) {
        size_t open = eh_str_find(text, EH_STR("{{"), at);
        size_t close =
            open == SIZE_MAX ? SIZE_MAX : eh_str_find(text, EH_STR("}}"), open);
        if (close == SIZE_MAX) open = text.len;
        buf_add_str(out, eh_str_slice(text, at, open));
        if (close == SIZE_MAX) break;
        put_slot(a, eh_str_slice(text, open + 2, close), tag, out);
        at = close + 2;
    }
}

eh_status alter_prompt_make(const alter_asked *asked, eh_arena *arena,
                            alter_prompt *prompt, eh_error *err) {
    eh_str text = text_of(asked), parts[2];
    eh_buf out;
    eh_status status = EH_STATUS_OK;
    alter_prompt_parts(text, &parts[0], &parts[1]);
    EH_TRY(make_tag(asked, text, arena, &prompt->tag, err));
    prompt->n_messages = 0;
    buf_init(&out, BUF_MAX_PROMPT);
    for (int i = 0; i < 2 && status == EH_STATUS_OK; i++) {
        if (i == 0 && parts[i].len == 0) continue;
        prompt_message *m = &prompt->messages[prompt->n_messages++];
        m->role = i == 0 ? EH_STR("system") : EH_STR("user");
        buf_reset(&out);
        fill(asked, parts[i], prompt->tag, &out);
        status = buf_check(&out, "a prompt", err);
        if (status == EH_STATUS_OK && !arena_copy(arena, buf_view(&out), &m->content))
            status = EH_NOMEM(err);
    }
    buf_deinit(&out);
    return status;
}
