"""Costs of a fleet per strap and hour, at several loads. Prints one line of JSON per load.

    scale.py PROGRAM [--seconds 60] [--speeds 0 1 4 50] [--straps 10]

Each load is `straps` per receiver, two receivers, at one speed; speed 0 is a fleet without sessions. Up to 4 times real time, each
notification is a message, as of a live strap; at higher speeds a message contains all those of about one second. A load is sustained if
no more events wait at its end than a second contains. Memory is the resident size of the largest process of each kind at the beginning
and at the end.
"""
import argparse
import json
import time

from fleet import Fleet
from network import run
from processes import memory, processor_time


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
            "network_bytes": sum(self._sent(receiver.machine) for receiver in fleet.receivers), **fleet.storage()}

    @staticmethod
    def _sent(machine):
        return json.loads(run("ip", "-json", "-stats", "link", "show", "v-" + machine.name))[0]["stats64"]["rx"]["bytes"]


def waiting(fleet):
    """The number of events that the receivers have recorded but PostgreSQL does not contain."""
    return sum(sum(receiver.events().values()) for receiver in fleet.receivers) - fleet.stored_events()


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
