"""Disturbances of the detection of R peaks. Each takes and returns the times of the peaks in ms."""

TICK = 1000 / 1024  # ms: resolution of RR intervals in notifications


def missed(peaks, rate, random):
    """Each peak, except the first and the last, is missed with probability `rate`."""
    inner = [time for time in peaks[1:-1] if random.random() >= rate]
    return [peaks[0], *inner, peaks[-1]]


def extra(peaks, rate, random):
    """A peak that did not occur follows 250 to 380 ms after another one (a T wave)."""
    result = [peaks[0]]
    for before, after in zip(peaks, peaks[1:]):
        if random.random() < rate:
            is_long = after - before > 500
            result.append(before + (random.uniform(250, 380) if is_long else (after - before) / 2))
        result.append(after)
    return result


def premature(least, most):
    """Beats that occur early by a fraction of the interval, followed by a compensatory pause."""

    def disturb(peaks, rate, random):
        result, place = list(peaks), 1
        while place < len(peaks) - 1:
            if random.random() < rate:
                result[place] -= random.uniform(least, most) * (peaks[place] - peaks[place - 1])
                place += 1  # two successive beats are not both premature
            place += 1
        return result

    return disturb


def mislocated(peaks, rate, random):
    """Some peaks are found 20 to 60 ms too early or too late."""

    def error():
        return random.choice((-1, 1)) * random.uniform(20, 60) if random.random() < rate else 0

    return sorted(time + error() for time in peaks)


def jitter(peaks, deviation, random):
    """Each time has a normally distributed error with this standard deviation in ms."""
    return sorted(time + random.gauss(0, deviation) for time in peaks)


def quantised(peaks, step, random):
    """Times have a resolution of `step` ms."""
    return [round(time / step) * step for time in peaks]


def intervals(peaks):
    """(RR in ms, end time) of each interval, in units of 1/1024 s."""
    times = [round(time / TICK) * TICK for time in peaks]
    return [(after - before, after) for before, after in zip(times, times[1:]) if after > before]
