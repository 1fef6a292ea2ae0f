"""The tables of docs/design/confidence.md."""

import numpy as np

import factors
import interval
from table import condition_names


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def percent(value):
    return f"{100 * value:.1f} %"


def reliability(measures):
    """`measures`: name -> Measures."""
    rows = [
        [
            name,
            f"{one.low} to {one.high}",
            one.count,
            f"{one.stated:.2f}",
            f"{one.observed:.2f}",
            f"{other.stated:.2f}",
            f"{other.observed:.2f}",
        ]
        for name, result in measures.items()
        for one, other in zip(result.bins, result.weighted_bins)
    ]
    head = ["factors", "confidence", "windows", "mean", "within 10", "mean, weighted", "within 10, weighted"]
    return table(head, rows)


def summary(measures):
    lines = {
        "AUC": lambda one: f"{one.auc:.3f}",
        "rank correlation of confidence and error": lambda one: f"{one.rank_correlation:.2f}",
        "confidence of at least 0.8: off by more than 15 points": lambda one: percent(one.wrong_when_high),
        "confidence below 0.5: within 5 points": lambda one: percent(one.right_when_low),
        "undisturbed windows below 1.0": lambda one: percent(one.clean_below_one),
        "undisturbed windows below 0.8": lambda one: percent(one.clean_below_08),
    }
    rows = [[name, *(text(one) for one in measures.values())] for name, text in lines.items()]
    return table(["", *measures], rows)


def conditions(windows, confidences):
    """One row per condition; `confidences`: name -> values."""
    rows = []
    for name in condition_names():
        inside = windows["condition"] == name
        if inside.any():
            means = [f"{values[inside].mean():.2f}" for values in confidences.values()]
            everyday = "yes" if windows["everyday"][inside][0] else ""
            rows.append([name, everyday, inside.sum(), f"{windows['right'][inside].mean():.2f}", *means])
    return table(["condition", "everyday", "windows", "within 10", *confidences], rows)


def coverages(results):
    """`results`: name -> Coverage."""
    kinds = next(iter(results.values())).kinds
    rows = [["all", "", *(f"{one.overall:.3f}" for one in results.values()), ""]]
    for kind, (count, _, width) in kinds.items():
        rows.append([kind, count, *(f"{one.kinds[kind][1]:.2f}" for one in results.values()), f"{width:.1f}"])
    return table(["kind", "windows", *results, "median half width"], rows)


def averaged(results):
    """`results`: condition -> (windows, fraction with a stress value, confidences or None)."""
    rows = []
    for name, (count, fraction, values) in results.items():
        known = [value for value in values if value is not None]
        rows.append([name, count, percent(fraction), f"{np.mean(known):.2f}" if known else ""])
    return table(["condition", "windows", "with a stress value", "mean confidence of these"], rows)


def constants(fitted):
    """The constants of the program next to those fitted to the given recordings."""
    rows = [[f"`{one.name}`", f"{one.k:g}", f"{k:.3g}"] for one, k in zip(factors.FITTED, fitted)]
    return table(["factor", "k of the program", "k fitted"], rows)


def coefficients(fitted):
    pairs = np.stack([interval.PROGRAM, fitted], axis=-1)
    rows = [
        [f"`{name}`", *(f"{value:.3g}" if value >= 0.001 else "0" for side in range(2) for value in pairs[side, place])]
        for place, name in enumerate(interval.STARTS)
    ]
    return table(["quantity", "fall of the program", "fall fitted", "rise of the program", "rise fitted"], rows)
