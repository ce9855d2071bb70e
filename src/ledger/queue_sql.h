/* SPDX-License-Identifier: MIT
 *
 * Private to ledger/: the tables of the labelling queue, and the statements on them.
 *
 * States and choices are those of queue.h. The owner's assignments (adjudication) count
 * as nobody's work, hence the join with the owner's name.
 */
#ifndef EH_LEDGER_QUEUE_SQL_H
#define EH_LEDGER_QUEUE_SQL_H

/* `create` is "CREATE TABLE" or "CREATE TEMP TABLE". */
#define LEDGER_QUEUE_TABLES(create)                                                    \
    create                                                                             \
        " queue("                                                                      \
        " id INTEGER PRIMARY KEY CHECK (id = 1), nonce BLOB NOT NULL,"                 \
        " selection TEXT NOT NULL, judge TEXT, method TEXT, budget TEXT NOT NULL,"     \
        " n_budget INTEGER NOT NULL, n_frame INTEGER NOT NULL, seed INTEGER NOT NULL," \
        " labels_per_pair INTEGER NOT NULL, apart INTEGER NOT NULL,"                   \
        " paused INTEGER NOT NULL, contact TEXT, created_ms INTEGER NOT NULL);" create \
        " queue_item("                                                                 \
        " pair INTEGER PRIMARY KEY REFERENCES pair(id), rank INTEGER NOT NULL,"        \
        " uncertainty REAL NOT NULL, p_select REAL, selected INTEGER NOT NULL,"        \
        " identity_leak INTEGER NOT NULL);" create " instructions("                    \
        " id INTEGER PRIMARY KEY, version TEXT NOT NULL, text TEXT NOT NULL,"          \
        " created_ms INTEGER NOT NULL);" create " annotator("                          \
        " id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, token_hash BLOB,"         \
        " created_ms INTEGER NOT NULL, last_seen_ms INTEGER);" create " assignment("   \
        " id INTEGER PRIMARY KEY, public_id TEXT NOT NULL UNIQUE,"                     \
        " pair INTEGER NOT NULL REFERENCES pair(id),"                                  \
        " annotator INTEGER NOT NULL REFERENCES annotator(id), side INTEGER NOT NULL," \
        " number INTEGER NOT NULL, state INTEGER NOT NULL, sent_ms INTEGER NOT NULL,"  \
        " changed_ms INTEGER, UNIQUE(annotator, pair));"                               \
        "CREATE INDEX assignment_pair ON assignment(pair);"                            \
        "CREATE INDEX assignment_open ON assignment(annotator, state);" create         \
        " decision("                                                                   \
        " id INTEGER PRIMARY KEY, label_id TEXT NOT NULL UNIQUE,"                      \
        " assignment INTEGER NOT NULL REFERENCES assignment(id),"                      \
        " choice INTEGER NOT NULL, verdict INTEGER NOT NULL, unfamiliar INTEGER NOT "  \
        "NULL,"                                                                        \
        " note TEXT, client_seq INTEGER, instructions TEXT, view TEXT, width TEXT,"    \
        " visible_ms INTEGER, depth_a REAL, depth_b REAL, fast INTEGER NOT NULL,"      \
        " received_ms INTEGER NOT NULL, superseded_by INTEGER);"                       \
        "CREATE INDEX decision_assignment ON decision(assignment);"

#define LEDGER_ASSIGNMENT_COLUMNS                                                      \
    "id, public_id, pair, annotator, side, number, state, sent_ms"
#define LEDGER_DECISION_COLUMNS                                                        \
    "d.id, d.assignment, d.label_id, d.choice, d.verdict, d.unfamiliar, d.note, "      \
    "d.client_seq, d.instructions, d.view, d.width, d.visible_ms, d.depth_a, "         \
    "d.depth_b, d.fast, d.received_ms, d.superseded_by, a.public_id"

/* X(id, sql) */
#define LEDGER_QUEUE_STMT_LIST(X)                                                      \
    X(QUEUE_GET,                                                                       \
      "SELECT nonce, selection, judge, method, budget, n_budget, n_frame, seed, "      \
      "labels_per_pair, apart, paused, contact, created_ms FROM queue WHERE id = 1")   \
    X(QUEUE_PUT,                                                                       \
      "INSERT OR REPLACE INTO queue(id, nonce, selection, judge, method, budget, "     \
      "n_budget, n_frame, seed, labels_per_pair, apart, paused, contact, created_ms) " \
      "VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)")            \
    X(ITEMS_CLEAR, "DELETE FROM queue_item")                                           \
    X(ASSIGNMENT_ANY, "SELECT 1 FROM assignment LIMIT 1")                              \
    X(ITEM_PUT, "INSERT INTO queue_item(pair, rank, uncertainty, p_select, selected, " \
                "identity_leak) VALUES (?1, ?2, ?3, ?4, ?5, ?6)")                      \
    X(ITEM_SELECT,                                                                     \
      "UPDATE queue_item SET p_select = ?2, selected = ?3, identity_leak = "           \
      "max(identity_leak, ?4) WHERE pair = ?1")                                        \
    X(ITEMS_EACH,                                                                      \
      "SELECT i.pair, i.rank, i.uncertainty, i.p_select, i.selected, "                 \
      "i.identity_leak, p.pair_id, p.question_hash, "                                  \
      "(SELECT count(*) FROM assignment a JOIN annotator n ON n.id = a.annotator "     \
      "WHERE a.pair = i.pair AND n.name <> 'owner' AND a.state <> 6), "                \
      "(SELECT count(*) FROM assignment a JOIN annotator n ON n.id = a.annotator "     \
      "WHERE a.pair = i.pair AND n.name <> 'owner' AND a.state IN (0, 1)) "            \
      "FROM queue_item i JOIN pair p ON p.id = i.pair WHERE p.seq IS NOT NULL "        \
      "ORDER BY i.rank")                                                               \
    X(INSTRUCTIONS_LAST,                                                               \
      "SELECT version, text FROM instructions ORDER BY id DESC LIMIT 1")               \
    X(INSTRUCTIONS_PUT,                                                                \
      "INSERT INTO instructions(version, text, created_ms) VALUES (?1, ?2, ?3)")       \
    X(ANNOTATOR_FIND, "SELECT id FROM annotator WHERE name = ?1")                      \
    X(ANNOTATOR_INSERT, "INSERT INTO annotator(name, created_ms) VALUES (?1, ?2)")     \
    X(ANNOTATOR_TOKEN, "UPDATE annotator SET token_hash = ?2 WHERE id = ?1")           \
    X(ANNOTATOR_SEEN, "UPDATE annotator SET last_seen_ms = ?2 WHERE id = ?1")          \
    X(ANNOTATORS,                                                                      \
      "SELECT id, name, token_hash, last_seen_ms FROM annotator ORDER BY id")          \
    X(ASSIGNMENT_PUT,                                                                  \
      "INSERT INTO assignment(public_id, pair, annotator, side, number, state, "       \
      "sent_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")                                  \
    X(ASSIGNMENT_FIND,                                                                 \
      "SELECT " LEDGER_ASSIGNMENT_COLUMNS " FROM assignment WHERE public_id = ?1")     \
    X(ASSIGNMENT_OF, "SELECT " LEDGER_ASSIGNMENT_COLUMNS                               \
                     " FROM assignment WHERE annotator = ?1 AND pair = ?2")            \
    X(ASSIGNED_PAIRS,                                                                  \
      "SELECT pair FROM assignment WHERE annotator = ?1 AND state <> 6")               \
    X(ASSIGNED_QUESTION,                                                               \
      "SELECT 1 FROM assignment a JOIN pair p ON p.id = a.pair WHERE a.annotator = "   \
      "?1 AND p.question_hash = ?2 LIMIT 1")                                           \
    X(ASSIGNMENTS_OPEN, "SELECT " LEDGER_ASSIGNMENT_COLUMNS                            \
                        " FROM assignment WHERE annotator = ?1 AND state IN (0, 5) "   \
                        "ORDER BY id LIMIT ?2")                                        \
    X(ASSIGNMENTS_SKIPPED, "SELECT " LEDGER_ASSIGNMENT_COLUMNS                         \
                           " FROM assignment WHERE annotator = ?1 AND state = 2 "      \
                           "ORDER BY changed_ms, id LIMIT ?2")                         \
    X(ASSIGNMENT_SET,                                                                  \
      "UPDATE assignment SET state = ?2, changed_ms = ?3 WHERE id = ?1")               \
    X(ASSIGNMENT_AGAIN, "UPDATE assignment SET state = 0, sent_ms = ?2 WHERE id = ?1") \
    X(ASSIGNMENTS_EXPIRE,                                                              \
      "UPDATE assignment SET state = 5 WHERE sent_ms < ?1 AND state = 0 AND "          \
      "annotator "                                                                     \
      "IN (SELECT id FROM annotator WHERE name <> 'owner' AND coalesce(last_seen_ms, " \
      "0) < ?1)")                                                                      \
    X(DISAGREEMENTS,                                                                   \
      "SELECT pair FROM label WHERE pair > ?1 AND familiar IS NOT 0 AND pair IN "      \
      "(SELECT pair FROM queue_item) GROUP BY pair HAVING count(DISTINCT label) > 1 "  \
      "AND max(adjudicated) = 0 ORDER BY pair LIMIT ?2")                               \
    X(DISAGREEMENTS_COUNT,                                                             \
      "SELECT count(*) FROM (SELECT pair FROM label WHERE familiar IS NOT 0 AND pair " \
      "IN (SELECT pair FROM queue_item) GROUP BY pair HAVING count(DISTINCT label) > " \
      "1 AND max(adjudicated) = 0)")                                                   \
    X(DECISION_PUT,                                                                    \
      "INSERT INTO decision(label_id, assignment, choice, verdict, unfamiliar, note, " \
      "client_seq, instructions, view, width, visible_ms, depth_a, depth_b, fast, "    \
      "received_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, "  \
      "?14, ?15)")                                                                     \
    X(DECISION_SUPERSEDE, "UPDATE decision SET superseded_by = ?2 WHERE id = ?1")      \
    X(DECISION_FIND, "SELECT " LEDGER_DECISION_COLUMNS                                 \
                     " FROM decision d JOIN assignment a ON a.id = d.assignment "      \
                     "WHERE d.label_id = ?1")                                          \
    X(DECISION_CURRENT, "SELECT " LEDGER_DECISION_COLUMNS                              \
                        " FROM decision d JOIN assignment a ON a.id = d.assignment "   \
                        "WHERE d.assignment = ?1 AND d.superseded_by IS NULL "         \
                        "ORDER BY d.id DESC LIMIT 1")                                  \
    X(HISTORY, "SELECT " LEDGER_DECISION_COLUMNS ", substr(t.question, 1, 160)"        \
               " FROM decision d JOIN assignment a ON a.id = d.assignment LEFT JOIN "  \
               "pair_text t ON t.pair = a.pair WHERE a.annotator = ?1 AND "            \
               "d.superseded_by IS NULL AND d.id < ?2 ORDER BY d.id DESC LIMIT ?3")    \
    X(DECISION_LABEL,                                                                  \
      "SELECT a.pair, n.name, a.side, n.name = 'owner' FROM assignment a JOIN "        \
      "annotator n ON n.id = a.annotator WHERE a.id = ?1")                             \
    X(DECISIONS_REMOVE,                                                                \
      "DELETE FROM decision WHERE assignment IN (SELECT a.id FROM assignment a JOIN "  \
      "annotator n ON n.id = a.annotator WHERE a.pair = ?1 AND n.name = ?2)")          \
    X(ASSIGNMENT_WITHDRAW,                                                             \
      "UPDATE assignment SET state = 6 WHERE pair = ?1 AND annotator IN (SELECT id "   \
      "FROM annotator WHERE name = ?2) AND state IN (1, 4)")                           \
    X(PROGRESS_STATES,                                                                 \
      "SELECT state, count(*) FROM assignment WHERE annotator = ?1 GROUP BY state")    \
    X(PROGRESS_SIDES,                                                                  \
      "SELECT sum(d.choice = 1), sum(d.choice = 2), sum(d.choice = 3), sum(d.fast) "   \
      "FROM decision d JOIN assignment a ON a.id = d.assignment WHERE a.annotator = "  \
      "?1 AND d.superseded_by IS NULL AND d.choice < 4")                               \
    X(PROGRESS_MEDIAN,                                                                 \
      "SELECT visible_ms FROM (SELECT d.visible_ms, row_number() OVER (ORDER BY "      \
      "d.visible_ms) AS place, count(*) OVER () AS n FROM decision d JOIN assignment " \
      "a ON a.id = d.assignment WHERE a.annotator = ?1 AND d.superseded_by IS NULL "   \
      "AND d.choice < 4 AND d.visible_ms IS NOT NULL) WHERE place = (n + 1) / 2")

#endif
