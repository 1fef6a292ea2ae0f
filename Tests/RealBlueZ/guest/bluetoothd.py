"""The real bluetoothd, and other programs that use it."""

import asyncio
import shutil

from dbus_fast import BusType, Message, MessageType, Variant
from dbus_fast.aio import MessageBus

from waiting import RigFailure, until

STORAGE = "/var/lib/bluetooth"


class CallFailed(Exception):
    pass


class Client:
    """A separate connection to the bus, like that of another program."""

    @classmethod
    async def connect(cls):
        client = cls()
        client.bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
        return client

    async def call(self, path, interface, member, signature="", *body):
        reply = await self.bus.call(Message(
            destination="org.bluez", path=path, interface=interface, member=member, signature=signature,
            body=list(body)))
        if reply.message_type is MessageType.ERROR:
            raise CallFailed(f"{member}: {reply.error_name}: {reply.body}")
        return reply.body[0] if reply.body else None

    async def objects(self, interface):
        """Path and properties of each object that has `interface`."""
        tree = await self.call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        return {
            path: {name: value.value for name, value in interfaces[interface].items()}
            for path, interfaces in tree.items() if interface in interfaces}

    async def measurement(self):
        """The path of 0x2A37."""
        for path, properties in (await self.objects("org.bluez.GattCharacteristic1")).items():
            if properties["UUID"].startswith("00002a37"):
                return path

    async def start_notify(self):
        await self.call(await self.measurement(), "org.bluez.GattCharacteristic1", "StartNotify")

    async def set_power(self, on):
        path = next(iter(await self.objects("org.bluez.Adapter1")))
        await self.call(
            path, "org.freedesktop.DBus.Properties", "Set", "ssv", "org.bluez.Adapter1", "Powered", Variant("b", on))

    def close(self):
        self.bus.disconnect()


class Bluetoothd:
    def __init__(self, log):
        self.log, self.process, self.ended_by_us = log, None, False

    async def start(self):
        self.ended_by_us = False
        with open(self.log, "a") as log:
            self.process = await asyncio.create_subprocess_exec(
                "/usr/libexec/bluetooth/bluetoothd", "-n", "-d", stdout=log, stderr=log)
        client = await Client.connect()

        async def is_powered():
            try:
                return any(a["Powered"] for a in (await client.objects("org.bluez.Adapter1")).values())
            except CallFailed:
                return False

        await until(is_powered, "bluetoothd shows a powered adapter", failure=RigFailure)
        client.close()

    async def kill(self):
        await self._end("kill")

    async def stop(self):
        await self._end("terminate")

    async def _end(self, how):
        self.ended_by_us = True
        if self.process and self.process.returncode is None:
            getattr(self.process, how)()
            await self.process.wait()

    @property
    def died(self):
        return self.process is not None and self.process.returncode is not None and not self.ended_by_us

    def clear_storage(self):
        shutil.rmtree(STORAGE, ignore_errors=True)
