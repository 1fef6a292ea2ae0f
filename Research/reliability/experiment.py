"""Disturbs recordings in all conditions, replays them, and compares each window with its undisturbed beats."""

import os
import tempfile
from functools import partial
from itertools import chain
from multiprocessing import get_context
from pathlib import Path

import numpy as np

import peaks
import program
import radio
from conditions import CLEAN, CONDITIONS, ECTOPIC, FILLING, Condition
from quantities import Session
from recordings import Stretch, WINDOW, spread, stretches
from score import Truth

STEP = 20_000  # ms between the windows of a stretch
FILLING_TIMES = (10_000, 15_000, 20_000, 30_000, 40_000, 50_000)  # ms after the start
LATEST = 5000  # ms: oldest newest beat of a window
MOST_EXCERPTS = 24  # with ectopic beats, per recording
BEFORE, AFTER, APART = 130_000, 110_000, 300_000  # ms around an ectopic beat, and between two of them


def rows(binary, recordings, jobs):
    """The windows of all conditions, in a fixed order."""
    tasks = [(stretch_rows, recording, stretch) for recording in recordings for stretch in stretches(recording)]
    tasks += [(ectopic_rows, recording, place) for recording in recordings for place in ectopic_places(recording)]
    with get_context("fork").Pool(jobs) as pool:
        return list(chain.from_iterable(pool.imap(partial(run, binary), tasks)))


def run(binary, task):
    function, recording, part = task
    return function(binary, recording, part)


def stretch_rows(binary, recording, stretch: Stretch):
    """All conditions of a stretch. Its first minute is not sent: the window of a duplicate may reach into it."""
    times = np.concatenate([[0], np.cumsum(stretch.rr)])
    truth = Truth(stretch.rr, times[1:])
    sent = times[np.searchsorted(times, 1000 * WINDOW) :]
    full = np.arange(sent[0] + 1000 * WINDOW, sent[-1] + 1, STEP)
    found = []
    for condition in CONDITIONS:
        events = condition.sent(sent, f"{recording.name} {stretch.start}")
        found += windows(binary, recording, condition, events, truth, full)
        if condition.kind == CLEAN:
            filling = Condition(FILLING)
            found += windows(binary, recording, filling, events, truth, sent[0] + np.array(FILLING_TIMES))
    return found


def ectopic_places(recording):
    """Labelled ectopic beats at least five minutes apart."""
    end, found = np.cumsum(recording.rr), []
    for place, label in enumerate(recording.labels or []):
        is_inside = 150_000 < end[place] < end[-1] - 120_000
        if label in ("A", "V", "Q") and is_inside and (not found or end[place] - end[found[-1]] > APART):
            found.append(place)
    return spread(found, MOST_EXCERPTS) if len(found) > MOST_EXCERPTS else found


def ectopic_rows(binary, recording, place):
    """The minutes around a labelled ectopic beat, as far as they contain labels."""
    end = np.cumsum(recording.rr)
    is_normal = np.array([label == "N" for label in recording.labels])
    low, high = np.searchsorted(end, [end[place] - BEFORE, end[place] + AFTER], "right")
    truth = Truth(recording.rr, end, reference_beats(recording))
    events = radio.notifications(peaks.intervals(end[low:high]), end[low])
    ends = end[low] + 1000 * WINDOW + STEP * np.arange(9)
    labelled = [one for one in ends if not is_normal[slice(*np.searchsorted(end, [one - 60_000, one], "right"))].all()]
    return windows(binary, recording, Condition(ECTOPIC), events, truth, labelled)


def reference_beats(recording):
    """Whether an interval is plausible and between two normal beats."""
    is_normal = np.array([label == "N" for label in recording.labels])
    follows = np.concatenate([[True], is_normal[:-1]])
    return is_normal & follows & (recording.rr >= 300) & (recording.rr <= 3000)


def windows(binary, recording, condition, events, truth, ends):
    """One row per window that ends with the last beat before one of `ends`."""
    sent = np.array([end for event in events for _, end in getattr(event, "beats", ())])
    if not len(sent):
        return []
    session = Session(replayed(binary, events))
    places = np.searchsorted(sent, ends, "right") - 1
    kept = {place: at for place, at in zip(places.tolist(), ends) if place >= 0 and sent[place] > at - LATEST}
    found = [row(recording, condition, session, place, truth.at(sent[place])) for place in sorted(kept)]
    return [one for one in found if one]


def replayed(binary, events):
    descriptor, name = tempfile.mkstemp(suffix=".jsonl")
    with os.fdopen(descriptor, "w") as file:
        file.writelines(line + "\n" for line in program.recording(events))
    try:
        return program.replay(binary, name)
    finally:
        Path(name).unlink()


def row(recording, condition, session, place, truth):
    """The values of a window; None if the undisturbed beats are too few."""
    if truth is None:
        return None
    stated = session.output.measurements[place]
    quantities = session.window(place) if stated["stress"] is not None else None
    return {
        "recording": recording.name,
        "kind": condition.kind,
        "condition": condition.name,
        "everyday": condition.is_everyday,
        "true_hrv": truth[0],
        "true_rate": truth[1],
        "stated": stated,
        "quantities": quantities,
    }
