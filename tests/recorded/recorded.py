#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recorded judgments of real judges against independently computed numbers.

    recorded.py EVENHAND SHARED SET

Imports SET's judgments with the command, reads `show --json` and `rulings`, and compares
them, for every judge, with
  - expected.json and expected_bpde.jsonl of the set (checks.py),
  - figures that others published about it (published.py),
  - a second computation in plain loops, for what expected.json does not hold (plain.py).
Judges with scores are imported a second time without them, since their votes have
expected rulings too; and the judgment file is shown without a ledger. Sets without
judgments are judged by length, for the numbers of their pairs and labels. Prints one TAP
line a subject; without the data it says "skipped".
"""
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import plain
import published
from checks import check_annotators, check_judge, faults, same

GROUPED = {"llmbar": "category", "vicuna_gpt4": "models"}


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"Bail out! {' '.join(map(str, command))}: exit {done.returncode}: "
                 f"{done.stderr}")
    return done.stdout


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


class Reporter:
    """TAP lines; what was noted since the last one decides whether it is ok."""

    def __init__(self):
        self.number = 0
        self.any_bad = False

    def done(self, name):
        self.number += 1
        print(f"{'not ok' if faults else 'ok'} {self.number} - {name}")
        for fault in faults[:20]:
            print(f"# {fault}")
        self.any_bad |= bool(faults)
        faults.clear()

    def end(self):
        print(f"1..{self.number}")
        return 1 if self.any_bad else 0


class Set:
    """One recorded set: its folder, its rows, and the program that is tested on it."""

    def __init__(self, evenhand, folder):
        self.evenhand, self.folder = evenhand, folder
        self.expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
        self.pairs = rows(folder / "pairs.jsonl")
        self.order = [p["id"] for p in self.pairs]
        self.judgments = plain.by_judge(rows(folder / "judgments.jsonl"))
        self.has_labels = (folder / "labels.jsonl").exists()
        self.labels = {}
        if self.has_labels:
            votes = {}
            for row in rows(folder / "labels.jsonl"):
                votes.setdefault(row["pair_id"], []).append(row["label"])
            for pair, given in votes.items():
                top = Counter(given).most_common(2)
                unique = len(top) == 1 or top[0][1] > top[1][1]
                self.labels[pair] = top[0][0] if unique else "tie"

    def files(self):
        found = ["--pairs", self.folder / "pairs.jsonl"]
        if self.has_labels:
            found += ["--labels", self.folder / "labels.jsonl"]
        return found

    def imported(self, judgments, ledger):
        run(self.evenhand, "import", "judgments", judgments, *self.files(), "-o", ledger,
            "--quiet")
        return ledger

    def show(self, ledger, *options):
        return json.loads(run(self.evenhand, "show", "--json", "--compat", *options,
                              ledger))


def check_bpde(data, ledger):
    """BPDE pair by pair, and how often each value occurs."""
    values = {}
    for row in map(json.loads, run(data.evenhand, "rulings", ledger).splitlines()):
        values[row["judge"], row["pair_id"]] = row["bpde"]
    path = data.folder / "expected_bpde.jsonl"
    if path.exists():
        for row in rows(path):
            got = values.get((row["judge"], row["pair_id"]))
            if got is None or abs(got - row["bpde"]) > 1e-11:
                faults.append(f"bpde {row['judge']} {row['pair_id']}: got {got!r}, "
                              f"expected {row['bpde']!r}")
    for judge, want in data.expected["judges"].items():
        if "histogram" not in want.get("bpde", {}):
            continue
        seen = Counter(f"{v:.6f}" for (name, _), v in values.items()
                       if name == judge and v is not None)
        for value, n in want["bpde"]["histogram"].items():
            same(f"{judge} bpde {value}", seen[value], n)


def check_groups(data, ledger, reporter):
    field = GROUPED[data.folder.name]
    shown = data.show(ledger, "--by", field)
    judges = shown["by"]["judges"]
    for name, want in data.expected["by_group"].items():
        group = name.replace("|", " vs ")
        for judge, numbers in want.items():
            scored = shown["judges"][judge]["scale"] == "scores"
            check_judge(f"{group} {judge}", judges[judge][group], numbers, scored)
        reporter.done(f"{field} {group}")
    return judges


def check_plain(data, judge, got):
    """What expected.json does not hold."""
    pairs, k = data.judgments[judge], got["k"]
    if got["conflict"] is None:
        return
    lengths = {p["id"]: (len(p["answer_1"]), len(p["answer_2"])) for p in data.pairs}
    bins = plain.length_bins(pairs, lengths, k)
    for row in got["length"]["conflict"]["bins"]:
        want = bins.pop(row["from_cp"], [0, 0])
        same(f"{judge} length {row['from_cp']}", [row["pairs"], row["conflicts"]] == want,
             True)
    same(f"{judge} length bins", len(bins), 0)
    if got["scale"] == "scores":
        mean, bins = plain.score_gaps(pairs, k)
        same(f"{judge} score gap", got["score_gap"]["mean"], mean)
        seen = {r["gap"]: [r["pairs"], r["conflicts"]] for r in got["score_gap"]["bins"]}
        same(f"{judge} gap bins", seen == bins, True)
    else:
        same(f"{judge} gap", got["why"]["score_gap"], "no_scores")
    if not data.has_labels:
        return
    table, phi, p = plain.human_ties(pairs, data.labels, k)
    ties = got["human_ties"]
    same(f"{judge} human ties", [ties["conflict_tie"], ties["conflict_other"],
                                 ties["agree_tie"], ties["agree_other"]] == table, True)
    same(f"{judge} phi", ties["phi"], phi)
    same(f"{judge} Fisher", ties["p"], p)
    n, brier = plain.reliability(pairs, data.labels, k)
    same(f"{judge} reliability n", got["labels"]["reliability"]["n"], n)
    same(f"{judge} Brier", got["labels"]["reliability"]["brier"], brier)


def check_methods(data, ledger):
    """hitlc by our rule once more, and by the expected one where the two coincide."""
    n_rows = 0
    for block in data.show(ledger, "--methods", "--budgets", "10%,20%,30%")["methods"]:
        judge = block["judge"]
        if not data.has_labels or len(data.expected["judges"][judge]["counts"]) < 2:
            continue
        want = data.expected["judges"][judge]
        for row in block["rows"]:
            if row["method"] != "hitlc":
                continue
            n_rows += 1
            percent = int(row["budget"][:-1])
            accuracy, kappa, head, rest = plain.hitlc(
                data.judgments[judge], data.order, data.labels, block["k"], percent)
            place = f"{judge} hitlc {percent} %"
            same(f"{place} head", row["people_pairs"], head)
            same(f"{place} accuracy", row["labels"]["accuracy"], accuracy)
            same(f"{place} kappa", row["labels"]["kappa"], kappa)
            same(f"{place} rest", row["rest"]["accuracy"], rest)
            theirs = want["hitl"][f"0.{percent // 10}"]
            plain_judge = (want["position"]["tie"] == 0 and "score" not in want["aggregate"]
                           and all(c["null"] == 0 for c in want["counts"].values()))
            if plain_judge and theirs["replaced"] == head:
                same(f"{place} expected", row["labels"]["accuracy"],
                     theirs["vs_labels"]["accuracy"])
    both = [w for w in data.expected["judges"].values() if len(w["counts"]) == 2]
    same("hitlc rows", n_rows, 3 * len(both))


def check_seeds(data, ledger):
    """Agreement of gpt-4/score with gpt-4/threeclass: 25 of 46; phi .043, p .774."""
    got = data.show(ledger, "--reference", "gpt-4/threeclass")
    row = got["reference"]["judges"]["gpt-4/score"]
    same("reference same", row["same"], 25)
    same("reference pairs", row["n"], 46)
    reference = data.judgments["gpt-4/threeclass"]
    for judge, row in got["reference"]["judges"].items():
        agreed, n, consistent = plain.reference_agreement(
            reference, data.judgments[judge], 1)
        same(f"{judge} reference same", row["same"], agreed)
        same(f"{judge} reference n", row["n"], n)
        same("reference consistent", got["reference"]["consistent"], consistent)
    ties = got["judges"]["gpt-4/score"]["human_ties"]
    same("phi", round(ties["phi"], 3), 0.043)
    same("p", round(ties["p"], 3), 0.774)


def check_published(data, summary, ledger, groups, reporter):
    judges, name = summary["judges"], data.folder.name
    if name == "llmbar":
        sets = ("natural", "neighbor", "gptinst", "gptout", "manual", "mtbench", "llmeval2")
        n = sum(published.llmbar(groups, data.folder, lambda g, j, s=s: g[j][s], s)
                for s in sets)
        same("published files", n, 121)
    elif name == "faireval":
        check_seeds(data, ledger)
        llmbar = data.folder.parent / "llmbar"
        n = published.llmbar(judges, llmbar, lambda g, j: g[j], "FairEval")
        same("published files", n, 8)
    elif name == "judgebench":
        published.judgebench(judges)
    elif name == "pandalm":
        published.pandalm(judges, summary["annotators"])
    elif name == "mtbench_repeat":
        same("published logs", published.mtbench_repeat(judges, data.folder), 27)
    elif name == "vicuna_gpt4":
        published.vicuna_gpt4(groups["gpt-4/score"])
    else:
        return
    reporter.done("published figures")


def check_file(data, summary, scratch):
    """The judgment file itself, with and without the data set."""
    path = data.folder / "judgments.jsonl"
    whole = json.loads(run(data.evenhand, "show", "--json", "--compat", path,
                           *data.files()))
    same("shown from the file", whole == summary, True)
    bare = json.loads(run(data.evenhand, "show", "--json", "--compat", path))["judges"]
    for judge, want in data.expected["judges"].items():
        numbers = {key: value for key, value in want.items()
                   if not key.startswith(("vs_labels", "accuracy"))}
        numbers["aggregate"] = {
            name: {key: value for key, value in rule.items() if key != "vs_labels"}
            for name, rule in want["aggregate"].items()}
        check_judge(f"bare {judge}", bare[judge], numbers,
                    bare[judge]["scale"] == "scores", False)
    ledger = scratch / "bare.db"
    run(data.evenhand, "import", "judgments", path, "-o", ledger, "--quiet")
    for options in ([], ["-m", "bpc"]):
        shown = run(data.evenhand, "show", path, "--json", *options)
        same(f"bare file and its ledger {options}",
             shown == run(data.evenhand, "show", ledger, "--json", *options), True)


def check_votes(data, scratch, reporter):
    """Judges with scores once more by their votes."""
    with open(scratch / "votes.jsonl", "w", encoding="utf-8") as out:
        for row in rows(data.folder / "judgments.jsonl"):
            row.pop("score_1", None)
            row.pop("score_2", None)
            out.write(json.dumps(row, ensure_ascii=False) + "\n")
    votes = data.show(data.imported(scratch / "votes.jsonl", scratch / "b.db"))["judges"]
    for judge, want in data.expected["judges"].items():
        check_judge(judge, votes[judge], want, False)
        reporter.done(f"{judge} on votes")


def judged_by_length(evenhand, pairs, ledger, *more):
    """Sets without judgments: the longer answer wins, so that there is something to
    group and to count."""
    run(evenhand, "run", pairs, "-j", "longest", "-m", "bpc", "-o", ledger, "-q", *more)
    return lambda *options: json.loads(run(evenhand, "show", "--json", *options, ledger))


def evalbiasbench(evenhand, folder, scratch, reporter):
    """Categories and labels."""
    want = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    show = judged_by_length(evenhand, folder / "pairs.jsonl", scratch / "e.db",
                            "--labels", folder / "labels.jsonl")
    got = show("--by", "category")
    same("pairs", got["pairs"], want["pairs"])
    groups = got["by"]["judges"]["longest"]
    same("categories", len(groups), len(want["categories"]))
    for name, n in want["categories"].items():
        same(f"pairs of {name}", groups[name]["pairs"], n)
    check_annotators(got["annotators"], want["labels"])
    reporter.done("categories and labels")


def judgebias(evenhand, folder, scratch, reporter):
    """Levels, and a field that the data carries: which answer was perturbed."""
    want = json.loads((folder / "expected.json").read_text(encoding="utf-8"))["groups"]
    for name, numbers in want.items():
        show = judged_by_length(evenhand, folder / f"pairs_{name}.jsonl",
                                scratch / f"{name}.db")
        got = show("--by", "category")
        same(f"{name} pairs", got["pairs"], numbers["pairs"])
        levels = got["by"]["judges"]["longest"]
        for level, n in numbers["levels"].items():
            same(f"{name} {level}", levels[level]["pairs"], n)
        if "perturbed_longer_codepoints" in numbers:
            sides = show("--by", "perturbed")["by"]["judges"]["longest"]
            for side, n in numbers["perturbed"].items():
                same(f"{name} perturbed {side}", sides[side]["pairs"], n)
            same(f"{name} perturbed is longer",
                 sum(sides[side]["rulings"][side] for side in sides),
                 numbers["perturbed_longer_codepoints"])
        reporter.done(f"group {name}")


WITHOUT_JUDGMENTS = {"evalbiasbench": evalbiasbench, "judgebias": judgebias}


def main():
    evenhand, shared, name = sys.argv[1:4]
    folder = Path(shared) / "data" / name
    if not folder.is_dir():
        print(f"1..0 # skipped: no recorded data for {name}")
        return 0
    if name in WITHOUT_JUDGMENTS:
        reporter = Reporter()
        with tempfile.TemporaryDirectory() as scratch:
            WITHOUT_JUDGMENTS[name](evenhand, folder, Path(scratch), reporter)
        return reporter.end()
    data, reporter = Set(evenhand, folder), Reporter()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        ledger = data.imported(folder / "judgments.jsonl", scratch / "a.db")
        summary = data.show(ledger)
        for judge, want in data.expected["judges"].items():
            got = summary["judges"][judge]
            check_judge(judge, got, want, got["scale"] == "scores")
            check_plain(data, judge, got)
            reporter.done(judge)
        check_bpde(data, ledger)
        reporter.done("BPDE pair by pair")
        groups = check_groups(data, ledger, reporter) if name in GROUPED else None
        if data.has_labels:
            check_annotators(summary["annotators"], data.expected["labels"])
            check_methods(data, ledger)
            reporter.done("people, and people with judges")
        check_published(data, summary, ledger, groups, reporter)
        check_file(data, summary, scratch)
        reporter.done("shown from the file")
        if any(j["scale"] == "scores" for j in summary["judges"].values()):
            check_votes(data, scratch, reporter)
    return reporter.end()


if __name__ == "__main__":
    sys.exit(main())
