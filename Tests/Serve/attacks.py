"""Attacks on a running server: each is rejected or has no effect, and other readers are not affected.

    python3 Tests/Serve/attacks.py PROGRAM [NAME...]
"""
import json
import signal
import socket
import sys
import time

from server import Events, Server, parse

tests = []


def test(function):
    tests.append(function)
    return function


def expect(value, expected, what=""):
    if value != expected:
        raise AssertionError(f"{what}: expected {expected!r}, got {value!r}")


@test
def hosts_of_dns_rebinding(server):
    port = server.port
    for host in ["evil.example", f"evil.example:{port}", f"127.0.0.1.evil:{port}", f"localhost.evil:{port}", "127.0.0.1",
                 f"127.0.0.1:{port + 1}", f"127.0.0.1:0{port}", f"127.0.0.1:{port}.evil", f"0.0.0.0:{port}",
                 f"127.1:{port}", f"2130706433:{port}", f"localhost.:{port}", f"user@127.0.0.1:{port}"]:
        status, _, body = server.request(host=host)
        if status not in (400, 421):
            raise AssertionError(f"Host {host}: {status} {body[:200]}")
    for host in [f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"]:
        expect(server.request(host=host)[0], 200, host)
    two = (f"GET /hr HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: evil\r\nConnection: close\r\n"
           f"Authorization: Bearer {server.token}\r\n\r\n")
    status = parse(server.raw(two.encode()))[0]
    if status not in (0, 400, 421):
        raise AssertionError(f"two Host headers: {status}")


@test
def foreign_origins_and_forms(server):
    good = f"http://127.0.0.1:{server.port}"
    body, kind = b'{"note":"x"}', "application/json"
    for origin in ["http://evil.example", "null", "https://127.0.0.1", good + ".evil", f"http://127.0.0.1:{server.port + 1}"]:
        expect(server.request(origin=origin)[0], 403, f"GET from {origin}")
        expect(server.request("POST", "/api/journal", origin=origin, body=body, content_type=kind)[0], 403, origin)
    for site in ["cross-site", "same-site"]:
        expect(server.request(sec_fetch_site=site)[0], 403, site)
    cookie = f"stressmon_{server.port}={server.token}"
    form = dict(body=b"note=x", content_type="application/x-www-form-urlencoded", token=False, cookie=cookie)
    expect(server.request("POST", "/api/journal", **form)[0], 403, "form without Origin")
    expect(server.request("POST", "/api/journal", origin=good, **form)[0], 415, "form of this origin")
    status, headers, _ = server.request("OPTIONS", "/api/journal", origin="http://evil.example")
    expect((status, "access-control-allow-origin" in headers), (403, False), "preflight")


@test
def tokens_and_scopes(server):
    expect(server.request(token=False)[0], 401, "no token")
    expect(server.request(token="x" * 43)[0], 401, "wrong token")
    status, headers, _ = server.request(path=f"/?token={server.token}", token=False)
    expect((status, headers["location"]), (303, "/"), "exchange")
    for part in [f"stressmon_{server.port}={server.token}", "HttpOnly", "SameSite=Strict"]:
        assert part in headers["set-cookie"], headers
    expect(server.request(path=f"//evil.example/?token={server.token}", token=False)[1]["location"], "/", "open redirect")
    token = server.run("serve", "token", "add", "attack", "--scope", "hr").stdout.strip()
    expect(server.request(path="/hr", token=token)[0], 200, "scope hr")
    expect(server.request(path=f"/hr?token={token}", token=False)[0], 200, "scope hr in the URL")
    for path in ["/api/status", "/metrics", "/events", "/"]:
        expect(server.request(path=path, token=token)[0], 403, f"scope hr, {path}")
    server.run("serve", "token", "remove", "attack")
    expect(server.request(path="/hr", token=token)[0], 401, "removed token")


@test
def security_headers_of_every_response(server):
    for arguments in [{}, {"token": False}, {"path": "/nowhere"}, {"path": "/"}, {"host": "evil"}]:
        _, headers, _ = server.request(**arguments)
        assert headers["content-security-policy"].startswith("default-src 'none'"), arguments
        expect(headers["cache-control"], "no-store", "Cache-Control")
        expect(headers["referrer-policy"], "no-referrer", "Referrer-Policy")
        expect(headers["x-content-type-options"], "nosniff", "X-Content-Type-Options")


@test
def path_traversal(server):
    for path in ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "/api/sessions/..%2f..%2fx",
                 "/api/../../../etc/passwd", "/.//etc/passwd", "/etc/passwd%00.html"]:
        status, _, body = server.request(path=path)
        assert status in (400, 404) and b"root:" not in body, (path, status)


@test
def bombs_in_headers_and_bodies(server):
    head = f"GET /hr HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n"
    for bomb in [head + "X: " + "a" * 1_000_000 + "\r\n\r\n", head + "".join(f"X{i}: a\r\n" for i in range(100_000)) + "\r\n",
                 "GET /" + "a" * 1_000_000 + " HTTP/1.1\r\n\r\n"]:
        status = parse(server.raw(bomb.encode(), timeout=20))[0]
        assert status in (0, 400, 414, 431), status
    kind = "application/json"
    expect(server.request("POST", "/api/journal", body=b'{"note":"' + b"a" * 100_000 + b'"}', content_type=kind)[0], 413, "body")
    expect(server.request("POST", "/api/journal", body=b"[" * 10_000, content_type=kind)[0], 400, "nested arrays")
    expect(server.request("POST", "/api/journal", body=b'{"a":' * 2000 + b"1", content_type=kind)[0], 400, "nested objects")


@test
def incomplete_requests_are_closed(server):
    slow = [server.connect(timeout=40) for _ in range(20)]
    for connection in slow:
        connection.sendall(f"GET /hr HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nX: ".encode())
    begin = time.monotonic()
    while time.monotonic() - begin < 10:
        for connection in slow:
            try:
                connection.sendall(b"a")
            except OSError:
                pass
        expect(server.request(path="/hr")[0], 200, "another reader")
        time.sleep(1)
    for connection in slow:
        try:
            while connection.recv(4096):
                pass
        except (ConnectionResetError, BrokenPipeError):
            pass
        connection.close()
    assert time.monotonic() - begin < 35, "slow connections were not closed"


@test
def thousands_of_connections(server):
    events = Events(server)
    before = server.memory()
    connections = []
    for _ in range(10_000):
        try:
            connection = socket.socket()
            connection.setblocking(False)
            connection.connect_ex(("127.0.0.1", server.port))
            connections.append(connection)
        except OSError:
            break
    received = events.read(4)
    assert len(received) >= 2, f"the open stream received {len(received)} events"
    print(f"  {len(connections)} connections: anonymous memory {before / 1e6:.1f} MB, then {server.memory() / 1e6:.1f} MB")
    assert server.memory() < 100e6
    for connection in connections:
        connection.close()
    events.close()
    expect(server.request(path="/hr")[0], 200, "afterwards")


@test
def pipelined_requests(server):
    one = f"GET /hr HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\n"
    response = server.raw(((one + "\r\n") * 50 + one + "Connection: close\r\n\r\n").encode())
    expect(response.count(b"HTTP/1.1 200 OK"), 51, "responses")
    smuggled = one + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/status HTTP/1.1\r\n\r\n"
    assert server.raw(smuggled.encode(), timeout=3).count(b"HTTP/1.1 200 OK") <= 1


@test
def stream_readers_that_never_read(server):
    stalled = [Events(server) for _ in range(50)]
    healthy = Events(server)
    received = healthy.read(6)
    numbers = [int(id.split(":")[1]) for id, _ in received]
    expect(numbers, list(range(numbers[0], numbers[0] + len(numbers))), "numbers of a healthy reader")
    assert len(numbers) >= 4
    for reader in stalled + [healthy]:
        reader.close()


@test
def names_with_markup_and_control_characters(server):
    note = "<script>alert(1)</script>\u202e\u001b[31m"
    body = json.dumps({"note": note}).encode()
    expect(server.request("POST", "/api/journal", body=body, content_type="application/json")[0], 400, "escape character")
    body = json.dumps({"note": note.replace("\u001b", "")}).encode()
    expect(server.request("POST", "/api/journal", body=body, content_type="application/json")[0], 201, "note")
    _, headers, body = server.request(path="/api/journal")
    expect(headers["content-type"], "application/json", "type")
    expect(json.loads(body)["journal"][-1]["note"], note.replace("\u001b", ""), "note is returned as data")
    status, _, body = server.request(path="/?profile=%3Cscript%3E")
    assert status == 404 and b"<script>" not in body
    assert "\u001b" not in server.log() and "permitted (full) 201" in server.log(), server.log()


@test
def the_server_ends_with_open_streams(server):
    streams = [Events(server) for _ in range(20)]
    for stream in streams:
        stream.read(0.3)
    seconds = server.stop()
    print(f"  ended after {seconds:.1f} s")
    assert seconds < 10, seconds
    expect(server.process.returncode, -signal.SIGTERM, "exit status")


def main():
    program, names = sys.argv[1], sys.argv[2:]
    failures = 0
    with Server(program, "--simulate") as server:
        server.wait_for_heart_rate()
        for function in tests:
            if names and function.__name__ not in names:
                continue
            try:
                function(server)
                print(f"passed: {function.__name__}")
            except Exception as error:  # every failure is reported with the name of its test
                failures += 1
                print(f"FAILED: {function.__name__}: {error!r}")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
