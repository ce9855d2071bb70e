# 60 questions: an interval by resampling; 49 of them: none, and why
awk 'BEGIN {
    for (i = 0; i < 60; i++)
        for (o = 0; o < 2; o++)
            printf "{\"pair_id\": \"q%d\", \"order\": \"%s\", \"sample\": 0, \"verdict\": \"%s\"}\n",
                i, (o ? "21" : "12"), (i % 3 == o ? "2" : (i % 7 ? "1" : "tie"))
}' >judgments.jsonl
"$EVENHAND" show judgments.jsonl --bootstrap 2000 | sed -n 3,6p
"$EVENHAND" show judgments.jsonl --bootstrap 2000 --json | grep -A5 bootstrap
head -98 judgments.jsonl >few.jsonl
"$EVENHAND" show few.jsonl --bootstrap 2000 | sed -n 3,4p
"$EVENHAND" show few.jsonl --bootstrap 2000 --json | grep -A5 bootstrap | tail -6
echo --- not asked for, not there
"$EVENHAND" show judgments.jsonl --json | grep -c bootstrap || true
