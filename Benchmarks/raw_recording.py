"""Prints a recording with electrocardiogram (130 Hz) and acceleration (200 Hz), about 11 MB per hour; deterministic.

    raw_recording.py HOURS [DATE]        DATE: the day on which it starts at 08:00 UTC, default 2026-01-01
"""
import base64
import json
import random
import struct
import sys
from datetime import date, datetime, timedelta, timezone

SECONDS = int(float(sys.argv[1]) * 3600)
DAY = date.fromisoformat(sys.argv[2] if len(sys.argv) > 2 else "2026-01-01")
START = datetime(DAY.year, DAY.month, DAY.day, 8, tzinfo=timezone.utc)
SENSOR_EPOCH = datetime(2000, 1, 1, tzinfo=timezone.utc)
STRAP = {"strap": "AA:BB:CC:DD:EE:FF", "strap_name": "H10"}
ACCELERATION, ECG = 2, 0


def wall(time):
    return (START + timedelta(seconds=time)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def write(kind, time, **values):
    place = {} if kind == "header" else {"monotonic_s": round(time, 6)}
    print(json.dumps({"type": kind, **place, "time": wall(time), **values}, separators=(",", ":")))


def frame(kind, time, samples):
    nanoseconds = int(((START - SENSOR_EPOCH).total_seconds() + time) * 1e9)
    data = bytes([kind]) + struct.pack("<Q", nanoseconds) + bytes([kind // 2]) + b"".join(samples)
    return base64.b64encode(data).decode()


def acceleration(time):
    return frame(ACCELERATION, time, [
        struct.pack("<hhh", *(axis + random.randint(-5, 5) for axis in (-30, -960, 275))) for _ in range(36)])


def electrocardiogram(time):
    return frame(ECG, time, [random.randint(-400, 1200).to_bytes(3, "little", signed=True) for _ in range(73)])


def events():
    time = 1.0
    while time < SECONDS:
        interval = random.randint(950, 1090)
        time += interval / 1024
        yield time, "notification", interval
    for number in range(SECONDS * 200 // 36):
        yield 36 / 200 * (number + 1), "acceleration", 0
    for number in range(SECONDS * 130 // 73):
        yield 73 / 130 * (number + 1), "ecg", 0


random.seed(1)
write("header", 0, format="stressmon-recording", version=1, session="01M7W000000000000000000001", profile="me", **STRAP,
      zone="Etc/UTC", program="0.1.0", engine=3, settings={"window_s": 60, "hrv": "rmssd", "raw": False})
write("link", 0, state="connected", **STRAP)
write("stream", 0, stream="acceleration", state="started", rate_hz=200, resolution_bits=16, range_g=8)
write("stream", 0, stream="ecg", state="started", rate_hz=130, resolution_bits=14)
for time, kind, interval in sorted(events()):
    if kind == "notification":
        write(kind, time, hex="1640" + struct.pack("<H", interval).hex())
    else:
        write("sensor", time, base64=acceleration(time) if kind == "acceleration" else electrocardiogram(time))
write("end", SECONDS + 1)
