#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What people would say of all pairs, and which rulings may stand, computed once more.

From the rulings, the exported labels and the queue's chances alone, by the formulas of
docs/methods.md section 11 and with the standard library: all six estimates after an
active queue that was left early and after a random one, also where questions repeat, the
curve over budgets, and the threshold of --guarantee.
"""
import json
import math
import re
import sqlite3
from collections import defaultdict
from statistics import fmean

from tap import check, finish, must, run, scratch, write_rows

PAIRS = 160


def near(a, b, limit=1e-9):
    return (a is None) == (b is None) and (a is None or abs(a - b) <= limit)


# ---- distributions ----

def simpson(f, a, b, n=4000):
    h = (b - a) / n
    return h / 3 * (f(a) + f(b) + 4 * sum(f(a + h * i) for i in range(1, n, 2))
                    + 2 * sum(f(a + h * i) for i in range(2, n, 2)))


def t_quantile(df):
    """Two-sided 95 %: the density of t, integrated and bisected."""
    c = math.exp(math.lgamma((df + 1) / 2) - math.lgamma(df / 2)) / math.sqrt(df * math.pi)
    low, high = 1.9, 15.0
    for _ in range(60):
        middle = (low + high) / 2
        area = simpson(lambda x: c * (1 + x * x / df) ** (-(df + 1) / 2), 0, middle)
        low, high = (middle, high) if area < .475 else (low, middle)
    return low


def clopper_pearson_low(hits, n, level):
    """The share at which so many hits or more have the chance 1 - level."""
    if hits == 0:
        return 0.0
    low, high = 0.0, 1.0
    for _ in range(60):
        p = (low + high) / 2
        tail = sum(math.comb(n, k) * p ** k * (1 - p) ** (n - k) for k in range(hits, n + 1))
        low, high = (p, high) if tail < 1 - level else (low, p)
    return low


def variance(values, mean=None):
    mean = fmean(values) if mean is None else mean
    return sum((v - mean) ** 2 for v in values) / (len(values) - 1)


# ---- a ledger with labels ----

VALUE = {"1": 1.0, "tie": .5, "2": 0.0}


def truth(i):
    return ("1", "1", "2", "tie", "1", "2")[i * 5 % 6]


def make(folder, name, selection, budget, n_labels, method="mec+bpc", per_question=1):
    """Judged by chance, a queue, and labels of the first n_labels tasks. What people say
    goes by the question."""
    data, ledger = f"{folder}/{name}.jsonl", f"{folder}/{name}.db"
    write_rows(data, [{"id": f"p{i}", "question": f"Question {i // per_question}?",
                       "answer_1": f"Alpha {i}, in some words." + " More." * (i % 3),
                       "answer_2": f"Beta {i}, in others."} for i in range(PAIRS)])
    must("run", data, "-j", "sim:first=.6,noise=1.2,seed=5", "-m", method, "-q", "-o",
         ledger)
    tasks = f"{folder}/{name}-tasks.jsonl"
    must("annotate", ledger, "--selection", selection, "--budget", budget, "--annotators",
         "ann", "--export", tasks)
    with open(tasks, encoding="utf-8") as lines:
        given = [json.loads(line) for line in lines]
    for task in given[:n_labels]:
        i = int(re.search(r"Alpha (\d+)", task["a"] + task["b"]).group(1))
        says = truth(i // per_question)
        left = task["a"].startswith("Alpha")
        task["choice"] = "tie" if says == "tie" else "A" if left == (says == "1") else "B"
    write_rows(tasks, given)
    must("labels", ledger, "import", tasks, "-q")
    return ledger, len(given)


def read(ledger):
    """One dict a pair in data order: f, y, bpde, gap, and what the queue has."""
    pairs = {}
    for line in must("rulings", ledger).splitlines():
        r = json.loads(line)
        pairs[r["pair_id"]] = {
            "verdict": r["verdict"], "f": VALUE.get(r["verdict"], .5), "y": None,
            "bpde": r["bpde"], "gap": None if r["verdict"] is None
            else abs(r["score_1"] - r["score_2"])}
    for line in must("export", ledger, "labels").splitlines():
        label = json.loads(line)
        pairs[label["pair_id"]]["label"] = label["label"]
        pairs[label["pair_id"]]["y"] = VALUE[label["label"]]
    with sqlite3.connect(f"file:{ledger}?mode=ro", uri=True) as base:
        for pair_id, p, selected, doubt in base.execute(
                "SELECT p.pair_id, i.p_select, i.selected, i.uncertainty FROM queue_item i "
                "JOIN pair p ON p.id = i.pair"):
            pairs[pair_id].update(p=p, selected=bool(selected), doubt=doubt)
    return list(pairs.values())


# ---- the estimates ----

def with_t(value, var, df):
    se = math.sqrt(var)
    half = t_quantile(df) * se
    return {"value": value, "low": max(value - half, 0), "high": min(value + half, 1),
            "se": se}


def by_weights(pairs, use_judge):
    """Inverse chances, the mean residual taken out first."""
    n = len(pairs)
    share = sum(q["y"] is not None for q in pairs) / sum(q["selected"] for q in pairs)
    rows = [(q["f"] if use_judge else 0.0, q["y"], q["p"] * share) for q in pairs]
    known = [row for row in rows if row[1] is not None]
    r = sum((y - f) / p for f, y, p in known) / sum(1 / p for f, y, p in known)
    z = [f + r + (0 if y is None else (y - f - r) / p) for f, y, p in rows]
    return with_t(fmean(z), variance(z) / n, len(known) - 1)


def tuned(pairs):
    n_all, known = len(pairs), [q for q in pairs if q["y"] is not None]
    n = len(known)
    y, f = [q["y"] for q in known], [q["f"] for q in known]
    cov = sum((a - fmean(y)) * (b - fmean(f)) for a, b in zip(y, f)) / (n - 1)
    lam = min(max(cov / variance(f), 0), 1)
    value = fmean(y) + lam * (fmean(q["f"] for q in pairs) - fmean(f))
    rest = variance([a - lam * b for a, b in zip(y, f)])
    found = with_t(value, rest * (1 / n - 1 / n_all) + variance(y) / n_all, n - 2)
    return {**found, "lambda": lam}


def strata_of(pairs, merge):
    strata = []
    for q in sorted(pairs, key=lambda q: -q["doubt"]):
        if not strata or strata[-1][-1]["doubt"] - q["doubt"] > 1e-9 and not (
                merge and sum(x["y"] is not None for x in strata[-1]) < 5):
            strata.append([])
        strata[-1].append(q)
    if merge and len(strata) > 1 and sum(x["y"] is not None for x in strata[-1]) < 5:
        strata[-2].extend(strata.pop())
    return strata


def stratified(pairs, merge):
    n_all, parts = len(pairs), []
    for stratum in strata_of(pairs, merge):
        y = [q["y"] for q in stratum if q["y"] is not None]
        if len(y) < 5:
            return None
        parts.append((len(stratum), len(y), fmean(y), variance(y)))
    value = sum(size / n_all * mean for size, _, mean, _ in parts)
    var = sum((size / n_all) ** 2 * s2 * (1 / n - 1 / size) for size, n, _, s2 in parts)
    var += sum(size / n_all * (s2 + (mean - value) ** 2)
               for size, _, mean, s2 in parts) / n_all
    return with_t(value, var, sum(n for _, n, _, _ in parts) - len(parts))


def wilson(values):
    """One row a question: se^2 = s^2 / n, n_eff = m (1 - m) / se^2."""
    n, m = len(values), fmean(values)
    se2 = variance(values) / n
    n_eff, z = m * (1 - m) / se2, t_quantile(n - 1)
    middle = (m + z * z / (2 * n_eff)) / (1 + z * z / n_eff)
    half = z / (1 + z * z / n_eff) * math.sqrt(m * (1 - m) / n_eff + z * z / (4 * n_eff ** 2))
    return {"value": m, "low": middle - half, "high": middle + half}


def agree(name, shown, expected):
    if expected is None:
        check(f"{name}: undefined", shown["value"] is None and "why" in shown, shown)
        return
    bad = {k: (shown.get(k), v) for k, v in expected.items() if not near(shown.get(k), v, 1e-7)}
    check(f"{name}: as computed here", not bad, bad)


def estimates_of(ledger, *options):
    shown = json.loads(must("show", ledger, "--estimate", "--json", *options))["judges"]
    return next(iter(shown.values()))


def test_active(folder):
    ledger, n_given = make(folder, "active", "active", "90", 60, "bpc")
    pairs, shown = read(ledger), estimates_of(ledger, "--half-width", ".09")
    check("the queue has about what was asked for", 70 <= n_given <= 110, n_given)
    check("left early", shown["selected"] == n_given and shown["labelled"] == 60, shown)
    agree("active", shown["active"], by_weights(pairs, True))
    agree("people after active", shown["people"], by_weights(pairs, False))
    agree("strata after active", shown["stratified"], stratified(pairs, False))
    agree("random after active", shown["random"], None)
    hitlc = fmean(q["f"] if q["y"] is None else q["y"] for q in pairs)
    check("hitlc: a value without interval", near(shown["hitlc"]["value"], hitlc)
          and shown["hitlc"]["low"] is None, shown["hitlc"])
    check("judge", near(shown["judge"]["value"], fmean(q["f"] for q in pairs)))
    check("to be quoted", shown["quote"] == "active", shown["quote"])
    weights = [(q["y"], 1 / q["p"]) for q in pairs if q["y"] is not None]
    total = sum(w for _, w in weights)
    mean = sum(y * w for y, w in weights) / total
    v = sum(w * (y - mean) ** 2 for y, w in weights) / total
    se2 = shown["active"]["se"] ** 2
    check("labels that people alone would need", near(shown["labels_alone"], v / se2, 1e-6),
          (shown["labels_alone"], v / se2))
    labelled = [(q["y"] - q["f"], q["p"] * 60 / n_given) for q in pairs
                if q["y"] is not None]
    r = sum(e / p for e, p in labelled) / sum(1 / p for _, p in labelled)
    drawn = sum((1 - p) * ((e - r) / p) ** 2 for e, p in labelled) / PAIRS ** 2
    a = drawn / (1 / 60 - 1 / PAIRS)
    room = (.09 / 1.959963984540054) ** 2 - (se2 - drawn)
    wished = math.ceil(a / (room + a / PAIRS)) if room > 0 else None
    check("labels for the width that is wished", near(shown["labels_wished"], wished),
          (shown["labels_wished"], wished))
    check("no curve over labels that follow doubt", shown["curve"] is None)
    refused = run("rulings", ledger, "--guarantee", "40%")
    check("no guarantee on them", refused.returncode == 2 and "no random part" in refused.stderr,
          refused.stderr)


def by_question(pairs, value, parts, df, per_question):
    """The parts of the pairs summed by question; degrees by questions with a label."""
    sums, labelled = defaultdict(float), set()
    for i, (q, part) in enumerate(zip(pairs, parts)):
        sums[i // per_question] += part
        if q["y"] is not None:
            labelled.add(i // per_question)
    g = len(sums)
    return with_t(value, g / (g - 1) * sum(s * s for s in sums.values()),
                  min(df, len(labelled) - 1))


def test_repeated_questions(folder):
    per, n_all = 4, PAIRS
    ledger, _ = make(folder, "often", "random", "80", 80, per_question=per)
    pairs, shown = read(ledger), estimates_of(ledger)
    check("questions are counted", shown["questions"] == PAIRS / per, shown["questions"])
    known = [q for q in pairs if q["y"] is not None]
    n, plain = len(known), tuned(pairs)
    lam, f = plain["lambda"], fmean(q["f"] for q in pairs)
    e = fmean(q["y"] - lam * q["f"] for q in known)
    found = by_question(pairs, plain["value"], [
        lam * (q["f"] - f) / n_all +
        (0 if q["y"] is None else (q["y"] - lam * q["f"] - e) / n) for q in pairs], n - 2, per)
    agree("random, by question", shown["random"], {**found, "lambda": lam})
    check("that is wider than by pairs", found["se"] > 1.2 * plain["se"], (found, plain))

    value, strata = stratified(pairs, True)["value"], strata_of(pairs, True)
    part = {}
    for stratum in strata:
        y = [q["y"] for q in stratum if q["y"] is not None]
        for q in stratum:
            part[id(q)] = (fmean(y) - value) / n_all + (
                0 if q["y"] is None else len(stratum) / n_all * (q["y"] - fmean(y)) / len(y))
    agree("strata, by question", shown["stratified"],
          by_question(pairs, value, [part[id(q)] for q in pairs], n - len(strata), per))

    ledger, n_given = make(folder, "often-active", "active", "80", 60, per_question=per)
    pairs, shown = read(ledger), estimates_of(ledger)
    known = [q for q in pairs if q["y"] is not None]
    scale = len(known) / n_given
    r = sum((q["y"] - q["f"]) / q["p"] for q in known) / sum(1 / q["p"] for q in known)
    z = [q["f"] + r + (0 if q["y"] is None else (q["y"] - q["f"] - r) / (q["p"] * scale))
         for q in pairs]
    agree("active, by question", shown["active"],
          by_question(pairs, fmean(z), [(x - fmean(z)) / n_all for x in z],
                      len(known) - 1, per))


def curve_of(pairs, percent):
    """People decide the head of the queue; random: expected of as many."""
    order = sorted(range(len(pairs)), key=lambda i: (
        pairs[i]["verdict"] is not None, -(math.inf if pairs[i]["bpde"] is None
                                           else pairs[i]["bpde"]),
        math.floor((pairs[i]["gap"] or 0) / 1e-9 + .5), i))
    n_people = (percent * len(pairs) + 99) // 100
    head = set(order[:n_people])
    known = [i for i, q in enumerate(pairs) if q["y"] is not None]
    right = [pairs[i]["verdict"] == pairs[i]["label"] for i in known]
    entropy = fmean(r or i in head for i, r in zip(known, right))
    random = fmean(right) + (1 - fmean(right)) * n_people / len(pairs)
    return n_people, entropy, random


def guarantee_of(pairs, target, level):
    """Coverages of 50 %, 55 %, ... of all pairs, until one fails."""
    def key(q):
        return (-q["bpde"], math.floor(q["gap"] / 1e-9 + .5))
    ranked = sorted((q for q in pairs if q["verdict"] is not None), key=key, reverse=True)
    found = None
    for percent in range(50, 101, 5):
        at = (len(pairs) * percent + 99) // 100
        if at > len(ranked):
            break
        above = [q for q in ranked if key(q) >= key(ranked[at - 1])]
        seen = [q["verdict"] == q["label"] for q in above if q["y"] is not None]
        if not seen or clopper_pearson_low(sum(seen), len(seen), level) < target:
            break
        found = (len(above), fmean(seen), clopper_pearson_low(sum(seen), len(seen), level))
    return found


def test_random(folder):
    ledger, _ = make(folder, "random", "random", "50%", 70)
    pairs, shown = read(ledger), estimates_of(ledger, "--label-price", ".5")
    agree("random", shown["random"], tuned(pairs))
    agree("strata after random", shown["stratified"], stratified(pairs, True))
    agree("people after random", shown["people"],
          wilson([q["y"] for q in pairs if q["y"] is not None]))
    agree("active after random", shown["active"], None)
    check("to be quoted", shown["quote"] == "random", shown["quote"])
    check("the curve is over the random part", shown["curve_labelled"] == 70, shown)
    for percent in (0, 7, 20, 55, 100):
        point = shown["curve"][percent]
        n_people, entropy, random = curve_of(pairs, percent)
        check(f"budget of {percent} %", point["people"] == n_people
              and near(point["entropy"], entropy) and near(point["random"], random)
              and near(point["labels_usd"], n_people * .5), (point, entropy, random))
    n_found = 0
    for alpha in (.85, .8, .75, .6, .4):
        g = next(iter(json.loads(must("show", ledger, "--guarantee", alpha, "--json"))
                      ["judges"].values()))
        found = guarantee_of(pairs, 1 - alpha, .95)
        check(f"agreement of {1 - alpha:.0%}", g["found"] == (found is not None) and (
            not found or (g["stand"], round(g["agreement"], 12), round(g["low"], 9)) ==
            (found[0], round(found[1], 12), round(found[2], 9))), (g, found))
        n_found += g["found"]
        rest = must("rulings", ledger, "--guarantee", alpha, "--rest").split()
        check("the others are listed", len(rest) == PAIRS - (found[0] if found else 0),
              len(rest))
    check("some are found and some are not", 0 < n_found < 5, n_found)


with scratch() as scratch_folder:
    test_active(scratch_folder)
    test_random(scratch_folder)
    test_repeated_questions(scratch_folder)
finish()
