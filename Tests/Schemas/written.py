"""Schemas of outputs that require a strap, a desktop, systemd or a fleet. Swift tests compare their keys with the encoders."""
BASE = "https://json-schema.org/draft/2020-12/schema"


def maybe(kind, **more):
    return {"type": [kind, "null"], **more}


TIME = {"type": "string", "format": "date-time"}
COUNT = {"type": "integer", "minimum": 0}
SHARE = {"type": "number", "minimum": 0, "maximum": 1}
BODIES = {
    "scan": {
        "strap": {"type": "string"}, "strap_name": maybe("string"), "rssi_dbm": maybe("integer"), "paired": {"type": "boolean"},
        "connected": {"type": "boolean"}, "heart_rate_service": {"type": "boolean"}, "answering": {"type": "boolean"}},
    "pairing": {
        "strap": {"type": "string"}, "strap_name": maybe("string"), "was_paired": {"type": "boolean"}},
    "service-status": {
        "unit": {"type": "string"}, "enabled": {"type": "boolean"}, "running": {"type": "boolean"}, "state": {"type": "string"}},
    "prompt": {
        "type": {"const": "prompt"}, "id": COUNT, "time": TIME, "profile": {"type": "string"}, "session": {"type": "string"},
        "stress": {"type": "number", "minimum": 0, "maximum": 100}, "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "rmssd_ms": {"type": "number"}, "normal_low_ms": {"type": "number"}, "normal_high_ms": {"type": "number"},
        "answer": maybe("string"), "answered": maybe("string", format="date-time"), "entry": maybe("integer")},
    "prompt-agreement": {
        "type": {"const": "agreement"}, "profile": {"type": "string"}, "agreed": COUNT, "answered": COUNT},
    "collector": {
        "type": {"const": "health"}, "time": TIME, "study": {"type": "string"}, "lag": COUNT, "batches": COUNT, "messages": COUNT,
        "redeliveries": COUNT, "rejected": COUNT, "erased": COUNT, "newer_format": COUNT, "events": COUNT, "rows": COUNT,
        "failures": COUNT, "partitions": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 7}},
        "error": maybe("string")},
    "ecg-agreement": {
        "ecg_s": {"type": "number"}, "peaks": COUNT, "compared_beats": COUNT, "missed_peaks": COUNT, "beats_without_peak": COUNT,
        "agreeing_verdicts": COUNT, "mean_absolute_error_ms": maybe("number"), "mean_error_ms": maybe("number"),
        "respiration_brpm": maybe("number"),
        "verdict_evidence": {"type": "object", "additionalProperties": {
            "type": "object", "additionalProperties": COUNT}}},
    "confidence-calibration": {
        "ecg_s": {"type": "number"}, "windows": COUNT, "expected_calibration_error": maybe("number"),
        "bins": {"type": "array", "items": {"type": "object", "required": ["stated", "found"], "properties": {
            "stated_low": SHARE, "stated_high": SHARE, "windows": COUNT, "stated": SHARE, "found": SHARE}}}},
    "mark": {
        "session": {"type": "string"}, "mark": {"type": "string"}, "monotonic_s": {"type": "number"},
        "time": maybe("string", format="date-time")},
}


def schemas():
    return {name: {
        "$schema": BASE, "$id": f"{name}.schema.json", "title": name.replace("-", " "), "type": "object",
        "properties": properties, "required": list(properties)} for name, properties in BODIES.items()}
