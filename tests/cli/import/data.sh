# SPDX-License-Identifier: MIT
# Judgments in the forms of other tools: sourced by the cases beside it.
cat >annotations.json <<'JSON'
[
 {"instruction": "Name a prime.", "output_1": "9", "output_2": "7", "generator_1": "base",
  "generator_2": "new", "dataset": "d", "annotator": "judge-x", "preference": 2},
 {"instruction": "Name a fruit.", "output_1": "plum", "output_2": "pear", "generator_1": "base",
  "generator_2": "new", "dataset": "d", "annotator": "judge-x", "preference": 1.25},
 {"instruction": "Name a tree.", "output_1": "oak", "output_2": "elm", "generator_1": "base",
  "generator_2": "new", "dataset": "d", "annotator": "judge-x", "preference": null}
]
JSON
cat >gpt-4_pair.jsonl <<'JSONL'
{"question_id": 81, "model_1": "a", "model_2": "b", "g1_winner": "model_1", "g2_winner": "tie", "judge": ["gpt-4", "pair-v2"], "g1_user_prompt": "p", "g1_judgment": "A it is. [[A]]", "g2_user_prompt": "p", "g2_judgment": "Even. [[C]]", "turn": 1, "tstamp": 1.5}
{"question_id": 82, "model_1": "a", "model_2": "b", "g1_winner": "model_2", "g2_winner": "model_2", "judge": ["gpt-4", "pair-v2"], "g1_user_prompt": "p", "g1_judgment": "B. [[B]]", "g2_user_prompt": "p", "g2_judgment": "A. [[A]]", "turn": 1, "tstamp": 1.5}
{"question_id": 83, "model_1": "a", "model_2": "b", "g1_winner": "error", "g2_winner": "neither", "judge": ["gpt-4", "pair-v2"], "g1_user_prompt": "p", "g1_judgment": "?", "g2_user_prompt": "p", "g2_judgment": "?", "turn": 1, "tstamp": 1.5}
JSONL
