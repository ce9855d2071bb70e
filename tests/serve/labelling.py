#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A queue from the first item to the last by three people, and what the owner sees."""
import json
import re
import sqlite3

from client import Person, Server, labels_of, make_ledger, owner
from tap import check, finish, must, run, scratch


def choose(item):
    """What a person would say: by the texts, wherever they stand."""
    number = int(re.search(r"\d+", item["question"]).group())
    best = ("Alpha", "Beta", None)[number % 3]
    if best is None:
        return "tie"
    return "A" if item["a"].startswith(best) else "B"


def expected(pair_id):
    return ("1", "2", "tie")[int(pair_id.rsplit("-", 1)[1]) % 3]


def finish_queue(people, stubborn=None):
    """All label in turns until nothing is left; `stubborn` always says tie."""
    for _ in range(500):
        n = 0
        for person in people:
            for item in person.items()[:2]:
                choice = "tie" if person is stubborn else choose(item)
                status, _ = person.label(item["id"], choice)
                assert status == 200, status
                n += 1
        if n == 0:
            return
    raise RuntimeError("the queue has no end")


def check_whole(folder):
    ledger = make_ledger(folder)
    with Server(ledger, "--budget", "24", "--labels-per-pair", "3",
                "--annotators", "ann,bob,cy", "--contact", "ask@example.org") as server:
        people = [Person(server, name) for name in ("ann", "bob", "cy")]
        finish_queue(people)
        state = people[0].get("/api/state")[1]
        check("everybody is done", state["progress"]["done"] == 24
              and state["progress"]["left"] == 0, state["progress"])
        check("each is somebody of their own at this queue, the same in both answers",
              len({p.get("/api/state")[1]["who"] for p in people}) == 3
              and people[1].get("/api/items")[1]["who"]
              == people[1].get("/api/state")[1]["who"])
        past = people[0].get("/api/history")[1]["decisions"]
        check("the history says how the questions begin", len(past) == 24
              and all(re.match(r"Question number \d+\?", d["question"]) for d in past))
        check("the contact is shown", state["contact"] == "ask@example.org")
        seen = owner(server).get("/api/owner/state")[1]
        check("the owner sees all pairs complete", seen["queue"]["complete"] == 24)
        check("kappa of people who agree is 1", seen["agreement"]["measure"] == "fleiss"
              and seen["agreement"]["value"] == 1, seen["agreement"])
        check("and each one's work",
              [p["done"] for p in seen["annotators"]] == [24, 24, 24], seen["annotators"])
        labels = labels_of(ledger)  # beside the running server
    check("72 labels", len(labels) == 72, len(labels))
    check("each is right, whatever the side",
          all(l["label"] == expected(l["pair_id"]) for l in labels))
    by_pair = {}
    for label in labels:
        by_pair.setdefault(label["pair_id"], []).append(label["side"])
    check("sides are as even as three labels allow",
          all(sorted(s) in (["12", "12", "21"], ["12", "21", "21"])
              for s in by_pair.values()), by_pair)
    check("both sides are used", len({l["side"] for l in labels}) == 2)
    check("labels say when", all(re.match(r"20\d\d-\d\d-\d\dT", l["time"]) for l in labels))
    check("the server ended well", server.process.returncode == 0 and server.stderr == "",
          server.stderr)
    check("and left one file", [p.name for p in ledger.parent.glob("run.db*")] == ["run.db"])


def ruling_of(ledger, item):
    """The ruling of the item's pair as the owner sees the sides, read elsewhere."""
    db = sqlite3.connect(ledger)
    pair_id, side = db.execute(
        "SELECT p.pair_id, a.side FROM assignment a JOIN pair p ON p.id = a.pair WHERE "
        "a.public_id = ?", (item["id"],)).fetchone()
    db.close()
    ruling = next(r for r in map(json.loads, must(
        "rulings", ledger, "--format", "jsonl").splitlines()) if r["pair_id"] == pair_id)
    word = ruling["verdict"]
    return {"1": "AB"[side], "2": "BA"[side]}.get(word, "tie" if word == "tie" else None)


def check_peek(ledger, boss, ann, items):
    """The judge's opinion is told to the owner who asks, and that is not forgotten."""
    looked, blind = items
    check("nothing of it before", not looked["peeked"] and not blind["peeked"])
    check("it is the owner's", ann.post("/api/owner/peek", {"item": looked["id"]})[0] == 401)
    for wrong in ({}, {"item": "0" * 32}, {"item": 7}, {"item": ann.get(
            "/api/history")[1]["decisions"][0]["item"]}):
        check(f"no look at {wrong}", boss.post("/api/owner/peek", wrong)[0] == 404)
    status, said = boss.post("/api/owner/peek", {"item": looked["id"]})
    check("the judge's ruling, by the owner's sides", status == 200
          and [j["ruling"] for j in said["judges"]] == [ruling_of(ledger, looked)], said)
    again = {i["id"]: i["peeked"] for i in boss.get("/api/owner/disagreements")[1]["items"]}
    check("it is not forgotten", again[looked["id"]] and not again[blind["id"]])
    for item in items:
        status, _ = boss.post("/api/owner/adjudicate", {
            "label_id": f"adjudicated-{item['id']}", "item": item["id"], "choice": choose(item)})
        check("adjudicated", status == 200, status)
    db = sqlite3.connect(ledger)
    check("and logged once", db.execute("SELECT count(*) FROM peek").fetchone() == (1,))
    db.close()


def check_disagreements(folder):
    ledger = make_ledger(folder)
    with Server(ledger, "--labels-per-pair", "2", "--annotators", "ann,bob") as server:
        ann, bob, boss = Person(server, "ann"), Person(server, "bob"), owner(server)
        early = boss.get("/api/owner/state")[1]["agreement"]
        check("no kappa before 20 shared pairs", early["value"] is None
              and "20 shared pairs" in early["why"], early)
        finish_queue([ann, bob], stubborn=bob)
        seen = boss.get("/api/owner/state")[1]
        kappa = seen["agreement"]
        check("Cohen for two, with an interval", kappa["measure"] == "cohen"
              and kappa["value"] == 0 and kappa["low"] <= 0 <= kappa["high"], kappa)
        check("disagreements are counted", seen["queue"]["disagreements"] == 20)
        page = boss.get("/api/owner/disagreements")[1]
        check("they come blind, with counts",
              page["all"] == 20 and all(sum(i["labels"].values()) == 2
                                        and i["labels"]["tie"] == 1 for i in page["items"]),
              page["items"][:1])
        for item in page["items"][:5]:
            status, _ = boss.post("/api/owner/adjudicate", {
                "label_id": f"adjudicated-{item['id']}", "item": item["id"],
                "choice": choose(item)})
            check("adjudicated", status == 200, status)
        left = boss.get("/api/owner/disagreements")[1]["all"]
        check("five fewer are left", left == 15, left)
        check_peek(ledger, boss, ann, page["items"][5:7])
        text = boss.request("GET", "/api/owner/labels?have=pseudonyms")[2].decode()
        check("the export knows no names", "ann\"" not in text and "annotator-1" in text)
    kept = [l for l in labels_of(ledger) if l.get("adjudicated")]
    check("adjudicated labels stand beside the others", len(kept) == 7
          and len(labels_of(ledger)) == 67)
    marked = [l for l in labels_of(ledger) if "unblind" in l]
    check("the one after the look is marked, alone", len(marked) == 1
          and marked[0]["unblind"] and marked[0]["adjudicated"], marked)
    check("and they count alone", all(l["label"] == expected(l["pair_id"]) for l in kept))


def check_reopening(folder):
    ledger = make_ledger(folder)
    with Server(ledger, "--budget", "10%", "--annotators", "ann") as server:
        ann = Person(server, "ann")
        for item in ann.items():
            ann.label(item["id"], choose(item))
        cookie = ann.cookie
    with Server(ledger, "--budget", "20%", "--annotators", "ann,bob") as server:
        check("an old link is not printed again", server.links["ann"] is None)
        check("but it works on", True)
        ann = Person(server)
        ann.cookie = cookie
        check("three labelled, three to come", [ann.get("/api/state")[1]["progress"][k]
              for k in ("done", "left")] == [3, 3], ann.get("/api/state")[1])
        boss = owner(server)
        status, made = boss.post("/api/owner/annotators", {"name": "ann"})
        check("the owner makes a new link", status == 200 and made["path"].startswith("/join/"))
        check("the one before leads nowhere", ann.get("/api/state", check=False)[0] == 401)
        check("the new one does", Person(server, link=made["path"]).get("/api/state")[0] == 200)
        for name in ("", "owner", "x" * 65, "a\u0000b"):
            check(f"no annotator is called {name[:5]!r}",
                  boss.post("/api/owner/annotators", {"name": name})[0] == 400)
    again = run("annotate", ledger, "--budget", "1", "--port", "0")
    check("a smaller budget is refused", again.returncode == 2
          and "can only grow" in again.stderr, again.stderr)


def check_instructions(folder):
    ledger = make_ledger(folder)
    with Server(ledger, "--annotators", "ann") as server:
        ann, boss = Person(server, "ann"), owner(server)
        first = ann.get("/api/state")[1]["instructions"]
        status, made = boss.post("/api/owner/instructions", {"text": "Be *kind*."})
        after = ann.get("/api/items")[1]["instructions_version"]
        check("a new text is a new version", status == 200
              and made["instructions"]["version"] == after != first["version"])
        item = ann.items()[0]["id"]
        ann.label(item, "tie", instructions=after)
        check("pausing hands out nothing new",
              boss.post("/api/owner/pause", {"paused": True})[0] == 200
              and len(ann.items()) == 4 and ann.get("/api/state")[1]["paused"])
        check("an empty text is refused",
              boss.post("/api/owner/instructions", {"text": " \n"})[0] == 400)
    db = sqlite3.connect(ledger)
    kept = db.execute("SELECT instructions, view, visible_ms, depth_b FROM decision").fetchall()
    db.close()
    check("and is stored with each label", kept == [(after, "plain", 5000, .5)], kept)


def main():
    for part in (check_whole, check_disagreements, check_reopening, check_instructions):
        with scratch() as folder:
            part(folder)
    finish()


main()
