/* SPDX-License-Identifier: MIT
 *
 * The nearest known word to a mistyped one.
 *
 *   suggest s = suggest_for(EH_STR("shwo"));
 *   suggest_offer(&s, EH_STR("show"));    // every word that is allowed
 *   if (s.best.ptr) ... did you mean s.best ...
 */
#ifndef EH_BASE_SUGGEST_H
#define EH_BASE_SUGGEST_H

#include "base/str.h"

typedef struct suggest {
    eh_str typed;    /* borrowed */
    int max_changes; /* an offer must be this near to be taken */
    eh_str best;     /* absent while none is; borrowed from the offer */
} suggest;

suggest suggest_for(eh_str typed);

/* For a format and its arguments: "; did you mean 'show'?", or nothing. */
#define SUGGEST_FORMAT "%s%.*s%s"
#define SUGGEST_ARGS(s)                                                                \
    (s).best.ptr ? "; did you mean '" : "", EH_STR_ARG((s).best),                      \
        (s).best.ptr ? "'?" : ""

/* Of equally near words the one offered first stays. */
void suggest_offer(suggest *s, eh_str word);

#endif
