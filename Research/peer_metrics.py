"""The tables of docs/design/peer-metrics.md: each metric of `stressmon analyze` and of libraries that define it.

    python3 Research/peer_metrics.py BINARY FOLDER CACHE [--update PAGE.md]

FOLDER contains recordings NAME.txt with one RR interval in ms per line (STRESSMON_TEST_DATA/rr). CACHE is a folder for
virtual environments with NeuroKit2, hrv-analysis, pyHRV and antropy, which are installed from PyPI on the first run: their
required versions of numpy exclude each other. All beats count as normal in every program. Exits with 1 if a difference
exceeds its tolerance.
"""

import json
import math
import pathlib
import subprocess
import sys

RECORDINGS = ["rest_supine", "exercise_ectopics", "mitdb100_apc"]
BEATS = 900  # Each library gets the first beats of a recording, because pyHRV needs minutes for more.
ENVIRONMENTS = {
    "neurokit2": ["neurokit2==0.2.13", "antropy==0.2.3", "pandas<3"],
    "hrv-analysis": ["hrv-analysis==1.0.5", "nolds==0.5.2", "numpy<2.3", "scipy", "setuptools<80"],
    "pyhrv": [
        "pyhrv==0.5.0", "numpy==1.23.5", "scipy==1.10.1", "nolds==0.5.2", "biosppy==2.1.2", "peakutils",
        "spectrum", "setuptools<80",
    ],
}

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
    ("pyhrv", "sampen", "sample_entropy", 1e-6, ""),
]

# Libraries that are installed in the environment of another one.
HOSTS = {"antropy": "neurokit2", "scipy": "neurokit2", "spectrum": "pyhrv"}


def environment(cache, name):
    """The interpreter of a library's environment, which is created if necessary."""
    folder = cache / name
    python = folder / "bin" / "python"
    if not (folder / "complete").exists():
        print(f"installing {name} into {folder}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *ENVIRONMENTS[name]], check=True)
        (folder / "complete").touch()
    return python


def library(cache, name, path):
    """The metrics that a library computes for a file, by their names."""
    client = pathlib.Path(__file__).with_name("peer_client.py")
    output = subprocess.run(
        [str(environment(cache, name)), str(client), name, str(path)], check=True, capture_output=True, text=True)
    return json.loads(output.stdout.splitlines()[-1])


def analysis(binary, path, *options):
    command = [binary, "analyze", "--raw", "--json", "--metrics", "all", *options, str(path)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def ours(binary, path):
    """The metrics of stressmon; those of another spectrum have the name of the method after the key."""
    found = dict(analysis(binary, path))
    for method in ["welch", "ar", "welch smoothness-priors"]:
        options = ["--psd", method.split()[0]] + [part for word in method.split()[1:] for part in ["--detrend", word]]
        other = analysis(binary, path, *options)
        found |= {f"{key} {method}": other[key] for key in ["lf_ms2", "hf_ms2"]}
    return found


def difference(a, b):
    return abs(a - b) / max(abs(a), abs(b), 1e-12)


def formatted(value):
    return "-" if value is None or not math.isfinite(value) else f"{value:.5g}"


def table(results):
    """The rows of one table, and the number of differences above their tolerances."""
    lines = ["| library | its metric | key | " + " | ".join(RECORDINGS) + " | largest difference | tolerance | reason |",
             "|---|---|---|" + "---|" * (len(RECORDINGS) + 3)]
    broken = 0
    for name, metric, key, tolerance, reason in ROWS:
        source = HOSTS.get(name, name)
        pairs = [(results[r][source].get(f"{name} {metric}", results[r][source].get(metric)), results[r]["ours"].get(key))
                 for r in RECORDINGS]
        known = [(a, b) for a, b in pairs if a is not None and b is not None and math.isfinite(a)]
        if not known:
            continue
        largest = max(difference(a, b) for a, b in known)
        broken += largest > tolerance
        cells = [f"{formatted(a)}, {formatted(b)}" for a, b in pairs]
        mark = " **above**" if largest > tolerance else ""
        lines.append(f"| {name} | {metric} | `{key}` | " + " | ".join(cells)
                     + f" | {largest:.1e}{mark} | {tolerance:g} | {reason} |")
    return lines, broken


def update(page, lines):
    begin, end = "<!-- tables -->", "<!-- end of tables -->"
    text = page.read_text()
    head, rest = text.split(begin)
    page.write_text(head + begin + "\n\n" + "\n".join(lines) + "\n\n" + end + rest.split(end)[1])


def main():
    binary, folder, cache = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    cache.mkdir(parents=True, exist_ok=True)
    results = {}
    for name in RECORDINGS:
        path = cache / f"{name}.txt"
        path.write_text("\n".join((folder / f"{name}.txt").read_text().split()[:BEATS]) + "\n")
        results[name] = {peer: library(cache, peer, path) for peer in ENVIRONMENTS} | {"ours": ours(binary, path)}
    lines, broken = table(results)
    print("\n".join(lines))
    if "--update" in sys.argv:
        update(pathlib.Path(sys.argv[sys.argv.index("--update") + 1]), lines)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
