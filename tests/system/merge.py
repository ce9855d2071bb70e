#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Merged ledgers: a union in which nothing is twice, nothing is lost and nothing needs to
be asked again."""
import json
import shutil
import sqlite3
from pathlib import Path

from tap import EXAMPLES, check, finish, must, rows, run, scratch, summary, write_rows

JUDGE = "sim:first=1,noise=.5,refuse=.05"
MUCH = ["--quiet", "--max-failed", "100%"]


def judged(folder, name, data, *more):
    ledger = Path(folder) / f"{name}.db"
    must("run", data, "-j", JUDGE, "-o", ledger, *MUCH, *more)
    return ledger


def merged(folder, name, *sources):
    ledger = Path(folder) / f"{name}.db"
    done = run("merge", *sources, "-o", ledger)
    check(f"{name}: merged", done.returncode == 0, done.stderr)
    return ledger, done


def count(ledger, table, where="1"):
    with sqlite3.connect(ledger) as db:
        return db.execute(f"SELECT count(*) FROM {table} WHERE {where}").fetchone()[0]


def shown(ledger, *more):
    return must("show", ledger, "--json", *more)


def check_union(folder, pairs):
    """Two overlapping parts of a data set, and the whole of it."""
    parts = [Path(folder) / f"{name}.jsonl" for name in ("left", "right", "whole")]
    write_rows(parts[0], pairs[:30])
    write_rows(parts[1], pairs[20:])
    write_rows(parts[2], pairs)
    labels = EXAMPLES / "labels.jsonl"
    left, right, whole = (judged(folder, p.stem, p, "--labels", labels) for p in parts)
    before = [path.read_bytes() for path in (left, right)]
    both, done = merged(folder, "both", left, right)
    check("the numbers of the parts together are those of the whole",
          shown(both) == shown(whole), done.stdout)
    check("the sources are as before",
          [path.read_bytes() for path in (left, right)] == before)
    for table in ("pair", "call", "sample", "reply", "ask", "label", "judge", "run"):
        check(f"{table}: each row once", count(both, table) == count(whole, table),
              (count(both, table), count(whole, table)))
    other, _ = merged(folder, "other", right, left)
    check("the order of the files changes no number", shown(other) == shown(both))
    rulings = [json.loads(line)["pair_id"] for line in must("rulings", both).splitlines()]
    check("pairs keep the order of the files", rulings == [p["id"] for p in pairs])
    again = run("run", parts[2], "-j", JUDGE, "-o", both, "--max-failed", "100%")
    check("a run over all of it asks nothing", ", 0 new calls" in again.stderr,
          again.stderr)
    check("and changes nothing", shown(both) == shown(whole))
    third, _ = merged(folder, "third", both, left, both)
    check("what is there already adds nothing", shown(third) == shown(whole) and
          count(third, "call") == count(whole, "call") and
          count(third, "session") == count(both, "session"))
    return left, right, whole


def check_kinds(folder, pairs):
    """Runs of other methods, imported judgments, a resumed part."""
    data = Path(folder) / "whole.jsonl"
    kinds = [judged(folder, name, data, "-m", name) for name in
             ("portia", "standalone", "vanilla")]
    one, _ = merged(folder, "kinds", *kinds)
    apart = {}
    for path in kinds:
        apart.update({name: judge for name, judge in summary(path)["judges"].items()})
    together = summary(one)["judges"]
    check("three methods, three judges", len(together) == 3, list(together))
    check("each as in its own ledger", sorted(map(json.dumps, together.values())) ==
          sorted(json.dumps(next(iter(summary(path)["judges"].values())))
                 for path in kinds))
    judgments = Path(folder) / "judgments.jsonl"
    write_rows(judgments, [{"pair_id": row["id"], "judge": "x", "order": order, "sample": 0,
                            "verdict": "1"} for row in pairs for order in ("12", "21")])
    imported = []
    for name in ("one", "two"):
        imported.append(Path(folder) / f"imported-{name}.db")
        must("import", "judgments", judgments, "--pairs", data, "-o", imported[-1])
    both, _ = merged(folder, "imported", *imported)
    check("judgments that were imported twice are there once",
          count(both, "call") == 2 * len(pairs) and shown(both) == shown(imported[0]),
          count(both, "call"))
    part = Path(folder) / "part.db"
    run("run", data, "-j", JUDGE, "-o", part, "--limit", "60", *MUCH)
    rest, _ = merged(folder, "rest", part, kinds[2])
    done = run("run", data, "-j", JUDGE, "-o", rest, "--max-failed", "100%")
    n_calls = count(Path(folder) / "whole.db", "call")
    check("a run that was cut short goes on in the merged ledger",
          f"{n_calls - 60} new calls" in done.stderr, done.stderr)


def check_newer(folder, left):
    """One call refreshed later: its reply answers, the older one stays."""
    fresh = Path(folder) / "fresh.db"
    shutil.copy(left, fresh)
    with sqlite3.connect(fresh) as db:
        db.execute("UPDATE call SET done_ms = done_ms + 1000 WHERE id = 1")
        db.execute("UPDATE sample SET verdict = 0, reason = 'refusal' WHERE call = 1")
        db.execute("UPDATE reply SET content = 'later' WHERE call = 1")
    for name, sources in (("newer", (left, fresh)), ("older", (fresh, left))):
        ledger, _ = merged(folder, name, *sources)
        check(f"{name}: the later reply answers", shown(ledger) == shown(fresh) and
              count(ledger, "reply", "content = 'later' AND call IN (SELECT call FROM "
                    "ask)") == 1)
        check(f"{name}: the earlier one is kept beside it",
              count(ledger, "call") == count(left, "call") + 1 and
              count(ledger, "call", "length(key) = 40") == 1 and
              count(ledger, "reply") == count(left, "reply") + 1)
        again, _ = merged(folder, f"{name}-again", ledger, left, fresh)
        check(f"{name}: once, however often", count(again, "call") ==
              count(left, "call") + 1 and shown(again) == shown(fresh))


def check_labels(folder, left):
    def with_labels(name, items):
        ledger = Path(folder) / f"labels-{name}.db"
        shutil.copy(left, ledger)
        with sqlite3.connect(ledger) as db:
            db.execute("DELETE FROM label")
        path = Path(folder) / f"labels-{name}.jsonl"
        write_rows(path, [dict(zip(("pair_id", "annotator", "label", "time"), item))
                          for item in items])
        must("labels", ledger, "import", path, "--quiet")
        return ledger

    ids = [row["id"] for row in rows(EXAMPLES / "pairs.jsonl")[:5]]
    one = with_labels("one", [(ids[0], "ann", "1", "2024-05-02"),
                              (ids[1], "ann", "1", "2024-05-01"),
                              (ids[2], "ann", "tie"), (ids[3], "ann", "2")])
    two = with_labels("two", [(ids[0], "ann", "2", "2024-05-01"),
                              (ids[1], "ann", "2", "2024-05-02"),
                              (ids[2], "ann", "1"), (ids[3], "ann", "2"),
                              (ids[4], "bob", "tie")])
    ledger, done = merged(folder, "labels", one, two)
    must("labels", ledger, "export", Path(folder) / "out.jsonl")
    got = {row["pair_id"]: row["label"] for row in rows(Path(folder) / "out.jsonl")}
    check("the newer label stays, without times the later file's", got ==
          dict(zip(ids, ("1", "2", "1", "2", "tie"))), got)
    said = done.stderr.splitlines()
    check("each disagreement is named, with who stays", len(said) == 3 and
          f"pair {ids[0]}: ann says 1, and 2 in " in said[0] and
          said[0].endswith("the former label stays") and
          said[1].endswith("the latter label stays"), done.stderr)


def with_queue(folder, left, name, person):
    """A copy of a ledger whose queue was exported, filled in and brought back."""
    ledger, tasks = Path(folder) / f"queue-{name}.db", Path(folder) / f"tasks-{name}.jsonl"
    shutil.copy(left, ledger)
    must("annotate", ledger, "--selection", "active", "--budget", "60%", "--annotators",
         person, "--export", tasks)
    write_rows(tasks, [dict(row, choice="AB"[i % 2]) for i, row in enumerate(rows(tasks))])
    must("labels", ledger, "import", tasks, "--quiet")
    return ledger


def check_queues(folder, left, right):
    """left and right share a few pairs."""
    one, two = (with_queue(folder, source, name, name)
                for source, name in ((left, "ann"), (right, "bob")))
    estimate = must("show", one, "--estimate", "--json")
    both, done = merged(folder, "queue-plain", right, one)
    tables = ("queue", "queue_item", "annotator", "assignment", "decision")
    check("the queue of the only file that has one is taken along",
          [count(both, t) for t in tables] == [count(one, t) for t in tables] and
          count(one, "decision") > 0 and "queue" not in done.stderr, done.stderr)
    again, _ = merged(folder, "queue-same", one, left)
    check("and estimates stand on it as before",
          must("show", again, "--estimate", "--json") == estimate)
    mixed, done = merged(folder, "queue-two", one, two)
    check("a second queue is named and left, its labels are taken",
          "labelling queue is not taken along" in done.stderr and
          [count(mixed, t) for t in tables] == [count(one, t) for t in tables] and
          count(mixed, "label", "annotator = 'bob'") == count(two, "decision") > 0,
          done.stderr)


def check_clashes(folder, pairs, left):
    changed = Path(folder) / "changed.jsonl"
    write_rows(changed, [dict(row, answer_1=row["answer_1"] + " More.") if i == 4 else row
                         for i, row in enumerate(pairs[:30])])
    other = judged(folder, "changed", changed)
    ledger, done = merged(folder, "clash", left, other)
    check("an id with other texts is named and stays as it was",
          pairs[4]["id"] in done.stderr and shown(ledger) == shown(left), done.stderr)
    done = run("run", changed, "-j", JUDGE, "-o", ledger, "--max-failed", "100%")
    check("its answers are there all the same", ", 0 new calls" in done.stderr, done.stderr)
    new = Path(folder) / "new.db"
    for args, status, part in (((left,), 2, "two ledgers"),
                               ((left, changed), 6, "not an Evenhand ledger"),
                               ((left, Path(folder) / "no.db"), 6, "No such file")):
        done = run("merge", *args, "-o", new)
        check(f"{part}: refused", done.returncode == status and part in done.stderr and
              not new.exists(), done.stderr)
    cut = Path(folder) / "cut.db"
    cut.write_bytes(left.read_bytes()[:-8000])
    done = run("merge", left, cut, "-o", new)
    check("a damaged ledger leaves nothing behind", done.returncode == 6 and
          "damaged" in done.stderr and not new.exists(), done.stderr)
    done = run("merge", left, other, "-o", left)
    check("an existing file is not written over", done.returncode == 2 and
          "there already" in done.stderr, done.stderr)


def main():
    pairs = rows(EXAMPLES / "pairs.jsonl")
    with scratch() as folder:
        left, right, _ = check_union(folder, pairs)
        check_kinds(folder, pairs)
        check_newer(folder, left)
        check_labels(folder, left)
        check_queues(folder, left, right)
        check_clashes(folder, pairs, left)
    finish()


main()
