"""Receivers of a fleet: one machine each, with one process per simulated strap and one publisher."""
import json
import os
import signal
import sqlite3
import subprocess

STUDY = "rest"
# The receiver of hostile.py.
HOSTILE = "hostile"


class Receiver:
    def __init__(self, machine, number, straps, program):
        self.machine, self.number, self.program, self.publisher = machine, number, program, None
        self.name, self.credentials = f"R{number}", machine.file(f".config/stressmon/fleet/{STUDY}.credentials")
        self.straps = {f"s{strap}": f"P{number}{strap:02}" for strap in range(1, straps + 1)}
        self.sessions = []
        self.database = machine.file(".local/share/stressmon/stressmon.db")
        os.makedirs(machine.file("run"), mode=0o700, exist_ok=True)
        self.environment = {"XDG_RUNTIME_DIR": machine.file("run"), "STRESSMON_LOG": "info"}
        self._write_participants()

    def enroll(self, code):
        """Stores the credentials of an invitation, and returns the exit code and output."""
        return self.machine.attempt([self.program, "publish", "enroll", code], self.environment)

    def _write_participants(self):
        self.machine.write("participants", "".join(f"{profile} = {code}\n" for profile, code in self.straps.items()))

    def list_participant(self, profile, code):
        """Adds a profile to the file of participants, which `publish` reads at its start."""
        self.straps[profile] = code
        self._write_participants()

    def unlist_participant(self, profile):
        del self.straps[profile]
        self._write_participants()

    def create_profiles(self, *names):
        """Creates the profiles that do not exist."""
        known = {json.loads(line)["profile"] for line in self.call("profile", "list", "--json").splitlines()}
        for name in names:
            if name not in known:
                self.call("profile", "add", name)

    def measure(self, *options):
        """Starts a live session for each strap."""
        self.create_profiles(*self.straps)
        for index, profile in enumerate(self.straps):
            seed = str(100 * self.number + index)
            command = [self.program, "live", "--simulate", "--seed", seed, "--profile", profile, "--plain", *options]
            self.sessions.append(self.machine.start(command, "live.log", self.environment))

    def publish(self, url, *options):
        self.publisher = self.machine.start(
            [self.program, "publish", *self.target(url), *options], "publish.log", self.environment)

    def publish_once(self, url):
        """Publishes all that is stored, and returns the exit code and output."""
        return self.machine.attempt([self.program, "publish", *self.target(url), "--until-caught-up"], self.environment)

    def target(self, url):
        """The arguments of `publish`."""
        return [f"{url}&receiver={self.name}", "--participants", self.machine.file("participants")]

    def end(self):
        """Ends the sessions as Ctrl-C does."""
        for session in self.sessions:
            if session.poll() is None:
                session.send_signal(signal.SIGINT)
        for session in self.sessions:
            session.wait()

    def call(self, *arguments):
        return subprocess.run(
            [self.program, *arguments], check=True, capture_output=True, text=True,
            env={**os.environ, "HOME": self.machine.folder, **self.environment}).stdout

    def rows(self, statement):
        """The rows of a statement on the history."""
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=10) as connection:
            return connection.execute(statement).fetchall()

    def records(self, statement):
        """The rows of a statement on the history, by the names of their columns."""
        with sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=10) as connection:
            cursor = connection.execute(statement)
            names = [column[0] for column in cursor.description]
            return [dict(zip(names, row)) for row in cursor]

    def published(self):
        """The number of events that the log has acknowledged."""
        return self.rows("SELECT coalesce(sum(next_sequence), 0) FROM publish_position")[0][0]

    def events(self):
        """The number of stored events by session."""
        return dict(self.rows(
            "SELECT s.id, count(*) FROM session s JOIN session_event e ON e.session = s.number GROUP BY s.id"))
