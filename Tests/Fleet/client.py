"""A client of nats-server by its text protocol, for messages and requests that stressmon does not send."""
import json
import os
import socket
import ssl
import time


class Client:
    """One connection as the user `collector`, or as the user `STUDY.NAME` of a receiver."""

    def __init__(self, address, authorities, user, password, timeout=15):
        self.address, self.authorities, self.user, self.password = address, authorities, user, password
        self.timeout = timeout
        # A late answer to another connection of the user does not arrive here.
        self.inbox = f"_INBOX.{user if '.' not in user else f'receiver.{user}'}.{os.urandom(8).hex()}"
        self._connect()

    def _connect(self):
        plain = socket.create_connection((self.address, 4222), timeout=self.timeout)
        while plain.recv(1) != b"\n":
            continue  # INFO
        context = ssl.create_default_context(cafile=self.authorities)
        self.socket = context.wrap_socket(plain, server_hostname=self.address)
        self.file, self.used = self.socket.makefile("rb"), time.monotonic()
        options = {"verbose": False, "headers": True, "no_responders": True, "user": self.user, "pass": self.password}
        self.socket.sendall(f"CONNECT {json.dumps(options)}\r\nSUB {self.inbox} 1\r\n".encode())

    def request(self, subject, body=b"", headers=None):
        """Sends a message and returns the answer as an object. Raises PermissionError if the server refuses the subject.

        While a stream has no leader, nobody answers, and the server returns a status without a body (503). The message is not stored
        then, and is sent again until the timeout."""
        if time.monotonic() > self.used + 10:  # the server closes a connection that does not answer pings
            self._connect()
        end = time.monotonic() + self.timeout
        while True:
            self.used = time.monotonic()
            self.send(subject, body, headers)
            answer = self._answer()
            if answer:
                return json.loads(answer)
            if time.monotonic() > end:
                raise ConnectionError(f"{subject}: no responders within {self.timeout} s")
            time.sleep(0.2)

    def send(self, subject, body=b"", headers=None):
        """Sends a message without waiting for the answer."""
        block = b"".join(f"{name}: {value}\r\n".encode() for name, value in (headers or {}).items())
        if headers is None:
            head = f"PUB {subject} {self.inbox} {len(body)}\r\n".encode()
        else:
            block = b"NATS/1.0\r\n" + block + b"\r\n"
            head = f"HPUB {subject} {self.inbox} {len(block)} {len(block) + len(body)}\r\n".encode()
        self.socket.sendall(head + block + body + b"\r\n")

    def api(self, name, /, **values):
        """The answer to a request to the API of JetStream."""
        answer = self.request("$JS.API." + name, json.dumps(values).encode() if values else b"")
        if "error" in answer:
            raise RuntimeError(f"{name}: {answer['error']}")
        return answer

    def _answer(self):
        while True:
            line = self.file.readline().decode().split()
            if not line:
                raise ConnectionError("nats-server closed the connection")
            if line[0] == "PING":
                self.socket.sendall(b"PONG\r\n")
            elif line[0] == "-ERR":
                raise PermissionError(" ".join(line[1:]))
            elif line[0] in ("MSG", "HMSG"):
                content = self.file.read(int(line[-1]) + 2)[:-2]
                return content[int(line[-2]):] if line[0] == "HMSG" else content

    def waiting(self, stream, consumers=8):
        """Messages that the consumers of a stream have not acknowledged."""
        states = [self.api(f"CONSUMER.INFO.{stream}.collect-{number}") for number in range(consumers)]
        return sum(state["num_pending"] + state["num_ack_pending"] for state in states)
