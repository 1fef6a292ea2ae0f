#!/usr/bin/env python3
"""Compares `analyze --classifier lipponen-tarvainen` with a single pass of NeuroKit2's signal_fixpeaks, beat for beat.

    python3 Tests/Oracles/lipponen_tarvainen.py BINARY FOLDER...

FOLDER contains recordings NAME.txt with one RR interval in ms per line. R peaks are rounded to whole ms first, because NeuroKit2
takes their times, whose sum would otherwise have rounding errors. Requires NeuroKit2 (pip install neurokit2). Prints one line per
recording; exit code 1 if any verdict differs.
"""

import csv
import pathlib
import subprocess
import sys
import tempfile

import neurokit2
import numpy

KINDS = {"ectopic": "ectopic", "missed": "missed", "extra": "extra", "long": "longshort", "short": "longshort"}
FEWEST = 20  # intervals


def of_program(binary, peaks):
    """Returns the verdict on each interval."""
    with tempfile.TemporaryDirectory() as folder:
        file, beats = pathlib.Path(folder, "rr.txt"), pathlib.Path(folder, "beats.csv")
        file.write_text("".join(f"{rr}\n" for rr in numpy.diff(peaks)))
        command = [binary, "analyze", "--classifier", "lipponen-tarvainen", "--metrics", "time", "--beats", beats, file]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with beats.open(newline="") as rows:
            return [KINDS.get(row["verdict"], "normal") for row in csv.DictReader(rows)]


def of_neurokit(peaks):
    """Returns the verdict on each interval; the first one of NeuroKit2 is the mean that it inserts."""
    found, _ = neurokit2.signal_fixpeaks(peaks, sampling_rate=1000, iterative=False, method="Kubios")
    verdicts = ["normal"] * len(peaks)
    for kind in set(KINDS.values()):
        for place in found[kind]:
            verdicts[place] = kind
    return verdicts[1:]


def main(binary, folders):
    files = [f for folder in folders for f in sorted(pathlib.Path(folder).glob("*.txt")) if not f.name.endswith(".labels.txt")]
    compared, differ = 0, 0
    for file in files:
        if len(file.read_text().split()) < FEWEST:
            continue
        peaks = numpy.append(0, numpy.round(numpy.cumsum(numpy.loadtxt(file)))).astype(int)
        own, peer = of_program(binary, peaks), of_neurokit(peaks)
        different = [place for place in range(max(len(own), len(peer))) if own[place : place + 1] != peer[place : place + 1]]
        flagged = sum(verdict != "normal" for verdict in peer)
        print(f"{file.stem}: {len(peer)} intervals, {flagged} flagged, {len(different)} differ {different[:5] or ''}")
        compared, differ = compared + 1, differ + bool(different)
    print(f"{compared} recordings, {differ} differ")
    return 1 if differ or not compared else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
