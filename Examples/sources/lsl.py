#!/usr/bin/env python3
"""Lab Streaming Layer (LSL) stream of RR intervals as a source, through pylsl (pip install pylsl):

    lsl.py --name RR | stressmon live --source -

The first channel of the stream contains RR intervals, in ms by default (--unit s for seconds), or with --heart-rate a heart rate
in bpm. Values of 0 or less and values that are not finite are skipped. The time of a sample is its LSL time stamp.

--replay FILE reads samples from a file instead (time in seconds and value per line).

Not tried with hardware: tested with generated samples.
"""
import argparse
import json
import math
import sys


def line(value, at, unit, is_rate):
    """The line of one sample; None for a value that is no interval."""
    if not math.isfinite(value) or value <= 0:
        return None
    if is_rate:
        return json.dumps({"hr_bpm": round(value, 1), "t": round(at, 6)}) if value <= 1000 else None
    interval = round(value * (1000 if unit == "s" else 1), 4)
    return json.dumps({"rr_ms": [interval], "t": round(at, 6)}) if 1 <= interval <= 60000 else None


def emit(value, at, options):
    text = line(float(value), at, options.unit, options.heart_rate)
    if text and at >= 0:
        print(text, flush=True)


def replay(path, options):
    for row in open(path):
        if row.strip() and not row.startswith("#"):
            at, value = row.split()
            emit(value, float(at), options)


def receive(options):
    import pylsl

    key = "name" if options.name else "type"
    streams = pylsl.resolve_byprop(key, options.name or options.type, timeout=options.wait)
    if not streams:
        sys.exit(f"lsl.py: no stream with the {key} '{options.name or options.type}' was found")
    if len(streams) > 1:
        names = ", ".join(sorted(stream.name() for stream in streams))
        sys.exit(f"lsl.py: several streams match: {names}. Select one with --name")
    inlet = pylsl.StreamInlet(streams[0], max_buflen=60)
    correction, age = inlet.time_correction(), 0
    while True:
        sample, at = inlet.pull_sample(timeout=5.0)
        if sample is None:
            continue
        # The offset between the clocks of the two machines.
        age += 1
        if age % 60 == 0:
            correction = inlet.time_correction()
        emit(sample[0], at + correction, options)


def main():
    parser = argparse.ArgumentParser(description="LSL stream of RR intervals as a source of stressmon")
    parser.add_argument("--name", help="name of the stream")
    parser.add_argument("--type", default="RR", help="type of the stream, without --name (default: RR)")
    parser.add_argument("--unit", choices=["ms", "s"], default="ms", help="unit of the intervals (default: ms)")
    parser.add_argument("--heart-rate", action="store_true", help="the values are a heart rate in bpm")
    parser.add_argument("--wait", type=float, default=30, help="time to find the stream in seconds (default: 30)")
    parser.add_argument("--replay", help="read samples from a file")
    options = parser.parse_args()
    print(json.dumps({"sensor": f"LSL {options.name or options.type}"}), flush=True)
    try:
        replay(options.replay, options) if options.replay else receive(options)
    except (KeyboardInterrupt, BrokenPipeError):
        sys.stderr.close()


if __name__ == "__main__":
    main()
