"""The weights of Sources/Stress/SmoothingModel.swift, and what they find in recordings that they were not made from.

python3 Benchmarks/smoothing_weights.py FOLDER

FOLDER/rr holds one file NAME.txt for each recording, an RR in ms on each line. Needs numpy and scipy.
"""

import pathlib
import sys

import numpy
from scipy.optimize import minimize
from scipy.signal import lfilter

LENGTH, HOP, FIRST, MEMORY = 32, 2, 40, 64  # differences, and spectra; as in DifferenceSpectrum.swift
FREQUENCIES = LENGTH // 2
SHORTEST = 700  # ms: above 86 bpm nothing is decided
UNIT = 1000 / 1024  # ms: averages are sent in the unit of a strap
WINDOW = 0.5 - 0.5 * numpy.cos(2 * numpy.pi * numpy.arange(1, LENGTH + 1) / (LENGTH + 1))
WINDOW /= numpy.sqrt((WINDOW**2).sum())
LAST = 75  # s: what comes later is not learned from
PENALTY = 0.01  # on the squares of the weights, of scaled features
DOUBT = 5  # real intervals weigh as much as five of an average
MARGIN = 0.2  # above the highest that real intervals reach


def looks(rr):
    """Seconds, and features: logarithms of the mean spectrum of the differences and of the mean interval, and the evidence."""
    differences = numpy.diff(rr)
    jumps = 5 * abs(differences) > numpy.minimum(rr[1:], rr[:-1])
    seconds = numpy.cumsum(rr)[1:] / 1000
    if len(differences) < FIRST:
        return numpy.zeros(0), numpy.zeros((0, FREQUENCIES + 2))
    segments = numpy.lib.stride_tricks.sliding_window_view(differences, LENGTH) * WINDOW
    spectra = abs(numpy.fft.rfft(segments, axis=1)[:, 1:]) ** 2
    kept = 1 - 1 / MEMORY
    times, features = [], []
    count, pace = 0, rr[0]
    for place in range(len(differences)):
        pace += (rr[place + 1] - pace) / 16
        if jumps[place] or pace < SHORTEST:
            count = 0
            continue
        if count == 0:
            power, weight, total, ones = numpy.zeros(FREQUENCIES), 0, 0, 0
        count += 1
        total = total * kept**0.5 + rr[place + 1]
        ones = ones * kept**0.5 + 1
        if count < LENGTH or count % HOP:
            continue
        power = power * kept + spectra[place - LENGTH + 1]
        weight = weight * kept + 1
        if count >= FIRST and power[:12].max() > power[12:].max():
            times.append(seconds[place])
            logarithms = numpy.log(power / weight + 0.02)
            features.append(numpy.append(logarithms, [numpy.log(total / ones), evidence(count)]))
    return numpy.array(times), numpy.array(features).reshape(-1, FREQUENCIES + 2)


def evidence(count):
    """By how much less a score may do after so many differences: spectra of hearts settle."""
    return 1.6 * min(1, max(0, (count - 64) / 86))


def mean(rr, count):
    return numpy.convolve(rr, numpy.ones(count) / count, "valid")


def exponential(rr, share):
    return lfilter([share], [1, share - 1], rr, zi=[(1 - share) * rr[0]])[0]


def seconds_mean(rr, length):
    end = numpy.cumsum(rr) / 1000
    first = numpy.minimum(numpy.searchsorted(end, end - length, "right"), numpy.arange(len(rr)))
    sums = numpy.append(0, numpy.cumsum(rr))
    return (sums[1:] - sums[first]) / (numpy.arange(1, len(rr) + 1) - first)


LEARNED = {f"mean of {k}": (lambda rr, k=k: mean(rr, k)) for k in (2, 3, 4, 5, 6, 8)}
OTHERS = {f"mean of {k}": (lambda rr, k=k: mean(rr, k)) for k in (7, 10)}
OTHERS |= {"mean of 2, twice": lambda rr: mean(mean(rr, 2), 2)}
OTHERS |= {f"mean of {s} s": (lambda rr, s=s: seconds_mean(rr, s)) for s in (2, 3, 5)}
OTHERS |= {f"exponential {a}": (lambda rr, a=a: exponential(rr, a)) for a in (0.1, 0.2, 0.3, 0.5, 0.7)}

KINDS = {None: None} | LEARNED | OTHERS


def heart(random, beats):
    """A heart at rest whose breath may be slow and deep, as the recordings have none."""
    rr = random.uniform(700, 1350)
    breaths = random.choice([random.uniform(4, 8), random.uniform(8, 20)])
    swing, noise = rr / 1000 * random.uniform(5, 140), rr / 1000 * random.uniform(8, 25)
    jitter, slow = random.uniform(0.7, 3), random.uniform(0, 30)
    phase, wander, drift = random.random() * 2 * numpy.pi, 0, 0
    intervals = []
    for beat in range(beats):
        wander = 0.99 * wander + random.normal() * noise * 0.5
        drift = 0.9 * drift + random.normal() * slow * 0.43
        phase += 2 * numpy.pi * breaths * (1 + 0.1 * numpy.sin(beat / 17)) / 60 * rr / 1000
        wave = numpy.sin(phase) + 0.3 * numpy.sin(2 * phase + 1)
        intervals.append(rr + swing * wave + wander + drift + random.normal() * noise)
    peaks = numpy.cumsum(numpy.maximum(intervals, 300)) + random.normal(size=beats) * jitter
    return numpy.diff(numpy.round(peaks / UNIT) * UNIT)


def beginnings(rr, most=700):
    """Stretches of 180 beats, with 12 before them for the averages."""
    starts = numpy.arange(12, len(rr) - 180, max(25, len(rr) // most))
    stretches = [rr[start - 12 : start + 180] for start in starts]
    return [stretch for stretch in stretches if stretch[12:92].mean() > SHORTEST]


def load(folder):
    files = sorted(pathlib.Path(folder, "rr").glob("*.txt"))
    recordings = {f.stem: numpy.loadtxt(f) for f in files if not f.name.endswith(".labels.txt")}
    stretches = {name: beginnings(rr) for name, rr in recordings.items()}
    random = numpy.random.default_rng(1)
    stretches["made hearts"] = [heart(random, 193) for _ in range(120)]
    return recordings, stretches


def sent(stretch, average):
    if average is None:
        return looks(stretch[12:])
    averaged = average(stretch)
    return looks(numpy.round(averaged[-180:] / UNIT) * UNIT)


def training(all_looks):
    return numpy.concatenate([features[seconds <= LAST, :-1] for seconds, features in all_looks])


def logistic(real, averaged):
    """Penalised logistic regression of averages against real intervals; each recording weighs the same."""
    rows = numpy.concatenate(real + averaged)
    weights = numpy.concatenate(
        [numpy.full(len(r), DOUBT / len(r)) for r in real] + [numpy.full(len(a), 1 / len(a)) for a in averaged]
    )
    weights /= weights.sum()
    signs = numpy.concatenate([numpy.full(sum(map(len, real)), -1.0), numpy.full(sum(map(len, averaged)), 1.0)])
    centre, spread = rows.mean(0), rows.std(0)
    scaled = numpy.column_stack([(rows - centre) / spread, numpy.ones(len(rows))])

    def loss(c):
        margin = signs * (scaled @ c)
        slope = -weights * signs / (1 + numpy.exp(numpy.clip(margin, -500, 500)))
        ridge = PENALTY * c[:-1] @ c[:-1]
        return weights @ numpy.logaddexp(0, -margin) + ridge, slope @ scaled + 2 * PENALTY * numpy.append(c[:-1], 0)

    c = minimize(loss, numpy.zeros(scaled.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 500}).x
    return c[:-1] / spread, c[-1] - c[:-1] @ (centre / spread)


def learn(sets, names):
    real = [sets[n, None] for n in names if len(sets[n, None]) > 30]
    models = []
    for kind in LEARNED:
        averaged = [sets[n, kind] for n in names if len(sets[n, kind]) > 30 and "af" not in n]
        models.append(logistic(real, averaged))
    return models


def scores(models, features):
    return numpy.column_stack([features @ numpy.append(weights, 1) + constant for weights, constant in models])


def hold_out(sets, all_looks, whole):
    """What the models of the other recordings say of each, and the highest that any says of real intervals."""
    said, highest = {}, []
    for name in whole:
        models = learn(sets, [other for other in whole if other != name])
        for kind in KINDS:
            said[name, kind] = [(t, scores(models, f)) for t, f in all_looks[name, kind]]
        real = [s for _, s in said[name, None]]
        if whole[name] is not None:
            real.append(scores(models, looks(whole[name])[1]))
        highest.append(numpy.concatenate(real).max(0))
    return said, numpy.max(highest, axis=0)


def print_models(models, highest):
    for (weights, constant), limit, kind in zip(models, highest, LEARNED):
        numbers = [f"{weight:.3f}" for weight in weights]
        print(f"    // {kind}\n    SmoothingModel(\n      [")
        print("        " + ", ".join(numbers[:8]) + ",\n        " + ", ".join(numbers[8:16]) + ",")
        print(f"      ], rate: {numbers[16]}, constant: {constant - limit - MARGIN:.3f}),")


def print_hits(said, highest, names):
    print("\n| sent | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    for kind in KINDS:
        cells = []
        for name in names:
            begun = said[name, kind]
            found = [[(s[t <= end] > highest).any() for t, s in begun] for end in (60, 120)]
            cells.append(", ".join(f"{100 * numpy.mean(f):.0f}" for f in found) + f" % of {len(begun)}")
        print(f"| {kind or 'as it is'} | " + " | ".join(cells) + " |")


def main(folder):
    recordings, stretches = load(folder)
    whole = recordings | {"made hearts": None}
    all_looks = {(n, k): [sent(s, KINDS[k]) for s in stretches[n]] for n in whole for k in KINDS}
    sets = {(n, k): training(all_looks[n, k]) for n in whole for k in [None, *LEARNED]}
    said, highest = hold_out(sets, all_looks, whole)
    print_models(learn(sets, list(whole)), highest)
    print_hits(said, highest + MARGIN, list(whole))


if __name__ == "__main__":
    main(sys.argv[1])
