"""Sensors that do not send the interval of each beat. Each function maps (RR, end) pairs to such pairs."""

REACH = 12  # beats that a mean over seconds considers


def mean(values):
    return sum(values) / len(values)


def running_mean(beats, count, random):
    """The mean of the last `count` intervals."""
    return [
        (mean([rr for rr, _ in beats[max(0, place - count + 1) : place + 1]]), end)
        for place, (_, end) in enumerate(beats)
    ]


def exponential(beats, weight, random):
    """An exponential average with this weight of the newest interval."""
    result, average = [], beats[0][0]
    for rr, end in beats:
        average += weight * (rr - average)
        result.append((average, end))
    return result


def seconds_mean(beats, seconds, random):
    """The mean of the intervals that ended in the last `seconds`."""
    result = []
    for place, (rr, end) in enumerate(beats):
        near = beats[max(0, place - REACH) : place + 1]
        result.append((mean([other for other, at in near if at > end - 1000 * seconds] or [rr]), end))
    return result


def repeated(beats, _, random):
    """Each second interval is replaced by the one before it."""
    return [(beats[place - place % 2][0], end) for place, (_, end) in enumerate(beats)]


def from_rate(beats, _, random):
    """Intervals computed from the heart rate: mean of 8 beats, rounded to 1 bpm."""
    return [(60_000 / round(60_000 / rr), end) for rr, end in running_mean(beats, 8, random)]
