"""The results of a session, computed by `stressmon replay` from the history of its receiver."""
import collections
import json

TICKS_PER_SECOND = 80_000_000
TICKS_PER_MILLISECOND = 80_000
# The columns of the table `measurement` that measurements of `replay --json` contain under the same name.
MEASURED = (
    "window_s", "stress", "stress_low", "stress_high", "stress_range_low", "stress_range_high", "category", "rmssd_ms", "sdnn_ms", "mean_nn_ms", "mean_hr_bpm",
    "pnn50_percent", "coverage", "sensor_class", "confidence")


def _ticks(seconds):
    return round(seconds * TICKS_PER_SECOND)


class Replay:
    """The output of `replay --json`, which contains one measurement per beat, as rows of the tables of PostgreSQL.

    Times and RR intervals of the output are exact decimals, so that the rows are exact as well."""

    def __init__(self, text):
        # Beats: ordinal, ticks, rr_ticks, follows_break, verdict. Gaps: ordinal, start_ticks, end_ticks, cause.
        self.beats, self.gaps = [], []
        # Columns by ticks.
        self.measurements = {}
        self._intervals, self._follows_break = collections.deque(), True
        for line in text.splitlines():
            self._add(json.loads(line))

    def _add(self, line):
        if line["type"] == "notification":
            self._intervals.extend(line.get("rr_ms", []))
        elif line["type"] == "gap":
            self._follows_break = self._follows_break or line["cause"] != "long-interval"
            self.gaps.append((len(self.gaps), _ticks(line["start_s"]), _ticks(line["monotonic_s"]), line["cause"]))
        elif line["type"] == "measurement":
            self._add_beat(line)

    def _add_beat(self, line):
        ticks, verdict = _ticks(line["monotonic_s"]), line["verdict"]
        interval = round(self._intervals.popleft() * TICKS_PER_MILLISECOND)
        self.beats.append((len(self.beats), ticks, interval, int(self._follows_break), verdict))
        self._follows_break = verdict == "gap"
        factors = {f"confidence_{name}": value for name, value in line["confidence_factors"].items()}
        self.measurements[ticks] = {
            **{name: line[name] for name in MEASURED}, "normal_beats": line["beats"], **factors}

    @property
    def totals(self):
        """Beats, normal beats, the sum of the RR intervals, and that of the normal ones."""
        normal = [beat[2] for beat in self.beats if beat[4] == "normal"]
        return len(self.beats), len(normal), sum(beat[2] for beat in self.beats), sum(normal)
