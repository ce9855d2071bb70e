# Each thing that can be wrong with a data set, by line and field.
try() {
    "$EVENHAND" check "$@" && echo "status 0: $*" || echo "status $?: $*"
}
cat >pairs.jsonl <<'P'
{"id": "a", "question": "Q?", "answer_1": "One.", "answer_2": "Two."}
{"id": "a", "question": "Q?", "answer_1": "One.", "answer_2": "Two."}
{"id": "b", "question": "Q?", "answer_1": "One."}
{"id": "c", "question": 3, "answer_1": ["One."], "answer_2": ""}
{"id": "d", "id": "e", "question": "Q?", "answer_1": "One.", "answer_2": "Two."}
[1, 2]
{"id": "f", "question": "Q?", "answer_1": "One.", "answer_2": "Two."} and more
{"id": "g", "question": "Q?
{"id": "h", "answer_1": "One.", "answer_2": "Two."}
{"id": "i", "question": "Q?", "answer_1": " ", "answer_2": " "}
{"id": "j", "question": "Q?", "answer_1": "One.\u0000", "answer_2": "One.\u0000"}
{"id": "k", "question": "Q?", "answer_1": "\ud800", "answer_2": "Two."}
P
printf '{"id": "l", "question": "\377", "answer_1": "1", "answer_2": "2"}\n' >>pairs.jsonl
printf '\357\273\277{"id": "m", "question": "Q", "answer_1": "1", "answer_2": "2"}\n' >>pairs.jsonl
try pairs.jsonl
echo '[{"id": "a", "question": "Q?", "answer_1": "One.", "answer_2": "Two."}]' >list.jsonl
try list.jsonl
: >empty.jsonl
try empty.jsonl
try .
try none.jsonl
cat >talks.jsonl <<'P'
{"id": "a", "answer_1": [{"role": "user", "content": "Q"}, {"role": "user", "content": "1"}], "answer_2": "2"}
{"id": "b", "answer_1": [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "1"}], "answer_2": [{"role": "user", "content": "R"}, {"role": "assistant", "content": "2"}]}
{"id": "c", "question": "R", "answer_1": [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "1"}], "answer_2": [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "2"}]}
{"id": "d", "question": [{"role": "assistant", "content": "Q"}], "answer_1": "1", "answer_2": "2"}
{"id": "e", "question": [{"role": "user", "content": "R"}], "answer_1": [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "1"}], "answer_2": [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "2"}]}
{"id": "f", "answer_1": [{"role": "assistant", "content": "1"}], "answer_2": [{"role": "assistant", "content": "2"}]}
{"id": "g", "answer_1": [{"role": "system", "content": "S"}, {"role": "assistant", "content": "1"}], "answer_2": [{"role": "system", "content": "S"}, {"role": "assistant", "content": "2"}]}
{"id": "h", "question": "Q", "answer_1": [{"role": "assistant"}], "answer_2": "2"}
P
try talks.jsonl
echo '{"id": "a", "question": "Q?", "chosen": "One.", "rejected": "Two."}' >dpo.jsonl
try dpo.jsonl --map answer_1=chosen,answer_2=rejected
