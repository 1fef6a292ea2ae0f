"""`pair` with a strap that can show nothing, and needs a bond to measure."""

STRAP = {"needs_bond": True}


async def scenario(world):
    pair = await world.run("pair")
    await pair.succeeds()
    live = await world.live()
    await live.shows(10)
    await live.finish()
