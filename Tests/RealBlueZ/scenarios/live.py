"""A minute of `live` with one notification per second."""

STRAP = {"period": 1.0}


async def scenario(world):
    live = await world.live("--strap", "C0:00:00:00:00:01")
    await live.shows(60)
    await live.finish()
