"""The strap goes out of range and returns: one session with one gap."""

from waiting import expect


async def scenario(world):
    live = await world.live()
    await live.shows(15)
    await world.strap.hide()
    await live.caught_up()
    world.strap.excuse()
    world.air.lose_links()
    await live.becomes("lost")
    await world.strap.appear()
    await live.becomes("connected")
    await live.shows(15)
    await live.finish()
    expect([gap["cause"] for gap in live.of_type("gap")] == ["link-lost"], f"one gap: {live.of_type('gap')}")
