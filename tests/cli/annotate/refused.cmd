cp "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" .
"$EVENHAND" run pairs.jsonl -j sim:noise=1 -q -o run.db >all.txt
fails() {
    "$EVENHAND" annotate run.db "$@" && exit 1
    echo "exit status $?"
}
fails --budget most
fails --budget 101%
fails --selection best
fails --ids pairs.jsonl
fails --selection file
fails --rank-by nobody
fails --annotators owner
fails --public-url labels.example.org
fails --bind nowhere.invalid
"$EVENHAND" annotate run.db --budget 20% --export tasks.jsonl
fails --budget 5
fails --selection random
fails --seed 7
