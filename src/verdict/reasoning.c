/* SPDX-License-Identifier: MIT
 *
 * Rules 3 and 4: the text without reasoning, and whether anything is left.
 *
 *   <think> a </think> b          b        pairs go
 *   a </think> b                  b        the opening tag was in the prompt
 *   a <think> b                   a        the closing tag never came
 *
 * One pass with an output that only grows or is cut: a closing tag that no opening one
 * is waiting for empties it; an opening tag whose closing one never comes remembers
 * its length, and the end cuts there. Whether a closing tag still comes is known from a
 * first pass that notes the last one of each name, so both passes are linear.
 *
 * Tags are looked for in the text as it came: models emit them as single tokens, and a
 * dressed-up tag is prose about tags.
 *
 * Left out: nesting. The first closing tag ends a block; what a nested one leaves
 * behind is a closing tag without an opening one, and all before it goes anyway.
 */
#include "verdict/read.h"

#include "base/utf8.h"
#include "verdict/scan.h"

#include <strings.h>
#include <unicode/uchar.h>

typedef struct tag_name {
    char open, close; /* the brackets */
    const char *name;
} tag_name;

static const tag_name tag_names[] = {
    {'<', '>', "think"},
    {'<', '>', "thinking"},
    {'<', '>', "reasoning"},
    {'[', ']', "think"},
};

enum { N_TAG_NAMES = sizeof tag_names / sizeof *tag_names };

typedef struct tag {
    int name; /* index in tag_names */
    bool closes;
    size_t begin_byte, end_byte;
} tag;

static bool match_tag(eh_str s, size_t at, int name, tag *found) {
    const tag_name *t = &tag_names[name];
    if (s.ptr[at] != t->open) return false;
    size_t i = at + 1;
    bool closes = i < s.len && s.ptr[i] == '/';
    if (closes) i++;
    size_t len = strlen(t->name);
    if (s.len - i <= len || strncasecmp(s.ptr + i, t->name, len) != 0) return false;
    i += len;
    if (s.ptr[i] != t->close) return false;
    *found = (tag){name, closes, at, i + 1};
    return true;
}

/* The first tag at or after `from`. */
static bool next_tag(eh_str s, size_t from, tag *found) {
    static const bool opens[256] = {['<'] = true, ['['] = true};
    for (size_t at = scan_to(s, from, opens); at < s.len;
         at = scan_to(s, at + 1, opens)) {
        for (int name = 0; name < N_TAG_NAMES; name++) {
            if (match_tag(s, at, name, found)) return true;
        }
    }
    return false;
}

typedef struct stripper {
    char *out;
    size_t len;
    bool cut;          /* an opening tag was left ... */
    size_t cut_at_len; /* ... when the output had this length */
    int inside;        /* the name whose block we are in, or -1 */
} stripper;

static void strip_tag(stripper *st, const tag *t, const size_t *last_close) {
    if (st->inside >= 0) {
        if (t->closes && t->name == st->inside) st->inside = -1;
        return;
    }
    if (t->closes) {
        st->len = 0;
        st->cut = false;
    } else if (last_close[t->name] > t->begin_byte) {
        st->inside = t->name;
    } else if (!st->cut) {
        st->cut = true;
        st->cut_at_len = st->len;
    }
}

eh_status verdict_strip_reasoning(eh_str content, eh_arena *arena, eh_str *text,
                                  eh_error *err) {
    *text = content;
    /* end of the last closing tag of each name; 0 = none, as no tag ends there */
    size_t last_close[N_TAG_NAMES] = {0};
    tag t;
    bool any = false;
    size_t first = scan_to_rare(content, 0, "<[");
    for (size_t at = first; next_tag(content, at, &t); at = t.end_byte) {
        any = true;
        if (t.closes) last_close[t.name] = t.end_byte;
    }
    if (!any) return EH_STATUS_OK;

    stripper st = {.out = arena_alloc(arena, content.len), .inside = -1};
    if (!st.out) return EH_NOMEM(err);
    size_t at = 0;
    while (at < content.len) {
        bool found = next_tag(content, at, &t);
        size_t end = found ? t.begin_byte : content.len;
        if (st.inside < 0) {
            memcpy(st.out + st.len, content.ptr + at, end - at);
            st.len += end - at;
        }
        if (!found) break;
        strip_tag(&st, &t, last_close);
        at = t.end_byte;
    }
    *text = (eh_str){st.out, st.cut ? st.cut_at_len : st.len};
    return EH_STATUS_OK;
}

static bool is_invisible(UChar32 cp) {
    enum { BRAILLE_BLANK = 0x2800 };
    if (u_isUWhiteSpace(cp) || cp == BRAILLE_BLANK) return true;
    int8_t type = u_charType(cp);
    return type == U_FORMAT_CHAR || type == U_CONTROL_CHAR ||
           u_hasBinaryProperty(cp, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
}

bool verdict_is_empty(eh_str text) {
    for (size_t at = 0; at < text.len;) {
        if (!is_invisible((UChar32)utf8_next(text, &at))) return false;
    }
    return true;
}
