"""Costs of a fleet per strap and hour, at several loads. Prints one line of JSON per load.

    scale.py PROGRAM [--seconds 60] [--speeds 1 10 50 100] [--straps 5]

A simulated strap at 10 times real time costs as much as ten straps. Each load is `straps` per receiver, two receivers, at one speed.
A load is sustained if no data wait at its end: the figures of docs/fleet-scale.md are from loads that are sustained.
"""
import argparse
import json
import os
import signal
import time

from fleet import Fleet
from schedules import children

TICKS = os.sysconf("SC_CLK_TCK")


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


class Counters:
    """What the fleet has used so far."""

    def __init__(self, fleet):
        self.cpu = {
            "nats": processor_time([server.process for server in fleet.log.servers]),
            "postgres": processor_time([fleet.primary.process, fleet.standby.process]),
            "publish": processor_time([receiver.publisher for receiver in fleet.receivers]),
            "collect": processor_time([collector.process for collector in fleet.collectors])}
        stream = next(stream for server in fleet.log.servers for stream in server.streams())
        self.messages, self.stream_bytes = stream["state"]["messages"], stream["state"]["bytes"]
        row = fleet.primary.sql(
            "SELECT (SELECT count(*) FROM stressmon.event), (SELECT count(*) FROM stressmon.beat), "
            "(SELECT count(*) FROM stressmon.measurement), (SELECT coalesce(sum(highest - next), 0) FROM stressmon.session), "
            "(SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            " WHERE n.nspname = 'stressmon' AND c.relkind = 'r')", "stressmon")[0]
        self.events, self.beats, self.measurements, self.waiting, self.table_bytes = map(int, row)


def measure(fleet, speed, seconds):
    for receiver in fleet.receivers:
        receiver.measure("--speed", str(speed))
    time.sleep(10)  # connecting
    before = Counters(fleet)
    begin = time.monotonic()
    time.sleep(seconds)
    after = Counters(fleet)
    elapsed = time.monotonic() - begin
    recorded = sum(sum(receiver.events().values()) for receiver in fleet.receivers)
    stored = int(fleet.primary.sql("SELECT count(*) FROM stressmon.event", "stressmon")[0][0])
    for receiver in fleet.receivers:
        for session in receiver.sessions:
            session.send_signal(signal.SIGINT)
        for session in receiver.sessions:
            session.wait()
        receiver.sessions = []
    straps = fleet.sessions() * speed
    hours = straps * elapsed / 3600
    return {
        "straps": straps, "events_behind": recorded - stored,
        "messages_per_strap_hour": round((after.messages - before.messages) / hours),
        "stream_bytes_per_strap_hour": round((after.stream_bytes - before.stream_bytes) / hours),
        "events_per_strap_hour": round((after.events - before.events) / hours),
        "beats_per_strap_hour": round((after.beats - before.beats) / hours),
        "measurements_per_strap_hour": round((after.measurements - before.measurements) / hours),
        "table_bytes_per_strap_hour": round((after.table_bytes - before.table_bytes) / hours),
        "cpu_s_per_strap_hour": {name: round((after.cpu[name] - before.cpu[name]) / hours, 3) for name in after.cpu}}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--speeds", type=int, nargs="*", default=[1, 10, 50, 100])
    parser.add_argument("--straps", type=int, default=5)
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
