# A row that says by which edits its answer was made keeps them, if they make it.
cat >pairs.jsonl <<'P'
{"id": "a", "question": "Q?", "answer_1": " One is so.\n", "answer_2": "Two is so."}
{"id": "b", "question": "R?", "answer_1": "Red it is.", "answer_2": "Blue it is."}
P
row() { printf '{"id": "%s", "question": "%s", "answer_1": "%s", "answer_2": "%s", "perturbed": 1, "edits": %s}\n' "$@"; }
row a 'Q?' 'One is not so.' 'Two is so.' '[{"at": 8, "removed": 0, "inserted": "not "}]' >good.jsonl
row b 'R?' 'Pink it is.' 'Blue it is.' '[{"at": 0, "removed": 3, "inserted": "Pink"}]' >>good.jsonl
audit() { "$EVENHAND" audit pairs.jsonl -j sim -o audit.db -q "$@" >card 2>&1 || { s=$?; tail -n 3 card; echo "exit $s"; }; }
audit --probes mine:oversight=good.jsonl
for edits in '[{"at": 0, "removed": 3, "inserted": "Rose"}]' '[{"at": 8, "removed": 9, "inserted": ""}]' \
    '[{"at": 0, "removed": 3}]' '{"at": 0}'; do
    head -n 1 good.jsonl >bad.jsonl
    row b 'R?' 'Pink it is.' 'Blue it is.' "$edits" >>bad.jsonl
    audit --probes mine:oversight=bad.jsonl
done
audit --probes mine:oversight=bad.jsonl --skip-bad
grep 'left out' card
