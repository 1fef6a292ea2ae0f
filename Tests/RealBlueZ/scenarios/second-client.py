"""A second and a third program subscribe: bluetoothd signals each value once for each subscriber."""


async def scenario(world):
    live = await world.live()
    await live.shows(10)
    second = await world.other_client()
    await second.start_notify()
    await live.shows(20)
    third = await world.other_client()
    await third.start_notify()
    await live.shows(20)
    second.close()
    await live.shows(10)
    third.close()
    await live.shows(10)
    await live.finish()
