#!/usr/bin/env python3
"""Writes a file of each format of another program, and what must be read from it.

Written from the formats' own documents and from what their programs are documented to write, and from nothing of
stressmon. Beside FILE lies FILE.expected.json: the sessions in it, each with its RR intervals in ms, its start, and
for captures the notifications with their times.

    Tests/Oracles/formats.py FOLDER
"""
import json
import random
import struct
import sys
import zipfile
from datetime import datetime, timedelta, timezone
from pathlib import Path

START = datetime(2026, 6, 1, 7, 30, 0, tzinfo=timezone.utc)


def beats(count, seed, mean=850, spread=60):
    """A wandering list of RR in whole ms."""
    generator = random.Random(seed)
    level, out = mean, []
    for _ in range(count):
        level += 0.1 * (mean - level) + generator.gauss(0, spread / 4)
        out.append(int(round(level + generator.gauss(0, spread / 3))))
    return out


def iso(time):
    return time.strftime("%Y-%m-%dT%H:%M:%S.%f") + "Z"


def expect(path, sessions):
    Path(str(path) + ".expected.json").write_text(json.dumps({"sessions": sessions}) + "\n")


# FIT: header, definition and data records, CRC (Garmin, FIT protocol).

FIT_EPOCH = datetime(1989, 12, 31, tzinfo=timezone.utc)
CRC_TABLE = [0x0000, 0xCC01, 0xD801, 0x1400, 0xF001, 0x3C00, 0x2800, 0xE401,
             0xA001, 0x6C00, 0x7800, 0xB401, 0x5000, 0x9C01, 0x8801, 0x4400]


def fit_crc(data):
    crc = 0
    for byte in data:
        for nibble in (byte & 15, byte >> 4):
            temp = CRC_TABLE[crc & 15]
            crc = (crc >> 4) & 0x0FFF
            crc = crc ^ temp ^ CRC_TABLE[nibble]
    return crc


def fit_file(rr, start, big=False, header=14, developer=False, compressed=False):
    end = ">" if big else "<"
    stamp = int((start - FIT_EPOCH).total_seconds())

    def definition(local, number, fields, extra=()):
        flag = 0x20 if extra else 0
        out = struct.pack("BBB", 0x40 | flag | local, 0, int(big)) + struct.pack(end + "HB", number, len(fields))
        for field in fields:
            out += struct.pack("BBB", *field)
        if extra:
            out += bytes([len(extra)]) + b"".join(struct.pack("BBB", *one) for one in extra)
        return out

    records = definition(0, 0, [(0, 1, 0x00), (1, 2, 0x84), (4, 4, 0x86)])
    records += struct.pack(end + "BBHI", 0, 4, 255, stamp)
    extra = [(0, 2, 0)] if developer else []
    records += definition(1, 20, [(253, 4, 0x86), (3, 1, 0x02)], extra)
    records += definition(3, 20, [(3, 1, 0x02)])
    records += definition(2, 78, [(0, 10, 0x84)])
    for place in range(0, len(rr), 3):
        slots = (rr[place:place + 3] + [0xFFFF] * 5)[:5]
        if place % 30 == 0:
            records += struct.pack(end + "BIB", 1, stamp + place, 70) + (b"\xab\xcd" if developer else b"")
        elif compressed and place % 15 == 0:
            records += bytes([0x80 | 3 << 5 | place % 32, 71])
        records += struct.pack(end + "B5H", 2, *slots)
    records += definition(4, 34, [(253, 4, 0x86), (5, 4, 0x86)])
    records += struct.pack(end + "BII", 4, stamp + 900, stamp + 900 + 7200)
    head = struct.pack("<BBHI4s", header, 0x20, 2132, len(records), b".FIT")
    if header == 14:
        head += struct.pack("<H", fit_crc(head))
    return head + records + struct.pack("<H", fit_crc(head + records))


def fit(folder):
    first, second = beats(100, 1), beats(61, 2)
    later = START + timedelta(hours=3)
    (folder / "chained.fit").write_bytes(
        fit_file(first, START, developer=True, compressed=True) + fit_file(second, later, big=True, header=12))
    expect(folder / "chained.fit", [
        {"rr_ms": first, "time": iso(START), "utc_offset_s": 7200},
        {"rr_ms": second, "time": iso(later), "utc_offset_s": 7200}])


# HRV Logger: a CSV with a date per beat in whole seconds, or in ms since 1970.

def hrv_logger(folder):
    rr = beats(90, 3)
    rows, time = ["date,rr,since start"], START
    for one in rr:
        time += timedelta(milliseconds=one)
        since = int((time - START).total_seconds() * 1000)
        rows.append(f"{time.strftime('%Y-%m-%d %H:%M:%S +0000')},{one},{since}")
    (folder / "hrv_logger.csv").write_text("\r\n".join(rows) + "\r\n")
    first = START.replace(microsecond=0) + timedelta(milliseconds=rr[0])
    expect(folder / "hrv_logger.csv", [
        {"rr_ms": rr, "time": iso(first.replace(microsecond=0) - timedelta(milliseconds=rr[0])), "utc_offset_s": 0}])
    rows, time = ["timestamp,rr,since_start"], START
    for place, one in enumerate(rr):
        time += timedelta(milliseconds=one + (5000 if place == 40 else 0))
        rows.append(f"{int(time.timestamp() * 1000)},{one},{int((time - START).total_seconds() * 1000)}")
    (folder / "hrv_logger_gap.csv").write_text("\n".join(rows) + "\n")
    expect(folder / "hrv_logger_gap.csv", [{"rr_ms": rr, "time": iso(START), "gaps": 1}])


# Elite HRV: one RR in ms per line, nothing else.

def elite_hrv(folder):
    rr = beats(80, 4)
    (folder / "2026-06-01 07-30-00.txt").write_text("\n".join(map(str, rr)))
    expect(folder / "2026-06-01 07-30-00.txt", [{"rr_ms": rr}])


# Polar Sensor Logger: local time of the phone and RR, between semicolons.

def polar_logger(folder):
    rr = beats(70, 5)
    rows, time = ["Phone timestamp;RR-interval [ms]"], START
    for one in rr:
        time += timedelta(milliseconds=one)
        rows.append(f"{time.strftime('%Y-%m-%dT%H:%M:%S.%f')[:-3]};{one}")
    (folder / "polar_logger.txt").write_text("\n".join(rows) + "\n")
    expect(folder / "polar_logger.txt", [{"rr_ms": rr, "local": iso(START)}])


# Polar HRM (also what Kubios reads): sections, Interval=238 for RR data.

def hrm(folder):
    rr = beats(60, 6)
    params = ["[Params]", "Version=106", "Monitor=12", "SMode=111000000", "Date=20260601", "StartTime=07:30:00.0",
              "Length=00:00:51.0", "Interval=238", "Upper1=0", "[Note]", "800 is no beat", "[HRData]"]
    (folder / "polar.hrm").write_text("\r\n".join(params + list(map(str, rr))) + "\r\n")
    expect(folder / "polar.hrm", [{"rr_ms": rr, "local": iso(START)}])


# Apple Health: HeartRateVariabilitySDNN with its list of beats, whose times are as the phone's language writes them.

DTD = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 11; <Record> and </Record> are described below -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
]>
"""


def clock(time, style):
    hundredths = time.microsecond // 10000
    if style == "24":
        return f"{time.hour:02d}:{time.minute:02d}:{time.second:02d},{hundredths:02d}"
    half = "AM" if time.hour < 12 else "PM"
    return f"{(time.hour + 11) % 12 + 1}:{time.minute:02d}:{time.second:02d}.{hundredths:02d}\u202f{half}"


def apple_health(folder):
    zone = timezone(timedelta(hours=2))
    parts = [DTD, '<HealthData locale="de_DE">\n <ExportDate value="2026-06-02 10:00:00 +0200"/>\n']
    parts.append(' <Me HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet"/>\n')
    sessions = []
    for number, style in enumerate(["24", "12"]):
        begin = datetime(2026, 6, 1, 11, 59, 40, tzinfo=zone) + timedelta(days=number, hours=12 * number)
        rr = [10 * (one // 10) for one in beats(60, 7 + number)]
        time, lines, expected = begin + timedelta(milliseconds=2340), [], []
        for place, one in enumerate(rr):
            missed = place == 30
            if place:
                time += timedelta(milliseconds=one + (one + 40 if missed else 0))
            rate = round(60000 / one)
            lines.append(f'   <InstantaneousBeatsPerMinute bpm="{rate}" time="{clock(time, style)}"/>\n')
            expected.append(round(60000 / rate) if place == 0 or missed else one)
        sessions.append({"rr_ms": expected, "time": iso(begin.astimezone(timezone.utc)), "utc_offset_s": 7200,
                         "gaps": 1})
        stamp = begin.strftime("%Y-%m-%d %H:%M:%S %z")
        parts.append(
            f' <Record type="HKQuantityTypeIdentifierStepCount" sourceName="a &gt; b" value="12" startDate="{stamp}"/>\n'
            f' <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="Anna\'s Watch"'
            f' device="&lt;&lt;HKDevice&gt;, name:Apple Watch>" unit="ms" creationDate="{stamp}" startDate="{stamp}"'
            f' endDate="{stamp}" value="49.4">\n  <HeartRateVariabilityMetadataList>\n' + "".join(lines)
            + "  </HeartRateVariabilityMetadataList>\n </Record>\n")
    parts.append("</HealthData>\n")
    text = "".join(parts)
    (folder / "export.xml").write_text(text, encoding="utf-8")
    expect(folder / "export.xml", sessions)
    with zipfile.ZipFile(folder / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("apple_health_export/export_cda.xml", "<ClinicalDocument/>" * 20000)
        with archive.open("apple_health_export/Exportieren.xml", "w", force_zip64=True) as entry:
            entry.write(text.encode())
        archive.writestr("apple_health_export/workout-routes/route.gpx", "<gpx/>")
    expect(folder / "export.zip", sessions)


# btsnoop (RFC 1761 with Bluetooth link types), HCI, L2CAP and ATT (Bluetooth Core Specification).

SNOOP_EPOCH = 0x00DCDDB30F2F8000  # microseconds from the year 0 to 1970
ADDRESS = bytes.fromhex("c00000000001")


class Capture:
    def __init__(self, link_type):
        self.monitor = link_type == 2001
        self.bytes = b"btsnoop\0" + struct.pack(">II", 1, link_type)

    def put(self, kind, payload, time, cut=0):
        # kind: event, sent, received
        if self.monitor:
            flags = {"event": 3, "sent": 4, "received": 5}[kind]
        else:
            flags = {"event": 3, "sent": 0, "received": 1}[kind]
            payload = bytes([4 if kind == "event" else 2]) + payload
        stamp = int((time - datetime(1970, 1, 1, tzinfo=timezone.utc)) / timedelta(microseconds=1)) + SNOOP_EPOCH
        self.bytes += struct.pack(">IIIIq", len(payload), len(payload) - cut, flags, 0, stamp)
        self.bytes += payload[:len(payload) - cut]

    def att(self, kind, pdu, time, handle=0x40, split=None):
        frame = struct.pack("<HH", len(pdu), 4) + pdu
        pieces = [frame] if split is None else [frame[:split], frame[split:]]
        for place, piece in enumerate(pieces):
            boundary = 1 if place else (2 if kind == "received" else 0)
            self.put(kind, struct.pack("<HH", handle | boundary << 12, len(piece)) + piece, time)

    def connect(self, time, handle=0x40):
        self.put("event", struct.pack("<BBBBHBB", 0x3E, 19, 1, 0, handle, 0, 1) + ADDRESS[::-1]
                 + struct.pack("<HHHB", 36, 0, 42, 0), time)

    def disconnect(self, time, handle=0x40):
        self.put("event", struct.pack("<BBBHB", 5, 4, 0, handle, 8), time)


def heart_rate(rr_units, rate):
    return bytes([0x10, rate]) + b"".join(struct.pack("<H", one) for one in rr_units)


def btsnoop(folder):
    base = bytes.fromhex("fb349b5f8000008000100000")
    for name, link, discovered in [("monitor.btsnoop", 2001, True), ("android.btsnoop", 1002, False)]:
        capture, time, sent, rr = Capture(link), START, [], []
        capture.connect(time)
        if discovered:
            capture.att("sent", struct.pack("<BHHH", 0x08, 1, 0xFFFF, 0x2803), time)
            entry = struct.pack("<HBHH", 0x10, 0x10, 0x11, 0x2A37)
            entry += struct.pack("<HBHH", 0x20, 0x12, 0x21, 0x2A19)
            capture.att("received", bytes([0x09, 7]) + entry, time, split=9)
            capture.att("sent", struct.pack("<BHHH", 0x08, 0x30, 0xFFFF, 0x2803), time)
            entry = struct.pack("<HBH", 0x30, 0x10, 0x31) + base + struct.pack("<HH", 0x2A39, 0)
            capture.att("received", bytes([0x09, 21]) + entry, time)
        for place, one in enumerate(beats(60, 9)):
            if place == 30:
                capture.disconnect(time + timedelta(milliseconds=200))
                time += timedelta(seconds=12)
                capture.connect(time)
            time += timedelta(milliseconds=one)
            unit = round(one * 1024 / 1000)
            payload = heart_rate([unit], round(60000 / one))
            sent.append({"hex": payload.hex(), "monotonic_us": int((time - START) / timedelta(microseconds=1))})
            rr.append(unit * 1000 / 1024)
            capture.att("received", struct.pack("<BH", 0x1B, 0x11) + payload, time, split=6 if place % 7 == 0 else None)
            # Something else that streams: an attribute whose first bytes look like anything.
            capture.att("received", struct.pack("<BH", 0x1B, 0x41) + bytes([0xFF, place, 1, 2, 3]), time)
        if discovered:
            capture.att("received", struct.pack("<BHB", 0x1B, 0x21, 87), time)
        capture.att("received", struct.pack("<BH", 0x1B, 0x31) + b"\x01", time)
        capture.disconnect(time + timedelta(milliseconds=300))
        capture.put("event", b"\x0e\x04\x01\x03\x0c\x00", time, cut=2)
        (folder / name).write_bytes(capture.bytes)
        expect(folder / name, [{"rr_ms": rr, "time": iso(START), "strap": "C0:00:00:00:00:01", "notifications": sent,
                                "gaps": 1, "battery_percent": [87] if discovered else []}])


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for write in (fit, hrv_logger, elite_hrv, polar_logger, hrm, apple_health, btsnoop):
        write(folder)


if __name__ == "__main__":
    main()
