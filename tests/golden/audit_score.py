#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The numbers that tests/unit/test_audit_score.c expects, by plain loops.

    tests/golden/audit_score.py

Newcombe's method 10 (Statist. Med. 17, 1998), McNemar's exact test, and the coin-flip
row by enumerating all outcomes of six votes.
"""
from itertools import product
from math import comb, sqrt
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)


def wilson(x, n):
    mid = (2 * x + Z * Z) / (2 * (n + Z * Z))
    half = Z * sqrt(Z * Z + 4 * x * (1 - x / n)) / (2 * (n + Z * Z))
    return mid - half, mid + half


def newcombe_paired(a, b, c, d):
    n = a + b + c + d
    p1, p2 = (a + b) / n, (a + c) / n
    (l1, u1), (l2, u2) = wilson(a + b, n), wilson(a + c, n)
    margins = (a + b) * (c + d) * (a + c) * (b + d)
    cross = a * d - b * c
    if cross > 0:
        cross = max(cross - n / 2, 0)
    phi = cross / sqrt(margins) if margins else 0

    def joined(x, y):
        return sqrt(max(x * x - 2 * phi * x * y + y * y, 0))

    return p1 - p2, p1 - p2 - joined(p1 - l1, u2 - p2), p1 - p2 + joined(u1 - p1, p2 - l2)


def newcombe_shares(x1, n1, x2, n2):
    p1, p2 = x1 / n1, x2 / n2
    (l1, u1), (l2, u2) = wilson(x1, n1), wilson(x2, n2)
    return (p1 - p2, p1 - p2 - sqrt((p1 - l1) ** 2 + (u2 - p2) ** 2),
            p1 - p2 + sqrt((u1 - p1) ** 2 + (p2 - l2) ** 2))


def mcnemar(b, c):
    n = b + c
    tail = sum(comb(n, k) for k in range(min(b, c) + 1)) / 2**n
    return min(1, 2 * tail)


balance = sum(sum(v) == 0 for v in product((-1, 0, 1), repeat=6)) / 3**6
print("difference, low, high: %.7f %.7f %.7f" % newcombe_paired(5, 17, 3, 55))
print("McNemar p: %.7f" % mcnemar(17, 3))
print("coin flip: %.4f %.4f" % ((1 - balance) / 2, (1 + balance) / 2))
print("shares, low, high: %.7f %.7f %.7f" % newcombe_shares(56, 70, 48, 80))
print("shares, low, high: %.7f %.7f %.7f" % newcombe_shares(2, 2, 0, 2))
