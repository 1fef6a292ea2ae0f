"""The calibrated confidence as a function of the quantities of a window, and its fit with people left out.

The odds of an error of more than 10 points are a constant times the product of `relative_odds`, so their logarithm is a sum.
The exponents were chosen; only the constant is fitted.
"""

import numpy as np
from scipy.optimize import minimize_scalar

import features
from score import hrv_margin, stress

LIMIT = 10  # points
FOLDS = 8
CEILING = 0.985  # largest probability in the likelihood: an error in a clean window must not outweigh all others
K = 1 / 8  # the constant of the program
ALL_NOISE = 0.71  # noise of independent errors of all R peaks
SMALL_ODDS = 0.25
USUAL_RISE = 0.1  # of HRV by noise, in undisturbed windows
OFFSET = 0.03  # change of ln HRV below which a disturbance hardly counts
CLEAN_WEIGHT = 6  # of the undisturbed windows of a stretch, which are one condition of 69 and most of everyday use
CAUTION = 1.5  # weight of the wrong windows among the disturbed ones
# Weights of the kinds of windows. In each, half of the weight is equal for people and half for windows.
DISTURBED, NATURAL = 0.75, 0.25
SYNTHETIC = (features.SLOW, features.SWING)


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
        table["margin"] = hrv_margin(rows["rmssd"], hrv)
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


def falls(table):
    """How far premature beats that are not detected, and all disturbances, can raise ln HRV."""
    tail = 2.8 * np.maximum(0, table["tail"] - 0.06)
    noise = 1 / np.sqrt(1 - np.clip(table["random_noise"] / ALL_NOISE, 0, 0.98)) - 1
    noise = np.maximum(0, noise - USUAL_RISE)
    return tail, tail + noise + 1.2 * table["abnormal_beats"] + table["lost_data"] + table["contact_lost"]


def relative_odds(table):
    """The odds of an error of more than 10 points, except for a constant."""
    (tail, fall), limit = falls(table), table["margin"] + OFFSET
    ratio = table["rmssd"] / table["baseline_hrv"]
    rise = np.maximum(1, table["rate"] / table["baseline_rate"])
    level = ratio * rise**2 * np.minimum(1, 2 * ratio) ** 3
    return fall / limit * level * np.maximum(1, 2.7 * (tail + OFFSET) / limit)


def rules(table):
    """The factors without fitted constants: `rhythm`, and `sensor`, which depends on all beats before and is that of the program."""
    return np.clip((0.45 - table["irregularity"]) / 0.15, 0, 1) * table["sensor"]


def confidence(odds, fixed, k):
    """Small odds are reduced, because in everyday use most windows are undisturbed, and large ones, because a large disturbance can
    leave the value unchanged."""
    odds = k * odds
    return fixed / (1 + odds * np.minimum(1, odds / SMALL_ODDS) ** 2 / np.maximum(1, odds) ** 0.25)


def fit(odds, right, weight):
    """The constant that maximises the weighted likelihood of "within 10 points"."""

    def loss(log_k):
        p = np.minimum(CEILING, 1 / (1 + np.exp(log_k) * odds))
        return -weight @ np.where(right > 0, np.log(p), np.log1p(-p))

    return np.exp(minimize_scalar(loss, bounds=(-6, 2), method="bounded").x)


def fitted(table):
    """The constant fitted to all people."""
    return fit_of(table, weights(table), np.ones(len(table["right"]), bool))


def folds(table):
    """The fold of each window. The windows of one person are in one fold."""
    people = {person: place % FOLDS for place, person in enumerate(np.unique(table["person"]))}
    return np.array([people[person] for person in table["person"]])


def left_out(table):
    """The confidence of each window, by a fit without the people of its fold."""
    odds, fixed, weight, result = relative_odds(table), rules(table), weights(table), np.zeros(len(table["right"]))
    fold = folds(table)
    for one in range(FOLDS):
        k = fit_of(table, weight, fold != one)
        result[fold == one] = confidence(odds[fold == one], fixed[fold == one], k)
    return result


def fit_of(table, weight, chosen):
    used = chosen & (weight > 0)
    return fit(relative_odds(table)[used], table["right"][used], weight[used] / weight[used].sum())


def program(table):
    """The confidence by the constant of the program."""
    return confidence(relative_odds(table), rules(table), K)
