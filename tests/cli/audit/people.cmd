# People alone: pairs are made, tasks are given out, labels come from a file, and the card
# is theirs.
data=$EVENHAND_SOURCE_DIR/examples/pairs.jsonl
"$EVENHAND" audit "$data" --probes references --no-judge -o audit.db
"$EVENHAND" show audit.db
"$EVENHAND" annotate audit.db --labels-per-pair 6 --apart --annotators ann,bob \
    --export tasks.jsonl
sed 's/^{"id": "\([^"]*\)".*/\1/' "$data" | awk '{
    for (i = 0; i < 6; i++) {
        side = i % 2 ? "12" : "21"
        plain = (NR + i) % 7 < 4 ? 1 : 2
        twin = (NR * 3 + i) % 7 < 3 ? "tie" : plain
        knew = NR == 5 && i == 0 ? "false" : "true"
        row = "{\"pair_id\": \"%s\", \"annotator\": \"ann%d\", \"label\": \"%s\", "
        row = row "\"side\": \"%s\", \"familiar\": %s}\n"
        printf row, $1, i, plain, side, knew
        printf row, $1 "~references", i, twin, side, "true"
    }
}' >labels.jsonl
"$EVENHAND" labels audit.db import labels.jsonl
"$EVENHAND" show audit.db
