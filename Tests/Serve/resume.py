"""Kills server and session while streaming; a reader that resumes receives every event exactly once.

    python3 Tests/Serve/resume.py PROGRAM
"""
import json
import signal
import subprocess
import sys
import time

from server import Events, Server


def main():
    program = sys.argv[1]
    with Server(program) as first:
        database = f"{first.home}/data/stressmon/stressmon.db"

        def start_session():
            return subprocess.Popen(
                [program, "live", "--simulate", "--json"], env=first.environment, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)

        session = start_session()
        first.wait_for_heart_rate()
        events = Events(first)
        received = events.read(6)
        first.process.send_signal(signal.SIGKILL)
        first.process.wait()
        time.sleep(3)
        with Server(program, home=first.home) as second:
            resumed = Events(second, events.last_id)
            received += resumed.read(6)
            session.send_signal(signal.SIGKILL)
            session.wait()
            received += resumed.read(2)
            other = start_session()
            received += resumed.read(8)
            second.process.send_signal(signal.SIGKILL)
            second.process.wait()
            time.sleep(2)
        with Server(program, home=first.home) as third:
            last = Events(third, resumed.last_id)
            received += last.read(5)
            other.send_signal(signal.SIGTERM)
            other.wait()
            received += last.read(3)
        check(program, first, received)


def check(program, server, received):
    by_session = {}
    for _, line in received:
        by_session.setdefault(line["session"], []).append(json.dumps(line))
    assert len(by_session) == 2, list(by_session)
    for session, lines in by_session.items():
        replay = subprocess.run(
            [program, "replay", "--session", session, "--json"], env=server.environment, capture_output=True, text=True)
        expected = [json.dumps(json.loads(line)) for line in replay.stdout.splitlines()]
        begin = expected.index(lines[0])
        stored = expected[begin:]
        # A killed session may have sent lines that it had not stored yet.
        common = min(len(stored), len(lines))
        assert lines[:common] == stored[:common] and len(lines) >= len(stored), (session, len(lines), len(stored))
        print(f"session {session}: {len(lines)} events, each once and in order; {len(stored)} stored")


if __name__ == "__main__":
    main()
