"""Replays a recording with the program and reads its JSON output."""

import json
import subprocess
from dataclasses import dataclass

import numpy as np

TICKS = 80_000_000  # per second: the resolution of `monotonic_s`


@dataclass
class Output:
    """Beats and notifications of a session as arrays, and the measurement of each beat."""

    measurements: list
    end: np.ndarray  # ticks
    rr: np.ndarray  # ms
    verdict: np.ndarray
    follows_break: np.ndarray
    notification: np.ndarray  # index of the one that contains the beat
    arrival: np.ndarray  # ticks
    sent: np.ndarray  # ms: sum of the RR intervals of the notification
    contact_lost: np.ndarray


def replay(binary, path):
    """The output for the recording at `path`. Raises ValueError if the program fails."""
    command = [binary, "replay", "--speed", "max", "--json", str(path)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise ValueError(f"replay: exit code {run.returncode}: {run.stderr.strip()[:200]}")
    return parse(map(json.loads, run.stdout.splitlines()))


def parse(lines):
    """Measurements follow their notification, in the order of its RR intervals."""
    measurements, breaks, sources, rr, arrivals = [], [], [], [], []
    is_break = True
    for line in lines:
        kind = line["type"]
        if kind == "notification":
            arrivals.append((line["monotonic_s"], sum(line["rr_ms"]), line["contact"] == "off"))
            rr += line["rr_ms"]
        elif kind == "gap":
            is_break = True
        elif kind == "measurement":
            measurements.append(line)
            breaks.append(is_break)
            sources.append(len(arrivals) - 1)
            is_break = line["verdict"] == "gap"
    if len(rr) != len(measurements):
        raise ValueError(f"{len(measurements)} measurements of {len(rr)} RR intervals")
    arrival, sent, lost = zip(*arrivals)
    ends = [one["monotonic_s"] for one in measurements]
    verdicts = np.array([one["verdict"] for one in measurements])
    return Output(
        measurements, ticks(ends), np.array(rr), verdicts, np.array(breaks), np.array(sources), ticks(arrival),
        np.array(sent), np.array(lost),
    )


def ticks(seconds):
    return np.round(np.array(seconds) * TICKS).astype(np.int64)
