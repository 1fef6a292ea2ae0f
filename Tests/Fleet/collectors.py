"""Collectors of a fleet, and the setup of its database."""
import json
import os

import database
import log

USER = "collector"


class Collector:
    def __init__(self, machine, program, source, target):
        self.machine, self.program, self.source, self.target = machine, program, source, target
        self.process, self.credentials = None, machine.file("credentials")
        machine.write("credentials", f"collector\n{log.COLLECTOR_PASSWORD}\n")
        machine.write("pgpass", f"*:*:*:*:{database.PASSWORD}\n")
        self.environment = {"PGPASSFILE": machine.file("pgpass"), "XDG_RUNTIME_DIR": machine.folder}

    def command(self, *options):
        return [self.program, "collect", "--from", self.source(self), "--into", self.target(self), "--json", *options]

    def start(self, *options):
        path = self.machine.file("collect.log")
        self.begin = os.path.getsize(path) if os.path.exists(path) else 0
        self.process = self.machine.start(self.command(*options), "collect.log", self.environment)

    def health(self):
        """The health lines since the last start."""
        with open(self.machine.file("collect.log")) as file:
            file.seek(self.begin)
            return [json.loads(line) for line in file if line.startswith("{") and line.endswith("}\n")]

    def kill(self):
        self.machine.kill(self.process)

    def call(self, *arguments):
        return self.machine.call([self.program, *arguments], self.environment)


def prepare_replication(primary):
    """Creates the user of the standby. Nothing can wait for a standby that does not exist yet."""
    primary.sql(
        f"SET synchronous_commit = local; CREATE ROLE stressmon_standby LOGIN REPLICATION PASSWORD '{database.PASSWORD}'")


def create_database(primary, program):
    """Creates the database and its tables."""
    primary.sql("CREATE DATABASE stressmon")
    primary.call(program, "collect", "setup", "--into", f"postgresql:///stressmon?host={primary.machine.folder}")


def prepare(primary, program):
    """Creates the database, its tables and the user of the collectors."""
    create_database(primary, program)
    primary.sql(f"CREATE ROLE {USER} LOGIN PASSWORD '{database.PASSWORD}' IN ROLE stressmon_collector")


def url(machines, certificates):
    hosts = ",".join(machine.address for machine in machines)
    return (f"postgresql://{USER}@{hosts}/stressmon?target_session_attrs=read-write&sslmode=verify-ca"
            f"&sslrootcert={certificates}/ca.pem&connect_timeout=3")
