"""The server beside other programs: its commands, its port, its child processes, many sessions, and a history that another
program closes.

    python3 Tests/Serve/commands.py PROGRAM [NAME...]
"""
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time

from server import Server
from suite import expect, run, test


def wait(condition, what, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.1)


@test
def options_that_serve_and_its_subcommands_have(program):
    with Server(program) as server:
        server.run("serve", "token", "add", "obs", "--scope", "hr")
        for arguments in [["list", "--json"], ["--json"]]:
            line = json.loads(server.run("serve", "token", *arguments).stdout)
            expect((line["name"], line["scope"]), ("obs", "hr"), str(arguments))
        added = json.loads(server.run("serve", "token", "add", "deck", "--scope", "read", "--json").stdout)
        expect(server.request(path="/api/v1/status", token=added["token"])[0], 200, "the token in the object")
        for arguments in [["token", "remove", "obs", "--json"], ["token", "list", "--db", "x"], ["url", "--verbose"],
                          ["--simulate", "token", "add", "x", "--scope", "hr"], ["open", "--read-only"]]:
            result = server.run("serve", *arguments, check=False)
            expect(result.returncode, 64, str(arguments))
            assert "has no effect on this subcommand" in result.stderr, result.stderr
        expect(server.run("serve", "url", "--port", str(server.port)).returncode, 0, "its port")
        other = server.run("serve", "url", "--port", "9", check=False)
        expect((other.returncode, other.stdout), (1, ""), "another port")


@test
def a_page_opens_in_the_browser_of_the_desktop(program):
    with Server(program) as server:
        log, folder = os.path.join(server.home, "opened"), os.path.join(server.home, "bin")
        os.mkdir(folder)
        with open(os.path.join(folder, "xdg-open"), "w") as file:
            file.write(f'#!/bin/sh\necho "$1" > {log}\nexit "$STATUS"\n')
        os.chmod(file.name, 0o755)
        for status in ["0", "3"]:
            server.environment |= {"PATH": f"{folder}:{os.environ['PATH']}", "STATUS": status}
            result = server.run("serve", "open", "/journal", "--port", str(server.port), check=False)
            expect(result.returncode, int(status), "the exit code of xdg-open")
        with open(log) as file:
            path = file.read().strip().removeprefix(f"http://127.0.0.1:{server.port}")
        assert path.startswith("/journal?code="), path
        status, headers, _ = server.request(path=path, host=server.host, token=False)
        expect(status, 200, "the page that logs in")
        assert "set-cookie" in headers, headers
        expect(server.run("serve", "open", "--port", "9", check=False).returncode, 1, "a port without a server")
        for page in ["journal", "/journal?x=1", "/a b"]:
            expect(server.run("serve", "open", page, check=False).returncode, 64, page)
        server.environment["PATH"] = "/nowhere"
        missing = server.run("serve", "open", "--port", str(server.port), check=False)
        expect(missing.returncode, 1, "without xdg-open")
        assert "xdg-utils" in missing.stderr, missing.stderr


@test
def ports_in_use_and_the_setting(program):
    with Server(program) as first:
        port = first.port
        second = first.run("serve", "--port", str(port), check=False)
        expect(second.returncode, 1, "the same port")
        for text in [f"port {port} of 127.0.0.1 is in use", f"stressmon config set serve-port {port + 1}"]:
            assert text in second.stderr, second.stderr
        expect(first.run("config", "set", "serve-port", "70000", check=False).returncode, 64, "no port")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            chosen = free.getsockname()[1]
        first.run("config", "set", "serve-port", str(chosen))
        process = subprocess.Popen(
            [program, "serve", "--json"], env=first.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        url = json.loads(process.stdout.readline())["url"]
        process.terminate()
        process.wait(30)
        assert f":{chosen}/" in url, url


@test
def children_end_with_a_killed_server(program):
    with Server(program, "--simulate") as server:
        server.wait_for_heart_rate()
        folder = os.path.join(server.environment["XDG_RUNTIME_DIR"], "stressmon/live")
        sockets = lambda: [name for name in os.listdir(folder) if name.endswith(".sock")]
        expect(len(sockets()), 1, "sessions")
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
        # A session that is ended with SIGTERM removes its socket.
        wait(lambda: not sockets(), "the session continues without its server", 20)
        wait(lambda: "finished" in server.run("history", "--sessions", "--db", server.start["database"]).stdout,
             "the session is not stored as finished", 20)


@test
def positions_beyond_all_lines(program):
    with Server(program) as server:
        session = "01M854FWYHDJMV7GBR7SJHVSH9"
        for number in [2 ** 63 - 1, 2 ** 63 - 2, 2 ** 63, 10 ** 30, 2 ** 53 + 1]:
            expect(server.request(path="/events", last_event_id=f"{session}:{number}")[0], 400, str(number))
            expect(server.request(path=f"/events?last_event_id={session}:{number}")[0], 400, str(number))
        for path in ["/journal", "/history"]:
            for number in [2 ** 63 - 1, -2 ** 63]:
                assert server.request(path=f"{path}?before={number}")[0] in (200, 400), path
        expect(server.process.poll(), None, "the server runs")


@test
def many_fast_sessions(program):
    with Server(program) as server:
        folder = os.path.join(server.environment["XDG_RUNTIME_DIR"], "stressmon/live")
        for _ in range(30):
            sessions = [subprocess.Popen(
                [program, "live", "--simulate", "--speed", "max", "--duration", "20m", "--json", "--no-store",
                 "--profile", f"p{index}"],
                env=server.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for index in range(4)]
            for session in sessions:
                session.wait(120)
        expect([name for name in os.listdir(folder) if name.endswith(".sock")], [], "sockets")
        live = lambda: next(int(line.split()[1]) for line in server.request(path="/metrics")[2].decode().splitlines()
                            if line.startswith("stressmon_live_sessions "))
        wait(lambda: live() == 0, f"{live()} sessions stay live", 10)


@test
def a_history_that_another_program_closes(program):
    with Server(program) as creator:
        home, creator.is_owner = creator.home, False
        measure = lambda seed: creator.run(
            "live", "--simulate", "--speed", "max", "--duration", "3h", "--json", "--seed", str(seed))
        measure(1)
        path = f"{home}/data/stressmon/stressmon.db"
        close(path)
    with Server(program, home=home) as server:
        server.is_owner = True
        before = len(server.json("/api/sessions?limit=500")["sessions"])
        for seed in range(2, 8):
            measure(seed)
        close(path)
        for page in ["/", "/history", "/trends", "/api/sessions", "/api/measurements"]:
            expect(server.request(path=page)[0], 200, page)
        expect(len(server.json("/api/sessions?limit=500")["sessions"]), before + 6, "sessions")
        assert "damaged" not in server.log(), server.log()


def close(path):
    """Opens the file and closes it, as the sqlite3 program does: its `-wal` is written into the file and removed."""
    database = sqlite3.connect(path)
    database.execute("SELECT count(*) FROM session").fetchone()
    database.close()
    assert not os.path.exists(path + "-wal"), "the file has a -wal"


if __name__ == "__main__":
    sys.exit(1 if run(os.path.realpath(sys.argv[1])) else 0)
