# Queues that cannot be made or enlarged.
data="$EVENHAND_SOURCE_DIR/examples/pairs.jsonl"
"$EVENHAND" run "$data" -j sim:noise=1 -q -m bpc -o run.db >summary.txt
cp run.db two.db
"$EVENHAND" run "$data" -j longest -q -m bpc -o two.db >summary.txt
echo '{"pair_id": "a", "judge": "j", "order": "12", "sample": 0, "verdict": "1"}' >j.jsonl
"$EVENHAND" import judgments j.jsonl -q -o bare.db
try() {
    "$EVENHAND" annotate "$@" --export tasks.jsonl && echo "status 0: $*" || echo "status $?: $*"
}
try two.db --budget 10%
try bare.db --budget 1
try run.db --selection file --ids none.txt
: >none.txt
try run.db --selection file --ids none.txt
echo nowhere >ids.txt
try run.db --selection file --ids ids.txt
head -c 5000 /dev/zero | tr '\0' x >long.txt
try run.db --selection file --ids long.txt
try run.db --annotators ''
try run.db --annotators 'a,  ,b'
try run.db --annotators "$(printf '%065d' 1)"
try run.db --annotators "$(printf 'a\001')"
try two.db --rank-by smi
try two.db --rank-by sim:noise=1 --budget 10%
try two.db --rank-by longest
try two.db --selection random
cp bare.db random.db
try random.db --selection random --rank-by j --budget 1
"$EVENHAND" audit "$data" --no-judge --probes padding -o nobody.db -q >card.txt
try nobody.db --selection entropy
try nobody.db --selection random --budget 10%
try nobody.db --rank-by j
try run.db --annotators "$(seq -s , 1001)" 2>&1 | cut -c 1-60
# The data has become smaller since the queue was made.
cp run.db fewer.db
try fewer.db --budget 10%
head -n 20 "$data" >fewer.jsonl
"$EVENHAND" run fewer.jsonl -j sim:noise=1 -q -m bpc -o fewer.db >summary.txt
try fewer.db --budget 50%
