"""The cookie of a browser is sent to the server only: no server at another port of this machine receives it.

    python3 Tests/Web/login.py PROGRAM
"""
import http.server
import sys
import threading

from browser import chromium, log_in, url
from server import Server


class Recorder(http.server.BaseHTTPRequestHandler):
    """Records the headers of requests, and answers with a page that requests a picture of the server."""

    def do_GET(self):
        self.server.received.append((self.headers["Host"], self.headers.get("Cookie")))
        body = f'<img src="/picture.png"><img src="{self.server.picture}"><a href="/next">next</a>'.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main(program):
    with Server(program) as server, chromium() as browser:
        other = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
        other.received, other.picture = [], f"http://127.0.0.1:{server.port}/assets/icon.svg"
        threading.Thread(target=other.serve_forever, daemon=True).start()
        context = browser.new_context()
        log_in(context, server)
        page = context.new_page()
        assert page.goto(url(server)).status == 200
        for host in ["127.0.0.1", "localhost", "other.localhost"]:
            page.goto(f"http://{host}:{other.server_port}/")
            page.click("a")
            page.wait_for_load_state()
        cookies = [cookie for _, cookie in other.received]
        assert len(cookies) >= 9 and not any(cookies), other.received
        # The browser still sends it to the server, in a new tab and after a link from elsewhere.
        assert page.goto(url(server, "/history")).status == 200
        # A login URL that was used, in the same browser: it is logged in already.
        used = server.login_url()
        page.goto(used)
        page.wait_for_url(url(server))
        page.goto(used.replace(f"http://127.0.0.1:{server.port}", server.origin))
        page.wait_for_url(url(server))
        other.shutdown()
        print(f"login: {len(cookies)} requests to another port, none with the cookie")


main(sys.argv[1])
