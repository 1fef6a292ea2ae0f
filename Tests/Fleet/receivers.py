"""Receivers of a fleet: one machine each, with one process per simulated strap and one publisher."""
import base64
import hashlib
import hmac
import json
import os
import signal
import sqlite3
import subprocess

STUDY = "rest"
# The receiver of hostile.py.
HOSTILE = "hostile"
DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Ticket:
    """A ticket of `collect admit`: the pseudonym of a participant and the IDs of its sessions (docs/design/fleet.md)."""

    def __init__(self, text):
        content = base64.b64decode(text.removeprefix("SP1-"))
        self.text, self.pseudonym, self.key = text, "p" + content[:9].hex(), content[9:41]

    def alias(self, session):
        code, time = hmac.digest(self.key, f"session {session}".encode(), hashlib.sha256), 0
        for digit in session[:10]:
            time = time << 5 | DIGITS.index(digit)
        time = time // 86_400_000 * 86_400_000 + int.from_bytes(code[16:20], "big") % 86_400_000
        return "".join([DIGITS[time >> 5 * place & 31] for place in range(9, -1, -1)] + [DIGITS[byte & 31] for byte in code[:16]])


class Receiver:
    def __init__(self, machine, number, straps, program):
        self.machine, self.number, self.program, self.publisher = machine, number, program, None
        self.name, self.credentials = f"R{number}", machine.file(f".config/stressmon/fleet/{STUDY}.credentials")
        self.straps = {f"s{strap}": f"P{number}{strap:02}" for strap in range(1, straps + 1)}
        # By profile; empty while the participants have no keys.
        self.tickets = {}
        self.sessions = []
        self.database = machine.file(".local/share/stressmon/stressmon.db")
        os.makedirs(machine.file("run"), mode=0o700, exist_ok=True)
        self.environment = {"XDG_RUNTIME_DIR": machine.file("run"), "STRESSMON_LOG": "info"}
        self._write_participants()

    def enroll(self, code):
        """Stores the credentials of an invitation, and returns the exit code and output."""
        return self.machine.attempt([self.program, "publish", "enroll", code], self.environment)

    def _write_participants(self):
        self.machine.write("participants", "".join(
            f"{profile} = {self.tickets[profile].text if profile in self.tickets else code}\n" for profile, code in self.straps.items()))

    def use_tickets(self, tickets):
        """Replaces the tickets of all profiles, which `publish` reads at its start."""
        self.tickets = {profile: Ticket(text) for profile, text in tickets.items()}
        self._write_participants()

    def published_participant(self, profile):
        """The participant of a profile in messages and PostgreSQL."""
        return self.tickets[profile].pseudonym if profile in self.tickets else self.straps[profile]

    def published_id(self, profile, session):
        """The ID of a session in messages and PostgreSQL."""
        return self.tickets[profile].alias(session) if profile in self.tickets else session

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

    def published_events(self):
        """The number of stored events by the ID of the session in PostgreSQL."""
        return {self.published_id(profile, session): count for session, profile, count in self.rows(
            "SELECT s.id, p.name, count(*) FROM session s JOIN session_event e ON e.session = s.number "
            "JOIN profile p ON p.number = s.profile GROUP BY s.id")}
