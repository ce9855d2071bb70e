#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The readings of bench_verdict in Python, to compare speeds with.

    verdict_baseline.py SHARED

Prints a line a set, separated by tabs: template, folder, replies, verdicts, reads a
second. The same rules (docs/verdict-rules.md) as far as the recorded replies need them,
written the fast way for Python: every pattern is compiled once, ASCII texts skip what
only concerns others, and a step is left out where a plain search shows that it finds
nothing. A set is read again and again for a second of processor time, and the best round
counts.
"""
import json
import re
import sys
import time
import unicodedata
from pathlib import Path

MIN_SECONDS = 1

# Template, folders, which judges; as in tests/unit/recorded.h.
SETS = [
    ("output_ab", ["llmbar", "faireval"],
     lambda j: "/Rating" not in j and not j.endswith(("/score", "/threeclass"))),
    ("first_line_scores", ["faireval", "vicuna_gpt4"], lambda j: j.endswith("/score")),
    ("last_line_class", ["faireval", "vicuna_gpt4"], lambda j: j.endswith("/threeclass")),
    ("first_mark", ["mtbench_repeat", "mtbench_phi3"], lambda j: True),
    ("arena5", ["judgebench"], lambda j: j.startswith("arena_hard/")),
    ("first_line_class", ["pandalm"], lambda j: True),
    ("compare", ["mtbench_repeat"], lambda j: True),
    ("compare", ["mtbench_phi3"], lambda j: True),
    ("compare", ["judgebench"], lambda j: j.startswith("arena_hard/")),
]

# Rule 3.
REASONING = re.compile(
    r"<(think|thinking|reasoning)>.*?</\1>|\[think\].*?\[/think\]", re.I | re.S)
REASONING_END = re.compile(r".*(?:</(?:think|thinking|reasoning)>|\[/think\])", re.I | re.S)
REASONING_BEGIN = re.compile(r"(?:<(?:think|thinking|reasoning)>|\[think\]).*", re.I | re.S)
REASONING_HINT = re.compile(r"think[>\]]|thinking>|reasoning>", re.I)

# Rule 5.
ONE_BY_ONE = {c: None for c in range(sys.maxunicode + 1)
              if unicodedata.category(chr(c)) == "Cf"}
ONE_BY_ONE.update({c: "-" for c in range(sys.maxunicode + 1)
                   if unicodedata.category(chr(c)) == "Pd" or c == 0x2212})
ONE_BY_ONE.update({0x85: "\n", 0x2028: "\n", 0x2029: "\n"})
ESCAPE = re.compile(r"\\([\[\](){}*_#>.!|-])")
UNDERSCORE = re.compile(r"_(?:(?<![^\W_]_)|(?![^\W_]))")
STRUCK = re.compile(r"~~+")
TAG = re.compile(r"</?(?:verdict|answer|decision|winner|result|judgment|score|rating)>")
TOKEN_QUOTES = re.compile(r"""(["'“”„‘‚«»「『])(\[\[[^\[\]]*\]\])["'”“’‘»«」』]""")
SPACE = re.compile(r"\s+")

# Rule 7.
REFUSAL = re.compile(
    r"\W*(?:(?:i'm sorry|i am sorry|sorry|i apologize|unfortunately"
    r"|as an ai language model)[,.;:!]*\s*(?:but )?)*(?:i|we) "
    r"(?:can't|cannot|can not|won't|will not|am unable to|am not able to|(?:must|have to) "
    r"decline to|decline to|refuse to) (?:help|assist|provide|comply|fulfil|answer"
    r"|respond|engage|participate|evaluate|compare|judge|rate|review|discuss|continue"
    r"|take part|do|process|complete|support)")

# Rules 6 and 8 to 15.
FENCE = re.compile(r"^ {0,3}(```|~~~).*?(?:^ {0,3}\1[^\n]*$|\Z)", re.M | re.S)
BLOCK_QUOTE = re.compile(r"^ {0,3}>.*$", re.M)
QUOTATION = re.compile(r'"[^"\n]*"|“[^”\n]*”|„[^“\n]*“|«[^»\n]*»|「[^」\n]*」|『[^』\n]*』')
QUOTED_VALUE = re.compile(r'(:\s*|^)"([^"\n]*)"(?=\.?[ \t]*$)', re.M)
TOKEN = re.compile(r"\[\[\s*([^\[\]]*?)\s*\]\]")
TOKEN_VALUES = {"a": "1", "a>b": "1", "a>>b": "1", "b<a": "1", "b<<a": "1",
                "b": "2", "b>a": "2", "b>>a": "2", "a<b": "2", "a<<b": "2",
                "c": "tie", "tie": "tie", "a=b": "tie", "b=a": "tie"}
WINS = (r"(?: wins| is (?:(?:slightly|significantly|much|clearly|far|somewhat"
        r"|marginally) )?better| is the winner)?")
ALIASES = [
    ("1", re.compile(r"(?:a|(?:the )?(?:assistant|answer|response|output|model) "
                     r"\(?(?:a|1)\)?|(?:the )?first(?: (?:assistant|answer|response"
                     r"|output|model|one))?)" + WINS)),
    ("2", re.compile(r"(?:b|(?:the )?(?:assistant|answer|response|output|model) "
                     r"\(?(?:b|2)\)?|(?:the )?second(?: (?:assistant|answer|response"
                     r"|output|model|one))?)" + WINS)),
    ("tie", re.compile(r"c|(?:it is )?(?:a )?(?:tie|draw)|equal|equally good|(?:tie, )?"
                       r"relatively the same|(?:they|both(?: (?:answers|responses"
                       r"|assistants))?) are (?:equal|equally good)")),
    ("conflict", re.compile(r"neither(?: is better)?|both(?: are (?:good|bad))?|either")),
]
SENTENCE = re.compile(r"(?:^|(?<=[.!?;]) +|(?<=[。！？；]))", re.M)
LEAD = re.compile(r"(?:[\W_]*\d+[.)])?[^\w\[\n\\]*")
STATEMENT = re.compile(
    r"(?:(?:based on|given|considering|after|taking|in view of|in light of"
    r"|all things considered|as)[^,\n]*, *)?"
    r"(?:(?:my|our|the|so|thus|hence|therefore|overall|and|finally|in conclusion"
    r"|to conclude|in summary|here is),? )*"
    r"(?:(?P<rank>final|overall) )?(?:verdict|winner|judgment|judgement|decision|result"
    r"|conclusion|(?P<answer>answer))\b *(?:\([^)\n]*\) *)?"
    r"(?P<link>(?:is that|is|will be|would be|goes to)?\b *(?:->|[:=|-])?)\s*(?P<value>.*)")
ALONE = re.compile(r"\[\[\s*([^\[\]]*?)\s*\]\][.!]?$|\[(a|b|c|tie)\][.!]?$"
                   r"|\\boxed\{(a|b|c|tie)\}[.!]?$", re.M)
VALUE_END = re.compile(r"[.!;:(]| - ")

# Rule 33.
NUMBER = r"(\d+(?:\.\d+)?)(?:/10)?"
SCORES = re.compile(NUMBER + r"(?: +| *, *)" + NUMBER)


def strip_reasoning(text):
    if not REASONING_HINT.search(text):
        return text
    text = REASONING.sub("", text)
    return REASONING_BEGIN.sub("", REASONING_END.sub("", text))


def fold_characters(text):
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(ONE_BY_ONE)
    return text.lower()


def fold_marks(text):
    if "\\" in text:
        text = ESCAPE.sub(r"\1", text)
    text = text.replace("*", "").replace("`", "")
    if "_" in text:
        text = UNDERSCORE.sub("", text)
    if "~~" in text:
        text = STRUCK.sub("", text)
    if "<" in text:
        text = TAG.sub("", text)
    if "[[" in text:
        text = TOKEN_QUOTES.sub(r"\2", text)
    return text


def fold(text):
    return fold_marks(fold_characters(text))


def marks_pattern(marks):
    """One pattern with a group a key; marks at word edges only."""
    groups = []
    for key, texts in marks.items():
        parts = []
        for text in texts:
            before = r"(?<![^\W_])" if text[0].isalnum() else ""
            after = r"(?![^\W_])" if text[-1].isalnum() else ""
            parts.append(before + re.escape(fold(text)) + after)
        groups.append(f"(?P<{key}>{'|'.join(parts)})")
    return re.compile("|".join(groups))


VERDICTS = {"first_much": "1", "first": "1", "tie": "tie", "second": "2", "second_much": "2"}


def read_anywhere(tiers, pick):
    patterns = [marks_pattern(tier) for tier in tiers]

    def read(text):
        text = " ".join(fold(text).split())
        for pattern in patterns:
            if pick == "first":
                found = pattern.search(text)
                if found:
                    return VERDICTS[found.lastgroup]
                continue
            keys = {found.lastgroup for found in pattern.finditer(text)}
            if keys:
                return VERDICTS[keys.pop()] if len(keys) == 1 else None
        return None

    return read


def line_of(text, last):
    text = fold(text).strip()
    line = text[text.rfind("\n") + 1:] if last else text.partition("\n")[0]
    return " ".join(line.split())


def read_line_class(classes, last):
    def read(text):
        line = line_of(text, last)
        return classes.get(line[:-1] if line.endswith((".", "。")) else line)

    return read


def read_line_scores(text):
    found = SCORES.fullmatch(line_of(text, False))
    if not found:
        return None
    one, two = float(found[1]), float(found[2])
    if not (1 <= one <= 10 and 1 <= two <= 10):
        return None
    return "tie" if abs(one - two) <= 1e-9 else "1" if one > two else "2"


def alias_of(text):
    text = text.strip(" \t\"'“”[]()")
    text = text[:-1] if text.endswith(".") else text
    for value, pattern in ALIASES:
        if pattern.fullmatch(text):
            return value
    return None


def token_value(inside):
    return TOKEN_VALUES.get(SPACE.sub("", inside)) or alias_of(inside) or "unknown"


def statement_value(found):
    """The value behind a cue and a link; None for prose."""
    value = found["value"].strip()
    tokens = [token_value(t) for t in TOKEN.findall(value)]
    if tokens:
        if value.startswith("[[") and tokens[0] == "unknown":
            return "unknown"
        before = alias_of(value[:value.index("[[")])
        known = {t for t in tokens if t != "unknown"}
        if len(known) != 1 or (before and before not in known):
            return "conflict" if known else "unknown"
        return known.pop()
    if found["answer"] or not found["link"].strip():
        return None
    end = VALUE_END.search(value)
    return alias_of(value[:end.start()] if end else value)


def statements(text):
    for begin in SENTENCE.finditer(text):
        at = LEAD.match(text, begin.end()).end()
        found = STATEMENT.match(text, at)
        if found and (found["rank"] or not found["answer"]):
            value = statement_value(found)
            if value:
                yield found["rank"] is not None or "overall" in found[0][:30], value
                continue
        found = ALONE.match(text, at)
        if found:
            yield False, token_value(found[1] or found[2] or found[3])


def blank_out(found):
    return " " * len(found[0])


def read_compare(text):
    text = fold_characters(text)
    if "```" in text or "~~~" in text:
        text = FENCE.sub("\x1a", text)
    if ">" in text:
        text = BLOCK_QUOTE.sub("\x1a", text)
    text = fold_marks(text)
    if '"' in text:
        text = QUOTED_VALUE.sub(r"\1\2", text)
    text = QUOTATION.sub(blank_out, text)
    found = list(statements(text))
    if found:
        top = max(rank for rank, _ in found)
        values = {value for rank, value in found if rank == top}
        if len(values) > 1 or "conflict" in values or "unknown" in values:
            return None
        return values.pop()
    alias = alias_of(text.strip())
    if alias:
        return None if alias == "conflict" else alias
    values = {token_value(t) for t in TOKEN.findall(text)} - {"unknown"}
    return values.pop() if len(values) == 1 and "conflict" not in values else None


READERS = {
    "output_ab": read_anywhere([
        {"first": ["Output (a) is better"], "second": ["Output (b) is better"]},
        {"first": ["Output (a)"], "second": ["Output (b)"]}], "only"),
    "first_line_scores": read_line_scores,
    "last_line_class": read_line_class({"1": "1", "2": "2", "3": "tie"}, True),
    "first_mark": read_anywhere(
        [{"first": ["[[A]]"], "second": ["[[B]]"], "tie": ["[[C]]"]}], "first"),
    "arena5": read_anywhere([{
        "first_much": ["[[A>>B]]", "[[B<<A]]"], "first": ["[[A>B]]", "[[B<A]]"],
        "tie": ["[[A=B]]", "[[B=A]]"], "second": ["[[B>A]]", "[[A<B]]"],
        "second_much": ["[[B>>A]]", "[[A<<B]]"]}], "only"),
    "first_line_class": read_line_class({"1": "1", "2": "2", "tie": "tie", "0": "tie"}, False),
    "compare": read_compare,
}


def read_reply(reader, text):
    """The verdict, or the reason for none."""
    text = strip_reasoning(text)
    if not text.strip():
        return "empty"
    verdict = reader(text)
    if verdict is None:
        return "refusal" if REFUSAL.match(fold(text)) else "no_verdict"
    return verdict


def load(shared, folders, takes):
    replies = []
    for folder in folders:
        with open(Path(shared, "data", folder, "judgments.jsonl"), encoding="utf-8") as f:
            rows = map(json.loads, f)
            replies += [row["reply"] for row in rows if takes(row["judge"])]
    return replies


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: verdict_baseline.py SHARED")
    for template, folders, takes in SETS:
        replies = load(sys.argv[1], folders, takes)
        reader = READERS[template]
        best, begin = float("inf"), time.process_time()
        while time.process_time() - begin < MIN_SECONDS:
            start = time.process_time()
            verdicts = [read_reply(reader, reply) for reply in replies]
            best = min(best, time.process_time() - start)
        n_verdicts = sum(verdict in ("1", "2", "tie") for verdict in verdicts)
        print(template, folders[0], len(replies), n_verdicts,
              round(len(replies) / best), sep="\t")


if __name__ == "__main__":
    main()
