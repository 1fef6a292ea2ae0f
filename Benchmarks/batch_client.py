"""A table of the metrics of many files with pandas and NeuroKit2, as CSV on standard output.

    batch_client.py FILE...        one RR in ms per line

Computes the columns of `stressmon analyze --csv` that NeuroKit2 defines, and no others: its hrv_nonlinear computes many
more and takes 0.2 s per file.
"""
import sys
import warnings

import neurokit2 as nk
import numpy as np
import pandas as pd

warnings.filterwarnings("ignore")


def row(path):
    rr = np.loadtxt(path)
    series = {"RRI": rr, "RRI_Time": np.cumsum(rr) / 1000}
    reach = 0.2 * rr.std(ddof=1)
    time = nk.hrv_time(series)
    frequency = nk.hrv_frequency(series, psd_method="welch", normalize=False)
    difference = np.diff(rr)
    nonlinear = {
        "file": path,
        "SD1": difference.std(ddof=1) / np.sqrt(2),
        "DFA_alpha1": nk.fractal_dfa(rr, scale=np.arange(4, 17))[0],
        "SampEn": nk.entropy_sample(rr, delay=1, dimension=2, tolerance=reach)[0],
        "ApEn": nk.entropy_approximate(rr, delay=1, dimension=2, tolerance=reach)[0],
    }
    return pd.concat([pd.DataFrame([nonlinear]), time, frequency], axis=1)


pd.concat([row(path) for path in sys.argv[1:]], ignore_index=True).to_csv(sys.stdout, index=False)
