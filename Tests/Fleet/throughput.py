"""Throughput of a fleet on this machine, and of a Python program that does the same inserts. The last line is JSON.

    throughput.py PROGRAM [--hours 8] [--straps 4] [--python]
    throughput.py PROGRAM --live MINUTES [--straps 20]

Publishes stored sessions, then collects them. Rates are notifications per second, and multiples of 50 straps in real time, which
send one notification per second each. With --python, a consumer with nats-py and psycopg (`pip install nats-py psycopg`) inserts the
same events into a table of the same form, without computing anything. With --live, sessions of MINUTES are published while they run at
8 times real time, in messages of one notification, and collected afterwards: a backlog as after an outage of PostgreSQL.
"""
import argparse
import json
import os
import signal
import sys
import time

from fleet import Fleet
from scale import memory, processor_time, stored


def record(receiver, hours):
    """Stores a session of each strap as fast as possible."""
    receiver.measure("--speed", "max", "--duration", f"{hours}h")
    for session in receiver.sessions:
        session.wait()
    return sum(receiver.events().values())


def publish(fleet, receiver):
    """Seconds until the log has acknowledged everything."""
    begin = time.monotonic()
    receiver.publish(fleet.source(receiver), "--until-caught-up")
    highest = 0
    while receiver.publisher.poll() is None:
        highest = max(highest, memory([receiver.publisher], "VmHWM"))
        time.sleep(0.1)
    if receiver.publisher.returncode:
        raise RuntimeError("publish failed; see publish.log")
    return time.monotonic() - begin, highest


def publish_live(fleet, receiver, minutes):
    """Publishes sessions while they run, and returns the number of their events."""
    receiver.publish(fleet.source(receiver))
    receiver.measure("--speed", "8", "--duration", f"{minutes}m")
    for session in receiver.sessions:
        session.wait()
    count = sum(receiver.events().values())
    while receiver.published() < count:
        time.sleep(0.2)
    time.sleep(5)  # the ends of the sessions
    return count


def collect(fleet, count):
    """Seconds until all events are in PostgreSQL."""
    begin, highest = time.monotonic(), 0
    for collector in fleet.collectors:
        collector.start()
    while True:
        highest = max(highest, memory([collector.process for collector in fleet.collectors], "VmHWM"))
        done = fleet.primary.sql("SELECT coalesce(sum(next), 0) FROM stressmon.session", "stressmon")[0][0]
        if int(done) == count:
            return time.monotonic() - begin, highest
        time.sleep(0.2)


def consume_with_python(fleet, count):
    """Seconds of a Python consumer for the same messages."""
    fleet.primary.sql("CREATE TABLE plain (session text, sequence bigint, ticks float8, wall text, kind text, payload text, "
                      "PRIMARY KEY (session, sequence))", "stressmon")
    fleet.primary.sql("GRANT ALL ON plain TO collector", "stressmon")
    collector = fleet.collectors[0]
    consumer = os.path.join(os.path.dirname(os.path.abspath(__file__)), "consumer.py")
    begin = time.monotonic()
    collector.machine.call(
        [sys.executable, consumer, collector.source(collector), collector.target(collector), str(count)],
        collector.environment)
    return time.monotonic() - begin


def collect_live(fleet, receiver, minutes):
    while not fleet.log.leader("lab-rest"):
        time.sleep(0.2)
    for collector in fleet.collectors:
        collector.machine.kill(collector.process, signal.SIGINT)
    count = publish_live(fleet, receiver, minutes)
    messages = fleet.log.leader("lab-rest").streams()[0]["state"]["messages"]
    servers = [machine.process for machine in (*fleet.log.servers, fleet.primary, fleet.standby)]
    before = processor_time(servers)
    collected, peak = collect(fleet, count)
    used = processor_time(servers) - before + processor_time([collector.process for collector in fleet.collectors])
    print(json.dumps({"events": count, "messages": messages, "collect_per_s": round(count / collected),
                      "cores": round(used / collected, 2), "collector_peak_mb": peak}))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--hours", type=int, default=8)
    parser.add_argument("--straps", type=int, default=4)
    parser.add_argument("--python", action="store_true")
    parser.add_argument("--live", type=int, metavar="MINUTES")
    options = parser.parse_args()
    fleet = Fleet(options.program, receivers=1, straps=options.straps)
    try:
        fleet.start(sessions=False, publishing=False)
        receiver = fleet.receivers[0]
        if options.live:
            return collect_live(fleet, receiver, options.live)
        count = record(receiver, options.hours)
        for collector in fleet.collectors:
            collector.machine.kill(collector.process, signal.SIGINT)  # releases its partitions
        print(f"{count} events are stored on the receiver", flush=True)
        published, publisher = publish(fleet, receiver)
        print(f"published in {published:.1f} s", flush=True)
        collected, collector = collect(fleet, count)
        print(f"collected in {collected:.1f} s", flush=True)
        hours = options.hours * options.straps
        stream = fleet.log.leader("lab-rest").streams()[0]["state"]
        costs = {"messages": stream["messages"], "stream_bytes": stream["bytes"], **stored(fleet)}
        result = {
            "events": count, "beats": costs["beats"],
            "publish_per_s": round(count / published), "publish_multiple": round(count / published / 50),
            "collect_per_s": round(count / collected), "collect_multiple": round(count / collected / 50),
            "end_to_end_per_s": round(count / (published + collected)),
            "end_to_end_multiple": round(count / (published + collected) / 50),
            "publisher_peak_mb": publisher, "collector_peak_mb": collector,
            "per_strap_hour": {name: round(value / hours) for name, value in costs.items()}}
        if options.python:
            for process in fleet.collectors:
                process.machine.kill(process.process, signal.SIGINT)
            plain = consume_with_python(fleet, count)
            result |= {"python_per_s": round(count / plain), "ratio": round(plain / collected, 2)}
    finally:
        fleet.stop(keep=False)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
