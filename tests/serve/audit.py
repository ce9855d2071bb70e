#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""People label an audit on the page: plain and perturbed pairs, twins never to one person,
sides as even as they go, and nothing that says which is which; then they are a judge."""
import json
import re
from collections import Counter, defaultdict
from pathlib import Path

from client import Person, Server, labels_of, make_data, owner
from tap import check, finish, must, scratch

N, LABELS, NAMES = 12, 2, [f"person{i}" for i in range(8)]
FORBIDDEN = ["audit", "probe", "perturb", "control_id", "~", "experiment", "padded", "attack",
             "secret-id", "hidden"]


def label_all(server, name):
    """Labels all that a person gets; the questions that they saw."""
    person, questions = Person(server, name), []
    while True:
        items = person.items()
        if not items:
            return person, questions
        for item in items:
            questions.append(item["question"])
            has_list = ["References:" in item[side] for side in ("a", "b")]
            # likes references, and the first answer of a plain pair, which is shown
            # either side
            choice = "A" if has_list[0] else "B" if has_list[1] else \
                "A" if item["a"].startswith("Alpha") else "B"
            status, _ = person.label(item["id"], choice)
            check("a label is taken", status == 200, status)


def main():
    with scratch() as folder:
        data, ledger = Path(folder) / "pairs.jsonl", Path(folder) / "audit.db"
        make_data(data, N)
        must("audit", data, "--probes", "references,majority", "--attack", "both",
             "--no-judge", "-o", ledger)
        with Server(ledger, "--labels-per-pair", str(LABELS), "--apart", "--annotators",
                    ",".join(NAMES)) as server:
            head = re.sub(r"\n +", " ", "".join(server.head))
            check("the queue has plain and perturbed pairs, and no others",
                  f"queue:  {3 * N} of {3 * N} pairs, {LABELS} labels each" in head, head)
            check("it says what they are", "perturbed twins" in head, head)
            check("and how many people it takes", f"takes {3 * LABELS} people" in head, head)
            seen, raw = {}, b""
            for name in NAMES:
                person, seen[name] = label_all(server, name)
                raw += b"\n".join(person.raw)
            told = [w for w in FORBIDDEN if w in raw.decode().lower()]
            check("no answer says what a pair is", not told, told)
            check("nobody has two twins", all(len(q) == len(set(q)) for q in seen.values()))
            state = owner(server).get("/api/owner/state")[1]
            check("all is labelled", state["queue"]["complete"] == 3 * N, state["queue"])
        labels = labels_of(ledger)
        check("every pair has its labels", Counter(l["pair_id"] for l in labels) ==
              Counter({l["pair_id"]: LABELS for l in labels}) and
              len(labels) == 3 * N * LABELS)
        sides = defaultdict(set)
        for label in labels:
            sides[label["pair_id"]].add(label["side"])
        check("one each way", all(s == {"12", "21"} for s in sides.values()))
        card = json.loads(must("show", ledger, "--json"))["judges"]["people"]
        check("people are a judge", card["people"]["votes"] == 3 * N * LABELS and
              card["people"]["people"] == len([q for q in seen.values() if q]))
        slots = card["position"]
        check("their order bias is known: none",
              slots["first"] == slots["second"] == N and slots["tie"] == 0, slots)
        probe = card["probes"]["references"]
        check("all fell for references", probe["susceptibility"]["asr"]["value"] == 1 and
              probe["susceptibility"]["placebo"]["value"] == 0 and
              probe["all_votes"]["asr"]["value"] == 1, probe)
        check("and nobody for a claim",
              card["probes"]["majority"]["susceptibility"]["asr"]["value"] == 0)
    finish()


if __name__ == "__main__":
    main()
