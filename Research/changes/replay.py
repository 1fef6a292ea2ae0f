"""Replays a recording with one of the two programs and keeps the last measurement of each minute."""

import json
import os
import re
import subprocess
import tempfile
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path

MINUTE = 60  # s
PREFIX = b'{"type":"measurement"'
HEAD = re.compile(rb'"monotonic_s":([0-9.e+-]+),"verdict":"([a-z]+)"')
DIRECTORIES = ("CONFIG", "DATA", "STATE", "CACHE", "RUNTIME")


@dataclass
class Replay:
    """The last measurement of each minute by the number of the minute, and the verdicts of all beats."""

    minutes: dict = field(default_factory=dict)
    ends: list = field(default_factory=list)  # s
    verdicts: list = field(default_factory=list)

    def window(self, end, length=MINUTE):
        """End times and verdicts of the beats with end times in (end - length, end]."""
        part = slice(bisect_right(self.ends, end - length), bisect_right(self.ends, end))
        return self.ends[part], self.verdicts[part]


def replay(binary, session, baseline=None):
    """Raises ValueError with the message of the program if it cannot read the recording.

    `baseline` is (RMSSD in ms, heart rate in bpm); the population default without it.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = private(folder)
        command = [binary, "replay", "--speed", "max", "--json", *session.options]
        if baseline:
            rmssd, rate = baseline
            execute([binary, "baseline", "set", "--rmssd", str(rmssd), "--resting-hr", str(rate)], environment)
            command.append("--use-baseline")
        return stream([*command, str(session.path)], environment)


def analyze(binary, session):
    """The metrics of the complete recording with final verdicts."""
    with tempfile.TemporaryDirectory() as folder:
        command = [binary, "analyze", "--json", "--metrics", "time", *session.options, str(session.path)]
        return json.loads(execute(command, private(folder)))


def private(folder):
    """An environment without settings, history and baseline of the user."""
    environment = {"HOME": folder, "PATH": os.environ["PATH"], "LC_ALL": "C", "TZ": "UTC"}
    for name in DIRECTORIES:
        path = Path(folder) / name.lower()
        path.mkdir(mode=0o700)
        environment[f"XDG_{name}_{'DIR' if name == 'RUNTIME' else 'HOME'}"] = str(path)
    return environment


def execute(command, environment):
    run = subprocess.run(command, env=environment, capture_output=True, text=True)
    if run.returncode:
        raise ValueError(run.stderr.strip())
    return run.stdout


def stream(command, environment):
    result, lines = Replay(), {}
    with tempfile.TemporaryFile() as errors:
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=errors) as process:
            for line in process.stdout:
                if not line.startswith(PREFIX):
                    continue
                head = HEAD.search(line)
                end = float(head[1])
                result.ends.append(end)
                result.verdicts.append(head[2])
                lines[int(end // MINUTE)] = line
        if process.returncode:
            errors.seek(0)
            raise ValueError(errors.read().decode().strip())
    result.minutes = {minute: json.loads(line) for minute, line in lines.items()}
    return result
