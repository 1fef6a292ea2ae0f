"""What NeuroKit2 takes for the metrics of a long recording: CPU time of each in ms.

    neurokit_client.py FILE        one RR in ms per line

Each runs once: the first call of a function costs Python nothing that would matter here. Settings are those that a
user gets without choosing any, but for one pass of the artefact correction (it repeats up to its own wish) and the
scales of DFA alpha 1.
"""
import resource
import sys
import warnings

import neurokit2 as nk
import numpy as np

warnings.filterwarnings("ignore")


def cpu_ms():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return 1000 * (usage.ru_utime + usage.ru_stime)


def report(name, work):
    start = cpu_ms()
    work()
    print(f"{name}_ms={cpu_ms() - start:.3f}", flush=True)


rr = np.loadtxt(sys.argv[1])
part = rr[:100_000]
peaks = np.concatenate([[0], np.round(np.cumsum(part))]).astype(int)
series = {"RRI": rr, "RRI_Time": np.cumsum(rr) / 1000}
first = rr[:10_000]

report("classify", lambda: nk.signal_fixpeaks(peaks, sampling_rate=1000, iterative=False, method="Kubios"))
report("time", lambda: nk.hrv_time(series))
report("frequency", lambda: nk.hrv_frequency(series))
report("dfa", lambda: nk.fractal_dfa(rr, scale=np.arange(4, 17)))
report(
    "sample_entropy",
    lambda: nk.entropy_sample(first, delay=1, dimension=2, tolerance=0.2 * first.std(ddof=1)),
)
