"""PostgreSQL is restored from a backup, and rebuilt from the stream."""
import os
import time

from collectors import create_database


def backup_of_database(test):
    """Everything that was recorded after a backup is read again from the stream."""
    dump = os.path.join(test.primary.machine.folder, "stressmon.dump")
    test.receiver.measure("--speed", "600", "--duration", "1h")
    time.sleep(2)
    test.primary.call("pg_dump", "-h", test.primary.machine.folder, "--format=custom", f"--file={dump}", "stressmon")
    for session in test.receiver.sessions:
        session.wait()
    test.record("10m")
    test.arrives("before the backup is restored")
    _stop(test)
    test.primary.sql("DROP DATABASE stressmon WITH (FORCE)")
    test.primary.sql("CREATE DATABASE stressmon")
    test.primary.call("pg_restore", "-h", test.primary.machine.folder, "--dbname=stressmon", "--exit-on-error", dump)
    # As if the backup was older. The receivers do not run, so that only the stream contains what is missing.
    test.sql("UPDATE stressmon.partition_lease SET expires = now() - interval '2 min'")
    test.check("restored backup: events are missing", 0 < test.stored() < test.recorded(), test.stored())
    test.start_collector()
    test.arrives("restored backup")
    test.start_publisher()


def rebuilt_database(test):
    """An empty database is filled from the stream."""
    rejected = test.sql("SELECT stream_sequence, reason FROM stressmon.rejected ORDER BY 1")
    _stop(test)
    test.primary.sql("DROP DATABASE stressmon WITH (FORCE)")
    create_database(test.primary, test.collector.program)
    test.check("empty database: created by collect setup", test.stored() == 0)
    test.start_collector()
    test.arrives("empty database")
    found = test.sql("SELECT stream_sequence, reason FROM stressmon.rejected ORDER BY 1")
    test.check("empty database: the same messages are rejected", found == rejected != [], found)
    test.start_publisher()


def _stop(test):
    test.stop_collector()
    test.stop_publisher()
