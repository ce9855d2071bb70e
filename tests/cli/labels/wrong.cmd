# Labels of pairs that are not there, and files of labels that are none.
data="$EVENHAND_SOURCE_DIR/examples/pairs.jsonl"
"$EVENHAND" run "$data" -j sim -m bpc -o run.db -q >summary.txt
try() {
    "$EVENHAND" labels run.db "$@" && echo "status 0: $*" || echo "status $?: $*"
}
id=$(sed -n '1s/{"id": "\([^"]*\)".*/\1/p' "$data")
{
    echo "{\"pair_id\": \"$id\", \"annotator\": \"ann\", \"label\": \"1\"}"
    echo '{"pair_id": "nowhere", "annotator": "ann", "label": "2"}'
    echo '{"pair_id": "elsewhere", "annotator": "ann", "label": "2"}'
} >labels.jsonl
try import labels.jsonl
try remove labels.jsonl
for i in $(seq 3); do echo "{\"pair_id\": \"$id\", \"annotator\": \"ann\", \"label\": \"$i\"}"; done >wrong.jsonl
try import wrong.jsonl
try import none.jsonl
try export no/such/folder.jsonl
try export .
"$EVENHAND" annotate run.db --budget 10% --export tasks.jsonl
try import tasks.jsonl
sed 's/"choice": null/"choice": "C"/' tasks.jsonl >none-of-them.jsonl
try import none-of-them.jsonl
sed 's/"item": "[^"]*"/"item": "0"/; s/"choice": null/"choice": "A"/' tasks.jsonl >others.jsonl
try import others.jsonl
