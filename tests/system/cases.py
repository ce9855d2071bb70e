#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The shared cases through the command line: `verdict` and `check`.

    cases.py EVENHAND SHARED
"""
import json
import sys
from pathlib import Path

from tap import check, finish, must, rows, run, scratch, skip

CASES = Path(sys.argv[2]) / "cases"


def verdict_faults(case, got):
    for key, want in case["expect"].items():
        if key == "warn":
            missing = set(want) - set(got["warn"])
            if missing:
                return f"{case['id']}: warnings {missing} are missing"
        elif got.get(key) != want:
            return f"{case['id']}: {key} is {got.get(key)!r}, expected {want!r}"
    return None


def check_verdicts():
    path = CASES / "verdicts.jsonl"
    by_template = {}
    for case in rows(path):
        by_template.setdefault(case["template"], []).append(case)
    for template, cases in by_template.items():
        lines = "".join(json.dumps({"id": c["id"], "reply": c["reply"]}) + "\n"
                        for c in cases)
        out = must("verdict", "-t", template, "--json", stdin=lines).splitlines()
        faults = [f for c, line in zip(cases, out, strict=True)
                  if (f := verdict_faults(c, json.loads(line)))]
        check(f"verdict {template}: {len(cases)} cases", not faults, "\n".join(faults))


def fault_matches(want, got):
    """Every key that the case names; files by their last part."""
    for key, value in want.items():
        if key == "file":
            if Path(got.get("file", "")).name != Path(value).name:
                return False
        elif got.get(key) != value:
            return False
    return True


def check_faults(name, kind, want, got, exact):
    left = list(got)
    for fault in want:
        hit = next((g for g in left if fault_matches(fault, g)), None)
        if hit is None:
            return f"{name}: {kind} {fault} is missing in {got}"
        left.remove(hit)
    if exact and left:
        return f"{name}: {kind} {left} is not expected"
    return None


def check_dataset(name, case):
    files = [CASES / "datasets" / f for f in case["files"]]
    if case["kind"] == "join":
        done = run("check", files[0], "--answers", f"{files[1]},{files[2]}", "--json")
    else:
        done = run("check", files[0], "--json")
    try:
        got = json.loads(done.stdout)
    except ValueError:
        check(f"check {name}", False, f"exit {done.returncode}: {done.stderr}")
        return
    why = check_faults(name, "error", case["errors"], got["errors"], True) or \
        check_faults(name, "warning", case.get("warnings", []), got["warnings"],
                     "warnings" in case)
    if not why and got["load"] != case["load"]:
        why = f"load is {got['load']}, expected {case['load']}"
    if not why and "ids" in case and got["ids"] != case["ids"]:
        why = f"ids are {got['ids']}, expected {case['ids']}"
    if not why and (done.returncode == 0) != (case["load"] == "ok"):
        why = f"exit {done.returncode} for load {case['load']}"
    check(f"check {name}", why is None, why)


def check_segments(folder):
    """`split --json`: units that tile the file, and whose trimmed texts are the case's."""
    faults, cases = [], rows(CASES / "segments.jsonl")
    for case in cases:
        path = folder / "case.txt"
        path.write_bytes(case["text"].encode("utf-8"))
        units = json.loads(must("split", path, "--json"))["units"]
        if "".join(u["text"] for u in units) != case["text"]:
            faults.append(f"{case['id']}: the units do not tile the text")
        got = [u["text"].strip() for u in units]
        if [t for t in got if t] != case["expect"]["sentences"]:
            faults.append(f"{case['id']}: {got}")
    check(f"split: {len(cases)} cases", not faults, "\n".join(faults))


def main():
    if not CASES.is_dir():
        skip("shared cases", "no shared folder")
        finish()
    check_verdicts()
    with scratch() as folder:
        check_segments(Path(folder))
    expect = json.loads((CASES / "datasets" / "expect.json").read_text(encoding="utf-8"))
    for name, case in expect.items():
        if case["kind"] in ("pairs", "join"):
            check_dataset(name, case)
    finish()


main()
