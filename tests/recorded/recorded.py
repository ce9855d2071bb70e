#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recorded judgments of real judges against independently computed numbers.

    recorded.py EVENHAND SHARED SET

Imports SET's judgments with the command, reads `show --json` and `rulings`, and compares
them with expected.json and expected_bpde.jsonl of the set, for every judge. Judges with
scores are imported a second time without them, since their votes have expected rulings
too. Prints one TAP line a judge; without the data it says "skipped".
"""
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

TOLERANCE = 1e-9
faults = []


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"Bail out! {' '.join(map(str, command))}: exit {done.returncode}: "
                 f"{done.stderr}")
    return done.stdout


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def same(place, got, want):
    """Equal, floats within the tolerance; notes the place where not."""
    if want is None or isinstance(want, (int, str)) and not isinstance(want, bool):
        ok = got == want
    else:
        ok = got is not None and math.isclose(got, want, rel_tol=0, abs_tol=TOLERANCE)
    if not ok:
        faults.append(f"{place}: got {got!r}, expected {want!r}")


def check_direct(evenhand, ledger, judgments):
    """A file of judgments and a ledger made of it alone give the same summary."""
    run(evenhand, "import", "judgments", judgments, "-o", ledger, "-q")
    for options in ([], ["-m", "bpc"]):
        a = run(evenhand, "show", judgments, "--json", *options)
        if a != run(evenhand, "show", ledger, "--json", *options):
            faults.append(f"show FILE {options} differs from show LEDGER")


def check_counts(judge, got, want):
    for order, counts in want["counts"].items():
        for key in ("1", "2", "tie"):
            same(f"{judge} counts {order} {key}", got["counts"][order][key], counts[key])
        same(f"{judge} counts {order} failed", got["counts"][order]["failed"],
             counts["null"])
    for key in ("first", "second", "tie", "first_rate"):
        same(f"{judge} position {key}", got["position"][key], want["position"][key])


def check_conflict(judge, got, want):
    if "conflict" not in want:
        same(f"{judge} conflict", got["conflict_by_sample"], None)
        return
    names = {"pairs": "both_parsed", "conflicts": "conflicts", "rate": "conflict_rate",
             "first_both": "conflict_first_both", "second_both": "conflict_second_both",
             "with_tie": "conflict_with_tie"}
    for ours, theirs in names.items():
        same(f"{judge} conflict_by_sample {ours}", got["conflict_by_sample"][ours],
             want["conflict"][theirs])


def check_agreement(judge, got, want):
    for ours, theirs in (("n_labelled", "n"), ("n_ruled", "n_parsed"),
                         ("accuracy", "accuracy"), ("accuracy_ruled", "accuracy_parsed"),
                         ("kappa", "kappa")):
        same(f"{judge} {ours}", got[ours], want[theirs])


def check_rulings(judge, got, want):
    rulings = got["rulings"]
    same(f"{judge} rulings 1", rulings["1"], want["counts"]["1"])
    same(f"{judge} rulings 2", rulings["2"], want["counts"]["2"])
    same(f"{judge} rulings tie", rulings["tie_agreed"] + rulings["tie_from_conflict"],
         want["counts"]["tie"])
    same(f"{judge} rulings none", rulings["none"], want["counts"]["null"])
    same(f"{judge} win_rate", got["win_rate"]["value"], want["win_rate"])
    if "vs_labels" in want:
        check_agreement(f"{judge} labels", got["labels"], want["vs_labels"])


def check_judge(judge, got, want, scored):
    check_counts(judge, got, want)
    check_conflict(judge, got, want)
    name = "bpc_score" if scored else "bpc_votes"
    if name in want["aggregate"]:
        check_rulings(f"{judge} {name}", got, want["aggregate"][name])
    elif "12" in want["counts"] and len(want["counts"]) == 1:
        check_rulings(f"{judge} one order", got, want["aggregate"]["majority"])
    for order, agreement in want.get("vs_labels_by_order", {}).items():
        check_agreement(f"{judge} order {order}", got["labels"]["by_order"][order],
                        agreement)
    if "win_rate_soft" in want:
        same(f"{judge} soft n", got["win_rate_soft"]["n"], want["win_rate_soft"]["n"])
        same(f"{judge} soft", got["win_rate_soft"]["value"],
             want["win_rate_soft"]["value"])
    if "ties" in want and not scored:
        same(f"{judge} ties agreed", got["rulings"]["tie_agreed"],
             want["ties"]["agreed"])
        same(f"{judge} ties conflict", got["rulings"]["tie_from_conflict"],
             want["ties"]["from_conflict"])
    if "bpde" in want:
        for key in ("n", "mean", "max"):
            same(f"{judge} bpde {key}", got["bpde"][key], want["bpde"][key])


def check_bpde(folder, rulings):
    """BPDE pair by pair; `rulings` maps (judge, pair) to the value."""
    path = folder / "expected_bpde.jsonl"
    if not path.exists():
        return
    for row in rows(path):
        got = rulings.get((row["judge"], row["pair_id"]))
        if got is None or abs(got - row["bpde"]) > 1e-11:
            faults.append(f"bpde {row['judge']} {row['pair_id']}: got {got!r}, "
                          f"expected {row['bpde']!r}")


def import_set(evenhand, folder, judgments, ledger):
    command = [evenhand, "import", "judgments", judgments, "--pairs",
               folder / "pairs.jsonl", "-o", ledger, "--quiet"]
    if (folder / "labels.jsonl").exists():
        command += ["--labels", folder / "labels.jsonl"]
    run(*command)
    return json.loads(run(evenhand, "show", "--json", ledger))["judges"]


def without_scores(source, target):
    with open(target, "w", encoding="utf-8") as out:
        for row in rows(source):
            row.pop("score_1", None)
            row.pop("score_2", None)
            out.write(json.dumps(row, ensure_ascii=False) + "\n")


def report(number, name):
    print(f"{'not ok' if faults else 'ok'} {number} - {name}")
    for fault in faults[:20]:
        print(f"# {fault}")
    bad = bool(faults)
    faults.clear()
    return bad


def main():
    evenhand, shared, name = sys.argv[1:4]
    folder = Path(shared) / "data" / name
    if not folder.is_dir():
        print(f"1..0 # skipped: no recorded data for {name}")
        return 0
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    any_bad, number = False, 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        got = import_set(evenhand, folder, folder / "judgments.jsonl", scratch / "a.db")
        for judge, want in expected["judges"].items():
            scored = got[judge]["scale"] == "scores"
            check_judge(judge, got[judge], want, scored)
            number += 1
            any_bad |= report(number, judge)
        lines = run(evenhand, "rulings", scratch / "a.db").splitlines()
        values = {(r["judge"], r["pair_id"]): r["bpde"] for r in map(json.loads, lines)}
        check_bpde(folder, values)
        number += 1
        any_bad |= report(number, "BPDE pair by pair")
        check_direct(evenhand, scratch / "bare.db", folder / "judgments.jsonl")
        number += 1
        any_bad |= report(number, "the file itself gives the same summary")
        if any(j["scale"] == "scores" for j in got.values()):
            without_scores(folder / "judgments.jsonl", scratch / "votes.jsonl")
            got = import_set(evenhand, folder, scratch / "votes.jsonl", scratch / "b.db")
            for judge, want in expected["judges"].items():
                check_judge(judge, got[judge], want, False)
                number += 1
                any_bad |= report(number, f"{judge} on votes")
    print(f"1..{number}")
    return 1 if any_bad else 0


if __name__ == "__main__":
    sys.exit(main())
