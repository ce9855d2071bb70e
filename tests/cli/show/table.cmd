. "$EVENHAND_SOURCE_DIR/tests/cli/show/data.sh"
"$EVENHAND" show judgments.jsonl
echo ---
"$EVENHAND" show judgments.jsonl $with --by category
