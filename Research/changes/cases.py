"""Writes every changed minute to a table."""

import csv

from causes import state

NUMBERS = ("stress", "confidence", "rmssd_ms", "mean_hr_bpm", "beats", "artefact_percent", "sensor_class")


def write(path, default, own):
    with open(path, "w", newline="") as file:
        table = csv.writer(file)
        columns = [f"{name} {when}" for name in (*NUMBERS, "category", "factors") for when in ("before", "after")]
        table.writerow(["recording", "baseline", "minute", "value_cause", "confidence_cause", "category_cause", "labelled", *columns])
        for name, comparisons in (("default", default), ("own", own)):
            for one in comparisons:
                table.writerows(row(one, name, change) for change in one.changes if is_changed(change))


def is_changed(change):
    return change.value_cause or change.confidence_cause or change.category_cause


def row(comparison, name, change):
    old, new = change.old, change.new
    values = [number(side[key]) for key in NUMBERS for side in (old, new)]
    shown = [state(old, False), state(new, True), factors(old), factors(new)]
    return [
        comparison.session.name, name, change.minute, change.value_cause, change.confidence_cause, change.category_cause,
        number(comparison.truth.get(change.minute)), *values, *shown]


def factors(measurement):
    return " ".join(f"{name}={value:.3f}" for name, value in measurement["confidence_factors"].items() if value < 1)


def number(value):
    return round(value, 4) if isinstance(value, float) else value
