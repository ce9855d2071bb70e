#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Comparisons of two runs: numbers computed once more from the rulings, pairs that are
matched by texts and by id, every finding, and what cannot be compared."""
import json
import math
from pathlib import Path

from many import all_pairs, answers
from tap import EXAMPLES, check, finish, must, rows, run, scratch, write_rows

# Student's t, 97.5 %, by degrees of freedom (R: qt(.975, df))
T975 = {29: 2.0452296421327034, 47: 2.0117405137297655}


def judged(folder, name, data, judge, *more):
    ledger = Path(folder) / f"{name}.db"
    must("run", data, "-j", judge, "-o", ledger, "--quiet", "--max-failed", "100%", *more)
    return ledger


def compared(*args):
    return json.loads(must("compare", "--json", *args))


def rulings(ledger):
    return {row["pair_id"]: row for row in
            map(json.loads, must("rulings", ledger).splitlines())}


def clustered(values):
    """Mean and standard error of {question: [values]}."""
    n = sum(map(len, values.values()))
    mean = sum(map(sum, values.values())) / n
    squares = sum(sum(v - mean for v in group) ** 2 for group in values.values())
    g = len(values)
    return mean, math.sqrt(g / (g - 1) * squares) / n


def near(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)


def check_numbers(name, base, new, question_of, labels=None):
    got = compared(base, new)
    one, two = rulings(base), rulings(new)
    soft, conflict, right = {}, {}, {}
    gained = lost = 0
    for pair, a in one.items():
        b, q = two[pair], question_of[pair]
        if a["vote"] is not None and b["vote"] is not None:
            soft.setdefault(q, []).append((b["vote"] - a["vote"]) / 2)
        if a["conflict"] is not None and b["conflict"] is not None:
            conflict.setdefault(q, []).append(b["conflict"] - a["conflict"])
        if labels and pair in labels:
            was, is_now = a["verdict"] == labels[pair], b["verdict"] == labels[pair]
            right.setdefault(q, []).append(is_now - was)
            gained += is_now and not was
            lost += was and not is_now
    for key, values in (("win_rate_soft", soft), ("conflict", conflict),
                        ("accuracy", right)):
        if not values:
            continue
        mean, se = clustered(values)
        half = T975[len(values) - 1] * se
        rate = got[key]
        check(f"{name}: {key}", near(rate["difference"], mean) and
              near(rate["low"], mean - half) and near(rate["high"], mean + half) and
              near(rate["new"] - rate["base"], mean) and
              rate["n"] == sum(map(len, values.values())), (rate, mean, half))
    if labels:
        n = gained + lost
        p = min(1, 2 * sum(math.comb(n, i) for i in range(min(gained, lost) + 1)) / 2 ** n)
        acc = got["accuracy"]
        check(f"{name}: McNemar", (acc["gained"], acc["lost"]) == (gained, lost) and
              near(acc["p_mcnemar"], p), (acc, gained, lost, p))
    back = compared(new, base)
    check(f"{name}: the other way round", all(
        near(back[key]["difference"], -got[key]["difference"]) and
        near(back[key]["low"], -got[key]["high"]) for key in
        ("win_rate_soft", "conflict")))
    return got


def majority(path):
    votes = {}
    for row in rows(path):
        votes.setdefault(row["pair_id"], []).append(row["label"])
    out = {}
    for pair, given in votes.items():
        counts = sorted(((given.count(v), v) for v in set(given)), reverse=True)
        tied = len(counts) > 1 and counts[0][0] == counts[1][0]
        out[pair] = "tie" if tied else counts[0][1]
    return out


def check_judges(folder):
    data, labels = EXAMPLES / "pairs.jsonl", EXAMPLES / "labels.jsonl"
    base = judged(folder, "base", data, "sim:first=1.5,noise=.5,refuse=.1", "--labels", labels)
    new = judged(folder, "new", data, "sim:noise=1,garble=.1")
    questions = {row["id"]: row["question"] for row in rows(data)}
    check_numbers("two judges", base, new, questions, majority(labels))
    exact = judged(folder, "exact", data, "sim:step=0,tie=.3", "-t", "compare")
    noisy = judged(folder, "noisy", data, "sim:step=0,tie=.3,noise=3", "-t", "compare")
    must("labels", exact, "import", labels, "--quiet")
    got = compared(noisy, exact)
    check("the judge that is right more often is better", got["finding"] == "better" and
          got["about"] == "accuracy" and "The new run is better" in got["sentence"], got)
    check("and the other is worse", compared(exact, noisy)["finding"] == "worse")
    same = compared(exact, exact, "--margin", "20%")
    check("a run is equivalent to itself, within what its size allows",
          same["finding"] == "equivalent" and same["win_rate_soft"]["difference"] == 0 and
          "equivalent within 20 points" in same["sentence"], same)
    unsure = compared(exact, exact, "--margin", "1%")
    check("and not within less", unsure["finding"] == "not_shown" and
          "not shown" in unsure["sentence"], unsure)
    text = must("compare", base, new)
    check("a table and one sentence for people", text.count("95 %") == 1 and
          "soft win rate" in text and text.rstrip().endswith("."), text)


def check_clusters(folder):
    made = answers({"a": 6, "b": 5, "c": 5.4, "d": 4}, 30, 5)
    pairs = all_pairs(made)
    data = Path(folder) / "many.jsonl"
    write_rows(data, pairs)
    base = judged(folder, "many-base", data, "sim:first=1,noise=1", "-m", "bpc")
    new = judged(folder, "many-new", data, "sim:noise=1,seed=2", "-m", "bpc")
    got = check_numbers("several pairs a question", base, new,
                        {row["id"]: row["question"] for row in pairs})
    check("questions are counted, not pairs", got["win_rate_soft"]["questions"] == 30 and
          got["win_rate_soft"]["n"] == 180)
    check("without labels nobody is called right",
          "labels would say" in got["sentence"] or got["finding"] == "equivalent", got)
    alone = judged(folder, "many-alone", data, "sim", "-m", "standalone")
    other = compared(base, alone)
    check("what a method has no conflicts in is null and says why",
          other["conflict"]["difference"] is None and
          other["conflict"]["why"] == "standalone", other["conflict"])
    return base, pairs


def check_matching(folder, base, pairs):
    renamed = Path(folder) / "renamed.jsonl"
    write_rows(renamed, [dict(row, id=f"r{i}") for i, row in enumerate(reversed(pairs))])
    done = run("compare", "--json", base, judged(folder, "renamed", renamed,
                                                 "sim:first=1,noise=1", "-m", "bpc"))
    got = json.loads(done.stdout)
    check("pairs are found by their texts under other ids", got["pairs"] == {
        "common": 180, "other_id": 180, "other_texts": 0, "exchanged": 0} and
        got["win_rate_soft"]["difference"] == 0 and not done.stderr, got["pairs"])

    better = Path(folder) / "better.jsonl"
    changed = [dict(row, answer_1=row["answer_1"] + " And more.", model_1="a2",
                    quality_1=row["quality_1"] + 1.5) if row["model_1"] == "a" else row
               for row in pairs]
    write_rows(better, changed)
    done = run("compare", "--json", base,
               judged(folder, "better", better, "sim:first=1,noise=1", "-m", "bpc"))
    got = json.loads(done.stdout)
    check("texts that changed are matched by id, with a warning", done.returncode == 0 and
          got["pairs"]["other_texts"] == 90 and "90 of 180 pairs" in done.stderr and
          got["finding"] == "better" and got["about"] == "win_rate_soft", done.stderr)

    few = Path(folder) / "few.jsonl"
    write_rows(few, [row for row in changed if row["model_1"] == "a2"] + [
        dict(pairs[-1], id="only here", question="Else?")])
    only = judged(folder, "few", few, "sim:first=1,noise=1", "-m", "bpc")
    got = compared(base, only)
    check("pairs of one run only are left out", got["pairs"]["common"] == 90 and
          got["base"]["pairs"] == 180 and got["new"]["pairs"] == 91 and
          "a2 wins" in got["sentence"] and "a won" in got["sentence"], got)

    turned = Path(folder) / "turned.jsonl"
    write_rows(turned, [dict(row, answer_1=row["answer_2"], answer_2=row["answer_1"],
                             model_1=row["model_2"], model_2=row["model_1"])
                        if i < 30 else row for i, row in enumerate(pairs)])
    done = run("compare", "--json", base,
               judged(folder, "turned", turned, "sim:first=1,noise=1", "-m", "bpc"))
    got = json.loads(done.stdout)
    check("pairs whose models change places are left out, and said",
          got["pairs"]["exchanged"] == 30 and got["pairs"]["common"] == 150 and
          "evenhand compare: warning: 30 pairs left out: the two models are exchanged in the "
          "new ledger\n" in done.stderr, got["pairs"])


def check_choice(folder, base, pairs):
    data = Path(folder) / "many.jsonl"
    must("run", data, "-j", "sim", "-m", "bpc", "-o", base, "--quiet")
    done = run("compare", base, base)
    check("of several judges one must be named", done.returncode == 2 and
          "-j NAME" in done.stderr and "'sim'" in done.stderr, done.stderr)
    got = compared(base, base, "-j", "sim:first=1,noise=1", "--new-judge", "sim")
    check("two judges of one ledger", got["conflict"]["new"] == 0 and
          got["conflict"]["base"] > .2 and got["new"]["judge"] == "sim", got["conflict"])
    other = Path(folder) / "other.jsonl"
    write_rows(other, [dict(row, id="x" + row["id"], question="No " + row["question"])
                       for row in pairs[:3]])
    done = run("compare", base, judged(folder, "other", other, "sim"), "-j", "sim")
    check("nothing in common is an error", done.returncode == 2 and
          "no pair in common" in done.stderr, done.stderr)
    one = Path(folder) / "one.jsonl"
    write_rows(one, pairs[:1])
    got = compared(base, judged(folder, "one", one, "sim"), "-j", "sim")
    check("one question has no interval", got["finding"] == "not_shown" and
          got["win_rate_soft"]["low"] is None and
          got["win_rate_soft"]["why"] == "too_few_questions", got["win_rate_soft"])
    judgments = Path(folder) / "judgments.jsonl"
    write_rows(judgments, [{"pair_id": row["id"], "judge": "x", "order": order, "sample": 0,
                            "verdict": "1"} for row in pairs[:50] for order in ("12", "21")])
    recorded = Path(folder) / "recorded.db"
    must("import", "judgments", judgments, "--pairs", data, "-o", recorded)
    got = compared(base, recorded, "-j", "sim", "--new-judge", "x")
    check("an imported judge is compared on what it saw", got["pairs"]["common"] == 50 and
          got["new"]["pairs"] == 50 and got["win_rate_soft"]["new"] == 1, got["pairs"])
    saved = Path(folder) / "saved.json"
    saved.write_text(json.dumps(got))
    check("a gate takes the result", run("gate", saved, "win_rate_soft.low > -3%")
          .returncode == 0 and run("gate", saved, "win_rate_soft.base > 99%")
          .returncode == 4)


def main():
    with scratch() as folder:
        check_judges(folder)
        base, pairs = check_clusters(folder)
        check_matching(folder, base, pairs)
        check_choice(folder, base, pairs)
    finish()


main()
