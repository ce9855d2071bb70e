. "$EVENHAND_SOURCE_DIR/tests/cli/show/data.sh"
grep large judgments.jsonl >large.jsonl
"$EVENHAND" import judgments large.jsonl $with -o a.db -q
"$EVENHAND" show a.db --timing --co2e-hour 50 --json | sed 's/_ms": [0-9][0-9]*/_ms": N/'
# as an endpoint would have left it: 2 seconds for each request of two replies
python3 - <<'PY'
import sqlite3

db = sqlite3.connect("a.db")
db.execute("UPDATE call SET latency_ms = 2000, completion_tokens = 40, "
           "prompt_tokens = CASE sample WHEN 0 THEN 500 ELSE 0 END")
db.commit()
PY
"$EVENHAND" show a.db --timing --co2e-hour 50 --co2e .5 | grep -A2 -e '^  cost' -e '^  large' |
    sed 's/over [0-9.]* s/over N s/'
"$EVENHAND" show a.db --timing --co2e-hour 50 --json | grep -A4 judge_seconds
