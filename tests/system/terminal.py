#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What every command shows on terminals of several widths.

    terminal.py EVENHAND [SHARED]           the tests
    terminal.py EVENHAND --show COLUMNS [PART]
                                            prints what is seen, to be read by a person;
                                            of commands that hold PART alone

Each command runs on a pseudo-terminal. No line is longer than the terminal, unless it is
one word; no word and no number of the wide form is missing in the narrow one; what
programs read is the same bytes as in a pipe; a bar never wraps and leaves nothing behind,
also when it is interrupted.
"""
import fcntl
import json
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
import unicodedata
from pathlib import Path

import tap
from endpoint import Endpoint, completion
from tap import SOURCE, check, finish, must, scratch, write_rows

EVENHAND = tap.EVENHAND = str(Path(tap.EVENHAND).resolve())  # folders are changed
WIDTHS = (40, 60, 80, 120)
LONG_JUDGE = "an-endpoint/a-model-with-a-long-name-2026-01-01-instruct"


# ---- a terminal ----

class Screen:
    """Lines as they are seen at the end."""

    def __init__(self, data):
        self.lines, self.colours = [""], False
        line, at = [], 0
        text = data.decode("utf-8", "replace")
        i = 0
        while i < len(text):
            char = text[i]
            i += 1
            if char == "\x1b":
                code = re.match(r"\[[0-9;]*([A-Za-z])", text[i:])
                i += code.end()
                if code.group(1) == "K":
                    del line[at:]
                else:
                    self.colours = True
            elif char == "\n":
                self.lines[-1] = "".join(line)
                self.lines.append("")
                line, at = [], 0
            elif char == "\r":
                at = 0
            else:
                line[at:at + 1] = [char]
                at += 1
        self.lines[-1] = "".join(line)

    def text(self):
        return "\n".join(self.lines)


def columns(text):
    return sum(0 if unicodedata.combining(c) else
               2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def on_terminal(args, width, cwd, env=None, keys=None, errors=True, stdin=None):
    """Runs evenhand with its output on a terminal; what came, as bytes, and the status.
    `keys`: what is typed, and what must have been seen before."""
    main, side = pty.openpty()
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 50, width, 0, 0))
    done = subprocess.Popen(
        [EVENHAND, *args], cwd=cwd, stdin=stdin or side, stdout=side,
        stderr=side if errors else subprocess.DEVNULL, start_new_session=True,
        env={**os.environ, "TERM": "xterm", **(env or {})},
        preexec_fn=lambda: fcntl.ioctl(1, termios.TIOCSCTTY, 0))
    os.close(side)
    data, until = b"", time.monotonic() + 60
    while time.monotonic() < until:
        ready, _, _ = select.select([main], [], [], 1)
        try:
            more = os.read(main, 65536) if ready else b""
        except OSError:  # the other side is closed
            break
        data += more
        if keys and keys[1] in data:
            os.write(main, keys[0])
            keys = None
        if not ready and done.poll() is not None:
            break
    else:
        done.kill()
    os.close(main)
    return data, done.wait()


# ---- an endpoint that takes its time ----

def slow_answer(_):
    time.sleep(.15)
    return 200, completion(LONG_JUDGE, ["Score of the Assistant 1: 8\n"
                                        "Score of the Assistant 2: 6"])


# ---- ledgers to show ----

def sh(script, cwd):
    subprocess.run(["bash", "-ec", script], cwd=cwd, check=True,
                   stdout=subprocess.DEVNULL,
                   env={**os.environ, "EVENHAND": EVENHAND,
                        "EVENHAND_SOURCE_DIR": str(SOURCE)})


def many_models(folder):
    """Pairs of models with names short, long and wide, and what people said."""
    models = ["a", "model-b", "通义千问-大模型", "a-model-whose-name-is-long-enough-to-fold"]
    pairs, labels = [], []
    for i in range(36):
        one, two = models[i % 4], models[(i + 1 + i // 12) % 4]
        pairs.append({"id": f"p{i}", "question": f"Question {i}?", "answer_1": "x" * (i + 3),
                      "answer_2": "# y\n- " + "y" * (50 - i), "model_1": one,
                      "model_2": two, "category": ["maths", "写作", "a longer category "
                                                  "than others"][i % 3]})
        for person in ("ann", "bob", "a-person-with-a-long-name@example.org"):
            labels.append({"pair_id": f"p{i}", "annotator": person,
                           "label": "1" if (i + len(person)) % 3 else "2"})
    write_rows(folder / "models.jsonl", pairs)
    write_rows(folder / "model-labels.jsonl", labels)


def prepare(folder):
    many_models(folder)
    sh(f"""
data="$EVENHAND_SOURCE_DIR/examples/pairs.jsonl"
labels="$EVENHAND_SOURCE_DIR/examples/labels.jsonl"
cp "$data" "$labels" "$EVENHAND_SOURCE_DIR/examples/errors.jsonl" .
E() {{ "$EVENHAND" "$@" -q; }}
E run pairs.jsonl -j sim:first=1.5,noise=.5 --labels labels.jsonl -o base.db
E run pairs.jsonl -j sim:noise=.5 --labels labels.jsonl -o new.db
E run models.jsonl -j sim:first=1,noise=1 --labels model-labels.jsonl -o models.db
E run models.jsonl -j sim:noise=.5 -m bpc -o models.db
E run models.jsonl -j sim:noise=.5 -m vanilla -o models.db
E run models.jsonl -j sim:noise=.5,seed=7 -m standalone -o alone.db
E run models.jsonl -j sim:first=1,noise=1 -m portia -t compare --always -o portia.db
E audit pairs.jsonl -j sim:refs=2,noise=.4 -o audit.db --attack both \\
    --probes references,majority,padding,factual_error=errors.jsonl
E audit pairs.jsonl -j sim:noise=.4 -o audit.db --probes references,majority
E audit pairs.jsonl --no-judge --probes references -o people.db
E export base.db judgments >judgments.jsonl
sed 's|"judge": "[^"]*"|"judge": "{LONG_JUDGE}"|' judgments.jsonl >long.jsonl
head -n 30 pairs.jsonl >left.jsonl
tail -n 30 pairs.jsonl >right.jsonl
E run left.jsonl -j sim -m bpc -o left.db
E run right.jsonl -j sim -m bpc -o right.db
printf '%s\\n' '{{"id": 1, "question": "q", "answer_1": "a"}}' \\
    '{{"id": "x", "question": "q", "answer_1": "a", "answer_2": ""}}' >bad.jsonl
printf '%s\\n' '{{"id": "r", "reply": "Score of the Assistant 1: 8\\nand 2"}}' >replies.jsonl
echo '{{"question_id": 1, "text": "Question?"}}' >q.jsonl
echo '{{"question_id": 1, "text": "One says."}}' >sa.jsonl
echo '{{"question_id": 1, "text": "Two says."}}' >sb.jsonl
printf '# A title\\n\\nOne sentence of some length stands here. Another one.\\n\\n' >a.txt
printf -- '- an item that goes on and on until it cannot but fold\\n- two\\n' >>a.txt
printf '# 标题\\n\\n一个很长的句子，它一直在继续，直到必须换行为止，而且还没有结束。\\n' >b.txt
mkdir sure && cd sure && python3 "$EVENHAND_SOURCE_DIR/tests/cli/show/guarantee.py"
E import judgments judgments.jsonl --pairs pairs.jsonl -o ../sure.db
E labels ../sure.db import labels.jsonl
""", folder)


# What people read on standard output: every command, in its usual forms.
TEXTS = """
|
--help
show base.db
show alone.db
show portia.db
show models.db
show models.db --by category
show models.db --by models -m bpc
show models.db --methods --label-price .40
show base.db --methods --budgets 10%,50%
show base.db --compat --bootstrap 1000 --co2e .2 --timing
show base.db new.db --reference 'sim:first=1.5,noise=0.5'
show long.jsonl judgments.jsonl
show base.db --estimate --label-price .40
show sure.db --estimate --labels-random
show sure.db --guarantee 10% --labels-random
show sure.db --guarantee 2% --delta 1%
show audit.db
show audit.db -j sim:noise=0.4,refs=2
show audit.db -j sim:noise=0.4,refs=2 --both-forms --family gpt
show people.db
compare base.db new.db
rank base.db
rank models.db --length --style -j 'sim:first=1,noise=1'
rank models.db --half-ties -j 'sim:noise=0.5#bpc'
rank portia.db alone.db --length -j sim:noise=0.5,seed=7
drift new.db --sample 30
gate base.db 'win_rate_soft.low >= .3' 'conflict.high <= 20%' 'labels.accuracy > 99%'
gate models.db 'pairs >= 40'
merge left.db right.db -o merged-COLUMNS.db
check pairs.jsonl
run pairs.jsonl -j sim --dry-run
run pairs.jsonl -j openai:gpt-4o-mini --max-tokens 100 --dry-run
run pairs.jsonl -j sim:first=1,noise=1 --pilot 20 -o pilot-COLUMNS.db
run pairs.jsonl -j sim:first=1,noise=1 -o run-COLUMNS.db
run pairs.jsonl -j sim:first=1,noise=1 --limit 30 -o limit-COLUMNS.db
run pairs.jsonl -j sim:first=1,noise=1 -o run-COLUMNS.db --refresh
audit pairs.jsonl -j sim:refs=2 --dry-run
audit pairs.jsonl -j sim:refs=2,noise=.3 --probes references -o audit-COLUMNS.db
audit pairs.jsonl --no-judge --probes references -o made-COLUMNS.db
audit --self-test
report base.db -o report.html
report base.db -o report.html --redact 'the'
report audit.db -o card.html
verdict --reread base.db -t score --dry-run
doctor
demo
template list
split a.txt
split b.txt
align a.txt b.txt
generate -j openai:m --dry-run -o nowhere
"""
# What is said on standard error.
MESSAGES = """
check bad.jsonl
import judgments long.jsonl -o imported-COLUMNS.db
labels base.db import labels.jsonl
labels base.db export labels-out.jsonl
annotate base.db --export tasks-out.jsonl
annotate people.db --export tasks-out.jsonl --labels-per-pair 2 --apart
pairs --questions pairs.jsonl --answers pairs.jsonl
doctor -j openai:gpt-4o-mini --base-url http://127.0.0.1:1/v1
nonsense
show --metods base.db
show nowhere.db
compare base.db models.db --new-judge sim:first=1,noise=1
"""
# What programs read as well.
DATA = """
show base.db --json
compare base.db new.db --json
rulings base.db
rulings base.db --format csv
export base.db judgments
export base.db labels --format csv
pairs --questions q.jsonl --answers sa.jsonl,sb.jsonl
template show score
check bad.jsonl --json
doctor --json
"""


def commands(lines):
    for line in lines.strip().splitlines():
        yield [] if line == "|" else shlex.split(line)


def verbs():
    """The commands that --help lists."""
    listed = must("--help").split("Commands:\n")[1].split("\n\n")[0]
    return re.findall(r"^  (\w+)", listed, re.M)


def seen(args, width, folder, **kwargs):
    args = [a.replace("COLUMNS", str(width)) for a in args]
    return Screen(on_terminal(args, width, folder, **kwargs)[0])


def too_long(screen, width):
    """Lines that could have been broken."""
    return [line for line in screen.lines
            if columns(line) > width and " " in line.strip()]


def words(screen):
    text = re.sub(r" \\\n", " ", screen.text())
    return set(re.sub(r"-(40|60|80|120)\.db|[0-9.:]+\s+(s|ms|UTC)\b:?", "", text).split())


# ---- tests ----

def everything():
    """All commands whose output people read, and whether messages belong to it."""
    return [(args, True) for args in commands(TEXTS)] + \
        [([verb, "--help"], False) for verb in verbs()] + \
        [(args, True) for args in commands(MESSAGES)]


def widths(folder):
    for args, errors in everything():
        name = " ".join(["evenhand", *args])
        screens = {width: seen(args, width, folder, errors=errors) for width in WIDTHS}
        long_lines = [f"{width}: {line}" for width, screen in screens.items()
                      for line in too_long(screen, width)]
        check(f"{name}: fits {WIDTHS}", not long_lines, "\n".join(long_lines))
        if args[:1] in (["align"], ["split"], ["annotate"]):
            continue  # answers are cut at the columns; a queue is made but once
        wide = words(screens[80])
        lost = {width: sorted(wide - words(screens[width])) for width in (40, 60, 120)}
        check(f"{name}: loses no word", not any(lost.values()), lost)


def every_verb():
    called = {args[0] for lines in (TEXTS, MESSAGES, DATA) for args in commands(lines)
              if args}
    check("all commands are looked at", set(verbs()) <= called, set(verbs()) - called)


def data(folder):
    for args in commands(DATA):
        piped = tap.run(*args, cwd=folder).stdout
        shown, _ = on_terminal(args, 60, folder, errors=False)
        check(f"evenhand {' '.join(args)}: the same bytes as in a pipe",
              piped and shown.decode().replace("\r\n", "\n") == piped)


def colours(folder):
    args = ["align", "a.txt", "b.txt"]
    plain = {"NO_COLOR": "1"}
    check("colours on a terminal", seen(args, 80, folder).colours)
    check("none with NO_COLOR", not seen(args, 80, folder, env=plain).colours)
    check("none with --no-color", not seen([*args, "--no-color"], 80, folder).colours)
    check("none in a pipe", "\x1b" not in must(*args, cwd=folder))


def bar(folder):
    endpoint = Endpoint(slow_answer)
    judge = ["-j", "openai:m", "--base-url", endpoint.url, "--key-env", "NO_KEY_AT_ALL",
             "--concurrency", "4"]
    for width in (40, 60):
        ledger = f"bar-{width}.db"
        args = ["run", "left.jsonl", *judge, "-m", "bpc", "-o", ledger]
        got, status = on_terminal(args, width, folder, keys=(b"\x03", b" 4 of 30"),
                                  env={"NO_KEY_AT_ALL": "k"})
        screen = Screen(got)
        check(f"a bar at {width} columns is drawn", b"\r[" in got or b" of 30 pairs" in got)
        widest = max(map(len, re.findall(rb"\r([^\r\n\x1b]*)\x1b\[K", got)))
        check("and does not wrap", widest < width - 2, f"{widest} of {width}")
        check("Ctrl-C ends it", status == 130, f"{status}\n{screen.text()}")
        check("and leaves whole lines behind",
              all(line.startswith(("evenhand run: ", "  ")) or not line
                  for line in screen.lines) and "interrupted" in screen.text(),
              screen.text())
    piped = tap.run("run", "left.jsonl", *judge, "-m", "bpc", "-o", "bar-40.db",
                    cwd=folder, env={"NO_KEY_AT_ALL": "k"})
    check("no bar elsewhere", piped.returncode == 0 and "\r" not in piped.stderr and
          "\x1b" not in piped.stderr + piped.stdout, piped.stderr)


def links(folder):
    """The labelling page's links stay whole beside their names, however narrow it is."""
    for width in (60, 80):
        args = ["annotate", "base.db", "--annotators", f"ann{width},bob{width}", "--port",
                "0"]
        got, status = on_terminal(args, width, folder, keys=(b"\x03", b"Ctrl-C ends it"))
        screen = Screen(got)
        whole = re.findall(r"^  \S+ +http://\S+/join/\S+$", screen.text(), re.M)
        screen.lines = [line for line in screen.lines if "/join/" not in line]
        check(f"links at {width} columns", status == 0 and not too_long(screen, width) and
              len(whole) >= 3, (whole, screen.text()))


def show(width, part, folder):
    for args, _ in everything():
        name = " ".join(["evenhand", *args])
        if part not in name:
            continue
        print(f"\n$ {name}\n" + "=" * width)
        print(seen(args, width, folder).text())


def has_terminals():
    """A chroot without /dev/pts has none."""
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError as fault:
        print(f"1..0 # SKIP no terminals here: {fault}")
        return False
    return True


def main():
    if not has_terminals():
        return
    with scratch() as name:
        folder = Path(name)
        prepare(folder)
        if sys.argv[2:3] == ["--show"]:
            show(int(sys.argv[3]), sys.argv[4] if len(sys.argv) > 4 else "", folder)
            return
        every_verb()
        widths(folder)
        data(folder)
        colours(folder)
        bar(folder)
        links(folder)
    finish()


if __name__ == "__main__":
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    main()
