# SPDX-License-Identifier: MIT
"""Comparing the summary of a judge, or of a group of its pairs, with expected numbers.

Each check takes what the program says and what was expected, and notes every difference
with the place where it was found.
"""
import math

TOLERANCE = 1e-9
faults = []


def same(place, got, want):
    """Equal, floats within the tolerance; notes the place where not."""
    if want is None or isinstance(want, (int, str)) and not isinstance(want, bool):
        ok = got == want
    else:
        ok = got is not None and math.isclose(got, want, rel_tol=0, abs_tol=TOLERANCE)
    if not ok:
        faults.append(f"{place}: got {got!r}, expected {want!r}")


def check_counts(judge, got, want):
    for order, counts in want["counts"].items():
        for key in ("1", "2", "tie"):
            same(f"{judge} counts {order} {key}", got["counts"][order][key], counts[key])
        same(f"{judge} counts {order} failed", got["counts"][order]["failed"],
             counts["null"])
        n = sum(counts[key] for key in ("1", "2", "tie"))
        for key, rate in (("1", "win_1"), ("2", "win_2"), ("tie", "tie")):
            same(f"{judge} rates {order} {rate}",
                 got["counts"][order][key] / n if n else None,
                 want["rates"][order][rate])
    for key in ("first", "second", "tie", "first_rate"):
        same(f"{judge} position {key}", got["position"][key], want["position"][key])


def check_conflict(judge, got, want):
    if "conflict" not in want:
        same(f"{judge} conflict", got["conflict_by_sample"], None)
        same(f"{judge} why", got["why"]["conflict_by_sample"], "one_order")
        return
    names = {"pairs": "both_parsed", "conflicts": "conflicts", "rate": "conflict_rate",
             "first_both": "conflict_first_both", "second_both": "conflict_second_both",
             "with_tie": "conflict_with_tie"}
    for ours, theirs in names.items():
        same(f"{judge} conflict_by_sample {ours}", got["conflict_by_sample"][ours],
             want["conflict"][theirs])
    for sample, row in want.get("conflict_by_sample", {}).items():
        ours = got["compat"]["by_sample"][int(sample)]
        for name, theirs in names.items():
            if name != "rate":
                same(f"{judge} sample {sample} {name}", ours[name], row[theirs])
    if "kappa_between_orders" in want:
        same(f"{judge} kappa between orders", got["conflict_by_sample"]["kappa"],
             want["kappa_between_orders"])
    if "same_verdict_incl_null" in want:
        same(f"{judge} same or none",
             got["compat"]["between_orders"]["same_or_none_rate"],
             want["same_verdict_incl_null"])


def check_agreement(judge, got, want):
    for ours, theirs in (("n_labelled", "n"), ("n_ruled", "n_parsed"),
                         ("accuracy", "accuracy"), ("accuracy_ruled", "accuracy_parsed"),
                         ("kappa", "kappa")):
        same(f"{judge} {ours}", got[ours], want[theirs])


def check_rulings(judge, got, want):
    rulings = got["rulings"]
    same(f"{judge} rulings 1", rulings["1"], want["counts"]["1"])
    same(f"{judge} rulings 2", rulings["2"], want["counts"]["2"])
    same(f"{judge} rulings tie", rulings["tie_agreed"] + rulings["tie_from_conflict"],
         want["counts"]["tie"])
    same(f"{judge} rulings none", rulings["none"], want["counts"]["null"])
    same(f"{judge} win_rate", got["win_rate"]["value"], want["win_rate"])
    if "vs_labels" in want:
        check_agreement(f"{judge} labels", got["labels"], want["vs_labels"])


def check_pooled(judge, got, want):
    """majority, net and score of expected.json are other tools' rules."""
    scored = "pooled_score" in got["compat"]
    rules = {"majority": "pooled_majority", "net": "pooled_net", "score": "pooled_score"}
    for theirs, ours in rules.items():
        if theirs not in want["aggregate"] or theirs == "score" and not scored:
            continue
        a, b = got["compat"][ours], want["aggregate"][theirs]
        for key, count in (("1", "1"), ("2", "2"), ("tie", "tie"), ("none", "null")):
            same(f"{judge} {ours} {key}", a[key], b["counts"][count])
        same(f"{judge} {ours} win_rate", a["win_rate"], b["win_rate"])
        if "vs_labels" in b:
            check_agreement(f"{judge} {ours}", a["labels"], b["vs_labels"])
    if "score_sums" in want and scored:
        for order, sums in want["score_sums"].items():
            for key in ("n", "sum_1", "sum_2"):
                same(f"{judge} scores {order} {key}",
                     float(got["compat"]["scores"][order][key]), float(sums[key]))
        for ours, theirs in (("pairs", "n"), ("mean_1", "score_1"), ("mean_2", "score_2")):
            same(f"{judge} scores {ours}", got["compat"]["scores"][ours],
                 want["mean_score"][theirs])


def check_orders(judge, got, want):
    for order, agreement in want.get("vs_labels_by_order", {}).items():
        check_agreement(f"{judge} order {order}", got["labels"]["by_order"][order],
                        agreement)
    if "accuracy_mean_of_orders" in want:
        orders = got["labels"]["by_order"]
        same(f"{judge} mean of orders",
             (orders["12"]["accuracy"] + orders["21"]["accuracy"]) / 2,
             want["accuracy_mean_of_orders"])
    if "accuracy_both_orders" in want:
        same(f"{judge} right in both orders", got["labels"]["human_agreement"]["value"],
             want["accuracy_both_orders"])


def check_repetition(judge, got, want):
    for order, row in want.get("repetition", {}).items():
        for ours, theirs in (("pairs", "queries"), ("stability", "repetition_stability"),
                             ("all_equal", "all_same")):
            same(f"{judge} repetition {order} {ours}", got["repetition"][order][ours],
                 row[theirs])


def check_length(judge, got, want):
    longer = want["longer_preferred"]["codepoints"]
    for ours, theirs in (("decided", "decided"), ("longer", "longer"),
                         ("rate", "longer_rate")):
        same(f"{judge} longer {ours}", got["length"]["longer"][ours], longer[theirs])


def check_judge(judge, got, want, scored, lengths=True):
    """`scored`: it is ruled by scores. `lengths`: the texts are there."""
    check_counts(judge, got, want)
    check_conflict(judge, got, want)
    check_pooled(judge, got, want)
    check_orders(judge, got, want)
    check_repetition(judge, got, want)
    if lengths:
        check_length(judge, got, want)
    name = "bpc_score" if scored else "bpc_votes"
    if name in want["aggregate"]:
        check_rulings(f"{judge} {name}", got, want["aggregate"][name])
    elif "12" in want["counts"] and len(want["counts"]) == 1:
        check_rulings(f"{judge} one order", got, want["aggregate"]["majority"])
    if "win_rate_soft" in want:
        same(f"{judge} soft n", got["win_rate_soft"]["n"], want["win_rate_soft"]["n"])
        same(f"{judge} soft", got["win_rate_soft"]["value"],
             want["win_rate_soft"]["value"])
    if "ties" in want and not scored:
        same(f"{judge} ties agreed", got["rulings"]["tie_agreed"],
             want["ties"]["agreed"])
        same(f"{judge} ties conflict", got["rulings"]["tie_from_conflict"],
             want["ties"]["from_conflict"])
    if "bpde" in want:
        for key in ("n", "mean", "max"):
            same(f"{judge} bpde {key}", got["bpde"][key], want["bpde"][key])


def check_annotators(got, want):
    """`labels` of expected.json against the block "annotators"."""
    same("labels", got["labels"], want["labels"])
    people = got["people"]
    same("annotators", ", ".join(people), ", ".join(sorted(want["annotators"])))
    for name, counts in want["counts_by_annotator"].items():
        for key in ("1", "2", "tie"):
            same(f"{name} {key}", people[name][key], counts[key])
    for key in ("1", "2", "tie"):
        same(f"majority {key}", got["majority"][key], want["majority"][key])
    same("no majority", got["n_flagged"], want["no_majority"])
    pairwise = {f"{row['a']}|{row['b']}": row for row in got["pairwise"]}
    for pair, value in want.get("cohen_kappa", {}).items():
        same(f"kappa {pair}", pairwise[pair]["kappa"], value)
        same(f"agreement {pair}", pairwise[pair]["agreement"],
             want["percent_agreement"][pair])
    if "fleiss_kappa" in want:
        same("fleiss", got["fleiss"]["value"], want["fleiss_kappa"])
        same("fleiss items", got["fleiss"]["n"], want["fleiss_items"])
        same("unanimous", got["unanimous"], want["unanimous"])
