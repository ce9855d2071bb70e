#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Recorded judgments, written the way other tools write them, and read back.

    formats.py EVENHAND SHARED

For each format the judgments of a recorded set are put into files of that format, as the
tool lays them out; `import` reads them, and the numbers of every judge must be those that
the same judgments give in Evenhand's own form. So a slot taken for an answer, a swap that
is not undone or a word misread cannot stay unseen. Prints one TAP line a format; without
the data it says "skipped".
"""
import csv
import json
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "system"))
from tap import check, finish, must, rows, scratch, skip, write_rows  # noqa: E402

DATA = Path(sys.argv[2]) / "data"
KEYS = ("pairs", "counts", "position", "conflict", "conflict_by_sample", "rulings",
        "win_rate", "win_rate_soft", "bpde", "failed")


def load(name):
    folder = DATA / name
    labels = folder / "labels.jsonl"
    return ({p["id"]: p for p in rows(folder / "pairs.jsonl")},
            rows(folder / "judgments.jsonl"), rows(labels) if labels.exists() else [])


def differences(place, got, want):
    """Places where two summaries differ; floats to ten digits, since pairs may come in
    another order of questions."""
    if isinstance(want, dict) and isinstance(got, dict):
        return [d for key in sorted({*got, *want}) if key != "why"
                for d in differences(f"{place}.{key}", got.get(key), want.get(key))]
    if isinstance(want, float) and isinstance(got, (int, float)):
        ok = math.isclose(got, want, rel_tol=1e-10, abs_tol=1e-12)
    else:
        ok = got == want
    return [] if ok else [f"{place}: {got!r}, expected {want!r}"]


def numbers(ledger):
    return json.loads(must("show", "--json", ledger))["judges"]


def compare(name, folder, arguments, pairs, judgments, labels, rename=None,
            with_labels=True, keys=KEYS):
    """Imports by `arguments`, and the same judgments in our own form."""
    write_rows(folder / "pairs.jsonl", pairs)
    write_rows(folder / "own.jsonl", judgments)
    write_rows(folder / "labels.jsonl", labels)
    own, other = folder / "own.db", folder / "other.db"
    for ledger in (own, other):
        ledger.unlink(missing_ok=True)
    must("import", "judgments", folder / "own.jsonl", "--pairs", folder / "pairs.jsonl",
         "--labels", folder / "labels.jsonl", "-o", own)
    must("import", *arguments, "-o", other)
    want = numbers(own)
    got = {(rename or {}).get(judge, judge): n for judge, n in numbers(other).items()}
    if with_labels:
        keys = (*keys, "labels")
    faults = [] if set(got) == set(want) else [f"judges {set(got)}, not {set(want)}"]
    for judge in set(got) & set(want):
        for numbers_of in (got[judge], want[judge]):
            # our own rows say no reason; what counts is how many have no verdict
            numbers_of["failed"] = sum(numbers_of["failed"].values())
        faults += differences(judge, {k: got[judge].get(k) for k in keys},
                              {k: want[judge].get(k) for k in keys})
    check(f"{name}: {len(judgments)} judgments of {len(want)} judges",
          not faults and want, "\n".join(faults[:12]))


def by_key(judgments):
    """(judge, sample, pair) -> {order: judgment}"""
    found = {}
    for j in judgments:
        found.setdefault((j["judge"], j["sample"], j["pair_id"]), {})[j["order"]] = j
    return found


def shown(verdict, order):
    """From answers to slots."""
    return {"1": "2", "2": "1"}.get(verdict, verdict) if order == "21" else verdict


# ---- the formats ----

def judgebench(folder):
    pairs, judgments, labels = load("judgebench")
    gold = {"1": "A>B", "2": "B>A"}
    decision = {"1": "A>B", "2": "B>A", "tie": "A=B", None: None}
    label_of = {row["pair_id"]: row["label"] for row in labels}
    files = {}
    for (judge, _, pair_id), orders in by_key(judgments).items():
        name, model = judge.split("/", 1)
        pair = pairs[pair_id]
        games = []
        for order in ("12", "21"):
            j = orders[order]
            inner = {"judge_model": model, "prompt": "", "response": j["reply"]}
            if "score_1" in j:
                scores = [j["score_1"], j["score_2"]]
                inner["scores"] = scores if order == "12" else scores[::-1]
            games.append({"judgment": inner,
                          "decision": decision[shown(j["verdict"], order)]})
        files.setdefault(judge, []).append({
            "pair_id": pair_id, "source": pair["category"], "question": pair["question"],
            "response_model": pair["model_1"], "response_A": pair["answer_1"],
            "response_B": pair["answer_2"], "label": gold[label_of[pair_id]],
            "judge_name": name, "judgments": games})
    paths = []
    for i, items in enumerate(files.values()):
        paths.append(folder / f"judgebench-{i}.jsonl")
        write_rows(paths[-1], items)
    compare("judgebench", folder, ("auto", *paths), pairs.values(), judgments, labels)


def llmbar(folder):
    pairs, judgments, labels = load("llmbar")
    label_of = {row["pair_id"]: row["label"] for row in labels}
    judgments = [j for j in judgments if j["judge"].startswith(("gpt-4/", "palm2/"))]
    files = {}
    for (judge, _, pair_id), orders in by_key(judgments).items():
        pair = pairs[pair_id]
        result = {}
        rating = "/Rating" in judge
        for order, key in (("12", "swap = False"), ("21", "swap = True")):
            j = orders[order]
            result[key] = {"winner": j["verdict"]}
            if not rating:
                result[key]["completion"] = [j["reply"], "stop"]
        if rating:
            for i, text in enumerate(json.loads(orders["12"]["reply"]), 1):
                result[f"score_{i}"] = [text, "stop"]
        files.setdefault((pair["category"], judge), []).append({
            "input": pair["question"], "output_1": pair["answer_1"],
            "output_2": pair["answer_2"], "label": int(label_of[pair_id]),
            "results": [["a step on the way", "stop"], result]})
    paths = []
    for (category, judge), items in files.items():
        path = folder / category / "evaluators" / judge / "result.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(items, indent=2), encoding="utf-8")
        paths.append(path)
    used = {j["pair_id"] for j in judgments}
    compare("llmbar", folder, ("llmbar", *paths),
            [p for p in pairs.values() if p["id"] in used], judgments, labels)


def pandalm(folder):
    pairs, judgments, labels = load("pandalm")
    labels_of = {}
    for row in labels:
        labels_of.setdefault(row["pair_id"], []).append(row["label"])
    code = {"1": 1, "2": 2, "tie": 0}
    items = []
    for i, (pair_id, pair) in enumerate(pairs.items()):
        item = {"idx": i, "motivation_app": pair["category"],
                "cmp_key": f"{pair['model_1']}_{pair['model_2']}",
                "instruction": pair["question"], "input": float("nan"),
                "response1": pair["answer_1"], "response2": pair["answer_2"]}
        for k, label in enumerate(labels_of[pair_id], 1):
            item[f"annotator{k}"] = code[label]
        items.append(item)
    (folder / "testset-v1.json").write_text(json.dumps(items, indent=4))
    place = {pair_id: i for i, pair_id in enumerate(pairs)}
    words = {"gpt-3.5-turbo": {"1": "1", "2": "2", "tie": "Tie", None: "garbage"},
             "pandalm-7b": {"1": 1, "2": 2, "tie": 0, None: "garbage"}}
    paths = []
    for judge in sorted({j["judge"] for j in judgments}):
        key = judge.split("-")[0].lower()
        listed = [{"idx": place[j["pair_id"]],
                   f"{key}_result": words[judge][j["verdict"]],
                   f"{key}_reason": j["reply"].split("\n", 1)[1]}
                  for j in judgments if j["judge"] == judge]
        paths.append(folder / f"{judge}-testset-v1.json")
        paths[-1].write_text(json.dumps(listed, indent=4), encoding="utf-8")
    own_labels = [{**row, "annotator": row["annotator"]} for row in labels]
    compare("pandalm", folder, ("auto", *paths, folder / "testset-v1.json"),
            pairs.values(), judgments, own_labels)


def mtbench_files(folder, pairs, write):
    """One file a judge and repetition, as they were recorded."""
    found, paths = {}, []
    for (judge, sample, pair_id), orders in by_key(load("mtbench_repeat")[1]).items():
        found.setdefault((judge, sample), []).append(write(judge, pairs[pair_id], orders))
    for i, ((_, sample), items) in enumerate(sorted(found.items())):
        paths.append(folder / f"{i:03}.jsonl")
        write_rows(paths[-1], items)
    return paths


def fastchat(folder):
    pairs, judgments, labels = load("mtbench_repeat")
    winner = {"1": "model_1", "2": "model_2", "tie": "tie", None: "error"}

    def turns(text):
        first, second = text.split("\n\n[Turn 2]\n", 1)
        return [first.removeprefix("[Turn 1]\n"), second]

    def write(judge, pair, orders):
        return {"question_id": int(pair["id"].split("-")[1]), "model_1": pair["model_1"],
                "model_2": pair["model_2"], "judge": [judge, "pair-v2"], "turn": 2,
                "g1_winner": winner[orders["12"]["verdict"]],
                "g2_winner": winner[orders["21"]["verdict"]],
                "g1_user_prompt": "", "g1_judgment": orders["12"]["reply"],
                "g2_user_prompt": "", "g2_judgment": orders["21"]["reply"], "tstamp": 1.5}

    paths = mtbench_files(folder, pairs, write)
    questions, answers = {}, {}
    for pair in pairs.values():
        qid = int(pair["id"].split("-")[1])
        questions[qid] = {"question_id": qid, "category": pair["category"],
                          "turns": turns(pair["question"])}
        for side in "12":
            answers[(pair[f"model_{side}"], qid)] = {
                "question_id": qid, "answer_id": "x", "model_id": pair[f"model_{side}"],
                "choices": [{"index": 0, "turns": turns(pair[f"answer_{side}"])}]}
    write_rows(folder / "question.jsonl", questions.values())
    write_rows(folder / "answers.jsonl", answers.values())
    rename = {f"{j['judge']}/pair-v2": j["judge"] for j in judgments}
    texts = (folder / "answers.jsonl", folder / "question.jsonl")
    compare("fastchat", folder, ("fastchat", *paths, *texts), pairs.values(), judgments,
            labels, rename, with_labels=False)
    lost = [p for p in json.loads(must("show", "--json", folder / "other.db"))["judges"]]
    check("fastchat: all judges", len(lost) == len(rename), lost)
    # without the texts pairs of one question still count as one
    must("import", "fastchat", *paths, "-o", folder / "bare.db")
    got, want = numbers(folder / "bare.db"), numbers(folder / "other.db")
    faults = [d for judge in want for key in ("win_rate", "win_rate_soft", "conflict")
              for d in differences(judge, got[judge][key], want[judge][key])]
    check("fastchat: the same intervals without texts", not faults, "\n".join(faults[:8]))


def arena_hard(folder):
    pairs, judgments, labels = load("mtbench_repeat")
    # the model that is looked at is answer 1, the baseline answer 2
    score = {"1": "A>>B", "2": "B>A", "tie": "A=B", None: None}

    def write(judge, pair, orders):
        games = [{"score": score[shown(orders[order]["verdict"], order)],
                  "judgment": {"answer": orders[order]["reply"]}, "prompt": []}
                 for order in ("21", "12")]
        return {"uid": pair["id"], "category": pair["category"], "judge": judge,
                "model": pair["model_1"], "baseline": pair["model_2"], "games": games}

    paths = mtbench_files(folder, pairs, write)
    write_rows(folder / "question.jsonl", [
        {"uid": p["id"], "category": p["category"], "subcategory": "",
         "prompt": p["question"]} for p in pairs.values()])
    write_rows(folder / "answers.jsonl", [
        {"uid": p["id"], "ans_id": "x", "model": p[f"model_{side}"],
         "messages": [{"role": "user", "content": p["question"]},
                      {"role": "assistant", "content": {"answer": p[f"answer_{side}"]}}]}
        for p in pairs.values() for side in "12"])
    compare("arena_hard", folder,
            ("auto", *paths, folder / "question.jsonl", folder / "answers.jsonl"),
            pairs.values(), judgments, labels, with_labels=False)


def alpaca_eval(folder):
    pairs, judgments, _ = load("vicuna_gpt4")
    judgments = [j for j in judgments if j["order"] == "12"]
    preference = {"1": 1.0, "2": 2.0, "tie": 1.5, None: None}
    items = [{"instruction": pairs[j["pair_id"]]["question"],
              "output_1": pairs[j["pair_id"]]["answer_1"],
              "generator_1": pairs[j["pair_id"]]["model_1"], "dataset": "vicuna",
              "output_2": pairs[j["pair_id"]]["answer_2"],
              "generator_2": pairs[j["pair_id"]]["model_2"],
              "annotator": j["judge"], "preference": preference[j["verdict"]],
              "raw_completion": {"text": j["reply"], "logprobs": None},
              "time_per_example": 0.5} for j in judgments]
    (folder / "annotations.json").write_text(json.dumps(items, indent=2))
    votes = [{k: v for k, v in j.items() if not k.startswith("score_")}
             for j in judgments]
    compare("alpaca_eval", folder, ("auto", folder / "annotations.json"), pairs.values(),
            votes, [], with_labels=False)


def table(folder):
    pairs, judgments, labels = load("faireval")
    names = {"12": "12", "21": "21"}
    with open(folder / "table.csv", "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out)
        writer.writerow(["item", "grader", "shown", "run", "won", "s1", "s2", "text"])
        for j in judgments:
            word = {"1": "left", "2": "right", "tie": "draw", None: ""}[j["verdict"]]
            writer.writerow([j["pair_id"], j["judge"], names[j["order"]], j["sample"],
                             word, j.get("score_1"), j.get("score_2"), j["reply"]])
    compare("csv", folder,
            ("csv", folder / "table.csv", "--pairs", folder / "pairs.jsonl", "--labels",
             folder / "labels.jsonl", "--map",
             "pair_id=item,judge=grader,order=shown,sample=run,verdict=won,score_1=s1,"
             "score_2=s2,reply=text", "--verdicts", "left=1,right=2,draw=tie"),
            pairs.values(), judgments, labels)


def inspect(folder):
    pairs, judgments, _ = load("mtbench_phi3")
    judge = judgments[0]["judge"]
    judgments = [j for j in judgments if j["judge"] == judge]
    word = {"1": "A", "2": "B", "tie": "tie", None: None}
    samples = [{"id": j["pair_id"], "epoch": j["sample"] + 1,
                "input": "Which one is better?", "target": "",
                "metadata": {"question": pairs[j["pair_id"]]["question"],
                             "response_A": pairs[j["pair_id"]]["answer_1"],
                             "response_B": pairs[j["pair_id"]]["answer_2"],
                             "order": j["order"]},
                "output": {"model": judge, "completion": j["reply"]},
                "scores": {"verdict": {"value": "C",
                                       "answer": word[shown(j["verdict"], j["order"])],
                                       "explanation": j["reply"]}}}
               for j in judgments]
    log = {"version": 2, "status": "success",
           "eval": {"task": "pairs", "model": judge, "created": "2024-01-01"},
           "plan": {"steps": []}, "results": {"total_samples": len(samples)},
           "samples": samples, "reductions": []}
    (folder / "log.json").write_text(json.dumps(log, indent=2))
    compare("inspect", folder, ("auto", folder / "log.json"), pairs.values(), judgments, [],
            with_labels=False)


def one_order_without_ties():
    """Pairs of one set with verdicts that are never ties."""
    pairs, judgments, _ = load("llmbar")
    judge = "gpt-4/Vanilla_NoRules"
    kept = [{**{k: j[k] for k in ("pair_id", "sample", "reply", "verdict")},
             "judge": "judge", "order": "12"}
            for j in judgments if j["judge"] == judge and j["order"] == "12"]
    used = {j["pair_id"] for j in kept}
    named = {p["id"]: {**p, "model_1": "m1", "model_2": "m2"}
             for p in pairs.values() if p["id"] in used}
    return named, kept


def promptfoo(folder):
    pairs, judgments = one_order_without_ties()
    items = []
    for i, j in enumerate(judgments):
        pair = pairs[j["pair_id"]]
        for side in (2, 1):
            items.append({
                "testIdx": i, "promptIdx": side - 1,
                "provider": {"id": pair[f"model_{side}"], "label": ""},
                "prompt": {"raw": pair["question"], "label": "p"}, "vars": {},
                "response": {"output": pair[f"answer_{side}"]}, "success": True,
                "gradingResult": {"pass": True, "score": 1, "reason": "", "componentResults": [
                    {"pass": True, "score": 1, "assertion": {"type": "contains"}},
                    {"pass": j["verdict"] == str(side), "score": 0, "reason": "because",
                     "assertion": {"type": "select-best", "value": "the better one",
                                   "provider": "judge"}}]}})
    items.sort(key=lambda item: item["promptIdx"])
    (folder / "results.json").write_text(json.dumps({
        "evalId": "eval-x", "results": {"version": 3, "timestamp": "now", "prompts": [],
                                        "results": items, "stats": {}}, "config": {}}))
    compare("promptfoo", folder, ("auto", folder / "results.json"), pairs.values(),
            judgments, [], {"judge: the better one": "judge"}, with_labels=False)


def main():
    formats = (judgebench, llmbar, pandalm, fastchat, arena_hard, alpaca_eval, table,
               inspect, promptfoo)
    if not (DATA / "README.md").exists():
        for one in formats:
            skip(one.__name__, "no recorded data")
        finish()
    for one in formats:
        with scratch() as folder:
            one(Path(folder))
    finish()


main()
