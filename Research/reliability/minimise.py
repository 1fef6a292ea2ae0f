"""Minimisation of a smooth function with the BFGS method."""

import numpy as np

MOST_STEPS = 300
SMALLEST_GRADIENT = 1e-7
SMALLEST_DECREASE = 1e-11
SUFFICIENT = 1e-4  # Armijo: fraction of the decrease that the gradient predicts


def minimise(function, start):
    """The point with the smallest value. `function` returns a value and its gradient."""
    point = np.array(start, float)
    value, gradient = function(point)
    inverse = np.eye(len(point))
    for _ in range(MOST_STEPS):
        if np.abs(gradient).max() < SMALLEST_GRADIENT:
            break
        direction = -inverse @ gradient
        if direction @ gradient >= 0:
            inverse, direction = np.eye(len(point)), -gradient
        step, next_value, next_gradient = search(function, point, value, gradient, direction)
        if step is None:
            break
        inverse = updated(inverse, step, next_gradient - gradient)
        decrease = value - next_value
        point, value, gradient = point + step, next_value, next_gradient
        if decrease < SMALLEST_DECREASE:
            break
    return point


def search(function, point, value, gradient, direction):
    """The first of the steps 1, 1/2, 1/4 ... that decreases the value sufficiently; at most 1 per parameter."""
    length = min(1.0, 1 / np.abs(direction).max())
    while length > 1e-10:
        step = length * direction
        next_value, next_gradient = function(point + step)
        if next_value <= value + SUFFICIENT * (step @ gradient):
            return step, next_value, next_gradient
        length /= 2
    return None, value, gradient


def updated(inverse, step, change):
    """The BFGS update of the inverse Hessian; unchanged without positive curvature."""
    curvature = step @ change
    if curvature <= 1e-14:
        return inverse
    left = np.eye(len(step)) - np.outer(step, change) / curvature
    return left @ inverse @ left.T + np.outer(step, step) / curvature
