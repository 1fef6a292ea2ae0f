"""Fits the weights of Sources/Stress/SmoothingWeights.swift and prints their leave-one-recording-out accuracy.

python3 Research/smoothing_weights.py FOLDER

FOLDER/rr contains one file NAME.txt per recording, with one RR interval in ms per line. Requires numpy and scipy.
Takes minutes.
"""

import pathlib
import sys
from fractions import Fraction

import numpy
from scipy.optimize import minimize
from scipy.signal import lfilter

FEWEST, MOST, STEP = 40, 128, 4  # number of differences per window, as in SmoothingStatistics.swift
LENGTHS = range(FEWEST, MOST + 1, STEP)
STAGES = [40, 44, 48, 52, 56, 60, 64, 72, 80, 128]  # maximum number of differences of each threshold
TAPERS, SHAPE_TAPERS = 6, 5
NOISE = 0.05  # ms^2: about the variance of differences due to rounding to 1/1024 s
UNIT = 1000 / 1024  # ms: straps send intervals in this unit
MEANS = range(2, 9)
FREQUENCIES = sorted({Fraction(j, 2 * k) for k in MEANS for j in range(1, k + 1)})
BANDS = [0, 0.11, 0.19, 0.26, 0.34, 0.42, 0.51]  # cycles per beat
NOTCH_TAPERS = {2: 6, 3: 5, 4: 4, 5: 4, 6: 3, 7: 3, 8: 2}  # longer means have narrower notches
RATES = {"slow": (700, 1e9, MEANS), "fast": (330, 700, range(4, 9))}  # mean interval in ms, detected lengths
CROSS_VALIDATED = {"slow": False, "fast": True}  # whether thresholds come from cross-validation: few recordings are fast
PENALTY = 0.003  # of the squared weights of scaled features
REAL_WEIGHT = 5  # weight of a beat-to-beat recording relative to an averaged one
MARGINS = {2: 0.6, 3: 1.2}  # above the highest score of beat-to-beat intervals; larger for a single notch
MARGIN = 0.45


def basis(count):
    """Returns the products of sine tapers (Riedel and Sidorenko 1995) and complex exponentials."""
    place = numpy.arange(count)
    tapers = numpy.sin(numpy.pi * numpy.outer(range(1, TAPERS + 1), place + 1) / (count + 1))
    tapers *= numpy.sqrt(2 / (count + 1))
    waves = numpy.exp(-2j * numpy.pi * numpy.outer([float(f) for f in FREQUENCIES], place))
    return (tapers[:, None] * waves).reshape(-1, count).T.astype(numpy.complex64)


BASES = {count: basis(count) for count in LENGTHS}


def spectra(differences, intervals):
    """Returns rows of logarithms: power per taper and frequency, mean interval, number of differences / 64."""
    count = differences.shape[1]
    power = abs(differences.astype(numpy.float32) @ BASES[count]) ** 2 + 1e-6
    ends = numpy.column_stack([numpy.log(intervals), numpy.full(len(intervals), numpy.log(count / 64))])
    return numpy.concatenate([numpy.log(power), ends], axis=1).astype(numpy.float32)


def features(rows, k):
    """Returns the features of the model for the mean of k neighbours."""
    power = numpy.exp(rows[:, :-2]).reshape(len(rows), TAPERS, -1)
    shape = numpy.log(power[:, :SHAPE_TAPERS].mean(1) + NOISE)
    frequencies = numpy.array([float(f) for f in FREQUENCIES])
    inside = [(frequencies >= low) & (frequencies < high) for low, high in zip(BANDS, BANDS[1:])]
    bands = [shape[:, band].mean(1) for band in inside]
    depths = []
    for taper in range(NOTCH_TAPERS[k]):
        depth, ones = 0, 0
        for j in range(1, k // 2 + 1):
            notch, before, after = (FREQUENCIES.index(Fraction(n, 2 * k)) for n in (2 * j, 2 * j - 1, mirrored(2 * j + 1, k)))
            weight = 1 if 2 * j == k else 2
            sides = (shape[:, before] + shape[:, after]) / 2
            depth = depth + weight * (numpy.log(power[:, taper, notch] + NOISE) - sides)
            ones += weight
        depths.append(depth / ones)
    grown = [depth * rows[:, -1] for depth in depths]
    return numpy.column_stack([rows[:, -2:], *bands, *depths, *grown])


def mirrored(numerator, k):
    """Maps frequencies above 1/2 cycle per beat to their alias."""
    return min(numerator, 2 * k - numerator)


def jumps(rr):
    return 5 * abs(numpy.diff(rr)) > numpy.minimum(rr[1:], rr[:-1])


def all_windows(rr, rate, step, most=None):
    """Returns the rows and the numbers of differences of all windows without a jump, at any start."""
    differences = numpy.diff(rr)
    jumped = numpy.append(0, numpy.cumsum(jumps(rr)))
    sums = numpy.append(0, numpy.cumsum(rr))
    low, high, _ = RATES[rate]
    rows, counts = [numpy.zeros((0, TAPERS * len(FREQUENCIES) + 2), numpy.float32)], []
    for count in LENGTHS:
        starts = numpy.arange(0, len(differences) - count + 1, step)
        if len(starts) == 0:
            continue
        intervals = (sums[starts + count + 1] - sums[starts + 1]) / count
        starts = starts[(jumped[starts + count] == jumped[starts]) & (intervals >= low) & (intervals < high)]
        if most and len(starts) > most:
            starts = starts[:: len(starts) // most + 1]
        for some in numpy.array_split(starts, len(starts) // 20000 + 1):
            windows = numpy.lib.stride_tricks.sliding_window_view(differences, count)[some]
            rows.append(spectra(windows, (sums[some + count + 1] - sums[some + 1]) / count))
            counts += [count] * len(some)
    return numpy.concatenate(rows), numpy.array(counts, int)


def evaluated_windows(stretches, rate):
    """Returns the windows that the program evaluates: stretch, seconds, number of differences, rows."""
    low, high, _ = RATES[rate]
    found = {count: [] for count in LENGTHS}
    for number, rr in enumerate(stretches):
        differences, seconds, jumped, start = numpy.diff(rr), numpy.cumsum(rr) / 1000, jumps(rr), 0
        for place in range(len(differences)):
            start = place + 1 if jumped[place] else start
            count = min((place + 1 - start) // STEP * STEP, MOST)
            if count < FEWEST or (place + 1) % STEP:
                continue
            first = place + 1 - count
            mean = rr[first + 1 : place + 2].mean()
            if low <= mean < high:
                found[count].append((number, seconds[place + 1], mean, differences[first : place + 1]))
    all_rows = []
    for count, some in found.items():
        if some:
            number, seconds, means, differences = zip(*some)
            rows = spectra(numpy.array(differences), numpy.array(means))
            all_rows.append((numpy.array(number), numpy.array(seconds), numpy.full(len(rows), count), rows))
    return [numpy.concatenate(column) for column in zip(*all_rows)] if all_rows else None


def mean(rr, count):
    return numpy.convolve(rr, numpy.ones(count) / count, "valid")


def exponential(rr, share):
    return lfilter([share], [1, share - 1], rr, zi=[(1 - share) * rr[0]])[0]


def seconds_mean(rr, length):
    end = numpy.cumsum(rr) / 1000
    first = numpy.minimum(numpy.searchsorted(end, end - length, "right"), numpy.arange(len(rr)))
    sums = numpy.append(0, numpy.cumsum(rr))
    return (sums[1:] - sums[first]) / (numpy.arange(1, len(rr) + 1) - first)


KINDS = {None: None} | {f"mean of {k}": (lambda rr, k=k: mean(rr, k)) for k in (*MEANS, 10)}
KINDS |= {"mean of 2, twice": lambda rr: mean(mean(rr, 2), 2)}
KINDS |= {f"mean of {s} s": (lambda rr, s=s: seconds_mean(rr, s)) for s in (2, 3, 5)}
KINDS |= {f"exponential {a}": (lambda rr, a=a: exponential(rr, a)) for a in (0.1, 0.2, 0.3, 0.5, 0.7)}


def in_units(rr):
    return numpy.round(rr / UNIT) * UNIT


def simulated_heart(random, beats):
    """Simulates a heart at rest with slow, deep or very regular breathing, which the recordings do not contain."""
    rr = random.uniform(700, 1350)
    breaths = random.choice([random.uniform(4, 8), random.uniform(8, 20)])
    steady = random.random() < 0.5
    swing, noise = rr / 1000 * random.uniform(5, 140), rr / 1000 * random.uniform(*((6.5, 15) if steady else (8, 25)))
    jitter, slow = random.uniform(0.7, 3), random.uniform(0, 30)
    if steady:
        jitter, swing = random.uniform(0.3, 1.5), swing / 2
    mayer = random.uniform(0, 25) if steady else 0
    phase, wander, drift, time = random.random() * 2 * numpy.pi, 0, 0, 0
    intervals = []
    for beat in range(beats):
        wander = 0.99 * wander + random.normal() * noise * (0.25 if steady else 0.5)
        drift = 0.9 * drift + random.normal() * slow * (0.1 if steady else 0.43)
        uneven = 0.02 if steady else 0.1
        phase += 2 * numpy.pi * breaths * (1 + uneven * numpy.sin(beat / 17)) / 60 * rr / 1000
        time += rr / 1000
        wave = numpy.sin(phase) + (0 if steady else 0.3) * numpy.sin(2 * phase + 1)
        slower = mayer * numpy.sin(2 * numpy.pi * time / 10)
        intervals.append(rr + swing * wave + slower + wander + drift + random.normal() * noise)
    peaks = numpy.cumsum(numpy.maximum(intervals, 300)) + random.normal(size=beats) * jitter
    return numpy.diff(in_units(peaks))


def stretches_of(rr, rate, most=700):
    """Returns stretches of 180 beats, preceded by 12 beats for the averages."""
    low, high, _ = RATES[rate]
    starts = numpy.arange(12, len(rr) - 180, max(25, len(rr) // most))
    stretches = [rr[start - 12 : start + 180] for start in starts]
    return [stretch for stretch in stretches if low < stretch[12:92].mean() < high]


class Material:
    """The recordings and simulated hearts at slow or fast heart rates."""

    def __init__(self, recordings, rate):
        self.rate, self.means = rate, RATES[rate][2]
        self.real, self.averaged, self.evaluated = {}, {}, {}
        random = numpy.random.default_rng(7)
        sources = {name: [rr] for name, rr in recordings.items()} | {"simulated": [simulated_heart(random, 400) for _ in range(300)]}
        for name, some in sources.items():
            many = sum(map(len, some)) > 20000
            step = 16 if name not in recordings else 4 if many else 1
            sent = [all_windows(kind(rr), rate, step) for rr in some for kind in (in_units, numpy.array)]
            self.real[name] = tuple(numpy.concatenate(column) for column in zip(*sent))
            for k in self.means if "_af" not in name else []:
                averaged = [all_windows(in_units(mean(rr, k)), rate, 8 if many else 1, 400 // len(some) + 1)[0] for rr in some]
                self.averaged[name, k] = numpy.concatenate(averaged)
        random = numpy.random.default_rng(1)
        stretches = {name: stretches_of(rr, rate) for name, rr in recordings.items()}
        if rate == "slow":
            stretches["simulated"] = [simulated_heart(random, 193) for _ in range(120)]
        self.stretches = {name: some for name, some in stretches.items() if len(some) > 5}
        for name, some in self.stretches.items():
            for kind, average in KINDS.items():
                sent = [s[12:] if average is None else in_units(average(s)[-180:]) for s in some]
                self.evaluated[name, kind] = evaluated_windows(sent, rate)


def logistic(real, averaged, weights, start=None):
    rows = numpy.concatenate(real + averaged)
    signs = numpy.repeat([-1.0, 1.0], [sum(map(len, real)), sum(map(len, averaged))]).astype(numpy.float32)
    weights = (numpy.concatenate(weights) / sum(w.sum() for w in weights)).astype(numpy.float32)
    centre, spread = rows.mean(0), rows.std(0) + 1e-6
    scaled = numpy.column_stack([(rows - centre) / spread, numpy.ones(len(rows))]).astype(numpy.float32)

    def loss(c):
        margin = signs * (scaled @ c)
        slope = -weights * signs / (1 + numpy.exp(numpy.clip(margin, -80, 80)))
        ridge = PENALTY * c[:-1] @ c[:-1]
        return weights @ numpy.logaddexp(0, -margin) + ridge, slope @ scaled + 2 * PENALTY * numpy.append(c[:-1], 0)

    c = minimize(loss, numpy.zeros(scaled.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return c[:-1] / spread, c[-1] - c[:-1] @ (centre / spread)


def subsample(rows, most, random):
    return rows if len(rows) <= most else rows[random.choice(len(rows), most, replace=False)]


def fit(real, averaged):
    """Penalised logistic regression with equal weights of the recordings.

    The windows with the highest scores of each recording have half of its weight in addition.
    """
    random = numpy.random.default_rng(0)
    sampled = [subsample(rows, 2500, random) for rows in real]
    weights = [numpy.full(len(rows), REAL_WEIGHT / len(rows)) for rows in sampled]
    averaged = [subsample(rows, 1500, random) for rows in averaged]
    others = [numpy.full(len(rows), 1 / len(rows)) for rows in averaged]
    slopes, constant = logistic(sampled, averaged, weights + others)
    for rows in real:
        hardest = rows[numpy.argsort(-(rows @ slopes))[: max(30, len(rows) // 300)]]
        sampled.append(hardest)
        weights.append(numpy.full(len(hardest), REAL_WEIGHT / 2 / len(hardest)))
    return logistic(sampled, averaged, weights + others)


def stages(counts):
    return numpy.searchsorted(STAGES, counts)


def highest(scores, counts):
    """Returns the highest score in each stage."""
    return [max(scores[stages(counts) == stage], default=-99.0) for stage in range(len(STAGES))]


def cross_validate(material):
    """Returns the scores above threshold of each recording by models fitted without it, and the models fitted to all.

    A threshold is above the scores of all windows of beat-to-beat recordings: those of the training set, or, for fast heart
    rates, those of cross-validation.
    """
    margins, models = {}, {}
    for k in material.means:
        real = {name: features(rows, k) for name, (rows, _) in material.real.items() if len(rows) >= 30}
        averaged = {name: features(rows, k) for (name, mean), rows in material.averaged.items() if mean == k and len(rows) > 0}

        def fitted(without=None):
            return fit([r for n, r in real.items() if n != without], [a for n, a in averaged.items() if n != without])

        def highest_scores(model, names):
            slopes, constant = model
            return {n: highest(real[n] @ slopes + constant, material.real[n][1]) for n in names}

        def thresholds(heights):
            return numpy.max(list(heights.values()), axis=0) + MARGINS.get(k, MARGIN)

        without = {name: fitted(name) for name in real}
        held_out = {name: highest_scores(without[name], [name])[name] for name in real}
        for name, (slopes, constant) in without.items():
            threshold = thresholds(held_out if CROSS_VALIDATED[material.rate] else highest_scores(without[name], real.keys() - {name}))
            for (evaluated, kind), found in material.evaluated.items():
                if evaluated == name and found:
                    margins[name, kind, k] = features(found[3], k) @ slopes + constant - threshold[stages(found[2])]
        slopes, constant = fitted()
        in_sample = highest_scores((slopes, constant), real)
        models[k] = slopes, constant - thresholds(held_out if CROSS_VALIDATED[material.rate] else in_sample)
        for title, heights in ("held out", held_out), ("in sample", in_sample):
            print(material.rate, k, title, {n: numpy.round(h, 1).tolist() for n, h in heights.items()}, file=sys.stderr)
    return margins, models


def print_models(models):
    for k, (slopes, limited) in models.items():
        numbers = [f"{weight:.3f}" for weight in slopes]
        tapers = NOTCH_TAPERS[k]
        starts = ", ".join(f"{start:.3f}" for start in limited)
        print(f"    SmoothingModel(\n      meanOf: {k}, starts: [{starts}],")
        print(f"      interval: {numbers[0]}, length: {numbers[1]},")
        print(f"      bands: [{', '.join(numbers[2:8])}],")
        print(f"      depths: [{', '.join(numbers[8:8 + tapers])}],")
        print(f"      grown: [{', '.join(numbers[8 + tapers:])}]),")


def print_detections(material, margins):
    names = list(material.stretches)
    print(f"\n{material.rate}\n\n| sent | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    for kind in KINDS:
        cells = []
        for name in names:
            number, seconds, _, _ = material.evaluated[name, kind]
            detected = sum(margins[name, kind, k] > 0 for k in material.means) > 0
            found = [len(set(number[detected & (seconds <= end)])) / len(material.stretches[name]) for end in (60, 120)]
            cells.append(" and ".join(f"{100 * share:.{0 if kind else 1}f}" for share in found))
        print(f"| {kind or 'unchanged'} | " + " | ".join(cells) + " |")
    print("| stretches | " + " | ".join(str(len(some)) for some in material.stretches.values()) + " |", flush=True)


def main(folder):
    files = sorted(pathlib.Path(folder, "rr").glob("*.txt"))
    recordings = {f.stem: numpy.loadtxt(f) for f in files if not f.name.endswith(".labels.txt")}
    for rate in RATES:
        material = Material(recordings, rate)
        margins, models = cross_validate(material)
        print_models(models)
        print_detections(material, margins)


if __name__ == "__main__":
    main(sys.argv[1])
