"""Simulated hearts that breathe regularly, and have no error but the jitter of their R peaks."""

from random import Random

import numpy as np

GROUPS = 6  # sets of hearts with other phases and jitter: each is left out in turn
DURATION = 200.0  # s
JITTER = 2.0  # ms, standard deviation of the time of each peak
RATES = (42, 46, 50, 54, 58, 62)  # bpm
BREATHS = (14, 16, 18, 20, 22)  # per minute
AMPLITUDES = (20, 40, 80)  # ms: largest deviation of an interval from the mean
SWING = 130  # ms
SWING_RATES = (50, 56, 62, 68)
SWING_BREATHS = (6, 8, 10, 12)


def slow_hearts(group):
    """(name, exact peaks, detected peaks) of each combination, in ms."""
    random = Random(f"slow {group}")
    for rate in RATES:
        for breaths in BREATHS:
            for amplitude in AMPLITUDES:
                yield f"{rate} {breaths} {amplitude}", *heart(rate, breaths, amplitude, random)


def swings(group):
    """Deep breathing, whose intervals swing by 130 ms to both sides."""
    random = Random(f"swing {group}")
    for rate in SWING_RATES:
        for breaths in SWING_BREATHS:
            yield f"{rate} {breaths} {SWING}", *heart(rate, breaths, SWING, random)


def heart(rate, breaths, amplitude, random):
    time, phase, exact = 0.0, random.uniform(0, 2 * np.pi), [0.0]
    while time < 1000 * DURATION:
        time += 60_000 / rate + amplitude * np.sin(2 * np.pi * breaths * time / 60_000 + phase)
        exact.append(time)
    return np.array(exact), np.array(sorted(at + random.gauss(0, JITTER) for at in exact))
