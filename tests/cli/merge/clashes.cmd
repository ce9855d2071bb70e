# What is not the same in two ledgers: texts, verdicts, labels.
data="$EVENHAND_SOURCE_DIR/examples/pairs.jsonl"
sed 's/"answer_1": "/&Well: /' "$data" >other.jsonl
labels() {
    sed -n "s/{\"id\": \"\\([^\"]*\\)\".*/{\"pair_id\": \"\\1\", \"annotator\": \"ann\", \"label\": \"$1\"}/p" \
        "$data" | head -n 30
}
labels 1 >one.jsonl
labels 2 >two.jsonl
sed 's/"id": "\([^"]*\)".*/"pair_id": "\1", "order": "12", "sample": 0, "judge": "j", "verdict": "1"}/' \
    "$data" >j1.jsonl
sed 's/"verdict": "1"/"verdict": "2"/' j1.jsonl >j2.jsonl
"$EVENHAND" import judgments j1.jsonl --pairs "$data" --labels one.jsonl -q -o left.db
"$EVENHAND" import judgments j2.jsonl --pairs other.jsonl --labels two.jsonl -q -o right.db
"$EVENHAND" merge left.db right.db -o both.db
"$EVENHAND" import judgments j2.jsonl --pairs "$data" --labels two.jsonl -q -o again.db
"$EVENHAND" merge left.db again.db -o all.db
