/* SPDX-License-Identifier: MIT
 *
 * Code, cut between its definitions and statements.
 *
 * tree-sitter parses it; the children of the tree's root are what is not cut inside.
 * Rows are all that is taken from the tree: a piece begins at the beginning of a line,
 * and two statements on one line stay together.
 *
 *   ```python              row    tree              piece
 *   import sys             0      import            1 (with the fence line)
 *                          1
 *   # Entry point          2      comment           2 (goes with what follows)
 *   def main():            3      function          2
 *       print(1)           4                        2
 *   ```                                             2 (closing line)
 *
 * A language that is not named is found out by trying: the first grammar that parses
 * everything is taken. Where none does, or there are none, every line with something on
 * it is a piece, and a note says why.
 *
 * Code inside a list or a quote is parsed without its common indentation and marks.
 * Left out: code in another language inside code (scripts in HTML), and cutting inside
 * a definition however long it is.
 */
#include "align/units.h"

#ifdef EVENHAND_GRAMMARS
#include <tree_sitter/api.h>
#endif

#include "base/buf.h"

/* tree-sitter 0.20.7 corrupts memory where a node gets 2^16 children or more, as a
 * fault in code with that many tokens does, and its recovery from faults is slow: 48
 * KiB of nested tags take it .8 s. No answer has so much code. */
enum { MAX_PARSE_BYTES = 48 << 10, MAX_GUESS_BYTES = 16 << 10, MAX_NAME_BYTES = 16 };

/* X(function of the grammar, names after a fence, words): a grammar is tried on code in
 * a language that is not named only where one of these words stands in it, since
 * finding out that a text does not parse takes long. Words are parted by bars. */
#define GRAMMAR_LIST(X)                                                                \
    X(python, "python py python3 py3", "def |import |print(|class |for |while ")       \
    X(javascript, "javascript js jsx node mjs", "function|const |let |var |=>")        \
    X(typescript, "typescript ts", "interface |type |: string|: number|enum ")         \
    X(java, "java", "public |private |void |package ")                                 \
    X(cpp, "c++ cpp cc cxx hpp h++", "#include|std::|int |template|void ")             \
    X(c, "c h", "")                                                                    \
    X(go, "go golang", "func |package |:=")                                            \
    X(rust, "rust rs", "fn |let mut |impl |use ")                                      \
    X(tsx, "tsx", "")                                                                  \
    X(bash, "bash sh shell zsh", "")                                                   \
    X(html, "html htm xhtml", "")                                                      \
    X(sql, "sql mysql postgresql sqlite", "")

/* One line of code. */
typedef struct code_line {
    uint32_t begin_byte; /* in the text, before indentation and quote marks */
    uint32_t code_byte;  /* behind quote marks */
    uint32_t end_byte;
    bool begins_piece;
} code_line;

typedef struct code_text {
    eh_str text;
    code_line *line; /* [n] */
    size_t n;
    eh_str info; /* absent where no language is named */
} code_text;

/* -- lines ------------------------------------------------------------------------- */

static bool is_blank_line(eh_str text, const code_line *line) {
    return eh_str_is_blank(eh_str_slice(text, line->code_byte, line->end_byte));
}

/* Behind "> " and indentation before it. */
static size_t skip_quote_mark(eh_str text, size_t begin, size_t end) {
    size_t at = begin;
    while (at < end && (text.ptr[at] == ' ' || text.ptr[at] == '\t'))
        at++;
    if (at == end || text.ptr[at] != '>') return begin;
    at++;
    return at < end && text.ptr[at] == ' ' ? at + 1 : at;
}

/* The lines of begin .. end, of which `skip` are left out at the beginning. */
static bool read_lines(eh_arena *arena, const align_block *block, size_t skip,
                       code_text *code) {
    size_t n = 0;
    for (size_t at = block->begin_byte; at < block->end_byte; n++)
        (void)line_end(code->text, at, &at);
    code->n = n > skip ? n - skip : 0;
    code->line = arena_zalloc(arena, code->n + 1, sizeof *code->line);
    if (!code->line) return false;
    size_t at = block->begin_byte;
    for (size_t i = 0; i < n; i++) {
        size_t begin = at;
        size_t end = line_end(code->text, begin, &at);
        if (i < skip) continue;
        size_t from = block->in_quote ? skip_quote_mark(code->text, begin, end) : begin;
        code->line[i - skip] = (code_line){.begin_byte = (uint32_t)begin,
                                           .code_byte = (uint32_t)from,
                                           .end_byte = (uint32_t)end};
    }
    while (code->n && is_blank_line(code->text, &code->line[code->n - 1]))
        code->n--;
    return true;
}

/* The first word behind the fence's sign, and which sign it is. */
static eh_str fence_info(eh_str text, const align_block *block, char *sign) {
    size_t next;
    size_t end = line_end(text, block->begin_byte, &next);
    size_t at = block->begin_byte;
    while (at < end && text.ptr[at] != '`' && text.ptr[at] != '~')
        at++;
    *sign = at < end ? text.ptr[at] : '`';
    while (at < end && text.ptr[at] == *sign)
        at++;
    eh_str info = eh_str_trim(eh_str_slice(text, at, end));
    size_t len = 0;
    while (len < info.len && !strchr(" \t,{:", info.ptr[len]))
        len++;
    return len ? (eh_str){info.ptr, len} : (eh_str){NULL, 0};
}

static bool is_closing_fence(eh_str text, const code_line *line, char sign) {
    eh_str s = eh_str_trim(eh_str_slice(text, line->code_byte, line->end_byte));
    size_t n = 0;
    while (n < s.len && s.ptr[n] == sign)
        n++;
    return n >= 3 && n == s.len;
}

static void cut_at_lines(code_text *code) {
    bool first = true;
    for (size_t i = 0; i < code->n; i++) {
        if (is_blank_line(code->text, &code->line[i])) continue;
        code->line[i].begins_piece = !first;
        first = false;
    }
}

#ifdef EVENHAND_GRAMMARS

/* -- the parser -------------------------------------------------------------------- */

#define X(name, names, words) const TSLanguage *tree_sitter_##name(void);
GRAMMAR_LIST(X)
#undef X

static const struct {
    const char *names; /* in small letters, parted by spaces */
    const TSLanguage *(*language)(void);
    const char *words;
} grammars[] = {
#define X(name, names, words) {names, tree_sitter_##name, words},
    GRAMMAR_LIST(X)
#undef X
};

enum { N_GRAMMARS = sizeof grammars / sizeof *grammars };

const char *align_grammar_names(void) {
#define X(name, names, words) #name " "
    return GRAMMAR_LIST(X) "";
#undef X
}

static bool named(const char *names, eh_str name) {
    eh_str rest = eh_str_of(names), one;
    while (eh_str_split(&rest, ' ', &one))
        if (eh_str_eq(one, name)) return true;
    return false;
}

/* The index of the grammar that a fence names, or N_GRAMMARS. */
static size_t find_grammar(eh_str info) {
    char small[MAX_NAME_BYTES];
    if (info.len > sizeof small) return N_GRAMMARS;
    for (size_t i = 0; i < info.len; i++) {
        char c = info.ptr[i];
        small[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    size_t g = 0;
    while (g < N_GRAMMARS && !named(grammars[g].names, (eh_str){small, info.len}))
        g++;
    return g;
}

/* Comments and attributes go with what follows them. */
static bool goes_with_next(TSNode node) {
    const char *type = ts_node_type(node);
    return strstr(type, "comment") || strcmp(type, "attribute_item") == 0;
}

static void begin_piece(code_text *code, uint32_t row) {
    if (row > 0 && row < code->n) code->line[row].begins_piece = true;
}

/* Marks the rows at which the root's children begin. */
static void cut_at_children(code_text *code, TSNode root) {
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    int64_t last_row = -1; /* of the child before */
    int64_t held_row = -1; /* where comments before this child begin */
    bool first = true;
    bool more = ts_tree_cursor_goto_first_child(&cursor);
    for (; more; more = ts_tree_cursor_goto_next_sibling(&cursor)) {
        TSNode node = ts_tree_cursor_current_node(&cursor);
        if (!ts_node_is_named(node)) continue;
        TSPoint begin = ts_node_start_point(node), end = ts_node_end_point(node);
        bool new_row = (int64_t)begin.row > last_row;
        last_row = end.column == 0 && end.row > begin.row ? (int64_t)end.row - 1
                                                          : (int64_t)end.row;
        if (!new_row) continue;
        if (held_row < 0) held_row = begin.row;
        if (goes_with_next(node)) continue;
        if (!first) begin_piece(code, (uint32_t)held_row);
        first = false;
        held_row = -1;
    }
    ts_tree_cursor_delete(&cursor);
}

/* Cuts at the tree of `source` where it parses without a fault; false otherwise. */
static bool cut_by_grammar(code_text *code, eh_str source, size_t g) {
    TSParser *parser = ts_parser_new();
    bool parsed = false;
    if (parser && ts_parser_set_language(parser, grammars[g].language())) {
        TSTree *tree =
            ts_parser_parse_string(parser, NULL, source.ptr, (uint32_t)source.len);
        if (tree) {
            TSNode root = ts_tree_root_node(tree);
            parsed = !ts_node_has_error(root) && ts_node_named_child_count(root) > 0;
            if (parsed) cut_at_children(code, root);
            ts_tree_delete(tree);
        }
    }
    ts_parser_delete(parser);
    return parsed;
}

static bool has_word(eh_str source, const char *words) {
    eh_str rest = eh_str_of(words), word;
    while (eh_str_split(&rest, '|', &word))
        if (word.len && eh_str_find(source, word, 0) != SIZE_MAX) return true;
    return false;
}

static bool cut_by_guess(code_text *code, eh_str source) {
    if (source.len > MAX_GUESS_BYTES) return false;
    for (size_t g = 0; g < N_GRAMMARS; g++)
        if (has_word(source, grammars[g].words) && cut_by_grammar(code, source, g))
            return true;
    return false;
}

/* Indentation common to all lines with something on them, in bytes. */
static size_t common_indent(const code_text *code) {
    size_t common = SIZE_MAX;
    for (size_t i = 0; i < code->n; i++) {
        const code_line *line = &code->line[i];
        if (is_blank_line(code->text, line)) continue;
        size_t at = line->code_byte;
        while (at < line->end_byte &&
               (code->text.ptr[at] == ' ' || code->text.ptr[at] == '\t'))
            at++;
        size_t indent = at - line->code_byte;
        if (indent < common) common = indent;
    }
    return common == SIZE_MAX ? 0 : common;
}

/* One row of `source` a line of code, whatever ended the line. */
static void add_source(const code_text *code, eh_buf *source) {
    size_t indent = common_indent(code);
    for (size_t i = 0; i < code->n; i++) {
        const code_line *line = &code->line[i];
        size_t begin = line->code_byte + indent;
        if (begin < line->end_byte)
            buf_add_str(source, eh_str_slice(code->text, begin, line->end_byte));
        buf_add_char(source, '\n');
    }
}

/* Cuts at definitions; the note where that is not possible, else ALIGN_NOTE_N. */
static align_note cut_at_syntax(code_text *code) {
    size_t g = find_grammar(code->info);
    bool guess = eh_str_is_absent(code->info);
    if (g == N_GRAMMARS && !guess) return ALIGN_NOTE_BIT_CODE_UNKNOWN;
    eh_buf source;
    buf_init(&source, MAX_PARSE_BYTES);
    add_source(code, &source);
    align_note note = ALIGN_NOTE_BIT_CODE_LONG;
    if (!source.failed) {
        bool parsed = guess ? cut_by_guess(code, buf_view(&source))
                            : cut_by_grammar(code, buf_view(&source), g);
        note = parsed  ? ALIGN_NOTE_N
               : guess ? ALIGN_NOTE_BIT_CODE_UNKNOWN
                       : ALIGN_NOTE_BIT_CODE_BROKEN;
    }
    buf_deinit(&source);
    return note;
}

#else

const char *align_grammar_names(void) {
    return "";
}

static align_note cut_at_syntax(code_text *code) {
    (void)code;
    return ALIGN_NOTE_BIT_CODE_NO_GRAMMARS;
}

#endif

/* -- what units.c calls ------------------------------------------------------------ */

/* Adds the pieces found at the syntax, or those at lines where `note` says why not. */
static void add_code(code_text *code, align_note note, unit_list *list) {
    if (note != ALIGN_NOTE_N) {
        cut_at_lines(code);
        list->notes |= 1u << note;
    }
    for (size_t i = 0; i < code->n; i++)
        if (code->line[i].begins_piece)
            unit_list_add(list, code->line[i].begin_byte, ALIGN_UNIT_CODE);
}

void code_cut(eh_str text, const align_block *block, unit_list *list) {
    unit_list_add(list, block->begin_byte, ALIGN_UNIT_CODE);
    code_text code = {.text = text};
    char sign = '\0';
    bool fenced = block->kind == BLOCK_FENCE;
    if (fenced) code.info = fence_info(text, block, &sign);
    if (!read_lines(list->arena, block, fenced, &code)) {
        list->failed = true;
        return;
    }
    if (fenced && code.n && is_closing_fence(text, &code.line[code.n - 1], sign))
        code.n--;
    add_code(&code, cut_at_syntax(&code), list);
}

/* -- an answer that is code as a whole --------------------------------------------- */

/* Does the line begin as a line of code does? */
static bool begins_as_code(eh_str line) {
    static const char *const begins[] = {
        "def ",      "class ", "import ", "from ",   "return ", "#include", "#!/",
        "function ", "const ", "let ",    "var ",    "public ", "private ", "static ",
        "package ",  "func ",  "fn ",     "use ",    "if (",    "for (",    "while (",
        "print(",    "elif ",  "else:",   "try:",    "} else",  "//",       "/*",
        "struct ",   "enum ",  "impl ",   "export ", "async ",  "@"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (eh_str_begins(line, eh_str_of(begins[i]))) return true;
    return false;
}

static bool ends_as_code(eh_str line) {
    char c = line.ptr[line.len - 1];
    if (c == ';' || c == '{' || c == '}') return true;
    return eh_str_ends(line, EH_STR("):")) || eh_str_ends(line, EH_STR(");"));
}

/* Five words or more, from a capital to a stop: no line of code. */
static bool is_prose_line(eh_str line) {
    if (line.ptr[0] < 'A' || line.ptr[0] > 'Z') return false;
    if (!strchr(".!?:", line.ptr[line.len - 1])) return false;
    size_t n_spaces = 0;
    for (size_t i = 0; i < line.len; i++)
        n_spaces += line.ptr[i] == ' ';
    return n_spaces >= 4 && !eh_str_ends(line, EH_STR("):"));
}

typedef enum likeness { LIKE_PROSE, PERHAPS_CODE, LIKE_CODE } likeness;

/* Half of the lines look like code, or a quarter, and none at the margin like prose. */
static likeness looks_like_code(const code_text *code) {
    size_t n_lines = 0, n_code = 0;
    for (size_t i = 0; i < code->n; i++) {
        if (is_blank_line(code->text, &code->line[i])) continue;
        eh_str whole =
            eh_str_slice(code->text, code->line[i].code_byte, code->line[i].end_byte);
        eh_str line = eh_str_trim(whole);
        bool indented = line.ptr != whole.ptr;
        if (!indented && is_prose_line(line)) return LIKE_PROSE;
        n_lines++;
        n_code += begins_as_code(line) || ends_as_code(line);
    }
    if (n_lines < 3 || n_code * 4 < n_lines) return LIKE_PROSE;
    return n_code * 2 >= n_lines ? LIKE_CODE : PERHAPS_CODE;
}

bool code_cut_answer(eh_str text, unit_list *list) {
    if (eh_str_find(text, EH_STR("```"), 0) != SIZE_MAX ||
        eh_str_find(text, EH_STR("~~~"), 0) != SIZE_MAX)
        return false;
    align_block whole = {.end_byte = (uint32_t)text.len, .kind = BLOCK_INDENTED};
    code_text code = {.text = text};
    if (!read_lines(list->arena, &whole, 0, &code)) {
        list->failed = true;
        return false;
    }
    likeness like = looks_like_code(&code);
    if (like == LIKE_PROSE) return false;
    align_note note = cut_at_syntax(&code);
    if (note != ALIGN_NOTE_N && like != LIKE_CODE) return false;
    unit_list_add(list, 0, ALIGN_UNIT_CODE);
    add_code(&code, note, list);
    return true;
}
