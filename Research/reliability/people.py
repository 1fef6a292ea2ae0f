"""The people of the experiment, with undisturbed stretches and labelled recordings of each."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import recordings
from recordings import Recording

MOST_STRETCHES = 8  # per person
FIBRILLATING = ("afdb03665_af", "m201", "m203", "m219")
# Recordings of one person: the prefix of the name, and the name of the person.
SHARED = (("d2025", "wearer"), ("d2026", "wearer"), ("n2026", "sleeper"), ("m201", "m201"), ("m202", "m201"))


@dataclass
class Person:
    name: str
    stretches: list = field(default_factory=list)  # (RR in ms, seed)
    labelled: list = field(default_factory=list)


@dataclass(frozen=True)
class Labelled:
    rr: object
    labels: list
    fibrillates: bool


def person_of(name):
    return next((person for prefix, person in SHARED if name.startswith(prefix)), name)


def load(data):
    """All people of the folders of `data`, sorted by name."""
    found = {}
    for folder in ("rr", "holter", "labelled", "labelled_af", "wearer"):
        for path in recordings.paths([Path(data) / folder]):
            add(found, recordings.load(path))
    for path in sorted((Path(data) / "nights").glob("*.csv")):
        add(found, night(path), has_labels=False)
    for person in found.values():
        if len(person.stretches) > MOST_STRETCHES:
            person.stretches = recordings.spread(person.stretches, MOST_STRETCHES)
    return [found[name] for name in sorted(found)]


def add(found, recording, has_labels=True):
    person = found.setdefault(person_of(recording.name), Person(person_of(recording.name)))
    fibrillates = recording.name in FIBRILLATING
    if has_labels and (recording.labels or fibrillates):
        labels = recording.labels or ["N"] * len(recording.rr)
        person.labelled.append(Labelled(recording.rr, labels, fibrillates))
    if not fibrillates:
        chosen = recordings.stretches(recording)
        person.stretches += [(one.rr, f"{recording.name} {one.start}") for one in chosen]


def night(path):
    """A night as CSV: time, RR interval in ms, 1 if the source had corrected the interval."""
    lines = [line.split(",") for line in path.read_text().splitlines()[1:]]
    rr = np.array([float(line[1]) for line in lines])
    return Recording(path.stem, rr, ["N" if line[2].strip() == "0" else "Q" for line in lines])
