"""The tables of docs/design/exertion.md: windows that are flagged as exertion, on real recordings.

python3 Research/exertion.py BINARY FOLDER

FOLDER/rr and FOLDER/holter contain one file NAME.txt for each recording, with one RR interval in ms per line, and
FOLDER/fit contains NAME.expected.json with the key rr_ms. FOLDER/nights (NAME.csv: time, RR in ms, flag) and
FOLDER/wearer (NAME.txt) contain the sessions of one person each. Needs the standard library only. Takes minutes.
"""

import bisect
import json
import pathlib
import statistics
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
# Rises of the heart rate as fractions of the reserve from the resting rate to 180 bpm.
RISES = [0.05, 0.075, 0.1, 0.15, 0.2]


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
        (row["monotonic_s"], row["mean_hr_bpm"], row["confidence_factors"].get("exertion", 1), row["confidence"],
         row["rmssd_ms"])
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


def sessions(folder):
    """The sessions of at least an hour of each person, by folder."""
    nights = [
        [float(line.split(",")[1]) for line in path.read_text().splitlines()[1:]]
        for path in sorted(folder.glob("nights/*.csv"))]
    wearer = [
        [float(line) for line in path.read_text().split()] for path in sorted(folder.glob("wearer/d*.txt"))]
    for name, found in (("nights", nights), ("wearer", wearer)):
        yield name, [intervals for intervals in found if sum(intervals) >= 3600 * 1000]


def longest_parts(name, found):
    """All windows; for the wearer, who is awake in part of them, also the six hours of lowest heart rate."""
    whole = [(0, 1e9)] * len(found)
    if name == "nights":
        return [("all", whole)]
    calm = [lowest_hours(rr) if sum(rr) >= 1000 * SIX_HOURS else (0, 0) for rr in found]
    return [("six hours of lowest heart rate", calm), ("all", whole)]


def people(binary, folder, path):
    """The rows of people with several sessions, and the windows of their rest relative to their own median."""
    rest = {}
    for name, found in sessions(folder):
        standard = [measurements(binary, rr, BASELINES[1], path) for rr in found]
        every = [row for rows in standard for row in rows]
        own = (statistics.median(row[4] for row in every), statistics.median(row[1] for row in every), 30)
        learned = [measurements(binary, rr, own, path) for rr in found]
        for baseline, series in ((BASELINES[1], standard), (own, learned)):
            for label, times in longest_parts(name, found):
                part = [row for rows, (start, end) in zip(series, times) for row in rows if start <= row[0] <= end]
                print_row("%s (%d sessions), %s" % (name, len(found), label), baseline, part)
                rest.setdefault("%s, %s" % (name, label), part)
    return rest


def print_row(name, baseline, part):
    print("| %s | %s | %d | %s | %s | %s |" % (
        name, "%.0f ms, %.0f bpm, %d" % baseline, len(part), percent(part, lambda row: row[2] < 0.5),
        percent(part, lambda row: row[2] < 0.5 or row[3] < 0.5), percent(part, lambda row: row[2] < 1)), flush=True)


def print_rises(rest):
    """Windows of rest with a heart rate above fractions of the reserve, relative to the median of the part."""
    print("\n| rest | median, bpm |" + "".join(" %.1f %% |" % (100 * rise) for rise in RISES))
    print("|---|---|" + "---|" * len(RISES))
    for name, part in rest.items():
        resting = statistics.median(row[1] for row in part)
        above = [
            percent(part, lambda row: row[1] >= resting + rise * (180 - resting)) for rise in RISES]
        print("| %s | %.0f | %s |" % (name, resting, " | ".join(above)))


def main():
    binary, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    print("| recording, part | baseline: RMSSD, rate, days | windows | exertion | or confidence below 0.5 | factor below 1 |")
    print("|---|---|---|---|---|---|")
    rest = {}
    with tempfile.TemporaryDirectory() as temporary:
        for name, intervals in recordings(folder):
            for baseline in BASELINES:
                rows = measurements(binary, intervals, baseline, temporary + "/session.jsonl")
                for label, start, end in parts(name, intervals):
                    part = [row for row in rows if start <= row[0] <= end]
                    print_row("%s, %s" % (name, label), baseline, part)
                    if label.startswith(("rest", "six hours")):
                        rest["%s, %s" % (name, label)] = part
        rest.update(people(binary, folder, temporary + "/session.jsonl"))
    print_rises(rest)


if __name__ == "__main__":
    main()
