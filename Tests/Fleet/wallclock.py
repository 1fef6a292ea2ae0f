"""Wall clocks of machines, which can step while their programs run."""
import os
import shutil
import struct

from network import run

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "clock.c")


def build(folder):
    """Compiles the library that shifts the wall clock."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if not compiler:
        raise RuntimeError("a C compiler is missing. Type: sudo apt install gcc libc6-dev")
    library = os.path.join(folder, "clock.so")
    run(compiler, "-shared", "-fPIC", "-O1", "-o", library, SOURCE)
    return library


class WallClock:
    """The wall clock of the programs that are started with `environment`.

    The file `path` contains its difference to the clock of the system."""

    def __init__(self, library, path, seconds=0):
        self.path = path
        self.environment = {"LD_PRELOAD": library, "FLEET_CLOCK": path}
        with open(path, "wb") as file:
            file.write(struct.pack("=q", 0))
        self.step(seconds)

    def step(self, seconds):
        """Sets the difference to the clock of the system."""
        with open(self.path, "r+b", buffering=0) as file:
            file.write(struct.pack("=q", round(seconds * 1_000_000_000)))
