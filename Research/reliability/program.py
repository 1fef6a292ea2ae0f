"""Replays a session with the program and reads its JSON output."""

import json
import subprocess
from dataclasses import dataclass

import numpy as np

from radio import LinkChange
from score import BASELINE, RESTING_RATE

HEADER = {
    "type": "header",
    "format": "stressmon-recording",
    "version": 1,
    "session": "reliability",
    "settings": {"window_s": 60, "hrv": "rmssd", "raw": False},
    "baseline": {
        "baseline_rmssd_ms": BASELINE,
        "baseline_sdnn_ms": 60,
        "resting_hr_bpm": RESTING_RATE,
        "days": 30,
        "source": "learned",
    },
}
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


def payload(one):
    """A Heart Rate Measurement (0x2A37): flags, rate as uint8, RR intervals as uint16 in 1/1024 s."""
    contact = {None: 0, True: 0b110, False: 0b100}[one.contact]
    units = [min(65_535, max(1, round(rr * 1.024))) for rr, _ in one.beats]
    flags = contact | (0b10000 if units else 0)
    return bytes([flags, one.rate]) + b"".join(unit.to_bytes(2, "little") for unit in units)


def recording(events):
    """The lines of a recording with these notifications and link changes."""
    yield json.dumps(HEADER)
    for event in events:
        time = f'"monotonic_s":{event.arrival:.4f}'
        if isinstance(event, LinkChange):
            yield f'{{"type":"link",{time},"state":"{event.state}"}}'
        else:
            yield f'{{"type":"notification",{time},"hex":"{payload(event).hex()}"}}'
    yield f'{{"type":"end","monotonic_s":{events[-1].arrival + 1:.4f}}}'


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
