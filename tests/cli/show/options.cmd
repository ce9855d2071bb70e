# Options that would do nothing are refused, each with what it goes with.
"$EVENHAND" run "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" -j sim -m bpc -o run.db -q \
    >summary.txt
"$EVENHAND" export run.db judgments >judgments.jsonl
refused() {
    "$EVENHAND" show "$@" >out.txt && echo "taken: $*" || echo "exit status $?"
}
refused run.db --margin 5%
refused judgments.jsonl --margin 5%
refused run.db --budgets 10%
refused run.db --label-price 1
refused run.db --co2e-hour 3
refused run.db --half-width .1
refused run.db --map verdict=winner
refused run.db --verdicts A=1
refused run.db --judge-id x
refused run.db --pairs data.jsonl
refused run.db --labels labels.jsonl
refused run.db --estimate --by category
refused run.db --estimate --prices prices.yaml
refused run.db --timing --json --methods
refused run.db --label-price 1 --json
refused judgments.jsonl --judge-id x
