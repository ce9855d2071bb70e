# The weaker model's answers dressed up; the same again asks nothing.
data=$EVENHAND_SOURCE_DIR/examples/pairs.jsonl
judge=sim:refs=1.5,noise=.4
audit() { "$EVENHAND" audit "$data" -j "$judge" -o audit.db "$@"; }
audit --attack references,rich_content,both --dry-run
audit --attack references,rich_content,both -q | sed "/^  on /d"
audit --attack references,rich_content,both --dry-run
"$EVENHAND" show audit.db --json | grep -A 6 '"votes": {'
audit --attack nothing || echo "exit $?"
audit --anchor big || echo "exit $?"
audit --attack both --anchor nobody 2>&1 || echo "exit $?"
