#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""People at the head of the queue, on a recorded judge with human labels.

    people.py EVENHAND SHARED

The order of the queue and the accuracy by budget are computed here once more from the
judgments alone; then tasks are exported, filled in with what the humans said, imported,
and the rulings counted. Speaks TAP; "skipped" without the data.
"""
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

EVENHAND, SHARED = sys.argv[1], Path(sys.argv[2])
DATA = SHARED / "data" / "faireval"
JUDGE = "gpt-4/score"
results = []


def check(name, ok, detail=""):
    results.append(bool(ok))
    print(f"{'ok' if ok else 'not ok'} {len(results)} - {name}")
    if not ok:
        print(f"# {detail}")


def run(*args):
    done = subprocess.run([EVENHAND, *map(str, args)], capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        sys.exit(f"Bail out! evenhand {args}: {done.stderr}")
    return done.stdout


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def write(path, items):
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(json.dumps(i) + "\n" for i in items)


def verdict(a, b):
    return "tie" if abs(a - b) < 1e-9 else "1" if a > b else "2"


def queue_of(pairs, judgments):
    """(pair, ruling) by the order: BPDE down, score gap up, data order."""
    by_pair = {}
    for row in judgments:
        by_pair.setdefault(row["pair_id"], []).append(row)
    queue = []
    for place, pair in enumerate(pairs):
        samples = by_pair[pair["id"]]
        s1 = sum(r["score_1"] for r in samples) / len(samples)
        s2 = sum(r["score_2"] for r in samples) / len(samples)
        shares = [sum(r["verdict"] == v for r in samples) / len(samples)
                  for v in ("1", "tie", "2")]
        bpde = -sum(p * math.log(p) for p in shares if p)
        queue.append(((-round(bpde, 9), round(abs(s1 - s2), 9), place), pair["id"],
                      verdict(s1, s2)))
    return [(pair, ruling) for _, pair, ruling in sorted(queue)]


def accuracy(queue, labels, n_people):
    return sum(i < n_people or ruling == labels[pair]
               for i, (pair, ruling) in enumerate(queue)) / len(queue)


def check_curve(folder, queue, labels):
    ledger = folder / "all.db"
    run("import", "judgments", folder / "judge.jsonl", "--pairs", DATA / "pairs.jsonl",
        "--labels", DATA / "labels.jsonl", "-o", ledger)
    summary = json.loads(run("show", ledger, "-m", "bpc", "--json"))["judges"][JUDGE]
    check("bpc is right on .5625", summary["labels"]["accuracy"] == .5625,
          summary["labels"]["accuracy"])
    e = json.loads(run("show", ledger, "--estimate", "--json"))["judges"][JUDGE]
    at_20 = e["curve"][20]
    check("people on 20 %: .70", math.isclose(at_20["entropy"], .70), at_20)
    check("as many at random would give .65", math.isclose(at_20["random"], .65), at_20)
    wrong = [(b["percent"], b["entropy"]) for b in e["curve"]
             if not math.isclose(b["entropy"], accuracy(
                 queue, labels, -(-b["percent"] * len(queue) // 100)))]
    check("every budget as computed here", not wrong, wrong[:5])


def check_tasks(folder, pairs, queue, labels):
    ledger, tasks = folder / "queue.db", folder / "tasks.jsonl"
    run("import", "judgments", folder / "judge.jsonl", "--pairs", DATA / "pairs.jsonl",
        "-o", ledger)
    run("annotate", ledger, "--budget", "20%", "--export", tasks)
    given = rows(tasks)
    by_text = {(p["question"], p["answer_1"], p["answer_2"]): p["id"] for p in pairs}
    asked = set()
    for task in given:
        pair = by_text.get((task["question"], task["a"], task["b"]))
        choice = {"1": "A", "2": "B", "tie": "tie"}
        if pair is None:
            pair = by_text[(task["question"], task["b"], task["a"])]
            choice = {"1": "B", "2": "A", "tie": "tie"}
        asked.add(pair)
        task["choice"] = choice[labels[pair]]
    check("16 of 80 pairs are asked", len(given) == 16 and len(asked) == 16, len(given))
    check("the head of the queue", asked == {pair for pair, _ in queue[:16]},
          asked ^ {pair for pair, _ in queue[:16]})
    write(tasks, given)
    run("labels", ledger, "import", tasks)
    rulings = [json.loads(line)
               for line in run("rulings", ledger, "-m", "hitlc").splitlines()]
    right = sum(r["verdict"] == labels[r["pair_id"]] for r in rulings)
    check("56 of 80 rulings are the humans'", right == 56, right)
    check("16 of them by people", sum(r["source"] == "human" for r in rulings) == 16)
    summary = json.loads(run("show", ledger, "-m", "hitlc", "--json"))["judges"][JUDGE]
    check("no interval is claimed", summary["win_rate"]["low"] is None, summary["win_rate"])


def main():
    if not DATA.exists():
        print("1..0 # SKIP skipped: no recorded data")
        return
    pairs = rows(DATA / "pairs.jsonl")
    labels = {row["pair_id"]: row["label"] for row in rows(DATA / "labels.jsonl")}
    judgments = [r for r in rows(DATA / "judgments.jsonl") if r["judge"] == JUDGE]
    queue = queue_of(pairs, judgments)
    with tempfile.TemporaryDirectory(prefix="evenhand-test-") as name:
        folder = Path(name)
        write(folder / "judge.jsonl", judgments)
        check_curve(folder, queue, labels)
        check_tasks(folder, pairs, queue, labels)
    print(f"1..{len(results)}")
    sys.exit(0 if all(results) else 1)


main()
