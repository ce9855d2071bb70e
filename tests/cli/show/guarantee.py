# SPDX-License-Identifier: MIT
"""Data of guarantee.cmd: pairs, a judge's scores in both orders, labels of a part."""
import json

PAIRS = 240


def write(name, rows):
    with open(name, "w", encoding="utf-8") as out:
        for row in rows:
            out.write(json.dumps(row) + "\n")


def better(i):
    return "1" if i * 7 % 5 < 3 else "2"


def judgments():
    for i in range(PAIRS):
        doubtful = i % 5 == 0
        right = i % 10 != 0
        says = better(i) if right else {"1": "2", "2": "1"}[better(i)]
        for order in ("12", "21"):
            gap = 2 + i % 3
            if doubtful and order == "21":
                gap = -1
            high, low = 5 + gap, 5
            one, two = (high, low) if says == "1" else (low, high)
            yield {"pair_id": f"p{i}", "judge": "keen", "order": order, "sample": 0,
                   "verdict": "1" if one > two else "2", "score_1": one, "score_2": two}


write("pairs.jsonl", ({"id": f"p{i}", "question": f"Question {i}?", "answer_1": f"Yes, {i}.",
                       "answer_2": f"No, {i}."} for i in range(PAIRS)))
write("judgments.jsonl", judgments())
write("labels.jsonl", ({"pair_id": f"p{i}", "annotator": "ann", "label": better(i)}
                       for i in range(PAIRS) if i % 7 in (0, 2, 5)))
