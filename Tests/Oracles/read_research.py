#!/usr/bin/env python3
"""Reads a file or folder in a research format with independent libraries and prints what each finds, as JSON.

    read_research.py edf|wfdb|bids|open-mhealth|xdf PATH     needs the libraries of Tests/Oracles/environment

`rr_ms` are the differences between beats that no gap separates; exact fractions are rounded to 1e-4 ms.
"""
import gzip
import json
import os
import subprocess
import sys
from datetime import datetime, timedelta


def intervals(peaks):
    """RR in ms of (time in s, begins a series, ends a series) in the order of the file."""
    found, before = [], None
    for time, opens in peaks:
        if before is not None and not opens:
            found.append(round((time - before) * 1000, 4))
        before = time
    return found


def edf(path):
    import pyedflib

    result = {"edfio": with_edfio(path)}
    with open(path, "rb") as file:
        is_continuous = file.read(256)[192:197] == b"EDF+C"
    if not is_continuous:  # EDFlib does not read EDF+D.
        return result
    with pyedflib.EdfReader(path) as reader:
        onsets, _, texts = reader.readAnnotations()
        peaks, latest = [], None
        for onset, text in zip(onsets, texts):
            if text == "QRS":
                peaks.append([float(onset), False])
            elif text == "start" and peaks:
                peaks[-1][1] = True
        signals = {}
        for place, label in enumerate(reader.getSignalLabels()):
            values = reader.readSignal(place)
            signals[label] = {"unit": reader.getPhysicalDimension(place), "rate": reader.getSampleFrequency(place),
                              "count": len(values), "min": float(min(values)), "max": float(max(values)),
                              "first": [float(value) for value in values[:400]]}
        result["pyedflib"] = {"rr_ms": intervals(peaks), "start": reader.getStartdatetime().isoformat(),
                              "texts": sorted(set(texts.tolist())), "signals": signals}
    return result


def with_edfio(path):
    import edfio

    file = edfio.read_edf(path)
    peaks = []
    for annotation in file.annotations:
        if annotation.text == "QRS":
            peaks.append([annotation.onset, False])
        elif annotation.text == "start" and peaks:
            peaks[-1][1] = True
    return {"rr_ms": intervals(peaks), "labels": list(file.labels), "date": file.startdate.isoformat()}


def wfdb(path):
    import wfdb as library

    record = path[:-4]
    header = library.rdheader(record)
    annotation = library.rdann(record, "qrs")
    peaks = []
    for sample, symbol, text in zip(annotation.sample, annotation.symbol, annotation.aux_note):
        if symbol in "NVAQ|":
            peaks.append((int(sample) / annotation.fs, text.rstrip("\0") == "start"))
    return {"wfdb": {"rr_ms": intervals(peaks), "fs": annotation.fs, "header_fs": header.fs,
                     "start": datetime.combine(header.base_date, header.base_time).isoformat(),
                     "symbols": sorted(set(annotation.symbol))}}


def bids(path):
    from bids import BIDSLayout

    validator = os.path.join(os.path.dirname(sys.executable), "bids-validator-deno")
    output = subprocess.run([validator, "--format", "json", path], capture_output=True, text=True).stdout
    issues = json.loads(output)["issues"]["issues"]
    layout = BIDSLayout(path, validate=False)
    sessions = {}
    for file in layout.get(suffix="physioevents", extension=".tsv.gz"):
        with open(file.path.replace(".tsv.gz", ".json")) as sidecar:
            columns = json.load(sidecar)["Columns"]
        with gzip.open(file.path, "rt") as rows:
            table = [dict(zip(columns, row.rstrip("\n").split("\t"))) for row in rows]
        peaks = [(float(row["onset"]), row["trial_type"] == "start") for row in table if row["trial_type"] != "gap"]
        sessions[file.entities["session"]] = {
            "rr_ms": [float(row["rr_ms"]) for row in table if row["trial_type"] == "beat"],
            "onset_rr_ms": intervals(peaks)}
    physio = {}
    for file in layout.get(suffix="physio", extension=".tsv.gz"):
        with gzip.open(file.path, "rt") as rows:
            physio[file.entities["recording"]] = {"rows": sum(1 for _ in rows), "metadata": file.get_metadata()}
    return {"validator": {"errors": [one for one in issues if one["severity"] == "error"],
                          "warnings": sorted({f'{one["code"]} {one.get("subCode", "")}' for one in issues
                                              if one["severity"] != "error"})},
            "pybids": {"subjects": layout.get_subjects(), "sessions": sessions, "physio": physio}}


# The constraints of the documentation of Open mHealth, as far as stressmon uses them.
TIME = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"}
UNIT_VALUE = {"type": "object", "required": ["value", "unit"], "properties": {"value": {"type": "number"}}}
HEADER = {
    "type": "object", "required": ["id", "creation_date_time", "schema_id"],
    "properties": {
        "id": {"type": "string", "pattern": "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"},
        "creation_date_time": TIME,
        "schema_id": {"type": "object", "required": ["namespace", "name", "version"],
                      "properties": {"namespace": {"pattern": "^[a-zA-Z0-9.-]+$"}, "name": {"pattern": "^[a-zA-Z0-9-]+$"},
                                     "version": {"pattern": r"^\d+\.\d+(\.x)?$"}}},
        "acquisition_provenance": {"type": "object", "required": ["source_name"],
                                   "properties": {"modality": {"enum": ["sensed", "self-reported"]}}}}}
FRAME = {"oneOf": [
    {"required": ["date_time"], "properties": {"date_time": TIME}},
    {"required": ["time_interval"], "properties": {"time_interval": {"oneOf": [
        {"required": ["start_date_time", "end_date_time"], "not": {"required": ["duration"]}},
        {"required": ["start_date_time", "duration"], "properties": {
            "start_date_time": TIME,
            "duration": {**UNIT_VALUE, "properties": {"unit": {"enum": ["ps", "ns", "us", "ms", "sec", "min", "h", "d"]}}}}},
        {"required": ["end_date_time", "duration"]}]}}}]}
BODIES = {
    ("rr-interval", "1.0"): {"type": "object", "required": ["rr_interval"], "properties": {
        "rr_interval": {**UNIT_VALUE, "properties": {"value": {"type": "number"}, "unit": {"enum": ["ms"]}}},
        "effective_time_frame": FRAME}},
    ("heart-rate", "2.0"): {"type": "object", "required": ["heart_rate", "effective_time_frame"], "properties": {
        "heart_rate": {**UNIT_VALUE, "properties": {"value": {"type": "number"}, "unit": {"enum": ["beats/min"]}}},
        "effective_time_frame": FRAME}}}


def open_mhealth(path):
    import jsonschema

    with open(path) as file:
        points = json.load(file)
    bodies = {key: jsonschema.Draft7Validator(schema) for key, schema in BODIES.items()}
    header = jsonschema.Draft7Validator(HEADER)
    errors = []
    for point in points:
        schema = point["header"]["schema_id"]
        body = bodies[schema["name"], schema["version"]]
        errors += [str(error.message) for error in header.iter_errors(point["header"])]
        errors += [str(error.message) for error in body.iter_errors(point["body"])]
    beats = [point["body"] for point in points if "rr_interval" in point["body"]]
    return {"jsonschema": {
        "errors": errors[:10], "count": len(points), "ids": len({point["header"]["id"] for point in points}),
        "rr_ms": [body["rr_interval"]["value"] for body in beats],
        "start": beats[0]["effective_time_frame"]["time_interval"]["start_date_time"]}}


def xdf(path):
    import pyxdf

    streams, _ = pyxdf.load_xdf(path, verbose=False)
    found = {}
    for stream in streams:
        values = stream["time_series"]
        found[stream["info"]["type"][0]] = [float(value[0]) if not isinstance(value[0], str) else value[0]
                                            for value in values]
    return {"pyxdf": found}


FORMATS = {"edf": edf, "wfdb": wfdb, "bids": bids, "open-mhealth": open_mhealth, "xdf": xdf}
print(json.dumps(FORMATS[sys.argv[1]](sys.argv[2]), default=str))
