/* SPDX-License-Identifier: MIT
 *
 * Opening, locking, grouping and closing a ledger.
 *
 * Before SQLite sees a file its first 100 bytes are looked at: a file of another kind
 * is named as such and stays untouched. Two processes never write one ledger: the lock
 * is an flock on PATH-lock and not on the database itself, because closing any second
 * descriptor of the database would drop SQLite's own locks.
 *
 * Durability: WAL with synchronous=FULL while a run is at work; the engine groups
 * changes (ledger_begin, ledger_commit). At the end the journal mode goes back to
 * DELETE, so a finished ledger is one file without companions.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "ledger/schema.h"

/* In KiB. */
#define CACHE_PLAIN "PRAGMA cache_size = -2000;"
#define CACHE_BULK "PRAGMA cache_size = -65536;"
#define JOURNAL_WAL "PRAGMA journal_mode = WAL;"

typedef enum file_kind {
    FILE_KIND_MISSING,
    FILE_KIND_EMPTY,
    FILE_KIND_LEDGER,
    FILE_KIND_NEWER,
    FILE_KIND_CUT, /* shorter than its header says */
    FILE_KIND_OTHER
} file_kind;

static uint32_t big_endian(const unsigned char *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Pages may still wait in the write-ahead log of a run that ended early. */
static bool has_log(const char *path) {
    char name[4200];
    struct stat st;
    (void)snprintf(name, sizeof name, "%s-wal", path);
    return stat(name, &st) == 0 && st.st_size > 0;
}

/* Looks at the header (sqlite.org/fileformat2.html, section 1.3). */
static file_kind header_kind(const unsigned char head[100], off_t size, bool with_log) {
    if (memcmp(head, "SQLite format 3", 16) != 0 ||
        big_endian(head + 68) != LEDGER_APPLICATION_ID)
        return FILE_KIND_OTHER;
    if (big_endian(head + 60) > LEDGER_SCHEMA_VERSION) return FILE_KIND_NEWER;
    uint32_t page_bytes = (uint32_t)head[16] << 8 | head[17];
    if (page_bytes == 1) page_bytes = 65536;
    bool size_is_valid = big_endian(head + 24) == big_endian(head + 92);
    if (!with_log && size_is_valid && (off_t)page_bytes * big_endian(head + 28) > size)
        return FILE_KIND_CUT;
    return FILE_KIND_LEDGER;
}

static eh_status file_look(const char *path, file_kind *kind, eh_error *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        *kind = FILE_KIND_MISSING;
        if (errno == ENOENT) return EH_STATUS_OK;
        return EH_FAIL(err, EH_STATUS_LEDGER, "%s: %s", path, strerror(errno));
    }
    struct stat st;
    unsigned char head[100] = {0};
    eh_status status = EH_STATUS_OK;
    *kind = FILE_KIND_OTHER;
    if (fstat(fd, &st) != 0)
        status = EH_FAIL(err, EH_STATUS_LEDGER, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(st.st_mode))
        status = EH_FAIL(err, EH_STATUS_LEDGER, "%s: not a regular file", path);
    else if (st.st_size == 0)
        *kind = FILE_KIND_EMPTY;
    else if (read(fd, head, sizeof head) == (ssize_t)sizeof head)
        *kind = header_kind(head, st.st_size, has_log(path));
    (void)close(fd);
    return status;
}

bool ledger_sniff(const char *path) {
    file_kind kind;
    if (file_look(path, &kind, NULL) != EH_STATUS_OK) return false;
    return kind == FILE_KIND_LEDGER || kind == FILE_KIND_NEWER || kind == FILE_KIND_CUT;
}

static eh_status check_kind(const char *path, ledger_mode mode, file_kind *kind,
                            eh_error *err) {
    EH_TRY(file_look(path, kind, err));
    switch (*kind) {
    case FILE_KIND_MISSING:
        if (mode == LEDGER_CREATE) return EH_STATUS_OK;
        return EH_FAIL(err, EH_STATUS_LEDGER, "%s: %s", path, strerror(ENOENT));
    case FILE_KIND_EMPTY:
        if (mode == LEDGER_CREATE) return EH_STATUS_OK;
        return EH_FAIL(err, EH_STATUS_LEDGER, "%s: an empty file, not a ledger", path);
    case FILE_KIND_NEWER:
        return EH_FAIL(err, EH_STATUS_LEDGER,
                       "%s: written by a newer evenhand; this one reads ledgers up to "
                       "version %d",
                       path, LEDGER_SCHEMA_VERSION);
    case FILE_KIND_CUT:
        return EH_FAIL(err, EH_STATUS_LEDGER,
                       "%s: the ledger is damaged (the file is cut short); go back to "
                       "a copy of it",
                       path);
    case FILE_KIND_OTHER:
        return EH_FAIL(err, EH_STATUS_LEDGER, "%s: not an Evenhand ledger", path);
    case FILE_KIND_LEDGER: break;
    }
    return EH_STATUS_OK;
}

/* Locks PATH-lock. The file is removed at the end, so after locking it must still be
 * the one that the name stands for. */
static eh_status lock_take(ledger *l, eh_error *err) {
    char name[4200];
    (void)snprintf(name, sizeof name, "%s-lock", l->path);
    for (int round = 0; round < 20; round++) {
        int fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0)
            return EH_FAIL(err, EH_STATUS_LEDGER, "%s: %s", name, strerror(errno));
        if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
            (void)close(fd);
            return EH_FAIL(
                err, EH_STATUS_LEDGER,
                "%s: another evenhand is writing this ledger; try again when it "
                "has ended",
                l->path);
        }
        struct stat by_fd, by_name;
        if (fstat(fd, &by_fd) == 0 && stat(name, &by_name) == 0 &&
            by_fd.st_ino == by_name.st_ino && by_fd.st_dev == by_name.st_dev) {
            l->lock_fd = fd;
            return EH_STATUS_OK;
        }
        (void)close(fd); /* removed between open and flock: take the new one */
    }
    return EH_FAIL(err, EH_STATUS_LEDGER, "%s: cannot be locked", name);
}

static void lock_drop(ledger *l) {
    if (l->lock_fd < 0) return;
    char name[4200];
    (void)snprintf(name, sizeof name, "%s-lock", l->path);
    (void)unlink(name);
    (void)close(l->lock_fd);
    l->lock_fd = -1;
}

static eh_status exec_sql(ledger *l, const char *sql, eh_error *err) {
    if (sqlite3_exec(l->db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return LEDGER_FAULT(l, err);
    return EH_STATUS_OK;
}

static eh_status migrate_by_one(ledger *l, int version, eh_error *err) {
    char number[60];
    (void)snprintf(number, sizeof number, "PRAGMA user_version = %d;", version);
    EH_TRY(exec_sql(l, "BEGIN IMMEDIATE", err));
    eh_status status = exec_sql(l, ledger_migration_sql[version - 1], err);
    if (status == EH_STATUS_OK) status = exec_sql(l, number, err);
    if (status == EH_STATUS_OK) return exec_sql(l, "COMMIT", err);
    (void)sqlite3_exec(l->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

static eh_status version_of(ledger *l, int *version, eh_error *err) {
    sqlite3_stmt *s = NULL;
    eh_status status = EH_STATUS_OK;
    if (sqlite3_prepare_v2(l->db, "PRAGMA user_version", -1, &s, NULL) == SQLITE_OK &&
        sqlite3_step(s) == SQLITE_ROW)
        *version = sqlite3_column_int(s, 0);
    else
        status = LEDGER_FAULT(l, err);
    (void)sqlite3_finalize(s);
    return status;
}

/* Makes a ledger of an earlier version one of this, step by step. One that is only read
 * stays as it is; what later versions added is made up beside it, and empty. */
static eh_status migrate(ledger *l, eh_error *err) {
    int version = 0;
    EH_TRY(version_of(l, &version, err));
    if (!l->writable)
        return version < LEDGER_SCHEMA_VERSION
                   ? exec_sql(l, ledger_reading_sql[version], err)
                   : EH_STATUS_OK;
    while (version < LEDGER_SCHEMA_VERSION)
        EH_TRY(migrate_by_one(l, ++version, err));
    return EH_STATUS_OK;
}

/* Header numbers and tables in one transaction, before WAL is switched on, so that the
 * file is recognised from its first durable moment. */
static eh_status create_tables(ledger *l, eh_error *err) {
    char numbers[120];
    (void)snprintf(numbers, sizeof numbers,
                   "PRAGMA application_id = %d; PRAGMA user_version = %d;",
                   LEDGER_APPLICATION_ID, LEDGER_SCHEMA_VERSION);
    EH_TRY(exec_sql(l, "BEGIN IMMEDIATE", err));
    eh_status status = exec_sql(l, numbers, err);
    if (status == EH_STATUS_OK) status = exec_sql(l, ledger_schema_sql, err);
    if (status == EH_STATUS_OK) return exec_sql(l, "COMMIT", err);
    (void)sqlite3_exec(l->db, "ROLLBACK", NULL, NULL, NULL);
    return status;
}

static eh_status configure(ledger *l, bool is_new, eh_error *err) {
    (void)sqlite3_busy_timeout(l->db, 5000);
    EH_TRY(exec_sql(l, CACHE_PLAIN "PRAGMA foreign_keys = OFF;", err));
    if (!l->writable) {
        EH_TRY(exec_sql(l, "SELECT count(*) FROM sqlite_schema", err));
        return migrate(l, err);
    }
    EH_TRY(is_new ? create_tables(l, err) : migrate(l, err));
    return exec_sql(l,
                    JOURNAL_WAL "PRAGMA synchronous = FULL;"
                                "PRAGMA wal_autocheckpoint = 2000;",
                    err);
}

static ledger *ledger_new(const char *path) {
    ledger *l = mem_zalloc(1, sizeof *l);
    size_t len = strlen(path);
    if (l) l->path = mem_alloc(len + 1, 1);
    if (!l || !l->path || len > 4096) {
        if (l) mem_free(l->path);
        mem_free(l);
        return NULL;
    }
    memcpy(l->path, path, len + 1);
    l->lock_fd = -1;
    return l;
}

static void finalize_all(ledger *l) {
    for (int i = 0; i < LEDGER_STMT_N; i++) {
        (void)sqlite3_finalize(l->stmts[i]);
        l->stmts[i] = NULL;
    }
    for (int i = 0; i < LEDGER_JOIN_TABLES_MAX; i++) {
        (void)sqlite3_finalize(l->join_get[i]);
        l->join_get[i] = NULL;
    }
}

static void ledger_drop(ledger *l) {
    finalize_all(l);
    held_free(l->held);
    (void)sqlite3_close(l->db);
    lock_drop(l);
    mem_free(l->path);
    mem_free(l);
}

eh_status ledger_open(const char *path, ledger_mode mode, ledger **out, eh_error *err) {
    *out = NULL;
    file_kind kind;
    EH_TRY(check_kind(path, mode, &kind, err));
    ledger *l = ledger_new(path);
    if (!l) return EH_NOMEM(err);
    l->writable = mode != LEDGER_READ;
    eh_status status = l->writable ? lock_take(l, err) : EH_STATUS_OK;
    /* the other writer may have finished creating it meanwhile */
    if (status == EH_STATUS_OK) status = check_kind(path, mode, &kind, err);
    int flags =
        l->writable ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
    if (status == EH_STATUS_OK &&
        sqlite3_open_v2(path, &l->db, flags | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
        status = LEDGER_FAULT(l, err);
    l->created = kind == FILE_KIND_MISSING;
    if (status == EH_STATUS_OK)
        status = configure(l, l->created || kind == FILE_KIND_EMPTY, err);
    if (status == EH_STATUS_OK)
        *out = l;
    else
        ledger_drop(l);
    return status;
}

eh_status ledger_open_temporary(ledger **out, eh_error *err) {
    *out = NULL;
    ledger *l = ledger_new("temporary ledger");
    if (!l) return EH_NOMEM(err);
    l->writable = true;
    eh_status status = EH_STATUS_OK;
    if (sqlite3_open_v2("", &l->db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE |
                            SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK)
        status = LEDGER_FAULT(l, err);
    if (status == EH_STATUS_OK)
        status =
            exec_sql(l, "PRAGMA cache_size = -4000; PRAGMA synchronous = OFF;", err);
    if (status == EH_STATUS_OK) status = create_tables(l, err);
    if (status == EH_STATUS_OK)
        *out = l;
    else
        ledger_drop(l);
    return status;
}

/* Was the file made by this open, and is it still empty? Then whatever it was made for
 * failed, and there is nothing to come back to. */
static bool is_left_over(ledger *l) {
    sqlite3_stmt *s;
    int64_t holds = 1;
    return l->created &&
           ledger_stmt_get(l, LEDGER_STMT_LEDGER_HOLDS, &s, NULL) == EH_STATUS_OK &&
           ledger_stmt_i64(l, s, &holds, NULL) == EH_STATUS_OK && !holds;
}

/* What stands in `held` has no table, so that a question nobody thought of fails loudly
 * instead of finding nothing. */
static const char drop_held_tables[] =
    "DROP TABLE pair; DROP TABLE pair_text; DROP TABLE call; DROP TABLE reply;"
    "DROP TABLE sample; DROP TABLE ask; DROP TABLE attempt;";

eh_status ledger_open_held(ledger **out, eh_error *err) {
    ledger *l = NULL;
    *out = NULL;
    eh_status status = ledger_open_temporary(&l, err);
    if (!l) return status;
    status = exec_sql(l, drop_held_tables, err);
    if (status == EH_STATUS_OK) l->held = held_new();
    if (status == EH_STATUS_OK && !l->held) {
        (void)EH_NOMEM(err);
        status = EH_STATUS_NOMEM;
    }
    *out = status == EH_STATUS_OK ? l : NULL;
    if (status != EH_STATUS_OK) ledger_drop(l);
    return status;
}

eh_status ledger_close(ledger *l, eh_error *err) {
    if (!l) return EH_STATUS_OK;
    if (l->in_group) ledger_rollback(l);
    bool left_over = is_left_over(l);
    finalize_all(l);
    eh_status status = EH_STATUS_OK;
    if (l->writable && l->lock_fd >= 0)
        status = exec_sql(
            l, "PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;", err);
    if (left_over) (void)unlink(l->path); /* under the lock */
    ledger_drop(l);
    return status;
}

eh_status ledger_begin(ledger *l, eh_error *err) {
    if (l->in_group) return EH_STATUS_OK;
    EH_TRY(exec_sql(l, "BEGIN IMMEDIATE", err));
    l->in_group = true;
    return EH_STATUS_OK;
}

eh_status ledger_commit(ledger *l, eh_error *err) {
    if (!l->in_group) return EH_STATUS_OK;
    EH_TRY(exec_sql(l, "COMMIT", err));
    l->in_group = false;
    return EH_STATUS_OK;
}

eh_status ledger_bulk(ledger *l, bool bulk, eh_error *err) {
    EH_TRY(exec_sql(l, bulk ? CACHE_BULK : CACHE_PLAIN, err));
    if (!l->created || l->in_group) return EH_STATUS_OK;
    return exec_sql(l, bulk ? "PRAGMA journal_mode = DELETE;" : JOURNAL_WAL, err);
}

bool ledger_in_group(const ledger *l) {
    return l->in_group;
}

bool ledger_is_held(const ledger *l) {
    return l->held != NULL;
}

void ledger_rollback(ledger *l) {
    if (!l->in_group) return;
    for (int i = 0; i < LEDGER_STMT_N; i++)
        if (l->stmts[i]) (void)sqlite3_reset(l->stmts[i]);
    l->join_ready = false; /* the temporary table goes back as well */
    (void)sqlite3_exec(l->db, "ROLLBACK", NULL, NULL, NULL);
    l->in_group = false;
}
