"""The interval of the stress value: the fall and the rise of ln HRV to the HRV of the undisturbed beats.

Each side is a sum of coefficient * max(0, quantity - start). The coefficients are fitted by quantile regression.
"""

import numpy as np

from minimise import minimise
from score import stress

QUANTILE = 0.95  # of each side: together 90 %
DISPLAYED = 0.5  # points: values are displayed without decimals
SMOOTHING = (0.05, 0.01)  # of the kink of the loss, in units of ln HRV
CONSTANT = (0.025, 0.02)  # fall and rise of every window: rounding to 1/1024 s and the ends of the window
STARTS = {
    "tail": 0.06,
    "noise": 0.27,
    "abnormal_beats": 0.0,
    "contact_lost": 0.0,
    "lost_data": 0.0,
    "duplicates": 0.0,
}
LEAST_HRV = 0.1  # ms: replaces 0 in logarithms
# Coefficients of the program, in the order of STARTS: fall, then rise.
PROGRAM = np.array([[2.8, 3.4, 1.2, 1, 1, 0], [0, 0.5, 0, 1, 1.8, 0.5]])


def inputs(table):
    return np.column_stack([np.maximum(0, table[name] - start) for name, start in STARTS.items()])


def bounds(table, coefficients):
    """Lowest and highest stress value of each window, as two columns."""
    fall, rise = (constant + inputs(table) @ side for constant, side in zip(CONSTANT, coefficients))
    low = stress(table["hrv"] * np.exp(rise), table["rate"])
    high = stress(table["hrv"] * np.exp(-fall), table["rate"])
    return np.column_stack([np.minimum(low, table["stress"]), np.maximum(high, table["stress"])])


def fit(table):
    """The coefficients of fall and rise."""
    change = np.log(np.maximum(table["true_hrv"], LEAST_HRV) / np.maximum(table["hrv"], LEAST_HRV))
    return np.array([side(table, -change, CONSTANT[0]), side(table, change, CONSTANT[1])])


def side(table, target, constant):
    """Quantile regression with coefficients of at least 0. Windows count by the sensitivity of their stress value,
    because an error of HRV that does not change the value is irrelevant."""
    x, weight = inputs(table), sensitivity(table)
    theta = np.full(x.shape[1], -1.0)
    for width in SMOOTHING:

        def loss(theta):
            coefficients = np.exp(np.clip(theta, -9, 4))
            excess = target - constant - x @ coefficients
            value = QUANTILE * excess + width * np.logaddexp(0, -excess / width)
            slope = QUANTILE - 1 / (1 + np.exp(np.clip(excess / width, -500, 500)))
            gradient = -(weight * slope) @ x * coefficients
            return weight @ value, np.where(np.abs(theta + 2.5) < 6.5, gradient, 0)

        theta = minimise(loss, theta)
    return np.exp(np.clip(theta, -9, 4))


def sensitivity(table):
    """|d stress / d ln HRV| relative to its mean, plus a tenth; the sum is 1."""
    step = 0.02
    change = stress(table["hrv"] * (1 - step), table["rate"]) - stress(table["hrv"] * (1 + step), table["rate"])
    weight = change / max(change.mean(), 1e-9) + 0.1
    return weight / weight.sum()


def covers(table, limits, margin=DISPLAYED):
    """Whether the undisturbed value is inside the interval, up to `margin` points."""
    return (limits[:, 0] - margin <= table["truth"]) & (table["truth"] <= limits[:, 1] + margin)
