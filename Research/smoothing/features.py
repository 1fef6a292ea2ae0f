"""Windows, spectra and features, as in Sources/Stress/Sensor: SmoothingStatistics, MultitaperSpectrum and SmoothingModel."""

import numpy
from numpy.lib.stride_tricks import sliding_window_view

from streams import UNIT

LENGTHS = numpy.array([48, 64, 96, 128])  # numbers of differences of a window
STEP = 16  # differences between windows
TAPERS = 3
MEANS = range(2, 9)
FLOOR = UNIT**2 / 12  # ms^2: variance of the error of rounding to 1/1024 s
FREQUENCIES = numpy.array(sorted({round(j / (2 * k), 9) for k in MEANS for j in range(1, k + 1)}))
BANDS = [0, 0.12, 0.2, 0.3, 0.4, 0.51]  # cycles per beat
# Fraction of the power beside a notch that appears in it, for 128 differences.
LEAKAGE = {2: 0.001, 3: 0.004, 4: 0.007, 5: 0.008, 6: 0.016, 7: 0.020, 8: 0.029}


def place(numerator, k):
    return int(numpy.argmin(abs(FREQUENCIES - min(numerator, 2 * k - numerator) / (2 * k))))


NOTCHES = {k: [place(2 * j, k) for j in range(1, k // 2 + 1)] for k in MEANS}
SIDES = {k: [(place(2 * j - 1, k), place(2 * j + 1, k)) for j in range(1, k // 2 + 1)] for k in MEANS}
WEIGHTS = {k: numpy.array([1.0 if 2 * j == k else 2.0 for j in range(1, k // 2 + 1)]) for k in MEANS}
# The power of differences relative to that of rounding errors of intervals.
SCALE = 4 * numpy.sin(numpy.pi * FREQUENCIES) ** 2 * FLOOR


def basis(count):
    """Products of sine tapers (Riedel and Sidorenko 1995) and complex exponentials."""
    at = numpy.arange(count)
    tapers = numpy.sin(numpy.pi * numpy.outer(range(1, TAPERS + 1), at + 1) / (count + 1)) * numpy.sqrt(2 / (count + 1))
    waves = numpy.exp(-2j * numpy.pi * numpy.outer(FREQUENCIES, at))
    return (tapers[:, None] * waves).reshape(-1, count).T.astype(numpy.complex64)


BASES = {int(count): basis(count) for count in LENGTHS}


def windows(rr):
    """Returns, for the windows of a series, the index of their last difference, length, powers and mean interval.

    The series is divided where an interval differs by more than a fifth from the previous one.
    """
    differences, sums = numpy.diff(rr), numpy.append(0, numpy.cumsum(rr))
    jumps = 5 * abs(differences) > numpy.minimum(rr[1:], rr[:-1])
    at = numpy.arange(len(differences))
    run = at - numpy.maximum.accumulate(numpy.where(jumps, at, -1))
    last = at[(run >= LENGTHS[0]) & (run % STEP == 0)]
    counts = LENGTHS[numpy.searchsorted(LENGTHS, run[last], "right") - 1]
    powers = numpy.zeros((len(last), TAPERS, len(FREQUENCIES)), numpy.float32)
    intervals = numpy.zeros(len(last))
    for count in LENGTHS:
        some = numpy.flatnonzero(counts == count)
        for part in numpy.array_split(some, len(some) // 8192 + 1) if len(some) else []:
            start = last[part] - count + 1
            view = sliding_window_view(differences, count)[start].astype(numpy.float32)
            powers[part] = (abs(view @ BASES[int(count)]) ** 2).reshape(len(part), TAPERS, -1) / SCALE
            intervals[part] = (sums[start + count + 1] - sums[start + 1]) / count
    return last, run[last], counts, powers, intervals


def alternates(powers):
    """Whether the highest frequencies have the largest power of differences: no average has."""
    shape = powers.mean(1) * SCALE
    return shape[:, FREQUENCIES > 0.375].max(1, initial=0) >= shape[:, FREQUENCIES <= 0.375].max(1, initial=0)


def features(counts, powers, intervals, k):
    """Returns the features of the model for the mean of k neighbours."""
    power = powers.mean(1)
    level = numpy.log(power + 0.3)
    bands = [level[:, (FREQUENCIES >= low) & (FREQUENCIES < high)].mean(1) for low, high in zip(BANDS, BANDS[1:])]
    ends = [numpy.log(intervals), numpy.log(counts / 64)]
    notch = (power[:, NOTCHES[k]] * WEIGHTS[k]).sum(1) / WEIGHTS[k].sum()
    first = (powers[:, 0, NOTCHES[k]] * WEIGHTS[k]).sum(1) / WEIGHTS[k].sum()
    side = numpy.mean([numpy.sqrt(power[:, a] * power[:, b]) for a, b in SIDES[k]], 0)
    least = numpy.min([numpy.minimum(power[:, a], power[:, b]) for a, b in SIDES[k]], 0)
    leakage = LEAKAGE[k] * (128 / counts) ** 2.2
    log = [numpy.log(value + 0.3) for value in (notch, first, side, least)]
    depth = log[0] - log[2]
    excess = log[0] - numpy.log(1 + leakage * side)
    excess_of_least = log[0] - numpy.log(1 + leakage * least)
    excess_of_highest = numpy.log(power[:, NOTCHES[k]].max(1) + 0.3) - numpy.log(1 + leakage * side)
    above = numpy.maximum(excess, 0)
    products = [above**2, numpy.maximum(excess - 1.5, 0), depth**2, excess * depth, log[0] ** 2, log[2] ** 2]
    columns = [*log, excess, excess_of_least, excess_of_highest, depth, *products, *bands, *ends]
    return numpy.column_stack(columns).astype(numpy.float32)
