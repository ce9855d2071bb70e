# Nobody is asked: of one's own pairs all calls are known, else those of the first step.
export OPENAI_API_KEY=none
cat >pairs.jsonl <<'P'
{"id": "a", "question": "Q?", "answer_1": "One is so.", "answer_2": "Two is so."}
{"id": "b", "question": "R?", "answer_1": "Red it is.", "answer_2": "Blue it is."}
{"id": "c", "question": "S?", "answer_1": "", "answer_2": "Blue it is."}
P
"$EVENHAND" generate -j openai:gpt-4o -o made --max-tokens 3000 --dry-run
"$EVENHAND" generate pairs.jsonl -j openai:gpt-4o -o made --max-tokens 3000 --dry-run
ls
