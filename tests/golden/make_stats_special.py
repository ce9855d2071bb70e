#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Reference values of src/stats/elementary.h and special.h, computed with 40 digits and more.

Run: make_stats_special.py > stats_special.tsv
Needs Debian's python3-mpmath. Columns: function, arguments (as many as it has, each the
exact decimal text that the test reads), value with 20 digits.
"""
import sys

from mpmath import mp, mpf

mp.dps = 40


def beta_cdf(x, a, b):
    """Power series of the incomplete beta function, summed until nothing changes."""
    if x > 0.5:
        # terms would shrink too slowly; the digits lost to 1 - ... are added in front
        with mp.workdps(400):
            return 1 - beta_cdf(1 - x, b, a)
    term = mpf(1) / a
    total = term
    n = 0
    # x^a (1-x)^b / B(a,b) * sum of (a+b)_n / (a)_{n+1} x^n: all terms positive
    while term > total * mpf(10) ** (-mp.dps - 10):
        term *= (a + b + n) / (a + n + 1) * x
        total += term
        n += 1
    log_front = (
        a * mp.log(x)
        + b * mp.log(1 - x)
        + mp.loggamma(a + b)
        - mp.loggamma(a)
        - mp.loggamma(b)
    )
    return mp.exp(log_front) * total


def gamma_cdf(x, a):
    term = 1 / a
    total = term
    n = 0
    while term > total * mpf(10) ** -mp.dps:
        n += 1
        term *= x / (a + n)
        total += term
    return mp.exp(a * mp.log(x) - x - mp.loggamma(a)) * total


def gamma_sf(x, a):
    with mp.workdps(300):
        return 1 - gamma_cdf(mpf(x), mpf(a))


def beta_sf(x, a, b):
    return beta_cdf(1 - x, b, a)


def t_sf(t, df):
    return beta_cdf(df / (df + t * t), df / 2, mpf(1) / 2) / 2


def t_cdf(t, df):
    return 1 - t_sf(t, df) if t > 0 else t_sf(-t, df)


def root(f, low, high):
    """Bisection, then the secant method, for an increasing f."""
    for _ in range(60):
        middle = (low + high) / 2
        if f(middle) < 0:
            low = middle
        else:
            high = middle
    return mp.findroot(f, (low, high), solver="secant", tol=mpf(10) ** -30, verify=False)


def row(name, args, value):
    print(name, *args, mp.nstr(value, 20, min_fixed=0, max_fixed=0), sep="\t")


def each(name, f, *lists):
    def walk(args, rest):
        if rest:
            for text in rest[0]:
                walk(args + [text], rest[1:])
        else:
            # a double is what the tested code gets, so the reference takes that double
            row(name, args, f(*[mpf(float(a)) for a in args]))

    walk([], lists)


def main():
    tiny = "1e-300 1e-20 1e-10 1e-3 .1 .25 .5 .7 .9 1.1 1.5 2 3 10 1e5 1e300".split()
    each("exp", mp.exp, "-700 -100.5 -10 -1 -.3 -1e-5 0 1e-9 .2 .35 1 2.5 30 500 709".split())
    each("expm1", mp.expm1, "-30 -1 -.3 -1e-9 1e-300 1e-12 1e-3 .2 .34 .35 1 20".split())
    each("log", mp.log, [t for t in tiny if t != "1"])
    each("log1p", mp.log1p, "-.999999 -.9 -.5 -.29 -.28 -.1 -1e-5 1e-300 1e-9 .01 .3 .41 .5 1 1e9".split())
    each("log_gamma", mp.loggamma, "1e-3 .1 .5 .9 1.5 2.5 3 7.7 15.5 16 17 100 1e4 1e8".split())
    each("beta_cdf", beta_cdf, "1e-6 .01 .2 .5 .7 .99".split(), ".5 1 2.5 10 300".split(), ".5 1 3 40.5 1000".split())
    each("beta_sf", beta_sf, ".01 .3 .9".split(), ".5 4 60".split(), ".5 4 200".split())
    each("beta_cdf", beta_cdf, ".4995 .5 .5003".split(), ["1e6"], ["1e6"])
    each("gamma_cdf", gamma_cdf, "1e-8 .01 .5 1 3 12 90".split(), ".5 1 2.5 10 100".split())
    each("gamma_sf", gamma_sf, "1e-3 .5 1 3 12 90 200".split(), ".5 1 2.5 10 100".split())
    each("normal_cdf", mp.ncdf, "-37 -20 -8 -3 -1.96 -1 -.1 -1e-5 0 .5 1.96 5".split())
    each("t_cdf", t_cdf, "-1000 -50 -10 -3 -2 -1 -.1 .1 2 6".split(), ".5 1 2 5 30 1000.5 1e6".split())
    each("chi2_sf", lambda x, d: gamma_sf(x / 2, d / 2), ".1 1 3.84 20 150".split(), "1 2 7 50".split())
    each("f_sf", lambda x, a, b: beta_cdf(b / (b + a * x), b / 2, a / 2), ".2 1 4 30".split(), "1 3 20".split(), "2 15 400".split())

    tails = "1e-12 1e-5 .005 .025 .3 .6 .95 .975 .999".split()
    each("normal_quantile", lambda p: mp.sqrt(2) * mp.erfinv(2 * p - 1), tails)
    for df in "1 2 3 4.5 9 49 500 1e6".split():
        d = mpf(float(df))
        for p in tails:
            q = mpf(float(p))
            value = root(lambda t: t_cdf(t, d) - q, mpf(-10) ** 13, mpf(10) ** 13)
            row("t_quantile", [p, df], value)
    for a in ".5 1 3 40 1000".split():
        x, p = mpf(float(a)), None
        for p in tails:
            q = mpf(float(p))
            # in log x, where the function is smooth
            f = lambda u: mp.log(gamma_cdf(mp.exp(u), x)) - mp.log(q)
            row("gamma_quantile", [p, a], mp.exp(root(f, mpf(-60), mpf(8))))
        for b in ".5 2 30 700".split():
            y = mpf(float(b))
            for p in tails:
                q = mpf(float(p))
                f = lambda u: mp.log(beta_cdf(1 / (1 + mp.exp(-u)), x, y)) - mp.log(q)
                row("beta_quantile", [p, a, b], 1 / (1 + mp.exp(-root(f, mpf(-70), mpf(70)))))


if __name__ == "__main__":
    sys.exit(main())
