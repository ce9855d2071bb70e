#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Split and merge at an endpoint: embeddings, contexts, killed runs, ablations.

    test_portia.py EVENHAND MOCK [NAME...]

The server, the bench and the way of testing are those of test_http.py, whose own tests
are not run here.
"""
import json
import random
import re
import signal
import subprocess
import sys
import time

import test_http
from test_http import (EVENHAND, KEY, FAULTS, Bench, Mock, expect, expect_exit, main, no_key,
                       one_error_line, test, wait_for_a_call)

test_http.TESTS.clear()
TOPICS = ("engine brakes wheels gears battery seats price safety colour warranty noise "
          "range mirrors lights doors").split()
ALL_PAIRS = ("--max-failed", "100%")
EMBED = ("--similarity", "embed:openai:e")


def sentence(draw, topic):
    words = [topic, topic + "s", "are", "good"] + [
        draw.choice("quite rather often here seldom truly again".split())
        for _ in range(draw.choice((2, 9, 20)))]
    draw.shuffle(words)
    return " ".join(words).capitalize() + "."


class Cars(Bench):
    """Pairs whose answers go through the same topics in sentences of unlike lengths."""

    def __init__(self, n_pairs=24):
        super().__init__(1)
        self.n_pairs, draw = n_pairs, random.Random(5)
        self.rows = []
        for i in range(n_pairs):
            topics = draw.sample(TOPICS, draw.randrange(4, 9))
            self.rows.append({
                "id": f"p{i}", "question": f"What about car {i}?",
                "answer_1": " ".join(sentence(draw, t) for t in topics),
                "answer_2": " ".join(sentence(draw, t) for t in topics),
                "category": ("buying", "selling")[i % 2]})
        self.write(self.rows)

    def write(self, rows):
        self.data.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def portia(self, mock, *options, url=None, **more):
        return self.run(url or mock.url, "-m", "portia", *ALL_PAIRS, *options, **more)

    def judge(self):
        judges = json.loads(self.show())["judges"]
        expect(len(judges) == 1, list(judges))
        return next(iter(judges.values()))

    def count(self, what):
        return self.query(f"SELECT count(*) FROM {what}")[0][0]


def numbers(judge):
    """A judge's numbers without what names the server's port."""
    return re.sub(r"127\.0\.0\.1:\d+", "HOST", json.dumps(judge))


def vectors_of(bench):
    """Without their keys, which name the server's port."""
    return sorted(v for (v,) in bench.query("SELECT vector FROM embedding"))


# ---- embeddings ----


@test
def each_text_is_embedded_once():
    with Mock() as mock, Cars() as bench:
        done = bench.portia(mock, *EMBED)
        expect_exit(done, 0)
        counts, judge = mock.counts(), bench.judge()
        n_texts = bench.count("embedding")
        expect(counts["texts"] == counts["distinct_texts"] == n_texts > 0, counts, n_texts)
        expect(f"{n_texts} texts embedded by openai:e@127.0.0.1" in done.stderr, done.stderr)
        found = judge["portia"]["embeddings"]
        expect(found["texts"] == n_texts and found["refused"] == 0, found)
        expect(found["prompt_tokens"] > 0 and found["cost_usd"] is None, found)
        expect(judge["portia"]["options"] ==
               f"parts=3,similarity=embed:openai:e@127.0.0.1:{mock.port}/v1", judge["portia"])
        expect(judge["portia"]["by_stage"]["semantic"]["asked"] > 0, judge["portia"])
        shown = bench.show()
        expect_exit(bench.portia(mock, *EMBED), 0)
        expect(mock.counts()["requests"] == counts["requests"], "a rerun asked something")
        expect(bench.show() == shown, "a rerun changed the numbers")
        timing = json.loads(bench.show("--timing"))
        requests = next(iter(timing["judges"].values()))["requests"]
        expect(sorted(requests) == ["answered", "embed_answered"], requests)
        expect(sum(requests.values()) == counts["requests"], requests, counts)


@test
def embeddings_cut_otherwise_than_words():
    with Mock() as mock, Cars() as bench:
        expect_exit(bench.portia(mock, "--always"), 0)
        words = bench.judge()["portia"]["by_stage"]
        asked = mock.counts()["choices"]
        expect_exit(bench.portia(mock, "--always", *EMBED), 0)
        both = json.loads(bench.show())["judges"]
        expect(len(both) == 2, list(both))
        other = next(j["portia"]["by_stage"] for j in both.values()
                     if "similarity" in j["portia"]["options"])
        expect(other["plain"] == words["plain"] and other["length"] == words["length"],
               "stages that compare nothing are shared")
        more = mock.counts()["choices"] - asked
        expect(0 < more < 2 * bench.n_pairs, "cuts that are the same are not asked again", more)


def evenhand(bench, *command):
    done = subprocess.run([EVENHAND, *map(str, command)], capture_output=True, text=True,
                          env=bench.environment(), timeout=120)
    expect_exit(done, 0)
    return done


@test
def drift_asks_the_plain_pair_and_embeds_nothing():
    with Mock() as mock, Cars() as bench:
        expect_exit(bench.portia(mock, *EMBED, "--always"), 0)
        before, shown = mock.counts(), bench.show()
        found = json.loads(evenhand(bench, "drift", bench.db, "--json").stdout)
        after = mock.counts()
        expect(after["texts"] == before["texts"], before, after)
        expect(found["pairs"] == bench.n_pairs and found["now"]["failed"] == 0, found)
        expect(after["choices"] - before["choices"] == found["now"]["replies"] > 0, found)
        expect(bench.show() == shown, "drift changed the numbers of the run")


@test
def embeddings_are_merged():
    with Mock() as mock, Cars() as bench:
        whole = list(bench.rows)
        expect_exit(bench.portia(mock, *EMBED, "--always"), 0)
        shown, n_texts = bench.show(), bench.count("embedding")
        halves = []
        for name, rows in ("a", whole[:12]), ("b", whole[10:]):
            bench.write(rows)
            bench.db = bench.folder / f"{name}.db"
            expect_exit(bench.portia(mock, *EMBED, "--always"), 0)
            halves.append(bench.db)
        bench.db = bench.folder / "run.db"
        bench.db.unlink()
        evenhand(bench, "merge", *halves, "-o", bench.db)
        bench.write(whole)
        asked = mock.counts()["requests"]
        expect_exit(bench.portia(mock, *EMBED, "--always"), 0)
        expect(mock.counts()["requests"] == asked, "what was merged was asked again")
        expect(bench.count("embedding") == n_texts, bench.count("embedding"), n_texts)
        expect(bench.show() == shown, "the numbers of the whole")


@test
def base64_is_read_as_well():
    with Mock() as mock, Mock("--base64") as other, Cars() as bench, Cars() as same:
        expect_exit(bench.portia(mock, *EMBED, "--always"), 0)
        expect_exit(same.portia(other, *EMBED, "--always"), 0)
        one, two = vectors_of(bench), vectors_of(same)
        expect(one == two and len(one[0]) == 64 * 4, len(one), len(two))
        expect(numbers(bench.judge()) == numbers(same.judge()), "the numbers differ")


@test
def the_mirror_law_holds():
    swap = {"answer_1": "answer_2", "answer_2": "answer_1"}
    turned = {"1": "2", "2": "1", "tie": "tie", None: None}
    with Mock() as mock, Cars() as bench, Cars() as mirror:
        mirror.write([{swap.get(key, key): value for key, value in row.items()}
                      for row in mirror.rows])
        rulings = []
        for side in (bench, mirror):
            expect_exit(side.portia(mock, *EMBED, "--always", "--parts", "auto"), 0)
            lines = subprocess.run([EVENHAND, "rulings", str(side.db)], capture_output=True,
                                   text=True, check=True).stdout.splitlines()
            rulings.append([json.loads(line) for line in lines])
        for one, two in zip(*rulings, strict=True):
            expect(turned[one["verdict"]] == two["verdict"], one, two)
        expect(mock.counts()["repeated"] == mock.counts()["choices"] // 2,
               "the mirrored prompts are the same", mock.counts())


@test
def long_lists_are_made_shorter():
    with Mock("--max-texts", "5") as mock, Cars() as bench:
        expect_exit(bench.portia(mock, *EMBED, "--concurrency", "1"), 0)
        counts = mock.counts()
        expect(counts["max_texts"] <= 5 and counts["texts"] == counts["distinct_texts"], counts)
        expect(counts["by_status"]["413"] <= 4, "the length was not learned", counts)
        expect(bench.judge()["portia"]["embeddings"]["refused"] == 0, bench.judge())


@test
def a_refused_text_leaves_the_length_cut():
    with Mock("--max-text-bytes", "150") as mock, Cars() as bench:
        done = bench.portia(mock, *EMBED, "--always")
        expect_exit(done, 0)
        found = bench.judge()["portia"]["embeddings"]
        expect(found["refused"] > 0 and found["texts"] > 0, found)
        reasons = bench.query("SELECT DISTINCT reason FROM embedding WHERE vector IS NULL")
        expect(reasons == [("context_length",)], reasons)
        refused = bench.query("SELECT key FROM embedding WHERE vector IS NULL")
        # the semantic prompts of such pairs are those of the length stage
        same = bench.query(
            "SELECT count(*) FROM ask a JOIN ask b ON b.pair = a.pair AND b.ord = a.ord AND "
            "b.call = a.call WHERE a.stage % 16 = 1 AND b.stage % 16 = 2")[0][0]
        expect(2 <= same < 2 * bench.n_pairs and same % 2 == 0, same, len(refused))
        asked = mock.counts()["requests"]
        expect_exit(bench.portia(mock, *EMBED, "--always"), 0)
        expect(mock.counts()["requests"] == asked, "a refused text was asked again")


@test
def faults_change_nothing():
    with Mock() as mock, Cars(40) as bench:
        expect_exit(bench.portia(mock, *EMBED), 0)
        clean, vectors = numbers(bench.judge()), vectors_of(bench)
    rules = [{**rule, "share": 2 * rule["share"]} for rule in FAULTS]
    with Mock(rules=rules) as mock, Cars(40) as bench:
        expect_exit(bench.portia(mock, *EMBED, "--retries", "20"), 0)
        expect(numbers(bench.judge()) == clean, "the numbers differ")
        expect(vectors_of(bench) == vectors, "the vectors differ")
        counts = mock.counts()
        expect(counts["faults"] > 20, counts)
        sums = dict(bench.query("SELECT outcome, sum(n) FROM request GROUP BY outcome"))
        expect(sum(sums.values()) == counts["requests"], sums, counts)
        expect(any(name.startswith("embed_http_") for name in sums), sums)


@test
def vectors_by_their_index():
    """One rule gives an answer whose indexes fit no texts: it is asked again."""
    body = json.dumps({"data": [{"index": 7, "embedding": [1.0] * 64}]})
    rule = {"if_route": "/embeddings", "times": 2, "body": body, "status": 200}
    with Mock(rules=[rule]) as mock, Cars(6) as bench:
        expect_exit(bench.portia(mock, *EMBED, "--always"), 0)
        expect(mock.counts()["faults"] == 2, mock.counts())
        expect(mock.counts()["distinct_texts"] == bench.count("embedding"), mock.counts())


@test
def no_vectors_today():
    """What gave nothing is asked again by the same command, and nothing else is."""
    rules = [{"if_route": "/embeddings", "after": 40, "times": 3, "status": 500, "body": "{}"}]
    with Mock(rules=rules) as mock, Cars() as bench:
        done = bench.portia(mock, *EMBED, "--retries", "0", "--concurrency", "1", "--always")
        expect_exit(done, 0)
        expect("got no embeddings; the same command asks for them again" in done.stderr,
               done.stderr)
        stages = bench.judge()["portia"]["by_stage"]
        n_left = bench.n_pairs - stages["semantic"]["asked"]
        expect(0 < n_left <= 3 and stages["length"]["asked"] == bench.n_pairs, stages)
        before = mock.counts()["choices"]
        expect_exit(bench.portia(mock, *EMBED, "--always"), 0)
        more = mock.counts()["choices"] - before
        expect(0 < more <= 2 * n_left, more, n_left)
        expect(mock.counts()["texts"] == mock.counts()["distinct_texts"], mock.counts())


@test
def another_model_behind_the_name_stops():
    with Cars(20) as bench:
        with Mock() as mock:
            url, port = mock.url, mock.port
            bench.write(bench.rows[:8])
            expect_exit(bench.portia(mock, *EMBED), 0)
            expect(bench.count("embedding") > 0, "nothing was embedded")
            bench.write(bench.rows)  # texts that are not there yet
        with Mock("--port", str(port), "--dims", "32") as mock:
            done = bench.portia(mock, *EMBED, url=url)
            expect_exit(done, 3)
            expect("gives vectors of 32 numbers, where it gave 64 before: the model has "
                   "changed" in done.stderr, done.stderr)


@test
def the_embedder_elsewhere_with_its_own_key():
    with Mock("--key", KEY) as mock, Mock("--key", "sk-embed-0123456789") as other, \
            Cars(8) as bench:
        there = ("--embed-base-url", other.url, "--embed-key-env", "EMBED_KEY")
        done = bench.portia(mock, *EMBED, *there, EMBED_KEY="sk-embed-0123456789")
        expect_exit(done, 0)
        expect(mock.counts()["texts"] == 0 and other.counts()["choices"] == 0,
               mock.counts(), other.counts())
        expect("sk-embed" not in done.stdout + done.stderr, "a key was printed")
        no_key(done, bench)
        bench.db.unlink()
        done = bench.portia(mock, *EMBED, *there, "--always", EMBED_KEY="sk-wrong-0123456789")
        expect_exit(done, 3)
        line = one_error_line(done)
        expect("401" in line and "openai:e@" in line and "sk-wrong" not in line, line)
        expect(other.counts()["by_status"]["401"] == 1, other.counts())


@test
def keys_of_the_judge_stay_with_it():
    with Mock("--key", "sk-judge-0123456789") as mock, Mock() as other, Cars(4) as bench:
        done = bench.portia(mock, *EMBED, "--always", "--key-env", "JUDGE_KEY",
                            "--embed-base-url", other.url,
                            JUDGE_KEY="sk-judge-0123456789", OPENAI_API_KEY=None)
        expect_exit(done, 0)
        head = other.get("/_last")["head"]
        expect("POST /v1/embeddings" in head and "sk-judge" not in head and
               "Authorization" not in head, head)


@test
def an_anthropic_judge_has_its_embedder_elsewhere():
    with Mock() as mock, Cars(4) as bench:
        done = bench.run(f"http://127.0.0.1:{mock.port}", "-m", "portia", "--always", *ALL_PAIRS,
                         *EMBED, "--embed-base-url", mock.url, judge="anthropic:c",
                         ANTHROPIC_API_KEY="sk-ant-0123456789")
        expect_exit(done, 0)
        expect(mock.counts()["texts"] > 0, mock.counts())


@test
def wrong_wishes():
    with Mock() as mock, Cars(2) as bench:
        for options, word in ((("--similarity", "words"), "--similarity"),
                              (("--similarity", "embed:anthropic:x"), "openai:MODEL"),
                              (("--similarity", "embed:openai:"), "model"),
                              (("--embed-key-env", "X"), "--similarity"),
                              (("--context", "0"), "--context")):
            done = bench.portia(mock, *options)
            expect_exit(done, 2)
            expect(word in done.stderr, options, done.stderr)
        done = bench.run(mock.url, "-m", "bpc", *EMBED)
        expect_exit(done, 2)
        expect("portia" in done.stderr, done.stderr)
        expect(mock.counts()["requests"] == 0, mock.counts())


@test
def a_dry_run_counts_texts_and_asks_nobody():
    with Mock() as mock, Cars() as bench:
        done = bench.portia(mock, *EMBED, "--dry-run", "--always", out=False)
        expect_exit(done, 0)
        found = re.search(r"(\d+) open: .*\n.*?(\d+) new\n", done.stdout)
        texts = re.search(r"\n(\d+) texts to embed, of (\d+) to (\d+) tokens; the price is "
                          r"unknown", done.stdout)
        expect(found and texts and int(texts[2]) < int(texts[3]), done.stdout)
        expect(int(found[1]) == 2 * bench.n_pairs and int(found[2]) == 4 * bench.n_pairs,
               done.stdout)
        expect(mock.counts()["requests"] == 0, mock.counts())
        expect("at most" in bench.portia(mock, *EMBED, "--dry-run", out=False).stdout,
               "a run that stops early may need fewer")
        expect_exit(bench.portia(mock, *EMBED, "--always"), 0)
        expect(mock.counts()["distinct_texts"] == int(texts[1]), texts[1], mock.counts())
        done = bench.portia(mock, *EMBED, "--dry-run", "--always")
        expect("0 to be made" in done.stdout and "embed" not in done.stdout, done.stdout)


@test
def embeddings_are_paid_from_the_same_purse():
    with Mock() as mock, Cars() as bench:
        prices = bench.folder / "prices.yaml"
        prices.write_text("prices:\n  - {model: m, input: 1, output: 1}\n")
        money = ("--prices", str(prices), "--max-tokens", "60")
        done = bench.portia(mock, *EMBED, *money, "--max-cost", "1")
        expect_exit(done, 2)
        expect("openai:e@" in done.stderr and "unknown" in done.stderr, done.stderr)
        prices.write_text("prices:\n  - {model: m, input: 1, output: 1}\n"
                          "  - {model: e, input: 1000, output: 0}\n")
        done = bench.portia(mock, *EMBED, *money, "--max-cost", "2")
        expect_exit(done, 5)
        spent = bench.query("SELECT sum(prompt_tokens) * 1000 FROM embedding")[0][0]
        calls = bench.query("SELECT sum(prompt_tokens + completion_tokens) FROM call")[0][0]
        expect(.1e6 < spent + calls <= 2e6, spent, calls)
        expect_exit(bench.portia(mock, *EMBED, *money), 0)
        shown = subprocess.run([EVENHAND, "show", str(bench.db), "--json", "--prices",
                                str(prices)], capture_output=True, text=True, check=True)
        found = next(iter(json.loads(shown.stdout)["judges"].values()))["portia"]["embeddings"]
        expect(abs(found["cost_usd"] - found["prompt_tokens"] / 1000) < 1e-9, found)


@test
def align_asks_for_embeddings():
    with Mock() as mock, Cars(1) as bench:
        files = [bench.folder / name for name in ("a.txt", "b.txt")]
        for path, key in zip(files, ("answer_1", "answer_2"), strict=True):
            path.write_text(bench.rows[0][key])
        command = [EVENHAND, "align", *map(str, files)]
        where = ["--base-url", mock.url]
        texts = {}
        for name, more in (("words", []), ("embed", [*EMBED, *where])):
            done = subprocess.run([*command, *more, "--json"], capture_output=True, text=True,
                                  env=bench.environment(), timeout=60)
            expect_exit(done, 0)
            texts[name] = json.loads(done.stdout)
        expect(texts["embed"]["by"].startswith("openai:e@127.0.0.1"), texts["embed"]["by"])
        sums = [texts["embed"][cut]["similarity"] for cut in ("semantic", "length")]
        expect(3 >= sums[0] >= sums[1], sums)
        for cut in ("semantic", "length"):
            for key in ("a", "b"):
                whole = "".join(part[key] for part in texts["embed"][cut]["parts"])
                expect(whole == files[key == "b"].read_text(), "bytes were lost")
        with Mock("--max-text-bytes", "9") as strict:
            done = subprocess.run([*command, *EMBED, "--base-url", strict.url], text=True,
                                  capture_output=True, env=bench.environment(), timeout=60)
            expect_exit(done, 3)
            expect("refused a unit" in done.stderr, done.stderr)


# ---- contexts ----


@test
def fewer_parts_where_the_context_is_known():
    with Cars() as bench:
        with Mock() as mock:
            expect_exit(bench.portia(mock, "--always"), 0)
            tokens = bench.query(
                "SELECT a.pair, a.stage % 16, max(c.prompt_tokens) FROM ask a JOIN call c ON "
                "c.id = a.call GROUP BY 1, 2")
        plain = {pair: n for pair, stage, n in tokens if stage == 0}
        parts = {pair: n for pair, stage, n in tokens if stage == 1}
        expect(all(parts[pair] > plain[pair] + 60 for pair in plain), "parts add little")
        bench.db.unlink()
        limit = max(plain.values()) + 20  # what is whole fits, what is in parts often not
        n_over = sum(n > limit for n in parts.values())
        with Mock("--context", str(limit)) as mock:
            done = bench.portia(mock, "--always")
            expect_exit(done, 0)
            expect("did not fit into the judge's context: HTTP 400" in done.stderr and
                   f"maximum context length is {limit} tokens" in done.stderr and
                   "with --context TOKENS pairs that fit whole, but not in all of their "
                   "parts, are shown in fewer" in done.stderr, done.stderr)
            stages = bench.judge()["portia"]["by_stage"]
            failed = stages["length"]["failed"]["context_length"]
            expect(stages["plain"]["failed"] == {} and failed == 2 * n_over, failed, n_over)
            asked = mock.counts()["choices"]
            expect_exit(bench.portia(mock, "--always", "--context", str(limit)), 0)
            runs = json.loads(bench.show())["judges"].values()
            fitted = next(j["portia"]["by_stage"] for j in runs
                          if "context" in j["portia"]["options"])
            mended = fitted["length"]["failed"].get("context_length", 0)
            expect(mended < failed, "fewer parts did not help", mended, failed)
            expect(fitted["plain"] == stages["plain"], "the plain pair is shared")
            expect(mock.counts()["choices"] > asked, mock.counts())


@test
def what_is_too_long_is_not_asked_longer():
    with Cars() as bench:
        with Mock("--context", "430") as mock:
            done = bench.portia(mock)
            expect_exit(done, 0)
            judge = bench.judge()
            stages = judge["portia"]["by_stage"]
            n_long = stages["plain"]["failed"]["context_length"]
            expect(0 < n_long < 2 * bench.n_pairs and n_long % 2 == 0, n_long)
            longer = bench.query(
                "SELECT count(*) FROM ask a JOIN ask b ON b.pair = a.pair AND b.stage > 0 JOIN "
                "sample s ON s.call = a.call WHERE a.stage = 0 AND s.reason = "
                "'context_length'")[0][0]
            expect(longer == 0, "the same pair was asked again in parts", longer)
            none = judge["rulings"]["none_by_reason"]
            expect(none["both_orders_failed"] == n_long // 2, none, n_long)


# ---- stopping ----


def wait_for_work(mock, n_before):
    """Until the server has been asked something more."""
    until = time.monotonic() + 60
    while mock.counts()["requests"] == n_before and time.monotonic() < until:
        time.sleep(.005)


@test
def killed_and_run_again():
    with Mock("--delay", "60") as mock, Cars(40) as bench, Cars(40) as clean:
        expect_exit(clean.portia(mock, *EMBED), 0)
        whole = mock.counts()
        draw = random.Random(7)
        for _ in range(8):
            n_before = mock.counts()["requests"]
            process = subprocess.Popen(
                bench.command(mock.url, "-m", "portia", *ALL_PAIRS, *EMBED, "--concurrency",
                              "4"), env=bench.environment(), stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            wait_for_work(mock, n_before)
            time.sleep(draw.uniform(.05, .25))
            process.kill()
            process.wait()
        time.sleep(.1)
        stored, texts = bench.count("call"), bench.count("embedding")
        before = mock.counts()
        expect(0 < stored < whole["choices"] and 0 < texts < whole["texts"], stored, texts, whole)
        expect_exit(bench.portia(mock, *EMBED), 0)
        after = mock.counts()
        asked = after["choices"] - before["choices"]
        expect(asked == whole["choices"] - stored, asked, whole["choices"], stored)
        asked = after["texts"] - before["texts"]
        expect(asked == whole["texts"] - texts, asked, whole["texts"], texts)
        expect(bench.show() == clean.show(), "the numbers differ from an unbroken run")


@test
def interrupted_waits_for_vectors_that_are_paid():
    with Mock("--delay", "100") as mock, Cars(80) as bench:
        process = subprocess.Popen(
            bench.command(mock.url, "-m", "portia", *ALL_PAIRS, *EMBED, "--concurrency", "4"),
            env=bench.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            text=True)
        wait_for_a_call(bench, "embedding")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        expect(process.returncode == 130, process.returncode)
        counts = mock.counts()
        expect(counts["choices"] == bench.count("call"), counts, bench.count("call"))
        expect(counts["texts"] == bench.count("embedding"), counts, bench.count("embedding"))
        expect_exit(bench.portia(mock, *EMBED), 0)
        counts = mock.counts()
        expect(counts["repeated"] == 0 and counts["texts"] == counts["distinct_texts"], counts)


@test
def merged_ledgers_are_complete():
    """Halves of the pairs, judged apart: the merged ledger has all that a run needs."""
    with Mock() as mock, Cars(24) as whole, Cars(24) as left, Cars(24) as right:
        left.write(left.rows[:12])
        right.write(right.rows[12:])
        for bench in whole, left, right:
            expect_exit(bench.portia(mock, *EMBED), 0)
        asked, shown = mock.counts()["requests"], whole.show()
        whole.db.unlink()
        done = subprocess.run([EVENHAND, "merge", str(left.db), str(right.db), "-o",
                               str(whole.db)], capture_output=True, text=True, timeout=60)
        expect_exit(done, 0)
        expect(whole.show() == shown, "the numbers differ from those of one run")
        done = whole.portia(mock, *EMBED)
        expect_exit(done, 0)
        expect(mock.counts()["requests"] == asked, done.stderr)
        expect(whole.show() == shown, "a rerun changed the numbers")


@test
def ablations_from_an_always_ledger():
    labels = "".join(json.dumps({"pair_id": f"p{i}", "annotator": "a", "label": "12"[i % 2]}) +
                     "\n" for i in range(24))
    with Mock() as mock, Cars() as bench, Cars() as early:
        path = bench.folder / "labels.jsonl"
        path.write_text(labels)
        done = bench.portia(mock, "--always", "--labels", str(path))
        expect_exit(done, 0)
        table = re.search(r"ablations +consistent +accuracy\n((?: .*%.*%\n){4})", done.stdout)
        expect(table, done.stdout)
        asked = mock.counts()["requests"]
        found = bench.judge()["portia"]["ablations"]
        for key, stages in (("whole", "0,1,2"), ("without_length", "0,2"),
                            ("without_semantic", "0,1")):
            expect_exit(early.portia(mock, "--stages", stages), 0)
            alone = early.judge()["portia"]["consistency"]
            expect(found[key]["consistency"] == alone, key, found, alone)
            early.db.unlink()
        expect(mock.counts()["samples"] == asked, "a run without a stage asked other prompts")


@test
def stale_stages_do_not_count_after_a_refresh():
    """A pair that needed all stages, and agrees at once when it is asked again."""
    def verdicts(*tokens):
        return [{"times": 1, "status": 200, "body": json.dumps({
            "choices": [{"index": 0, "finish_reason": "stop", "message": {
                "content": f"Final verdict: [[{token}]]"}}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 7}})} for token in tokens]
    with Cars(1) as bench:
        # six replies for the first slot, then one for each answer's slot
        with Mock(rules=verdicts(*"AAAAAA", *"AB")) as mock:
            options = ("-t", "compare", "--concurrency", "1", "--judge-id", "j")
            expect_exit(bench.portia(mock, *options), 0)
            before = bench.judge()
            expect(before["tokens"]["prompt"] == 6000 and
                   before["rulings"]["none_by_reason"] == {"inconsistent": 1}, before)
            expect_exit(bench.portia(mock, *options, "--refresh"), 0)
            after = bench.judge()
            expect(mock.counts()["requests"] == 8, mock.counts())
        expect(after["rulings"]["1"] == 1, after["rulings"])
        expect(after["tokens"] | {"prompt": 2000, "completion": 14} == after["tokens"],
               after["tokens"])
        stages = after["portia"]["by_stage"]
        expect([stages[s]["asked"] for s in ("plain", "length", "semantic")] == [1, 0, 0] and
               stages["length"]["calls"] == 0, stages)
        expect(after["portia"]["relative_to_vanilla"]["calls"] == 2 and
               sum(m["calls"] for m in after["models"]) == 2, after)


if __name__ == "__main__":
    sys.exit(main())
