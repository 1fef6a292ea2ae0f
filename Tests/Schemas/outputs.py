"""The JSON outputs of all commands, from simulated sessions: `collect(program)` returns {schema name: [documents]}."""
import json
import os
import re
import shutil
import subprocess
import tempfile

QUICK = ["--simulate", "--speed", "max"]


class Home:
    def __init__(self, program):
        self.program, self.path = program, tempfile.mkdtemp(prefix="stressmon-schema-")
        run = self.file("run")
        os.mkdir(run, 0o700)
        self.environment = {
            "PATH": os.environ["PATH"], "HOME": self.path, "XDG_RUNTIME_DIR": run, "TMPDIR": self.path, "TZ": "UTC",
            "LANG": "C.UTF-8", "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus",
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"}

    def file(self, name):
        return os.path.join(self.path, name)

    def run(self, *arguments, status=(0,)):
        result = subprocess.run([self.program, *arguments], env=self.environment, cwd=self.path, capture_output=True,
                                stdin=subprocess.DEVNULL, text=True)
        assert result.returncode in status, (arguments, result.returncode, result.stderr)
        is_json = "--json" in arguments or "waybar" in arguments
        return [json.loads(line) for line in result.stdout.splitlines()] if is_json else []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)


def damaged(home):
    """A recording with a notification that does not decode, and a text of RR intervals."""
    home.run("record", *QUICK, "--duration", "400", home.file("a.jsonl"))
    with open(home.file("a.jsonl")) as file:
        text = re.sub(r'"hex":"[0-9a-f]+"', '"hex":""', file.read(), count=1)
    with open(home.file("b.jsonl"), "w") as file:
        file.write(text)
    with open(home.file("rr.txt"), "w") as file:
        file.write("800\nx\n810\n")
    return home.file("a.jsonl"), home.file("b.jsonl"), home.file("rr.txt")


def collect(program):
    with Home(program) as home:
        for name in ("anna", "eva", "new"):
            home.run("profile", "add", name)
        a, b, rr = damaged(home)
        found = {"session-line": home.run("live", "--json", *QUICK, "--duration", "90")
                 + home.run("live", "--json", "--hrv", "sdnn", *QUICK, "--duration", "60")
                 + home.run("replay", b, "--speed", "max", "--json")
                 + home.run("replay", rr, "--speed", "max", "--json", "--skip-bad-lines")}
        found["measurement"] = home.run("history", "--json")
        session = found["measurement"][0]["session"]
        found["session"] = home.run("history", "--sessions", "--json")
        found["breathing-result"] = home.run("breathe", "--profile", "anna", *QUICK, "--json")
        found["breathing"] = home.run("history", "--profile", "anna", "--breathing", "--json")
        found["morning-result"] = home.run("morning", "--profile", "eva", *QUICK, "--json")
        found["morning"] = home.run("history", "--profile", "eva", "--morning", "--json")
        found["morning-trend"] = home.run("trends", "--profile", "eva", "--morning", "--json")
        found["night-result"] = home.run("night", "--profile", "eva", *QUICK, "--duration", "8h", "--json")
        found["night"] = home.run("history", "--profile", "eva", "--night", "--json")
        found["status"] = home.run("status", "--json") + home.run("status", "--profile", "anna", "--json") \
            + home.run("status", "--profile", "new", "--json")
        found["waybar"] = home.run("status", "--format", "waybar")
        found["trend"] = home.run("trends", "--json") + home.run("trends", "--profile", "new", "--json")
        found["report"] = home.run("report", "--json") + home.run("report", "--profile", "new", "--json")
        found["explanation"] = home.run("explain", "1", "--json")
        found["measurement-details"] = home.run("show", "1", "--json")
        found["session-details"] = home.run("show", session, "--json")
        found["journal-entry"] = home.run("journal", "add", "--trigger", "coffee", "--note", "x", "--mood", "3", "--json")
        home.run("journal", "add", "--note", "y", "--json")
        found["journal-entry"] += home.run("journal", "list", "--json")
        for place in range(3):
            home.run("journal", "add", "--session", session, "--trigger", f"t{place}")
        found["journal-insight"] = home.run("journal", "insights", "--json")
        found["event"] = events(home)
        found["study-check"] = study(home)
        found["profile"] = home.run("profile", "--json")
        found["deletion"] = home.run("delete", "--all", "--dry-run", "--json")
        found["settings"] = home.run("config", "show", "--json")
        found["baseline"] = home.run("baseline", "--json") + home.run("baseline", "--profile", "new", "--json")
        found["analysis"] = home.run("analyze", "--json", "--skip-bad-lines", b, rr)
        found["analysis-window"] = home.run("analyze", "--json", a, "--window", "30s")
        found["import"] = home.run("import", "--json", "--as", "morning", "--skip-bad-lines", "--at", "2026-01-01T00:00",
                                   "--db", home.file("new.db"), b, rr)
        found["comparison"] = home.run("compare", "--json", a, a + "@-30")
        found["finding"] = home.run("doctor", "--json", status=(0, 1, 2))
        found["token"] = tokens(home)
        found["target"] = targets(home)
        with open(home.file("passphrase"), "w") as file:
            file.write("correct horse\n")
        subprocess.run([program, "sync", "init", home.file("vault"), "--yes", "--passphrase-file", home.file("passphrase")],
                       env=home.environment, check=True, capture_output=True)
        for command in ("now", "status", "devices"):
            found[f"sync-{command}"] = home.run("sync", command, "--json")
        return found


def events(home):
    """The events that a program receives."""
    script, output = home.file("program"), home.file("events")
    with open(script, "w") as file:
        file.write(f"#!/bin/sh\ncat >> {output}\n")
    os.chmod(script, 0o700)
    lines = subprocess.run([home.program, "live", "--json", *QUICK, "--duration", "90"], env=home.environment, check=True,
                           capture_output=True).stdout
    subprocess.run([home.program, "publish", "--from", "-", f"exec:{script}?events=values,category,session,mark"], input=lines,
                   env=home.environment, check=True, capture_output=True)
    with open(output) as file:
        return [json.loads(line) for line in file]


def study(home):
    home.run("study", "new", home.file("study"))
    return home.run("study", "check", home.file("study"), "--json", status=(0, 3))


def tokens(home):
    added = home.run("serve", "token", "add", "x", "--scope", "write", "--json")
    return added + home.run("serve", "token", "list", "--json")


def targets(home):
    """The states of targets, one of which fails."""
    publisher = subprocess.Popen([home.program, "publish", "osc://", f"file:{home.file('missing/x')}"], env=home.environment,
                                 stderr=subprocess.DEVNULL)
    try:
        for _ in range(1000):
            found = home.run("publish", "--list", "--json")
            if any(item["last_error"] for item in found):
                return found
        raise AssertionError("no target failed")
    finally:
        publisher.kill()
        publisher.wait()
