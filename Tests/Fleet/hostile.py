"""A receiver with valid credentials that tries to change the sessions of the others."""
import base64
import json

import log
from cipher import Sealer
from client import Client
from collectors import USER
from messages import headers, session_id
from polling import wait_for
from receivers import HOSTILE, STUDY

HEADER = {"type": "header", "format": "stressmon-sessions", "version": 1}
MARK = b'{"type":"mark","monotonic_s":99999,"text":"forged"}\n'
# Numbers at the limits of the types that parse them, and beyond.
EXTREMES = ("0", "-1", "255", str(2 ** 31), str(2 ** 53 + 1), str(2 ** 63 - 2), str(2 ** 63 - 1), str(2 ** 64), "1e308", "-1e308", "9" * 400)
# How often messages of an attack are sent again with equal IDs.
REPLAYS = 2
# Sessions of which the log has acknowledged so many events are known to it, whatever fails then.
PUBLISHED = 20
# How often the attack on stored sessions is sent if the stream loses messages of it.
ATTEMPTS = 3
# Which reasons a rejected message can have, by a word of its ID.
REASONS = {"sealed": "belongs to |began on |new days", "replayed": "belongs to |was changed"}


class Hostile:
    """Sends forged messages. It reads the IDs of sessions on the receivers, which the log and PostgreSQL do not disclose to it.

    No action waits for a server or depends on the state of one."""

    def __init__(self, fleet, random):
        self.fleet, self.random, self.sent = fleet, random, 0
        # Those of an earlier schedule that failed.
        self.owned_before = self._owned()

    def attack(self):
        """Sends the messages for one session to one server, if that accepts a connection."""
        targets = [(receiver, *row) for receiver in self.fleet.receivers for row in self._sessions(receiver)]
        if not targets:
            return
        receiver, session, participant, count, ticket = self.random.choice(targets)
        address = self.random.choice(self.fleet.log.servers).machine.address
        try:
            client = self._client(address, 1)
            messages = self._messages(receiver.name, participant, session, count)
            messages += self._extremes(participant, session, count) + self._sealed(messages, ticket)
            messages += self._replayed(address, receiver.name, participant, 1)
            for subject, fields, body in messages + self.random.sample(messages, REPLAYS):
                client.send(subject, body, fields)
                self.sent += 1
            client.socket.close()
        except OSError:
            return  # the server is paused, disconnected or killed

    def _client(self, address, timeout=15):
        return Client(address, f"{self.fleet.certificates}/ca.pem", f"{STUDY}.{HOSTILE}", log.PASSWORD, timeout=timeout)

    @staticmethod
    def _sessions(receiver):
        """The ID and the participant of each session in messages, the number of its events that the log has acknowledged, and the ticket of
        the participant, None without a key."""
        rows = receiver.rows(
            "SELECT s.id, p.name, max(o.next_sequence) FROM publish_position o JOIN session s ON s.number = o.session "
            f"JOIN profile p ON p.number = s.profile WHERE o.next_sequence >= {PUBLISHED} GROUP BY s.id")
        return [(receiver.published_id(profile, session), receiver.published_participant(profile), count, receiver.tickets.get(profile))
                for session, profile, count in rows]

    @staticmethod
    def _sealed(messages, ticket, repetition=""):
        """Own messages, encrypted with an own key to the participant, as a receiver with the ticket could. Collectors can read them."""
        if not ticket:
            return []
        sealer, sealed = Sealer(ticket), []
        for subject, fields, body in messages:
            if f".{HOSTILE}.{ticket.pseudonym}." in subject:
                fields = fields | {"Nats-Msg-Id": fields["Nats-Msg-Id"].replace("/test", "/sealed") + repetition}
                sealed.append((subject, *sealer.seal(subject, fields, body)))
        return sealed

    def _replayed(self, address, victim, participant, timeout=15):
        """The latest message of another receiver, unchanged under an own subject, and under another ID. Receivers cannot read messages, so it
        is read as a collector."""
        reader = Client(address, f"{self.fleet.certificates}/ca.pem", USER, log.COLLECTOR_PASSWORD, timeout=timeout)
        try:
            found = reader.api(f"STREAM.MSG.GET.fleet-{STUDY}", last_by_subj=f"lab.{STUDY}.{victim}.{participant}.*.*")["message"]
        except (RuntimeError, ValueError):
            return []  # no server leads the stream, or it does not contain a message
        finally:
            reader.socket.close()
        lines = base64.b64decode(found["hdrs"]).decode().split("\r\n")[1:]
        fields = dict(line.split(": ", 1) for line in lines if ": " in line and not line.startswith("Nats-Expected"))
        own, body = f"lab.{STUDY}.{HOSTILE}.{participant}.none", base64.b64decode(found["data"])
        session, part = fields["Nats-Msg-Id"].split("/")[:2]
        return [(own, fields, body), (own, fields | {"Nats-Msg-Id": f"{session}/{part}/replayed"}, body)]

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

    def attack_stored(self):
        """Sends messages for each session, also through other partitions, without failures of servers. PostgreSQL contains the sessions, so all
        of the messages are rejected.

        Returns what was not rejected. After failures of servers, the replicas of a stream of nats-server 2.9 can differ: an
        acknowledged message is lost, or has another sequence number for the consumers. Therefore messages are identified by their
        IDs, and the attack is repeated."""
        missing = []
        for attempt in range(ATTEMPTS):
            sent = self._send_foreign(attempt)
            wait_for(lambda: not self._unrejected(sent), 60)
            missing = self._unrejected(sent)
            if not missing:
                break
        return [f"the forged message {message} was not rejected" for message in missing]

    def _send_foreign(self, attempt):
        """Sends the messages for all sessions, and returns their IDs."""
        targets = [(receiver.name, *row) for receiver in self.fleet.receivers for row in self._sessions(receiver)]
        address = self.fleet.log.servers[0].machine.address
        client, sent = self._client(address), []

        def send(subject, fields, body):
            client.request(subject, body, fields)
            sent.append(fields["Nats-Msg-Id"])

        for receiver, session, participant, _, ticket in targets:
            for number, (subject, fields, body) in enumerate(self._foreign(participant, session, self.random.choice(targets)[1])):
                part = fields["Nats-Msg-Id"].split("/")[1]
                send(subject, fields | {"Nats-Msg-Id": f"{session}/{part}/stored{number}/{attempt}"}, body)
            for message in self._sealed(self._own(participant, session), ticket, f"/{attempt}"):
                send(*message)
            for subject, fields, body in self._replayed(address, receiver, participant)[1:]:
                send(subject, fields | {"Nats-Msg-Id": f"{fields['Nats-Msg-Id']}/{attempt}"}, body)
        self.sent += len(sent)
        client.socket.close()
        return sent

    def _unrejected(self, messages):
        """The IDs that the table of rejected messages does not contain."""
        values = ", ".join(f"('{message}')" for message in messages)
        return [row[0] for row in self.fleet.primary.sql(
            f"SELECT id FROM (VALUES {values}) sent (id) WHERE NOT EXISTS (SELECT FROM stressmon.rejected WHERE message = id) "
            "ORDER BY id", "stressmon")]

    def _extremes(self, participant, session, count):
        """Messages for the session with extreme numbers in each field that contains a number."""
        own = f"lab.{STUDY}.{HOSTILE}.{participant}.none"
        number, other, end = (self.random.choice(EXTREMES) for _ in range(3))
        mark = f'{{"type":"mark","monotonic_s":{number},"text":"forged"}}\n'.encode()
        # An event, a range, a number of events, the first deleted event, a time, and a repetition.
        return [
            (own, headers(f"{session}/{number}"), MARK),
            (own, headers(f"{session}/{count}-{other}"), MARK),
            (own, headers(f"{session}/end") | {"Stressmon-Events": end}, MARK),
            (own, headers(f"{session}/{count + 3}") | {"Stressmon-Deleted-From": number}, MARK),
            (own, headers(f"{session}/{count}"), mark),
            (own, headers(f"{session}/{count}") | {"Nats-Msg-Id": f"{session}/{count}/test/{other}"}, MARK)]

    @staticmethod
    def _own(participant, session):
        """The header and an event of a session under the name of the hostile receiver."""
        own = f"lab.{STUDY}.{HOSTILE}.{participant}.none"
        header = json.dumps({**HEADER, "session": session, "profile": participant}).encode() + b"\n"
        return [(own, headers(f"{session}/begin"), header), (own, headers(f"{session}/1"), MARK)]

    @staticmethod
    def _foreign(participant, session, other):
        """Messages that connect a session with another participant, another partition, or another session."""
        own = f"lab.{STUDY}.{HOSTILE}"
        header = json.dumps({**HEADER, "session": other, "profile": participant}).encode() + b"\n"
        return [
            (f"{own}.P999.none", headers(f"{session}/begin"), header),
            (f"{own}.P998.none", headers(f"{session}/0"), MARK),
            # The header of another session than that of the ID.
            (f"{own}.{participant}.none", headers(f"{session}/begin"), header),
            (f"{own}.{participant}.none", headers(f"{session}/1"), MARK)]

    def differences(self):
        """What an attack changed, apart from the comparison of the sessions."""
        tables = self.fleet.primary.sql("SELECT count(*) FROM pg_tables WHERE tablename ~ '^event_(19|200|201)'", "stressmon")[0][0]
        differences = [f"the hostile receiver owns the session {session}" for session in self._owned() - self.owned_before]
        if tables != "0":
            differences.append(f"the hostile receiver created {tables} partitions")
        if self.sent and not wait_for(lambda: self._is_rejected(f"subject LIKE 'lab.{STUDY}.{HOSTILE}.%'"), 30):
            differences.append(f"none of {self.sent} forged messages was rejected")
        for word, reasons in REASONS.items():
            differences += [f"the forged message {message} was rejected: {reason}" for message, reason in self.fleet.primary.sql(
                f"SELECT message, reason FROM stressmon.rejected WHERE message ~ '/{word}(/|$)' AND reason !~ '{reasons}'", "stressmon")]
        return differences

    def _owned(self):
        """The sessions that PostgreSQL contains under the name of the hostile receiver."""
        return {row[0] for row in self.fleet.primary.sql(
            "SELECT s.id FROM stressmon.session s JOIN stressmon.receiver r ON r.number = s.receiver "
            f"WHERE r.code = '{HOSTILE}'", "stressmon")}

    def _is_rejected(self, condition):
        return self.fleet.primary.sql(f"SELECT 1 FROM stressmon.rejected WHERE {condition} LIMIT 1", "stressmon")
