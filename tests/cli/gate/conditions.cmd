# Every end that a condition can have, and the JUnit file of it.
"$EVENHAND" run "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" -j sim:first=1.5,noise=.5 \
    --labels "$EVENHAND_SOURCE_DIR/examples/labels.jsonl" -o run.db -q >summary.txt
status=0
"$EVENHAND" gate run.db 'win_rate_soft.low >= .3' 'conflict.high <= 20%' \
    'conflict.hihg<=.2' ' accuracy > .7 ' 'failed.refusal <= 2' 'failed.refused <= 2' \
    'labels < 3' 'conflict_by_sample.first_both == 3' 'cost_usd <= 1' \
    'bpde.mean != 0' --junit junit.xml || status=$?
echo "exit status $status"
cat junit.xml
"$EVENHAND" gate run.db 'win_rate_soft.low >= .3'
