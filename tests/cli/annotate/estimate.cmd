cp "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" "$EVENHAND_SOURCE_DIR/examples/labels.jsonl" .
"$EVENHAND" run pairs.jsonl -j sim:first=1,noise=1 --labels labels.jsonl -q -o run.db >all.txt
"$EVENHAND" show run.db --estimate --half-width .2
"$EVENHAND" rulings run.db -m hitlc | head -n 2
