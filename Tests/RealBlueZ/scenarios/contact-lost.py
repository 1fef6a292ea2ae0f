"""The strap reports lost skin contact, regained contact, and then no contact status."""


async def scenario(world):
    live = await world.live()
    for contact in ("on", "off", "on", "unsupported"):
        world.strap.contact = contact
        await live.shows(6)
    await live.finish()
