"""Measures of a stated confidence against the errors, and of an interval against the undisturbed values."""

from dataclasses import dataclass

import numpy as np

from conditions import CLEAN
from interval import covers

BINS = ((0, 0.2), (0.2, 0.5), (0.5, 0.8), (0.8, 0.9), (0.9, 1.0))
BELOW_ONE = 0.9995  # confidence that is displayed as less than 1.000


@dataclass(frozen=True)
class Bin:
    low: float
    high: float
    count: int
    stated: float
    observed: float
    error: float  # stated - observed


@dataclass(frozen=True)
class Measures:
    bins: list
    weighted_bins: list
    auc: float
    rank_correlation: float
    wrong_when_high: float  # share off by more than 15 points of those with at least 0.8
    right_when_low: float  # share within 5 points of those below 0.5
    clean_below_one: float
    clean_below_08: float


def measure(table, confidence):
    error, clean = table["error"], confidence[table["kind"] == CLEAN]
    return Measures(
        bins(table, confidence, np.ones(len(table))),
        bins(table, confidence, table["weight"]),
        auc(confidence, table["right"] == 1),
        float(np.corrcoef(ranks(confidence), ranks(error))[0, 1]),
        fraction(error[confidence >= 0.8] > 15),
        fraction(error[confidence < 0.5] <= 5),
        fraction(clean < BELOW_ONE),
        fraction(clean < 0.8),
    )


def bins(table, confidence, weight, edges=BINS):
    found = []
    for low, high in edges:
        inside = (confidence >= low) & ((confidence < high) | (high == 1))
        if inside.any():
            stated = np.average(confidence[inside], weights=weight[inside])
            observed = np.average(table["right"][inside], weights=weight[inside])
            found.append(Bin(low, high, int(inside.sum()), stated, observed, stated - observed))
    return found


def fraction(mask):
    return float(np.mean(mask)) if len(mask) else 0.0


def ranks(values):
    """Ranks from 1; equal values have the mean of their ranks."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


def auc(score, positive):
    """The probability that a right window has a higher score than a wrong one."""
    count, other = positive.sum(), (~positive).sum()
    if not count or not other:
        return float("nan")
    return float((ranks(score)[positive].sum() - count * (count + 1) / 2) / (count * other))


@dataclass(frozen=True)
class Coverage:
    overall: float
    exact: float  # without the margin for displayed values
    kinds: dict  # kind -> (count, coverage, median half width)
    clean_half_width: float


def coverage(table, limits):
    inside, half = covers(table, limits), (limits[:, 1] - limits[:, 0]) / 2

    def of_kind(mask):
        return int(mask.sum()), fraction(inside[mask]), float(np.median(half[mask]))

    kinds = {str(kind): of_kind(table["kind"] == kind) for kind in np.unique(table["kind"])}
    exact = fraction(covers(table, limits, 1e-9))
    return Coverage(fraction(inside), exact, kinds, kinds.get(CLEAN, (0, 0, float("nan")))[2])
