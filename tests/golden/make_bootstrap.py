#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reference values of src/stats/bootstrap.h, by plain loops over exact integers.

Run: make_bootstrap.py > bootstrap.tsv
Columns: function, questions, resamples, seed, level, low, high. Question g has
1 + g mod 3 rows (of `equal` one) and the sum rows * ((7 g + 3) mod 11) / 10.

Philox 4x32-10 and xoshiro128++ are written after their papers, so a match is one of two
implementations.
"""
import math
from fractions import Fraction

M32 = 0xFFFFFFFF


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(p1 >> 32) ^ c[1] ^ k[0], p1 & M32, (p0 >> 32) ^ c[3] ^ k[1], p0 & M32]
        k = [(k[0] + 0x9E3779B9) & M32, (k[1] + 0xBB67AE85) & M32]
    return c


def words_of(seed, purpose, content):
    name = 0xCBF29CE484222325
    for byte in purpose.encode():
        name = (name ^ byte) * 0x100000001B3 % 2**64
    key = seed * 0x9E3779B97F4A7C15 % 2**64 ^ name
    block = 0
    while True:
        yield from philox([block & M32, block >> 32, content & M32, content >> 32],
                          [key & M32, key >> 32])
        block += 1


def rotate(x, n):
    return (x << n | x >> (32 - n)) & M32


def xoshiro(s):
    while True:
        yield (rotate(s[0] + s[3] & M32, 7) + s[0]) & M32
        t = s[1] << 9 & M32
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotate(s[3], 11)


def lanes(seed, content):
    start = words_of(seed, "stats.bootstrap", content)
    each = [xoshiro([next(start) for _ in range(4)]) for _ in range(8)]
    while True:
        for lane in each:
            yield next(lane)


def draws(seed, content, n):
    small = n <= 2**15
    for word in lanes(seed, content):
        for bits, size in ([(word & 0xFFFF, 16), (word >> 16, 16)] if small
                           else [(word, 32)]):
            product = bits * n
            if product % 2**size >= 2**size % n:
                yield product >> size


def interval(n, n_resamples, seed, level, equal):
    counts = [1 if equal else 1 + g % 3 for g in range(n)]
    sums = [Fraction(counts[g] * ((7 * g + 3) % 11), 10) for g in range(n)]
    means = []
    for r in range(n_resamples):
        drawn = draws(seed, r, n)
        total, rows = 0, 0
        for _ in range(n):
            g = next(drawn)
            total += sums[g].numerator * (10 // sums[g].denominator)
            rows += counts[g]
        means.append(Fraction(total, 10 * rows))
    means.sort()
    rank = max(1, math.floor((n_resamples + 1) * (1 - level) / 2 + Fraction(1, 10**9)))
    return means[rank - 1], means[n_resamples - rank]


for n, n_resamples, seed, level, equal in (
        (50, 100, 1, Fraction(95, 100), False), (60, 999, 2, Fraction(9, 10), True),
        (1000, 400, 7, Fraction(95, 100), False), (32768, 100, 3, Fraction(8, 10), False),
        (32769, 100, 3, Fraction(8, 10), False), (40000, 100, 4, Fraction(8, 10), True)):
    low, high = interval(n, n_resamples, seed, level, equal)
    print("equal" if equal else "rows", n, n_resamples, seed, float(level),
          repr(float(low)), repr(float(high)), sep="\t")
