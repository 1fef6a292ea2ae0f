"""`pair` with a strap that displays a passkey, which is typed in the terminal."""

import os

STRAP = {"needs_bond": True, "passkey": 123456}


async def scenario(world):
    typed, terminal = world.keyboard()
    pair = await world.run("pair", "C0:00:00:00:00:01", keyboard=terminal)
    await pair.asks("The number that the strap shows")
    os.write(typed, b"123456\n")
    await pair.succeeds()
    live = await world.live()
    await live.shows(10)
    await live.finish()
