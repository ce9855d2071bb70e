#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Blind tasks as files: given out, filled in, taken back; twice, and with mistakes."""
import csv
import json
import sys

from client import MODELS, labels_of, make_ledger
from tap import check, finish, must, rows, run, scratch, write_rows

csv.field_size_limit(sys.maxsize)


def main():
    with scratch() as folder:
        ledger = make_ledger(folder, 20)
        tasks = ledger.parent / "tasks.jsonl"
        options = ["--budget", "10", "--labels-per-pair", "2", "--annotators", "ann,bob,cy"]
        must("annotate", ledger, *options, "--export", tasks)
        given = rows(tasks)
        check("ten pairs, two people each", len(given) == 20, len(given))
        share = [sum(t["annotator"] == n for t in given) for n in ("ann", "bob", "cy")]
        check("shared out about evenly", max(share) - min(share) <= 3, share)
        text = tasks.read_text(encoding="utf-8")
        check("they are blind", not any(s in text for s in (*MODELS, "secret-id", "hidden")))
        check("nobody has a pair twice", len({(t["annotator"], t["question"])
                                              for t in given}) == 20)
        must("annotate", ledger, "--annotators", "ann,bob,cy", "--export", tasks)
        check("written again, the same", rows(tasks) == given)
        for task in given[:15]:
            task["choice"] = "A" if task["a"].startswith("Alpha") else "B"
            task["note"] = "by file"
        given[0]["familiar"] = False
        write_rows(tasks, given)
        done = run("labels", ledger, "import", tasks)
        check("fifteen are taken", done.returncode == 0 and "15 labels taken" in done.stderr
              and "5 tasks not done yet" in done.stderr, done.stderr)
        labels = labels_of(ledger)
        check("each is right, whatever the side", len(labels) == 15
              and all(l["label"] == "1" for l in labels), labels[:2])
        check("sides are recorded", {l["side"] for l in labels} == {"12", "21"})
        check("and who did not know the topic", sum(not l["familiar"] for l in labels) == 1)
        again = run("labels", ledger, "import", tasks)
        check("taken twice, nothing changes", "0 labels taken, 15 known" in again.stderr,
              again.stderr)
        given[1]["choice"] = "tie"
        write_rows(tasks, given)
        check("a changed one replaces", "1 label taken" in run(
            "labels", ledger, "import", tasks).stderr)
        check("and counts once", len(labels_of(ledger)) == 15)
        for change, why in (({"item": "f" * 32}, "not given out"), ({"choice": "left"}, "none of")):
            write_rows(tasks, [given[0], {**given[15], "choice": "A", **change}])
            done = run("labels", ledger, "import", tasks)
            check(f"refused: {why}", done.returncode == 2 and why in done.stderr, done.stderr)
        check("then nothing is taken", len(labels_of(ledger)) == 15)
        table = ledger.parent / "tasks.csv"
        must("annotate", ledger, "--annotators", "ann,bob,cy", "--export", table, "--format",
             "csv")
        with open(table, encoding="utf-8", newline="") as lines:
            cells = list(csv.DictReader(lines))
        check("as CSV only what is not done", len(cells) == 6, len(cells))
        for row in cells:
            row["choice"] = "b"
        with open(table, "w", encoding="utf-8", newline="") as out:
            writer = csv.DictWriter(out, cells[0].keys())
            writer.writeheader()
            writer.writerows(cells)
        done = run("labels", ledger, "import", table)
        check("taken from CSV", "6 labels taken" in done.stderr, done.stderr)
        plain = must("labels", ledger, "export", "-", "--pseudonyms")
        check("pseudonyms", not any(f'"{n}"' in plain for n in ("ann", "bob", "cy")), plain)
        removed = ledger.parent / "remove.jsonl"
        counted = [label for label in labels_of(ledger) if label["familiar"]]
        write_rows(removed, counted[:3])  # the other one was made up for already
        must("labels", ledger, "remove", removed)
        check("removed", len(labels_of(ledger)) == 18, len(labels_of(ledger)))
        again = [json.loads(line) for line in must(
            "annotate", ledger, "--annotators", "ann,bob,cy", "--export", "-").splitlines()]
        check("what was removed is wanted again",
              sum(not task.get("choice") for task in again) == 3, len(again))
    finish()


main()
