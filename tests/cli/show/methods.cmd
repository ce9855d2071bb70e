. "$EVENHAND_SOURCE_DIR/tests/cli/show/data.sh"
"$EVENHAND" show judgments.jsonl $with --methods --label-price .40
echo ---
"$EVENHAND" show judgments.jsonl --methods --budgets 50%
