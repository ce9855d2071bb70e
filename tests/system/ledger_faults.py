#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ledgers that cannot be used: one clear line that names the file, exit 6, nothing lost."""
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

from tap import EVENHAND, EXAMPLES, check, finish, must, run, scratch, skip

DATA = EXAMPLES / "pairs.jsonl"


def judged(ledger, *more):
    return run("run", DATA, "-j", "sim:first=1", "-m", "bpc", "-o", ledger, "--quiet", *more)


def refused(name, done, *words):
    lines = done.stderr.strip().splitlines()
    ok = done.returncode == 6 and len(lines) == 1 and all(w in lines[0] for w in words)
    check(name, ok and done.stdout == "", f"exit {done.returncode}: {done.stderr}")


def check_foreign(folder):
    text = folder / "notes.txt"
    text.write_text("these are my notes and no ledger\n" * 20, encoding="utf-8")
    refused("a text file is not overwritten", judged(text), "notes.txt",
            "not an Evenhand ledger")
    check("and stays as it was", text.read_text(encoding="utf-8").startswith("these are"))
    other = folder / "other.db"
    db = sqlite3.connect(other)
    db.execute("CREATE TABLE mine(x)")
    db.commit()
    db.close()
    before = other.read_bytes()
    refused("another program's database neither", judged(other), "not an Evenhand ledger")
    check("byte for byte", other.read_bytes() == before)
    refused("rulings of a text file", run("rulings", text), "notes.txt",
            "not an Evenhand ledger")
    refused("rulings of a missing file", run("rulings", folder / "none.db"), "none.db",
            "No such file")
    refused("a folder as ledger", judged(folder), str(folder), "not a regular file")
    refused("a device as ledger", judged("/dev/full"), "/dev/full", "not a regular file")
    refused("a folder that is not there", judged(folder / "no" / "run.db"), "run.db",
            "No such file")


def check_newer(folder, good):
    newer = folder / "newer.db"
    shutil.copy(good, newer)
    db = sqlite3.connect(newer)
    db.execute("PRAGMA user_version = 99")
    db.close()
    refused("a ledger of a newer version", run("rulings", newer), "newer evenhand")


def check_damaged(folder, good):
    cut = folder / "cut.db"
    cut.write_bytes(good.read_bytes()[:20000])
    refused("a ledger cut short", run("rulings", cut), "cut.db",
            "the ledger is damaged (the file is cut short); go back to a copy of it")
    refused("is not written to either", judged(cut), "damaged")
    check("and stays as it was", cut.stat().st_size == 20000)
    broken = folder / "broken.db"
    raw = bytearray(good.read_bytes())
    for page in range(1, len(raw) // 4096):
        raw[page * 4096:page * 4096 + 64] = b"\xff" * 64
    broken.write_bytes(raw)
    refused("a ledger with broken pages", run("rulings", broken), "broken.db",
            "the ledger is damaged; go back to a copy of it")
    refused("show of one", run("show", broken), "broken.db", "damaged")


CUT_OFF = """
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
db.execute("PRAGMA cache_size = 2")
db.execute("BEGIN")
db.execute("UPDATE reply SET content = content || 'more' || call")
db.execute("UPDATE pair_text SET question = question || 'more'")
os._exit(0)
"""


def check_cut_off(folder, good):
    """What a power cut in an import leaves: changed pages, and how they were before."""
    ledger = folder / "power.db"
    shutil.copy(good, ledger)
    before = must("show", "--json", ledger)
    subprocess.run([sys.executable, "-c", CUT_OFF, ledger], check=True)
    check("a journal was left", (folder / "power.db-journal").stat().st_size > 512)
    refused("a ledger whose import was cut off", run("rulings", ledger), "power.db",
            "an import was cut off before its end; repeat it, or delete the file")
    check("writing to it mends it", judged(ledger).returncode == 0 and
          must("show", "--json", ledger) == before)


def check_locked(folder, good):
    ledger = folder / "busy.db"
    child = subprocess.Popen([EVENHAND, "run", str(DATA), "-j", "sim:delay=200", "-o",
                              str(ledger), "--concurrency", "2", "--quiet"],
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(.5)
    refused("a ledger that another run writes", judged(ledger), "busy.db",
            "another evenhand is writing")
    done = run("show", ledger)
    check("can be looked at meanwhile", done.returncode == 0, done.stderr)
    db = sqlite3.connect(good, isolation_level=None)
    db.execute("BEGIN EXCLUSIVE")
    refused("a ledger that another program has locked", run("rulings", good), "good.db",
            "another program uses the ledger; try again when it has ended")
    db.close()
    child.kill()
    child.wait()
    check("a lock of a dead process does not hold", judged(ledger).returncode == 0)
    check("and is cleaned away", not (folder / "busy.db-lock").exists())


def as_nobody(*args):
    wrap = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    return subprocess.run([*(wrap if os.geteuid() == 0 else []), EVENHAND,
                           *map(str, args)], capture_output=True, text=True, check=False)


def check_read_only(folder, good):
    closed = folder / "closed"
    closed.mkdir()
    shutil.copy(good, closed / "run.db")
    os.chmod(folder, 0o755)
    os.chmod(closed / "run.db", 0o444)
    os.chmod(closed, 0o555)
    done = as_nobody("run", DATA, "-j", "sim", "-o", closed / "run.db", "--quiet")
    refused("a ledger in a read-only folder", done, "run.db", "Permission denied")
    done = as_nobody("labels", closed / "run.db", "import", EXAMPLES / "labels.jsonl")
    refused("labels into it", done, "run.db", "Permission denied")
    os.chmod(closed, 0o777)
    done = as_nobody("labels", closed / "run.db", "import", EXAMPLES / "labels.jsonl")
    refused("a file that may not be written", done, "run.db", "the ledger is read-only")
    os.chmod(closed, 0o755)


def check_full(folder):
    mount = folder / "small"
    mount.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", mount],
                          capture_output=True, check=False)
    if made.returncode != 0:
        skip("a full disk", "no tmpfs can be mounted here")
        return
    try:
        ledger = mount / "run.db"
        done = judged(ledger)
        refused("a full disk", done, "run.db", "No space left on device")
        kept = as_root_count(ledger)
        subprocess.run(["mount", "-o", "remount,size=4m", mount], check=True)
        again = judged(ledger)
        check("with room again the run goes on and keeps what was done",
              again.returncode == 0 and as_root_count(ledger) == 96 >= kept,
              f"{kept} calls, then {again.stderr}")
    finally:
        subprocess.run(["umount", mount], check=False)


def as_root_count(ledger):
    if not ledger.exists():
        return 0
    db = sqlite3.connect(ledger)
    try:
        return db.execute("SELECT count(*) FROM call").fetchone()[0]
    except sqlite3.Error:
        return 0
    finally:
        db.close()


def check_full_output(good):
    with open("/dev/full", "w", encoding="utf-8") as full:
        for verb in (["show", "--json"], ["rulings"]):
            done = subprocess.run([EVENHAND, verb[0], str(good), *verb[1:]], stdout=full,
                                  stderr=subprocess.PIPE, text=True, check=False)
            check(f"{verb[0]} to a full disk",
                  done.returncode == 6 and "standard output" in done.stderr and
                  "No space left on device" in done.stderr, done.stderr)


def main():
    with scratch() as name:
        folder = Path(name)
        good = folder / "good.db"
        must("run", DATA, "-j", "sim:first=1", "-m", "bpc", "-o", good, "--quiet")
        check_foreign(folder)
        check_newer(folder, good)
        check_damaged(folder, good)
        check_cut_off(folder, good)
        check_locked(folder, good)
        check_read_only(folder, good)
        check_full(folder)
        check_full_output(good)
    finish()


main()
