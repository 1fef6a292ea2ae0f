"""The heart rate in two octets, below and above 255."""

STRAP = {"wide_hr": True}


async def scenario(world):
    live = await world.live()
    await live.shows(10)
    world.strap.hr = 260
    await live.shows(5)
    await live.finish()
