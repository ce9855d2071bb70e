#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The mirror law: exchanging answer_1 and answer_2 in the data (and the order of
one-order methods) exchanges every verdict, score and rate and changes nothing else."""
import json
import math
from pathlib import Path

from tap import EXAMPLES, check, finish, must, rows, scratch, only_judge, write_rows

SWAPPED_FIELDS = [("answer_1", "answer_2"), ("model_1", "model_2"),
                  ("quality_1", "quality_2")]
SWAP = {"1": "2", "2": "1", "tie": "tie", None: None}
ORDER = {"12": "21", "21": "12", "both": "both"}
JUDGES = ["sim:first=1.5,noise=1,length=.3,style=.5,refuse=.05,garble=.05,cut=.05",
          "longest", "overlap"]
METHODS = [("vanilla", "12", 0), ("vanilla", "21", 0), ("vanilla", "both", 0),
           ("ec", "12", 0), ("ec", "21", 0), ("mec", "12", 3), ("mec", "21", 2),
           ("bpc", None, 0), ("mec+bpc", None, 3), ("mec+bpc", None, 1),
           ("portia", None, 0)]


def mirrored(row):
    row = dict(row)
    for a, b in SWAPPED_FIELDS:
        row[a], row[b] = row.get(b), row.get(a)
    return row


def near(a, b):
    if a is None or b is None:
        return a is b
    return math.isclose(a, b, rel_tol=0, abs_tol=1e-12)


def one_minus(x):
    return None if x is None else 1 - x


def compare_rulings(a, b, order_swapped):
    for left, right in zip(a, b):
        if left["pair_id"] != right["pair_id"]:
            return f"pair {left['pair_id']} against {right['pair_id']}"
        if SWAP[left["verdict"]] != right["verdict"]:
            return f"{left['pair_id']}: {left['verdict']} against {right['verdict']}"
        for one, two in (("score_1", "score_2"), ("p_win", "p_lose"), ("p_tie", "p_tie"),
                         ("bpde", "bpde")):
            if not near(left[one], right[two]):
                return f"{left['pair_id']}: {one} {left[one]} against {right[two]}"
        if not near(left["vote"], None if right["vote"] is None else -right["vote"]):
            return f"{left['pair_id']}: votes {left['vote']}, {right['vote']}"
        for same in ("none", "tie", "conflict", "n_samples", "n_failed", "reasons"):
            if left[same] != right[same]:
                return f"{left['pair_id']}: {same} {left[same]} against {right[same]}"
    return None


def compare_summaries(a, b):
    for rate in ("win_rate", "win_rate_soft"):
        if not near(a[rate]["value"], one_minus(b[rate]["value"])) or \
           not near(a[rate]["low"], one_minus(b[rate]["high"])):
            return f"{rate}: {a[rate]} against {b[rate]}"
    for same in ("position", "bpde", "failed", "conflict", "conflict_by_sample"):
        left, right = a[same], b[same]
        if left is None or right is None:
            if left is not right:
                return f"{same}: {left} against {right}"
            continue
        for key, value in left.items():
            other = right[key]
            ok = near(value, other) if isinstance(value, float) else value == other
            if not ok:
                return f"{same}.{key}: {value} against {other}"
    return None


def sort_orders(rulings):
    """Rulings by order come as vanilla:12, vanilla:21; the mirror has them exchanged."""
    return sorted(rulings, key=lambda r: (r["pair_id"], r["method"]))


def flip_method(row):
    row = dict(row)
    name, _, order = row["method"].partition(":")
    if order:
        row["method"] = f"{name}:{ORDER[order]}"
    return row


def one_case(folder, data, judge, method, order, k, template):
    name = f"{judge.split(':')[0]} {template} {method} {order or ''} {k or ''}".strip()
    ledgers = []
    for side, path in enumerate(data):
        ledger = Path(folder) / f"{abs(hash((name, side)))}.db"
        args = ["run", path, "-j", judge, "-m", method, "-t", template, "-o", ledger,
                "--quiet", "--max-failed", "100%"]
        if k:
            args += ["-k", k]
        if order:
            args += ["--order", order if side == 0 else ORDER[order]]
        must(*args)
        ledgers.append(ledger)
    left, right = ([json.loads(line) for line in must("rulings", x).splitlines()]
                   for x in ledgers)
    if order == "both":
        left, right = sort_orders(left), sort_orders(map(flip_method, right))
    why = compare_rulings(left, right, order) or \
        compare_summaries(only_judge(ledgers[0]), only_judge(ledgers[1]))
    check(name, why is None, why)


def main():
    with scratch() as folder:
        pairs = rows(EXAMPLES / "pairs.jsonl") + rows(EXAMPLES / "hostile.jsonl")
        data = [Path(folder) / "plain.jsonl", Path(folder) / "mirrored.jsonl"]
        write_rows(data[0], pairs)
        write_rows(data[1], [mirrored(row) for row in pairs])
        for judge in JUDGES:
            for method, order, k in METHODS:
                one_case(folder, data, judge, method, order, k, "score")
        for template in ("compare", "likert", "json"):
            one_case(folder, data, JUDGES[0], "mec+bpc", None, 3, template)
            one_case(folder, data, "sim:distance=3,noise=.4,refuse=.05", "portia", None, 0,
                     template)
        one_case(folder, data, JUDGES[0], "standalone", None, 3, "standalone")
    finish()


main()
