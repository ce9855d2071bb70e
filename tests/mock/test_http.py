#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whole runs against the mock server.

    test_http.py EVENHAND MOCK [NAME...]

Each test starts its own server, runs the command as a user would, and looks at the exit
status, at what was printed, at the ledger, and at what the server was asked. Speaks TAP.
"""
import json
import os
import re
import shutil
import signal
import sqlite3
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

EVENHAND, MOCK = sys.argv[1], sys.argv[2]
KEY = "sk-planted-0123456789abcdef-secret"
TESTS = []
PRICES = "prices:\n  - {model: j, input: 10, output: 100}\n"


def test(function):
    TESTS.append(function)
    return function


class Mock:
    """A server for one test; `rules` is its script."""

    def __init__(self, *options, rules=()):
        self.folder = tempfile.mkdtemp(prefix="evenhand-mock-")
        command = [MOCK, *options]
        if rules:
            script = Path(self.folder, "script.jsonl")
            script.write_text("".join(json.dumps(rule) + "\n" for rule in rules))
            command += ["--script", str(script)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().split()[1])
        self.url = f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(10)
        self.process.stdout.close()
        shutil.rmtree(self.folder)

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}") as reply:
            return json.load(reply)

    def counts(self):
        return self.get("/_counts")

    def last_body(self):
        return json.loads(self.get("/_last")["body"])


class Bench:
    """A folder with a data set, and runs in it."""

    def __init__(self, n_pairs=20):
        self.folder = Path(tempfile.mkdtemp(prefix="evenhand-run-"))
        self.data = self.folder / "pairs.jsonl"
        self.n_pairs = n_pairs
        with self.data.open("w") as out:
            for i in range(n_pairs):
                row = {"id": f"p{i}", "question": f"What is {i} plus {i}?",
                       "answer_1": f"It is {2 * i}, the double of {i}.",
                       "answer_2": f"I think {2 * i + i % 3}."}
                out.write(json.dumps(row) + "\n")
        self.db = self.folder / "run.db"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)

    def command(self, url, *options, judge="openai:m", out=True):
        command = [EVENHAND, "run", str(self.data), "-j", judge, "--request-seed", "7"]
        if url:
            command += ["--base-url", url]
        if out:
            command += ["-o", str(self.db)]
        return command + list(options)

    def environment(self, **extra):
        environment = {k: v for k, v in os.environ.items()
                       if not k.endswith("_API_KEY") and "proxy" not in k.lower()}
        environment.update({"OPENAI_API_KEY": KEY, **extra})
        return {k: v for k, v in environment.items() if v is not None}

    def run(self, url, *options, judge="openai:m", out=True, **environment):
        return subprocess.run(
            self.command(url, *options, judge=judge, out=out), capture_output=True,
            text=True, env=self.environment(**environment), timeout=120)

    def show(self, *options):
        done = subprocess.run([EVENHAND, "show", str(self.db), "--json", *options],
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def query(self, sql):
        """Reads a copy, so that the ledger is left as it is."""
        with tempfile.TemporaryDirectory() as folder:
            for name in self.folder.glob("run.db*"):
                shutil.copy(name, folder)
            with sqlite3.connect(Path(folder, "run.db")) as db:
                rows = db.execute(sql).fetchall()
            db.close()
        return rows

    def holds_key(self):
        return any(KEY.encode() in path.read_bytes() for path in self.folder.glob("run.db*"))


def expect(condition, *told):
    if not condition:
        raise AssertionError(" ".join(str(t) for t in told))


def expect_exit(done, status):
    expect(done.returncode == status, f"exit {done.returncode}, not {status}:",
           done.stderr[-800:])


def one_error_line(done):
    """The line that says why, and no other beside the count of pairs and what to do."""
    lines = [line for line in done.stderr.splitlines()
             if line.startswith("evenhand run: ") and "pairs finished" not in line
             and "when that is mended" not in line]
    expect(len(lines) == 1, "not one line:", done.stderr)
    return lines[0]


def no_key(done, bench):
    expect(KEY not in done.stdout + done.stderr, "the key was printed")
    expect(not bench.holds_key(), "the key is in the ledger")


def clean_numbers(n_pairs, *options):
    with Mock("--no-usage") as mock, Bench(n_pairs) as bench:
        done = bench.run(mock.url, "--judge-id", "j", *options)
        expect_exit(done, 0)
        return bench.show()


# ---- n and parameters ----


@test
def n_honoured_ignored_refused():
    shown, asked = [], []
    for how in ("honour", "ignore", "refuse"):
        with Mock("--no-usage", "--n", how) as mock, Bench(80) as bench:
            done = bench.run(mock.url, "--judge-id", "j")
            expect_exit(done, 0)
            shown.append(bench.show())
            asked.append(mock.counts()["requests"])
            one_by_one = "j gives one choice a request; samples are asked one by one"
            expect((one_by_one in done.stderr) == (how != "honour"), done.stderr)
    expect(asked == [160, 480, 481], asked)
    expect(shown[0] == shown[1] == shown[2], "the numbers differ")


@test
def parameters_learned_by_the_canary():
    options = ("--no-usage", "--refuse", "temperature",
               "--rename", "max_tokens=max_completion_tokens")
    with Mock(*options) as mock, Bench(80) as bench:
        done = bench.run(mock.url, "--judge-id", "j", "--max-tokens", "500")
        expect_exit(done, 0)
        counts, body = mock.counts(), mock.last_body()
        expect(counts["by_status"] == {"200": 160, "400": 2}, counts)
        expect("temperature" not in body and body["max_completion_tokens"] == 500, body)
        effective = bench.query("SELECT DISTINCT effective FROM call")
        expect(len(effective) == 1, effective)
        expect(json.loads(effective[0][0]) == {
            "dropped": ["temperature"],
            "renamed": {"max_tokens": "max_completion_tokens"}}, effective)
        for said in ("warning: j does not take 'temperature'; it is left out, and the "
                     "replies say so",
                     "j takes 'max_completion_tokens' in place of 'max_tokens'"):
            expect(done.stderr.count(said) == 1, done.stderr)


@test
def choices_beyond_those_asked_for_and_all_alike():
    text = "Evaluation evidence: " + 20 * "both are good, " + "\nScore of Assistant 1: 7\n"
    choices = [{"index": i, "message": {"content": text + "Score of Assistant 2: 5"},
                "finish_reason": "stop"} for i in range(4)]
    rules = [{"status": 200, "body": json.dumps({"choices": choices})}]
    with Mock(rules=rules) as mock, Bench(4) as bench:
        done = bench.run(mock.url, "--judge-id", "j")
        for said in ("j gives more choices than asked for; the first ones are used",
                     "j gives the same text for every sample of a request; it may not "
                     "sample at all"):
            expect(done.stderr.count("warning: " + said) == 1, done.stderr)


@test
def another_model_behind_the_name_is_told():
    reply = {"message": {"content": "Score of Assistant 1: 7\nScore of Assistant 2: 5"},
             "index": 0, "finish_reason": "stop"}
    rules = [{"times": 5, "status": 200,
              "body": json.dumps({"model": "m-2", "choices": [reply]})}]
    with Mock(rules=rules) as mock, Bench(10) as bench:
        done = bench.run(mock.url, "-m", "bpc")
        expect_exit(done, 0)
        expect("warning: the replies come from different models: " in done.stderr and
               "m-2" in done.stderr, done.stderr)


@test
def required_parameter_refused_stops():
    with Mock("--refuse", "model") as mock, Bench() as bench:
        done = bench.run(mock.url)
        expect_exit(done, 3)
        expect(mock.counts()["requests"] == 1, mock.counts())


@test
def json_schema_asked_and_dropped():
    with Mock() as mock, Bench(5) as bench:
        expect_exit(bench.run(mock.url, "-t", "json"), 0)
        form = mock.last_body()["response_format"]
        expect(form["type"] == "json_schema" and form["json_schema"]["strict"], form)
        keys = list(form["json_schema"]["schema"]["properties"])
        expect(keys == ["reason", "score_1", "score_2", "verdict"], keys)
    with Mock("--refuse", "response_format") as mock, Bench(5) as bench:
        expect_exit(bench.run(mock.url, "-t", "json"), 0)
        expect("response_format" not in mock.last_body(), mock.last_body())
        expect(mock.counts()["by_status"]["400"] == 1, mock.counts())


def schema_run(schema, *options):
    """Bodies' statuses, the last response_format, and what each reply lacks."""
    with Mock("--schema", schema, "--n", "ignore") as mock, Bench(5) as bench:
        done = bench.run(mock.url, "-t", "json", "-m", "bpc", "--judge-id", "j", *options)
        expect_exit(done, 0)
        effective = bench.query("SELECT DISTINCT effective FROM call")
        expect(len(effective) == 1, effective)
        return (mock.counts()["by_status"], mock.last_body().get("response_format"),
                json.loads(effective[0][0] or "{}"), done.stderr)


@test
def a_schema_in_every_layout():
    statuses, form, effective, said = schema_run("full")
    expect(statuses == {"200": 10} and form["type"] == "json_schema", statuses, form)
    expect(effective == {} and "JSON" not in said, effective, said)
    statuses, form, effective, said = schema_run("tgi")
    expect(statuses == {"200": 10, "422": 1}, statuses)
    expect(form["type"] == "json" and form["value"]["required"], form)
    expect(effective == {} and said.count("Text Generation Inference") == 1, said)
    statuses, form, effective, said = schema_run("object")
    expect(statuses == {"200": 10, "400": 1} and form == {"type": "json_object"}, form)
    expect(effective == {"changed": {"response_format": "json_object"}}, effective)
    expect(said.count("takes no JSON schema") == 1, said)


@test
def rules_on_endpoints_save_refusals():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.yaml")
        path.write_text("template: json\n"
                        "capabilities:\n"
                        "  - host: 127.0.0.1\n"
                        "    structured-output: tgi\n"
                        "    n: 1\n"
                        "    refused: [temperature]\n"
                        "    max-tokens: max_output\n")
        statuses, form, effective, said = schema_run("tgi", "-c", str(path),
                                                     "--max-tokens", "99")
        expect(statuses == {"200": 10} and form["type"] == "json", statuses, form)
        expect(effective == {"dropped": ["temperature"],
                             "renamed": {"max_tokens": "max_output"}}, effective)
        path.write_text("capabilities:\n  - host: elsewhere\n    n: 1\n")
        with Mock() as mock, Bench(2) as bench:
            expect_exit(bench.run(mock.url, "-c", str(path)), 0)
            expect(mock.counts()["requests"] == 4, mock.counts())
            path.write_text("base-url: " + mock.url + "\ncapabilities: {}\n")
            done = bench.run(None, "-c", str(path))
            expect_exit(done, 2)
            expect("run.yaml: line 2: capabilities" in done.stderr, done.stderr)


@test
def a_whole_run_from_a_file():
    with Mock("--no-usage") as mock, Bench(5) as bench:
        path = bench.folder / "run.yaml"
        path.write_text(f"judge: openai:m\nbase-url: [{mock.url}]\ndata: {bench.data}\n"
                        f"output: {bench.db}\nmethod: bpc\nrequest-seed: 7\n"
                        "judge-id: j\nextra-body: {top_p: .9}\n")
        done = subprocess.run([EVENHAND, "run", "-c", str(path)], capture_output=True,
                              text=True, env=bench.environment(), timeout=60)
        expect_exit(done, 0)
        expect(mock.counts()["requests"] == 10 and mock.last_body()["top_p"] == .9,
               mock.last_body())
        # the line goes before the file, and what was asked is not asked again
        done = bench.run(mock.url, "-c", str(path), "-m", "mec", "-k", "1")
        expect_exit(done, 0)
        expect(mock.counts()["requests"] == 10, mock.counts())
        path.write_text(f"key: {KEY}\n")
        done = bench.run(mock.url, "-c", str(path))
        expect_exit(done, 2)
        no_key(done, bench)


@test
def logprobs_are_kept():
    with Mock() as mock, Bench(3) as bench:
        options = ("-m", "mec", "-k", "2", "--logprobs", "3")
        expect_exit(bench.run(mock.url, *options), 0)
        body = mock.last_body()
        expect(body["logprobs"] is True and body["top_logprobs"] == 3, body)
        rows = bench.query("SELECT r.content, l.content FROM reply r JOIN logprobs l "
                           "USING (call)")
        expect(len(rows) == 6, len(rows))
        for text, logprobs in rows:
            tokens = json.loads(logprobs)["content"]
            expect("".join(t["token"] for t in tokens) == text, tokens)
            expect(all(len(t["top_logprobs"]) == 3 for t in tokens), tokens)
        expect_exit(bench.run(mock.url, "-m", "mec", "-k", "2"), 0)
        expect(mock.counts()["requests"] == 6, "without them it is another call")
        expect_exit(bench.run(mock.url, *options, "--refresh"), 0)
        expect(bench.query("SELECT count(*) FROM logprobs") == [(12,)], "older ones")
        lost = bench.query("SELECT count(*) FROM logprobs WHERE call NOT IN "
                           "(SELECT call FROM reply)")
        expect(lost == [(0,)], lost)
    with Bench(1) as bench:
        done = bench.run(None, "--logprobs", "3", judge="sim")
        expect_exit(done, 2)
        expect("--logprobs is for endpoints" in done.stderr, done.stderr)


@test
def logprobs_refused_or_ignored():
    for how in ("refuse", "ignore"):
        with Mock("--logprobs", how) as mock, Bench(3) as bench:
            done = bench.run(mock.url, "--logprobs", "3")
            expect_exit(done, 0)
            expect(bench.query("SELECT count(*) FROM logprobs") == [(0,)], "from where?")
            effective = bench.query("SELECT DISTINCT effective FROM call")[0][0]
            if how == "refuse":
                expect(json.loads(effective) == {"dropped": ["logprobs"]}, effective)
                expect(mock.counts()["by_status"] == {"200": 6, "403": 1}, mock.counts())
                expect(done.stderr.count("'logprobs'") == 1, done.stderr)
            else:
                expect(effective is None, effective)
                expect(done.stderr.count("no log probabilities") == 1, done.stderr)


@test
def seeds_follow_the_sample():
    with Mock("--n", "ignore") as mock, Bench(1) as bench:
        expect_exit(bench.run(mock.url, "--concurrency", "1"), 0)
        expect(mock.last_body()["seed"] == 9, mock.last_body())
        expect(mock.counts()["repeated"] == 0, mock.counts())


# ---- refusals ----


@test
def wrong_key():
    with Mock("--key", "sk-another") as mock, Bench() as bench:
        done = bench.run(mock.url)
        expect_exit(done, 3)
        line = one_error_line(done)
        expect("401" in line and "invalid_api_key" in line and "127.0.0.1" in line, line)
        expect("variable OPENAI_API_KEY" in line, line)
        expect("3 calls gave no result, 27 were not sent" in done.stderr, done.stderr)
        expect(mock.counts()["requests"] == 1, mock.counts())
        no_key(done, bench)


@test
def no_key_for_the_vendor():
    with Bench() as bench:
        done = bench.run(None, OPENAI_API_KEY=None)
        expect_exit(done, 3)
        expect("OPENAI_API_KEY" in done.stderr, done.stderr)


@test
def unknown_model():
    with Mock("--model", "other") as mock, Bench() as bench:
        done = bench.run(mock.url)
        expect_exit(done, 3)
        expect("404" in one_error_line(done), done.stderr)


@test
def quota_in_the_middle_and_resumed():
    body = json.dumps({"error": {"message": f"no money for {KEY}",
                                 "type": "insufficient_quota",
                                 "code": "insufficient_quota"}})
    clean = clean_numbers(40)
    with Bench(40) as bench:
        with Mock("--no-usage", rules=[{"after": 30, "status": 429, "body": body}]) as mock:
            done = bench.run(mock.url, "--judge-id", "j")
            expect_exit(done, 3)
            expect("insufficient_quota" in one_error_line(done), done.stderr)
            no_key(done, bench)
            paid = mock.counts()["ok"]
            expect(mock.counts()["requests"] < 30 + 16, mock.counts())
        with Mock("--no-usage") as mock:
            expect_exit(bench.run(mock.url, "--judge-id", "j"), 0)
            expect(mock.counts()["ok"] == 80 - paid, paid, mock.counts())
        expect(bench.show() == clean, "the numbers differ from an unbroken run")


@test
def login_page():
    page = "<!DOCTYPE html><html><body>Please sign in</body></html>"
    rule = {"status": 200, "headers": {"Content-Type": "text/html"}, "body": page}
    with Mock(rules=[rule]) as mock, Bench() as bench:
        done = bench.run(mock.url)
        expect_exit(done, 3)
        line = one_error_line(done)
        expect("text/html" in line and f"127.0.0.1:{mock.port}" in line, line)


@test
def redirects_are_not_followed():
    with Mock() as other:
        rule = {"status": 307, "headers": {"Location": other.url + "/chat/completions"},
                "body": "{}"}
        with Mock(rules=[rule]) as mock, Bench() as bench:
            done = bench.run(mock.url)
            expect_exit(done, 3)
            expect("redirect" in one_error_line(done), done.stderr)
            expect(other.counts()["requests"] == 0, other.counts())


@test
def nobody_listens():
    with Mock() as mock:
        url = mock.url
    with Bench() as bench:
        began = time.monotonic()
        done = bench.run(url)
        expect_exit(done, 3)
        expect("no answer" in one_error_line(done), done.stderr)
        expect(time.monotonic() - began < 15, "it took too long to say so")


@test
def a_sample_too_long_does_not_stop():
    body = json.dumps({"error": {"message": "too long", "code": "context_length_exceeded"}})
    with Mock(rules=[{"after": 10, "times": 1, "status": 400, "body": body}]) as mock, \
            Bench() as bench:
        done = bench.run(mock.url, "-m", "bpc")
        expect_exit(done, 1)
        said = "evenhand run: 1 prompt did not fit into the judge's context: HTTP 400 from"
        expect(said in done.stderr, done.stderr)
        said = "evenhand run: 1 of 20 pairs failed, more than --max-failed allows (2 %)"
        expect(said in done.stderr, done.stderr)
        reasons = bench.query("SELECT count(*) FROM sample WHERE verdict = 0")
        expect(reasons == [(1,)], reasons)
        expect('"context_length": 1' in bench.show(), bench.show())


@test
def key_echoed_everywhere():
    with Mock("--echo-key") as mock, Bench(5) as bench:
        done = bench.run(mock.url)
        expect_exit(done, 0)
        no_key(done, bench)
        expect(bench.query("SELECT DISTINCT model FROM call") == [("[key]",)], "model")
    with Mock("--echo-key") as mock, Bench(5) as bench:
        done = bench.run(mock.url, "--logprobs", "1")  # a key in pieces
        expect_exit(done, 0)
        no_key(done, bench)
        expect(bench.query("SELECT count(*) FROM logprobs") == [(0,)], "pieces of a key")


# ---- faults ----


@test
def retry_after_is_obeyed():
    limit = {"status": 429, "body": '{"error": {"code": "rate_limit_exceeded"}}'}
    rules = [{**limit, "times": 1, "headers": {"Retry-After": "1"}},
             {**limit, "times": 1, "headers": {"retry-after-ms": "700"}}]
    with Mock(rules=rules) as mock, Bench(3) as bench:
        began = time.monotonic()
        expect_exit(bench.run(mock.url), 0)
        took = time.monotonic() - began
        expect(1.7 <= took < 4, f"{took:.2f} s")
        expect(mock.counts()["by_status"]["429"] == 2, mock.counts())


@test
def a_day_of_retry_after_stops():
    rule = {"status": 429, "headers": {"Retry-After": "86400"}, "body": "{}"}
    with Mock(rules=[rule]) as mock, Bench(3) as bench:
        expect_exit(bench.run(mock.url), 3)
        expect(mock.counts()["requests"] == 1, mock.counts())


FAULTS = [
    {"share": .03, "status": 500, "body": "oops"},
    {"share": .03, "status": 503, "body": '{"error": {"message": "busy"}}',
     "headers": {"retry-after-ms": "20"}},
    {"share": .02, "status": 529,
     "body": '{"type": "error", "error": {"type": "overloaded_error"}}'},
    {"share": .03, "status": 429, "headers": {"retry-after-ms": "10"},
     "body": '{"error": {"code": "rate_limit_exceeded"}}'},
    {"share": .03, "reset": True},
    {"share": .02, "no_answer": True},
    {"share": .03, "close_after_bytes": 40},
    {"share": .03, "status": 502, "headers": {"Content-Type": "text/html"},
     "body": "<html>Bad Gateway</html>"},
    {"share": .01, "drip_bytes": 200, "every_ms": 5},
]


@test
def random_faults_change_nothing():
    clean = clean_numbers(600, "-m", "bpc")
    with Mock("--no-usage", rules=FAULTS) as mock, Bench(600) as bench:
        done = bench.run(mock.url, "-m", "bpc", "--judge-id", "j", "--concurrency", "64")
        expect_exit(done, 0)
        expect(bench.show() == clean, "the numbers differ")
        counts = mock.counts()
        expect(counts["repeated"] == 0 and counts["samples"] == 1200, counts)
        attempts = bench.query("SELECT sum(n_attempts) FROM call")[0][0]
        expect(attempts == counts["requests"], attempts, counts)
        expect(counts["faults"] > 150, counts)


@test
def cut_bodies():
    rules = [{"times": 3, "close_after_bytes": 120}, {"times": 2, "hang_up": True}]
    with Mock(rules=rules) as mock, Bench() as bench:
        expect_exit(bench.run(mock.url), 0)
        expect(mock.counts()["repeated"] == 0, mock.counts())


@test
def stalls_and_drips_end():
    rules = [{"times": 1, "stall_after_bytes": 10},
             {"times": 1, "drip_bytes": 1, "every_ms": 50}]
    with Mock(rules=rules) as mock, Bench(3) as bench:
        began = time.monotonic()
        expect_exit(bench.run(mock.url, "--timeout", "1"), 0)
        took = time.monotonic() - began
        expect(1.4 <= took < 6, f"{took:.2f} s")
        expect(mock.counts()["requests"] == 8, mock.counts())


@test
def always_failing_gives_up():
    with Mock(rules=[{"status": 500, "body": "{}"}]) as mock, Bench(3) as bench:
        done = bench.run(mock.url, "--retries", "2")
        expect_exit(done, 3)
        expect("3 attempts" in one_error_line(done), done.stderr)
        expect(mock.counts()["requests"] == 3, mock.counts())


@test
def one_call_without_result_is_asked_again():
    with Bench(10) as bench:
        with Mock("--no-usage", rules=[{"after": 8, "times": 2, "status": 500,
                                        "body": "{}"}]) as mock:
            done = bench.run(mock.url, "--judge-id", "j", "--retries", "0", "-m", "bpc")
            expect_exit(done, 1)
            expect("2 calls gave no result" in done.stderr, done.stderr)
        with Mock("--no-usage") as mock:
            expect_exit(bench.run(mock.url, "--judge-id", "j", "-m", "bpc"), 0)
            expect(mock.counts()["requests"] == 2, mock.counts())
        expect(bench.show() == clean_numbers(10, "-m", "bpc"), "the numbers differ")
        with Mock("--no-usage", rules=[{"after": 8, "times": 1, "status": 500,
                                        "body": "{}"}]) as mock:
            done = subprocess.run(
                [EVENHAND, "drift", bench.db, "--ask", "openai:m", "--base-url", mock.url,
                 "--retries", "0"], capture_output=True, text=True,
                env=bench.environment(), timeout=60)
            expect("evenhand drift: 2 calls gave no result; the same command asks again\n"
                   in done.stderr, done.stderr)


@test
def compressed_chunked_streamed():
    events = "".join("data:" + json.dumps(e) + "\n\n" for e in (
        {"choices": [{"index": 0, "delta": {"content": "Score of the Assistant 1: 3\n"}}]},
        {"choices": [{"index": 0, "delta": {"content": "Score of the Assistant 2: 4"}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}))
    rules = [{"times": 5, "gzip": True}, {"times": 5, "chunked": True},
             {"if_gzip": True, "after": 20, "times": 2, "claim_gzip": True},
             {"after": 30, "times": 1, "headers": {"Content-Type": "text/event-stream"},
              "body": ": hello\n\n" + events + "data: [DONE]\n\n"}]
    with Mock(rules=rules) as mock, Bench() as bench:
        expect_exit(bench.run(mock.url, "-m", "bpc"), 0)
        expect(mock.counts()["requests"] == 42, mock.counts())
        expect(bench.query("SELECT count(*) FROM sample WHERE verdict = 0") == [(0,)],
               "a reply was not read")


# ---- limits ----


@test
def own_limit_of_requests():
    with Mock() as mock, Bench(20) as bench:
        began = time.monotonic()
        expect_exit(bench.run(mock.url, "-m", "bpc", "--rpm", "1200"), 0)
        # a bucket of 60 that fills with 19 a second
        expect(time.monotonic() - began < 20, "too slow")
    with Mock() as mock, Bench(20) as bench:
        began = time.monotonic()
        expect_exit(bench.run(mock.url, "-m", "bpc", "--rpm", "600"), 0)
        took = time.monotonic() - began
        # a bucket of 30 that fills with 9.5 a second: the last 10 of 40 wait
        expect(.9 <= took < 4, f"{took:.2f} s")


@test
def the_servers_limit():
    with Mock("--per-second", "50", "--no-usage") as mock, Bench(60) as bench:
        expect_exit(bench.run(mock.url, "-m", "bpc", "--judge-id", "j"), 0)
        counts = mock.counts()
        expect(counts["max_in_second"] <= 50 and counts["ok"] == 120, counts)
        expect(bench.show() == clean_numbers(60, "-m", "bpc"), "the numbers differ")


@test
def learned_from_headers():
    headers = {"x-ratelimit-limit-requests": "600", "x-ratelimit-remaining-requests": "0",
               "x-ratelimit-reset-requests": "60s"}
    with Mock(rules=[{"headers": headers}]) as mock, Bench(5) as bench:
        began = time.monotonic()
        expect_exit(bench.run(mock.url, "-m", "bpc", "--concurrency", "4"), 0)
        took = time.monotonic() - began
        # one request per 100 ms, ten requests
        expect(.8 <= took < 4, f"{took:.2f} s")


# ---- addresses, keys, options ----


@test
def several_addresses():
    with Mock() as first, Mock() as second, Bench(20) as bench:
        expect_exit(bench.run(f"{first.url},{second.url}", "-m", "bpc"), 0)
        asked = [first.counts()["requests"], second.counts()["requests"]]
        expect(sum(asked) == 40 and min(asked) >= 12, asked)
    for delay in ("20", "200"):  # the slow one keeps its turns, up to one of three
        with Mock() as first, Mock("--delay", delay) as second, Bench(20) as bench:
            expect_exit(bench.run(f"{first.url},{second.url}", "-m", "bpc"), 0)
            asked = [first.counts()["requests"], second.counts()["requests"]]
            expect(sum(asked) == 40 and min(asked) >= 12, asked)
    with Mock() as first:
        with Mock() as second:
            dead = second.url
        with Bench(20) as bench:
            expect_exit(bench.run(f"{dead},{first.url}", "-m", "bpc"), 0)
            expect(first.counts()["ok"] == 40, first.counts())
    with Mock() as first, Mock() as second, Bench(40) as bench:
        second.process.send_signal(signal.SIGSTOP)  # takes connections, says nothing
        began = time.monotonic()
        done = bench.run(f"{first.url},{second.url}", "-m", "bpc", "--timeout", "2")
        second.process.send_signal(signal.SIGCONT)
        expect_exit(done, 0)
        expect(first.counts()["ok"] == 80, first.counts())
        expect(time.monotonic() - began < 9, "a dead address was waited for")


@test
def judge_ids():
    with Mock() as mock, Bench(2) as bench:
        expect_exit(bench.run(mock.url + "/?api-version=1", "-m", "bpc"), 0)
        ids = bench.query("SELECT DISTINCT judge FROM judge")
        expect(ids == [(f"openai:m@127.0.0.1:{mock.port}/v1",)], ids)
        expect_exit(bench.run(f"http://127.0.0.1:{mock.port}/v1/chat/completions",
                              "-m", "bpc"), 0)
        expect(mock.counts()["requests"] == 4, "the same base was another judge")


@test
def keys_are_not_taken_from_urls():
    for url in ("http://user:pw@127.0.0.1/v1", "http://127.0.0.1/v1?api_key=abc",
                "127.0.0.1/v1", "ftp://127.0.0.1/", "http:///v1"):
        with Bench(1) as bench:
            done = bench.run(url)
            expect_exit(done, 2)
            expect("--base-url" in done.stderr and "pw" not in done.stderr, done.stderr)


@test
def keys_from_everywhere():
    with Mock("--key", "sk-from-a-file") as mock, Bench(1) as bench:
        path = bench.folder / "key"
        path.write_text("sk-from-a-file\n")
        expect_exit(bench.run(mock.url, "--key-file", str(path)), 0)
    with Mock("--key", "sk-from-variable") as mock, Bench(1) as bench:
        expect_exit(bench.run(mock.url, "--key-env", "OTHER", OTHER="sk-from-variable"), 0)
        expect_exit(bench.run(mock.url, "--key-env", "MISSING"), 2)
    with Mock() as mock, Bench(1) as bench:
        expect_exit(bench.run(mock.url, "--header-env", "api-key=AZURE",
                              AZURE="azure-secret"), 0)
        head = mock.get("/_last")["head"]
        expect("api-key: azure-secret" in head and "Authorization" not in head, head)
        expect_exit(bench.run(mock.url, "--key-env", "BAD", BAD="a\nX-Evil: b"), 2)


@test
def extra_body():
    with Mock() as mock, Bench(2) as bench:
        expect_exit(bench.run(mock.url, "--extra-body", '{"top_p": 0.9, "a": {"c": 1}}'), 0)
        body = mock.last_body()
        expect(body["top_p"] == 0.9 and body["a"] == {"c": 1}, body)
        asked = mock.counts()["requests"]
        same = bench.folder / "extra.json"
        same.write_text('{"a": {"c":1},\n "top_p": 0.9}')
        expect_exit(bench.run(mock.url, "--extra-body", str(same)), 0)
        expect(mock.counts()["requests"] == asked, "the same members were asked again")
        expect_exit(bench.run(mock.url, "--extra-body", '{"top_p": 0.8}'), 0)
        expect(mock.counts()["requests"] == 2 * asked, "others were not asked")
        for bad in ('{"messages": []}', '{"temperature": 1}', "[1]", '{"a": 1', "{1}"):
            expect_exit(bench.run(mock.url, "--extra-body", bad), 2)


@test
def options_of_endpoints_only():
    with Bench(1) as bench:
        done = bench.run("http://127.0.0.1:1/v1", judge="sim")
        expect_exit(done, 2)
        expect("--base-url" in done.stderr, done.stderr)


@test
def dry_run_asks_nobody():
    with Mock() as mock, Bench(3) as bench:
        done = bench.run(mock.url, "--dry-run", out=False, OPENAI_API_KEY=None)
        expect_exit(done, 0)
        expect("18 to be made" in done.stdout, done.stdout)
        expect(mock.counts()["requests"] == 0, mock.counts())


@test
def anthropic():
    with Mock("--key", KEY) as mock, Bench(5) as bench:
        root = f"http://127.0.0.1:{mock.port}"
        done = bench.run(root, "-m", "bpc", judge="anthropic:c", ANTHROPIC_API_KEY=KEY)
        expect_exit(done, 0)
        last, body = mock.get("/_last"), mock.last_body()
        expect("POST /v1/messages " in last["head"], last["head"])
        expect("x-api-key: " in last["head"] and "anthropic-version: " in last["head"],
               last["head"])
        expect("seed" not in body and body["max_tokens"] > 0 and body["system"], body)
        expect([m["role"] for m in body["messages"]] == ["user"], body)
        effective = json.loads(bench.query("SELECT DISTINCT effective FROM call")[0][0])
        expect(effective["dropped"] == ["seed"], effective)
        no_key(done, bench)


@test
def proxy():
    with Mock() as mock, Bench(2) as bench:
        done = bench.run("http://judge.invalid/v1", "-m", "bpc",
                         http_proxy=f"http://127.0.0.1:{mock.port}")
        expect_exit(done, 0)
        expect("POST http://judge.invalid/v1/chat/completions" in mock.get("/_last")["head"],
               mock.get("/_last"))


class TlsHandler(BaseHTTPRequestHandler):
    """One fixed reply, behind TLS."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        text = "Score of the Assistant 1: 6\nScore of the Assistant 2: 5"
        body = json.dumps({"choices": [
            {"index": 0, "finish_reason": "stop", "message": {"content": text}}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@test
def certificates():
    if not shutil.which("openssl"):
        return "skipped: openssl is not here"
    with Bench(1) as bench:
        key, cert = bench.folder / "key.pem", bench.folder / "cert.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
             "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
             "-keyout", key, "-out", cert], check=True, capture_output=True)
        server = HTTPServer(("127.0.0.1", 0), TlsHandler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"https://localhost:{server.server_port}/v1"
        try:
            done = bench.run(url, "-m", "bpc", "-k", "1")
            expect_exit(done, 3)
            expect("certificate" in one_error_line(done), done.stderr)
            expect_exit(bench.run(url, "-m", "bpc", "-k", "1", "--cacert", str(cert)), 0)
            expect_exit(bench.run(url, "--cacert", str(cert) + ".none"), 2)
        finally:
            server.shutdown()
            server.server_close()
    return None


# ---- doctor ----


def doctor(url, *options, judge="openai:m", **environment):
    """The command's exit status and messages, and its report as JSON."""
    command = [EVENHAND, "doctor", "-j", judge, "--json", *options]
    if url:
        command += ["--base-url", url]
    with Bench(1) as bench:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60,
                              env=bench.environment(**environment))
    return done, json.loads(done.stdout or "{}")


def states(report):
    names = ("max_tokens", "temperature", "seed", "n", "structured_output", "logprobs")
    return [report[name]["state"] for name in names]


@test
def doctor_sees_everything():
    with Mock("--key", KEY, "--obey-max-tokens") as mock, Bench(1) as bench:
        prices = bench.folder / "prices.yaml"
        prices.write_text(PRICES.replace("model: j", "model: m"))
        done, report = doctor(mock.url, "--prices", str(prices), "--max-tokens", "500")
        expect_exit(done, 0)
        expect("8 replies are asked for now, of at most 500 tokens" in done.stderr,
               done.stderr)
        expect(states(report) == ["taken"] * 6, report)
        kept = [report[n]["kept"] for n in ("max_tokens", "n", "structured_output",
                                            "logprobs")]
        expect(kept == [True] * 4 and report["logprobs_alternatives"] == 5, report)
        expect(report["key"] == "accepted" and report["model"] == "m", report)
        expect(report["key_place"] == "variable OPENAI_API_KEY", report)
        expect(report["token_counts"]["cached"] is None, report)
        asked = mock.counts()
        expect(report["requests"] == asked["requests"] == 7, report, asked)
        tokens = report["tokens"]
        cost = (tokens["prompt"] * 10 + tokens["completion"] * 100) / 1e6
        expect(abs(report["cost_usd"] - cost) < 1e-6, report)
        expect(report["cost_usd"] < report["cost_usd_max"] < 1, report)
        no_key(done, bench)


@test
def doctor_sees_refusals():
    with Mock("--n", "refuse", "--refuse", "temperature,seed", "--rename",
              "max_tokens=max_out", "--schema", "tgi", "--logprobs", "refuse",
              "--no-usage", "--obey-max-tokens") as mock:
        done, report = doctor(mock.url)
        expect_exit(done, 0)
        expect(states(report) == ["taken", "refused", "refused", "refused", "taken",
                                  "refused"], states(report))
        expect(report["max_tokens"]["sent_as"] == "max_out", report)
        expect(report["structured_output"] == {"state": "taken", "sent_as": "tgi",
                                               "kept": True}, report)
        expect(report["tokens"]["prompt"] is None and report["cost_usd"] is None, report)
        expect(report["requests"] == mock.counts()["requests"], report)
    with Mock("--n", "ignore", "--schema", "object", "--logprobs", "ignore") as mock:
        done, report = doctor(mock.url)
        expect_exit(done, 0)
        expect(states(report) == ["taken"] * 6, states(report))
        kept = [report[n]["kept"] for n in ("max_tokens", "n", "structured_output",
                                            "logprobs")]
        expect(kept == [False, False, True, False], kept)
        expect(report["structured_output"]["sent_as"] == "json_object", report)
    with Mock() as mock, Bench(1) as bench:
        path = bench.folder / "run.yaml"
        path.write_text(f"judge: openai:m\nmethod: bpc\nbase-url: {mock.url}\n"
                        "capabilities:\n  - host: 127.0.0.1\n    n: 1\n"
                        "    refused: [temperature, seed, logprobs]\n"
                        "    structured-output: none\n")
        done = subprocess.run([EVENHAND, "doctor", "--json", "-c", str(path)],
                              capture_output=True, text=True, timeout=60,
                              env=bench.environment())
        expect_exit(done, 0)
        expect(states(json.loads(done.stdout)) == ["taken"] + ["absent"] * 5, done.stdout)


@test
def doctor_where_nothing_works():
    with Mock("--key", "sk-other") as mock:
        done, report = doctor(mock.url)
        expect_exit(done, 3)
        expect(report["key"] == "refused" and not report["works"], report)
        expect(mock.counts()["requests"] == 1, mock.counts())
        expect(KEY not in done.stdout + done.stderr, "the key was printed")
        done, report = doctor(mock.url, OPENAI_API_KEY=None)
        expect(report["key"] == "missing" and report["http_status"] == 401, report)
    with Mock("--model", "other") as mock:
        done, report = doctor(mock.url)
        expect_exit(done, 3)
        expect(report["http_status"] == 404 and report["key"] == "unknown", report)
        expect(states(report) == ["not_tried"] * 6, report)
        url = mock.url
    done, report = doctor(url)
    expect_exit(done, 3)
    expect(report["reachable"] is False and "no answer" in report["message"], report)
    done, report = doctor(None, OPENAI_API_KEY=None)
    expect_exit(done, 3)
    expect(report["requests"] == 0 and report["key"] == "missing", report)
    done, report = doctor(None, judge="sim")
    expect_exit(done, 2)
    expect("no endpoint" in done.stderr, done.stderr)


@test
def doctor_goes_on_after_a_step_that_failed():
    refusal = {"if_param": "seed", "status": 400, "body": '{"error": {"message": "what?"}}'}
    stop = {"if_param": "temperature", "status": 401,
            "body": '{"error": {"message": "no"}}'}
    with Mock(rules=[refusal]) as mock:
        done, report = doctor(mock.url)
        expect_exit(done, 0)
        expect(states(report) == ["taken", "taken", "failed", "taken", "taken", "taken"],
               states(report))
        expect("what?" in report["seed"]["message"], report)
    with Mock(rules=[stop]) as mock:
        done, report = doctor(mock.url)
        expect_exit(done, 0)
        expect(states(report) == ["taken", "failed", "taken", "failed", "taken", "taken"],
               states(report))
        expect(report["requests"] == mock.counts()["requests"], report, mock.counts())


@test
def doctor_of_anthropic():
    with Mock("--key", KEY) as mock:
        done, report = doctor(f"http://127.0.0.1:{mock.port}", judge="anthropic:c",
                              ANTHROPIC_API_KEY=KEY)
        expect_exit(done, 0)
        expect(states(report) == ["taken", "taken", "absent", "absent", "taken", "absent"],
               states(report))
        expect(report["key_place"] == "variable ANTHROPIC_API_KEY", report)


# ---- money ----


@test
def money_is_counted_and_bound():
    with Mock() as mock, Bench(100) as bench:
        prices = bench.folder / "prices.yaml"
        prices.write_text(PRICES)
        options = ("--judge-id", "j", "-m", "bpc", "--prices", str(prices))
        done = bench.run(mock.url, *options, "--max-cost", "1")
        expect_exit(done, 2)
        expect("--max-cost needs --max-tokens" in done.stderr, done.stderr)
        options += ("--max-tokens", "50")
        done = bench.run(mock.url, *options, "--max-cost", ".0001")
        expect_exit(done, 5)
        expect("one call may already cost more than --max-cost allows" in
               one_error_line(done), done.stderr)
        done = bench.run(mock.url, *options, "--max-cost", ".4")
        expect_exit(done, 5)
        expect("stopped at --max-cost, with at most $" in one_error_line(done),
               done.stderr)
        spent = bench.query("SELECT sum(prompt_tokens) * 10 + sum(completion_tokens) * 100,"
                            " count(*) FROM call")[0]
        expect(.2e6 < spent[0] <= .4e6, spent)
        expect_exit(bench.run(mock.url, *options), 0)
        expect(mock.counts()["requests"] == 200, mock.counts())
        shown = subprocess.run(
            [EVENHAND, "show", str(bench.db), "--json", "--prices", str(prices)],
            capture_output=True, text=True, timeout=60)
        judge = json.loads(shown.stdout)["judges"]["j"]
        tokens = judge["tokens"]
        cost = (tokens["prompt"] * 10 + tokens["completion"] * 100) / 1e6
        expect(abs(judge["cost_usd"] - cost) < 1e-6 and cost > 0, judge["cost_usd"], cost)
        expect(json.loads(bench.show())["judges"]["j"]["cost_usd"] is None, "a price?")


@test
def unknown_price_is_refused():
    with Mock() as mock, Bench(1) as bench:
        done = bench.run(mock.url, "--max-cost", "1", "--max-tokens", "9")
        expect_exit(done, 2)
        expect("unknown" in done.stderr, done.stderr)
        expect(mock.counts()["requests"] == 0, mock.counts())


@test
def dry_run_tells_the_price():
    with Bench(10) as bench:
        done = bench.run(None, "--dry-run", "--max-tokens", "100", out=False,
                         judge="openai:gpt-4.1-mini", OPENAI_API_KEY=None)
        expect_exit(done, 0)
        found = re.search(r"prompts of (\d+) to (\d+) tokens, replies of at most 6000; "
                          r"\$(\S+) to \$(\S+) \(price\s+of \d{4}-\d\d-\d\d\)", done.stdout)
        expect(found and int(found[1]) < int(found[2]), done.stdout)


# ---- stopping ----


def wait_for_a_call(bench, table="call"):
    """Until one is stored; before that there may be no ledger, or one without tables."""
    for _ in range(600):
        try:
            if bench.query(f"SELECT count(*) FROM {table}")[0][0]:
                return
        except (sqlite3.Error, OSError):
            pass
        time.sleep(.02)
    raise AssertionError(f"no {table} was stored")


@test
def interrupted_waits_for_what_is_paid():
    with Mock("--delay", "100") as mock, Bench(200) as bench:
        process = subprocess.Popen(bench.command(mock.url, "-m", "bpc"),
                                   env=bench.environment(), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        wait_for_a_call(bench)
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=30)[1]
        expect(process.returncode == 130, process.returncode)
        expect("evenhand run: interrupted; the same command goes on from here" in said, said)
        stored = bench.query("SELECT count(*) FROM call")[0][0]
        expect(stored == mock.counts()["ok"] > 0, stored, mock.counts())


def main():
    names = sys.argv[3:]
    chosen = [t for t in TESTS if not names or t.__name__ in names]
    print(f"1..{len(chosen)}", flush=True)
    failed = 0
    for number, function in enumerate(chosen, 1):
        name = function.__name__.replace("_", " ")
        try:
            remark = function()
            print(f"ok {number} - {name}" + (f" # SKIP {remark}" if remark else ""))
        except (AssertionError, subprocess.TimeoutExpired, OSError, ValueError) as fault:
            failed += 1
            print(f"not ok {number} - {name}")
            for line in re.split(r"\n", str(fault)):
                print(f"# {line}")
        sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
