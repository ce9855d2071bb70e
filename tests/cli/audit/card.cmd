# A judge that loves references, and one probe more: only the new calls are made.
data=$EVENHAND_SOURCE_DIR/examples/pairs.jsonl
judge=sim:refs=3,noise=.4
"$EVENHAND" audit "$data" -j "$judge" --probes references -o audit.db -q >one.txt
"$EVENHAND" audit "$data" -j "$judge" --probes references,majority -o audit.db --dry-run
"$EVENHAND" audit "$data" -j "$judge" --probes references,majority -o audit.db |
    sed "/^  on /d"
"$EVENHAND" show audit.db >two.txt
"$EVENHAND" audit "$data" -j "$judge" --probes references,majority -o audit.db -q |
    cmp - two.txt
