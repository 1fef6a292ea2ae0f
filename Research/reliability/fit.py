"""Fits the constants of the factors by maximum likelihood, and predicts recordings from the others."""

import numpy as np

import factors
from minimise import minimise

CEILING = 0.985  # largest probability in the likelihood: an error in a clean window must not outweigh all others
PENALTY = 1e-4  # on the squares of ln k: determines k if no window has the disturbance
START = -1.0


def constants(table):
    """The constants k that maximise the weighted likelihood of "within 10 points"."""
    x, fixed = factors.inputs(table), factors.fixed(table)
    right, weight = table["right"], table["weight"] / table["weight"].sum()

    def loss(theta):
        k = np.exp(theta)
        each = factors.fitted(x, k)
        product = fixed * each.prod(axis=1)
        p = np.clip(product, 1e-6, CEILING)
        likelihood = right * np.log(p) + (1 - right) * np.log1p(-p)
        slope = np.where(p == product, right - (1 - right) * p / (1 - p), 0)  # d likelihood / d ln p
        gradient = (weight * slope) @ (each - 1)  # d ln factor / d ln k = factor - 1
        return PENALTY * (theta @ theta) - weight @ likelihood, 2 * PENALTY * theta - gradient

    return np.exp(minimise(loss, np.full(x.shape[1], START)))


def left_out(table, fit, predict):
    """Predictions for each recording with the result of a fit to the other recordings; None with only one."""
    names = np.unique(table["recording"])
    if len(names) < 2:
        return None
    result = None
    for name in names:
        mask = table["recording"] == name
        values = predict(table.where(mask), fit(table.where(~mask)))
        if result is None:
            result = np.zeros((len(table), *values.shape[1:]))
        result[mask] = values
    return result
