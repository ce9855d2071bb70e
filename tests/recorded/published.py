# SPDX-License-Identifier: MIT
"""Figures that others published about the recorded sets, by their own rules.

They are reached with `show --compat` where a rule differs from ours, and each function
says which rule it is.
"""
import json

from checks import same


def percent(place, got, want, digits=2):
    same(place, round(100 * got, digits), want)


def llmbar(got, folder, group, published_name):
    """LLMBar's evaluation: 4 counts and the kappa between orders with null as "2"."""
    published = json.loads((folder / "published_statistics.json")
                           .read_text(encoding="utf-8"))
    n_checked = 0
    for key, want in published.items():
        name, judge = key.split("|")
        if name != published_name:
            continue
        ours = group(got, judge)
        orders, between = ours["labels"]["by_order"], ours["compat"]["between_orders"]
        n = ours["pairs"]
        for order, theirs in (("12", "correct_False"), ("21", "correct_True")):
            correct, all_pairs = want[theirs].split("=")[0].split("/")
            same(f"{key} {theirs}", round(orders[order]["accuracy"] * n), int(correct))
            same(f"{key} pairs", n, int(all_pairs))
        same(f"{key} both", round(ours["labels"]["human_agreement"]["value"] * n),
             int(want["correct_both"].split("/")[0]))
        same(f"{key} equal", between["same_or_none"], int(want["equal"].split("/")[0]))
        same(f"{key} kappa_agreement", between["kappa_none_is_2"],
             want["kappa_agreement"])
        n_checked += 1
    return n_checked


def judgebench(judges):
    """More wins than losses over both orders, ties abstain."""
    published = {"arena_hard/o1-mini": 65.71, "Skywork-Reward-Gemma-2-27B": 64.29,
                 "internlm2-20b": 63.43, "Skywork-Reward-Llama": 62.29,
                 "internlm2-7b": 59.43, "GRM-Gemma-2B": 59.43}
    for part, want in published.items():
        found = [j for name, j in judges.items() if part in name]
        same(f"judgebench judges like {part}", len(found), 1)
        if found:
            percent(f"judgebench {part}",
                    found[0]["compat"]["pooled_net"]["labels"]["accuracy"], want)


def pandalm(judges, annotators):
    """Accuracy and macro precision, recall, F1 with unreadable results as ties."""
    published = {"gpt-3.5-turbo": (71.07, 58.79, 57.36, 57.55),
                 "pandalm-7b": (66.77, 57.38, 57.50, 57.43)}
    for judge, want in published.items():
        got = judges[judge]["compat"]["none_is_tie"]["labels"]
        for key, value in zip(("accuracy", "macro_precision", "macro_recall",
                               "macro_f1"), want):
            percent(f"pandalm {judge} {key}", got[key], value)
    kappas = sorted(round(row["kappa"], 2) for row in annotators["pairwise"])
    same("pandalm kappas", str(kappas), str([0.85, 0.86, 0.88]))
    same("pandalm fleiss", round(annotators["fleiss"]["value"], 4), 0.8642)


def mtbench_repeat(judges, folder):
    """Records read, and records that agree with their partner or have none."""
    published = json.loads((folder / "published_log.json").read_text(encoding="utf-8"))
    for key, want in published.items():
        judge, sample = key.split("|")
        got = judges[judge]["compat"]["by_sample"][int(sample)]
        same(f"{key} extracted", got["read"], want["extracted"])
        same(f"{key} consistent", got["consistent_or_alone"],
             want["consistent_records"])
    return len(published)


def vicuna_gpt4(by_models):
    """QLoRA: the other system's score sum as a percentage of gpt35's, by who came first.

    gpt35 is answer_2 in its pair with gpt4 and answer_1 in the others.
    """
    published = {"gpt4 vs gpt35": (110.1, 119.4), "gpt35 vs bard": (93.2, 96.4),
                 "gpt35 vs vicuna-13b": (91.2, 98.7),
                 "gpt35 vs guanaco-65b": (96.7, 101.9)}
    for models, want in published.items():
        scores = by_models[models]["compat"]["scores"]
        reversed_pair = models == "gpt4 vs gpt35"
        ratios = {}
        for order in ("12", "21"):
            sums = scores[order]["sum_1"], scores[order]["sum_2"]
            ratios[order] = sums[0] / sums[1] if reversed_pair else sums[1] / sums[0]
        first, second = ("21", "12") if reversed_pair else ("12", "21")
        percent(f"{models}, gpt35 first", ratios[first], want[0], 1)
        percent(f"{models}, gpt35 second", ratios[second], want[1], 1)
        if "guanaco" in models:
            percent("guanaco-65b of ChatGPT", (ratios["12"] + ratios["21"]) / 2, 99.3, 1)
