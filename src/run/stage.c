/* SPDX-License-Identifier: MIT
 *
 * Staging a data set.
 *
 * Resuming a run of a million pairs should not write a million rows again, so the
 * file's bytes are hashed first (a second or two for gigabytes) and compared with what
 * is staged. Standard input can be read once only and is
 * always staged, as are files that are joined.
 */
#include "run/stage.h"

#include <stdio.h>

/* The digest that the ledger keeps: of the bytes and of how they were read. */
static void scope_digest(const uint8_t bytes_digest[HASH_BYTES],
                         const run_stage_options *options, uint8_t digest[HASH_BYTES]) {
    eh_hash h;
    hash_init(&h, "eh-scope-1");
    hash_str(&h, (eh_str){(const char *)bytes_digest, HASH_BYTES});
    hash_str(&h, eh_str_of(options->data.map));
    hash_i64(&h, options->data.format);
    hash_i64(&h, options->skip_bad);
    hash_done(&h, digest);
}

/* Hash of a whole regular file; false when it cannot be had without using it up. */
static bool file_digest(const char *path, uint8_t digest[HASH_BYTES]) {
    if (!path || strcmp(path, "-") == 0) return false; /* a join, standard input */
    FILE *f = fopen(path, "rb");
    if (!f) return false; /* the reader will say why */
    bool seekable = fseeko(f, 0, SEEK_END) == 0 && fseeko(f, 0, SEEK_SET) == 0;
    eh_hash h;
    hash_init(&h, "eh-file-1");
    char chunk[65536];
    size_t n = 0;
    while (seekable && (n = fread(chunk, 1, sizeof chunk, f)) > 0)
        hash_raw(&h, chunk, n);
    bool ok = seekable && !ferror(f);
    (void)fclose(f);
    hash_done(&h, digest);
    return ok;
}

static bool is_staged(ledger *l, const uint8_t digest[HASH_BYTES]) {
    uint8_t staged[HASH_BYTES];
    return ledger_dataset_digest(l, staged) && memcmp(staged, digest, HASH_BYTES) == 0;
}

eh_status run_stage(ledger *l, const run_stage_options *options, dataset_counts *counts,
                    bool *unchanged, eh_error *err) {
    uint8_t bytes[HASH_BYTES] = {0}, scope[HASH_BYTES], read_digest[HASH_BYTES];
    *counts = (dataset_counts){0};
    *unchanged = false;
    bool known = file_digest(options->data.path, bytes);
    if (known) {
        scope_digest(bytes, options, scope);
        *unchanged = is_staged(l, scope);
        if (*unchanged) return EH_STATUS_OK;
    }
    const char *name =
        options->data.path ? options->data.path : options->data.questions;
    dataset_stage stage = ledger_stage(l);
    EH_TRY(ledger_stage_begin(l, err));
    eh_status status =
        dataset_read(&options->data, &stage, options->faults, counts, read_digest, err);
    if (status == EH_STATUS_OK && counts->n_errors &&
        (!options->skip_bad || counts->n_rows == 0))
        status = EH_FAIL(err, EH_STATUS_DATA, "%s: %lld error%s in the data set", name,
                         (long long)counts->n_errors, counts->n_errors == 1 ? "" : "s");
    if (status == EH_STATUS_OK) {
        if (!known) scope_digest(read_digest, options, scope);
        const char *slash = strrchr(name, '/');
        status = ledger_stage_end(l, scope, slash ? slash + 1 : name,
                                  clock_now_ms(&options->clock), err);
    }
    if (status != EH_STATUS_OK) ledger_rollback(l);
    return status;
}
