# SPDX-License-Identifier: MIT
"""The numbers of docs/methods.md once more, in plain loops over recorded judgments.

Nothing here is shared with the program: what expected.json does not hold is computed a
second time and compared.
"""
import math
from collections import defaultdict

CLASSES = ("1", "2", "tie")
VALUE = {"1": 1.0, "tie": 0.5, "2": 0.0}
VOTE = {"1": 1, "tie": 0, "2": -1}


def by_judge(judgments):
    """judge -> pair -> order -> sample -> row"""
    found = defaultdict(lambda: defaultdict(lambda: {"12": {}, "21": {}}))
    for row in judgments:
        found[row["judge"]][row["pair_id"]][row["order"]][row["sample"]] = row
    return found


def is_scored(pairs):
    """Every valid sample of the judge has scores."""
    valid = [row for orders in pairs.values() for samples in orders.values()
             for row in samples.values() if row["verdict"] is not None]
    return bool(valid) and all(row.get("score_1") is not None for row in valid)


def compare(first, second):
    if abs(first - second) <= 1e-9:
        return "tie"
    return "1" if first > second else "2"


def order_means(samples, k, scored):
    """(mean for answer 1, mean for answer 2), or None without a valid sample."""
    valid = [row for s, row in sorted(samples.items())
             if s < k and row["verdict"] is not None]
    if not valid:
        return None
    if scored:
        return (sum(r["score_1"] for r in valid) / len(valid),
                sum(r["score_2"] for r in valid) / len(valid))
    return sum(VOTE[r["verdict"]] for r in valid) / len(valid), 0.0


def order_ruling(samples, k, scored):
    means = order_means(samples, k, scored)
    if means is None:
        return None
    valid = [row for s, row in samples.items() if s < k and row["verdict"] is not None]
    return valid[0]["verdict"] if len(valid) == 1 else compare(*means)


def calibrated(orders, k, scored):
    """(ruling or None, BPDE or None, gap or None) of one pair under mec+bpc."""
    means = [order_means(orders[o], k, scored) for o in ("12", "21")]
    counts = dict.fromkeys(CLASSES, 0)
    for samples in orders.values():
        for s, row in samples.items():
            if s < k and row["verdict"] is not None:
                counts[row["verdict"]] += 1
    n = sum(counts.values())
    bpde = None
    if n:
        bpde = -sum(c / n * math.log(c / n) for c in sorted(counts.values()) if c)
    if None in means:
        return None, bpde, None
    one = (means[0][0] + means[1][0]) / 2
    two = (means[0][1] + means[1][1]) / 2
    return compare(one, two), bpde, abs(one - two)


def kappa(pairs):
    """Cohen's kappa of (ruling, label) pairs."""
    n = len(pairs)
    agree = sum(a == b for a, b in pairs) / n
    chance = sum(sum(a == c for a, _ in pairs) * sum(b == c for _, b in pairs)
                 for c in CLASSES) / n / n
    return None if chance == 1 else (agree - chance) / (1 - chance)


def hitlc(pairs, order, labels, k, percent):
    """(accuracy, kappa, head, accuracy on the rest); `order`: pair ids in data order."""
    scored = is_scored(pairs)
    rows = []
    for place, pair in enumerate(p for p in order if p in pairs):
        verdict, bpde, gap = calibrated(pairs[pair], k, scored)
        first = 0 if verdict is None else 1
        rows.append((first, -math.inf if bpde is None else -round(bpde, 11),
                     0 if gap is None else round(gap, 9), place, pair, verdict))
    rows.sort(key=lambda r: r[:4])
    head = -(-percent * len(rows) // 100)
    final, rest = [], []
    for i, (_, _, _, _, pair, verdict) in enumerate(rows):
        if pair not in labels:
            continue
        if i < head:
            final.append((labels[pair], labels[pair]))
        else:
            final.append((verdict, labels[pair]))
            rest.append((verdict, labels[pair]))
    right = sum(a == b for a, b in final)
    ruled = [(a, b) for a, b in final if a is not None]
    rest_right = sum(a == b for a, b in rest)
    return (right / len(final), kappa(ruled), head,
            rest_right / len(rest) if rest else None)


def consistent(orders, k, scored):
    one = order_ruling(orders["12"], k, scored)
    two = order_ruling(orders["21"], k, scored)
    return one if one is not None and one == two else None


def reference_agreement(reference, other, k):
    """(same, pairs, consistent pairs of the reference)"""
    scored, scored_other = is_scored(reference), is_scored(other)
    same = n = all_consistent = 0
    for pair, orders in reference.items():
        verdict = consistent(orders, k, scored)
        if verdict is None:
            continue
        all_consistent += 1
        if pair not in other:
            continue
        n += 1
        same += consistent(other[pair], k, scored_other) == verdict
    return same, n, all_consistent


def human_ties(pairs, labels, k):
    """(conflict and tie, conflict and not, agreement and tie, neither), phi, Fisher's p"""
    scored = is_scored(pairs)
    table = [0, 0, 0, 0]
    for pair, orders in pairs.items():
        one = order_ruling(orders["12"], k, scored)
        two = order_ruling(orders["21"], k, scored)
        if one is None or two is None or pair not in labels:
            continue
        table[(0 if one != two else 2) + (0 if labels[pair] == "tie" else 1)] += 1
    a, b, c, d = table
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    phi = (a * d - b * c) / math.sqrt(margins) if margins else None
    ways = [math.comb(a + b, x) * math.comb(c + d, a + c - x)
            for x in range(max(0, a + c - c - d), min(a + b, a + c) + 1)]
    own = math.comb(a + b, a) * math.comb(c + d, c)
    return table, phi, sum(w for w in ways if w <= own) / sum(ways)


def score_gaps(pairs, k):
    """(mean gap, {bin: [pairs, conflicts]}) of a scored judge"""
    bins, gaps = {}, []
    for orders in pairs.values():
        means = [order_means(orders[o], k, True) for o in ("12", "21")]
        if None in means:
            continue
        gap = sum(abs(one - two) for one, two in means) / 2
        name = ("0" if gap < 1e-9 else "to 0.5" if gap < .5 + 1e-9
                else "to 1" if gap < 1 + 1e-9 else "to 2" if gap < 2 + 1e-9
                else "below 3" if gap < 3 - 1e-9 else "3 and more")
        row = bins.setdefault(name, [0, 0])
        row[0] += 1
        row[1] += (order_ruling(orders["12"], k, True)
                   != order_ruling(orders["21"], k, True))
        gaps.append(gap)
    return (math.fsum(gaps) / len(gaps) if gaps else None), bins


def length_bins(pairs, lengths, k):
    """{from_cp: [pairs, conflicts]} by characters of both answers, in bins of 800"""
    scored, bins = is_scored(pairs), {}
    for pair, orders in pairs.items():
        one = order_ruling(orders["12"], k, scored)
        two = order_ruling(orders["21"], k, scored)
        if one is None or two is None:
            continue
        row = bins.setdefault(min(sum(lengths[pair]) // 800, 19) * 800, [0, 0])
        row[0] += 1
        row[1] += one != two
    return bins


def reliability(pairs, labels, k):
    """(n, Brier score) of soft verdicts against labels"""
    total = n = 0
    for pair, orders in pairs.items():
        votes = []
        for samples in orders.values():
            valid = [VOTE[r["verdict"]] for s, r in samples.items()
                     if s < k and r["verdict"] is not None]
            if valid:
                votes.append(sum(valid) / len(valid))
        if len(votes) < 2 or pair not in labels:
            continue
        soft = (sum(votes) / 2 + 1) / 2
        total += (soft - VALUE[labels[pair]]) ** 2
        n += 1
    return n, total / n if n else None


def confusion(pairs, k):
    """Macro precision, recall and F1 of (ruling, label) pairs."""
    precision = recall = f1 = n = 0
    for c in CLASSES:
        hits = sum(a == b == c for a, b in pairs)
        ruled = sum(a == c for a, _ in pairs)
        true = sum(b == c for _, b in pairs)
        if ruled + true == 0:
            continue
        n += 1
        precision += hits / ruled if ruled else 0
        recall += hits / true if true else 0
        f1 += 2 * hits / (ruled + true)
    return precision / n, recall / n, f1 / n
