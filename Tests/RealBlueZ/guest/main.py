"""Runs the named scenarios, each in its own environment, and prints a line when one ends."""

import asyncio
import importlib.util
import logging
import os
import sys
import time
import traceback

import program
import truth
from air import Adapter, Air
from bluetoothd import Bluetoothd, Client
from program import Program, Session, keyboard
from strap import Strap
from waiting import RigFailure

LIMIT = 240


class World:
    """The environment of a scenario: an adapter, a strap, bluetoothd without stored devices, and a user without files."""

    def __init__(self, name):
        self.logs = f"/logs/{name}"
        os.makedirs(self.logs, exist_ok=True)
        self.runs, self.sessions = [], []
        self.air = Air()
        self.adapter = Adapter(self.air)
        self.bluetoothd = Bluetoothd(f"{self.logs}/bluetoothd")
        self.strap = None

    async def begin(self, strap):
        program.clear_home()
        self.bluetoothd.clear_storage()
        try:
            await self.adapter.plug()
            self.strap = Strap(self.air, f"{self.logs}/strap.jsonl", **strap)
            await self.strap.switch_on()
        except Exception as error:
            raise RigFailure(f"{error!r}") from error
        await self.bluetoothd.start()

    async def second_strap(self):
        """A second strap, of the same person or of another one."""
        strap = Strap(self.air, f"{self.logs}/second-strap.jsonl", address="C0:00:00:00:00:02", name="Other H9")
        await strap.switch_on()
        return strap

    async def end(self):
        for run in self.runs:
            run.kill()
        await self.bluetoothd.stop()
        await self.adapter.remove()

    async def run(self, *arguments, keyboard=None):
        return await Program.start(self, *arguments, keyboard=keyboard)

    async def live(self, *arguments):
        """`live --json --record`. Its output is compared with the notifications of the strap when the scenario ends."""
        recording = f"{program.HOME}/{len(self.sessions)}.jsonl"
        session = await Session.start(self, "live", "--json", "--record", recording, *arguments)
        self.sessions.append((session, recording))
        return session

    async def record(self, *arguments):
        recording = f"{program.HOME}/{len(self.sessions)}.jsonl"
        session = await Session.start(self, "record", recording, "--json", *arguments)
        self.sessions.append((session, recording))
        return session

    async def other_client(self):
        return await Client.connect()

    def keyboard(self):
        return keyboard()


async def run(name):
    """The result with its reason, or the number of compared beats."""
    spec = importlib.util.spec_from_file_location("scenario", f"/test/scenarios/{name}.py")
    scenario = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scenario)
    world = World(name)
    try:
        await world.begin(getattr(scenario, "STRAP", {}))
        await asyncio.wait_for(scenario.scenario(world), LIMIT)
        beats = 0
        for session, recording in world.sessions:
            beats += await truth.compare(world, session, recording)
        return "passed", f"{beats} RR exact" if beats else ""
    except truth.WrongData as error:
        return "failed", str(error)
    except Exception as error:
        with open(f"{world.logs}/failure", "w") as log:
            traceback.print_exc(file=log)
        if isinstance(error, RigFailure) or world.bluetoothd.died:
            return "rig", f"{error}" + (" (bluetoothd died)" if world.bluetoothd.died else "")
        return "failed", f"{error}" or repr(error)
    finally:
        await world.end()


async def main(names):
    logging.basicConfig(filename="/logs/radio", level=os.environ.get("RADIO_LOG", "WARNING"))
    for name in names:
        begin = time.monotonic()
        result, message = await run(name)
        print(name, result, f"{time.monotonic() - begin:.0f}", " ".join(message.split()), sep="\t", flush=True)


asyncio.run(main(sys.argv[1:]))
