"""Attacks on a running server: each is rejected or has no effect, and other readers are not affected.

    python3 Tests/Serve/attacks.py PROGRAM [NAME...]
"""
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time

from server import Events, Server, parse
from suite import expect, run, test


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
    form = dict(body=b"note=x", content_type="application/x-www-form-urlencoded", token=False, host=server.host,
                cookie=server.log_in())
    expect(server.request("POST", "/api/journal", **form)[0], 403, "form without Origin")
    expect(server.request("POST", "/api/journal", origin=server.origin, **form)[0], 415, "form of this origin")
    status, headers, _ = server.request("OPTIONS", "/api/journal", origin="http://evil.example")
    expect((status, "access-control-allow-origin" in headers), (403, False), "preflight")


@test
def tokens_and_scopes(server):
    expect(server.request(token=False)[0], 401, "no token")
    expect(server.request(token="x" * 43)[0], 401, "wrong token")
    expect(server.request(path=f"/?token={server.token}", token=False)[0], 401, "bearer token in a URL")
    token = server.run("serve", "token", "add", "attack", "--scope", "hr").stdout.strip()
    expect(server.request(path="/hr", token=token)[0], 200, "scope hr")
    expect(server.request(path=f"/hr?token={token}", token=False)[0], 200, "scope hr in the URL")
    for path in ["/api/status", "/metrics", "/events", "/"]:
        expect(server.request(path=path, token=token)[0], 403, f"scope hr, {path}")
    server.run("serve", "token", "remove", "attack")
    expect(server.request(path="/hr", token=token)[0], 401, "removed token")


@test
def a_removed_token_ends_its_streams(server):
    token, own = server.run("serve", "token", "add", "removed", "--scope", "widget").stdout.strip(), server.token
    server.token = token
    stream = Events(server)
    server.token = own
    assert stream.read(4), "no events"
    server.run("serve", "token", "remove", "removed")
    stream.read(1)
    expect(stream.read(4), [], "events after the token was removed")
    stream.close()


@test
def logins(server):
    request = lambda path, **headers: server.request(path=path, token=False, **headers)
    code = server.login_url().split("code=")[1]
    status, headers, _ = request(f"//evil.example/?code={code}")
    expect((status, headers["location"]), (303, f"{server.origin}/?code={code}"), "redirect to the host of the pages")
    assert "set-cookie" not in headers, headers
    expect(server.request("HEAD", f"/?code={code}", token=False, host=server.host)[0], 401, "HEAD")
    status, headers, _ = request(f"/?code={code}", host=server.host)
    expect(status, 200, "login")
    for part in ["HttpOnly", "SameSite=Strict", "Max-Age="]:
        assert part in headers["set-cookie"], headers
    cookie = headers["set-cookie"].split(";")[0]
    expect(request("/", host=server.host, cookie=cookie)[0], 200, "cookie")
    expect(request("/history", host=server.host, cookie=f"stressmon=x; {cookie}")[0], 200, "a cookie of another port beside it")
    for host in [f"127.0.0.1:{server.port}", f"localhost:{server.port}"]:
        expect(request("/", host=host, cookie=cookie)[0], 401, f"cookie at {host}")
        expect(request(f"/?code={code}", host=host)[0], 401, f"used code at {host}")
    expect(request(f"/?code={code}", host=server.host)[0], 401, "used code")
    expect(server.request(path="/api/status", token=cookie.split("=")[1])[0], 401, "cookie as bearer token")
    expect(request("/", host=server.host, cookie=f"stressmon={server.token}")[0], 401, "bearer token as cookie")
    expect(server.request(path="/", host=server.host, token=code)[0], 401, "code as bearer token")
    for name in os.listdir(f"{server.environment['XDG_DATA_HOME']}/stressmon"):
        path = f"{server.environment['XDG_DATA_HOME']}/stressmon/{name}"
        expect(os.stat(path).st_mode & 0o77, 0, f"mode of {name}")
        with open(path, "rb") as file:
            assert cookie.split("=")[1].encode() not in file.read(), name


OTHER_USER = """
import encodings.idna, os, socket, sys
os.setgid(65534)
os.setuid(65534)
host, port, token = sys.argv[1:]
with socket.create_connection((host, port)) as connection:
    connection.sendall(
        f"GET /api/status HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\nAuthorization: Bearer {token}\\r\\n\\r\\n".encode())
    print(connection.recv(12).decode().split()[1])
"""


@test
def connections_of_other_users(server):
    if os.getuid() != 0:
        return print("  not verified: only root can become another user")

    def status(server, host):
        result = subprocess.run(
            [sys.executable, "-c", OTHER_USER, host, str(server.port), server.token], capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        return result.stdout.strip()

    expect(status(server, "127.0.0.1"), "403", "another user with the token")
    expect(status(server, "::1"), "403", "another user with the token, IPv6")
    with Server(server.program, "--allow-user", "nobody") as other:
        expect(status(other, "127.0.0.1"), "200", "a permitted user")
        expect(status(other, "::1"), "200", "a permitted user, IPv6")
    expect(server.run("serve", "--port", "0", "--allow-user", "nosuch", check=False).returncode, 64, "unknown user")


@test
def a_runtime_folder_of_another_user(server):
    if os.getuid() != 0:
        return print("  not verified: only root can create a folder of another user")
    folder = os.path.join(server.home, "planted")
    os.makedirs(f"{folder}/stressmon/serve")
    os.chown(f"{folder}/stressmon", 65534, 65534)
    os.chmod(f"{folder}/stressmon", 0o777)
    with open(f"{folder}/stressmon/serve/8077.json", "w") as file:
        file.write('{"url":"file:///evil.html","port":1e300,"pid":1e10}')
    environment = server.environment | {"XDG_RUNTIME_DIR": folder}
    for arguments in [["serve", "url"], ["serve", "--port", "0"]]:
        result = subprocess.run([server.program, *arguments], env=environment, capture_output=True, text=True)
        expect((result.returncode, result.stdout), (1, ""), str(arguments))
        assert "permission denied" in result.stderr and "planted" in result.stderr, result.stderr


@test
def logins_survive_a_restart(server):
    with Server(server.program) as first:
        home, first.is_owner, cookie, host = first.home, False, first.log_in(), first.host.split(":")[0]
        first.stop(signal.SIGKILL)
    with Server(server.program, home=home) as second:
        second.is_owner = True
        expect(second.host.split(":")[0], host, "host")
        page = lambda: second.request(path="/", token=False, host=second.host, cookie=cookie)[0]
        expect(page(), 200, "cookie of the first start")
        expect(second.request(path="/", token="x")[0], 401, "wrong token")
        form = dict(content_type="application/x-www-form-urlencoded", token=False, host=second.host,
                    origin=second.origin, cookie=cookie)
        status = second.request("POST", "/settings/tokens/browsers/remove", body=b"name=browser-1", **form)[0]
        expect((status, page()), (303, 401), "removed browser")


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
    for count, status in [(10_001, 400), (1_000_000, 413)]:
        body = b'{"note":"' + b"a" * count + b'"}'
        expect(server.request("POST", "/api/journal", body=body, content_type=kind)[0], status, f"note of {count} characters")
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
def malformed_requests(server):
    port, own = server.port, f"Host: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\nConnection: close\r\n"
    for target in ["http://evil/api/status", f"http://127.0.0.1:{port}/api/status", "https://evil/", "evil/api", "*"]:
        status, _, body = parse(server.raw(f"GET {target} HTTP/1.1\r\n{own}\r\n".encode()))
        expect(status, 400, target)
        assert b"stress" not in body, target
    chunked = own + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    for body in ["x\r\n", "ffffffffffffffffff\r\nabc\r\n", "2\r\n{}x\r\n0\r\n\r\n", "-1\r\n\r\n"]:
        status, headers, _ = parse(server.raw(f"POST /api/journal HTTP/1.1\r\n{chunked}{body}".encode()))
        expect(status, 400, repr(body))
        expect(headers["x-content-type-options"], "nosniff", repr(body))
    whole = chunked + '2\r\n{}\r\n0\r\n\r\n'
    expect(parse(server.raw(f"POST /api/journal HTTP/1.1\r\n{whole}".encode()))[0], 422, "chunks in HTTP/1.1")
    expect(parse(server.raw(f"POST /api/journal HTTP/1.0\r\n{whole}".encode()))[0], 400, "chunks in HTTP/1.0")
    assert "failed:" not in server.log(), server.log()


@test
def a_profile_whose_name_begins_with_a_hyphen(server):
    server.run("profile", "add", "--", "-x", check=False)
    status, _, body = server.request(path="/settings/doctor?profile=-x")
    assert status == 404 or b"Missing value" not in body, body


@test
def numbers_that_no_program_stores(server):
    """A history that was restored from a foreign file."""
    with Server(server.program) as other:
        other.run("live", "--simulate", "--speed", "max", "--duration", "2m")
        number = other.json("/api/measurements?limit=1")["measurements"][0]["id"]
        with sqlite3.connect(f"{other.environment['XDG_DATA_HOME']}/stressmon/stressmon.db") as history:
            history.execute("UPDATE measurement SET window_s = 1e300, mean_hr_bpm = 1e300, stress = 1e300")
        for path in ["/api/status", "/", f"/history/measurements/{number}", "/history", "/trends", "/api/trends", "/metrics", "/hr"]:
            status = other.request(path=path)[0]
            assert status == 200 or path == "/hr", (path, status)
        expect(other.process.poll(), None, "the server")


@test
def names_with_markup_and_control_characters(server):
    note = "<script>alert(1)</script>\u202e\u001b[31m"
    body = json.dumps({"note": note}).encode()
    expect(server.request("POST", "/api/journal", body=body, content_type="application/json")[0], 201, "note")
    _, headers, body = server.request(path="/api/journal")
    expect(headers["content-type"], "application/json", "type")
    plain = note.replace("\u202e", "\ufffd").replace("\u001b", "\ufffd")
    expect(json.loads(body)["journal"][-1]["note"], plain, "note is returned as data")
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
    with Server(sys.argv[1], "--simulate") as server:
        server.wait_for_heart_rate()
        failures = run(server)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
