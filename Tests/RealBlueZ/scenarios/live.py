"""A minute of `live` at the pace of a heart at rest."""

STRAP = {"period": 1.0}


async def scenario(world):
    live = await world.live("--strap", "C0:00:00:00:00:01")
    await live.shows(60)
    await live.finish()
