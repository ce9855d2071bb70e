/* SPDX-License-Identifier: MIT
 *
 * Whole files into buffers.
 *
 * A folder opens like a file and only fails when it is read; both failures are told
 * alike, with the system's reason. Left out: standard input, whose name "-" is the
 * business of commands, and what the bytes are: callers that want UTF-8 check for it.
 */
#include "base/file.h"

#include <errno.h>
#include <stdio.h>

eh_status file_read(const char *path, eh_status status, eh_buf *out, eh_error *err) {
    char block[16384];
    size_t n;
    FILE *file = fopen(path, "rb");
    if (!file) return EH_FAIL(err, status, "%s: %s", path, strerror(errno));
    errno = 0;
    while (!out->failed && (n = fread(block, 1, sizeof block, file)) > 0)
        buf_add(out, block, n);
    int why = ferror(file) ? errno : 0;
    bool failed = ferror(file) != 0;
    (void)fclose(file);
    if (failed)
        return EH_FAIL(err, EH_STATUS_IO, "%s: %s", path,
                       why ? strerror(why) : "cannot be read");
    return buf_check(out, path, err);
}
