#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Pairs out of many systems' answers: what each design makes, and that a system which is
added costs its own pairs only."""
import gzip
import json
from pathlib import Path

from many import answers
from tap import check, finish, must, rows, run, scratch, write_rows

STRENGTHS = {"a": 6, "b": 5, "c": 5.4, "d": 4, "e": 5}
N = 25


def prepare(folder):
    made = answers(STRENGTHS, N, 5)
    write_rows(Path(folder) / "questions.jsonl",
               [{"question_id": q, "text": f"What about {q}?", "category": "odd" if q % 2
                 else "even", "reference": "A reference."} for q in range(N)])
    for name in STRENGTHS:
        write_rows(Path(folder) / f"{name}.jsonl",
                   [{"question_id": q, "text": made[q][name][0], "model": name}
                    for q in range(N)])
    return made


def make(folder, names, design, *more):
    out = Path(folder) / f"{''.join(names)}-{design.replace(':', '-')}.jsonl"
    must("pairs", "--questions", Path(folder) / "questions.jsonl", "--design", design,
         "-o", out, "--quiet", *more, *(Path(folder) / f"{n}.jsonl" for n in names))
    return out


def check_designs(folder, made):
    for design, per_question in (("all", 10), ("baseline:c", 4), ("balanced:2", 7)):
        data = make(folder, "abcde", design)
        got = rows(data)
        check(f"{design}: {per_question} pairs a question", len(got) == N * per_question and
              len({row["id"] for row in got}) == len(got), len(got))
        check(f"{design}: the right texts", all(
            row["answer_1"] == made[int(row["question"].split()[-1][:-1])][row["model_1"]][0]
            and row["answer_2"] == made[int(row["question"].split()[-1][:-1])]
            [row["model_2"]][0] and row["reference"] == "A reference." for row in got))
        must("check", data)
        smaller = {row["id"]: row for row in rows(make(folder, "abcd", design))}
        larger = {row["id"]: row for row in got}
        check(f"{design}: without the last system the others' pairs are the same",
              smaller == {i: row for i, row in larger.items()
                          if "e" not in (row["model_1"], row["model_2"])})
    by_option = must("pairs", "--questions", Path(folder) / "questions.jsonl", "--answers",
                     f"{folder}/a.jsonl,{folder}/b.jsonl", Path(folder) / "c.jsonl", "-q")
    check("files of --answers come before operands, output goes to standard output",
          by_option == make(folder, "abc", "all").read_text())


def check_growth(folder):
    ledger = Path(folder) / "run.db"
    judge = ["-j", "sim:first=1,noise=1", "-m", "bpc", "-o", ledger]
    must("run", make(folder, "abcd", "balanced:2"), *judge, "--quiet")
    before = must("rulings", ledger).splitlines()
    done = run("run", make(folder, "abcde", "balanced:2"), *judge)
    check("a system that is added asks its own pairs only",
          f"{2 * 2 * N} new calls" in done.stderr, done.stderr)
    after = must("rulings", ledger).splitlines()
    check("and the others' rulings stay", set(before) <= set(after) and
          len(after) == len(before) + 2 * N)
    got = json.loads(must("rank", ledger, "--json"))
    check("all five are ranked in one group", got["groups"] == 1 and
          set(got["models"]) == set(STRENGTHS) and
          got["models"]["a"]["strength"]["value"] > got["models"]["d"]["strength"]["value"])
    done = run("run", make(folder, "edcba", "all"), *judge)
    check("another design in another order asks no pair twice",
          f"{2 * (10 - 7) * N} new calls" in done.stderr, done.stderr)


def check_input(folder):
    packed = Path(folder) / "packed.jsonl.gz"
    packed.write_bytes(gzip.compress((Path(folder) / "e.jsonl").read_bytes()
                                     .replace(b', "model": "e"', b"")))
    out = must("pairs", "--questions", Path(folder) / "questions.jsonl", "--quiet",
               Path(folder) / "a.jsonl", packed)
    check("a file without models names its system itself",
          json.loads(out.splitlines()[0])["model_2"] == "packed", out[:300])
    short = Path(folder) / "short.jsonl"
    write_rows(short, [dict(row, model="short") for row in
                       rows(Path(folder) / "b.jsonl")[:10]])
    new = Path(folder) / "new.jsonl"
    args = ["pairs", "--questions", Path(folder) / "questions.jsonl", Path(folder) / "a.jsonl",
            Path(folder) / "c.jsonl", short, "-o", new]
    done = run(*args)
    check("answers that lack are errors, and nothing is written", done.returncode == 2 and
          done.stderr.count("missing_answer") == N - 10 and "--skip-bad" in done.stderr and
          not new.exists(), done.stderr)
    done = run(*args, "--skip-bad")
    check("unless they are to be left out", done.returncode == 0 and
          len(rows(new)) == N + 2 * 10, done.stderr)
    full = run("pairs", "--questions", Path(folder) / "questions.jsonl", "--quiet",
               Path(folder) / "a.jsonl", Path(folder) / "c.jsonl", "-o", "/dev/full")
    check("a full disk is said", full.returncode == 6 and "/dev/full" in full.stderr,
          full.stderr)


def main():
    with scratch() as folder:
        made = prepare(folder)
        check_designs(folder, made)
        check_growth(folder)
        check_input(folder)
    finish()


main()
