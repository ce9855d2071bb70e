# Judges, labels and options that are missing, of a run, an audit and an empty ledger.
data="$EVENHAND_SOURCE_DIR/examples/pairs.jsonl"
"$EVENHAND" run "$data" -j sim -m bpc -o run.db -q --labels \
    "$EVENHAND_SOURCE_DIR/examples/labels.jsonl" >summary.txt 2>warnings.txt
cp run.db two.db
"$EVENHAND" run "$data" -j longest -m bpc -o two.db -q >summary.txt
"$EVENHAND" run "$data" -j sim -m standalone -o alone.db -q >summary.txt
"$EVENHAND" audit "$data" -j sim --probes references -o audit.db -q >card.txt
"$EVENHAND" run "$data" -j sim --limit 0 -o empty.db -q >summary.txt 2>warnings.txt || true
try() {
    "$EVENHAND" "$@" >out.txt && echo "status 0: $*" || echo "status $?: $*"
}
try show run.db two.db --estimate
try show run.db two.db --guarantee 10%
try show run.db --guarantee 0
try show run.db --guarantee 10% --delta 1
try show run.db --labels-random
try show run.db --guarantee 10% --methods
try show run.db -j sim
try show alone.db -m bpc
try show run.db -m standalone
try show audit.db --methods
try show run.db --methods --budgets "$(seq -s %, 1 40)%"
try show run.db --by colour
try show run.db --by answer_1
try show run.db --reference nobody
try rulings run.db --rest
try rulings two.db --guarantee 10% --rest
try rulings run.db -m standalone
try rulings run.db --guarantee 2
try report run.db -o two.db
try report run.db -o run.html --redact '('
try report run.db -o run.html --redact ''
echo "{\"id\": 1, \"question\": \"$(head -c 300 /dev/zero | tr '\0' x)\", \"answer_1\": \"a\", \"answer_2\": \"b\"}" >x.jsonl
"$EVENHAND" run x.jsonl -j sim -o x.db -q >summary.txt
try report x.db -o x.html --redact '(x+x+)+y'
try report run.db -o run.html --redact 'never to be found'
try report run.db -o run.html --redact 'answer'
try report audit.db -o card.html --redact x
try report run.db -o no/such/folder.html
try report run.db -o .
try rank empty.db
try rank two.db -j lngest
try rank two.db
try gate empty.db 'pairs > 0'
try drift empty.db
"$EVENHAND" audit "$data" --no-judge --probes padding -o nobody.db -q >card.txt
try compare nobody.db run.db
try drift nobody.db
try gate nobody.db 'pairs > 0'
try gate nobody.db -j sim 'pairs > 0'
try rank nobody.db
cp nobody.db nobody2.db
try rank nobody.db nobody2.db
sed 's/"model_1": "[^"]*", //; s/"model_2": "[^"]*", //' "$data" >bare.jsonl
"$EVENHAND" run bare.jsonl -j sim -m bpc -o bare.db -q >summary.txt
try rank bare.db
for i in $(seq 1002); do
    echo "{\"id\": $i, \"question\": \"Q\", \"answer_1\": \"a\", \"answer_2\": \"b\", \"model_1\": \"best\", \"model_2\": \"m$i\", \"origin\": $i}"
done >many.jsonl
"$EVENHAND" run many.jsonl -j sim -m vanilla -o many.db -q >summary.txt
try rank many.db
try show many.db --by origin
try show run.db run.db --reference sim
try rank nobody.db run.db -j x
try rank two.db run.db
try show nobody.db
try drift run.db --ask smi
