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
"$EVENHAND" run "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" -j sim -m standalone -o b.db -q >summary.txt
try b.db judgments
