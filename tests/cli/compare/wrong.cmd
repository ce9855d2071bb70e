# What cannot be compared.
data="$EVENHAND_SOURCE_DIR/examples/pairs.jsonl"
"$EVENHAND" run "$data" -j sim -m bpc -o a.db -q >summary.txt
"$EVENHAND" run "$data" -j longest -m bpc -o a.db -q >summary.txt
"$EVENHAND" run "$EVENHAND_SOURCE_DIR/examples/hostile.jsonl" -j sim -o b.db -q \
    >summary.txt 2>warnings.txt
for args in 'a.db' 'a.db a.db' 'a.db a.db -j lngest' 'a.db b.db -j sim' 'a.db none.db -j sim' \
    'a.db a.db -j sim --margin 3'; do
    # shellcheck disable=SC2086 # several words
    "$EVENHAND" compare $args || echo "exit status $?"
done
# Some pairs have their two models exchanged.
sed '1,10s/"model_1": "model-a"/"model_1": "model-b"/; 1,10s/"model_2": "model-b"/"model_2": "model-a"/' \
    "$data" >exchanged.jsonl
"$EVENHAND" run exchanged.jsonl -j sim -m bpc -o exchanged.db -q >summary.txt
"$EVENHAND" compare a.db exchanged.db -j sim | tail -n 1
