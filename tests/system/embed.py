#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library for others: installed into a folder of its own, found by pkg-config, and
the example programs in C and Python on top of it.

    embed.py EVENHAND SHARED BUILD_FOLDER
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from tap import EXAMPLES, SOURCE, check, finish, scratch

BUILD = sys.argv[3]


def run(*command, **environment):
    return subprocess.run(command, capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


def exported(library):
    lines = run("nm", "-D", "--defined-only", library).stdout.splitlines()
    return {line.split()[-1] for line in lines if " A " not in line}


def declared(prefix):
    header = (prefix / "include" / "evenhand.h").read_text()
    return set(re.findall(r"^EH_API [^;(]*?(\w+)\(", header, re.MULTILINE))


def compile_example(pc_file, prefix, program, kind, package):
    found = run("pkg-config", f"--define-variable=prefix={prefix}", "--cflags",
                "--libs", package, PKG_CONFIG_PATH=str(pc_file.parent),
                PKG_CONFIG_SYSROOT_DIR="")
    check(f"{kind}: pkg-config knows it", found.returncode == 0, found.stderr)
    done = run("cc", "-Wall", "-Wextra", "-Werror", SOURCE / "examples" / "embed.c", "-o",
               program, *found.stdout.split())
    check(f"{kind}: the example compiles against it", done.returncode == 0, done.stderr)
    return done.returncode == 0


def try_example(program, kind, folder, libraries):
    where = {"LD_LIBRARY_PATH": str(libraries)} if kind == "shared" else {}
    done = run(program, EXAMPLES / "pairs.jsonl", Path(folder) / f"{kind}.db", **where)
    check(f"{kind}: and runs", done.returncode == 0 and
          "answer 1 with 8.0 to 7.0; the orders disagree" in done.stdout,
          done.stdout + done.stderr)
    done = run(program, Path(folder) / "none.jsonl", Path(folder) / "x.db", **where)
    check(f"{kind}: and says what is wrong", done.returncode == 1 and
          "none.jsonl: No such file" in done.stderr, done.stderr)


def try_python(folder, library):
    """With pandas, where it is there, and without."""
    empty = Path(folder) / "no-pandas"
    empty.mkdir()
    (empty / "pandas.py").write_text("raise ImportError\n")
    example, data = SOURCE / "examples" / "embed.py", EXAMPLES / "pairs.jsonl"
    for kind, more in (("as it is", {}), ("without pandas", {"PYTHONPATH": str(empty)})):
        ledger = Path(folder) / f"python{len(more)}.db"
        done = run(sys.executable, example, data, ledger,
                   EVENHAND_LIBRARY=str(library), **more)
        check(f"Python, {kind}: runs", done.returncode == 0 and
              "48 pairs judged" in done.stdout and "sim:" in done.stdout,
              done.stdout + done.stderr)
        shown = json.loads(run(sys.argv[1], "show", ledger, "--json").stdout)
        value = next(iter(shown["judges"].values()))["win_rate"]["value"]
        check(f"Python, {kind}: the number of show", str(value)[:5] in done.stdout,
              done.stdout)
    done = run(sys.executable, example, Path(folder) / "none.jsonl", Path(folder) / "y.db",
               EVENHAND_LIBRARY=str(library))
    check("Python: says what is wrong", done.returncode == 1 and
          "none.jsonl: No such file" in done.stderr, done.stderr)


def main():
    with scratch() as name:
        stage, program = Path(name) / "stage", Path(name) / "embed"
        done = run("meson", "install", "-C", BUILD, "--no-rebuild", "--destdir", stage)
        check("installs into a folder", done.returncode == 0, done.stdout + done.stderr)
        found = next(stage.rglob("evenhand.pc"), None)
        check("installs evenhand.pc", found is not None)
        prefix = next(p for p in found.parents if p.name in ("lib", "lib64")).parent
        libraries = next(stage.rglob("libevenhand.so")).parent
        check("shows what evenhand.h declares and nothing else",
              exported(libraries / "libevenhand.so") == declared(prefix))
        for kind, package in (("shared", "evenhand"), ("static", "evenhand-static")):
            if compile_example(found, prefix, program, kind, package):
                try_example(program, kind, name, libraries)
        try_python(name, next(libraries.glob("libevenhand.so.*")))
    finish()


main()
