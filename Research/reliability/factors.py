"""The calibrated factors of confidence as functions of the quantities of a window.

FITTED are the factors with fitted constants: factor = 1 / (1 + k x^p). The names of the factors are the keys of
`confidence_factors` in JSON.
"""

from dataclasses import dataclass

import numpy as np

RULES = ("low_hrv", "heart_rate_range", "sample_count", "baseline", "exertion", "motion")


@dataclass(frozen=True)
class Factor:
    name: str
    quantity: str
    power: int
    k: float  # the constant of the program
    is_relative: bool = True  # to the variance tolerance
    start: float = 0.0  # value that undisturbed windows reach

    def x(self, table):
        """The quantity that decreases the factor, 0 if it is usual."""
        value = np.maximum(0, table[self.quantity])
        if self.is_relative:
            value = value / table["tolerance"]
        return np.maximum(0, value - self.start) ** self.power


FITTED = (
    Factor("abnormal_beats", "abnormal_beats", 1, 1.0),
    Factor("lost_data", "lost_data", 2, 0.9),
    Factor("contact", "contact_lost", 1, 0.4, is_relative=False),
    Factor("tail", "tail", 2, 4.5, start=0.36),
    Factor("noise", "noise", 2, 7.0, start=0.78),
)


def constants():
    return np.array([factor.k for factor in FITTED])


def inputs(table):
    """One column of x per fitted factor."""
    return np.column_stack([factor.x(table) for factor in FITTED])


def fitted(x, k):
    """The fitted factors, one column each."""
    return 1 / (1 + x * k)


def rhythm(table):
    return np.clip((0.45 - table["irregularity"]) / 0.15, 0, 1)


def sensor(table):
    """1 up to 60 % of zero differences, 0.1 from 90 %."""
    repeated = 0.1 + 0.9 * np.clip((0.9 - table["unchanged"]) / 0.3, 0, 1)
    return np.where(table["differences"] < 20, 1, repeated)


def fixed(table):
    """The product of the calibrated factors without fitted constants."""
    return rhythm(table) * sensor(table)


def confidence(table, k):
    return fixed(table) * fitted(inputs(table), k).prod(axis=1)


def recomputed(table):
    """Each calibrated factor with the constants of the program."""
    columns = dict(zip((factor.name for factor in FITTED), fitted(inputs(table), constants()).T))
    return columns | {"rhythm": rhythm(table), "sensor": sensor(table)}
