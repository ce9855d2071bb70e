. "$EVENHAND_SOURCE_DIR/tests/cli/show/data.sh"
grep large judgments.jsonl >large.jsonl
"$EVENHAND" show large.jsonl $with --json --methods --budgets 20% --by category --compat >all.json
"$EVENHAND" import judgments large.jsonl $with -o a.db -q
"$EVENHAND" show a.db --json --methods --budgets 20% --by category --compat | cmp - all.json
python3 - <<'PY'
import json

doc = json.load(open("all.json"))
judge = doc["judges"]["large"]
print(list(doc))
print(list(judge))
print(judge["score_gap"])
print(judge["human_ties"])
print(judge["why"])
print(doc["by"]["judges"]["large"]["maths"]["win_rate"])
print(doc["methods"][0]["rows"][-1])
print(doc["annotators"]["people"]["ann-1"])
print(doc["annotators"]["fleiss"])


def walk(value, place):
    """Whatever is null says why, beside it or by its name."""
    if isinstance(value, list):
        for i, item in enumerate(value):
            walk(item, f"{place}[{i}]")
    elif isinstance(value, dict):
        why = value.get("why")
        for key, item in value.items():
            if item is None and not isinstance(why, str) and key not in (why or {}):
                print("no reason for", place, key)
            if key != "models":  # an endpoint need not name itself
                walk(item, f"{place}.{key}")


walk(doc, "")
PY
