"""Nine RR intervals in a notification, which fit into the smallest packet, then up to 20."""

STRAP = {"per_packet": 9, "period": 3.6}


async def scenario(world):
    live = await world.live()
    await live.shows(4)
    for count in (10, 12, 17, 20):
        world.strap.per_packet = count
        await live.shows(2)
    await live.finish()
