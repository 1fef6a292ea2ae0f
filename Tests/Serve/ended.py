"""Sessions at full speed while a server is running: none is shown as live after its end, also if its program is killed.

    python3 Tests/Serve/ended.py PROGRAM [COUNT]

COUNT is the number of sessions; the default is 40.
"""
import os
import signal
import subprocess
import sys
import time

from server import Server

# One session of each group of this size is killed.
GROUP = 10
SETTLED_WITHIN = 10


def run_session(server, is_killed):
    process = subprocess.Popen(
        [server.program, "live", "--simulate", "--speed", "max", "--duration", "30s", "--json"],
        env=server.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if is_killed:
        # Its first lines were published.
        for _ in range(20):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    process.communicate()


def live_values(server):
    """What is stated as live."""
    _, _, metrics = server.request(path="/metrics")
    lines = [line for line in metrics.decode().splitlines() if not line.startswith(("#", "stressmon_build_info"))]
    found = [line for line in lines if line != "stressmon_live_sessions 0"]
    status = server.json("/api/status")
    if status["state"] == "live" or status["stale"] is False:
        found.append(f"/api/status: {status['state']}")
    if server.request(path="/hr")[0] == 200:
        found.append("/hr")
    return found


def main():
    program, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 40
    with Server(program) as server:
        begin = time.monotonic()
        for number in range(count):
            run_session(server, is_killed=number % GROUP == 0)
        took = time.monotonic() - begin
        end = time.monotonic() + SETTLED_WITHIN
        while found := live_values(server):
            if time.monotonic() > end:
                sys.exit(f"FAILED {SETTLED_WITHIN} s after the last of {count} sessions: {found}")
            time.sleep(0.2)
        sockets = os.listdir(os.path.join(server.environment["XDG_RUNTIME_DIR"], "stressmon", "live"))
        if sockets:
            sys.exit(f"FAILED sockets remain: {sockets}")
        print(f"{count} sessions in {took:.0f} s, none is live after its end")


main()
