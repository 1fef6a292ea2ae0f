"""The metrics of docs/reference/metrics.md, computed with numpy and scipy from their definitions.

Each function is a literal transcription of a definition, without the algorithms that make the program fast: sums of sines instead
of a fast Fourier transform, matrices of all pairs instead of a search. Used by peer_metrics.py. All beats count as normal.
Values are in the units of their keys.
"""

import numpy as np

BIN = 1000 / 128  # ms, of the histogram of the Task Force (1996)
BANDS = {"vlf_ms2": (0.0033, 0.04), "lf_ms2": (0.04, 0.15), "hf_ms2": (0.15, 0.4)}
# Above this number of beats, metrics that compare all pairs are left out.
MOST_PAIRS = 5000


def simulated_rest():
    """900 intervals at rest with a respiration of 15 a minute, exact to 0.0001 ms."""
    random = np.random.default_rng(1)
    rows, time = [], 0.0
    while len(rows) < 900:
        wave = 35 * np.sin(2 * np.pi * 0.25 * time) + 20 * np.sin(2 * np.pi * 0.09 * time) + random.normal(0, 12)
        rows.append(round(900 + wave + 25 * np.sin(2 * np.pi * time / 400), 4))
        time += rows[-1] / 1000
    return np.array(rows)


def simulated_day():
    """24 hours: a daily rhythm with its lowest heart rate at 4 h, changes of minutes, and respiration."""
    random = np.random.default_rng(2)
    rows, time, slow = [], 0.0, 0.0
    while time < 86_400:
        slow = 0.995 * slow + random.normal(0, 5)
        rate = 70 - 12 * np.cos(2 * np.pi * (time / 86_400 - 4 / 24))
        rows.append(round(60_000 / rate + slow + 20 * np.sin(2 * np.pi * 0.22 * time) + random.normal(0, 8), 4))
        time += rows[-1] / 1000
    return np.array(rows)


def time_domain(rr):
    steps = np.diff(rr)
    sdnn, sdsd = rr.std(ddof=1), steps.std(ddof=1)
    rmssd = np.sqrt(np.mean(steps**2))
    return {
        "mean_nn_ms": rr.mean(), "mean_hr_bpm": 60_000 / rr.mean(), "min_hr_bpm": 60_000 / rr.max(),
        "max_hr_bpm": 60_000 / rr.min(), "sdnn_ms": sdnn, "rmssd_ms": rmssd, "ln_rmssd": np.log(rmssd), "sdsd_ms": sdsd,
        "pnn50_percent": 100 * np.mean(abs(steps) > 50), "pnn20_percent": 100 * np.mean(abs(steps) > 20),
        "sd1_ms": sdsd / np.sqrt(2), "sd2_ms": np.sqrt(2 * sdnn**2 - sdsd**2 / 2),
    }


def sine_powers(times, values, weights, frequencies):
    """The weighted variance that the least-squares sine of each frequency explains, with a floating constant."""
    values = values - np.sum(weights * values)
    angles = 2 * np.pi * np.outer(frequencies, times)
    columns = np.stack([np.ones_like(angles), np.cos(angles), np.sin(angles)], axis=2)
    weighted = columns * weights[:, None]
    sums = weighted.transpose(0, 2, 1) @ values[:, None]
    return np.sum(sums * np.linalg.solve(weighted.transpose(0, 2, 1) @ columns, sums), axis=(1, 2))


def lomb(rr):
    """Frequencies and density: windows of 300 s that overlap by half, without their line, with a Hann taper."""
    times = np.cumsum(rr) / 1000
    length = min(300.0, times[-1])
    count = 1 + int(np.ceil((times[-1] - length) / (length / 2)))
    hop = (times[-1] - length) / (count - 1) if count > 1 else 0
    frequencies = np.arange(1 + int(0.5 * length)) / length
    densities = []
    for index in range(count):
        start, end = index * hop, np.inf if index == count - 1 else index * hop + length
        inside = (times > start) & (times <= end)
        x, y = times[inside] - start, rr[inside]
        if y.sum() / 1000 < 0.8 * length:
            continue
        y = y - np.polyval(np.polyfit(x, y, 1), x)
        weights = 0.5 - 0.5 * np.cos(2 * np.pi * x / length)
        weights /= weights.sum()
        bandwidth = np.sum(weights**2) * len(x)
        below = (frequencies > 0) & (frequencies <= 500 * len(x) / rr[inside].sum())
        densities.append(np.zeros(len(frequencies)))
        densities[-1][below] = sine_powers(x, y, weights, frequencies[below]) * length / bandwidth
    return frequencies, np.mean(densities, axis=0)


def frequency_domain(rr):
    frequencies, density = lomb(rr)
    step = frequencies[1]
    values = {key: density[(frequencies >= low) & (frequencies < high)].sum() * step for key, (low, high) in BANDS.items()}
    lf, hf = values["lf_ms2"], values["hf_ms2"]
    values |= {"total_power_ms2": sum(values.values()), "lf_hf": lf / hf, "lf_nu": 100 * lf / (lf + hf),
               "hf_nu": 100 * hf / (lf + hf)}
    inside = np.flatnonzero((frequencies >= 0.15) & (frequencies < 0.4))
    peak = inside[np.argmax(density[inside])]
    a, b, c = np.log(density[peak - 1 : peak + 2])
    values["respiration_brpm"] = 60 * (frequencies[peak] + (a - c) / (2 * (a - 2 * b + c)) * step)
    return values


def dfa(rr, sizes):
    profile = np.cumsum(rr - rr.mean())
    points = []
    for size in sizes:
        boxes = profile[: len(profile) // size * size].reshape(-1, size).T
        x = np.stack([np.arange(size), np.ones(size)], axis=1)
        residuals = boxes - x @ np.linalg.lstsq(x, boxes, rcond=None)[0]
        points.append((np.log(size), 0.5 * np.log(np.mean(residuals**2))))
    return np.polyfit(*np.transpose(points), 1)[0]


def matches(rr, length, count, reach):
    """Whether each pair of the first `count` patterns of `length` beats matches."""
    patterns = np.stack([rr[i : i + count] for i in range(length)], axis=1)
    return np.max(abs(patterns[:, None] - patterns[None]), axis=2) <= reach


def entropies(rr):
    reach, n = 0.2 * rr.std(ddof=1), len(rr)
    pairs = [np.sum(matches(rr, length, n - 2, reach)) - (n - 2) for length in [2, 3]]
    phi = [np.mean(np.log(matches(rr, length, n - length + 1, reach).mean(axis=1))) for length in [2, 3]]
    return {"sample_entropy": -np.log(pairs[1] / pairs[0]), "approximate_entropy": phi[0] - phi[1]}


def indices(rr):
    """Baevsky's index, and the means of z-scores."""
    bins = np.bincount((rr // 50).astype(int))
    mode = 0.05 * (np.argmax(bins) + 0.5)
    stress = 100 * bins.max() / len(rr) / (2 * mode * (rr.max() - rr.min()) / 1000)
    known = time_domain(rr)
    sd1 = 100 * known["sd1_ms"] / (known["sd1_ms"] + known["sd2_ms"])
    pns = [(known["mean_nn_ms"] - 926) / 90, (known["rmssd_ms"] - 42) / 15, (sd1 - 31.6) / 12.6]
    sns = [(known["mean_hr_bpm"] - 64.8) / 6.3, (np.sqrt(stress) - 9.66) / 2.59, (100 - sd1 - 68.4) / 12.6]
    return {"baevsky_si": stress, "pns_index": np.mean(pns), "sns_index": np.mean(sns)}


def triangle(rr):
    """The base of the triangle of least squares, searched over all pairs of ends."""
    bins = np.bincount((rr // BIN).astype(int) - int(rr.min() // BIN))
    peak, places = int(np.argmax(bins)), np.arange(-1, len(bins) + 1)
    counts = np.concatenate([[0], bins, [0]])
    best = (np.inf, 0)
    for left in range(-1, peak + 1):
        for right in range(peak, len(bins) + 1):
            if (left == peak and peak > 0) or (right == peak and peak < len(bins) - 1):
                continue
            line = np.interp(places, [left, peak, right], [0, bins[peak], 0]) if left < peak < right else np.where(
                places == peak, bins[peak], 0)
            best = min(best, (np.sum((counts - line) ** 2), right - left))
    return {"triangular_index": len(rr) / bins.max(), "tinn_ms": best[1] * BIN}


def periods(rr):
    """The number and the intervals of each complete period of 5 minutes that is covered by half."""
    ends = np.round(np.cumsum(np.round(rr * 80_000)).astype(np.int64))
    numbers = (ends - 1) // (300 * 80_000_000)
    complete = ends[-1] // (300 * 80_000_000)
    groups = [(number, rr[numbers == number]) for number in range(complete)]
    return [(number, part) for number, part in groups if len(part) > 1 and part.sum() >= 150_000]


def long_term(rr):
    parts = periods(rr)
    if len(parts) < 3:
        return {}
    return {"sdann_ms": np.std([part.mean() for _, part in parts], ddof=1),
            "sdnn_index_ms": np.mean([part.std(ddof=1) for _, part in parts])}


def ultra_low(rr):
    """The power of the least-squares sines below 0.0033 Hz of the means of 10 s."""
    places = (np.cumsum(rr) / 1000 // 10).astype(int)
    used, counts = np.unique(places, return_counts=True)
    means = np.bincount(places, rr)[used] / counts
    times = (used + 0.5) * 10.0
    length = times[-1] - times[0] + 10
    values, total = means - means.mean(), 0.0
    for number in range(1, int(0.0033 * length) + 1):
        angles = 2 * np.pi * number / length * times
        columns = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        fitted = columns @ np.linalg.lstsq(columns, values, rcond=None)[0]
        total += np.mean(fitted**2) if number / length < 0.0033 else 0
    return total


def cosinor(rr):
    parts = periods(rr)
    times = np.array([(number + 0.5) * 300 for number, _ in parts])
    rates = np.array([60_000 / part.mean() for _, part in parts])
    angles = 2 * np.pi * times / 86_400
    columns = np.stack([np.ones_like(angles), np.cos(angles), np.sin(angles)], axis=1)
    mesor, cosine, sine = np.linalg.lstsq(columns, rates, rcond=None)[0]
    residuals = rates - columns @ [mesor, cosine, sine]
    return {"cosinor.mesor_bpm": mesor, "cosinor.amplitude_bpm": np.hypot(cosine, sine),
            "cosinor.peak_s": np.arctan2(sine, cosine) % (2 * np.pi) / (2 * np.pi) * 86_400,
            "cosinor.explained_fraction": 1 - residuals.var() / rates.var()}


def definitions(rr):
    """The value of each key, except for metrics that the recording is too short or too long for."""
    values = time_domain(rr) | frequency_domain(rr)
    values |= {"dfa_alpha1": dfa(rr, range(4, 17)), "dfa_alpha2": dfa(rr, range(17, 65))}
    values |= (entropies(rr) if len(rr) <= MOST_PAIRS else {}) | indices(rr) | triangle(rr) | long_term(rr)
    if rr.sum() >= 64_800_000:
        values["ulf_ms2"] = ultra_low(rr)
        values["total_power_ms2"] += values["ulf_ms2"]
        values |= cosinor(rr)
    return values
