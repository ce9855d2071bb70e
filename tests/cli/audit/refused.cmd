# Probes, attacks and options that cannot be, and rows that are left out.
data=$EVENHAND_SOURCE_DIR/examples/pairs.jsonl
audit() { "$EVENHAND" audit "$data" -o a.db -q "$@" || echo "exit $?: $*"; }
audit
audit -j sim --no-judge
audit --no-judge --dry-run
audit -j sim --refresh --max-age 7d
audit -j sim --anchor model-a
audit -j sim --probes refs
audit -j sim --probes references,references
audit -j sim --probes 'my probe:oversight=rows.jsonl'
audit -j sim --probes mine:blind=rows.jsonl
audit -j sim --probes mine=rows.jsonl
audit -j sim --probes "$(seq -s , -f 'p%g:oversight=r.jsonl' 1 65)" 2>&1 | head -n 1
audit -j sim --attack refs
audit -j sim --attack both,both
audit -j sim --attack padding,injection,majority,references,rich_content,shortening,both,padding,injection
audit -j sim --attack both --anchor nobody
audit -j sim -t standalone
audit -j sim -k 40
"$EVENHAND" audit none.jsonl -j sim -o a.db || echo "exit $?"
cat >pairs.jsonl <<'P'
{"id": "a~padding", "question": "Q?", "answer_1": "One is so.", "answer_2": "Two is so."}
{"id": "a", "question": "Q?", "answer_1": "One is so.", "answer_2": "Two is so."}
P
"$EVENHAND" audit pairs.jsonl -j sim --probes padding -o b.db || echo "exit $?"
sed 's/~padding/~attack-padding/; s/^{/&"model_1": "m", "model_2": "n", /' pairs.jsonl >models.jsonl
"$EVENHAND" audit models.jsonl -j sim --attack padding --anchor m -o c.db || echo "exit $?"
echo '{"id": "a", "question": "Q?", "answer_1": "One is so."}' >bad.jsonl
"$EVENHAND" audit bad.jsonl -j sim -o a.db || echo "exit $?"
for i in $(seq 40); do
    echo "{\"id\": \"$i\", \"question\": \"Q?\", \"answer_1\": \"One is so.\", \"answer_2\": \"Two is so.\", \"model_1\": \"best\", \"model_2\": \"m$i\"}"
done >many.jsonl
"$EVENHAND" audit many.jsonl -j sim --attack padding,injection --anchor best -o d.db || echo "exit $?"
test ! -e a.db && echo 'no ledger is left'
