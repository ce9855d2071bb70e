#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pairs of faireval, asked of servers that honour, ignore and refuse n.

    test_faireval.py EVENHAND MOCK SHARED

Needs SHARED/data/faireval/pairs.jsonl and says "skipped" without it; test_http.py asks
the same of pairs of its own.
"""
import sys
from pathlib import Path

import test_http
from test_http import Bench, Mock, expect, expect_exit, main, test

test_http.TESTS.clear()
DATA = Path(sys.argv.pop(3), "data/faireval/pairs.jsonl")
OPTIONS = ("-m", "mec+bpc", "-k", "3", "--judge-id", "x")


def asked(*mock_options, limit=()):
    """The server's counts and the summary of a run over faireval."""
    with Mock("--no-usage", *mock_options) as mock, Bench(1) as bench:
        bench.data = DATA
        expect_exit(bench.run(mock.url, *OPTIONS, *limit), 0)
        return mock.counts(), bench.show()


@test
def requests_for_three_samples():
    if not DATA.exists():
        return f"skipped: {DATA.name} of faireval is not here"
    honoured, first = asked()
    ignored, second = asked("--n", "ignore")
    learned, third = asked("--refuse", "temperature,max_tokens")
    expect(honoured["by_status"] == {"200": 160}, honoured)
    expect(ignored["by_status"] == {"200": 480}, ignored)
    expect(learned["by_status"] == {"200": 160, "400": 1}, learned)
    expect(first == second == third, "the numbers differ")
    # where both are sent, the canary is refused once for each
    both, _ = asked("--refuse", "temperature,max_tokens", limit=("--max-tokens", "512"))
    expect(both["by_status"] == {"200": 160, "400": 2}, both)
    for counts in (honoured, ignored, learned, both):
        expect(counts["samples"] == 480 and counts["repeated"] == 0, counts)
    return None


if __name__ == "__main__":
    sys.exit(main())
