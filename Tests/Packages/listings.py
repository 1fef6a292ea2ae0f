"""listings.py BEFORE AFTER: prints how the listings in AFTER differ from those in BEFORE, which an earlier version wrote.

A later version may add fields to JSON objects. Other lines have to be equal.
"""

import itertools
import json
import pathlib
import sys


def parsed(line):
    try:
        return json.loads(line)
    except json.JSONDecodeError:
        return line


def differences(before, after, place):
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return [] if before == after else [f"{place}: {before!r} became {after!r}"]
    return itertools.chain.from_iterable(
        differences(value, after.get(key, "nothing"), f"{place}, {key}") for key, value in before.items()
    )


lines = [pathlib.Path(name).read_text().splitlines() for name in sys.argv[1:3]]
found = [] if len(lines[0]) == len(lines[1]) else [f"{len(lines[0])} lines became {len(lines[1])}"]
for number, (before, after) in enumerate(zip(*lines), 1):
    found += differences(parsed(before), parsed(after), f"line {number}")
print(*found, sep="\n")
sys.exit(bool(found))
