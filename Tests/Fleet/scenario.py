"""What the steps of misuse.py have in common."""
import math
import os
import signal

import log
from client import Client
from polling import wait_for
from receivers import HOSTILE, STUDY

STREAM = f"fleet-{STUDY}"


class Scenario:
    """The fleet that passes through all steps, and the results of their checks."""

    def __init__(self, fleet):
        self.fleet, self.passed, self.failed = fleet, 0, 0
        self.receiver, self.collector, self.primary = fleet.receivers[0], fleet.collectors[0], fleet.primary
        self.source, self.admin = fleet.source(self.receiver), None

    def check(self, name, condition, detail=""):
        self.passed, self.failed = self.passed + bool(condition), self.failed + (not condition)
        print(f"{'ok' if condition else 'FAILED'}: {name}{'' if condition else f' ({detail})'}", flush=True)

    def client(self, user, password):
        address = self.fleet.log.servers[0].machine.address
        return Client(address, f"{self.fleet.certificates}/ca.pem", user, password)

    def receiver_client(self):
        return self.client(f"{STUDY}.{self.receiver.name}", log.PASSWORD)

    def hostile_client(self):
        return self.client(f"{STUDY}.{HOSTILE}", log.PASSWORD)

    def sql(self, statement):
        """The rows of a statement on the query store."""
        return self.primary.sql(statement, "stressmon")

    def waiting(self):
        """Messages that are not acknowledged; infinite while a collector creates a consumer again."""
        try:
            return self.admin.waiting(STREAM)
        except RuntimeError:
            return math.inf

    def stored(self):
        return self.fleet.stored_events()

    def recorded(self):
        return sum(self.receiver.events().values())

    def health(self):
        """The latest health line of the collector."""
        none = {"error": None, "partitions": [], "rejected": 0, "erased": 0, "events": 0, "messages": 0}
        return (self.collector.health() or [none])[-1]

    def record(self, duration):
        """Stores a session of each strap as fast as possible."""
        self.receiver.measure("--speed", "max", "--duration", duration)
        for session in self.receiver.sessions:
            session.wait()

    def session(self, profile):
        """The ID of a session of a profile."""
        return self.receiver.rows("SELECT s.id FROM session s JOIN profile p ON p.number = s.profile "
                                  f"WHERE p.name = '{profile}'")[0][0]

    def fails(self, name, result, text, status=1):
        """Checks that a program ended with an exit code and an error that contains `text`."""
        self.check(f"{name}: exit code {status} and an error", result.returncode == status and text in result.stderr, result)

    def reports(self, name, text):
        """Checks that a health line of the collector contains an error with `text`."""
        found = wait_for(lambda: any(text in (line["error"] or "") for line in self.collector.health()))
        self.check(f"{name}: reported, and the collector continues", found and self.collector.process.poll() is None, self.health())

    def arrives(self, name):
        """Checks that everything that is recorded becomes part of PostgreSQL, and then is acknowledged."""
        done = wait_for(lambda: self.stored() == self.recorded() and self.waiting() == 0, 60)
        self.check(f"{name}: nothing is lost", done, f"{self.stored()} of {self.recorded()}, {self.waiting()} waiting")
        return done

    def reports_no_error(self, name):
        found = wait_for(lambda: len(self.health()["partitions"]) == 8 and self.health()["error"] is None)
        self.check(f"{name}: the collector reports no error", found, self.health())

    def start_collector(self, *options):
        self.collector.start(*options)

    def stop_collector(self):
        """Ends the collector as Ctrl-C does."""
        self.collector.machine.kill(self.collector.process, signal.SIGINT)

    def start_publisher(self):
        self.receiver.publish(self.source)

    def stop_publisher(self):
        self.receiver.machine.kill(self.receiver.publisher, signal.SIGINT)

    def collect(self, *arguments):
        """Runs a subcommand of `collect` to its end."""
        return self.collector.machine.attempt([self.collector.program, "collect", *arguments], self.collector.environment)

    def fill_disk(self):
        with open(os.path.join(self.primary.data, "filler"), "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(64 * 1024))
            except OSError:
                pass

    def free_disk(self):
        os.remove(os.path.join(self.primary.data, "filler"))
