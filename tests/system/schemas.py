#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/schemas against what the command prints, and against the examples it reads.

    schemas.py EVENHAND SHARED [FOLDER]

Every output of JSON in the tests of tests/cli and in the commands below is validated by
the schema of its kind, with one thing added: an object may hold only what its schema
names, so that nothing is printed that is not written down. Each kind must have been met,
and each schema must refuse something. FOLDER keeps the outputs.
"""
import copy
import json
import os
import subprocess
import sys
from pathlib import Path

from tap import EVENHAND, EXAMPLES, SOURCE, check, finish, rows, run, scratch

try:
    import jsonschema
except ImportError:
    print("1..0 # SKIP python3-jsonschema is not there")
    sys.exit(0)

SCHEMAS = SOURCE / "docs" / "schemas"
PAIRS, LABELS = EXAMPLES / "pairs.jsonl", EXAMPLES / "labels.jsonl"
RECORDER = """#!/bin/sh
out=$(mktemp -p '{records}') || exit 9
'{evenhand}' "$@" >"$out"
status=$?
printf '%s\\0' "$@" >"$out.words"
cat "$out"
exit $status
"""
# What tests/cli does not print; run in this order in one folder.
COMMANDS = """
run pairs.jsonl -j sim:first=1.5,noise=.5 --labels labels.jsonl -o run.db --json
run pairs.jsonl -j sim:first=.5,noise=.5,seed=3 --labels labels.jsonl -o new.db --json
run pairs.jsonl -j sim:first=1,noise=.5 -m portia -t compare --always -o portia.db --json
run pairs.jsonl -j sim:noise=.5 -m standalone -o alone.db --json
run pairs.jsonl -j sim:first=1 -m vanilla --order both -o vanilla.db --json
run pairs.jsonl -j sim:first=1,refuse=.2 -t likert -m bpc -o likert.db --json
run pairs.jsonl -j sim:first=1.5,noise=.5 --pilot 20 -o pilot.db --json
show run.db --json
show run.db new.db --json
show run.db new.db --json --by category --methods --compat --label-price .4 --co2e .5
show run.db new.db --json --reference sim:first=1.5,noise=0.5 --bootstrap 100
show run.db --json --timing --co2e-hour 9
show run.db --json --estimate
annotate run.db --selection active --budget 20 --annotators ann --export tasks.jsonl
show run.db --json --estimate
rulings run.db
rulings run.db -m hitlc
rulings portia.db
rulings alone.db
export run.db judgments
export run.db pairs
export run.db labels
labels run.db export -
compare run.db new.db --json
rank run.db --json --length --style
drift run.db --json --sample 20
gate run.db conflict.high<=.2 failed.x<1 --json
merge run.db new.db -o merged.db --json
check pairs.jsonl --json
check broken.jsonl --json
verdict -t score --json
split tea.md --json
align tea.md other.md --json
audit pairs.jsonl -j sim:first=.5 --probes references,padding -k 1 -o audit.db --json
show audit.db --json
doctor --json
"""
REPLIES = [{"id": "a", "reply": "Score of the Assistant 1: 8\nScore of the Assistant 2: 6"},
           {"id": "b", "reply": "Both are fine."}]
# By a key that only one kind has at its top.
BY_KEY = {"schema": "summary", "estimates": "estimate",
          "pilot": "pilot", "compare": "compare", "rank": "rank", "drift": "drift",
          "gate": "gate", "merge": "merge"}
# Exit statuses other than 0 that are meant.
ENDS = {"run": (0, 1), "check": (0, 2), "gate": (4,)}
BY_VERB = {"check": "check", "split": "split", "align": "align", "verdict": "verdict"}


def kind_of(words, value):
    """The schema's name for what a command printed; None where it has none."""
    verb = words[0]
    if verb == "doctor":
        return "doctor" if "-j" in words or "--judge" in words else "build"
    if verb == "show" and "--timing" in words:
        return "timing"
    if verb in BY_VERB:
        return BY_VERB[verb]
    if "--self-test" in words:
        return "self-test"
    if any("probes" in judge for judge in value.get("judges", {}).values()):
        return "audit"
    return next((name for key, name in BY_KEY.items() if key in value), None)


def lines_kind(words):
    """The schema's name for the lines that a command printed."""
    if {"csv", "--format=csv", "--help", "-h", "--rest"} & set(words):
        return None
    plain = [word for word in words if not word.startswith("-")]
    if words[0] == "rulings":
        return "ruling"
    if words[0] == "pairs":
        return "pair"
    if words[0] == "export" and len(plain) > 2:
        return {"judgments": "judgment", "pairs": "pair", "labels": "label"}.get(plain[2])
    if words[0] == "labels" and "export" in words and words[-1] == "-":
        return "label"
    if words[0] == "verdict" and "--json" in words:
        return "verdict"
    return None


def record(folder):
    """Runs all commands; their words and outputs."""
    records = folder / "records"
    records.mkdir()
    recorder = folder / "evenhand"
    recorder.write_text(RECORDER.format(records=records,
                                        evenhand=Path(EVENHAND).resolve()))
    recorder.chmod(0o755)
    subprocess.run([SOURCE / "tests" / "cli" / "run", "--evenhand", recorder],
                   capture_output=True, check=False, timeout=250)
    work = folder / "work"
    work.mkdir()
    for path in (PAIRS, LABELS):
        (work / path.name).write_bytes(path.read_bytes())
    (work / "broken.jsonl").write_text('{"id": 1, "question": "q"}\n{"id"\n')
    (work / "tea.md").write_text("# Tea\n\nWarm the pot. Add leaves.\n\n- Pour.\n- Wait.\n")
    (work / "other.md").write_text("Pour hot water on the leaves. Wait. Warm the pot.\n")
    for command in COMMANDS.strip().splitlines():
        words = command.split()
        stdin = "".join(json.dumps(row) + "\n" for row in REPLIES)
        done = subprocess.run([recorder, *words], cwd=work, capture_output=True,
                              input=stdin.encode(), check=False, timeout=60)
        check(command, done.returncode in ENDS.get(words[0], (0,)), done.stderr.decode())
    found = [(path.read_bytes().decode().split("\0")[:-1],
              path.with_suffix("").read_bytes().decode("utf-8", "replace"))
             for path in sorted(records.glob("*.words"))]
    found.append((["annotate", "--export"], (work / "tasks.jsonl").read_text()))
    return found


def values_of(words, text):
    """Pairs of the schema's name and a value that it must allow."""
    if words == ["annotate", "--export"]:
        return [("task", json.loads(line)) for line in text.splitlines()]
    kind = lines_kind(words) if words else None
    if kind:
        return [(kind, json.loads(line)) for line in text.splitlines()]
    if not words or "--json" not in words or not text.startswith("{"):
        return []
    value = json.loads(text)
    kind = kind_of(words, value)
    return [(kind, value)] if kind else []


def closed(schema):
    """The schema with every object closed that names its members."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    new = {key: closed(value) for key, value in schema.items()}
    if isinstance(new.get("properties"), dict) and new.get("type") in ("object", None,
                                                                     ["object", "null"]):
        new.setdefault("additionalProperties", False)
    return new


def faults_of(validator, value):
    return [f"{'.'.join(map(str, e.absolute_path))}: {e.message[:200]}"
            for e in validator.iter_errors(value)]


def damaged(value, schema):
    """A value that lacks what the schema requires, or is of another type."""
    new = copy.deepcopy(value)
    for key in schema.get("required", []):
        new.pop(key, None)
    return new if "required" in schema else []


def main():
    validators = {}
    for path in sorted(SCHEMAS.glob("*.schema.json")):
        schema = json.loads(path.read_text())
        validator = jsonschema.validators.validator_for(schema)
        try:
            validator.check_schema(schema)
            fault = ""
        except jsonschema.SchemaError as error:
            fault = error.message
        check(f"{path.name} is a schema", not fault, fault)
        validators[path.name.removesuffix(".schema.json")] = (
            schema, validator(closed(schema)))
    with scratch() as name:
        folder = Path(sys.argv[3]) if len(sys.argv) > 3 else Path(name)
        found = record(folder)
        values = [pair for words, text in found for pair in values_of(words, text)]
    values += [("pair", row) for row in rows(PAIRS)]
    values += [("label", row) for row in rows(LABELS)]
    for kind in sorted({kind for kind, _ in values} | set(validators)):
        these = [value for other, value in values if other == kind]
        if kind not in validators:
            check(f"{kind} has a schema", False)
            continue
        schema, validator = validators[kind]
        faults = [fault for value in these for fault in faults_of(validator, value)]
        check(f"{kind}: {len(these)} outputs are as the schema says",
              these and not faults, "\n".join(faults) or "no output")
        check(f"{kind}: what lacks its parts is refused",
              these and faults_of(validator, damaged(these[0], schema)))
    finish()


if __name__ == "__main__":
    main()
