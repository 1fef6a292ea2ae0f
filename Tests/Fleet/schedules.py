"""Random failures of a small fleet, by seed. After each schedule, PostgreSQL must equal the histories of the receivers.

    schedules.py PROGRAM [--runs 200] [--seed 1] [--keep]

A schedule kills, pauses, disconnects and slows down servers and programs while sessions run, and starts a second publisher from a
copy of a receiver's history. Everything is repaired at its end.
"""
import argparse
import json
import os
import random
import signal
import subprocess
import sys
import time

from equality import Comparison
from fleet import Fleet

SPEED, MINUTES = 20, 4


class Schedule:
    """The failures of one seed."""

    def __init__(self, fleet, seed):
        self.fleet, self.random, self.repairs, self.log = fleet, random.Random(seed), [], []

    def run(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            action = self.random.choice([
                self.kill_log, self.pause_log, self.kill_collector, self.pause_collector, self.kill_publisher,
                self.pause_publisher, self.kill_primary, self.pause_primary, self.disconnect, self.slow_network,
                self.slow_disk, self.restore_backup])
            self.log.append(action.__name__)
            action()
            time.sleep(self.random.uniform(0.1, 1.5))
            self._repair(keep=2)
        self._repair(keep=0)

    def _repair(self, keep):
        """Ends all failures except the last ones, so that several overlap."""
        while len(self.repairs) > keep:
            self.repairs.pop(0)()

    def _later(self, repair):
        self.repairs.append(repair)

    def _pause(self, machine, process):
        """Stops a process and its children, as a machine that is too slow does."""
        if process and process.poll() is None:
            group = children(process.pid)
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
        machine = self.random.choice(self.fleet.machines)
        device = "v-" + machine.name
        subprocess.run(["tc", "qdisc", "replace", "dev", device, "root", "netem", "delay", "200ms", "100ms", "loss", "5%"],
                       capture_output=True)
        self._later(lambda: subprocess.run(["tc", "qdisc", "del", "dev", device, "root"], capture_output=True))

    def slow_disk(self):
        """Gives a server a fraction of its time, because every write of it then takes longer."""
        server = self.random.choice([*self.fleet.log.servers, self.fleet.primary])
        if server.process.poll() is None:
            group = children(server.process.pid)
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


def children(pid):
    """A process and its descendants."""
    found, parents = [pid], {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open(f"/proc/{entry}/stat") as file:
                    parents.setdefault(int(file.read().rsplit(")", 1)[1].split()[1]), []).append(int(entry))
            except OSError:
                continue
    for parent in found:
        found += parents.get(parent, [])
    return found


def signal_all(processes, number):
    for process in processes:
        try:
            os.kill(process, number)
        except ProcessLookupError:
            continue


def clear(fleet):
    """Removes the sessions of the previous schedule from the receivers and from PostgreSQL."""
    for receiver in fleet.receivers:
        for profile in receiver.straps:
            subprocess.run([receiver.program, "delete", "--all", "--yes", "--profile", profile], capture_output=True,
                           env={**os.environ, "HOME": receiver.machine.folder, **receiver.environment})
        receiver.sessions = []


def run(fleet, seed):
    schedule = Schedule(fleet, seed)
    for receiver in fleet.receivers:
        receiver.measure("--speed", str(SPEED), "--duration", f"{MINUTES}m")
    schedule.run(60 * MINUTES / SPEED)
    for receiver in fleet.receivers:
        for session in receiver.sessions:
            session.wait()
    expected = {session: count for receiver in fleet.receivers for session, count in receiver.events().items()}
    end = time.monotonic() + 180
    while True:
        try:
            rows = dict(fleet.primary.sql("SELECT id, next FROM stressmon.session WHERE next = total", "stressmon"))
        except RuntimeError:
            rows = {}
        if all(rows.get(session) == str(count) for session, count in expected.items()):
            break
        if time.monotonic() > end:
            return schedule, ["not complete: " + ", ".join(s for s, n in expected.items() if rows.get(s) != str(n))]
        time.sleep(0.2)
    comparison = Comparison(fleet.receivers, fleet.collectors[0], fleet.primary).run()
    return schedule, comparison.differences


def main():
    parser = argparse.ArgumentParser(description="Random failures of a fleet.")
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first schedule")
    parser.add_argument("--keep", action="store_true", help="keep the files of a failed schedule")
    options = parser.parse_args()
    failed, begin = 0, time.monotonic()
    fleet = Fleet(options.program, receivers=2, straps=2)
    try:
        fleet.start(sessions=False)
        for seed in range(options.seed, options.seed + options.runs):
            schedule, differences = run(fleet, seed)
            print(f"seed {seed}: {len(schedule.log)} failures, {'FAILED' if differences else 'equal'}", flush=True)
            if differences:
                failed += 1
                print(f"  {' '.join(schedule.log)}\n  " + "\n  ".join(differences[:5]), flush=True)
                if options.keep:
                    break
            clear(fleet)
    finally:
        fleet.stop(options.keep and failed)
    print(json.dumps({"schedules": options.runs, "failed": failed, "seconds": round(time.monotonic() - begin)}))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
