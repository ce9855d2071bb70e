. "$EVENHAND_SOURCE_DIR/tests/cli/show/data.sh"
"$EVENHAND" import judgments judgments.jsonl $with -o a.db -q
grep large judgments.jsonl >large.jsonl
"$EVENHAND" import judgments large.jsonl --pairs pairs.jsonl -o b.db -q
"$EVENHAND" show a.db b.db --reference 'small' | sed -n '/^agreement/,$p'
echo ---
"$EVENHAND" show judgments.jsonl --reference large | sed -n '/^agreement/,$p'
