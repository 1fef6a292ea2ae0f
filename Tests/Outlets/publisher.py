"""A process of `stressmon publish` under test, sessions that feed it, and receivers of what it sends."""
import json
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

from pythonosc.osc_message import OscMessage

PREFIX = "/avatar/parameters/"


class Home:
    """A temporary home directory."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="stressmon-publish-")
        run = self.file("run")
        os.mkdir(run, 0o700)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.path, "XDG_RUNTIME_DIR": run, "TMPDIR": self.path, "TZ": "UTC",
            "XDG_DATA_HOME": self.file("data"), "XDG_CONFIG_HOME": self.file("config"), "LANG": "C.UTF-8",
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus"}

    def file(self, name):
        return os.path.join(self.path, name)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


def session(program, home, *options):
    """A simulated session, whose lines are in its standard output."""
    return subprocess.Popen(
        [program, "live", "--simulate", "--no-store", "--json", *options], env=home.environment,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)


class Publisher:
    """`stressmon publish`; with is_piped it reads the lines that are written to its standard input."""

    def __init__(self, program, home, *arguments, is_piped=True):
        self.program, self.home = program, home
        self.errors = open(home.file("publish.log"), "ab+")
        self.process = subprocess.Popen(
            [program, "publish", *(["--from", "-"] if is_piped else []), *arguments], env=home.environment,
            stdin=subprocess.PIPE if is_piped else subprocess.DEVNULL, stderr=self.errors)

    def write(self, line):
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def finish(self, limit=60):
        """Ends the input. Returns the time until the process ended in s."""
        begin = time.monotonic()
        self.process.stdin.close()
        self.process.wait(limit)
        return time.monotonic() - begin

    def signal(self, number):
        begin = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(60)
        return time.monotonic() - begin

    def log(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")

    def targets(self):
        output = subprocess.run(
            [self.program, "publish", "--list", "--json"], env=self.home.environment, capture_output=True, check=True)
        return {item["target"]: item for item in map(json.loads, output.stdout.splitlines())}

    def cpu_seconds(self):
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self, kind="RssAnon"):
        """In bytes."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return next(int(line.split()[1]) * 1024 for line in file if line.startswith(kind + ":"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.errors.close()


class OSCReceiver:
    """Collects datagrams with their times of arrival."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        self.socket.bind(("127.0.0.1", 0))
        self.socket.settimeout(0.2)
        self.port = self.socket.getsockname()[1]
        self.datagrams = []
        self.is_open = True
        self.thread = threading.Thread(target=self.receive)
        self.thread.start()

    def receive(self):
        while self.is_open:
            try:
                datagram = self.socket.recv(65536)
                self.datagrams.append((time.monotonic(), datagram))
            except socket.timeout:
                pass

    def messages(self, *names):
        """(time, name, value) of all messages, or of those with these names."""
        found = []
        for when, datagram in list(self.datagrams):
            message = OscMessage(datagram)
            name = message.address.removeprefix(PREFIX)
            if not names or name in names:
                found.append((when, name, message.params[0]))
        return found

    def values(self, name):
        return [value for _, _, value in self.messages(name)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.is_open = False
        self.thread.join()
        self.socket.close()


def wait_for(condition, seconds=60, what="a condition"):
    """Polls until the condition is true; returns its value."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"{what} was not reached within {seconds} s")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def intervals(lines):
    return [rr for line in map(json.loads, lines) if line["type"] == "notification" for rr in line.get("rr_ms", [])]


def stop(process, number=signal.SIGKILL):
    if process.poll() is None:
        process.send_signal(number)
    process.wait(60)
