#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Planted biases are found, and none is found where none is planted."""
import random
from pathlib import Path

from tap import check, finish, must, only_judge, scratch, write_rows

N = 400


def make_pairs(path):
    draw = random.Random(5)
    items = []
    for i in range(N):
        quality = [draw.gauss(5.5, 1.2), draw.gauss(5.2, 1.2)]
        items.append({"id": f"p{i}", "question": f"Question number {i}?",
                      "answer_1": f"Answer one to {i}. " + "More words. " * draw.randrange(9),
                      "answer_2": f"Answer two to {i}. " + "More words. " * draw.randrange(9),
                      "quality_1": round(quality[0], 3), "quality_2": round(quality[1], 3)})
    write_rows(path, items)
    return items


def truth(items):
    """The win rate that an unbiased, noiseless judge with the same steps gives."""
    def step(x):
        return min(10, max(1, round(x * 2) / 2))
    total = 0
    for row in items:
        a, b = step(row["quality_1"]), step(row["quality_2"])
        total += 1 if a > b else .5 if a == b else 0
    return total / len(items)


def judge(folder, data, spec, *more):
    ledger = Path(folder) / f"{abs(hash((spec, more)))}.db"
    must("run", data, "-j", spec, "-o", ledger, "--quiet", "--max-failed", "100%", *more)
    return only_judge(ledger)


def main():
    with scratch() as folder:
        data = Path(folder) / "pairs.jsonl"
        right = truth(make_pairs(data))
        biased = "sim:first=1.5,noise=.6"
        vanilla = judge(folder, data, biased, "-m", "vanilla")
        bpc = judge(folder, data, biased, "-m", "bpc")
        check("one order of a biased judge is far from the truth",
              abs(vanilla["win_rate"]["value"] - right) > .15,
              f"{vanilla['win_rate']} against {right}")
        check("and its interval does not hold it",
              not vanilla["win_rate"]["low"] <= right <= vanilla["win_rate"]["high"])
        check("the interval of bpc under score holds the truth",
              bpc["win_rate"]["low"] <= right <= bpc["win_rate"]["high"],
              f"{bpc['win_rate']} against {right}")
        check("the bias shows as conflicts for the first slot",
              bpc["conflict"]["first_both"] > 10 * max(1, bpc["conflict"]["second_both"])
              and bpc["conflict"]["p_direction"] < 1e-6, bpc["conflict"])
        check("and in the position's rate", bpc["position"]["first_rate"] > .6,
              bpc["position"])
        last = judge(folder, data, "sim:first=-1.5,noise=.6", "-m", "bpc")
        check("a bias for the second slot has the other direction",
              last["conflict"]["second_both"] > 10 * max(1, last["conflict"]["first_both"]))
        fair = judge(folder, data, "sim:noise=.6", "-m", "mec+bpc")
        check("without a bias no direction is reported",
              fair["conflict"]["p_direction"] > .01, fair["conflict"])
        check("and the first slot has its half",
              abs(fair["position"]["first_rate"] - .5) < .05, fair["position"])
        plain = judge(folder, data, "sim", "-m", "bpc")
        check("a judge without bias and noise never conflicts",
              plain["conflict"]["conflicts"] == 0 and
              abs(plain["win_rate"]["value"] - right) < 1e-12,
              f"{plain['win_rate']} against {right}")
        longer = judge(folder, data, "sim:length=2", "-m", "bpc")
        check("a length bias is no position bias", longer["conflict"]["rate"] < .02)
        faulty = judge(folder, data, "sim:refuse=.1,garble=.1,cut=.1", "-m", "bpc")
        check("planted failures are counted by reason",
              all(20 < faulty["failed"].get(reason, 0) < 140
                  for reason in ("refusal", "no_verdict", "truncated")), faulty["failed"])
        check("and never become ties",
              faulty["rulings"]["none"] > 50 and sum(
                  faulty["rulings"][k] for k in
                  ("1", "2", "tie_agreed", "tie_from_conflict", "none")) == N)
    finish()


main()
