"""Costs of a fleet per strap and hour, at several loads. Prints one line of JSON per load.

    scale.py PROGRAM [--seconds 60] [--speeds 0 1 4 50] [--straps 10]

Each load is `straps` per receiver, two receivers, at one speed; speed 0 is a fleet without sessions. Up to 4 times real time, each
notification is a message, as of a live strap; at higher speeds a message contains all those of about one second. A load is sustained if
no more events wait at its end than a second contains. Memory is the resident size of the largest process of each kind at the beginning
and at the end.
"""
import argparse
import json
import os
import time

from fleet import Fleet
from network import run
from schedules import children

TICKS = os.sysconf("SC_CLK_TCK")
TABLES = ("event", "beat", "measurement", "minute", "gap", "mark", "link_change", "session")


def processor_time(processes):
    """CPU seconds of processes and their descendants, including those that ended."""
    total = 0
    for process in processes:
        for pid in children(process.pid):
            try:
                with open(f"/proc/{pid}/stat") as file:
                    fields = file.read().rsplit(")", 1)[1].split()
                total += sum(map(int, fields[11:13] if pid != process.pid else fields[11:15]))
            except OSError:
                continue
    return total / TICKS


def memory(processes, key="VmRSS"):
    """The memory in MB of the largest of some processes and their descendants: VmRSS now, VmHWM at most so far."""
    sizes = [0]
    for pid in [pid for process in processes for pid in children(process.pid)]:
        try:
            with open(f"/proc/{pid}/status") as file:
                sizes += [int(line.split()[1]) / 1000 for line in file if line.startswith(key)]
        except OSError:
            continue
    return round(max(sizes), 1)


def stored(fleet):
    """Bytes of the WAL, and rows and bytes of each table with its indexes."""
    sizes = ", ".join(
        f"(SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c WHERE c.relnamespace = 'stressmon'::regnamespace "
        f"AND c.relkind = 'r' AND c.relname ~ '^{table}(_\\d+)?$')" for table in TABLES)
    counts = ", ".join(f"(SELECT count(*) FROM stressmon.{table})" for table in TABLES)
    row = fleet.primary.sql(f"SELECT pg_current_wal_lsn() - '0/0', {sizes}, {counts}", "stressmon")[0]
    sizes, counts = row[1:1 + len(TABLES)], row[1 + len(TABLES):]
    return {
        "wal_bytes": int(row[0]), **{f"{table}_bytes": int(size or 0) for table, size in zip(TABLES, sizes)},
        **{f"{table}s": int(count) for table, count in zip(TABLES, counts)}}


class Counters:
    """What the fleet has used so far."""

    def __init__(self, fleet):
        programs = {
            "nats": [server.process for server in fleet.log.servers],
            "postgres": [fleet.primary.process, fleet.standby.process],
            "publish": [receiver.publisher for receiver in fleet.receivers],
            "collect": [collector.process for collector in fleet.collectors]}
        self.time = time.monotonic()
        self.cpu = {name: processor_time(processes) for name, processes in programs.items()}
        self.memory = {name: memory(processes) for name, processes in programs.items()}
        stream = next(stream for server in fleet.log.servers for stream in server.streams())
        self.values = {
            "messages": stream["state"]["messages"], "stream_bytes": stream["state"]["bytes"],
            "network_bytes": sum(self._sent(receiver.machine) for receiver in fleet.receivers), **stored(fleet)}

    @staticmethod
    def _sent(machine):
        return json.loads(run("ip", "-json", "-stats", "link", "show", "v-" + machine.name))[0]["stats64"]["rx"]["bytes"]


def waiting(fleet):
    """The number of events that the receivers have recorded but PostgreSQL does not contain."""
    stored = int(fleet.primary.sql("SELECT coalesce(sum(next), 0) FROM stressmon.session", "stressmon")[0][0])
    return sum(sum(receiver.events().values()) for receiver in fleet.receivers) - stored


def measure(fleet, speed, seconds):
    for receiver in fleet.receivers if speed else []:
        receiver.measure("--speed", str(speed))
    time.sleep(20)  # connecting
    before = Counters(fleet)
    time.sleep(seconds)
    after = Counters(fleet)
    behind = waiting(fleet) if speed else 0
    for receiver in fleet.receivers:
        receiver.end()
        receiver.sessions = []
    elapsed = after.time - before.time
    hours = fleet.sessions() * speed * elapsed / 3600
    wal = after.values["wal_bytes"] - before.values["wal_bytes"]
    result = {
        "straps": fleet.sessions() * speed, "seconds": round(elapsed), "events_behind": behind,
        "wal_bytes_per_hour": round(wal / elapsed * 3600),
        "cores": {name: round((after.cpu[name] - before.cpu[name]) / elapsed, 4) for name in after.cpu},
        "resident_mb": {name: [before.memory[name], after.memory[name]] for name in after.memory}}
    if speed:
        result["per_strap_hour"] = {
            "cpu_s": {name: round((after.cpu[name] - before.cpu[name]) / hours, 3) for name in after.cpu},
            **{name: round((after.values[name] - before.values[name]) / hours) for name in after.values}}
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--speeds", type=int, nargs="*", default=[0, 1, 4, 50])
    parser.add_argument("--straps", type=int, default=10, help="simulated straps per receiver")
    options = parser.parse_args()
    fleet = Fleet(options.program, receivers=2, straps=options.straps)
    try:
        fleet.start(sessions=False)
        for speed in options.speeds:
            print(json.dumps(measure(fleet, speed, options.seconds)), flush=True)
    finally:
        fleet.stop(keep=False)


if __name__ == "__main__":
    main()
