"""Errors of users and full disks: each is reported, loses nothing and is not acknowledged prematurely.

    misuse.py PROGRAM [--keep]

One fleet passes through all of them. At its end, PostgreSQL equals the history of the receiver.
"""
import argparse
import contextlib
import os
import pwd
import signal
import sys
import time

import database
import log
from client import Client
from collectors import USER
from equality import Comparison
from fleet import Fleet
from network import run
from receivers import STUDY

STREAM = f"lab-{STUDY}"
RECEIVER = f"receiver-{STUDY}"


def wait_for(condition, seconds=60):
    """Whether `condition` becomes true within `seconds`."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.3)
    return False


class Misuse:
    def __init__(self, fleet):
        self.fleet, self.passed, self.failed = fleet, 0, 0
        self.receiver, self.collector, self.primary = fleet.receivers[0], fleet.collectors[0], fleet.primary
        self.source = fleet.source(self.receiver)

    def check(self, name, condition, detail=""):
        self.passed, self.failed = self.passed + bool(condition), self.failed + (not condition)
        print(f"{'ok' if condition else 'FAILED'}: {name}{'' if condition else f' ({detail})'}", flush=True)

    def client(self, user, password):
        address = self.fleet.log.servers[0].machine.address
        return Client(address, f"{self.fleet.certificates}/ca.pem", user, log.PASSWORDS[password])

    def waiting(self):
        return self.admin.waiting(STREAM)

    def stored(self):
        return int(self.primary.sql("SELECT coalesce(sum(next), 0) FROM stressmon.session", "stressmon")[0][0])

    def recorded(self):
        return sum(self.receiver.events().values())

    def record(self, duration):
        """Stores a session of each strap as fast as possible."""
        self.receiver.measure("--speed", "max", "--duration", duration)
        for session in self.receiver.sessions:
            session.wait()

    def fails(self, name, result, text):
        """Checks that a program ended with the exit code 1 and an error that contains `text`."""
        self.check(f"{name}: exit code 1 and an error", result.returncode == 1 and text in result.stderr, result)

    def reports(self, name, text):
        """Checks that a health line of the collector contains an error with `text`."""
        found = wait_for(lambda: any(text in (line["error"] or "") for line in self.collector.health()))
        self.check(f"{name}: reported, and the collector continues", found and self.collector.process.poll() is None,
                   self.collector.health()[-1:])

    def arrives(self, name):
        """Checks that everything that is recorded becomes part of PostgreSQL, and then is acknowledged."""
        done = wait_for(lambda: self.stored() == self.recorded() and self.waiting() == 0, 60)
        self.check(f"{name}: nothing is lost", done, f"{self.stored()} of {self.recorded()}, {self.waiting()} waiting")
        return done

    def stop(self):
        self.collector.machine.kill(self.collector.process, signal.SIGINT)

    def run(self):
        self.fails("no stream", self.receiver.publish_once(self.source), "start 'stressmon collect' for this study")
        self.admin = self.client("collector", "NATS_COLLECTOR_PASSWORD")
        self.collector.start("--replicas", "3", "--max-bytes", "1M")
        wait_for(lambda: len((self.collector.health() or [{"partitions": []}])[-1]["partitions"]) == 8)
        time.sleep(2)
        self.stop()
        self.record("2h")
        for step in (self.publisher_credentials, self.another_study, self.full_stream, self.collector_credentials,
                     self.database_password, self.newer_schema, self.raised_limit, self.poison, self.newer_format,
                     self.full_disk, self.full_log_of_database, self.revoked_password):
            step()
        comparison = Comparison([self.receiver], self.collector, self.primary).run()
        self.check(f"{comparison.sessions} sessions with {comparison.beats} beats and {comparison.measurements} measurements "
                   "equal those of the receiver", not comparison.differences, comparison.differences[:3])
        duplicates = self.primary.sql("SELECT count(*) - count(DISTINCT (session, sequence)) FROM stressmon.event", "stressmon")
        self.check("no row is stored twice", duplicates == [["0"]], duplicates)

    def publisher_credentials(self):
        self.receiver.write("credentials", f"{RECEIVER}\nwrong\n")
        self.fails("wrong credentials of a receiver", self.receiver.publish_once(self.source), "check credentials=FILE")
        self.receiver.write("credentials", f"{RECEIVER}\n{log.PASSWORDS['NATS_RECEIVER_PASSWORD']}\n")
        self.check("wrong credentials of a receiver: positions remain", self.receiver.published() == 0)

    def another_study(self):
        self.admin.api("STREAM.CREATE.lab-other", name="lab-other", subjects=["lab.other.*.*.*"], retention="limits",
                       storage="file", num_replicas=3, discard="new")
        other = self.source.replace(f"/{STUDY}?", "/other?")
        self.fails("another study", self.receiver.publish_once(other), "Permissions Violation")
        try:
            self.client(RECEIVER, "NATS_RECEIVER_PASSWORD").request("lab.other.P101.none", b"x")
            self.check("another study: the server refuses a message", False, "it was accepted")
        except PermissionError as error:
            self.check("another study: the server refuses a message", "lab.other.P101.none" in str(error), error)
        messages = self.admin.api("STREAM.INFO.lab-other")["state"]["messages"]
        self.check("another study: positions remain", self.receiver.published() == 0 and messages == 0)

    def full_stream(self):
        self.receiver.publish(self.source)

        def is_reported():
            with open(self.receiver.machine.file("publish.log")) as file:
                return f"the stream {STREAM} is full" in file.read()

        self.check("full stream: reported", wait_for(is_reported))
        time.sleep(2)
        state = self.admin.api(f"STREAM.INFO.{STREAM}")["state"]
        published = self.receiver.published()
        self.check("full stream: the publisher continues and keeps the rest",
                   self.receiver.publisher.poll() is None and 0 < published < self.recorded(), published)
        self.check("full stream: no message was removed", state["first_seq"] == 1 and self.waiting() == state["messages"], state)

    def collector_credentials(self):
        before = self.waiting()
        self.collector.write("credentials", "collector\nwrong\n")
        result = self.collector.machine.attempt(self.collector.command(), self.collector.environment)
        self.fails("wrong credentials of a collector", result, "check credentials=FILE")
        self.collector.write("credentials", f"collector\n{log.PASSWORDS['NATS_COLLECTOR_PASSWORD']}\n")
        self.check("wrong credentials of a collector: nothing is acknowledged", self.waiting() == before > 0)

    def database_password(self):
        before = self.waiting()
        self.collector.write("pgpass", "*:*:*:*:wrong\n")
        self.collector.start()
        self.reports("wrong password of PostgreSQL", "password authentication failed")
        self.stop()
        self.collector.write("pgpass", f"*:*:*:*:{database.PASSWORD}\n")
        self.check("wrong password of PostgreSQL: nothing is acknowledged", self.waiting() == before)

    def newer_schema(self):
        before = self.waiting()
        self.primary.sql("INSERT INTO stressmon.schema_version (version, title) VALUES (99, 'later')", "stressmon")
        result = self.collector.machine.attempt(self.collector.command(), self.collector.environment)
        self.fails("newer schema", result, "the database has the schema version 99")
        self.check("newer schema: advice", "update stressmon" in result.stderr, result.stderr)
        self.primary.sql("DELETE FROM stressmon.schema_version WHERE version = 99", "stressmon")
        self.check("newer schema: nothing is acknowledged", self.waiting() == before and self.stored() == 0)

    def raised_limit(self):
        self.collector.start()
        published = self.receiver.published()
        done = wait_for(lambda: self.stored() == published and self.waiting() == 0)
        self.check("repaired: all that the full stream accepted is stored", done, f"{self.stored()} of {published}")
        config = self.admin.api(f"STREAM.INFO.{STREAM}")["config"]
        self.admin.api(f"STREAM.UPDATE.{STREAM}", **{**config, "max_bytes": 1 << 30})
        if not self.arrives("raised limit of the stream"):
            self.receiver.machine.kill(self.receiver.publisher, signal.SIGINT)
            self.receiver.publish(self.source)
            self.arrives("raised limit of the stream, after a restart of the publisher")

    def poison(self):
        client = self.client(RECEIVER, "NATS_RECEIVER_PASSWORD")
        content, foreign = os.urandom(300), self.session("s2")
        headers = {"Stressmon-Format": "1", "Stressmon-Receiver": "R1"}
        messages = {
            "without headers": (None, content, "it has no Stressmon-Format"),
            "with random bytes": ({**headers, "Nats-Msg-Id": f"{self.session('s1')}/999999"}, content, "not valid"),
            "of another participant": ({**headers, "Nats-Msg-Id": f"{foreign}/999999"},
                                       b'{"type":"mark","monotonic_s":99999,"text":"x"}\n', "another participant")}
        for name, (fields, body, reason) in messages.items():
            sequence = client.request("lab.rest.P101.none", body, fields)["seq"]
            row = f"FROM stressmon.rejected WHERE stream_sequence = {sequence}"
            wait_for(lambda: self.primary.sql(f"SELECT 1 {row}", "stressmon"), 20)
            found = self.primary.sql(f"SELECT reason, encode(payload, 'hex') {row}", "stressmon")
            self.check(f"message {name}: kept with its reason",
                       found and reason in found[0][0] and found[0][1] == body.hex(), found)
        self.check("such messages: acknowledged", wait_for(lambda: self.waiting() == 0))
        self.check("such messages: counted", wait_for(lambda: self.collector.health()[-1]["rejected"] == 3),
                   self.collector.health()[-1])
        self.record("10m")
        self.arrives("messages after such messages")

    def session(self, profile):
        return self.receiver.rows("SELECT s.id FROM session s JOIN profile p ON p.number = s.profile "
                                  f"WHERE p.name = '{profile}'")[0][0]

    def newer_format(self):
        client = self.client(RECEIVER, "NATS_RECEIVER_PASSWORD")
        headers = {"Stressmon-Format": "2", "Stressmon-Receiver": "R1", "Nats-Msg-Id": f"{self.session('s1')}/later"}
        sequence = client.request("lab.rest.P101.none", b"later", headers)["seq"]
        self.reports("newer format", "the message has the format 2")
        self.record("10m")
        done = wait_for(lambda: self.stored() == self.recorded() and self.waiting() == 1)
        self.check("newer format: later messages are stored, and it stays in the stream", done,
                   f"{self.stored()} of {self.recorded()}, {self.waiting()} waiting")
        self.stop()
        self.collector.start()
        self.reports("newer format, after a restart", "update stressmon")
        self.check("newer format: not rejected", self.waiting() == 1 and self.primary.sql(
            f"SELECT 1 FROM stressmon.rejected WHERE stream_sequence = {sequence}", "stressmon") == [])
        self.admin.api(f"STREAM.MSG.DELETE.{STREAM}", seq=sequence)
        ended = wait_for(lambda: self.collector.health()[-1]["error"] is None, 90)
        self.check("newer format: no longer reported after the message was removed", ended, self.collector.health()[-1]["error"])

    def fill_disk(self):
        with open(os.path.join(self.primary.data, "filler"), "wb", buffering=0) as file:
            with contextlib.suppress(OSError):
                while True:
                    file.write(bytes(64 * 1024))

    def free_disk(self):
        os.remove(os.path.join(self.primary.data, "filler"))

    def full_disk(self):
        self.fill_disk()
        self.record("10m")
        self.reports("full disk of PostgreSQL", "No space left on device")
        time.sleep(3)
        self.check("full disk of PostgreSQL: nothing is acknowledged", self.waiting() > 0)
        self.free_disk()
        self.arrives("full disk of PostgreSQL")

    def full_log_of_database(self):
        """Without space for its write-ahead log, PostgreSQL ends all connections and cannot start."""
        self.fill_disk()
        try:
            for _ in range(64):
                self.primary.sql("SELECT pg_switch_wal(), txid_current()")
            self.check("full write-ahead log: PostgreSQL fails", False)
        except RuntimeError:
            pass
        self.record("10m")
        found = wait_for(lambda: self.collector.health()[-1]["error"])
        self.check("full write-ahead log: reported, and the collector continues",
                   found and self.collector.process.poll() is None, self.collector.health()[-1])
        wait_for(lambda: self.waiting() > 0)
        self.check("full write-ahead log: nothing is acknowledged", self.waiting() > 0)
        self.free_disk()
        if not wait_for(lambda: self.primary.process.poll() is not None, 5):
            self.primary.machine.kill(self.primary.process, signal.SIGINT)
        self.primary.start()
        self.arrives("full write-ahead log")

    def revoked_password(self):
        """The password changes while the collector runs."""
        self.primary.sql(f"ALTER ROLE {USER} PASSWORD 'later'")
        self.primary.sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{USER}'")
        self.record("10m")
        self.reports("changed password of PostgreSQL", "password authentication failed")
        wait_for(lambda: self.waiting() > 0, 20)
        self.check("changed password of PostgreSQL: nothing is acknowledged",
                   self.waiting() > 0 and self.stored() < self.recorded(), f"{self.waiting()} waiting")
        self.primary.sql(f"ALTER ROLE {USER} PASSWORD '{database.PASSWORD}'")
        self.arrives("changed password of PostgreSQL")


def main():
    parser = argparse.ArgumentParser(description="Errors of users and full disks.")
    parser.add_argument("program")
    parser.add_argument("--keep", action="store_true", help="keep the files")
    options = parser.parse_args()
    fleet = Fleet(options.program, receivers=1, straps=2)
    disk = fleet.primary.data
    os.mkdir(disk)
    owner = pwd.getpwnam(database.USER)
    run("mount", "-t", "tmpfs", "-o", f"size=400m,mode=0700,uid={owner.pw_uid},gid={owner.pw_gid}", "tmpfs", disk)
    misuse = Misuse(fleet)
    try:
        fleet.start(sessions=False, collecting=False, publishing=False)
        misuse.run()
    finally:
        for machine in fleet.machines:
            machine.stop()
        run("umount", "--lazy", disk)
        fleet.stop(options.keep)
    print(f"{misuse.passed} passed, {misuse.failed} failed")
    return 1 if misuse.failed else 0


if __name__ == "__main__":
    sys.exit(main())
