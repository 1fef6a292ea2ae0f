"""Waiting for a state, and the failures of a scenario."""

import asyncio
import inspect
import time


class Failure(Exception):
    """The program did not do what the scenario expects."""


class RigFailure(Exception):
    """The environment of the program failed, not the program."""


async def until(condition, what, limit=120, failure=Failure):
    """Waits for `condition`, which may be asynchronous. Returns its value."""
    end = time.monotonic() + limit
    while True:
        value = condition()
        if inspect.isawaitable(value):
            value = await value
        if value:
            return value
        if time.monotonic() > end:
            raise failure(f"timeout after {limit} s: {what}")
        await asyncio.sleep(0.05)


def expect(condition, what):
    if not condition:
        raise Failure(what)
