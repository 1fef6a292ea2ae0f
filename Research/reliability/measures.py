"""Measures of a stated confidence against the errors, and the tables of the report."""

import numpy as np

import features
import model
from score import stress

TENTHS = tuple((place / 10, (place + 1) / 10) for place in range(10))
FEWEST = 200  # windows of a tenth that counts
# Fall and rise of ln HRV of the stress interval: quantity -> (start, fall, rise); the first is the part of every window.
INTERVAL = {
    None: (0, 0.025, 0.02), "tail": (0.06, 2.8, 0), "random_noise": (0.27, 3.4, 0.5), "abnormal_beats": (0, 1.2, 0),
    "contact_lost": (0, 1, 1), "lost_data": (0, 1, 1.8), "duplicates": (0, 0, 0.5),
}


def ranks(values):
    """Ranks from 1; equal values have the mean of their ranks."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - (count - 1) / 2)[place]


def tenths(confidence, right):
    """(number, mean stated, fraction right) of each tenth with windows."""
    for low, high in TENTHS:
        inside = (confidence >= low) & ((confidence < high) | (high == 1))
        if inside.any():
            yield low, high, int(inside.sum()), confidence[inside].mean(), right[inside].mean()


def summary(confidence, table, chosen):
    """The row of measures of the chosen windows."""
    stated, error, right = confidence[chosen], table["error"][chosen], table["right"][chosen]
    high, low = stated >= 0.8, stated < 0.5
    found = list(tenths(stated, right))
    gap = sum(count * abs(mean - share) for _, _, count, mean, share in found) / len(stated)
    worst = max((mean - share for _, _, count, mean, share in found if count >= FEWEST), key=abs)
    rank = np.corrcoef(ranks(stated), ranks(error))[0, 1]
    return [
        len(stated), f"{right[high].mean():.3f}", f"{high.mean():.2f}", f"{100 * np.mean(error[high] > 15):.1f} %",
        f"{100 * np.mean(error[low] <= 5):.0f} %", f"{rank:.2f}", f"{np.mean((stated - right) ** 2):.3f}",
        f"{gap:.3f}", f"{worst:+.2f}",
    ]


SUMMARY_HEAD = [
    "windows", "within 10 at 0.8 and above", "of all", "off by more than 15", "below 0.5: within 5", "rank correlation",
    "Brier", "ECE", "worst tenth",
]


def interval(table):
    """Lowest and highest value of the stress interval."""
    fall, rise = 0.0, 0.0
    for name, (start, down, up) in INTERVAL.items():
        excess = 1 if name is None else np.maximum(0, table[name] - start)
        fall, rise = fall + down * excess, rise + up * excess
    usual = table["baseline_hrv"], table["baseline_rate"]
    low = stress(table["rmssd"] * np.exp(rise), table["rate"], *usual)
    high = stress(table["rmssd"] * np.exp(-fall), table["rate"], *usual)
    return low, high


def markdown(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def sets(table):
    """The sets of windows of the tables: name -> mask."""
    scored = table["smoothed"] == 0
    kinds = {"disturbed": model.is_disturbed(table) & scored, "natural": (table["kind"] == features.NATURAL) & scored}
    baselines = {"population default": table["weight"] == 0, "own baseline": table["weight"] == 1}
    for kind, mask in kinds.items():
        for baseline, of_baseline in baselines.items():
            yield f"{kind}, {baseline}", mask & of_baseline
        yield f"{kind}, both", mask


def report(table, left_out, program):
    """The tables, each with a heading."""
    summaries = [[f"{name}, {label}", *summary(values, table, mask)] for label, values in (
        ("people left out", left_out), ("program", program)) for name, mask in sets(table)]
    yield "## Accuracy", markdown(["windows of", *SUMMARY_HEAD], summaries)
    rows = [[name, f"{low:.1f} to {high:.1f}", count, f"{mean:.2f}", f"{share:.2f}"] for name, mask in sets(table)
            for low, high, count, mean, share in tenths(left_out[mask], table["right"][mask])]
    yield "## Calibration, people left out", markdown(["windows of", "confidence", "windows", "mean", "within 10"], rows)
    yield "## Conditions", markdown(
        ["condition", "windows", "within 10, default", "confidence", "within 10, own", "confidence", "interval covers",
         "median half width"], list(conditions(table, program)))
    yield "## Hearts that breathe regularly", markdown(
        ["beats per breath", "amplitude", "windows", "lowest confidence", "mean"], list(hearts(table, program)))
    yield "## Undisturbed stretches", markdown(
        ["person", "windows", "1.00", "0.95 and above", "0.8 and above"], list(undisturbed(table, program)))


def conditions(table, confidence):
    low, high = interval(table)
    covers = (low - 0.5 <= table["truth"]) & (table["truth"] <= high + 0.5)
    chosen = model.is_disturbed(table) | np.isin(table["kind"], (features.NATURAL, features.FIBRILLATION))
    for name in dict.fromkeys(table["condition"][chosen].tolist()):
        mask = (table["condition"] == name) & (table["smoothed"] == 0)
        of = [mask & (table["weight"] == weight) for weight in (0, 1)]
        shares = [text for one in of for text in (
            f"{table['right'][one].mean():.2f}", f"{confidence[one].mean():.2f}")]
        half = np.median((high - low)[of[0]]) / 2
        yield [name, int(of[0].sum()), *shares, f"{covers[of[0]].mean():.2f}", f"{half:.1f}"]


def hearts(table, confidence):
    """By beats per breath; amplitudes in ms."""
    chosen = np.isin(table["kind"], model.SYNTHETIC) & (table["weight"] == 0)
    words = [name.split() for name in table["condition"][chosen]]
    per_breath = np.array([float(rate) / float(breaths) for rate, breaths, _ in words])
    amplitude, stated = np.array([int(word[2]) for word in words]), confidence[chosen]
    for low, high in ((0, 2.3), (2.3, 3), (3, 4), (4, 6), (6, 20)):
        for one in np.unique(amplitude):
            mask = (per_breath >= low) & (per_breath < high) & (amplitude == one)
            if mask.any():
                yield [f"{low} to {high}", f"{one} ms", int(mask.sum()), f"{stated[mask].min():.2f}",
                       f"{stated[mask].mean():.2f}"]


def undisturbed(table, confidence):
    for person in [*np.unique(table["person"]), None]:
        mask = (table["kind"] == "clean") & ((table["person"] == person) if person else True)
        if mask.any():
            stated = confidence[mask]
            yield [person or "all", int(mask.sum()), *(f"{np.mean(stated >= least):.2f}" for least in (0.9995, 0.95, 0.8))]
