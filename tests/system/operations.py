#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Working with a ledger over time: --refresh and --max-age (old replies are kept, kill -9
asks nothing a third time), --pilot (what it asks, says and leaves for the run), mixed
models, and what doctor tells."""
import json
import random
import re
import shutil
import sqlite3
import subprocess
import time
from pathlib import Path

from tap import EVENHAND, EXAMPLES, check, finish, must, only_judge, rows, run, scratch
from tap import write_rows

DATA = EXAMPLES / "pairs.jsonl"
SPEC = "sim:first=1,noise=1"
N_PAIRS, N_CALLS = 48, 48 * 6
DAY_MS = 86_400_000


def args_of(ledger, *more, data=DATA, spec=SPEC):
    return ["run", data, "-j", spec, "-o", ledger, "--max-failed", "100%", *more]


def query(ledger, sql, *values):
    db = sqlite3.connect(ledger)
    try:
        return db.execute(sql, values).fetchall()
    finally:
        db.close()


def change(ledger, sql, *values):
    db = sqlite3.connect(ledger)
    with db:
        n = db.execute(sql, values).rowcount
    db.close()
    return n


def versions(ledger):
    """How many calls there are of each key, and how many calls at all."""
    counts = [n for _, n in query(ledger, "SELECT substr(key, 1, 32), count(*) FROM call "
                                          "GROUP BY 1")]
    return counts, sum(counts)


def check_refresh(folder, plain, reference):
    ledger = Path(folder) / "refresh.db"
    shutil.copy(plain, ledger)
    # as if the judge had answered otherwise then: every verdict is a refusal
    change(ledger, "UPDATE sample SET verdict = 0, reason = 'refusal', score_first = NULL,"
                   " score_second = NULL WHERE call % 2 = 0")
    change(ledger, "UPDATE reply SET content = 'an older reply' WHERE call % 2 = 0")
    stale = must("show", "--json", ledger)
    check("the older answers give other numbers", stale != reference)
    dry = must(*args_of(ledger, "--refresh", "--dry-run"))
    check("a dry run counts what would be refreshed",
          f"{N_CALLS} calls wanted, {N_CALLS} to be made" in dry and
          f"{N_CALLS} refreshed" in dry, dry)
    check("and changes nothing", must("show", "--json", ledger) == stale)
    done = run(*args_of(ledger, "--refresh"))
    check("refresh asks everything anew",
          f" {N_CALLS} new calls, 0 reused, 0 there before" in done.stderr, done.stderr)
    check("the numbers are those of the new answers",
          must("show", "--json", ledger) == reference)
    check("rulings too", must("rulings", ledger) == must("rulings", plain))
    counts, _ = versions(ledger)
    check("each call is there twice", counts == [2] * N_CALLS, counts[:9])
    old = query(ledger, "SELECT count(*) FROM call c JOIN reply r ON r.call = c.id JOIN "
                        "sample s ON s.call = c.id WHERE length(c.key) = 40 AND "
                        "r.content = 'an older reply' AND s.reason = 'refusal'")[0][0]
    check("the older replies and verdicts are kept", old == N_CALLS // 2, old)
    asked = query(ledger, "SELECT count(*) FROM ask a JOIN call c ON c.id = a.call WHERE "
                          "length(c.key) <> 32")[0][0]
    check("and answer nothing any more", asked == 0, asked)
    again = run(*args_of(ledger))
    check("without --refresh nothing is asked", ", 0 new calls" in again.stderr,
          again.stderr)


def check_refresh_kill(folder, plain, reference):
    ledger = Path(folder) / "killed.db"
    shutil.copy(plain, ledger)
    draw = random.Random(4)
    slow = [EVENHAND, *map(str, args_of(ledger, "--refresh", "--concurrency", "8",
                                        spec=SPEC + ",delay=20"))]
    seen = [N_CALLS]
    while len(seen) < 60 and seen[-1] < N_CALLS + 100:
        child = subprocess.Popen(slow, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        time.sleep(draw.uniform(.06, .16))
        child.kill()
        child.wait()
        seen.append(versions(ledger)[1])
    check("the kills fell inside the refresh",
          len(set(seen)) > 2 and seen[-1] < 2 * N_CALLS, seen)
    dry = must(*args_of(ledger, "--refresh", "--dry-run"))
    check("a dry run knows what is left", f"{2 * N_CALLS - seen[-1]} refreshed" in dry,
          (dry, seen))
    done = run(*slow[1:])
    check("the rerun says that it goes on", "where the last refresh began" in done.stderr,
          done.stderr)
    counts, _ = versions(ledger)
    check("no call was made a third time", counts == [2] * N_CALLS,
          [n for n in counts if n != 2])
    check("the same bytes after all", must("show", "--json", ledger) == reference)
    limited = run(*args_of(ledger, "--refresh", "--limit", "100"))
    check("a new refresh begins anew and stops at a limit",
          limited.returncode == 5 and versions(ledger)[1] == 2 * N_CALLS + 100,
          limited.stderr)
    must(*args_of(ledger, "--refresh"))
    counts, _ = versions(ledger)
    check("and is resumed as well", counts == [3] * N_CALLS, counts[:9])


def check_shared_rows(folder):
    """Rows with the same texts share a call, also when it is refreshed."""
    data, ledger = Path(folder) / "twice.jsonl", Path(folder) / "twice.db"
    pairs = rows(DATA)[:4]
    write_rows(data, pairs + [{**p, "id": f"again-{p['id']}"} for p in pairs])
    must(*args_of(ledger, data=data))
    before = must("show", "--json", ledger)
    dry = must(*args_of(ledger, "--refresh", "--dry-run", data=data))
    check("equal rows are refreshed once", "24 to be made" in dry, dry)
    must(*args_of(ledger, "--refresh", data=data))
    counts, _ = versions(ledger)
    check("equal rows share the new call", counts == [2] * 24 and
          must("show", "--json", ledger) == before, counts)


def check_max_age(folder, plain, reference):
    ledger = Path(folder) / "age.db"
    shutil.copy(plain, ledger)
    now = query(ledger, "SELECT max(done_ms) FROM call")[0][0]
    n_old = change(ledger, "UPDATE call SET done_ms = ? WHERE id <= 30", now - 40 * DAY_MS)
    dry = must(*args_of(ledger, "--max-age", "30d", "--dry-run"))
    check("a dry run counts what is too old", f"{n_old} refreshed" in dry, dry)
    done = run(*args_of(ledger, "--max-age", "30d"))
    check("only what is too old is asked", f" {n_old} new calls" in done.stderr,
          done.stderr)
    check("the same answers, the same bytes", must("show", "--json", ledger) == reference)
    done = run(*args_of(ledger, "--max-age", "30d"))
    check("afterwards nothing is too old", ", 0 new calls" in done.stderr, done.stderr)
    for bad in ["0d", "5", "5w", "d", "-1h", "99999999999999999d"]:
        done = run(*args_of(ledger, f"--max-age={bad}"))
        check(f"--max-age={bad} is refused",
              done.returncode == 2 and "is not a duration" in done.stderr, done.stderr)
    done = run(*args_of(ledger, "--max-age", "1h", "--refresh"))
    check("--refresh and --max-age cannot be given together", done.returncode == 2, done.stderr)


def asked_ids(ledger):
    return {i for i, in query(ledger, "SELECT DISTINCT p.pair_id FROM ask a JOIN pair p ON "
                                      "p.id = a.pair")}


def check_pilot(folder, reference):
    ledger = Path(folder) / "pilot.db"
    done = run(*args_of(ledger, "--pilot", "10"))
    check("a pilot ends with 0", done.returncode == 0, done.stderr)
    check("and asks its pairs in both orders", versions(ledger)[1] == 60 and
          len(asked_ids(ledger)) == 10, versions(ledger))
    for part in [r"10 of 48 pairs", r"conflict +\d+\.\d % of 10 pairs +\(95 %: ",
                 r"first slot twice \d+, second twice \d+, with a tie \d+; direction: p ",
                 r"failed replies +0 of 60", r"tokens a pair", r"pairs needed +about \d+",
                 r"bpc, k 1 +96 calls", r"mec\+bpc, k 3 +288 calls, 60 of them there"]:
        said = re.search(part, " ".join(done.stdout.split()))  # lines may be broken
        check(f"the pilot says: {part}", said, done.stdout)
    once_more = run(*args_of(ledger, "--pilot", "10"))
    check("the same pilot again asks nothing", ", 0 new calls" in once_more.stderr and
          once_more.stdout == done.stdout, once_more.stderr)
    larger = Path(folder) / "larger.db"
    must(*args_of(larger, "--pilot", "20"))
    check("a larger pilot contains the smaller one",
          asked_ids(ledger) < asked_ids(larger) and len(asked_ids(larger)) == 20)
    full = run(*args_of(ledger))
    check("the run keeps the pilot's calls",
          f" {N_CALLS - 60} new calls, 0 reused, 60 there before" in full.stderr,
          full.stderr)
    check("and ends with the same bytes", must("show", "--json", ledger) == reference)


def check_pilot_choice(folder):
    """Neither the order of the rows nor exchanged answers change who is asked."""
    pairs = rows(DATA)
    chosen = {}
    turned = [{**p, "answer_1": p["answer_2"], "answer_2": p["answer_1"]} for p in pairs]
    for name, items in [("plain", pairs), ("reversed", pairs[::-1]), ("turned", turned)]:
        data, ledger = Path(folder) / f"{name}.jsonl", Path(folder) / f"choice-{name}.db"
        write_rows(data, items)
        must(*args_of(ledger, "--pilot", "12", data=data))
        chosen[name] = asked_ids(ledger)
    check("the order of the rows does not matter", chosen["plain"] == chosen["reversed"])
    check("nor do exchanged answers", chosen["plain"] == chosen["turned"])
    other = Path(folder) / "seed.db"
    must(*args_of(other, "--pilot", "12", "--seed", "7"))
    check("another seed draws others", asked_ids(other) != chosen["plain"])


def check_pilot_one_order(folder):
    plain, ledger = Path(folder) / "vanilla.db", Path(folder) / "vanilla-pilot.db"
    must(*args_of(plain, "-m", "vanilla"))
    out = json.loads(must(*args_of(ledger, "-m", "vanilla", "--pilot", "10", "--json")))
    check("a method of one order is asked in both",
          versions(ledger)[1] == 20 and out["conflict"]["pairs"] == 10, out)
    check("its shorter replies forecast no tokens", out["methods"]["bpc"]["calls"] == 96 and
          out["methods"]["bpc"]["prompt_tokens"] is None, out)
    done = run(*args_of(ledger, "-m", "vanilla"))
    check("the run asks the other pairs in its order", " 38 new calls" in done.stderr,
          done.stderr)
    check("the second order is no part of its numbers",
          must("show", "--json", ledger) == must("show", "--json", plain))


def check_pilot_advice(folder):
    for name, spec, want in [("failing", "sim:refuse=.4", "failures"),
                             ("biased", "sim:first=4,noise=.2", "conflict"),
                             ("steady", "longest", "fine")]:
        out = json.loads(must(*args_of(Path(folder) / f"{name}.db", "--pilot", "48",
                                       "--json", spec=spec)))
        check(f"advice for a judge that is {name}", out["advice"] == want, out)
    for other in ["--refresh", "--dry-run"]:
        done = run(*args_of(Path(folder) / "none.db", "--pilot", "5", other))
        check(f"--pilot and {other} cannot be given together", done.returncode == 2, done.stderr)


def check_models(folder, plain):
    ledger = Path(folder) / "models.db"
    shutil.copy(plain, ledger)
    one = only_judge(ledger)
    check("one model is named once", one["models"] == [
        {"model": "sim", "fingerprint": None, "calls": N_CALLS}] and
        "mixed_models" not in one, one["models"])
    check("and not worth a line", "mixed" not in must("show", ledger))
    change(ledger, "UPDATE call SET model = NULL WHERE id > 200")
    check("a name that is missing mixes nothing", "mixed_models" not in only_judge(ledger))
    change(ledger, "UPDATE call SET model = 'gpt-x', fingerprint = 'fp_1' WHERE id > 40")
    change(ledger, "UPDATE call SET model = 'gpt-x', fingerprint = 'fp_2' WHERE id <= 40")
    two = only_judge(ledger)
    check("two fingerprints are mixed", two.get("mixed_models") is True and two["models"] ==
          [{"model": "gpt-x", "fingerprint": "fp_1", "calls": N_CALLS - 40},
           {"model": "gpt-x", "fingerprint": "fp_2", "calls": 40}], two["models"])
    line = f"gpt-x (fp_1) {N_CALLS - 40} calls, gpt-x (fp_2) 40 calls"
    check("the text names them", f"{line}: mixed" in must("show", ledger))
    done = run(*args_of(ledger))
    check("a run warns of them", f"different models: {line}" in done.stderr, done.stderr)
    change(ledger, "UPDATE call SET model = 'a' || char(27) || '[2J' WHERE id <= 40")
    check("a name cannot steer the terminal",
          "\x1b" not in must("show", ledger) + run(*args_of(ledger)).stderr)


def check_doctor():
    key = "sk-planted-0123456789"
    out = must("doctor", env={"OPENAI_API_KEY": key, "ANTHROPIC_API_KEY": ""})
    check("doctor says which keys are set", "OPENAI_API_KEY set" in out and
          "ANTHROPIC_API_KEY not set" in out, out)
    check("and never what they are", key not in out)
    for part in ["libcurl ", "SQLite ", "ICU ", "kernels ", "grammars "]:
        check(f"doctor names {part.strip()}", part in out, out)


def main():
    with scratch() as folder:
        plain = Path(folder) / "plain.db"
        must(*args_of(plain))
        reference = must("show", "--json", plain)
        check("the reference is complete", versions(plain)[1] == N_CALLS)
        check_refresh(folder, plain, reference)
        check_refresh_kill(folder, plain, reference)
        check_shared_rows(folder)
        check_max_age(folder, plain, reference)
        check_pilot(folder, reference)
        check_pilot_choice(folder)
        check_pilot_one_order(folder)
        check_pilot_advice(folder)
        check_models(folder, plain)
        check_doctor()
    finish()


main()
