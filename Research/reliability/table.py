"""The scored windows of an experiment as arrays."""

import numpy as np

from conditions import AVERAGED, CONDITIONS, ECTOPIC, EVERYDAY_WEIGHT, FILLING
from factors import RULES
from quantities import NAMES
from score import stress, variance_tolerance

LIMIT = 10  # points: confidence is the probability of an error of at most this size


class Table(dict):
    """Columns by name, each an array with one value per window."""

    def where(self, mask):
        return Table({name: column[mask] for name, column in self.items()})

    def __len__(self):
        return len(self["error"])


def build(rows):
    """The windows that have a stress value."""
    scored = [row for row in rows if row["stated"]["stress"] is not None]
    table = Table({name: column(row["quantities"][name] for row in scored) for name in ("hrv", "differences", *NAMES)})
    table["tolerance"] = column(variance_tolerance(value) for value in table["hrv"])
    for name in ("recording", "kind", "condition", "everyday"):
        table[name] = np.array([row[name] for row in scored])
    stated = [row["stated"] for row in scored]
    table["stress"] = column(one["stress"] for one in stated)
    table["rate"] = column(one["mean_hr_bpm"] for one in stated)
    table["stated_hrv"] = column(one["rmssd_ms"] for one in stated)
    table["stated"] = column(calibrated(one) for one in stated)
    for name in ("low", "high"):  # absent in the output of engine versions up to 2
        table[name] = column(one.get(f"stress_{name}", np.nan) for one in stated)
    table["true_hrv"] = column(row["true_hrv"] for row in scored)
    table["truth"] = stress(table["true_hrv"], [row["true_rate"] for row in scored])
    table["error"] = np.abs(table["stress"] - table["truth"])
    table["right"] = (table["error"] <= LIMIT).astype(float)
    table["weight"] = weights(table)
    return table, [one["confidence_factors"] for one in stated]


def column(values):
    return np.array(list(values), float)


def calibrated(measurement):
    """The stated confidence without the rule factors."""
    value, factors = measurement["confidence"], measurement["confidence_factors"]
    for rule in RULES:
        if factors.get(rule):
            value /= factors[rule]
    return min(1.0, value)


def weights(table):
    """Weights with a mean of 1. Each recording has the same weight; EVERYDAY_WEIGHT of it is on everyday conditions."""
    result = np.ones(len(table["everyday"]))
    for name in np.unique(table["recording"]):
        mask = table["recording"] == name
        everyday = mask & table["everyday"]
        other = mask & ~table["everyday"]
        for part, total in ((everyday, EVERYDAY_WEIGHT), (other, 1 - EVERYDAY_WEIGHT)):
            result[part] = total / max(1, part.sum())
    return result / result.mean() if len(result) else result


def condition_names():
    """All conditions except averages, in the order of the tables."""
    conditions = [one for one in CONDITIONS if one.kind not in AVERAGED]
    return [conditions[0].name, FILLING, *(one.name for one in conditions[1:]), ECTOPIC]
