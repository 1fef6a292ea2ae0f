#!/usr/bin/env python3
"""MQTT topic with heart beats as a source, for example of an ESP32, through paho-mqtt (pip install paho-mqtt):

    mqtt.py --host 192.168.1.10 --topic strap/beats | stressmon live --source -

A message is a line of the source protocol ({"rr_ms":[812],"hr_bpm":74}), a list of RR intervals in ms ([812,805]), one number (an
RR interval from 200 ms, a heart rate in bpm below), or an object with a number under --rr-key or --rate-key, as of ESPHome. Other
messages are reported and skipped. The password is read from the variable MQTT_PASSWORD.

--replay FILE reads one message per line from a file instead (time in seconds, then the message).

Not tried with hardware: tested with generated messages.
"""
import argparse
import json
import os
import sys

KNOWN = {"rr_ms", "hr_bpm", "contact", "sensor", "type"}
SHORTEST_INTERVAL = 200


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def convert(payload, options):
    """The line of a message as an object; None for any other message."""
    try:
        value = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list) and value and all(map(is_number, value)):
        return {"rr_ms": value}
    if is_number(value):
        return {"rr_ms": [value]} if value >= SHORTEST_INTERVAL else {"hr_bpm": value}
    if not isinstance(value, dict):
        return None
    if KNOWN & value.keys():
        return value
    line = {}
    for key, name in ((options.rr_key, "rr_ms"), (options.rate_key, "hr_bpm")):
        if key and is_number(value.get(key)):
            line[name] = [value[key]] if name == "rr_ms" else value[key]
    return line or None


def emit(payload, options, at=None):
    line = convert(payload, options)
    if line is None:
        print(f"mqtt.py: skipped a message: {payload[:80]!r}", file=sys.stderr)
        return
    if at is not None:
        line.setdefault("t", at)
    print(json.dumps(line), flush=True)


def replay(path, options):
    for row in open(path):
        if row.strip() and not row.startswith("#"):
            at, payload = row.rstrip("\n").split(" ", 1)
            emit(payload, options, float(at))


def receive(options):
    import paho.mqtt.client as mqtt

    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
    if options.user:
        client.username_pw_set(options.user, os.environ.get("MQTT_PASSWORD"))
    if options.tls:
        client.tls_set()
    # Subscribes again after each connection.
    client.on_connect = lambda client, *_: client.subscribe(options.topic)
    client.on_message = lambda _, __, message: emit(message.payload, options)
    client.connect(options.host, options.port or (8883 if options.tls else 1883))
    client.loop_forever(retry_first_connection=True)


def main():
    parser = argparse.ArgumentParser(description="MQTT topic as a source of stressmon")
    parser.add_argument("--host", default="127.0.0.1", help="the broker (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, help="its port (default: 1883, 8883 with --tls)")
    parser.add_argument("--tls", action="store_true", help="encrypt the connection")
    parser.add_argument("--user", help="user name; the password is in MQTT_PASSWORD")
    parser.add_argument("--topic", default="stressmon/source", help="the topic (default: stressmon/source)")
    parser.add_argument("--rr-key", help="member with an RR interval in ms")
    parser.add_argument("--rate-key", help="member with a heart rate in bpm")
    parser.add_argument("--replay", help="read messages from a file")
    options = parser.parse_args()
    print(json.dumps({"sensor": f"MQTT {options.topic}"[:100]}), flush=True)
    try:
        replay(options.replay, options) if options.replay else receive(options)
    except (KeyboardInterrupt, BrokenPipeError):
        sys.stderr.close()


if __name__ == "__main__":
    main()
