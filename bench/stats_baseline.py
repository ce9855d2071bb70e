#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What bench/stats is compared with: the same summary by Python's json and NumPy.

    stats_baseline.py FILE N_RESAMPLES

Reads a file of judgments of one judge, asked in both orders, and prints one JSON object:
the numbers that `evenhand show --json` gives for it (counts, position, conflict of the
two orders' rulings, conflict by sample, rulings, win rates with intervals clustered by
question, BPDE), the bootstrap interval of the soft win rate, and the processor seconds
of reading, of summing up and of the bootstrap.

Written as one writes such a script for speed: rows become integers in flat arrays while
they are read, and everything after that is NumPy over whole arrays. The bootstrap takes
the fastest of the ways that were tried: 32-bit draws, sums looked up in blocks that fit
the cache (multinomial counts and `choice` are slower). Left out, to its advantage: fields
are not checked, and rows are taken to be one a key.
"""
import json
import sys
import time

import numpy as np

CODES = {"1": 1, "2": 2, "tie": 3, None: 0}
VOTE = np.array([0.0, 1.0, -1.0, 0.0])
Z = 1.959963984540054  # 10,000 questions: the t quantile is the normal one to 4 digits
CHUNK = 16


def read(path):
    """Flat arrays: pair, order (0, 1), sample, verdict code."""
    pairs, rows = {}, []
    add = rows.append
    loads = json.loads
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            row = loads(line)
            pair = pairs.setdefault(row["pair_id"], len(pairs))
            add(((pair * 2 + (row["order"] == "21")) * 64 + row["sample"]) * 4
                + CODES[row["verdict"]])
    key = np.array(rows, dtype=np.int64)
    return len(pairs), key >> 9, key >> 8 & 1, key >> 2 & 63, key & 3


def interval(values):
    """Mean with Wilson's interval on n_eff, one row a question."""
    n = len(values)
    mean = values.mean()
    se = np.sqrt(n / (n - 1) * ((values - mean) ** 2).sum()) / n
    n_eff = mean * (1 - mean) / se**2
    z2 = Z * Z / n_eff
    middle = (mean + z2 / 2) / (1 + z2)
    half = Z / (1 + z2) * np.sqrt(mean * (1 - mean) / n_eff + z2 / (4 * n_eff))
    return {"value": mean, "low": middle - half, "high": middle + half, "n": n}


def ruling(vote):
    """1, 2 or 3 by the mean vote."""
    return np.where(vote > 1e-9, 1, np.where(vote < -1e-9, 2, 3))


def summary(n_pairs, pair, order, sample, code):
    slot = pair * 2 + order
    counts = np.bincount(slot * 4 + code, minlength=n_pairs * 8).reshape(n_pairs, 2, 4)
    by_order = counts.sum(axis=0)
    shown = np.where(order == 1, np.array([0, 2, 1, 3])[code], code)
    position = np.bincount(shown, minlength=4)
    valid = counts[:, :, 1:].sum(axis=2)
    ruled = (valid > 0).all(axis=1)
    votes = (counts[:, :, 1] - counts[:, :, 2]) / np.maximum(valid, 1)
    vote = votes.mean(axis=1)[ruled]
    rulings = ruling(vote)
    agreed = ((counts[:, :, 1] + counts[:, :, 2]).sum(axis=1) == 0)[ruled]
    order_rulings = ruling(votes)[ruled]
    a, b = order_rulings[:, 0], order_rulings[:, 1]
    differs = interval((a != b).astype(float))
    outcome = np.array([0.0, 1.0, 0.0, 0.5])[rulings]
    grid = np.zeros((n_pairs, 2, 64), dtype=np.int8)
    grid[pair, order, sample] = code
    both = (grid[:, 0] > 0) & (grid[:, 1] > 0)
    share = counts[:, :, 1:].sum(axis=1) / np.maximum(valid.sum(axis=1), 1)[:, None]
    logs = np.zeros_like(share)
    np.log(share, out=logs, where=share > 0)
    bpde = -(share * logs).sum(axis=1)[valid.sum(axis=1) > 0]
    soft = (vote + 1) / 2
    return soft, {
        "pairs": n_pairs,
        "counts": {name: dict(zip(("failed", "1", "2", "tie"), map(int, row)))
                   for name, row in zip(("12", "21"), by_order)},
        "position": {"first": int(position[1]), "second": int(position[2]),
                     "tie": int(position[3])},
        "conflict": {
            "pairs": int(ruled.sum()), "conflicts": int((a != b).sum()),
            "first_both": int(((a == 1) & (b == 2)).sum()),
            "second_both": int(((a == 2) & (b == 1)).sum()),
            "rate": differs["value"], "low": differs["low"], "high": differs["high"]},
        "conflict_by_sample": {"pairs": int(both.sum()),
                               "conflicts": int(((grid[:, 0] != grid[:, 1]) & both).sum())},
        "rulings": {"1": int((rulings == 1).sum()), "2": int((rulings == 2).sum()),
                    "tie_agreed": int(((rulings == 3) & agreed).sum()),
                    "tie_from_conflict": int(((rulings == 3) & ~agreed).sum())},
        "win_rate": interval(outcome),
        "win_rate_soft": interval(soft),
        "bpde": {"mean": float(bpde.mean()), "zero": int((bpde == 0).sum()),
                 "max": float(bpde.max())},
    }


def bootstrap(values, n_resamples):
    """Percentile interval of the mean over questions."""
    n = len(values)
    random = np.random.default_rng(1)
    means = np.empty(n_resamples)
    for at in range(0, n_resamples, CHUNK):
        drawn = random.integers(0, n, size=(min(CHUNK, n_resamples - at), n),
                                dtype=np.uint32)
        means[at:at + CHUNK] = values.take(drawn).mean(axis=1)
    return [float(q) for q in np.quantile(means, (0.025, 0.975))]


def main():
    path, n_resamples = sys.argv[1], int(sys.argv[2])
    began = time.process_time()
    rows = read(path)
    read_at = time.process_time()
    soft, out = summary(*rows)
    summed_at = time.process_time()
    out["bootstrap"] = bootstrap(soft, n_resamples)
    ended = time.process_time()
    out["seconds"] = {"read": read_at - began, "sum": summed_at - read_at,
                      "bootstrap": ended - summed_at, "all": ended - began}
    print(json.dumps(out))


main()
