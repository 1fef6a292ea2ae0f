"""A connected strap sends nothing: the link becomes stale within seconds. A dropped subscription is renewed."""


async def scenario(world):
    live = await world.live()
    await live.shows(10)
    world.strap.silent = True
    await live.becomes("stale")
    world.strap.silent = False
    await live.becomes("connected")
    await live.shows(10)
    await live.caught_up()
    world.strap.forget_subscription()
    await live.becomes("stale")
    await live.becomes("connected")
    await live.shows(10)
    await live.finish()
