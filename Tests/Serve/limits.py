"""The limits of a running server: clients that open connections, streams, writes, commands or downloads without end do not prevent
others from reading.

    python3 Tests/Serve/limits.py PROGRAM [NAME...]
"""
import os
import socket
import sqlite3
import sys
import threading
import time

from server import Events, Server, parse
from suite import expect, run, test


def add_token(server, name, scope):
    return server.run("serve", "token", "add", name, "--scope", scope).stdout.strip()


def slowest(server, path, seconds):
    """The longest time in s of requests that are made one after the other."""
    end, longest, count = time.monotonic() + seconds, 0, 0
    while time.monotonic() < end:
        begin = time.monotonic()
        expect(server.request(path=path)[0], 200, path)
        longest, count = max(longest, time.monotonic() - begin), count + 1
        time.sleep(0.02)
    assert count > 5, f"{count} requests in {seconds} s"
    return longest


def in_parallel(count, function):
    """The results of calls in threads, without those that do not end within 40 s."""
    results, threads = [], []
    for index in range(count):
        threads.append(threading.Thread(target=lambda index=index: results.append(function(index)), daemon=True))
    for thread in threads:
        thread.start()
    return results, threads


def wait_for(threads):
    for thread in threads:
        thread.join(60)


@test
def silent_connections(server):
    """600 silent connections made IPv4 unavailable for 12 s of each 15 s."""
    for count in [600, 770]:
        silent = [socket.socket() for _ in range(count)]
        for connection in silent:
            connection.setblocking(False)
            connection.connect_ex(("127.0.0.1", server.port))
        longest = slowest(server, "/hr", 17)
        print(f"  {count} silent connections: the slowest of the requests took {longest:.3f} s")
        for connection in silent:
            connection.close()
        # Half of that time: a busy machine delays every request.
        assert longest < 6, f"{count} silent connections: {longest:.1f} s"


@test
def connections_and_streams_of_a_permanent_token(server):
    """One token opened all event streams."""
    tokens = [add_token(server, f"streams-{index}", "widget") for index in range(5)]
    streams = [[Events(server, token=token) for _ in range(70)] for token in tokens]
    counts = []
    for group in streams:
        answers = []
        for stream in group:
            stream.read(0.02)
            answers.append(stream.head)
        counts.append(sum(b"text/event-stream" in answer for answer in answers))
        assert any(b"503" in answer and b"retry-after" in answer.lower() for answer in answers), answers[-1]
    assert max(counts) <= 32 and sum(counts) <= 128 and counts[0] >= 16, counts
    owner = Events(server)
    assert owner.read(4), "the owner receives no events"
    for stream in sum(streams, [owner]):
        stream.close()
    for index in range(5):
        server.run("serve", "token", "remove", f"streams-{index}")


@test
def writes_to_a_locked_history(server):
    """80 waiting writes delayed reads by more than 20 s and assets by 4.4 s."""
    before = len(server.json("/api/journal?limit=500")["journal"])
    lock = sqlite3.connect(server.database, isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")

    def write(_):
        return server.request("POST", "/api/journal", body=b'{"note":"x"}', content_type="application/json")

    results, threads = in_parallel(80, write)
    longest = {path: slowest(server, path, 2) for path in ["/api/status", "/assets/style.css", "/api/sessions"]}
    busy = [headers["retry-after"] for status, headers, _ in list(results) if status == 503]
    lock.close()
    wait_for(threads)
    statuses = [status for status, _, _ in results]
    print(f"  80 writes: {statuses.count(201)} stored, {statuses.count(503)} rejected; slowest reads: "
          + ", ".join(f"{path} {seconds:.3f} s" for path, seconds in longest.items()))
    assert max(longest.values()) < 4, longest
    assert len(busy) >= 50 and set(busy) == {"5"}, busy
    expect(set(statuses), {201, 503}, "statuses")
    after = len(server.json("/api/journal?limit=500")["journal"])
    expect(after - before, statuses.count(201), "stored entries")


def children(server):
    """The commands that the server runs, without its live session."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as file:
                parent = int(file.read().rsplit(")", 1)[1].split()[1])
            with open(f"/proc/{name}/cmdline") as file:
                arguments = file.read().split("\0")
        except OSError:
            continue
        if parent == server.process.pid and "live" not in arguments:
            found.append(arguments)
    return found


def copies(server):
    """The number of removed files that the server keeps open."""
    folder, count = f"/proc/{server.process.pid}/fd", 0
    for name in os.listdir(folder):
        try:
            count += "stressmon-export" in os.readlink(f"{folder}/{name}")
        except OSError:
            pass
    return count


@test
def commands_of_requests(server):
    """A token of the scope `read` started 21 processes, and searches of the radio."""
    token = add_token(server, "reader", "read")
    for path in ["/settings/straps?scan=1", "/settings/doctor?run=1"]:
        expect(server.request(path=path, token=token)[0], 400, path)
    for path in ["/settings/straps", "/settings/doctor"]:
        expect(server.request("POST", path, token=token, content_type="application/x-www-form-urlencoded")[0], 403, path)
        expect(server.request(path=path, token=token)[0], 200, path)
    most, is_done = 0, False

    def watch(_):
        nonlocal most
        while not is_done:
            most = max(most, len(children(server)))

    _, watching = in_parallel(1, watch)
    results, threads = in_parallel(21, lambda _: server.request(path="/settings/data/export", token=token))
    wait_for(threads)
    form = dict(content_type="application/x-www-form-urlencoded", body=b"x=y")
    checks, threads = in_parallel(6, lambda _: server.request("POST", "/settings/doctor", **form))
    wait_for(threads)
    is_done = True
    wait_for(watching)
    statuses = [status for status, _, _ in results]
    assert 1 <= statuses.count(200) and 15 <= statuses.count(503) and set(statuses) == {200, 503}, statuses
    assert all(body.startswith(b"SQLite format 3") for status, _, body in results if status == 200)
    print(f"  21 exports: {statuses.count(200)} written; at most {most} commands at the same time")
    assert 1 <= most <= 3, most
    expect(sorted({status for status, _, _ in checks}), [200, 503], "simultaneous checks")
    expect([status for status, _, _ in checks].count(200), 1, "simultaneous checks")
    server.run("serve", "token", "remove", "reader")


@test
def slow_downloads(server):
    """20 slow downloads held 20 removed copies of the database."""
    token = add_token(server, "slow", "read")
    with sqlite3.connect(server.database) as history:
        history.execute("CREATE TABLE filler AS SELECT zeroblob(30000000) AS filler")
    slow = []
    for index in range(20):
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", server.port))
        secret = token if index < 10 else server.token
        connection.sendall(f"GET /settings/data/export HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
                           f"Authorization: Bearer {secret}\r\n\r\n".encode())
        connection.settimeout(60)
        slow.append((connection, connection.recv(12)))
    answers = [answer.split()[1] for _, answer in slow]
    expect((answers[:10].count(b"200"), answers[10:].count(b"200")), (2, 2), "downloads of a token and of the owner")
    begin, count = time.monotonic(), copies(server)
    expect(count, 4, "copies")
    expect(server.request(path="/settings/data/export")[0], 503, "another download")
    while copies(server) and time.monotonic() - begin < 90:
        time.sleep(1)
    print(f"  20 slow downloads: {count} copies, removed after {time.monotonic() - begin:.0f} s")
    expect(copies(server), 0, "copies after the timeout")
    expect(server.request("HEAD", "/settings/data/export")[0], 200, "HEAD")
    expect(copies(server), 0, "copies after HEAD")
    status, _, body = server.request(path="/settings/data/export")
    expect((status, len(body) > 30_000_000), (200, True), "a fast download")
    for connection, _ in slow:
        connection.close()
    with sqlite3.connect(server.database) as history:
        history.execute("DROP TABLE filler")
    server.run("serve", "token", "remove", "slow")


def main():
    with Server(sys.argv[1], "--simulate") as server:
        server.database = server.start["database"]
        server.wait_for_heart_rate()
        failures = run(server)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
