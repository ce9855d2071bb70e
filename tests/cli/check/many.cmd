# Errors are all told, warnings only so far as a person reads them.
for i in $(seq 30); do
    echo "{\"id\": $i, \"question\": \"Q\", \"answer_1\": \"\", \"answer_2\": \"b\"}"
    test "$i" -lt 28 || echo "{\"id\": \"x$i\", \"question\": \"Q\", \"answer_1\": \"a\"}"
done >pairs.jsonl
"$EVENHAND" check pairs.jsonl || echo "exit status $?"
