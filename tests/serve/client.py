# SPDX-License-Identifier: MIT
"""What the tests of the labelling server share: a ledger, a running server, people."""
import http.client
import json
import re
import subprocess
import sys
import uuid
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "system"))
from tap import EVENHAND, must, write_rows  # noqa: E402

MODELS = ("Zebrafish-7B", "quagga/Quagga-2")


def make_data(path, n, **members):
    """Pairs whose texts say nothing of what must stay hidden."""
    write_rows(path, [{"id": f"secret-id-{i}", "question": f"Question number {i}?",
                       "answer_1": f"Alpha {i}. More of it.",
                       "answer_2": f"Beta {i}. And more of that.",
                       "model_1": MODELS[0], "model_2": MODELS[1],
                       "category": "hidden-category", **members} for i in range(n)])


def make_ledger(folder, n=30, judge="sim:first=1,noise=1,seed=424242", **members):
    data, ledger = Path(folder) / "pairs.jsonl", Path(folder) / "run.db"
    make_data(data, n, **members)
    must("run", data, "-j", judge, "-q", "-o", ledger)
    return ledger


class Server:
    """evenhand annotate on a free port; `links` are paths by name."""

    def __init__(self, ledger, *options, port=0):
        self.ledger, self.port = ledger, port
        self.process = subprocess.Popen(
            [EVENHAND, "annotate", str(ledger), "--port", str(port), *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.links, self.head = {}, []
        for line in self.process.stdout:
            self.head.append(line)
            found = re.match(r"  (\S+) +(?:http\S*?(/join/\S+)|as given)", line)
            if found:
                self.links[found.group(1)] = found.group(2)
                address = re.search(r"http://[\d.]+:(\d+)/", line)
                if address:
                    self.port = int(address.group(1))
            if line.startswith("Ctrl-C"):
                break
        else:
            raise RuntimeError(self.process.stderr.read())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(20)
        self.stderr = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()

    def kill(self):
        self.process.kill()
        self.process.wait(20)

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    @property
    def origin(self):
        return f"http://{self.host}"

    def memory_kb(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1))

    def is_alive(self):
        return self.process.poll() is None and \
            Person(self).get("/api/state", check=False)[0] == 401


class Person:
    """A client with one kept connection and the cookie of a link."""

    def __init__(self, server, name=None, link=None):
        self.server, self.connection, self.cookie, self.n = server, None, None, 0
        self.raw = []  # every byte of every answer
        link = link or (name and server.links[name])
        if link:
            status, headers, _ = self.request("GET", link)
            assert status == 303, status
            self.cookie = headers["set-cookie"].split(";")[0]

    def request(self, method, path, body=None, headers=None):
        all_headers = {"Host": self.server.host}
        if self.cookie:
            all_headers["Cookie"] = self.cookie
        if method == "POST":
            all_headers.update({"Origin": self.server.origin,
                                "Content-Type": "application/json"})
        all_headers.update(headers or {})
        for attempt in (1, 2):  # a kept connection may have been closed meanwhile
            if self.connection is None:
                self.connection = http.client.HTTPConnection(
                    "127.0.0.1", self.server.port, timeout=60)
            try:
                self.connection.request(
                    method, path, body,
                    {k: v for k, v in all_headers.items() if v is not None})
                answer = self.connection.getresponse()
                text = answer.read()
                break
            except (http.client.HTTPException, ConnectionError):
                self.connection.close()
                self.connection = None
                if attempt == 2:
                    raise
        self.raw.append(str(answer.headers).encode() + text)
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, text

    def get(self, path, check=True):
        status, _, text = self.request("GET", path)
        assert status == 200 or not check, (status, text[:200])
        return status, json.loads(text)

    def post(self, path, body):
        status, _, text = self.request("POST", path, json.dumps(body))
        return status, json.loads(text)

    def items(self, have=()):
        query = "?have=" + ",".join(have) if have else ""
        return self.get("/api/items" + query)[1]["items"]

    def label(self, item, choice, label_id=None, **more):
        self.n += 1
        return self.post("/api/label", {
            "label_id": label_id or str(uuid.uuid4()), "item": item, "choice": choice,
            "familiar": True, "seq": self.n, "view": "plain", "width": "wide",
            "visible_ms": 5000, "depth_a": 1, "depth_b": .5, **more})


def owner(server):
    return Person(server, "owner")


def labels_of(ledger):
    """The labels as exported; also while the server runs."""
    return [json.loads(line) for line in must("labels", ledger, "export", "-").splitlines()]
