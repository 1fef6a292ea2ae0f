"""The web server behind the documented reverse proxy (Packaging/nginx/stressmon.conf): TLS, cookie, streams, and origins.

    python3 Tests/Serve/proxy.py PROGRAM

Exit code 77: nginx or openssl is not installed.
"""
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import time

from server import Server, parse

NAME = "heart.example.org"
CONFIGURATION = os.path.join(os.path.dirname(__file__), "../../Packaging/nginx/stressmon.conf")


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Proxy:
    def __init__(self, server):
        self.folder, self.port = os.path.join(server.home, "nginx"), free_port()
        os.mkdir(self.folder)
        certificate, key = f"{self.folder}/certificate.pem", f"{self.folder}/key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={NAME}",
             "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", certificate],
            check=True, capture_output=True)
        with open(CONFIGURATION) as file:
            block = file.read()
        host = server.host.split(":")[0]
        for old, new in [("8077", str(server.port)), ("0123456789abcdef0123456789abcdef.localhost", host), ("listen 8443", f"listen 127.0.0.1:{self.port}"),
                         (f"/etc/ssl/certs/{NAME}.pem", certificate), (f"/etc/ssl/private/{NAME}.key", key)]:
            assert old in block, old
            block = block.replace(old, new)
        with open(f"{self.folder}/nginx.conf", "w") as file:
            # As root, nginx serves requests as another user.
            user = "user www-data; " if os.getuid() == 0 else ""
            file.write(f"{user}daemon off; pid {self.folder}/pid; error_log {self.folder}/errors; events {{}}\n"
                       f"http {{ client_body_temp_path {self.folder}/body; proxy_temp_path {self.folder}/proxy;\n"
                       f"fastcgi_temp_path {self.folder}/fastcgi; uwsgi_temp_path {self.folder}/uwsgi;\n"
                       f"scgi_temp_path {self.folder}/scgi;\n{block}}}\n")
        self.context = ssl.create_default_context(cafile=certificate)
        self.process = subprocess.Popen(
            ["nginx", "-p", self.folder, "-c", f"{self.folder}/nginx.conf"], stderr=subprocess.DEVNULL)
        self.wait()

    def wait(self):
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError("nginx did not start")

    @property
    def origin(self):
        return f"https://{NAME}:{self.port}"

    def connect(self):
        return self.context.wrap_socket(
            socket.create_connection(("127.0.0.1", self.port), timeout=60), server_hostname=NAME)

    def request(self, method="GET", path="/api/status", body="", host=None, **headers):
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host or f'{NAME}:{self.port}'}", "Connection: close"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        if body:
            lines += [f"Content-Length: {len(body)}", "Content-Type: application/json"]
        with self.connect() as connection:
            connection.sendall(("\r\n".join(lines) + "\r\n\r\n" + body).encode())
            received = b""
            while chunk := connection.recv(1 << 16):
                received += chunk
        return parse(received)

    def first_event(self, cookie):
        with self.connect() as connection:
            connection.sendall(
                f"GET /events HTTP/1.1\r\nHost: {NAME}:{self.port}\r\nCookie: {cookie}\r\n\r\n".encode())
            received = b""
            while b"data: {" not in received or not received.endswith(b"\n\n\r\n"):
                chunk = connection.recv(1 << 16)
                assert chunk, received
                received += chunk
        return received

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


def check(server, proxy):
    status, headers, _ = proxy.request(path="/?code=" + server.login_url().split("code=")[1])
    assert status == 200, (status, headers)
    cookie, *flags = [part.strip().lower() if index else part for index, part in
                      enumerate(headers["set-cookie"].split(";"))]
    assert "secure" in flags and "httponly" in flags, flags
    assert proxy.request(Cookie=cookie)[0] == 200
    assert proxy.request()[0] == 401
    entry = json.dumps({"mood": 6})
    write = lambda **headers: proxy.request("POST", "/api/journal", entry, Cookie=cookie, **headers)[0]
    assert write(Origin=proxy.origin, Sec_Fetch_Site="same-origin") == 201
    assert write(Origin="https://attacker.example", Sec_Fetch_Site="cross-site") == 403
    assert write(Origin=f"{proxy.origin}.attacker.example") == 403
    assert write() == 403
    assert proxy.request(host="attacker.example", Cookie=cookie)[0] == 421
    server.wait_for_heart_rate()
    assert b"id: " in proxy.first_event(cookie)
    print("reverse proxy: TLS, cookie, origins, host names and streams: passed")


def main(program):
    missing = [name for name in ("nginx", "openssl") if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")]
    if missing:
        print(f"proxy: {' and '.join(missing)} not installed: the reverse proxy was not verified", file=sys.stderr)
        sys.exit(77)
    os.environ["PATH"] += ":/usr/sbin"
    allowed = ["--allow-user", "www-data"] if os.getuid() == 0 else []
    with Server(program, "--simulate", *allowed) as server:
        proxy = Proxy(server)
        try:
            check(server, proxy)
        finally:
            proxy.stop()


main(os.path.realpath(sys.argv[1]))
