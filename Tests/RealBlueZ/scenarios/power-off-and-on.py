"""Another client turns Bluetooth off and on."""

from waiting import expect


async def scenario(world):
    live = await world.live()
    await live.shows(15)
    await live.caught_up()
    world.strap.excuse()
    client = await world.other_client()
    await client.set_power(False)
    await live.becomes("lost")
    await client.set_power(True)
    await live.becomes("connected")
    await live.shows(15)
    await live.finish()
    expect([gap["cause"] for gap in live.of_type("gap")] == ["link-lost"], f"one gap: {live.of_type('gap')}")
