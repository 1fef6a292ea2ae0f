"""Virtual environments with the libraries that peer_metrics.py compares: their versions of numpy exclude each other.

    python3 Research/peer_environment.py CACHE NAME        installs the library if necessary, and prints its interpreter
"""

import pathlib
import subprocess
import sys

ENVIRONMENTS = {
    "neurokit2": ["neurokit2==0.2.13", "antropy==0.2.3", "pandas<3"],
    "hrv-analysis": ["hrv-analysis==1.0.5", "nolds==0.5.2", "numpy<2.3", "scipy", "setuptools<80"],
    "pyhrv": [
        "pyhrv==0.5.0", "numpy==1.23.5", "scipy==1.10.1", "nolds==0.5.2", "biosppy==2.1.2", "peakutils",
        "spectrum", "setuptools<80",
    ],
}


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


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    print(environment(pathlib.Path(sys.argv[1]), sys.argv[2]))
