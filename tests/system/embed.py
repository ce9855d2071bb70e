#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The library for others: installed into a folder of its own, found by pkg-config, and
the example program compiled against it.

    embed.py EVENHAND SHARED BUILD_FOLDER
"""
import os
import subprocess
import sys
from pathlib import Path

from tap import EXAMPLES, SOURCE, check, finish, scratch

BUILD = sys.argv[3]


def main():
    with scratch() as name:
        stage, program = Path(name) / "stage", Path(name) / "embed"
        done = subprocess.run(["meson", "install", "-C", BUILD, "--no-rebuild",
                               "--destdir", stage], capture_output=True, text=True,
                              check=False)
        check("installs into a folder", done.returncode == 0, done.stdout + done.stderr)
        found = next(stage.rglob("evenhand.pc"), None)
        check("installs evenhand.pc", found is not None)
        env = {**os.environ, "PKG_CONFIG_PATH": str(found.parent) if found else "",
               "PKG_CONFIG_SYSROOT_DIR": ""}
        prefix = found.parent.parent.parent if found else stage
        if prefix.name == "lib":
            prefix = prefix.parent
        flags = subprocess.run(["pkg-config", f"--define-variable=prefix={prefix}",
                                "--cflags", "--libs", "evenhand"],
                               capture_output=True, text=True, env=env, check=False)
        check("pkg-config knows it", flags.returncode == 0, flags.stderr)
        done = subprocess.run(["cc", "-Wall", "-Wextra", "-Werror",
                               SOURCE / "examples" / "embed.c", "-o", program,
                               *flags.stdout.split()], capture_output=True, text=True,
                              check=False)
        check("the example compiles against it", done.returncode == 0, done.stderr)
        done = subprocess.run([program, EXAMPLES / "pairs.jsonl", Path(name) / "run.db"],
                              capture_output=True, text=True, check=False)
        check("and runs", done.returncode == 0 and
              "answer 1 with 8.0 to 7.0; the orders disagree" in done.stdout,
              done.stdout + done.stderr)
        done = subprocess.run([program, Path(name) / "none.jsonl", Path(name) / "x.db"],
                              capture_output=True, text=True, check=False)
        check("and says what is wrong", done.returncode == 1 and
              "none.jsonl: No such file" in done.stderr, done.stderr)
    finish()


main()
