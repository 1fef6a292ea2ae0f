"""The program under test, run as an ordinary user."""

import asyncio
import json
import os
import pty
import shutil
import signal

from waiting import expect, until

PROGRAM = "/test/stressmon"
HOME = "/home/owner"
DATABASE = HOME + "/.local/share/stressmon/stressmon.db"


class Program:
    """One run of the program. `lines` and `errors` contain its output so far, and `json` the lines that are objects."""

    @classmethod
    async def start(cls, world, *arguments, keyboard=None):
        run = cls()
        run.world, run.arguments, run.keyboard = world, arguments, keyboard
        run.lines, run.json, run.errors = [], [], []
        run.process = await asyncio.create_subprocess_exec(
            PROGRAM, *arguments, cwd=HOME, user="owner", group="owner", extra_groups=[],
            env={"HOME": HOME, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "dumb", "STRESSMON_LOG": "debug"},
            stdin=asyncio.subprocess.DEVNULL if keyboard is None else keyboard,
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, limit=1 << 20)
        name = f"{world.logs}/{len(world.runs)}-{arguments[0]}"
        world.runs.append(run)
        run.readers = [
            asyncio.create_task(run._read(run.process.stdout, name + ".out", run._take_line)),
            asyncio.create_task(run._read(run.process.stderr, name + ".err", run.errors.append))]
        return run

    async def _read(self, stream, copy, take):
        with open(copy, "w", buffering=1) as log:
            # A prompt ends without a line feed, so incomplete lines of stderr count as well.
            rest = ""
            while data := await stream.read(1 << 16):
                log.write(data.decode())
                *lines, rest = (rest + data.decode()).split("\n")
                for line in lines:
                    take(line)
                if stream is self.process.stderr and rest:
                    take(rest)
                    rest = ""

    def _take_line(self, line):
        self.lines.append(line)
        if line.startswith("{"):
            self.json.append(json.loads(line))

    def of_type(self, name):
        return [line for line in self.json if line.get("type") == name]

    @property
    def text_of_errors(self):
        return "\n".join(self.errors)

    async def ended(self):
        """Waits until the program ends. Returns the exit status."""
        await until(lambda: self.process.returncode is not None, f"{self.arguments[0]} ends")
        await asyncio.gather(*self.readers)
        return self.process.returncode

    async def succeeds(self):
        status = await self.ended()
        expect(status == 0, f"{self.arguments[0]} ended with status {status}: {self.text_of_errors[-300:]}")

    async def asks(self, words):
        await until(lambda: words in self.text_of_errors, f"it asks: {words}")

    def kill(self):
        if self.process.returncode is None:
            self.process.kill()


class Session(Program):
    """A run of `live` or `record`."""

    # The number of awaited changes of the link.
    seen = 0

    def notifications(self):
        return self.of_type("notification")

    def states(self):
        return [line["state"] for line in self.of_type("link") if "state" in line]

    async def shows(self, count):
        """Waits for `count` further notifications."""
        wanted = len(self.notifications()) + count
        await until(lambda: len(self.notifications()) >= wanted, f"{wanted} notifications are shown")

    async def becomes(self, state, limit=120):
        """Waits for the next change to `state` after the last awaited change."""
        await until(
            lambda: state in self.states()[self.seen:], f"the link becomes {state} (it was {self.states()})", limit)
        self.seen = self.states().index(state, self.seen) + 1

    async def caught_up(self):
        """Waits until all notifications are shown. Sensor frames are not shown, so they are paused for a second before, until the
        last one has arrived."""
        sensors = self.world.strap.sensors
        was_silent = sensors.silent if sensors else True
        if sensors:
            sensors.silent = True
            await asyncio.sleep(1)
        last = lambda: [s.rr for s in self.world.strap.sent if s.owed][-1:]
        shown = lambda: [[round(rr * 1.024) for rr in n.get("rr_ms", [])] for n in self.notifications()[-1:]]
        await until(lambda: last() == shown(), "the last notification of the strap is shown")
        if sensors:
            sensors.silent = was_silent

    async def frames(self, count):
        """Waits until the strap has sent `count` further sensor frames."""
        await self.world.strap.sensors.sends(count)

    async def finish(self):
        """Ends the session with SIGINT, after the last beat is shown."""
        self.world.strap.silent = True
        if self.world.strap.sensors:
            self.world.strap.sensors.silent = True
        await self.caught_up()
        self.process.send_signal(signal.SIGINT)
        await self.ended()


def keyboard():
    """A pseudo-terminal: bytes written to the first descriptor are typed; the second is the stdin of the program."""
    return pty.openpty()


def clear_home():
    for name in os.listdir(HOME):
        path = os.path.join(HOME, name)
        shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
