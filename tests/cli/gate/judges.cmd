# Of several judges one must be named; a summary can come from a file or a pipe.
data="$EVENHAND_SOURCE_DIR/examples/pairs.jsonl"
"$EVENHAND" run "$data" -j sim -m bpc -o run.db -q >summary.txt
"$EVENHAND" run "$data" -j longest -m bpc -o run.db -q >summary.txt
"$EVENHAND" gate run.db 'pairs >= 40' --junit - || echo "exit status $?"
"$EVENHAND" gate run.db -j lonest 'pairs >= 40' || echo "exit status $?"
"$EVENHAND" gate run.db -j longest 'pairs >= 40'
"$EVENHAND" show run.db --json | "$EVENHAND" gate - -j sim 'conflict.rate == 0'
echo '{"delta": {"low": null, "why": "no_rows"}}' >any.json
"$EVENHAND" gate any.json 'delta.low > 0' || echo "exit status $?"
