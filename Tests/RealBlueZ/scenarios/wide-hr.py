"""The heart rate in two octets, small and beyond what one octet holds."""

STRAP = {"wide_hr": True}


async def scenario(world):
    live = await world.live()
    await live.shows(10)
    world.strap.hr = 260
    await live.shows(5)
    await live.finish()
