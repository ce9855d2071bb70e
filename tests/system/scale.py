#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A million pairs in the memory of ten thousand (long: minutes, about 1.5 GB of disk).

Memory is asserted; the pace is printed and only its order of magnitude is asserted,
since machines differ."""
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from tap import EVENHAND, check, finish, must, scratch

SMALL, LARGE = 10_000, int(os.environ.get("SCALE_PAIRS", "1000000"))
MAX_MIB = 100


def make_data(path, n):
    with open(path, "w", encoding="utf-8") as out:
        for i in range(n):
            out.write(f'{{"id": "p{i}", "question": "What is {i} plus {i % 97}?", '
                      f'"answer_1": "It is {i + i % 97}.", '
                      f'"answer_2": "I think that it is {i + i % 89}, roughly."}}\n')


def measured(*args):
    """Exit status, seconds, peak MiB and standard output of one evenhand."""
    with open(os.devnull, "w", encoding="utf-8") as quiet:
        start = time.monotonic()
        child = subprocess.Popen([EVENHAND, *map(str, args)], stdout=subprocess.PIPE,
                                 stderr=quiet, text=True)
        out = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    return child.returncode, time.monotonic() - start, usage.ru_maxrss / 1024, out


def one_size(folder, n):
    data, ledger = Path(folder) / f"{n}.jsonl", Path(folder) / f"{n}.db"
    make_data(data, n)
    code, seconds, mib, _ = measured("run", data, "-j", "sim:first=.5,noise=.5", "-m",
                                     "bpc", "-o", ledger, "--quiet")
    print(f"# run of {n} pairs: {seconds:.1f} s, {n / seconds:.0f} pairs/s, {mib:.1f} MiB")
    check(f"run of {n} pairs", code == 0, f"exit {code}")
    show_code, show_s, show_mib, out = measured("show", "--json", ledger)
    print(f"# show of {n} pairs: {show_s:.1f} s, {show_mib:.1f} MiB")
    check(f"show of {n} pairs", show_code == 0 and json.loads(out)["pairs"] == n)
    again_code, again_s, again_mib, _ = measured("run", data, "-j",
                                                 "sim:first=.5,noise=.5", "-m", "bpc",
                                                 "-o", ledger, "--quiet")
    print(f"# rerun of {n} finished pairs: {again_s:.1f} s, {again_mib:.1f} MiB")
    check(f"rerun of {n} pairs", again_code == 0)
    data.unlink()
    ledger.unlink()
    return max(mib, show_mib, again_mib), n / seconds


def main():
    must("doctor")
    with scratch() as folder:
        small_mib, small_pace = one_size(folder, SMALL)
        large_mib, large_pace = one_size(folder, LARGE)
        check(f"stays below {MAX_MIB} MiB", large_mib < MAX_MIB, f"{large_mib:.1f} MiB")
        check("and within 20 % of ten thousand pairs", large_mib < 1.2 * small_mib,
              f"{large_mib:.1f} against {small_mib:.1f} MiB")
        print(f"# pace: {large_pace / small_pace:.2f} of ten thousand pairs")
        check("at a pace of the same order", large_pace > small_pace / 3)
    finish()


if __name__ == "__main__":
    sys.exit(main())
