/* SPDX-License-Identifier: MIT
 *
 * Files that the build put into the program (tools/embed.c).
 */
#ifndef EH_BASE_EMBEDDED_H
#define EH_BASE_EMBEDDED_H

#include <stddef.h>

typedef struct embedded_file {
    const char *name; /* NULL ends a table */
    const char *text;
    size_t len;
} embedded_file;

extern const embedded_file embedded_templates[];
extern const embedded_file embedded_alter_prompts[];
extern const embedded_file embedded_prices[];
extern const embedded_file embedded_web[];  /* the pages; empty without Node */
extern const embedded_file embedded_demo[]; /* in the command only */

#endif
