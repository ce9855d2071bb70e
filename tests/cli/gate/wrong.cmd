# Conditions that make no sense, and files that hold no numbers, are wrong usage.
fails() {
    "$EVENHAND" gate "$@" && exit 1
    echo "exit status $?"
}
echo '{"pairs": 1}' >any.json
fails any.json 'pairs'
fails any.json 'pairs .3'
fails any.json 'pairs >= many'
fails any.json '>= 3'
fails any.json 'a..b >= 3'
fails any.json -m bpc 'pairs > 0'
echo '[1]' >list.json
fails list.json 'pairs > 0'
echo 'text' >text.json
fails text.json 'pairs > 0'
fails none.json 'pairs > 0'
fails any.json 'pairs > 0' --junit no/such/folder.xml
fails any.json
# Files that were ledgers once.
"$EVENHAND" run "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" -j sim -o run.db -q >summary.txt
head -c 5000 run.db >cut.db
fails cut.db 'pairs > 0'
{ head -c 4096 run.db; head -c 500000 /dev/zero | tr '\0' x; } >damaged.db
fails damaged.db 'pairs > 0'
