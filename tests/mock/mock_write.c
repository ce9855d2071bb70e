/* SPDX-License-Identifier: MIT
 *
 * A model that writes: replies to the prompts of evenhand generate, in the blocks that
 * they ask for. What is asked is told by the prompt's own blocks and a few of its
 * words; what is written is a function of the draw, so a sample always has the same
 * text.
 *
 * --write-faults P makes P of 100 replies one of: no block, a doubled block, the
 * original again, another text, a refusal, another language, an open block. Stray white
 * space, which is none, comes as often.
 */
#include <stdio.h>

#include "mock.h"

enum { N_FAULTS = 7, TAG_CHARS = 8 };

static const char *const things[] = {"lamp",  "kite",   "bridge", "garden",
                                     "clock", "engine", "river",  "market"};

/* What stands between <name_TAG> and </name_TAG>. */
static eh_str block_of(eh_str text, const char *name, eh_str tag) {
    char open[64], close[64];
    (void)snprintf(open, sizeof open, "<%s_%.*s>\n", name, EH_STR_ARG(tag));
    (void)snprintf(close, sizeof close, "\n</%s_%.*s>", name, EH_STR_ARG(tag));
    size_t begin = eh_str_find(text, eh_str_of(open), 0);
    if (begin == SIZE_MAX) return EH_STR("");
    begin += strlen(open);
    size_t end = eh_str_find(text, eh_str_of(close), begin);
    return end == SIZE_MAX ? EH_STR("") : eh_str_slice(text, begin, end);
}

static bool has(eh_str text, const char *words) {
    return eh_str_find(text, eh_str_of(words), 0) != SIZE_MAX;
}

static void put(eh_buf *out, const char *name, eh_str tag, eh_str text) {
    buf_printf(out, "<%s_%.*s>\n", name, EH_STR_ARG(tag));
    buf_add_str(out, text);
    buf_printf(out, "\n</%s_%.*s>\n", name, EH_STR_ARG(tag));
}

static void write_questions(eh_str asked, eh_str tag, uint64_t draw, eh_buf *out) {
    static const char about[] = "of one kind of thinking: ";
    size_t at = eh_str_find(asked, EH_STR("Write "), 0) + 6;
    size_t level = eh_str_find(asked, eh_str_of(about), 0) + strlen(about);
    size_t comma = eh_str_find(asked, EH_STR(","), level);
    int n = 0;
    while (asked.ptr[at] >= '0' && asked.ptr[at] <= '9')
        n = 10 * n + (asked.ptr[at++] - '0');
    for (int i = 0; i < n; i++) {
        char text[160];
        (void)snprintf(
            text, sizeof text,
            "In what way does the %s of town %d.%u serve people who are %.*s?",
            things[i % 8], i + 1, (unsigned)(draw >> 40) % 1000, (int)(comma - level),
            asked.ptr + level);
        put(out, "question", tag, eh_str_of(text));
    }
}

static void write_answer(uint64_t draw, eh_buf *out) {
    buf_printf(
        out,
        "The %s is the oldest in the town and was built in %d. It stands close "
        "to the %s, so that people can reach it on foot in %d minutes.\n\nMost of "
        "them come in the morning. They say that it works well, but the %s next "
        "to it needs care from time to time.",
        things[draw % 8], 1700 + (int)(draw / 8 % 300), things[draw / 64 % 8],
        2 + (int)(draw / 512 % 30), things[draw / 4096 % 8]);
}

/* The original with its i-th long word in another's place. */
static void write_error(eh_str original, int n_errors, eh_buf *out) {
    size_t from = 0;
    for (size_t i = 0, begin = 0; i <= original.len; i++) {
        bool is_letter = i < original.len && (original.ptr[i] | 0x20) >= 'a' &&
                         (original.ptr[i] | 0x20) <= 'z';
        if (is_letter) continue;
        if (i - begin >= 5 && n_errors-- > 0) {
            buf_add_str(out, eh_str_slice(original, from, begin));
            buf_add_cstr(out, n_errors ? "copper" : "basalt");
            from = i;
        }
        begin = i + 1;
    }
    buf_add_str(out, eh_str_slice(original, from, original.len));
}

static void write_change(eh_str asked, eh_str original, eh_buf *out) {
    size_t stop = eh_str_find(original, EH_STR("."), 0);
    if (stop == SIZE_MAX) stop = original.len;
    eh_str head = eh_str_slice(original, 0, stop);
    eh_str tail = eh_str_slice(original, stop, original.len);
    if (has(asked, "factual errors into")) {
        write_error(original, 2, out);
    } else if (has(asked, "biased as to gender")) {
        buf_add_str(out, head);
        buf_add_cstr(out, ", as every sensible man knows");
        buf_add_str(out, tail);
    } else if (has(asked, "Add sources")) {
        buf_add_str(out, head);
        buf_add_cstr(out, " (Lindgren, 2011)");
        buf_add_str(out, tail);
        buf_add_cstr(out, "\n\nReferences:\nLindgren, A. (2011). On towns. Norhall.");
    } else if (has(asked, "a polite opening")) { /* a probe of a user's own */
        buf_add_cstr(out, "What a good question this is, and I thank you for it. ");
        buf_add_str(out, original);
    } else {
        buf_add_cstr(out, "## The answer \xF0\x9F\x8C\x9F\n\n**");
        buf_add_str(out, head);
        buf_add_cstr(out, "**");
        buf_add_str(out, tail);
    }
}

static const char foreign[] =
    "La ville est grande et les gens qui sont dans la rue ne savent pas que le fleuve "
    "est "
    "vieux, mais ils vont avec nous pour voir une maison sur la place.";

static void write_fault(int fault, eh_str tag, eh_str original, eh_str text,
                        eh_buf *out) {
    switch (fault) {
    case 0: buf_add_str(out, text); break;
    case 1:
        put(out, "answer", tag, text);
        put(out, "answer", tag, text);
        break;
    case 2: put(out, "answer", tag, original.len ? original : EH_STR("")); break;
    case 3:
        put(out, "answer", tag, EH_STR("# Something else\n\nas short as this."));
        break;
    case 4: buf_add_cstr(out, "I'm sorry, but I can't help with creating that."); break;
    case 5: put(out, "answer", tag, eh_str_of(foreign)); break;
    default: buf_printf(out, "<answer_%.*s>\nand so", EH_STR_ARG(tag)); break;
    }
}

bool mock_write(const mock *m, const mock_asked *a, uint64_t draw, eh_buf *out) {
    size_t end = a->text.len;
    while (end > 0 && a->text.ptr[end - 1] != '>')
        end--;
    if (end < TAG_CHARS + 12) return false;
    eh_str tag = eh_str_slice(a->text, end - 1 - TAG_CHARS, end - 1);
    bool is_questions = has(a->text, "questions of one kind of thinking");
    eh_str original = block_of(a->text, "original", tag);
    if (!is_questions && !block_of(a->text, "asked", tag).len) return false;
    eh_buf text;
    buf_init(&text, BUF_MAX_SMALL);
    if (original.len)
        write_change(a->text, original, &text);
    else if (!is_questions)
        write_answer(draw, &text);
    int roll = (int)(draw / 65536 % 100), fault = (int)(draw / 8388608 % N_FAULTS);
    if (roll < m->options.write_faults) {
        write_fault(fault, tag, original, buf_view(&text), out);
    } else if (is_questions) {
        write_questions(a->text, tag, draw, out);
    } else {
        if (roll < 2 * m->options.write_faults) buf_add_cstr(&text, " \n\n");
        if (has(a->text, "<changes_"))
            put(out, "changes", tag, EH_STR("one => another\nthis => that"));
        put(out, "answer", tag, buf_view(&text));
    }
    buf_deinit(&text);
    return true;
}
