"""The sensor streams of a strap (Polar PMD): a control point and frames of acceleration from a script."""

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
ACCELERATION = 2
RATE, SAMPLES = 25, 36
SETTINGS = bytes.fromhex("00041900320064 00C800 01011000 0203020004000800".replace(" ", ""))
SUCCESS, NOT_SUPPORTED, ALREADY_RUNS = 0, 3, 6
# The clock of an H10 begins at 2019-01-01, in nanoseconds since 2000-01-01.
CLOCK_START = 599_616_000_000_000_000
UPRIGHT, LYING, TABLE = (-30, -960, 275), (20, -180, 983), (-9, -1, 999)


@dataclass
class Frame:
    """One frame. It is owed to the program unless it was sent into a link that was breaking."""

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


class Sensors:
    """`script`: pairs of an activity and its seconds, repeated."""

    def __init__(self, strap, script):
        self.strap, self.script = strap, script
        self.frames, self.running, self.silent = [], False, False
        self.count, self.noise = 0, random.Random(1)
        properties = Characteristic.Properties
        self.control = Characteristic(
            CONTROL, properties.READ | properties.WRITE | properties.INDICATE,
            Characteristic.READABLE | Characteristic.WRITEABLE,
            CharacteristicValue(read=lambda _: bytes([0x0F, 1 << ACCELERATION]), write=self._request))
        self.data = Characteristic(DATA, properties.NOTIFY, 0, b"")
        self.subscribed = False
        self.data.on("subscription", lambda bearer, notifies, indicates: self._subscription(notifies))
        self.service = Service(SERVICE, [self.control, self.data])

    def _request(self, connection, value):
        operation, stream = value[0], value[1]
        error, parameters = SUCCESS, b""
        if stream != ACCELERATION:
            error = NOT_SUPPORTED
        elif operation == 1:
            parameters = SETTINGS
        elif operation == 2:
            error = ALREADY_RUNS if self.running else SUCCESS
            self._start()
        elif operation == 3:
            error = SUCCESS if self.running else ALREADY_RUNS
            self.stop("stop")
        answer = bytes([0xF0, operation, stream, error, 0]) + parameters
        asyncio.get_running_loop().create_task(
            self.strap.device.indicate_subscriber(connection, self.control, answer))

    def _subscription(self, notifies):
        self.subscribed = bool(notifies)

    def _start(self):
        if not self.running:
            self.running = True
            self.strap.note("stream start")
            self.player = asyncio.create_task(self._play())

    def stop(self, cause):
        """The end of the stream: a request, or the end of the link, which also ends the subscription."""
        self.subscribed = self.subscribed and cause == "stop"
        if self.running:
            self.running = False
            self.player.cancel()
            self.strap.note(f"stream {cause}")

    async def sends(self, count):
        """Waits until it has sent so many more frames."""
        wanted = len(self.frames) + count
        await until(lambda: len(self.frames) >= wanted, f"{count} sensor frames are sent")

    async def _play(self):
        due = time.monotonic()
        while True:
            due += SAMPLES / RATE
            await asyncio.sleep(max(0, due - time.monotonic()))
            if self.subscribed and not self.silent:
                await self._send()

    async def _send(self):
        body = b"".join(struct.pack("<3h", *self._next()) for _ in range(SAMPLES))
        stamp = CLOCK_START + self.count * 1_000_000_000 // RATE
        payload = bytes([ACCELERATION]) + struct.pack("<Q", stamp) + b"\x01" + body
        sent = Frame(payload.hex(), self.strap.owes, time.time())
        self.frames.append(sent)
        self.strap.log.write(json.dumps(asdict(sent)) + "\n")
        await self.strap.device.notify_subscriber(self.strap.connection, self.data, payload)

    def _next(self):
        self.count += 1
        seconds = self.count / RATE
        rest = seconds % sum(length for _, length in self.script)
        for activity, length in self.script:
            if rest < length:
                return sample(activity, seconds, self.noise)
            rest -= length
        return sample(self.script[0][0], seconds, self.noise)
