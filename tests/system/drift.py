#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Drift: a judge that has not changed raises no alarm, one that has does, whatever it is
that changed; passes are whole, resume, and leave the run alone."""
import json
import random
import re
import sqlite3
from collections import Counter
from pathlib import Path

from endpoint import Endpoint, completion
from tap import check, finish, must, run, scratch, write_rows

N_PAIRS = 120


class Judge:
    """An endpoint whose taste can be changed: it reads what answers are worth."""

    def __init__(self):
        self.first, self.alpha, self.level, self.noise = 0, 0, 0, .6
        self.refuse, self.model, self.stop_after = 0, "judge-1", None
        self.bodies, self.asked = [], Counter()
        self.url = Endpoint(self.answer).url

    def reply(self, prompt):
        self.asked[prompt] += 1  # noise by prompt and turn: the order of arrival is chance
        draw = random.Random(f"1 {prompt} {self.asked[prompt]}")
        found = re.findall(r"(alpha|beta) is worth ([0-9.]+)", prompt)
        scores = []
        for slot, (who, worth) in enumerate(found[:2]):
            value = float(worth) + self.level + self.first * (slot == 0) + \
                self.alpha * (who == "alpha") + draw.gauss(0, self.noise)
            scores.append(min(10, max(1, round(2 * value) / 2)))
        if draw.random() < self.refuse:
            return "I'm sorry, but I can't help with evaluating these answers."
        return f"I looked.\nScore of the Assistant 1: {scores[0]}\n" \
               f"Score of the Assistant 2: {scores[1]}"

    def answer(self, body):
        self.bodies.append(body)
        if self.stop_after is not None and len(self.bodies) > self.stop_after:
            return 401, {"error": {"message": "the key has expired"}}
        prompt = body["messages"][-1]["content"]
        texts = [self.reply(prompt) for _ in range(body.get("n", 1))]
        return 200, completion(self.model, texts, usage={
            "prompt_tokens": len(prompt) // 4, "completion_tokens": 20})


def make_pairs(path):
    draw = random.Random(8)
    write_rows(path, [{"id": f"p{i}", "question": f"What is {i}?",
                       "answer_1": f"alpha is worth {draw.uniform(3, 8):.2f}",
                       "answer_2": f"beta is worth {draw.uniform(3, 8):.2f}"}
                      for i in range(N_PAIRS)])


ENV = {"OPENAI_API_KEY": "none"}


def judged(folder, data, judge, name, *more):
    ledger = Path(folder) / f"{name}.db"
    must("run", data, "-j", "openai:judge", "--base-url", judge.url, "-o", ledger, "--quiet",
         *more, env=ENV)
    return ledger


def drift(ledger, *more):
    done = run("drift", ledger, "--json", "-q", *more, env=ENV)
    return done, json.loads(done.stdout) if done.stdout else None


def check_changes(folder, data, judge):
    base = judged(folder, data, judge, "base")
    before = must("show", base, "--json")
    done, got = drift(base)
    check("the same judge: nothing is shown", done.returncode == 0 and
          got["finding"] == "not_shown" and got["pairs"] == N_PAIRS and
          got["now"]["replies"] == 6 * N_PAIRS, got)
    check("the noise between two replies is as between the two times",
          got["disagreement"]["before"] > .1 and
          abs(got["disagreement"]["difference"]) < .04, got["disagreement"])
    for name, settings, kinds in (
            ("a liking for alpha", {"alpha": .8}, {"win_rate_soft"}),
            ("a liking for the first slot", {"first": 1.5}, {"disagreement"}),
            ("milder scores", {"level": .5}, {"score_level"}),
            ("refusals", {"refuse": .3}, {"disagreement"}),
            ("more noise", {"noise": 3}, {"disagreement"})):
        saved = {key: getattr(judge, key) for key in settings}
        for key, value in settings.items():
            setattr(judge, key, value)
        judge.model = "judge-2"
        done, got = drift(base)
        shown = {k for k in ("win_rate_soft", "disagreement", "score_level")
                 if got[k]["drift"]}
        if name != "more noise":
            check(f"{name}: drift, and in what", done.returncode == 4 and
                  got["finding"] == "drift" and kinds <= shown and
                  got["sentence"].startswith("The judge has drifted: "), got)
        else:
            check("more noise: a noisier judge differs from a quieter one",
                  got["disagreement"]["now"] > got["disagreement"]["before"] - .05, got)
        for key, value in saved.items():
            setattr(judge, key, value)
    text = run("drift", base, env=ENV).stdout
    check("a judge that calls itself something else is pointed out",
          "calls itself judge-2; before: judge-1" in text, text)
    judge.model = "judge-1"
    done, got = drift(base)
    check("when it is itself again, nothing is shown", done.returncode == 0, got)
    check("the run's own numbers were never touched", must("show", base, "--json") == before)
    with sqlite3.connect(base) as db:
        kept = db.execute("SELECT count(*) FROM call WHERE stream = 2").fetchone()[0]
    check("older passes are kept as history", kept == 8 * 6 * N_PAIRS, kept)
    return base


def check_passes(folder, data, judge, base):
    judge.bodies.clear()
    must("drift", base, "--sample", "30", "-q", env=ENV)
    asked = {m["messages"][-1]["content"] for m in judge.bodies}
    judge.bodies.clear()
    must("drift", base, "--sample", "50", "-q", env=ENV)
    more = {m["messages"][-1]["content"] for m in judge.bodies}
    check("a sample is fixed, and part of a larger one",
          len(asked) == 60 and len(more) == 100 and asked < more)
    judge.bodies.clear()
    must("drift", base, "--sample", "30", "--seed", "2", "-q", env=ENV)
    check("another seed draws another",
          {m["messages"][-1]["content"] for m in judge.bodies} != asked)
    judge.bodies.clear()
    judge.stop_after = 40
    done = run("drift", base, "--concurrency", "3", env=ENV)
    check("an endpoint that stops answering is status 3",
          done.returncode == 3 and "401" in done.stderr and not done.stdout, done.stderr)
    with sqlite3.connect(base) as db:
        since = db.execute("SELECT max(refresh_ms) FROM session").fetchone()[0]
        fresh = db.execute("SELECT count(*) FROM call WHERE stream = 2 AND done_ms >= ? AND "
                           "length(key) = 32", (since,)).fetchone()[0]
    judge.stop_after = None
    done = run("drift", base, "--json", env=ENV)
    check("the same command asks only the rest",
          f"{6 * N_PAIRS - fresh} new calls, the rest of a pass that was cut short\n" in done.stderr and
          0 < fresh < 6 * N_PAIRS, (fresh, done.stderr))
    done = run("drift", base, "--json", env=ENV)
    check("and the next one all of it again", f"{6 * N_PAIRS} new calls\n" in done.stderr,
          done.stderr)


def check_setups(folder, data, judge):
    judge.noise, judge.bodies = 0, []
    sure = judged(folder, data, judge, "sure", "-m", "vanilla", "--max-tokens", "77",
                  "--extra-body", '{"top_p": 0.5}', "--request-seed", "5")
    wanted = {key: judge.bodies[-1][key] for key in ("top_p", "temperature")}
    judge.bodies = []
    done, got = drift(sure)
    sent = judge.bodies[-1]
    check("the judge is asked with the run's own parameters", all(
        sent[key] == value for key, value in wanted.items()) and
        sent.get("max_tokens", sent.get("max_completion_tokens")) == 77, sent)
    check("one sample of a prompt is asked twice again, for the noise",
          got["now"]["replies"] == 2 * N_PAIRS and got["before"]["replies"] == N_PAIRS, got)
    check("a judge without noise shows none", got["disagreement"]["before"] == 0 and
          got["win_rate_soft"]["difference"] == 0 and done.returncode == 0, got)
    judge.noise = .6
    other = Judge()
    done, got = drift(sure, "--base-url", other.url)
    check("an endpoint that moved is given its new address",
          done.returncode in (0, 4) and other.bodies, done.stderr)
    named = judged(folder, data, judge, "named", "--judge-id", "our judge", "-m", "bpc")
    done = run("drift", named, env=ENV)
    check("a name that says nothing needs --ask", done.returncode == 2 and
          "--ask" in done.stderr, done.stderr)
    done, got = drift(named, "--ask", "openai:judge", "--base-url", judge.url)
    check("and is reached by it", done.returncode == 0 and got["judge"] == "our judge",
          done.stderr)
    judgments = Path(folder) / "judgments.jsonl"
    write_rows(judgments, [{"pair_id": f"p{i}", "judge": "x", "order": order, "sample": 0,
                            "verdict": "1"} for i in range(9) for order in ("12", "21")])
    recorded = Path(folder) / "recorded.db"
    must("import", "judgments", judgments, "--pairs", data, "-o", recorded)
    done = run("drift", recorded)
    check("imported verdicts cannot be asked for again", done.returncode == 2 and
          "imported" in done.stderr, done.stderr)
    replayed = Path(folder) / "replayed.db"
    run("run", data, "-j", f"replay:{judgments}#x", "-m", "bpc", "-o", replayed, "-q")
    done = run("drift", replayed)
    check("nor recorded ones", done.returncode == 2 and "recording" in done.stderr,
          done.stderr)
    part = Path(folder) / "part.db"
    run("run", data, "-j", "sim:noise=1", "-o", part, "--limit", "120", "-q")
    got = json.loads(run("drift", part, "--json", "-q").stdout)
    check("pairs that the run did not reach are not drawn", got["pairs"] <= 21 and
          got["before"]["replies"] > 110, got)
    portia = Path(folder) / "portia.db"
    must("run", data, "-j", "sim:noise=1", "-m", "portia", "-o", portia, "-q",
         "--max-failed", "100%")
    got = json.loads(run("drift", portia, "--json", "-q", "--sample", "40").stdout)
    check("of portia the plain pair is asked again", got["now"]["replies"] == 160, got)
    alone = Path(folder) / "alone.db"
    must("run", data, "-j", "sim:noise=1,step=0", "-m", "standalone", "-o", alone, "-q")
    got = json.loads(run("drift", alone, "--json", "-q", "--sample", "40").stdout)
    check("standalone has no slots and drifts all the same",
          got["score_level"]["n"] == 40 and got["disagreement"]["before"] == 1, got)
    one = Path(folder) / "one.db"
    first = Path(folder) / "one.jsonl"
    first.write_text(Path(data).read_text().splitlines()[0] + "\n")
    must("run", first, "-j", "sim", "-o", one, "-q")
    done = run("drift", one, "-q")
    check("from one question nothing can be told, and that is no pass",
          done.returncode == 4 and "cannot be told" in done.stdout, done.stdout)


def check_false_alarms(folder, data):
    alarms = 0
    for seed in range(20):
        ledger = Path(folder) / f"alarm-{seed}.db"
        must("run", data, "-j", f"sim:noise=1,first=.5,seed={seed}", "-m",
             ("mec+bpc", "bpc", "vanilla", "mec")[seed % 4], "-o", ledger, "-q")
        alarms += run("drift", ledger, "-q").returncode == 4
    check("of 20 judges that did not change at most 3 raise an alarm", alarms <= 3, alarms)


def main():
    judge = Judge()
    with scratch() as folder:
        data = Path(folder) / "pairs.jsonl"
        make_pairs(data)
        base = check_changes(folder, data, judge)
        check_passes(folder, data, judge, base)
        check_setups(folder, data, judge)
        check_false_alarms(folder, data)
    finish()


main()
