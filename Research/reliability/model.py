"""The calibrated factors of confidence as functions of the quantities of a window, and their fit with people left out.

The factors with fitted constants are 1 / (1 + k x^p), with x the excess of a quantity above the value that undisturbed windows
reach, most of them relative to the variance tolerance.
"""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

import features
from score import stress, variance_tolerance

LIMIT = 10  # points
FOLDS = 8
CEILING = 0.985  # largest probability in the likelihood: an error in a clean window must not outweigh all others
PENALTY = 1e-5  # of the square of ln k
CLEAN_WEIGHT = 6  # of the undisturbed windows of a stretch, which are one condition of 69 and most of everyday use
CAUTION = 1.5  # weight of the wrong windows among the disturbed ones
# Weights of the kinds of windows. In each, half of the weight is equal for people and half for windows.
DISTURBED, NATURAL = 0.75, 0.25
SYNTHETIC = (features.SLOW, features.SWING)


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
    Factor("tail", "tail", 2, 8.0, start=0.36),
    Factor("noise", "random_noise", 2, 3.0, start=0.78),
)


def tables(rows):
    """The windows with a stress value, once relative to the population default and once to the own baseline."""
    rows = rows[(rows["scored"] > 0) & (rows["rmssd"] > 0)]
    own = baselines(rows)
    columns = [{name: rows[name] for name in rows.dtype.names} for _ in range(2)]
    for weight, table in enumerate(columns):
        usual = np.array([own[person] if weight else (50.0, 60.0) for person in rows["person"]])
        hrv, rate = usual.T
        table["weight"] = np.full(len(rows), float(weight))
        table["stress"] = stress(rows["rmssd"], rows["rate"], hrv, rate)
        table["truth"] = stress(rows["true_hrv"], rows["true_rate"], hrv, rate)
        table["tolerance"] = variance_tolerance(rows["rmssd"], hrv)
        table["baseline_hrv"], table["baseline_rate"] = hrv, rate
    table = {name: np.concatenate([one[name] for one in columns]) for name in columns[0]}
    table["random_noise"] = np.where(table["noise"] > 0, table["noise"] * table["randomness"], table["noise"])
    table["error"] = np.abs(table["stress"] - table["truth"])
    table["right"] = (table["error"] <= LIMIT).astype(float)
    return table


def baselines(rows):
    """The median RMSSD and heart rate of each person, of undisturbed windows if there are any."""
    found = {}
    for person in np.unique(rows["person"]):
        mine = rows[rows["person"] == person]
        for kind in ("clean", features.NATURAL, *np.unique(mine["kind"])):
            if (mine["kind"] == kind).any():
                chosen = mine[mine["kind"] == kind]
                found[person] = (np.median(chosen["true_hrv"]), np.median(chosen["true_rate"]))
                break
    return found


def is_disturbed(table):
    return ~np.isin(table["kind"], (features.NATURAL, features.FIBRILLATION, *SYNTHETIC))


def weights(table):
    """Simulated hearts, atrial fibrillation and averaged intervals take no part in the fit."""
    result, kept = np.zeros(len(table["kind"])), table["smoothed"] == 0
    for chosen, total in ((is_disturbed(table) & kept, DISTURBED), ((table["kind"] == features.NATURAL) & kept, NATURAL)):
        _, place, count = np.unique(table["person"][chosen], return_inverse=True, return_counts=True)
        result[chosen] = total * (0.5 / len(count) / count[place] + 0.5 / chosen.sum())
    result *= np.where(table["kind"] == "clean", CLEAN_WEIGHT, 1)
    return result * np.where(is_disturbed(table) & (table["right"] == 0), CAUTION, 1)


def inputs(table):
    """One column of x per fitted factor."""
    return np.column_stack([factor.x(table) for factor in FITTED])


def constants():
    return np.array([factor.k for factor in FITTED])


def rules(table):
    """The factors without fitted constants: `rhythm`, and `sensor`, which depends on all beats before and is that of the program."""
    return np.clip((0.45 - table["irregularity"]) / 0.15, 0, 1) * table["sensor"]


def confidence(x, fixed, k):
    return fixed * (1 / (1 + x * k)).prod(axis=1)


def fit(x, fixed, right, weight):
    """The constants that maximise the weighted likelihood of "within 10 points"."""

    def loss(theta):
        k = np.exp(theta)
        each = 1 / (1 + x * k)
        product = fixed * each.prod(axis=1)
        p = np.clip(product, 1e-6, CEILING)
        likelihood = right * np.log(p) + (1 - right) * np.log1p(-p)
        slope = np.where(p == product, right - (1 - right) * p / (1 - p), 0)  # d likelihood / d ln p
        gradient = (weight * slope) @ (each - 1)  # d ln factor / d ln k = factor - 1
        return PENALTY * (theta @ theta) - weight @ likelihood, 2 * PENALTY * theta - gradient

    return np.exp(minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B").x)


def fitted(table):
    """The constants fitted to all people."""
    return fit_of(table, weights(table), np.ones(len(table["right"]), bool))


def folds(table):
    """The fold of each window. The windows of one person are in one fold."""
    people = {person: place % FOLDS for place, person in enumerate(np.unique(table["person"]))}
    return np.array([people[person] for person in table["person"]])


def left_out(table):
    """The confidence of each window, by a fit without the people of its fold."""
    x, fixed, weight, result = inputs(table), rules(table), weights(table), np.zeros(len(table["right"]))
    fold = folds(table)
    for one in range(FOLDS):
        k = fit_of(table, weight, fold != one)
        result[fold == one] = confidence(x[fold == one], fixed[fold == one], k)
    return result


def fit_of(table, weight, chosen):
    used = chosen & (weight > 0)
    x, fixed = inputs(table)[used], rules(table)[used]
    return fit(x, fixed, table["right"][used], weight[used] / weight[used].sum())


def program(table):
    """The confidence by the constants of the program."""
    return confidence(inputs(table), rules(table), constants())
