"""A receiver with valid credentials that tries to change the sessions of the others."""
import json

import log
from client import Client
from messages import headers, session_id
from polling import wait_for
from receivers import HOSTILE, STUDY

HEADER = {"type": "header", "format": "stressmon-sessions", "version": 1}
MARK = b'{"type":"mark","monotonic_s":99999,"text":"forged"}\n'
# Sessions of which the log has acknowledged so many events are known to it, whatever fails then.
PUBLISHED = 20


class Hostile:
    """Sends forged messages. It reads the IDs of sessions on the receivers, which the log and PostgreSQL do not disclose to it.

    No action waits for a server or depends on the state of one."""

    def __init__(self, fleet, random):
        self.fleet, self.random, self.sent = fleet, random, 0

    def attack(self):
        """Sends the messages for one session to one server, if that accepts a connection."""
        targets = [(receiver, *row) for receiver in self.fleet.receivers for row in self._sessions(receiver)]
        if not targets:
            return
        receiver, session, profile, count = self.random.choice(targets)
        server = self.random.choice(self.fleet.log.servers)
        try:
            client = Client(server.machine.address, f"{self.fleet.certificates}/ca.pem", f"{STUDY}.{HOSTILE}", log.PASSWORD, timeout=1)
            for subject, fields, body in self._messages(receiver.name, receiver.straps[profile], session, count):
                client.send(subject, body, fields)
                self.sent += 1
            client.socket.close()
        except OSError:
            return  # the server is paused, disconnected or killed

    @staticmethod
    def _sessions(receiver):
        return receiver.rows(
            "SELECT s.id, p.name, max(o.next_sequence) FROM publish_position o JOIN session s ON s.number = o.session "
            f"JOIN profile p ON p.number = s.profile WHERE o.next_sequence >= {PUBLISHED} GROUP BY s.id")

    def _messages(self, victim, participant, session, count):
        old = session_id(self.random.uniform(0, 1.5e9))
        own, other = f"lab.{STUDY}.{HOSTILE}.{participant}.none", f"lab.{STUDY}.{victim}.{participant}.none"
        begin, old_begin = (json.dumps({**HEADER, "session": name, "profile": participant}).encode() + b"\n" for name in (session, old))
        return [
            # Replaces the next events, and those far ahead: the session would remain incomplete.
            (own, headers(f"{session}/{count}"), MARK),
            (own, headers(f"{session}/{count + 500}"), MARK),
            # Ends the session now.
            (own, headers(f"{session}/end") | {"Stressmon-Events": str(count)}, begin),
            # Uses the IDs of the next messages, as those of earlier versions were.
            (own, {"Stressmon-Format": "2", "Nats-Msg-Id": f"{session}/{count + 1}"}, MARK),
            # Creates tables of a day before 2017.
            (own, headers(f"{old}/begin"), old_begin),
            # Stops the collector.
            (own, headers(f"{session}/0", "999999"), MARK),
            # Under the name of the other receiver: nats-server reports an error.
            (other, headers(f"{session}/{count + 2}"), MARK)]

    def differences(self):
        """What an attack changed, apart from the comparison of the sessions."""
        stored = self.fleet.primary.sql(
            "SELECT s.id FROM stressmon.session s JOIN stressmon.receiver r ON r.number = s.receiver "
            f"WHERE r.code = '{HOSTILE}'", "stressmon")
        tables = self.fleet.primary.sql("SELECT count(*) FROM pg_tables WHERE tablename ~ '^event_(19|200|201)'", "stressmon")[0][0]
        differences = [f"the hostile receiver owns the session {row[0]}" for row in stored]
        if tables != "0":
            differences.append(f"the hostile receiver created {tables} partitions")
        if self.sent and not wait_for(self._is_rejected, 30):
            differences.append(f"none of {self.sent} forged messages was rejected")
        return differences

    def _is_rejected(self):
        return self.fleet.primary.sql(
            f"SELECT 1 FROM stressmon.rejected WHERE subject LIKE 'lab.{STUDY}.{HOSTILE}.%' LIMIT 1", "stressmon")
