/* SPDX-License-Identifier: MIT
 *
 * In place of http.c where libmicrohttpd is not there: tasks can still be given out as
 * files (evenhand annotate --export), and the command says so.
 */
#include "serve/serve.h"

const char *serve_library(void) {
    return NULL;
}

bool serve_is_loopback(const char *address) {
    return strcmp(address, "127.0.0.1") == 0;
}

eh_status serve_check_built(eh_error *err) {
    return EH_FAIL(err, EH_STATUS_USAGE,
                   "this build has no labelling server (libmicrohttpd was not there); "
                   "use --export and evenhand labels import");
}

eh_status serve_run(ledger *l, const serve_options *options, eh_error *err) {
    (void)l;
    (void)options;
    return serve_check_built(err);
}
