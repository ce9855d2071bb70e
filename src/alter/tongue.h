/* SPDX-License-Identifier: MIT
 *
 * In which language is a text? As far as needs be to see that a model answered in
 * another one: by script, and by the little words of seven languages. Pure.
 */
#ifndef EH_ALTER_TONGUE_H
#define EH_ALTER_TONGUE_H

#include "base/str.h"

typedef struct alter_tongue {
    int script;           /* of most letters, ICU's UScriptCode; -1: too few letters */
    const char *language; /* "en", "de", ...; NULL: none shows */
} alter_tongue;

alter_tongue alter_tongue_of(eh_str text);

/* Is it shown that both are not of one language? What is not known differs from
 * nothing. */
bool alter_tongue_differs(alter_tongue a, alter_tongue b);

#endif
