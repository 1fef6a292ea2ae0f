"""A heart-rate strap: a device with a GATT server, pairing and faults. Its log is the reference for the tests."""

import asyncio
import json
import struct
import time
from dataclasses import asdict, dataclass

from bumble.controller import Controller
from bumble.core import UUID, AdvertisingData
from bumble.device import Device, DeviceConfiguration
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address
from bumble.host import Host
from bumble.keys import MemoryKeyStore
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport.common import AsyncPipeSink

from motion import Sensors

ADDRESS = "C0:00:00:00:00:01"
NAME = "Polar H10 TEST"


def rounded_heart_rate():
    """RR intervals in ticks as some optical bands compute them: from a heart rate in whole bpm that changes slowly."""
    index = 0
    while True:
        index += 1
        yield round(60 * 1024 / (150 + index // 4 % 3))


def beats():
    """RR intervals in ticks of 1/1024 s, about 0.4 s each. Some successive ones are equal, to test the filter of duplicates."""
    index = 0
    while True:
        index += 1
        yield 400 + index * 37 % 53 if index % 10 else 400 + (index - 1) * 37 % 53


@dataclass
class Sent:
    """One notification. The program must receive it (`owed`) unless it was sent during a fault."""

    hex: str
    rr: list
    hr: int
    contact: str
    owed: bool
    at: float


class Keypad(PairingDelegate):
    """The pairing of a strap that displays `passkey`, or has no display."""

    def __init__(self, passkey):
        super().__init__(self.NO_OUTPUT_NO_INPUT if passkey is None else self.DISPLAY_OUTPUT_ONLY)
        self.passkey = passkey

    async def generate_passkey(self):
        return self.passkey

    async def display_number(self, number, digits):
        pass


class Strap:
    def __init__(self, air, log, *, address=ADDRESS, name=NAME, period=0.4, per_packet=1, hr=None, wide_hr=False, sends_rr=True,
                 contact="on", needs_bond=False, passkey=None, answers_after=0, motion=None, sensors=(), is_rounded=False):
        self.period, self.per_packet, self.hr, self.wide_hr, self.sends_rr = period, per_packet, hr, wide_hr, sends_rr
        self.contact, self.answers_after = contact, answers_after
        self.address, self.name = address, name
        self.sent, self.events = [], []
        self.subscribed = self.silent = False
        self.owes = True
        self.connection = None
        self.rr = rounded_heart_rate() if is_rounded else beats()
        self.log = open(log, "a", buffering=1)
        self.sensors = Sensors(self, motion, sensors) if motion else None
        controller = Controller(name, link=air)
        self.device = Device(
            config=DeviceConfiguration(name=name, address=Address(address)),
            host=Host(controller, AsyncPipeSink(controller)))
        self.device.keystore = MemoryKeyStore()
        self.device.pairing_config_factory = lambda _: PairingConfig(
            sc=True, mitm=passkey is not None, bonding=True, delegate=Keypad(passkey),
            identity_address_type=PairingConfig.AddressType.RANDOM)
        self._serve(needs_bond, authenticated=passkey is not None)
        self.device.on("connection", self._connected)

    def _serve(self, needs_bond, authenticated):
        value, read, notify = Characteristic, Characteristic.Properties.READ, Characteristic.Properties.NOTIFY
        self.measurement = value("2A37", notify, 0, b"")
        self.measurement.on("subscription", lambda bearer, notifies, indicates: self._subscription(notifies))
        location = value("2A38", read, value.READABLE, b"\x01")
        battery = value("2A19", read, value.READABLE, CharacteristicValue(read=lambda _: b"\x57"))
        server = self.device.gatt_server
        self.device.add_services([Service("180D", [self.measurement, location]), Service("180F", [battery])])
        if self.sensors:
            self.device.add_services([self.sensors.service])
        if needs_bond:
            subscription = next(
                a for a in server.attributes if a.type == UUID("2902") and a.handle > self.measurement.handle)
            subscription.permissions = value.READABLE | value.WRITEABLE | value.WRITE_REQUIRES_ENCRYPTION
            if authenticated:
                subscription.permissions |= value.WRITE_REQUIRES_AUTHENTICATION
        answer = server.on_gatt_pdu
        server.on_gatt_pdu = lambda *request: asyncio.get_running_loop().call_later(
            self.answers_after, answer, *request)

    async def switch_on(self):
        await self.device.power_on()
        await self.appear()
        self.player = asyncio.create_task(self._play())

    # Actions

    async def appear(self):
        self.device.advertising_data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, b"\x06"),
            (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, struct.pack("<H", 0x180D)),
            (AdvertisingData.COMPLETE_LOCAL_NAME, self.name.encode())]))
        await self.device.start_advertising(auto_restart=True)

    async def hide(self):
        await self.device.stop_advertising()

    def excuse(self):
        """Notifications may be lost until the next subscription."""
        self.owes = False

    def forget_subscription(self):
        """Drops the subscription, as some firmware does: connected, but silent until the next subscription."""
        self.note("forgets its subscription")
        self.subscribed = False

    async def send(self, rr, hr=None):
        """One notification of `rr`, in ticks."""
        hr = hr or self.hr or (round(60 * 1024 * len(rr) / sum(rr)) if rr else 60)
        flags = {"unsupported": 0, "off": 0x04, "on": 0x06}[self.contact] | (0x10 if rr else 0) | self.wide_hr
        payload = struct.pack("<BH" if self.wide_hr else "<BB", flags, hr) + struct.pack(f"<{len(rr)}H", *rr)
        sent = Sent(payload.hex(), rr, hr, self.contact, self.owes, time.time())
        self.sent.append(sent)
        self.log.write(json.dumps(asdict(sent)) + "\n")
        await self.device.notify_subscriber(self.connection, self.measurement, payload)

    async def _play(self):
        while True:
            await asyncio.sleep(self.period)
            if self.subscribed and not self.silent:
                await self.send([next(self.rr) for _ in range(self.per_packet)] if self.sends_rr else [])

    # Events

    def note(self, event):
        self.events.append(event)
        self.log.write(json.dumps({"at": time.time(), "event": event}) + "\n")

    def _connected(self, connection):
        self.connection = connection
        connection.on("disconnection", self._disconnected)
        connection.on("pairing", lambda _: self.note("paired"))
        connection.on("pairing_failure", lambda reason: self.note(f"pairing failed: {reason}"))
        self.note("connected")

    def _disconnected(self, reason):
        self.connection, self.subscribed = None, False
        if self.sensors:
            self.sensors.stop("ended with the link")
        self.note(f"disconnected: {reason}")

    def _subscription(self, notifies):
        self.subscribed = bool(notifies)
        self.owes = self.owes or self.subscribed
        self.note("subscribed" if notifies else "unsubscribed")
