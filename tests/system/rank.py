#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rankings: planted strengths, position and length effects are found again within their
intervals, half-weighted ties shrink what they measure, and what cannot be known is said."""
import json
import math
import random
import time
from pathlib import Path

from many import all_pairs, answers
from tap import check, finish, must, run, scratch, write_rows

STRENGTHS = {"a": .9, "b": .3, "c": 0, "d": -.4, "e": -.8}
ORDER, LENGTH = .7, .35
SEEDS = range(20)


def gumbel(draw):
    return -math.log(-math.log(draw.random()))


def planted(path, seed, n_questions=60, strengths=None):
    """Pairs whose quality differs by the strengths and logistic noise (the difference of
    two Gumbel draws), so that a judge without noise of its own follows the model exactly."""
    draw = random.Random(seed)
    names = sorted(strengths or STRENGTHS)
    rows = []
    for q in range(n_questions):
        lengths = {name: draw.randrange(20, 400) for name in names}
        for i, one in enumerate(names):
            for two in names[i + 1:]:
                rows.append({
                    "id": f"q{q}:{one}:{two}", "question": f"Question {q} of {seed}?",
                    "answer_1": f"{one}: " + "x" * lengths[one],
                    "answer_2": f"{two}: " + "x" * lengths[two],
                    "model_1": one, "model_2": two,
                    "quality_1": round((strengths or STRENGTHS)[one] + gumbel(draw), 6),
                    "quality_2": round((strengths or STRENGTHS)[two] + gumbel(draw), 6)})
    write_rows(path, rows)
    return rows


def judged(folder, name, data, judge, *more):
    ledger = Path(folder) / f"{name}.db"
    must("run", data, "-j", judge, "-t", "compare", "-m", "bpc", "-o", ledger, "--quiet",
         *more)
    return ledger


def ranked(*args):
    return json.loads(must("rank", "--json", *args))


def holds(interval, truth):
    return interval["low"] <= truth <= interval["high"]


def check_recovery(folder):
    inside, errors, shown = [], [], []
    for seed in SEEDS:
        data = Path(folder) / f"planted-{seed}.jsonl"
        planted(data, seed)
        ledger = judged(folder, f"planted-{seed}", data,
                        f"sim:first={ORDER},length={LENGTH},tie=0,step=0")
        got = ranked(ledger, "--length")
        for name, truth in STRENGTHS.items():
            strength = got["models"][name]["strength"]
            inside.append(holds(strength, truth))
            errors.append(strength["value"] - truth)
        inside += [holds(got["order"], ORDER), holds(got["terms"]["length"], LENGTH)]
        shown += [got["order"]["low"] > 0, got["terms"]["length"]["low"] > 0]
        if seed == 0:
            check("the models stand in their order",
                  list(got["models"]) == sorted(STRENGTHS), list(got["models"]))
            check("a position effect of .7 is a share of 66.8 %",
                  holds(got["first_slot_share"], 1 / (1 + math.exp(-ORDER))), got["order"])
    check("planted strengths, order and length lie within 95 % intervals in 90 to 99 % of "
          f"{len(inside)} cases", .9 <= sum(inside) / len(inside) <= .99,
          sum(inside) / len(inside))
    check("strengths are right on average", abs(sum(errors) / len(errors)) < 1e-9 and
          all(abs(sum(errors[i::5]) / len(SEEDS)) < .08 for i in range(5)),
          [sum(errors[i::5]) / len(SEEDS) for i in range(5)])
    check("both effects are shown in nearly every run", sum(shown) > .95 * len(shown),
          sum(shown))


def check_biases(folder):
    """What is not in the model goes into the strengths; what is stays out of them."""
    data = Path(folder) / "biased.jsonl"
    rows = planted(data, 77, 120)
    for row in rows:  # a is long-winded
        row["answer_1"] += "x" * 900 * (row["model_1"] == "a")
        row["answer_2"] += "x" * 900 * (row["model_2"] == "a")
    write_rows(data, rows)
    ledger = judged(folder, "biased", data, f"sim:length={LENGTH},tie=0,step=0")
    plain, aware = ranked(ledger), ranked(ledger, "--length")
    truth = STRENGTHS["a"]
    check("length makes a model look better", plain["models"]["a"]["strength"]["low"] > truth,
          plain["models"]["a"]["strength"])
    check("and does not where it is in the model",
          holds(aware["models"]["a"]["strength"], truth), aware["models"]["a"]["strength"])
    pair = next(p for p in aware["length_controlled"] if p["against"] == "b")
    check("pairs with one side always longer are marked", pair["extrapolated"] and
          pair["one_sided"] == 1 and "extrapolated" in must("rank", ledger, "--length"), pair)
    styled = Path(folder) / "styled.jsonl"
    for i, row in enumerate(rows):
        side = "answer_1" if i % 2 else "answer_2"
        row["answer_1"], row["answer_2"] = row["answer_1"][:60], row["answer_2"][:60]
        if i % 3:
            row[side] = "# Heading\n\n" + row[side] + "\n\n- **one**\n- two"
    write_rows(styled, rows)
    got = ranked(judged(folder, "styled", styled, "sim:style=1,tie=0,step=0"), "--style")
    total = sum(got["terms"][k]["value"] for k in ("headings", "list_items", "bold"))
    check("a taste for Markdown is found", abs(total - 1) < .35, got["terms"])
    plain_text = ranked(ledger, "--style")
    check("a term in which no answers differ is left out",
          plain_text["terms"]["bold"]["value"] is None and
          plain_text["terms"]["bold"]["why"] == "no_variance", plain_text["terms"])


def drawn(folder, log_tie, n_questions=400, seed=3):
    """Recorded verdicts, drawn from the model with ties itself."""
    draw = random.Random(seed)
    names = sorted(STRENGTHS)
    pairs, judgments = [], []
    for q in range(n_questions):
        one, two = draw.sample(names, 2)
        pairs.append({"id": f"{q}", "question": f"Q{q}?", "answer_1": f"{one} {q}",
                      "answer_2": f"{two} {q}", "model_1": one, "model_2": two})
        for order in ("12", "21"):
            first = STRENGTHS[one] - STRENGTHS[two] if order == "12" else \
                STRENGTHS[two] - STRENGTHS[one]
            odds = [math.exp((first + ORDER) / 2), math.exp(log_tie),
                    math.exp(-(first + ORDER) / 2)]
            shown = draw.choices(("first", "tie", "second"), odds)[0]
            verdict = "tie" if shown == "tie" else \
                "1" if (shown == "first") == (order == "12") else "2"
            judgments.append({"pair_id": f"{q}", "judge": "x", "order": order, "sample": 0,
                              "verdict": verdict})
    data, path = Path(folder) / "drawn.jsonl", Path(folder) / "drawn-judgments.jsonl"
    write_rows(data, pairs)
    write_rows(path, judgments)
    ledger = Path(folder) / "drawn.db"
    must("import", "judgments", path, "--pairs", data, "-o", ledger)
    return ledger


def check_half_ties(folder):
    log_tie = .8
    ledger = drawn(folder, log_tie)
    full, half = ranked(ledger), ranked(ledger, "--half-ties")
    check("strengths and order behind verdicts with ties are found again", all(
        holds(full["models"][m]["strength"], s) for m, s in STRENGTHS.items()) and
        holds(full["order"], ORDER), full)
    tie = math.exp(log_tie) / (math.exp(log_tie) + 2)
    check("and so are the ties", abs(full["tie_share"] - tie) < .05,
          (full["tie_share"], tie))
    check("half-weighted ties shrink every strength", all(
        abs(half["models"][m]["strength"]["value"]) <
        .7 * abs(full["models"][m]["strength"]["value"]) for m in ("a", "d", "e")),
        half["models"])
    check("so that the planted ones lie outside of their intervals", not any(
        holds(half["models"][m]["strength"], STRENGTHS[m]) for m in ("a", "e")) and
        not holds(half["order"], ORDER), half["models"])
    check("which is labelled", half["tie_model"] == "half" and half["tie_share"] is None and
          "half wins" in must("rank", ledger, "--half-ties"))


def small(path, rows):
    write_rows(path, [{"id": f"{q}", "question": f"Q{q}?", "answer_1": f"{one} {q}",
                       "answer_2": f"{two} {q}", "model_1": one, "model_2": two,
                       "quality_1": x, "quality_2": y}
                      for q, (one, two, x, y) in enumerate(rows)])


def check_extremes(folder):
    data = Path(folder) / "undefeated.jsonl"
    small(data, [("top", "mid", 9, 5), ("top", "low", 9, 3), ("mid", "low", 5, 4),
                 ("mid", "low", 4, 5)] * 10)
    ledger = judged(folder, "undefeated", data, "sim:step=0,tie=0")
    got = ranked(ledger)
    top = got["models"]["top"]
    check("a model that nobody beat is named and finite", top["undefeated"] and
          1 < top["strength"]["value"] < 30 and got["penalised_groups"] == 1 and
          "Never beaten: top" in must("rank", ledger), top)
    check("few questions are named", top["thin"] and "fewer than 50" in
          must("rank", ledger))
    small(data, [("a", "b", 5, 4), ("a", "b", 4, 5), ("c", "d", 5, 4), ("c", "d", 4, 5),
                 ("e", "e", 4, 5), ("f", "", 4, 5)] * 10)
    ledger = judged(folder, "apart", data, "sim:step=0,tie=0")
    got = ranked(ledger)
    check("groups that never met are apart", got["groups"] == 2 and
          {m["group"] for m in got["models"].values()} == {0, 1} and
          "never compared" in must("rank", ledger), got["groups"])
    check("pairs without two models are counted", got["left_out"] == {
        "no_models": 10, "same_model": 10, "no_verdict": 0}, got["left_out"])
    lone = Path(folder) / "lone.jsonl"
    small(lone, [("a", "b", 5, 4)])
    got = ranked(judged(folder, "lone", lone, "sim"))
    check("one question gives a place and no interval", got["why"] == "too_few_questions" and
          got["models"]["a"]["strength"]["low"] is None, got["models"])
    small(lone, [("", "", 5, 4)])
    done = run("rank", judged(folder, "nameless", lone, "sim"))
    check("no models at all is an error",
          done.returncode == 2 and "model_1" in done.stderr, done.stderr)
    mute = Path(folder) / "mute.db"
    must("run", data, "-j", "sim:refuse=1", "-o", mute, "--quiet", "--max-failed", "100%")
    done = run("rank", mute)
    check("nor are models without a verdict ranked",
          done.returncode == 2 and "has a verdict" in done.stderr, done.stderr)


def check_sources(folder):
    made = answers({"a": 6, "b": 5, "c": 5.4, "d": 4}, 40, 5)
    data = [Path(folder) / f"part-{i}.jsonl" for i in range(3)]
    pairs = all_pairs(made)
    for path, part in zip(data, (pairs, pairs[:150], pairs[100:])):
        write_rows(path, part)
    whole, left, right = (judged(folder, p.stem, p, "sim:first=1,noise=1.5") for p in data)
    check("several ledgers count as one, what they share once",
          ranked(left, right) == ranked(whole) == ranked(whole, left, right))
    check("with style, too", ranked(left, right, "--style") == ranked(whole, "--style"))
    must("run", data[0], "-j", "sim", "-m", "standalone", "-o", whole, "--quiet")
    done = run("rank", whole)
    check("of several judges one is to be named", done.returncode == 2 and
          "-j NAME" in done.stderr, done.stderr)
    alone = ranked(whole, "-j", "sim")
    check("standalone is ranked by its rulings, without a slot",
          alone["order"]["value"] is None and alone["verdicts"] == len(pairs), alone["order"])
    vanilla = Path(folder) / "vanilla.db"
    must("run", data[0], "-j", "sim:first=2", "-m", "vanilla", "-o", vanilla, "--quiet")
    check("one order alone has no position effect to estimate",
          ranked(vanilla)["order"]["value"] is None and
          "one order only" in must("rank", vanilla))


def check_large(folder):
    """20 models, 38,000 verdicts."""
    data = Path(folder) / "large.jsonl"
    strengths = {f"model-{i:02}": (i - 9.5) / 10 for i in range(20)}
    rows = planted(data, 5, 100, strengths)
    ledger = judged(folder, "large", data, "sim:first=.5,tie=0,step=0")
    start = time.monotonic()
    got = ranked(ledger)
    check("twenty models are ranked within 5 s", time.monotonic() - start < 5,
          time.monotonic() - start)
    check("and nearly in their order", got["verdicts"] == 2 * len(rows) and
          list(got["models"])[0] in ("model-19", "model-18"), list(got["models"])[:3])


def main():
    with scratch() as folder:
        check_recovery(folder)
        check_biases(folder)
        check_half_ties(folder)
        check_extremes(folder)
        check_sources(folder)
        check_large(folder)
    finish()


main()
