#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""docs/schemas against what the command prints, and against the examples it reads.

    schemas.py EVENHAND SHARED MOCK [--all] [FOLDER]

Every output of JSON in the tests of tests/cli, in the commands below and in other suites
(a few; --all: nearly all) is validated by the schema of its kind. Each kind of each verb
must have been met. The schemas must be exact: closed, typed and described throughout,
nothing optional that is always there, and real outputs that are damaged in one place must
be refused, place by place. FOLDER keeps the outputs.
"""
import csv
import io
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import schema_tools
from tap import EVENHAND, EXAMPLES, SOURCE, check, finish, rows, scratch, write_rows

try:
    import jsonschema
except ImportError:
    print("1..0 # SKIP python3-jsonschema is not there")
    sys.exit(0)

ALL = "--all" in sys.argv
SHARED, MOCK, *KEPT = [word for word in sys.argv[2:] if word != "--all"]
SCHEMAS = SOURCE / "docs" / "schemas"
TESTS = SOURCE / "tests"
# The process stays the command's own, so that tests which kill it still do.
RECORDER = """#!/bin/bash
case $1 in annotate) exec '{evenhand}' "$@" ;; esac
out=$(mktemp -p '{records}') || exit 9
printf '%s\\0' "$@" >"$out.words"
exec '{evenhand}' "$@" > >(tee "$out")
"""
# What each verb with --json or --format prints, by the schemas' names.
KINDS = {
    "run": {"summary", "pilot"},
    "show": {"summary", "timing", "estimate", "guarantee", "audit"},
    "audit": {"audit", "self-test"},
    "compare": {"compare"}, "rank": {"rank"}, "drift": {"drift"}, "gate": {"gate"},
    "merge": {"merge"}, "check": {"check"}, "split": {"split"}, "align": {"align"},
    "verdict": {"verdict", "reread"}, "doctor": {"build", "doctor"},
    "generate": {"generate", "pair", "perturbed", "review"},
    "rulings": {"ruling"}, "export": {"judgment", "pair", "label"},
    "annotate": {"task"},
    # without such an option
    "pairs": {"pair"}, "labels": {"label"},
}
TOP_KEYS = {"schema": "summary", "self_test": "self-test"}  # else the key is the name
EXPORTS = {"judgments": "judgment", "pairs": "pair", "labels": "label"}
FREE = {"meta"}  # of a data set: anything
READ = ("pair", "perturbed", "judgment", "label")  # people write these, too
# Members that no test brings about; each would need what a test cannot have.
RARE = {"summary/judge/mixed_models", "audit/judges/*/mixed_models"} if ALL else {
    "summary/judge/mixed_models", "audit/judges/*/mixed_models", "doctor/step/message"}
# `why` beside one of several tests of a kind, and what perturbed pairs seldom have.
RARE |= {"drift/disagreement/why", "perturbed/meta", "perturbed/reference", "perturbed/turns"}
# The mock server counts neither cached nor reasoning tokens, so this is always there.
# In rank some two models can nearly always be told apart.
ALWAYS = {"summary/judge/tokens/why", "rank/lead/first", "rank/lead/second"}
# Run in this order in one folder; a line that begins with a number ends with that status.
COMMANDS = """
run pairs.jsonl -j sim:first=1.5,noise=.5 --labels labels.jsonl -o run.db --json
run pairs.jsonl -j sim:first=.5,noise=.5,seed=3 --labels labels.jsonl -o new.db --json
run pairs.jsonl -j sim:first=1,noise=.5 -m portia -t compare --always -o portia.db --json
run pairs.jsonl -j sim:first=1,noise=.5 -m portia --stages 0,1 -o length.db --json
run pairs.jsonl -j sim:first=1,noise=.5 -m portia --stages 0,2 -o semantic.db --json
run pairs.jsonl -j sim:noise=.5 -m standalone -o alone.db --json
run pairs.jsonl -j sim:noise=.5 -m standalone --labels labels.jsonl -o alone2.db --json
run pairs.jsonl -j sim:first=1 -m vanilla --order both --labels labels.jsonl -o vanilla.db \
--json
run pairs.jsonl -j sim:first=1 -m ec -o one.db --json
run pairs.jsonl -j sim:first=1 -m mec --labels labels.jsonl --request-seed 5 -o mec.db --json
run pairs.jsonl -j sim:first=1 -m mec --order 21 --labels labels.jsonl -o mec21.db --json
run many.jsonl -j sim:first=1 -m portia --labels crowd.jsonl -o many.db --json
1 run pairs.jsonl -j sim:first=1,refuse=.2 -t likert -m bpc -o likert.db --json
1 run pairs.jsonl -j sim:refuse=1 --labels labels.jsonl -o failed.db --json
run pairs.jsonl -j sim:first=1.5,noise=.5 --pilot 20 -o pilot.db --json
run triples.jsonl -j sim:noise=1 -m bpc --labels agreed.jsonl -o triples.db --json
run single.jsonl -j sim:first=9,spread=0 -m bpc -o single.db --json
run pairs.jsonl -j sim:refuse=1 --pilot 5 -o pilot3.db --json
show run.db --json
show run.db new.db --json
show run.db new.db --json --by category --methods --compat --label-price .4 --co2e .5
show alone2.db one.db vanilla.db --json --by category --methods --compat
show failed.db --json --compat --methods --by category
show run.db mec.db mec21.db --json --by category --reference sim:first=1.5,noise=0.5
show mec21.db --json --by category --compat --methods
show many.db --json --methods --budgets 100%
show triples.db --json
show portia.db --json --methods
show run.db new.db --json --reference sim:first=1.5,noise=0.5 --bootstrap 100
show run.db -m hitlc --json --label-price .4 --bootstrap 100
show run.db --json --timing --co2e-hour 9
show run.db --json --estimate
show run.db --json --estimate --label-price .4 --labels-random
show run.db --json --guarantee 20% --labels-random
show run.db --json --guarantee 1% --labels-random
show run.db --json --guarantee 20%
show one.db --json --guarantee 20%
annotate run.db --selection active --budget 20 --annotators ann --export tasks.jsonl
annotate triples.db --annotators ann --export turns.jsonl
annotate new.db --selection random --budget 20 --annotators ann --export tasks.csv --format \
csv
show run.db --json --estimate
show new.db --json --estimate
show new.db --json --guarantee 40%
rulings run.db
rulings run.db --guarantee 20% --labels-random
rulings run.db -m hitlc
rulings run.db --format csv
rulings portia.db
rulings alone.db
rulings vanilla.db
rulings likert.db
rulings failed.db
export run.db judgments
export run.db judgments --format csv
export likert.db judgments
export run.db pairs
export run.db pairs --format csv
export triples.db pairs
export run.db labels
export run.db labels --format csv
export recorded.db judgments
export recorded.db judgments --format csv
labels run.db export -
compare run.db new.db --json
compare one.db vanilla.db --json --method ec
rank run.db --json --length --style
rank triples.db --json --length
rank alone.db --json
rank single.db --json
rank single.db --json --half-ties --length
rank one.db --json --half-ties
drift run.db --json --sample 20
drift failed.db --json --sample 5
4 gate run.db conflict.high<=.2 failed.x<1 --json
merge run.db new.db -o merged.db --json
check pairs.jsonl --json
2 check broken.jsonl --json
2 check broken.csv --json
check questions.jsonl --answers one.jsonl,two.jsonl --json
check preferred.jsonl --map answer_1=chosen,answer_2=rejected --json
verdict -t score --json <replies.jsonl
verdict -t likert --json <replies.jsonl
verdict -t compare --reread run.db --json --dry-run
split tea.md --json
align tea.md other.md --json
align tea.md other.md --json --similarity embed:openai:e --base-url {url}
audit pairs.jsonl -j sim:first=.5 --probes references,padding -k 1 -o audit.db --json
audit pairs.jsonl -j sim:noise=1 --probes {probes} --family model-a -o probes.db --json
audit pairs.jsonl -j sim:refs=2,noise=1 --attack references,rich_content,both -o attack.db \
--json
1 audit pairs.jsonl -j sim:refuse=.9 --probes majority -k 1 -o unread.db --json
audit pairs.jsonl -j sim:noise=1 --attack padding --probes factual_error=errors.jsonl \
--anchor model-a -o weak.db --json
audit pairs.jsonl --no-judge --probes references -o people.db
export people.db pairs
show audit.db --json
show attack.db probes.db --json
gate audit.db 'probes.references.difference.high < 1' --json
audit --self-test --json
doctor --json
doctor -j openai:m --base-url {url} --json
3 doctor -j openai:m --base-url http://127.0.0.1:9/v1 --json
run pairs.jsonl -j openai:m --base-url {url} --prices prices.yaml --max-tokens 50 \
--logprobs 2 --extra-body {{"top_p":0.9}} -o asked.db --json
run pairs.jsonl -j openai:m --base-url {url} -m portia --similarity embed:openai:e -o \
embedded.db --json
run pairs.jsonl -j openai:m --base-url {url} --pilot 20 --prices prices.yaml -o pilot2.db \
--json
show asked.db --json --timing
show asked.db --json --methods --compat --co2e 1 --prices prices.yaml
audit pairs.jsonl -j openai:m --base-url {url} --probes padding -k 1 -o asked-audit.db --json
rulings asked.db --prices prices.yaml
drift asked.db --json --sample 10 --base-url {url}
generate -j openai:m --base-url {url} --per-level 2 --unreviewed keep --format jsonl -o \
made --json
generate -j openai:m --base-url {url} --per-level 1 --unreviewed keep -o table
generate pairs.jsonl -j openai:m --base-url {url} --unreviewed keep --format jsonl --probes \
factual_error,gender,references,rich_content,mine:oversight=mine.txt --max-change 2 -o \
changed --json
"""
PROBES = ("references,rich_content,padding,shortening,injection,majority,"
          "factual_error=errors.jsonl,mine:susceptibility=errors.jsonl")
WRITTEN = {"tasks.jsonl": ("annotate", "task"), "turns.jsonl": ("annotate", "task"),
           "tasks.csv": ("annotate", "task"),
           "*/funnel.json": ("generate", "generate"), "*/pairs.jsonl": ("generate", "pair"),
           "*/review-*.jsonl": ("generate", "review"),
           "*/review-*.csv": ("generate", "review"),
           "*/gender.jsonl": ("generate", "perturbed"),
           "*/mine.jsonl": ("generate", "perturbed"),
           "*/references.jsonl": ("generate", "perturbed"),
           "*/rich_content.jsonl": ("generate", "perturbed"),
           "*/factual_error.jsonl": ("generate", "perturbed")}
# Other suites: script, whether it wants the mock server, the data, and further words.
SUITES = [("mock/test_generate.py", "m"), ("mock/test_audit.py", "ms"),
          ("recorded/people.py", "s"), ("recorded/recorded.py", "s", "faireval"),
          ("serve/audit.py", ""), ("system/estimates.py", "s"), ("system/merge.py", "s")]
MORE_SUITES = [
    ("mock/test_http.py", "m"), ("mock/test_faults.py", "m"), ("mock/test_portia.py", "m"),
    ("mock/test_faireval.py", "ms"), ("recorded/formats.py", "s"),
    *[("recorded/recorded.py", "s", name) for name in (
        "evalbiasbench", "judgebench", "judgebias", "llmbar", "mtbench_phi3",
        "mtbench_repeat", "pandalm", "vicuna_gpt4")],
    *[(f"system/{name}.py", "s") for name in (
        "cases", "compare", "drift", "export", "mirror", "pairs", "portia", "rank", "sim",
        "standalone")]]


# ---- outputs ----

def prepare(work):
    for name in ("pairs.jsonl", "labels.jsonl", "errors.jsonl"):
        (work / name).write_bytes((EXAMPLES / name).read_bytes())
    (work / "broken.jsonl").write_text(
        '{"id": 1, "question": "q"}\n{"id"\n'
        '{"id": 2, "question": "q", "answer_1": "", "answer_2": "a\\ud800\\u0000"}\n'
        '{"id": 2, "question": "q", "answer_1": "b", "answer_2": "b"}\n')
    (work / "broken.csv").write_bytes(b"id,question,answer_1,answer_2\n1,q,a\n2,q,a,\xff\n")
    (work / "tea.md").write_text("# Tea\n\nWarm the pot. Add leaves.\n\n- Pour.\n- Wait.\n")
    (work / "other.md").write_text("Pour hot water on the leaves. Wait. Warm the pot.\n")
    (work / "mine.txt").write_text(
        "Give it a polite opening.\n\n<asked_{{tag}}>\n{{question}}\n</asked_{{tag}}>\n\n"
        "<original_{{tag}}>\n{{answer}}\n</original_{{tag}}>\n\n"
        "<answer_{{tag}}>\n...\n</answer_{{tag}}>\n")
    (work / "prices.yaml").write_text("prices:\n  - {model: m, input: 1, output: 4}\n")
    write_rows(work / "replies.jsonl", [
        {"id": "a", "reply": "Score of the Assistant 1: 8\nScore of the Assistant 2: 6"},
        {"id": 7, "reply": "Both are fine."}, {"id": "c", "reply": "Rating: [[2]]"}])
    models = [("x", "y"), ("y", "z"), ("x", "z")]
    write_rows(work / "triples.jsonl", [
        {"id": f"{i}-{n}", "question": f"Question {i}?", "model_1": a, "model_2": b,
         "answer_1": f"{a} says {i} " + "and more " * n, "answer_2": f"{b} says {i}",
         "reference": "none", "short_question": f"{i}?", "meta": {"level": i},
         "turns": [{"role": "user", "content": "Hello."},
                   {"role": "assistant", "content": "Hello!"}]}
        for i in range(20) for n, (a, b) in enumerate(models)])
    first = rows(work / "triples.jsonl")[0]
    write_rows(work / "single.jsonl", [first])
    write_rows(work / "agreed.jsonl", [
        {"pair_id": f"{i}-0", "annotator": name, "label": "1"}
        for i in range(20) for name in ("a", "b")])
    write_rows(work / "many.jsonl", [
        {"id": str(i), "question": f"Question {i}?", "category": f"c{i}",
         "answer_1": f"Yes, {i}. And more." * (1 + i),
         "answer_2": f"No, {i}. Or less." * (1 + i)}
        for i in range(70)])
    write_rows(work / "questions.jsonl", [{"id": 1, "question": "q"}])
    write_rows(work / "one.jsonl", [{"id": 1, "answer": "a"}, {"id": 9, "answer": "z"}])
    write_rows(work / "two.jsonl", [{"id": "1", "answer": "b"}])
    write_rows(work / "preferred.jsonl", [
        {"id": i, "question": "q", "chosen": f"a{i}", "rejected": "b"} for i in range(3)])
    write_rows(work / "crowd.jsonl", [
        {"pair_id": str(i), "annotator": f"a{i}", "label": "1"} for i in range(70)])
    write_rows(work / "recorded.jsonl", [
        {"pair_id": row["id"], "judge": "j", "order": order, "sample": 0,
         "reply": None if order == "12" else "I", "verdict": None,
         "reason": "refusal" if order == "12" else "truncated", "refusal": "No.",
         "finish_reason": "length", "reasoning_content": "Hm."}
        for row in rows(work / "pairs.jsonl") for order in ("12", "21")])


def command(recorder, work, line, mock_port):
    status, words = re.match(r"(\d+ )?(.*)", line).groups()
    words, source = re.match(r"(.*?)(?: <(\S+))?$", words).groups()
    words = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", words.format(
        url=f"http://127.0.0.1:{mock_port}/v1", probes=PROBES))]
    stdin = (work / source).read_bytes() if source else b""
    environment = {key: value for key, value in os.environ.items()
                   if "proxy" not in key.lower()} | {"OPENAI_API_KEY": "sk-test"}
    done = subprocess.run([recorder, *words], cwd=work, capture_output=True, input=stdin,
                          check=False, timeout=120, env=environment)
    check(line, done.returncode == int(status or 0),
          f"exit {done.returncode}: {done.stderr.decode()}")


def label_by_people(recorder, work, exported):
    """What people said of an audit without a judge, for the card of people."""
    ids = [json.loads(line)["id"] for line in exported.splitlines()]
    write_rows(work / "said.jsonl", [
        {"pair_id": name, "annotator": f"ann-{n}", "label": "12"[(i + n) % 2],
         "side": ("12", "21")[n % 2], "note": "so", "familiar": n < 3, "adjudicated": False}
        for i, name in enumerate(ids) for n in range(4)]
        + [{"pair_id": ids[0], "annotator": "owner", "label": "tie", "adjudicated": True,
            "unblind": True}])
    for line in ("labels people.db import said.jsonl", "show people.db --json",
                 "labels people.db export -", "export people.db labels"):
        command(recorder, work, line, 0)


def record(folder):
    """Runs all commands; their words and outputs, and what stands in the files."""
    records, work = folder / "records", folder / "work"
    records.mkdir(parents=True)
    work.mkdir()
    recorder = folder / "evenhand"
    recorder.write_text(RECORDER.format(records=records, evenhand=Path(EVENHAND).resolve()))
    recorder.chmod(0o755)
    prepare(work)
    command(recorder, work,
            "import judgments recorded.jsonl --pairs pairs.jsonl -o recorded.db", 0)
    mock = subprocess.Popen([MOCK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    port = int(mock.stdout.readline().split()[1])
    try:
        for line in COMMANDS.strip().splitlines():
            command(recorder, work, line, port)
    finally:
        mock.stdin.close()
        mock.wait(10)
    time.sleep(.2)  # the last output is written by another process
    people = next(text for words, text in outputs(records)
                  if words == ["export", "people.db", "pairs"])
    label_by_people(recorder, work, people)
    subprocess.run([TESTS / "cli" / "run", "--evenhand", recorder], capture_output=True,
                   check=False, timeout=250)
    for name, needs, *words in SUITES + (MORE_SUITES if ALL else []):
        needs = [MOCK] * ("m" in needs) + [SHARED] * ("s" in needs)
        subprocess.run([sys.executable, TESTS / name, recorder, *needs, *words],
                       capture_output=True, check=False, timeout=600)
    time.sleep(.2)
    return outputs(records) + [
        ([verb, kind, str(path)], path.read_text())
        for pattern, (verb, kind) in WRITTEN.items() for path in sorted(work.glob(pattern))]


def outputs(records):
    return [(path.read_bytes().decode("utf-8", "replace").split("\0")[:-1],
             path.with_suffix("").read_bytes().decode("utf-8", "replace"))
            for path in sorted(records.glob("*.words"))]


# ---- kinds ----

def lines_kind(words):
    """The schema's name for the lines that a command printed; None: no lines of JSON."""
    if {"--help", "-h", "--rest"} & set(words):
        return None
    if words[0] in ("annotate", "generate") and len(words) == 3:
        return words[1] if words[1] != "generate" else None
    if words[0] == "rulings":
        return "ruling"
    if words[0] == "pairs":
        return "pair"
    if words[0] == "export":
        return next((EXPORTS[word] for word in words[1:] if word in EXPORTS), None)
    if words[0] == "labels" and "export" in words and words[-1] == "-":
        return "label"
    if words[0] == "verdict" and "--json" in words:
        return "reread" if "--reread" in words else "verdict"
    return None


def values_of(words, text):
    """The schema's name and the values that it must allow; a fault in place of a name."""
    kind = lines_kind(words) if words else None
    if text and text[-1] != "\n":
        return None, []  # cut, as by head
    if kind and text[:1] == "{":
        return kind, [json.loads(line) for line in text.splitlines()]
    if kind or not words or text[:1] != "{" or words[0] == "template":
        return None, []
    value = json.loads(text)
    key = next(iter(value), None)
    return TOP_KEYS.get(key, key), [value]


def columns_fault(words, text, schemas):
    """CSV has the members of the lines' schema, in their order."""
    kind = lines_kind(words) if words else None
    if not kind or text[:1] in ("{", "") or kind in ("verdict", "reread"):
        return None
    head = next(csv.reader(io.StringIO(text)))
    members = [key for key in schemas[kind]["properties"]
               if key in head or key in schemas[kind]["required"]]
    return None if head == members else f"{' '.join(words)}: {head} and not {members}"


def verbs_with_json():
    """By cli/options.def."""
    text = (SOURCE / "cli" / "options.def").read_text()
    options = re.findall(r"^OPT(?:_ALSO)?\((json|format),(.*?)(?=^OPT|^/\*|^#)", text,
                         re.DOTALL | re.MULTILINE)
    return {verb for _, body in options for verb in re.findall(r"V\((\w+)\)", body)}


# ---- the checks ----

def load():
    schemas, validators = {}, {}
    for path in sorted(SCHEMAS.glob("*.schema.json")):
        name = path.name.removesuffix(".schema.json")
        schema = schemas[name] = json.loads(path.read_text())
        try:
            jsonschema.Draft202012Validator.check_schema(schema)
            faults = schema_tools.loose_parts(schema, FREE)
        except jsonschema.SchemaError as error:
            faults = [error.message]
        check(f"{path.name} is a schema and leaves nothing open", not faults,
              "\n".join(faults))
        validators[name] = jsonschema.Draft202012Validator(schema)
    return schemas, validators


def check_kind(name, schema, validator, values, coverage):
    """All outputs are allowed; damaged ones are not."""
    inner = {}

    def is_valid(part, value):
        if id(part) not in inner:
            inner[id(part)] = (part, validator.evolve(
                schema={**part, "$defs": schema.get("$defs", {})}))
        return inner[id(part)][1].is_valid(value)
    faults = [f"{'.'.join(map(str, e.absolute_path))}: {e.message[:200]}"
              for value in values for e in validator.iter_errors(value)]
    check(f"{name}: {len(values)} outputs are as the schema says", values and not faults,
          "\n".join(faults[:20]) or "no output")
    if faults or not values:
        return
    for value in values:
        coverage.look(name, schema, value, is_valid)
    tried, passed, seen = 0, [], set()
    for value in values:
        for what, part, damaged in schema_tools.damages(schema, value, is_valid, FREE, seen):
            tried += 1
            if is_valid(part, damaged):
                passed.append(what)
    check(f"{name}: all of {tried} damaged outputs are refused", tried and not passed,
          "\n".join(passed))


def main():
    schemas, validators = load()
    with scratch() as name:
        found = record(Path(KEPT[0]) if KEPT else Path(name))
    values, met, faults = {}, set(), []
    for words, text in found:
        try:
            kind, some = values_of(words, text)
            faults += filter(None, [columns_fault(words, text, schemas)])
        except (ValueError, StopIteration) as fault:
            faults.append(f"{' '.join(words)}: {fault}")
            continue
        if some and kind not in KINDS.get(words[0], ()):
            faults.append(f"{' '.join(words)[:200]}: prints {kind}")
        values.setdefault(kind, []).extend(some)
        met |= {(words[0], kind)} if some else set()
    check("all that is printed is of a known kind", not faults, "\n".join(faults))
    check("all verbs with --json or --format are known",
          verbs_with_json() <= set(KINDS), verbs_with_json() - set(KINDS))
    for verb, kinds in KINDS.items():
        missing = {kind for kind in kinds if (verb, kind) not in met}
        check(f"{verb}: {', '.join(sorted(kinds))}", not missing, f"not met: {missing}")
    check("each schema is of something that is printed",
          set(schemas) == set().union(*KINDS.values()),
          set(schemas) ^ set().union(*KINDS.values()))
    for kind, name in (("pair", "pairs.jsonl"), ("label", "labels.jsonl"),
                       ("perturbed", "errors.jsonl")):
        values.setdefault(kind, []).extend(rows(EXAMPLES / name))
    coverage = schema_tools.Coverage()
    for kind, schema in schemas.items():
        check_kind(kind, schema, validators[kind], values.get(kind, []), coverage)
    never = [place for place in coverage.never_met() if place not in RARE]
    check("each member was met", not never, "\n".join(never))
    always = [place for place in coverage.always_met(3)
              if place.split("/")[0] not in READ and place not in ALWAYS]
    check("what is always there is required", not always, "\n".join(always))
    for macro, n_near, lacks in schema_tools.vocabulary(SOURCE, schemas):
        check(f"{macro}: {n_near} enums hold all its names", n_near and not lacks,
              "\n".join(lacks))
    finish()


if __name__ == "__main__":
    main()
