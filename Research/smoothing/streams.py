"""Series of RR intervals for the detection of averages: recordings, simulated hearts and averages of both."""

import pathlib

import numpy

UNIT = 1000 / 1024  # ms: straps send intervals in this unit
FOLDERS = ["rr", "holter", "labelled", "wearer", "tasks", "nights"]
KINDS = {f"mean of {k}": k for k in range(2, 9)}
SECONDS = {"mean of 3 s": 3, "mean of 5 s": 5}
EXPONENTIAL = {"exponential 0.1": 0.1, "exponential 0.2": 0.2, "exponential 0.3": 0.3, "exponential 0.5": 0.5}


def in_units(rr):
    return numpy.round(rr / UNIT) * UNIT


def recordings(data):
    """Returns {(folder, name): intervals in ms}; atrial fibrillation is excluded."""
    found = {}
    for folder in FOLDERS:
        for path in sorted(pathlib.Path(data, folder).iterdir()):
            if path.suffix == ".csv":
                rr = numpy.loadtxt(path, delimiter=",", skiprows=1)[:, 1]
            elif path.suffix == ".txt" and not path.name.endswith(".labels.txt") and "_af" not in path.name:
                rr = numpy.loadtxt(path)
            else:
                continue
            if len(rr) >= 80:
                found[folder, path.stem] = rr
    return found


def person(key):
    """The unit of cross-validation: a person, or a session or night of one person with many."""
    folder, name = key
    return name[:3] if folder == "tasks" else name


def simulated_heart(seed, quietest, loudest, beats=600):
    """A heart with regular breathing, harmonics, slow waves and independent variation from `quietest` to `loudest` ms."""
    random = numpy.random.default_rng(seed)
    mean, period = random.uniform(550, 1250), random.uniform(3, 13)
    swing = random.uniform(2, 90) * mean / 900
    noise = numpy.exp(random.uniform(numpy.log(quietest), numpy.log(loudest)))
    seconds, drift = random.uniform(0, 10), 0
    slow, second, drifting = random.choice([0, 0.4]), random.choice([0, 0, 0.2]), random.choice([0, 0.4])
    rr = []
    for _ in range(beats):
        drift = 0.98 * drift + random.normal() * noise * drifting
        turns = 2 * numpy.pi * seconds / period
        wave = numpy.sin(turns) + slow * numpy.sin(turns / 3.1) + second * numpy.sin(2 * turns + 1)
        rr.append(mean + swing * wave + drift + noise * random.normal())
        seconds += rr[-1] / 1000
    return numpy.array(rr)


def simulated_hearts():
    """Hearts as steady as those of paced breathing, and livelier ones."""
    hearts = {("simulated", f"steady{n}"): simulated_heart(5000 + n, 0.9, 3) for n in range(200)}
    return hearts | {("simulated", f"lively{n}"): simulated_heart(1000 + n, 1, 12) for n in range(150)}


def paced_heart(seed, noise, beats=500):
    """The formula of Tests/TestSupport/PacedHeart.swift, with another generator."""
    random = numpy.random.default_rng(seed)
    seconds, rr = random.uniform(0, 10), []
    for _ in range(beats):
        rr.append(900 + 50 * numpy.sin(2 * numpy.pi * seconds / 10) + noise * random.normal())
        seconds += rr[-1] / 1000
    return in_units(numpy.array(rr))


def average(rr, kind):
    """Returns the averages of a kind, in 1/1024 s."""
    if kind in KINDS:
        k = KINDS[kind]
        return in_units(numpy.convolve(rr, numpy.ones(k) / k, "valid"))
    if kind in SECONDS:
        end = numpy.cumsum(rr) / 1000
        first = numpy.minimum(numpy.searchsorted(end, end - SECONDS[kind], "right"), numpy.arange(len(rr)))
        sums = numpy.append(0, numpy.cumsum(rr))
        return in_units((sums[1:] - sums[first]) / (numpy.arange(1, len(rr) + 1) - first))
    smoothed, value = [], rr[0]
    for interval in rr:
        value += EXPONENTIAL[kind] * (interval - value)
        smoothed.append(value)
    return in_units(numpy.array(smoothed))


def averaged_stretches(rr, kind, beats=400):
    """Returns averages of up to 8 stretches of a recording."""
    length = min(len(rr) - 10, beats)
    if length < 110:
        return []
    count = max(1, min(8 if len(rr) > 5000 else 2, len(rr) // beats))
    starts = numpy.linspace(0, len(rr) - length - 10, count).astype(int)
    return [average(rr[start : start + length + 10], kind)[-length:] for start in starts]
