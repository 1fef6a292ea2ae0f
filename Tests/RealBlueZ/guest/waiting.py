"""Waiting for a state, and the ways in which a scenario ends."""

import asyncio
import inspect
import time


class Failure(Exception):
    """The program did not do what the scenario expects."""


class RigFailure(Exception):
    """What is around the program did not do its part."""


async def until(condition, what, limit=120, failure=Failure):
    """Waits for `condition`, which may be asynchronous, and gives its value."""
    end = time.monotonic() + limit
    while True:
        value = condition()
        if inspect.isawaitable(value):
            value = await value
        if value:
            return value
        if time.monotonic() > end:
            raise failure(f"waited {limit} s in vain: {what}")
        await asyncio.sleep(0.05)


def expect(condition, what):
    if not condition:
        raise Failure(what)
