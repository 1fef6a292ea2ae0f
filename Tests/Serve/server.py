"""A server under test, with a simulated session in a temporary home directory, and a plain HTTP client."""
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time

# The translations of `make catalogues`. Programs of the release build find them there; those of the tests are in another directory.
TRANSLATIONS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../.build/locale")


class Server:
    def __init__(self, program, *options, home=None, port=0, bus="unix:path=/nowhere/bus"):
        self.home = home or tempfile.mkdtemp(prefix="stressmon-serve-")
        self.is_owner = home is None
        run = os.path.join(self.home, "run")
        os.makedirs(run, mode=0o700, exist_ok=True)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.home, "XDG_RUNTIME_DIR": run, "TMPDIR": self.home, "TZ": "UTC",
            "XDG_DATA_HOME": os.path.join(self.home, "data"), "XDG_CONFIG_HOME": os.path.join(self.home, "config"),
            "DBUS_SYSTEM_BUS_ADDRESS": bus, "LANG": "C.UTF-8", "TEXTDOMAINDIR": os.environ.get("TEXTDOMAINDIR", TRANSLATIONS)}
        self.program = program
        self.errors = open(os.path.join(self.home, "serve.log"), "ab+")
        self.process = subprocess.Popen(
            [os.path.abspath(program), "serve", "--port", str(port), "--json", *options], env=self.environment, cwd=self.home,
            stdout=subprocess.PIPE, stderr=self.errors)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the server did not start: {self.log()}")
        self.start = json.loads(line)
        self.token = self.start["token"]
        self.origin = self.start["origin"]
        # The Host header of the pages.
        self.host = self.origin.removeprefix("http://")
        self.port = int(self.start["url"].split(":")[2].split("/")[0])

    def run(self, *arguments, check=True):
        return subprocess.run([self.program, *arguments], env=self.environment, check=check, capture_output=True, text=True)

    def login_url(self):
        return self.run("serve", "url", "--port", str(self.port)).stdout.strip()

    def log_in(self):
        """Redeems a login code; returns the cookie."""
        path = self.login_url().split(f":{self.port}", 1)[1]
        status, headers, body = self.request(path=path, host=self.host, token=False)
        assert status == 200, (status, body)
        return headers["set-cookie"].split(";")[0]

    def log(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")

    def connect(self, host="127.0.0.1", timeout=30):
        return socket.create_connection((host, self.port), timeout=timeout)

    def raw(self, data, timeout=30):
        """Sends bytes and returns everything until the server closes the connection."""
        with self.connect(timeout=timeout) as connection:
            try:
                connection.sendall(data)
            except (BrokenPipeError, ConnectionResetError):
                pass
            received = b""
            try:
                while chunk := connection.recv(1 << 16):
                    received += chunk
            except (ConnectionResetError, socket.timeout):
                pass
            return received

    def request(self, method="GET", path="/api/status", host=None, token=True, body=b"", **headers):
        """Returns the status, the headers and the body. A keyword such as sec_fetch_site is a header."""
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{self.port}'}", "Connection: close"]
        if token:
            lines.append(f"Authorization: Bearer {self.token if token is True else token}")
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        if body:
            lines.append(f"Content-Length: {len(body)}")
        return parse(self.raw(("\r\n".join(lines) + "\r\n\r\n").encode() + body))

    def json(self, path):
        status, _, body = self.request(path=path)
        assert status == 200, (path, status, body)
        return json.loads(body)

    def wait_for_heart_rate(self, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.request(path="/hr")[0] == 200:
                return
            time.sleep(0.2)
        raise RuntimeError(f"no live heart rate: {self.log()}")

    def memory(self, kind="RssAnon"):
        """In bytes."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith(kind + ":"))

    def cpu_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self, number=signal.SIGTERM):
        """Ends the server; returns the time that it took in s."""
        begin = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(60)
        return time.monotonic() - begin

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()
        self.errors.close()
        if self.is_owner:
            shutil.rmtree(self.home, ignore_errors=True)


def parse(response):
    head, _, body = response.partition(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    status = int(lines[0].split()[1]) if lines[0] else 0
    headers = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    if headers.get("transfer-encoding") == "chunked":
        body = dechunk(body)
    return status, headers, body


def dechunk(body):
    result = b""
    while body:
        size, _, body = body.partition(b"\r\n")
        count = int(size or b"0", 16)
        if count == 0:
            break
        result, body = result + body[:count], body[count + 2:]
    return result


class Events:
    """A reader of server-sent events, which can resume."""

    def __init__(self, server, last_id=None, token=None):
        self.connection = server.connect()
        self.connection.settimeout(0.2)
        resume = f"Last-Event-ID: {last_id}\r\n" if last_id else ""
        self.connection.sendall(
            f"GET /events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {token or server.token}\r\n"
            f"{resume}\r\n".encode())
        # The first bytes of the response.
        self.head = b""
        self.buffer = b""
        self.last_id = last_id
        self.is_open = True

    def read(self, seconds):
        """The data of the events that arrive within a time, with their IDs."""
        end, found = time.monotonic() + seconds, []
        while time.monotonic() < end and self.is_open:
            try:
                chunk = self.connection.recv(1 << 16)
                self.is_open = bool(chunk)
                self.buffer += chunk
                self.head = (self.head + chunk)[:400]
            except socket.timeout:
                pass
            except ConnectionResetError:
                self.is_open = False
            found += self.take()
        return found

    def take(self):
        found = []
        while b"\n\n" in self.buffer:
            block, _, self.buffer = self.buffer.partition(b"\n\n")
            fields = [line.partition(b": ") for line in block.replace(b"\r", b"").split(b"\n")]
            for name, _, value in fields:
                if name == b"id":
                    self.last_id = value.decode()
            data = [value for name, _, value in fields if name == b"data"]
            if data:
                found.append((self.last_id, json.loads(data[0])))
        return found

    def close(self):
        self.connection.close()
