#!/usr/bin/env python3
"""Writes files in research formats with independent libraries and prints the RR intervals of each in ms, as JSON.

    write_research.py FOLDER     needs the libraries of Tests/Oracles/environment

XDF has no library that writes it: the file is made from the specification and checked with pyxdf.
"""
import gzip
import json
import os
import random
import struct
import sys
from datetime import datetime, timedelta, timezone

START = datetime(2026, 6, 1, 7, 30, 0)
generator = random.Random(19)
# Multiples of 0.1 ms, the resolution of annotations that EDFlib writes.
RR = [round(800 + generator.uniform(-90, 90), 1) for _ in range(120)]
PEAKS = [1.0]
for rr in RR:
    PEAKS.append(round(PEAKS[-1] + rr / 1000, 4))


def edf(path):
    import numpy
    import pyedflib

    with pyedflib.EdfWriter(path, 1, file_type=pyedflib.FILETYPE_EDFPLUS) as writer:
        writer.set_number_of_annotation_signals(3)  # One annotation per record and signal.
        writer.setSignalHeader(0, {
            "label": "ECG", "dimension": "uV", "sample_frequency": 100, "physical_max": 1000, "physical_min": -1000,
            "digital_max": 32767, "digital_min": -32768, "transducer": "", "prefilter": ""})
        writer.setStartdatetime(START)
        writer.writeSamples([numpy.sin(numpy.arange(100 * 110) / 9) * 500])
        for peak in PEAKS:
            writer.writeAnnotation(peak, -1, "QRS")
        writer.writeAnnotation(50.5, -1, "coffee")
    return RR


def wfdb(folder):
    import numpy
    import wfdb as library

    samples = numpy.array([round(peak * 1000) for peak in PEAKS])
    symbols = ["N"] * len(samples)
    symbols[40] = "V"
    # No time resolution in the annotation file: the frequency is in the header only.
    library.wrann("foreign", "atr", samples, symbol=symbols, write_dir=folder)
    library.wrsamp("foreign", fs=1000, units=["mV"], sig_name=["ECG"], fmt=["16"], write_dir=folder,
                   p_signal=numpy.sin(numpy.arange(2000) / 9).reshape(-1, 1),
                   base_date=START.date(), base_time=START.time())
    library.wrann("timed", "qrs", samples, symbol=symbols, fs=1000, write_dir=folder)
    return [int(after - before) for before, after in zip(samples.tolist(), samples.tolist()[1:])]


def bids(folder):
    beats = os.path.join(folder, "sub-07/ses-a/beh/sub-07_ses-a_task-rest_recording-ecg_physioevents")
    os.makedirs(os.path.dirname(beats))
    with open(os.path.join(folder, "dataset_description.json"), "w") as file:
        json.dump({"Name": "foreign", "BIDSVersion": "1.11.1"}, file, indent=2)
    with open(os.path.join(folder, "sub-07/sub-07_sessions.tsv"), "w") as file:
        file.write("session_id\tacq_time\nses-a\t2026-06-01T07:30:00\n")
    with open(beats + ".json", "w") as file:
        json.dump({"Columns": ["onset", "duration", "trial_type"], "OnsetSource": "timestamp"}, file, indent=2)
    with gzip.open(beats + ".tsv.gz", "wt") as file:
        for peak in PEAKS:
            file.write(f"{peak:.4f}\t0\tR_peak\n")
        file.write("200\t5\tblink\n")
    return RR


def open_mhealth(path):
    zone = timezone(timedelta(hours=2))
    with open(path, "w") as file:
        for place, (rr, peak) in enumerate(zip(RR, PEAKS[1:])):
            end = (START.replace(tzinfo=zone) + timedelta(seconds=peak)).isoformat(timespec="milliseconds")
            body = {"rr_interval": {"value": rr, "unit": "ms"}, "effective_time_frame": {"date_time": end}}
            json.dump({"header": {"id": str(place)}, "body": body}, file)
            file.write("\n")
    return RR


def chunk(tag, content):
    body = struct.pack("<H", tag) + content
    return (bytes([1, len(body)]) if len(body) < 256 else bytes([4]) + struct.pack("<I", len(body))) + body


def info(name, kind, form, label, unit):
    return (f'<?xml version="1.0"?><info><name>{name}</name><type>{kind}</type><channel_count>1</channel_count>'
            f"<nominal_srate>0</nominal_srate><channel_format>{form}</channel_format><desc><channels><channel>"
            f"<label>{label}</label><unit>{unit}</unit></channel></channels></desc></info>").encode()


def samples(stream, values, encode):
    content = struct.pack("<I", stream) + bytes([4]) + struct.pack("<I", len(values))
    for time, value in values:
        content += bytes([8]) + struct.pack("<d", time) + encode(value)
    return chunk(3, content)


def xdf(path):
    import pyxdf

    text = b"XDF:" + chunk(1, b"<?xml version='1.0'?><info><version>1.0</version>"
                              b"<datetime>2026-06-01T07:30:00+0200</datetime></info>")
    text += chunk(2, struct.pack("<I", 1) + info("strap", "RR", "double64", "RR", "milliseconds"))
    text += chunk(2, struct.pack("<I", 2) + info("notes", "Markers", "string", "", ""))
    text += chunk(2, struct.pack("<I", 3) + info("strap HR", "HR", "float32", "HR", "bpm"))
    for stream in (1, 2, 3):
        text += chunk(4, struct.pack("<Idd", stream, 5000.0, 12.5)) + chunk(4, struct.pack("<Idd", stream, 5090.0, 12.5))
    beats = [(5000 - 12.5 + peak, rr) for peak, rr in zip(PEAKS[1:], RR)]
    text += samples(1, beats[:60], lambda value: struct.pack("<d", value))
    text += chunk(5, bytes(16))
    text += samples(2, [(5040.0, "coffee")], lambda value: bytes([1, len(value)]) + value.encode())
    text += samples(3, [(time, 60000 / rr) for time, rr in beats], lambda value: struct.pack("<f", value))
    text += samples(1, beats[60:], lambda value: struct.pack("<d", value))
    for stream in (1, 2, 3):
        text += chunk(6, struct.pack("<I", stream) + b"<?xml version='1.0'?><info></info>")
    with open(path, "wb") as file:
        file.write(text)
    streams, _ = pyxdf.load_xdf(path, verbose=False)
    return [float(value[0]) for stream in streams if stream["info"]["type"] == ["RR"] for value in stream["time_series"]]


folder = sys.argv[1]
wfdb_rr = wfdb(folder)
print(json.dumps({
    "foreign.edf": edf(os.path.join(folder, "foreign.edf")), "foreign.hea": wfdb_rr, "timed.qrs": wfdb_rr,
    "dataset": bids(os.path.join(folder, "dataset")),
    "foreign.json": open_mhealth(os.path.join(folder, "foreign.json")), "foreign.xdf": xdf(os.path.join(folder, "foreign.xdf"))}))
