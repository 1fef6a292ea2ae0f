"""Compares the measurements of one minute and determines the cause of a change."""

import math
from dataclasses import dataclass

CHANGE = 10  # points
CONFIDENCE_CHANGE = 0.1
# Factors below which a value has no category.
CLEAR_EXERTION, LEAST_REGULAR = 0.5, 0.5
FEWEST_BEATS, FEWEST_SECONDS = 20, 30  # that a value requires
NORMAL = b"normal"
LEAST_FACTOR = 1e-3  # keeps the logarithm of a factor of 0 finite
SAME_RMSSD = 0.02  # relative

NO_VALUE, MOVING, IRREGULAR = "no value", "moving?", "irregular rhythm"


@dataclass(frozen=True)
class Change:
    """A minute before and after."""

    minute: int
    end: float  # s
    old: dict
    new: dict
    value_cause: str | None
    confidence_cause: str | None
    category_cause: str | None
    # Contributions of the causes to the change of the confidence, which add up to it.
    parts: dict

    @property
    def has_values(self):
        return self.old["stress"] is not None and self.new["stress"] is not None

    @property
    def value(self):
        return self.new["stress"] - self.old["stress"]

    @property
    def confidence(self):
        return self.new["confidence"] - self.old["confidence"]


def compare(minute, old_replay, new_replay):
    old, new = old_replay.minutes[minute], new_replay.minutes[minute]
    both = old["stress"] is not None and new["stress"] is not None
    beats = beat_cause(old, new, old_replay, new_replay)
    parts = contributions(old, new) if both else {}
    value, confidence = None, None
    if both and abs(new["stress"] - old["stress"]) > CHANGE:
        value = value_cause(old, new, beats)
    if not both and old["stress"] != new["stress"]:
        value = appearance_cause(old, new)
    if both and abs(new["confidence"] - old["confidence"]) > CONFIDENCE_CHANGE:
        confidence = confidence_cause(old, new, parts)
    category = category_cause(old, new, value, beats)
    return Change(minute, new["monotonic_s"], old, new, value, confidence, category, parts)


# The value


def appearance_cause(old, new):
    """Why only one of the programs states a value."""
    verb, with_value, without = ("before", new, old) if old["stress"] is None else ("after", old, new)
    if without["sensor_class"] != with_value["sensor_class"] and without["sensor_class"] in ("smoothed", "no-rr"):
        return f"{verb}: class {without['sensor_class']}"
    if without["beats"] < FEWEST_BEATS <= with_value["beats"]:
        return f"{verb}: fewer than {FEWEST_BEATS} normal beats"
    if without["beats"] >= FEWEST_BEATS and without["covered_s"] >= FEWEST_SECONDS and without["rmssd_ms"] is None:
        return f"{verb}: no two successive normal beats"
    return f"{verb}: other"


def value_cause(old, new, beats):
    """Whether RMSSD or the heart rate changed the value, and why that differs."""
    if (old["baseline_rmssd_ms"], old["resting_hr_bpm"]) != (new["baseline_rmssd_ms"], new["resting_hr_bpm"]):
        return "another baseline"
    usual = (new["baseline_rmssd_ms"], new["resting_hr_bpm"])
    before = score(old["rmssd_ms"], old["mean_hr_bpm"], *usual)
    by_rmssd = score(new["rmssd_ms"], old["mean_hr_bpm"], *usual) - before
    by_rate = score(old["rmssd_ms"], new["mean_hr_bpm"], *usual) - before
    if abs(by_rmssd) < CHANGE / 2 and abs(by_rate) < CHANGE / 2:
        return "other"
    name = "RMSSD" if abs(by_rmssd) >= abs(by_rate) else "heart rate"
    return f"{name}: {beats or 'other'}"


def score(rmssd, rate, usual_rmssd, usual_rate):
    """The stress formula (docs/reference/stress.md)."""
    variability = min(1, max(0, (usual_rmssd - rmssd) / usual_rmssd)) ** 0.8
    speed = max(0, math.atan(2 * (rate - usual_rate) / usual_rate)) / (math.pi / 2)
    return min(100, max(0, 100 * (0.7 * variability + 0.3 * speed)))


def beat_cause(old, new, old_replay, new_replay):
    """Why the normal beats of the window differ; None if they do not."""
    end, length = new["monotonic_s"], new["window_s"]
    (old_ends, before), (new_ends, after) = old_replay.window(end, length), new_replay.window(end, length)
    if old_ends != new_ends or old["monotonic_s"] != end:
        return "other beats are read"
    excluded = sum(one == NORMAL != other for one, other in zip(before, after))
    included = sum(other == NORMAL != one for one, other in zip(before, after))
    if excluded + included and explains(old, new, rmssd(new_ends, before), rmssd(new_ends, after)):
        if excluded and included:
            return "beats classified as abnormal, and others as normal"
        return "beats classified as abnormal" if excluded else "beats classified as normal"
    if old["artefact_percent"] != new["artefact_percent"] or different(old, new):
        return "the early interval before a pause"
    return None


def explains(old, new, by_old, by_new):
    """Whether the verdicts alone, without the exclusion of early intervals, cause at least half of the change of ln RMSSD."""
    values = (old["rmssd_ms"], new["rmssd_ms"], by_old, by_new)
    if not all(values):
        return True
    total, verdicts = math.log(values[1] / values[0]), math.log(by_new / by_old)
    return abs(verdicts) >= abs(total) / 2


def rmssd(ends, verdicts):
    """RMSSD in ms of the differences between successive normal beats; None without any."""
    squares = []
    for place in range(2, len(ends)):
        if verdicts[place] == verdicts[place - 1] == NORMAL:
            first, middle, last = ends[place - 2 : place + 1]
            squares.append((1000 * (last - 2 * middle + first)) ** 2)
    return math.sqrt(sum(squares) / len(squares)) if squares else None


def different(old, new):
    """Whether RMSSD differs."""
    one, other = old["rmssd_ms"], new["rmssd_ms"]
    if one is None or other is None:
        return one != other
    return abs(other - one) > SAME_RMSSD * max(one, other, 1e-9)


# The confidence


def contributions(old, new):
    """The change of the confidence as a sum over the factors: its logarithm is the sum of those of the factors.

    The logarithmic mean of both values converts the difference of the logarithms to that of the values without a remainder. The part of
    the difference that the product of the factors does not contain is that of `combination`.
    """
    before, after = logarithms(old), logarithms(new)
    logs = {name: after.get(name, 0) - before.get(name, 0) for name in dict.fromkeys([*before, *after])}
    one, other = math.exp(sum(before.values())), math.exp(sum(after.values()))
    total = sum(logs.values())
    mean = one if abs(total) < 1e-12 else (other - one) / total
    return {name: mean * value for name, value in logs.items() if abs(value) > 1e-9}


def logarithms(measurement):
    """The logarithms of the factors, and of the confidence divided by their product."""
    factors = measurement["confidence_factors"]
    product = math.prod(factors.values())
    ratio = measurement["confidence"] / product if product > 0 else 1
    return {"combination": log(ratio), **{name: log(value) for name, value in factors.items()}}


def log(factor):
    return math.log(max(factor, LEAST_FACTOR))


def confidence_cause(old, new, parts):
    """The factor that contributes most in the direction of the change, and whether its beats are the same."""
    sign = 1 if new["confidence"] > old["confidence"] else -1
    name = max(parts, key=lambda name: (sign * parts[name], name))
    if name in ("combination", "exertion", "heart_rate_range", "sensor", "rhythm", "sample_count"):
        return name
    return f"{name}, other RMSSD" if different(old, new) else name


# The category


def state(measurement, is_new):
    """The category as it is shown to people, or the reason why there is none."""
    if measurement["stress"] is None:
        return NO_VALUE
    factors = measurement["confidence_factors"]
    if factors.get("exertion", 1) < CLEAR_EXERTION:
        return MOVING
    if is_new and measurement["category"] is None:
        return IRREGULAR if factors.get("rhythm", 1) < LEAST_REGULAR else "none"
    return measurement["category"]


def category_cause(old, new, value, beats):
    before, after = state(old, False), state(new, True)
    if before == after:
        return None
    if NO_VALUE in (before, after):
        return value
    if after == IRREGULAR:
        return "irregular rhythm"
    if MOVING in (before, after):
        return "exertion"
    return value or f"small change of the value: {beats or 'other'}"
