"""The log of a fleet: three nats-server with the configuration of Packaging/fleet."""
import json
import os
import shutil

from polling import wait_for

COLLECTOR_PASSWORD = "collector-secret"
PASSWORD = "receiver-secret"
QUERY = "import sys, urllib.request as r; sys.stdout.write(r.urlopen(sys.argv[1], timeout=3).read().decode())"


def with_passwords(text, study, names):
    """The content of users.conf with a further user `STUDY.NAME` with PASSWORD for each receiver, for messages of the tests."""
    users = ""
    for name in names:
        own = f"{study}.{name}"
        users += (f'  {{ user: "{own}", password: {PASSWORD}, permissions {{ publish: [ "lab.{own}.*.*", "lab.{own}.*.*.*", '
                  f'"$JS.API.STREAM.INFO.fleet-{study}" ], subscribe: [ "_INBOX.receiver.{own}.>", "resend.{own}" ] }} }}\n')
    return text[:text.rindex("]")] + users + "]\n"


class LogServer:
    """One nats-server. Its streams survive the end of the process."""

    def __init__(self, machine, cluster, configuration, certificates, users):
        self.machine, self.process = machine, None
        for name in ("nats-server.conf", "nats-users.conf"):
            shutil.copy(os.path.join(configuration, name), machine.file(name))
        self.update(users)
        routes = [f"nats-route://{other.address}:6222" for other in cluster]
        self.environment = {
            "NATS_NODE": machine.name, "NATS_ADDRESS": machine.address, "NATS_STORE": machine.file("streams"),
            "NATS_AUTHORITY": f"{certificates}/ca.pem",
            "NATS_SERVER_CERTIFICATE": f"{certificates}/{machine.name}.pem",
            "NATS_SERVER_KEY": f"{certificates}/{machine.name}.key",
            **{f"NATS_ROUTE_{letter}": route for letter, route in zip("ABC", routes)},
            "NATS_COLLECTOR_PASSWORD": COLLECTOR_PASSWORD}

    def update(self, users):
        """Replaces the users. A running server reads them after SIGHUP."""
        self.machine.write("users.conf", users)

    def start(self):
        self.process = self.machine.start(
            ["nats-server", "-c", self.machine.file("nats-server.conf")], "nats-server.log", self.environment)

    def kill(self):
        self.machine.kill(self.process)

    def state(self):
        """The answer of its monitoring; None if it does not answer."""
        try:
            url = "http://127.0.0.1:8222/jsz?accounts=true&streams=true&consumers=true"
            return json.loads(self.machine.call(["python3", "-c", QUERY, url]))
        except (RuntimeError, ValueError):
            return None

    def streams(self):
        details = (self.state() or {}).get("account_details") or []
        return [stream for account in details for stream in account.get("stream_detail") or []]


class Log:
    def __init__(self, machines, configuration, certificates, users):
        self.servers = [LogServer(machine, machines, configuration, certificates, users) for machine in machines]
        for server in self.servers:
            server.start()

    def wait(self, seconds=60):
        """Waits until the cluster has a leader."""
        if not wait_for(self._has_leader, seconds):
            raise RuntimeError("the cluster of nats-server has no leader")

    def _has_leader(self):
        states = [server.state() for server in self.servers if server.process.poll() is None]
        return any((state or {}).get("meta_cluster", {}).get("leader") for state in states)

    def leader(self, stream):
        """The server that leads a stream."""
        for server in self.servers:
            if server.process.poll() is None:
                for found in server.streams():
                    if found["name"] == stream:
                        name = found.get("cluster", {}).get("leader")
                        return next((other for other in self.servers if other.machine.name == name), None)
        return None

    def url(self, study, credentials, certificates):
        hosts = ",".join(f"{server.machine.address}:4222" for server in self.servers)
        return f"nats://{hosts}/{study}?credentials={credentials}&ca={certificates}/ca.pem"
