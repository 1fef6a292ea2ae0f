#!/usr/bin/env python3
"""Reads a FIT file with two independent libraries and prints what each finds, as JSON.

    read_fit.py FILE            needs fitdecode and fitparse (PyPI); Tests/Oracles/environment makes a venv with them
"""
import json
import sys

import fitdecode
import fitparse


def values(value):
    return [one for one in (value if isinstance(value, (list, tuple)) else [value]) if one is not None]


def with_fitdecode(path):
    with fitdecode.FitReader(path, check_crc=fitdecode.CrcCheck.RAISE,
                             error_handling=fitdecode.ErrorHandling.RAISE) as reader:
        messages = [frame for frame in reader if isinstance(frame, fitdecode.FitDataMessage)]
    rr = [round(one * 1000) for message in messages if message.name == "hrv" for one in values(message.get_value("time"))]
    created = next(message.get_value("time_created") for message in messages if message.name == "file_id")
    return {"rr_ms": rr, "created": created.isoformat(), "messages": [m.name for m in messages if m.name != "hrv"]}


def with_fitparse(path):
    messages = list(fitparse.FitFile(path, check_crc=True).get_messages())
    rr = [round(one * 1000) for message in messages if message.name == "hrv" for one in values(message.get_value("time"))]
    created = next(message.get_value("time_created") for message in messages if message.name == "file_id")
    return {"rr_ms": rr, "created": created.isoformat() + "+00:00",
            "messages": [m.name for m in messages if m.name != "hrv"]}


print(json.dumps({"fitdecode": with_fitdecode(sys.argv[1]), "fitparse": with_fitparse(sys.argv[1])}))
