"""The windows of disturbed and of natural recordings as arrays: quantities of the program, and undisturbed values.

The program WindowFeatures computes the quantities, the same sums that the engine uses, for windows of 60 s. Each row has
the person, the kind of condition, the quantities, and RMSSD and heart rate of the undisturbed beats.
"""

import subprocess
from dataclasses import dataclass
from functools import partial
from itertools import chain
from multiprocessing import get_context

import numpy as np

import peaks
import radio
import synthetic
from conditions import AVERAGED, CLEAN, CONDITIONS, FILLING, Condition
from recordings import WINDOW, reference_beats
from score import Truth

COLUMNS = (
    "place", "scored", "smoothed", "normal", "beats", "differences", "rmssd", "sdnn", "rate", "abnormal_beats", "lost_data",
    "contact_lost", "duplicates", "tail", "noise", "randomness", "irregularity", "unchanged", "artefacts",
    "fill", "rhythm", "sensor", "program",
)
TICKS = 80_000_000  # per second
STEP = 20_000  # ms between windows
LONG_STEP = 180_000  # ms, in recordings of more than LONG
LONG = 6 * 3_600_000  # ms
FILLING_TIMES = (10_000, 15_000, 20_000, 30_000, 40_000, 50_000)  # ms after the start
LATEST = 5000  # ms: oldest newest beat of a window
NATURAL, FIBRILLATION, SLOW, SWING = "natural", "fibrillation", "slow", "swing"

ROW = np.dtype(
    [("person", "U24"), ("kind", "U24"), ("condition", "U24"), ("everyday", bool), ("ectopic", int), ("true_hrv", float)]
    + [("true_rate", float)] + [(name, float) for name in COLUMNS])


@dataclass(frozen=True)
class Sent:
    """A session, and the windows to compare with the undisturbed beats."""

    person: str
    condition: Condition
    events: list
    truth: Truth
    ends: np.ndarray  # ms
    ectopic: object = None  # end in ms -> number of labelled beats

    def places(self):
        """The newest beat of each window, with the end of the window."""
        sent = np.array([end for event in self.events for _, end in getattr(event, "beats", ())])
        found = {}
        if len(sent):
            for at, place in zip(self.ends, np.searchsorted(sent, self.ends, "right") - 1):
                if place >= 0 and sent[place] > at - LATEST:
                    found[int(place)] = float(sent[place])
        return found

    def lines(self, places):
        yield "session " + " ".join(map(str, places))
        for event in self.events:
            time = round(event.arrival * TICKS)
            if isinstance(event, radio.LinkChange):
                yield f"l {time} {event.state}"
            else:
                yield f"n {time} {payload(event).hex()}"


def payload(one):
    """A Heart Rate Measurement (0x2A37): flags, rate as uint8, RR intervals as uint16 in 1/1024 s."""
    contact = {None: 0, True: 0b110, False: 0b100}[one.contact]
    units = [min(65_535, max(1, round(rr * 1.024))) for rr, _ in one.beats]
    flags = contact | (0b10000 if units else 0)
    return bytes([flags, one.rate]) + b"".join(unit.to_bytes(2, "little") for unit in units)


def rows(binary, people, jobs):
    """The windows of all people, in a fixed order."""
    tasks = [(disturbed, person, place) for person in people for place in range(len(person.stretches))]
    tasks += [(natural, person, place) for person in people for place in range(len(person.labelled))]
    tasks += [(function, None, place) for function in (slow, swing) for place in range(synthetic.GROUPS)]
    with get_context("fork").Pool(jobs) as pool:
        return np.array(list(chain.from_iterable(pool.imap(partial(run, binary), tasks))), ROW)


def run(binary, task):
    function, person, place = task
    sessions = list(function(person, place))
    places = [session.places() for session in sessions]
    text = "\n".join(chain.from_iterable(one.lines(at) for one, at in zip(sessions, places))) + "\n"
    output = subprocess.run([binary], input=text, capture_output=True, text=True, check=True).stdout
    values = iter([tuple(map(float, line.split())) for line in output.splitlines()])
    found = []
    for session, at in zip(sessions, places):
        for place in sorted(at):
            row, truth = next(values), session.truth.at(at[place])
            assert int(row[0]) == place
            if truth:
                count = session.ectopic(at[place]) if session.ectopic else -1
                kind = session.condition
                found.append((session.person, kind.kind, kind.name, kind.is_everyday, count, *truth, *row))
    return found


def disturbed(person, place):
    """All conditions of a stretch. Its first minute is not sent: the window of a duplicate may reach into it."""
    stretch, seed = person.stretches[place]
    times = np.concatenate([[0], np.cumsum(stretch)])
    truth = Truth(stretch, times[1:])
    sent = times[np.searchsorted(times, 1000 * WINDOW) :]
    full = np.arange(sent[0] + 1000 * WINDOW, sent[-1] + 1, STEP)
    for condition in CONDITIONS:
        if condition.kind in AVERAGED:
            continue
        events = condition.sent(sent, seed)
        yield Sent(person.name, condition, events, truth, full)
        if condition.kind == CLEAN:
            yield Sent(person.name, Condition(FILLING), events, truth, sent[0] + np.array(FILLING_TIMES))


def natural(person, place):
    """A labelled recording as it is, with the RMSSD of the differences between normal beats."""
    recording = person.labelled[place]
    end = np.cumsum(recording.rr)
    is_normal = np.array([label == "N" for label in recording.labels])
    truth = Truth(recording.rr, end, reference_beats(recording))
    events = radio.notifications(peaks.intervals(np.concatenate([[0], end])), 0)
    step = LONG_STEP if end[-1] > LONG else STEP

    def ectopic(at):
        return int((~is_normal[slice(*np.searchsorted(end, [at - 60_000, at], "right"))]).sum())

    kind = FIBRILLATION if recording.fibrillates else NATURAL
    yield Sent(person.name, Condition(kind), events, truth, np.arange(60_000 + step, end[-1], step), ectopic)


def slow(_, place):
    yield from made(SLOW, synthetic.slow_hearts(place), place)


def swing(_, place):
    yield from made(SWING, synthetic.swings(place), place)


def made(kind, hearts, place):
    for name, exact, sent in hearts:
        truth = Truth(np.diff(exact), exact[1:])
        events = radio.notifications(peaks.intervals(sent), sent[0])
        ends = np.arange(sent[0] + 60_000 + STEP, sent[-1], STEP)
        yield Sent(f"{kind}{place}", Named(kind, name), events, truth, ends)


@dataclass(frozen=True)
class Named:
    kind: str
    name: str
    is_everyday: bool = True
