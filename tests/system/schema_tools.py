# SPDX-License-Identifier: MIT
"""What can be asked of a JSON Schema and the outputs that it allows.

loose_parts     what a schema leaves open that it should say
damages         parts of a value with one thing wrong
Coverage        which members outputs had, lacked, or had as null
vocabulary      words of the C sources that an enum must hold
"""
import re
from collections import Counter

KEYWORDS = {"$schema", "$defs", "$ref", "title", "description", "type", "properties",
            "required", "additionalProperties", "patternProperties", "propertyNames",
            "minProperties", "items", "minItems", "maxItems", "enum", "const", "anyOf",
            "minimum", "maximum", "pattern"}
# Lists of names in the sources: file, macro, and what its third argument must be.
LISTS = [("src/verdict/verdict.h", "VERDICT_REASON_LIST", None),
         ("src/verdict/verdict.h", "VERDICT_WARNING_LIST", None),
         ("src/stats/interval.h", "STATS_REASON_LIST", None),
         ("src/stats/difference.h", "STATS_FINDING_LIST", None),
         ("src/report/estimate.h", "REPORT_ESTIMATE_LIST", None),
         ("src/report/guarantee.h", "REPORT_REFUSAL_LIST", None),
         ("src/plan/select.h", "PLAN_SELECTION_LIST", None),
         ("src/audit/score.h", "AUDIT_STATE_LIST", None),
         ("src/audit/perturb.h", "AUDIT_REJECT_LIST", None),
         ("src/align/align.h", "ALIGN_NOTE_LIST", None),
         ("src/align/align.h", "ALIGN_UNIT_LIST", None),
         ("src/dataset/dataset.h", "DATASET_FAULT_LIST", "true"),
         ("src/dataset/dataset.h", "DATASET_FAULT_LIST", "false")]


def resolved(root, node):
    """The node that a reference means; its own description goes before."""
    while "$ref" in node:
        target = root
        for step in node["$ref"].removeprefix("#/").split("/"):
            target = target[step]
        node = {**target, **{k: v for k, v in node.items() if k != "$ref"}}
    return node


def parts_of(node, at="#"):
    """All schemas in a schema, with where they stand."""
    yield at, node
    for group in ("properties", "patternProperties", "$defs"):
        for key, part in node.get(group, {}).items():
            yield from parts_of(part, f"{at}/{group}/{key}")
    for key in ("additionalProperties", "propertyNames", "items"):
        if isinstance(node.get(key), dict):
            yield from parts_of(node[key], f"{at}/{key}")
    for number, part in enumerate(node.get("anyOf", [])):
        if "required" not in part:
            yield from parts_of(part, f"{at}/anyOf/{number}")


def loose_parts(schema, free):
    """Objects that are not closed, members without type or description, unknown words.

    `free` members may be anything."""
    faults = []
    for at, part in parts_of(schema):
        faults += [f"{at}: unknown keyword {key}" for key in part if key not in KEYWORDS]
        if "properties" in part and "additionalProperties" not in part:
            faults.append(f"{at}: open")
        missing = [key for key in part.get("required", []) if key not in part["properties"]]
        faults += [f"{at}: requires {key} and does not describe it" for key in missing]
        for key, member in part.get("properties", {}).items():
            real = resolved(schema, member)
            if not {"type", "enum", "const", "anyOf"} & set(real) and key not in free:
                faults.append(f"{at}/{key}: no type")
            if "description" not in real and real.get("type") not in ("object", "array"):
                faults.append(f"{at}/{key}: no description")
    return faults


def branch_of(root, node, value, is_valid):
    """The schema that the value is under: references and alternatives followed."""
    node = resolved(root, node)
    for part in node.get("anyOf", []):
        if "required" not in part and is_valid(part, value):
            return branch_of(root, part, value, is_valid)
    return node


def members_of(node, value):
    """Pairs of a member's schema and its key in an object or a list."""
    if isinstance(value, list):
        return [(node.get("items", {}), i) for i in range(len(value))]
    if not isinstance(value, dict):
        return []
    rest = node.get("additionalProperties")
    found = []
    for key in value:
        part = node.get("properties", {}).get(key)
        part = part or next((p for pattern, p in node.get("patternProperties", {}).items()
                             if re.search(pattern, key)), None)
        found.append((part or (rest if isinstance(rest, dict) else {}), key))
    return found


def wrong_values(node):
    """Values that this schema should refuse: another type, out of range, another word."""
    kinds = node.get("type", [])
    kinds = {kinds} if isinstance(kinds, str) else set(kinds)
    wrong = [] if kinds & {"array"} else [[["?"]]]
    if not kinds & {"object"}:
        wrong.append({"?": {"?": "?"}})
    if not kinds & {"string"}:
        wrong.append("?")
    if "enum" in node or "pattern" in node:
        wrong.append("\u0001no such word")
    if not kinds & {"number", "integer"}:
        wrong.append(-7.25)
    if kinds & {"integer"} and not kinds & {"number"}:
        wrong.append(1.5)
    if "minimum" in node:
        wrong.append(node["minimum"] - 1)
    if "maximum" in node:
        wrong.append(node["maximum"] + 1)
    if "null" not in kinds and None not in node.get("enum", [None]) or "const" in node:
        wrong.append(None)
    return wrong


def is_anything(part):
    return not {"$ref", "type", "enum", "const", "anyOf"} & set(part)


def damages(schema, value, is_valid, free, seen):
    """What is wrong, the schema that must refuse it, and the part of the value with it.
    Of lists the first item, and a schema that `seen` holds is not looked at again."""
    parts = [("", schema, value)]
    while parts:
        at, whole, inside = parts.pop()
        mark = (whole.get("$ref", id(whole)), inside is None)
        if mark in seen or inside is None and whole is not schema:
            continue
        seen.add(mark)
        alternatives = "anyOf" in resolved(schema, whole)
        node = branch_of(schema, whole, inside, is_valid)
        for wrong in wrong_values(node):
            if not alternatives or isinstance(wrong, (dict, list, float)):
                yield f"{at}: {wrong!r}", whole, wrong
        if isinstance(inside, dict):
            for key in node.get("required", []):
                yield (f"{at} without {key}", whole,
                       {k: v for k, v in inside.items() if k != key})
            if node.get("additionalProperties") is False:
                yield f"{at} with more", whole, {**inside, "no such": 1}
        inner = members_of(node, inside)
        inner = inner[:1] if isinstance(inside, list) else inner
        parts += [(f"{at}.{key}", part, inside[key]) for part, key in inner
                  if key not in free and not is_anything(part)]


class Coverage:
    """Counts of members that outputs had and of those that they lacked."""

    def __init__(self):
        self.had, self.lacked, self.null = Counter(), Counter(), Counter()
        self.optional = set()

    def look(self, name, schema, value, is_valid):
        self._look(schema, schema, value, name, is_valid)

    def _look(self, root, node, value, at, is_valid):
        if "$ref" in node:
            at = at.split("/")[0] + "/" + node["$ref"].split("/")[-1]
        node = branch_of(root, node, value, is_valid)
        if isinstance(value, dict):
            for key in node.get("properties", {}):
                place = f"{at}/{key}"
                (self.had if key in value else self.lacked)[place] += 1
                if key not in node.get("required", []):
                    self.optional.add(place)
        for part, key in members_of(node, value):
            known = isinstance(value, dict) and key in node.get("properties", {})
            self._look(root, part, value[key], f"{at}/{key if known else '*'}", is_valid)

    def never_met(self):
        return sorted(place for place in self.lacked if not self.had[place])

    def always_met(self, least):
        """Optional members that no output of many lacked: they should be required."""
        return sorted(place for place in self.optional
                      if self.had[place] >= least and not self.lacked[place])


def names_in(source, macro, third):
    text = source.read_text()
    body = re.search(rf"#define {macro}\(X\)((?:.*\\\n)*.*)", text).group(1)
    body = re.sub(r"/\*.*?\*/", "", body.replace("\\\n", " "), flags=re.DOTALL)
    rows = re.findall(r'X\(\s*\w+,\s*"(\w+)"(?:,\s*(\w+))?', body)
    return {name for name, more in rows if third is None or more == third}


def vocabulary(root, schemas):
    """For each list of names: what the schemas lack of it, and how many enums hold it."""
    enums = [(f"{name}{at[1:]}", set(part["enum"]) - {None})
             for name, schema in schemas.items() for at, part in parts_of(schema)
             if "enum" in part]
    for path, macro, third in LISTS:
        words = names_in(root / path, macro, third)
        near = [(at, words - enum) for at, enum in enums
                if 3 * len(words & enum) > 2 * len(words)]
        yield (f"{macro} {third or ''}".strip(), len(near),
               [f"{at} lacks {', '.join(sorted(lacks))}" for at, lacks in near if lacks])
