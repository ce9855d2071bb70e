#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Evenhand from Python, without a binding: the shared library by ctypes.

    python3 embed.py PAIRS.jsonl RUN.db

Judges the pairs with a simulated judge that likes the first slot, reads the summary (the
same bytes as `evenhand show RUN.db --json`) and puts the judges' numbers into a table: a
pandas DataFrame where pandas is there, else plain dicts. EVENHAND_LIBRARY names the
library where the system does not find it.
"""
import ctypes
import ctypes.util
import json
import os
import sys

try:
    import pandas
except ImportError:
    pandas = None

MESSAGE_BYTES = 256  # EH_MESSAGE_BYTES


class RunRequest(ctypes.Structure):
    """eh_run_request of evenhand.h: the same members in the same order."""

    _fields_ = [(name, ctypes.c_char_p) for name in (
        "data_path", "judge", "ledger_path", "method", "order", "template_name",
        "labels_path")] + [("n_samples", ctypes.c_int), ("limit", ctypes.c_int64),
                           ("seed", ctypes.c_int64)]


class EvenhandError(Exception):
    pass


def load_library():
    name = os.environ.get("EVENHAND_LIBRARY") or ctypes.util.find_library("evenhand")
    if not name:
        raise EvenhandError("libevenhand.so is not installed; EVENHAND_LIBRARY names it")
    library = ctypes.CDLL(name)
    library.eh_run.argtypes = [ctypes.POINTER(RunRequest), ctypes.c_char_p]
    library.eh_summary.argtypes = [ctypes.c_char_p, ctypes.c_char_p,
                                   ctypes.POINTER(ctypes.c_void_p), ctypes.c_char_p]
    library.eh_text_free.argtypes = [ctypes.c_void_p]
    library.eh_text_free.restype = None
    library.eh_version.restype = ctypes.c_char_p
    return library


def run(library, **members):
    """Judges, or goes on with a run that was stopped."""
    why = ctypes.create_string_buffer(MESSAGE_BYTES)
    request = RunRequest(**{
        key: os.fsencode(value) if isinstance(value, str) else value
        for key, value in members.items()})
    if library.eh_run(ctypes.byref(request), why) != 0:
        raise EvenhandError(why.value.decode())


def summary(library, ledger_path, method=None):
    """What `evenhand show --json` prints, as Python objects."""
    why = ctypes.create_string_buffer(MESSAGE_BYTES)
    text = ctypes.c_void_p()
    status = library.eh_summary(os.fsencode(ledger_path), method and method.encode(),
                                ctypes.byref(text), why)
    if status != 0:
        raise EvenhandError(why.value.decode())
    try:
        return json.loads(ctypes.string_at(text))
    finally:
        library.eh_text_free(text)


def table_of(numbers):
    """A row a judge: its win rate with the interval, and its conflict rate."""
    rows = [{"judge": name, "win_rate": judge["win_rate"]["value"],
             "low": judge["win_rate"]["low"], "high": judge["win_rate"]["high"],
             "conflict": judge["conflict"]["rate"]}
            for name, judge in numbers["judges"].items()]
    return pandas.DataFrame(rows).set_index("judge") if pandas else rows


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: embed.py PAIRS.jsonl RUN.db")
    data_path, ledger_path = sys.argv[1:]
    try:
        library = load_library()
        run(library, data_path=data_path, ledger_path=ledger_path,
            judge="sim:first=1.5,noise=.5", method="bpc")
        numbers = summary(library, ledger_path)
    except EvenhandError as fault:
        sys.exit(f"embed.py: {fault}")
    print(f"{numbers['pairs']} pairs judged by evenhand {library.eh_version().decode()}")
    print(table_of(numbers))


main()
