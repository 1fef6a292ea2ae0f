#!/usr/bin/env python3
"""Subscribes to the Heart Rate Measurement of a strap with bleak and prints every notification.

usage: bleak_client.py ADDRESS [--count N] [--seconds S]

The peer of a benchmark: the least that a Python client does, so a notification is one line of monotonic
seconds and hex. Needs bleak (PyPI). DBUS_SYSTEM_BUS_ADDRESS chooses the bus.
"""

import argparse
import asyncio
import sys
import time

from bleak import BleakClient, BleakScanner

MEASUREMENT = "00002a37-0000-1000-8000-00805f9b34fb"


async def run(address, count, seconds):
    device = await BleakScanner.find_device_by_address(address, timeout=10)
    if device is None:
        sys.exit(f"no strap {address} found")
    done = asyncio.Event()
    received = 0

    def show(_, value):
        nonlocal received
        received += 1
        sys.stdout.write(f"{time.monotonic():.6f} {value.hex()}\n")
        if received == count:
            done.set()

    async with BleakClient(device, disconnected_callback=lambda _: done.set()) as client:
        await client.start_notify(MEASUREMENT, show)
        try:
            await asyncio.wait_for(done.wait(), seconds)
        except asyncio.TimeoutError:
            pass
    sys.stdout.flush()
    return received


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("address")
parser.add_argument("--count", type=int, default=0, help="leave after N notifications")
parser.add_argument("--seconds", type=float, default=None, help="leave after S seconds")
arguments = parser.parse_args()
received = asyncio.run(run(arguments.address, arguments.count, arguments.seconds))
if arguments.count and received < arguments.count:
    sys.exit(f"{received} of {arguments.count} notifications")
