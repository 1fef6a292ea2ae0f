"""Compares PostgreSQL with the histories of the receivers: every event, beat and measurement."""
import hashlib
import json


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


class Comparison:
    """The result of comparing all sessions of all receivers."""

    def __init__(self, receivers, collector, primary):
        self.receivers, self.collector, self.primary = receivers, collector, primary
        self.sessions = self.events = self.beats = self.measurements = 0
        self.differences = []

    def run(self):
        for receiver in self.receivers:
            for session, count in receiver.events().items():
                self.sessions += 1
                self.events += count
                self._compare_events(receiver, session)
                self._compare_results(receiver, session)
        return self

    def _compare_events(self, receiver, session):
        profile = receiver.rows(
            f"SELECT p.name FROM session s JOIN profile p ON p.number = s.profile WHERE s.id = '{session}'")[0][0]
        local = receiver.call(
            "export", "--format", "jsonl", "--session", session, "--profile", profile, "--output", "-")
        central = self.collector.call(
            "export", "--from", self.collector.target(self.collector), "--study", "rest", "--participant",
            receiver.straps[profile], "--session", session, "--format", "jsonl", "--output", "-")
        if digest(event_lines(local)) != digest(event_lines(central)):
            self.differences.append(f"events of {session}")

    def _compare_results(self, receiver, session):
        """Measurements and beats equal those of `stressmon replay`, whose numbers are exact decimals of doubles.

        `beats` of replay counts the normal beats of the window."""
        profile = receiver.rows(
            f"SELECT p.name FROM session s JOIN profile p ON p.number = s.profile WHERE s.id = '{session}'")[0][0]
        replay = [json.loads(line) for line in receiver.call(
            "replay", "--session", session, "--profile", profile, "--speed", "max", "--json").splitlines()]
        computed = {round(line["monotonic_s"] * 80_000_000): line for line in replay if line["type"] == "measurement"}
        rows = self.primary.sql(
            "SELECT m.ticks, m.stress, m.rmssd_ms, m.sdnn_ms, m.mean_hr_bpm, m.coverage, m.confidence, m.normal_beats "
            f"FROM stressmon.measurement m JOIN stressmon.session s ON s.number = m.session WHERE s.id = '{session}'",
            "stressmon")
        keys = ("stress", "rmssd_ms", "sdnn_ms", "mean_hr_bpm", "coverage", "confidence", "beats")
        for ticks, *values in rows:
            expected = computed.get(int(ticks), {})
            found = [float(value) if value else None for value in values]
            if found != [expected.get(key, "missing") for key in keys]:
                self.differences.append(f"measurement of {session} at {ticks}: {found}, expected {expected}")
        self.measurements += len(rows)
        local = receiver.rows(
            f"SELECT count(*) FROM measurement m JOIN session s ON s.number = m.session WHERE s.id = '{session}'")[0][0]
        if local != len(rows):
            self.differences.append(f"{len(rows)} measurements of {session} instead of {local}")
        beats = int(self.primary.sql(
            "SELECT count(*) FROM stressmon.beat b JOIN stressmon.session s ON s.number = b.session "
            f"WHERE s.id = '{session}'", "stressmon")[0][0])
        if beats != len(computed):
            self.differences.append(f"{beats} beats of {session} instead of {len(computed)}")
        self.beats += beats
