# Judgments, pairs and labels, as JSONL and as CSV
. "$EVENHAND_SOURCE_DIR/tests/cli/show/data.sh"
"$EVENHAND" import judgments judgments.jsonl $with -o a.db -q
"$EVENHAND" export a.db judgments | sed -n '1p;22p;48p'
"$EVENHAND" export a.db judgments --format csv | sed -n '1,2p;23p'
"$EVENHAND" export a.db pairs | sed -n '1p;6p'
"$EVENHAND" export a.db pairs --format csv | sed -n '1,2p'
"$EVENHAND" export a.db labels | head -2
"$EVENHAND" export a.db labels --format csv --pseudonyms | head -2
