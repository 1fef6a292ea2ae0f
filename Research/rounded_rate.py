"""Detection of RR intervals that were computed from a rounded heart rate (docs/design/exertion.md).

python3 Research/rounded_rate.py BINARY FOLDER

FOLDER as for Research/exertion.py. Each recording is converted as a sensor would (the mean of the last n intervals,
rounded to 1 bpm, converted back), from up to 10 starting points, and replayed until it is classified as smoothed.
Needs the standard library only. Takes minutes.
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

from exertion import recordings

UNIT = 1000 / 1024  # ms
MEANS = [1, 4, 8, 20]
WAYS = {
    "rounded to 1/1024 s": lambda ms: round(ms / UNIT) * UNIT,
    "truncated to 1/1024 s": lambda ms: math.floor(ms / UNIT) * UNIT,
    "rounded to 1 ms": lambda ms: float(round(ms)),
    "truncated to 1 ms": lambda ms: float(math.floor(ms)),
}
BEATS, STARTS = 400, 10


def computed(intervals, count, way):
    for end in range(count, len(intervals) + 1):
        mean = sum(intervals[end - count:end]) / count
        yield WAYS[way](60_000 / round(60_000 / mean))


def smoothed_after(binary, intervals, path):
    """Time in s of the first classification as smoothed; None if it does not occur."""
    pathlib.Path(path).write_text("".join("%.6f\n" % interval for interval in intervals))
    command = [binary, "replay", "--speed", "max", "--json", path]
    for line in subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines():
        if '"sensor_class":"smoothed"' in line and line.startswith('{"type":"measurement"'):
            return json.loads(line)["monotonic_s"]
    return None


def variants(intervals):
    """The intervals as recorded, in 1/1024 s, from beats in 1/1024 s, and in 1 ms."""
    yield intervals
    yield [round(interval / UNIT) * UNIT for interval in intervals]
    beats = [0.0]
    for interval in intervals:
        beats.append(beats[-1] + interval)
    units = [round(beat / UNIT) for beat in beats]
    yield [(end - start) * UNIT for start, end in zip(units, units[1:])]
    yield [float(round(interval)) for interval in intervals]


def main():
    binary, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    print("| recording | called smoothed | " + " | ".join("mean of %d" % count for count in MEANS) + " |")
    print("|---|---|" + "---|" * len(MEANS))
    with tempfile.TemporaryDirectory() as temporary:
        path = temporary + "/intervals.txt"
        for name, intervals in recordings(folder):
            wrong = sum(smoothed_after(binary, series, path) is not None for series in variants(intervals))
            intervals = [interval for interval in intervals if 300 <= interval <= 2000]
            step = max(1, (len(intervals) - BEATS) // STARTS)
            cells = []
            for count in MEANS:
                times = [
                    smoothed_after(binary, list(computed(intervals[start:start + BEATS], count, way)), path)
                    for way in WAYS for start in range(0, max(1, len(intervals) - BEATS), step)]
                found = sum(time is not None and time <= 60 for time in times)
                cells.append("%d of %d" % (found, len(times)))
            print("| %s | %d of 4 | %s |" % (name, wrong, " | ".join(cells)), flush=True)


if __name__ == "__main__":
    main()
