#!/usr/bin/env python3
"""Compares `study run` with pandas, NeuroKit2 and scipy.

    python3 Tests/Oracles/study.py BINARY [SEEDS]

Simulates 20 participants in 2 conditions with 3 segments of 5 minutes. Every number of the common metrics, and every statistic of
the tests, must agree within the tolerances below, and every column of the table with a metric is compared. Then removes two
recordings, and runs SEEDS (10) studies without an effect, of which no more tests and studies may be significant than the
nominal 5 % (99 % limit of the binomial distribution). Requires neurokit2, pandas and scipy, and numpy for the definitions of
Research/metric_definitions.py. Prints one line per check; exit code 1 if any fails.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import neurokit2
import numpy
import pandas
from scipy import signal, stats

sys.path.append(str(pathlib.Path(__file__).parents[2] / "Research"))
import metric_definitions

CONDITIONS = ["rest", "task"]
SEGMENTS = ["first", "second", "third"]
OUTCOMES = ["ln_rmssd", "mean_hr_bpm", "sdnn_ms"]
# Largest relative difference of each metric. pNN50 is computed by numpy: NeuroKit2 divides NN50 by the number of intervals,
# stressmon by that of differences.
TOLERANCES = {
    "mean_nn_ms": 1e-12, "sdnn_ms": 1e-12, "rmssd_ms": 1e-12, "sdsd_ms": 1e-12, "sd1_ms": 1e-12,
    "pnn50_percent": 1e-12, "pnn20_percent": 1e-12, "sample_entropy": 1e-12, "approximate_entropy": 1e-11,
    "dfa_alpha1": 1e-11, "vlf_ms2": 1e-9, "lf_ms2": 1e-9, "hf_ms2": 1e-9, "total_power_ms2": 1e-9,
    "lf_hf": 1e-9, "lf_nu": 1e-9, "hf_nu": 1e-9,
    # By their definitions; NeuroKit2 has none of these, or another one (docs/design/peer-metrics.md).
    "mean_hr_bpm": 1e-12, "min_hr_bpm": 1e-12, "max_hr_bpm": 1e-12, "ln_rmssd": 1e-12, "sd2_ms": 1e-12,
    "baevsky_si": 1e-12, "pns_index": 1e-10, "sns_index": 1e-10, "triangular_index": 1e-12, "tinn_ms": 1e-12,
    # Of the Lomb-Scargle spectrum, also with another `psd`.
    "respiration_brpm": 1e-10,
}
STUDY = """
title = "Simulated"
recordings = "{participant}_{condition}.txt"
conditions = ["rest", "task"]
segments = ["first=0:00-5:00", "second=5:00-10:00", "third=10:00-15:00"]
outcomes = ["ln_rmssd", "mean_hr_bpm", "sdnn_ms"]
[analysis]
series = "raw"
psd = "welch"
"""
METRICS = pathlib.Path(__file__).parents[2] / "docs/reference/metrics.md"
failures = 0


def check(name, passed, detail=""):
    global failures
    failures += not passed
    print(f"{'ok' if passed else 'FAILED':6} {name} {detail}")


def simulate(folder, seed, effect, participants=20, conditions=CONDITIONS, seconds=900):
    """Writes a file per participant and condition, exact to 0.0001 ms."""
    random = numpy.random.default_rng(seed)
    for number in range(1, participants + 1):
        mean, amplitude, breath = random.normal(850, 60), numpy.exp(random.normal(3.4, 0.35)), random.uniform(0.2, 0.3)
        for condition in conditions:
            is_task = condition != conditions[0]
            size = amplitude * numpy.exp(effect * is_task + random.normal(0, 0.15))
            level = mean + random.normal(0, 20) + 100 * effect * is_task
            rows, time, phase = [], 0.0, random.uniform(0, 6.28)
            while time < seconds:
                wave = numpy.sin(6.2832 * breath * time) + 0.8 * numpy.sin(6.2832 * 0.09 * time + phase)
                rows.append(round(level + size * wave + random.normal(0, 0.25 * size), 4))
                time += rows[-1] / 1000
            pathlib.Path(folder, f"P{number:02}_{condition}.txt").write_text("".join(f"{rr:.4f}\n" for rr in rows))
    pathlib.Path(folder, "study.toml").write_text(STUDY)


def run(binary, folder, status=0):
    result = subprocess.run([binary, "study", "run", folder], capture_output=True, text=True, check=False)
    check(f"exit code {status}", result.returncode == status, result.stderr.strip())
    results = pathlib.Path(folder, "results")
    return pandas.read_csv(results / "segments.csv", dtype={"settings_sha256": str}), pandas.read_csv(
        results / "comparison.csv")


def dfa(intervals):
    """The slope of log F(n), boxes of 4 to 16 beats without overlap (Peng et al. 1995), by least squares."""
    profile = numpy.cumsum(intervals - intervals.mean())
    sizes = numpy.arange(4, 17)
    values = []
    for size in sizes:
        boxes = profile[: len(profile) // size * size].reshape(-1, size)
        x = numpy.arange(size)
        errors = [box - numpy.polyval(numpy.polyfit(x, box, 1), x) for box in boxes]
        values.append(numpy.sqrt(numpy.mean(numpy.square(errors))))
    return numpy.polyfit(numpy.log(sizes), numpy.log(values), 1)[0]


def welch(intervals):
    """Band powers: cubic interpolation at 4 Hz, Hann window of 300 s or the whole segment."""
    from scipy.interpolate import CubicSpline
    times = numpy.cumsum(intervals) / 1000
    grid = numpy.arange(times[0], times[-1] + 1e-9, 0.25)
    samples = CubicSpline(times, intervals)(grid)
    length = min(1200, len(samples))
    frequencies, density = signal.welch(samples, 4, "hann", nperseg=length, noverlap=length // 2, detrend="constant")
    step = frequencies[1]
    powers = {name: density[(frequencies >= low) & (frequencies < high)].sum() * step
              for name, low, high in [("vlf_ms2", 0.0033, 0.04), ("lf_ms2", 0.04, 0.15), ("hf_ms2", 0.15, 0.4)]}
    lf, hf = powers["lf_ms2"], powers["hf_ms2"]
    return powers | {"total_power_ms2": sum(powers.values()), "lf_hf": lf / hf, "lf_nu": 100 * lf / (lf + hf),
                     "hf_nu": 100 * hf / (lf + hf)}


def reference(intervals):
    """The metrics of one segment by NeuroKit2, numpy and scipy, and else by their definitions."""
    peaks = numpy.concatenate([[0], numpy.cumsum(intervals)])
    differences = numpy.diff(intervals)
    time = neurokit2.hrv_time({"RRI": intervals, "RRI_Time": peaks[1:] / 1000}).iloc[0]
    spread = 0.2 * intervals.std(ddof=1)
    values = {
        "mean_nn_ms": time["HRV_MeanNN"], "sdnn_ms": time["HRV_SDNN"], "rmssd_ms": time["HRV_RMSSD"],
        "sdsd_ms": time["HRV_SDSD"], "sd1_ms": time["HRV_SDSD"] / numpy.sqrt(2),
        "pnn50_percent": 100 * numpy.mean(abs(differences) > 50), "pnn20_percent": 100 * numpy.mean(abs(differences) > 20),
        "sample_entropy": neurokit2.entropy_sample(intervals, delay=1, dimension=2, tolerance=spread)[0],
        "approximate_entropy": neurokit2.entropy_approximate(intervals, delay=1, dimension=2, tolerance=spread)[0],
        "dfa_alpha1": dfa(intervals),
    }
    own = metric_definitions.time_domain(intervals) | metric_definitions.indices(intervals)
    own |= metric_definitions.triangle(intervals)
    own["respiration_brpm"] = metric_definitions.frequency_domain(intervals)["respiration_brpm"]
    return {**own, **values, **welch(intervals)}


def compare_metrics(folder, table):
    worst, counts = dict.fromkeys(TOLERANCES, 0.0), dict.fromkeys(TOLERANCES, 0)
    for row in table.itertuples():
        intervals = numpy.loadtxt(pathlib.Path(folder, row.file))
        ends = numpy.cumsum(intervals) / 1000
        start = 300 * SEGMENTS.index(row.segment)
        for key, value in reference(intervals[(ends > start) & (ends <= start + 300)]).items():
            worst[key] = numpy.fmax(worst[key], abs(getattr(row, key) - value) / max(abs(value), 1e-12))
            counts[key] += numpy.isfinite(getattr(row, key))
    for key, tolerance in TOLERANCES.items():
        # A respiration without a reliable peak is absent.
        is_complete = counts[key] == len(table) or (key == "respiration_brpm" and counts[key] > 0)
        check(f"{key}: {counts[key]} segments", is_complete and worst[key] <= tolerance,
              f"{worst[key]:.2g} (at most {tolerance:.0e})")
    documented = set(re.findall(r"`([a-z0-9_]+)`", METRICS.read_text()))
    filled = {key for key in table.columns[table.notna().any()] if key in documented}
    check("every column is compared", filled <= set(TOLERANCES), " ".join(sorted(filled - set(TOLERANCES))))


def compare_tests(table, tests, participants=20):
    worst = 0.0
    for row in tests.itertuples():
        if row.factor != "condition":
            continue
        wide = table[table.segment == row.within].pivot(index="participant", columns="condition", values=row.metric).dropna()
        result = stats.ttest_rel(wide.task, wide.rest)
        difference = wide.task - wide.rest
        low, high = result.confidence_interval()
        expected = [difference.mean(), low, high, result.statistic, result.pvalue, difference.mean() / difference.std(), len(wide)]
        found = [row.difference, row.low, row.high, row.t, row.p, row.effect_size, row.n_a]
        worst = max(worst, *(abs(a / b - 1) for a, b in zip(found, expected)))
    check("paired t tests as scipy", worst < 1e-9, f"{worst:.2g}, {participants} participants")
    order = tests.p.sort_values()
    holm = numpy.minimum(1, numpy.maximum.accumulate(order.values * numpy.arange(len(order), 0, -1)))
    check("p values of Holm", numpy.allclose(tests.p_holm[order.index], holm, rtol=1e-12))


def main(binary, seeds=10):
    with tempfile.TemporaryDirectory() as folder:
        simulate(folder, 1, -0.25)
        table, tests = run(binary, folder)
        check("rows", len(table) == 120, f"{len(table)}")
        compare_metrics(folder, table)
        compare_tests(table, tests)
        for name in ["P03_rest.txt", "P17_task.txt"]:
            pathlib.Path(folder, name).unlink()
        table, tests = run(binary, folder, status=3)
        missing = sorted(table[table.reasons == "no recording"].participant.unique())
        check("missing recordings have rows with a reason", missing == ["P03", "P17"], " ".join(missing))
        check("their partners are left out", set(tests[tests.factor == "condition"].unpaired) == {"P03 P17"})
        compare_tests(table, tests, 18)
    significant, families = 0, 0
    for seed in range(seeds):
        with tempfile.TemporaryDirectory() as folder:
            simulate(folder, 100 + seed, 0)
            tests = run(binary, folder)[1]
            between = tests[tests.factor == "condition"]
            # The segments of one recording are not independent: one test per study and outcome.
            significant += int((between[between.within == "first"].p < 0.05).sum())
            families += bool((tests.p_holm < 0.05).any())
    limit = int(stats.binom.ppf(0.99, seeds * len(OUTCOMES), 0.05))
    check("false positives without an effect", significant <= limit, f"{significant} of {seeds * len(OUTCOMES)} (at most {limit})")
    check("studies with an adjusted p below 0.05", families <= stats.binom.ppf(0.99, seeds, 0.05), f"{families} of {seeds}")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *(int(text) for text in sys.argv[2:])))
