# Two halves of a data set that overlap; one label is not the same in both.
data="$EVENHAND_SOURCE_DIR/examples/pairs.jsonl"
head -n 30 "$data" >left.jsonl
tail -n 30 "$data" >right.jsonl
id=$(sed -n '25s/{"id": "\([^"]*\)".*/\1/p' "$data")
echo "{\"pair_id\": \"$id\", \"annotator\": \"ann\", \"label\": \"1\"}" >left-labels.jsonl
echo "{\"pair_id\": \"$id\", \"annotator\": \"ann\", \"label\": \"2\"}" >right-labels.jsonl
for side in left right; do
    "$EVENHAND" run $side.jsonl -j sim -m bpc --labels $side-labels.jsonl -o $side.db -q \
        >summary.txt
done
"$EVENHAND" merge left.db right.db -o both.db
"$EVENHAND" merge left.db right.db -o both.db || echo "exit status $?"
"$EVENHAND" merge left.db -o new.db || echo "exit status $?"
"$EVENHAND" merge left.db left.jsonl -o new.db || echo "exit status $?"
"$EVENHAND" merge left.db right.db || echo "exit status $?"
