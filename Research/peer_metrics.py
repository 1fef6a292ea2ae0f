"""The table of docs/design/peer-metrics.md: each metric of `stressmon analyze`, its definition, and libraries that define it.

    python3 Research/peer_metrics.py BINARY FOLDER CACHE [--update PAGE.md]
    python3 Research/peer_metrics.py BINARY FOLDER --definitions

FOLDER contains recordings NAME.txt with one RR interval in ms per line (STRESSMON_TEST_DATA/rr); recordings that are missing are
left out. Two more are simulated. CACHE is a folder for virtual environments with NeuroKit2, hrv-analysis, pyHRV and antropy, which
are installed from PyPI on the first run: their required versions of numpy exclude each other. --definitions compares only with
the definitions in metric_definitions.py, which takes half a minute. Requires numpy. All beats count as normal in every program.
Exits with 1 if a difference exceeds its tolerance, or a metric of docs/reference/metrics.md is not compared.
"""

import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

import metric_definitions
from peer_environment import ENVIRONMENTS, environment

RECORDINGS = ["rest_supine", "exercise_ectopics", "mitdb100_apc"]
SIMULATIONS = {"simulated_rest": metric_definitions.simulated_rest, "simulated_day": metric_definitions.simulated_day}
# Recordings that the libraries would need minutes or gigabytes for.
LONG = ["simulated_day"]
BEATS = 900  # Each library gets the first beats of a recording, because pyHRV needs minutes for more.
# Library, its metric, our key, tolerance (relative), and the reason of a tolerance above 1e-6.
ROWS = [
    ("neurokit2", "MeanNN", "mean_nn_ms", 1e-9, ""),
    ("neurokit2", "SDNN", "sdnn_ms", 1e-9, ""),
    ("neurokit2", "RMSSD", "rmssd_ms", 1e-9, ""),
    ("neurokit2", "SDSD", "sdsd_ms", 1e-9, ""),
    ("neurokit2", "pNN50", "pnn50_percent", 2e-3, "divides by the number of intervals, not of differences"),
    ("neurokit2", "pNN20", "pnn20_percent", 2e-3, "divides by the number of intervals, not of differences"),
    ("neurokit2", "SD1", "sd1_ms", 1e-9, ""),
    ("neurokit2", "SD2", "sd2_ms", 5e-3, "SD of the rotated cloud, without its first and last interval"),
    ("neurokit2", "HTI", "triangular_index", 0.1, "bins begin at the shortest interval, not at multiples of 1/128 s"),
    ("neurokit2", "TINN", "tinn_ms", 1, "NeuroKit2 returns 0 for two of these recordings; the others are searched on other bin edges"),
    ("neurokit2", "SDANN5", "sdann_ms", 0.05, "periods are cut at the times of beats since the first beat"),
    ("neurokit2", "SDNNI5", "sdnn_index_ms", 0.05, "periods are cut at the times of beats since the first beat"),
    ("neurokit2", "LF welch", "lf_ms2 welch", 0.35, "windows of half the record at 100 Hz; here 300 s at 4 Hz"),
    ("neurokit2", "HF welch", "hf_ms2 welch", 0.35, "windows of half the record at 100 Hz; here 300 s at 4 Hz"),
    ("neurokit2", "DFA alpha1 4-16", "dfa_alpha1", 1e-6, ""),
    ("neurokit2", "DFA alpha2 17-64", "dfa_alpha2", 1e-6, ""),
    ("neurokit2", "SampEn", "sample_entropy", 1e-6, ""),
    ("neurokit2", "ApEn", "approximate_entropy", 1e-6, ""),
    ("antropy", "app_entropy", "approximate_entropy", 1e-6, ""),
    ("antropy", "sample_entropy", "sample_entropy", 1e-6, ""),
    ("scipy", "welch LF", "lf_ms2 welch", 1e-6, ""),
    ("scipy", "welch HF", "hf_ms2 welch", 1e-6, ""),
    ("neurokit2", "signal_detrend tarvainen2002, LF", "lf_ms2 welch smoothness-priors", 1e-5, "rounding of a dense matrix"),
    ("neurokit2", "signal_detrend tarvainen2002, HF", "hf_ms2 welch smoothness-priors", 1e-5, "rounding of a dense matrix"),
    ("hrv-analysis", "mean_nni", "mean_nn_ms", 1e-9, ""),
    ("hrv-analysis", "sdnn", "sdnn_ms", 1e-9, ""),
    ("hrv-analysis", "rmssd", "rmssd_ms", 1e-9, ""),
    ("hrv-analysis", "sdsd", "sdsd_ms", 1e-3, "over n, not over n - 1"),
    ("hrv-analysis", "pnni_50", "pnn50_percent", 1e-9, ""),
    ("hrv-analysis", "pnni_20", "pnn20_percent", 1e-9, ""),
    ("hrv-analysis", "mean_hr", "mean_hr_bpm", 0.03, "mean of the momentary rates, not the rate of the mean interval"),
    ("hrv-analysis", "sd1", "sd1_ms", 1e-9, ""),
    ("hrv-analysis", "sd2", "sd2_ms", 1e-9, ""),
    ("hrv-analysis", "triangular_index", "triangular_index", 0.15, "bins of 8 ms that begin at the shortest interval"),
    ("hrv-analysis", "lf", "lf_ms2 welch", 0.6, "linear interpolation, windows of 64 s"),
    ("hrv-analysis", "hf", "hf_ms2 welch", 0.6, "linear interpolation, windows of 64 s"),
    ("pyhrv", "nni_mean", "mean_nn_ms", 1e-9, ""),
    ("pyhrv", "sdnn", "sdnn_ms", 1e-6, ""),
    ("pyhrv", "rmssd", "rmssd_ms", 1e-6, ""),
    ("pyhrv", "pnn50", "pnn50_percent", 1e-9, ""),
    ("pyhrv", "sd1", "sd1_ms", 2e-3, "over n, not over n - 1"),
    ("pyhrv", "sd2", "sd2_ms", 2e-3, "over n, not over n - 1"),
    ("pyhrv", "tri_index", "triangular_index", 0.1, "bins begin at the shortest interval"),
    ("pyhrv", "tinn", "tinn_ms", 0.6, "searches the base among the bins of its histogram, which begins elsewhere"),
    ("spectrum", "arburg LF", "lf_ms2 ar", 1e-6, ""),
    ("spectrum", "arburg HF", "hf_ms2 ar", 1e-6, ""),
    ("pyhrv", "dfa_alpha1", "dfa_alpha1", 0.3, "mean of the roots of the boxes; slope fitted by RANSAC with random draws"),
    ("pyhrv", "dfa_alpha2", "dfa_alpha2", 0.3, "mean of the roots of the boxes; slope fitted by RANSAC with random draws"),
    ("pyhrv", "sampen", "sample_entropy", 2e-3, "r = 0.2 SD over n + 1, not over n - 1"),
]

# Largest relative difference from a definition.
EXACT = 1e-10
METRICS_PAGE = pathlib.Path(__file__).parents[1] / "docs/reference/metrics.md"

# Libraries that are installed in the environment of another one.
HOSTS = {"antropy": "neurokit2", "scipy": "neurokit2", "spectrum": "pyhrv"}


def library(cache, name, path):
    """The metrics that a library computes for a file, by their names."""
    client = pathlib.Path(__file__).with_name("peer_client.py")
    output = subprocess.run(
        [str(environment(cache, name)), str(client), name, str(path)], check=True, capture_output=True, text=True)
    return json.loads(output.stdout.splitlines()[-1])


def analysis(binary, path, *options):
    command = [binary, "analyze", "--raw", "--json", "--metrics", "all", *options, str(path)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def ours(binary, path, other_methods):
    """The metrics of stressmon; those of another spectrum have the name of the method after the key."""
    found = analysis(binary, path)
    found |= {f"cosinor.{key}": value for key, value in (found.get("cosinor") or {}).items()}
    for method in other_methods:
        options = ["--psd", method.split()[0]] + [part for word in method.split()[1:] for part in ["--detrend", word]]
        other = analysis(binary, path, *options)
        found |= {f"{key} {method}": other[key] for key in ["lf_ms2", "hf_ms2"]}
    return found


def documented():
    """The keys of the tables of metrics.md, in their order, and of the metrics that its text defines."""
    cells = [line.split("|")[1] for line in METRICS_PAGE.read_text().splitlines() if line.startswith("| `")]
    keys = [key for cell in cells for key in re.findall(r"`([a-z0-9_]+)`", cell)]
    metrics = [key for key in keys if key not in ("kubios", "neurokit2")]
    return metrics + ["respiration_brpm", "cosinor.mesor_bpm", "cosinor.amplitude_bpm", "cosinor.peak_s",
                      "cosinor.explained_fraction"]


def difference(a, b):
    return abs(a - b) / max(abs(a), abs(b), 1e-12)


def cell(value, own):
    """Both values, or one if they are equal to five digits."""
    return f"{own:.5g}" if f"{value:.5g}" == f"{own:.5g}" else f"{value:.5g}, {own:.5g}"


def order(row):
    """The place of a row: the order of metrics.md, the definition first."""
    key, keys = row[2].split()[0], documented()
    return keys.index(key) if key in keys else len(keys), row[0] != "definition"


def rows(has_libraries):
    own = [("definition", "", key, EXACT, "") for key in documented()]
    return sorted(own + (ROWS if has_libraries else []), key=order)


def table(results, has_libraries):
    """The lines of the table, and a message for each problem."""
    lines = ["| metric | compared with | its name | " + " | ".join(results) + " | largest difference | tolerance | reason |",
             "|---|---|---|" + "---|" * (len(results) + 3)]
    problems = []
    for name, metric, key, tolerance, reason in rows(has_libraries):
        source = HOSTS.get(name, name)
        found = [(result.get(source, {}), result["ours"].get(key)) for result in results.values()]
        pairs = [(values.get(f"{name} {metric}", values.get(metric or key)), own) for values, own in found]
        # A respiration without a reliable peak, and a metric that a library cannot compute, have no pair.
        known = [(a, b) for a, b in pairs if a is not None and b is not None and math.isfinite(a)]
        if not known:
            problems += [f"{key}: not compared with {name}"]
            continue
        largest = max(difference(a, b) for a, b in known)
        if largest > tolerance:
            problems += [f"{key}: {largest:.1e} from {name} (at most {tolerance:g})"]
        cells = [cell(a, b) if (a, b) in known else "-" for a, b in pairs]
        lines.append(f"| `{key}` | {name} | {metric} | " + " | ".join(cells) + f" | {largest:.1e} | {tolerance:g} | {reason} |")
    return lines, problems


def update(page, lines):
    begin, end = "<!-- tables -->", "<!-- end of tables -->"
    text = page.read_text()
    head, rest = text.split(begin)
    page.write_text(head + begin + "\n\n" + "\n".join(lines) + "\n\n" + end + rest.split(end)[1])


def recordings(folder, target):
    """Writes the files that are compared, and returns their paths by name."""
    texts = {name: (folder / f"{name}.txt").read_text().split()[:BEATS]
             for name in RECORDINGS if (folder / f"{name}.txt").exists()}
    texts |= {name: [f"{rr:.4f}" for rr in simulate()] for name, simulate in SIMULATIONS.items()}
    paths = {name: target / f"{name}.txt" for name in texts}
    for name, path in paths.items():
        path.write_text("\n".join(texts[name]) + "\n")
    return paths


def compute(binary, name, path, cache):
    """The values of one recording by source."""
    is_compared = cache is not None and name not in LONG
    values = {peer: library(cache, peer, path) for peer in ENVIRONMENTS} if is_compared else {}
    methods = ["welch", "ar", "welch smoothness-priors"] if is_compared else []
    intervals = metric_definitions.np.loadtxt(path)
    return values | {"ours": ours(binary, path, methods), "definition": metric_definitions.definitions(intervals)}


def main():
    binary, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    cache = None if sys.argv[3] == "--definitions" else pathlib.Path(sys.argv[3])
    if cache:
        cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as target:
        paths = recordings(folder, pathlib.Path(target))
        results = {name: compute(binary, name, path, cache) for name, path in paths.items()}
    lines, problems = table(results, cache is not None)
    print("\n".join(lines + problems))
    if "--update" in sys.argv:
        update(pathlib.Path(sys.argv[sys.argv.index("--update") + 1]), lines)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
