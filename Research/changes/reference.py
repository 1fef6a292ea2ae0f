"""The value of the beats that are labelled as normal."""

import numpy as np

import recordings
from score import Truth, stress

FEWEST_NORMAL = 20


def values(session, changes):
    """The reference value of each minute with a value of either program and enough labelled normal beats."""
    if not session.has_labels:
        return {}
    one = recordings.load(session.path)
    end, normal = np.cumsum(one.rr), recordings.reference_beats(one)
    truth, found = Truth(one.rr, end, normal), {}
    for change in changes:
        # Half a millisecond covers the decimals of the time.
        at = 1000 * change.end + 0.5
        beats = slice(*np.searchsorted(end, [at - 60_000, at], "right"))
        inputs = truth.at(at)
        if inputs and inputs[0] and normal[beats].sum() >= FEWEST_NORMAL:
            usual = (change.new["baseline_rmssd_ms"], change.new["resting_hr_bpm"])
            if None not in usual:
                found[change.minute] = float(stress(*inputs, *usual))
    return found


def rmssd(session):
    """RMSSD in ms of the differences between labelled normal beats; None without labels."""
    if not session.has_labels:
        return None
    one = recordings.load(session.path)
    truth = Truth(one.rr, np.cumsum(one.rr), recordings.reference_beats(one))
    return float(np.sqrt(truth.squares.sum() / truth.counts.sum()))
