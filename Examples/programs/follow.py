#!/usr/bin/env python3
"""Prints the heart rate, the stress value and marks of the live session. Create the token once with:

    export STRESSMON_TOKEN=$(stressmon serve token add follow --scope read)
"""
import json
import os
import urllib.request

URL = os.environ.get("STRESSMON_URL", "http://127.0.0.1:8077")


def get(path):
    headers = {"Authorization": "Bearer " + os.environ["STRESSMON_TOKEN"]}
    return urllib.request.urlopen(urllib.request.Request(URL + path, headers=headers))


print("status:", json.load(get("/api/v1/status"))["text"])
for line in get("/events"):
    if not line.startswith(b"data: "):
        continue
    event = json.loads(line.removeprefix(b"data: "))
    if event["type"] == "measurement" and event["stress"] is not None:
        print(f"stress {event['stress']:.0f}, heart rate {event['mean_hr_bpm']:.0f} bpm", flush=True)
    elif event["type"] == "mark":
        print(event["text"], flush=True)
    elif event["type"] == "end":
        break
