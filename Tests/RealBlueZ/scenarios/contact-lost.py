"""The strap tells that it lost the skin, that it has it again, and then nothing about it any more."""


async def scenario(world):
    live = await world.live()
    for contact in ("on", "off", "on", "unsupported"):
        world.strap.contact = contact
        await live.shows(6)
    await live.finish()
