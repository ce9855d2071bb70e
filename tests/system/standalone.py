#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Answers scored alone: each once however many pairs it is in, no slot and no conflict,
rulings that contradict each other never, ties by coarse scores."""
import json
from pathlib import Path

from many import all_pairs, answers
from tap import check, finish, must, only_judge, run, scratch, summary, write_rows

STRENGTHS = {"a": 6, "b": 5, "c": 5.4, "d": 4}
N_QUESTIONS = 30


def judged(folder, name, data, spec, *more):
    ledger = Path(folder) / f"{name}.db"
    done = run("run", data, "-j", spec, "-m", "standalone", "-o", ledger, *more)
    check(f"{name}: the run ends well", done.returncode == 0, done.stderr)
    return ledger, done.stderr


def check_sharing(folder, data, pairs):
    plan = must("run", data, "-j", "sim:noise=.4", "-m", "standalone", "--dry-run")
    n_answers = N_QUESTIONS * len(STRENGTHS)
    check("the dry run counts each answer once",
          f"{2 * len(pairs)} calls wanted, {n_answers} to be made" in plan, plan)
    ledger, said = judged(folder, "shared", data, "sim:noise=.4")
    check("an answer in several pairs is asked once",
          f"{n_answers} new calls, {2 * len(pairs) - n_answers} reused" in said, said)
    _, said = judged(folder, "shared", data, "sim:noise=.4")
    check("a rerun asks nothing", ", 0 new calls" in said, said)
    _, said = judged(folder, "shared", data, "sim:noise=.4", "-k", "3")
    check("more samples are another temperature, and all asked",
          f"{3 * n_answers} new calls" in said, said)
    more = Path(folder) / "more.jsonl"
    made = answers({**STRENGTHS, "e": 5}, N_QUESTIONS, 9)
    for question, row in enumerate(answers(STRENGTHS, N_QUESTIONS, 5)):
        made[question].update(row)
    write_rows(more, all_pairs(made))
    _, said = judged(folder, "shared", more, "sim:noise=.4")
    check("a system that is added costs its own answers only",
          f"{N_QUESTIONS} new calls" in said, said)
    return ledger


def check_numbers(folder, data, pairs):
    ledger, _ = judged(folder, "exact", data, "sim:step=0")
    judge = only_judge(ledger)
    truth = [row["quality_1"] > row["quality_2"] for row in pairs]
    rulings = [json.loads(line) for line in must("rulings", ledger).splitlines()]
    check("without noise the better answer always wins",
          [r["verdict"] == "1" for r in rulings] == truth)
    check("scores are those of the answers",
          all(abs(r["score_1"] - row["quality_1"]) < 1e-9 and
              abs(r["score_2"] - row["quality_2"]) < 1e-9
              for r, row in zip(rulings, pairs)), rulings[:2])
    check("there is no conflict to speak of", all(r["conflict"] is None for r in rulings))
    for key in ("position", "conflict", "conflict_by_sample", "win_rate_by_order"):
        members = dict(judge[key])
        why = members.pop("why")
        check(f"{key} is null and says why",
              why == "standalone" and set(members.values()) == {None}, judge[key])
    check("no triple goes in a circle", judge["transitivity"]["triples"] == 120 and
          judge["transitivity"]["rate"] == 0, judge["transitivity"])
    pairwise = Path(folder) / "pairwise.db"
    must("run", data, "-j", "sim:noise=2", "-m", "bpc", "-o", pairwise)
    check("rulings of pairs by a noisy judge do",
          only_judge(pairwise)["transitivity"]["circles"] > 0,
          only_judge(pairwise)["transitivity"])
    biased, _ = judged(folder, "biased", data, "sim:step=0,first=3,length=2")
    check("a judge that likes the first slot has none here",
          only_judge(biased)["win_rate"] == judge["win_rate"])
    coarse, _ = judged(folder, "coarse", data, "sim:step=2")
    ties = only_judge(coarse)["rulings"]
    check("coarse scores tie", ties["tie_agreed"] > len(pairs) / 5, ties)
    text = must("show", coarse)
    check("people are told", "have equal scores" in text and "no slot to prefer" in text,
          text)
    gate = run("gate", ledger, "conflict.high <= .2")
    check("a gate on conflicts is not met, and says why",
          gate.returncode == 4 and "undefined: standalone" in gate.stdout, gate.stdout)


def check_failures(folder, data, pairs):
    ledger, _ = judged(folder, "refusing", data, "sim:refuse=.2", "--max-failed", "100%")
    judge = only_judge(ledger)
    none = judge["rulings"]["none_by_reason"]
    check("failed answers leave pairs without ruling",
          none["one_answer_failed"] > 0 and none["both_answers_failed"] > 0 and
          sum(none.values()) == judge["rulings"]["none"], none)
    check("and are counted in every pair they are in", judge["failed"]["refusal"] ==
          judge["counts"]["12"]["failed"] + judge["counts"]["21"]["failed"] ==
          none["one_answer_failed"] + 2 * none["both_answers_failed"], judge["failed"])
    check("others' rulings stand", judge["win_rate"]["n"] ==
          len(pairs) - judge["rulings"]["none"])


def check_usage(folder, data):
    nowhere = Path(folder) / "no.db"
    for args, part in ((["-j", "longest", "-m", "standalone"], "reads prompts"),
                       (["-j", "sim", "-m", "bpc", "-t", "standalone"], "-m standalone"),
                       (["-j", "sim", "-m", "standalone", "-t", "json"], "-t standalone"),
                       (["-j", "sim", "-m", "standalone", "--pilot", "5"], "--pilot"),
                       (["-j", "sim", "-m", "standalone", "--order", "12"], "no order")):
        done = run("run", data, "-o", nowhere, *args)
        check(f"{' '.join(args)} is refused", done.returncode == 2 and part in done.stderr
              and not nowhere.exists(), done.stderr)
    ledger = Path(folder) / "both.db"
    must("run", data, "-j", "sim", "-m", "standalone", "-o", ledger)
    done = run("show", ledger, "-m", "bpc")
    check("its samples are not ruled by pairwise methods", done.returncode == 2 and
          "one answer at a time" in done.stderr, done.stderr)
    must("run", data, "-j", "sim", "-m", "bpc", "-o", ledger)
    check("beside a pairwise run each keeps to its own",
          list(summary(ledger)["judges"]) == ["sim#standalone", "sim#bpc"] and
          "standalone" not in must("show", ledger, "-m", "vanilla"))


def check_template(folder, data):
    own = Path(folder) / "own.yaml"
    own.write_text("name: own\nform: single\nfirst_name: Candidate\n"
                   "user: |\n  {{question}}\n  {{answer}}\n  Rate it: Rating: <1 to 10>\n")
    ledger, _ = judged(folder, "own", data, "sim", "-t", own)
    check("a template file of form single serves as well",
          only_judge(ledger)["template"] == "own")
    own.write_text("name: own\nform: single\nuser: |\n  {{first}} {{second}}\n")
    done = run("run", data, "-j", "sim", "-m", "standalone", "-t", own, "-o",
               Path(folder) / "no.db")
    check("one that shows two answers is refused",
          done.returncode == 2 and "{{answer}}" in done.stderr, done.stderr)


def main():
    with scratch() as folder:
        data = Path(folder) / "pairs.jsonl"
        pairs = all_pairs(answers(STRENGTHS, N_QUESTIONS, 5))
        write_rows(data, pairs)
        check_sharing(folder, data, pairs)
        check_numbers(folder, data, pairs)
        check_failures(folder, data, pairs)
        check_usage(folder, data)
        check_template(folder, data)
    finish()


main()
