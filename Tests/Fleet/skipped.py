"""Whether a consumer of nats-server skips messages after failures of servers, without stressmon and PostgreSQL.

    skipped.py PROGRAM [--seed 1] [--runs 1] [--seconds 40]

Publishes messages to a stream with three copies, while servers are killed, paused and disconnected. Two clients of one durable consumer
receive them; some batches are not acknowledged, as by a collector that fails. At the end, every message that the stream has acknowledged
must have been received. Prints for each missing message which replicas contain it. This describes the log and is not a test of stressmon:
nats-server 2.9.10 skips messages in some runs (docs/design/fleet.md, "Owners of sessions").
"""
import argparse
import glob
import json
import os
import random
import shutil
import signal
import tempfile
import threading
import time

import log
from client import Client
from collectors import USER
from fleet import CONFIGURATION
from log import Log, with_passwords
from network import Machine, Network, run
from processes import process_tree, signal_all
from receivers import STUDY

STREAM, CONSUMER, RECEIVER = f"fleet-{STUDY}", "collect-0", "R1"
FAILURES = (OSError, RuntimeError, ValueError, TypeError, KeyError)
NAK = b'-NAK {"delay":1000000000}'


class Trial:
    def __init__(self, machines, cluster, certificates, seed):
        self.machines, self.cluster, self.certificates, self.seed = machines, cluster, certificates, seed
        self.published, self.received = [], set()
        self.publishing, self.receiving = threading.Event(), threading.Event()

    def client(self, choice, user=USER, password=log.COLLECTOR_PASSWORD, timeout=2):
        return Client(choice(self.machines).address, f"{self.certificates}/ca.pem", user, password, timeout=timeout)

    def create(self):
        client = self.client(lambda machines: machines[0], timeout=15)
        client.api(f"STREAM.CREATE.{STREAM}", name=STREAM, subjects=[f"lab.{STUDY}.*.*.*.*"], retention="limits", storage="file",
                   num_replicas=3, discard="new", duplicate_window=600 * 10 ** 9)
        client.api(f"CONSUMER.DURABLE.CREATE.{STREAM}.{CONSUMER}", stream_name=STREAM, config={
            "durable_name": CONSUMER, "ack_policy": "explicit", "ack_wait": 8 * 10 ** 9, "max_ack_pending": 4096, "max_deliver": -1,
            "deliver_policy": "all", "replay_policy": "instant"})

    def publish(self):
        """Publishes 50 messages per second. A message without an answer is sent again with the same ID."""
        choice, number = random.Random(f"{self.seed} publish").choice, 1
        while self.publishing.is_set():
            try:
                client = self.client(choice, f"{STUDY}.{RECEIVER}", log.PASSWORD)
                while self.publishing.is_set():
                    client.request(f"lab.{STUDY}.{RECEIVER}.P1.none", b"%d" % number, {"Nats-Msg-Id": f"{number}"})["seq"]
                    self.published.append(number)
                    number += 1
                    time.sleep(0.02)
            except FAILURES:
                time.sleep(0.2)

    def receive(self, index):
        generator = random.Random(f"{self.seed} receive {index}")
        while self.receiving.is_set():
            try:
                client = self.client(generator.choice)
                client.socket.settimeout(1.5)
                while self.receiving.is_set():
                    self._receive_batch(client, generator.random() if self.publishing.is_set() else 1)
            except FAILURES:
                time.sleep(0.2)

    def _receive_batch(self, client, fate):
        request = json.dumps({"batch": 100, "expires": 200_000_000}).encode()
        client.send(f"$JS.API.CONSUMER.MSG.NEXT.{STREAM}.{CONSUMER}", request)
        batch = []
        try:
            while message := self._message(client):
                batch.append(message)
        except TimeoutError:
            pass
        if batch and fate < 0.2:
            raise ConnectionError("the collector fails")
        answer = NAK if fate < 0.4 else b"+ACK"
        if fate >= 0.4:
            self.received |= {number for _, number in batch}
        for reply, _ in batch:
            client.socket.sendall(f"PUB {reply} {len(answer)}\r\n".encode() + answer + b"\r\n")

    @staticmethod
    def _message(client):
        """The reply subject and the number of the next message; None at the end of a batch."""
        while True:
            line = client.file.readline().decode().split()
            if not line:
                raise ConnectionError
            if line[0] == "PING":
                client.socket.sendall(b"PONG\r\n")
            elif line[0] in ("MSG", "HMSG"):
                content, head = client.file.read(int(line[-1]) + 2)[:-2], int(line[-2]) if line[0] == "HMSG" else 0
                reply = line[3] if line[3].startswith("$JS.ACK") else None
                return (reply, int(content[head:])) if reply else None

    def fail(self, seconds):
        """Failures of single servers, of which two overlap at most."""
        generator, repairs, end = random.Random(self.seed), [], time.monotonic() + seconds
        while time.monotonic() < end:
            server, action = generator.choice(self.cluster.servers), generator.choice(["kill", "pause", "pause", "disconnect", *["none"] * 4])
            if action == "disconnect":
                server.machine.disconnect()
                repairs.append(server.machine.connect)
            elif action == "kill" and server.process.poll() is None:
                server.kill()
                repairs.append(server.start)
            elif action == "pause" and server.process.poll() is None:
                group = process_tree(server.process.pid)
                signal_all(group, signal.SIGSTOP)
                repairs.append(lambda group=group: signal_all(group, signal.SIGCONT))
            time.sleep(generator.uniform(0.1, 1.5))
            while len(repairs) > 1:
                repairs.pop(0)()
        for repair in repairs:
            repair()

    def wait(self, seconds=90):
        """Waits until the consumer has had nothing to deliver for longer than the time for an acknowledgement. Returns its last state."""
        empty, end, state = None, time.monotonic() + seconds, None
        while time.monotonic() < end and not (empty and time.monotonic() > empty + 12):
            time.sleep(1)
            try:
                state = self.client(random.choice, timeout=5).api(f"CONSUMER.INFO.{STREAM}.{CONSUMER}")
                waiting = state["num_pending"] + state["num_ack_pending"]
                empty = None if waiting else empty or time.monotonic()
            except FAILURES:
                continue
        return state

    def replicas(self, number):
        """The servers whose files contain a message."""
        def contains(machine):
            paths = glob.glob(machine.file("streams/**/msgs/*.blk"), recursive=True)
            return any(b"Nats-Msg-Id: %d\r\n" % number in open(path, "rb").read() for path in paths)

        return [machine.name for machine in self.machines if contains(machine)]

    def run(self, seconds):
        self.create()
        self.publishing.set()
        self.receiving.set()
        publisher = threading.Thread(target=self.publish)
        receivers = [threading.Thread(target=self.receive, args=(index,)) for index in (0, 1)]
        for thread in (publisher, *receivers):
            thread.start()
        self.fail(seconds)
        time.sleep(3)
        self.publishing.clear()
        publisher.join()
        state = self.wait()
        self.receiving.clear()
        for thread in receivers:
            thread.join()
        missing = {number: self.replicas(number) for number in self.published if number not in self.received}
        return {"seed": self.seed, "published": len(self.published), "received": len(self.received),
                "waiting": state["num_pending"] + state["num_ack_pending"] if state else None,
                "leader": state["cluster"]["leader"] if state else None, "missing": missing}


def run_trial(folder, machines, certificates, seed, seconds):
    with open(f"{CONFIGURATION}/users.conf") as file:
        users = with_passwords(file.read(), STUDY, [RECEIVER])
    cluster = Log(machines, CONFIGURATION, certificates, users)
    try:
        cluster.wait()
        return Trial(machines, cluster, certificates, seed).run(seconds)
    finally:
        for machine in machines:
            machine.stop()
            shutil.rmtree(machine.file("streams"), ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description="Messages that a consumer of nats-server skips.")
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=40)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        Network()
        machines = [Machine(f"nats{number}", 10 + number, folder) for number in (1, 2, 3)]
        certificates = os.path.join(folder, "certificates")
        run(f"{CONFIGURATION}/certificates", certificates, *[f"{machine.name}={machine.address}" for machine in machines])
        for seed in range(options.seed, options.seed + options.runs):
            print(json.dumps(run_trial(folder, machines, certificates, seed, options.seconds)), flush=True)


if __name__ == "__main__":
    main()
