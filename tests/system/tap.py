# SPDX-License-Identifier: MIT
"""A few lines of TAP for the system tests: run the command, check, report."""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

EVENHAND = sys.argv[1] if len(sys.argv) > 1 else "evenhand"
SOURCE = Path(__file__).resolve().parents[2]
EXAMPLES = SOURCE / "examples"

_results = []


def run(*args, stdin=None, env=None, cwd=None, timeout=300):
    """Runs evenhand with these arguments; the finished process, text decoded."""
    return subprocess.run([EVENHAND, *map(str, args)], input=stdin, capture_output=True,
                          text=True, check=False, cwd=cwd, timeout=timeout,
                          env={**os.environ, **(env or {})})


def must(*args, **kwargs):
    """The same, and the test stops when it fails."""
    done = run(*args, **kwargs)
    if done.returncode != 0:
        print(f"Bail out! evenhand {' '.join(map(str, args))}: exit {done.returncode}: "
              f"{done.stderr.strip()}")
        sys.exit(1)
    return done.stdout


def summary(ledger):
    return json.loads(must("show", "--json", ledger))


def only_judge(ledger):
    judges = summary(ledger)["judges"]
    assert len(judges) == 1, list(judges)
    return next(iter(judges.values()))


def check(name, ok, detail=""):
    _results.append(bool(ok))
    print(f"{'ok' if ok else 'not ok'} {len(_results)} - {name}")
    if not ok and detail:
        for line in str(detail).splitlines()[:20]:
            print(f"# {line}")


def skip(name, why):
    _results.append(True)
    print(f"ok {len(_results)} - {name} # SKIP {why}")


def rows(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def write_rows(path, items):
    with open(path, "w", encoding="utf-8") as out:
        for item in items:
            out.write(json.dumps(item, ensure_ascii=False) + "\n")


def scratch():
    return tempfile.TemporaryDirectory(prefix="evenhand-test-")


def finish():
    print(f"1..{len(_results)}")
    sys.exit(0 if all(_results) else 1)
