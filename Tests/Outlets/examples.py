"""The programs in Examples/programs work with a server and a live session."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import threading

from publisher import Home, Publisher, free_port, session, stop, wait_for

PROGRAMS = pathlib.Path(__file__).parents[2] / "Examples/programs"


def code_lines(path):
    """The lines of a program without comments, blank lines and the first comment."""
    text = path.read_text().split('"""')[-1] if path.suffix == ".py" else path.read_text()
    return [line for line in text.splitlines() if line.strip() and not line.startswith("#")]


def token(program, home, name, scope):
    return subprocess.run([program, "serve", "token", "add", name, "--scope", scope], env=home.environment,
                          capture_output=True, check=True, text=True).stdout.strip()


def test(program):
    with Home() as home:
        port = free_port()
        server = subprocess.Popen([program, "serve", "--port", str(port), "--json"], env=home.environment,
                                  stdout=subprocess.PIPE)
        live, follow, lines = session(program, home), None, []
        threading.Thread(target=live.stdout.read, daemon=True).start()
        try:
            server.stdout.readline()
            environment = {**home.environment, "STRESSMON_URL": f"http://127.0.0.1:{port}"}
            follow = subprocess.Popen(
                [sys.executable, PROGRAMS / "follow.py"], stdout=subprocess.PIPE, text=True,
                env={**environment, "STRESSMON_TOKEN": token(program, home, "follow", "read")})
            threading.Thread(target=lambda: lines.extend(follow.stdout), daemon=True).start()
            wait_for(lambda: any(line.startswith("stress ") for line in list(lines)), what="a stress value")
            if shutil.which("curl"):
                environment["STRESSMON_TOKEN"] = token(program, home, "deck", "write")
                output = subprocess.run([PROGRAMS / "mark.sh", "coffee", "7"], env=environment, capture_output=True, check=True)
                entry = json.loads(output.stdout.splitlines()[-1])
                assert entry["mood"] == 7 and entry["note"] == "coffee", entry
                wait_for(lambda: "mark 1: coffee\n" in list(lines), what="the mark")
        finally:
            stop(live)
            stop(server)
            if follow:
                stop(follow)


def test_program_of_an_outlet(program):
    with Home() as home:
        home.environment["STRESSMON_EVENTS"] = home.file("events")
        live = session(program, home)
        threading.Thread(target=live.stdout.read, daemon=True).start()
        target = f"exec:{PROGRAMS / 'notify.sh'}?events=category"
        with Publisher(program, home, target, is_piped=False) as publisher:
            try:
                wait_for(lambda: os.path.exists(home.file("events")), what="an event")
                wait_for(lambda: publisher.targets()[target]["delivered"] == 1, what="a successful program")
            finally:
                stop(live)


if __name__ == "__main__":
    for path in sorted(PROGRAMS.iterdir()):
        assert len(code_lines(path)) <= 22, path
    test(sys.argv[1])
    test_program_of_an_outlet(sys.argv[1])
    print(f"examples: {', '.join(path.name for path in sorted(PROGRAMS.iterdir()))} work")
