# Rows that are no clean perturbation are left out and named.
cat >pairs.jsonl <<'P'
{"id": "a", "question": "Q?", "answer_1": "One is so.", "answer_2": "Two is so."}
{"id": "b", "question": "R?", "answer_1": "Red it is.", "answer_2": "Blue it is."}
P
cat >errors.jsonl <<'E'
{"id": "a", "question": "Q?", "answer_1": "One is not.", "answer_2": "Two is so.\n", "perturbed": "1"}
{"id": "b", "question": "R?", "answer_1": "Red it is.", "answer_2": "Blue it is. ", "perturbed": 2.0}
E
"$EVENHAND" audit pairs.jsonl -j sim --probes shortening,factual_error=errors.jsonl \
    -o audit.db --json | grep '"pairs"'
