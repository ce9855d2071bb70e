/* SPDX-License-Identifier: MIT
 *
 * The built-in templates: the files of templates/, embedded at build, in the order of
 * the build's list. A template's name is its file's name without ending, so that the
 * list and the files cannot disagree.
 */
#include "base/embedded.h"
#include "prompt/template.h"

static size_t n_templates(void) {
    size_t n = 0;
    while (embedded_templates[n].name)
        n++;
    return n;
}

eh_str prompt_builtin_name(size_t i) {
    if (i >= n_templates()) return (eh_str){NULL, 0};
    eh_str name = eh_str_of(embedded_templates[i].name);
    eh_str ending = EH_STR(".yaml");
    if (eh_str_ends(name, ending)) name.len -= ending.len;
    return name;
}

eh_str prompt_builtin_text(size_t i) {
    if (i >= n_templates()) return (eh_str){NULL, 0};
    return (eh_str){embedded_templates[i].text, embedded_templates[i].len};
}
