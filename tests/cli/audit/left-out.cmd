# Rows of perturbed pairs that are left out, each with why; of many the first.
{
    for i in $(seq 30); do
        echo "{\"id\": \"p$i\", \"question\": \"Q $i?\", \"answer_1\": \"One is so.\", \"answer_2\": \"Two is so.\"}"
    done
    echo '{"id": "empty", "question": "E?", "answer_1": "", "answer_2": "Two is so."}'
} >pairs.jsonl
row() { echo "{\"id\": \"$1\", \"question\": \"$2\", \"answer_1\": \"$3\", \"answer_2\": \"$4\", \"perturbed\": $5}"; }
{
    row p1 'Q 1?' 'One is not.' 'Two is so.' 1
    row p1 'Q 1?' 'One is not so.' 'Two is so.' 1
    row p2 'Q 7?' 'One is not.' 'Two is so.' 1
    row p3 'Q 3?' 'One is not.' 'Two is not.' 1
    row p4 'Q 4?' 'One is so.' 'Two is so.' 1
    row p5 'Q 5?' 'One is not.' 'Two is so.' 3
    row nowhere 'Q 6?' 'One is not.' 'Two is so.' 1
    row p6 'Q 6?' '' 'Two is so.' 1
    for i in $(seq 7 30); do row "p$i" "Q $i?" 'One is so.' 'Two is so.' 1; done
} >errors.jsonl
"$EVENHAND" audit pairs.jsonl -j sim --probes factual_error=errors.jsonl -o audit.db \
    -q >card.txt
"$EVENHAND" audit pairs.jsonl -j sim --probes shortening -o short.db -q 2>&1 >card.txt | tail -n 3
sed 's/"answer_2": "Two is so."/"answer_2": "Two is so.", "model_1": "m", "model_2": "n"/' pairs.jsonl >models.jsonl
"$EVENHAND" audit models.jsonl -j sim:error=.9,refuse=.9 --attack references,shortening --max-failed 1% -o attack.db -q >card.txt ||
    echo "exit $?"
# Of one question no interval is known.
{
    echo '{"id": "a", "question": "Q?", "answer_1": "One is so.", "answer_2": "Two is so."}'
    echo '{"id": "b", "question": "Q?", "answer_1": "One is so.", "answer_2": "Two is so."}'
} >one.jsonl
"$EVENHAND" audit one.jsonl -j sim --probes padding -o one.db -q | grep '^  order'
