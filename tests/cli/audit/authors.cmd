# A judge that likes its own, people on the same pairs, and whose family it is.
sed 's/"model_1": "[^"]*"/"model_1": "gpt-4o"/; s/"model_2": "[^"]*"/"model_2": "claude-3"/' \
    "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" >pairs.jsonl
audit() { "$EVENHAND" audit pairs.jsonl --probes majority -o audit.db -q "$@"; }
authors() { sed -n '/^Who wrote/,/^Limits/p' | sed '$d'; }
audit -j sim:own=2,family=gpt,noise=.3 | authors
"$EVENHAND" labels audit.db import "$EVENHAND_SOURCE_DIR/examples/labels.jsonl"
"$EVENHAND" show audit.db --family claude -j sim:noise=0.3,own=2,family=gpt | authors
"$EVENHAND" show audit.db | sed -n '1,/^$/p' | sed 's/[0-9-]*, 48/DATE, 48/'
audit -j sim:noise=.3 | authors
audit -j sim:own=2 || echo "exit $?"
"$EVENHAND" show audit.db --family gpt || echo "exit $?"
