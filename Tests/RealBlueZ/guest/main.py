"""Runs the scenarios that are named, each in a world of its own, and prints a line for each as it ends."""

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
    """One adapter, one strap, bluetoothd without a memory, and a user without files."""

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
        self.bluetoothd.forget_everything()
        try:
            await self.adapter.plug()
            self.strap = Strap(self.air, f"{self.logs}/strap.jsonl", **strap)
            await self.strap.switch_on()
        except Exception as error:
            raise RigFailure(f"{error!r}") from error
        await self.bluetoothd.start()

    async def second_strap(self):
        """Another person's strap, or a second one of the same."""
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
        """`live --json`, which also records. It is compared with the strap when the scenario is over."""
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
    """The verdict, and in words why, or how many beats were compared."""
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
        verdict, words = await run(name)
        print(name, verdict, f"{time.monotonic() - begin:.0f}", " ".join(words.split()), sep="\t", flush=True)


asyncio.run(main(sys.argv[1:]))
