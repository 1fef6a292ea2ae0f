"""Evaluates an experiment: figures for the confidence of the program and for a fit that omits each recording."""

from dataclasses import dataclass, field

import numpy as np

import factors
import fit
import interval
import limits
import markdown
from conditions import AVERAGED
from measures import coverage, measure
from table import Table, build, calibrated

PROGRAM, LEFT_OUT = "program", "recording left out"
LARGEST_DIFFERENCE = 1e-6


@dataclass
class Report:
    windows: Table
    withheld: int  # windows without a stress value
    averaged: dict  # condition with averaged RR -> for each window its confidence, or None without a stress value
    confidences: dict  # name -> values
    measures: dict
    coverages: dict
    differences: dict  # factor -> largest difference from the program
    violations: list = field(default_factory=list)


def evaluate(rows):
    others = [row for row in rows if row["kind"] not in AVERAGED]
    windows, stated = build(others)
    if not len(windows):
        raise ValueError("no window has a stress value")
    confidences = {PROGRAM: windows["stated"], LEFT_OUT: fit.left_out(windows, fit.constants, factors.confidence)}
    confidences = {name: values for name, values in confidences.items() if values is not None}
    report = Report(
        windows,
        len(others) - len(windows),
        averaged([row for row in rows if row["kind"] in AVERAGED]),
        confidences,
        {name: measure(windows, values) for name, values in confidences.items()},
        {name: coverage(windows, values) for name, values in intervals(windows).items()},
        differences(windows, stated),
    )
    report.violations = list(violations(report))
    return report


def averaged(rows):
    found = {}
    for row in rows:
        one = row["stated"]
        value = None if one["stress"] is None else calibrated(one)
        found.setdefault(row["condition"], []).append(value)
    return found


def scored(values):
    """The fraction of windows with a stress value."""
    return float(np.mean([value is not None for value in values])) if values else 0.0


def intervals(windows):
    """The stated interval, or that of the program's coefficients if it states none, and that of the fits."""
    known = np.column_stack([windows["low"], windows["high"]])
    if np.isnan(known).any():
        known = interval.bounds(windows, interval.PROGRAM)
    found = {PROGRAM: known, LEFT_OUT: fit.left_out(windows, interval.fit, interval.bounds)}
    return {name: values for name, values in found.items() if values is not None}


def differences(windows, stated):
    """The largest differences of HRV, each factor and the interval between the program and this script."""
    found = {"RMSSD": np.abs(windows["hrv"] - windows["stated_hrv"]).max()}
    for name, values in factors.recomputed(windows).items():
        known = np.array([one.get(name, np.nan) for one in stated], float)
        gaps = np.abs(values - known)
        found[name] = 0.0 if np.isnan(gaps).all() else np.nanmax(gaps)
    stated_bounds = np.column_stack([windows["low"], windows["high"]])
    if not np.isnan(stated_bounds).any():
        found["interval"] = np.abs(stated_bounds - interval.bounds(windows, interval.PROGRAM)).max()
    return {name: float(value) for name, value in found.items()}


def violations(report):
    for name, one in report.measures.items():
        yield from (f"{name}: {text}" for text in limits.confidence(one))
    for name, one in report.coverages.items():
        yield from (f"{name}: {text}" for text in limits.interval(one))
    yield from limits.averaged(scored(sum(report.averaged.values(), [])))
    for name, value in report.differences.items():
        if value > LARGEST_DIFFERENCE:
            yield f"{name} of the program differs by {value:.2g} from the recomputed value"


def pages(report):
    """The tables, in the order of the page."""
    windows = report.windows
    names = ", ".join(f"{name} ({(windows['recording'] == name).sum()})" for name in np.unique(windows["recording"]))
    yield "### Reliability"
    yield f"{len(windows)} windows with a stress value, {report.withheld} without, of the recordings {names}:"
    yield markdown.reliability(report.measures)
    yield markdown.summary(report.measures)
    yield "### Conditions"
    yield markdown.conditions(windows, report.confidences)
    yield "### Interval"
    exact = ", ".join(f"{one.exact:.3f} ({name})" for name, one in report.coverages.items())
    yield f"Coverage with a tolerance of 0.5 points for rounding; without it {exact}."
    yield markdown.coverages(report.coverages)
    yield "### Averaged and computed RR intervals"
    every = {**report.averaged, "all": sum(report.averaged.values(), [])}
    yield markdown.averaged({name: (len(values), scored(values), values) for name, values in every.items()})


def fits(report):
    """The constants fitted to all recordings."""
    yield "### Fits to all recordings"
    yield markdown.constants(fit.constants(report.windows))
    yield markdown.coefficients(interval.fit(report.windows))
