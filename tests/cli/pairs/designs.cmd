# Three systems, two questions.
for n in 1 2; do echo "{\"question_id\": $n, \"text\": \"Question $n?\"}"; done >q.jsonl
for s in a b c; do
    for n in 1 2; do echo "{\"question_id\": $n, \"text\": \"$s says $n\"}"; done >$s.jsonl
done
"$EVENHAND" pairs --questions q.jsonl --answers a.jsonl b.jsonl c.jsonl
"$EVENHAND" pairs --questions q.jsonl a.jsonl b.jsonl c.jsonl --design baseline:b -o out.jsonl
cut -c -12 out.jsonl
"$EVENHAND" pairs --questions q.jsonl a.jsonl b.jsonl c.jsonl --design balanced:1 -q |
    cut -c -12
