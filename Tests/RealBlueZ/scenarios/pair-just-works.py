"""`pair` with a strap that requires a bond and has no display."""

STRAP = {"needs_bond": True}


async def scenario(world):
    pair = await world.run("pair")
    await pair.succeeds()
    live = await world.live()
    await live.shows(10)
    await live.finish()
