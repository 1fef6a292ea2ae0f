"""Prints the metrics that a library computes for a file, as one JSON object. Called by peer_metrics.py.

    peer_client.py neurokit2|hrv-analysis|pyhrv FILE        one RR interval in ms per line

Each value is computed with the settings that a user gets without choosing any, but for the box sizes of DFA, the tolerance
of the entropies, and the unit of the spectrum. The spectra of scipy and of the package spectrum, which are no HRV
libraries, have the settings of stressmon. A metric that a library cannot compute is left out.
"""

import contextlib
import io
import json
import math
import sys
import warnings

import numpy as np

warnings.filterwarnings("ignore")
np.random.seed(1)


def collect(values, name, compute):
    """Adds the value of `compute` under `name`, unless it fails."""
    try:
        value = float(compute())
    except Exception as error:  # A library that fails for one metric still defines the others.
        print(f"{name}: {error}", file=sys.stderr)
        return
    if math.isfinite(value):
        values[name] = value


RATE = 4.0  # Hz
BANDS = {"LF": (0.04, 0.15), "HF": (0.15, 0.4)}


def resampled(rr):
    """Samples of the cubic spline through the intervals at their end times."""
    from scipy.interpolate import make_interp_spline

    times = (np.cumsum(rr) - rr[0]) / 1000
    return make_interp_spline(times, rr, k=3)(np.arange(0, times[-1], 1 / RATE))


def powers(frequencies, density):
    """The power in each band: sum over its frequencies, without its upper limit."""
    step = frequencies[1] - frequencies[0]
    inside = {name: (frequencies >= low - 1e-12) & (frequencies < high - 1e-12) for name, (low, high) in BANDS.items()}
    return {name: density[places].sum() * step for name, places in inside.items()}


def welch(samples):
    from scipy.signal import welch as estimate

    length = min(1200, len(samples))
    return powers(*estimate(samples, RATE, window="hann", nperseg=length, detrend="constant"))


def burg(samples):
    from scipy.integrate import quad
    from spectrum import arburg

    coefficients, noise, _ = arburg(samples - samples.mean(), 16)

    def density(frequency):
        response = np.exp(-2j * np.pi * frequency / RATE * np.arange(17)) @ np.concatenate([[1], np.real(coefficients)])
        return 2 * np.real(noise) / (RATE * abs(response) ** 2)

    # The integral, not a sum over frequencies: peaks of the model can be narrower than the distance of two.
    return {name: quad(density, low, high, epsabs=0, epsrel=1e-9, limit=1000)[0] for name, (low, high) in BANDS.items()}


def neurokit2(rr):
    import antropy
    import neurokit2 as nk

    series = {"RRI": rr, "RRI_Time": np.cumsum(rr) / 1000}
    time = nk.hrv_time(series).iloc[0]
    poincare = nk.hrv_nonlinear(series).iloc[0]
    bands = nk.hrv_frequency(series, psd_method="welch", normalize=False).iloc[0]
    reach = 0.2 * rr.std(ddof=1)
    values = {}
    for name in ["MeanNN", "SDNN", "RMSSD", "SDSD", "pNN50", "pNN20", "HTI", "TINN", "SDANN5", "SDNNI5"]:
        collect(values, name, lambda name=name: time.get(f"HRV_{name}", math.nan))
    for name in ["SD1", "SD2"]:
        collect(values, name, lambda name=name: poincare[f"HRV_{name}"])
    for name in ["LF", "HF"]:
        collect(values, f"{name} welch", lambda name=name: bands[f"HRV_{name}"])
    collect(values, "DFA alpha1 4-16", lambda: nk.fractal_dfa(rr, scale=np.arange(4, 17), overlap=False)[0])
    collect(values, "DFA alpha2 17-64", lambda: nk.fractal_dfa(rr, scale=np.arange(17, 65), overlap=False)[0])
    collect(values, "SampEn", lambda: nk.entropy_sample(rr, delay=1, dimension=2, tolerance=reach)[0])
    collect(values, "ApEn", lambda: nk.entropy_approximate(rr, delay=1, dimension=2, tolerance=reach)[0])
    samples = resampled(rr)
    detrended = nk.signal_detrend(samples, method="tarvainen2002", regularization=500)
    for name in BANDS:
        collect(values, f"scipy welch {name}", lambda name=name: welch(samples)[name])
        collect(values, f"signal_detrend tarvainen2002, {name}", lambda name=name: welch(detrended)[name])
    collect(values, "antropy app_entropy", lambda: antropy.app_entropy(rr, order=2, tolerance=reach))
    collect(values, "antropy sample_entropy", lambda: antropy.sample_entropy(rr, order=2, tolerance=reach))
    return values


def hrv_analysis(rr):
    import hrvanalysis as hrv

    values = {}
    found = hrv.get_time_domain_features(list(rr)) | hrv.get_poincare_plot_features(list(rr))
    found |= hrv.get_geometrical_features(list(rr)) | hrv.get_frequency_domain_features(list(rr))
    for name in ["mean_nni", "sdnn", "rmssd", "sdsd", "pnni_50", "pnni_20", "mean_hr", "sd1", "sd2", "triangular_index",
                 "lf", "hf"]:
        collect(values, name, lambda name=name: found[name])
    return values


def pyhrv(rr):
    import matplotlib

    matplotlib.use("Agg")
    import pyhrv.nonlinear as nonlinear
    import pyhrv.time_domain as time

    values = {}
    collect(values, "nni_mean", lambda: time.nni_parameters(nni=rr)["nni_mean"])
    collect(values, "sdnn", lambda: time.sdnn(nni=rr)["sdnn"])
    collect(values, "rmssd", lambda: time.rmssd(nni=rr)["rmssd"])
    collect(values, "pnn50", lambda: time.nn50(nni=rr)["pnn50"])
    poincare = nonlinear.poincare(nni=rr, show=False)
    collect(values, "sd1", lambda: poincare["sd1"])
    collect(values, "sd2", lambda: poincare["sd2"])
    geometrical = time.geometrical_parameters(nni=rr, plot=False)
    collect(values, "tri_index", lambda: geometrical["tri_index"])
    collect(values, "tinn", lambda: geometrical["tinn"])
    for name in BANDS:
        collect(values, f"spectrum arburg {name}", lambda name=name: burg(resampled(rr))[name])
    fluctuation = nonlinear.dfa(rr, short=[4, 16], long=[17, 64], show=False)
    collect(values, "dfa_alpha1", lambda: fluctuation["dfa_alpha1"])
    collect(values, "dfa_alpha2", lambda: fluctuation["dfa_alpha2"])
    collect(values, "sampen", lambda: nonlinear.sample_entropy(nni=rr)["sampen"])
    return values


def main():
    rr = np.loadtxt(sys.argv[2])
    compute = {"neurokit2": neurokit2, "hrv-analysis": hrv_analysis, "pyhrv": pyhrv}[sys.argv[1]]
    with contextlib.redirect_stdout(io.StringIO()):
        values = compute(rr)
    print(json.dumps(values))


if __name__ == "__main__":
    main()
