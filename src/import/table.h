/* SPDX-License-Identifier: MIT
 *
 * Tables of judgments with columns of any names: CSV, or JSONL, with a map. Private to
 * import.
 */
#ifndef EH_IMPORT_TABLE_H
#define EH_IMPORT_TABLE_H

#include "import/format.h"

EH_MUST_USE eh_status import_read_table(import_reader *r, source *src, eh_error *err);

#endif
