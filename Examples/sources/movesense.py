#!/usr/bin/env python3
"""Movesense sensor with the GATT SensorData firmware as a source, through bleak (pip install bleak):

    movesense.py 0C:8C:DC:00:00:01 | stressmon live --source -

Movesense sensors with the standard firmware send RR intervals by the Heart Rate service, which stressmon uses without a script. The
SensorData firmware (GSP) does not: this script subscribes to /Meas/HR.

--capture FILE writes the received values, one per line (time in seconds, value in hexadecimal digits), and --replay FILE
reads such a file instead of the sensor.

Not tried with hardware: the decoder is tested with generated values.
"""
import argparse
import asyncio
import json
import struct
import sys
import time

WRITE = "34800001-7185-4d5d-b431-630e7050e8f0"
NOTIFY = "34800002-7185-4d5d-b431-630e7050e8f0"
SUBSCRIBE, UNSUBSCRIBE, DATA = 1, 2, 2
REFERENCE = 99


def decode(value):
    """Heart rate in bpm and RR intervals in ms of a value; None for any other value.

    02, reference, mean heart rate (float), RR intervals (uint16), which some versions precede with their number.
    """
    if len(value) < 6 or value[0] != DATA or value[1] != REFERENCE:
        return None
    rate = struct.unpack_from("<f", value, 2)[0]
    rest = value[6:]
    if len(rest) % 2 == 1:
        if rest[0] != len(rest) // 2:
            return None
        rest = rest[1:]
    intervals = [rr for (rr,) in struct.iter_unpack("<H", rest) if 0 < rr <= 60000]
    return rate, intervals


def emit(value, at=None):
    found = decode(value)
    if found is None:
        return
    rate, intervals = found
    line = {"rr_ms": intervals} if intervals else {}
    if 0 < rate <= 1000:
        line["hr_bpm"] = round(rate, 1)
    if at is not None:
        line["t"] = at
    if intervals or "hr_bpm" in line:
        print(json.dumps(line), flush=True)


def replay(path):
    for line in open(path):
        if line.strip() and not line.startswith("#"):
            at, value = line.split()
            emit(bytes.fromhex(value), float(at))


async def receive(address, capture):
    from bleak import BleakClient

    ended = asyncio.Event()
    async with BleakClient(address, disconnected_callback=lambda _: ended.set()) as client:

        def on_value(_, value):
            if capture:
                print(f"{time.monotonic():.4f} {bytes(value).hex()}", file=capture, flush=True)
            emit(bytes(value))

        await client.start_notify(NOTIFY, on_value)
        await client.write_gatt_char(WRITE, bytes([SUBSCRIBE, REFERENCE]) + b"/Meas/HR", response=True)
        try:
            await ended.wait()
        finally:
            if client.is_connected:
                await client.write_gatt_char(WRITE, bytes([UNSUBSCRIBE, REFERENCE]), response=True)


def main():
    parser = argparse.ArgumentParser(description="Movesense sensor (GSP) as a source of stressmon")
    parser.add_argument("address", nargs="?", help="Bluetooth address of the sensor")
    parser.add_argument("--capture", type=argparse.FileType("w"), help="also write the values to a file")
    parser.add_argument("--replay", help="read values from a file")
    options = parser.parse_args()
    if not options.address and not options.replay:
        parser.error("name the address of the sensor, or a file with --replay")
    print(json.dumps({"sensor": "Movesense", "address": options.address or "Movesense"}), flush=True)
    try:
        if options.replay:
            replay(options.replay)
        else:
            asyncio.run(receive(options.address, options.capture))
    except (KeyboardInterrupt, BrokenPipeError):
        sys.stderr.close()


if __name__ == "__main__":
    main()
