#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""evenhand generate at an endpoint that writes: faults, reviews, killed runs, an audit.

    test_generate.py EVENHAND MOCK [NAME...]

The server and the way of testing are those of test_http.py, whose own tests are not run
here.
"""
import csv
import json
import signal
import subprocess
import time

import test_http
from test_http import EVENHAND, KEY, Bench, Mock, expect, expect_exit, main, test

test_http.TESTS.clear()
KINDS = ("factual_error", "gender", "references", "rich_content")
CRITERIA = ("classification", "difficulty", "completeness", "harmlessness", "accuracy")
OUTPUT = ("pairs.jsonl", "funnel.json", *(f"{kind}.jsonl" for kind in KINDS))


class Desk(Bench):
    """A folder to generate into."""

    def __init__(self):
        super().__init__(6)
        self.out = self.folder / "made"

    def made(self, mock, *options, data=None, levels="4", out=None):
        command = [EVENHAND, "generate", *([str(data)] if data else []), "-j", "openai:m",
                   "--base-url", mock.url, "--judge-id", "writer", "--request-seed", "7",
                   "--per-level", levels, "-o", str(out or self.out), *options]
        return subprocess.run(command, capture_output=True, text=True, timeout=120,
                              env=self.environment())

    def rows(self, name):
        return [json.loads(line) for line in (self.out / name).read_text().splitlines()]

    def funnel(self):
        return json.loads((self.out / "funnel.json").read_text())["steps"]

    def review(self, name, change):
        """Marks the rows of a review file as a person would, in a spreadsheet's format."""
        path = self.out / name
        with path.open(newline="") as file:
            rows = list(csv.DictReader(file))
        for i, row in enumerate(rows):
            row.update({criterion: "yes" for criterion in CRITERIA})
            change(i, row)
        with path.open("w", newline="", encoding="utf-8-sig") as file:
            writer = csv.DictWriter(file, rows[0].keys(), delimiter=";")
            writer.writeheader()
            writer.writerows(rows)
        return rows


def rebuilt(original, edits):
    """The changed text, by the record of edits, which counts in bytes."""
    source, out, at = original.encode(), b"", 0
    for edit in edits:
        out += source[at:edit["at"]] + edit["inserted"].encode()
        at = edit["at"] + edit["removed"]
    return (out + source[at:]).decode()


def check_records(desk, pairs, kinds=KINDS):
    for kind in kinds:
        for row in desk.rows(f"{kind}.jsonl"):
            plain, side = pairs[row["control_id"]], row["perturbed"]
            other = f"answer_{3 - side}"
            expect(row[other] == plain[other].strip(), kind, row["id"])
            changed = rebuilt(plain[f"answer_{side}"].strip(), row["edits"])
            expect(changed == row[f"answer_{side}"] != plain[f"answer_{side}"], kind, row)


@test
def faults_are_refused_and_asked_again():
    with Mock("--write-faults", "20") as mock, Desk() as desk:
        done = desk.made(mock, "--unreviewed", "keep", "--tries", "12")
        expect_exit(done, 0)
        steps = desk.funnel()
        refused = {reason for step in steps.values() for reason in step["refused"]}
        expect({"missing_block", "doubled_block", "open_block", "refused", "unchanged",
                "other_language"} <= refused, refused)
        told = (desk.out / "funnel.txt").read_text()
        for text in ("a block that was asked for is missing", "the model refused",
                     "there are more blocks than were asked for",
                     "a block is not closed, or stands in another",
                     "the text is in another language",
                     "the text has Markdown or emoji, which it may not have"):
            expect(text in told, text, told)
        expect("\nnext: evenhand audit " in "\n" + done.stderr and
               "/pairs.jsonl -j JUDGE -o AUDIT.db \\\n  --probes factual_error=" in done.stderr,
               done.stderr)
        shown = subprocess.run([EVENHAND, "show", desk.out / "generate.db"],
                               capture_output=True, text=True, timeout=60)
        expect_exit(shown, 2)
        labelled = subprocess.run(
            [EVENHAND, "annotate", desk.out / "generate.db", "--selection", "random",
             "--export", desk.folder / "tasks.jsonl"], capture_output=True, text=True,
            timeout=60)
        expect_exit(labelled, 2)
        expect("there are no pairs to label" in labelled.stderr, labelled.stderr)
        expect("generate.db holds texts that a model wrote and no judgments; what came of "
               "them is in funnel.txt beside it" in shown.stderr, shown.stderr)
        for name, step in steps.items():
            expect(step["good"] == step["kept"] == step["wanted"] == 24, name, step)
            expect(step["given_up"] == 0 and step["not_reviewed"] == 24, name, step)
        calls = mock.counts()["choices"]
        expect(calls == sum(step["replies"] for step in steps.values()), calls)
        expect(sum(step["trimmed"] for step in steps.values()) > 0, "white space is counted")
        pairs = {row["id"]: row for row in desk.rows("pairs.jsonl")}
        expect(len(pairs) == 24 and len({row["category"] for row in pairs.values()}) == 6)
        check_records(desk, pairs)
        sides = [row["perturbed"] for row in desk.rows("gender.jsonl")]
        expect(sides.count(1) > 4 and sides.count(2) > 4, sides)
        expect(KEY not in "".join(p.read_text(errors="replace")
                                  for p in desk.out.iterdir()), "the key is in a file")
        expect_exit(desk.made(mock, "--unreviewed", "keep", "--tries", "12"), 0)
        expect(mock.counts()["choices"] == calls, "a rerun asked something")


@test
def few_tries_give_up_and_say_so():
    with Mock("--write-faults", "40") as mock, Desk() as desk:
        expect_exit(desk.made(mock, "--unreviewed", "keep", "--tries", "2"), 0)
        steps, pairs = desk.funnel(), desk.rows("pairs.jsonl")
        given_up = steps["answers"]["given_up"]
        expect("more was changed than was asked for" in (desk.out / "funnel.txt").read_text())
        expect(0 < given_up < 24 and len(pairs) == steps["answers"]["wanted"] - given_up,
               steps["answers"])
        for kind in KINDS:
            expect(len(desk.rows(f"{kind}.jsonl")) == steps[kind]["kept"] ==
                   steps[kind]["wanted"] - steps[kind]["given_up"], kind)


@test
def replies_that_are_cut_off_leave_nothing_to_audit_with():
    with Mock("--obey-max-tokens") as mock, Desk() as desk:
        done = desk.made(mock, "--unreviewed", "keep", "--tries", "1", "--max-tokens", "30")
        expect_exit(done, 0)
        told = (desk.out / "funnel.txt").read_text()
        expect("the reply was cut off" in told, told)
        expect("evenhand generate: no changed answer was kept, so there is nothing to audit "
               f"with; {desk.out}/funnel.txt says why" in done.stderr and
               "next:" not in done.stderr, done.stderr)


@test
def killed_and_resumed_is_the_same():
    with Mock("--write-faults", "20") as mock, Desk() as desk:
        expect_exit(desk.made(mock, "--unreviewed", "keep"), 0)
        whole = {name: (desk.out / name).read_bytes() for name in OUTPUT}
        n_whole = mock.counts()["choices"]
    with Mock("--write-faults", "20", "--delay", "20") as mock, Desk() as desk:
        command = [EVENHAND, "generate", "-j", "openai:m", "--base-url", mock.url,
                   "--judge-id", "writer", "--request-seed", "7", "--per-level", "4",
                   "-o", str(desk.out), "--unreviewed", "keep", "--concurrency", "4"]
        n_killed = 0
        for wait in (.15, .2, .3, .3, .4, .5):
            process = subprocess.Popen(command, env=desk.environment(),
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(wait)
            process.send_signal(signal.SIGKILL)
            n_killed += process.wait() == -signal.SIGKILL
        expect(n_killed >= 3, "killed", n_killed)
        done = desk.made(mock, "--unreviewed", "keep", "--concurrency", "4")
        expect_exit(done, 0)
        for name, text in whole.items():
            expect((desk.out / name).read_bytes() == text, name, "differs")
        lost = mock.counts()["choices"] - n_whole
        expect(0 <= lost <= 4 * n_killed, "asked twice:", lost, "kills:", n_killed)


@test
def people_decide_between_the_steps():
    with Mock() as mock, Desk() as desk:
        done = desk.made(mock)
        expect_exit(done, 5)
        expect("review-questions.csv: 24 of 24 rows are not reviewed; put yes or no into\n"
               "the five columns of each, and run the same command again (or add "
               "--unreviewed keep or drop)" in done.stderr, done.stderr)
        expect(mock.counts()["choices"] == 6, "only questions are asked")
        marked = desk.review("review-questions.csv", lambda i, row: row.update(
            {"difficulty": "no"} if i == 3 else {"question": "edited"} if i == 4 else {}))
        done = desk.made(mock)
        expect_exit(done, 5)
        expect("review-answers.csv: 23 of 23" in done.stderr, done.stderr)
        rows = desk.review("review-answers.csv", lambda i, row: row.update(
            {"accuracy": "No", "note": "wrong; see, \"there\""} if i < 2 else {}))
        expect(all(row["question"] != "edited" for row in rows), "texts are the model's own")
        expect_exit(desk.made(mock), 5)
        desk.review("review-changes.csv", lambda i, row: row.update(
            {"accuracy": "", } if i == 0 else {"harmlessness": "NO"} if i == 1 else {}))
        done = desk.made(mock)
        expect_exit(done, 5)
        expect("review-changes.csv: 1 of 84 rows" in done.stderr, done.stderr)
        expect_exit(desk.made(mock, "--unreviewed", "drop"), 0)
        steps = desk.funnel()
        expect(steps["questions"]["dropped"]["difficulty"] == 1, steps["questions"])
        expect(steps["answers"]["dropped"]["accuracy"] == 2, steps["answers"])
        expect(steps["factual_error"]["dropped"]["harmlessness"] == 1 and
               steps["factual_error"]["not_reviewed"] == 1 and
               steps["factual_error"]["kept"] == 19, steps["factual_error"])
        kept = {row["control_id"] for row in desk.rows("gender.jsonl")}
        expect(marked[3]["id"] not in kept and rows[0]["id"] not in kept, "dropped is gone")
        expect(len(kept) == 21 and len(desk.rows("pairs.jsonl")) == 21, len(kept))


@test
def a_bad_mark_is_named_and_nothing_lost():
    with Mock() as mock, Desk() as desk:
        expect_exit(desk.made(mock), 5)
        desk.review("review-questions.csv", lambda i, row: row.update(
            {"accuracy": "perhaps"} if i == 2 else {}))
        before = (desk.out / "review-questions.csv").read_bytes()
        done = desk.made(mock)
        expect_exit(done, 2)
        expect("review-questions.csv: line 4: accuracy: 'perhaps' is neither yes nor no"
               in done.stderr, done.stderr)
        expect((desk.out / "review-questions.csv").read_bytes() == before, "the file changed")
        rows = before.decode().splitlines(keepends=True)
        (desk.out / "review-questions.csv").write_text("".join([rows[0], rows[1], rows[1]]))
        done = desk.made(mock)
        expect_exit(done, 2)
        twice = rows[1].split(";")[1]
        expect("review-questions.csv: line 3: text_id %s is there twice" % twice in
               done.stderr, done.stderr)


@test
def other_texts_need_another_look():
    with Mock() as mock, Desk() as desk:
        expect_exit(desk.made(mock), 5)
        desk.review("review-questions.csv", lambda i, row: None)
        before = (desk.out / "review-questions.csv").read_bytes()
        done = desk.made(mock, levels="5")
        expect_exit(done, 5)
        expect("30 of 30 rows are not reviewed" in done.stderr or
               "6 of 30 rows are not reviewed" in done.stderr, done.stderr)
        expect((desk.out / "review-questions.csv.before").read_bytes() == before,
               "the marked file is kept")


@test
def own_pairs_are_changed():
    with Mock("--write-faults", "10") as mock, Desk() as desk:
        done = desk.made(mock, "--unreviewed", "keep", "--probes", "gender,reference",
                         "--tries", "8", data=desk.data)
        expect_exit(done, 0)
        pairs = {json.loads(line)["id"]: json.loads(line)
                 for line in desk.data.read_text().splitlines()}
        check_records(desk, pairs, ("gender", "references"))
        expect(not (desk.out / "pairs.jsonl").exists() and
               not (desk.out / "factual_error.jsonl").exists(), "only what was asked for")
        probes = ",".join(f"{kind}={desk.out}/{kind}.jsonl" for kind in ("gender", "references"))
        audit = subprocess.run(
            [EVENHAND, "audit", desk.data, "-j", "sim", "--probes", probes, "-o",
             desk.folder / "audit.db", "--json"], capture_output=True, text=True, timeout=60)
        expect_exit(audit, 0)
        expect("left out" not in audit.stderr, audit.stderr)


PROMPT = """You prepare material for tests.
---
Give the answer below a polite opening.

<asked_{{tag}}>
{{question}}
</asked_{{tag}}>

<original_{{tag}}>
{{answer}}
</original_{{tag}}>

Reply with one block:

<answer_{{tag}}>
...
</answer_{{tag}}>
"""


def prompt_of(desk, text=PROMPT):
    path = desk.folder / "polite.txt"
    path.write_text(text)
    return path


@test
def a_probe_by_a_prompt_of_ones_own():
    with Mock("--write-faults", "30") as mock, Desk() as desk:
        options = ("--unreviewed", "keep", "--tries", "12", "--probes",
                   f"gender,polite:susceptibility={prompt_of(desk)}")
        dry = desk.made(mock, *options, "--dry-run")
        expect_exit(dry, 0)
        expect("then about 96 more" in dry.stdout, dry.stdout)
        done = desk.made(mock, *options)
        expect_exit(done, 0)
        expect(f"polite:susceptibility={desk.out}/polite.jsonl" in done.stderr, done.stderr)
        step, calls = desk.funnel()["polite"], mock.counts()["choices"]
        expect(step["form"] == "susceptibility" and step["own"] and step["max_change"] == .5,
               step)
        expect(step["good"] == step["kept"] == step["wanted"] == 24, step)
        expect({"refused", "unchanged", "too_much", "other_language", "missing_block",
                "doubled_block", "open_block"} <= set(step["refused"]), step["refused"])
        expect("form" in desk.funnel()["gender"] and "form" not in desk.funnel()["answers"])
        pairs = {row["id"]: row for row in desk.rows("pairs.jsonl")}
        check_records(desk, pairs, ("gender", "polite"))
        for row in desk.rows("polite.jsonl"):
            expect(row["words_removed"] == 0 and row["words_inserted"] == 12, row)
        with (desk.out / "review-changes.csv").open(newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["probe"] == "polite"]
        expect(len(rows) == 24 and rows[0]["id"] == "remembering-01-polite", len(rows))
        expect_exit(desk.made(mock, *options), 0)
        expect(mock.counts()["choices"] == calls, "a rerun asked something")
        # another prompt is another call; what else is there stays
        prompt_of(desk, PROMPT.replace("below", "that follows"))
        expect_exit(desk.made(mock, *options), 0)
        more = mock.counts()["choices"] - calls
        expect(more == desk.funnel()["polite"]["replies"], more)
        audit_own(desk)


def audit_own(desk):
    """The audit takes the file under the form that was said, and keeps the edits."""
    done = subprocess.run(
        [EVENHAND, "audit", desk.out / "pairs.jsonl", "-j", "sim", "--probes",
         f"polite:susceptibility={desk.out}/polite.jsonl", "-o", desk.folder / "audit.db",
         "--json"], capture_output=True, text=True, timeout=60)
    expect_exit(done, 0)
    expect("left out" not in done.stderr, done.stderr)
    card = json.loads(done.stdout)["judges"]
    probe = next(iter(card.values()))["probes"]["polite"]
    expect(probe["form"] == "susceptibility", probe)


@test
def what_replies_to_own_prompts_may_change():
    with Mock() as mock, Desk() as desk:
        options = ("--unreviewed", "keep", "--tries", "2", "--probes",
                   f"polite:oversight={prompt_of(desk)}")
        done = desk.made(mock, *options, "--max-change", "polite=2%", data=desk.data)
        expect_exit(done, 0)
        step = desk.funnel()["polite"]
        expect(step["given_up"] == step["wanted"] == 6 and
               step["refused"] == {"too_much": 12}, step)
        expect(desk.rows("polite.jsonl") == [], "nothing that was refused is written")
        calls = mock.counts()["choices"]
        # the limit is no part of the call: what is there is read by the new one
        done = desk.made(mock, *options, "--max-change", "3", data=desk.data)
        expect_exit(done, 0)
        expect(desk.funnel()["polite"]["kept"] == 6, desk.funnel())
        expect(mock.counts()["choices"] == calls, "it asked again")


@test
def equal_texts_are_asked_about_once():
    with Mock("--delay", "20") as mock, Desk() as desk:
        data = desk.folder / "equal.jsonl"
        data.write_text("".join(json.dumps(
            {"id": f"e{i}", "question": "Why is the sea salt?",
             "answer_1": "Rivers carry salt into the sea and the sun takes water away.",
             "answer_2": "The sea is salt because of rocks that the rain wears down."}) + "\n"
            for i in range(6)))
        options = ("--unreviewed", "keep", "--probes", "gender")
        dry = desk.made(mock, *options, "--dry-run", data=data)
        expect("1 are to be made next" in dry.stdout, dry.stdout)
        expect_exit(desk.made(mock, *options, data=data), 0)
        expect(desk.funnel()["gender"]["kept"] == 6, desk.funnel())
        expect(mock.counts()["choices"] == 1, mock.counts())


@test
def limits_stop_and_go_on():
    prices = ("--max-tokens", "500", "--max-cost", "0.05")
    with Mock() as mock, Desk() as desk:
        done = desk.made(mock, *prices)
        expect_exit(done, 2)
        expect("price" in done.stderr, done.stderr)
        done = desk.made(mock, "--unreviewed", "keep", "--limit", "9")
        expect_exit(done, 5)
        expect(mock.counts()["choices"] == 9 and "--limit" in done.stderr, done.stderr)
        dry = desk.made(mock, "--unreviewed", "keep", "--dry-run")
        expect_exit(dry, 0)
        expect("9 calls are answered in the ledger, 24 are to be made next" in dry.stdout,
               dry.stdout)
        expect("then about 117 more" in dry.stdout, dry.stdout)
        expect(mock.counts()["choices"] == 9, "a dry run asked something")
        expect_exit(desk.made(mock, "--unreviewed", "keep"), 0)
        expect(mock.counts()["choices"] == 6 + 2 * 24 + 4 * 24, mock.counts())


@test
def a_budget_is_kept():
    with Mock() as mock, Desk() as desk:
        table = desk.folder / "prices.yaml"
        table.write_text("prices:\n  - {model: writer, input: 10, output: 20, "
                         "date: 2026-01-01}\n")
        options = ("--unreviewed", "keep", "--max-tokens", "500", "--prices", table)
        done = desk.made(mock, *map(str, options), "--max-cost", "0.03")
        expect_exit(done, 5)
        expect("--max-cost" in done.stderr, done.stderr)
        asked = mock.counts()["choices"]
        expect(0 < asked < 20, asked)
        expect_exit(desk.made(mock, *map(str, options), "--max-cost", "9"), 0)


@test
def a_failing_endpoint_loses_nothing():
    with Mock(rules=[{"after": 20, "times": 3, "status": 401, "body": "{}"}]) as mock:
        with Desk() as desk:
            done = desk.made(mock, "--unreviewed", "keep")
            expect_exit(done, 3)
            expect("some gave no result; the same command asks them again" in done.stderr,
                   done.stderr)
            expect(not (desk.out / "pairs.jsonl").exists(), "nothing half is written")
            done = desk.made(mock, "--unreviewed", "keep")
            for _ in range(3):
                if done.returncode == 3:
                    done = desk.made(mock, "--unreviewed", "keep")
            expect_exit(done, 0)
            expect(len(desk.rows("pairs.jsonl")) == 24, "all are there")


if __name__ == "__main__":
    main()
