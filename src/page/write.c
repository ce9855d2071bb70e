/* SPDX-License-Identifier: MIT
 *
 * Putting a page into its file, and a report from ledgers into one: collect, pack the
 * texts, write.
 *
 * The file is written beside its place under a name of its own and renamed when it is
 * complete, so that a page that is there is never half replaced. Texts are packed
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

/* What is there and is no plain file (a device, a pipe) is written to and not replaced.
 */
static bool is_special(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 && !S_ISREG(s.st_mode);
}

/* Writes it under another name in the same folder, then puts it in its place. */
eh_status page_file_make(const char *path, page_make *make, void *self,
                         int64_t *n_bytes, eh_error *err) {
    eh_buf beside;
    bool in_place = is_special(path);
    buf_init(&beside, BUF_MAX_SMALL);
    buf_printf(&beside, in_place ? "%s" : "%s.part", path);
    EH_TRY(buf_check(&beside, "the file's name", err));
    out_file out = {.file = fopen(beside.ptr, "wb"), .path = path};
    page_sink sink = {.write = write_file, .self = &out};
    eh_status status = out.file ? make(self, &sink, err) : fail_file(path, err);
    errno = 0;
    if (out.file && fclose(out.file) != 0 && status == EH_STATUS_OK)
        status = fail_file(path, err);
    if (status == EH_STATUS_OK && !in_place && rename(beside.ptr, path) != 0)
        status = fail_file(path, err);
    if (status != EH_STATUS_OK && out.file && !in_place) (void)unlink(beside.ptr);
    *n_bytes = out.n_bytes;
    buf_deinit(&beside);
    return status;
}

/* ---- the report ---- */

typedef struct report_job {
    page_report report;
    const page_options *options;
} report_job;

static eh_status write_report(void *self, const page_sink *sink, eh_error *err) {
    report_job *job = self;
    page_chunks *chunks = NULL;
    eh_status status = page_report_chunks(&job->report, job->options, &chunks, err);
    if (status == EH_STATUS_OK)
        status = page_report_write(&job->report, job->options, chunks, sink, err);
    page_chunks_free(chunks);
    return status;
}

eh_status page_report_file(const page_source *sources, size_t n_sources,
                           const page_options *options, const char *path,
                           page_result *result, eh_error *err) {
    eh_arena arena;
    report_job job = {.options = options};
    page_report *r = &job.report;
    *result = (page_result){.n_bytes = 0};
    arena_init(&arena, REPORT_ARENA_BYTES);
    eh_status status = page_collect(sources, n_sources, options, &arena, r, err);
    if (status == EH_STATUS_OK)
        status = page_file_make(path, write_report, &job, &result->n_bytes, err);
    if (status == EH_STATUS_OK) {
        result->n_pairs = r->n_pairs;
        result->n_judges = r->n_judges;
        result->n_redacted = page_redact_count(options->redact);
        for (size_t i = 0; options->texts && i < r->n_placed; i++)
            result->n_with_texts += r->pairs[r->order[i]].has_texts;
    }
    arena_deinit(&arena);
    return status;
}
