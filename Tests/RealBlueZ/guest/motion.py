"""The sensor streams of a strap (Polar PMD): a control point, acceleration from a script, an ECG, and pulse intervals."""

import asyncio
import json
import math
import random
import struct
import time
from dataclasses import asdict, dataclass

from bumble.gatt import Characteristic, CharacteristicValue, Service

from waiting import until

SERVICE, CONTROL, DATA = (f"FB005C8{n}-02E7-F387-1CAD-8ACD2D8DF0C8" for n in (0, 1, 2))
ECG, ACCELERATION, PPI = 0, 2, 3
NAMES = {ECG: "ecg", ACCELERATION: "stream", PPI: "ppi"}
# Samples per second and per frame.
RATE, SAMPLES = {ECG: 130, ACCELERATION: 25, PPI: 1}, {ECG: 73, ACCELERATION: 36, PPI: 5}
SETTINGS = {
    ECG: bytes.fromhex("00018200 01010E00"),
    ACCELERATION: bytes.fromhex("00041900320064 00C800 01011000 0203020004000800".replace(" ", "")),
    PPI: b"",
}
SUCCESS, NOT_SUPPORTED, ALREADY_RUNS = 0, 3, 6
# The clock of an H10 begins at 2019-01-01, in nanoseconds since 2000-01-01.
CLOCK_START = 599_616_000_000_000_000
UPRIGHT, LYING, TABLE = (-30, -960, 275), (20, -180, 983), (-9, -1, 999)


@dataclass
class Frame:
    """One frame. The program must receive it (`owed`) unless it was sent during a fault."""

    frame: str
    owed: bool
    at: float


def sample(activity, seconds, noise):
    """The acceleration in mg."""
    x, y, z = {"lying": LYING, "removed": TABLE}.get(activity, UPRIGHT)
    turn = 2 * math.pi * seconds
    if activity in ("breathing", "lying"):
        z += 10 * math.sin(turn / 4)
    elif activity in ("walking", "running"):
        steps, vertical, forward = (1.8, 250, 140) if activity == "walking" else (2.7, 900, 320)
        y += vertical * (math.sin(steps * turn) + 0.35 * math.sin(2 * steps * turn))
        z += forward * math.sin(steps * turn + 2)
    return [round(value + noise.gauss(0, 3)) for value in (x, y, z)]


def electrocardiogram(seconds, noise):
    """The potential in uV: an R peak each second, and noise."""
    return round(1000 * math.exp(-(((seconds % 1) - 0.5) / 0.012) ** 2) + noise.gauss(0, 10))


def pulse(count, noise):
    """An interval of about 1 s with an error of 5 ms: heart rate, ms, error in ms, skin contact."""
    return struct.pack("<BHHB", 60, round(1000 + 40 * math.sin(count) + noise.gauss(0, 25)), 5, 0x06)


class Sensors:
    """`script`: pairs of an activity and its seconds, repeated. `others`: names of further streams, `ecg` and `ppi`."""

    def __init__(self, strap, script, others=()):
        self.strap, self.script = strap, script
        self.streams = {ACCELERATION} | {stream for stream, name in NAMES.items() if name in others}
        self.frames, self.players, self.silent = [], {}, False
        self.counts, self.noise = dict.fromkeys(NAMES, 0), random.Random(1)
        properties = Characteristic.Properties
        self.control = Characteristic(
            CONTROL, properties.READ | properties.WRITE | properties.INDICATE,
            Characteristic.READABLE | Characteristic.WRITEABLE,
            CharacteristicValue(read=lambda _: bytes([0x0F, self._mask()]), write=self._request))
        self.data = Characteristic(DATA, properties.NOTIFY, 0, b"")
        self.subscribed = False
        self.data.on("subscription", lambda bearer, notifies, indicates: self._subscription(notifies))
        self.service = Service(SERVICE, [self.control, self.data])

    @property
    def running(self):
        return bool(self.players)

    def _mask(self):
        return sum(1 << stream for stream in self.streams)

    def _request(self, connection, value):
        operation, stream = value[0], value[1]
        error, parameters = SUCCESS, b""
        if stream not in self.streams:
            error = NOT_SUPPORTED
        elif operation == 1:
            parameters = SETTINGS[stream]
        elif operation == 2:
            error = ALREADY_RUNS if stream in self.players else SUCCESS
            self._start(stream)
        elif operation == 3:
            error = SUCCESS if stream in self.players else ALREADY_RUNS
            self._stop(stream, "stop")
        answer = bytes([0xF0, operation, stream, error, 0]) + parameters
        asyncio.get_running_loop().create_task(
            self.strap.device.indicate_subscriber(connection, self.control, answer))

    def _subscription(self, notifies):
        self.subscribed = bool(notifies)

    def _start(self, stream):
        if stream not in self.players:
            self.strap.note(f"{NAMES[stream]} start")
            self.players[stream] = asyncio.create_task(self._play(stream))

    def _stop(self, stream, cause):
        if stream in self.players:
            self.players.pop(stream).cancel()
            self.strap.note(f"{NAMES[stream]} {cause}")

    def stop(self, cause):
        """The end of the link, which ends the streams and the subscription."""
        self.subscribed = False
        for stream in list(self.players):
            self._stop(stream, cause)

    async def sends(self, count):
        """Waits until the strap has sent `count` further frames."""
        wanted = len(self.frames) + count
        await until(lambda: len(self.frames) >= wanted, f"{count} sensor frames are sent")

    async def _play(self, stream):
        due = time.monotonic()
        while True:
            due += SAMPLES[stream] / RATE[stream]
            await asyncio.sleep(max(0, due - time.monotonic()))
            if self.subscribed and not self.silent:
                await self._send(stream)

    async def _send(self, stream):
        body = b"".join(self._sample(stream) for _ in range(SAMPLES[stream]))
        stamp = 0 if stream == PPI else CLOCK_START + self.counts[stream] * 1_000_000_000 // RATE[stream]
        form = b"\x01" if stream == ACCELERATION else b"\x00"
        payload = bytes([stream]) + struct.pack("<Q", stamp) + form + body
        sent = Frame(payload.hex(), self.strap.owes, time.time())
        self.frames.append(sent)
        self.strap.log.write(json.dumps(asdict(sent)) + "\n")
        await self.strap.device.notify_subscriber(self.strap.connection, self.data, payload)

    def _sample(self, stream):
        self.counts[stream] += 1
        seconds = self.counts[stream] / RATE[stream]
        if stream == ECG:
            return struct.pack("<i", electrocardiogram(seconds, self.noise))[:3]
        if stream == PPI:
            return pulse(self.counts[stream], self.noise)
        return struct.pack("<3h", *self._acceleration(seconds))

    def _acceleration(self, seconds):
        rest = seconds % sum(length for _, length in self.script)
        for activity, length in self.script:
            if rest < length:
                return sample(activity, seconds, self.noise)
            rest -= length
        return sample(self.script[0][0], seconds, self.noise)
