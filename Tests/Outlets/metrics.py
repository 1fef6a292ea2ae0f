"""Prometheus scrapes `/metrics` of the web server during a live session, and answers every query of the dashboards and alerts."""
import json
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request

from publisher import Home, free_port, session, stop, wait_for

EXAMPLES = pathlib.Path(__file__).parents[2] / "Examples"
# The metrics of the collector of a fleet, which does not run here.
FLEET = ("stressmon_collect_",)


def metrics(port, token):
    request = urllib.request.Request(f"http://127.0.0.1:{port}/metrics", headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request) as response:
            return response.read()
    except urllib.error.URLError:
        return b""


def queries():
    """The queries of all dashboards and rules, with the variables of Grafana replaced."""
    for path in sorted((EXAMPLES / "grafana").glob("*.json")):
        for panel in json.loads(path.read_text())["panels"]:
            for target in panel["targets"]:
                if "expr" in target:
                    yield f"{path.name}: {panel['title']}", target["expr"].replace("$profile", ".*").replace("$study", "x")
    for rule in re.findall(r"expr: (.*)", (EXAMPLES / "prometheus/alerts.yml").read_text()):
        yield "alerts.yml", rule


class Prometheus:
    def __init__(self, home, port, token):
        self.port, self.home = free_port(), home
        with open(home.file("token"), "w") as file:
            file.write(token)
        with open(home.file("prometheus.yml"), "w") as file:
            file.write(f"""
global: {{ scrape_interval: 1s, evaluation_interval: 1s }}
rule_files: [{EXAMPLES}/prometheus/alerts.yml]
scrape_configs:
  - job_name: stressmon
    authorization: {{ credentials_file: {home.file("token")} }}
    static_configs: [{{ targets: ["127.0.0.1:{port}"] }}]
""")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={home.file('prometheus.yml')}", f"--storage.tsdb.path={home.file('tsdb')}",
             f"--web.listen-address=127.0.0.1:{self.port}"], stderr=open(home.file("prometheus.log"), "w"))

    def get(self, path, **parameters):
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        try:
            with urllib.request.urlopen(url) as response:
                return json.load(response)["data"]
        except urllib.error.HTTPError as error:
            if error.code == 503:  # Prometheus is starting.
                return {}
            raise AssertionError(f"{parameters}: {error.read().decode()}") from error
        except OSError:
            return {}

    def result(self, expression):
        return self.get("query", query=expression).get("result")


def check(prometheus):
    wait_for(lambda: prometheus.result('up{job="stressmon"} == 1'), what="a scrape")
    wait_for(lambda: prometheus.result("stressmon_stress_score"), what="a stress value")
    # rate() needs two scrapes with different counts.
    wait_for(lambda: any(float(r["value"][1]) > 0 for r in prometheus.result("rate(stressmon_beats_total[1m])") or []),
             what="counted beats")
    count = 0
    for name, expression in queries():
        if name == "alerts.yml" or any(prefix in expression for prefix in FLEET):
            assert prometheus.result(expression) is not None, expression
        else:
            # Subqueries have a result at the next whole minute.
            wait_for(lambda: prometheus.result(expression), seconds=90, what=f"a result of {name}: {expression}")
        count += 1
    labels = {tuple(sorted(r["metric"])) for r in prometheus.result("stressmon_heart_rate_bpm")}
    assert labels == {("__name__", "instance", "job", "profile")}, labels
    names = {rule["name"]: rule for group in prometheus.get("rules")["groups"] for rule in group["rules"]}
    assert len(names) == 6 and all(rule["health"] != "err" for rule in names.values()), names
    print(f"metrics: Prometheus answers {count} queries of the dashboards and evaluates {len(names)} alert rules")


def test(program):
    with Home() as home:
        port = free_port()
        server = subprocess.Popen(
            [program, "serve", "--port", str(port), "--json"], env=home.environment, stdout=subprocess.PIPE)
        live, prometheus = session(program, home), None
        threading.Thread(target=live.stdout.read, daemon=True).start()
        try:
            server.stdout.readline()
            token = subprocess.run([program, "serve", "token", "add", "prometheus", "--scope", "metrics"],
                                   env=home.environment, capture_output=True, check=True, text=True).stdout.strip()
            text = wait_for(
                lambda: b"stressmon_rmssd_seconds{" in (found := metrics(port, token)) and found, what="a live metric")
            if shutil.which("prometheus"):
                prometheus = Prometheus(home, port, token)
                check(prometheus)
        finally:
            stop(live)
            stop(server)
            if prometheus:
                stop(prometheus.process)
        result = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True)
        assert result.returncode == 0 and not result.stderr, result.stderr.decode()
        subprocess.run(["promtool", "check", "rules", EXAMPLES / "prometheus/alerts.yml"], check=True, capture_output=True)
        subprocess.run(["promtool", "test", "rules", pathlib.Path(__file__).with_name("alerts.test.yml")], check=True,
                       capture_output=True)
        print(f"metrics: promtool finds no fault in {text.count(b'# TYPE')} metrics and in the rules, which fire as their tests state")


if __name__ == "__main__":
    if shutil.which("promtool"):
        test(sys.argv[1])
    else:
        print("metrics: promtool (package prometheus) is not installed: /metrics was not checked")
