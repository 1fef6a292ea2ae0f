"""`collect forget` and `collect expire`."""
import datetime
import json
import math
import os

from messages import headers
from polling import wait_for
from receivers import STUDY
from scenario import STREAM

# Tables that refer to a session or a participant keep no row of an erased one, except this record.
RECORD = "erasure"


def forget(test):
    """Removes a participant while the receiver publishes."""
    _add(test, {"s3": "P103", "s4": "P104"})
    test.arrives("further participants")
    sequence = test.receiver_client().request("lab.rest.R1.P103.none", b"x", headers("x"))["seq"]
    wait_for(lambda: test.sql(f"SELECT 1 FROM stressmon.rejected WHERE stream_sequence = {sequence}"))
    person = Person(test, "P103")
    rows = person.rows()
    filled = {"participant", "session", "event", "beat", "measurement", "minute", "link_change", "rejected"}
    test.check("before forget: the tables contain the participant", filled <= rows.keys() and RECORD not in rows, rows)
    test.check("before forget: the stream contains the participant", person.messages() > 0)
    test.fails("forget of an unknown code", _forget(test, "P199"), "neither the database nor the stream contains")
    result = _forget(test, "P103")
    test.check("forget: exit code 0", result.returncode == 0 and "removed 1 session" in result.stderr, result)
    _is_erased(test, "forget", person)
    record = test.sql("SELECT sessions, events > 0, stream_purged IS NOT NULL FROM stressmon.erasure WHERE participant = 'P103'")
    test.check("forget: recorded", record == [["1", "t", "t"]], record)
    _publish_again(test, person)


def _publish_again(test, person):
    """The receiver still lists the participant."""
    before = test.health()["erased"]
    _record(test, "s3")
    found = wait_for(lambda: test.health()["erased"] > before)
    test.check("messages after forget: received", found, test.health())
    test.check("messages after forget: acknowledged and removed from the stream",
               wait_for(lambda: test.waiting() == 0 and person.messages() == 0), person.messages())
    _is_erased(test, "messages after forget", person)
    _remove(test, "s3")


def forget_without_stream(test):
    """Removes a participant after the stream was deleted, then creates the stream again."""
    person = Person(test, "P104")
    test.stop_publisher()
    test.stop_collector()
    test.check("deleted stream: the tables contain the participant", person.rows().get("beat", 0) > 0, person.rows())
    test.admin.api(f"STREAM.DELETE.{STREAM}")
    result = _forget(test, "P104")
    test.check("forget without a stream: exit code 0", result.returncode == 0, result)
    rows = person.rows()
    test.check("forget without a stream: no table contains the participant", rows == {RECORD: 1}, rows)
    record = test.sql("SELECT stream_purged IS NULL FROM stressmon.erasure WHERE participant = 'P104'")
    test.check("forget without a stream: recorded", record == [["t"]], record)
    _remove(test, "s4")
    test.start_collector("--replicas", "3")
    test.reports_no_error("new stream")
    test.start_publisher()
    found = wait_for(lambda: test.admin.api(f"STREAM.INFO.{STREAM}")["state"]["messages"] > 0)
    test.check("new stream: the receiver sends everything again", found)
    test.arrives("new stream")


def forget_key(test):
    """Destroys the key of a participant. No file of a server contains the code or the session before or after that."""
    ticket = _admit(test, "P105")
    test.check("admit: repeated, prints the same ticket", _admit(test, "P105") == ticket)
    _add(test, {"s5": ticket})
    session, = _sessions(test, "s5")
    test.arrives("participant with a key")
    pseudonym, stored = test.sql("SELECT p.code, s.id FROM stressmon.session s JOIN stressmon.participant p ON p.number = s.participant "
                                 "WHERE p.code ~ '^p[0-9a-f]{18}$'")[0]
    test.check("participant with a key: another ID, of the same day", stored != session and stored[:4] == session[:4], (stored, session))
    lines = _export(test, "P105").splitlines()
    count = test.receiver.events()[session]
    test.check("participant with a key: exported under the code", len(lines) == count + 1 and '"profile":"P105"' in lines[0],
               (len(lines), count, lines[:1]))
    other = test.session("s1")
    found = _files(test, ["P101".encode(), other.encode()])
    test.check("byte search: finds participants without a key", all(found.values()), found)
    secrets = ["P105".encode(), session.encode(), _record_key(test)]
    _contain_nothing(test, "before forget", secrets)
    plain = test.receiver_client().request(f"lab.{STUDY}.R1.{pseudonym}.none", b"x", headers("unencrypted"))["seq"]
    query = f"SELECT reason FROM stressmon.rejected WHERE stream_sequence = {plain}"
    wait_for(lambda: test.sql(query))
    reasons = test.sql(query)
    test.check("unencrypted message under a pseudonym: rejected", reasons and "not encrypted" in reasons[0][0], reasons)
    result = _forget(test, "P105")
    test.check("forget of a key: exit code 0", result.returncode == 0 and "removed 1 session" in result.stderr, result)
    person_rows = test.sql(f"SELECT 1 FROM stressmon.participant WHERE code = '{pseudonym}'")
    test.check("forget of a key: no rows remain", person_rows == [], person_rows)
    _contain_nothing(test, "after forget", secrets)
    key_file = open(test.collector.machine.file(KEYS), "rb").read()
    test.check("forget of a key: the file of keys contains neither code nor key", not any(secret in key_file for secret in secrets[::2]))
    test.fails("forget of a key: the code is unknown", _forget(test, "P105"), "does not contain it either")
    erased = test.health()["erased"]
    _record(test, "s5")
    found = wait_for(lambda: test.health()["erased"] > erased and test.waiting() == 0)
    test.check("messages after the key was destroyed: discarded, and no key is missed",
               found and test.health()["error"] is None, test.health())
    _remove(test, "s5")


# The file of keys below the home directory of a collector.
KEYS = ".config/stressmon/participants.keys"


def _admit(test, code):
    result = test.collect("admit", code, "--from", test.collector.source(test.collector))
    test.check(f"admit {code}: exit code 0", result.returncode == 0 and result.stdout.startswith("SP1-"), result)
    return result.stdout.strip()


def _record_key(test):
    """The private key as the file of keys contains it."""
    with open(test.collector.machine.file(KEYS)) as file:
        return json.loads(file.readlines()[-1])["key"].encode()


def _sessions(test, profile):
    return [row[0] for row in test.receiver.rows(
        f"SELECT s.id FROM session s JOIN profile p ON p.number = s.profile WHERE p.name = '{profile}'")]


def _export(test, code):
    return test.collector.call("collect", "export", code, "--database", test.collector.target(test.collector), "--study", STUDY,
                               "--format", "jsonl", "--output", "-")


def _files(test, secrets):
    """The files of the servers that contain each of `secrets`: those of all nats-servers, and the live ones of PostgreSQL."""
    test.primary.sql("CHECKPOINT", "stressmon")
    folders = [server.machine.file("streams") for server in test.fleet.log.servers]
    folders += [os.path.join(test.primary.data, name) for name in ("base", "global")]
    found = {secret: [] for secret in secrets}
    for folder in folders:
        for path, _, names in os.walk(folder):
            for name in names:
                try:
                    with open(os.path.join(path, name), "rb") as file:
                        content = file.read()
                except OSError:
                    continue  # removed meanwhile
                for secret in secrets:
                    if secret in content:
                        found[secret].append(os.path.join(path, name))
    return found


def _contain_nothing(test, name, secrets):
    found = _files(test, secrets)
    test.check(f"byte search {name}: no file contains the code, the session or the key", not any(found.values()), found)


def expire(test):
    """Removes days of which all messages are older than the limit."""
    today = datetime.datetime.now(datetime.timezone.utc).date()
    old, newer = today - datetime.timedelta(days=500), today - datetime.timedelta(days=300)
    sessions = {day: _import(test, day) for day in (old, newer)}
    _are_refused(test, sessions)
    test.arrives("imported sessions")
    days = test.sql("SELECT DISTINCT day FROM stressmon.session ORDER BY day")
    _expires(test, "expire: a day with new messages remains", [], days)
    test.sql(f"UPDATE stressmon.session SET updated = now() - interval '450 days' WHERE day <= '{newer}'")
    _expires(test, "expire: removes the old day only", [str(old)], [day for day in days if day != [str(old)]])
    tables = test.sql(f"SELECT tablename FROM pg_tables WHERE schemaname = 'stressmon' AND tablename ~ '_{old:%Y%m%d}$'")
    test.check("expire: its partitions were removed", tables == [], tables)
    test.receiver.call("delete", "--session", sessions[old], "--yes", "--profile", "s1")
    test.arrives("expire: the other sessions")


def _are_refused(test, sessions):
    """Sessions of days before the study are rejected until it accepts them."""

    def reasons():
        names = ", ".join(f"'{session}'" for session in sessions.values())
        return test.sql("SELECT split_part(message, '/', 1), min(reason), max(reason) FROM stressmon.rejected "
                        f"WHERE split_part(message, '/', 1) IN ({names}) GROUP BY 1")

    found = wait_for(lambda: len(reasons()) == len(sessions))
    test.check("old sessions: rejected with the reason",
               found and all("--accept-since" in reason for _, *both in reasons() for reason in both), reasons())
    tables = test.sql(f"SELECT tablename FROM pg_tables WHERE schemaname = 'stressmon' AND tablename ~ '_{min(sessions):%Y%m%d}$'")
    test.check("old sessions: no table is created", tables == [], tables)
    test.stop_collector()
    test.start_collector("--accept-since", str(min(sessions)))


def _expires(test, name, removed, remaining):
    result = test.collect("expire", "--older-than", "400d", "--into", test.collector.target(test.collector))
    days = test.sql("SELECT DISTINCT day FROM stressmon.session ORDER BY day")
    test.check(name, result.returncode == 0 and result.stdout.split() == removed and days == remaining, (result, days))


def _import(test, day):
    """Imports ten minutes of RR intervals as a session of a day, and returns its ID. Equal intervals would not be imported again."""
    path = test.receiver.machine.file(f"{day}.txt")
    with open(path, "w") as file:
        file.writelines(f"{850 + round(40 * math.sin(beat / 5 + day.toordinal()))}\n" for beat in range(700))
    test.receiver.create_profiles("s1")
    test.receiver.call("import", path, "--at", f"{day}T07:30", "--profile", "s1")
    known = test.receiver.rows("SELECT id FROM session ORDER BY number DESC LIMIT 1")
    return known[0][0]


class Person:
    """The rows and messages of a participant. Numbers are those before the erasure."""

    def __init__(self, test, code):
        self.test, self.code = test, code
        self.number = test.sql(f"SELECT number FROM stressmon.participant WHERE code = '{code}'")[0][0]
        sessions = test.sql(f"SELECT number, id FROM stressmon.session WHERE participant = {self.number}")
        self.sessions = [name for session in sessions for name in session]

    def rows(self):
        """The number of rows by table, of those that contain any."""
        columns = self.test.sql(
            "SELECT c.table_name, c.column_name FROM information_schema.columns c JOIN information_schema.tables t "
            "USING (table_schema, table_name) JOIN pg_class p ON p.oid = (c.table_schema || '.' || c.table_name)::regclass "
            "WHERE c.table_schema = 'stressmon' AND t.table_type = 'BASE TABLE' AND NOT p.relispartition "
            "AND c.column_name IN ('session', 'participant', 'subject', 'message')")
        conditions = {"session": self._is_one_of("session", self.sessions), "subject": f"subject LIKE 'lab.{STUDY}.%.{self.code}.%'",
                      "participant": self._is_one_of("participant", [self.number, self.code]),
                      "message": self._is_one_of("split_part(message, '/', 1)", self.sessions)}
        tables = {}
        for table, column in columns:
            tables.setdefault(table, []).append(conditions[column])
        tables["participant"] = [f"code = '{self.code}'"]
        counts = {table: self.test.sql(f"SELECT count(*) FROM stressmon.{table} WHERE {' OR '.join(parts)}")[0][0]
                  for table, parts in tables.items()}
        return {table: int(count) for table, count in counts.items() if count != "0"}

    @staticmethod
    def _is_one_of(column, values):
        return f"{column}::text IN ({', '.join(repr(value) for value in values)})"

    def messages(self):
        """The number of messages in the stream."""
        state = self.test.admin.api(f"STREAM.INFO.{STREAM}", subjects_filter=f"lab.{STUDY}.*.{self.code}.>")["state"]
        return sum((state.get("subjects") or {}).values())


def _is_erased(test, name, person):
    rows = person.rows()
    test.check(f"{name}: no table contains the participant", rows == {RECORD: 1}, rows)
    test.check(f"{name}: the stream does not contain the participant", person.messages() == 0, person.messages())


def _forget(test, code):
    return test.collect("forget", code, "--yes", "--from", test.collector.source(test.collector), "--into",
                        test.collector.target(test.collector))


def _add(test, participants):
    """Records a session of further profiles, and publishes them."""
    for profile, code in participants.items():
        test.receiver.list_participant(profile, code)
        _record(test, profile)
    test.stop_publisher()
    test.start_publisher()


def _record(test, profile):
    test.receiver.create_profiles(profile)
    test.receiver.call("live", "--simulate", "--profile", profile, "--plain", "--speed", "max", "--duration", "10m")


def _remove(test, profile):
    """Removes a profile from the receiver, so that the comparison ignores it."""
    test.receiver.call("delete", "--all", "--yes", "--profile", profile)
    test.receiver.unlist_participant(profile)
