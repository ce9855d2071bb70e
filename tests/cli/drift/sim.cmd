# A simulated judge does not change; what cannot be asked again is said.
data="$EVENHAND_SOURCE_DIR/examples/pairs.jsonl"
"$EVENHAND" run "$data" -j sim:first=1.5,noise=.5 -o run.db -q >summary.txt
"$EVENHAND" show run.db >before.txt
"$EVENHAND" drift run.db --sample 40
"$EVENHAND" show run.db | cmp - before.txt
"$EVENHAND" run "$data" -j longest -m bpc -o run.db -q >summary.txt
"$EVENHAND" drift run.db || echo "exit status $?"
"$EVENHAND" drift run.db -j longest --ask overlap || echo "exit status $?"
"$EVENHAND" drift run.db -j longest --base-url http://127.0.0.1:1/v1 || echo "exit status $?"
echo '{"pair_id": "science-1", "judge": "x", "order": "12", "sample": 0, "verdict": "1"}' \
    >judgments.jsonl
"$EVENHAND" import judgments judgments.jsonl -o recorded.db
"$EVENHAND" drift recorded.db || echo "exit status $?"
"$EVENHAND" export run.db judgments >judgments.jsonl
"$EVENHAND" run "$data" -j replay:judgments.jsonl#longest -m bpc -o replayed.db -q >summary.txt
"$EVENHAND" drift replayed.db || echo "exit status $?"
head -n 1 "$data" >one.jsonl
"$EVENHAND" run one.jsonl -j sim -o one.db -q >summary.txt
"$EVENHAND" drift one.db -q || echo "exit status $?"
