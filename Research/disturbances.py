#!/usr/bin/env python3
"""Final verdicts on labelled and on synthetic disturbances, for one or more binaries.

    python3 Research/disturbances.py DATA BINARY...

DATA contains rr/ and holter/ with one RR interval in ms per line, and NAME.labels.txt with one label per interval. Prints
a table in Markdown per binary: labelled beats found (a flag within one beat), false flags per 1,000 beats, and for clean
parts of five minutes the synthetic disturbances that are found, by kind: missed beats, extra beats, PVC (15 to 40 %
early), subtle premature beats (8 to 15 %) and mislocated R peaks (20 to 60 ms), each at rates of 0.5 to 20 %.

Requires only the standard library. Deterministic.
"""

import csv
import os
import random
import statistics
import subprocess
import sys
import tempfile

RATES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
KINDS = ("missed", "extra", "pvc", "early", "mislocated")
LENGTH = 300.0


def recordings(data):
    for folder in ("rr", "holter"):
        path = os.path.join(data, folder)
        for name in sorted(os.listdir(path)) if os.path.isdir(path) else []:
            stem = name.removesuffix(".txt")
            if stem == name or stem.endswith(".labels") or stem == "afdb03665_af":
                continue
            rr = [float(line) for line in open(os.path.join(path, name)) if line.strip()]
            labels = os.path.join(path, stem + ".labels.txt")
            yield stem, rr, open(labels).read().split() if os.path.exists(labels) else None


def clean(rr, labels):
    """Whether each interval is without a visible disturbance and away from labelled beats."""
    found = [300 <= x <= 2000 for x in rr]
    for i in range(len(rr)):
        median = statistics.median(rr[max(0, i - 5) : i + 6])
        found[i] &= abs(rr[i] / median - 1) <= 0.32
        if i and abs(rr[i] - rr[i - 1]) > 0.16 * (rr[i] + rr[i - 1]):
            found[i] = found[i - 1] = False
    for i, label in enumerate(labels or []):
        if label != "N":
            for k in range(max(0, i - 2), min(len(rr), i + 3)):
                found[k] = False
    return found


def parts(rr, labels, most=24):
    """Clean parts of five minutes, spread over the recording."""
    usable, found, start = clean(rr, labels), [], 0
    while start < len(rr):
        end, seconds = start, 0.0
        while end < len(rr) and usable[end] and seconds < LENGTH:
            seconds += rr[end] / 1000
            end += 1
        if seconds >= LENGTH:
            found.append(rr[start:end])
        start = end if seconds >= LENGTH else end + 1
    return [found[int((i + 0.5) * len(found) / most)] for i in range(most)] if len(found) > most else found


def disturb(peaks, kind, rate, number):
    """Returns the peaks, and those that were added or moved; for missed beats those that follow a removed one."""
    out, marked = [peaks[0]], set()
    for before, peak in zip(peaks, peaks[1:]):
        hit, shift = number.random() < rate, peak - before
        if kind == "extra" and hit:
            out.append(before + (number.uniform(250, 380) if shift > 500 else shift / 2))
            marked.add(len(out) - 1)
        elif kind == "missed" and hit:
            marked.add(len(out))
            continue
        elif hit:
            share = {"pvc": (0.15, 0.4), "early": (0.08, 0.15)}.get(kind)
            peak += -number.uniform(*share) * shift if share else number.choice((-1, 1)) * number.uniform(20, 60)
            marked.add(len(out))
        out.append(peak)
    return out, {i for i in marked if i < len(out)}


def flags(binary, rr):
    with tempfile.TemporaryDirectory() as folder:
        path, beats = os.path.join(folder, "rr.txt"), os.path.join(folder, "beats.csv")
        with open(path, "w") as file:
            file.writelines("%.4f\n" % x for x in rr)
        environment = dict(os.environ, HOME=folder, XDG_DATA_HOME=folder, XDG_CONFIG_HOME=folder)
        subprocess.run(
            [binary, "analyze", "--metrics", "time", "--beats", beats, path], check=True, capture_output=True,
            env=environment)
        with open(beats) as file:
            return {i for i, row in enumerate(csv.DictReader(file)) if row["verdict"] != "normal"}


def near(place):
    return {place - 1, place, place + 1}


def series(material):
    """All disturbed series, separated by gaps so that one call classifies them: intervals, and marks by kind."""
    rr, marks = [], {kind: [] for kind in KINDS}
    for name, part in material:
        peaks = [0.0]
        for x in part:
            peaks.append(peaks[-1] + x)
        for kind in KINDS:
            for rate in RATES:
                # Rounded to 1/1024 s, as a strap sends them.
                out, marked = disturb(peaks, kind, rate, random.Random(f"{name} {len(rr)} {kind} {rate}"))
                out = [round(x * 1.024) / 1.024 for x in out]
                marks[kind] += [len(rr) + i - 1 for i in marked]
                rr += [max(1.0, b - a) for a, b in zip(out, out[1:])] + [4000.0]
    return rr, marks


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    people = list(recordings(sys.argv[1]))
    rr, marks = series([(name, part) for name, beats, labels in people for part in parts(beats, labels)])
    for binary in sys.argv[2:]:
        print(f"{binary}\n\n| material | found | false flags per 1,000 |\n| --- | --- | --- |")
        for name, beats, labels in people:
            if labels is None:
                continue
            found = flags(binary, beats)
            places = [i for i, label in enumerate(labels) if label != "N"]
            wrong = found - set().union(*map(near, places))
            hits = sum(not found.isdisjoint(near(i)) for i in places)
            print(f"| {name} | {hits} / {len(places)} | {1000 * len(wrong) / labels.count('N'):.2f} |")
        found = flags(binary, rr)
        for kind, places in marks.items():
            print(f"| {kind} | {sum(not found.isdisjoint(near(i)) for i in places)} / {len(places)} | |")
        print(flush=True)


if __name__ == "__main__":
    main()
