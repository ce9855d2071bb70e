# What cannot be answered is not met: too little data, one order, no labels, an
# unfinished run.
fails() {
    "$EVENHAND" gate "$@" && exit 1
    echo "exit status $?"
}
head -n 1 "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" >one.jsonl
"$EVENHAND" run one.jsonl -j sim -o one.db -q >summary.txt
fails one.db 'win_rate_soft.low >= 0' 'win_rate_soft.value >= 0' 'labels.kappa >= 0'
"$EVENHAND" run "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" -j sim -m ec -o ec.db -q \
    >summary.txt
fails ec.db 'conflict.rate <= 1' 'conflict <= 1'
"$EVENHAND" run "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" -j sim -o part.db --limit 100 \
    -q >summary.txt || echo "stopped: $?"
fails part.db 'pairs > 0'
