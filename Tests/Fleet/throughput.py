"""Throughput of a fleet on this machine, and of a Python program that does the same inserts. The last line is JSON.

    throughput.py PROGRAM [--hours 8] [--straps 4] [--keys] [--python]
    throughput.py PROGRAM --live MINUTES --straps 20

Publishes stored sessions, then collects them. Rates are notifications per second, and multiples of 50 straps in real time, which
send one notification per second each. With --keys, the participants have keys, so the messages are encrypted. With --python, a consumer
with nats-py and psycopg (`pip install nats-py psycopg`) inserts the same events into a table of the same form, without computing
anything. With --live, sessions of MINUTES are published while they run at 8 times real time, in messages of one notification, and
collected afterwards: a backlog as after an outage of PostgreSQL.
"""
import argparse
import json
import math
import os
import signal
import sys
import time

from fleet import Fleet
from polling import wait_for
from processes import memory, processor_time


def record(receiver, hours):
    """Stores a session of each strap as fast as possible."""
    receiver.measure("--speed", "max", "--duration", f"{hours}h")
    for session in receiver.sessions:
        session.wait()
    return sum(receiver.events().values())


def wait_with_peak(processes, condition, interval=0.2):
    """Waits for `condition`, and returns the highest memory in MB of one of the processes and their processor time in s until then."""
    peak = used = 0

    def is_done():
        nonlocal peak, used
        peak, used = max(peak, memory(processes, "VmHWM")), max(used, processor_time(processes))
        return condition()

    wait_for(is_done, math.inf, interval)
    return peak, used


def publish(fleet, receiver):
    """Seconds until the log has acknowledged everything, and the highest memory in MB and the processor time in s of the publisher."""
    begin = time.monotonic()
    receiver.publish(fleet.source(receiver), "--until-caught-up")
    used = wait_with_peak([receiver.publisher], lambda: receiver.publisher.poll() is not None, 0.1)
    if receiver.publisher.returncode:
        raise RuntimeError("publish failed; see publish.log")
    return time.monotonic() - begin, *used


def publish_live(fleet, receiver, minutes):
    """Publishes sessions while they run, and returns the number of their events."""
    receiver.publish(fleet.source(receiver))
    receiver.measure("--speed", "8", "--duration", f"{minutes}m")
    for session in receiver.sessions:
        session.wait()
    count = sum(receiver.events().values())
    wait_for(lambda: receiver.published() >= count, math.inf)
    time.sleep(5)  # the ends of the sessions
    return count


def collect(fleet, count):
    """Seconds until all events are in PostgreSQL, the highest memory of a collector in MB and the processor time of both in s."""
    begin = time.monotonic()
    for collector in fleet.collectors:
        collector.start()
    used = wait_with_peak([collector.process for collector in fleet.collectors], lambda: fleet.stored_events() == count)
    return time.monotonic() - begin, *used


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


def end_collectors(fleet):
    """Ends the collectors as Ctrl-C does, which releases their partitions."""
    for collector in fleet.collectors:
        collector.machine.kill(collector.process, signal.SIGINT)


def collect_live(fleet, receiver, minutes):
    """Publishes sessions while they run, then collects them. Returns rate, CPU cores and memory of collecting, and the processor time in s
    of the publisher and of both collectors."""
    wait_for(lambda: fleet.log.leader("fleet-rest"), math.inf)
    end_collectors(fleet)
    count = publish_live(fleet, receiver, minutes)
    messages = fleet.log.leader("fleet-rest").streams()[0]["state"]["messages"]
    servers = [machine.process for machine in (*fleet.log.servers, fleet.primary, fleet.standby)]
    before = processor_time(servers)
    collected, peak, collector_time = collect(fleet, count)
    used = processor_time(servers) - before + processor_time([collector.process for collector in fleet.collectors])
    return {"events": count, "messages": messages, "collect_per_s": round(count / collected),
            "cores": round(used / collected, 2), "collector_peak_mb": peak,
            "publisher_cpu_s": round(processor_time([receiver.publisher]), 2), "collector_cpu_s": round(collector_time, 2)}


def measure_backlog(fleet, receiver, options):
    """Publishes stored sessions, then collects them. Returns rates, memory and the costs per strap and hour."""
    count = record(receiver, options.hours)
    end_collectors(fleet)
    print(f"{count} events are stored on the receiver", flush=True)
    published, publisher, publisher_time = publish(fleet, receiver)
    print(f"published in {published:.1f} s", flush=True)
    collected, collector, collector_time = collect(fleet, count)
    print(f"collected in {collected:.1f} s", flush=True)
    hours = options.hours * options.straps
    stream = fleet.log.leader("fleet-rest").streams()[0]["state"]
    costs = {"messages": stream["messages"], "stream_bytes": stream["bytes"], **fleet.storage()}
    result = {
        "events": count, "beats": costs["beats"],
        **rates("publish", count, published), **rates("collect", count, collected),
        **rates("end_to_end", count, published + collected),
        "publisher_peak_mb": publisher, "collector_peak_mb": collector,
        "publisher_cpu_s": round(publisher_time, 2), "collector_cpu_s": round(collector_time, 2),
        "per_strap_hour": {name: round(value / hours) for name, value in costs.items()}}
    if options.python:
        end_collectors(fleet)
        plain = consume_with_python(fleet, count)
        result |= {"python_per_s": round(count / plain), "ratio": round(plain / collected, 2)}
    return result


def rates(name, count, seconds):
    """Notifications per second, and the multiple of 50 straps in real time."""
    return {f"{name}_per_s": round(count / seconds), f"{name}_multiple": round(count / seconds / 50)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--hours", type=int, default=8)
    parser.add_argument("--straps", type=int, default=4)
    parser.add_argument("--keys", action="store_true")
    parser.add_argument("--python", action="store_true")
    parser.add_argument("--live", type=int, metavar="MINUTES")
    options = parser.parse_args()
    fleet = Fleet(options.program, receivers=1, straps=options.straps)
    try:
        fleet.start(sessions=False, publishing=False)
        receiver = fleet.receivers[0]
        if options.keys:
            fleet.admit(receiver)
        if options.live:
            result = collect_live(fleet, receiver, options.live)
        else:
            result = measure_backlog(fleet, receiver, options)
    finally:
        fleet.stop(keep=False)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
