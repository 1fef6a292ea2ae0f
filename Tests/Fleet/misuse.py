"""Errors of users, full disks, erasure and recovery: each error is reported, loses nothing and is not acknowledged prematurely.

    misuse.py PROGRAM [--keep]

One fleet passes through all steps. At its end, PostgreSQL equals the history of the receiver.
"""
import argparse
import os
import pwd
import signal
import sys
import time

import database
import log
from collectors import USER
from enrolment import revoked_receiver
from equality import Comparison
from erasure import expire, forget, forget_key, forget_without_stream
from fleet import Fleet
from messages import newer_format, poison
from network import run
from polling import wait_for
from receivers import STUDY
from recovery import backup_of_database, rebuilt_database
from scenario import STREAM, Scenario


def begin(test):
    """Creates a stream with little space, and records more than it can contain."""
    test.fails("no stream", test.receiver.publish_once(test.source), "start 'stressmon collect' for this study")
    test.admin = test.client("collector", log.COLLECTOR_PASSWORD)
    test.start_collector("--replicas", "3", "--max-bytes", "1M")
    wait_for(lambda: len(test.health()["partitions"]) == 8)
    time.sleep(2)
    test.stop_collector()
    test.record("2h")


def compare(test):
    comparison = Comparison([test.receiver], test.collector, test.primary).run()
    test.check(f"{comparison.sessions} sessions with {comparison.beats} beats and {comparison.measurements} measurements equal "
               "those of the receiver", comparison.beats > 0 and not comparison.differences, comparison.differences[:3])
    test.check("no beat or gap is stored twice", comparison.duplicates() == 0, comparison.duplicates())


def publisher_credentials(test):
    with open(test.receiver.credentials) as file:
        key = file.read()
    test.receiver.machine.write(test.receiver.credentials, f"{STUDY}.R1\nwrong\n")
    test.fails("wrong credentials of a receiver", test.receiver.publish_once(test.source), "check credentials=FILE")
    test.receiver.machine.write(test.receiver.credentials, key)
    test.check("wrong credentials of a receiver: positions remain", test.receiver.published() == 0)


def another_study(test):
    test.admin.api("STREAM.CREATE.fleet-other", name="fleet-other", subjects=["lab.other.*.*.*.*"], retention="limits",
                   storage="file", num_replicas=3, discard="new")
    other = test.source.replace(f"/{STUDY}?", "/other?")
    test.fails("another study", test.receiver.publish_once(other), "Permissions Violation")
    try:
        test.receiver_client().request("lab.other.R1.P101.none", b"x")
        test.check("another study: the server refuses a message", False, "it was accepted")
    except PermissionError as error:
        test.check("another study: the server refuses a message", "lab.other.R1.P101.none" in str(error), error)
    messages = test.admin.api("STREAM.INFO.fleet-other")["state"]["messages"]
    test.check("another study: positions remain", test.receiver.published() == 0 and messages == 0)


def full_stream(test):
    test.start_publisher()

    def is_reported():
        with open(test.receiver.machine.file("publish.log")) as file:
            return f"the stream {STREAM} is full" in file.read()

    test.check("full stream: reported", wait_for(is_reported))
    time.sleep(2)
    state = test.admin.api(f"STREAM.INFO.{STREAM}")["state"]
    published = test.receiver.published()
    test.check("full stream: the publisher continues and keeps the rest",
               test.receiver.publisher.poll() is None and 0 < published < test.recorded(), published)
    test.check("full stream: no message was removed", state["first_seq"] == 1 and test.waiting() == state["messages"], state)


def collector_credentials(test):
    before = test.waiting()
    test.collector.machine.write("credentials", "collector\nwrong\n")
    result = test.collector.machine.attempt(test.collector.command(), test.collector.environment)
    test.fails("wrong credentials of a collector", result, "check credentials=FILE")
    test.collector.machine.write("credentials", f"collector\n{log.COLLECTOR_PASSWORD}\n")
    test.check("wrong credentials of a collector: nothing is acknowledged", test.waiting() == before > 0)


def database_password(test):
    before = test.waiting()
    test.collector.machine.write("pgpass", "*:*:*:*:wrong\n")
    result = test.collector.machine.attempt(test.collector.command(), test.collector.environment)
    test.fails("wrong password of PostgreSQL", result, "check user, database and ~/.pgpass")
    test.collector.machine.write("pgpass", f"*:*:*:*:{database.PASSWORD}\n")
    test.check("wrong password of PostgreSQL: nothing is acknowledged", test.waiting() == before)


def newer_schema(test):
    before = test.waiting()
    test.sql("INSERT INTO stressmon.schema_version (version, title) VALUES (99, 'later')")
    result = test.collector.machine.attempt(test.collector.command(), test.collector.environment)
    test.fails("newer schema", result, "the database has the schema version 99")
    test.check("newer schema: advice", "update stressmon" in result.stderr, result.stderr)
    test.sql("DELETE FROM stressmon.schema_version WHERE version = 99")
    test.check("newer schema: nothing is acknowledged", test.waiting() == before and test.stored() == 0)


def raised_limit(test):
    test.start_collector()
    published = test.receiver.published()
    done = wait_for(lambda: test.stored() == published and test.waiting() == 0)
    test.check("repaired: all that the full stream accepted is stored", done, f"{test.stored()} of {published}")
    config = test.admin.api(f"STREAM.INFO.{STREAM}")["config"]
    test.admin.api(f"STREAM.UPDATE.{STREAM}", **{**config, "max_bytes": 1 << 30})
    if not test.arrives("raised limit of the stream"):
        test.stop_publisher()
        test.start_publisher()
        test.arrives("raised limit of the stream, after a restart of the publisher")


def full_disk(test):
    test.fill_disk()
    test.record("10m")
    test.reports("full disk of PostgreSQL", "No space left on device")
    time.sleep(3)
    test.check("full disk of PostgreSQL: nothing is acknowledged", test.waiting() > 0)
    test.free_disk()
    test.arrives("full disk of PostgreSQL")


def full_log_of_database(test):
    """Without space for its write-ahead log, PostgreSQL ends all connections and cannot start."""
    test.fill_disk()
    try:
        for _ in range(64):
            test.primary.sql("SELECT pg_switch_wal(), txid_current()")
        test.check("full write-ahead log: PostgreSQL fails", False)
    except RuntimeError:
        pass
    test.record("10m")
    found = wait_for(lambda: test.health()["error"])
    test.check("full write-ahead log: reported, and the collector continues",
               found and test.collector.process.poll() is None, test.health())
    wait_for(lambda: test.waiting() > 0)
    test.check("full write-ahead log: nothing is acknowledged", test.waiting() > 0)
    test.free_disk()
    if not wait_for(lambda: test.primary.process.poll() is not None, 5):
        test.primary.machine.kill(test.primary.process, signal.SIGINT)
    test.primary.start()
    test.arrives("full write-ahead log")


def revoked_password(test):
    """The password changes while the collector runs."""
    test.primary.sql(f"ALTER ROLE {USER} PASSWORD 'later'")
    test.primary.sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{USER}'")
    test.record("10m")
    test.reports("changed password of PostgreSQL", "password authentication failed")
    wait_for(lambda: test.waiting() > 0, 20)
    test.check("changed password of PostgreSQL: nothing is acknowledged",
               test.waiting() > 0 and test.stored() < test.recorded(), f"{test.waiting()} waiting")
    test.primary.sql(f"ALTER ROLE {USER} PASSWORD '{database.PASSWORD}'")
    test.arrives("changed password of PostgreSQL")


STEPS = (
    begin, publisher_credentials, another_study, full_stream, collector_credentials, database_password, newer_schema, raised_limit,
    poison, newer_format, backup_of_database, rebuilt_database, full_disk, full_log_of_database, revoked_password,
    revoked_receiver, forget, forget_key, expire,
    forget_without_stream, compare)


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
    test = Scenario(fleet)
    try:
        fleet.start(sessions=False, collecting=False, publishing=False)
        for step in STEPS:
            step(test)
    finally:
        for machine in fleet.machines:
            machine.stop()
        run("umount", "--lazy", disk)
        fleet.stop(options.keep)
    print(f"{test.passed} passed, {test.failed} failed")
    return 1 if test.failed else 0


if __name__ == "__main__":
    sys.exit(main())
