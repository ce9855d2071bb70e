# An audit is shown alone, and without what only runs have.
data=$EVENHAND_SOURCE_DIR/examples/pairs.jsonl
"$EVENHAND" audit "$data" -j sim --probes references -o audit.db -q >/dev/null
"$EVENHAND" run "$data" -j sim --method vanilla -o run.db -q >/dev/null
"$EVENHAND" show audit.db --by category || echo "exit $?"
"$EVENHAND" show run.db audit.db || echo "exit $?"
