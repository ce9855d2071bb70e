#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""kill -9 while people label: what was answered is there once, what was not can be sent
again, and everybody goes on with the pairs that they had."""
import http.client
import random
import socket
import threading
import time
import uuid

from client import Person, Server, labels_of, make_ledger
from tap import check, finish, scratch

PAIRS, PEOPLE = 60, 6


class Worker(threading.Thread):
    """Labels without end; keeps what was answered, and sends again what was not."""

    def __init__(self, box, name, cookie):
        super().__init__()
        self.box, self.name_, self.cookie = box, name, cookie
        self.answered, self.pending, self.done = {}, None, False
        self.held = set()

    def send(self, person):
        item, label_id = self.pending
        status, body = person.label(item, "A", label_id=label_id)
        assert status in (200, 409), (status, body)
        kept = body["kept"]["label_id"]
        assert kept == label_id, (kept, label_id)
        self.answered[item] = label_id
        self.pending = None

    def run(self):
        while not self.done:
            try:
                person = Person(self.box["server"])
                person.cookie = self.cookie
                self.work(person)
            except (OSError, http.client.HTTPException, socket.timeout):
                time.sleep(.02)

    def work(self, person):
        while not self.done:
            if self.pending:
                self.send(person)
            items = person.items()
            if not items:
                self.done = True
                return
            self.held.update(i["id"] for i in items)
            self.pending = (items[0]["id"], str(uuid.uuid4()))
            self.send(person)
            time.sleep(.01)


def main():
    draw = random.Random(4)
    with scratch() as folder:
        ledger = make_ledger(folder, PAIRS)
        names = [f"p{i}" for i in range(PEOPLE)]
        options = ["--labels-per-pair", str(PEOPLE), "--annotators", ",".join(names)]
        box = {"server": Server(ledger, *options)}
        port = box["server"].port
        workers = [Worker(box, n, Person(box["server"], n).cookie) for n in names]
        for worker in workers:
            worker.start()
        kills = 0
        while any(w.is_alive() for w in workers) and kills < 8:
            time.sleep(draw.uniform(.05, .15))
            if not any(w.is_alive() for w in workers):
                break
            box["server"].kill()
            kills += 1
            box["server"] = Server(ledger, *options, port=port)
        for worker in workers:
            worker.join(120)
        check("the server was killed while people worked", kills >= 3, kills)
        labels = labels_of(ledger)
        box["server"].__exit__()
        n_answered = sum(len(w.answered) for w in workers)
        check("every label is there", len(labels) == PAIRS * PEOPLE, len(labels))
        check("once", len({(l["pair_id"], l["annotator"]) for l in labels}) == len(labels))
        check("everyone was told of each", n_answered == PAIRS * PEOPLE, n_answered)
        check("nobody was given a pair twice", all(len(w.held) == PAIRS for w in workers),
              [len(w.held) for w in workers])
    finish()


main()
