#!/usr/bin/env python3
"""False positives and power of `compare` on undisturbed rest.

    python3 Research/rest_changes.py BINARY DATA

DATA contains rr/ and holter/ with one RR interval in ms per line. Rests are the whole of rest_supine, and parts of ten
minutes of the 24 h recordings (nsr*) with a heart rate in the slower two fifths of the day and each minute within 5 % of
their median. Prints tables in Markdown:

- the fraction of pairs of adjacent undisturbed windows that is reported as changed, and the fraction of changes that is
  detected if RMSSD of the second window is scaled by a factor, without a history;
- the fraction of adjacent undisturbed minutes that is reported as changed after half an hour of rest of the same person
  was imported: the first half hour, and three others. Pairs of the imported rests are excluded.

Requires only the standard library. The run takes a few minutes.
"""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

FACTORS = (0.5, 0.7, 1.5, 2.0)


def intervals(path):
    with open(path) as file:
        return [float(line) for line in file if line.strip()]


def rests_of_day(rr):
    """Parts of ten minutes with a low and steady heart rate."""
    cuts, seconds = [0], 0.0
    for place, interval in enumerate(rr):
        seconds += interval / 1000
        if seconds >= 60 * len(cuts):
            cuts.append(place + 1)
    rates = [60000 / statistics.mean(rr[a:b]) if b > a + 20 else 0 for a, b in zip(cuts, cuts[1:])]
    limit = sorted(rates)[len(rates) * 2 // 5]
    found, start = [], 0
    while start + 10 < len(cuts):
        part, beats = rates[start : start + 10], rr[cuts[start] : cuts[start + 10] + 2]
        middle = statistics.median(part)
        steady = min(part) > 0 and all(abs(rate / middle - 1) <= 0.05 for rate in part)
        if steady and statistics.mean(part) <= limit and max(beats[:-2]) < 3000:
            found.append(beats)
            start += 10
        else:
            start += 1
    return found


def recordings(data):
    for folder in ("rr", "holter"):
        path = os.path.join(data, folder)
        for name in sorted(os.listdir(path)) if os.path.isdir(path) else []:
            stem = name.removesuffix(".txt")
            if stem == name or stem.endswith(".labels"):
                continue
            if stem == "rest_supine":
                yield stem, [intervals(os.path.join(path, name))]
            elif stem.startswith("nsr"):
                yield stem, rests_of_day(intervals(os.path.join(path, name)))


def rmssd(rr):
    return math.sqrt(statistics.mean((b - a) ** 2 for a, b in zip(rr, rr[1:])))


def scaled(rr, factor):
    """Scales the deviations from a running mean of 11 intervals until RMSSD is `factor` times as large."""
    last = len(rr) - 1
    mean = [statistics.mean(rr[min(abs(j), last)] for j in range(i - 5, i + 6)) for i in range(len(rr))]
    low, high, wanted = 0.0, 6.0, factor * rmssd(rr)
    for _ in range(30):
        gain = (low + high) / 2
        changed = [m + gain * (x - m) for x, m in zip(rr, mean)]
        low, high = (gain, high) if rmssd(changed) < wanted else (low, gain)
    return [max(200.0, x) for x in changed]


class Program:
    def __init__(self, binary, folder):
        self.binary, self.folder = os.path.abspath(binary), folder
        self.environment = dict(os.environ, HOME=folder, XDG_DATA_HOME=folder, XDG_RUNTIME_DIR=folder)
        self.environment.update(XDG_CONFIG_HOME=folder, XDG_STATE_HOME=folder, XDG_CACHE_HOME=folder)

    def run(self, *arguments):
        return subprocess.run(
            [self.binary, *arguments], capture_output=True, text=True, env=self.environment)

    def write(self, rr, name="rest.txt"):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.writelines("%.4f\n" % x for x in rr)
        return path

    def is_changed(self, path, first, second, length, *options):
        """Whether RMSSD changed between two windows; None if there is no result."""
        sides = [f"{path}@{start}s-{start + length}s" for start in (first, second)]
        outcome = self.run("compare", "--json", "--metrics", "time", *options, *sides)
        return json.loads(outcome.stdout)["changed"] if outcome.returncode == 0 else None

    def history(self, profile, rests):
        """Imports the rests and returns the variability of the profile."""
        self.run("profile", "add", profile)
        for number, rr in enumerate(rests):
            path, start = self.write(rr, f"{profile}-{number}.txt"), f"2026-11-20T{10 + number}:00Z"
            outcome = self.run("import", path, "--profile", profile, "--at", start)
            if outcome.returncode:
                sys.exit(outcome.stderr)
        path = self.write(rests[0])
        outcome = self.run(
            "compare", "--json", "--metrics", "time", "--profile", profile, f"{path}@0s-60s", f"{path}@60s-120s")
        result = json.loads(outcome.stdout)
        return result["variability_sd"], result["variability_windows"]


def starts(rr, length):
    return [i * length for i in range(int(sum(rr) / 1000 // length) - 1)]


def adjacent(program, rr, length, *options):
    path = program.write(rr)
    found = [program.is_changed(path, start, start + length, length, *options) for start in starts(rr, length)]
    return [x for x in found if x is not None]


def with_factor(program, rr, length, factor):
    ends, seconds = [], 0.0
    for interval in rr:
        seconds += interval / 1000
        ends.append(seconds)
    found = []
    for start in starts(rr, length)[:2]:
        low = sum(end <= start + length for end in ends)
        high = sum(end <= start + 2 * length for end in ends)
        path = program.write(rr[:low] + scaled(rr[low:high], factor) + rr[high:])
        found.append(program.is_changed(path, start, start + length, length))
    return [x for x in found if x is not None]


def percent(found):
    return f"{100 * sum(found) / len(found):.1f} % of {len(found)}" if found else "-"


def row(*cells):
    print("|", " | ".join(str(cell) for cell in cells), "|", flush=True)


def without_history(program, people):
    row("windows", "undisturbed, all", *people, *(f"x{factor:g}" for factor in FACTORS))
    row(*["---"] * (2 + len(people) + len(FACTORS)))
    for length in (60, 300):
        parts = {name: sum((adjacent(program, rr, length) for rr in rests), []) for name, rests in people.items()}
        rests = sum(people.values(), [])
        power = [sum((with_factor(program, rr, length, factor) for rr in rests), []) for factor in FACTORS]
        row(f"{length} s", percent(sum(parts.values(), [])), *map(percent, parts.values()), *map(percent, power))


def with_history(program, people):
    row("recording", "rests imported", "variability_sd", "minutes", "undisturbed minutes reported as changed")
    row(*["---"] * 5)
    for name, rests in people.items():
        if len(rests) < 12:
            continue
        for first in range(0, len(rests) - 3, len(rests) // 4):
            profile = f"{name.split('_')[0]}-{first}"
            deviation, minutes = program.history(profile, rests[first : first + 3])
            others = rests[:first] + rests[first + 3 :]
            found = sum((adjacent(program, rr, 60, "--profile", profile) for rr in others), [])
            row(name, f"{first + 1} to {first + 3}", f"{deviation:.3f}", minutes, percent(found))


def main():
    parser = argparse.ArgumentParser(description="False positives and power of compare on undisturbed rest.")
    parser.add_argument("binary")
    parser.add_argument("data")
    parser.add_argument("--history-only", action="store_true", help="print only the table with a history")
    arguments = parser.parse_args()
    people = dict(recordings(arguments.data))
    if not people:
        sys.exit(f"{arguments.data} contains no rests")
    with tempfile.TemporaryDirectory() as folder:
        program = Program(arguments.binary, folder)
        if not arguments.history_only:
            without_history(program, people)
            print()
        with_history(program, people)


if __name__ == "__main__":
    main()
