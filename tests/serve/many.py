#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""many.py EVENHAND [PEOPLE]: all at once over HTTP, at 50 labels a second and then as
fast as they can; none is lost or doubled. Prints how long answers took."""
import sys
import threading
import time

from client import Person, Server, labels_of, make_ledger
from tap import check, finish, scratch

PEOPLE = int(sys.argv[2]) if len(sys.argv) > 2 else 50
EACH = 10  # labels of one person


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


class Worker(threading.Thread):
    def __init__(self, server, name, interval):
        super().__init__()
        self.person, self.interval = Person(server, name), interval
        self.times, self.faults, self.n = [], [], 0
        self.held = []

    def run(self):
        start = time.monotonic()
        for k in range(EACH):
            if self.interval:
                time.sleep(max(0, start + (k + .5) * self.interval - time.monotonic()))
            items = self.person.items(have=self.held)  # as the page does
            if not items:
                return
            self.held = [i["id"] for i in items[1:]]
            begin = time.monotonic()
            status, body = self.person.label(items[0]["id"], "A")
            self.times.append(time.monotonic() - begin)
            if status != 200:
                self.faults.append((status, body))
            self.n += 1


def measure(server, names, interval, what):
    workers = [Worker(server, n, interval) for n in names]
    begin = time.monotonic()
    for worker in workers:
        worker.start()
        if interval:
            time.sleep(interval / len(workers))
    for worker in workers:
        worker.join()
    seconds = time.monotonic() - begin
    times = [t for w in workers for t in w.times]
    print(f"# {what}: {len(times)} labels of {len(names)} people in {seconds:.1f} s "
          f"({len(times) / seconds:.0f} a second): median {percentile(times, .5) * 1e3:.1f} ms, "
          f"99th percentile {percentile(times, .99) * 1e3:.1f} ms")
    faults = [f for w in workers for f in w.faults]
    check(f"{what}: every label was taken", not faults, faults[:3])
    return sum(w.n for w in workers)


def main():
    with scratch() as folder:
        ledger = make_ledger(folder, PEOPLE)
        names = [f"p{i}" for i in range(PEOPLE)]
        # room to spare: pairs that are in somebody's hands are not to be had
        most = 2 * EACH + 6
        with Server(ledger, "--labels-per-pair", str(most), "--annotators",
                    ",".join(names)) as server:
            n = measure(server, names, PEOPLE / 50, "50 labels a second")
            n += measure(server, names, 0, "all at once")
            print(f"# memory of the server: {server.memory_kb() // 1024} MiB")
            labels = labels_of(ledger)
        check("none is lost", len(labels) == n == 2 * EACH * PEOPLE, (len(labels), n))
        pairs = {(l["pair_id"], l["annotator"]) for l in labels}
        check("none is doubled", len(pairs) == len(labels))
        per_pair = {}
        for label in labels:
            per_pair[label["pair_id"]] = per_pair.get(label["pair_id"], 0) + 1
        check("no pair has more labels than it should",
              max(per_pair.values()) <= most, sorted(per_pair.values())[-3:])
    finish()


main()
