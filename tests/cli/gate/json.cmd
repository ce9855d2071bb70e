# The gate for programs: each condition with what it found.
"$EVENHAND" run "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" -j sim:first=1.5,noise=.5 \
    -o run.db -q >summary.txt
"$EVENHAND" gate run.db --json 'win_rate_soft.low >= .3' 'conflict.high <= 20%' \
    'no.such < 1' || echo "exit status $?"
