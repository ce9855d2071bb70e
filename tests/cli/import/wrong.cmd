# What files of other tools lack, and files of the wrong kind.
try() {
    echo "--- $*" >&2
    "$EVENHAND" import "$@" -o x.db || echo "status $?" >&2
    ls x.db 2>/dev/null || true
}
say() { printf '%s\n' "$2" >"$1"; }
say arena.jsonl '{"question_id": "q", "model": "m", "judge": "j", "games": [1, 2, 3]}'
try arena_hard arena.jsonl
say bench.jsonl '{"pair_id": "p", "question": "Q", "response_A": "a", "response_B": "b", "judge_name": "j", "judgments": {}}'
try judgebench bench.jsonl
say answers.jsonl '{"question_id": 1, "model_id": "m", "choices": [{"index": 0, "turns": [3]}]}'
try fastchat answers.jsonl
say two.jsonl '{"question_id": 1, "model_id": "m", "choices": [{"index": 0, "turns": ["a"]}]}
{"question_id": 1, "model_id": "m", "choices": [{"index": 0, "turns": ["b"]}]}'
try fastchat two.jsonl
say inspect.json '{"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "samples": [{"id": 1, "epoch": 1, "input": "Q", "scores": {"s": {"value": 0.5}}}]}'
try inspect inspect.json
say foo.json '{"version": 3, "results": {"results": [{"promptIdx": 0}]}}'
try promptfoo foo.json
say foo1.json '{"evalId": "e", "results": {"version": 3, "results": [{"promptIdx": 0, "gradingResult": {}}]}}'
try promptfoo foo1.json
say foo2.json '{"version": 3, "results": {"results": 4}}'
try promptfoo foo2.json
say name.json '{"evalId": "e", "results": {"version": 3, "results": [{"promptIdx": 0, "testIdx": 0}], 4: 5}}'
try promptfoo name.json
say colon.json '{"evalId": "e", "results": {"version": 3, "results": [{"promptIdx": 0, "testIdx": 0}], "stats" 5}}'
try promptfoo colon.json
say comma.json '[{"instruction": "a", "output_1": "b", "output_2": "c", "preference": 1} {"instruction": "a"}]'
try alpaca_eval comma.json
say judgments.jsonl '{"pair_id": "p", "order": "12", "sample": 0}
{"pair_id": "p", "order": "12", "sample": 0, "reply": 3}
{"pair_id": "p", "order": "12", "sample": 0, "reply": {"content": 3}}
{"pair_id": "p", "order": "12", "sample": 0, "verdict": "1", "rating": 7}
{"pair_id": "p", "order": "13", "sample": 0, "verdict": "3"}'
try judgments judgments.jsonl
printf '{"pair_id": "p", "order": "12", "sample": 0, "verdict": "1"}\n{"pair_id": "q", "ord' >cut.jsonl
try judgments cut.jsonl
say sample.jsonl '{"pair_id": "p", "order": "12", "sample": 64, "verdict": "1"}'
try judgments sample.jsonl
printf 'pair_id,order\np,12\n' >table.csv
try csv table.csv
printf 'pair_id,verdict\np,A\n' >words.csv
try csv words.csv --verdicts A
try csv words.csv --verdicts A=first
try csv words.csv --map verdct=verdict
printf 'verdict\n1\n' >bare.csv
try csv bare.csv
try alpaca_eval arena.jsonl
say other.json '{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5}'
try alpaca_eval other.json
: >empty.json
try alpaca_eval empty.json
say list.json '[]'
try alpaca_eval list.json
"$EVENHAND" run "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" -j sim -o run.db -q >summary.txt
try auto run.db
printf 'PK\003\004' >log.eval
try auto log.eval
try auto .
try alpaca arena.jsonl
# replies that are read as a judge
"$EVENHAND" run "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" -j replay:judgments.jsonl -o y.db || echo "status $?" >&2
say j2.jsonl '{"pair_id": "p", "judge": "a", "order": "12", "sample": 0, "verdict": "1"}
{"pair_id": "p", "judge": "b", "order": "12", "sample": 0, "verdict": "1"}'
"$EVENHAND" run "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" -j replay:j2.jsonl -o y.db || echo "status $?" >&2
"$EVENHAND" run "$EVENHAND_SOURCE_DIR/examples/pairs.jsonl" -j replay:j2.jsonl#c -o y.db || echo "status $?" >&2
