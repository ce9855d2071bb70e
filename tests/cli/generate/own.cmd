# A probe of one's own asks a call a pair, beside those that are built in.
export OPENAI_API_KEY=none
cat >pairs.jsonl <<'P'
{"id": "a", "question": "Q?", "answer_1": "One is so.", "answer_2": "Two is so."}
{"id": "b", "question": "R?", "answer_1": "Red it is.", "answer_2": "Blue it is."}
P
cat >polite.txt <<'T'
Give this answer a polite opening of one sentence:

{{ answer }}

Reply with the whole answer in this block:

<answer_{{tag}}>
...
</answer_{{tag}}>
T
"$EVENHAND" generate pairs.jsonl -j openai:gpt-4o -o made --max-tokens 3000 --dry-run \
    --probes gender,polite:susceptibility=polite.txt --max-change 20%
