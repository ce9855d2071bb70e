# SPDX-License-Identifier: MIT
"""An endpoint of chat completions in the test itself, for what a script of the mock
server cannot say: answers that depend on the prompt, or that take their time."""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def completion(model, texts, **more):
    return {"model": model, "choices": [
        {"index": i, "finish_reason": "stop",
         "message": {"role": "assistant", "content": text}}
        for i, text in enumerate(texts)], **more}


class Endpoint:
    """`answer(body)` gives a status and what is sent. Ends with the process."""

    def __init__(self, answer):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = 1 << 16  # head and body in one packet

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status, out = answer(body)
                data = json.dumps(out).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)
                self.wfile.flush()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
