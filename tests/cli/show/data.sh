# SPDX-License-Identifier: MIT
# Six pairs, two judges, three people: sourced by the cases beside it.
cat >pairs.jsonl <<'JSONL'
{"id": "a", "question": "2 + 2?", "answer_1": "4", "answer_2": "five", "category": "maths", "model_1": "oak", "model_2": "elm", "level": 1}
{"id": "b", "question": "3 x 3?", "answer_1": "nine", "answer_2": "9", "category": "maths", "model_1": "oak", "model_2": "elm", "level": 2}
{"id": "c", "question": "A rhyme?", "answer_1": "moon, soon", "answer_2": "day", "category": "prose", "model_1": "oak", "model_2": "fir", "level": 1}
{"id": "d", "question": "A title?", "answer_1": "Rain", "answer_2": "On rain", "category": "prose", "model_1": "oak", "model_2": "fir", "level": 2}
{"id": "e", "question": "A haiku?", "answer_1": "old pond", "answer_2": "no", "category": "prose", "model_1": "oak", "model_2": "fir", "level": 2}
{"id": "f", "question": "A name?", "answer_1": "Ann", "answer_2": "Bob"}
JSONL
# judge, pair, scores of two samples in order 12, then in order 21; - failed
awk '{
    n = split("12 12 21 21", order, " ")
    for (i = 0; i < n; i++) {
        split($(i + 3), s, ",")
        printf "{\"judge\": \"%s\", \"pair_id\": \"%s\", \"order\": \"%s\", \"sample\": %d, ", $1, $2, order[i + 1], i % 2
        if (s[1] == "-")
            print "\"verdict\": null, \"reason\": \"refusal\"}"
        else
            printf "\"verdict\": \"%s\", \"score_1\": %s, \"score_2\": %s}\n", (s[1] > s[2] ? "1" : (s[1] < s[2] ? "2" : "tie")), s[1], s[2]
    }
}' >judgments.jsonl <<'ROWS'
large a 9,2 9,3 9,1 8,2
large b 7,7 7,7 7,7 7,7
large c 8,5 8,4 6,6 7,6
large d 6,5 7,5 5,6 5,7
large e 7,6 6,6 6,7 8,6
large f 5,5 - 4,6 5,6
small a 8,4 8,3 7,5 8,4
small b 8,6 8,7 6,8 5,8
small c 8,6 9,6 6,7 5,7
small d 8,5 8,5 5,8 5,8
small e 8,6 8,7 6,7 8,7
small f - - - 5,5
ROWS
awk '{
    for (i = 2; i <= NF; i++)
        printf "{\"pair_id\": \"%s\", \"annotator\": \"ann-%d\", \"label\": \"%s\"}\n", $1, i - 1, $i
}' >labels.jsonl <<'ROWS'
a 1 1 1
b tie tie 1
c 1 1 2
d 2 tie 2
e 1 2 tie
ROWS
with="--pairs pairs.jsonl --labels labels.jsonl"
