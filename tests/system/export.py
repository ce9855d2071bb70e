#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What `export` writes: the same again when it is read back, and plain to other programs.

    export.py EVENHAND SHARED

A data set with everything that makes a file hard to read goes into a ledger, out as JSONL
and CSV, through Python's json and csv and, where they are there, pandas and DuckDB, and
into a second ledger, which must be equal.
"""
import csv
import importlib.util
import json
import subprocess
from pathlib import Path

from tap import EVENHAND, EXAMPLES, check, finish, must, only_judge, rows, run, scratch, skip, \
    summary, write_rows

HARD = ["plain", "two\nlines", "a \"quoted\", and a comma", "cr\rlf\r\n", " spaces ",
        "=1+1", "{\"content\": \"not an object\"}", "{", "null", "007", "1e5",
        "Gr\u00fc\u00dfe \U0001f600", "line\u2028separator", "tab\tand \\ and '", "true"]
PAIR_TEXTS = ("id", "question", "answer_1", "answer_2", "model_1", "model_2", "category",
              "reference", "short_question")
REASONS = ["refusal", "truncated", "empty", "no_verdict", "unspecified", "out_of_range"]


def make_pairs():
    pairs = []
    for i, text in enumerate(HARD):
        pair = {"id": f"{i:03d}" if i % 2 else f"pair {i}", "question": f"{text}?",
                "answer_1": text, "answer_2": HARD[i - 1]}
        if i % 3 == 0:
            pair |= {"model_1": "1", "model_2": "m,2", "category": text}
        if i % 4 == 0:
            pair["meta"] = {"source": text, "n": i, "list": [1, None, {"a": True}]}
        if i % 5 == 0:
            pair |= {"reference": text, "short_question": "short"}
        pairs.append(pair)
    pairs.append({"id": "talk", "question": "d",
                  "turns": [{"role": "user", "content": "a\n\"b\""},
                            {"role": "assistant", "content": "c"}],
                  "answer_1": "e", "answer_2": "f"})
    return pairs


def make_judgments(pairs):
    """Judge a: scores and replies, both orders. Judge b: ratings. Judge c: bare verdicts,
    failures of every kind, replies with their fate beside them."""
    out = []
    for i, pair in enumerate(pairs):
        text = HARD[i % len(HARD)]
        for order in ("12", "21"):
            for sample in range(2):
                score = (i + sample) % 10 + .1
                out.append({"pair_id": pair["id"], "judge": "a", "order": order,
                            "sample": sample, "reply": f"{text}", "score_1": score,
                            "score_2": 5.0, "verdict": "1" if score > 5 else "2"})
            out.append({"pair_id": pair["id"], "judge": "b, \"the\" 2nd", "order": order,
                        "sample": 0, "rating": i % 5 + 1,
                        "verdict": ["1", "1", "tie", "2", "2"][i % 5]})
        last = {"pair_id": pair["id"], "judge": "c", "order": "12", "sample": 0}
        if i % 2:
            last |= {"verdict": "tie", "finish_reason": "length", "reply": text,
                     "reasoning_content": text[::-1], "refusal": "no\nway"}
        else:
            last |= {"verdict": None, "reason": REASONS[i // 2 % len(REASONS)]}
        out.append(last)
    return out


def make_labels(pairs):
    labels = [{"pair_id": p["id"], "annotator": f"ann {i % 3},", "label": ["1", "2", "tie"][i % 3]}
              for i, p in enumerate(pairs)]
    labels[0] |= {"side": "21", "familiar": False, "note": "a \"note\"\nof two lines",
                  "time": "2026-01-02T03:04:05Z"}
    labels[1] |= {"familiar": True, "adjudicated": True}
    return labels


def export_all(ledger, folder, kind):
    for what in ("judgments", "pairs", "labels"):
        with open(folder / f"{what}.{kind}", "wb") as out:
            subprocess.run([EVENHAND, "export", ledger, what, "--format", kind], stdout=out,
                           check=True, timeout=300)


def take(folder, kind, ledger):
    must("import", "judgments", folder / f"judgments.{kind}", "--pairs",
         folder / f"pairs.{kind}", "--labels", folder / f"labels.{kind}", "-o", ledger)


def without_null(row):
    return {k: v for k, v in row.items() if v is not None}


def by_key(judgments):
    return {(j["judge"], j["pair_id"], j["order"], j["sample"]): without_null(j)
            for j in judgments}


def read_csv(path):
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def csv_judgment(row):
    out = {k: v for k, v in row.items() if v != ""}
    out["sample"] = int(out["sample"])
    for name in ("score_1", "score_2"):
        if name in out:
            out[name] = float(out[name])
    if "rating" in out:
        out["rating"] = int(out["rating"])
    return out


def csv_pair(row):
    out = {k: v for k, v in row.items() if v != ""}
    return out | {k: json.loads(out[k]) for k in ("turns", "meta") if k in out}


def csv_label(row):
    out = {k: v for k, v in row.items() if v != ""}
    return out | {k: out[k] == "true" for k in ("familiar", "adjudicated") if k in out}


def check_contents(folder, pairs, judgments, labels):
    want = by_key(judgments)
    got = by_key(rows(folder / "judgments.jsonl"))
    check("JSONL judgments are those that went in", got == want,
          [(got.get(k), v) for k, v in want.items() if got.get(k) != v][:2])
    got = by_key(map(csv_judgment, read_csv(folder / "judgments.csv")))
    check("CSV judgments too", got == want,
          [(got.get(k), v) for k, v in want.items() if got.get(k) != v][:2])
    got = rows(folder / "pairs.jsonl")
    check("JSONL pairs are those that went in, in order", got == pairs,
          [(g, w) for g, w in zip(got, pairs) if g != w][:2])
    got = list(map(csv_pair, read_csv(folder / "pairs.csv")))
    check("CSV pairs too", got == pairs,
          [(g, w) for g, w in zip(got, pairs) if g != w][:2])
    check("JSONL labels too", rows(folder / "labels.jsonl") == labels)
    got = list(map(csv_label, read_csv(folder / "labels.csv")))
    check("CSV labels too", got == labels, [(g, w) for g, w in zip(got, labels) if g != w][:2])


def check_back(folder, ledger, kind):
    again = folder / f"again-{kind}"
    again.mkdir()
    take(folder, kind, again / "run.db")
    export_all(again / "run.db", again, kind)
    same = [what for what in ("judgments", "pairs", "labels")
            if (again / f"{what}.{kind}").read_bytes() ==
            (folder / f"{what}.{kind}").read_bytes()]
    check(f"{kind}: read back and exported again, the bytes are the same", len(same) == 3,
          same)
    check(f"{kind}: and so is show --json", summary(again / "run.db") == summary(ledger))


def check_pandas(folder, n):
    if not importlib.util.find_spec("pandas"):
        skip("pandas reads all of it without options", "no pandas")
        return
    import pandas
    j = pandas.read_json(folder / "judgments.jsonl", lines=True)
    c = pandas.read_csv(folder / "judgments.csv")
    a = c[c.judge == "a"]
    check("pandas reads all of it without options",
          len(j) == len(c) == n and abs(a.score_1.mean() - j[j.judge == "a"].score_1.mean())
          < 1e-12 and len(pandas.read_csv(folder / "pairs.csv")) == len(HARD) + 1 and
          len(pandas.read_json(folder / "pairs.jsonl", lines=True)) == len(HARD) + 1 and
          len(pandas.read_csv(folder / "labels.csv")) == len(HARD) + 1)


def check_duckdb(folder, n):
    if not importlib.util.find_spec("duckdb"):
        skip("DuckDB reads all of it without options", "no duckdb")
        return
    import duckdb
    counts = [duckdb.sql(f"SELECT count(*) FROM '{folder / name}'").fetchone()[0]
              for name in ("judgments.jsonl", "judgments.csv", "pairs.jsonl", "pairs.csv",
                           "labels.jsonl", "labels.csv")]
    means = [duckdb.sql(f"SELECT avg(score_1) FROM '{folder / name}' WHERE judge = 'a'")
             .fetchone()[0] for name in ("judgments.jsonl", "judgments.csv")]
    check("DuckDB reads all of it without options",
          counts == [n, n] + 4 * [len(HARD) + 1] and abs(means[0] - means[1]) < 1e-12,
          (counts, means))


def check_hard(folder):
    pairs, ledger = make_pairs(), folder / "run.db"
    judgments, labels = make_judgments(pairs), make_labels(pairs)
    given = folder / "given"
    given.mkdir()
    for what, items in (("pairs", pairs), ("judgments", judgments), ("labels", labels)):
        write_rows(given / f"{what}.jsonl", items)
    take(given, "jsonl", ledger)
    for kind in ("jsonl", "csv"):
        export_all(ledger, folder, kind)
    check_contents(folder, pairs, judgments, labels)
    for kind in ("jsonl", "csv"):
        check_back(folder, ledger, kind)
    check_pandas(folder, len(judgments))
    check_duckdb(folder, len(judgments))
    names = {r["annotator"] for r in map(json.loads, must(
        "export", ledger, "labels", "--pseudonyms").splitlines())}
    check("pseudonyms", names == {"annotator-1", "annotator-2", "annotator-3"}, names)


def check_run(folder):
    """A run's own judgments: imported they give the run's numbers, and its exported pairs
    are the pairs that it knows."""
    ledger, out = folder / "own.db", folder / "own"
    out.mkdir()
    judge = ("-j", "sim:first=1,noise=0.5,refuse=0.1,cut=.05,garble=.05", "-m", "mec+bpc", "-k", "3",
             "--max-failed", "100%")
    must("run", EXAMPLES / "pairs.jsonl", *judge, "-o", ledger)
    for kind in ("jsonl", "csv"):
        export_all(ledger, out, kind)
        done = run("run", out / f"pairs.{kind}", *judge, "-o", ledger)
        check(f"{kind}: a run over the exported pairs has nothing to ask",
              done.returncode == 0 and " 0 new calls" in done.stderr, done.stderr)
        take(out, kind, out / f"{kind}.db")
        got, want = only_judge(out / f"{kind}.db"), only_judge(ledger)
        keys = ("pairs", "counts", "position", "conflict", "conflict_by_sample", "rulings",
                "win_rate", "win_rate_soft", "bpde", "failed")
        faults = [k for k in keys if got[k] != want[k]]
        check(f"{kind}: its judgments give its numbers", not faults and want["failed"],
              [(k, got[k], want[k]) for k in faults])


def check_left(folder):
    ledger = folder / "portia.db"
    must("run", EXAMPLES / "pairs.jsonl", "-j", "sim:first=2", "-m", "portia", "-q", "-o",
         ledger)
    done = run("export", ledger, "judgments")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    stages = only_judge(ledger)["portia"]["by_stage"]
    later = stages["length"]["calls"] + stages["semantic"]["calls"]
    check("of portia the plain pairs are exported, and the rest is counted",
          len(lines) == stages["plain"]["calls"] and later > 0 and
          f"left out: {later} answers about parts" in done.stderr, done.stderr)
    bare = folder / "bare.db"
    write_rows(folder / "j.jsonl", [{"pair_id": "x", "order": "12", "sample": 0,
                                     "verdict": "1"}])
    must("import", "auto", folder / "j.jsonl", "-o", bare)
    done = run("export", bare, "pairs", "--format", "csv")
    check("pairs without texts are left out, with a word",
          done.returncode == 0 and done.stdout.startswith("id,question,") and
          done.stdout.count("\n") == 1 and "1 pair without texts" in done.stderr,
          done.stderr)


def check_names(folder):
    ledger = folder / "two.db"
    for t in ("0.2", "0.9"):
        must("run", EXAMPLES / "pairs.jsonl", "-j", "sim:noise=1", "-m", "bpc",
             "--temperature", t, "-q", "-o", ledger)
    names = {json.loads(line)["judge"]
             for line in must("export", ledger, "judgments").splitlines()}
    check("judges of one id are told apart as in the summary",
          names == set(summary(ledger)["judges"]) and len(names) == 2, names)


with scratch() as name:
    base = Path(name)
    check_hard(base)
    check_run(base)
    check_left(base)
    check_names(base)
finish()
