"""Reads recordings of RR intervals and selects the parts to disturb.

A recording is a file NAME.txt with one RR interval in ms per line. A file NAME.labels.txt, with one label per
interval, is optional; N marks a normal beat, A, V and Q an ectopic one.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

WINDOW = 60.0  # s
FULL = WINDOW + 240  # s: the minute before the first window, and the part that is sent
SHORT = WINDOW + 130  # s: accepted if a recording has no part of full length
LARGEST_JUMP_FRACTION = 0.2  # above: no sinus rhythm, so that no undisturbed value exists
LONG_RECORDING = 50_000  # beats


@dataclass(frozen=True)
class Recording:
    name: str
    rr: np.ndarray
    labels: list | None


@dataclass(frozen=True)
class Stretch:
    """Consecutive intervals without an abnormal beat."""

    start: int
    rr: np.ndarray


def paths(folders):
    found = [path for folder in folders for path in sorted(Path(folder).glob("*.txt"))]
    return [path for path in found if not path.name.endswith(".labels.txt")]


def load(path):
    """Returns the recording. Raises ValueError if the files do not contain intervals and labels."""
    rr = np.array([float(word) for word in path.read_text().split()])
    if not len(rr) or not np.isfinite(rr).all() or (rr <= 0).any():
        raise ValueError("no RR intervals in ms")
    labels = path.with_name(path.stem + ".labels.txt")
    if not labels.exists():
        return Recording(path.stem, rr, None)
    words = labels.read_text().split()
    if len(words) != len(rr):
        raise ValueError(f"{len(rr)} intervals and {len(words)} labels")
    return Recording(path.stem, rr, words)


def exclusion(recording):
    """The reason why a recording cannot be used; None if it can."""
    rr = recording.rr
    jumps = np.abs(np.diff(rr)) > (rr[1:] + rr[:-1]) / 8
    if len(jumps) and jumps.mean() > LARGEST_JUMP_FRACTION:
        return f"no sinus rhythm: {100 * jumps.mean():.0f} % of the differences are jumps"
    if not stretches(recording):
        return f"no undisturbed part of {SHORT:.0f} s"
    return None


def normal_beats(recording):
    """Whether each interval is normal: plausible, near the local median, without a jump, not near a label."""
    rr = recording.rr
    padded = np.concatenate([np.full(5, np.nan), rr, np.full(5, np.nan)])
    median = np.nanmedian(np.lib.stride_tricks.sliding_window_view(padded, 11), axis=1)
    normal = (np.abs(rr / median - 1) <= 0.32) & (rr >= 300) & (rr <= 2000)
    jumps = np.flatnonzero(np.abs(np.diff(rr)) > 0.16 * (rr[1:] + rr[:-1]))
    normal[jumps] = normal[jumps + 1] = False
    for place, label in enumerate(recording.labels or []):
        if label != "N":
            normal[max(0, place - 2) : place + 3] = False
    return normal


def reference_beats(recording):
    """Whether an interval is plausible and between two normal beats by the labels."""
    is_normal = np.array([label == "N" for label in recording.labels])
    follows = np.concatenate([[True], is_normal[:-1]])
    return is_normal & follows & (recording.rr >= 300) & (recording.rr <= 3000)


def parts(recording, seconds):
    """All non-overlapping undisturbed parts of at least this duration, from the start of the recording."""
    found, first, covered = [], 0, 0.0
    for place, normal in enumerate(normal_beats(recording)):
        covered += recording.rr[place] / 1000
        if not normal:
            first, covered = place + 1, 0.0
        elif covered >= seconds:
            found.append(Stretch(first, recording.rr[first : place + 1]))
            first, covered = place + 1, 0.0
    return found


def stretches(recording):
    """Parts spread over the recording; three in four have an RMSSD of at least 20 ms, if enough exist."""
    found = parts(recording, FULL) or parts(recording, SHORT)
    most = 8 if len(recording.rr) > LONG_RECORDING else 4
    if len(found) <= most:
        return found
    variable = [part for part in found if rmssd(part.rr) >= 20]
    steady = [part for part in found if rmssd(part.rr) < 20]
    count = min(len(variable), max(3 * most // 4, most - len(steady)))
    chosen = spread(variable, count) + spread(steady, most - count)
    return sorted(chosen, key=lambda part: part.start)


def spread(items, count):
    """`count` items at equal distances."""
    return [items[int((place + 0.5) * len(items) / count)] for place in range(count)]


def rmssd(rr):
    return float(np.sqrt(np.mean(np.diff(rr) ** 2)))
