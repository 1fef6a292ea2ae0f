"""The cost of the feed for a session, and of the server: memory, streams, and a page of a year's history in comparison with
FastAPI and sqlite3.

    python3 Tests/Serve/cost.py PROGRAM [YEAR_DATABASE]
    python3 Tests/Serve/cost.py PROGRAM feed [OTHER_PROGRAM]

FastAPI and uvicorn are required for the comparison.
"""
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request

from server import Events, Server

REFERENCE = '''
import sqlite3, sys
import uvicorn
from fastapi import FastAPI
app = FastAPI()
database = sqlite3.connect("file:%s?mode=ro", uri=True, check_same_thread=False)
columns = [row[1] for row in database.execute("PRAGMA table_info(measurement)")]

@app.get("/api/measurements")
def measurements(limit: int = 20):
    rows = database.execute("SELECT * FROM measurement WHERE profile = 1 ORDER BY time_us DESC LIMIT ?", (limit,)).fetchall()
    return {"measurements": [dict(zip(columns, row)) for row in reversed(rows)]}

uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[1]), log_level="critical")
'''


def session(program, readers):
    """CPU time in s and memory in bytes of two minutes of a simulated session, with a number of readers of its feed."""
    with tempfile.TemporaryDirectory() as home:
        run = os.path.join(home, "run")
        os.mkdir(run, 0o700)
        environment = {"PATH": os.environ["PATH"], "HOME": home, "XDG_RUNTIME_DIR": run}
        process = subprocess.Popen(
            [program, "live", "--simulate", "--duration", "2m", "--json"],
            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        threads = [threading.Thread(target=read_feed, args=(f"{run}/stressmon/live",)) for _ in range(readers)]
        for thread in threads:
            thread.start()
        _, _, usage = os.wait4(process.pid, 0)
        for thread in threads:
            thread.join()
        return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def read_feed(folder):
    while not (os.path.isdir(folder) and any(name.endswith(".sock") for name in os.listdir(folder))):
        time.sleep(0.01)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(os.path.join(folder, next(name for name in os.listdir(folder) if name.endswith(".sock"))))
        while connection.recv(1 << 16):
            pass


def feed(program, *others):
    """Compares numbers of readers, and other programs such as one of an earlier version, in sessions at the same time."""
    cases = [(program, 0), (program, 10)] + [(other, 0) for other in others]
    results = {case: [] for case in cases}
    threads = [threading.Thread(target=lambda case=case: results[case].append(session(*case)))
               for _ in range(5) for case in cases]
    for thread in threads:
        thread.start()
        # The beats of the sessions do not coincide.
        time.sleep(0.13)
    for thread in threads:
        thread.join()
    for (path, readers), values in results.items():
        cpu, size = (statistics.median(value[index] for value in values) for index in (0, 1))
        print(f"{readers:2} readers: {cpu:.3f} s CPU in 2 min ({100 * cpu / 120:.3f} % of a core), {size / 1e6:.1f} MB  {path}")


def memory(program):
    with Server(program) as server:
        server.request(path="/hr")
        time.sleep(1)
        print(f"idle: anonymous {server.memory() / 1e6:.1f} MB, resident {server.memory('VmRSS') / 1e6:.1f} MB")


def streams(program):
    with Server(program, "--simulate") as server:
        server.wait_for_heart_rate()
        readers = [Events(server) for _ in range(100)]
        time.sleep(3)
        begin, cpu = time.monotonic(), server.cpu_seconds()
        while time.monotonic() - begin < 30:
            for reader in readers:
                reader.read(0.001)
        seconds = time.monotonic() - begin
        print(f"100 streams: {100 * (server.cpu_seconds() - cpu) / seconds:.2f} % of a core, "
              f"anonymous {server.memory() / 1e6:.1f} MB")


def page(program, database):
    with Server(program, "--db", database) as server:
        server.request(path="/api/measurements?limit=500")
        cpu = server.cpu_seconds()
        for _ in range(50):
            status, _, body = server.request(path="/api/measurements?limit=500")
            assert status == 200
        ours = (server.cpu_seconds() - cpu) / 50
    print(f"page of 500 ({len(body) / 1e3:.0f} kB): {ours * 1e3:.1f} ms CPU")
    theirs = reference(database)
    if theirs:
        print(f"FastAPI and sqlite3: {theirs * 1e3:.1f} ms CPU, ratio {theirs / ours:.1f}")


def reference(database):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-c", REFERENCE % database, str(port)], stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}/api/measurements?limit=500"
    try:
        for _ in range(100):
            try:
                urllib.request.urlopen(url).read()
                break
            except OSError:
                time.sleep(0.2)
                if process.poll() is not None:
                    print("FastAPI or uvicorn is not installed: no comparison")
                    return None
        before = cpu_of(process.pid)
        for _ in range(50):
            urllib.request.urlopen(url).read()
        return (cpu_of(process.pid) - before) / 50
    finally:
        process.kill()
        process.wait()


def cpu_of(process):
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    if sys.argv[2:3] == ["feed"]:
        feed(sys.argv[1], *sys.argv[3:])
    else:
        memory(sys.argv[1])
        streams(sys.argv[1])
        if len(sys.argv) > 2:
            page(sys.argv[1], sys.argv[2])
