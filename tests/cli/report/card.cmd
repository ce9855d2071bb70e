# The page of audits is the judge card; audits and runs do not mix, and each has options
# of its own.
data=$EVENHAND_SOURCE_DIR/examples/pairs.jsonl
"$EVENHAND" audit "$data" -j sim:refs=3,noise=.4 --probes references -o audit.db -q >card.txt
"$EVENHAND" run "$data" -j sim:noise=.4 -o run.db -q >run.txt
"$EVENHAND" report audit.db -o /dev/null | sed 's/, [0-9.]* MB/, N MB/'
"$EVENHAND" report audit.db audit.db --no-texts --margin 5% -o /dev/null |
    sed 's/, [0-9.]* MB/, N MB/'
"$EVENHAND" report audit.db run.db -o x.html || echo "$?"
"$EVENHAND" report audit.db -m mec -o x.html || echo "$?"
"$EVENHAND" report run.db --margin 5% -o x.html || echo "$?"
