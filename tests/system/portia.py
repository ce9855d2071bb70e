#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Split and merge: what is shown, what it mends, what it costs, and what is counted."""
import json
import random
import re
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from tap import (EVENHAND, check, finish, must, only_judge, run, scratch, skip, summary,
                 write_rows)

SHARED = Path(sys.argv[2]) if len(sys.argv) > 2 else Path("shared")
TOPICS = ("engine brakes wheels gears battery seats price safety colour warranty noise "
          "range").split()
HEAVY = ("large-same", "large-code")  # for align and split alone
MUCH = ["--max-failed", "100%", "--quiet"]


def sentence(draw, topic, n_words):
    words = [topic, topic + "s", "the", "is", "good"] + [
        draw.choice(("quite", "rather", "often", "here", "seldom", "truly", "again"))
        for _ in range(n_words)]
    draw.shuffle(words)
    return " ".join(words).capitalize() + "."


def make_pairs(path, n=60):
    """Both answers go through the same topics, one short where the other is long."""
    draw, items = random.Random(3), []
    for i in range(n):
        topics = draw.sample(TOPICS, draw.randrange(3, 9))
        answers = [" ".join(sentence(draw, topic, draw.choice((2, 30)))
                            for topic in topics) for _ in range(2)]
        items.append({"id": f"p{i}", "question": f"What about car {i}?",
                      "answer_1": answers[0], "answer_2": answers[1],
                      "category": ("buying", "selling")[i % 2],
                      "quality_1": round(draw.gauss(5.5, .5), 3),
                      "quality_2": round(draw.gauss(5.5, .5), 3)})
    write_rows(path, items)
    return items


def judged(folder, name, data, spec, *more):
    ledger = Path(folder) / f"{name}.db"
    must("run", data, "-j", spec, "-m", "portia", "-o", ledger, *MUCH, *more)
    return ledger


def portia(ledger):
    return only_judge(ledger)["portia"]


def check_rising(folder, data):
    for template in ("score", "compare", "likert", "json"):
        got = portia(judged(folder, f"rising-{template}", data,
                            "sim:distance=1.5,step=0,tie=0", "--always", "-t", template))
        agree = [got["by_stage"][s]["agree"] for s in ("plain", "length", "semantic")]
        check(f"{template}: where distance biases the judge, consistency rises by stage",
              agree[0] < agree[1] < agree[2], agree)
    many = Path(folder) / "many.jsonl"
    make_pairs(many, 200)
    got = portia(judged(folder, "trend", many, "sim:distance=1,step=0,tie=0", "--always"))
    trend = got["inconsistency_by_length"]
    check("long pairs are inconsistent more often, and the trend says so",
          trend["trend_z"] > 2 and trend["trend_p"] < .05 and
          trend["trend_test"] == "permutation", trend)
    check("all pairs stand in a length bin",
          sum(b["pairs"] for b in trend["bins"]) == got["pairs"], trend)
    gap = got["coverage_by_gap"]["bins"]
    check("and all inconsistent ones in a bin of gaps", sum(b["fixed"] for b in gap) ==
          round(got["pairs"] * (got["consistency"] - got["consistency_plain"])), gap)
    check("categories add up", sum(c["pairs"] for c in got["by_category"].values()) ==
          got["pairs"] and set(got["by_category"]) == {"buying", "selling"},
          got["by_category"])


def check_always_tie(folder, data, items):
    labels = Path(folder) / "labels.jsonl"
    write_rows(labels, [{"pair_id": row["id"], "annotator": "a",
                         "label": "1" if row["quality_1"] > row["quality_2"] else "2"}
                        for row in items])
    lazy = portia(judged(folder, "tie", data, "sim:tie=9", "-t", "compare", "--labels", labels))
    check("a judge that always says tie is fully consistent",
          lazy["consistency_plain"] == lazy["consistency"] == 1, lazy)
    check("and its accuracy says what that is worth",
          lazy["accuracy_plain"] == lazy["accuracy"] == 0 and lazy["n_labelled"] == 60, lazy)
    text = must("show", Path(folder) / "tie.db")
    check("people see it too", "accuracy 0.0 % before and 0.0 % after" in text, text)
    real = portia(judged(folder, "real", data, "sim:distance=1.5,step=0,tie=0", "-t", "compare",
                         "--labels", labels))
    check("an honest judge gains accuracy with what is mended",
          0 < real["accuracy_plain"] < real["accuracy"] < 1, real)


def check_ablations(folder, data):
    spec = "sim:distance=1,noise=.5,refuse=.05"
    every = portia(judged(folder, "always", data, spec, "--always"))
    for key, stages in (("without_length", "0,2"), ("without_semantic", "0,1"),
                        ("whole", "0,1,2")):
        alone = portia(judged(folder, f"alone-{key}", data, spec, "--stages", stages))
        check(f"{key}: the same as a run with --stages {stages}",
              every["ablations"][key]["consistency"] == alone["consistency"],
              (every["ablations"], alone["consistency"]))
    check("without plain: no more than with it", every["ablations"]["without_plain"]["agree"]
          <= every["ablations"]["whole"]["agree"], every["ablations"])
    check("a run that stops early has no ablations",
          alone["ablations"] is None and alone["options"] == "parts=3", alone["options"])
    check("asking all costs six calls a pair, stopping early less",
          every["relative_to_vanilla"]["calls"] == 6 and
          2 < alone["relative_to_vanilla"]["calls"] < 6, alone["relative_to_vanilla"])
    by_stage, stages = every["by_stage"], ("plain", "length", "semantic")
    check("refusals are counted by stage",
          all(by_stage[s]["failed"].get("refusal", 0) > 0 for s in stages) and
          sum(by_stage[s]["failed"]["refusal"] for s in stages) ==
          only_judge(Path(folder) / "always.db")["failed"]["refusal"], by_stage)
    check("what agrees is what agreed before, minus broken, plus mended", all(
        by_stage[s]["agree"] == by_stage["plain"]["agree"] - by_stage[s]["broken"] +
        by_stage[s]["mended"] for s in stages), by_stage)


def check_parts(folder, data):
    ledger = Path(folder) / "parts.db"
    for parts in ("2", "3", "4", "5", "6", "auto"):
        must("run", data, "-j", "sim:distance=1.5", "-m", "portia", "--parts", parts, "-o",
             ledger, *MUCH)
    judges = summary(ledger)["judges"]
    names = [f"sim:distance=1.5#portia,parts={p}" for p in ("2", "3", "4", "5", "6", "auto")]
    check("runs with other parts are told apart by name", list(judges) == names, list(judges))
    check("share the plain pair", len({j["portia"]["consistency_plain"]
                                       for j in judges.values()}) == 1)
    check("and each has its own ruling", len({j["portia"]["by_stage"]["semantic"]["agree"]
                                              for j in judges.values()}) > 1)
    again = run("run", data, "-j", "sim:distance=1.5", "-m", "portia", "--parts", "4", "-o",
                ledger, "--max-failed", "100%")
    check("nothing is asked twice", ", 0 new calls" in again.stderr, again.stderr)
    table = must("show", ledger)
    check("a table for people has all of them",
          all(table.count(name) == 2 for name in names), table)


def check_usage(folder, data):
    for args in (["--stages", "1,2"], ["--stages", "0,3"], ["--stages", "0,0"],
                 ["--parts", "1"], ["--parts", "33"], ["-k", "3"], ["--order", "12"]):
        done = run("run", data, "-j", "sim", "-m", "portia", "-o", Path(folder) / "no.db", *args)
        check(f"{' '.join(args)} is wrong usage and says why",
              done.returncode == 2 and args[0] in done.stderr, done.stderr)
    done = run("run", data, "-j", "sim", "-m", "bpc", "--stages", "0,1", "-o",
               Path(folder) / "no.db")
    check("--stages without portia is refused",
          done.returncode == 2 and "portia" in done.stderr, done.stderr)


def check_context(folder, data, items):
    """A limit that the plain prompts keep and the longer prompts in parts do not."""
    longest = max(len(text) for _, _, _, text in prompts(
        judged(folder, "sizes", data, "sim:quote=1", "--stages", "0")))
    ledger = judged(folder, "context", data, f"sim:distance=3,context={longest + 150}")
    judge = only_judge(ledger)
    stages = judge["portia"]["by_stage"]
    n = [stages[s]["failed"].get("context_length", 0) for s in ("plain", "length", "semantic")]
    check("prompts that do not fit are counted by stage, and end the pair",
          n[0] == 0 and n[1] > 0 and n[2] == 0, n)
    every = portia(judged(folder, "context-always", data, f"sim:distance=3,context={longest + 150}",
                          "--always"))["by_stage"]
    check("but with --always all stages are tried",
          every["semantic"]["failed"]["context_length"] >= n[1], every)
    rulings = [json.loads(line) for line in must("rulings", ledger).splitlines()]
    failed = [r for r in rulings if r["reasons"] and "context_length" in r["reasons"]]
    check("and their pairs stay inconsistent, with the reason",
          failed and all(r["verdict"] is None and r["none"] == "inconsistent"
                         for r in failed), failed[:3])
    ledger = judged(folder, "tiny", data, "sim:context=10")
    check("where nothing fits, all pairs are failed ones",
          only_judge(ledger)["rulings"]["none_by_reason"] == {"both_orders_failed": len(items)})


def prompts(ledger):
    """(pair id, order, stage, the prompt) of every reply of sim:quote=1."""
    db = sqlite3.connect(ledger)
    found = db.execute("SELECT p.pair_id, a.ord, a.stage % 16, r.content FROM ask a JOIN pair "
                       "p ON p.id = a.pair JOIN reply r ON r.call = a.call").fetchall()
    db.close()
    head, tail = "I was given this:\n\n", "\n\nI weighed all of it."
    return [(pair, ("12", "21")[order], stage,
             text[text.index(head) + len(head):text.rindex(tail)])
            for pair, order, stage, text in found]


BLOCK = re.compile(r"^<<<(?!end of )([^|\n]*) \| ([0-9a-f]{8})>>>\n(.*?)\n"
                   r"<<<end of \1 \| \2>>>$", re.M | re.S)


def shown_answers(prompt):
    """What stands in the blocks of each assistant, joined, and the names in order."""
    joined, names = {"Assistant 1": "", "Assistant 2": ""}, []
    for name, _, text in BLOCK.findall(prompt):
        who = name.split(",")[0]
        if who in joined:
            joined[who] += text
            names.append(name)
    return joined["Assistant 1"], joined["Assistant 2"], names


def wanted_names(n_parts):
    if n_parts < 2:
        return ["Assistant 1", "Assistant 2"]
    return [f"Assistant {a}, part {t} of {n_parts}" for t in range(1, n_parts + 1)
            for a in (1, 2)]


def odd_pairs():
    prose = "One thing is so. Another is not. A third one may be. And a fourth."
    fence = "Look:\n\n```python\ndef f(x):\n    return x\n\nprint(f(1))\n"
    texts = {
        "empty": ("", prose), "both-empty": ("", ""), "one-sentence": ("Yes.", prose),
        "same": (prose, prose), "blank": (" \n\t\n ", prose), "fence": (fence, prose),
        "replaced": ("Bad \ufffd bytes. \ufffd\ufffd More of it. The end.", prose),
        "broken-code": ("```python\ndef (((:\n  x = \n\nclass 3\n```\nDone. Really.", fence),
        "mixed": ("这是第一句。这是第二句！And English. Und Deutsch, z. B. so. これも文です。", prose),
        "table": ("| a | b |\n|---|---|\n| 1 | 2 |\n\n- one\n- two\n\n# Head\n\nText. End.",
                  prose),
        "line-ends": ("One.\r\nTwo.\r\n\r\nThree. \n\n\n", "\n\n  Lead. Then.\n"),
        "large": ("Some words are here. " * 50000, "Other words stand there! " * 40000),
        "large-one-line": ("word " * 200000, prose),
        "large-same": ("The same words. " * 65000,) * 2,
        "large-code": ("```c\n" + "int f(int x) { return x; }\n" * 30000 + "```\n",
                       "- item\n" * 100000),
        "unclosed": ("Text.\n\n~~~\nx = 1\n\ny = 2\n", "```\n```\n```\nz\n"),
        "marks": ("*_`[<" * 400, ">" * 400),
    }
    return [{"id": name, "question": "Which?", "answer_1": a, "answer_2": b}
            for name, (a, b) in texts.items()]


def check_tiling(folder, data, items, title):
    for parts in ("3", "auto", "7"):
        ledger = judged(folder, f"tiling-{title}-{parts}", data, "sim:quote=1", "--always",
                        "--parts", parts)
        rows, wrong, n_split = {row["id"]: row for row in items}, [], 0
        found = prompts(ledger)
        for pair, order, stage, prompt in found:
            row = rows[pair]
            first, second = ((row["answer_1"], row["answer_2"]) if order == "12" else
                             (row["answer_2"], row["answer_1"]))
            one, two, names = shown_answers(prompt)
            n_split += len(names) > 2
            if (one, two) != (first, second) or names != wanted_names(len(names) // 2) or \
               (stage == 0 and len(names) != 2):
                wrong.append(f"{pair} {order} stage {stage}: {names} {one[:60]!r}")
        check(f"{title}, {parts} parts: each part once, joined they are the answers",
              not wrong and len(found) == 6 * len(items) and n_split > 0, "\n".join(wrong))


def check_looked_at(folder, pairs):
    """The same odd pairs through align and split: no byte is lost, nothing takes long."""
    one, two = (Path(folder) / name for name in ("one.txt", "two.txt"))
    wrong, slowest = [], 0
    for row in pairs:
        one.write_bytes(row["answer_1"].encode())
        two.write_bytes(row["answer_2"].encode())
        for parts in ("1", "3", "32", "auto"):
            began = time.monotonic()
            shown = json.loads(must("align", "--json", "--parts", parts, one, two))
            slowest = max(slowest, time.monotonic() - began)
            for cut in ("length", "semantic"):
                for key, answer in (("a", "answer_1"), ("b", "answer_2")):
                    if "".join(part[key] for part in shown[cut]["parts"]) != row[answer]:
                        wrong.append(f"{row['id']}: {parts} parts, {cut}")
            best, plain = shown["semantic"], shown["length"]
            if best["similarity"] < plain["similarity"] - 1e-9 or \
               len(best["parts"]) != shown["parts"] or \
               (len(row["answer_1"]) > 10 ** 6 and len(row["answer_2"]) > 10 ** 5 and
                    parts != "1" and "too_large" not in best["notes"]):
                wrong.append(f"{row['id']}: {parts} parts: {best['notes']}")
        units = json.loads(must("split", "--json", one))["units"]
        if "".join(unit["text"] for unit in units) != row["answer_1"]:
            wrong.append(f"{row['id']}: units")
    check("align and split: odd pairs whole, by any number of parts", not wrong,
          "\n".join(wrong))
    check("and none takes long", slowest < 20, slowest)


def check_shown(folder):
    """Texts are a model's: none of them may steer the terminal of who looks at them."""
    files = [Path(folder) / name for name in ("a.txt", "b.txt")]
    evil = "Red \033[31m here.\tTab \x9b2J. \u202eturned\u202c. 中文，很好。\r\nEnd."
    for path in files:
        path.write_bytes(evil.encode())
    for command in (["align", *files], ["split", files[0]]):
        text = must(*command)
        bad = [c for c in text if (ord(c) < 32 and c != "\n") or 0x7f <= ord(c) < 0xa0 or
               c in "\u202c\u202e"]
        check(f"{command[0]} shows no control characters", not bad and "中文" in text,
              (bad, text))
        wide = [line for line in text.splitlines() if len(line) > 80]
        check(f"{command[0]} keeps to 80 columns", not wide, wide)
    whole = json.loads(must("align", "--json", *files))["semantic"]["parts"]
    check("--json has every byte", "".join(p["a"] for p in whole) == evil, whole)


def check_kill(folder):
    data = SHARED / "data" / "mtbench_repeat" / "pairs.jsonl"
    if not data.exists():
        skip("killed and resumed on recorded pairs", "no shared data")
        return
    spec = "sim:distance=2,noise=.5,refuse=.03"
    plain = must("show", "--json", judged(folder, "mt", data, spec))
    ledger, draw, seen = Path(folder) / "mt-killed.db", random.Random(4), 0
    args = ["run", str(data), "-m", "portia", "-o", str(ledger), *MUCH, "-j"]
    for _ in range(6):
        child = subprocess.Popen([EVENHAND, *args, spec + ",delay=15"],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(draw.uniform(.1, .3))
        child.kill()
        child.wait()
    if ledger.exists():
        db = sqlite3.connect(ledger)
        seen = db.execute("SELECT count(*) FROM call").fetchone()[0]
        db.close()
    must(*args, spec)
    check("killed six times within the run, the rerun gives the same bytes",
          seen > 0 and must("show", "--json", ledger) == plain, seen)


def main():
    with scratch() as folder:
        data = Path(folder) / "pairs.jsonl"
        items = make_pairs(data)
        check_rising(folder, data)
        check_always_tie(folder, data, items)
        check_ablations(folder, data)
        check_parts(folder, data)
        check_usage(folder, data)
        check_context(folder, data, items)
        check_tiling(folder, data, items, "topics")
        odd, strange = Path(folder) / "odd.jsonl", odd_pairs()
        write_rows(odd, [row for row in strange if row["id"] not in HEAVY])
        check_tiling(folder, odd, [row for row in strange if row["id"] not in HEAVY], "odd")
        check_looked_at(folder, strange)
        check_shown(folder)
        check_kill(folder)
    finish()


main()
