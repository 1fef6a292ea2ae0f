"""The tables of docs/design/exertion.md: windows that are flagged as exertion, on real recordings.

python3 Research/exertion.py BINARY FOLDER

FOLDER/rr and FOLDER/holter contain one file NAME.txt for each recording, with one RR interval in ms per line, and
FOLDER/fit contains NAME.expected.json with the key rr_ms. Needs the standard library only. Takes minutes.
"""

import bisect
import json
import pathlib
import subprocess
import sys
import tempfile

# Parts of recordings in s, with the activity during them. Other recordings of 12 h and more are evaluated in the six
# contiguous hours of lowest heart rate, the remaining ones completely.
PARTS = {
    "h10_walk_run": [("walk and run", 0, 5100), ("all", 0, 1e9)],
    "stryd_run_70min": [("run", 0, 1e9)],
    "fenix5_run_short": [("run", 0, 1e9)],
    "exercise_ectopics": [("rest before", 0, 170), ("cycling", 175, 2010), ("recovery", 2040, 1e9)],
    "rest_supine": [("rest", 0, 1e9)],
    "mitdb100_apc": [("rest", 0, 1e9)],
}
BASELINES = [(50, 60, 0), (50, 60, 30), (45, 55, 30), (40, 70, 30)]  # RMSSD in ms, resting rate in bpm, days
SIX_HOURS = 6 * 3600


def recordings(folder):
    for path in sorted(folder.glob("rr/*.txt")) + sorted(folder.glob("holter/*.txt")):
        if not path.name.endswith(".labels.txt"):
            yield path.stem, [float(line) for line in path.read_text().split()]
    for path in sorted(folder.glob("fit/*.expected.json")):
        yield path.name.removesuffix(".expected.json"), json.loads(path.read_text())["rr_ms"]


def measurements(binary, intervals, baseline, path):
    """Replays the intervals, one per notification: time, heart rate, the factor exertion and the confidence."""
    rmssd, rate, days = baseline
    header = {
        "type": "header", "format": "stressmon-recording", "version": 1, "session": "x",
        "settings": {"window_s": 60, "hrv": "rmssd", "raw": False},
        "baseline": {
            "baseline_rmssd_ms": rmssd, "baseline_sdnn_ms": rmssd, "resting_hr_bpm": rate, "days": days,
            "source": "learned"},
    }
    seconds = 0.0
    with open(path, "w") as file:
        file.write(json.dumps(header) + "\n")
        for interval in intervals:
            units = min(65535, max(1, round(interval * 1.024)))
            seconds += units / 1024
            payload = "1046%02x%02x" % (units & 255, units >> 8)
            file.write('{"type":"notification","monotonic_s":%.4f,"hex":"%s"}\n' % (seconds, payload))
        file.write('{"type":"end","monotonic_s":%.4f}\n' % (seconds + 1))
    command = [binary, "replay", "--speed", "max", "--json", path]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    rows = [json.loads(line) for line in lines if line.startswith('{"type":"measurement"')]
    return [
        (row["monotonic_s"], row["mean_hr_bpm"], row["confidence_factors"].get("exertion", 1), row["confidence"])
        for row in rows if row["stress"] is not None]


def lowest_hours(intervals):
    """Start and end in s of the six contiguous hours with the lowest mean heart rate."""
    times = [0.0]
    for interval in intervals:
        times.append(times[-1] + interval / 1000)
    beats = {}
    for start in range(0, len(times), 50):
        end = bisect.bisect(times, times[start] + SIX_HOURS)
        if end < len(times):
            beats[start] = end - start
    start = min(beats, key=beats.get)
    return times[start], times[start] + SIX_HOURS


def parts(name, intervals):
    if name in PARTS:
        return PARTS[name]
    if sum(intervals) < 12 * 3600 * 1000:
        return [("all", 0, 1e9)]
    return [("six hours of lowest heart rate", *lowest_hours(intervals)), ("all", 0, 1e9)]


def percent(rows, condition):
    return "%.1f" % (100 * sum(map(condition, rows)) / max(1, len(rows)))


def main():
    binary, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    print("| recording, part | baseline: RMSSD, rate, days | windows | exertion | or confidence below 0.5 | factor below 1 |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        for name, intervals in recordings(folder):
            for baseline in BASELINES:
                rows = measurements(binary, intervals, baseline, temporary + "/session.jsonl")
                for label, start, end in parts(name, intervals):
                    part = [row for row in rows if start <= row[0] <= end]
                    print("| %s, %s | %s | %d | %s | %s | %s |" % (
                        name, label, "%d ms, %d bpm, %d" % baseline, len(part),
                        percent(part, lambda row: row[2] < 0.5),
                        percent(part, lambda row: row[2] < 0.5 or row[3] < 0.5),
                        percent(part, lambda row: row[2] < 1)), flush=True)


if __name__ == "__main__":
    main()
