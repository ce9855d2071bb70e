/* SPDX-License-Identifier: MIT
 *
 * Event streams (text/event-stream) that come although none was asked for.
 */
#ifndef EH_CODEC_EVENT_STREAM_H
#define EH_CODEC_EVENT_STREAM_H

#include "base/arena.h"

/* Whether a body is an event stream: by its content type, or by its first line where
 * the type is wrong or missing. */
bool event_stream_is(eh_str content_type, eh_str body);

/* Takes the data of the next event from *rest: its data lines joined by LF, in `arena`
 * where there are several. Comments, other fields and empty events are passed over.
 * False at the end. *no_memory is set when memory is out. */
bool event_stream_next(eh_str *rest, eh_arena *arena, eh_str *data, bool *no_memory);

#endif
