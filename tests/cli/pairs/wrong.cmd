# Files and designs that cannot be used.
echo '{"question_id": 1, "text": "Question?"}' >q.jsonl
echo '{"question_id": 1, "text": "Yes.", "model": "m"}' >a.jsonl
echo '{"question_id": 2, "text": "No.", "model": "n"}' >b.jsonl
fails() {
    "$EVENHAND" pairs "$@" && exit 1
    echo "exit status $?"
}
fails a.jsonl b.jsonl
fails --questions q.jsonl a.jsonl
fails --questions q.jsonl a.jsonl a.jsonl
fails --questions q.jsonl a.jsonl b.jsonl --design some
fails --questions q.jsonl a.jsonl b.jsonl --design baseline:x
fails --questions q.jsonl a.jsonl b.jsonl
fails --questions q.jsonl a.jsonl none.jsonl
fails --questions q.jsonl - -
echo '{"question_id": 3, "text": "No.", "model": "o"}' >>b.jsonl
fails --questions q.jsonl a.jsonl b.jsonl
printf '{"question_id": 1, "text": "Yes."}\n{"question_id": 1}\n' >c.jsonl
fails --questions q.jsonl a.jsonl c.jsonl
# shellcheck disable=SC2046 # many words
fails --questions q.jsonl $(yes a.jsonl | head -n 300)
fails --questions q.jsonl a.jsonl q.jsonl -o no/such/folder.jsonl
