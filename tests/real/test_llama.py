#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs against a real server: llama-server with a model of random weights.

    test_llama.py EVENHAND FOLDER

FOLDER holds llama-server and tiny.gguf, as tools/fetch-llama-server leaves them;
EVENHAND_LLAMA_SERVER and EVENHAND_LLAMA_MODEL name others. Without them the test says
"skipped". What the model writes is nonsense, so nothing is expected of verdicts, but all
of requests, replies and refusals.
"""
import json
import os
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "system"))
from tap import EXAMPLES, check, finish, must, run, rows, scratch, skip  # noqa: E402

FOLDER = Path(sys.argv[2])
SERVER = Path(os.environ.get("EVENHAND_LLAMA_SERVER", FOLDER / "llama-server"))
MODEL = Path(os.environ.get("EVENHAND_LLAMA_MODEL", FOLDER / "tiny.gguf"))
KEY = "sk-planted-0123456789abcdef-secret"
SLOTS, WINDOW = 4, 8192
ANY = ("--max-failed", "100%")
# of tools/fetch-llama-server's model: the token of byte 0xE4, which begins a character
# and never ends one, so that no reply with it is text
BAD_BYTE = 3 + 0xE4


class Llama:
    """The server, on a port that was free a moment ago."""

    def __init__(self, folder, *options):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.log = open(folder / "server.log", "wb")
        self.process = subprocess.Popen(
            [SERVER, "-m", MODEL, "--host", "127.0.0.1", "--port", str(self.port), "-np",
             str(SLOTS), "-c", str(SLOTS * WINDOW), "-t", "1", "-tb", "1", "--api-key", KEY,
             "--alias", "tiny-model", *options], stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        self.url = f"http://127.0.0.1:{self.port}/v1"

    def wait(self, seconds=60):
        until = time.monotonic() + seconds
        while time.monotonic() < until and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health") as reply:
                    return json.load(reply)["status"] == "ok"
            except (urllib.error.URLError, ConnectionError):
                time.sleep(.1)
        return False

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


def requests_of(ledger):
    timing = json.loads(must("show", "--timing", "--json", ledger))
    return next(iter(timing["judges"].values()))["requests"]


class Bench:
    """Runs in a folder, each with a ledger of its own."""

    def __init__(self, folder, llama):
        self.folder, self.url, self.n = folder, llama.url, 0
        self.pairs = rows(EXAMPLES / "pairs.jsonl")

    def run(self, pairs, *options, key=KEY, again=False):
        self.n += not again
        self.db = self.folder / f"run-{self.n}.db"
        data = self.folder / "pairs.jsonl"
        data.write_text("".join(json.dumps(pair) + "\n" for pair in pairs))
        self.done = run("run", data, "-j", "openai:tiny", "--base-url", self.url, "-o",
                        self.db, "--concurrency", SLOTS, "--timeout", "120", *options,
                        env={"OPENAI_API_KEY": key})
        return self.done.returncode

    def query(self, sql):
        with sqlite3.connect(self.db) as db:
            found = db.execute(sql).fetchall()
        db.close()
        return found

    def requests(self):
        return requests_of(self.db)

    def last_line(self):
        lines = [line for line in self.done.stderr.splitlines() if "HTTP" in line]
        return lines[-1] if lines else self.done.stderr


def check_schema(bench):
    options = ("-t", "json", "-k", "2", "--max-tokens", "600", "--logprobs", "2", *ANY)
    status = bench.run(bench.pairs[:4], *options)
    check("a run under a schema ends well", status == 0, bench.done.stderr)
    check("n is honoured: a request for two samples", bench.requests() == {"answered": 8},
          bench.requests())
    replies = bench.query("SELECT r.content, c.finish_reason FROM reply r JOIN call c ON "
                          "c.id = r.call")
    check("each sample has its reply", len(replies) == 16, len(replies))
    whole = [json.loads(text) for text, reason in replies if reason == "stop"]
    check("most replies came to an end", len(whole) >= 8, len(whole))
    check("and are what the schema says",
          all(list(reply) == ["reason", "score_1", "score_2", "verdict"]
              and reply["verdict"] in ("A", "B", "tie") for reply in whole), whole)
    reasons = {row[0] for row in bench.query("SELECT DISTINCT reason FROM sample")}
    # nonsense may contradict itself or leave the scale, but it is read
    check("all of them are read",
          reasons <= {None, "truncated", "ambiguous", "out_of_range"}, reasons)
    usage = bench.query("SELECT prompt_tokens, completion_tokens FROM call WHERE sample = 0")
    check("tokens are counted", all(p > 500 and c > 0 for p, c in usage), usage)
    paid = bench.query("SELECT sum(prompt_tokens) FROM call WHERE sample = 1")
    check("and a prompt once for its samples", paid == [(0,)], paid)
    names = bench.query("SELECT DISTINCT model FROM call")
    check("the model has the name that the server gives it", names == [("tiny-model",)], names)
    probabilities = bench.query("SELECT count(*) FROM logprobs")
    check("log probabilities are kept", probabilities == [(16,)], probabilities)
    status = bench.run(bench.pairs[:4], *options, again=True)
    check("a second run asks nothing", status == 0 and " 0 new calls" in bench.done.stderr,
          bench.done.stderr)


def check_free_text(bench):
    status = bench.run(bench.pairs[:3], "-t", "score", "-m", "bpc", "--max-tokens", "24")
    check("without a verdict in any reply a run ends with 1", status == 1, bench.done.stderr)
    found = bench.query("SELECT reason, count(*) FROM sample GROUP BY reason")
    check("a reply that the limit cut is told as such", found == [("truncated", 6)], found)


def check_unreadable(bench):
    """The server cannot put into JSON what its model wrote, and answers with 500."""
    bias = json.dumps({"logit_bias": [[BAD_BYTE, 100]]})
    status = bench.run(bench.pairs[:2], "-t", "score", "-m", "bpc", "--max-tokens", "16",
                       "--retries", "1", "--extra-body", bias)
    check("500 for every reply stops the run", status == 3, bench.done.stderr)
    line = bench.last_line()
    check("with the server's words", "HTTP 500" in line and "(2 attempts)" in line, line)
    check("and without counting a reply", bench.query("SELECT count(*) FROM call") == [(0,)])


def check_more_samples_than_slots(bench):
    status = bench.run(bench.pairs[:1], "-t", "score", "-m", "mec+bpc", "-k", SLOTS + 2,
                       "--max-tokens", "8", *ANY)
    check("more samples than slots are asked one by one", status == 0, bench.done.stderr)
    check("after one refusal", bench.requests() == {"answered": 2 * (SLOTS + 2),
                                                    "http_400": 1}, bench.requests())


def check_long_prompt(bench):
    long_pair = dict(bench.pairs[0], id="long", answer_1="word " * 2 * WINDOW)
    status = bench.run([bench.pairs[1], long_pair], "-t", "score", "-m", "bpc",
                       "--max-tokens", "8", *ANY)
    check("a prompt that does not fit stops nothing", status == 0, bench.done.stderr)
    found = bench.query("SELECT reason, count(*) FROM sample GROUP BY reason ORDER BY 1")
    check("its samples fail for that reason",
          found == [("context_length", 2), ("truncated", 2)], found)


def check_key(bench):
    status = bench.run(bench.pairs[:2], "-m", "bpc", key="sk-another-0123456789-key")
    check("a wrong key ends with 3", status == 3, bench.done.stderr)
    check("in one line", "HTTP 401" in bench.last_line(), bench.done.stderr)
    said = bench.done.stdout + bench.done.stderr
    ledgers = b"".join(path.read_bytes() for path in bench.folder.glob("run-*.db"))
    check("no key is in what was said or kept",
          all(key not in said and key.encode() not in ledgers
              for key in (KEY, "sk-another-0123456789-key")))


def check_embeddings(folder):
    """Parts aligned by what a second server makes of their units."""
    llama = Llama(folder, "--embeddings", "--pooling", "mean")
    try:
        check("a server of embeddings is up", llama.wait())
        ledger = folder / "embed.db"
        command = ("run", EXAMPLES / "pairs.jsonl", "-j", "sim:first=2,noise=1", "-m",
                   "portia", "--always", "--similarity", "embed:openai:tiny",
                   "--embed-base-url", llama.url, "--embed-key-env", "LLAMA_KEY", "-o", ledger)
        done = run(*command, *ANY, env={"LLAMA_KEY": KEY})
        check("its vectors align", done.returncode == 0, done.stderr)
        asked = requests_of(ledger)
        check("all of its answers are of use",
              list(asked) == ["embed_answered"] and asked["embed_answered"] > 10, asked)
        again = run(*command, *ANY, env={"LLAMA_KEY": KEY})
        check("and none is asked for twice",
              again.returncode == 0 and requests_of(ledger) == asked, again.stderr)
    finally:
        llama.stop()


def main():
    if not SERVER.exists() or not MODEL.exists():
        skip("llama-server", "not here; tools/fetch-llama-server builds it")
        finish()
    with scratch() as name:
        folder = Path(name)
        llama = Llama(folder)
        try:
            check("the server is up", llama.wait(), (folder / "server.log").read_bytes()[-2000:])
            bench = Bench(folder, llama)
            for part in (check_schema, check_free_text, check_unreadable,
                         check_more_samples_than_slots, check_long_prompt, check_key):
                part(bench)
        finally:
            llama.stop()
        check_embeddings(folder)
    finish()


main()
