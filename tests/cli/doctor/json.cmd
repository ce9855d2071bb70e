# the same as JSON, of which the parts that every build has are printed
OPENAI_API_KEY=sk-planted-0123456789 "$EVENHAND" doctor --json >doctor.json
python3 - <<'END'
import json
report = json.load(open("doctor.json"))
print(list(report))
print(report["build"], report["keys"])
print(report["methods"][:1], report["templates"][:1], len(report["judges"]) > 4)
assert all(report["libraries"].values())
assert "sk-planted" not in open("doctor.json").read()
END
