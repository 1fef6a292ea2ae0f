"""The stress formula (docs/reference/stress.md) and the undisturbed values."""

import math

import numpy as np

BASELINE = 50.0  # ms
RESTING_RATE = 60.0  # bpm
LARGEST_MARGIN = 19.0
FEWEST_DIFFERENCES = 15


def stress(hrv, rate, usual_hrv=BASELINE, usual_rate=RESTING_RATE):
    """Stress values for arrays of HRV in ms and heart rate in bpm."""
    hrv, rate = np.asarray(hrv, float), np.asarray(rate, float)
    variability = np.clip((usual_hrv - hrv) / usual_hrv, 0, 1) ** 0.8
    speed = np.maximum(0, np.arctan(2 * (rate - usual_rate) / usual_rate)) / (np.pi / 2)
    return np.clip(100 * (0.7 * variability + 0.3 * speed), 0, 100)


def hrv_margin(hrv, usual_hrv=BASELINE):
    """How far HRV exceeds the HRV at which stress is 10 points higher, as a fraction of the latter."""
    component = np.clip((usual_hrv - hrv) / usual_hrv, 0, 1) ** 0.8 + 0.1 / 0.7
    limit = usual_hrv * (1 - np.minimum(component, 1) ** 1.25)
    return np.where(component >= 1, LARGEST_MARGIN, np.minimum(LARGEST_MARGIN, hrv / np.maximum(limit, 1e-9) - 1))


class Truth:
    """RMSSD and heart rate of the undisturbed beats in a window."""

    def __init__(self, rr, ends, normal=None):
        """`ends`: end time of each interval in ms; `normal`: whether it counts, by default all."""
        self.ends = np.asarray(ends)
        normal = np.ones(len(rr), bool) if normal is None else np.asarray(normal)
        changes = np.diff(rr, prepend=rr[0])
        counts = normal & np.concatenate([[False], normal[:-1]])
        self.normal, self.counts = normal, counts
        self.rr = np.where(normal, rr, 0)
        self.squares = np.where(counts, changes**2, 0)

    def at(self, end, window=60_000.0):
        """(RMSSD, heart rate) of the window that ends at `end` in ms; None with too few differences."""
        low, high = np.searchsorted(self.ends, [end - window, end], "right")
        differences = int(self.counts[low + 1 : high].sum())
        if differences < FEWEST_DIFFERENCES:
            return None
        mean = self.rr[low:high].sum() / self.normal[low:high].sum()
        return math.sqrt(self.squares[low + 1 : high].sum() / differences), 60_000 / mean
