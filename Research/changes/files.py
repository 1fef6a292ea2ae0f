"""The recordings of a folder of data, the options to read each, and the files that contain none."""

from dataclasses import dataclass
from pathlib import Path

TABLES = {"h10_pvc.csv": ("--column", "rr_ms", "--skip-bad-lines")}
SIDE_FILES = {
    ".labels.txt": "labels of the intervals",
    ".json": "expected results of a recording",
    ".dat": "electrocardiogram, part of the recording .hea",
    ".atr": "annotated beats, part of the recording .hea",
    ".md": "description",
}
NOT_COMPARABLE = {
    "hrm_2a37_payloads.jsonl": "single notifications of several straps, not a session",
    "bio_100hz.csv": "signals without RR intervals",
}
FIBRILLATING = ("afdb03665_af", "m201", "m203", "m219", "203")


@dataclass(frozen=True)
class Session:
    path: Path
    name: str  # with the folder
    person: str
    options: tuple
    is_rest: bool  # whether the person's own baseline is estimated from it

    @property
    def labels(self):
        return self.path.with_name(self.path.stem + ".labels.txt")

    @property
    def has_labels(self):
        return self.path.suffix == ".txt" and self.labels.exists()

    @property
    def fibrillates(self):
        return self.path.stem in FIBRILLATING


def find(data):
    """The sessions, and the other files as pairs of names and reason, both in the order of their names."""
    sessions, others = [], {}
    for path in sorted(one for one in Path(data).rglob("*") if one.is_file()):
        name = path.relative_to(data).as_posix()
        end = next((end for end in SIDE_FILES if path.name.endswith(end)), None)
        if path.name in NOT_COMPARABLE:
            others[name] = NOT_COMPARABLE[path.name]
        elif end:
            others[f"{name.rpartition('/')[0]}/*{end}".removeprefix("/")] = SIDE_FILES[end]
        else:
            sessions.append(session(path, name))
    return sessions, list(others.items())


def session(path, name):
    folder, stem = path.parent.name, path.stem
    is_rest = folder != "tasks" or "_sitting_" in stem
    return Session(path, name, person(folder, stem), TABLES.get(path.name, ()), is_rest)


def person(folder, stem):
    """Recordings of one person have the same name of the person."""
    if folder == "tasks":
        return "tasks " + stem.split("_")[0]
    if folder == "wearer" and stem.startswith("d20"):
        return "wearer"
    if folder == "nights":
        return "sleeper"
    return f"{folder} {stem}"
