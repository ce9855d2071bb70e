. "$EVENHAND_SOURCE_DIR/tests/cli/show/data.sh"
"$EVENHAND" import judgments judgments.jsonl $with -o a.db -q
try() {
    "$EVENHAND" show "$@" && echo "status 0"
    echo "status $?"
}
try a.db --by colour
try a.db --reference nobody
try a.db --methods --budgets 20%,x
try a.db --labels labels.jsonl
try judgments.jsonl --labels missing.jsonl
try a.db missing.db
