"""`/metrics` of the web server, checked by promtool of Prometheus during a live session."""
import json
import shutil
import subprocess
import sys
import threading
import urllib.error
import urllib.request

from publisher import Home, free_port, session, stop, wait_for


def metrics(port, token):
    request = urllib.request.Request(f"http://127.0.0.1:{port}/metrics", headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request) as response:
            return response.read()
    except urllib.error.URLError:
        return b""


def test(program):
    with Home() as home:
        port = free_port()
        server = subprocess.Popen(
            [program, "serve", "--port", str(port), "--json"], env=home.environment, stdout=subprocess.PIPE)
        live = session(program, home)
        threading.Thread(target=live.stdout.read, daemon=True).start()
        try:
            token = json.loads(server.stdout.readline())["token"]
            text = wait_for(
                lambda: b"stressmon_rmssd_seconds{" in (found := metrics(port, token)) and found, what="a live metric")
        finally:
            stop(live)
            stop(server)
        result = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True)
        assert result.returncode == 0 and not result.stderr, result.stderr.decode()
        print(f"metrics: promtool finds no fault in {text.count(b'# TYPE')} metrics")


if __name__ == "__main__":
    if shutil.which("promtool"):
        test(sys.argv[1])
    else:
        print("metrics: promtool (package prometheus) is not installed: /metrics was not checked")
