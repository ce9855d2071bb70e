# What cannot be audited is refused before anyone is asked.
data=$EVENHAND_SOURCE_DIR/examples/pairs.jsonl
audit() { "$EVENHAND" audit "$data" -o a.db "$@" || echo "exit $?"; }
audit -j sim --probes gender
audit -j sim --probes mine=errors.jsonl
audit -j sim --probes mine:oversight=none.jsonl
echo '{"id": "x", "question": "Q", "answer_1": "1", "answer_2": "2"}' >rows.jsonl
audit -j sim --probes "gender=rows.jsonl"
echo '{"pair_id": "p1", "judge": "j", "order": "12", "sample": 0, "verdict": "1"}' >j.jsonl
audit -j "replay:j.jsonl"
test ! -e a.db
