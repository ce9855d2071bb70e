# Two pairs of one question: nothing has an interval, one probe has no pair that counts
# (the perturbed answer was the better one all along), and no number is made up.
cat >pairs.jsonl <<'P'
{"id": "a", "question": "Q?", "answer_1": "It is so.", "answer_2": "No.", "quality_1": 9, "quality_2": 1}
{"id": "b", "question": "Q?", "answer_1": "It is thus.", "answer_2": "No, no.", "quality_1": 9, "quality_2": 1}
P
cat >liked.jsonl <<'E'
{"id": "a", "question": "Q?", "answer_1": "It is so, so.", "answer_2": "No.", "perturbed": 1}
{"id": "b", "question": "Q?", "answer_1": "It is thus, thus.", "answer_2": "No, no.", "perturbed": 1}
E
probes=liked:susceptibility=liked.jsonl,seen:oversight=liked.jsonl
"$EVENHAND" audit pairs.jsonl -j sim --probes "$probes" --dry-run
"$EVENHAND" audit pairs.jsonl -j sim --probes "$probes" -q -o audit.db
"$EVENHAND" show audit.db --json | grep -E 'why|to_tell|detectable|coin_flip"|"first_rate' -A1
"$EVENHAND" audit pairs.jsonl -j sim:refuse=1 --probes "$probes" -q -o failed.db ||
    echo "exit $?"
