# Two judges, and one judge in two ledgers, side by side; gates over an audit.
data=$EVENHAND_SOURCE_DIR/examples/pairs.jsonl
for ledger in one.db two.db; do
    "$EVENHAND" audit "$data" -j sim:refs=3,noise=.4 --probes references,majority \
        -o $ledger -q >/dev/null
done
"$EVENHAND" audit "$data" -j sim:first=9 --probes references -o one.db -q >/dev/null
"$EVENHAND" show one.db
"$EVENHAND" show one.db two.db -j sim:noise=0.4,refs=3
"$EVENHAND" show one.db two.db --json | grep '"sim'
"$EVENHAND" show two.db --both-forms | grep ' as '
"$EVENHAND" gate two.db 'probes.references.difference.high <= .1' \
    'probes.majority.difference.high <= .5' 'probes.references.flagged == 0' \
    'probes.nothing.asr.high < .1' || echo "exit $?"
"$EVENHAND" gate one.db -j sim:first=9 'probes.references.asr.high < 1' || echo "exit $?"
"$EVENHAND" gate one.db 'calls > 0' || echo "exit $?"
"$EVENHAND" show one.db -j nobody || echo "exit $?"
