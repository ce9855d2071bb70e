#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kill -9 at random moments: a rerun makes no finished call again and ends with the same
bytes; Ctrl-C ends with 130 and is resumed; a finished ledger opens read-only."""
import os
import random
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

from tap import EVENHAND, EXAMPLES, check, finish, must, run, scratch, skip, write_rows

DATA = EXAMPLES / "pairs.jsonl"
ARGS = ["-m", "mec+bpc", "-k", "3"]
SPEC = "sim:first=1,noise=1,refuse=.03"

# 288 calls, eight at a time, take 2.1 s at least: longer than ten kills in all leave.
KILL_DELAY_MS = 60


def command(ledger, delay_ms=0):
    spec = f"{SPEC},delay={delay_ms}" if delay_ms else SPEC
    return [EVENHAND, "run", str(DATA), "-j", spec, *ARGS, "-o", str(ledger),
            "--max-failed", "100%", "--concurrency", "8"]


def calls(ledger):
    """key -> row of every call that is durable; opens the file like any reader."""
    if not ledger.exists():
        return {}
    db = sqlite3.connect(ledger)
    try:
        return {key: (row, done) for row, key, done in
                db.execute("SELECT id, key, done_ms FROM call")}
    except sqlite3.OperationalError:
        return {}
    finally:
        db.close()


def killed(ledger, seconds):
    child = subprocess.Popen(command(ledger, KILL_DELAY_MS), stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    child.kill()
    child.wait()


def check_kills(folder, reference):
    draw = random.Random(9)
    ledger = Path(folder) / "killed.db"
    before, repeated = {}, []
    for _ in range(10):
        killed(ledger, draw.uniform(.05, .22))
        now = calls(ledger)
        repeated += [k for k, v in before.items() if now.get(k) != v]
        before = now
    n_total = 48 * 6
    check("the kills fell inside the run", 0 < len(before) < n_total, len(before))
    done = run(*command(ledger)[1:])
    check("the rerun finishes", done.returncode == 0, done.stderr)
    after = calls(ledger)
    repeated += [k for k, v in before.items() if after.get(k) != v]
    check("no finished call was made again", not repeated, len(repeated))
    check("every call is there once", len(after) == n_total, len(after))
    check("the summary is byte-identical to an undisturbed run",
          must("show", "--json", ledger) == reference)
    check("and so are the rulings",
          must("rulings", ledger) == must("rulings", Path(folder) / "plain.db"))


def check_interrupt(folder, reference):
    ledger = Path(folder) / "interrupted.db"
    child = subprocess.Popen(command(ledger, KILL_DELAY_MS), stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
    time.sleep(.3)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=30)
    check("Ctrl-C ends with 130", child.returncode == 130, err)
    check("and says that the command goes on", "goes on from here" in err, err)
    must(*command(ledger)[1:])
    check("resumed after Ctrl-C, the same bytes",
          must("show", "--json", ledger) == reference)


def check_limit(folder, reference):
    ledger = Path(folder) / "limited.db"
    for step in range(20):
        done = run(*command(ledger)[1:], "--limit", "50")
        if done.returncode == 0:
            break
        check(f"stopped at the limit, step {step}", done.returncode == 5, done.stderr)
    check("in steps of 50 calls, the same bytes",
          must("show", "--json", ledger) == reference)
    again = run(*command(ledger)[1:])
    check("a further run makes no call", ", 0 new calls" in again.stderr, again.stderr)


def many_judgments(path):
    draw = random.Random(5)
    write_rows(path, ({"pair_id": f"p{i // 20}", "judge": "a", "order": ("12", "21")[i % 2],
                       "sample": i % 20 // 2, "reply": "so it is. " * 30,
                       "verdict": draw.choice(("1", "2", "tie"))} for i in range(40000)))


def check_import(folder):
    """All of an import is there or nothing; repeated, it gives what it would have given."""
    rows, whole = Path(folder) / "many.jsonl", Path(folder) / "whole.db"
    many_judgments(rows)
    start = time.monotonic()
    must("import", "judgments", rows, "-o", whole)
    seconds, reference = time.monotonic() - start, must("show", "--json", whole)
    draw, ledger, seen, n_cut = random.Random(3), Path(folder) / "cut.db", [], 0
    for _ in range(6):
        child = subprocess.Popen([EVENHAND, "import", "judgments", rows, "-q", "-o",
                                  ledger], stderr=subprocess.DEVNULL)
        time.sleep(draw.uniform(.05, .9) * seconds)
        child.kill()
        child.wait()
        n_cut += child.returncode != 0
        seen.append(len(calls(ledger)))
        ledger.unlink(missing_ok=True) if seen[-1] else None
    check("the kills fell inside the import", n_cut > 1, (n_cut, seconds))
    check("of an import that was killed all is there or nothing",
          set(seen) <= {0, 40000}, seen)
    must("import", "judgments", rows, "-o", ledger)
    check("repeated, the same bytes", must("show", "--json", ledger) == reference)


def check_read_only(folder):
    if os.geteuid() == 0:
        wrap = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        probe = subprocess.run([*wrap, "true"], capture_output=True, check=False)
        if probe.returncode != 0:
            skip("a finished ledger in a read-only folder", "setpriv does not work here")
            return
    else:
        wrap = []
    closed = Path(folder) / "closed"
    closed.mkdir()
    must(*command(closed / "run.db")[1:])
    check("a finished ledger is one file", [p.name for p in closed.iterdir()] == ["run.db"],
          list(closed.iterdir()))
    os.chmod(folder, 0o755)
    os.chmod(closed / "run.db", 0o444)
    os.chmod(closed, 0o555)
    done = subprocess.run([*wrap, EVENHAND, "show", "--json", closed / "run.db"],
                          capture_output=True, text=True, check=False)
    os.chmod(closed, 0o755)
    check("and opens in a read-only folder",
          done.returncode == 0 and '"schema": 1' in done.stdout, done.stderr)


def main():
    with scratch() as folder:
        plain = Path(folder) / "plain.db"
        must(*command(plain)[1:])
        reference = must("show", "--json", plain)
        again = Path(folder) / "again.db"
        must("run", DATA, "-j", SPEC, *ARGS, "-o", again, "--max-failed", "100%",
             "--concurrency", "1")
        check("another concurrency, the same bytes",
              must("show", "--json", again) == reference)
        check_kills(folder, reference)
        check_interrupt(folder, reference)
        check_limit(folder, reference)
        check_import(folder)
        check_read_only(folder)
    finish()


main()
