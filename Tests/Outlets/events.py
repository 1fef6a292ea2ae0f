"""Webhooks arrive in order, signed and again after a failure; a program runs once per event and is bounded."""
import hashlib
import hmac
import http.server
import json
import os
import signal
import sys
import threading

from publisher import Home, Publisher, free_port, session, stop, wait_for

SECRET = "correct horse"


class Receiver:
    """Answers the first requests with an error, and records all of them."""

    def __init__(self, failures):
        self.requests, receiver = [], self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.requests.append((self.path, dict(self.headers), body))
                self.send_response(503 if len(receiver.requests) <= failures else 204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", free_port()), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def events(self):
        return [json.loads(body) for _, _, body in list(self.requests)]


def test_events(program):
    with Home() as home:
        receiver, output, secret = Receiver(2), home.file("events"), home.file("secret")
        with open(secret, "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            file.write(SECRET + "\n")
        script = home.file("notify")
        with open(script, "w", opener=lambda path, flags: os.open(path, flags, 0o700)) as file:
            file.write(f'#!/bin/sh\nread -r line; echo "$1 $line" >> {output}\n')
        targets = [f"http://127.0.0.1:{receiver.port}/hook/a?secret={secret}&interval=2",
                   f"exec:{script}?arg=--event&events=session,category,mark"]
        live = session(program, home)
        threading.Thread(target=live.stdout.read, daemon=True).start()
        with Publisher(program, home, *targets, is_piped=False) as publisher:
            try:
                wait_for(lambda: any(e["type"] == "category" for e in receiver.events()), what="a category")
                wait_for(lambda: sum(e["type"] == "values" for e in receiver.events()) > 3, what="values")
                wait_for(lambda: os.path.exists(output) and '"type":"category"' in open(output).read(), what="the program")
            finally:
                stop(live)
            wait_for(lambda: receiver.events()[-1]["type"] == "session" and not receiver.events()[-1]["live"], what="the end")
            publisher.signal(signal.SIGTERM)
            assert "503" in publisher.log(), publisher.log()
        check_requests(receiver)
        check_program(output, receiver)
        print(f"events: {len(receiver.requests)} webhooks, signed and in order, the first one delivered at the third attempt")


def check_requests(receiver):
    for path, headers, body in receiver.requests:
        digest = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        assert path == "/hook/a" and headers["X-Stressmon-Signature"] == "sha256=" + digest
        assert headers["Content-Type"] == "application/json" and headers["X-Stressmon-Event"] == json.loads(body)["type"]
    bodies = [body for _, _, body in receiver.requests]
    # Two attempts failed, so the first event was sent three times, and no other one was sent twice.
    assert bodies[0] == bodies[1] == bodies[2] and len(set(bodies)) == len(bodies) - 2
    times = [event["time"] for event in receiver.events()]
    assert times == sorted(times), times
    for event in receiver.events():
        assert (event["hr_bpm"] is not None) == event["live"], event


def check_program(output, receiver):
    with open(output) as file:
        lines = [line.split(" ", 1) for line in file]
    assert {word for word, _ in lines} == {"--event"}
    seen = [json.loads(text) for _, text in lines]
    expected = [e["type"] for e in receiver.events()[2:] if e["type"] != "values"]
    assert [e["type"] for e in seen] == expected, (seen, expected)


def test_faults(program):
    with Home() as home:
        os.mkdir(home.file("folder"))
        for target, text in [("exec:/nowhere/program", "cannot run /nowhere/program"),
                             (f"http://127.0.0.1:{free_port()}/", "Connection refused"),
                             ("http://127.0.0.1:1/?secret=/etc/hostname", "readable by other users"),
                             ("exec:/bin/false", "ended with the exit code 1")]:
            live = session(program, home)
            threading.Thread(target=live.stdout.read, daemon=True).start()
            with Publisher(program, home, target, is_piped=False) as publisher:
                try:
                    wait_for(lambda: text in publisher.log(), what=text)
                finally:
                    stop(live)
        with Publisher(program, home, "https://x/", is_piped=False) as publisher:
            assert publisher.process.wait(60) == 64 and "exec:" in publisher.log(), publisher.log()


if __name__ == "__main__":
    test_events(sys.argv[1])
    test_faults(sys.argv[1])
