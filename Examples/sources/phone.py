#!/usr/bin/env python3
"""Relay for a phone or a watch that sends heart beats over HTTP:

    export RELAY_TOKEN=$(head -c 18 /dev/urandom | base64)
    phone.py --listen 192.168.1.20 --port 8090 | stressmon live --source -

The phone sends POST requests to / with the header "Authorization: Bearer TOKEN" and lines of the source protocol as the body:

    curl -H "Authorization: Bearer $RELAY_TOKEN" -d '{"rr_ms":[812],"hr_bpm":74}' http://192.168.1.20:8090/

Answers: 204 accepted, 400 no JSON object, 401 wrong token, 413 too long. It listens on 127.0.0.1 by default; on another
address, everyone in the network can read the heart rate, because the connection is not encrypted: use it in a trusted network, or
behind a proxy with TLS.

Tried with HTTP clients, not with a phone.
"""
import argparse
import hmac
import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

LONGEST_BODY = 1 << 16
output = threading.Lock()


def lines(body):
    """The lines of a body as objects. Raises ValueError for any other content."""
    found = [json.loads(line) for line in body.decode("utf-8").splitlines() if line.strip()]
    if not found or not all(isinstance(line, dict) for line in found):
        raise ValueError("expected JSON objects, one per line")
    return found


class Handler(BaseHTTPRequestHandler):
    token = ""
    timeout = 30

    def do_POST(self):
        given = self.headers.get("Authorization", "")
        if not hmac.compare_digest(given.encode(), f"Bearer {self.token}".encode()):
            return self.answer(401)
        try:
            length = int(self.headers.get("Content-Length", ""))
        except ValueError:
            return self.answer(400)
        if not 0 <= length <= LONGEST_BODY:
            return self.answer(413)
        try:
            found = lines(self.rfile.read(length))
        except (ValueError, RecursionError):
            return self.answer(400)
        try:
            with output:
                for line in found:
                    print(json.dumps(line), flush=True)
        except BrokenPipeError:
            os._exit(0)
        self.answer(204)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()
        if status == 413:
            self.close_connection = True

    def log_message(self, *_):
        """Requests are not logged: they contain health data."""


def main():
    parser = argparse.ArgumentParser(description="relay for a phone as a source of stressmon")
    parser.add_argument("--listen", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, default=8090, help="port (default: 8090; 0 selects a free one)")
    options = parser.parse_args()
    Handler.token = os.environ.get("RELAY_TOKEN", "")
    if len(Handler.token) < 16:
        parser.error("set RELAY_TOKEN to a secret of at least 16 characters")
    print(json.dumps({"sensor": "Phone relay"}), flush=True)
    server = ThreadingHTTPServer((options.listen, options.port), Handler)
    print(f"phone.py: listening on port {server.server_address[1]}", file=sys.stderr, flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
