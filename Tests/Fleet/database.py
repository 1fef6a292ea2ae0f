"""The query store of a fleet: a primary of PostgreSQL and a streaming standby, with the configuration of Packaging/fleet."""
import os
import pwd
import shutil
import signal
import subprocess

from polling import wait_for
from processes import process_tree, signal_all

BIN = "/usr/lib/postgresql/15/bin/"
USER = "postgres"
PASSWORD = "fleet-secret"


class Database:
    """One PostgreSQL server."""

    def __init__(self, machine, configuration, certificates):
        self.machine, self.configuration, self.certificates = machine, configuration, certificates
        self.data, self.process = machine.file("data"), None
        owner = pwd.getpwnam(USER)
        os.chown(machine.folder, owner.pw_uid, owner.pw_gid)

    def call(self, *command, **environment):
        return self.machine.call(list(command), environment, user=USER)

    def create(self):
        self.call(BIN + "initdb", "-D", self.data, "-E", "UTF8", "--locale=C.UTF-8", "--auth=peer")
        self.configure()

    def configure(self):
        """Uses the files of Packaging/fleet."""
        files = {"postgresql.conf": "fleet.conf", "pg_hba.conf": "pg_hba.conf"}
        for name, target in files.items():
            shutil.copy(os.path.join(self.configuration, name), os.path.join(self.data, target))
        with open(os.path.join(self.data, "postgresql.conf"), "a") as file:
            file.write(
                f"\ninclude 'fleet.conf'\nlisten_addresses = '{self.machine.address}'\n"
                f"unix_socket_directories = '{self.machine.folder}'\nfsync = on\n")
        for name, target in ((f"{self.machine.name}.pem", "server.crt"), (f"{self.machine.name}.key", "server.key")):
            shutil.copy(os.path.join(self.certificates, name), os.path.join(self.data, target))
        owner = pwd.getpwnam(USER)
        for name in ("server.crt", "server.key", "fleet.conf", "pg_hba.conf"):
            os.chown(os.path.join(self.data, name), owner.pw_uid, owner.pw_gid)
            os.chmod(os.path.join(self.data, name), 0o600)

    def copy(self, primary):
        """Copies `primary` and configures the copy as its standby."""
        self.call(
            BIN + "pg_basebackup", "-D", self.data, "--write-recovery-conf", "--checkpoint=fast",
            "-d", f"host={primary.machine.address} user=stressmon_standby dbname=replication sslmode=require",
            PGPASSWORD=PASSWORD)
        self._configure_address()

    def _configure_address(self):
        """Replaces the settings of the machine from which the files were copied."""
        path = os.path.join(self.data, "postgresql.conf")
        with open(path) as file:
            lines = [line for line in file if not line.startswith(("include 'fleet", "listen_addr", "unix_socket"))]
        with open(path, "w") as file:
            file.writelines(lines)
        self.configure()

    def start(self):
        self.process = self.machine.start([BIN + "postgres", "-D", self.data], "postgres.log", user=USER)
        if not wait_for(self._is_ready):
            raise RuntimeError(f"PostgreSQL on {self.machine.name} does not start: see postgres.log")

    def _is_ready(self):
        command = ["ip", "netns", "exec", self.machine.name, BIN + "pg_isready", "-q", "-h", self.machine.folder]
        return subprocess.run(command).returncode == 0

    def kill(self):
        """Kills the server and all its processes, as a power failure does."""
        with open(os.path.join(self.data, "postmaster.pid")) as file:
            leader = int(file.readline())
        signal_all(process_tree(leader), signal.SIGKILL)
        self.process.wait()

    def promote(self):
        """Makes a standby the primary. It has no standby itself, so commits no longer wait for one."""
        self.call(BIN + "pg_ctl", "promote", "-D", self.data)
        # pg_rewind reads the new timeline from the control file, which a checkpoint writes.
        self.sql("CHECKPOINT")
        self.sql("ALTER SYSTEM SET synchronous_standby_names = ''")
        self.sql("SELECT pg_reload_conf()")

    def rewind(self, primary):
        """Makes a former primary that was killed a standby of the promoted one."""
        self.call(BIN + "postgres", "--single", "-D", self.data, "template1")  # recovery, which pg_rewind requires
        source = f"host={primary.machine.folder} dbname=postgres"
        self.call(
            BIN + "pg_rewind", "-D", self.data, "--write-recovery-conf", "--source-server", source)
        with open(os.path.join(self.data, "postgresql.auto.conf"), "a") as file:
            file.write(
                f"primary_conninfo = 'host={primary.machine.address} user=stressmon_standby password={PASSWORD}"
                " sslmode=require'\n")
        self._configure_address()
        self.start()

    def sql(self, text, database="postgres"):
        """The rows of a statement as lists of text."""
        output = self.call(
            "psql", "-h", self.machine.folder, "-d", database, "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1",
            "-c", text)
        return [line.split("\t") for line in output.splitlines()]
