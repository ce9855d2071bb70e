try() {
    "$EVENHAND" export "$@" && echo "status 0"
    echo "status $?"
}
echo '{"pair_id": "x", "order": "12", "sample": 0, "verdict": "1"}' >j.jsonl
"$EVENHAND" import auto j.jsonl -o a.db -q
try a.db
try a.db rulings
try missing.db pairs
try j.jsonl judgments
try a.db pairs
