"""An hour of session time at 20 times real time with link losses, a broker that is killed, and targets that accept nothing.

    python3 Tests/Outlets/endurance.py PROGRAM [HOURS]

Every RR interval that was written to the publisher arrives by OSC exactly once and in order; a target without a peer counts
its losses; no value is published as live while the link is lost.
"""
import json
import os
import socket
import sys
import time

from brokers import Broker, Subscriber
from publisher import Home, OSCReceiver, Publisher, free_port, intervals, session, wait_for

SPEED = 20
# Real time in s: between two losses, of a loss, and until values must be withdrawn.
LIVE, LOSS, LIMIT = 15, 8, 10


def link(line, state):
    """A link line with the times and the session of another line."""
    values = json.loads(line)
    keys = ("time", "monotonic_s", "session", "profile")
    line = {"type": "link", **{key: values[key] for key in keys if key in values}, "state": state, "stale": True}
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


class Faults:
    """Passes lines on; every 15 s the link is lost for 8 s, with and without a line that reports it."""

    def __init__(self, publisher):
        self.publisher, self.written, self.losses, self.isReported = publisher, [], [], False
        self.next_loss, self.end = time.monotonic() + LIVE, None

    def write(self, line):
        self.publisher.write(line)
        self.written.append(line)

    def receive(self, line):
        now = time.monotonic()
        if self.end is None and now >= self.next_loss:
            self.end, self.isReported = now + LOSS, not self.isReported
            if self.isReported:
                self.write(link(line, "lost"))
            self.losses.append([now, None])
        if self.end is not None:
            if now < self.end:
                return
            if self.isReported:
                self.write(link(line, "connected"))
            self.losses[-1][1] = now
            self.end, self.next_loss = None, now + LIVE
        self.write(line)


class Blackhole:
    """Accepts TCP connections and never answers."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"mqtt://127.0.0.1:{self.socket.getsockname()[1]}"


def check_no_stale_value(broker_messages, osc, losses):
    """No state with a heart rate, and no live OSC value, later than the limit after the loss of the link."""
    count = 0
    for begin, end in losses:
        if end is None:
            continue
        for message in broker_messages:
            if begin + LIMIT < message.time < end and message.topic.endswith("/state"):
                assert message.json["hr_bpm"] is None, message.payload
        connected = [(when, value) for when, _, value in osc.messages("isHRConnected") if when <= min(end, begin + LIMIT)]
        assert connected[-1][1] is False, (begin, end, connected[-5:])
        count += 1
    return count


def test(program, hours):
    with Home() as home, Broker(home) as broker, Subscriber(broker) as subscriber, OSCReceiver() as osc:
        fifo, path, blackhole = home.file("fifo"), home.file("hr"), Blackhole()
        os.mkfifo(fifo)
        broker_url, closed = f"mqtt://127.0.0.1:{broker.port}", f"mqtt://127.0.0.1:{free_port()}"
        targets = [f"osc://127.0.0.1:{osc.port}", broker_url, blackhole.url, closed, f"file:{path}", f"file:{fifo}"]
        kills = 0
        with Publisher(program, home, *targets) as publisher:
            faults, next_kill = Faults(publisher), time.monotonic() + 20
            options = ["--speed", str(SPEED), "--duration", f"{round(hours * 3600)}s"]
            with session(program, home, *options) as live:
                for line in live.stdout:
                    faults.receive(line)
                    if time.monotonic() >= next_kill:
                        broker.stop()
                        broker.start()
                        kills, next_kill = kills + 1, time.monotonic() + 45
            status = publisher.targets()
            memory = publisher.memory()
            seconds = publisher.finish()
            log = publisher.log()
        assert seconds < 15, seconds
        expected = [round(rr) for rr in intervals(faults.written)]
        wait_for(lambda: len(osc.values("RRInterval")) >= len(expected), what="all RR intervals")
        assert osc.values("RRInterval") == expected, "RR intervals are missing, repeated or out of order"
        assert osc.values("isHRConnected")[-1] is False
        losses = check_no_stale_value(subscriber.messages, osc, faults.losses)
        assert losses > 0 and kills > 0
        assert status[blackhole.url]["delivered"] == 0 and "no answer" in status[blackhole.url]["last_error"]
        assert status[closed]["delivered"] == 0 and "refused" in status[closed]["last_error"]
        assert status[f"file:{fifo}"]["dropped"] > 0
        assert status[broker_url]["delivered"] > 0 and f"{broker_url}: " in log, status[broker_url]
        with open(path) as file:
            assert file.read() == ""
        print(f"endurance: {hours} h at {SPEED} times real time: {len(expected)} RR intervals exactly once by OSC; "
              f"{losses} link losses, {kills} kills of the broker; anonymous memory {memory / 1e6:.1f} MB")
        for target, item in status.items():
            print(f"  {target.replace(home.path, '')}: {item['delivered']} delivered, {item['dropped']} dropped")
        assert "publish --list is not available" not in log, log


if __name__ == "__main__":
    test(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 1)
