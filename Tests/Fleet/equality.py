"""Compares PostgreSQL with the histories of the receivers: every event, beat, gap and measurement."""
import hashlib
import itertools
import json

from results import Replay

# Columns of which each database has another form.
KEYS = {"id", "session", "profile", "day", "time"}


def event_lines(text):
    """The lines of exported events, without the names that receivers do not send."""
    for line in text.splitlines():
        event = json.loads(line)
        if event["type"] != "header":
            if event["type"] == "link":
                for name in ("strap_name", "reason"):
                    event.pop(name, None)
            yield json.dumps(event, sort_keys=True)


def digest(lines):
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def text_lines(rows):
    return [" ".join(str(value) for value in row) for row in rows]


def first_difference(a, b):
    """The first two lines that differ; None instead of a missing line."""
    return next((pair for pair in itertools.zip_longest(a, b) if pair[0] != pair[1]), None)


class Comparison:
    """The result of comparing all sessions of all receivers."""

    def __init__(self, receivers, collector, primary):
        self.receivers, self.collector, self.primary = receivers, collector, primary
        self.events = self.measurements = 0
        self.beats_by_session = {}
        self.differences = []
        self._hashes = []

    def run(self):
        for receiver in self.receivers:
            for session, count in receiver.events().items():
                self.events += count
                self._compare(receiver, session)
        return self

    @property
    def sessions(self):
        return len(self.beats_by_session)

    @property
    def beats(self):
        return sum(self.beats_by_session.values())

    def beat_hashes(self):
        """SHA-256 over the hashes of the beats of all sessions, of the receivers and of PostgreSQL."""
        return [digest(sorted(f"{session} {pair[side]}" for session, *pair in self._hashes)) for side in (0, 1)]

    def duplicates(self):
        """The number of rows that events which were processed twice would add. The primary keys of these tables permit them."""
        keys = {"beat": "session, ticks, rr_ticks", "gap": "session, start_ticks, end_ticks"}
        sums = " + ".join(
            f"(SELECT count(*) - count(DISTINCT ({columns})) FROM stressmon.{table})" for table, columns in keys.items())
        return int(self.primary.sql(f"SELECT {sums}", "stressmon")[0][0])

    def _compare(self, receiver, session):
        profile = receiver.rows(
            f"SELECT p.name FROM session s JOIN profile p ON p.number = s.profile WHERE s.id = '{session}'")[0][0]
        stored = receiver.published_id(profile, session)
        self._compare_events(receiver, session, stored, profile)
        replay = Replay(receiver.call("replay", "--session", session, "--profile", profile, "--speed", "max", "--json"))
        self._compare_beats(stored, replay)
        self._compare_lines(
            f"gaps of {stored}", text_lines(replay.gaps),
            self._stored("gap", stored, "t.ordinal, t.start_ticks, t.end_ticks, t.cause", "t.ordinal"))
        self._compare_totals(stored, replay)
        self._compare_measurements(receiver, session, stored, replay)

    def _stored(self, table, session, columns, order):
        """The rows of a session in PostgreSQL, as lines of text."""
        return text_lines(self.primary.sql(
            f"SELECT {columns} FROM stressmon.{table} t JOIN stressmon.session s ON s.number = t.session "
            f"WHERE s.id = '{session}' ORDER BY {order}", "stressmon"))

    def _compare_lines(self, name, local, central):
        if local != central:
            expected, found = first_difference(local, central)
            self.differences.append(
                f"{len(central)} {name} instead of {len(local)}; the first difference: {found}, expected {expected}")

    def _compare_events(self, receiver, session, stored, profile):
        local = receiver.call(
            "export", "--format", "jsonl", "--session", session, "--profile", profile, "--output", "-")
        try:
            central = self.collector.call(
                "collect", "export", receiver.straps[profile], "--database", self.collector.target(self.collector),
                "--study", "rest", "--session", stored, "--format", "jsonl", "--output", "-")
        except RuntimeError as error:
            self.differences.append(f"events of {stored}: {error}")
            return
        self._compare_lines(f"events of {stored}", list(event_lines(local)), list(event_lines(central)))

    def _compare_beats(self, session, replay):
        local = text_lines(replay.beats)
        central = self._stored(
            "beat", session, "t.ordinal, t.ticks, t.rr_ticks, t.follows_break::int, t.verdict", "t.ordinal")
        self.beats_by_session[session] = len(central)
        self._hashes.append((session, digest(local), digest(central)))
        if self._hashes[-1][1] != self._hashes[-1][2]:
            self._compare_lines(f"beats of {session}", local, central)

    def _compare_totals(self, session, replay):
        """Sums that batches add to, which a batch that is processed twice would change."""
        beats, normal, intervals, normal_intervals = replay.totals
        rows = self.primary.sql(
            "SELECT s.beats, s.normal_beats, s.rr_ticks, s.gaps, coalesce(sum(m.beats), 0), coalesce(sum(m.normal_beats), 0), "
            "coalesce(sum(m.normal_ticks), 0) FROM stressmon.session s LEFT JOIN stressmon.minute m ON m.session = s.number "
            f"WHERE s.id = '{session}' GROUP BY s.number", "stressmon")
        expected = [beats, normal, intervals, len(replay.gaps), beats, normal, normal_intervals]
        self._compare_lines(f"rows of sums of {session}", text_lines([expected]), text_lines(rows))

    def _compare_measurements(self, receiver, session, stored, replay):
        """Measurements equal those of the receiver, and those of `replay` at the same time, bit for bit."""
        central = {row["ticks"]: row for row in self._central_measurements(stored)}
        local = {row["ticks"]: row for row in self._local_measurements(receiver, session)}
        self.measurements += len(central)
        if central.keys() != local.keys():
            self.differences.append(f"{len(central)} measurements of {stored} instead of {len(local)}")
        for ticks in sorted(central.keys() & local.keys()):
            differing = self._differing_columns(central[ticks], local[ticks], replay.measurements.get(ticks))
            if differing:
                self.differences.append(f"measurement of {stored} at {ticks}: {sorted(differing)}")

    @staticmethod
    def _differing_columns(row, local, replayed):
        if replayed is None:
            return {"it is not one of replay"}
        differing = {name for name in (row.keys() & local.keys()) - KEYS if row[name] != local[name]}
        # `replay` omits factors without a value.
        expected = {name: None for name in row if name.startswith("confidence_")} | replayed
        return differing | {name for name, value in expected.items() if row.get(name) != value}

    def _central_measurements(self, session):
        """The rows of PostgreSQL, whose JSON contains the shortest exact decimals."""
        rows = self.primary.sql(
            "SELECT row_to_json(x) FROM (SELECT m.*, (extract(epoch FROM m.time) * 1000000)::bigint AS time_us "
            "FROM stressmon.measurement m JOIN stressmon.session s ON s.number = m.session "
            f"WHERE s.id = '{session}') x", "stressmon")
        return [json.loads(row[0]) for row in rows]

    @staticmethod
    def _local_measurements(receiver, session):
        return receiver.records(f"SELECT m.* FROM measurement m JOIN session s ON s.number = m.session WHERE s.id = '{session}'")
