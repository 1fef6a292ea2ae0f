"""Random failures of a small fleet, by seed. After each schedule, PostgreSQL must equal the histories of the receivers.

    schedules.py PROGRAM [--runs 20] [--seed 1] [--keys FRACTION] [--keep]

The environment variable STRESSMON_FLEET_SCHEDULES sets the default number of runs.

In a third of the schedules, chosen by seed, the participants have keys: messages are encrypted, and PostgreSQL contains pseudonyms.

A schedule kills, pauses, disconnects and slows down servers and programs while sessions run, steps the wall clocks of machines, and
starts a second publisher from a copy of a receiver's history. Meanwhile, a hostile receiver sends forged messages for the sessions of the
others. Everything is repaired at its end, and no session of another receiver may have changed.
"""
import argparse
import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

import log
from client import Client
from collectors import USER
from equality import Comparison
from fleet import Fleet
from hostile import Hostile
from polling import wait_for
from processes import process_tree, signal_all
from receivers import STUDY
from wallclock import WallClock, build

SPEED, MINUTES = 20, 4


class Schedule:
    """The failures of one seed."""

    def __init__(self, fleet, clocks, seed):
        self.fleet, self.clocks, self.random = fleet, clocks, random.Random(seed)
        self.hostile = Hostile(fleet, random.Random(seed))
        self.repairs, self.slow, self.log = [], set(), []

    def run(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._act(self.random.choice([
                self.kill_log, self.pause_log, self.kill_collector, self.pause_collector, self.kill_publisher,
                self.pause_publisher, self.kill_primary, self.pause_primary, self.disconnect, self.slow_network,
                self.slow_disk, self.restore_backup, self.step_clock]))
            self.hostile.attack()
            time.sleep(self.random.uniform(0.1, 1.5))
            self._repair(keep=2)
        self._repair(keep=0)
        for clock in self.clocks:
            clock.step(0)

    def begin(self):
        """A step before the sessions start, so that some of them have a wrong start time."""
        self._act(self.step_clock)

    def _act(self, action):
        self.log.append(action.__name__)
        action()

    def _repair(self, keep):
        """Ends all failures except the last ones, so that several overlap."""
        while len(self.repairs) > keep:
            self.repairs.pop(0)()

    def _later(self, repair):
        self.repairs.append(repair)

    def _pause(self, machine, process):
        """Stops a process and its children, as a machine that is too slow does."""
        if process and process.poll() is None:
            group = process_tree(process.pid)
            signal_all(group, signal.SIGSTOP)
            self._later(lambda: signal_all(group, signal.SIGCONT))

    def kill_log(self):
        server = self.random.choice(self.fleet.log.servers)
        if server.process.poll() is None:
            server.kill()
            self._later(server.start)

    def pause_log(self):
        server = self.random.choice(self.fleet.log.servers)
        self._pause(server.machine, server.process)

    def kill_collector(self):
        collector = self.random.choice(self.fleet.collectors)
        if collector.process.poll() is None:
            collector.kill()
            self._later(collector.start)

    def pause_collector(self):
        collector = self.random.choice(self.fleet.collectors)
        self._pause(collector.machine, collector.process)

    def kill_publisher(self):
        receiver = self.random.choice(self.fleet.receivers)
        if receiver.publisher.poll() is None:
            receiver.machine.kill(receiver.publisher)
            self._later(lambda: receiver.publish(self.fleet.source(receiver)))

    def pause_publisher(self):
        receiver = self.random.choice(self.fleet.receivers)
        self._pause(receiver.machine, receiver.publisher)

    def kill_primary(self):
        primary = self.fleet.primary
        if primary.process.poll() is None:
            primary.kill()
            self._later(primary.start)

    def pause_primary(self):
        primary = self.fleet.primary
        self._pause(primary.machine, primary.process)

    def disconnect(self):
        machine = self.random.choice(self.fleet.machines)
        machine.disconnect()
        self._later(machine.connect)

    def slow_network(self):
        """Limits the rate in both directions. What waits longer than 300 ms is lost."""
        machine = self.random.choice(self.fleet.machines)
        if machine.name in self.slow:
            return
        self.slow.add(machine.name)
        machine.limit_rate("128kbit")
        self._later(lambda: self._end_limit(machine))

    def _end_limit(self, machine):
        machine.limit_rate(None)
        self.slow.remove(machine.name)

    def step_clock(self):
        """The wall clock of a machine with receivers or collectors jumps. It stays wrong until another step."""
        self.random.choice(self.clocks).step(self.random.uniform(-3600, 3600))

    def slow_disk(self):
        """Gives a server a fraction of its time, because every write of it then takes longer."""
        server = self.random.choice([*self.fleet.log.servers, self.fleet.primary])
        if server.process.poll() is None:
            group = process_tree(server.process.pid)
            for _ in range(5):
                signal_all(group, signal.SIGSTOP)
                time.sleep(0.15)
                signal_all(group, signal.SIGCONT)
                time.sleep(0.03)

    def restore_backup(self):
        """Publishes a copy of a receiver's history, as after restoring a backup while the original runs."""
        receiver = self.random.choice(self.fleet.receivers)
        machine = receiver.machine
        copy = machine.file("copy.db")
        receiver.call("export", "--all", "--force", "--output", copy)
        target = receiver.target(self.fleet.source(receiver))
        environment = {**receiver.environment, "STRESSMON_DB": copy, "XDG_RUNTIME_DIR": machine.file("run2")}
        os.makedirs(machine.file("run2"), mode=0o700, exist_ok=True)
        process = machine.start([receiver.program, "publish", *target], "publish-copy.log", environment)
        self._later(lambda: machine.kill(process))


def clear(fleet):
    """Removes the sessions of the previous schedule from the receivers."""
    for receiver in fleet.receivers:
        for profile in receiver.straps:
            subprocess.run([receiver.program, "delete", "--all", "--yes", "--profile", profile], capture_output=True,
                           env={**os.environ, "HOME": receiver.machine.folder, **receiver.environment})
        receiver.sessions = []


def set_keys(fleet, has_keys):
    """Starts the publishers with tickets of the participants, or with their codes."""
    for receiver in fleet.receivers:
        receiver.machine.kill(receiver.publisher)
        if has_keys:
            fleet.admit(receiver)
        else:
            receiver.use_tickets({})
        receiver.publish(fleet.source(receiver))


def incomplete(fleet, expected):
    """The sessions of which PostgreSQL does not contain the expected number of events; all if it does not answer."""
    try:
        rows = dict(fleet.primary.sql("SELECT id, next FROM stressmon.session WHERE next = total", "stressmon"))
    except RuntimeError:
        rows = {}
    return [session for session, count in expected.items() if rows.get(session) != str(count)]


def explain(fleet, expected):
    """Why sessions are not complete or differ: who owns each one, how far it is stored, and what PostgreSQL and the stream wait for."""
    lines = [f"not complete: {session} has {expected[session]} events" for session in incomplete(fleet, expected)]
    try:
        lines += ["stored: " + " ".join(row) for row in fleet.primary.sql(
            "SELECT s.id, r.code, next, highest, coalesce(total, -1), partition, now() - updated FROM stressmon.session s "
            "JOIN stressmon.receiver r ON r.number = s.receiver", "stressmon")]
        lines += ["transaction: " + " ".join(row) for row in fleet.primary.sql(
            "SELECT pid, state, coalesce(wait_event, '-'), now() - xact_start, pg_blocking_pids(pid), left(query, 80) "
            "FROM pg_stat_activity WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid()", "stressmon")]
        lines += ["standby: " + " ".join(row) for row in fleet.primary.sql(
            "SELECT state, sync_state, coalesce(reply_time::text, '-'), sent_lsn, coalesce(flush_lsn::text, '-') "
            "FROM pg_stat_replication", "stressmon")] or ["no standby is connected"]
    except RuntimeError as error:
        lines.append(str(error))
    lines += [f"{collector.machine.name}: {json.dumps((collector.health() or [None])[-1])}" for collector in fleet.collectors]
    client = Client(fleet.log.servers[0].machine.address, f"{fleet.certificates}/ca.pem", USER, log.COLLECTOR_PASSWORD)
    return [*lines, f"{client.waiting(f'fleet-{STUDY}')} messages wait in the stream"]


@contextlib.contextmanager
def fleet_with_clocks(program):
    """A fleet whose receivers and collectors have wall clocks that can step, and these clocks."""
    with tempfile.TemporaryDirectory() as folder:
        library = build(folder)
        # The certificates are valid for all clocks.
        yesterday = WallClock(library, os.path.join(folder, "certificates"), -86_400)
        fleet = Fleet(program, receivers=2, straps=2, certificate_environment=yesterday.environment)
        clocks = []
        for user in (*fleet.receivers, *fleet.collectors):
            clocks.append(WallClock(library, user.machine.file("clock")))
            user.environment |= clocks[-1].environment
        yield fleet, clocks


def failed_sessions(fleet):
    return [f"a session ended with the exit code {session.returncode}; see live.log of {receiver.machine.name}"
            for receiver in fleet.receivers for session in receiver.sessions if session.wait() != 0]


def run_schedule(fleet, clocks, seed):
    """Runs the schedule of a seed. Returns it with the differences."""
    schedule = Schedule(fleet, clocks, seed)
    schedule.begin()
    for receiver in fleet.receivers:
        receiver.measure("--speed", str(SPEED), "--duration", f"{MINUTES}m")
    schedule.run(60 * MINUTES / SPEED)
    # Without failures, so that each schedule contains attacks that arrive.
    schedule.hostile.attack()
    differences = failed_sessions(fleet)
    expected = {session: count for receiver in fleet.receivers for session, count in receiver.published_events().items()}
    if not wait_for(lambda: not incomplete(fleet, expected), 180):
        return schedule, [*differences, *explain(fleet, expected), *schedule.hostile.differences()]
    differences += schedule.hostile.attack_stored()
    comparison = Comparison(fleet.receivers, fleet.collectors[0], fleet.primary).run()
    if comparison.sessions != fleet.sessions() or min(comparison.beats_by_session.values(), default=0) == 0:
        differences.append(f"{fleet.sessions()} sessions with beats are expected: {comparison.beats_by_session}")
    differences += comparison.differences
    if differences:
        differences += explain(fleet, expected)
    return schedule, differences + schedule.hostile.differences()


def run_all(fleet, clocks, options):
    """Runs all schedules, and returns the number of failed ones."""
    failed = 0
    try:
        fleet.start(sessions=False)
        for seed in range(options.seed, options.seed + options.runs):
            has_keys = random.Random(f"keys {seed}").random() < options.keys
            set_keys(fleet, has_keys)
            schedule, differences = run_schedule(fleet, clocks, seed)
            print(f"seed {seed}{', with keys' if has_keys else ''}: {len(schedule.log)} failures, "
                  f"{schedule.hostile.sent} forged messages, {'FAILED' if differences else 'equal'}", flush=True)
            if differences:
                failed += 1
                print(f"  {' '.join(schedule.log)}\n  " + "\n  ".join(differences[:40]), flush=True)
                if options.keep:
                    break
            clear(fleet)
    finally:
        fleet.stop(options.keep and failed)
    return failed


def main():
    parser = argparse.ArgumentParser(description="Random failures of a fleet.")
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=int(os.environ.get("STRESSMON_FLEET_SCHEDULES", "20")))
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first schedule")
    parser.add_argument("--keys", type=float, default=1 / 3, metavar="FRACTION", help="of the schedules with keys of participants")
    parser.add_argument("--keep", action="store_true", help="keep the files of a failed schedule")
    options = parser.parse_args()
    begin = time.monotonic()
    with fleet_with_clocks(options.program) as (fleet, clocks):
        failed = run_all(fleet, clocks, options)
    print(json.dumps({"schedules": options.runs, "failed": failed, "seconds": round(time.monotonic() - begin)}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
