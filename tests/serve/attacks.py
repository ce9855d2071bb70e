#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Hostile clients: each is refused, the server lives and goes on answering, nothing of
theirs is stored, and no token shows up anywhere."""
import json
import socket
import sqlite3
import time

from client import Person, Server, labels_of, make_ledger, owner
from tap import check, finish, run, scratch

SCRIPTS = ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>",
           "javascript:alert(1)", "'; DROP TABLE label; --", "{{7*7}}", "%00", "\u202e\u2066",
           "=HYPERLINK(\"http://x\")", "\u0000\u0001\u001b[31m", "</script><!--"]


def raw(server, data, wait=5, keep=False):
    """Sends bytes and returns what comes back until the server closes."""
    s = socket.create_connection(("127.0.0.1", server.port), timeout=wait)
    if keep:
        s.sendall(data)
        return s
    try:
        s.sendall(data)
    except OSError:
        pass
    got = b""
    try:
        while True:
            piece = s.recv(65536)
            if not piece:
                break
            got += piece
            if b"\r\n\r\n" in got:
                break
    except OSError:
        pass
    s.close()
    return got


def status_of(answer):
    return int(answer.split()[1]) if answer.startswith(b"HTTP/1.1 ") else 0


def check_hosts(server, ann):
    own = server.host
    for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1", "localhost:1",
                 f"{own}.evil.example", f"evil.example@{own}", "", f"{own}/", f"{own} ",
                 "[::1]", f"127.0.0.1.nip.io:{server.port}"):
        status, headers, text = ann.request("GET", "/api/state", headers={"Host": host})
        ok = status == 421 or (host.strip() == own and status == 200)
        check(f"Host {host!r}", ok and (status == 200 or b"progress" not in text), status)
    check("Host localhost is ours", ann.request(
        "GET", "/api/state", headers={"Host": f"localhost:{server.port}"})[0] == 200)
    two = raw(server, f"GET /api/state HTTP/1.1\r\nHost: {own}\r\nHost: {own}\r\n"
              f"Cookie: {ann.cookie}\r\n\r\n".encode())
    check("two Hosts", status_of(two) in (400, 421) and b"progress" not in two, two[:60])
    none = raw(server, f"GET /api/state HTTP/1.1\r\nCookie: {ann.cookie}\r\n\r\n".encode())
    check("no Host", status_of(none) in (400, 421), none[:60])


def check_origins(server, ann, item):
    body = json.dumps({"label_id": "from-elsewhere-1", "item": item, "choice": "A"})
    for origin in ("http://evil.example", "null", None, f"https://{server.host}",
                   f"http://{server.host}.evil.example", f"http://127.0.0.1:{server.port + 1}",
                   f"http://{server.host}/", "", "file://", f"{server.origin}, http://x"):
        status, headers, _ = ann.request("POST", "/api/label", body, {"Origin": origin})
        check(f"POST of Origin {origin!r}", status == 403, status)
        check("and no CORS header", not any(k.startswith("access-control") for k in headers))
    for origin in ("http://evil.example", "null"):
        check(f"GET of Origin {origin}", ann.request(
            "GET", "/api/items", headers={"Origin": origin})[0] == 403)
    for site in ("cross-site", "same-site"):
        check(f"Sec-Fetch-Site {site}", ann.request(
            "GET", "/api/items", headers={"Sec-Fetch-Site": site})[0] == 403)
    check("a preflight", ann.request("OPTIONS", "/api/label", headers={
        "Origin": "http://evil.example", "Access-Control-Request-Method": "POST"})[0] == 405)
    check("a link from a mail leads to the page", Person(server).request(
        "GET", "/", headers={"Sec-Fetch-Site": "cross-site"})[0] == 200)


def check_tokens(server, ann):
    name, token = ann.cookie.split("=")
    wrong = ["", "x", "A" * 43, token[:-1] + ("A" if token[-1] != "A" else "B"), token[:-1],
             token + "A", token.upper(), "%" * 43, "\"" + token + "\"", "A" * 8000]
    for value in wrong:
        person = Person(server)
        person.cookie = f"{name}={value}"
        check(f"token {value[:12]!r}", person.get("/api/items", check=False)[0] in (401, 431))
        person.cookie = None
        status, headers, _ = person.request("GET", f"/join/{value.replace('%', '%25')[:200]}")
        check("nor a link", status == 403 or status == 404, status)
        check("and no cookie", "set-cookie" not in headers)
    check("without a cookie", Person(server).get("/api/items", check=False)[0] == 401)
    crossed = Person(server)
    crossed.cookie = f"{name.replace('eh_', 'eh_owner_')}={token}"
    check("an annotator's token is not the owner's",
          crossed.get("/api/owner/state", check=False)[0] == 401)
    check("nor in the owner's cookie an annotator's",
          crossed.get("/api/state", check=False)[0] == 401)
    boss = owner(server)
    crossed.cookie = f"{name}={boss.cookie.split('=')[1]}"
    check("the owner's token is no annotator's",
          crossed.get("/api/state", check=False)[0] == 401)


def check_cookie(server):
    person = Person(server)
    status, headers, _ = person.request("GET", server.links["ann"])
    cookie = headers["set-cookie"]
    check("the cookie is HttpOnly and SameSite=Strict",
          "HttpOnly" in cookie and "SameSite=Strict" in cookie, cookie)
    check("the link leads away from the token", headers["location"] == "/", headers)
    wanted = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
              "base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
    for path in ("/", "/owner", "/api/state", "/nothing", "/assets/x.js"):
        headers = person.request("GET", path)[1]
        check(f"headers of {path}", headers["content-security-policy"] == wanted
              and headers["referrer-policy"] == "no-referrer"
              and headers["x-content-type-options"] == "nosniff"
              and headers["cache-control"] in ("no-store", "no-cache")
              and "server" not in headers, headers)


def check_bodies(server, ann, item):
    good = {"label_id": "good-label-1", "item": item, "choice": "A"}
    bad = ["", "{", "[]", "null", "\"x\"", "{}", "{\"item\":1}", "\xff\xfe", "1" * 1000,
           "{\"a\":" * 300 + "1" + "}" * 300, json.dumps(good) + "x",
           json.dumps(good)[:-1] + ",\"item\":\"b\"}"]
    bad += [json.dumps({**good, **change}) for change in (
        {"choice": "a"}, {"choice": "1"}, {"choice": None}, {"choice": ["A"]},
        {"label_id": "short"}, {"label_id": "x" * 65}, {"label_id": "<script>-----"},
        {"label_id": 12345678}, {"item": "x" * 33}, {"familiar": "yes"}, {"note": 1},
        {"note": "n" * 8001}, {"visible_ms": -1}, {"visible_ms": "1"}, {"visible_ms": 1e300},
        {"depth_a": 1.1}, {"depth_b": -1}, {"view": "v" * 17}, {"seq": {}},
        {"replaces": 5}, {"replaces": "r" * 65})]
    for body in bad:
        status = ann.request("POST", "/api/label", body.encode("utf-8", "surrogateescape")
                             if "\xff" not in body else b"\xff\xfe")[0]
        check(f"body {body[:40]!r}", status == 400, status)
    check("a body of megabytes", ann.request("POST", "/api/label", "x" * 33000)[0] == 413)
    check("also for the owner", owner(server).request(
        "POST", "/api/owner/instructions", "x" * 300000)[0] == 413)
    head = (f"POST /api/label HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.origin}\r\n"
            f"Cookie: {ann.cookie}\r\nContent-Type: application/json\r\n")
    for more, name in (("", "no length"), ("Content-Length: -1\r\n", "a negative length"),
                       ("Content-Length: 99999999999999999999\r\n", "a huge length"),
                       ("Content-Length: x\r\n", "a length that is none"),
                       ("Transfer-Encoding: chunked\r\n", "chunks"),
                       ("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "both"),
                       ("Content-Length: 5\r\nContent-Length: 6\r\n", "two lengths")):
        answer = raw(server, (head + more + "\r\nhello").encode())
        check(name, status_of(answer) in (0, 400, 411, 413), answer[:40])
    for kind in ("text/plain", "application/x-www-form-urlencoded", "", "multipart/form-data"):
        check(f"type {kind!r}", ann.request("POST", "/api/label", json.dumps(good),
                                            {"Content-Type": kind})[0] == 415)
    check("a GET with a body", ann.request("GET", "/api/state", "x")[0] == 400)


def check_paths(server, ann):
    for path in ("/../../etc/passwd", "/assets/../../../etc/passwd", "/assets/..%2f..%2fetc",
                 "/assets/%2e%2e/%2e%2e/etc/passwd", "/assets//etc/passwd", "/assets/",
                 "/assets/.", "/assets/..", "/assets/%00", "/assets/a%00.js", "/run.db",
                 "/assets/" + "a" * 5000, "/api/../api/owner/state", "/api/owner/../state",
                 "//evil.example", "/api/item/../../x", "/API/state", "/owner/", "/\\evil"):
        status, headers, text = ann.request("GET", path)
        check(f"path {path[:30]}", status in (400, 401, 404, 414, 431) and b"root:" not in text
              and "location" not in headers, status)
    for method in ("PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "BREW", "get"):
        status = status_of(raw(server, f"{method} /api/state HTTP/1.1\r\nHost: {server.host}"
                               f"\r\nCookie: {ann.cookie}\r\n\r\n".encode()))
        check(f"method {method}", status in (400, 405, 501), status)
    for data in (b"\x00" * 100, b"GET", b"\x16\x03\x01\x02\x00", b"GET / HTTP/9.9\r\n\r\n",
                 b"GET / HTTP/1.1\r\n" + b"A: " + b"b" * 100000 + b"\r\n\r\n",
                 b"GET / HTTP/1.1\r\n" + b"".join(b"h%d: x\r\n" % i for i in range(20000)),
                 b"GET / HTTP/1.1\r\nHost: x\r\n Folded: y\r\n\r\n",
                 b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n"):
        answer = raw(server, data, wait=1)
        check(f"bytes {data[:20]!r}", status_of(answer) != 200, answer[:40])


def check_words(server, ann, item):
    """What is refused is refused in words, which the page shows."""
    boss, none = owner(server), Person(server)
    label = {"label_id": "words-label-1", "item": item, "choice": "A"}

    def says(who, words, method, path, body=None, headers=None):
        text = who.request(method, path, body if body is None or isinstance(body, str)
                           else json.dumps(body), headers)[2]
        check(f"{method} {path} says why", json.loads(text)["message"] == words, text)

    says(ann, "There is no such pair for you.", "GET", "/api/item/nothing")
    says(ann, "There is no such pair for you.", "POST", "/api/label", {**label, "item": "x"})
    says(ann, "There is nothing here.", "GET", "/api/nothing")
    text = none.request("GET", "/join/x")[2].decode()
    check("a dead link says whom to ask", "This link is not valid" in text, text)
    says(none, "This link is not valid. Ask the owner for a new one.", "GET", "/api/state")
    says(ann, "Only pages are here.", "POST", "/", {})
    says(ann, "The request is no JSON object.", "POST", "/api/label", "{")
    says(ann, "The label lacks a field or has a wrong one.", "POST", "/api/label", {})
    says(ann, "The request is too large.", "POST", "/api/label", "x" * 33000)
    says(ann, "The request must be JSON.", "POST", "/api/label", label,
         {"Content-Type": "text/plain"})
    answer = raw(server, (f"POST /api/label HTTP/1.1\r\nHost: {server.host}\r\nOrigin: "
                          f"{server.origin}\r\nContent-Type: application/json\r\n"
                          "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n").encode())
    check("no length", "The request needs a length." in answer.decode(), answer)
    says(ann, "The request comes from another page.", "POST", "/api/label", label,
         {"Origin": "http://evil.example"})
    says(ann, "This server has another name.", "GET", "/api/state",
         headers={"Host": "evil.example"})
    says(ann, "Only GET and POST are answered.", "PUT", "/api/state")
    says(ann, "A GET has no body.", "GET", "/api/state", "x")
    says(boss, "The instructions are empty.", "POST", "/api/owner/instructions",
         {"text": " "})
    says(boss, "\"paused\" must be true or false.", "POST", "/api/owner/pause",
         {"paused": "yes"})
    says(boss, "an annotator's name has 1 to 64 characters", "POST",
         "/api/owner/annotators", {"name": ""})


def check_slow(server):
    """A hundred who send a byte now and then, a hundred who send nothing."""
    begin = time.monotonic()
    slow = [raw(server, b"GET /api/state HTTP/1.1\r\nHost: ", keep=True) for _ in range(100)]
    idle = [raw(server, b"", keep=True) for _ in range(100)]
    body = [raw(server, (f"POST /api/label HTTP/1.1\r\nHost: {server.host}\r\n"
                         f"Origin: {server.origin}\r\nContent-Type: application/json\r\n"
                         "Content-Length: 1000\r\n\r\n{").encode(), keep=True)
            for _ in range(20)]
    open_ones, answered, worst = slow + idle + body, 0, 0
    while open_ones and time.monotonic() - begin < 45:
        start = time.monotonic()
        answered += server.is_alive()
        worst = max(worst, time.monotonic() - start)
        for s in list(open_ones):
            try:
                s.setblocking(False)
                if s not in idle:
                    s.send(b"x")
                if s.recv(100) == b"":
                    raise ConnectionError
            except BlockingIOError:
                pass
            except OSError:
                s.close()
                open_ones.remove(s)
        time.sleep(1)
    seconds = time.monotonic() - begin
    check("all slow ones were cut off", not open_ones, len(open_ones))
    check("in time", seconds < 30, seconds)
    check("and others were answered meanwhile", answered >= 10 and worst < 5,
          (answered, worst))


def check_texts(folder):
    """Hostile text in every field goes through unchanged, as JSON and nothing else."""
    nasty = "".join(SCRIPTS)
    ledger = make_ledger(folder, 3, question=nasty, answer_1=nasty, answer_2=nasty,
                         model_1=nasty, category=nasty)
    with Server(ledger, "--annotators", "<script>,b\"b", "--contact", nasty.replace("\x00", "")
                ) as server:
        ann = Person(server, "<script>")
        item = ann.items()[0]
        wanted = item["question"]
        check("texts arrive as they are", item["a"] == wanted and "<script>" in wanted)
        check("a note too", ann.label(item["id"], "A", note=nasty)[0] == 200)
        back = ann.get("/api/history")[1]["decisions"][0]["note"]
        check("and comes back", back.replace("\x00", "") == nasty.replace("\x00", ""), back)
        raw_bytes = b"".join(ann.raw)
        check("control characters are escaped", b"\x1b" not in raw_bytes
              and b"\x00" not in raw_bytes)
        kinds = {h for h in (ann.request("GET", "/api/state")[1]["content-type"],)}
        check("JSON is called JSON", kinds == {"application/json"}, kinds)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def check_wide(folder):
    ledger = make_ledger(folder, 3)
    with Server(ledger, "--bind", "0.0.0.0") as server:
        check("by its number it is reached", Person(server).get("/api/state", check=False)[0]
              == 401)
        check("by a name it is not", Person(server).request(
            "GET", "/api/state", headers={"Host": f"localhost:{server.port}"})[0] == 421)
    check("and a warning was printed", "warning" in server.stderr
          and "not encrypted" in server.stderr, server.stderr)
    with Server(ledger, "--public-url", "https://labels.example.org", port=free_port()
                ) as server:
        check("links are the proxy's", any("https://labels.example.org/join/" in line
                                           for line in server.head))
        status, headers, _ = Person(server).request(
            "GET", server.links["owner"], headers={"Host": "labels.example.org"})
        check("behind a proxy the cookie is Secure", status == 303
              and headers["set-cookie"].endswith("; Secure"), headers)
    for bad in ("labels.example.org", "https://x/path", "ftp://x", "https://", "https://u@x"):
        done = run("annotate", ledger, "--public-url", bad, "--port", "0")
        check(f"--public-url {bad}", done.returncode == 2, done.stderr)


def main():
    with scratch() as folder:
        ledger = make_ledger(folder)
        with Server(ledger, "--annotators", "ann") as server:
            ann = Person(server, "ann")
            item = ann.items()[0]["id"]
            before = server.memory_kb()
            check_hosts(server, ann)
            check_origins(server, ann, item)
            check_tokens(server, ann)
            check_cookie(server)
            check_bodies(server, ann, item)
            check_paths(server, ann)
            check_words(server, ann, item)
            check("nothing was stored so far", labels_of(ledger) == [])
            check_slow(server)
            check("the server is alive", server.is_alive())
            check("and takes a label", ann.label(item, "A", "the-first-label")[0] == 200)
            used = ann.post("/api/label", {"label_id": "the-first-label", "item":
                                           ann.items()[-1]["id"], "choice": "B"})[1]
            check("one id is of one label",
                  used["message"] == "That label_id is of another label.", used)
            grown = server.memory_kb() - before
            check("its memory did not grow much", grown < 30000, grown)
            tokens = [server.links[n].rsplit("/", 1)[1] for n in ("owner", "ann")]
        check("it said nothing of all this", server.stderr == "", server.stderr)
        kept = ledger.read_bytes()
        check("no token is in the ledger", not any(t.encode() in kept for t in tokens))
        db = sqlite3.connect(ledger)
        check("one decision is", db.execute("SELECT count(*) FROM decision").fetchone() == (1,))
        db.close()
    for part in (check_texts, check_wide):
        with scratch() as folder:
            part(folder)
    finish()


main()
