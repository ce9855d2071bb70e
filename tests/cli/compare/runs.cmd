# Two judges over the same answers, with and without labels; then other answers.
data="$EVENHAND_SOURCE_DIR/examples/pairs.jsonl"
labels="$EVENHAND_SOURCE_DIR/examples/labels.jsonl"
"$EVENHAND" run "$data" -j sim:first=1.5,noise=.5 -o base.db -q >summary.txt
"$EVENHAND" run "$data" -j sim:noise=.5 -o new.db -q >summary.txt
"$EVENHAND" compare base.db new.db
echo
"$EVENHAND" labels base.db import "$labels" -q
"$EVENHAND" compare base.db new.db --margin 10%
echo
sed 's/"model_1": "model-a"/"model_1": "model-a2"/;s/"answer_1": "/&So: /' "$data" >v2.jsonl
"$EVENHAND" run v2.jsonl -j sim:noise=.5 -o v2.db -q >summary.txt
"$EVENHAND" compare new.db v2.db
