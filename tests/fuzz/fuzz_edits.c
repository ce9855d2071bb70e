/* SPDX-License-Identifier: MIT
 *
 * Fuzz target: a record of edits that comes with a probe's file.
 *
 * The input is the record as JSON, a NUL, the answer as it stands in the data, a NUL,
 * and the changed answer. Whatever they are, the answers apart, which are not empty,
 * the record is refused with DATA, or it is brought into the bytes of the bare answer
 * and makes the changed one.
 */
#include <stdlib.h>

#include "audit/edits.h"
#include "base/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                               \
    do {                                                                               \
        if (!(condition)) abort();                                                     \
    } while (0)

static void settle(const json_value *list, eh_str given, eh_str text, eh_arena *arena) {
    audit_change *change = arena_zalloc(arena, 1, sizeof *change);
    eh_str bare = eh_str_trim(given);
    CHECK(change);
    if (bare.len == 0 || text.len == 0 || eh_str_eq(bare, text)) return;
    size_t begin = (size_t)(bare.ptr - given.ptr);
    audit_edges edges = {eh_str_slice(given, 0, begin),
                         eh_str_slice(given, begin + bare.len, given.len)};
    eh_status status = audit_edits_read(list, change, NULL);
    if (status == EH_STATUS_OK)
        status = audit_edits_settle(change, bare, &edges, text, arena, NULL);
    CHECK(status == EH_STATUS_OK || status == EH_STATUS_DATA);
    if (status == EH_STATUS_OK) CHECK(audit_check(bare, change, NULL));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    eh_str rest = {(const char *)data, size}, json, given;
    if (size > 20000 || utf8_first_invalid(rest) != SIZE_MAX) return 0;
    if (!eh_str_split(&rest, '\0', &json) || !eh_str_split(&rest, '\0', &given))
        return 0;
    eh_arena arena;
    json_fault fault;
    json_reader *reader = json_reader_new();
    arena_init(&arena, 64 << 20);
    CHECK(reader);
    const json_value *list = json_read(reader, &arena, json, &fault);
    if (list) settle(list, given, eh_str_trim(rest), &arena);
    json_reader_free(reader);
    arena_deinit(&arena);
    return 0;
}
