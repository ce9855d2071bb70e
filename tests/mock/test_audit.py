#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Audits asked of an endpoint and of simulated judges.

    test_audit.py EVENHAND MOCK SHARED [NAME...]

The tests whose name begins with "recorded" need SHARED/data/judgebias and say "skipped"
without it. The mock server's votes are hashes of the prompt and the sample: to the audit
it is a judge that tosses coins.
"""
import json
import random
import subprocess
import sys
from pathlib import Path

import test_http
from test_http import Bench, Mock, expect, expect_exit, main, test

test_http.TESTS.clear()
EVENHAND = sys.argv[1]
DATA = Path(sys.argv.pop(3), "data/judgebias")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GROUPS = {"factual_error": "factual_error", "gender": "gender", "reference": "references",
          "rich_content": "rich_content"}  # group of the data: probe
CLEAN = "sim:error=4,noise=.3"


class Audit(Bench):
    """Audits into one ledger."""

    def words(self, data, *options, judge="openai:m", url=None):
        command = [EVENHAND, "audit", str(data), "-j", judge, "-o", str(self.db), "--json",
                   *options]
        return command + (["--base-url", url] if url else [])

    def audit(self, data, *options, **how):
        return subprocess.run(self.words(data, *options, **how), capture_output=True,
                              text=True, timeout=300, env=self.environment())

    def start(self, data, *options, **how):
        return subprocess.Popen(self.words(data, *options, **how), stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=self.environment())

    def card(self, data, *options, **how):
        done = self.audit(data, *options, **how)
        expect_exit(done, 0)
        judges = json.loads(done.stdout)["judges"]
        expect(len(judges) == 1, list(judges))
        return next(iter(judges.values()))


def n_reused(done):
    """"..., 12 reused, ..." of the line on standard error."""
    words = next(line for line in done.stderr.splitlines() if " reused" in line).split()
    return int(words[words.index("reused,") - 1])


@test
def resume_and_one_more_probe():
    data = EXAMPLES / "pairs.jsonl"
    with Mock() as mock, Audit(1) as bench:
        stopped = bench.audit(data, "--probes", "majority", "--limit", "100", url=mock.url)
        expect_exit(stopped, 5)
        expect(mock.counts()["samples"] == 100, mock.counts())
        first = bench.card(data, "--probes", "majority", url=mock.url)
        expect(mock.counts()["samples"] == 48 * 18, "plain twice and one probe",
               mock.counts())
        expect(first["calls"] == 48 * 18 and first["calls_open"] == 0, first["calls"])
        more = bench.card(data, "--probes", "injection,majority", url=mock.url)
        expect(mock.counts()["samples"] == 48 * 24, mock.counts())
        expect(more["probes"]["majority"]["table"] == first["probes"]["majority"]["table"],
               "the older probe moved")
        again = bench.audit(data, "--probes", "injection,majority", url=mock.url)
        expect_exit(again, 0)
        counts = mock.counts()
        expect(counts["samples"] == 48 * 24 and counts["repeated"] == 0, counts)
        renewed = bench.audit(data, "--probes", "injection,majority", "--refresh",
                              url=mock.url)
        expect_exit(renewed, 0)
        expect(mock.counts()["samples"] == 2 * 48 * 24, mock.counts())


@test
def seeds_of_the_placebo():
    """An endpoint that honours seeds gives other samples for the placebo, not the
    control's once more; whole and killed audits then have the same card."""
    data, seeded = EXAMPLES / "pairs.jsonl", ("--probes", "majority", "--request-seed", "5",
                                              "--judge-id", "coins")
    with Mock() as mock, Audit(1) as bench:
        whole = bench.card(data, *seeded, url=mock.url)
        counts = mock.counts()
        expect(counts["samples"] == 48 * 18 and counts["repeated"] == 0, counts)
        placebo = whole["probes"]["majority"]["susceptibility"]
        expect(placebo["placebo"]["value"] > 0, placebo)
    with Mock("--delay", "4") as mock, Audit(1) as bench:
        n_killed, wait = 0, random.Random(7)
        while True:
            process = bench.start(data, *seeded, url=mock.url)
            try:
                out, err = process.communicate(timeout=wait.uniform(.1, .25))
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                n_killed += 1
        expect(process.returncode == 0, err)
        expect(n_killed >= 1, "it was never killed")
        card = next(iter(json.loads(out)["judges"].values()))
        expect(card == whole, "the card of an audit that was killed differs")
        # twice 16 calls are open at once, of three samples each
        expect(mock.counts()["repeated"] <= n_killed * 32 * 3, n_killed, mock.counts())


@test
def a_budget_stops_it():
    with Mock() as mock, Audit(1) as bench:
        prices = bench.folder / "prices.yaml"
        prices.write_text("prices:\n  - {model: m, input: 10, output: 30}\n")
        limits = ("--probes", "majority", "--prices", str(prices), "--max-tokens", "64")
        done = bench.audit(EXAMPLES / "pairs.jsonl", *limits, "--max-cost", "0.5",
                           url=mock.url)
        expect_exit(done, 5)
        n = mock.counts()["samples"]
        expect(0 < n < 48 * 18, n)
        done = bench.audit(EXAMPLES / "pairs.jsonl", *limits, "--max-cost", "50",
                           url=mock.url)
        expect_exit(done, 0)
        expect(mock.counts()["samples"] == 48 * 18, mock.counts())


def recorded_probes():
    return ",".join(f"{probe}={DATA}/pairs_{group}.jsonl"
                    for group, probe in GROUPS.items())


def recorded_card(judge, *options, url=None):
    with Audit(1) as bench:
        return bench.card(DATA / "pairs_control.jsonl", "--probes", recorded_probes(),
                          *options, judge=judge, url=url)


def holds(rate, value):
    return rate["low"] <= value <= rate["high"]


@test
def recorded_counts():
    if not DATA.exists():
        return "skipped: judgebias is not here"
    expected = json.loads((DATA / "expected.json").read_text())["groups"]
    card = recorded_card(CLEAN)
    expect(card["pairs"] == expected["control"]["pairs"] == 142, card["pairs"])
    for group, probe in GROUPS.items():
        found, levels = card["probes"][probe], expected[group]["levels"]
        expect(found["pairs"] == expected[group]["pairs"], probe, found["pairs"])
        by_level = {k: v["pairs"] for k, v in found["by_category"].items()}
        expect(by_level == levels, probe, by_level, levels)
        table = sum(n for row in found["table"].values() for n in row.values())
        expect(table + found["unread"] == 142, probe, found["table"])
    return None


@test
def recorded_coins():
    if not DATA.exists():
        return "skipped: judgebias is not here"
    for seed in range(3):
        card = recorded_card(f"sim:spread=0,noise=1,tie=.609,seed={seed}")
        for name, probe in card["probes"].items():
            coin = .597 if probe["form"] == "oversight" else .403
            expect(abs(probe["coin_flip"] - coin) < .01, name, probe["coin_flip"])
            expect(holds(probe["asr"], coin), seed, name, probe["asr"])
    return None


@test
def recorded_faults():
    if not DATA.exists():
        return "skipped: judgebias is not here"
    for judge, fault in (("sim:first=9,spread=0", "order_bias"),
                         ("sim:first=-9,spread=0", "order_bias"),
                         ("sim:tie=9", "always_tie")):
        card = recorded_card(judge)
        expect(card["fault"] == fault, judge, card["fault"])
        states = {p["state"] for p in card["probes"].values()}
        expect(states == {"cannot_be_read"}, judge, states)
    return None


@test
def recorded_oversight():
    if not DATA.exists():
        return "skipped: judgebias is not here"
    for judge, flagged in (("sim:noise=.3", True), ("sim:error=6,noise=.3", False),
                           ("sim:error=6,noise=1", False)):
        card = recorded_card(judge)
        for name in ("factual_error", "gender"):
            probe = card["probes"][name]
            expect(probe["flagged"] == flagged, judge, name, probe["detection"])
            expect(probe["state"] == ("fooled" if flagged else "held_up"), judge, name,
                   probe["state"], probe["asr"])
    return None


@test
def recorded_endpoint():
    if not DATA.exists():
        return "skipped: judgebias is not here"
    control = DATA / "pairs_control.jsonl"
    with Mock("--no-usage") as mock, Audit(1) as bench:
        one = f"references={DATA}/pairs_reference.jsonl"
        two = f"{one},factual_error={DATA}/pairs_factual_error.jsonl"
        done = bench.audit(control, "--probes", one, url=mock.url)
        expect_exit(done, 0)
        card = next(iter(json.loads(done.stdout)["judges"].values()))
        # plain pairs twice, the probe, and padding where it lengthens; equal prompts
        # are asked once
        n_padded = card["probes"]["references"]["same_length"]["n"]
        expect(n_padded > 0, "no padding of the same length")
        asked = mock.counts()["samples"]
        expect(asked == card["calls"], asked, card["calls"])
        more = bench.audit(control, "--probes", two, url=mock.url)
        expect_exit(more, 0)
        expect(mock.counts()["samples"] == asked + 142 * 6 - n_reused(more),
               mock.counts(), asked)
        expect(mock.counts()["repeated"] == 0, mock.counts())
        probes = next(iter(json.loads(more.stdout)["judges"].values()))["probes"]
        for name, coin in (("references", .403), ("factual_error", .597)):
            expect(holds(probes[name]["asr"], coin), name, probes[name]["asr"])
    return None


if __name__ == "__main__":
    sys.exit(main())
