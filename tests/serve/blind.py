#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a person is never sent, looked for in every byte of every answer; and what the
order, the sides and the places in the queue say: nothing."""
import json
import sqlite3

from client import MODELS, Person, Server, make_ledger, owner
from tap import check, finish, scratch

# Names of fields that would give something away, and values that are such things.
FORBIDDEN_FIELDS = ["model", "judge", "verdict", "score", "bpde", "entropy", "ruling",
                    "selection", "p_select", "probability", "pair_id", "category", "side",
                    "swap", "rank", "seed", "answer_1", "answer_2", "order", "kappa"]
SECRETS = [*MODELS, "secret-id-", "hidden-category", "424242", "ann-the-first"]


def keys_of(value):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner)


def session(server, name):
    """Everything that a person can ask for."""
    person, ids = Person(server, name), []
    for _ in range(3):
        for item in person.items()[:2]:
            ids.append(item["id"])
            person.get(f"/api/item/{item['id']}")
            person.label(item["id"], "A", note="mine")
            person.label(item["id"], "B")  # a conflict
    person.items(have=[i["id"] for i in person.items()][:2])
    for path in ("/api/state", "/api/history", "/api/item/0", "/api/nothing",
                 "/api/owner/state", "/api/owner/labels", "/api/owner/disagreements"):
        person.get(path, check=False)
    person.post("/api/label", {})
    return person, ids


def check_answers(folder):
    ledger = make_ledger(folder, 40)
    with Server(ledger, "--budget", "50%", "--labels-per-pair", "2", "--annotators",
                "ann-the-first,bob") as server:
        first, _ = session(server, "ann-the-first")
        person, ids = session(server, "bob")
        text = b"\n".join(person.raw).decode()
        # one's own name is no secret to oneself
        for secret in SECRETS:
            check(f"no answer holds {secret}", secret not in text)
        for name in ("/api/owner/state", "/api/owner/labels", "/api/owner/disagreements"):
            check(f"{name} is the owner's", person.get(name, check=False)[0] == 401)
        fields = set()
        for raw in person.raw:
            body = raw[raw.find(b"\n\n") + 2:]
            if body.startswith(b"{"):
                fields.update(keys_of(json.loads(body)))
        told = [f for f in fields if any(bad in f.lower() for bad in FORBIDDEN_FIELDS)]
        check("no field gives anything away", not told, told)
        check("fields were looked at", {"items", "question", "a", "b", "kept"} <= fields,
              fields)
        progress = person.get("/api/state")[1]["progress"]
        check("progress is one's own", progress["done"] == 6, progress)
        check("items of others are not to be had",
              all(first.get(f"/api/item/{i}", check=False)[0] == 404 for i in ids))
        check("nor labelled", first.label(ids[0], "A")[0] == 404)
        boss = owner(server)
        boss.get("/api/owner/disagreements")
        seen = b"\n".join(boss.raw).decode()
        check("the owner adjudicates blind as well",
              not any(s in seen for s in [*MODELS, "secret-id-", "hidden-category"]))


def check_order(folder):
    """Twenty people, each asked for five pairs: places must not follow the ranks."""
    ledger = make_ledger(folder, 60)
    names = [f"p{i}" for i in range(20)]
    with Server(ledger, "--budget", "60", "--labels-per-pair", "20", "--annotators",
                ",".join(names)) as server:
        firsts = [[i["question"] for i in Person(server, n).items()] for n in names]
    check("everybody has an order of their own", len({tuple(f) for f in firsts}) == 20)
    db = sqlite3.connect(ledger)
    ranks = [r for (r,) in db.execute(
        "SELECT i.rank FROM assignment a JOIN queue_item i ON i.pair = a.pair")]
    sides = [s for (s,) in db.execute("SELECT side FROM assignment")]
    db.close()
    mean = sum(ranks) / len(ranks)
    # of 100 draws out of 0 .. 59: 29.5 with a standard error of 1.73
    check("places say nothing of ranks", abs(mean - 29.5) < 4 * 1.74, mean)
    check("sides are even", 30 <= sum(sides) <= 70, sum(sides))


def main():
    for part in (check_answers, check_order):
        with scratch() as folder:
            part(folder)
    finish()


main()
