# What was merged, for programs; a label that two files disagree on is counted and said.
head -n 3 "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" >data.jsonl
id=$(sed -n '1s/{"id": "\([^"]*\)".*/\1/p' data.jsonl)
for label in 1 2; do
    echo "{\"pair_id\": \"$id\", \"annotator\": \"ann\", \"label\": \"$label\"}" >labels.jsonl
    "$EVENHAND" run data.jsonl -j sim:seed=$label -m bpc --labels labels.jsonl \
        -o $label.db -q >summary.txt
done
"$EVENHAND" merge 1.db 2.db -o both.db --json
