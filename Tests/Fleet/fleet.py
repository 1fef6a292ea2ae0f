"""The machines of a demonstration: log, query store, receivers and collectors."""
import os
import shutil
import tempfile
import time

from collectors import Collector, prepare, prepare_replication, url
from database import Database
from log import Log, with_passwords
from network import Machine, Network, run
from polling import wait_for
from receivers import HOSTILE, STUDY, Receiver

CONFIGURATION = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../Packaging/fleet"))
TABLES = ("event", "beat", "measurement", "minute", "gap", "mark", "link_change", "session")


class Fleet:
    """All machines of the demonstration."""

    def __init__(self, program, receivers, straps, certificate_environment=None):
        self.folder = tempfile.mkdtemp(prefix="stressmon-fleet-")
        os.chmod(self.folder, 0o755)
        Network()
        self.machines = []
        logs = [self._machine(f"nats{number}", 10 + number) for number in (1, 2, 3)]
        stores = [self._machine(f"postgres{number}", 20 + number) for number in (1, 2)]
        self.certificates = os.path.join(self.folder, "certificates")
        run(f"{CONFIGURATION}/certificates", self.certificates, *[f"{m.name}={m.address}" for m in logs + stores],
            env={**os.environ, **(certificate_environment or {})})
        self.program, self.users = program, os.path.join(self.folder, "users.conf")
        shutil.copy(f"{CONFIGURATION}/users.conf", self.users)
        servers = ",".join(machine.address for machine in logs)
        self.study = f"tls://{servers}/{STUDY}?ca={self.certificates}/ca.pem"
        names = [f"R{number}" for number in range(1, receivers + 1)]
        self.invitations = {name: self.invite(name) for name in names}
        self.log = Log(logs, CONFIGURATION, self.certificates, self.users_with_passwords([*names, HOSTILE]))
        self.primary, self.standby = [Database(machine, CONFIGURATION, self.certificates) for machine in stores]
        self.receivers = [
            Receiver(self._machine(f"receiver{number}", 100 + number), number, straps, program)
            for number in range(1, receivers + 1)]
        target = url(stores, self.certificates)
        self.collectors = [
            Collector(self._machine(f"collector{number}", 30 + number), program, self.source, lambda _: target)
            for number in (1, 2)]

    def invite(self, name):
        """Adds a user of nats-server for a receiver, and returns the code for the receiver."""
        return run(self.program, "collect", "invite", name, "--from", self.study, "--users", self.users).strip()

    def admit(self, receiver):
        """Creates keys of the participants of a receiver, which then uses their tickets. All collectors have the same file of keys."""
        first, *others = self.collectors
        receiver.use_tickets({
            profile: first.call("collect", "admit", code, "--from", first.source(first)).strip()
            for profile, code in receiver.straps.items()})
        path = ".config/stressmon/participants.keys"
        for other in others:
            os.makedirs(os.path.dirname(other.machine.file(path)), mode=0o700, exist_ok=True)
            shutil.copy(first.machine.file(path), other.machine.file(path))

    def users_with_passwords(self, names):
        """The users of nats-server, and those of the tests."""
        with open(self.users) as file:
            return with_passwords(file.read(), STUDY, names)

    def _machine(self, name, number):
        self.machines.append(Machine(name, number, self.folder))
        return self.machines[-1]

    def source(self, user):
        return self.log.url(STUDY, user.credentials, self.certificates)

    def start(self, sessions=True, collecting=True, publishing=True):
        self.log.wait()
        for receiver in self.receivers:
            result = receiver.enroll(self.invitations[receiver.name])
            if result.returncode:
                raise RuntimeError(f"{receiver.name} cannot enroll: {result.stderr}")
        self.primary.create()
        self.primary.start()
        prepare_replication(self.primary)
        self.standby.copy(self.primary)
        self.standby.start()
        prepare(self.primary, self.program)
        for collector in self.collectors if collecting else []:
            collector.start("--replicas", "3")
        for receiver in self.receivers:
            if sessions:
                receiver.measure()
            if publishing:
                receiver.publish(self.source(receiver))

    def ages(self):
        """Age in seconds of the newest notification of each open session that a query returns."""
        rows = self.primary.sql(
            "SELECT extract(epoch FROM clock_timestamp() - max(last_beat)) FROM stressmon.live_now GROUP BY session", "stressmon")
        return [float(row[0]) for row in rows if row[0]]

    def sessions(self):
        return sum(len(receiver.straps) for receiver in self.receivers)

    def stored_events(self):
        """The number of events in PostgreSQL."""
        return int(self.primary.sql("SELECT coalesce(sum(next), 0) FROM stressmon.session", "stressmon")[0][0])

    def storage(self):
        """Bytes of the WAL, and rows and bytes of each table with its indexes."""
        sizes = ", ".join(
            f"(SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c WHERE c.relnamespace = 'stressmon'::regnamespace "
            f"AND c.relkind = 'r' AND c.relname ~ '^{table}(_\\d+)?$')" for table in TABLES)
        counts = ", ".join(f"(SELECT count(*) FROM stressmon.{table})" for table in TABLES)
        row = self.primary.sql(f"SELECT pg_current_wal_lsn() - '0/0', {sizes}, {counts}", "stressmon")[0]
        sizes, counts = row[1:1 + len(TABLES)], row[1 + len(TABLES):]
        return {
            "wal_bytes": int(row[0]), **{f"{table}_bytes": int(size or 0) for table, size in zip(TABLES, sizes)},
            **{f"{table}s": int(count) for table, count in zip(TABLES, counts)}}

    def is_current(self, limit=3.0):
        """Whether the newest notification of each session was recorded at most `limit` seconds ago."""
        try:
            ages = self.ages()
        except RuntimeError:
            return False
        return len(ages) == self.sessions() and max(ages) < limit

    def wait(self, seconds=180):
        """Waits until queries return notifications of all sessions that were recorded after the call, and returns the time in
        seconds."""
        begin = time.monotonic()
        if not wait_for(lambda: self.is_current(min(3.0, time.monotonic() - begin)), seconds):
            raise RuntimeError(f"the sessions are not current after {seconds} s; see {self.folder}")
        return round(time.monotonic() - begin, 1)

    def stop(self, keep):
        for machine in self.machines:
            machine.stop()
        if keep:
            print(f"the files are in {self.folder}")
        else:
            shutil.rmtree(self.folder)
