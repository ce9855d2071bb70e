/* SPDX-License-Identifier: MIT
 *
 * Reading a small file as a whole: settings, templates, tables. Data sets are read as
 * streams (dataset/source.h).
 */
#ifndef EH_BASE_FILE_H
#define EH_BASE_FILE_H

#include "base/buf.h"

/* Appends the whole file to `out`, whose maximum bounds it. A file that cannot be
 * opened or read fails with `status` and "PATH: reason"; one that is too long with
 * TOO_BIG. */
EH_MUST_USE eh_status file_read(const char *path, eh_status status, eh_buf *out,
                                eh_error *err);

#endif
