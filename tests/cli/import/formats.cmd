# What the files are is seen in them, and said
. "$EVENHAND_SOURCE_DIR/tests/cli/import/data.sh"
"$EVENHAND" import auto annotations.json -o a.db
"$EVENHAND" import fastchat gpt-4_pair.jsonl -o b.db
"$EVENHAND" show a.db | head -4
"$EVENHAND" show gpt-4_pair.jsonl | head -4
"$EVENHAND" export a.db pairs | head -1
