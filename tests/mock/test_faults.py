#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Faults, kills and keys: what a run survives, and what it never shows.

    test_faults.py EVENHAND MOCK [NAME...]

The server, the bench and the way of testing are those of test_http.py, whose own tests
are not run here. `many_faults` takes minutes and belongs to the long suite; without
names all others run.
"""
import json
import random
import subprocess
import sys
import time

import test_http
from test_http import (EVENHAND, KEY, Bench, Mock, clean_numbers, expect, expect_exit, main,
                       test)

test_http.TESTS.clear()

# Each with the share of requests that it meets and the outcome it is counted as.
FAULTS = [
    ("http_429", {"share": .03, "status": 429, "headers": {"retry-after-ms": "10"},
                  "body": '{"error": {"code": "rate_limit_exceeded"}}'}),
    ("http_500", {"share": .03, "status": 500, "body": "oops"}),
    ("http_503", {"share": .03, "status": 503, "headers": {"retry-after-ms": "20"},
                  "body": '{"error": {"message": "busy"}}'}),
    ("http_529", {"share": .02, "status": 529,
                  "body": '{"type": "error", "error": {"type": "overloaded_error"}}'}),
    ("gone", {"share": .02, "reset": True}),
    ("gone", {"share": .02, "no_answer": True}),
    ("cut", {"share": .03, "close_after_bytes": 40}),
    ("http_502", {"share": .02, "status": 502, "headers": {"Content-Type": "text/html"},
                  "body": "<html>Bad Gateway</html>"}),
    ("stalled", {"share": .002, "stall_after_bytes": 10}),
    ("answered", {"share": .02, "drip_bytes": 200, "every_ms": 5}),
]


def requests_of(bench):
    done = subprocess.run([EVENHAND, "show", str(bench.db), "--timing", "--json"],
                          capture_output=True, text=True, timeout=300)
    expect_exit(done, 0)
    return json.loads(done.stdout)["judges"]["j"]["requests"]


def expect_counted(counts, requests):
    """Each fault that the server made is counted, and nothing else. A connection that
    ends without an answer is counted by who tried again, libcurl or we; one that stalls
    by the limit that it reached first."""
    made = {"answered": counts["ok"]}
    for (outcome, _), n in zip(FAULTS, counts["by_rule"]):
        if outcome != "answered":
            made[outcome] = made.get(outcome, 0) + n
    told = dict(requests)
    told["gone"] = told.pop("no_answer", 0) + told.pop("resent", 0)
    told["stalled"] = told.pop("idle", 0) + told.pop("too_slow", 0)
    told = {k: n for k, n in told.items() if n}
    expect(told == {k: n for k, n in made.items() if n}, told, made)
    expect(sum(told.values()) == counts["requests"], told, counts)


def survives(n_pairs, seconds, *options):
    """A run through all faults ends with the numbers of one without, and counts them."""
    clean = clean_numbers(n_pairs, *options)
    with Mock("--no-usage", rules=[rule for _, rule in FAULTS]) as mock, \
            Bench(n_pairs) as bench:
        began = time.monotonic()
        command = bench.command(mock.url, *options, "--judge-id", "j", "--concurrency", "64",
                                "--timeout", "2")
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds,
                              env=bench.environment())
        took = time.monotonic() - began
        expect_exit(done, 0)
        counts = mock.counts()
        expect(bench.show() == clean, "the numbers differ")
        expect(counts["repeated"] == 0, "an answered sample was asked again", counts)
        expect_counted(counts, requests_of(bench))
        share = sum(counts["by_rule"]) / counts["requests"]
        expect(.15 < share < .25, f"{share:.3f} of the requests met a fault")
        print(f"# {n_pairs} pairs, {counts['requests']} requests, {share:.1%} of them with "
              f"a fault: {took:.1f} s", flush=True)


@test
def some_faults():
    survives(300, 100)


@test
def some_faults_in_requests_for_one_sample():
    survives(400, 100, "-m", "bpc")


def many_faults():
    survives(5000, 1500)


@test
def a_spoilt_sample_does_not_spoil_the_others():
    rules = [{"if_n_over": 1, "status": 500, "body": '{"error": {"type": "server_error"}}'}]
    clean = clean_numbers(4)
    with Mock("--no-usage", rules=rules) as mock, Bench(4) as bench:
        expect_exit(bench.run(mock.url, "--judge-id", "j"), 0)
        expect(bench.show() == clean, "the numbers differ")
        # 8 prompts of 3 samples: two requests in vain, then one a sample
        expect(mock.counts()["by_status"] == {"200": 24, "500": 16}, mock.counts())
        expect(requests_of(bench) == {"answered": 24, "http_500": 16}, requests_of(bench))


# ---- kill -9 ----


def sent(log):
    """The number behind "run" of each choice that the server has sent."""
    return log.read_text().split() if log.exists() else []


def kept(bench):
    if not bench.db.exists():
        return set()
    try:
        texts = [row[0] for row in bench.query("SELECT content FROM reply")]
    except Exception:  # the tables are not there yet
        return set()
    return {text.split("run ")[1].split()[0] for text in texts}


def wait_for_work(log, n_before):
    """Until the server has sent something more."""
    until = time.monotonic() + 60
    while len(sent(log)) == n_before and time.monotonic() < until:
        time.sleep(.002)


@test
def killed_at_ten_random_moments():
    """By the server's own log no choice that was kept is sent once more."""
    draw, n_pairs = random.Random(11), 400
    clean = clean_numbers(n_pairs)
    with Bench(n_pairs) as bench:
        log = bench.folder / "sent.log"
        with Mock("--no-usage", "--delay", "20", "--log", str(log)) as mock:
            n_lost = 0
            for attempt in range(11):
                before, n_sent = kept(bench), len(sent(log))
                process = subprocess.Popen(
                    bench.command(mock.url, "--judge-id", "j"), env=bench.environment(),
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                if attempt < 8:
                    wait_for_work(log, n_sent)
                if attempt < 10:  # the last two of them at any moment of the start
                    time.sleep(draw.uniform(0, .15))
                    process.kill()
                expect(process.wait(100) == (-9 if attempt < 10 else 0), "it had ended")
                time.sleep(.1)  # for what the server still answers
                new = sent(log)[n_sent:]
                again = before.intersection(new)
                expect(not again, len(again), "kept choices were asked again")
                n_lost += len(set(new) - kept(bench))
            expect(len(kept(bench)) == 6 * n_pairs, len(kept(bench)))
            counts = mock.counts()
            expect(counts["repeated"] <= n_lost and counts["samples"] == 6 * n_pairs,
                   counts, n_lost)
        expect(bench.show() == clean, "the numbers differ from an unbroken run")


# ---- keys ----


def error(**members):
    return json.dumps({"error": {"message": "no", "type": "t", "code": "c", **members}})


def reply(message=None, **members):
    text = "Score of the Assistant 1: 6\nScore of the Assistant 2: 5"
    choice = {"index": 0, "finish_reason": "stop", "message": {"content": text}}
    choice["message"].update(message or {})
    choice.update(members.pop("choice", {}))
    return json.dumps({"choices": [choice], **members})


def stream(*texts):
    deltas = "".join("data: " + json.dumps({"choices": [{"index": 0, "delta": d}]}) + "\n\n"
                     for d in texts)
    return deltas + "data: [DONE]\n\n"


HALF = len(KEY) // 2
ESCAPED = "".join(f"\\u{ord(c):04x}" for c in KEY)
EVENTS = {"Content-Type": "text/event-stream"}
HTML = {"Content-Type": "text/html"}
# name, status, headers, body: everything that a server can say, with the key in it
ECHOES = [
    ("message", 400, {}, error(message=f"bad key {KEY}")),
    ("message, quoted", 401, {}, error(message=f"key '{KEY}' is no good")),
    ("message, with its scheme", 401, {}, error(message=f"Authorization: Bearer {KEY}!")),
    ("message, starred out", 401, {}, error(message=f"{KEY[:11]}*****{KEY[-6:]}")),
    ("message, cut", 401, {}, error(message=f"Incorrect API key provided: {KEY[:20]}...")),
    ("message, long", 401, {}, error(message="x" * 150 + KEY)),
    ("message, escaped", 401, {}, error(message="@").replace("@", ESCAPED)),
    ("type", 400, {}, error(type=KEY)),
    ("code", 403, {}, error(code=KEY)),
    ("param", 400, {}, error(param=KEY)),
    ("name of a parameter to use", 400, {}, error(
        message=f"Unsupported parameter: 'temperature'. Use '{KEY}' instead.",
        code="unsupported_parameter", param="temperature")),
    ("name of a member", 400, {}, json.dumps({KEY: KEY, "error": {KEY: "x"}})),
    ("error as text", 500, {}, json.dumps({"error": KEY})),
    ("error as list", 400, {}, json.dumps([{"error": {"message": KEY}}])),
    ("error with status 200", 200, {}, error(message=KEY)),
    ("detail", 422, {}, json.dumps({"detail": [{"msg": KEY, "loc": [KEY]}]})),
    ("no JSON", 400, {}, f"who is {KEY}?"),
    ("no JSON, status 200", 200, {}, f"who is {KEY}?"),
    ("a page", 200, HTML, f"<html><title>{KEY}</title></html>"),
    ("a page's type", 502, {"Content-Type": f"text/html; charset={KEY}"}, "<html></html>"),
    ("a page's type, status 200", 200, {"Content-Type": f"text/html; {KEY}"}, "<html/>"),
    ("challenge", 401, {"WWW-Authenticate": f"Bearer {KEY}"}, "{}"),
    ("redirect", 302, {"Location": f"http://127.0.0.1:1/{KEY}"}, ""),
    ("wait", 429, {"Retry-After": KEY, "retry-after-ms": KEY}, "{}"),
    ("limits", 200, {"x-ratelimit-limit-requests": KEY, "x-request-id": KEY}, reply()),
    ("content", 200, {}, reply({"content": f"it is {KEY}\nScore of the Assistant 1: 6\n"
                                           "Score of the Assistant 2: 5"})),
    ("content, twice", 200, {}, reply({"content": KEY + KEY})),
    ("content, escaped", 200, {}, reply({"content": "@"}).replace("@", ESCAPED)),
    ("content in parts", 200, {}, reply({"content": [{"type": "text", "text": KEY[:HALF]},
                                                     {"type": "text", "text": KEY[HALF:]}]})),
    ("content in events", 200, EVENTS, stream({"content": KEY[:HALF]},
                                              {"content": KEY[HALF:]})),
    ("error in events", 200, EVENTS, f'data: {error(message=KEY)}\n\n'),
    ("reasoning", 200, {}, reply({"reasoning_content": KEY})),
    ("reasoning in events", 200, EVENTS, stream({"reasoning": KEY[:HALF]},
                                                {"reasoning": KEY[HALF:]},
                                                {"content": "none"})),
    ("refusal", 200, {}, reply({"content": None, "refusal": KEY})),
    ("finish reason", 200, {}, reply(choice={"finish_reason": KEY})),
    ("model and fingerprint", 200, {}, reply(model=KEY, system_fingerprint=KEY)),
    ("usage", 200, {}, reply(usage={KEY: 3, "prompt_tokens": KEY})),
    ("log probabilities", 200, {}, reply(choice={"logprobs": {"content": [
        {"token": KEY, "logprob": -1, "top_logprobs": [{"token": KEY, "logprob": -1}]}]}})),
]
# the ways to give a key: options, variables
GIVEN = [
    ((), {"OPENAI_API_KEY": KEY}),
    (("--key-env", "OTHER"), {"OTHER": KEY}),
    (("--header-env", "api-key=OTHER"), {"OTHER": KEY}),
    (("--key-file", "@"), {}),
]


# what a server of embeddings can say; where it cannot be used, that is what it says next
EMBED_ECHOES = [
    ("embeddings: message", 400, {}, error(message=f"bad key {KEY}")),
    ("embeddings: message, starred out", 401, {}, error(message=f"{KEY[:11]}***{KEY[-6:]}")),
    ("embeddings: code and param", 422, {}, error(code=KEY, param=KEY)),
    ("embeddings: name of a parameter to use", 400, {}, error(
        message=f"Unsupported parameter: 'encoding_format'. Use '{KEY}' instead.",
        code="unsupported_parameter", param="encoding_format")),
    ("embeddings: no JSON", 200, {}, KEY),
    ("embeddings: a page", 200, HTML, f"<html>{KEY}</html>"),
    ("embeddings: index", 200, {}, json.dumps(
        {"model": KEY, "data": [{"index": KEY, "embedding": [1, 2]}]})),
    ("embeddings: numbers", 200, {}, json.dumps(
        {"model": KEY, "data": [{"index": 0, "embedding": [KEY, KEY]}]})),
]


def shown(bench):
    """All that the other verbs print of a ledger."""
    out = ""
    for verb in (["show"], ["show", "--json"], ["show", "--timing"], ["rulings"]):
        done = subprocess.run([EVENHAND, verb[0], str(bench.db), *verb[1:]],
                              capture_output=True, text=True, timeout=60)
        out += done.stdout + done.stderr
    return out


def expect_unseen(place, bench, text):
    files = b"".join(p.read_bytes() for p in bench.folder.glob("run.db*"))
    for piece in (KEY, KEY[3:], KEY[:HALF], KEY[HALF:], ESCAPED):
        expect(piece not in text, f"{place}: shown:", text[:600])
        expect(piece.encode() not in files, f"{place}: {piece} is in the ledger")


@test
def a_key_in_every_place():
    for i, (place, status, headers, body) in enumerate(ECHOES):
        rule = {"status": status, "headers": headers, "body": body}
        options, variables = GIVEN[i % len(GIVEN)]
        with Mock(rules=[{"after": 3, **rule}]) as mock, Bench(3) as bench:
            key_file = bench.folder / "key.txt"
            key_file.write_text(KEY + "\n")
            options = [str(key_file) if o == "@" else o for o in options]
            variables = {"OPENAI_API_KEY": None, **variables}
            for more in ((), ("--logprobs", "2")):
                done = bench.run(mock.url, "-m", "bpc", "--retries", "1", "--concurrency",
                                 "2", *options, *more, **variables)
                expect(done.returncode in (0, 1, 3), place, done.returncode, done.stderr)
                expect_unseen(place, bench, done.stdout + done.stderr + shown(bench))
            expect(mock.counts()["by_rule"][0] > 0, place, "never happened")


@test
def a_key_in_every_place_of_embeddings():
    texts = {f"answer_{i}": f"It is {i}. That is so. The sum is what it is." for i in (1, 2)}
    for place, status, headers, body in EMBED_ECHOES:
        rule = {"if_route": "embeddings", "status": status, "headers": headers, "body": body}
        with Mock(rules=[rule]) as mock, Bench(1) as bench:
            bench.data.write_text(json.dumps({"id": "p", "question": "Q?", **texts}) + "\n")
            done = bench.run(mock.url, "-m", "portia", "--always", "--similarity",
                             "embed:openai:e", "--retries", "1")
            expect(done.returncode in (0, 1, 3), place, done.returncode, done.stderr)
            expect_unseen(place, bench, done.stdout + done.stderr + shown(bench))
            expect(mock.counts()["by_rule"][0] > 0, place, "never happened")


if __name__ == "__main__":
    if "many_faults" in sys.argv[3:]:
        test(many_faults)
    sys.exit(main())
