# The pipeline of examples/ci.sh with a simulated judge: a version that is as good as the
# one before it, then one that is worse. Its second build asks nothing but the sample.
ci="$EVENHAND_SOURCE_DIR/examples/ci.sh"
data="$EVENHAND_SOURCE_DIR/examples/pairs.jsonl"
version() { # NAME POINTS: answers of a version that is better by so many points
    sed "s/\"model_1\": \"model-a\"/\"model_1\": \"$1\"/; s/\"answer_1\": \"/&$1: /" "$data" |
        awk -v by="$2" '{ if (match($0, /"quality_1": [0-9.]+/)) {
            q = substr($0, RSTART + 13, RLENGTH - 13) + by
            $0 = substr($0, 1, RSTART + 12) q substr($0, RSTART + RLENGTH) } print }'
}
version v2 .4 >good.jsonl
version v3 -1 >bad.jsonl
"$ci" "$data" good.jsonl out
"$ci" "$data" good.jsonl out | sed -n '/may it/,$p'
"$ci" "$data" bad.jsonl out | sed -n '/may it/,$p' || true
"$ci" "$data" bad.jsonl out >log.txt || echo "exit status $?"
grep -c testcase out/gate.xml
"$ci" "$data" none.jsonl out >log.txt || echo "exit status $?"
"$ci" "$data" || echo "exit status $?"
