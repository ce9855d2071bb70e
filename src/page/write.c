/* SPDX-License-Identifier: MIT
 *
 * A report from ledgers into a file: collect, pack the texts, write.
 *
 * The file is written beside its place under a name of its own and renamed when it is
 * complete, so that a report that is there is never half replaced. Texts are packed
 * before the index is written, since only then is known which of them fit.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "page/page.h"

#define REPORT_ARENA_BYTES ((size_t)16 << 30)

typedef struct out_file {
    FILE *file;
    const char *path;
    int64_t n_bytes;
} out_file;

static eh_status fail_file(const char *path, eh_error *err) {
    return EH_FAIL(err, EH_STATUS_IO, "%s: %s", path, strerror(errno));
}

static eh_status write_file(void *self, eh_str bytes, eh_error *err) {
    out_file *out = self;
    errno = 0;
    if (fwrite(bytes.ptr, 1, bytes.len, out->file) != bytes.len)
        return fail_file(out->path, err);
    out->n_bytes += (int64_t)bytes.len;
    return EH_STATUS_OK;
}

static eh_status write_report(page_report *report, const page_options *options,
                              out_file *out, eh_error *err) {
    page_chunks *chunks = NULL;
    page_sink sink = {.write = write_file, .self = out};
    eh_status status = page_chunks_make(report, options, &chunks, err);
    if (status == EH_STATUS_OK)
        status = page_html_write(report, options, chunks, &sink, err);
    page_chunks_free(chunks);
    return status;
}

/* What is there and is no plain file (a device, a pipe) is written to and not replaced.
 */
static bool is_special(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && !S_ISREG(s.st_mode);
}

/* Writes it under another name in the same folder, then puts it in its place. */
static eh_status replace_file(page_report *report, const page_options *options,
                              const char *path, eh_arena *arena, int64_t *n_bytes,
                              eh_error *err) {
    bool in_place = is_special(path);
    char *beside = arena_printf(arena, in_place ? "%s" : "%s.part", path);
    if (!beside) return EH_NOMEM(err);
    out_file out = {.file = fopen(beside, "wb"), .path = path};
    if (!out.file) return fail_file(path, err);
    eh_status status = write_report(report, options, &out, err);
    errno = 0;
    if (fclose(out.file) != 0 && status == EH_STATUS_OK) status = fail_file(path, err);
    if (status == EH_STATUS_OK && !in_place && rename(beside, path) != 0)
        status = fail_file(path, err);
    if (status != EH_STATUS_OK && !in_place) (void)unlink(beside);
    *n_bytes = out.n_bytes;
    return status;
}

eh_status page_report_file(const page_source *sources, size_t n_sources,
                           const page_options *options, const char *path,
                           page_result *result, eh_error *err) {
    eh_arena arena;
    page_report report;
    *result = (page_result){.n_bytes = 0};
    arena_init(&arena, REPORT_ARENA_BYTES);
    eh_status status = page_collect(sources, n_sources, options, &arena, &report, err);
    if (status == EH_STATUS_OK)
        status = replace_file(&report, options, path, &arena, &result->n_bytes, err);
    if (status == EH_STATUS_OK) {
        result->n_pairs = report.n_pairs;
        result->n_judges = report.n_judges;
        for (size_t i = 0; options->texts && i < report.n_placed; i++)
            result->n_with_texts += report.pairs[report.order[i]].has_texts;
    }
    arena_deinit(&arena);
    return status;
}
