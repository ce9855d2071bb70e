cp "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" pairs.csv
"$EVENHAND" check pairs.csv
