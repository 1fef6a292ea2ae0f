"""The quantities of a window from which confidence and interval are computed, from the beats in JSON.

The definitions are those of docs/design/confidence.md. They are computed here from arrays, independently of the
sliding sums of the program.
"""

import math

import numpy as np

from program import TICKS

LENGTH = 60 * TICKS
CUT_BEATS = 3  # by which the beats of a complete window may differ from its length over the mean interval
NORMAL_RATIO = math.sqrt(math.pi / 2)  # RMS / mean magnitude of normally distributed numbers
FEWEST_DIFFERENCES = 10  # for the irregularity
NAMES = ("abnormal_beats", "lost_data", "contact_lost", "duplicates", "tail", "noise", "irregularity", "unchanged")


class Session:
    """Differences and comparisons of all beats of a session, without regard to windows."""

    def __init__(self, output):
        self.output = output
        kind, breaks = output.verdict, output.follows_break
        self.normal = kind == "normal"
        self.abnormal = np.isin(kind, ["ectopic", "long", "short"])
        self.change = np.diff(output.rr, prepend=output.rr[:1])
        self.is_difference = self.normal & before(self.normal) & ~breaks
        self.is_step = ~breaks & (kind != "gap") & (np.arange(len(kind)) > 0)
        pair = 2 * output.rr - self.change
        self.is_large = np.abs(self.change) > 0.1 * pair / 2
        self.removed_by = self.pauses()

    def pauses(self):
        """Premature beat -> its pause: the interval that shows the normal one before it to be premature."""
        found, level, earlier = {}, None, None  # the last normal interval, and the normal one before it
        for beat, rr in enumerate(self.output.rr):
            if self.output.follows_break[beat] or self.output.verdict[beat] == "gap":
                level, earlier = None, None
            follows_normal = beat > 0 and self.normal[beat - 1]
            if self.normal[beat]:
                level, earlier = rr, level
            elif follows_normal and earlier is not None and rr > earlier and self.output.rr[beat - 1] < 0.92 * earlier:
                found[beat - 1] = beat
                level = earlier
        return found

    def window(self, last):
        """The quantities of the window that ends with beat `last`; None without differences."""
        end = self.output.end[last]
        first = int(np.searchsorted(self.output.end, end - LENGTH, "right"))
        beats = slice(first, last + 1)
        counts = self.is_difference[beats].copy()
        counts[0] = False
        normal = self.normal[beats].copy()
        for early, pause in self.removed_by.items():
            if first <= early and pause <= last:
                counts[early - first] = normal[early - first] = False
        change = self.change[beats]
        found = int(counts.sum())
        if not found:
            return None
        mean_nn = self.output.rr[beats][normal].mean()
        expected = max(found, 60_000 / mean_nn - CUT_BEATS)
        return {
            "hrv": math.sqrt((change[counts] ** 2).mean()),
            "differences": found,
            "abnormal_beats": float(self.abnormal[beats].mean()),
            "lost_data": math.sqrt(1 / found - 1 / expected),
            **self.arrivals(self.output.notification[last]),
            "tail": tail(change[counts]),
            "noise": noise(change, counts),
            "irregularity": float(self.is_large[beats][counts].mean()) if found >= FEWEST_DIFFERENCES else 0.0,
            "unchanged": float((change[counts] == 0).mean()),
        }

    def arrivals(self, newest):
        """Lost contact and duplicates in the notifications after the first one of the window."""
        times = self.output.arrival[: newest + 1]
        start = times[np.searchsorted(times, times[-1] - LENGTH)]
        oldest = int(np.searchsorted(times, start, "right")) - 1
        received = slice(oldest + 1, newest + 1)
        if oldest == newest:
            return {"contact_lost": 0.0, "duplicates": 0.0}
        coverage = self.output.sent[received].sum() / (1000 * (times[-1] - start) / TICKS)
        lost = self.output.contact_lost[received].mean()
        return {"contact_lost": float(lost), "duplicates": float(max(0.0, coverage - 1.03))}


def before(values):
    """The value of the preceding beat; False for the first."""
    return np.concatenate([[False], values[:-1]])


def tail(changes):
    magnitude = np.abs(changes).mean()
    return math.log(math.sqrt((changes**2).mean()) / (NORMAL_RATIO * magnitude)) if magnitude else 0.0


def noise(change, counts):
    """-r1 + r2 / 4: autocorrelations of differences that succeed each other without interruption."""
    variance = (change[counts] ** 2).mean()
    near = counts[1:] & counts[:-1]
    if not variance or not near.any():
        return 0.0
    far = near[1:] & near[:-1]
    first = (change[1:] * change[:-1])[near].mean()
    second = (change[2:] * change[:-2])[far].mean() if far.any() else 0.0
    return (second / 4 - first) / variance
