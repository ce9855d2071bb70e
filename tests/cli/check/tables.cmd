# CSV, files packed by gzip, and questions joined with two files of answers.
try() {
    "$EVENHAND" check "$@" && echo "status 0: $*" || echo "status $?: $*"
}
printf 'id,question,answer_1,answer_2\n1,Q,a\n2,Q,"a"b,c\n3,"Q\377",a,b\n4,Q,a,"b\n' >pairs.csv
try pairs.csv
printf 'id,question,question,answer_2\n1,Q,a,b\n' >twice.csv
try twice.csv
long=$(head -c 32767 /dev/zero | tr '\0' x)
printf 'id,question,answer_1,answer_2\n1,Q,%s,b\n' "$long" >cell.csv
try cell.csv
{ printf 'id,question'; head -c 3000000 /dev/zero | tr '\0' ','; echo; } >wide.csv
try wide.csv
head -n 5 "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" | gzip -n >whole.gz
head -c 60 whole.gz >cut.jsonl.gz
try cut.jsonl.gz
{ cat whole.gz; echo behind; } >more.jsonl.gz
try more.jsonl.gz
{ head -c 30 whole.gz; echo damaged; tail -c +38 whole.gz; } >damaged.jsonl.gz
try damaged.jsonl.gz
printf '{"id": 1, "question": "Q"}\n{"id": "2", "question": "R"}\n{"id": 3, "question": "S"}\n' >q.jsonl
printf '{"id": "1", "answer": "a"}\n{"id": 2, "answer": "b"}\n{"id": 4, "answer": "b"}\n' >a.jsonl
printf '{"id": 1, "answer": "a"}\n{"id": 2, "answer": "b"}\n{"id": 3, "answer": "c"}\n' >b.jsonl
try q.jsonl --answers a.jsonl,b.jsonl
try - --answers -,b.jsonl </dev/null
