. "$EVENHAND_SOURCE_DIR/tests/cli/show/data.sh"
grep large judgments.jsonl >large.jsonl
"$EVENHAND" show large.jsonl $with --compat
echo ---
"$EVENHAND" show large.jsonl $with --by level | sed 1,/^large,/d
