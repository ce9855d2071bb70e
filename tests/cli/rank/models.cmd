# The two models of the examples; then three that say more about what is not known.
data="$EVENHAND_SOURCE_DIR/examples/pairs.jsonl"
"$EVENHAND" run "$data" -j sim:first=1.5,noise=1 -t compare -o run.db -q >summary.txt
"$EVENHAND" rank run.db --length --style
echo
"$EVENHAND" rank run.db --half-ties --json | head -n 20
echo
sed 's/"model_1": "model-a"/"model_1": "model-c"/;s/"model_2": "model-b"/"model_2": "model-d"/
     s/{"id": "/&x-/' "$data" >other.jsonl
"$EVENHAND" run other.jsonl -j sim:first=1.5,noise=1 -t compare -o other.db -q >summary.txt
"$EVENHAND" rank run.db other.db
"$EVENHAND" run "$data" -j longest -o run.db -q >summary.txt
"$EVENHAND" rank run.db || echo "exit status $?"
"$EVENHAND" rank run.db -j longest --length | head -n 8
